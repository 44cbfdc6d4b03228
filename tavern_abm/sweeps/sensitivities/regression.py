"""Sensitivity of any design: regression and rank correlation over its points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

RESAMPLES, LEAST_RESAMPLES = 999, 99
MOST_DRAWN = 1_000_000
"""Points drawn for an interval: of very many points fewer samples do."""
type Floats = NDArray[np.float64]


class Interval(NamedTuple):
    """An estimate for each factor, and its interval."""

    value: Floats
    low: Floats
    high: Floats


def src(x: Floats, y: Floats) -> Floats:
    """Standardized regression coefficients.

    Parameters
    ----------
    x : array of float, shape (..., n, k)
        A value of each of k factors at n points.
    y : array of float, shape (..., n)
        The outcome's means.

    Returns
    -------
    array of float, shape (..., k)
        By how many standard deviations the outcome moves with one of the factor, the others
        held fixed.

    Examples
    --------
    >>> x = np.array([[0.0, 0.0], [0, 1], [1, 0], [1, 1]])
    >>> src(x, 3 * x[:, 0] - 4 * x[:, 1]).round(3).tolist()
    [0.6, -0.8]
    """
    return _solved(*_correlations(x, y))


def r_squared(x: Floats, y: Floats) -> float:
    """Share of the variance of `y` that the straight lines of a regression explain."""
    among, with_y = _correlations(x, y)
    return float((_solved(among, with_y) * with_y).sum())


def prcc(x: Floats, y: Floats) -> Floats:
    """Partial rank correlations: of ranks, what the other factors explain taken off both.

    Parameters
    ----------
    x, y : array of float
        Ranks, of the shapes that `src` takes.

    References
    ----------
    .. [1] S. Marino et al., "A methodology for performing global uncertainty and sensitivity
       analysis in systems biology", Journal of Theoretical Biology 254 (2008) 178-196.
    """
    k = x.shape[-1]
    both = np.concatenate([x, y[..., np.newaxis]], axis=-1)
    inverse = np.linalg.pinv(_correlation(both), hermitian=True)
    diagonal = np.sqrt(np.maximum(np.diagonal(inverse, axis1=-2, axis2=-1), 0))
    scale = diagonal[..., :k] * diagonal[..., [k]]
    partial: Floats = np.zeros_like(scale)
    np.divide(-inverse[..., :k, k], scale, out=partial, where=scale > 0)
    return partial


def dummies(codes: NDArray[np.int64]) -> Floats:
    """Columns of 0 and 1 for levels that are words: one for each but the first.

    Examples
    --------
    >>> dummies(np.array([0, 2, 1])).tolist()
    [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    """
    levels = np.unique(codes)[1:]
    return np.asarray(codes[:, np.newaxis] == levels, dtype=np.float64)


def ranked(values: Floats) -> Floats:
    """Ranks down the points; equal values share their mean rank."""
    return np.asarray(stats.rankdata(values, axis=0), dtype=np.float64)


def bootstrapped(
    of: Callable[[Floats, Floats], Floats], x: Floats, y: Floats, confidence: float, rng: Any
) -> Interval:
    """An estimate with percentile intervals: points drawn again with replacement.

    Parameters
    ----------
    of : callable
        `src` or `prcc`.
    x, y : array of float, shapes (n, k) and (n,)
        The points.
    confidence : float
        Such as 0.95.
    rng : int or numpy.random.Generator
        Where the draws come from.
    """

    def statistic(rows: NDArray[np.int64], axis: int = -1) -> Floats:
        return np.moveaxis(of(x[rows], y[rows]), -1, 0)

    found = stats.bootstrap(
        (np.arange(len(y)),),
        statistic,
        n_resamples=min(RESAMPLES, max(LEAST_RESAMPLES, MOST_DRAWN // len(y))),
        batch=max(1, 2_000_000 // x.size),
        confidence_level=confidence,
        method="percentile",
        rng=rng,
    ).confidence_interval
    return Interval(of(x, y), np.atleast_1d(found.low), np.atleast_1d(found.high))


def eta_squared(codes: NDArray[np.int64], y: Floats) -> float:
    """Share of the variance of `y` between groups: Pearson's correlation ratio, squared.

    Examples
    --------
    >>> eta_squared(np.array([0, 0, 1, 1]), np.array([1.0, 1, 3, 3]))
    1.0
    """
    n = np.bincount(codes)
    means = np.bincount(codes, y) / np.maximum(n, 1)
    whole = float(((y - y.mean()) ** 2).sum())
    return float((n * (means - y.mean()) ** 2).sum()) / whole if whole else float("nan")


def _correlations(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Of the factors among each other, and with the outcome."""
    k = x.shape[-1]
    both = _correlation(np.concatenate([x, y[..., np.newaxis]], axis=-1))
    return both[..., :k, :k], both[..., :k, k]


def _correlation(columns: Floats) -> Floats:
    """Pearson's correlations; those of a constant column are 0."""
    away = columns - columns.mean(axis=-2, keepdims=True)
    spread = np.sqrt((away**2).sum(axis=-2, keepdims=True))
    standard = np.divide(away, spread, out=np.zeros_like(away), where=spread > 0)
    return np.swapaxes(standard, -1, -2) @ standard


def _solved(among: Floats, with_y: Floats) -> Floats:
    return (np.linalg.pinv(among, hermitian=True) @ with_y[..., np.newaxis])[..., 0]
