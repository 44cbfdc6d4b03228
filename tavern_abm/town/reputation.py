"""The name a house has in the town: what has happened there of late, guest for guest."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from ..patrons.columns import Floats
from ..tables.record import (
    N_BEATEN_UNJUST,
    N_BRAWLS,
    N_CONVICTED_JUST,
    N_CONVICTED_UNJUST,
    N_DICE_NOTICED,
    N_GUESTS,
    N_KILLED_UNJUST,
    N_NOTICED,
    N_TOO_LUCKY,
)

WEIGHTS = MappingProxyType(
    {
        N_NOTICED: -1.0,
        N_DICE_NOTICED: -1.0,
        N_CONVICTED_JUST: 1.0,
        N_BRAWLS: -3.0,
        N_CONVICTED_UNJUST: -3.0,
        N_BEATEN_UNJUST: -10.0,
        N_TOO_LUCKY: -10.0,
        N_KILLED_UNJUST: -30.0,
    }
)
"""What each of such things does to the name, in units of a trick that is noticed.

Whoever convicts as many cheats as are noticed makes up for the tricks.
"""
SCALE = 10.0
"""Utility of one such unit a guest: with one for every ten guests, night for night, it is -1."""
FADING = 0.9
"""What is left of a name after a night."""
FEW = 20
"""Fewer guests than these count as so many: what befalls three is no talk of the town."""
MOST = 3.0
"""No name is better than this, or worse than minus this."""


def renew_repute(repute: Floats, counts: Any) -> None:
    """Bring the names of the houses up to date with the night, in place.

    ``repute = 0.9 repute + 0.1 * 10 * (weighted sum of what happened) / guests``,
    kept between -3 and 3. A house that had no guests is slowly forgotten.

    Parameters
    ----------
    repute : ndarray of float, shape (n_taverns,)
        0 as any house of which nothing is heard, below 0 ill.
    counts : ndarray of int, shape (n_taverns, n_counts)
        What was counted tonight, by the columns `tables.record.COUNTS`.

    Examples
    --------
    Two brawls in a house of 60 guests, and then a quiet night.

    >>> from tavern_abm.tables.record import COUNTS
    >>> counts, repute = np.zeros((1, len(COUNTS)), int), np.zeros(1)
    >>> counts[0, [N_GUESTS, N_BRAWLS]] = 60, 2
    >>> renew_repute(repute, counts)
    >>> repute.round(3).tolist()
    [-0.1]
    >>> renew_repute(repute, 0 * counts)
    >>> repute.round(3).tolist()
    [-0.09]
    """
    happened = counts[:, list(WEIGHTS)] @ np.array(list(WEIGHTS.values()))
    told = SCALE * happened / np.maximum(counts[:, N_GUESTS], FEW)
    repute[:] = np.clip(FADING * repute + (1.0 - FADING) * told, -MOST, MOST)
