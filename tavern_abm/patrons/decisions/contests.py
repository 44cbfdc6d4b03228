"""What people decide about any contest in a yard: whether to enter, and whom to back."""

from __future__ import annotations

import math
from typing import Any

from ...compiled import rule
from ...games.contests import NO_BET
from .general import logistic


@rule
def enters_contest(
    win_prob: float,
    n_contestants: int,
    stake: int,
    purse: int,
    wounds: int,
    rationality: float,
    thrill: float,
    u: float,
) -> bool:
    """Put up the stake and contest, or look on.

    With log-odds

        rationality (EV + thrill) - min(4, 10 stake / purse) / 2 - wounds / 4

    where ``EV = win_prob n_contestants - 1`` is the expected gain in stakes: the
    winner has everybody's. Never with a purse below the stake.

    Parameters
    ----------
    win_prob : float
        His own estimate that he wins, 0 to 1.
    n_contestants : int
        How many contest, himself among them.
    stake, purse : int
        In cp.
    wounds : int
        Points of damage that have not healed.
    rationality : float
        Precision of the choice, per stake.
    thrill : float
        Utility of contesting at all, in stakes.
    u : float
        A uniform number in [0, 1).

    Examples
    --------
    >>> enters_contest(0.5, 2, 10, 1000, 0, 4.0, 0.25, 0.7)
    True
    >>> enters_contest(0.1, 2, 10, 1000, 0, 4.0, 0.25, 0.7)
    False
    """
    if purse < stake:
        return False
    gain = win_prob * n_contestants - 1.0
    burden = 0.5 * min(4.0, 10.0 * stake / max(1, purse)) + 0.25 * wounds
    return u < logistic(rationality * (gain + thrill) - burden)


@rule
def backed_gain(win_prob: float, on_him: int, pool: int, stake: int, n_contestants: int) -> float:
    """Expected gain, in stakes, of backing a contestant in the book as it stands.

    The bettor reckons with one stake more, spread evenly over all contestants,
    as if somebody were still to come: the first bet in a book is worth as much as
    the odds say and not nothing.

        EV = win_prob (pool + 2 stake) / (on_him + stake + stake / n_contestants) - 1

    Examples
    --------
    >>> round(backed_gain(0.5, 0, 0, 10, 2), 4), backed_gain(0.5, 0, 40, 10, 2)
    (-0.3333, 1.0)
    """
    mine = on_him + stake + stake / n_contestants
    return win_prob * (pool + 2.0 * stake) / mine - 1.0


@rule
def backs_contestant(
    forms: Any,
    bets: Any,
    stake: int,
    rationality: float,
    thrill: float,
    u: float,
    most_pull: float,
) -> int:
    """Whom an onlooker backs with one stake: the contestant's index, or NO_BET.

    The chance that ``i`` wins is taken in proportion to ``exp(forms[i])``. Then
    each contestant is backed with a chance in proportion to
    ``exp(rationality (EV + thrill))``, with ``EV`` as in `backed_gain`, and
    nobody in proportion to the number of contestants: where a bet is worth
    nothing either way, one in two bets.

    Parameters
    ----------
    forms : array of float, shape (n_contestants,)
        How people rate them, as log weights.
    bets : array of int, shape (n_contestants,)
        What has been laid on each so far, in cp.
    stake : int
        What he would lay, in cp, more than 0.
    rationality, thrill : float
        As in `enters_contest`.
    u : float
        A uniform number in [0, 1).
    most_pull : float
        The exponent is no larger than this, so that no power overflows.

    Examples
    --------
    >>> [backs_contestant([1.0, 0.0], [0, 0], 10, 4.0, 0.25, u, 700.0) for u in (0.2, 0.6, 0.9)]
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
        gain = backed_gain(math.exp(forms[i] - best) / whole, bets[i], pool, stake, n)
        total += math.exp(min(most_pull, rationality * (gain + thrill)))
    at = u * total
    for i in range(n):
        gain = backed_gain(math.exp(forms[i] - best) / whole, bets[i], pool, stake, n)
        at -= math.exp(min(most_pull, rationality * (gain + thrill)))
        if at < 0.0:
            return i
    return NO_BET
