"""A run folder's run, played once more and held against what the folder keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from .continuing.interventions import read_interventions
from .continuing.reviving import put_in
from .continuing.sameness import digest_of_files
from .extent import Extent
from .results import Making
from .results.events import tell
from .run_columns import TABLES
from .run_folder import RunFolder, RunFolderError
from .versions import versions
from .writing import arrow

if TYPE_CHECKING:
    from .model import TavernModel

BIG_TOWN = 20_000
"""Patrons from whom on rounds are told night by night: all of them do not fit into memory."""
_SHOWN = 60


class Difference(NamedTuple):
    """The first thing in which a table differs.

    Attributes
    ----------
    table : str
        Which one.
    column : str
        The first column that differs in that row; empty if the table itself is not there.
    row : int
        The first row that differs, from 1.
    night : int or None
        Of that row, if the table has nights.
    then, now : str
        What the folder has, and what came out.
    """

    table: str
    column: str
    row: int
    night: int | None
    then: str
    now: str

    def __str__(self) -> str:
        """In one line.

        Examples
        --------
        >>> print(Difference("nights", "rounds", 3, 3, "254", "256"))
        nights, row 3 (night 3), rounds: 254 in the folder, 256 now
        """
        night = "" if self.night is None else f" (night {self.night})"
        column = f", {self.column}" if self.column else ""
        place = f"{self.table}, row {self.row}{night}{column}"
        return f"{place}: {self.then} in the folder, {self.now} now"


class Rerun(NamedTuple):
    """What came of playing a run again.

    Attributes
    ----------
    then, now : str
        Digest of the folder, and of what was played.
    differing : tuple of Difference
        A table each, those of the folder against those that were made now, in the order of
        the tables: empty if all are the same.
    versions : dict of str to (str or None, str or None)
        Of Python and packages that differ: then, now.
    model : TavernModel
        As it stands now.
    """

    then: str
    now: str
    differing: tuple[Difference, ...]
    versions: dict[str, tuple[str | None, str | None]]
    model: TavernModel

    @property
    def is_same(self) -> bool:
        """Whether everything agrees: the digests, and the tables that are there."""
        return self.then == self.now and not self.differing


def rerun(
    run: RunFolder, *, threads: int = 1, progress: Callable[[], object] | None = None
) -> Rerun:
    """Play the run of a folder again, and compare.

    Scenario, seed, nights and what was put in from outside are those of the folder.

    Parameters
    ----------
    run : RunFolder
        The folder.
    threads : int, default 1
        Threads that play the tables.
    progress : callable, optional
        Called after each night.

    Raises
    ------
    RunFolderError
        If it cannot be played again: decisions of one's own, a data folder that has
        changed, a damaged folder.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from tavern_abm import TavernModel
    >>> from tavern_abm.run_folder import read_run
    >>> from tavern_abm.writing import write_run
    >>> model = TavernModel("plain-dice", rng=1, patrons=12)
    >>> model.run_for(2)
    >>> with TemporaryDirectory() as place:
    ...     run = read_run(write_run(model, Path(place, "run"), report=False))
    ...     rerun(run).is_same
    True
    """
    model = made_again(run, threads=threads)
    play_nights(model, run, progress)
    making = Making(model)
    found = {name: _difference(run, name, table) for name, table in making.tables()}
    differing = tuple(each for name in TABLES if (each := found.get(name)) is not None)
    then = str(run.info.get("digest"))
    return Rerun(then, making.digest(), differing, other_versions(run.info), model)


def made_again(run: RunFolder, *, threads: int = 1) -> TavernModel:
    """The model of a folder's run before its first night, with what was put into it.

    Raises
    ------
    RunFolderError
        If it cannot be played again.
    """
    from .model import TavernModel

    _verify_decisions(run)
    file = run.path / "scenario.toml"
    if not file.is_file():
        raise RunFolderError(file, "the scenario of this run is missing")
    replicate = run.info.get("replicate", 0)
    if type(replicate) is not int or replicate < 0:
        raise RunFolderError(run.path / "run.json", "damaged: its replicate is no whole number")
    model = TavernModel(file, rng=run.info["seed"], replicate=replicate, threads=threads)
    _verify_data(run, model)
    model.record.keep_all = run.info.get("record") == "full"
    with suppress(KeyError, TypeError):  # formats before the fourth did not say
        model.record.extent = Extent(**run.info["extent"])
    interventions = run.path / "interventions.toml"
    if interventions.exists():
        put_in(model, read_interventions(interventions), run.info["nights"])
    return model


def play_nights(
    model: TavernModel, run: RunFolder, progress: Callable[[], object] | None = None
) -> None:
    """Play as many nights as the run of the folder has."""
    is_big = model.scenario.patrons >= BIG_TOWN
    for _ in range(run.info["nights"]):
        model.run_for(1)
        if is_big:
            tell(model, thin_out=not model.record.keep_all)
        if progress is not None:
            progress()


def other_versions(info: dict[str, Any]) -> dict[str, tuple[str | None, str | None]]:
    """Versions of Python and packages that are others than a run was played with.

    Examples
    --------
    >>> other_versions({"versions": {"tavern_abm": "0.0.1"}})["tavern_abm"][0]
    '0.0.1'
    """
    then = info.get("versions")
    then = then if isinstance(then, dict) else {}
    now = versions()
    return {name: (then[name], now.get(name)) for name in then if then[name] != now.get(name)}


def _verify_decisions(run: RunFolder) -> None:
    """A folder keeps the names of a user's own decisions, and not what they decide."""
    own = run.info.get("decisions", [])
    if own:
        names = ", ".join(map(str, own)) if isinstance(own, list) else own
        text = f"it was played with decisions of its own ({names}), which no folder keeps"
        raise RunFolderError(run.path, f"{text}; play it again from Python, with its policy")


