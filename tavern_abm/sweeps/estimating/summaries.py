"""What came of each point of a sweep: means with their intervals, and where the runs fell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from . import estimates
from .estimates import CONFIDENCE, Floats
from .groups import Groups, Tables, groups_of, outputs_of
from .resampling import bootstrap_bounds
from .simultaneous import bonferroni

SHARES = {"median": 0.5, "p05": 0.05, "p25": 0.25, "p75": 0.75, "p95": 0.95}
COUNTS = ("n", "n_failed", "n_undefined")
NUMBERS = ("mean", "sd", "se", "t_low", "t_high", "boot_low", "boot_high", *SHARES)
COLUMNS = ("output", *COUNTS, *NUMBERS, "confidence")
"""Columns of a summary after those that name the point."""


def summarize(
    tables: Tables,
    *,
    confidence: float = CONFIDENCE,
    outputs: Sequence[str] | None = None,
    by: Sequence[str] | None = None,
    simultaneous: bool = False,
    tell: Callable[[str], object] | None = None,
) -> pd.DataFrame:
    """Estimates of every output at every point.

    Parameters
    ----------
    tables : Tables
        With ``runs`` and ``outcomes``: a store that was read, or what `sweep` gave.
    confidence : float, default 0.95
        Of the intervals.
    outputs : sequence of str, optional
        Only these; ``TOP/BOTTOM`` for a ratio of the sums of two of them.
    by : sequence of str, optional
        Parameters: points that agree in them are taken together, each point with the same
        weight, and luck is told apart by whole replications.
    simultaneous : bool, default False
        Widen the intervals (Bonferroni) until all of them hold together with `confidence`.
    tell : callable, optional
        Is told the name of each output when it is done: bootstrap intervals take a few
        milliseconds each.

    Returns
    -------
    DataFrame
        Output by output, a row a point: ``scenario_id`` and the parameters (with `by`: those,
        and ``points``, how many of the points have a value), ``output``, and then

        - ``n`` values, ``n_failed`` runs, ``n_undefined`` runs whose value is not defined
        - ``mean``, ``sd`` (between replications), ``se`` of the mean
        - ``t_low``, ``t_high``: Student's t; NaN where n is below 2
        - ``boot_low``, ``boot_high``: bootstrap; NaN where n is below 50
        - ``median``, ``p05``, ``p25``, ``p75``, ``p95`` of the runs
        - ``confidence`` of each interval

        A parameter that is called like one of these columns has ``_set`` added to its name.

    Raises
    ------
    SweepError
        If there is no such output or parameter.
    ValueError
        If `confidence` is not between 0 and 1.
    """
    estimates.verify_confidence(confidence)
    names = outputs_of(tables, outputs)
    groups = groups_of(tables, by)
    values = {name: groups.values(name) for name in names}
    each = confidence
    if simultaneous:
        each = bonferroni(confidence, sum(map(_n_intervals, values.values())))
    parts = []
    for name in names:
        parts.append(_of_output(groups, name, values[name], each))
        if tell is not None:
            tell(name)
    if not parts:
        return pd.DataFrame(columns=[*groups.keys_beside(COLUMNS).columns, *COLUMNS])
    return pd.concat(parts, ignore_index=True)


def _n_intervals(matrix: Floats) -> int:
    """How many intervals have a width: equal values have none that could hold or miss."""
    return sum(int((estimates.moments(rows)[1] > 0).sum()) for _, rows in whole_rows(matrix))


def _of_output(groups: Groups, output: str, matrix: Floats, confidence: float) -> pd.DataFrame:
    columns: dict[str, Any] = {} if groups.is_of_points else {"points": groups.n_points(output)}
    columns |= {
        "output": output,
        "n": np.isfinite(matrix).sum(axis=1),
        "n_failed": groups.n_failed,
        "n_undefined": groups.n_done - groups.n_defined(output),
    }
    columns |= (
        _means(matrix, confidence) | _quantiles(groups.pooled(output)) | {"confidence": confidence}
    )
    keys = groups.keys_beside((*COLUMNS, "points"))
    return pd.concat([keys, pd.DataFrame(columns, index=keys.index)], axis=1)


def _means(matrix: Floats, confidence: float) -> dict[str, Floats]:
    names = ("mean", "sd", "se", "t_low", "t_high", "boot_low", "boot_high")
    found = {name: np.full(len(matrix), np.nan) for name in names}
    for at, rows in whole_rows(matrix):
        n = rows.shape[1]
        mean, sd = estimates.moments(rows)
        low, high = estimates.t_bounds(mean, sd, n, confidence)
        boot = bootstrap_bounds(rows, confidence)
        for name, column in zip(names, (mean, sd, sd / np.sqrt(n), low, high, *boot), strict=True):
            found[name][at] = column
    return found


def _quantiles(matrix: Floats) -> dict[str, Floats]:
    found = {name: np.full(len(matrix), np.nan) for name in SHARES}
    for at, rows in whole_rows(matrix):
        columns = np.quantile(rows, list(SHARES.values()), axis=1)
        for name, column in zip(SHARES, columns, strict=True):
            found[name][at] = column
    return found


def whole_rows(matrix: Floats) -> Iterator[tuple[NDArray[np.int64], Floats]]:
    """Rows with equally many values, those values alone, and which rows they are.

    Rows without any are left out.
    """
    is_there = np.isfinite(matrix)
    counts = is_there.sum(axis=1)
    for count in np.unique(counts[counts > 0]).tolist():
        at = np.flatnonzero(counts == count)
        yield at, matrix[at][is_there[at]].reshape(len(at), count)
