"""The runs of a sweep in groups: a point each, or all points that agree in some parameters.

What the summaries reckon with is a matrix: a row a group, a column a replication. With one
point a group its cells are the outcomes. With several they are the mean over the points,
each point by its own mean, so that a point that failed more often than others weighs no less;
points share their luck within a replication, and only whole replications are independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..errors import SweepError
from ..stores.store import RUN_COLUMNS
from .estimates import Floats
from .ratios import ratio_values

DONE, FAILED = "done", "failed"


class Tables(Protocol):
    """The tables of a store: runs, and their outcomes."""

    @property
    def runs(self) -> pd.DataFrame:
        """A row a run, with its parameters."""
        ...

    @property
    def outcomes(self) -> pd.DataFrame:
        """A row a run that was done, with a column an output."""
        ...


class Measured(NamedTuple):
    """What was measured, by point and replication: an outcome, or a ratio of two.

    Attributes
    ----------
    top : array of float, shape (n_points, n_replications)
        NaN where not played or not defined.
    bottom : array of float, the same shape, or None
        What it is divided by, in sums.
    """

    top: Floats
    bottom: Floats | None = None

    @property
    def is_there(self) -> NDArray[np.bool_]:
        """Which runs have a value; of a ratio, those of points where anything was counted."""
        if self.bottom is None:
            return np.isfinite(self.top)
        counted = np.nansum(self.bottom, axis=1, keepdims=True) != 0
        return np.asarray(np.isfinite(self.top) & counted, dtype=np.bool_)

    def together(self, points: NDArray[np.bool_]) -> Floats:
        """One value a replication of these points, so that their mean is that of the points.

        A ratio is that of the points' mean sums: of all cases, where none of their runs is
        missing.
        """
        if self.bottom is None:
            return means_by_replication(self.top[points])
        top, bottom = self.top[points], self.bottom[points]
        if len(top) == 1:
            return ratio_values(top[0], bottom[0])
        return ratio_values(means_by_replication(top), means_by_replication(bottom))


@dataclass(frozen=True)
class Groups:
    """Which runs belong together, and what they gave.

    Attributes
    ----------
    keys : DataFrame
        A row a group: ``scenario_id`` and all parameters, or the parameters grouped by.
    group : array of int, shape (n_points,)
        The group of each point; points in order of their ids.
    rest : array of int, shape (n_points,)
        The same number for points that agree in all parameters but those grouped by.
    n_done, n_failed : arrays of int, shape (n_groups,)
        Runs.
    replication_ids : array of int, shape (n_replications,)
        Columns of the matrices.
    is_luck_shared : bool
        Whether all runs of a replication have the same seed.
    """

    keys: pd.DataFrame
    group: NDArray[np.int64]
    rest: NDArray[np.int64]
    n_done: NDArray[np.int64]
    n_failed: NDArray[np.int64]
    replication_ids: NDArray[np.int64]
    is_luck_shared: bool
    _outcomes: pd.DataFrame
    _point: NDArray[np.int64]
    _replication: NDArray[np.int64]

    def __len__(self) -> int:
        """How many there are."""
        return len(self.keys)

    def keys_beside(self, columns: Sequence[str]) -> pd.DataFrame:
        """`keys`; a parameter called like one of `columns` has ``_set`` added to its name."""
        names = set(self.keys.columns) & set(columns)
        return self.keys.rename(columns={name: f"{name}_set" for name in names})

    @property
    def is_of_points(self) -> bool:
        """Whether every group is one point."""
        return "scenario_id" in self.keys

    def by_point(self, output: str) -> Measured:
        """Outcomes of every point.

        Of a ratio of sums (see `outputs_of`) both sums, where both are there.
        """
        sums = self._sums(output)
        if sums is None:
            return Measured(self._matrix(output))
        top, bottom = map(self._matrix, sums)
        lacks = np.isnan(top) | np.isnan(bottom)
        top[lacks] = bottom[lacks] = np.nan
        return Measured(top, bottom)

    def by_run(self, output: str) -> Floats:
        """The same, but of a ratio of sums that of each run."""
        sums = self._sums(output)
        if sums is None:
            return self._matrix(output)
        top, bottom = map(self._matrix, sums)
        found = np.full(top.shape, np.nan)
        np.divide(top, bottom, out=found, where=bottom != 0)
        return found

    def _sums(self, output: str) -> tuple[str, str] | None:
        return _sums(output, list(self._outcomes.columns))

    def _matrix(self, output: str) -> Floats:
        matrix = np.full((len(self.group), len(self.replication_ids)), np.nan)
        values = self._outcomes[output].to_numpy(float, na_value=np.nan)
        matrix[self._point, self._replication] = np.where(np.isfinite(values), values, np.nan)
        return matrix

    def values(self, output: str) -> Floats:
        """What means are taken of, shape (n_groups, n_replications), NaN where there is none.

        The mean of a row is the mean of the group, and its values are independent.
        """
        measured = self.by_point(output)
        if self.is_of_points and measured.bottom is None:
            return measured.top
        rows = [measured.together(self.group == group) for group in range(len(self))]
        return np.array(rows).reshape(len(self), len(self.replication_ids))

    def n_points(self, output: str) -> NDArray[np.int64]:
        """How many points of each group have a value, shape (n_groups,)."""
        has_any = self.by_point(output).is_there.any(axis=1)
        return np.bincount(self.group[has_any], minlength=len(self))

    def n_defined(self, output: str) -> NDArray[np.int64]:
        """How many runs of each group have a value, shape (n_groups,)."""
        counts = self.by_point(output).is_there.sum(axis=1)
        return np.bincount(self.group, counts, minlength=len(self)).astype(np.int64)

    def pooled(self, output: str) -> Floats:
        """All outcomes of each group, shape (n_groups, most runs of a group), filled with NaN."""
        matrix = self.by_run(output)
        if self.is_of_points:
            return matrix
        rows = [matrix[self.group == group].ravel() for group in range(len(self))]
        filled = np.full((len(rows), max(map(len, rows), default=0)), np.nan)
        for row, values in zip(filled, rows, strict=True):
            row[: len(values)] = values
        return filled


def means_by_replication(matrix: Floats) -> Floats:
    """One value a replication, so that their mean is the mean of the points' means.

    Where all is there it is the plain mean over the points, replication by replication. Else
    it is the mean of the points' means, and what the replication adds to it by how far its
    runs lie from the means of their points.

    Parameters
    ----------
    matrix : array of float, shape (n_points, n_replications)
        NaN where there is no value.

    Examples
    --------
    >>> means_by_replication(np.array([[1.0, 3.0], [10.0, 20.0]])).tolist()
    [5.5, 11.5]
    """
    is_there = np.isfinite(matrix)
    counts = is_there.sum(axis=1, keepdims=True)
    matrix, is_there, counts = (each[counts[:, 0] > 0] for each in (matrix, is_there, counts))
    has_any = is_there.any(axis=0)
    if not has_any.any():
        return np.full(matrix.shape[1], np.nan)
    means = np.nansum(matrix, axis=1, keepdims=True) / counts
    shares = np.where(is_there, matrix - means, 0.0) / counts
    added = shares.sum(axis=0) * (has_any.sum() / len(matrix))
    return np.where(has_any, means.mean() + added, np.nan)


def groups_of(tables: Tables, by: Sequence[str] | None = None) -> Groups:
    """Group the runs of a sweep.

    Parameters
    ----------
    tables : Tables
        With ``runs`` and ``outcomes``.
    by : sequence of str, optional
        Parameters; points that agree in all of them are one group. Without it every point
        is one.

    Raises
    ------
    SweepError
        If there is no such parameter.
    """
    runs = tables.runs
    paths = paths_of(runs)
    ids, first = np.unique(runs["scenario_id"].to_numpy(np.int64), return_index=True)
    points = runs[["scenario_id", *paths]].iloc[first].reset_index(drop=True)
    group = rest = np.arange(len(ids), dtype=np.int64)
    keys = points
    if by is not None:
        wanted = [path_named(each, paths) for each in dict.fromkeys(by)]
        group = _numbered(points, wanted)
        rest = _numbered(points, [path for path in paths if path not in wanted])
        keys = points[wanted].iloc[np.unique(group, return_index=True)[1]].reset_index(drop=True)
    replications = np.unique(runs["replication_id"].to_numpy(np.int64))
    of_run = group[np.searchsorted(ids, runs["scenario_id"].to_numpy(np.int64))]
    outcomes = tables.outcomes
    return Groups(
        keys,
        group,
        rest,
        np.bincount(of_run[(runs["status"] == DONE).to_numpy(bool)], minlength=len(keys)),
        np.bincount(of_run[(runs["status"] == FAILED).to_numpy(bool)], minlength=len(keys)),
        replications,
        bool(runs.groupby("replication_id")["seed"].nunique().max() == 1) if len(runs) else True,
        outcomes,
        np.searchsorted(ids, outcomes["scenario_id"].to_numpy(np.int64)),
        np.searchsorted(replications, outcomes["replication_id"].to_numpy(np.int64)),
    )


def _numbered(points: pd.DataFrame, paths: Sequence[str]) -> NDArray[np.int64]:
    """The same number for points that agree in all of these; in the order of the points."""
    if not paths:
        return np.zeros(len(points), dtype=np.int64)
    numbers = points.groupby(list(paths), sort=False, dropna=False).ngroup()
    return np.asarray(numbers, dtype=np.int64)


def paths_of(runs: pd.DataFrame) -> list[str]:
    """The parameters among the columns of a table of runs."""
    return [name for name in runs.columns if name not in RUN_COLUMNS]


def outputs_of(tables: Tables, wanted: Sequence[str] | None = None) -> list[str]:
    """Names of outputs: those wanted, or all.

    ``TOP/BOTTOM`` of two outputs is a ratio of sums, such as
    ``convictions_just/convictions``: of all convictions at a point, not the mean over runs.

    Raises
    ------
    SweepError
        If the sweep has no such output.
    """
    known = [name for name in tables.outcomes.columns if name not in RUN_COLUMNS]
    if wanted is None:
        return known
    for name in wanted:
        if name not in known and _sums(name, known) is None:
            raise SweepError(f"no output '{name}'; {_nearest(name, known)}")
    return list(dict.fromkeys(wanted))


def _sums(name: str, known: Sequence[str]) -> tuple[str, str] | None:
    """The two outputs of a ratio; None where it is none."""
    for place in (place for place, letter in enumerate(name) if letter == "/"):
        top, bottom = name[:place].strip(), name[place + 1 :].strip()
        if name not in known and top in known and bottom in known:
            return top, bottom
    return None


def path_named(name: str, paths: Sequence[str]) -> str:
    """The parameter that is meant: by its path, or by the end of it where only one ends so.

    Raises
    ------
    SweepError
        If there is none, or there are several.

    Examples
    --------
    >>> path_named("custom", ["taverns.0.custom", "minds.tau"])
    'taverns.0.custom'
    """
    if name in paths:
        return name
    ending = [path for path in paths if path.endswith(f".{name}")]
    if len(ending) == 1:
        return ending[0]
    if ending:
        raise SweepError(f"'{name}' may be any of {', '.join(ending)}; name one of them")
    raise SweepError(f"no parameter '{name}' varies; {_nearest(name, paths)}")


def _nearest(name: str, known: Sequence[str]) -> str:
    from ...scenario.problems import nearest

    close = nearest(name, known)
    if close:
        return f"did you mean '{close}'?"
    return f"there are {', '.join(known)}" if known else "there are none"


def point_text(point: Any) -> str:
    """A point in words, such as ``custom = orc, rake_bp = 500``."""
    return ", ".join(f"{path.rpartition('.')[2]} = {value}" for path, value in point.items())
