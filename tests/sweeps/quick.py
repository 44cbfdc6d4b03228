"""A model that takes no time, for tests of whatever plays it; other processes find it here."""

import os
import signal
import time
from typing import Any

import numpy as np

from tavern_abm.sweeps.design import Auto, Design
from tavern_abm.sweeps.designs.making import design_of

OUTPUTS = ("value", "twice")


def play(settings: dict[str, Any], seed: int) -> dict[str, float]:
    """A number around x. What else may be set makes it slow, fail, or die.

    ``pause``: seconds it takes. ``fails_at``, ``dies_at``, ``exits_at``, ``stops_at``: the x at
    which that happens, the last with Ctrl-C. ``fails_once``, ``dies_once``: a file that is made
    before it does, and then it does so no more. ``fails_of``: of so many seeds one fails.
    """
    x = settings["x"]
    time.sleep(settings.get("pause", 0.0))
    if x == settings.get("fails_at") and _is_to_happen(settings.get("fails_once")):
        raise ZeroDivisionError(f"no such coin as {x}\nand more of it")
    if "fails_of" in settings and seed % settings["fails_of"] == 0:
        raise ValueError("an unlucky seed")
    if x == settings.get("exits_at"):
        raise SystemExit(3)
    if x == settings.get("dies_at") and _is_to_happen(settings.get("dies_once")):
        os.kill(os.getpid(), signal.SIGKILL)
    if x == settings.get("stops_at"):
        raise KeyboardInterrupt
    value = x + settings.get("sd", 1.0) * np.random.default_rng(seed).normal()
    return {"value": value, "twice": 2 * value}


def _is_to_happen(once: str | None) -> bool:
    """Always, or only the first time."""
    if once is None:
        return True
    if os.path.exists(once):
        return False
    with open(once, "x"):
        return True


def quick_design(points: int = 6, replications: int | Auto = 5, **fixed: Any) -> Design:
    """So many points, x = 0, 1, ..."""
    return design_of(
        play,
        factors={"x": list(range(points))},
        fixed=fixed,
        outputs=list(OUTPUTS),
        replications=replications,
        name="quick",
    )
