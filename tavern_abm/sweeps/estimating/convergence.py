"""How the mean settled as replications were added, and how many more are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from .estimates import CONFIDENCE, Estimate, finite, replications_needed, verify_confidence
from .groups import Tables, groups_of, outputs_of


def running_mean(values: ArrayLike, confidence: float = CONFIDENCE) -> pd.DataFrame:
    """The mean of the first n values, with its t interval, for every n.

    Each interval is right for a number of replications settled beforehand. To stop at the
    first n whose interval looks well is another matter: see the coverage of stopping rules
    in the explanation of intervals.

    Parameters
    ----------
    values : array-like of float
        In order of replications. What is not finite is left out.

    Returns
    -------
    DataFrame
        Columns ``n`` (1, 2, ...), ``mean``, ``low``, ``high``; no interval at n = 1.

    Examples
    --------
    >>> running_mean([3, 5, 4, 8])["mean"].tolist()
    [3.0, 4.0, 4.0, 5.0]
    """
    verify_confidence(confidence)
    found = finite(values)
    n = np.arange(1, len(found) + 1)
    # Sums of squares are taken from the first value on: of large and equal ones little is lost.
    start = found[0] if len(found) else 0.0
    sums, squares = np.cumsum(found - start), np.cumsum((found - start) ** 2)
    half = np.full(len(found), np.nan)
    free = n[1:] - 1
    variance = np.maximum(0.0, squares[1:] - sums[1:] ** 2 / n[1:]) / free
    half[1:] = stdtrit(free, 0.5 + confidence / 2) * np.sqrt(variance / n[1:])
    mean = start + sums / n
    return pd.DataFrame({"n": n, "mean": mean, "low": mean - half, "high": mean + half})


def running_means(
    tables: Tables,
    output: str,
    *,
    confidence: float = CONFIDENCE,
    by: Sequence[str] | None = None,
) -> pd.DataFrame:
    """The same for every point (or group of points) of a sweep, one below the other.

    Returns
    -------
    DataFrame
        ``scenario_id`` and the parameters (with `by`: those alone), and the columns of
        `running_mean`.

    Raises
    ------
    SweepError
        If there is no such output or parameter.
    """
    outputs_of(tables, [output])
    groups = groups_of(tables, by)
    parts = [running_mean(row, confidence) for row in groups.values(output)]
    keys = groups.keys_beside(("n", "mean", "low", "high"))
    keys = keys.loc[keys.index.repeat([len(part) for part in parts])]
    runs = pd.concat(parts, ignore_index=True) if parts else running_mean([], confidence)
    return pd.concat([keys.reset_index(drop=True), runs], axis=1)


def add_needed(
    summary: pd.DataFrame, *, half_width: float | None = None, relative: float | None = None
) -> pd.DataFrame:
    """Add how many replications each row of a summary needs for an interval so narrow.

    Parameters
    ----------
    summary : DataFrame
        As `summarize` gives it.
    half_width, relative : float, optional
        Half of the interval that is narrow enough: in units of the output, or as a share of
        the absolute mean. With both, the wider one is enough.

    Returns
    -------
    DataFrame
        With a column ``needed`` more: replications in all. NaN where nothing is known: below
        two values, or a share of a mean of 0.

    Raises
    ------
    ValueError
        If neither is given, or one is not above 0.
    """
    wanted = [each for each in (half_width, relative) if each is not None]
    if not wanted or min(wanted) <= 0:
        raise ValueError("give half_width or relative, above 0")
    needed = [_needed(row, half_width, relative) for row in summary.to_dict("records")]
    return summary.assign(needed=np.array(needed, dtype=float))


def _needed(row: Any, half_width: float | None, relative: float | None) -> float:
    aim = max(half_width or 0.0, abs(row["mean"]) * (relative or 0.0))
    estimate = Estimate(
        row["mean"], row["t_low"], row["t_high"], row["n"], row["sd"], row["confidence"]
    )
    if not estimate.has_interval or not aim > 0:
        return np.nan
    return replications_needed(estimate, aim)
