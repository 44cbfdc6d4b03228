"""What an outcome does along a factor: means by level, and how far each factor moves it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..estimating.cells import Cells
from ..estimating.estimates import mean_t, t_quantile
from ..estimating.varied import Varied
from .luck import widened
from .shares import is_full_grid

BINS = 8
POINTS_A_GROUP = 5
MOST_MADE_UP = 0.2
"""Of the points of a grid at most so many may lack and be filled in."""
LEVELS = ["x", "level", "mean", "low", "high", "n_points"]
SWINGS = [
    *("factor", "low_level", "high_level", "low_mean", "high_mean"),
    *("swing", "low", "high", "way"),
]
type Swing = tuple[str, str, str, float, float, float, float, float, str]
type Floats = NDArray[np.float64]


def by_level(factor: Varied, cells: Cells, confidence: float = 0.95) -> pd.DataFrame:
    """Mean of an outcome at each level of a factor of a full grid, over all the others.

    Every point counts alike. The interval says how sure the mean is over other luck: runs
    of one replication go together where they share their luck, else each stands for itself.

    Parameters
    ----------
    factor : Varied
        Of few levels.
    cells : Cells
        The outcome.
    confidence : float, default 0.95
        Of the intervals.

    Returns
    -------
    DataFrame
        A row a level that has a value: ``x`` (the level as a number, or its place), ``level``
        (in words), ``mean``, ``low``, ``high`` (NaN with one replication), ``n_points``.
    """
    is_there = np.isfinite(cells.means)
    rows = []
    for number, level in enumerate(factor.levels):
        chosen = is_there & (factor.codes == number)
        if chosen.any():
            weights = chosen / chosen.sum()
            x = float(level) if factor.is_number else float(number)
            mean = float(cells.means[chosen].mean())
            half = half_width(weights, cells, confidence)
            row = (x, factor.name_of(level), mean, mean - half, mean + half, int(chosen.sum()))
            rows.append(row)
    return pd.DataFrame(rows, columns=LEVELS)


def by_point(factor: Varied, cells: Cells, confidence: float = 0.95) -> pd.DataFrame:
    """Mean of an outcome along a factor whose levels do not all meet the same others.

    In a sample, the points of one level differ from those of another in the other factors,
    too; so the interval is that of a mean of points. Where these share their luck, what
    another draw of replications would do to all of them is added to it: it does not shrink
    with more points. A factor of many numbers is sorted into `BINS` groups of like size.

    Returns
    -------
    DataFrame
        As of `by_level`; ``x`` is the mean of the factor in a group. With one replication
        that all points share, the interval is over points only.
    """
    is_there = np.isfinite(cells.means)
    y = cells.means[is_there]
    rows = []
    for name, group in _groups(factor, is_there):
        mean = mean_t(y[group], confidence)
        weights = np.zeros(len(y))
        weights[group] = 1 / len(group)
        more = _over_luck(weights, cells, confidence)
        low, high = widened(mean.value, mean.low, mean.high, more)
        x = factor.unscaled(float(factor.scaled[is_there][group].mean()))
        rows.append((x, name, mean.value, low, high, mean.n))
    return pd.DataFrame(rows, columns=LEVELS)


def _over_luck(weights: Floats, cells: Cells, confidence: float) -> float:
    """Half of the interval of a sum of point means over the luck that points share.

    `weights` are of the points that have a value. 0 where each run has luck of its own: the
    scatter of the points holds it already; and with one replication, which tells nothing.
    """
    if cells.luck == "own" or cells.values.shape[1] < 2:
        return 0.0
    every = np.zeros(len(cells.means))
    every[np.isfinite(cells.means)] = weights
    return half_width(every, cells, confidence)


def _groups(factor: Varied, is_there: NDArray[np.bool_]) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """Places among the points that are there, by level or by like value."""
    if not factor.is_sampled:
        for number, level in enumerate(factor.levels):
            group = np.flatnonzero(factor.codes[is_there] == number)
            if len(group):
                yield factor.name_of(level), group
        return
    x = factor.numbers[is_there]
    order = np.argsort(x, kind="stable")
    for group in np.array_split(order, min(BINS, max(1, len(order) // 4))):
        if len(group):
            yield f"{x[group].min():.3g} to {x[group].max():.3g}", group


def half_width(weights: Floats, cells: Cells, confidence: float) -> float:
    """Half of the interval of a weighted sum of point means.

    Parameters
    ----------
    weights : array of float, shape (points,)
        Of the mean of each point; 0 for one without values.
    cells : Cells
        The outcome.
    confidence : float
        Such as 0.95.

    Returns
    -------
    float
        NaN with one replication.

    Notes
    -----
    With shared luck the sum is a mean over replications, and this is Student's t interval of
    them; where runs lack, each replication counts by what it moves (its influence). With luck
    of its own each run counts for itself, and Welch's degrees of freedom are taken.
    """
    n_replications = cells.values.shape[1]
    moved = weights[:, np.newaxis] * cells.influences()
    if n_replications < 2:
        return float("nan")
    if cells.luck == "shared":
        variance = (moved.sum(axis=0) ** 2).sum() * n_replications / (n_replications - 1)
        freedom = float(n_replications - 1)
    else:
        n = cells.n
        parts = (moved**2).sum(axis=1) * n / np.maximum(n - 1, 1)
        variance = parts.sum()
        each = (parts**2 / np.maximum(n - 1, 1)).sum()
        freedom = variance**2 / each if each > 0 else 1.0
    return float(np.sqrt(variance) * t_quantile(confidence, freedom))


def swings(factors: Sequence[Varied], cells: Cells, confidence: float = 0.95) -> pd.DataFrame:
    """How far each factor moves an outcome, in the outcome's own units.

    On a full grid: from the level with the lowest mean to the one with the highest. Of other
    designs: the same of an additive fit to the means of the points, in which a sampled factor
    has `BINS` groups of neighbours. With fewer than `POINTS_A_GROUP` points for each level and
    group, factors of numbers are straight lines instead, from the lowest to the highest value.

    Returns
    -------
    DataFrame
        The one that moves most first: ``factor`` (label), ``low_level``, ``high_level`` (in
        words: where the outcome is lowest and highest), ``low_mean``, ``high_mean``,
        ``swing`` (their difference) and ``low``, ``high``, its interval: over luck on a grid,
        over points and the luck that they share elsewhere; ``way``: "levels", "groups" or
        "line", whichever its ends are.

    Notes
    -----
    The two levels are chosen by their means, so the swing of a factor that does nothing is
    above 0; the interval does not know of the choice. A line cannot see what first rises and
    then falls; groups miss a little at either end.
    """
    if is_full_grid(factors):
        rows = [_swing_of_levels(each, cells, confidence) for each in factors]
    else:
        rows = list(_swings_of_fit(factors, cells, confidence))
    table = pd.DataFrame([row for row in rows if row], columns=SWINGS)
    return table.sort_values("swing", ascending=False, kind="stable", ignore_index=True)


def _swing_of_levels(factor: Varied, cells: Cells, confidence: float) -> Swing | None:
    is_there = np.isfinite(cells.means)
    chosen = [is_there & (factor.codes == number) for number in range(len(factor.levels))]
    if not all(each.any() for each in chosen):
        return None
    means = [float(cells.means[each].mean()) for each in chosen]
    least, most = int(np.argmin(means)), int(np.argmax(means))
    weights = chosen[most] / chosen[most].sum() - chosen[least] / chosen[least].sum()
    half = half_width(weights, cells, confidence)
    names = (factor.name_of(factor.levels[least]), factor.name_of(factor.levels[most]))
    return _swing(factor, names, (means[least], means[most]), (half, 0.0), "levels")


def _swings_of_fit(
    factors: Sequence[Varied], cells: Cells, confidence: float
) -> Iterator[Swing | None]:
    """Each factor's part of an additive fit, the others at their middle."""
    is_there = np.isfinite(cells.means)
    y = cells.means[is_there]
    in_groups = _is_enough_for_groups(factors, len(y))
    parts = [_part(each, is_there, in_groups=in_groups) for each in factors]
    columns = np.column_stack([np.ones(len(y)), *(part for part, _ in parts)])
    freedom = len(y) - int(np.linalg.matrix_rank(columns))
    if not parts or freedom < 1:
        return
    inverse = np.linalg.pinv(columns.T @ columns)
    fit = inverse @ columns.T @ y
    noise = float(((y - columns @ fit) ** 2).sum()) / freedom
    quantile = t_quantile(confidence, freedom)
    first = 1
    for factor, (part, names) in zip(factors, parts, strict=True):
        mine = slice(first, first + part.shape[1])
        first += part.shape[1]
        heights = fit[0] + part @ fit[mine]
        least, most = int(heights.argmin()), int(heights.argmax())
        along = part[most] - part[least]
        half = quantile * float(np.sqrt(noise * along @ inverse[mine, mine] @ along))
        weights = along @ (inverse @ columns.T)[mine]
        halves = (half, _over_luck(weights, cells, confidence))
        means = (float(heights[least]), float(heights[most]))
        way = _way(factor, in_groups=in_groups)
        yield _swing(factor, (names[least], names[most]), means, halves, way)


