"""Who plays the runs: this process, processes of our own, any executor, a Dask cluster.

All of them are executors of `concurrent.futures`. What they differ in is how many chunks
they should have at a time, whether they can be made anew when a worker dies, and how they
are told to stop.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, wait
from concurrent.futures.process import ProcessPoolExecutor
from typing import Any

from ...processors import n_processors
from ..errors import SweepError
from . import working
from .beginning import begin_worker

AIM_SECONDS = 1.0
"""A chunk for another process takes about so long."""
AIM_AT_HOME_SECONDS = 0.2
"""One for this process: it need not be sent, and a bar moves on more often."""
OF_DASK = ("get_executor", "scheduler_address", "_client")
"""What clients, clusters and executors of Dask have, in this order."""
STOP_SECONDS = 5.0
"""So long runs that are being played may take to end, once the sweep is interrupted."""
PRELOADED = ("mesa", "numba", "pandas", "pyarrow", "tavern_abm.model")
"""What workers for scenarios are forked with, so that each need not import it."""
DEAD_AT_START = (
    "the worker processes die as they start; in a script, sweep(...) must stand under: "
    "if __name__ == '__main__':"
)


class Workers:
    """An executor, and what the runner must know of it.

    Parameters
    ----------
    executor : Executor
        Plays chunks.
    count : int
        Runs that it plays at once.

    Attributes
    ----------
    aim_seconds : float
        How long a chunk should take.
    is_elsewhere : bool
        Workers may be other machines, with other versions, and may take over what a
        worker that died had been given.
    """

    aim_seconds = AIM_SECONDS
    is_elsewhere = True

    def __init__(self, executor: Executor, count: int) -> None:
        self.executor, self.count = executor, count

    @property
    def window(self) -> int:
        """Chunks to have in flight: enough that nobody waits, few enough to stay fair."""
        return 2 * self.count

    @property
    def patience(self) -> float | None:
        """After so many seconds without a chunk that ended, `look_after` them; None: never."""
        return None

    def look_after(self, tell: Callable[[str], None]) -> None:
        """See to chunks of which nothing has been heard for a while."""

    def submit(self, task: working.Task, chunk: working.Chunk) -> Future[list[working.Ended]]:
        """Have a chunk played."""
        return self.executor.submit(working.play_chunk, task, chunk)

    def renew(self) -> None:
        """Go on after a worker has died.

        Raises
        ------
        SweepError
            If that is not possible.
        """
        if is_broken(self.executor):
            text = (
                "a worker died, and the executor takes nothing more; what was played is kept: "
                "go on with another executor and resume"
            )
            raise SweepError(text)

    def stop(self, task: working.Task, in_flight: set[Future[Any]]) -> None:
        """Begin nothing more, and give what is being played a moment to end."""
        working.stop(task.sweep)
        for future in in_flight:
            future.cancel()
        wait(in_flight, timeout=STOP_SECONDS)

    def close(self) -> None:
        """Nothing more is to be played; what was given stays open."""


class AtHome(Workers):
    """Our process plays, one run after the other."""

    aim_seconds = AIM_AT_HOME_SECONDS
    is_elsewhere = False
    window = 1

    def __init__(self) -> None:
        super().__init__(_Now(), 1)


class _Now(Executor):
    """Plays what it is given at once."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call it, and give what came of it."""
        future: Future[Any] = Future()
        try:
            # What a run prints is no part of what the sweep says on stdout.
            with contextlib.redirect_stdout(sys.stderr):
                future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class OwnPool(Workers):
    """Processes of our own: made anew when one of them dies, gone when we are.

    Parameters
    ----------
    jobs : int
        Processes.
    """

    is_elsewhere = False

    def __init__(self, jobs: int) -> None:
        self._context = new_processes()
        # A pipe and no event: whoever dies in the midst of asking an event locks the others out.
        self._end_of_pipe, self._open = self._context.Pipe(duplex=False)
        super().__init__(self._pool(jobs), jobs)

    def submit(self, task: working.Task, chunk: working.Chunk) -> Future[list[working.Ended]]:
        """Have a chunk played; it may take another process, which may die as it begins."""
        try:
            with _interrupted_later():
                return super().submit(task, chunk)
        except (EOFError, ConnectionError) as error:
            raise BrokenExecutor("a worker process died as it began") from error

    def renew(self) -> None:
        """Make the pool anew."""
        if not _has_started(self._greeting):
            raise SweepError(DEAD_AT_START)
        self._end(self.executor)
        self.executor = self._pool(self.count)

    def stop(self, task: working.Task, in_flight: set[Future[Any]]) -> None:
        """Begin nothing more, wait a moment, and end the processes."""
        self._open.close()
        try:
            super().stop(task, in_flight)
        finally:
            self._end(self.executor)

    def close(self) -> None:
        """End the processes, which have nothing to do."""
        self.executor.shutdown(wait=True, cancel_futures=True)
        self._open.close()
        self._end_of_pipe.close()

    def _pool(self, jobs: int) -> ProcessPoolExecutor:
        pool = ProcessPoolExecutor(
            jobs,
            mp_context=self._context,
            initializer=begin_worker,
            initargs=(self._end_of_pipe,),
        )
        try:
            with _interrupted_later():
                self._greeting = pool.submit(os.getpid)
        except (EOFError, ConnectionError):
            self._end(pool)
            raise SweepError(DEAD_AT_START) from None
        except KeyboardInterrupt:
            self._end(pool)
            raise
        return pool

    @staticmethod
    def _end(executor: Executor) -> None:
        """End processes that may be in the midst of something."""
        processes = list((getattr(executor, "_processes", None) or {}).values())
        executor.shutdown(wait=False, cancel_futures=True)
        for each in processes:
            each.terminate()
        for each in processes:
            each.join()


