"""In a worker: plays a chunk of runs, and keeps each one as it ends.

This is all that runs in other processes or on other machines. A run that raises is a run
that failed, and the next one is played; what cannot be kept (a full disk) ends the sweep.
"""

from __future__ import annotations

import gc
import pickle
import threading
import time
import traceback
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from ..errors import SweepError
from ..stores.parts import FOLDER, Part, part_of
from ..stores.store import Store

if TYPE_CHECKING:
    from ..outputs import Configuration, Output
    from ..runs import Run

LONGEST_LINE = 300
"""The first line of an error is cut off here, in characters."""


class Task(NamedTuple):
    """What all chunks of a sweep have in common, as it travels to the workers.

    Attributes
    ----------
    sweep : str
        A name for this session of the sweep that no other one has.
    store : str
        Folder of the store, absolute.
    configuration : bytes
        Pickled; a worker unpacks it once.
    watched : str or None
        An output whose value is told to the runner.
    is_claimed : bool
        The executor may hand a chunk to a second worker as the first one dies: it is looked
        up then what has been played.
    """

    sweep: str
    store: str
    configuration: bytes
    watched: str | None = None
    is_claimed: bool = False


class Chunk(NamedTuple):
    """Runs that are sent to a worker together.

    Attributes
    ----------
    number : int
        Counts the chunks of a session.
    runs : tuple of Run
        In the order in which they are played.
    seconds : float
        No further run is begun when so much time has passed; what was not begun goes back.
    """

    number: int
    runs: tuple[Run, ...]
    seconds: float


class Ended(NamedTuple):
    """A run that has been played and kept.

    Attributes
    ----------
    run_id : int
        Which one.
    status : str
        "done" or "failed".
    seconds : float
        How long it took; 0 if another worker had played it.
    value : float or None
        Of the watched output, if the run is done and was played here.
    error : str or None
        The first line of what went wrong.
    """

    run_id: int
    status: str
    seconds: float = 0.0
    value: float | None = None
    error: str | None = None


TIDY_SHARE = 50
"""Freeing what runs leave behind may take a fiftieth of the time."""

_stopped: set[str] = set()
_unpacked: dict[bytes, Configuration] = {}
_at_first = threading.Lock()
_has_played: set[str] = set()
_is_stopped: list[Callable[[], bool]] = []
_to_tidy = [0.0]


def play_chunk(task: Task, chunk: Chunk) -> list[Ended]:
    """Play runs one after the other; each is kept before the next one begins.

    Returns
    -------
    list of Ended
        Those that were played, perhaps fewer than there are in the chunk.
    """
    configuration = _configuration(task)
    part = part_of(Path(task.store), configuration)
    began = time.monotonic()
    ended: list[Ended] = []
    with part.playing():
        known = _played_before(task, chunk) if task.is_claimed else {}
        for run in chunk.runs:
            if run.run_id in known:
                ended.append(Ended(run.run_id, known[run.run_id]))
                continue
            if ended and (time.monotonic() - began > chunk.seconds or _shall_stop(task)):
                break
            ended.append(_play_and_keep(task, run, configuration, part))
            _tidy_up()
    return ended


def stop(sweep: str) -> None:
    """Let the workers in this process begin no further run of a sweep."""
    _stopped.add(sweep)


def stop_when(is_stopped: Callable[[], bool]) -> None:
    """Let this worker process begin no further run once this says so."""
    _is_stopped.append(is_stopped)


def _shall_stop(task: Task) -> bool:
    return task.sweep in _stopped or any(each() for each in _is_stopped)


def _configuration(task: Task) -> Configuration:
    """Unpack the configuration, if it is not the one that was unpacked last."""
    with _at_first:
        if task.configuration not in _unpacked:
            loaded = _loaded(task.configuration)
            _unpacked.clear()
            _unpacked[task.configuration] = loaded
        return _unpacked[task.configuration]


def _loaded(packed: bytes) -> Configuration:
    try:
        return cast("Configuration", pickle.loads(packed))
    except (AttributeError, ImportError) as error:
        text = (
            f"a worker cannot find what it shall play ({error}); functions and classes must "
            "stand in a module that the workers can import"
        )
        raise SweepError(text) from None


def _play_and_keep(task: Task, run: Run, configuration: Configuration, part: Part) -> Ended:
    began = time.perf_counter()
    try:
        output = _play(task, run, configuration)
        rows = part.rows_of(run, output)
    except (Exception, SystemExit) as error:
        seconds = time.perf_counter() - began
        line = first_line(error)
        part.failed(run, line, traceback.format_exc(), seconds)
        return Ended(run.run_id, "failed", seconds, None, line)
    seconds = time.perf_counter() - began
    part.done(run, output, seconds, rows)
    value = None if task.watched is None else float(output.outcomes[task.watched])
    return Ended(run.run_id, "done", seconds, value)


def _play(task: Task, run: Run, configuration: Configuration) -> Output:
    """Play a run; the first one alone, where threads would compile the same thing at once."""
    if task.sweep in _has_played:
        return configuration(run)
    with _at_first:
        output = configuration(run)
    _has_played.add(task.sweep)
    if _is_stopped:  # a process of our own, in which nobody else minds
        gc.collect()
        gc.freeze()  # what has been loaded for good need not be looked through again
        gc.collect()
    return output


def _tidy_up() -> None:
    """Free what runs have left behind.

    A model is a knot of objects that refer to each other, and large by its arrays, of which
    Python's collector knows nothing: left alone it would let hundreds of them pile up.
    """
    now = time.monotonic()
    if now >= _to_tidy[0]:
        gc.collect()
        _to_tidy[0] = now + TIDY_SHARE * (time.monotonic() - now)


def first_line(error: BaseException) -> str:
    """What went wrong, in one line.

    Examples
    --------
    >>> first_line(ValueError("no such coin"))
    'ValueError: no such coin'
    """
    text = "".join(traceback.format_exception_only(error)).strip() or type(error).__name__
    return text.splitlines()[0][:LONGEST_LINE]


# ------------------------------------------------------------- second tries


def claim_of(store: str | Path, sweep: str, number: int) -> Path:
    """The file that says that a chunk has been begun by a worker."""
    return Path(store, FOLDER, f"{sweep}-{number}.claim")


def forget_claims(store: str | Path) -> None:
    """Remove what sessions that were killed have left."""
    for each in Path(store, FOLDER).glob("*.claim"):
        each.unlink(missing_ok=True)


def _played_before(task: Task, chunk: Chunk) -> dict[int, str]:
    """What a worker that died had played of a chunk: none, if this is the first to begin it."""
    claim = claim_of(task.store, task.sweep, chunk.number)
    try:
        claim.touch(exist_ok=False)
    except FileExistsError:
        return recorded(task.store, [run.run_id for run in chunk.runs])
    return {}


def recorded(store: str | Path, runs: Collection[int]) -> dict[int, str]:
    """Which of these runs have a record, and whether they are done or failed."""
    index = Store.open(store).index()
    wanted = np.fromiter(runs, np.int64)
    places = np.searchsorted(index.run_ids, wanted)
    found = places < len(index.run_ids)
    found[found] = index.run_ids[places[found]] == wanted[found]
    is_done = index.is_done[places[found]].tolist()
    return {
        run_id: "done" if done else "failed"
        for run_id, done in zip(wanted[found].tolist(), is_done, strict=True)
    }
