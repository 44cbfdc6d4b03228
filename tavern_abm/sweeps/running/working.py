"""In a worker: plays a chunk of runs, and keeps each one as it ends.

This is all that runs in other processes or on other machines. A run that raises is a run
that failed, and the next one is played; what cannot be kept (a full disk) ends the sweep.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import threading
import time
import traceback
from collections.abc import Callable, Collection, Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ..errors import SweepError
from ..stores.parts import FOLDER, Part, part_of
from ..stores.records import clean
from ..stores.store import Store
from .played import played, values_of

if TYPE_CHECKING:
    from ..outputs import Configuration
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
    retry_failed : bool
        A run that has failed before does not count as played.
    """

    sweep: str
    store: str
    configuration: bytes
    watched: str | None = None
    is_claimed: bool = False
    retry_failed: bool = False


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
        Of the watched output, if there is one and the run is done.
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


class _Process:
    """What this process remembers between the chunks that it plays.

    Attributes
    ----------
    stopped : set of str
        Sessions of which no further run is begun.
    is_stopped : list of callables
        Each says whether none at all is.
    unpacked : dict of bytes to Configuration
        The last configuration that came.
    played : set of str
        Sessions of which a run has been played.
    to_tidy : float
        When what runs have left behind is freed the next time.
    first : Lock
        Held while something is unpacked, and while the first run of a session is played.
    """

    def __init__(self) -> None:
        self.stopped: set[str] = set()
        self.is_stopped: list[Callable[[], bool]] = []
        self.unpacked: dict[bytes, Configuration] = {}
        self.played: set[str] = set()
        self.to_tidy = 0.0
        self.first = threading.Lock()

    def after_fork(self) -> None:
        """A lock that another thread held as a process was forked is never given back there."""
        self.first = threading.Lock()


_process = _Process()
os.register_at_fork(after_in_child=_process.after_fork)


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
                ended.append(known[run.run_id])
                continue
            if ended and (time.monotonic() - began > chunk.seconds or _shall_stop(task)):
                break
            with _first_alone(task):
                ended.append(play_and_keep(run, configuration, part, task.watched))
            _tidy_up()
    return ended


def stop(sweep: str) -> None:
    """Let the workers in this process begin no further run of a sweep."""
    _process.stopped.add(sweep)


def stop_when(is_stopped: Callable[[], bool]) -> None:
    """Let this worker process begin no further run once this says so."""
    _process.is_stopped.append(is_stopped)


def _shall_stop(task: Task) -> bool:
    return task.sweep in _process.stopped or any(each() for each in _process.is_stopped)


def _configuration(task: Task) -> Configuration:
    """Unpack the configuration, if it is not the one that was unpacked last."""
    with _process.first:
        if task.configuration not in _process.unpacked:
            _process.unpacked = {task.configuration: loaded(task.configuration)}
        return _process.unpacked[task.configuration]


def packed(configuration: Configuration, *, by_value: bool = False) -> bytes:
    """A configuration as bytes, as a task carries it.

    Parameters
    ----------
    configuration : Configuration
        How a run is played.
    by_value : bool
        Functions of a script or notebook travel as they are, if cloudpickle is there (Dask
        brings it along).

    Raises
    ------
    SweepError
        If it cannot travel to other processes.
    """
    try:
        return _dumps(by_value)(configuration)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        text = (
            f"what is to be played cannot be sent to other processes ({error}); functions and "
            "classes must stand in a module"
        )
        raise SweepError(text) from None


def _dumps(by_value: bool) -> Callable[[Any], bytes]:
    if by_value:
        with contextlib.suppress(ImportError):
            dumps: Callable[[Any], bytes] = import_module("cloudpickle").dumps
            return dumps
    return pickle.dumps


def loaded(packed: bytes) -> Configuration:
    """The configuration that was packed.

    Raises
    ------
    SweepError
        If what it is made of cannot be found here.
    """
    try:
        return cast("Configuration", pickle.loads(packed))
    except (AttributeError, ImportError) as error:
        text = (
            f"a worker cannot find what it shall play ({error}); functions and classes must "
            "stand in a module that the workers can import"
        )
        raise SweepError(text) from None


