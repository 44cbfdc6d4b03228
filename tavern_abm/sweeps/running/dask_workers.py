"""A Dask cluster plays: on this machine, or on as many as a batch system gives.

Dask's own executor is not used: as a worker dies at the moment at which its result is
fetched, what that executor gives never ends. Here every chunk is looked after until it has.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Executor, Future
from typing import Any

from ..errors import SweepError
from . import working
from .executors import Workers

CONNECT_SECONDS = 10.0
"""A scheduler that has not answered by then is not there."""
PATIENCE_SECONDS = 2.0
"""More than that is not waited for one that answers strangely."""
FETCH_SECONDS = 2.0
"""A result is to be had within that, or else later."""
LOOK_SECONDS = 3.0
"""So often chunks are looked after, and workers are counted."""
LEAST_WINDOW = 8
"""Chunks that are out while there are no workers yet: a cluster that adapts grows by them."""


class DaskWorkers(Workers):
    """A Dask cluster.

    Parameters
    ----------
    client : distributed.Client
        Connected to its scheduler.
    is_ours : bool
        Whether the client is closed at the end.
    how : mapping, optional
        What ``client.submit`` is told of every chunk, such as ``resources``.
    """

    def __init__(self, client: Any, *, is_ours: bool, how: Mapping[str, Any] | None = None) -> None:
        super().__init__(Executor(), 1)
        self._client, self._is_ours = client, is_ours
        self._how = {**(how or {}), "pure": False}
        self._out: dict[Future[list[working.Ended]], Any] = {}
        self._lock = threading.Lock()
        self._counted: float | None = None
        self._is_alone = False
        self._hush = contextlib.ExitStack()
        if is_ours:
            self._hush.enter_context(_quiet())

    @property
    def window(self) -> int:
        """Some more than there are threads, which may come and go."""
        self._count()
        return max(LEAST_WINDOW, 2 * self.count)

    @property
    def patience(self) -> float | None:
        """A result may be lost with its worker, so somebody must look."""
        return LOOK_SECONDS

    def submit(self, task: working.Task, chunk: working.Chunk) -> Future[list[working.Ended]]:
        """Have a chunk played."""
        ours: Future[list[working.Ended]] = Future()
        theirs = self._client.submit(working.play_chunk, task, chunk, **self._how)
        self._out[ours] = theirs
        theirs.add_done_callback(lambda _: self._settle(ours))
        return ours

    def renew(self) -> None:
        """Nothing to do: a cluster gets new workers by itself."""

    def look_after(self, tell: Callable[[str], None]) -> None:
        """Fetch what was lost on its way, and say so if there is nobody who plays."""
        for ours in list(self._out):
            self._settle(ours)
        n = self._count()
        if n == 0 and not self._is_alone:
            tell("the cluster has no workers; waiting for some (Ctrl-C stops) ...")
        self._is_alone = n == 0

    def stop(self, task: working.Task, in_flight: set[Future[Any]]) -> None:
        """Take back what has not been begun; what is being played ends by itself."""
        with _quiet(), contextlib.suppress(OSError, TimeoutError):
            self._client.cancel(list(self._out.values()))
        super().stop(task, in_flight)

    def close(self) -> None:
        """Leave the cluster as it is."""
        self._out.clear()
        with self._hush:
            if self._is_ours:
                self._client.close()

    def _settle(self, ours: Future[list[working.Ended]]) -> None:
        """Pass on what came of a chunk, if it is to be had."""
        with self._lock:
            theirs = self._out.get(ours)
            if theirs is None or theirs.status in ("pending", "lost"):
                return
            found = _fetched(theirs)
            if found is None:
                return
            self._out.pop(ours, None)
            if not ours.set_running_or_notify_cancel():
                return
            if isinstance(found, BaseException):
                ours.set_exception(found)
            else:
                ours.set_result(found)

    def _count(self) -> int:
        """Threads of all workers, asked for now and then."""
        now = time.monotonic()
        if self._counted is None or now - self._counted > LOOK_SECONDS:
            self._counted = now
            with contextlib.suppress(OSError, TimeoutError):
                self._n_threads = sum(self._client.nthreads().values())
                self.count = max(1, self._n_threads)
        return self._n_threads

    _n_threads = 0


def _fetched(future: Any) -> list[working.Ended] | BaseException | None:
    """What came of a chunk; None if its worker died meanwhile, so that it is played again."""
    try:
        ended: list[working.Ended] = future.result(timeout=FETCH_SECONDS)
    except Exception as error:
        if future.status == "cancelled":
            return CancelledError()
        return error if future.status == "error" else None
    return ended


def dask_workers(place: Any) -> DaskWorkers:
    """A cluster by its client, by itself, by an executor of it, or by its scheduler's address.

    Raises
    ------
    SweepError
        If no scheduler answers.
    """
    if hasattr(place, "get_executor"):
        return DaskWorkers(place, is_ours=False)
    if hasattr(place, "_client"):
        how = getattr(place, "_kwargs", {})
        return DaskWorkers(place._client, is_ours=False, how=how)
    return DaskWorkers(connect(place), is_ours=True)


def connect(place: Any, seconds: float | None = None) -> Any:
    """A client of a Dask scheduler.

    Parameters
    ----------
    place : str or cluster
        Such as ``tcp://10.0.0.5:8786``.
    seconds : float, optional
        How long to try; `CONNECT_SECONDS` if nothing is said.

    Raises
    ------
    SweepError
        If Dask is not installed, or no scheduler answers there.
    """
    try:
        from distributed import Client
    except ImportError:
        raise SweepError("Dask is not installed: pip install 'tavern-abm[cluster]'") from None
    make: Any = Client
    seconds = CONNECT_SECONDS if seconds is None else seconds
    with _quiet():
        try:
            if isinstance(place, str):
                _knock(place, seconds)
            return make(place, timeout=seconds, set_as_default=False)
        except Exception as error:
            text = f"no Dask scheduler answers at {place} ({_reason(error, seconds)})"
            raise SweepError(f"{text}; start one, or look at its address") from None


def _knock(address: str, seconds: float) -> None:
    """See that what answers is Dask; a client that never was connected takes long to go.

    In a thread of its own: a caller in a notebook has a loop running, and what is no scheduler
    may answer in a way that is waited for longer.
    """
    answer: Future[None] = Future()

    def ask() -> None:
        try:
            answer.set_result(asyncio.run(_greet(address, seconds)))
        except Exception as error:
            answer.set_exception(error)

    threading.Thread(target=ask, daemon=True).start()
    answer.result(timeout=seconds + PATIENCE_SECONDS)


async def _greet(address: str, seconds: float) -> None:
    from distributed.comm import core
    from distributed.security import Security

    connect_to: Any = core.connect
    make: Any = Security
    line = await connect_to(address, timeout=seconds, **make().get_connection_args("client"))
    await line.close()


def _reason(error: BaseException, seconds: float) -> str:
    if isinstance(error, TimeoutError | OSError):
        return f"tried for {seconds:g} s"
    if isinstance(error, MemoryError):
        return "what answers there is something else; a dashboard has another port"
    return str(error).partition("\n")[0] or type(error).__name__


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask from telling what is told here in one line."""
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)
