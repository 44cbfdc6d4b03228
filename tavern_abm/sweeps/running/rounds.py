"""Which runs are to be played next: all of a design, or round by round until it is enough.

A plan hands out runs in an order of its own and is told how they ended. What it hands out
depends on what was asked and on what the runs gave, never on when or where they were played.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Protocol

from ..design import Auto, Design
from ..estimating.estimates import aim_of, mean_t
from ..runs import Run, parts_of, run_id_of
from ..stores.shards import Shard


class Plan(Protocol):
    """What is left to do of a sweep."""

    @property
    def total(self) -> int:
        """Runs in all, those of earlier sessions too; with rounds, as far as is known."""
        ...

    @property
    def before(self) -> int:
        """Runs of it that earlier sessions have played."""
        ...

    @property
    def waiting(self) -> int:
        """Runs that could be handed out now."""
        ...

    def take(self, n: int) -> list[Run]:
        """Up to `n` runs to play; none, if all are handed out that can be by now."""
        ...

    def put_back(self, runs: Sequence[Run]) -> None:
        """Runs that were handed out and have not been played."""
        ...

    def note(self, run_id: int, value: float | None) -> None:
        """A run has ended, with this value of the watched output (None: it failed)."""
        ...


class AllRuns:
    """Every run of a design once, replication by replication.

    Parameters
    ----------
    design : Design
        With a number of replications.
    finished : mapping of int to str
        Runs that are not to be played, by number.
    shard : Shard, optional
        Only the runs of this shard.

    Examples
    --------
    Two points, each played twice; the first run of the second one is there already:

    >>> from tavern_abm.sweeps.designs.making import design_of
    >>> design = design_of(max, factors={"x": [1, 2]}, outputs=["y"], replications=2)
    >>> plan = AllRuns(design, {1_000_000: "done"})
    >>> [run.run_id for run in plan.take(9)]
    [0, 1, 1000001]
    """

    def __init__(
        self, design: Design, finished: Mapping[int, str], shard: Shard | None = None
    ) -> None:
        if isinstance(design.replications, Auto):
            raise TypeError("replications until it is enough are played by UntilNarrow")
        self._design, self._shard = design, shard or Shard(1, 1)
        self._returned: deque[Run] = deque()
        self._replications = int(design.replications)
        self.total = self._shard.count_of(len(design.points), self._replications)
        self.before = sum(map(self._has, finished))
        self._left = self.total - self.before
        self._ids = self._pending(finished)

    @property
    def waiting(self) -> int:
        """Runs that have not been handed out."""
        return self._left + len(self._returned)

    def take(self, n: int) -> list[Run]:
        """Up to `n` runs to play."""
        runs = _taken(self._returned, n)
        for run_id in islice(self._ids, n - len(runs)):
            runs.append(self._design.run(*parts_of(run_id)))
            self._left -= 1
        return runs

    def put_back(self, runs: Sequence[Run]) -> None:
        """Hand these out again, before any other."""
        self._returned.extendleft(reversed(runs))

    def note(self, run_id: int, value: float | None) -> None:
        """Nothing depends on it."""

    def _pending(self, finished: Mapping[int, str]) -> Iterator[int]:
        for replication_id in range(self._replications):
            for scenario_id in range(len(self._design.points)):
                run_id = run_id_of(scenario_id, replication_id)
                if run_id not in finished and self._is_own(scenario_id, replication_id):
                    yield run_id

    def _is_own(self, scenario_id: int, replication_id: int) -> bool:
        return self._shard.has(scenario_id, replication_id, len(self._design.points))

    def _has(self, run_id: int) -> bool:
        scenario_id, replication_id = parts_of(run_id)
        is_in_design = (
            scenario_id < len(self._design.points) and replication_id < self._replications
        )
        return is_in_design and self._is_own(scenario_id, replication_id)


class UntilNarrow:
    """Replications of each point until the interval of a mean is as narrow as asked.

    A point is looked at when the first `at_least` replications of it have ended, and
    after every `step` more: never in between, and never at others than these. So the
    number of replications does not depend on which of them ended first. Failed ones, and
    those in which the output is undefined, count as replications without a value; a point of
    which all failed gets no more.

    Parameters
    ----------
    design : Design
        With `Auto` replications.
    finished : mapping of int to str
        Runs that are not to be played, by number.
    values : mapping of int to float
        Of the watched output, of the finished runs that are done.
    shard : Shard, optional
        Only the points of this shard.

    Attributes
    ----------
    n_wide : int
        Points whose interval was not as narrow as asked after `at_most` replications; with
        fewer than `at_least` values, or equal ones, nothing is known of its width.
    """

    def __init__(
        self,
        design: Design,
        finished: Mapping[int, str],
        values: Mapping[int, float],
        shard: Shard | None = None,
    ) -> None:
        if not isinstance(design.replications, Auto):
            raise TypeError("a number of replications is played by AllRuns")
        self._design, self._auto = design, design.replications
        self._finished, self._values = finished, values
        self._queue: deque[tuple[int, int]] = deque()
        self._returned: deque[Run] = deque()
        self._points: dict[int, _Watched] = {}
        self.total = self.before = self.n_wide = 0
        shard = shard or Shard(1, 1)
        points = [each for each in range(len(design.points)) if shard.has_point(each)]
        self._begin(points)

    @property
    def waiting(self) -> int:
        """Runs that could be handed out now."""
        return len(self._queue) + len(self._returned)

    def take(self, n: int) -> list[Run]:
        """Up to `n` runs to play."""
        runs = _taken(self._returned, n)
        while self._queue and len(runs) < n:
            runs.append(self._design.run(*self._queue.popleft()))
        return runs

    def put_back(self, runs: Sequence[Run]) -> None:
        """Hand these out again, before any other."""
        self._returned.extendleft(reversed(runs))

    def note(self, run_id: int, value: float | None) -> None:
        """A run has ended; if its point's round has, decide whether there is another one."""
        scenario_id, replication_id = parts_of(run_id)
        point = self._points[scenario_id]
        point.values[replication_id] = value
        while scenario_id in self._points and point.is_complete:
            self._decide(scenario_id, point)

    def _begin(self, points: Sequence[int]) -> None:
        """The first round, replication by replication, and what earlier sessions have of it."""
        first = min(self._auto.at_least, self._auto.at_most)
        for scenario_id in points:
            self._points[scenario_id] = _Watched(first)
        self.total = first * len(points)
        known = [
            (run_id_of(scenario_id, replication_id), scenario_id, replication_id)
            for replication_id in range(first)
            for scenario_id in points
        ]
        for run_id, scenario_id, replication_id in known:
            if run_id not in self._finished:
                self._queue.append((scenario_id, replication_id))
        for run_id, _, _ in known:
            if run_id in self._finished:
                self._remember(run_id)

    def _remember(self, run_id: int) -> None:
        """A run that an earlier session has played."""
        self.before += 1
        is_done = self._finished[run_id] == "done"
        self.note(run_id, self._values.get(run_id, math.nan) if is_done else None)

    def _decide(self, scenario_id: int, point: _Watched) -> None:
        """End a point, or give it another round."""
        n = point.wanted
        given = [value for _, value in sorted(point.values.items()) if value is not None]
        is_enough = is_narrow(given, self._auto)
        if is_enough or not given or n >= self._auto.at_most:
            self.n_wide += not is_enough and bool(given)
            del self._points[scenario_id]
            return
        point.wanted = min(n + self._auto.step, self._auto.at_most)
        self.total += point.wanted - n
        more = [(run_id_of(scenario_id, each), each) for each in range(n, point.wanted)]
        self._queue.extend((scenario_id, each) for run, each in more if run not in self._finished)
        for run_id, _ in more:
            if run_id in self._finished:
                self._remember(run_id)


