"""Every run once, kept as it ends, whoever plays and whatever dies."""

import os
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tavern_abm.sweeps.design import Auto, Design
from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.running import executors, pace, runner, working
from tavern_abm.sweeps.running.pace import Pace
from tavern_abm.sweeps.running.runner import Tally, play
from tavern_abm.sweeps.runs import run_id_of
from tavern_abm.sweeps.stores.frames import read
from tavern_abm.sweeps.stores.merging import merge
from tavern_abm.sweeps.stores.records import RECORDS
from tavern_abm.sweeps.stores.shards import Shard
from tavern_abm.sweeps.stores.store import Store
from tests.sweeps.quick import quick_design

TABLES = ("runs", "outcomes", "series")


def new_store(folder: Path, design: Design, **how: Any) -> Store:
    return Store.create(folder, design, **how)


def session(design: Design, store: Store, **how: Any) -> Tally:
    with store.locked():
        return play(design, store, **how)


def n_records(store: Store) -> int:
    """Records in all: more than there are runs, if one was done twice."""
    files = store.parts.glob(f"*{RECORDS}")
    return sum(b'"run_id"' in line for file in files for line in file.read_bytes().splitlines())


def tables(store: Store) -> dict[str, bytes]:
    merge([store.path])
    return {name: (store.path / f"{name}.parquet").read_bytes() for name in TABLES}


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


def test_a_run_that_leaves_the_program_has_failed(tmp_path: Path) -> None:
    design = quick_design(points=2, exits_at=1)
    tally = session(design, new_store(tmp_path / "store", design))
    assert (tally.done, tally.failed) == (5, 5)
    assert tally.failures[0].error == "SystemExit: 3"


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
