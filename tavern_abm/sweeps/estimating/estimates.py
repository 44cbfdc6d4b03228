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
BOOTSTRAP_FROM = 50
"""Below so many values a bootstrap interval is too narrow to be offered."""
RESAMPLES = 1_999
"""Samples drawn for a bootstrap interval. Others would move its ends by 3 % of its half, on
the long side of a skewed quantity by 6 %."""
_KEY = 0x7A7E52
"""Every bootstrap draws from the same key: equal values have equal intervals, whatever else
is asked for and in whatever order."""
_CELLS = 2_000_000
"""Numbers that a bootstrap holds at a time (16 MB)."""

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
        """Whether the interval leaves 0 out: for a difference, whether its sign is known."""
        return self.has_interval and not self.low <= 0 <= self.high

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
        Of Student's test that there is no difference, two-sided.
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
    return _with_t(float(mean), float(sd), len(found), confidence)


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


def _with_t(value: float, sd: float, n: int, confidence: float) -> Estimate:
    low, high = t_bounds(value, sd, n, confidence)
    return Estimate(value, float(low), float(high), n, sd, confidence)


# ---------------------------------------------------------------- bootstrap and quantiles


def bootstrap(values: ArrayLike, confidence: float = CONFIDENCE) -> Estimate:
    """The mean with a bootstrap interval (BCa, Efron 1987), which follows a skewed quantity.

    Offered from 50 values on: below, it is too narrow. Draws from a key of its own, so
    equal values have equal intervals.

    Parameters
    ----------
    values : array-like of float, shape (n,)
        One a replication. What is not finite is left out.

    Returns
    -------
    Estimate
        Without an interval where there are fewer than 50 values.
    """
    found = finite(values)
    mean, sd = moments(found)
    low, high = bootstrap_bounds(found[np.newaxis], confidence)
    return Estimate(float(mean), float(low[0]), float(high[0]), len(found), float(sd), confidence)


