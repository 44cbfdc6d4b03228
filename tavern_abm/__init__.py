"""tavern_abm: an agent-based simulation of taverns.

>>> from tavern_abm import Scenario, TavernModel
>>> model = TavernModel(Scenario(patrons=20), rng=42)
>>> model.run_for(1)
>>> int(model.time)
1
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .model import TavernModel
    from .patrons.decisions import Policy
    from .patrons.patron import Patron
    from .scenario import Scenario, ScenarioError
    from .sweeps.api import SweepResult, sweep
    from .sweeps.design import Design
    from .sweeps.measuring.configuration import RunConfiguration

__all__ = [
    "Design",
    "Patron",
    "Policy",
    "RunConfiguration",
    "Scenario",
    "ScenarioError",
    "SweepResult",
    "TavernModel",
    "sweep",
]

_HOMES = {
    "Design": ".sweeps.design",
    "Patron": ".patrons.patron",
    "Policy": ".patrons.decisions",
    "RunConfiguration": ".sweeps.measuring.configuration",
    "Scenario": ".scenario",
    "ScenarioError": ".scenario",
    "SweepResult": ".sweeps.api",
    "TavernModel": ".model",
    "sweep": ".sweeps.api",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: the command line stays quick."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
