"""How the tables of a run folder are described: tables, columns, and columns that are alike."""

from __future__ import annotations

from typing import NamedTuple


class Column(NamedTuple):
    """A column of a table: its name, its type in the file, its unit, and what it means."""

    name: str
    type: str
    unit: str
    meaning: str


class Table(NamedTuple):
    """A table: what a row of it is, and its columns in order."""

    row: str
    columns: tuple[Column, ...]


def alike(type_: str, unit: str, meanings: dict[str, str]) -> tuple[Column, ...]:
    """Columns that have type and unit in common, and what each means."""
    return tuple(Column(name, type_, unit, meaning) for name, meaning in meanings.items())


NIGHT = Column("night", "int32", "night", "counted from 1")
