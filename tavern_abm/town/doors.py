"""The door: who is let in when the house is full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import chance
from ..patrons.columns import NOBODY, Ints
from ..tables.seating import NO_LIMIT


def admit(guests: Ints, people: Any, capacity: Sequence[int]) -> Ints:
    """Turn guests away where a house is full; who has the better luck comes first.

    Parameters
    ----------
    guests : ndarray of int
        Rows of those who want in, in order; their `tavern` says where.
    people : structured array
        The columns.
    capacity : sequence of int
        By tavern; NO_LIMIT for room for everybody.

    Returns
    -------
    ndarray of int
        Those admitted, in order. The others are at home again.
    """
    if all(room == NO_LIMIT or room >= len(guests) for room in capacity):
        return guests
    tavern = people["tavern"][guests]
    for i, room in enumerate(capacity):
        here = guests[tavern == i]
        if NO_LIMIT < room < len(here):
            luck = chance.draws(people["luck"][here], chance.SEATING, 0)
            away = here[np.argsort(luck, kind="stable")[room:]]
            people["tavern"][away] = NOBODY
    return guests[people["tavern"][guests] != NOBODY]
