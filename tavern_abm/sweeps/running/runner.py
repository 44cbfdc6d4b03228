"""Plays a design into a store: chunk by chunk, over any executor, whatever dies meanwhile.

The order of a session:

1. A plan says which runs are left (`rounds`): those without a record in the store.
2. Chunks of them go to workers (`executors`), a few ahead of what is being played.
3. A worker keeps every run as it ends (`working`, `parts`), and tells how it ended.
4. If a worker dies, what it had not kept is played again, the run that it was at alone;
   if that one kills its worker again, it is a failed run.

Nothing of a result passes through this process, so memory does not grow with the sweep.
"""

from __future__ import annotations

import contextlib
import pickle
import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..design import Auto, Design
from ..errors import SweepError
from ..runs import Run
from ..stores.parts import part_of
from ..stores.shards import Shard
from . import working
from .executors import Workers, is_death, is_loss, workers_of
from .kernels import games_to_compile
from .pace import Pace
from .progress import Progress, Silent
from .rounds import AllRuns, UntilNarrow
from .working import Chunk, Ended, Task

if TYPE_CHECKING:
    from ..stores.store import Store

FAILURES_KEPT = 20
"""So many failures are told at the end; all of them are in the store."""
TRIES_ALONE = 2
"""A run that kills its worker so often, played alone, is a failed run (a cluster tries itself)."""
DIED = "its process died (killed from outside, out of memory, or a crash in compiled code)"


@dataclass
class Tally:
    """What came of a session.

    Attributes
    ----------
    total : int
        Runs of the sweep (or of the shard), those of earlier sessions too.
    before : int
        Runs that earlier sessions had played.
    done, failed : int
        Runs that this session played.
    seconds : float
        How long it took.
    n_wide : int
        Points whose interval did not become as narrow as asked, where that was asked.
    failures : list of Ended
        The first of the failed ones.
    is_interrupted : bool
        It was stopped before the end.
    """

    total: int = 0
    before: int = 0
    done: int = 0
    failed: int = 0
    seconds: float = 0.0
    n_wide: int = 0
    failures: list[Ended] = field(default_factory=list)
    is_interrupted: bool = False

    @property
    def left(self) -> int:
        """Runs that have not been played."""
        return self.total - self.before - self.done - self.failed


def play(
    design: Design,
    store: Store,
    *,
    executor: Any = None,
    jobs: int = 1,
    shard: Shard | None = None,
    retry_failed: bool = False,
    progress: Progress | None = None,
) -> Tally:
    """Play what is left of a design.

    Parameters
    ----------
    design : Design
        The experiment.
    store : Store
        Of this design, held by this process (see `Store.locked`).
    executor : Executor, distributed.Client, cluster of Dask or address, optional
        Who plays; see `executors.workers_of`.
    jobs : int, default 1
        Processes, where no executor is given; 1 plays in this one.
    shard : Shard, optional
        Only the runs of this shard.
    retry_failed : bool, default False
        Play runs again that have failed before.
    progress : Progress, optional
        Is told how far it is.

    Returns
    -------
    Tally
        What was played, and what is left if it was interrupted.

    Raises
    ------
    SweepError
        If no worker can play: the scheduler is gone, another version is there ...
    OSError
        If a run cannot be kept.
    """
    finished = _finished(store, retry_failed)
    plan = _plan(design, store, finished, shard)
    progress = progress or Silent()
    progress.begin(plan.total, plan.before)
    try:
        if plan.before == plan.total:
            return Tally(plan.total, plan.before, n_wide=getattr(plan, "n_wide", 0))
        workers = workers_of(executor, jobs)
        try:
            return _Session(design, store, plan, workers, progress, retry_failed).play()
        finally:
            workers.close()
    finally:
        progress.end()


def _finished(store: Store, retry_failed: bool) -> Mapping[int, str]:
    finished = store.finished()
    if not retry_failed:
        return finished
    return {run_id: status for run_id, status in finished.items() if status == "done"}


def _plan(
    design: Design, store: Store, finished: Mapping[int, str], shard: Shard | None
) -> AllRuns | UntilNarrow:
    if not isinstance(design.replications, Auto):
        return AllRuns(design, finished, shard)
    output = design.replications.output
    values = _values(store, output) if finished else {}
    return UntilNarrow(design, finished, values, shard)