def _way(factor: Varied, *, in_groups: bool) -> str:
    if factor.is_number and not in_groups:
        return "line"
    return "groups" if factor.is_sampled else "levels"


def _part(
    factor: Varied, is_there: NDArray[np.bool_], *, in_groups: bool
) -> tuple[Floats, list[str]]:
    """Columns of an additive fit, each with mean 0, and what the factor is at each point."""
    if factor.is_number and not in_groups:
        numbers = factor.scaled[is_there]
        reach = float(np.ptp(numbers)) or 1.0
        names = [factor.name_of(value) for value in factor.numbers[is_there].tolist()]
        columns = (numbers / reach)[:, np.newaxis]
    else:
        groups = list(_groups(factor, is_there))
        columns = np.zeros((int(is_there.sum()), len(groups)))
        names = [""] * len(columns)
        for number, (name, group) in enumerate(groups):
            columns[group, number] = 1
            mean = factor.unscaled(float(factor.scaled[is_there][group].mean()))
            middle = f"about {mean:.3g}"
            for place in group.tolist():
                names[place] = middle if factor.is_sampled else name
        columns = columns[:, 1:]
    return np.asarray(columns - columns.mean(axis=0)), names


def _is_enough_for_groups(factors: Sequence[Varied], n_points: int) -> bool:
    """Whether there are points for a mean of every level and group, not for lines only."""
    n_groups = sum(BINS if each.is_sampled else len(each.levels) for each in factors)
    return n_points >= POINTS_A_GROUP * n_groups


