"""When workers die: what they had kept counts, and who killed them is found out.

A chunk is played run by run, so of a chunk that was lost the first run without a record is
under suspicion, and the others go back to the plan. Those under suspicion are played one by
one, each in a chunk of its own: a run that kills its worker there, too, has failed.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from ..stores.parts import part_of
from . import working
from .in_flight import InFlight, Out, error_of
from .working import Chunk, Ended, Task

if TYPE_CHECKING:
    from ..outputs import Configuration
    from ..runs import Run
    from .executors import Workers

TRIES_ALONE = 2
"""A run that kills its worker so often, played alone, is a failed run."""
TRIES_ELSEWHERE = 1
"""The same where a cluster has handed it from worker to worker already."""
DIED = "its process died (killed from outside, out of memory, or a crash in compiled code)"


class Recovery:
    """Makes up for workers that die.

    Parameters
    ----------
    workers : Workers
        Who plays.
    task : Task
        What all chunks have in common.
    configuration : Configuration
        What is played.
    out : InFlight
        The chunks that are out.
    count : callable
        Is told what was played of a chunk; what else is in the chunk is to be played again.
    """

    def __init__(
        self,
        workers: Workers,
        task: Task,
        configuration: Configuration,
        out: InFlight,
        count: Callable[[Chunk, Sequence[Ended]], None],
    ) -> None:
        self._workers, self._task, self._out = workers, task, out
        self._configuration, self._count = configuration, count
        self._suspects: deque[Run] = deque()
        self._on_trial: Out | None = None
        self._deaths: Counter[int] = Counter()

    def recover(self, lost: Sequence[Out]) -> None:
        """See to chunks whose worker has died.

        Raises
        ------
        SweepError
            If nobody can play any more.
        """
        self._workers.renew()
        trial = self._on_trial
        chunks = {future: self._out.forget(future) for future in self._all_lost(lost)}
        runs = [run.run_id for chunk in chunks.values() for run in chunk.runs]
        known = working.recorded(self._task, runs)
        for future, chunk in chunks.items():
            kept = [known[run.run_id] for run in chunk.runs if run.run_id in known]
            suspects = [run for run in chunk.runs if run.run_id not in known]
            self._count(chunk._replace(runs=tuple(suspects[1:])), kept)
            for run in suspects[:1]:
                self._suspect(run, is_alone=future is trial)

    def try_next(self) -> bool:
        """Send the next run under suspicion, if none is out.

        Returns
        -------
        bool
            Whether nothing else may go out now, since with a pool of processes every chunk
            is lost as one of them dies.
        """
        while self._suspects and self._on_trial not in self._out:
            run = self._suspects.popleft()
            try:
                self._on_trial = self._out.send([run])
            except BrokenExecutor:
                self._suspects.appendleft(run)
                self.recover(self._out.futures)
        return self._on_trial in self._out and not self._task.is_claimed

    def _suspect(self, run: Run, *, is_alone: bool) -> None:
        self._deaths[run.run_id] += is_alone
        most = TRIES_ELSEWHERE if self._task.is_claimed else TRIES_ALONE
        if self._deaths[run.run_id] < most:
            self._suspects.append(run)
        else:
            self._condemn(run)

    def _condemn(self, run: Run) -> None:
        """Keep that a run has failed."""
        part = part_of(Path(self._task.store), self._configuration)
        part.failed(run, DIED, f"{DIED}\n", 0.0)
        ended = Ended(run.run_id, "failed", 0.0, None, DIED)
        self._count(Chunk(self._out.n_sent, (run,), 0.0), [ended])

    def _all_lost(self, lost: Sequence[Out]) -> list[Out]:
        """With a pool of processes all chunks are lost as one is; what came back counts."""
        if self._task.is_claimed:
            return list(lost)
        self._out.wait()
        for future in self._out.futures:
            if error_of(future) is None:
                self._count(self._out.forget(future), future.result())
        return self._out.futures
