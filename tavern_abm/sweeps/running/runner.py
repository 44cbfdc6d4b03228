"""Plays a design into a store: chunk by chunk, over any executor, whatever dies meanwhile.

The order of a session:

1. A plan says which runs are left (`rounds`): those without a record in the store.
2. Chunks of them go to workers (`executors`), a few ahead of what is being played.
3. A worker keeps every run as it ends (`working`, `parts`), and tells how it ended.
4. If a worker dies, what it had not kept is played again, the run that it was at alone;
   if that one kills its worker again, it is a failed run (`recovering`).

Nothing of a result passes through this process but the one output that rounds watch: a run
costs it some tens of bytes, whatever is measured.
"""

from __future__ import annotations

import contextlib
import time
import uuid
from collections.abc import Iterable, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..design import Auto, Design
from ..errors import SweepError
from ..stores.shards import Shard
from . import working
from .executors import Workers, is_death, is_loss, workers_of
from .in_flight import InFlight, Out, error_of
from .kernels import games_to_compile
from .pace import Pace
from .played import played, values_of
from .progress import Progress, Silent
from .recovering import Recovery
from .rounds import AllRuns, UntilNarrow
from .working import Chunk, Ended, Task, packed

if TYPE_CHECKING:
    from ..stores.store import Store

FAILURES_KEPT = 20
"""So many failures are told at the end; all of them are in the store."""


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
    plan = _plan(design, store, shard, retry_failed)
    progress = progress or Silent()
    progress.begin(plan.total, plan.before)
    try:
        if plan.before == plan.total:
            return Tally(plan.total, plan.before, n_wide=getattr(plan, "n_wide", 0))
        try:
            workers = workers_of(executor, jobs)
        except KeyboardInterrupt:
            return Tally(plan.total, plan.before, is_interrupted=True)
        try:
            return _Session(design, store, plan, workers, progress, retry_failed).play()
        finally:
            workers.close()
    finally:
        progress.end()


def _plan(
    design: Design, store: Store, shard: Shard | None, retry_failed: bool
) -> AllRuns | UntilNarrow:
    index = store.index()
    there = played(index, retry_failed=retry_failed)
    if not isinstance(design.replications, Auto):
        return AllRuns(design, there, shard)
    values = values_of(store, index, design.replications.output, there)
    return UntilNarrow(design, there, values, shard)


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
        self._task = _task(design, store, workers, retry_failed)
        self._pace = Pace(workers.aim_seconds)
        self._out = InFlight(workers, self._task, 2 * workers.aim_seconds)
        self._recovery = Recovery(workers, self._task, design.configuration, self._out, self._count)
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
            if not self._out:
                return
            self._take_back(self._out.next_to_end(self._progress.say))

    def _hand_out(self) -> None:
        """Send chunks, as many as shall be in flight."""
        if self._recovery.try_next():
            return
        window = self._workers.window
        while len(self._out) < window:
            runs = self._plan.take(self._pace.size(self._plan.waiting, self._workers.count))
            if not runs:
                return
            try:
                self._out.send(runs)
            except BrokenExecutor:
                self._plan.put_back(runs)
                self._recovery.recover(self._out.futures)
                if self._recovery.try_next():
                    return
            if not self._pace.is_known and self._out.n_sent == 1 and self._is_cold():
                return

    def _is_cold(self) -> bool:
        """Whether kernels have yet to be compiled: one worker does, and the others find them."""
        return self._workers.count > 1 and bool(games_to_compile(self._design.configuration))

    def _take_back(self, futures: Iterable[Out]) -> None:
        """Count what came of chunks, and see to those that were lost."""
        lost = []
        for future in futures:
            error = error_of(future)
            if error is None:
                self._count(self._out.forget(future), future.result())
            elif is_death(error):
                lost.append(future)
            else:
                raise _told(error)
        if lost:
            self._recovery.recover(lost)

    def _count(self, chunk: Chunk, ended: Sequence[Ended]) -> None:
        """Note the runs of a chunk that were played, and put the others back."""
        there = {each.run_id for each in ended}
        self._plan.put_back([run for run in chunk.runs if run.run_id not in there])
        for each in ended:
            self._plan.note(each.run_id, each.value)
            if each.seconds:
                self._pace.note(each.seconds)
        failed = [each for each in ended if each.status == "failed"]
        self._tally.done += len(ended) - len(failed)
        self._tally.failed += len(failed)
        self._tally.failures += failed[: FAILURES_KEPT - len(self._tally.failures)]
        # A further round of a point may find some of its runs in the store.
        self._tally.total, self._tally.before = self._plan.total, self._plan.before
        self._progress.total(self._plan.total, self._plan.before)
        self._progress.advance(len(ended) - len(failed), len(failed))

    def _stop(self) -> None:
        """Let go of what is in flight, and count what came back all the same."""
        if not self._out:
            return
        with contextlib.suppress(KeyboardInterrupt):  # pressed again: do not wait
            self._workers.stop(self._task, set(self._out.futures))
        for future in self._out.futures:
            chunk = self._out.forget(future)
            if error_of(future) is None:
                self._count(chunk, future.result())


def _told(error: BaseException) -> BaseException:
    """What ends the session, in words for its user."""
    if is_loss(error):
        return SweepError(
            "the scheduler is gone, or has dropped the runs; what was played is kept: "
            "go on with --resume (in Python: resume=True)"
        )
    return error


def _task(design: Design, store: Store, workers: Workers, retry_failed: bool = False) -> Task:
    watched = design.replications.output if isinstance(design.replications, Auto) else None
    return Task(
        uuid.uuid4().hex[:12],
        str(store.path.resolve()),
        packed(design.configuration, by_value=workers.is_elsewhere),
        watched,
        workers.is_elsewhere,
        retry_failed,
    )
