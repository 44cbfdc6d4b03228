"""Design points from a table: a CSV or Parquet file, or a DataFrame."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...scenario.settings import parse_setting
from ..errors import SweepError
from .factors import as_json
from .points import plain

if TYPE_CHECKING:
    import pandas as pd

NUMBERING = "scenario_id"
"""A column that numbers the points from 0, as `Points.frame` has it, is no path."""
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")


class DesignTable(NamedTuple):
    """Points by column.

    Attributes
    ----------
    columns : dict of str to list
        By path; at least one, all of the same length.
    path : Path or None
        The file they were read from.
    lines : sequence of int
        For each point its line in the file; empty where there are no lines.
    """

    columns: dict[str, list[Any]]
    path: Path | None = None
    lines: Sequence[int] = ()

    def row(self, number: int) -> str:
        """What to call a point of it, counted from 0."""
        return f"line {self.lines[number]}" if self.lines else f"row {number}"

    def error(self, number: int, problem: str) -> SweepError:
        """What is wrong with a point of it, counted from 0."""
        if self.lines:
            return SweepError(problem, self.path, self.lines[number])
        return SweepError(f"row {number}: {problem}", self.path)


def read_design_table(path: Path) -> DesignTable:
    """Read the points of a file, by its ending.

    In a CSV file cells are separated by commas or semicolons, and read as values of a
    setting are: ``0.5``, ``true``, ``orc``, ``5 sp``.

    Raises
    ------
    SweepError
        If there is no such file, it is of another kind, or a row or column of it is not
        whole; it names the place.
    """
    if not path.is_file():
        text = "is a folder" if path.is_dir() else "no such file"
        raise SweepError(f"{text}; a table of points is a .csv or .parquet file", path)
    if path.suffix.lower() == ".csv":
        return _read_csv(path)
    if path.suffix.lower() in (".parquet", ".pq"):
        return _read_parquet(path)
    raise SweepError("a table of points must be a .csv or .parquet file", path)


def table_of(frame: pd.DataFrame | Mapping[str, Sequence[Any]]) -> DesignTable:
    """The points of a DataFrame, or of columns by path.

    Raises
    ------
    SweepError
        If it has no row or no column, or a cell of it is empty.
    """
    columns = {
        str(name).strip(): [plain(value) for value in values] for name, values in frame.items()
    }
    if len(columns) < len(list(frame)):
        raise SweepError("two columns of the samples have the same name")
    return _verified(DesignTable(columns))


def _read_parquet(path: Path) -> DesignTable:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        read = parquet.read_table(path)
    except (pa.ArrowException, OSError) as error:
        raise SweepError(f"is no Parquet file that can be read ({error})", path) from None
    names = [name.strip() for name in read.column_names]
    _verify_header(names, path)
    columns = {
        name: read.column(at).to_pylist()
        for at, name in enumerate(names)
        if not name.startswith("__index_level")
    }
    return _verified(DesignTable(columns, path))


def _read_csv(path: Path) -> DesignTable:
    text = _text(path)
    sign = ";" if ";" in text.partition("\n")[0] else ","
    reader = csv.reader(text.splitlines(keepends=True), delimiter=sign, strict=True)
    rows, lines = [], []
    try:
        header = [name.strip() for name in next(reader, [])]
        _verify_header(header, path)
        for row in reader:
            if row:
                rows.append(_cells(row, header, path, reader.line_num))
                lines.append(reader.line_num)
    except csv.Error as error:
        raise SweepError(f"is no CSV: {error}", path, reader.line_num) from None
    columns = {name: _whole([row[at] for row in rows]) for at, name in enumerate(header)}
    return _verified(DesignTable(columns, path, lines))


def _whole(values: list[Any]) -> list[Any]:
    """Numbers as whole ones where all are: a spreadsheet writes 20 as 20.0."""
    if all(type(value) is int or (type(value) is float and value.is_integer()) for value in values):
        return [int(value) for value in values]
    return values


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise SweepError("is not UTF-8 text; save it as CSV UTF-8", path) from None
    except OSError as error:
        raise SweepError(f"cannot be read: {error.strerror or error}", path) from None


def _verify_header(header: Sequence[str], path: Path) -> None:
    if not header:
        raise SweepError("is empty; its first row names the columns, each a dotted path", path)
    for number, name in enumerate(header, start=1):
        if not name:
            hint = "pandas: to_csv(..., index=False)"
            raise SweepError(f"column {number} has no name ({hint})", path, 1)
        if name in header[: number - 1]:
            raise SweepError(f"column {name!r} stands twice", path, 1)


def _cells(row: list[str], header: list[str], path: Path, line: int) -> list[Any]:
    if len(row) != len(header):
        text = f"this row has {len(row)} cells, and the header {len(header)} columns"
        raise SweepError(text, path, line)
    return [_cell(cell.strip(), name, path, line) for cell, name in zip(row, header, strict=True)]


def _cell(cell: str, name: str, path: Path, line: int) -> Any:
    if not cell:
        text = f"{name}: the cell is empty; each point needs a value in each column"
        raise SweepError(text, path, line)
    if _NUMBER.fullmatch(cell):  # nearly all are, and TOML takes its time
        return float(cell) if set(cell) & set(".eE") else int(cell)
    if cell.casefold() in ("true", "false"):  # spreadsheets shout
        return cell.casefold() == "true"
    value = parse_setting(f"cell={cell}")[1]
    if isinstance(value, float) and not math.isfinite(value):
        raise SweepError(f"{name}: must be a finite number (got {cell})", path, line)
    return cell if isinstance(value, date | time) else value


def _verified(table: DesignTable) -> DesignTable:
    """Points without a hole, and without the column that only numbers them."""
    columns = dict(table.columns)
    numbers = columns.pop(NUMBERING, None)
    if numbers is not None and numbers != [*range(len(numbers))]:
        text = f"column {NUMBERING} must number the points from 0, in order; or leave it out"
        raise SweepError(text, table.path)
    if not columns or not next(iter(columns.values())):
        raise SweepError("there is no point in it", table.path)
    for name, values in columns.items():
        number = next((row for row, value in enumerate(values) if _is_missing(value)), None)
        if number is not None:
            raise table.error(number, f"{name}: the cell is empty; each point needs a value")
        _verify_plain(name, values, table)
    return table._replace(columns=columns)


def _verify_plain(name: str, values: Sequence[Any], table: DesignTable) -> None:
    """See that each value is one that JSON knows."""
    for number, value in enumerate(values):
        if not isinstance(value, bool | int | float | str):
            try:
                as_json(value)
            except ValueError as error:
                raise table.error(number, f"{name}: {error}") from None


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and not math.isfinite(value))


def telling_rows(columns: Iterable[Iterable[Any]], most: int) -> list[int]:
    """Rows that between them show every corner of a table: all of a small one.

    Of a larger one than `most` these are the rows with the least and the greatest number of
    each column and the first with each text in it, and then some between, evenly.

    Examples
    --------
    >>> telling_rows([[5, 9, 1, 6, 7, 8], ["a", "a", "b", "a", "b", "a"]], most=3)
    [2, 1, 0, 4]
    """
    listed = [list(column) for column in columns]
    n = len(listed[0]) if listed else 0
    if n <= most:
        return [*range(n)]
    corners = [row for values in listed for row in _corners(values)[:most]]
    return list(dict.fromkeys([*corners, *range(0, n, -(-n // most))]))


def _corners(values: list[Any]) -> list[int]:
    kinds = {type(value) for value in values}
    if kinds <= {int, float}:
        return [values.index(min(values)), values.index(max(values))]
    first: dict[str, int] = {}
    for row, value in enumerate(values):
        first.setdefault(repr(value), row)
    return [*first.values()]
