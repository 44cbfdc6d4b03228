"""The design points, made when they are asked for.

A grid of a million points is its factors and nothing more; of a sample, of a table and of
a list there are its columns. Nothing here knows what the paths mean.
"""

from __future__ import annotations

import hashlib
import json
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

    from ..design import Factor


class _Points(ABC):
    """What all kinds of points share."""

    paths: tuple[str, ...]

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __getitem__(self, scenario_id: int) -> dict[str, Any]: ...

    @abstractmethod
    def column(self, path: str) -> list[Any]:
        """What each point in turn sets at a path."""

    def hash_of(self, scenario_id: int) -> int:
        """63 bits of what the point sets, whatever its place among the others."""
        return hash_of(self[scenario_id])

    def frame(self) -> pd.DataFrame:
        """A row a point: ``scenario_id`` and a column a path, typed as `typed` says."""
        import pandas as pd

        columns = {path: typed(self.column(path)) for path in self.paths}
        return pd.DataFrame({"scenario_id": np.arange(len(self), dtype=np.int64)} | columns)

    def _number(self, scenario_id: int) -> int:
        if not 0 <= scenario_id < len(self):
            raise IndexError(f"no such point: {scenario_id} of {len(self)} (from 0)")
        return int(scenario_id)


class Grid(_Points):
    """Every combination of the levels of some factors; the last factor goes round fastest.

    Without factors it is one point, which sets nothing.

    Parameters
    ----------
    factors : sequence of Factor
        Each with levels.

    Examples
    --------
    >>> from tavern_abm.sweeps.design import Factor
    >>> rake = Factor(("taverns.0.rake_bp",), "rake", ((0,), (500,)))
    >>> custom = Factor(("taverns.0.custom",), "custom", (("decent",), ("orc",), ("lax",)))
    >>> grid = Grid([rake, custom])
    >>> len(grid), grid[4]
    (6, {'taverns.0.rake_bp': 500, 'taverns.0.custom': 'orc'})
    """

    def __init__(self, factors: Sequence[Factor]) -> None:
        self.factors = tuple(factors)
        self.levels = tuple(factor.levels or () for factor in self.factors)
        self.sizes = tuple(map(len, self.levels))
        self.paths = tuple(path for factor in self.factors for path in factor.paths)

    def __len__(self) -> int:
        return math.prod(self.sizes)

    def __getitem__(self, scenario_id: int) -> dict[str, Any]:
        rest, numbers = self._number(scenario_id), []
        for size in reversed(self.sizes):
            rest, number = divmod(rest, size)
            numbers.append(number)
        chosen = zip(self.factors, self.levels, reversed(numbers), strict=True)
        return {
            path: value
            for factor, levels, number in chosen
            for path, value in zip(factor.paths, levels[number], strict=True)
        }

    def column(self, path: str) -> list[Any]:
        """What each point in turn sets at a path."""
        at = next(k for k, factor in enumerate(self.factors) if path in factor.paths)
        place = self.factors[at].paths.index(path)
        each = math.prod(self.sizes[at + 1 :])
        once = [level[place] for level in self.levels[at] for _ in range(each)]
        return once * math.prod(self.sizes[:at])

    def document(self) -> dict[str, Any]:
        """That it is a grid; the factors say the rest."""
        return {"kind": "grid"}


class Listed(_Points):
    """Points by their columns: a sample, a table, a list.

    Parameters
    ----------
    columns : mapping of str to sequence
        By path, what each point sets: a NumPy array of numbers, or any values; None where
        it leaves the path alone.

    Examples
    --------
    >>> points = Listed({"patrons": [40, 80], "taverns.0.custom": ["orc", "lax"]})
    >>> points[1]
    {'patrons': 80, 'taverns.0.custom': 'lax'}
    >>> points.hash_of(1) == Listed({"taverns.0.custom": ["lax"], "patrons": [80.0]}).hash_of(0)
    True
    """

    def __init__(self, columns: Mapping[str, Sequence[Any] | NDArray[Any]], n: int = 0) -> None:
        self.columns = {path: compact(values) for path, values in columns.items()}
        self.paths = tuple(self.columns)
        self._n = len(next(iter(self.columns.values()))) if self.columns else n

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, scenario_id: int) -> dict[str, Any]:
        number = self._number(scenario_id)
        row = {path: plain(values[number]) for path, values in self.columns.items()}
        return {path: value for path, value in row.items() if value is not None}

    def column(self, path: str) -> list[Any]:
        """What each point in turn sets at a path."""
        values = self.columns[path]
        listed: list[Any] = values.tolist() if isinstance(values, np.ndarray) else list(values)
        return listed

    def document(self) -> dict[str, Any]:
        """All that the points set, by path."""
        columns = {path: self.column(path) for path in self.paths}
        return {"kind": "listed", "n": len(self), "columns": columns}


