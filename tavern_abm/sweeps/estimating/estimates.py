"""Estimates with their intervals: pure functions of arrays, a value a replication.

Every interval is for the mean over all replications that could be played of a point, not
for where one run would fall; for that there are `quantiles`. What is not finite is a value
that is not defined (a share of nothing): it is left out, and `Estimate.n` says how many
were not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr, stdtrit

CONFIDENCE = 0.95

type Floats = NDArray[np.float64]
type Bounds = tuple[Floats, Floats]
type Way = Literal["paired", "welch"]


class Estimate(NamedTuple):
    """A value with its interval.

    Attributes
    ----------
    value : float
        The mean, the ratio or the difference; NaN of nothing.
    low, high : float
        Ends of the interval; NaN where there is none (fewer than 2 values).
    n : int
        Values (or pairs) it rests on.
    sd : float
        Standard deviation between replications; NaN below 2.
    confidence : float
        Of the interval.

    Examples
    --------
    >>> print(mean_t([3, 5, 4, 8]))
    5 (1.563 to 8.437)
    >>> f"{mean_t([3, 5, 4, 8]):.1f}", f"{mean_t([3]):.1f}"
    ('5.0 (1.6 to 8.4)', '3.0 (one run: no interval)')
    """

    value: float
    low: float
    high: float
    n: int
    sd: float
    confidence: float = CONFIDENCE

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @property
    def has_interval(self) -> bool:
        """Whether there is an interval at all."""
        return not math.isnan(self.low)

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves 0 out: for a difference, whether its sign is known.

        An interval without width, of values that are all equal, makes nothing clear.
        """
        return self.low < self.high and not self.low <= 0 <= self.high

    def __str__(self) -> str:
        """Such as ``0.213 (0.198 to 0.228)``."""
        return format(self, ".4g")

    def __format__(self, spec: str) -> str:
        """The same with digits to taste: ``f"{estimate:.1f}"``."""
        spec = spec or ".4g"
        if math.isnan(self.value):
            return "none"
        if not self.has_interval:
            why = "one run: no interval" if self.n == 1 else "no interval"
            return f"{self.value:{spec}} ({why})"
        return f"{self.value:{spec}} ({self.low:{spec}} to {self.high:{spec}})"


class Difference(NamedTuple):
    """What one point has more than another.

    Attributes
    ----------
    change : Estimate
        The difference of the means. Its ``n`` are pairs, or the fewer of the two samples.
    way : "paired" or "welch"
        How it was taken: replication by replication, or between two samples of their own.
    narrowed : float
        Variance of the difference had the luck not been shared, over that of the paired
        one: so many times as many replications would be needed without the pairing. 1 for
        Welch's; infinite where every pair differs by the same; NaN below 2 pairs.
    p : float
        Of Student's test that there is no difference, two-sided: see `p_of`.
    """

    change: Estimate
    way: Way
    narrowed: float
    p: float

    @property
    def replications_saved(self) -> float:
        """Replications of either point that the pairing saved; negative if it cost some."""
        return self.change.n * (self.narrowed - 1)


# ---------------------------------------------------------------- means


def finite(values: ArrayLike) -> Floats:
    """What is defined among the values, in their order.

    Examples
    --------
    >>> finite([1, float("nan"), 3]).tolist()
    [1.0, 3.0]
    """
    found = np.asarray(values, dtype=float).ravel()
    return found[np.isfinite(found)]


def mean_t(values: ArrayLike, confidence: float = CONFIDENCE) -> Estimate:
    """The mean of independent values, with Student's t interval.

    Exact for a normal quantity, and near it for others where n is not small.

    Parameters
    ----------
    values : array-like of float, shape (n,)
        One a replication. What is not finite is left out.
    confidence : float, default 0.95
        Between 0 and 1.

    Raises
    ------
    ValueError
        If `confidence` is not between 0 and 1.
    """
    found = finite(values)
    mean, sd = moments(found)
    return with_t(float(mean), float(sd), len(found), confidence)


