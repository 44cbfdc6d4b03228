"""A control for studies: newcomers of the kind of those who went, so that cheats stay as many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .. import chance
from .columns import TRAITS, Ints, People, Sheet
from .decisions.learning import set_out
from .traits import CHOOSE_KIND, TRAINED, draw_dice, intercept, kind_prob, normal, tempers

if TYPE_CHECKING:
    from ..scenario.schema import Scenario

OTHER_DRAWS = 512
"""How often somebody's honesty is drawn anew at the most."""


def kinds_to_come(people: People, living: Ints, places: int, cheats: int) -> Ints:
    """Of which kinds newcomers are to be, one for each vacant place.

    Parameters
    ----------
    living : ndarray of int
        Rows of those who live here.
    places : int
        How many live here when all places are filled.
    cheats : int
        How many of these are to be of the cheating kind.

    Returns
    -------
    ndarray of int, shape (places - len(living),)
        1 for one of the cheating kind, 0 for an honest man.
    """
    n_vacant = places - len(living)
    lacking = cheats - int(people.is_cheat[living].sum())
    kinds = np.zeros(n_vacant, np.int64)
    kinds[: max(0, lacking)] = 1
    return kinds


def recast(
    people: People, sheet: Sheet, rows: Ints, kinds: Ints, run_key: int, scenario: Scenario
) -> None:
    """Make newcomers of the kinds they are to be, in place, before anybody sees them.

    Whoever is of the other kind is given the honesty, and what follows from it,
    of the first of his further draws that comes with the right one: so honesty
    keeps the law it has among people of that kind. All else he is stays.

    Parameters
    ----------
    rows : ndarray of int
        Newcomers.
    kinds : ndarray of int
        For each, 1 to be of the cheating kind, 0 to be honest.
    """
    for row, kind in zip(rows.tolist(), kinds.tolist(), strict=True):
        if people.is_cheat[row] != kind:
            _make(people, sheet, row, kind, run_key, scenario)


def _make(
    people: People, sheet: Sheet, row: int, kind: int, run_key: int, scenario: Scenario
) -> None:
    key, here = chance.subkey(run_key, chance.PERSON, row + 1), slice(row, row + 1)
    sheet.honesty[row] = _honesty(key, kind, row + 1 > scenario.patrons, scenario)
    sheet.temper[here] = tempers(sheet[here])  # type: ignore[index,arg-type]
    people.is_cheat[row] = kind
    people.thievery[row] += TRAINED if kind else -TRAINED
    one: People = people[here]  # type: ignore[index,assignment]
    draw_dice(np.array([key]), one, [], scenario)
    set_out(one, scenario.minds)


def _honesty(key: int, kind: int, is_new: bool, scenario: Scenario) -> float:
    """Drawn anew until it comes with this kind; the first of these draws where none does."""
    keys = chance.subkeys(key, chance.PERSON, np.arange(OTHER_DRAWS))
    honesty = normal(keys, TRAITS.index("honesty"))
    population = scenario.population
    prob = kind_prob(honesty, intercept(population, is_new), population)
    fits = (chance.units(keys, chance.CHOICE, CHOOSE_KIND) < prob) == kind
    return float(honesty[np.argmax(fits)])
