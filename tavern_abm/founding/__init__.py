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

    A ``[town]`` is filled up, see `tavern_abm.founding.towns.filled`; then every
    house has the prices of its band of quality where it names none of its own.
    Resolving it once more changes nothing.

    Raises
    ------
    DataError
        If a table that towns are founded from cannot be used.

    Examples
    --------
    >>> from tavern_abm.data_tables import load_tables
    >>> from tavern_abm.scenario import Scenario
    >>> resolved(Scenario(), load_tables()).taverns[0].mug_cp
    4
    >>> from tavern_abm.scenario.schema import Town
    >>> village = resolved(Scenario(town=Town(population=430)), load_tables())
    >>> village.patrons, len(village.taverns), [each.name for each in village.districts]
    (120, 1, ['village'])
    """
    if scenario.town is not None:
        from .towns import filled

        scenario = filled(scenario, data)
    taverns = [
        tavern.model_copy(update=prices_of(tavern, data)._asdict()) for tavern in scenario.taverns
    ]
    return scenario.model_copy(update={"taverns": taverns})
