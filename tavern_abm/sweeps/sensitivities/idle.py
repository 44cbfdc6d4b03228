"""Factors that do nothing at all, and points that have no value, each with the reason."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..estimating.cells import Cells
from ..estimating.varied import Varied

REASONS = ("not_played", "failed", "undefined")
"""Why a point has no value."""


def idle(factors: Sequence[Varied], cells: Cells) -> list[Varied]:
    """Factors at all of whose levels every run gave the same, to the last digit.

    Asked of points that differ in nothing but the factor: of a grid, and of the samples of
    Morris and Saltelli. Where a level never meets another so, nothing is known of it.

    Parameters
    ----------
    factors : sequence of Varied
        All that varies.
    cells : Cells
        The outcome.

    Returns
    -------
    list of Varied
        None of them where the outcome is the same everywhere.

    Examples
    --------
    >>> tells = Varied("talk.tell_prob", (0.1, 0.9, 0.1, 0.9), (0.1, 0.9), True)
    >>> rake = Varied("rake", (0, 0, 5, 5), (0, 5), True)
    >>> cells = Cells(np.array([[1.0, 3.0], [1.0, 3.0], [2.0, 7.0], [2.0, 7.0]]))
    >>> [each.label for each in idle([tells, rake], cells)]
    ['talk.tell_prob']
    """
    known = cells.values[np.isfinite(cells.values)]
    if not factors or not len(known) or np.ptp(known) == 0:
        return []
    codes = np.column_stack([each.codes for each in factors])
    return [each for place, each in enumerate(factors) if _is_idle(codes, place, cells.values)]


def _is_idle(codes: NDArray[np.int64], place: int, values: NDArray[np.float64]) -> bool:
    order, is_pair = _neighbours(codes, place)
    first, second = order[:-1][is_pair], order[1:][is_pair]
    met = np.union1d(codes[first, place], codes[second, place])
    if len(met) < len(np.unique(codes[:, place])):
        return False
    return bool(np.array_equal(values[first], values[second], equal_nan=True))


def _neighbours(
    codes: NDArray[np.int64], place: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Points in order, and where two in a row differ in this factor only."""
    others = np.delete(codes, place, axis=1)
    order = np.lexsort((codes[:, place], *others.T))
    is_alike = (others[order[:-1]] == others[order[1:]]).all(axis=1)
    differ = codes[order[:-1], place] != codes[order[1:], place]
    return np.asarray(order, dtype=np.int64), np.asarray(is_alike & differ, dtype=np.bool_)


def lacking(cells: Cells, runs: pd.DataFrame) -> dict[str, int]:
    """How many points have no value, by the reason.

    Parameters
    ----------
    cells : Cells
        The outcome.
    runs : DataFrame
        ``scenario_id`` and ``status`` of what was played.

    Returns
    -------
    dict
        "not_played" (no run of it), "failed" (all its runs), "undefined" (runs were finished,
        and the outcome is not defined in any); only those that there are.
    """
    lack = cells.n == 0
    if not lack.any():
        return {}
    shape = len(lack)
    ids = runs["scenario_id"].to_numpy(np.int64)
    played = np.bincount(ids, minlength=shape) > 0
    is_done = (runs["status"] == "done").to_numpy()
    done = np.bincount(ids[is_done], minlength=shape) > 0
    counts = (lack & ~played, lack & played & ~done, lack & done)
    found = {name: int(each.sum()) for name, each in zip(REASONS, counts, strict=True)}
    return {name: n for name, n in found.items() if n}
