"""The chunks that are out: which runs each of them has, and whether it has ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from typing import TYPE_CHECKING, Any

from . import working
from .working import Chunk, Ended, Task

if TYPE_CHECKING:
    from ..runs import Run
    from .executors import Workers

type Out = Future[list[Ended]]
"""What comes of a chunk."""


class InFlight:
    """What workers have been given and has not been taken back.

    Parameters
    ----------
    workers : Workers
        Who plays.
    task : Task
        What all chunks have in common.
    seconds : float
        No run of a chunk is begun when so much time has passed.

    Attributes
    ----------
    n_sent : int
        Chunks that were sent so far.
    """

    def __init__(self, workers: Workers, task: Task, seconds: float) -> None:
        self._workers, self._task, self._seconds = workers, task, seconds
        self._chunks: dict[Out, Chunk] = {}
        self.n_sent = 0

    def __len__(self) -> int:
        """Chunks that are out."""
        return len(self._chunks)

    def __contains__(self, future: object) -> bool:
        """Whether a chunk is out."""
        return future in self._chunks

    @property
    def futures(self) -> list[Out]:
        """What will come of them, in the order in which they were sent."""
        return list(self._chunks)

    def send(self, runs: Sequence[Run]) -> Out:
        """Have runs played.

        Raises
        ------
        BrokenExecutor
            If the executor takes nothing more.
        """
        chunk = Chunk(self.n_sent, tuple(runs), self._seconds)
        future = self._workers.submit(self._task, chunk)
        self._chunks[future] = chunk
        self.n_sent += 1
        return future

    def forget(self, future: Out) -> Chunk:
        """Take a chunk back, and its claim with it."""
        chunk = self._chunks.pop(future)
        if self._task.is_claimed:
            claim = working.claim_of(self._task.store, self._task.sweep, chunk.number)
            claim.unlink(missing_ok=True)
        return chunk

    def next_to_end(self, tell: Callable[[str], None]) -> set[Out]:
        """Wait until a chunk has ended, and look after all of them meanwhile."""
        patience = self._workers.patience
        while True:
            ended, _ = wait(self._chunks, timeout=patience, return_when=FIRST_COMPLETED)
            if ended:
                return ended
            self._workers.look_after(tell)

    def wait(self) -> None:
        """Wait until all of them have ended."""
        wait(self._chunks)


class StillRunningError(RuntimeError):
    """A chunk that had not ended as it was let go of."""


def error_of(future: Future[Any]) -> BaseException | None:
    """What went wrong with a chunk; None if it came back."""
    if future.cancelled():
        return CancelledError()
    return future.exception() if future.done() else StillRunningError()
