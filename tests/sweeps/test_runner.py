"""Every run once, kept as it ends, whoever plays and whatever dies."""

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from pathlib import Path
from typing import Any

import pytest

from tavern_abm.sweeps.design import Auto, Design
from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.running import executors, pace, runner, working
from tavern_abm.sweeps.running.pace import Pace
from tavern_abm.sweeps.running.played import values_of
from tavern_abm.sweeps.running.progress import Silent
from tavern_abm.sweeps.running.runner import Tally, play
from tavern_abm.sweeps.runs import run_id_of
from tavern_abm.sweeps.stores.frames import read
from tavern_abm.sweeps.stores.merging import merge
from tavern_abm.sweeps.stores.shards import Shard
from tavern_abm.sweeps.stores.store import Store
from tests.sweeps.quick import quick_design
from tests.sweeps.quick_sweep import content, n_records

ROOT = Path(__file__).resolve().parents[2]


def new_store(folder: Path, design: Design, **how: Any) -> Store:
    return Store.create(folder, design, **how)


def session(design: Design, store: Store, **how: Any) -> Tally:
    with store.locked():
        return play(design, store, **how)


def tables(store: Store) -> dict[str, bytes]:
    merge([store.path])
    return content(store.path)


# ------------------------------------------------------------- the same whoever plays


def test_serially(tmp_path: Path) -> None:
    design = quick_design()
    store = new_store(tmp_path / "store", design)
    tally = session(design, store)
    assert (tally.total, tally.before, tally.done, tally.failed, tally.left) == (30, 0, 30, 0, 0)
    assert store.finished() == {run.run_id: "done" for run in design.runs(5)}
    outcomes = read(store.path).outcomes.set_index("run_id")
    run = design.run(4, 2)
    assert outcomes.loc[run.run_id, "value"] == design.configuration(run).outcomes["value"]


def test_processes_and_threads_give_the_same_bytes(tmp_path: Path) -> None:
    design = quick_design(points=8, pause=0.001, fails_at=3)
    stores = [new_store(tmp_path / name, design) for name in ("one", "two", "three")]
    tallies = [session(design, stores[0]), session(design, stores[1], jobs=2)]
    with ThreadPoolExecutor(3) as threads:
        tallies.append(session(design, stores[2], executor=threads))
    first, *others = map(tables, stores)
    assert all(other == first for other in others)
    assert [(each.done, each.failed) for each in tallies] == 3 * [(35, 5)]
    assert [n_records(store) for store in stores] == [40, 40, 40]
    failures = [read(store.path).failures["traceback"].tolist() for store in stores]
    assert failures[0] == failures[1] == failures[2]


def test_a_given_pool_of_processes_stays_open(tmp_path: Path) -> None:
    design = quick_design(points=3)
    with ProcessPoolExecutor(1, mp_context=executors.new_processes()) as pool:
        for name in ("one", "two"):
            assert session(design, new_store(tmp_path / name, design), executor=pool).done == 15
        assert pool.submit(os.getpid).result() != os.getpid()


def test_shards_come_to_the_same(tmp_path: Path) -> None:
    design = quick_design(points=5)
    whole = new_store(tmp_path / "whole", design)
    session(design, whole)
    parts = []
    for each in (Shard(1, 2), Shard(2, 2)):
        parts.append(new_store(tmp_path / f"part-{each.number}", design, shard=each))
        session(design, parts[-1], shard=each)
    joined = Store.open(merge([each.path for each in parts], tmp_path / "joined"))
    assert tables(joined) == tables(whole)
    assert [n_records(each) for each in parts] == [13, 12]


# ------------------------------------------------------------- going on


def test_what_is_there_is_not_played_again(tmp_path: Path) -> None:
    design = quick_design()
    store = new_store(tmp_path / "store", design)
    session(design, store)
    tally = session(design, store)
    assert (tally.before, tally.done, tally.failed) == (30, 0, 0)
    more = quick_design(replications=7)
    tally = session(more, store, jobs=1)
    assert (tally.before, tally.done, n_records(store)) == (30, 12, 42)


def test_ctrl_c_leaves_what_was_played(tmp_path: Path) -> None:
    design = quick_design(points=4, stops_at=2, pause=0.001)
    store = new_store(tmp_path / "store", design)
    tally = session(design, store)
    assert tally.is_interrupted
    assert tally.left > 0
    assert (tally.done, tally.done + tally.left) == (n_records(store), 20)


