"""Trade, rank and ancestry: drawn by the weights of the district somebody lives in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import chance
from ..data_tables import RANKS
from .columns import Ints
from .homes import districts_of

if TYPE_CHECKING:
    from ..data_tables import DataTables
    from ..scenario.schema import Scenario

CHOOSE_ANCESTRY, CHOOSE_TRADE = range(2)
"""Indices of draws of purpose CHOICE; those from 2 on are of `traits`."""


def trades_of(
    ids: Ints, quarters: Ints, run_key: int, scenario: Scenario, data: DataTables
) -> Ints:
    """What people with these ids do for a living: by the weights of their district, or pinned."""
    weights = weights_by_district(list(data.trades.values()), "trades", scenario)
    keys = chance.subkeys(run_key, chance.PERSON, ids)
    trades = choose_by(quarters, keys, CHOOSE_TRADE, weights)
    names = list(data.trades)
    for number, person in enumerate(scenario.people, start=1):
        if person.trade is not None:
            trades[ids == number] = names.index(person.trade)
    return trades


def ranks_of(data: DataTables) -> Ints:
    """The rank of each trade, an index into `RANKS`."""
    return np.array([RANKS.index(each.rank) for each in data.trades.values()], np.int64)


def weights_by_district(kinds: Sequence[Any], what: str, scenario: Scenario) -> list[list[float]]:
    """Weights of the kinds (``what``: ancestries or trades) in each district."""
    town = getattr(scenario.population, what)
    own = {district.name: getattr(district, what) for district in scenario.districts}
    return [_weights(kinds, own.get(name) or town) for name in districts_of(scenario)]


def _weights(kinds: Sequence[Any], chosen: Mapping[str, float]) -> list[float]:
    """Weights of the kinds by the scenario, or those of the data tables."""
    return [chosen.get(each.name, 0.0) if chosen else each.weight for each in kinds]


def choose_by(quarters: Ints, keys: Ints, index: int, weights: Sequence[Sequence[float]]) -> Ints:
    """One of the kinds for each, by the weights of the district he lives in (a row each)."""
    chosen = np.zeros(len(keys), np.int64)
    for quarter in np.unique(quarters).tolist():
        here = quarters == quarter
        chosen[here] = _choose(keys[here], index, weights[quarter])
    return chosen


def _choose(keys: Ints, index: int, weights: Sequence[float]) -> Ints:
    total = np.cumsum(np.asarray(weights, np.float64))
    luck = chance.units(keys, chance.CHOICE, index) * total[-1]
    return np.searchsorted(total, luck, side="right").clip(max=len(total) - 1)
