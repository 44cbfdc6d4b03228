"""Ratios of sums over replications, with their intervals."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from .estimates import CONFIDENCE, Estimate, Floats, with_t


def ratio(top: ArrayLike, bottom: ArrayLike, confidence: float = CONFIDENCE) -> Estimate:
    """A ratio of sums over replications: the mean over all cases, not over runs.

    The interval is that of the linearised ratio: the residuals ``top - r bottom`` of the
    replications, over the mean of `bottom` (Cochran 1977, chapter 6).

    Parameters
    ----------
    top, bottom : array-like of float, shape (n,)
        Such as unjust convictions and all convictions of each run.
    confidence : float, default 0.95
        Of the interval, above 0 and below 1.

    Examples
    --------
    >>> print(ratio([1, 0, 9], [2, 8, 10]))
    0.5 (-0.9905 to 1.99)
    """
    influence, value = _influence(top, bottom)
    return with_t(value, _deviation(influence), len(influence), confidence)


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
    confidence : float, default 0.95
        Of the interval, above 0 and below 1.
    """
    first, value = _influence(*one)
    second, base = _influence(*other)
    return with_t(value - base, _deviation(first - second), len(first), confidence)


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
    >>> from tavern_abm.sweeps.estimating.estimates import mean_t
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
    away = over - value * under
    away[np.abs(away) <= 8 * np.finfo(float).eps * np.abs(over).max()] = 0.0  # rounding, not luck
    return away / under.mean(), value


def _deviation(residuals: Floats) -> float:
    """Of residuals whose mean is 0 by their making."""
    if len(residuals) < 2:
        return math.nan
    return math.sqrt(float((residuals**2).sum()) / (len(residuals) - 1))
