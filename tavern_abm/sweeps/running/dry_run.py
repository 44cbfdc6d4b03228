"""What a sweep will take, before it is played: runs, time and disk, from a timed sample.

The sample is played in a process of its own that is ended when its time is up, so an answer
comes within seconds even where one run takes hours, or kernels are still to be compiled.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import cast

from ..design import Auto, Design
from ..runs import Run
from ..stores.parts import FOLDER, close_parts, part_of
from ..stores.shards import Shard
from ..stores.store import Store
from .executors import new_processes
from .kernels import games_to_compile
from .working import loaded, packed, play_and_keep

SECONDS = 12.0
"""The whole sample, with the start of its process."""
SECONDS_OF_RUNS = 5.0
"""So long it plays once it plays, unless it has enough runs before."""
ENOUGH = 24
"""Runs that are sample enough."""
TABLES_SHARE = 0.25
"""Tables are so large beside the streams that they are made of; mostly smaller."""
POINTS = 8
"""Points that are looked at, spread over the design."""


@dataclass(frozen=True)
class Outlook:
    """What a sweep will take.

    Attributes
    ----------
    points : int
        Design points, those of other shards too.
    least, most : int
        Runs; they differ where replications are decided as they come in.
    times : tuple of float
        Seconds that the runs of the sample took.
    bytes_per_run : float or None
        On disk; None if no run of the sample ended in time.
    seconds : float
        How long the sample was given.
    to_compile : tuple of str
        Games whose kernels had yet to be compiled.
    errors : tuple of str
        What failed in the sample, a line a run.
    """

    points: int
    least: int
    most: int
    times: tuple[float, ...] = ()
    bytes_per_run: float | None = None
    seconds: float = SECONDS
    to_compile: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()

    @property
    def seconds_per_run(self) -> float | None:
        """The mean of the sample."""
        return statistics.fmean(self.times) if self.times else None

    def seconds_of(self, runs: int, jobs: int) -> float | None:
        """How long so many runs will take in so many processes."""
        per_run = self.seconds_per_run
        return None if per_run is None else per_run * runs / min(jobs, max(1, runs))

    def bytes_of(self, runs: int) -> float | None:
        """What so many runs will take on disk."""
        return None if self.bytes_per_run is None else self.bytes_per_run * runs


def look_ahead(design: Design, shard: Shard | None = None, seconds: float = SECONDS) -> Outlook:
    """Play a small sample of a design, and tell from it what all of it will take.

    Parameters
    ----------
    design : Design
        What would be played.
    shard : Shard, optional
        Only these runs are counted, and only points that it has runs of are sampled.
    seconds : float
        After so long an answer is given, whatever is known by then.
    """
    until = time.monotonic() + seconds
    least, most = count_runs(design, shard)
    to_compile = tuple(games_to_compile(design.configuration))
    with tempfile.TemporaryDirectory(prefix="sweep-") as folder:
        store = Store.create(Path(folder, "sample"), design)
        played = list(_sample(design, store, shard, until))
        size = _bytes_per_run(store.path, len(played))
    errors = tuple(f"{error} (point {point})" for point, _, error in played if error)
    return Outlook(
        len(design.points),
        least,
        most,
        _timed([taken for _, taken, error in played if not error]),
        size,
        seconds,
        to_compile,
        tuple(dict.fromkeys(errors)),
    )


def count_runs(design: Design, shard: Shard | None = None) -> tuple[int, int]:
    """The least and the most runs of a design, or of a shard of it."""
    points, asked = len(design.points), design.replications
    if not isinstance(asked, Auto):
        n = points * asked if shard is None else shard.count_of(points, asked)
        return n, n
    if shard is not None:
        points = shard.n_points(points)
    return points * min(asked.at_least, asked.at_most), points * asked.at_most


def spread(n: int, most: int = POINTS) -> list[int]:
    """Some of `n` places, the farthest apart first: whatever comes of them is a fair sample.

    Examples
    --------
    >>> spread(9, 5)
    [0, 8, 4, 2, 6]
    >>> spread(2)
    [0, 1]
    """
    shares = [0.0, 1.0]
    while len(shares) < most:
        step = 1 / (len(shares) - 1)
        shares += [step / 2 + step * each for each in range(len(shares) - 1)]
    return list(dict.fromkeys(round(share * (n - 1)) for share in shares[:most]))


def points_of(design: Design, shard: Shard | None = None) -> Sequence[int]:
    """Points of which a shard has runs.

    Examples
    --------
    >>> design = Design.from_dataframe({"patrons": [20, 40, 60, 80]}, replications=2)
    >>> list(points_of(design)), points_of(design, Shard(1, 4))
    ([0, 1, 2, 3], [0, 3])
    """
    points, asked = range(len(design.points)), design.replications
    if shard is None:
        return points
    if isinstance(asked, Auto):
        return [point for point in points if shard.has_point(point)]
    turns, n = range(min(asked, shard.of)), len(points)
    return [point for point in points if any(shard.has(point, turn, n) for turn in turns)]


type Played = tuple[int, float, str | None]
"""A point, seconds, and an error if it failed."""


def _sample(design: Design, store: Store, shard: Shard | None, until: float) -> Iterator[Played]:
    """What a process of its own plays until its time is up."""
    context = new_processes()
    here, there = context.Pipe(duplex=False)
    own = points_of(design, shard)
    points = [own[place] for place in spread(len(own))]
    runs = [design.run(point, turn) for turn in range(ENOUGH) for point in points]
    # The first one loads what the others find there; it is played once more.
    arguments = (packed(design.configuration), str(store.path), [runs[0], *runs[:ENOUGH]], there)
    process = context.Process(target=_play_sample, args=arguments, daemon=True)
    process.start()
    there.close()
    try:
        yield from _received(here, until)
    finally:
        process.kill()
        process.join()


def _received(line: Connection, until: float) -> Iterator[Played]:
    """What comes in until the time is up, or enough has."""
    first: float | None = None
    while line.poll(max(0.0, until - time.monotonic())):
        try:
            yield cast("Played", line.recv())
        except EOFError:
            return
        first = first or time.monotonic()
        if time.monotonic() - first > SECONDS_OF_RUNS:
            return


def _play_sample(configuration: bytes, store: str, runs: list[Run], line: Connection) -> None:
    play = loaded(configuration)
    part = part_of(Path(store), play)
    for run in runs:
        began = time.perf_counter()
        ended = play_and_keep(run, play, part)
        line.send((run.scenario_id, time.perf_counter() - began, ended.error))
    close_parts(Path(store))
    line.close()


def _timed(times: list[float]) -> tuple[float, ...]:
    """The times without that of the first run, if there are others."""
    return tuple(times[1:] or times)


def _bytes_per_run(store: Path, n: int) -> float | None:
    """Of the streams of the sample, with what its tables will add to them."""
    if not n:
        return None
    size = sum(file.stat().st_size for file in (store / FOLDER).iterdir())
    return (1 + TABLES_SHARE) * size / n
