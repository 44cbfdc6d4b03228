"""Money that changes hands at a table or in a yard: into purses, into the books, and counted."""

from __future__ import annotations

from typing import Any

from ..compiled import rule
from .accounts import PAYOUT, RAKE, STAKE
from .record import N_CHANGED, N_RAKE, N_STAKED
from .seats import World


@rule
def book(
    world: World, tavern: int, row: int, staked: int, net: int, counts: Any, flows: Any
) -> None:
    """Book somebody's stake or bet, and what he has won with it less what he has lost."""
    patron = world.people[row]
    flows[1 + tavern, STAKE, patron.trade] += staked
    flows[1 + tavern, PAYOUT, patron.trade] += staked + net
    patron.gold += net
    patron.games_net += net
    counts[tavern, N_STAKED] += staked


@rule
def book_house(tavern: int, pool: int, taken: int, counts: Any, flows: Any) -> None:
    """Book the pool that changed hands, and what the house has taken of it."""
    flows[1 + tavern, RAKE, 0] += taken
    counts[tavern, N_RAKE] += taken
    counts[tavern, N_CHANGED] += pool
