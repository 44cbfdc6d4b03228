"""A finished run, read from its folder one table at a time."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from .run_columns import TABLES

FORMAT = 2
SINCE_2 = {
    "games": None,
    "players": None,
    "nights": {"contests", "bets_cp", "hurt"},
    "patrons": {"wounds"},
}
"""What format 1 had not: whole tables (None), and columns. It is read all the same."""
FINISHED = "finished"
REQUIRED = ("scenario", "seed", "nights", "patrons", "totals")


class RunFolderError(ValueError):
    """A folder that holds no run we can read.

    Attributes
    ----------
    path : pathlib.Path
        The folder, or the file in it that is at fault.
    problem : str
        What is the matter with it, in a few words.
    """

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem


@dataclass(frozen=True)
class RunFolder:
    """A run folder. Tables are read when asked for, and only the columns asked for.

    Attributes
    ----------
    path : pathlib.Path
        The folder.
    info : dict
        What ``run.json`` says: scenario, seed, nights, totals, ledger ...
    """

    path: Path
    info: dict[str, Any]

    @property
    def tables(self) -> list[str]:
        """Names of the tables that are there, in alphabetical order."""
        return sorted(file.stem for file in self.path.glob("*.parquet"))

    def table(
        self,
        name: str,
        columns: Sequence[str] | None = None,
        filters: list[tuple[str, str, Any]] | None = None,
    ) -> pd.DataFrame:
        """Read a table.

        Parameters
        ----------
        name : str
            Such as ``"nights"``, without the ending.
        columns : sequence of str, optional
            Only these, in this order.
        filters : list of (column, operator, value), optional
            Only the rows for which all of these hold, such as
            ``[("night", "==", 7)]``.

        Raises
        ------
        RunFolderError
            If there is no such table, it lacks a column, or it cannot be read.
        """
        file = self.path / f"{name}.parquet"
        if not file.is_file():
            others = ", ".join(self.tables) or "none"
            raise RunFolderError(file, f"this run has no table {name!r} (tables: {others})")
        wanted = None if columns is None else list(columns)
        try:
            _verify_columns(file, wanted or [])
            return pd.read_parquet(file, columns=wanted, filters=filters)
        except RunFolderError:
            raise
        except (OSError, ValueError, TypeError, KeyError, pa.ArrowException) as error:
            raise RunFolderError(file, _reason(error)) from error

    def verify_tables(self) -> None:
        """Make sure that no table is missing.

        Raises
        ------
        RunFolderError
            With the file of the first one that is.
        """
        optional = set() if self.info.get("record") == "full" else {"rounds"}
        if self.info.get("format") == 1:
            optional |= {name for name, columns in SINCE_2.items() if columns is None}
        for name in TABLES:
            if name not in optional and name not in self.tables:
                raise RunFolderError(self.path / f"{name}.parquet", "this table is missing")

    def verify_columns(self) -> None:
        """Make sure that no table lacks a column.

        Raises
        ------
        RunFolderError
            With the file and the first column that is missing.
        """
        for name in filter(TABLES.__contains__, self.tables):
            known = [column.name for column in TABLES[name].columns]
            new = (SINCE_2.get(name) or set()) if self.info.get("format") == 1 else set()
            self.table(name, [each for each in known if each not in new])

    def scenario(self) -> dict[str, Any]:
        """Read the resolved scenario that was played, as plain data."""
        file = self.path / "scenario.toml"
        try:
            return tomllib.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise RunFolderError(file, "the scenario of this run is missing") from None
        except (OSError, ValueError) as error:
            raise RunFolderError(file, f"damaged: {error}") from error


def read_run(folder: str | Path) -> RunFolder:
    """Open the folder of a finished run.

    Raises
    ------
    RunFolderError
        If there is no such folder, it holds no run, or the run was not
        finished. The message is one line that begins with the path.
    """
    path = Path(folder)
    if not path.exists():
        raise RunFolderError(path, "no such folder")
    if not path.is_dir():
        raise RunFolderError(path, "not a folder; give the folder that `tavern run` wrote")
    info = _read_info(path)
    if "status" not in info or "format" not in info:
        raise RunFolderError(path / "run.json", "not a finished run of ours")
    if info.get("status") != FINISHED:
        raise RunFolderError(path, f"this run was not finished (status {info.get('status')!r})")
    if info.get("format") not in (1, FORMAT):
        raise RunFolderError(
            path,
            f"format {info.get('format')!r} of the run folder; this version reads 1 and {FORMAT}",
        )
    missing = [key for key in REQUIRED if key not in info]
    if missing:
        raise RunFolderError(path / "run.json", f"damaged: it lacks {', '.join(missing)}")
    return RunFolder(path, info)


def _verify_columns(file: Path, wanted: Iterable[str]) -> None:
    there = pq.read_schema(file).names
    for column in wanted:
        if column not in there:
            text = f"damaged or of another version: it has no column {column!r}"
            raise RunFolderError(file, text)


def _reason(error: Exception) -> str:
    """In one line, why a table cannot be read."""
    column = re.search(r"FieldRef\.Name\((.+?)\)", str(error))
    if column:
        return f"damaged or of another version: it has no column {column[1]!r}"
    return f"damaged or not a table: {str(error).partition(chr(10))[0]}"


def _read_info(path: Path) -> dict[str, Any]:
    file = path / "run.json"
    try:
        info = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RunFolderError(path, "not a run folder (it has no run.json)") from None
    except (OSError, ValueError) as error:
        raise RunFolderError(file, f"damaged: {error}") from error
    if not isinstance(info, dict):
        raise RunFolderError(file, "damaged: not a JSON object")
    return info