def _swing(
    factor: Varied,
    levels: tuple[str, str],
    means: tuple[float, float],
    halves: tuple[float, float],
    way: str,
) -> Swing:
    swing, half = means[1] - means[0], math.hypot(*halves)
    return (factor.label, *levels, *means, swing, swing - half, swing + half, way)


def filled(factors: Sequence[Varied], cells: Cells) -> tuple[Cells, int]:
    """Fill in the few points of a full grid that have no value, as if effects added up.

    Without them the levels could not be compared: each would be met by other levels of the
    others. Each gets what the additive fit to the rest expects (Yates's missing plots).

    Returns
    -------
    cells : Cells
        The outcome; as it was where nothing lacks, too much does, or the design is no grid.
    n_filled : int
        Points filled in.

    References
    ----------
    .. [1] F. Yates, "The analysis of replicated experiments when the field results are
       incomplete", Empire Journal of Experimental Agriculture 1 (1933) 129-142.
    """
    lacks = cells.n == 0
    if not lacks.any() or lacks.mean() > MOST_MADE_UP or not is_full_grid(factors):
        return cells, 0
    design = np.column_stack(
        [np.ones(len(lacks))]
        + [each.codes == level for each in factors for level in range(1, len(each.levels))]
    )
    if np.linalg.matrix_rank(design[~lacks]) < design.shape[1]:
        return cells, 0
    fit = np.linalg.lstsq(design[~lacks], cells.means[~lacks], rcond=None)[0]
    away = cells.values[~lacks] - cells.means[~lacks, np.newaxis]
    n = np.isfinite(away).sum(axis=0)
    luck = np.divide(np.nansum(away, axis=0), n, out=np.full(len(n), np.nan), where=n > 0)
    values = cells.values.copy()
    values[lacks] = (design[lacks] @ fit)[:, np.newaxis] + luck - np.nanmean(luck)
    return Cells(values, cells.luck), int(lacks.sum())
