"""Kinds of gamblers: the presets of `data/gamblers.toml`, handed out to people.

A preset is nothing but numbers in a person's columns, so that whatever reads
them need not know of presets: two people with the same numbers decide alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import chance
from .columns import Floats, Ints, People, Sheet

if TYPE_CHECKING:
    from ..data_tables import DataTables
    from ..scenario.schema import Person, Scenario

PLAIN = "plain"
"""The preset of everybody where the scenario hands out none."""


def draw_gamblers(
    keys: Ints,
    people: People,
    sheet: Sheet,
    pinned: Sequence[tuple[int, Person]],
    scenario: Scenario,
    data: DataTables,
) -> None:
    """Make each of these people the gambler that luck, or the scenario, wants him to be.

    Fills ``sheet.gambler`` and, in `people`, `rationality`, `thrill`,
    `chasing`, `superstition`, `thirst`, `cheating` and `boldness`. What is
    pinned of a person's own (his `rationality`) has to be written after it.

    Parameters
    ----------
    keys : ndarray of int, shape (n,)
        Keys of the persons, which are theirs for life.
    pinned : sequence of (int, Person)
        Rows of people pinned by name.
    scenario : Scenario
        Whose `population.gamblers` holds weights by preset; empty: all are plain.
    """
    names = list(data.gamblers)
    sheet.gambler[:] = names.index(PLAIN)
    weights = scenario.population.gamblers
    if weights:
        sheet.gambler[:] = _dealt(keys, [weights.get(name, 0.0) for name in names])
    for row, person in pinned:
        if person.gambler is not None:
            sheet.gambler[row] = names.index(person.gambler)
    _set_minds(people, sheet.gambler, list(data.gamblers.values()), scenario)


def _dealt(keys: Ints, weights: Sequence[float]) -> Ints:
    """A preset for each key, with chances in proportion to the weights."""
    total = np.cumsum(np.asarray(weights, np.float64))
    luck = chance.units(keys, chance.GAMBLER, 0) * total[-1]
    return np.searchsorted(total, luck, side="right").clip(max=len(total) - 1)


def _set_minds(people: People, preset: Ints, gamblers: Sequence[Any], scenario: Scenario) -> None:
    def of_preset(name: str) -> Floats:
        values = np.array([getattr(each, name) for each in gamblers], np.float64)
        return np.asarray(values[preset])

    people.rationality[:] = scenario.minds.rationality * of_preset("rationality")
    people.thrill[:] = scenario.minds.thrill + of_preset("thrill")
    for name in ("chasing", "superstition", "thirst", "cheating", "boldness"):
        getattr(people, name)[:] = of_preset(name)