def _values(store: Store, output: str) -> dict[int, float]:
    """What the runs in a store gave for an output."""
    from ..stores.frames import read

    outcomes = read(store.path).outcomes
    return dict(zip(outcomes["run_id"].tolist(), outcomes[output].tolist(), strict=True))


class _Session:
    """One session: from what is left to nothing left, or to an interruption."""

    def __init__(
        self,
        design: Design,
        store: Store,
        plan: AllRuns | UntilNarrow,
        workers: Workers,
        progress: Progress,
        retry_failed: bool,
    ) -> None:
        self._design, self._store, self._plan = design, store, plan
        self._workers, self._progress = workers, progress
        self._retry_failed = retry_failed
        self._task = _task(design, store, workers)
        self._pace = Pace(workers.aim_seconds)
        self._in_flight: dict[Future[list[Ended]], Chunk] = {}
        self._n_chunks = 0
        self._tally = Tally(plan.total, plan.before)
        self._before = store.tally()

    def play(self) -> Tally:
        """Play until nothing is left."""
        began = time.monotonic()
        working.forget_claims(self._store.path)
        try:
            self._play_all()
        except KeyboardInterrupt:
            self._tally.is_interrupted = True
        finally:
            self._stop()
        if self._tally.is_interrupted:
            self._recount()
        self._tally.seconds = time.monotonic() - began
        self._tally.total = self._plan.total
        self._tally.n_wide = getattr(self._plan, "n_wide", 0)
        return self._tally

    def _recount(self) -> None:
        """Count by the records: a chunk that was cut off has not told what it played."""
        now = self._store.tally()
        self._tally.done = now.done - self._before.done
        self._tally.failed = max(0, now.failed - self._before.failed)

    def _play_all(self) -> None:
        while True:
            self._hand_out()
            if not self._in_flight:
                return
            self._take_back(self._next_to_end())

    def _next_to_end(self) -> set[Future[list[Ended]]]:
        """Wait until something in flight has ended, and look after it meanwhile."""
        patience = self._workers.patience
        while True:
            ended, _ = wait(self._in_flight, timeout=patience, return_when=FIRST_COMPLETED)
            if ended:
                return ended
            self._workers.look_after(self._progress.say)

    # ------------------------------------------------------------- out and back

    def _hand_out(self) -> None:
        """Send chunks, as many as shall be in flight."""
        window = self._workers.window
        while len(self._in_flight) < window:
            n = self._pace.size(self._plan.waiting, self._workers.count)
            runs = self._plan.take(n)
            if not runs:
                return
            try:
                self._send(runs)
            except BrokenExecutor:
                self._plan.put_back(runs)
                self._recover(list(self._in_flight))
            if not self._pace.is_known and self._n_chunks == 1 and self._is_cold():
                return

    def _is_cold(self) -> bool:
        """Whether kernels have yet to be compiled: one worker does, and the others find them."""
        return self._workers.count > 1 and bool(games_to_compile(self._design.configuration))

    def _send(self, runs: Sequence[Run]) -> Future[list[Ended]]:
        chunk = Chunk(self._n_chunks, tuple(runs), 2 * self._pace.aim_seconds)
        future = self._workers.submit(self._task, chunk)
        self._in_flight[future] = chunk
        self._n_chunks += 1
        return future

    def _take_back(self, futures: Iterable[Future[list[Ended]]]) -> None:
        """Count what came of chunks, and see to those that were lost."""
        lost = []
        for future in futures:
            error = _error_of(future)
            if error is None:
                self._count(self._forget(future), future.result())
            elif is_death(error):
                lost.append(future)
            else:
                raise self._told(error)
        if lost:
            self._recover(lost)

    def _forget(self, future: Future[list[Ended]]) -> Chunk:
        chunk = self._in_flight.pop(future)
        if self._task.is_claimed:
            claim = working.claim_of(self._store.path, self._task.sweep, chunk.number)
            claim.unlink(missing_ok=True)
        return chunk

    def _count(self, chunk: Chunk, ended: Sequence[Ended]) -> None:
        """Note the runs of a chunk that were played, and put the others back."""
        there = {each.run_id for each in ended}
        self._plan.put_back([run for run in chunk.runs if run.run_id not in there])
        for each in ended:
            self._note(each)
        failed = [each for each in ended if each.status == "failed"]
        self._tally.done += len(ended) - len(failed)
        self._tally.failed += len(failed)
        self._tally.failures += failed[: FAILURES_KEPT - len(self._tally.failures)]
        self._progress.total(self._plan.total)
        self._progress.advance(len(ended) - len(failed), len(failed))

    def _note(self, each: Ended) -> None:
        """Tell the plan and the pace of a run."""
        value = each.value
        if self._task.watched and each.status == "done" and value is None:
            value = _values(self._store, self._task.watched)[each.run_id]
        self._plan.note(each.run_id, value)
        if each.seconds:
            self._pace.note(each.seconds)

    # ------------------------------------------------------------- when a worker dies

    def _recover(self, lost: Sequence[Future[list[Ended]]]) -> None:
        """Go on after a death: what was kept counts, the runs under suspicion play alone."""
        self._workers.renew()
        chunks = [self._forget(future) for future in self._all_lost(lost)]
        runs = [run for chunk in chunks for run in chunk.runs]
        known = self._recorded(runs)
        suspects = []
        for chunk in chunks:
            open_runs = [run for run in chunk.runs if run.run_id not in known]
            kept = [
                Ended(run.run_id, known[run.run_id]) for run in chunk.runs if run.run_id in known
            ]
            self._count(chunk._replace(runs=tuple(open_runs[1:])), kept)
            suspects += open_runs[:1]
        for run in suspects:
            self._play_alone(run)

    def _all_lost(self, lost: Sequence[Future[list[Ended]]]) -> list[Future[list[Ended]]]:
        """With a pool of processes all chunks are lost as one is; what came back counts."""
        if self._task.is_claimed:
            return list(lost)
        wait(self._in_flight)
        back = [future for future in self._in_flight if _error_of(future) is None]
        for future in back:
            self._count(self._forget(future), future.result())
        return list(self._in_flight)

    def _recorded(self, runs: Sequence[Run]) -> dict[int, str]:
        known = working.recorded(self._store.path, [run.run_id for run in runs])
        if self._retry_failed:
            return {run_id: status for run_id, status in known.items() if status == "done"}
        return known

    def _play_alone(self, run: Run) -> None:
        """Play a run while no other is played, so that a death is its own."""
        for _ in range(1 if self._task.is_claimed else TRIES_ALONE):
            future = self._send([run])
            self._await(future)
            error = _error_of(future)
            if error is None:
                self._count(self._forget(future), future.result())
                return
            if not is_death(error):
                raise self._told(error)
            self._forget(future)
            self._workers.renew()
        part = part_of(Path(self._task.store), self._design.configuration)
        part.failed(run, DIED, f"{DIED}\n", 0.0)
        ended = Ended(run.run_id, "failed", 0.0, None, DIED)
        self._count(Chunk(self._n_chunks, (run,), 0.0), [ended])

    def _await(self, future: Future[list[Ended]]) -> None:
        """Wait for one chunk."""
        while not wait([future], timeout=self._workers.patience).done:
            self._workers.look_after(self._progress.say)

    def _told(self, error: BaseException) -> BaseException:
        """What ends the session, in words for its user."""
        if is_loss(error):
            return SweepError(
                "the scheduler is gone, or has dropped the runs; what was played is kept: "
                "go on with --resume (in Python: resume=True)"
            )
        return error

    def _stop(self) -> None:
        """Let go of what is in flight, and count what came back all the same."""
        if not self._in_flight:
            return
        with contextlib.suppress(KeyboardInterrupt):  # pressed again: do not wait
            self._workers.stop(self._task, set(self._in_flight))
        for future in list(self._in_flight):
            chunk = self._forget(future)
            if future.done() and _error_of(future) is None:
                self._count(chunk, future.result())


def _error_of(future: Future[Any]) -> BaseException | None:
    """What went wrong with a chunk."""
    if future.cancelled():
        return CancelledError()
    return future.exception() if future.done() else StillRunningError()


class StillRunningError(RuntimeError):
    """A chunk that had not ended as it was let go of."""


def _task(design: Design, store: Store, workers: Workers) -> Task:
    watched = design.replications.output if isinstance(design.replications, Auto) else None
    return Task(
        uuid.uuid4().hex[:12],
        str(store.path.resolve()),
        packed(design.configuration, by_value=workers.is_elsewhere),
        watched,
        workers.is_elsewhere,
    )


def packed(configuration: Any, *, by_value: bool = False) -> bytes:
    """A configuration as bytes.

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
