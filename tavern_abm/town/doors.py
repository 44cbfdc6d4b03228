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
    room = np.asarray(capacity)
    tavern = people["tavern"][guests]
    wanted = np.bincount(tavern, minlength=len(room))
    is_full = (room != NO_LIMIT) & (wanted > room)
    if not is_full.any():
        return guests
    at_full = np.flatnonzero(is_full[tavern])
    luck = chance.draws(people["luck"][guests[at_full]], chance.SEATING, 0)
    at_full = at_full[np.lexsort((luck, tavern[at_full]))]
    house = tavern[at_full]
    place = np.arange(len(house)) - np.searchsorted(house, house)
    away = guests[at_full[place >= room[house]]]
    people["tavern"][away] = NOBODY
    return guests[people["tavern"][guests] != NOBODY]