def bootstrap_bounds(rows: Floats, confidence: float = CONFIDENCE) -> Bounds:
    """Ends of the bootstrap intervals of many means.

    Parameters
    ----------
    rows : array of float, shape (k, n)
        A sample a row, all finite.

    Returns
    -------
    low, high : arrays of float, shape (k,)
        NaN where n is below 50. Both the value itself where all values are the same.
    """
    verify_confidence(confidence)
    k, n = rows.shape
    if n < BOOTSTRAP_FROM:
        return np.full(k, np.nan), np.full(k, np.nan)
    low, high = rows[:, 0].copy(), rows[:, 0].copy()
    varied = np.flatnonzero(rows.min(axis=1) != rows.max(axis=1))
    step = max(1, _CELLS // (n * RESAMPLES))
    for first in range(0, len(varied), step):
        some = varied[first : first + step]
        low[some], high[some] = _resampled(rows[some], confidence)
    return low, high


def _resampled(rows: Floats, confidence: float) -> Bounds:
    """Bounds of a few rows at a time; the same for a row, whoever is beside it."""
    from scipy.stats import bootstrap as scipy_bootstrap  # slow to import, and seldom asked for

    n = rows.shape[1]
    found = scipy_bootstrap(
        (rows,),
        _mean_in_order,
        axis=1,
        n_resamples=RESAMPLES,
        batch=max(1, _CELLS // (n * len(rows))),
        confidence_level=confidence,
        method="BCa",
        rng=np.random.default_rng(_KEY),
    )
    low, high = found.confidence_interval
    return np.asarray(low), np.asarray(high)


def _mean_in_order(values: Floats, axis: int = -1) -> Any:
    """The mean along the last axis, summed up in the same order however it lies in memory."""
    return np.ascontiguousarray(values).mean(axis=axis)


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
    return Difference(change, "paired", _narrowed(first, second, change.sd), _p(change))


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


def _p(change: Estimate) -> float:
    if not change.has_interval:
        return math.nan
    return _two_sided(change.value, change.sd / math.sqrt(change.n), change.n - 1)


def _two_sided(value: float, error: float, df: float) -> float:
    if error == 0:
        return 1.0 if value == 0 else 0.0
    return float(2 * stdtr(df, -abs(value) / error))


# ---------------------------------------------------------------- ratios of sums


def ratio(top: ArrayLike, bottom: ArrayLike, confidence: float = CONFIDENCE) -> Estimate:
    """A ratio of sums over replications: the mean over all cases, not over runs.

    The interval is that of the linearised ratio: the residuals ``top - r bottom`` of the
    replications, over the mean of `bottom` (Cochran 1977, chapter 6).

    Parameters
    ----------
    top, bottom : array-like of float, shape (n,)
        Such as unjust convictions and all convictions of each run.

    Examples
    --------
    >>> print(ratio([1, 0, 9], [2, 8, 10]))
    0.5 (-0.9905 to 1.99)
    """
    influence, value = _influence(top, bottom)
    return _with_t(value, _deviation(influence), len(influence), confidence)


def ratio_difference(
    one: tuple[ArrayLike, ArrayLike],
    other: tuple[ArrayLike, ArrayLike],
    confidence: float = CONFIDENCE,
) -> Estimate:
    """One ratio of sums less another, replication by replication: common luck cancels.

    Parameters
    ----------
    one, other : tuple of (top, bottom)
        Numerators and denominators, in the same order of replications.
    """
    first, value = _influence(*one)
    second, base = _influence(*other)
    return _with_t(value - base, _deviation(first - second), len(first), confidence)


def ratio_values(top: ArrayLike, bottom: ArrayLike) -> Floats:
    """One value a replication, so that their mean is the ratio and their t interval is its.

    Parameters
    ----------
    top, bottom : array-like of float, shape (n,)
        A replication counts where both are finite.

    Returns
    -------
    array of float, shape (n,)
        NaN where one of them is not finite; all of it where nothing was counted.

    Examples
    --------
    >>> found = ratio_values([1, 0, 9], [2, 8, 10])
    >>> str(mean_t(found)) == str(ratio([1, 0, 9], [2, 8, 10]))
    True
    """
    over, under = np.asarray(top, dtype=float), np.asarray(bottom, dtype=float)
    both = np.isfinite(over) & np.isfinite(under)
    found = np.full(len(over), np.nan)
    influence, value = _influence(over[both], under[both])
    found[both] = value + influence
    return found


def _influence(top: ArrayLike, bottom: ArrayLike) -> tuple[Floats, float]:
    over, under = np.asarray(top, dtype=float), np.asarray(bottom, dtype=float)
    if under.sum() == 0:
        return np.full(len(over), np.nan), math.nan
    value = float(over.sum() / under.sum())
    return (over - value * under) / under.mean(), value


def _deviation(residuals: Floats) -> float:
    """Of residuals whose mean is 0 by their making."""
    if len(residuals) < 2:
        return math.nan
    return math.sqrt(float((residuals**2).sum()) / (len(residuals) - 1))


# ---------------------------------------------------------------- how many, and how many at once


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


def bonferroni(confidence: float, n_intervals: int) -> float:
    """The confidence each of `n_intervals` needs so that all hold together with `confidence`.

    Examples
    --------
    >>> round(bonferroni(0.95, 10), 4)
    0.995
    """
    verify_confidence(confidence)
    return 1 - (1 - confidence) / max(1, n_intervals)


def holm(p_values: ArrayLike) -> Floats:
    """P-values of several tests, adjusted by Holm (1979); NaN counts as no test.

    To reject those below 0.05 leaves a chance of at most 0.05 that any of them was true.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    found = np.array(p_values, dtype=float)
    tested = np.flatnonzero(~np.isnan(found))
    order = tested[np.argsort(found[tested], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    found[order] = np.minimum(1.0, np.maximum.accumulate(found[order] * factors))
    return found
