"""Closing: the houses' bills, and the coins counted where they are."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ..compiled import kernel, rule
from ..patrons.columns import HERE, NOBODY, Ints, People, Row
from ..patrons.decisions.general import can_pay_entry
from ..tables.accounts import DRINK, EXCISE, FEE, GOODS, RAKE, STAFF, UPKEEP
from ..tables.houses import Houses

HEALTHY, WOUNDED, HAND_HURT, LYING_LOW, BRUISED = range(5)
CONDITIONS = ("healthy", "wounded", "hand injured", "lying low", "bruised")
"""How somebody is, the worst last: bruised and lying low, he stays at home."""

EVENING = np.dtype(
    [
        ("row", np.int32),
        ("tavern", np.int16),  # index of the one he went to, NOBODY
        ("table", np.int32),  # the last he sat at, NOBODY
        ("drinks", np.int16),
        ("stayed", np.int8),  # 1: until closing time
        ("condition", np.int8),
        ("gold", np.int64),
        ("net", np.int64),  # cp won less lost at the tables tonight
    ]
)
"""Somebody's evening, as it closed."""


class Bills(NamedTuple):
    """Arrays of shape (n_taverns,): what a house owes a night beside its goods, in cp."""

    staff: Ints
    upkeep: Ints
    excise_bp: int  # of what was taken for drink


@rule
def take_in(tills: Ints, tavern: int, flows: Any) -> int:
    """Put what guests paid tonight into the till; what of it was for drink, in cp."""
    drinks = 0
    for trade in range(flows.shape[2]):
        drinks += flows[1 + tavern, DRINK, trade]
        tills[tavern] += flows[1 + tavern, FEE, trade]
    tills[tavern] += drinks + flows[1 + tavern, RAKE, 0]
    return drinks


@rule
def pay(tills: Ints, tavern: int, due: int, flow: int, flows: Any) -> int:
    """Pay a bill as far as the till goes; what is left unpaid, in cp."""
    paid = min(due, tills[tavern])
    tills[tavern] -= paid
    flows[1 + tavern, flow, 0] += paid
    return due - paid


@cache
def make_close_houses() -> Callable[..., None]:
    """The kernel that pays goods, then excise, staff and upkeep, as far as each till goes.

    A house that has closed down takes and owes nothing.
    """

    @kernel
    def close_houses(houses: Houses, bills: Bills, tills: Ints, unpaid: Ints, flows: Any) -> None:
        for i in range(len(tills)):
            unpaid[i] = 0
            if houses.is_open[i] == 0:
                continue
            drinks = take_in(tills, i, flows)
            left = pay(tills, i, drinks * houses.goods_bp[i] // 10_000, GOODS, flows)
            left += pay(tills, i, drinks * bills.excise_bp // 10_000, EXCISE, flows)
            left += pay(tills, i, bills.staff[i], STAFF, flows)
            left += pay(tills, i, bills.upkeep[i], UPKEEP, flows)
            unpaid[i] = left

    return close_houses


@rule
def condition_of(patron: Row, night: int) -> int:
    """How somebody is tomorrow: the worst of it, an index into `CONDITIONS`."""
    if patron.bruised_until > night:
        return BRUISED
    if patron.low_until > night:
        return LYING_LOW
    if patron.hurt_hand == 1:
        return HAND_HURT
    return WOUNDED if patron.wounds > 0 else HEALTHY


@rule
def note_evening(at: Any, patron: Row, row: int, night: int) -> None:
    """Write down where somebody was tonight, and how he left it."""
    is_out = patron.visited != NOBODY
    at["row"] = row
    at["tavern"] = patron.visited
    at["table"] = patron.table if is_out else NOBODY
    at["drinks"] = patron.drinks
    at["stayed"] = 1 if is_out and patron.tavern != NOBODY else 0
    at["condition"] = condition_of(patron, night)
    at["gold"] = patron.gold
    at["net"] = patron.games_net - patron.net_before if is_out else 0


@cache
def make_count_purses() -> Callable[..., tuple[int, int]]:
    """The kernel that counts the coins in all purses, by trade, as the night closes.

    It fills `evenings` (of EVENING) with a record for each of those who live
    here, and returns how many they are and how many of them cannot pay their way
    into their home tavern.
    """

    @kernel
    def count_purses(
        n: int, night: int, people: People, houses: Houses, by_trade: Ints, evenings: Any
    ) -> tuple[int, int]:
        by_trade[:] = 0
        n_living = 0
        n_broke = 0
        for row in range(n):
            patron = people[row]
            by_trade[patron.trade] += patron.gold
            if patron.whereabouts == HERE:
                note_evening(evenings[n_living], patron, row, night)
                n_living += 1
                home = patron.home
                if not can_pay_entry(patron.gold, houses.fee[home], houses.mug[home]):
                    n_broke += 1
        return n_living, n_broke

    return count_purses
