"""A finished run, read from its folder one table at a time."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from .run_columns import TABLES
from .tables.record import COUNTS

FORMAT = 5
SINCE: dict[int, dict[str, set[str] | None]] = {
    2: {
        "games": None,
        "players": None,
        "nights": {"contests", "bets_cp", "hurt"},
        "patrons": {"wounds"},
    },
    3: {
        "acquaintances": None,
        "evenings": None,
        "rumors": None,
        "tellings": None,
        "trials": None,
        "nights": {*COUNTS[COUNTS.index("tricked_hands") :], "brier"},
        "patrons": {
            "household_id",
            "temper",
            "gambler",
            "has_weighted_dice",
            "first_try_night",
            "suspected_night",
            "banned_tavern_id",
            "escaped",
            "dodged",
            "owes_cp",
            "owes_to_id",
        },
    },
    4: {
        "nights": {"is_open", "repute", "unpaid_cp", "stakes_pct"},
        "patrons": {"district"},
        "suspicion": {"in_full"},
    },
    5: {},  # the state has all that it takes to go on
}
"""What each format has that earlier ones had not: whole tables (None), and columns.

Folders of the earlier ones are read all the same.
"""
FINISHED = "finished"
REQUIRED = ("scenario", "seed", "nights", "patrons", "totals")
WHOLE_NUMBERS = {"seed": 0, "nights": 0, "patrons": 0}
"""What ``run.json`` has as whole numbers, and the least that each may be."""


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
        later = self._later()
        optional |= {name for name, columns in later.items() if columns is None}
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
            new = self._later().get(name) or set()
            self.table(name, [each for each in known if each not in new])

    def _later(self) -> dict[str, set[str] | None]:
        """What has come since this folder was written: tables (None), and columns of others."""
        later: dict[str, set[str] | None] = {}
        for number in range(self.info["format"] + 1, FORMAT + 1):
            for name, columns in SINCE[number].items():
                is_new = columns is None or later.get(name, set()) is None
                later[name] = None if is_new else (later.get(name) or set()) | (columns or set())
        return later

    def scenario(self) -> dict[str, Any]:
        """Read the resolved scenario that was played, as plain data."""
        file = self.path / "scenario.toml"
        try:
            return tomllib.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise RunFolderError(file, "the scenario of this run is missing") from None
        except (OSError, ValueError) as error:
            raise RunFolderError(file, f"damaged: {error}") from error


_DAMAGE = (LookupError, TypeError, ValueError, ArithmeticError, RecursionError)


@contextmanager
def reading(run: RunFolder, *answers: type[Exception]) -> Iterator[None]:
    """While something is made of a run's tables: say in one line that they do not fit together.

    Parameters
    ----------
    *answers : type of exception
        What is raised on purpose, and passes.

    Raises
    ------
    RunFolderError
        In place of whatever tables bring about that were changed by hand or damaged.
    """
    passing: tuple[type[Exception], ...] = (RunFolderError, *answers)
    try:
        yield
    except passing:
        raise
    except (*_DAMAGE, pd.errors.InvalidIndexError) as error:
        if isinstance(error, KeyError) and isinstance(error.args[0], str):
            raise RunFolderError(run.path, f"damaged: its tables lack {error}") from error
        what = str(error).partition("\n")[0] or "they lead round in a circle"
        problem = f"damaged: its tables do not fit together ({type(error).__name__}: {what})"
        raise RunFolderError(run.path, problem) from error


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
    if info["format"] not in range(1, FORMAT + 1):
        text = f"format {info['format']!r} of the run folder; this version reads 1 to {FORMAT}"
        raise RunFolderError(path, text)
    missing = [key for key in REQUIRED if key not in info]
    if missing:
        raise RunFolderError(path / "run.json", f"damaged: it lacks {', '.join(missing)}")
    for key, least in WHOLE_NUMBERS.items():
        if type(info[key]) is not int or info[key] < least:
            text = f"damaged: its {key} must be a whole number from {least} (got {info[key]!r})"
            raise RunFolderError(path / "run.json", text)
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
