"""Factors: from what a design says of them to their levels or bounds."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from ...scenario.problems import shown
from ..design import Factor
from .points import plain

MOST_LEVELS = 1_000_000


def levels_of_range(
    first: float, last: float, step: float | None = None, levels: int | None = None
) -> list[Any]:
    """Numbers from `first` to `last`, by a step or so many of them; both ends belong to it.

    Whole numbers stay whole, and steps do not gather rounding errors.

    Parameters
    ----------
    first, last : int or float
        The range may go down: then the step is below 0.
    step : int or float, optional
        A last number that no step falls on is left out.
    levels : int, optional
        Instead of `step`, how many; at least 2.

    Raises
    ------
    ValueError
        If the range never ends, or would have more than a million levels.

    Examples
    --------
    >>> levels_of_range(0, 0.3, step=0.1)
    [0.0, 0.1, 0.2, 0.3]
    >>> levels_of_range(0, 1000, levels=5)
    [0, 250, 500, 750, 1000]
    >>> levels_of_range(3, 1, step=-1)
    [3, 2, 1]
    """
    low, high = _exact(first), _exact(last)
    if step is None:
        n = levels or 0
        by = (high - low) / (n - 1)
    else:
        by = _exact(step)
        n = _steps(first, last, step, low, high, by)
    if n > MOST_LEVELS:
        raise ValueError(f"makes {n:,} levels, more than {MOST_LEVELS:,}; take a wider step")
    values = [low + number * by for number in range(n)]
    is_whole = all(isinstance(each, int) for each in (first, last, 0 if step is None else step))
    if is_whole and all(value.denominator == 1 for value in values):
        return [int(value) for value in values]
    return [float(value) for value in values]


def _exact(number: float) -> Fraction:
    """A number as it is written, not as it is stored: 0.1 is a tenth."""
    return Fraction(repr(number) if isinstance(number, float) else number)


def _steps(
    first: float, last: float, step: float, low: Fraction, high: Fraction, by: Fraction
) -> int:
    if by == 0 or (high - low) * by < 0:
        towards = "above 0" if high >= low else "below 0"
        raise ValueError(
            f"never ends: from {first} to {last} by {step}; the step must be {towards}"
        )
    return math.floor((high - low) / by) + 1


def level_of(value: Any, n_paths: int) -> tuple[Any, ...]:
    """A level, from what stands for it: a value a path.

    Parameters
    ----------
    value : object
        The value of all paths; where there are several, it may be a list with one for each.

    Raises
    ------
    ValueError
        If a list has not a value for each path, or there is one that JSON does not know.

    Examples
    --------
    >>> level_of("orc", 1), level_of("orc", 2), level_of([0.5, "orc"], 2)
    (('orc',), ('orc', 'orc'), (0.5, 'orc'))
    """
    given = plain(value)
    values = given if n_paths > 1 and isinstance(given, list) else [given] * n_paths
    if len(values) != n_paths:
        raise ValueError(f"must have {n_paths} values, one a path (got {len(values)})")
    for each in values:
        as_json(each)
    return tuple(values)


def levels_of(rows: Sequence[tuple[Any, ...]]) -> tuple[tuple[Any, ...], ...]:
    """Levels that differ, the numbers of each path being all whole or all floats.

    Where all are whole they count as such, however they are written: 10 and 20.0.

    Raises
    ------
    ValueError
        If one stands twice.

    Examples
    --------
    >>> levels_of([(0, "lax"), (0.5, "orc")])
    ((0.0, 'lax'), (0.5, 'orc'))
    """
    columns = [_alike(list(column)) for column in zip(*rows, strict=True)]
    levels = tuple(zip(*columns, strict=True))
    seen: set[str] = set()
    for level in levels:
        text = as_json(level)
        if text in seen:
            raise ValueError(f"the same level stands twice ({', '.join(map(shown, level))})")
        seen.add(text)
    return levels


def as_json(value: Any) -> str:
    """A value as JSON.

    Raises
    ------
    ValueError
        If it is no finite number, text, true or false, or a list or table of these.
    """
    try:
        return json.dumps(value, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError):
        text = "must be a finite number, text, true or false, or a list or table of these"
        raise ValueError(f"{text} (got {shown(value)})") from None


def _alike(values: list[Any]) -> list[Any]:
    """All numbers as floats where one of them is, unless that is whole as well."""
    kinds = {type(value) for value in values}
    if kinds != {int, float}:
        return values
    to: type = int if all(float(value).is_integer() for value in values) else float
    return [to(value) for value in values]


def overlapping(factors: Sequence[Factor]) -> tuple[int, int, str, str] | None:
    """Two factors that set the same field, or one of which sets a table that holds the other's.

    Returns
    -------
    tuple or None
        Numbers of the two factors, the later one last, and their paths.

    Examples
    --------
    >>> one, two = (Factor((path,), path, ((1,),)) for path in ("minds.tau", "minds"))
    >>> overlapping([one, two])
    (0, 1, 'minds.tau', 'minds')
    """
    seen: list[tuple[int, str]] = []
    for number, path in _paths(factors):
        for earlier, other in seen:
            if inside(path, other) or inside(other, path):
                return earlier, number, other, path
        seen.append((number, path))
    return None


def _paths(factors: Sequence[Factor]) -> Iterator[tuple[int, str]]:
    return ((number, path) for number, each in enumerate(factors) for path in each.paths)


def inside(path: str, other: str) -> bool:
    """Whether a path is another one, or of something in it."""
    return path == other or path.startswith(f"{other}.")


def counted(factors: Sequence[Factor]) -> str:
    """How many points a grid of factors has, as a sum that can be followed.

    Examples
    --------
    >>> counted([Factor(("a",), "a", ((0,), (1,), (2,))), Factor(("b",), "b", ((0,), (1,)))])
    '6 points (a: 3 x b: 2)'
    """
    sizes = [len(factor.levels or ()) for factor in factors]
    parts = [f"{each.label}: {size:,}" for each, size in zip(factors, sizes, strict=True)]
    return f"{math.prod(sizes):,} points ({' x '.join(parts)})" if parts else "1 point"


def factors_of_columns(columns: dict[str, list[Any]], labels: dict[str, str]) -> list[Factor]:
    """Factors of points that came as a table: a column each.

    Numbers of many kinds have bounds, all else has levels, in order.
    """
    return [_of_column(path, values, labels.get(path, path)) for path, values in columns.items()]


_FEW = 12
"""A column of no more different values than this has levels."""


def _of_column(path: str, values: list[Any], label: str) -> Factor:
    numbers = [value for value in values if type(value) in (int, float)]
    if len(numbers) == len(values) and len(set(numbers)) > _FEW:
        whole = all(type(value) is int for value in numbers)
        return Factor((path,), label, None, min(numbers), max(numbers), whole)
    different = [*{as_json(value): value for value in reversed(values)}.values()][::-1]
    if len(numbers) == len(values):
        different.sort()
    return Factor((path,), label, tuple((value,) for value in different))