def test_ctrl_c_as_the_workers_begin_is_an_interruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tavern_abm.sweeps.running.runner.workers_of", stopped)
    design = quick_design()
    store = new_store(tmp_path / "store", design)
    tally = session(design, store, jobs=2)
    assert (tally.is_interrupted, tally.left, store.manifest.status) == (True, 30, "stopped")


def test_failed_runs_are_rows_and_can_be_tried_again(tmp_path: Path) -> None:
    design = quick_design(points=3, fails_at=1)
    store = new_store(tmp_path / "store", design)
    tally = session(design, store)
    assert (tally.done, tally.failed) == (10, 5)
    assert tally.failures[0].run_id == run_id_of(1, 0)
    assert tally.failures[0].error == "ZeroDivisionError: no such coin as 1"
    failures = read(store.path).failures
    assert failures["seed"].tolist() == [design.run(1, each).seed for each in range(5)]
    assert "raise ZeroDivisionError" in failures["traceback"][0]
    assert session(design, store).failed == 0
    again = session(design, store, retry_failed=True)
    assert (again.before, again.failed) == (10, 5)


def test_rounds_with_failures_end_when_they_are_tried_again(tmp_path: Path) -> None:
    auto = Auto("value", half_width=0.5, at_least=6, at_most=60, step=6)
    design = quick_design(points=3, replications=auto, fails_of=4)
    store = new_store(tmp_path / "store", design)
    first = session(design, store)
    assert first.failed > 3
    assert first.left == 0
    told = Told()
    again = session(design, store, retry_failed=True, progress=told)
    assert (again.before, again.done, again.failed) == (first.done, 0, first.failed)
    assert (again.total, again.left) == (first.total, 0)
    assert (told.all, told.played) == (first.total, first.total)


class Told(Silent):
    """Adds up what it is told."""

    def begin(self, total: int, before: int) -> None:
        self.all, self.before, self.now = total, before, 0

    def total(self, total: int, before: int) -> None:
        self.all, self.before = total, before

    def advance(self, done: int, failed: int) -> None:
        self.now += done + failed

    @property
    def played(self) -> int:
        return self.before + self.now


def test_going_on_with_rounds_makes_no_tables(tmp_path: Path) -> None:
    auto = Auto("value", half_width=0.6, at_least=4, at_most=60, step=4)
    design = quick_design(points=3, replications=auto)
    store = new_store(tmp_path / "store", design)
    session(design, store)
    assert session(design, store).done == 0
    assert list(store.path.glob("*.parquet")) == []


def test_a_run_that_leaves_the_program_has_failed(tmp_path: Path) -> None:
    design = quick_design(points=2, exits_at=1)
    tally = session(design, new_store(tmp_path / "store", design))
    assert (tally.done, tally.failed) == (5, 5)
    assert tally.failures[0].error == "SystemExit: 3"


def test_what_no_screen_can_show_is_written_out() -> None:
    assert working.first_line(ValueError("no coin \ud800")) == "ValueError: no coin \\ud800"


def test_a_full_disk_ends_the_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    design = quick_design()
    store = new_store(tmp_path / "store", design)

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tavern_abm.sweeps.stores.parts.Part.done", full)
    with pytest.raises(OSError, match="No space"):
        session(design, store)


# ------------------------------------------------------------- when a worker dies


def test_a_run_that_kills_its_worker_is_a_failed_run(tmp_path: Path) -> None:
    design = quick_design(points=4, replications=2, dies_at=2)
    store = new_store(tmp_path / "store", design)
    tally = session(design, store, jobs=2)
    assert (tally.done, tally.failed, n_records(store)) == (6, 2, 8)
    assert {each.run_id for each in tally.failures} == {run_id_of(2, 0), run_id_of(2, 1)}
    assert "its process died" in read(store.path).runs["error"].dropna().tolist()[0]


def test_a_death_from_outside_costs_nothing(tmp_path: Path) -> None:
    once = str(tmp_path / "once")
    design = quick_design(points=6, dies_at=4, dies_once=once)
    store = new_store(tmp_path / "store", design)
    tally = session(design, store, jobs=2)
    assert Path(once).exists()
    assert (tally.done, tally.failed, n_records(store)) == (30, 0, 30)


