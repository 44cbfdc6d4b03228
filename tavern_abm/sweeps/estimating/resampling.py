"""Bootstrap intervals of means: samples drawn again from the values of the replications."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .estimates import CONFIDENCE, Bounds, Estimate, Floats, finite, moments, verify_confidence

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


def bootstrap(values: ArrayLike, confidence: float = CONFIDENCE) -> Estimate:
    """The mean with a bootstrap interval (BCa, Efron 1987), which follows a skewed quantity.

    Offered from 50 values on: below, it is too narrow. Draws from a key of its own, so
    equal values have equal intervals.

    Parameters
    ----------
    values : array-like of float, shape (n,)
        One a replication. What is not finite is left out.
    confidence : float, default 0.95
        Of the interval, above 0 and below 1.

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
    confidence : float, default 0.95
        Of the intervals, above 0 and below 1.

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