def moments(rows: Floats) -> tuple[Any, Any]:
    """Mean and standard deviation (divisor n - 1) along the last axis; NaN where undefined.

    Equal values have exactly their value as the mean and a deviation of exactly 0.

    Examples
    --------
    >>> mean, sd = moments(np.array([[0.1, 0.1, 0.1], [1.0, 2.0, 3.0]]))
    >>> mean.tolist(), sd.tolist()
    ([0.1, 2.0], [0.0, 1.0])
    """
    n = rows.shape[-1]
    if n == 0:
        return np.full(rows.shape[:-1], np.nan), np.full(rows.shape[:-1], np.nan)
    is_constant = rows.min(axis=-1) == rows.max(axis=-1)
    mean = np.where(is_constant, rows[..., 0], rows.mean(axis=-1))
    if n == 1:
        return mean, np.full(rows.shape[:-1], np.nan)
    return mean, np.where(is_constant, 0.0, rows.std(axis=-1, ddof=1))


def t_bounds(mean: Any, sd: Any, n: int, confidence: float = CONFIDENCE) -> Bounds:
    """Ends of the t intervals of means, elementwise; NaN below 2 values.

    Parameters
    ----------
    mean, sd : float or array of float
        As `moments` gives them.
    n : int
        Values behind each mean.
    confidence : float, default 0.95
        Of the intervals, above 0 and below 1.
    """
    verify_confidence(confidence)
    if n < 2:
        return np.full_like(mean, np.nan), np.full_like(mean, np.nan)
    half = t_quantile(confidence, n - 1) * sd / math.sqrt(n)
    return mean - half, mean + half


def t_quantile(confidence: float, df: float) -> float:
    """So many standard errors to either side make the interval.

    Examples
    --------
    >>> round(t_quantile(0.95, 9), 3)
    2.262
    """
    return float(stdtrit(df, 0.5 + confidence / 2))


def verify_confidence(confidence: float) -> None:
    """See that it is a share between 0 and 1.

    Raises
    ------
    ValueError
        If it is not.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, such as 0.95 (got {confidence!r})")


def with_t(value: float, sd: float, n: int, confidence: float) -> Estimate:
    """A value with Student's interval, from the standard deviation of `n` replications."""
    low, high = t_bounds(value, sd, n, confidence)
    return Estimate(value, float(low), float(high), n, sd, confidence)


def quantiles(values: ArrayLike, shares: Sequence[float]) -> list[float]:
    """Where so much of the runs fell (linear between order statistics); NaN of nothing.

    Examples
    --------
    >>> quantiles([1, 2, 3, 4, 5], [0.05, 0.5])
    [1.2, 3.0]
    """
    found = finite(values)
    if not found.size:
        return [math.nan] * len(shares)
    wanted: list[float] = np.quantile(found, shares).tolist()
    return wanted


# ---------------------------------------------------------------- differences


def paired(one: ArrayLike, other: ArrayLike, confidence: float = CONFIDENCE) -> Difference:
    """One mean less another, replication by replication: common luck cancels.

    Parameters
    ----------
    one, other : array-like of float, shape (n,)
        In the same order of replications. A pair counts where both are finite.
    confidence : float, default 0.95
        Of the interval, above 0 and below 1.

    Raises
    ------
    ValueError
        If they are not of the same length.

    Examples
    --------
    >>> luck = np.array([3.0, 9.0, 1.0, 6.0])
    >>> found = paired(luck + [1, 2, 1, 2], luck)
    >>> print(found.change, round(found.narrowed))
    1.5 (0.5813 to 2.419) 86
    """
    first, second = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    if first.shape != second.shape:
        text = f"pairs need as many of one as of the other (got {first.size} and {second.size})"
        raise ValueError(text)
    both = np.isfinite(first) & np.isfinite(second)
    first, second = first[both], second[both]
    change = mean_t(_without_dust(first - second, first, second), confidence)
    return Difference(change, "paired", _narrowed(first, second, change.sd), p_of(change))


def _without_dust(changes: Floats, one: Floats, other: Floats) -> Floats:
    """Differences made equal where they differ by no more than the rounding of their parts."""
    if not len(changes):
        return changes
    rounding = 8 * np.finfo(float).eps * max(np.abs(one).max(), np.abs(other).max())
    is_equal = changes.max() - changes.min() <= rounding
    return np.full_like(changes, np.median(changes)) if is_equal else changes


