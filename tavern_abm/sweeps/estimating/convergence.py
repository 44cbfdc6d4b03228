"""How the mean settled as replications were added, and how many more are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from ..design import Auto
from .estimates import (
    CONFIDENCE,
    Estimate,
    aim_of,
    finite,
    replications_needed,
    verify_confidence,
    with_t,
)
from .groups import Tables, groups_of, outputs_of

MEANS = ("mean", "t_low", "t_high", "n", "sd", "confidence")
CHANGES = ("change", "low", "high", "n", "sd", "confidence")
"""Columns of a summary, and of differences, that make an estimate."""
NARROW, WIDE = "narrow", "wide"
"""How a point ends that is played until its interval is narrow."""


def running_mean(values: ArrayLike, confidence: float = CONFIDENCE) -> pd.DataFrame:
    """The mean of the first n values, with its t interval, for every n.

    Each interval is right for a number of replications settled beforehand. To stop at the
    first n whose interval looks well is another matter: see the coverage of stopping rules
    in the explanation of intervals.

    Parameters
    ----------
    values : array-like of float
        In order of replications. What is not finite is left out.
    confidence : float, default 0.95
        Of the intervals, above 0 and below 1.

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
    table: pd.DataFrame, *, half_width: float | None = None, relative: float | None = None
) -> pd.DataFrame:
    """Add how many replications each row needs for an interval so narrow.

    Parameters
    ----------
    table : DataFrame
        As `summarize` or `differences` gives it.
    half_width, relative : float, optional
        Half of the interval that is narrow enough: in units of the output, or as a share of
        the absolute mean, or of the absolute change. With both, the wider one is enough.

    Returns
    -------
    DataFrame
        With a column ``needed`` more: replications in all, of a difference those of either
        point. NaN where nothing is known: below two values, of values that are all equal, or
        a share of a mean of 0.

    Raises
    ------
    ValueError
        If neither is given, or one is not above 0.
    """
    wanted = [each for each in (half_width, relative) if each is not None]
    if not wanted or min(wanted) <= 0:
        raise ValueError("give half_width or relative, above 0")
    columns = CHANGES if "change" in table else MEANS
    estimates = [Estimate(*row) for row in table[list(columns)].itertuples(index=False)]
    needed = [_needed(each, half_width, relative) for each in estimates]
    return table.assign(needed=np.array(needed, dtype=float))


def _needed(estimate: Estimate, half_width: float | None, relative: float | None) -> float:
    aim = aim_of(estimate.value, half_width, relative)
    if not estimate.sd > 0 or not aim > 0:
        return np.nan
    return replications_needed(estimate, aim)


def add_stopped(summary: pd.DataFrame, auto: Auto) -> pd.DataFrame:
    """Add how it ended with the points of a sweep that is played until it is narrow.

    Parameters
    ----------
    summary : DataFrame
        As `summarize` gives it, of points.
    auto : Auto
        What was asked.

    Returns
    -------
    DataFrame
        With a column ``stopped`` more: "narrow" where the interval of the watched output is
        as narrow as asked, "wide" where it is not after `at_most` replications; missing of
        points that go on, and of other outputs.
    """
    stopped = [_stopped(row, auto) for row in summary.to_dict("records")]
    return summary.assign(stopped=np.array(stopped, dtype=object))


def _stopped(row: Any, auto: Auto) -> str | None:
    if row["output"] != auto.output:
        return None
    found = with_t(row["mean"], row["sd"], row["n"], auto.confidence)
    is_known = found.n >= auto.at_least and found.sd > 0
    if is_known and found.half <= aim_of(found.value, auto.half_width, auto.relative):
        return NARROW
    played = row["n"] + row["n_failed"] + row["n_undefined"]
    return WIDE if played >= auto.at_most else None
