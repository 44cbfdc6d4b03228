"""Whose variance it is: Sobol's indices of a full grid, from the table of its means.

On a grid every level is played with every level of the others, so the decomposition of the
variance needs no sampling: it is that of the points as they are, each level counted alike.
Only luck blurs the means. What it adds to each variance is reckoned and taken off, so an index
of a factor that does nothing is 0 on average and may come out below.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..estimating.cells import Cells
from ..estimating.varied import Varied
from .luck import jackknife

type Places = tuple[int, ...]
"""Numbers of the factors an index is of."""


def is_full_grid(factors: Sequence[Varied]) -> bool:
    """Whether each combination of levels is there exactly once.

    Examples
    --------
    >>> def of(*values: float) -> Varied:
    ...     return Varied("x", values, tuple(sorted(set(values))), True)
    >>> is_full_grid([of(0, 0, 1, 1), of(5, 6, 5, 6)]), is_full_grid([of(0, 1), of(5, 6)])
    (True, False)
    """
    if not factors:
        return False
    sizes = [len(each.levels) for each in factors]
    n_points = len(factors[0].values)
    if int(np.prod(sizes, dtype=object)) != n_points:
        return False
    return len(np.unique(_places(factors, sizes))) == n_points


def shares(factors: Sequence[Varied], cells: Cells) -> dict[tuple[str, Places], float]:
    """First, total and second order indices of a full grid.

    Parameters
    ----------
    factors : sequence of Varied
        Of a full grid.
    cells : Cells
        The outcome, every point with at least one value.

    Returns
    -------
    dict
        By kind ("S1", "ST", "S2") and the places of the factors. NaN where nothing varies
        beyond luck.

    Notes
    -----
    With V the variance of the means over all points, x_j a factor and x_~j all others:
    ``S1 = Var E[y | x_j] / V``, ``ST = 1 - Var E[y | x_~j] / V``, and
    ``S2 = Var E[y | x_j, x_k] / V - S1_j - S1_k``.

    References
    ----------
    .. [1] I. M. Sobol', "Global sensitivity indices for nonlinear mathematical models",
       Mathematics and Computers in Simulation 55 (2001) 271-280.
    .. [2] A. Saltelli et al., Computer Physics Communications 181 (2010) 259-270.
    """
    luck = cells.luck_variance()
    table = _Table(_laid_out(factors, cells.means), 0.0 if np.isnan(luck) else luck)
    every = tuple(range(len(factors)))
    whole = table.variance_of(every)
    found: dict[tuple[str, Places], float] = {}
    for j in every:
        others = tuple(k for k in every if k != j)
        found["S1", (j,)] = _share(table.variance_of((j,)), whole)
        found["ST", (j,)] = _share(whole - table.variance_of(others), whole)
    for pair in combinations(every, 2):
        both = _share(table.variance_of(pair), whole)
        found["S2", pair] = both - sum(found["S1", (j,)] for j in pair)
    return found


def jackknifed(
    factors: Sequence[Varied], cells: Cells, confidence: float
) -> dict[tuple[str, Places], float]:
    """Half widths of the intervals of `shares`: some replications left out at a time.

    Returns
    -------
    dict
        As of `shares`; NaN with fewer than three replications.
    """
    n = cells.values.shape[1]
    whole = shares(factors, cells)
    if n < 3 or (cells.n < 2).any():
        return dict.fromkeys(whole, float("nan"))
    halves = jackknife(lambda some: np.array([*shares(factors, some).values()]), cells, confidence)
    return dict(zip(whole, halves.tolist(), strict=True))


class _Table:
    """Means laid out by factor, and the variance of their means over some of the factors."""

    def __init__(self, means: NDArray[np.float64], luck: float) -> None:
        self.means, self.luck = means, luck

    def variance_of(self, kept: Places) -> float:
        """Variance of the means over all factors but `kept`, less what luck adds to it."""
        if not kept:
            return 0.0
        others = tuple(axis for axis in range(self.means.ndim) if axis not in kept)
        some = self.means.mean(axis=others)
        lucky = self.luck * (some.size - 1) / self.means.size
        return float(some.var() - lucky)


def _places(factors: Sequence[Varied], sizes: Sequence[int]) -> NDArray[np.int64]:
    return np.ravel_multi_index(tuple(each.codes for each in factors), tuple(sizes))


def _laid_out(factors: Sequence[Varied], means: NDArray[np.float64]) -> NDArray[np.float64]:
    sizes = [len(each.levels) for each in factors]
    table = np.empty(len(means))
    table[_places(factors, sizes)] = means
    return table.reshape(sizes)


def _share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else float("nan")