def points_from(document: Mapping[str, Any], factors: Sequence[Factor]) -> Grid | Listed:
    """The points that a design's document tells of."""
    if document["kind"] == "grid":
        return Grid(factors)
    return Listed(document["columns"], document["n"])


def hash_of(settings: Mapping[str, Any]) -> int:
    """63 bits of what is set: 1 and 1.0 are the same, and so is any order of the paths.

    Examples
    --------
    >>> hash_of({"a": 1, "b": 2}) == hash_of({"b": 2.0, "a": 1})
    True
    >>> hash_of({"a": 1}) == hash_of({"a": True})
    False
    """
    text = json.dumps(_whole(dict(settings)), sort_keys=True, separators=(",", ":"))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def _whole(value: Any) -> Any:
    """A value in which whole numbers are written as such."""
    if isinstance(value, dict):
        return {key: _whole(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_whole(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def plain(value: Any) -> Any:
    """A Python value for one of NumPy's, lists for tuples, None for what is missing."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value


def compact(values: Sequence[Any] | NDArray[Any]) -> NDArray[Any] | list[Any]:
    """A column as an array where all of it is of one kind of number, else as a list.

    Whole and other numbers beside each other become floats, unless all of them are whole:
    20.0 beside 10 is 20.
    """
    if isinstance(values, np.ndarray) and values.dtype.kind in "if":
        return values.astype(np.int64 if values.dtype.kind == "i" else np.float64)
    listed = [plain(value) for value in values]
    kinds = {type(value) for value in listed}
    if kinds == {bool}:
        return np.array(listed, dtype=np.bool_)
    if kinds == {int} and all(abs(value) < 2**63 for value in listed):
        return np.array(listed, dtype=np.int64)
    if kinds == {int, float} and all(
        value == value // 1 and abs(value) < 2**63 for value in listed
    ):
        return np.array([int(value) for value in listed], dtype=np.int64)
    if kinds and kinds <= {int, float} and float in kinds:
        return np.array(listed, dtype=np.float64)
    return listed


def twins(columns: Mapping[str, Sequence[Any]], n: int) -> tuple[int, int] | None:
    """The first two of some points that set the same; None if each is another.

    Parameters
    ----------
    columns : mapping of str to sequence
        By path, what each point sets.
    n : int
        How many points there are.

    Examples
    --------
    >>> twins({"a": [1, 2, 1.0], "b": ["x", "x", "x"]}, 3)
    (0, 2)
    >>> twins({"a": [1, True]}, 2) is None
    True
    """
    if not columns:
        return (0, 1) if n > 1 else None
    seen: dict[tuple[Any, ...], int] = {}
    for number, row in enumerate(zip(*columns.values(), strict=True)):
        earlier = seen.setdefault(tuple(map(_mark, row)), number)
        if earlier != number:
            return earlier, number
    return None


def _mark(value: Any) -> Any:
    """What stands for a value where it is looked for: a number itself, all else as JSON."""
    return value if type(value) in (int, float) else json.dumps(_whole(value), sort_keys=True)


def typed(values: Sequence[Any]) -> Any:
    """A column as tables have it: int64, float64, bool or text; what is mixed is JSON text.

    Numbers of which some are left out are float64, with NaN for those.

    Examples
    --------
    >>> typed([1, 2.5]).dtype, typed([None, 2]).dtype
    (dtype('float64'), dtype('float64'))
    >>> typed(["auto", 3]).tolist()
    ['"auto"', '3']
    """
    column = compact(values)
    if isinstance(column, np.ndarray):
        return column
    kinds = {type(value) for value in column if value is not None}
    if kinds and kinds <= {int, float}:
        return np.array([np.nan if value is None else value for value in column], np.float64)
    if not kinds <= {str}:
        column = [json.dumps(value, sort_keys=True, ensure_ascii=False) for value in column]
    return np.array(column, dtype=object)