def _has_started(greeting: Future[int]) -> bool:
    return greeting.done() and not greeting.cancelled() and greeting.exception() is None


def new_processes() -> Any:
    """How processes are made: forked from a clean one that has imported what they need.

    A fork of this process would copy its threads' locks as they are. On macOS, whose
    libraries do not bear any fork, they begin from nothing.
    """
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*PRELOADED, working.__name__])
    return context


@contextlib.contextmanager
def _interrupted_later() -> Iterator[None]:
    """Put off an interruption: a process that has half begun would be in nobody's charge."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    ours = {each: handler for each, handler in before.items() if handler is not None}
    for each in ours:
        signal.signal(each, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for each, handler in ours.items():
            signal.signal(each, handler)
        for number in came[:1]:
            signal.raise_signal(number)


class Given(Workers):
    """An executor of the caller's, who also ends it."""

    def __init__(self, executor: Executor) -> None:
        count = getattr(executor, "_max_workers", None)
        super().__init__(executor, count if isinstance(count, int) else n_processors())


@contextlib.contextmanager
def reached(executor: Any) -> Iterator[Any]:
    """Who plays, made sure of before anything else is done: a scheduler must answer.

    What is reached is let go of at the end. Executors of other kinds stay as they are.

    Raises
    ------
    SweepError
        If the scheduler does not answer.
    TypeError
        If `executor` is none.
    """
    if executor is None or isinstance(executor, Workers):
        yield executor
        return
    workers = workers_of(executor)
    try:
        yield workers
    finally:
        workers.close()


def workers_of(executor: Any = None, jobs: int = 1) -> Workers:
    """Who plays.

    Parameters
    ----------
    executor : Executor, distributed.Client, cluster of Dask or address, optional
        Any executor of `concurrent.futures`; a Dask client, one of its clusters
        (``dask_jobqueue.SLURMCluster()`` ...), or the address of a scheduler as a string; or
        who has been reached.
    jobs : int
        Processes, where no executor is given; 1 plays in this one.

    Raises
    ------
    SweepError
        If the scheduler does not answer.
    TypeError
        If `executor` is none.
    """
    if executor is None:
        return AtHome() if jobs <= 1 else OwnPool(jobs)
    if isinstance(executor, Workers):
        return executor
    if isinstance(executor, Executor) and not hasattr(executor, "_client"):
        return Given(executor)
    if isinstance(executor, str) or any(hasattr(executor, each) for each in OF_DASK):
        from .dask_workers import dask_workers

        return dask_workers(executor)
    raise TypeError(
        "executor must be one of concurrent.futures, a Dask client or cluster, or the address "
        f"of a Dask scheduler (got {executor!r})"
    )


def is_broken(executor: Executor) -> bool:
    """Whether an executor takes nothing more."""
    return bool(getattr(executor, "_broken", False))


def is_death(error: BaseException) -> bool:
    """Whether this says that a worker has died, and not that a run has failed."""
    return isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker"


def is_loss(error: BaseException) -> bool:
    """Whether this says that the scheduler is gone, or has dropped what it was given."""
    names = {"FutureCancelledError", "FuturesCancelledError", "CommClosedError"}
    return isinstance(error, CancelledError) or type(error).__name__ in names