def play_and_keep(
    run: Run, configuration: Configuration, part: Part, watched: str | None = None
) -> Ended:
    """Play a run and keep what came of it; what it raises makes it a failed run.

    Parameters
    ----------
    run : Run
        The run.
    configuration : Configuration
        Plays it.
    part : Part
        Where it is kept.
    watched : str, optional
        An output whose value is told.

    Raises
    ------
    OSError
        If it cannot be kept.
    """
    began = time.perf_counter()
    try:
        with _staying_here():
            output = configuration(run)
        rows = part.rows_of(run, output)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        seconds = time.perf_counter() - began
        line = first_line(error)
        part.failed(run, line, traceback.format_exc(), seconds)
        return Ended(run.run_id, "failed", seconds, None, line)
    seconds = time.perf_counter() - began
    part.done(run, output, seconds, rows)
    value = None if watched is None else float(output.outcomes[watched])
    return Ended(run.run_id, "done", seconds, value)


@contextlib.contextmanager
def _staying_here() -> Iterator[None]:
    """What a run makes the working folder is not the next one's, nor the sweep's."""
    try:
        here = os.getcwd()
    except FileNotFoundError:
        yield
        return
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.chdir(here)


@contextlib.contextmanager
def _first_alone(task: Task) -> Iterator[None]:
    """Play the first run of a session alone, where threads would compile the same at once."""
    if task.sweep in _process.played:
        yield
        return
    with _process.first:
        if task.sweep not in _process.played:
            try:
                yield
            finally:
                _process.played.add(task.sweep)
            _freeze()
            return
    yield


def _freeze() -> None:
    """What has been loaded for good need not be looked through again whenever runs are freed."""
    if _process.is_stopped:  # a process of our own, in which nobody else minds
        gc.collect()
        gc.freeze()
        gc.collect()


def _tidy_up() -> None:
    """Free what runs have left behind.

    A model is a knot of objects that refer to each other, and large by its arrays, of which
    Python's collector knows nothing: left alone it would let hundreds of them pile up.
    """
    now = time.monotonic()
    if now >= _process.to_tidy:
        gc.collect()
        _process.to_tidy = now + TIDY_SHARE * (time.monotonic() - now)


def first_line(error: BaseException) -> str:
    """What went wrong, in one line.

    Examples
    --------
    >>> first_line(ValueError("no such coin"))
    'ValueError: no such coin'
    """
    text = "".join(traceback.format_exception_only(error)).strip() or type(error).__name__
    return clean(text.splitlines()[0][:LONGEST_LINE])


# ------------------------------------------------------------- second tries


def claim_of(store: str | Path, sweep: str, number: int) -> Path:
    """The file that says that a chunk has been begun by a worker."""
    return Path(store, FOLDER, f"{sweep}-{number}.claim")


def forget_claims(store: str | Path) -> None:
    """Remove what sessions that were killed have left."""
    for each in Path(store, FOLDER).glob("*.claim"):
        each.unlink(missing_ok=True)


def _played_before(task: Task, chunk: Chunk) -> dict[int, Ended]:
    """What a worker that died had played of a chunk: none, if this is the first to begin it."""
    claim = claim_of(task.store, task.sweep, chunk.number)
    try:
        claim.touch(exist_ok=False)
    except FileExistsError:
        return recorded(task, [run.run_id for run in chunk.runs])
    return {}


def recorded(task: Task, run_ids: Collection[int]) -> dict[int, Ended]:
    """What the store has of these runs, as far as they count as played; read, not played."""
    store = Store.open(task.store)
    index = store.index()
    there = played(index, run_ids, retry_failed=task.retry_failed)
    values = {} if task.watched is None else values_of(store, index, task.watched, there)
    return {
        run_id: Ended(run_id, status, 0.0, values.get(run_id)) for run_id, status in there.items()
    }
