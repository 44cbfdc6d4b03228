"""What becomes of houses: one that cannot pay closes, one that thrives grows.

At the end of each night, after the bills:

1. A house that has left bills unpaid so many nights in a row closes for good.
2. Every so many nights the houses look at their books. One whose till holds so
   many nights of its costs, more than on the first morning, and no less than at
   the last look, adds a table to the room that was most often crowded since. Where
   no room was, or the money is short, it raises the stakes of its tables by a step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..coins import show
from ..compiled import rule
from ..patrons.columns import Floats, Ints
from ..tables.accounts import EXCISE, GOODS, INVESTED, WOUND_UP
from ..tables.happenings import Event, nights_of, plain_event
from ..tables.houses import Houses
from ..tables.picking import Menu
from ..tables.seating import NO_LIMIT, Rooms
from .closing import Bills

if TYPE_CHECKING:
    from ..scenario.schema import Fortunes as Rules

KINDS = {
    "closed": "a house that could not pay its bills closed for good; amount_cp is what its till "
    "still held",
    "table_added": "a house that thrives paid amount_cp for one more table (table_id)",
    "stakes_raised": "a house that thrives raised the stakes of its tables; amount_cp is the "
    "highest new one, 0 where all tables agree on their stakes",
}
"""Kinds of event; tavern_id is the house."""
USUAL = 100
LIFT_STEP = 50
MOST_TIMES = 5
"""Stakes rise to so many times what they were at first, and no further."""
LADDER = (1, 2, 5)
USUAL_SHARE = 2
"""Per cent of the median purse at a table that its stake comes to at the most, as a rule."""

OF_HOUSES = ("is_open", "repute", "lift")
OF_ROOMS = ("n_tables", "stake", "crowded")
"""What changes of a house, and of a room, in the course of a run."""

type Floor = Mapping[tuple[str, int], Rooms]
"""The rooms of the town, by game and seats a table."""


class Books(NamedTuple):
    """What a night left of each house: arrays of shape (n_taverns,), but for the flows."""

    houses: Houses
    bills: Bills
    tills: Ints
    unpaid: Ints  # cp
    flows: Any


class Turn(NamedTuple):
    """A turn in the fortunes of a house."""

    kind: str  # as `KINDS` names them
    tavern: int  # index
    amount_cp: int = 0
    nights: int = 0  # with bills unpaid, or crowded
    table: int = -1  # number of a table added
    game: str = ""  # that is played there
    stakes: tuple[tuple[str, int], ...] = ()  # of games whose stake is fixed, as raised
    lift: int = 0  # of tables that agree on their stakes, as raised; 0: they were not


@rule
def next_stake(stake: int, most: int) -> int:
    """The next round sum above a stake (1, 2, 5, 10, 20 ...), or the stake if that is too much.

    Examples
    --------
    >>> [next_stake(stake, 500) for stake in (1, 2, 7, 50, 100, 500)]
    [2, 5, 10, 100, 200, 500]
    """
    power = 1
    while True:
        for step in LADDER:
            if step * power > stake:
                return step * power if step * power <= most else stake
        power *= 10


def nightly_costs(bills: Bills, spent: Ints, n_nights: int) -> Floats:
    """What each house costs a night: staff, upkeep, and the mean of what was `spent` besides."""
    return bills.staff + bills.upkeep + spent / max(1, n_nights)


class Fortunes:
    """How the houses of a town fare.

    Parameters
    ----------
    rules : Fortunes of the scenario
        When houses close and grow.
    tills : ndarray of int, shape (n_taverns,)
        Coins in tills at the start.
    menu : Menu
        The rooms of each tavern and their stakes at first.

    Attributes
    ----------
    failing : ndarray of int, shape (n_taverns,)
        Nights in a row with bills unpaid.
    first_tills : ndarray of int, shape (n_taverns,)
        Coins in tills at the start: what a house has made is counted from there.
    """

    def __init__(self, rules: Rules, tills: Ints, menu: Menu) -> None:
        self.rules = rules
        self.failing: Ints = np.zeros(len(tills), np.int64)
        self._spent: Ints = np.zeros(len(tills), np.int64)  # since the last look at the books
        self.first_tills: Ints = tills.copy()
        self._tills_then: Ints = tills.copy()
        self._n_nights = 0
        self._first_stakes: Ints = menu.stake.copy()

    def turn(self, night: int, books: Books, floor: Floor, menu: Menu) -> list[Turn]:
        """What becomes of the houses tonight; their columns, tills and flows are changed by it."""
        turns: list[Turn] = []
        self.failing = np.where(books.unpaid > 0, self.failing + 1, 0)
        if self.rules.closing:
            due = books.houses.is_open * (self.failing >= self.rules.close_after)
            turns += [self._close(i, books) for i in np.flatnonzero(due).tolist()]
        if self.rules.growth:
            turns += self._grow(night, books, floor, menu)
        return turns

    def state(self, houses: Houses, floor: Floor) -> dict[str, Any]:
        """How the houses stand, as plain arrays: all of it that does not follow from a scenario.

        Rooms are in the order of their numbers in the town.
        """

        def of_rooms(name: str) -> Ints:
            columns = [getattr(rooms, name) for rooms in floor.values()]
            return np.concatenate([np.zeros(0, np.int64), *columns])

        order = np.argsort(of_rooms("number"))
        return {
            **{f"houses.{name}": getattr(houses, name) for name in OF_HOUSES},
            "houses.failing": self.failing,
            "houses.spent": self._spent,
            "houses.tills_then": self._tills_then,
            **{f"rooms.{name}": of_rooms(name)[order] for name in OF_ROOMS},
        }

    def carry_over(
        self, night: int, state: Mapping[str, Any], houses: Houses, floor: Floor, menu: Menu
    ) -> None:
        """Let the houses stand as a `state` has them that was taken as this night closed."""
        for name in OF_HOUSES:
            getattr(houses, name)[:] = state[f"houses.{name}"]
        self.failing[:] = state["houses.failing"]
        self._spent[:] = state["houses.spent"]
        self._tills_then[:] = state["houses.tills_then"]
        self._n_nights = night % self.rules.every if self.rules.growth else 0
        for rooms in floor.values():
            for name in OF_ROOMS:
                getattr(rooms, name)[:] = state[f"rooms.{name}"][rooms.number]
        menu.stake[:] = state["rooms.stake"][menu.room]

    def _close(self, tavern: int, books: Books) -> Turn:
        left = int(books.tills[tavern])
        books.tills[tavern] = 0
        books.flows[1 + tavern, WOUND_UP, 0] += left
        books.houses.is_open[tavern] = 0
        return Turn("closed", tavern, left, int(self.failing[tavern]))

    def _grow(self, night: int, books: Books, floor: Floor, menu: Menu) -> Iterator[Turn]:
        """Look at the books, if it is time to."""
        self._n_nights += 1
        self._spent += books.flows[1:, GOODS, 0] + books.flows[1:, EXCISE, 0]
        if night % self.rules.every:
            return
        costs = nightly_costs(books.bills, self._spent, self._n_nights)
        thrives = (books.houses.is_open == 1) & (books.tills > self.first_tills)
        thrives &= books.tills >= self._tills_then
        thrives &= books.tills >= self.rules.thrives_at * costs
        for tavern in np.flatnonzero(thrives).tolist():
            turn = self._add_table(tavern, books, floor)
            turn = turn or self._raise_stakes(tavern, books.houses, floor, menu)
            if turn:
                yield turn
        self._n_nights = 0
        self._spent[:] = 0
        self._tills_then[:] = books.tills
        for rooms in floor.values():
            rooms.crowded[:] = 0

    def _add_table(self, tavern: int, books: Books, floor: Floor) -> Turn | None:
        """One more table in the room that was most often crowded, on half of the nights or more."""
        cost = self.rules.table_cp
        found = [
            (int(rooms.crowded[at]), -int(rooms.number[at]), rooms, at, game)
            for (game, _), rooms in floor.items()
            for at in np.flatnonzero(rooms.tavern == tavern).tolist()
            if 2 * rooms.crowded[at] >= self._n_nights and rooms.n_tables[at] not in (0, NO_LIMIT)
        ]
        if not found or books.tills[tavern] < cost:
            return None
        nights, _, rooms, at, game = max(found, key=lambda each: each[:2])
        books.tills[tavern] -= cost
        books.flows[1 + tavern, INVESTED, 0] += cost
        number = int(rooms.first_added[at] + rooms.n_tables[at] - rooms.n_planned[at])
        rooms.n_tables[at] += 1
        return Turn("table_added", tavern, cost, nights, number, game)

    def _raise_stakes(self, tavern: int, houses: Houses, floor: Floor, menu: Menu) -> Turn | None:
        """All its tables play for a step more, but for those that play for the most already."""
        raised: list[tuple[str, int]] = []
        is_any_agreed = False
        for at in range(menu.starts[tavern], menu.starts[tavern + 1]):
            stake = int(menu.stake[at])
            is_any_agreed |= stake == 0
            higher = next_stake(stake, MOST_TIMES * int(self._first_stakes[at])) if stake else 0
            if higher > stake:
                menu.stake[at] = higher
                raised.append((set_stake(floor, int(menu.room[at]), higher), higher))
        lift = 0
        if is_any_agreed and houses.lift[tavern] < MOST_TIMES * USUAL:
            lift = houses.lift[tavern] = int(houses.lift[tavern]) + LIFT_STEP
        if not raised and not lift:
            return None
        highest = max((stake for _, stake in raised), default=0)
        return Turn("stakes_raised", tavern, highest, stakes=tuple(raised), lift=lift)


def set_stake(floor: Floor, number: int, stake: int) -> str:
    """Fix the stake of a room, by its number in the town; the game that is played there."""
    for (game, _), rooms in floor.items():
        for at in np.flatnonzero(rooms.number == number).tolist():
            rooms.stake[at] = stake
            return game
    raise KeyError(number)


# ---------------------------------------------------------------- told


def turn_events(night: int, turns: Iterable[Turn], houses: list[str]) -> Iterator[Event]:
    """Tell the turns of a night, an event each; `houses` are the signs of the taverns."""
    for turn in turns:
        tell = {"closed": _closed, "table_added": _table_added, "stakes_raised": _stakes_raised}
        text = tell[turn.kind](houses[turn.tavern], turn)
        event = plain_event(night, turn.kind, text, tavern=turn.tavern, amount=turn.amount_cp)
        yield event._replace(table_id=turn.table + 1)


def _closed(house: str, turn: Turn) -> str:
    nights = "tonight" if turn.nights == 1 else f"for {nights_of(turn.nights)} running"
    left = f"; the last {show(turn.amount_cp)} in its till went to whom it owed"
    return (
        f"{house} could not pay its bills {nights} and closed its doors for good"
        f"{left if turn.amount_cp else ''}."
    )


def _table_added(house: str, turn: Turn) -> str:
    cost = f" for {show(turn.amount_cp)}" if turn.amount_cp else ""
    return (
        f"{house} had no seat left at {_plain(turn.game)} on {nights_of(turn.nights)} and put up "
        f"one more table{cost}."
    )


def _stakes_raised(house: str, turn: Turn) -> str:
    stakes = [f"{_plain(game)} for {show(stake)}" for game, stake in turn.stakes]
    if turn.lift:
        share = USUAL_SHARE * turn.lift / USUAL
        stakes.append(f"up to {share:g} % of the middle purse where the table agrees on its stake")
    return f"{house} does well and raised its stakes: {', '.join(stakes)}."


def _plain(game: str) -> str:
    return game.replace("-", " ")
