"""Closing: the houses' bills, and the coins counted where they are."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from ..compiled import kernel
from ..patrons.columns import HERE, Ints, People
from ..patrons.decisions.general import can_pay_entry
from ..tables.accounts import DRINK, FEE, GOODS, RAKE, STAFF, UPKEEP
from ..tables.houses import Houses


class Bills(NamedTuple):
    """Arrays of shape (n_taverns,): what a house owes a night beside its goods, in cp."""

    staff: Ints
    upkeep: Ints


@cache
def make_close_houses() -> Callable[..., None]:
    """The kernel that pays goods, then staff, then upkeep, as far as each till goes."""

    @kernel
    def close_houses(houses: Houses, bills: Bills, tills: Ints, unpaid: Ints, flows: Any) -> None:
        for i in range(len(tills)):
            drinks = 0
            for trade in range(flows.shape[2]):
                drinks += flows[1 + i, DRINK, trade]
                tills[i] += flows[1 + i, FEE, trade]
            tills[i] += drinks + flows[1 + i, RAKE, 0]
            unpaid[i] = 0
            due = drinks * houses.goods_bp[i] // 10_000
            for flow in (GOODS, STAFF, UPKEEP):
                if flow == STAFF:
                    due = bills.staff[i]
                elif flow == UPKEEP:
                    due = bills.upkeep[i]
                paid = min(due, tills[i])
                tills[i] -= paid
                flows[1 + i, flow, 0] += paid
                unpaid[i] += due - paid

    return close_houses


@cache
def make_count_purses() -> Callable[..., tuple[int, int]]:
    """The kernel that counts the coins in all purses, by trade.

    It fills `living` with the rows of those who live here, and returns how many
    they are and how many of them cannot pay their way into their home tavern.
    """

    @kernel
    def count_purses(
        n: int, people: People, houses: Houses, by_trade: Ints, living: Ints
    ) -> tuple[int, int]:
        by_trade[:] = 0
        n_living = 0
        n_broke = 0
        for row in range(n):
            patron = people[row]
            by_trade[patron.trade] += patron.gold
            if patron.whereabouts == HERE:
                living[n_living] = row
                n_living += 1
                home = patron.home
                if not can_pay_entry(patron.gold, houses.fee[home], houses.mug[home]):
                    n_broke += 1
        return n_living, n_broke

    return count_purses
