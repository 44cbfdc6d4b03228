"""The books of a town for machines: one tidy table, a file a table, or one JSON object."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from .books import TownBooks

UNITS = (
    ("_per_night_cp", "cp a night"),
    ("_cp", "cp"),
    ("_a_day", "cp a person and day"),
    ("share", "share"),
    ("top_", "share"),
    ("turnover", "share"),
    ("hold", "share"),
    ("tax_rate", "share"),
)
"""Units by how the name of a figure begins or ends."""
NAMES = {
    "house_nights": ["night", "tavern_id"],
    "flows": ["source", "target", "reason"],
    "transfers": ["by", "loser", "winner"],
    "lorenz": ["of", "share_of_people"],
    "turns": ["turn", "patron_id"],
}
"""Columns that say which row it is, where the first does not."""

TABLES = tuple(
    field.name for field in dataclasses.fields(TownBooks) if field.type == "pd.DataFrame"
)
FILES = frozenset(f"{name}.csv" for name in ("facts", *TABLES))
"""Names of the files of `csv_files`."""


def tables_of(books: TownBooks) -> dict[str, pd.DataFrame]:
    """Every table of the books by name, its index put among the columns where it says anything."""
    tables = {name: getattr(books, name) for name in TABLES}
    return {
        name: table.reset_index() if table.index.name else table for name, table in tables.items()
    }


def csv_of(books: TownBooks) -> str:
    """One tidy table: ``figure``, ``key``, ``value``, ``unit``, a line a figure.

    A key names the row, its parts joined by a slash; nothing stands for a value that is undefined.
    """
    rows = list(_lines(books))
    table = pd.DataFrame(rows, columns=["figure", "key", "value", "unit"])
    return table.to_csv(index=False, lineterminator="\n")


def _lines(books: TownBooks) -> Iterator[tuple[str, str, Any, str]]:
    for name, value in books.facts.items():
        yield name, "", _plain(value), unit_of(name)
    for name, table in tables_of(books).items():
        keys = NAMES.get(name, [str(table.columns[0])])
        label = ["/".join(map(str, row)) for row in table[keys].itertuples(index=False)]
        for column in table.columns.drop(keys):
            unit = unit_of(str(column))
            for key, value in zip(label, table[column].tolist(), strict=True):
                yield f"{name}.{column}", key, _plain(value), unit


def unit_of(figure: str) -> str:
    """The unit of a figure by its name.

    Examples
    --------
    >>> unit_of("profit_per_night_cp"), unit_of("tax_cp"), unit_of("top_10"), unit_of("guests")
    ('cp a night', 'cp', 'share', '')
    """
    for part, unit in UNITS:
        if figure.endswith(part) or figure.startswith(part):
            return unit
    return ""


def csv_files(books: TownBooks) -> Iterator[tuple[str, bytes]]:
    """A CSV file a table, and one of the facts: name and content."""
    facts = pd.DataFrame({"fact": list(books.facts), "value": list(books.facts.values())})
    for name, table in {"facts": facts.astype(object), **tables_of(books)}.items():
        yield f"{name}.csv", table.to_csv(index=False, lineterminator="\n").encode()


def json_of(books: TownBooks) -> str:
    """One JSON object: the fields of the books, each table a list of its rows. No NaN: null."""
    document: dict[str, Any] = {
        field.name: getattr(books, field.name) for field in dataclasses.fields(books)
    }
    document["facts"] = {name: _plain(value) for name, value in books.facts.items()}
    document |= {name: _rows(table) for name, table in tables_of(books).items()}
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)


def _rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    columns = {str(name): [_plain(v) for v in table[name].tolist()] for name in table.columns}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _plain(value: Any) -> Any:
    """A value as JSON has it: null for what is undefined."""
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return None
    return value.item() if isinstance(value, np.generic) else value