def _verify_data(run: RunFolder, model: TavernModel) -> None:
    folder = model.scenario.data
    if "data_digest" in run.info and digest_of_files(folder) != run.info["data_digest"]:
        if folder is None:
            text = "damaged: it tells of tables of its own, and the scenario has none"
            raise RunFolderError(run.path / "run.json", text)
        text = (
            f"the tables in {folder} have changed since it was played; put them back as they were"
        )
        raise RunFolderError(run.path, text)


def _difference(run: RunFolder, name: str, table: Any) -> Difference | None:
    """The first thing in which a table of the folder differs from one made now."""
    file = run.path / f"{name}.parquet"
    if not file.is_file():
        return Difference(name, "", 1, None, "no such table", f"{len(table):,} rows")
    now = arrow(name, table)
    try:
        then = pq.read_table(file)
    except (OSError, pa.ArrowException) as error:
        reason = str(error).partition("\n")[0]
        raise RunFolderError(file, f"damaged or not a table: {reason}") from error
    return difference_of(name, then, now)


def difference_of(name: str, then: pa.Table, now: pa.Table) -> Difference | None:
    """The first row, and in it the first column, in which two tables differ.

    Columns that only one of them has are not compared: formats of the folder grow.

    Examples
    --------
    >>> then = pa.table({"night": [1, 2, 3], "rounds": [9, 8, 7]})
    >>> now = pa.table({"night": [1, 2, 3], "rounds": [9, 6, 7]})
    >>> print(difference_of("nights", then, now))
    nights, row 2 (night 2), rounds: 8 in the folder, 6 now
    """
    shared = [column for column in now.column_names if column in then.column_names]
    found = [(_first_unequal(then[column], now[column]), column) for column in shared]
    rows = [(row, column) for row, column in found if row is not None]
    if not rows:
        return None
    at = min(row for row, _ in rows)
    column = next(column for row, column in rows if row == at)
    night = _cell(now if at < len(now) else then, "night", at)
    values = (_shown(_cell(table, column, at), at < len(table)) for table in (then, now))
    return Difference(name, column, at + 1, night, *values)


def _first_unequal(then: pa.ChunkedArray, now: pa.ChunkedArray) -> int | None:
    """The place of the first value that differs; None if there is none."""
    if len(then) == len(now) and then.type == now.type and then.equals(now):
        return None
    pairs = zip(then.to_pylist(), now.to_pylist(), strict=False)
    for at, (one, other) in enumerate(pairs):
        if one != other and not (one != one and other != other):  # nan is nan
            return at
    shorter = min(len(then), len(now))
    return None if len(then) == len(now) else shorter


def _cell(table: pa.Table, column: str, row: int) -> Any:
    if column not in table.column_names or row >= len(table):
        return None
    return table[column][row].as_py()


def _shown(value: Any, is_there: bool) -> str:
    if not is_there:
        return "no such row"
    text = "null" if value is None else repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} ..."


def verdict(found: Rerun) -> Iterator[str]:
    """What came of it, in lines.

    The first says whether it is the same run, the others what there is to know.
    """
    if found.is_same:
        yield f"the same: {found.now}"
    elif found.then == found.now:
        yield f"the same digest ({found.now}), but tables of the folder were changed since:"
    else:
        yield f"not the same: {found.then} in the folder, {found.now} now"
    if found.differing:
        first, *others = found.differing
        yield f"first difference: {first}"
        if others:
            yield f"other tables that differ: {', '.join(each.table for each in others)}"
    elif not found.is_same:
        yield "all its tables are as they come out now: run.json has another digest than they have"
