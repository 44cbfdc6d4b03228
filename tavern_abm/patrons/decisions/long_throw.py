"""What a patron decides at a long throw: whether to throw himself, and whom to back."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...compiled import rule
from ...games.contests import NO_BET
from ...games.long_throw import (
    PRECISION,
    Contest,
    Thrower,
    attack_modifier,
    check_modifier,
    doubles,
)
from ..columns import Floats, People, Sheet
from .general import logistic

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
    """Put up the stake and throw, or look on.

    With log-odds

        rationality (EV + thrill) - min(4, 10 stake / purse) / 2 - wounds / 4

    where ``EV = win_prob n_throwers - 1`` is the expected gain in stakes: the
    winner has everybody's. Never with a purse below the stake.

    Parameters
    ----------
    win_prob : float
        His own estimate that he wins, 0 to 1.
    n_throwers : int
        How many throw, himself among them.
    stake, purse : int
        In cp.
    wounds : int
        Points of damage that have not healed.
    rationality : float
        Precision of the choice, per stake.
    thrill : float
        Utility of throwing at all, in stakes.
    u : float
        A uniform number in [0, 1).

    Examples
    --------
    >>> enters_throw(0.5, 2, 10, 1000, 0, 4.0, 0.25, 0.7)
    True
    >>> enters_throw(0.1, 2, 10, 1000, 0, 4.0, 0.25, 0.7)
    False
    """
    if purse < stake:
        return False
    gain = win_prob * n_throwers - 1.0
    burden = 0.5 * min(4.0, 10.0 * stake / max(1, purse)) + 0.25 * wounds
    return u < logistic(rationality * (gain + thrill) - burden)


@rule
def backed_gain(win_prob: float, on_him: int, pool: int, stake: int, n_throwers: int) -> float:
    """Expected gain, in stakes, of backing a thrower in the book as it stands.

    The bettor reckons with one stake more, spread evenly over all throwers, as
    if somebody were still to come: the first bet in a book is worth as much as
    the odds say and not nothing.

        EV = win_prob (pool + 2 stake) / (on_him + stake + stake / n_throwers) - 1

    Examples
    --------
    >>> round(backed_gain(0.5, 0, 0, 10, 2), 4), backed_gain(0.5, 0, 40, 10, 2)
    (-0.3333, 1.0)
    """
    mine = on_him + stake + stake / n_throwers
    return win_prob * (pool + 2.0 * stake) / mine - 1.0


@rule
def backs_thrower(
    forms: Any, bets: Any, stake: int, rationality: float, thrill: float, u: float
) -> int:
    """Whom an onlooker backs with one stake: the thrower's index, or NO_BET.

    The chance that ``i`` wins is taken in proportion to ``exp(forms[i])``. Then
    each thrower is backed with a chance in proportion to
    ``exp(rationality (EV + thrill))``, with ``EV`` as in `backed_gain`, and
    nobody in proportion to the number of throwers: where a bet is worth nothing
    either way, one in two bets.

    Parameters
    ----------
    forms : array of float, shape (n_throwers,)
        How people rate them: `throwing_form`.
    bets : array of int, shape (n_throwers,)
        What has been laid on each so far, in cp.
    stake : int
        What he would lay, in cp, more than 0.
    rationality, thrill : float
        As in `enters_throw`.
    u : float
        A uniform number in [0, 1).

    Examples
    --------
    >>> [backs_thrower([1.0, 0.0], [0, 0], 10, 4.0, 0.25, u) for u in (0.2, 0.6, 0.9)]
    [0, -1, -1]
    """
    n = len(forms)
    pool = 0
    best = forms[0]
    for i in range(n):
        pool += bets[i]
        best = max(best, forms[i])
    whole = 0.0
    for i in range(n):
        whole += math.exp(forms[i] - best)
    total = float(n)
    for i in range(n):
        win_prob = math.exp(forms[i] - best) / whole
        gain = backed_gain(win_prob, bets[i], pool, stake, n)
        total += math.exp(min(MOST_PULL, rationality * (gain + thrill)))
    at = u * total
    for i in range(n):
        win_prob = math.exp(forms[i] - best) / whole
        gain = backed_gain(win_prob, bets[i], pool, stake, n)
        at -= math.exp(min(MOST_PULL, rationality * (gain + thrill)))
        if at < 0.0:
            return i
    return NO_BET


def talent(people: People, sheet: Sheet) -> Floats:
    """How good people are at it, in standard deviations: their Strength, shape (n,)."""
    return np.asarray((sheet.strength - 10.5) / 3.0, np.float64)


DECISIONS: dict[str, Callable[..., Any]] = {
    "enters_throw": enters_throw,
    "backs_thrower": backs_thrower,
}
