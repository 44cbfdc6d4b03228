"""Where people sit: in words, dealt out to the guests of each house."""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from ..data_tables import Entry, merged, read_source
from ..run_folder import RunFolder
from ..shipped import shipped
from .identity import luck_of, salt_of

SET_APART = 1_000_000
"""Numbers of tables that are kept for a room which opens as many as it needs."""
AT_A_GAME = 2
"""One in so many of those who sat down to a game is still found there."""


class Seat(Entry):
    """A place to sit; ``name`` is what people call it.

    Attributes
    ----------
    at : tuple of str
        Games at whose tables it is; none: anybody's.
    """

    at: Annotated[tuple[str, ...], Field(strict=False)] = ()


def load_seats() -> list[Seat]:
    """The shipped seats, in the order of their file.

    Examples
    --------
    >>> len([seat for seat in load_seats() if not seat.at]) >= 40
    True
    """
    return _built(read_source(shipped("data") / "cards" / "seats.toml"))


@functools.lru_cache(maxsize=4)
def _built(source: Any) -> list[Seat]:
    return list(merged([source], "seat", Seat).values())


def deal_seats(
    run: RunFolder,
    night: int,
    scenario: Mapping[str, Any],
    where: Mapping[int, tuple[int, int]],
) -> dict[int, str]:
    """Give a seat to everybody who is out.

    Parameters
    ----------
    run : RunFolder
        The run.
    night : int
        From 1.
    scenario : mapping
        As it was played: what is played at which table.
    where : mapping of int to (int, int)
        tavern_id and table_id by patron_id; 0 and 0 for whoever is not out.

    Returns
    -------
    dict of int to str
        "the settle by the fire", by patron_id. No two of a house sit in one place
        before all its places are taken; those at one game may.
    """
    key = (salt_of(run), night)
    games = Games(scenario)
    houses: defaultdict[int, list[int]] = defaultdict(list)
    for each, (tavern, _) in where.items():
        if tavern:
            houses[tavern].append(each)
    seats: dict[int, str] = {}
    for guests in houses.values():
        seats |= _dealt(guests, [games.at(*where[each]) for each in guests], key)
    return seats


def _dealt(guests: Sequence[int], games: Sequence[str], key: tuple[object, ...]) -> dict[int, str]:
    """The seats of one house."""
    every = load_seats()
    anybody = [seat.name for seat in every if not seat.at]
    taken: Counter[str] = Counter()
    seats = {}
    for each, game in zip(guests, games, strict=True):
        luck = luck_of("seat", *key, each)
        theirs = [seat.name for seat in every if game and game in seat.at]
        if theirs and luck % AT_A_GAME == 0:
            seats[each] = theirs[luck // AT_A_GAME % len(theirs)]
            continue
        first = luck % len(anybody)
        free = min(
            range(len(anybody)), key=lambda k: (taken[anybody[k]], (k - first) % len(anybody))
        )
        seats[each] = anybody[free]
        taken[seats[each]] += 1
    return seats


class Games:
    """What is played at each table of a house, by its number."""

    def __init__(self, scenario: Mapping[str, Any]) -> None:
        self.begins = [_begins(tavern) for tavern in scenario["taverns"]]

    def at(self, tavern: int, table: int) -> str:
        """The game of a table; empty at none."""
        if not table or tavern > len(self.begins):
            return ""
        below = [
            (first, number, game)  # a room without tables begins where the next one does
            for number, (first, game) in enumerate(self.begins[tavern - 1])
            if first < table
        ]
        return max(below)[-1] if below else ""


def _begins(tavern: Mapping[str, Any]) -> list[tuple[int, str]]:
    """Number of the table before the first of each room or event, and what is played there."""
    rooms, yard = tavern.get("tables", []), tavern.get("yard", [])
    begins: list[tuple[int, str]] = []
    first = 0
    for at, room in enumerate(rooms):
        game, count = str(room["game"]), room.get("count", "auto")
        begins.append((first, game))
        begins.append((SET_APART * (len(rooms) + 1 + at), game))
        first += SET_APART if count == "auto" else int(count)
    begins += [(SET_APART * len(rooms) + at, str(event["game"])) for at, event in enumerate(yard)]
    return begins
