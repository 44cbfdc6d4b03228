"""Districts of the town: which house comes to mind where, and where people go when one closes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..patrons.columns import Floats, Ints, People, Sheet
from ..patrons.homes import districts_of, far_apart, homes_by_lot, nearness
from ..tables.houses import Houses

if TYPE_CHECKING:
    from ..scenario.schema import Scenario

__all__ = ["closeness", "districts_of", "far_apart", "homes_left", "places_of", "rehome"]


def places_of(scenario: Scenario) -> Floats:
    """Room in each house, shape (n_taverns,); without a limit, for everybody."""
    everybody = scenario.patrons
    rooms = [tavern.capacity for tavern in scenario.taverns]
    return np.array([everybody if room == "auto" else room for room in rooms], np.float64)


def closeness(scenario: Scenario) -> Floats:
    """How readily each house comes to mind in each district, shape (n_districts, n_taverns).

    The more, the more places it has; ``exp(-3 minds.distance)`` times as readily
    where it is far.
    """
    return nearness(scenario) * places_of(scenario)


def homes_left(scenario: Scenario, houses: Houses) -> Floats:
    """Room in each house that is still open, shape (n_taverns,): its weight as a home tavern."""
    return places_of(scenario) * houses.is_open


def rehome(people: People, sheet: Sheet, run_key: int, scenario: Scenario, houses: Houses) -> Ints:
    """Give those whose home tavern has closed another; and nobody thinks of a closed house.

    They get the one that would have been theirs without it, by the same lots;
    where the scenario has no districts they live where it stands from now on. Once
    no house is left open nobody gets any.

    Parameters
    ----------
    people, sheet : record arrays of shape (n_rows,)
        Everybody, those who have been drawn ahead among them.
    houses : Houses
        Those that have closed have ``is_open`` 0; ``comes_to_mind`` is written anew.

    Returns
    -------
    ndarray of int
        Rows of those who have a new home.
    """
    houses.comes_to_mind[:] = np.cumsum(closeness(scenario) * houses.is_open, axis=1)
    rows = np.flatnonzero(houses.is_open[people.home] == 0)
    if not houses.is_open.any() or not len(rows):
        return rows[:0]
    heads = sheet.household[rows]
    of_heads = (sheet.quarter[heads], sheet.rank[heads])
    places = homes_left(scenario, houses)
    people.home[rows] = homes_by_lot(heads + 1, run_key, scenario, places, *of_heads)
    if not scenario.districts:
        sheet.quarter[rows] = houses.quarter[people.home[rows]]
    return rows