class TwoTries(Executor):
    """Hands every chunk to a second worker, as a cluster does whose first one died late."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        fn(*args, **kwargs)
        future.set_result(fn(*args, **kwargs))
        return future


def test_a_second_worker_plays_no_run_again(tmp_path: Path) -> None:
    design = quick_design()
    store = new_store(tmp_path / "store", design)
    tally = session(design, store, executor=TwoTries())
    assert (tally.done, n_records(store)) == (30, 30)
    assert list(store.parts.glob("*.claim")) == []


def test_rounds_know_what_a_first_worker_played(tmp_path: Path) -> None:
    auto = Auto("value", half_width=0.8, at_least=4, at_most=20, step=4)
    design = quick_design(points=2, replications=auto)
    stores = [new_store(tmp_path / name, design) for name in ("one", "two")]
    session(design, stores[0])
    session(design, stores[1], executor=TwoTries())
    assert stores[0].finished() == stores[1].finished()


def test_a_second_worker_tries_again_what_failed_in_another_session(tmp_path: Path) -> None:
    design = quick_design(points=2, fails_at=1, fails_once=str(tmp_path / "once"))
    store = new_store(tmp_path / "store", design)
    assert session(design, store).failed == 1
    with ThreadPoolExecutor(1) as threads:
        workers = executors.workers_of(threads)
        for retry_failed, status in ((False, "failed"), (True, "done")):
            task = runner._task(design, store, workers, retry_failed)
            working.claim_of(store.path, task.sweep, 0).touch()
            ended = working.play_chunk(task, working.Chunk(0, (design.run(1, 0),), 9.0))
            assert [each.status for each in ended] == [status]
    assert n_records(store) == 11


def test_after_a_death_values_are_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    n_read: list[int] = []

    def counting(store: Store, index: Any, output: str, runs: Any) -> dict[int, float]:
        found = values_of(store, index, output, runs)
        n_read.append(len(found))
        return found

    monkeypatch.setattr(working, "values_of", counting)
    auto = Auto("value", half_width=5.0, at_least=30, at_most=60)
    once = str(tmp_path / "once")
    design = quick_design(points=40, replications=auto, dies_at=30, dies_once=once)
    stores = [new_store(tmp_path / name, design) for name in ("one", "two")]
    assert session(design, stores[0], jobs=2).done == 1200
    assert len(n_read) == 1
    assert session(design, stores[1]).done == 1200
    assert tables(stores[0]) == tables(stores[1])


class KilledWorker(Exception):  # noqa: N818 - as Dask calls it
    """A cluster has given a chunk up."""


class Cluster(Executor):
    """Gives up chunks with a certain run, the second time after others have been played."""

    _max_workers = 2

    def __init__(self, killer: int) -> None:
        self.killer = killer
        self.chunks: list[list[int]] = []
        self.on_trial: Future[Any] | None = None
        self.n_beside = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.chunks.append([run.run_id for run in args[1].runs])
        if self.killer not in self.chunks[-1]:
            self.n_beside += self.on_trial is not None and not self.on_trial.done()
            future.set_result(fn(*args))
            if self.on_trial is not None and self.n_beside == 3:
                self._give_up(self.on_trial)
        elif sum(self.killer in each for each in self.chunks) == 1:
            before = self.chunks[-1].index(self.killer)
            fn(args[0], args[1]._replace(runs=args[1].runs[:before]))
            future.set_exception(KilledWorker("its worker died"))
        else:
            self.on_trial = future
            threading.Timer(5.0, self._give_up, [future]).start()  # if nobody else gets to play
        return future

    def _give_up(self, future: Future[Any]) -> None:
        if not future.done():
            future.set_exception(KilledWorker("its worker died"))


def test_a_cluster_plays_on_while_a_run_is_under_suspicion(tmp_path: Path) -> None:
    design = quick_design(points=60, replications=5)
    store = new_store(tmp_path / "store", design)
    cluster = Cluster(killer=run_id_of(7, 0))
    tally = session(design, store, executor=cluster)
    assert (tally.done, tally.failed, tally.left) == (299, 1, 0)
    assert [each.run_id for each in tally.failures] == [cluster.killer]
    assert cluster.n_beside == 3
    assert [each for each in cluster.chunks if cluster.killer in each][1] == [cluster.killer]


class Breaking(Executor):
    """Loses the fourth chunk, and takes no other at once."""

    _max_workers = 1

    def __init__(self) -> None:
        self.n = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.n += 1
        future: Future[Any] = Future()
        if self.n == 5:
            raise BrokenExecutor("not now")
        if self.n == 4:
            future.set_exception(BrokenExecutor("lost"))
        else:
            future.set_result(fn(*args))
        return future


def test_an_executor_that_breaks_as_a_run_is_sent_alone(tmp_path: Path) -> None:
    design = quick_design()
    tally = session(design, new_store(tmp_path / "store", design), executor=Breaking())
    assert (tally.done, tally.failed, tally.left) == (30, 0, 0)


def test_after_a_first_run_that_fails_threads_play_side_by_side(tmp_path: Path) -> None:
    design = quick_design(points=1, fails_at=0)
    store = new_store(tmp_path / "store", design)
    task = runner._task(design, store, executors.AtHome())
    with store.locked():
        working.play_chunk(task, working.Chunk(0, (design.run(0, 0),), 9.0))
    assert task.sweep in working._process.played


FORKS = """
import os
from tavern_abm.sweeps.running import working
with working._process.first:
    child = os.fork()
    if child == 0:
        os._exit(not working._process.first.acquire(timeout=5))
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_process_that_is_forked_meanwhile_waits_for_nobody() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FORKS],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.stdout == "0\n", done.stderr