def _narrowed(one: Floats, other: Floats, sd: float) -> float:
    """Variance of a difference of independent means over that of the paired one."""
    if len(one) < 2:
        return math.nan
    apart = float(moments(one)[1] ** 2 + moments(other)[1] ** 2)
    if sd == 0:
        return math.inf if apart > 0 else 1.0
    return apart / sd**2


def welch(one: ArrayLike, other: ArrayLike, confidence: float = CONFIDENCE) -> Difference:
    """One mean less another, of independent samples whose variances may differ (Welch 1947).

    Parameters
    ----------
    one, other : array-like of float
        What is not finite is left out; they need not be of the same length.
    confidence : float, default 0.95
        Of the interval, above 0 and below 1.
    """
    verify_confidence(confidence)
    first, second = finite(one), finite(other)
    n = min(len(first), len(second))
    value = float(moments(first)[0] - moments(second)[0])
    if n < 2:
        nothing = Estimate(value, math.nan, math.nan, n, math.nan, confidence)
        return Difference(nothing, "welch", 1.0, math.nan)
    shares = [float(moments(each)[1]) ** 2 / len(each) for each in (first, second)]
    error, df = math.sqrt(sum(shares)), _welch_df(shares, len(first), len(second))
    half = t_quantile(confidence, df) * error
    sd = error * math.sqrt(n)
    change = Estimate(value, value - half, value + half, n, sd, confidence)
    return Difference(change, "welch", 1.0, _two_sided(value, error, df))


def _welch_df(shares: Sequence[float], n_one: int, n_other: int) -> float:
    """Degrees of freedom by Welch and Satterthwaite."""
    if not sum(shares):
        return float(n_one + n_other - 2)
    below = shares[0] ** 2 / (n_one - 1) + shares[1] ** 2 / (n_other - 1)
    return sum(shares) ** 2 / below


def p_of(change: Estimate) -> float:
    """Of Student's test that a mean difference is none, two-sided.

    Returns
    -------
    float
        NaN below two values; and where all are equal but 0, since a deviation of 0 in few
        replications says nothing of how far others would lie apart.

    Examples
    --------
    >>> round(p_of(mean_t([1, 2, 1, 2])), 4), p_of(mean_t([1, 1, 1, 1])), p_of(mean_t([0, 0]))
    (0.0138, nan, 1.0)
    """
    if not change.has_interval:
        return math.nan
    return _two_sided(change.value, change.sd / math.sqrt(change.n), change.n - 1)


def _two_sided(value: float, error: float, df: float) -> float:
    if error == 0:
        return 1.0 if value == 0 else math.nan
    return float(2 * stdtr(df, -abs(value) / error))


# ---------------------------------------------------------------- how many are needed


def aim_of(mean: float, half_width: float | None, relative: float | None) -> float:
    """Half of the interval that is narrow enough: of two that are asked for the wider one.

    Parameters
    ----------
    mean : float
        Of what is estimated.
    half_width, relative : float or None
        In its units, and as a share of the absolute mean.

    Examples
    --------
    >>> aim_of(-20.0, 0.5, None), aim_of(-20.0, 0.5, 0.1)
    (0.5, 2.0)
    """
    return max(half_width or 0.0, abs(mean) * (relative or 0.0))


def replications_needed(estimate: Estimate, half_width: float) -> int:
    """About how many replications make an interval so narrow.

    The deviation is taken as known from what was played, so of few replications it is a
    rough guess.

    Parameters
    ----------
    half_width : float
        In units of the estimate, above 0.

    Raises
    ------
    ValueError
        If `half_width` is not above 0, or the estimate has no interval.

    Examples
    --------
    >>> replications_needed(mean_t([3, 5, 4, 8]), 1.0)
    21
    """
    if not half_width > 0:
        raise ValueError(f"half_width must be above 0 (got {half_width!r})")
    if not estimate.has_interval:
        raise ValueError("how many are needed is not known from fewer than 2 replications")
    n = 2
    for _ in range(50):  # the quantile of t depends on n; this settles in a few steps
        error = t_quantile(estimate.confidence, n - 1) * estimate.sd / half_width
        found = max(2, math.ceil(error**2))
        if abs(found - n) <= 1:
            return max(found, n)
        n = found
    return n
