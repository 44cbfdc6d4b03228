"""Who lives here: the share of cheats, vacant places, purses, networks, urns."""

from __future__ import annotations

import math
from fractions import Fraction

N_STEPS = 4000
WIDEST = 12.0


def mean_over_normal(intercept: float, slope: float) -> float:
    """``E[1 / (1 + exp(-(intercept + slope Z)))]`` for a standard normal Z, by Simpson's rule."""
    step = 2 * WIDEST / N_STEPS
    total = 0.0
    for i in range(N_STEPS + 1):
        z = -WIDEST + i * step
        weight = 1 if i in (0, N_STEPS) else 4 if i % 2 else 2
        density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
        total += weight * density / (1 + math.exp(-(intercept + slope * z)))
    return total * step / 3


def intercept_for(share: float, odds_ratio: float) -> float:
    """The intercept with which a share of people is of the cheating kind, by bisection.

    Examples
    --------
    >>> [round(intercept_for(share, 0.53), 5) for share in (0.05, 0.10, 0.20)]
    [-3.12219, -2.35274, -1.50029]
    """
    slope = math.log(odds_ratio)
    low, high = -60.0, 60.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        if mean_over_normal(middle, slope) < share:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def vacant_share(leave_prob: Fraction, arrive_prob: Fraction) -> Fraction:
    """Share of places that stand vacant at night in the long run.

    A vacant place is filled in the morning with one chance; one that was not
    vacant falls vacant with the other: ``v = v (1 - arrive) + (1 - v) leave``.

    Examples
    --------
    >>> str(vacant_share(Fraction(1, 200), Fraction(33, 100)))
    '1/67'
    """
    return leave_prob / (leave_prob + arrive_prob)


def purse_after(purse: int, wage: int, days: int) -> int:
    """Coins after so many days of living costs and wages, without games or drink.

    Examples
    --------
    >>> purse_after(100_000, 100, 1000), purse_after(0, 100, 1000)
    (2549, 2500)
    """
    for _ in range(days):
        costs = 40 * wage + (purse - 15 * wage if purse > 15 * wage else 0)
        purse += wage - min(purse, costs // 50)
    return purse


def gini_of_lognormal(sigma: float) -> float:
    """Gini coefficient of a lognormal law.

    Examples
    --------
    >>> [round(gini_of_lognormal(sigma), 4) for sigma in (0.5, 1.0, 1.5)]
    [0.2763, 0.5205, 0.7112]
    """
    return math.erf(sigma / 2)


def small_world_clustering(degree: int, rewiring: float) -> float:
    """Clustering of a Watts-Strogatz network: approximately, for a large one.

    References
    ----------
    .. [1] A. Barrat and M. Weigt, "On the properties of small-world network models",
       European Physical Journal B 13 (2000) 547-560.

    Examples
    --------
    >>> round(small_world_clustering(12, 0.1), 3)
    0.497
    """
    return 3 * (degree - 2) / (4 * (degree - 1)) * (1 - rewiring) ** 3


def urn_after(marked: int, others: int, draws: int) -> tuple[Fraction, Fraction]:
    """Mean and variance of the share of marked balls in Polya's urn after so many draws.

    Each draw puts back the ball and one more of its kind. The law of the number of
    marked balls is followed draw by draw.

    Examples
    --------
    >>> mean, variance = urn_after(1, 9, 100)
    >>> float(mean), round(float(variance), 7)
    (0.1, 0.007438)
    """
    law = [Fraction(1)]  # of how many marked balls were added
    for n in range(draws):
        total = marked + others + n
        grown = [Fraction(0)] * (len(law) + 1)
        for k, p in enumerate(law):
            up = Fraction(marked + k, total)
            grown[k + 1] += p * up
            grown[k] += p * (1 - up)
        law = grown
    size = marked + others + draws
    mean = sum((p * (marked + k) for k, p in enumerate(law)), Fraction(0)) / size
    square = sum((p * (marked + k) ** 2 for k, p in enumerate(law)), Fraction(0)) / size**2
    return mean, square - mean**2


def hit_share(prevalence: Fraction, found: Fraction, false_alarms: Fraction) -> Fraction:
    """Share of those condemned who are guilty (PPV), by Bayes' rule.

    Parameters
    ----------
    prevalence : Fraction
        Share of the guilty among all.
    found, false_alarms : Fraction
        Chances that a guilty one, and an innocent one, is condemned.

    Examples
    --------
    >>> tpr, fpr = Fraction(4, 5), Fraction(1, 20)
    >>> [round(float(hit_share(Fraction(p, 100), tpr, fpr)), 4) for p in (1, 5, 10, 20)]
    [0.1391, 0.4571, 0.64, 0.8]
    """
    just = prevalence * found
    return just / (just + (1 - prevalence) * false_alarms)


def auc_of_normals(distance: float) -> float:
    """Area under the ROC curve of two normal laws of spread 1, so far apart.

    Examples
    --------
    >>> [round(auc_of_normals(d), 3) for d in (0.5, 1.0, 1.5, 2.0)]
    [0.638, 0.76, 0.856, 0.921]
    """
    return (1 + math.erf(distance / 2)) / 2