def test_an_executor_that_is_broken_is_not_ours_to_mend(tmp_path: Path) -> None:
    design = quick_design(points=3, dies_at=1)
    store = new_store(tmp_path / "store", design)
    with (
        ProcessPoolExecutor(1, mp_context=executors.new_processes()) as pool,
        pytest.raises(SweepError, match="takes nothing more"),
    ):
        session(design, store, executor=pool)


def test_what_cannot_travel_is_told(tmp_path: Path) -> None:
    from tavern_abm.sweeps.designs.making import design_of

    design = design_of(lambda settings, seed: {"y": 1.0}, factors={"x": [0]}, outputs=["y"])
    with pytest.raises(SweepError, match="must stand in a module"):
        session(design, new_store(tmp_path / "store", design), jobs=2)


# ------------------------------------------------------------- rounds, chunks, memory


def test_rounds_end_alike_for_any_executor(tmp_path: Path) -> None:
    auto = Auto("value", half_width=0.6, at_least=5, at_most=60, step=5)
    design = quick_design(points=4, replications=auto)
    stores = [new_store(tmp_path / name, design) for name in ("one", "two", "three")]
    tally = session(design, stores[0])
    session(design, stores[1], jobs=2)
    with ThreadPoolExecutor(4) as threads:
        session(design, stores[2], executor=threads)
    assert tally.total == tally.done > 20
    assert tables(stores[0]) == tables(stores[1]) == tables(stores[2])
    assert session(design, stores[0]).done == 0


def test_chunks_grow_with_what_is_quick_and_shrink_at_the_end() -> None:
    quick = Pace(1.0)
    quick.note(0.001)
    sizes = [quick.size(10**6, workers=2) for _ in range(12)]
    assert sizes[:4] == [2, 4, 8, 16]
    assert max(sizes) <= pace.LARGEST_CHUNK
    assert quick.size(8, workers=2) == 2
    slow = Pace(1.0)
    slow.note(30.0)
    assert slow.size(10**6, workers=2) == 1


def test_a_chunk_that_takes_too_long_comes_back(tmp_path: Path) -> None:
    design = quick_design(points=4, replications=1, pause=0.05)
    store = new_store(tmp_path / "store", design)
    task = runner._task(design, store, executors.AtHome())
    ended = working.play_chunk(task, working.Chunk(0, tuple(design.runs(1)), 0.06))
    assert 1 <= len(ended) < 4


def test_few_chunks_are_out_at_a_time(tmp_path: Path) -> None:
    most = 0
    lock = threading.Lock()

    class Counting(ThreadPoolExecutor):
        out = 0

        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            nonlocal most
            with lock:
                self.out += 1
                most = max(most, self.out)
            future = super().submit(fn, *args, **kwargs)
            future.add_done_callback(lambda _: setattr(self, "out", self.out - 1))
            return future

    design = quick_design(points=20, replications=10, pause=0.0005)
    with Counting(2) as pool:
        session(design, new_store(tmp_path / "store", design), executor=pool)
    assert 2 <= most <= 4


def test_the_workers_end_with_the_session(tmp_path: Path) -> None:
    import psutil  # type: ignore[import-untyped]

    design = quick_design(points=3)
    before = {each.pid for each in psutil.Process().children(recursive=True)}
    session(design, new_store(tmp_path / "store", design), jobs=2)
    until = time.monotonic() + 5
    while time.monotonic() < until:
        now = psutil.Process().children(recursive=True)
        after = [each for each in now if each.pid not in before]
        if not any("forkserver" not in " ".join(each.cmdline()) for each in after):
            break
    assert len(after) <= 2  # the server that forks workers, and multiprocessing's keeper of books
