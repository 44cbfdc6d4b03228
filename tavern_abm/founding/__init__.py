"""Filling in what a scenario leaves out: towns from their population, prices by quality."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..town.prices import prices_of

if TYPE_CHECKING:
    from ..data_tables import DataTables
    from ..scenario.schema import Scenario

__all__ = ["resolved"]


def resolved(scenario: Scenario, data: DataTables) -> Scenario:
    """The scenario with everything said that it leaves to us: the one that is played.

    Resolving it once more changes nothing.

    Examples
    --------
    >>> from tavern_abm.data_tables import load_tables
    >>> from tavern_abm.scenario import Scenario
    >>> resolved(Scenario(), load_tables()).taverns[0].mug_cp
    4
    """
    taverns = [
        tavern.model_copy(update=prices_of(tavern, data)._asdict()) for tavern in scenario.taverns
    ]
    return scenario.model_copy(update={"taverns": taverns})
