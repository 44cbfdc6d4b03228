"""What a patron decides at a long throw: whether to throw himself, and whom to back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...compiled import rule
from ...games.long_throw import (
    PRECISION,
    Contest,
    Thrower,
    attack_modifier,
    check_modifier,
    doubles,
)
from ..columns import Floats, People, Sheet
from .contests import backs_contestant, enters_contest

MOST_PULL = 700.0
MEAN_D20 = 10.5
POINTS_OF_A_CHECK = 5.0
POINTS_OF_A_DOUBLED_CHECK = 8.0
POINTS_OF_AN_ATTACK = 4.0


@rule
def throwing_form(thrower: Thrower, contest: Contest) -> float:
    """How people rate a thrower, on the log-odds scale: 0 for one without any modifier.

    For a check, what his result is above 10.5 on average, divided by 5, or by 8
    where Far Shot doubles it and its spread; at a target, his modifier at the
    first distance, divided by 4.

    Examples
    --------
    >>> log = Contest(0, 150, 2)
    >>> throwing_form(Thrower(18), log), throwing_form(Thrower(14), log)
    (0.2, -0.8)
    """
    if contest.style == PRECISION:
        return attack_modifier(thrower, contest, 1) / POINTS_OF_AN_ATTACK
    modifier = check_modifier(thrower, contest)
    if doubles(thrower, contest):
        return (MEAN_D20 + 2.0 * modifier) / POINTS_OF_A_DOUBLED_CHECK
    return modifier / POINTS_OF_A_CHECK


@rule
def enters_throw(
    win_prob: float,
    n_throwers: int,
    stake: int,
    purse: int,
    wounds: int,
    rationality: float,
    thrill: float,
    u: float,
) -> bool:
    """Put up the stake and throw, or look on: see `contests.enters_contest`."""
    return enters_contest(win_prob, n_throwers, stake, purse, wounds, rationality, thrill, u)


@rule
def backs_thrower(
    forms: Any, bets: Any, stake: int, rationality: float, thrill: float, u: float
) -> int:
    """Whom an onlooker backs with one stake, an index or NO_BET: see `contests.backs_contestant`.

    People rate a thrower as `throwing_form` says.
    """
    return backs_contestant(forms, bets, stake, rationality, thrill, u, MOST_PULL)


def talent(people: People, sheet: Sheet) -> Floats:
    """How good people are at it, in standard deviations: their Strength, shape (n,)."""
    return np.asarray((sheet.strength - 10.5) / 3.0, np.float64)


DECISIONS: dict[str, Callable[..., Any]] = {
    "enters_throw": enters_throw,
    "backs_thrower": backs_thrower,
}
