"""How unequal money is: coins shared out at random, laws of sums, and ranks that move."""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import NormalDist

N_STEPS = 4000
WIDEST = 12.0
_NORMAL = NormalDist()


def harmonic(n: int) -> float:
    """``1 + 1/2 + ... + 1/n``.

    Examples
    --------
    >>> harmonic(3) == 1 + 1 / 2 + 1 / 3
    True
    """
    return math.fsum(1 / k for k in range(1, n + 1))


def gini_shared_out(n_people: int) -> Fraction:
    """Mean Gini coefficient where every way to share out the money is as likely.

    Among ever more people it goes to the 1/2 of an exponential law.

    Examples
    --------
    >>> str(gini_shared_out(100))
    '99/200'
    """
    return Fraction(n_people - 1, 2 * n_people)


def theil_shared_out(n_people: int) -> float:
    """Mean Theil index where every way to share out the money is as likely.

    It goes to the 1 less Euler's constant of an exponential law.

    Examples
    --------
    >>> round(theil_shared_out(100), 4), round(theil_shared_out(10**6), 4)
    (0.4178, 0.4228)
    """
    return 1 - harmonic(n_people) + math.log(n_people)


def top_shared_out(n_people: int, n_top: int) -> float:
    """Mean share of the richest where every way to share out the money is as likely.

    The richest but k - 1 has ``(1/k + ... + 1/n) / n`` of it, on average.

    Examples
    --------
    >>> round(top_shared_out(2, 1), 4), round(top_shared_out(10_000, 1000), 3)
    (0.75, 0.33)
    """
    return n_top / n_people * (1 + harmonic(n_people) - harmonic(n_top))


def gini_of_coins(n_people: int, n_coins: int) -> Fraction:
    """Mean Gini coefficient where every way to share out so many coins is as likely.

    Among many people with m each it goes to (1 + m) / (1 + 2m), that of a geometric law.

    Notes
    -----
    ``|x - y| = x + y - 2 min(x, y)``, and the mean of the smaller sum is that of how
    often both have t coins: put t aside from both, and the ways to share out the rest
    are as many as there are with 2t coins fewer.

    Examples
    --------
    Two coins between two: 2-0, 1-1 and 0-2.

    >>> str(gini_of_coins(2, 2)), round(float(gini_of_coins(2000, 2000)), 3)
    ('1/3', 0.666)
    """
    smaller = Fraction(0)
    both = Fraction(1)  # the chance that two have at least t coins each
    for coins in range(n_coins, 1, -2):
        for left in (coins, coins - 1):
            both *= Fraction(left, left + n_people - 1)
        smaller += both
    return Fraction(n_people - 1, n_people) * (1 - smaller * n_people / n_coins)


def without_coins(n_people: int, n_coins: int) -> Fraction:
    """Chance to have none where every way to share out so many coins is as likely.

    Examples
    --------
    >>> str(without_coins(2, 2))
    '1/3'
    """
    return Fraction(n_people - 1, n_people - 1 + n_coins)


def top_of_exponential(share: float) -> float:
    """What the richest have where sums follow an exponential law.

    Examples
    --------
    >>> [round(top_of_exponential(share), 3) for share in (0.01, 0.10, 0.20)]
    [0.056, 0.33, 0.522]
    """
    return share * (1 - math.log(share))


def theil_of_exponential() -> float:
    """Theil index of an exponential law: the mean of x ln x, by Simpson's rule.

    It is 1 less Euler's constant.

    Examples
    --------
    >>> round(theil_of_exponential(), 6)
    0.422784
    """
    # In y = ln x, so that the logarithm at 0 does no harm.
    step = 2 * WIDEST / N_STEPS
    total = 0.0
    for i in range(N_STEPS + 1):
        y = -WIDEST + i * step
        weight = 1 if i in (0, N_STEPS) else 4 if i % 2 else 2
        total += weight * y * math.exp(2 * y - math.exp(y))
    return total * step / 3


def theil_of_lognormal(sigma: float) -> float:
    """Theil index of a lognormal law.

    Examples
    --------
    >>> theil_of_lognormal(1.0)
    0.5
    """
    return sigma**2 / 2


def top_of_lognormal(sigma: float, share: float) -> float:
    """What the richest have where sums follow a lognormal law.

    Examples
    --------
    >>> round(top_of_lognormal(1.0, 0.1), 4), round(top_of_lognormal(0.0, 0.1), 4)
    (0.3891, 0.1)
    """
    return 1 - _NORMAL.cdf(_NORMAL.inv_cdf(1 - share) - sigma)


def spearman_of_normals(correlation: float) -> float:
    """Rank correlation of two normal laws of a correlation.

    Examples
    --------
    >>> round(spearman_of_normals(0.5), 4), round(spearman_of_normals(1.0), 4)
    (0.4826, 1.0)
    """
    return 6 / math.pi * math.asin(correlation / 2)


def shorrocks_of_normals(correlation: float, n_groups: int) -> float:
    """Shorrocks' index of moves between equal groups by rank of two normal laws.

    Parameters
    ----------
    correlation : float
        Of the two, 0 or more and less than 1.
    n_groups : int
        Equal groups, by rank.

    Notes
    -----
    Both hang on one normal part; given it they are independent. So the chance that
    both fall into a group is the mean square of the chance that one does, by
    Simpson's rule.

    Examples
    --------
    >>> round(shorrocks_of_normals(0.0, 5), 9), round(shorrocks_of_normals(0.9999, 5), 2)
    (1.0, 0.02)
    """
    step = 2 * WIDEST / N_STEPS
    edges = [_NORMAL.inv_cdf(i / n_groups) for i in range(1, n_groups)]
    staying = 0.0
    for i in range(N_STEPS + 1):
        z = -WIDEST + i * step
        weight = 1 if i in (0, N_STEPS) else 4 if i % 2 else 2
        below = [_NORMAL.cdf(_given(edge, z, correlation)) for edge in edges]
        in_groups = zip([0.0, *below], [*below, 1.0], strict=True)
        staying += weight * _NORMAL.pdf(z) * sum((high - low) ** 2 for low, high in in_groups)
    staying *= step / 3
    return n_groups * (1 - staying) / (n_groups - 1)


def _given(edge: float, z: float, correlation: float) -> float:
    return (edge - math.sqrt(correlation) * z) / math.sqrt(1 - correlation)