class _Watched:
    """A point that has not been decided: how many replications it is to have, and values."""

    def __init__(self, wanted: int) -> None:
        self.wanted = wanted
        self.values: dict[int, float | None] = {}

    @property
    def is_complete(self) -> bool:
        return len(self.values) >= self.wanted


def is_narrow(values: Sequence[float], auto: Auto) -> bool:
    """Whether the t interval of a mean is as narrow as asked: the one that a summary gives.

    Fewer values than `at_least` say too little, and equal ones nothing: what happens once in
    twenty runs has not happened in the first ten.

    Parameters
    ----------
    values : sequence of float
        One a replication, in their order. What is not finite is left out.
    auto : Auto
        What is asked; of a half width and a share of the mean the wider one is enough.

    Examples
    --------
    >>> auto = Auto("gini", half_width=0.5, at_least=4)
    >>> is_narrow([1.0, 2.0, 1.0, 2.0], auto), is_narrow([1.0, 1.1, 1.0, 1.1], auto)
    (False, True)
    >>> is_narrow([1.0, 1.1, 1.0], auto), is_narrow([1.0, 1.0, 1.0, 1.0], auto)
    (False, False)
    """
    found = mean_t(values, auto.confidence)
    if not found.has_interval or found.n < auto.at_least or found.sd == 0:
        return False
    return found.half <= aim_of(found.value, auto.half_width, auto.relative)


def _taken(runs: deque[Run], n: int) -> list[Run]:
    return [runs.popleft() for _ in range(min(n, len(runs)))]
