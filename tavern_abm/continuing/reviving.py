"""A model that stands where a run stopped, made of the run's folder."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ..extent import Extent
from ..model import NIGHTS_BETWEEN_NETWORKS, TavernModel
from ..patrons.decisions import Policy
from ..results import Making
from ..results.past import Past
from ..run_columns import TABLES
from ..run_folder import RunFolder, RunFolderError, reading
from .effects import Interventions
from .interventions import Entry, read_interventions
from .put_in_before import verify_done
from .sameness import digest_of_files, own_decisions
from .standing import stand

SINCE_FORMAT = 5
"""The first format of run folders whose state is enough to go on from."""

_DAMAGE = (OSError, ValueError, TypeError, EOFError, KeyError, zipfile.BadZipFile, zlib.error)


def revive(run: RunFolder, *, threads: int = 1, policy: Policy | None = None) -> TavernModel:
    """The model of a run as it stood when its last night had closed.

    ``model.run_for(n)`` plays on, and ``model.results()`` are the tables of the whole:
    those of the folder with the new nights below. ``model.events``, ``model.nights`` and
    Mesa's data collector have the new nights alone; ids of events follow on.

    Parameters
    ----------
    run : RunFolder
        The folder, which must stay where it is as long as the model is in use.
    threads : int, default 1
        Threads that play the tables.
    policy : Policy, optional
        The decisions that the run was played with, if they were not the shipped ones.

    Raises
    ------
    RunFolderError
        If the folder is of an earlier version, keeps no state, or is damaged.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from tavern_abm.run_folder import read_run
    >>> from tavern_abm.writing import write_run
    >>> model = TavernModel("plain-dice", rng=1, patrons=12)
    >>> model.run_for(2)
    >>> with TemporaryDirectory() as place:
    ...     run = read_run(write_run(model, Path(place, "run"), report=False))
    ...     again = revive(run)
    ...     again.run_for(1)
    ...     model.run_for(1)
    ...     again.digest() == model.digest()
    True
    """
    arrays = _read_state(run)
    model = _blank(run, threads, policy)
    try:
        stand(model, arrays)
    except (KeyError, ValueError, IndexError) as error:
        what = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise RunFolderError(run.path / "state.npz", f"damaged: {what}") from error
    model.record.keep_all = run.info.get("record") == "full"
    model.record.extent = _extent(run)
    model.record.past = _past(run)
    model.interventions = _interventions(run, model)
    model.record.of_evenings.clear()
    model.record.evenings(int(model.time), model.evenings_of_nobody())
    _verify_one_run(run, model)
    return model


def put_in(model: TavernModel, entries: Iterable[Entry], last: int | None = None) -> None:
    """Have interventions happen in a model, each in the morning of its night.

    Parameters
    ----------
    model : TavernModel
        New, played or revived.
    entries : iterable of Entry
        As `read_interventions` gives them. One without a night is of the next one.
    last : int, optional
        The last night that will be played.

    Raises
    ------
    DataError
        If one is of a night that is over or will not be played. What else is wrong with
        one (nobody is called so, he is dead, he holds less) is said on its morning.
    """
    if model.interventions is None:
        model.interventions = Interventions()
    model.interventions.add(entries, int(model.time) + 1, last)


def _verify_one_run(run: RunFolder, model: TavernModel) -> None:
    """See that state and tables are those that the run was written with.

    The tables are made once more, one after the other, of how things stand and of what
    was written down: only then do they come to the same digest.
    """
    making = Making(model)
    with reading(run):
        is_whole = {name: _n_rows(run, name) == len(table) for name, table in making.tables()}
    is_same = making.digest() == run.info.get("digest")
    if not (all(is_whole.values()) and is_same and _is_counted_alike(run, model)):
        raise RunFolderError(run.path, _not_of_one_run(run))


def _not_of_one_run(run: RunFolder) -> str:
    """What is the matter with a folder whose tables do not follow from its state."""
    versions = run.info.get("versions")
    then = versions.get("tavern_abm") if isinstance(versions, dict) else None
    if then != (now := version("tavern-abm")):
        text = f"played by tavern_abm {then}, and {now} makes other tables of it"
        return f"{text}, or it is damaged; {_again(run)}"
    return "damaged: state.npz, tables and run.json are not of one run"


def _is_counted_alike(run: RunFolder, model: TavernModel) -> bool:
    """Whether coins and tellings come to what the folder says; no table has them of a state."""
    n_tellings = model.company.grapevine.n_tellings
    n_rows, ledger = _n_rows(run, "tellings"), model.ledger
    is_sample = model.record.extent.one_story_in > 1
    n_fits = n_rows <= n_tellings if is_sample else n_rows == n_tellings
    stands = ledger.closing_cp + ledger.outside_cp + ledger.treasury_cp
    return n_fits and stands == ledger.opening_cp and ledger.summary() == run.info.get("ledger")


def _n_rows(run: RunFolder, name: str) -> int:
    return int(pq.read_metadata(run.path / f"{name}.parquet").num_rows)


def _extent(run: RunFolder) -> Extent:
    try:
        extent = Extent(**run.info["extent"])
    except (KeyError, TypeError) as error:
        raise _damaged_info(run, "what is said of its extent") from error
    one_in = (extent.one_observer_in, extent.one_story_in)
    if not all(type(each) is int and each > 0 for each in one_in):
        raise _damaged_info(run, "its extent has a sample that is none")
    if type(extent.has_state) is not bool:
        raise _damaged_info(run, "its extent does not say whether there is a state")
    return extent


def _damaged_info(run: RunFolder, what: str) -> RunFolderError:
    return RunFolderError(run.path / "run.json", f"damaged: {what}")


def _past(run: RunFolder) -> Past:
    """The tables of the run, of which none is missing, cut short or without a column."""
    run.verify_tables()
    for name in filter(TABLES.__contains__, run.tables):
        file = run.path / f"{name}.parquet"
        try:
            there = pq.read_schema(file).names
        except (OSError, pa.ArrowException) as error:
            problem = f"damaged or not a table: {str(error).partition(chr(10))[0]}"
            raise RunFolderError(file, problem) from error
        for column in TABLES[name].columns:
            if column.name not in there:
                problem = f"damaged or of another version: it has no column {column.name!r}"
                raise RunFolderError(file, problem)
    return Past(run, NIGHTS_BETWEEN_NETWORKS)


def _interventions(run: RunFolder, model: TavernModel) -> Interventions | None:
    """What was put into a run, if anything was; its events say that it was."""
    file = run.path / "interventions.toml"
    entries = read_interventions(file) if file.exists() else []
    verify_done(run, model, entries)
    return Interventions(entries) if entries else None


def _blank(run: RunFolder, threads: int, policy: Policy | None) -> TavernModel:
    """A model of the same scenario and seed that has played nothing."""
    file = run.path / "scenario.toml"
    if not file.is_file():
        raise RunFolderError(file, "the scenario of this run is missing")
    _verify_decisions(run, policy)
    seed, replicate = run.info["seed"], run.info.get("replicate", 0)
    if type(replicate) is not int or replicate < 0:
        raise _damaged_info(run, "its replicate is no whole number")
    model = TavernModel(file, rng=seed, replicate=replicate, threads=threads, policy=policy)
    if digest_of_files(model.scenario.data) != run.info.get("data_digest"):
        if model.scenario.data is None:
            raise _damaged_info(run, "it tells of tables of its own, and the scenario has none")
        text = f"the tables in {model.scenario.data} have changed since it was played"
        raise RunFolderError(run.path, f"{text}; play it again")
    return model


def _verify_decisions(run: RunFolder, policy: Policy | None) -> None:
    """A folder keeps the names of a user's own decisions, and not what they decide."""
    before = run.info.get("decisions", [])
    if not isinstance(before, list) or not all(isinstance(each, str) for each in before):
        raise _damaged_info(run, "what is said of its decisions")
    now = own_decisions(policy or Policy())
    if before != now:
        names = ", ".join(before) or "the shipped ones alone"
        text = f"it was played with decisions of its own ({names}); go on with these, from Python"
        raise RunFolderError(run.path, text)


