"""What workers write: whole or not at all, by processes, threads and forks, however they end."""

import errno
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.outputs import Output
from tavern_abm.sweeps.running import runner
from tavern_abm.sweeps.runs import Run
from tavern_abm.sweeps.stores import parts as parts_module
from tavern_abm.sweeps.stores import streams
from tavern_abm.sweeps.stores.frames import read
from tavern_abm.sweeps.stores.merging import merge
from tavern_abm.sweeps.stores.parts import close_parts, part_of
from tavern_abm.sweeps.stores.records import record_of
from tavern_abm.sweeps.stores.store import Store
from tests.sweeps.quick_sweep import (
    NIGHTS,
    Quick,
    content,
    keep,
    played,
    played_counts,
    quick_design,
    record_files,
    resume,
    runs_of,
)

ROOT = Path(__file__).parents[2]
N_WRITES = 17
"""Of three runs, the last of which fails: heads, rows and records of their files."""


class Forgetful(Quick):
    """Leaves an outcome out at one point."""

    def __call__(self, run: Run) -> Output:
        output = super().__call__(run)
        return output._replace(outcomes={"a": 1.0}) if run.scenario_id == 1 else output


def process(code: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", code, *arguments]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def test_streams_are_arrows_own(tmp_path: Path) -> None:
    store = played(tmp_path / "s")
    (file,) = store.parts.glob("*.series.arrows")
    table = pa.ipc.open_stream(file.read_bytes()).read_all()
    assert table.column_names == ["run_id", "time", "s"]
    assert table.num_rows == 12 * 4
    first = runs_of(quick_design())[0]
    mine = table.filter(pa.compute.equal(table["run_id"], first.run_id))
    assert mine["s"].to_pylist() == quick_design().configuration(first).series["s"].tolist()
    assert mine["time"].to_pylist() == [1, 2, 3, 4]


def test_a_record_is_written_after_its_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    append = streams.Stream.append

    def noted(self: streams.Stream, some: bytes) -> object:
        written.append(self.file.name.partition(".")[2])
        return append(self, some)

    monkeypatch.setattr(streams.Stream, "append", noted)
    played(tmp_path / "s", quick_design(replications=1))
    assert written[-3:] == ["outcomes.arrows", "series.arrows", "records.jsonl"]


@pytest.mark.parametrize("n", range(N_WRITES))
def test_a_disk_that_is_full_in_the_middle_of_a_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n: int
) -> None:
    """Half of the n-th write is there; what was kept stands, and the same process goes on."""
    design = quick_design(points=quick_design().points, replications=1)
    store = Store.create(tmp_path / "s", design)
    write, count = os.write, 0

    def failing(handle: int, some: bytes) -> int:
        nonlocal count
        count += 1
        if count == n + 1:
            write(handle, bytes(some)[: len(some) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(handle, some)

    monkeypatch.setattr(streams.os, "write", failing)
    n_kept = 0
    is_full = False
    for run in runs_of(design):
        try:
            keep(part_of(store.path, design.configuration), run, design)
            n_kept += 1
        except OSError:
            is_full = True
    monkeypatch.undo()
    close_parts(store.path)
    assert is_full == (count > n)
    assert len(store.finished()) == n_kept
    assert len(resume(store, design)) == 3 - n_kept
    merge([store.path])
    merge([played(tmp_path / "whole", design).path])
    assert content(store.path) == content(tmp_path / "whole")
    assert set(played_counts(store).values()) == {1}


DIES = """
import os, sys
from pathlib import Path
from tavern_abm.sweeps.running import runner
from tavern_abm.sweeps.stores import streams
from tavern_abm.sweeps.stores.parts import part_of
from tests.sweeps.quick_sweep import keep, quick_design, runs_of
path, n, share = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
write, count = os.write, 0
def dying(handle, some):
    global count
    count += 1
    if count == n:
        write(handle, bytes(some)[: int(share * len(some))])
        os.kill(os.getpid(), 9)
    return write(handle, some)
streams.os.write = dying
design = quick_design()
for run in runs_of(design):
    keep(part_of(path, design.configuration), run, design)
"""


@pytest.mark.parametrize(("n", "share"), [(1, 0.5), (4, 1.0), (9, 0.9), (12, 0.0)])
def test_killed_in_the_middle_of_a_write(tmp_path: Path, n: int, share: float) -> None:
    design = quick_design()
    store = Store.create(tmp_path / "s", design)
    died = subprocess.run(
        process(DIES, str(store.path), str(n), str(share)), env=environment(), check=False
    )
    assert died.returncode == -signal.SIGKILL
    before = len(store.finished())
    assert before == len(played_counts(store)) == max(0, (n - 4) // 3)
    assert len(resume(store, design)) == 12 - before
    merge([store.path])
    merge([played(tmp_path / "whole", design).path])
    assert content(store.path) == content(tmp_path / "whole")
    assert set(played_counts(store).values()) == {1}


PLAYS = """
import sys, time
from pathlib import Path
from tavern_abm.sweeps.runs import Run
from tavern_abm.sweeps.stores.store import Store
from tests.sweeps.quick_sweep import quick_design, resume
resume(Store.open(Path(sys.argv[1])), quick_design(replications=int(sys.argv[2])))
"""


@pytest.mark.slow
def test_killed_three_times_at_any_moment(tmp_path: Path) -> None:
    """It ends with the bytes of a sweep that nobody disturbed, and no run was done twice."""
    design = quick_design(replications=1000)
    store = Store.create(tmp_path / "s", design)
    n_killed = 0
    for wait_for in (100, 900, 1800):
        worker = subprocess.Popen(process(PLAYS, str(store.path), "1000"), env=environment())
        while len(store.finished()) < wait_for and worker.poll() is None:
            time.sleep(0.02)
        worker.kill()
        n_killed += worker.wait() == -signal.SIGKILL
    before = len(store.finished())
    assert n_killed == 3
    assert before < 3000
    assert len(resume(store, design)) == 3000 - before
    merge([store.path])
    merge([played(tmp_path / "whole", design).path])
    assert content(store.path) == content(tmp_path / "whole")
    assert set(played_counts(store).values()) == {1}


def test_interrupted_from_the_keyboard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between rows and record: the run is played again, into files that are not torn."""
    design = quick_design(replications=1)
    store = Store.create(tmp_path / "s", design)
    first, second, _ = runs_of(design)
    part = part_of(store.path, design.configuration)
    monkeypatch.setattr(part._records, "append", _interrupted)
    with pytest.raises(KeyboardInterrupt):
        keep(part, first, design)
    assert not part.is_there()
    with pytest.raises(SweepError, match="closed"):
        keep(part, second, design)
    assert len(resume(store, design)) == 3


def _interrupted(_: bytes) -> None:
    raise KeyboardInterrupt


def test_threads_share_a_part(tmp_path: Path) -> None:
    design = quick_design(replications=50)
    store = Store.create(tmp_path / "s", design)
    with ThreadPoolExecutor(8) as pool:

        def task(run: object) -> None:
            keep(part_of(store.path, design.configuration), run, design)  # type: ignore[arg-type]

        list(pool.map(task, runs_of(design)))
    close_parts(store.path)
    assert len(record_files(store)) == 1
    merge([store.path])
    merge([played(tmp_path / "whole", design).path])
    assert content(store.path) == content(tmp_path / "whole")


def test_threads_that_come_at_once_open_one_part(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "s", quick_design())
    barrier, found = threading.Barrier(8), []

    def task() -> None:
        barrier.wait()
        found.append(part_of(store.path, Quick()))

    threads = [threading.Thread(target=task) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    close_parts(store.path)
    assert len({id(part) for part in found}) == 1


FORKS = """
import os, signal, sys
from pathlib import Path
from tavern_abm.sweeps.stores import parts
from tavern_abm.sweeps.stores.parts import close_parts, part_of
from tests.sweeps.quick_sweep import keep, quick_design, runs_of
path, design = Path(sys.argv[1]), quick_design(replications=1)
one, two, three = runs_of(design)
keep(part_of(path, design.configuration), one, design)
parts._opening.acquire()  # as a thread may hold it that is not in the child
child = os.fork()
if not child:
    signal.alarm(20)
    keep(part_of(path, design.configuration), two, design)
    os._exit(0)
parts._opening.release()
assert os.waitpid(child, 0)[1] == 0
keep(part_of(path, design.configuration), three, design)
close_parts(path)
"""


def test_a_process_that_was_forked_writes_files_of_its_own(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "s", quick_design(replications=1))
    subprocess.run(process(FORKS, str(store.path)), env=environment(), check=True)
    assert len(record_files(store)) == 2
    assert len(store.finished()) == 3


def test_a_store_that_was_made_anew_at_its_place(tmp_path: Path) -> None:
    design = quick_design(replications=1)
    for _ in range(2):
        store = Store.create(tmp_path / "s", design)
        for run in runs_of(design):
            keep(part_of(store.path, design.configuration), run, design)
        assert len(store.finished()) == 3
        shutil.rmtree(store.path)
    close_parts(store.path)


def test_the_same_place_by_another_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = Store.create("s", quick_design())
    Path("link").symlink_to(tmp_path)
    part = part_of(Path("link", "s"), Quick())
    assert part is part_of(Path("s"), Quick()) is part_of(store.path.resolve(), Quick())
    for path in (Path("link", "s"), Path("s"), store.path.resolve()):
        part = part_of(store.path, Quick())
        close_parts(path)
        assert not part.is_there()


def test_a_part_whose_store_is_gone_lets_go_of_its_files(tmp_path: Path) -> None:
    former = part_of(Store.create(tmp_path / "s", quick_design()).path, Quick())
    shutil.rmtree(tmp_path / "s")
    store = Store.create(tmp_path / "s", quick_design())
    assert part_of(store.path, Quick()) is not former
    assert not former._records.is_open
    close_parts(store.path)


def test_a_name_is_forced_once_and_what_is_in_it_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forced: list[int] = []
    monkeypatch.setattr(streams.os, "fsync", lambda handle: forced.append(os.fstat(handle).st_ino))
    with streams.Stream(tmp_path / "f", b"head") as stream:
        stream.force()
    file, folder = ((tmp_path / name).stat().st_ino for name in ("f", "."))
    assert forced == [file, folder, file]


def keep_and_tell(store: Path, log: Path) -> None:
    """Keep a run; whatever is forced onto the disk from now on is written down."""
    design, force = quick_design(replications=1), streams.Stream.force

    def noted(self: streams.Stream) -> None:
        with log.open("a") as file:
            file.write(f"{self.file.name}\n")
        force(self)

    streams.Stream.force = noted  # type: ignore[method-assign]
    keep(part_of(store, design.configuration), runs_of(design)[0], design)


def test_a_worker_of_any_pool_forces_what_it_wrote_as_it_ends(tmp_path: Path) -> None:
    store, log = Store.create(tmp_path / "s", quick_design()), tmp_path / "log"
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        pool.submit(keep_and_tell, store.path, log).result()
        assert not log.exists()
    endings = [name.partition(".")[2] for name in log.read_text().split()]
    assert endings == ["outcomes.arrows", "series.arrows", "records.jsonl"]


def test_a_worker_that_does_not_see_the_store(tmp_path: Path) -> None:
    with pytest.raises(SweepError, match=r"gone: no sweep is seen here by a worker on .* share"):
        part_of(tmp_path / "gone", Quick())


def test_a_worker_of_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store.create(tmp_path / "s", quick_design())
    monkeypatch.setattr(parts_module, "source_digest", lambda: "f" * 64)
    with pytest.raises(SweepError, match=r"another tavern-abm .* ffffffffffff.* install the same"):
        part_of(store.path, Quick())


def test_a_worker_with_other_outputs(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "s", quick_design())
    with pytest.raises(SweepError, match="other outputs: a, b, s"):
        part_of(store.path, Quick(outputs=("a",)))


@pytest.mark.parametrize(
    "changes",
    [
        {"outcomes": {"a": 1.0}},
        {"outcomes": {"a": 1.0, "b": "many"}},
        {"outcomes": {"a": 1.0, "b": [1.0, 2.0]}},
        {"series": {}},
        {"series": {"s": np.ones(3)}},
    ],
    ids=["missing", "text", "two", "no series", "too short"],
)
def test_a_run_that_gave_something_else_is_not_kept(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    store = Store.create(tmp_path / "s", quick_design())
    run = runs_of(quick_design())[0]
    output = quick_design().configuration(run)._replace(**changes)
    part = part_of(store.path, Quick())
    with pytest.raises(ValueError, match=r"the run must give a number for each of a, b, s \("):
        part.done(run, output, 0.0)
    assert part.is_there()
    assert store.finished() == {}
    close_parts(store.path)


def test_one_that_gave_something_else_is_a_run_that_failed(tmp_path: Path) -> None:
    """It does not end the sweep."""
    design = quick_design(configuration=Forgetful(), replications=2)
    store = Store.create(tmp_path / "s", design)
    with store.locked():
        tally = runner.play(design, store)
    assert (tally.done, tally.failed) == (4, 2)
    assert "a number for each of a, b, s" in str(tally.failures[0].error)


def test_what_a_record_says(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "s", quick_design())
    one, two, *_ = runs_of(quick_design())
    part = part_of(store.path, Quick())
    keep(part, one, quick_design())
    part.failed(two, "ValueError: no\nmore", "Traceback\n\udcff", 1.25)
    close_parts(store.path)
    lines = record_files(store)[0].read_bytes().splitlines(keepends=True)
    done, failed = map(record_of, lines[1:])
    assert done is not None
    assert failed is not None
    assert (done.run_id, done.seed, done.status) == (one.run_id, one.seed, "done")
    assert done.digest == quick_design().configuration(one).digest
    assert (failed.status, failed.error, failed.seconds) == ("failed", "ValueError: no\nmore", 1.25)
    assert (failed.pid, failed.digest, failed.outcomes) == (os.getpid(), None, None)
    assert next(store.parts.glob("*.tracebacks")).read_bytes() == b"Traceback\n\\udcff"
    began = np.datetime64(failed.started.removesuffix("Z"))
    assert abs(np.datetime64("now") - began) < np.timedelta64(60, "s")


def test_the_nights_told_are_those_that_were_played(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "s", quick_design())
    part = part_of(store.path, Quick())
    first, second, *_ = runs_of(quick_design())
    part.done(first, Quick()(first)._replace(nights=2), 0.01)
    part.done(second, Quick()(second), 0.01)
    close_parts(store.path)
    merge([store.path])
    assert read(store.path).runs["nights"].tolist() == [2, NIGHTS]
