"""What people would like to play, where a house has more than one room."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from .. import chance
from ..chance import unit
from ..compiled import kernel
from ..patrons.columns import NOBODY, Floats, Ints, People
from ..patrons.decisions import shipped_decisions
from .seating import Crowd, Sitting

MOST_APPEAL = 300.0


class Menu(NamedTuple):
    """The rooms of each tavern, those of a tavern together."""

    starts: Ints  # (n_taverns + 1,): where each tavern's rooms begin and the last one's end
    room: Ints  # (n_rooms,), as are the rest: its number in the town
    game: Ints  # column of the inclinations
    stake: Ints  # cp; 0: the table agrees on it


@cache
def make_pick_rooms(game_appeal: Callable[..., float]) -> Callable[..., None]:
    """The kernel in which every guest picks the room he would play in, with this decision.

    `appeals` is room for a number for each room of a tavern. Who can afford
    none of the stakes picks nothing.
    """

    @kernel(defaults=shipped_decisions())
    def pick_rooms(
        when: Sitting,
        menu: Menu,
        crowd: Crowd,
        people: People,
        inclinations: Floats,
        appeals: Any,
    ) -> None:
        for i in range(len(crowd.rows)):
            row = crowd.rows[i]
            patron = people[row]
            if patron.tavern == NOBODY:
                continue
            first = menu.starts[patron.tavern]
            last = menu.starts[patron.tavern + 1]
            total = 0.0
            for at in range(first, last):
                stake = menu.stake[at]
                weight = 0.0
                if patron.gold >= max(1, stake):
                    appeal = game_appeal(patron, inclinations[row, menu.game[at]], stake)
                    weight = math.exp(max(-MOST_APPEAL, min(MOST_APPEAL, appeal)))
                appeals[at - first] = weight
                total += weight
            patron.wish = NOBODY
            left = unit(patron.luck, chance.PICK_GAME, when.sitting) * total
            for at in range(first, last):
                left -= appeals[at - first]
                if left < 0.0 and appeals[at - first] > 0.0:
                    patron.wish = menu.room[at]
                    break

    return pick_rooms
