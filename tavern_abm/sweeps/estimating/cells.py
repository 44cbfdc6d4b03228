"""An outcome as a table of points by replications, and the luck in it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from ..runs import Luck


@dataclass(frozen=True, eq=False)
class Cells:
    """The values of an outcome.

    Attributes
    ----------
    values : array of float, shape (points, replications)
        NaN where a run failed, was not played, or the outcome is not defined.
    luck : "shared" or "own"
        Whether the points of a replication share their luck.
    """

    values: NDArray[np.float64]
    luck: Luck = "shared"

    @property
    def n(self) -> NDArray[np.int64]:
        """Values of each point."""
        return np.asarray(np.isfinite(self.values).sum(axis=1), dtype=np.int64)

    @property
    def means(self) -> NDArray[np.float64]:
        """Mean of each point; NaN for one without values."""
        total = np.where(np.isfinite(self.values), self.values, 0).sum(axis=1)
        means = np.full(len(total), np.nan)
        np.divide(total, self.n, out=means, where=self.n > 0)
        return means

    @property
    def errors(self) -> NDArray[np.float64]:
        """Standard error of each point's mean; NaN below two values."""
        n = self.n
        squares = (self.influences() ** 2).sum(axis=1) * n / np.maximum(n - 1, 1)
        return np.where(n > 1, np.sqrt(squares), np.nan)

    def half_widths(self, confidence: float) -> NDArray[np.float64]:
        """Half of Student's t interval of each point's mean."""
        n = self.n
        return self.errors * stats.t.ppf(0.5 + confidence / 2, np.maximum(n - 1, 1))

    def influences(self) -> NDArray[np.float64]:
        """What each run adds to the mean of its point beyond that mean; 0 for one left out."""
        n = np.maximum(self.n, 1)[:, np.newaxis]
        away = (self.values - self.means[:, np.newaxis]) / n
        return np.where(np.isfinite(self.values), away, 0)

    def luck_variance(self) -> float:
        """How much luck is in the mean of a point, where points are compared.

        What all points of a replication share moves none against another, so it does not
        count where luck is shared.

        Returns
        -------
        float
            The variance of the error of a point's mean, on average over the points; NaN
            with a single replication.
        """
        some = self.values[self.n > 0]
        n_points, n_replications = some.shape
        if n_replications < 2 or not n_points or (np.isfinite(some).sum(axis=1) < 2).any():
            return float("nan")
        if self.luck == "own" or n_points < 2 or not np.isfinite(some).all():
            return float(np.mean(Cells(some).errors ** 2))
        away = some - some.mean(axis=1, keepdims=True) - some.mean(axis=0) + some.mean()
        spread = (away**2).sum() / ((n_points - 1) * (n_replications - 1))
        return float(spread / n_replications)

    def luck_p(self) -> float:
        """How often luck alone would make the points differ as much as they do, or more.

        Returns
        -------
        float
            Of the F test that all points have the same mean; NaN where nothing is known of
            luck. Exact where luck is normal and spreads all points alike.
        """
        luck = self.luck_variance()
        some = self.values[self.n > 0]
        n_points, n_replications = some.shape
        if math.isnan(luck) or n_points < 2:
            return float("nan")
        between = float(self.means[self.n > 0].var(ddof=1))
        if luck == 0:
            return 0.0 if between > 0 else 1.0
        blocks = n_points - 1 if self.luck == "shared" else n_points
        return float(stats.f.sf(between / luck, n_points - 1, blocks * (n_replications - 1)))

    def without(self, replications: NDArray[np.int64]) -> Cells:
        """The same less some replications."""
        return Cells(np.delete(self.values, replications, axis=1), self.luck)


def cells_of(outcomes: pd.DataFrame, output: str, n_points: int, luck: Luck = "shared") -> Cells:
    """Set out an outcome as points by replications.

    Parameters
    ----------
    outcomes : DataFrame
        ``scenario_id``, ``replication_id`` and the outcome, a row a run.
    output : str
        Its column.
    n_points : int
        Points of the design.
    luck : "shared" or "own"
        Of the design.

    Examples
    --------
    >>> runs = pd.DataFrame(
    ...     {"scenario_id": [0, 0, 1], "replication_id": [0, 1, 1], "x": [1.0, 3.0, 5.0]}
    ... )
    >>> cells_of(runs, "x", 2).values.tolist()
    [[1.0, 3.0], [nan, 5.0]]
    """
    points, replications = outcomes["scenario_id"], outcomes["replication_id"]
    width = int(replications.max()) + 1 if len(outcomes) else 0
    values = np.full((n_points, width), np.nan)
    places = points.to_numpy(np.int64), replications.to_numpy(np.int64)
    values[places] = outcomes[output].to_numpy(np.float64)
    values[~np.isfinite(values)] = np.nan
    return Cells(values, luck)
