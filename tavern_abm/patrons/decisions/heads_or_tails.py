"""What people decide at heads or tails: what to call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...compiled import rule
from ...games.heads_or_tails import HEADS, TAILS, tosser_side

AGAINST_THE_CROWD = 0.75


@rule
def calls_coin(n_heads: int, n_tails: int, u: float) -> int:
    """HEADS or TAILS: mostly the face that fewer have called, where the share is larger.

    Parameters
    ----------
    n_heads, n_tails : int
        Calls so far.
    u : float
        A uniform number in [0, 1).
    """
    if n_heads == n_tails:
        return HEADS if u < 0.5 else TAILS
    rarer = tosser_side(n_heads, n_tails)
    return rarer if u < AGAINST_THE_CROWD else HEADS + TAILS - rarer


DECISIONS: dict[str, Callable[..., Any]] = {"calls_coin": calls_coin}
