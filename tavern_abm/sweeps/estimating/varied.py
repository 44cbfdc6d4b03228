"""What varies in a design, factor by factor: a value at every point, levels, a name for people."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..design import Design, Points

FEW_LEVELS = 12
"""A factor of numbers that takes more values than these was sampled, not set out in levels."""
UNSET = "as in the scenario"
"""Level of the points that leave a path alone."""


@dataclass(frozen=True, eq=False)
class Varied:
    """A factor as the points of a design have it.

    Attributes
    ----------
    label : str
        What tables call it.
    values : tuple
        A number or a text for each point, in order of ``scenario_id``.
    levels : tuple
        The distinct values: in the order of the design, or rising where it was sampled.
    is_number : bool
        Whether all values are numbers.
    is_log : bool
        Whether it is spread evenly on a logarithmic scale, and so looked at on one.
    """

    label: str
    values: tuple[Any, ...]
    levels: tuple[Any, ...]
    is_number: bool
    is_log: bool = False

    @property
    def is_sampled(self) -> bool:
        """Whether it takes so many values that they are no levels."""
        return self.is_number and len(self.levels) > FEW_LEVELS

    @property
    def title(self) -> str:
        """A short name for axes.

        Examples
        --------
        >>> Varied("population.share_of_cheats", (0.1,), (0.1,), True).title
        'share of cheats'
        >>> Varied("how dear a mug is", ("5",), ("5",), False).title
        'how dear a mug is'
        """
        last = self.label.rsplit(".", 1)[-1] if " " not in self.label else self.label
        return last.replace("_", " ")

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """The number of the level of each point."""
        place = {level: number for number, level in enumerate(self.levels)}
        return np.array([place[value] for value in self.values], dtype=np.int64)

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The values as numbers; the numbers of the levels where they are texts."""
        if self.is_number:
            return np.array(self.values, dtype=np.float64)
        return self.codes.astype(np.float64)

    @cached_property
    def scaled(self) -> NDArray[np.float64]:
        """The numbers on the scale on which they are even: logarithms to base 10, or as they are.

        Examples
        --------
        >>> Varied("x", (0.01, 1.0), (0.01, 1.0), True, is_log=True).scaled.tolist()
        [-2.0, 0.0]
        """
        return np.log10(self.numbers) if self.is_log else self.numbers

    def unscaled(self, value: float) -> float:
        """The number at a place on that scale."""
        return float(10.0**value) if self.is_log else float(value)

    def name_of(self, level: Any) -> str:
        """A level for people."""
        if not isinstance(level, float) or level.is_integer():
            return str(int(level)) if isinstance(level, float) else str(level)
        return f"{level:.3g}" if self.is_sampled else f"{level:.4g}"


def varied_of(design: Design, *, with_constant: bool = False) -> list[Varied]:
    """The factors of a design that take more than one value, in its order.

    Points that come as a table have a factor a path.

    Parameters
    ----------
    design : Design
        Whose points are looked at.
    with_constant : bool, default False
        Also those that take only one.
    """
    columns = {path: _column(design.points, path) for path in design.points.paths}
    named = [(each.label, each.paths, each.levels, each.is_log) for each in design.factors] or [
        (path, (path,), None, False) for path in design.points.paths
    ]
    labels = _distinct([label for label, *_ in named])
    made = [
        _varied(label, [columns[path] for path in paths], levels, is_log=is_log)
        for label, (_, paths, levels, is_log) in zip(labels, named, strict=True)
    ]
    return [each for each in made if with_constant or len(each.levels) > 1]


def titles_of(factors: Sequence[Varied]) -> list[str]:
    """Short names of factors, none of them twice: the whole label where a short one is not enough.

    Examples
    --------
    >>> def of(label: str) -> Varied:
    ...     return Varied(label, (1, 2), (1, 2), True)
    >>> titles_of([of("taverns.0.mug_cp"), of("taverns.1.mug_cp"), of("minds.tau")])
    ['taverns.0.mug_cp', 'taverns.1.mug_cp', 'tau']
    """
    short = [each.title for each in factors]
    return [
        title if short.count(title) == 1 else each.label
        for title, each in zip(short, factors, strict=True)
    ]


def _distinct(labels: Sequence[str]) -> list[str]:
    """Labels, numbered where one is given twice."""
    return [
        label if labels.count(label) == 1 else f"{label} ({labels[: i + 1].count(label)})"
        for i, label in enumerate(labels)
    ]


def _column(points: Points, path: str) -> list[Any]:
    """What each point in turn sets at a path, as numbers and texts."""
    column = getattr(points, "column", None)
    if column is not None:
        return [_value(each) for each in column(path)]
    return [_value(points[number].get(path)) for number in range(len(points))]


def _value(value: Any) -> Any:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return UNSET
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float | str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _varied(
    label: str,
    columns: Sequence[Sequence[Any]],
    levels: Sequence[Sequence[Any]] | None,
    *,
    is_log: bool,
) -> Varied:
    values = [_together(row) for row in zip(*columns, strict=True)]
    is_number = all(isinstance(each, int | float) for each in values)
    if levels is not None:
        order: Iterable[Any] = [_together([_value(each) for each in level]) for level in levels]
        there = set(values)
        distinct = tuple(dict.fromkeys(each for each in order if each in there))
    else:
        distinct = tuple(dict.fromkeys(values))
    if is_number and levels is None:
        distinct = tuple(sorted(distinct))
    is_log = is_log and is_number and all(each > 0 for each in values)
    return Varied(label, tuple(values), distinct, is_number, is_log)


def _together(row: Sequence[Any]) -> Any:
    """The value of paths that vary together: the common one, or all of them."""
    return row[0] if len(set(map(str, row))) == 1 else " / ".join(map(str, row))