def _read_state(run: RunFolder) -> dict[str, Any]:
    """The arrays of the folder's ``state.npz``."""
    file = run.path / "state.npz"
    _verify_can_go_on(run, file)
    try:
        with file.open("rb") as content, np.load(content, allow_pickle=False) as found:
            arrays = dict(found)
    except _DAMAGE as error:
        raise RunFolderError(file, f"damaged: {error}") from error
    if "night" not in arrays or int(arrays["night"]) != run.info["nights"]:
        raise RunFolderError(file, "damaged: it is not of the night on which the run stopped")
    return arrays


def _verify_can_go_on(run: RunFolder, file: Path) -> None:
    if run.info["format"] < SINCE_FORMAT:
        text = "it was written by an earlier version, which kept too little to go on from"
        raise RunFolderError(run.path, f"{text}; {_again(run)}")
    if file.is_file():
        return
    if run.info.get("record") != "full" and not run.info.get("extent", {}).get("has_state", True):
        text = f"this big town kept no state to go on from; {_again(run)} --record full"
        raise RunFolderError(run.path, text)
    raise RunFolderError(file, "the state of this run is missing, so it cannot be gone on from")


def _again(run: RunFolder) -> str:
    """How a run is played anew."""
    nights, seed = run.info["nights"], run.info["seed"]
    file = run.path / "scenario.toml"
    return f"play it again: tavern run {file} --nights {nights} --seed {seed}"
