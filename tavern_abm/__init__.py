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

__all__ = ["Patron", "Policy", "Scenario", "ScenarioError", "TavernModel"]

_HOMES = {
    "Patron": ".patrons.patron",
    "Policy": ".patrons.decisions",
    "Scenario": ".scenario",
    "ScenarioError": ".scenario",
    "TavernModel": ".model",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: the command line stays quick."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
