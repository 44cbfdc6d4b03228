"""Checks of a design before anything is played: counts, overlaps, every level tried once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ...scenario.problems import nearest, shown
from ..design import Auto, Factor
from .factors import counted, inside, overlapping
from .places import At, Places
from .points import Grid, Listed, twins
from .sampling import POWERS, is_power, n_points, near_powers

if TYPE_CHECKING:
    from ...scenario import Scenario
    from .design_tables import DesignTable
    from .schema import DesignWords

MOST_POINTS = 1_000_000
MOST_RUNS = 20_000_000
MOST_TRIED = 2000
"""Of longer lists of points the corners are tried, and some between."""
SECONDS = 2.0
"""No longer for each factor: one try of a large town takes a tenth of a second."""
_ONCE = "leave one out (replicates say how often a point is played)"
_OF_PATHS = ("unknown field", "no such entry", "is a list:", "is no table")
"""What a scenario says of a path, whatever the value."""


def verify_factors(factors: Sequence[Factor], fixed: Mapping[str, At], places: Places) -> None:
    """See that no two factors set the same field, and none undoes a fixed setting.

    Parameters
    ----------
    fixed : mapping of str to tuple
        Paths that are the same in all points, and where that is said.

    Raises
    ------
    SweepError
        It names both.
    """
    overlap = overlapping(factors)
    if overlap is not None:
        first, second, path, other = overlap
        line = places.line(("factors", first, "path"))
        where = f" (line {line})" if line else ""
        does = f"varies already{where}" if path == other else f"overlaps with {path}{where}"
        raise places.error(("factors", second, "path"), f"{does}; each field may vary once", other)
    verify_labels(factors, places)
    for number, path in ((k, path) for k, each in enumerate(factors) for path in each.paths):
        for setting, at in fixed.items():
            if inside(setting, path):
                line = places.line(("factors", number, "path"))
                where = f" (line {line})" if line else ""
                text = f"is set for all points, and varied as {path}{where}; leave one out"
                raise places.error(at, text, setting)


def verify_columns(paths: Sequence[str], at: At, places: Places) -> None:
    """See that points which came one by one set no field twice.

    Raises
    ------
    SweepError
        It names both paths.
    """
    overlap = overlapping([Factor((path,), path) for path in paths])
    if overlap is not None:
        first, second = overlap[2:]
        text = f"overlaps with {first}, which the points set as well; leave one out"
        raise places.error(at, text, second)


def verify_different(points: Listed, places: Places) -> None:
    """See that no point of a list stands there twice.

    Raises
    ------
    SweepError
        It names both.
    """
    found = twins({path: points.column(path) for path in points.paths}, len(points))
    if found is not None:
        first, second = found
        line = places.line(("points", first))
        where = f" (line {line})" if line else ""
        text = f"sets the same as points.{first}{where}; {_ONCE}"
        raise places.error(("points", second), text)


def verify_different_rows(table: DesignTable) -> None:
    """See that no point of a table stands there twice.

    Raises
    ------
    SweepError
        It names both rows.
    """
    found = twins(table.columns, len(next(iter(table.columns.values()))))
    if found is not None:
        first, second = found
        raise table.error(second, f"sets the same as {table.row(first)}; {_ONCE}")


def verify_labels(factors: Sequence[Factor], places: Places) -> None:
    """See that tables and figures can tell the factors apart."""
    labels = [factor.label for factor in factors]
    for number, label in enumerate(labels):
        if label in labels[:number]:
            text = f"must differ from that of factors.{labels.index(label)} (got {label!r})"
            raise places.error(("factors", number, "label"), text)


def verify_grid(factors: Sequence[Factor], places: Places) -> None:
    """Count the points of a grid before any is made.

    Raises
    ------
    SweepError
        If there are too many; it says how many, and how to sample them instead.
    """
    n = len(Grid(factors)) if all(factor.levels for factor in factors) else 0
    if n > MOST_POINTS:
        text = (
            f"the grid has {counted(factors)}, more than {MOST_POINTS:,}; take fewer "
            'levels, or sample them: [sampling] method = "latin-hypercube", points = 1000'
        )
        raise places.error(("factors",), text, "")


def verify_sample(words: DesignWords, n_factors: int, places: Places) -> None:
    """See that a sample can be drawn, and is not too large.

    Raises
    ------
    SweepError
        It names the key.
    """
    asked = words.sampling
    keys = {"points": asked.points, "trajectories": asked.trajectories}
    key = "trajectories" if asked.method == "morris" else "points"
    n, at = keys.pop(key), ("sampling", key)
    for other, value in keys.items():
        if value is not None:
            text = f"method {asked.method!r} goes by {key} (got {other})"
            raise places.error(("sampling", other), text)
    if n is None:
        text = f"must be given for method {asked.method!r}: how many?"
        raise places.error(at, text)
    if asked.method in POWERS and not is_power(n):
        below, above = near_powers(n)
        text = f"must be a power of two for method {asked.method!r} (got {n}; near are {below}"
        raise places.error(at, f"{text} and {above})")
    if asked.method == "morris" and asked.levels % 2:
        text = f"must be an even number (got {asked.levels})"
        raise places.error(("sampling", "levels"), text)
    total = n_points(asked.method, n, n_factors, second_order=asked.second_order)
    if total > MOST_POINTS:
        text = f"makes {total:,} points (factors: {n_factors}), more than {MOST_POINTS:,}"
        raise places.error(at, text)


def verify_runs(n: int, replications: int | Auto, places: Places) -> None:
    """Count the runs.

    Raises
    ------
    SweepError
        If there are more than 20 million.
    """
    if n > MOST_POINTS:
        raise places.error(("points",), f"{n:,} points are more than {MOST_POINTS:,}", "")
    each = replications.at_most if isinstance(replications, Auto) else replications
    if n * each > MOST_RUNS:
        text = f"{n:,} points x {each:,} replicates are {n * each:,} runs, more than {MOST_RUNS:,}"
        raise places.error(("replicates",), f"{text}; take fewer of either", "")


def verify_outputs(words: DesignWords, names: Sequence[str], places: Places) -> None:
    """See that what is watched by [auto] is among the outputs.

    Parameters
    ----------
    names : sequence of str
        The columns of the outcomes.
    """
    if (words.replicates == "auto") != (words.auto is not None):
        raise _auto_alone(words, places)
    if words.auto is not None and words.auto.output not in names:
        given = words.auto.output
        guess = nearest(given, names)
        hint = f"did you mean '{guess}'?" if guess else f"outputs are {', '.join(names)}"
        text = f"is none of the outputs (got {shown(given)}; {hint})"
        raise places.error(("auto", "output"), text)


def _auto_alone(words: DesignWords, places: Places) -> Exception:
    if words.auto is None:
        text = "'auto' needs a table [auto]: output = ..., and half_width or relative"
        return places.error(("replicates",), text)
    text = f'goes with replicates = "auto" (got {words.replicates})'
    return places.error(("auto",), text)


def verify_levels(
    base: Scenario, points: Grid | Listed, factors: Sequence[Factor], places: Places
) -> None:
    """Let the scenario judge every level, the other factors being at their first.

    Of a sampled factor both ends are tried, and what is between. Combinations are not
    tried: a point that the scenario refuses all the same is a failed run.

    Raises
    ------
    SweepError
        What the scenario says, with the line of the design.
    """
    first = points[0]
    _try(base, first, partial(_blamed, factors, places), places)
    for number, factor in enumerate(factors):
        for key, values in in_time(_levels_to_try(factor)):
            settings = first | dict(zip(factor.paths, values, strict=True))
            if settings != first:
                at = _place(number, key, places)
                _try(base, settings, partial(_of_level, at), places)


def in_time[T](tries: Iterable[T], seconds: float = SECONDS) -> Iterator[T]:
    """As many of some tries as there is time for, the most telling ones coming first."""
    end = time.monotonic() + seconds
    for each in tries:
        yield each
        if time.monotonic() > end:
            return


def _levels_to_try(factor: Factor) -> Iterator[tuple[At, tuple[Any, ...]]]:
    if factor.levels is not None:
        for number in spread_out(len(factor.levels)):
            yield ("values", number), factor.levels[number]
        return
    for value in _between(factor):
        yield ("between",), tuple(value for _ in factor.paths)


def spread_out(n: int) -> list[int]:
    """Numbers below `n`, at most `MOST_TRIED`: the ends first, then halves, then quarters.

    Examples
    --------
    >>> spread_out(6)
    [0, 5, 4, 2, 1, 3]
    """
    numbers = range(0, n, -(-n // MOST_TRIED))
    width = n.bit_length()
    halving = sorted(numbers, key=lambda number: f"{number:0{width}b}"[::-1])
    return list(dict.fromkeys([0, n - 1, *halving]))


def _place(number: int, key: At, places: Places) -> At:
    """Where a level is said: by itself, or by a rule."""
    at: At = ("factors", number)
    return (*at, "range") if (*at, "range") in places.lines else (*at, *key)


def _between(factor: Factor) -> list[Any]:
    """Both bounds, and what is between them: no whole number, unless all are."""
    low, high = factor.low or 0, factor.high or 0
    if factor.is_whole:
        return [int(low), int(high), (int(low) + int(high)) // 2]
    return [float(low), float(high), low + (high - low) * 0.382]


def _of_level(at: At, field: str, text: str) -> At:
    return (*at[:2], "path") if any(mark in text for mark in _OF_PATHS) else at


def _blamed(factors: Sequence[Factor], places: Places, field: str, text: str) -> At:
    """The factor that a scenario complains of, by the field."""
    for number, factor in enumerate(factors):
        if any(inside(field, path) or inside(path, field) for path in factor.paths):
            key: At = ("between",) if factor.levels is None else ("values", 0)
            return _of_level(_place(number, key, places), field, text)
    return ("factors",)


def verify_points(base: Scenario, points: Listed, places: Places) -> None:
    """Let the scenario judge the points of a list, each as a whole."""
    from .design_tables import telling_rows

    for number in in_time(telling_rows(points.columns.values(), MOST_TRIED)):
        _try(base, points[number], partial(_of_point, number), places)


def _of_point(number: int, field: str, text: str) -> At:
    return ("points", number)


def verify_table(base: Scenario, table: DesignTable) -> None:
    """Let the scenario judge the points of a table."""
    from ...scenario import ScenarioError
    from ..errors import SweepError
    from .design_tables import telling_rows

    points = Listed(table.columns)
    for number in in_time(telling_rows(table.columns.values(), MOST_TRIED)):
        try:
            base.with_settings(points[number])
        except ScenarioError as error:
            first = error.problems[0]
            text = f"{first.field}: {first.problem}"
            if any(mark in first.problem for mark in _OF_PATHS):
                line = 1 if table.lines else None
                raise SweepError(f"column {text}", table.path, line) from None
            raise table.error(number, text) from None


def _try(
    base: Scenario,
    settings: Mapping[str, Any],
    blame: Callable[[str, str], At],
    places: Places,
) -> None:
    from ...scenario import ScenarioError

    try:
        base.with_settings(settings)
    except ScenarioError as error:
        first = error.problems[0]
        at = blame(first.field, first.problem)
        if at[-1] == "between" and first.problem.startswith("must be a whole number"):
            text = f"{first.problem}; say whole = true"
            raise places.error(at, text, first.field) from None
        raise places.refused(at, error) from None
