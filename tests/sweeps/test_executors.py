"""Whoever plays: a Dask cluster gives the same bytes, and one that is not there is told."""

import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tavern_abm.sweeps.api import sweep
from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.running import dask_workers
from tavern_abm.sweeps.running.executors import _interrupted_later, workers_of
from tavern_abm.sweeps.running.runner import play
from tavern_abm.sweeps.stores.records import RECORDS
from tavern_abm.sweeps.stores.store import Store
from tests.sweeps.quick import quick_design
from tests.sweeps.quick_sweep import n_records
from tests.sweeps.test_runner import session, tables

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    import dask

    # The first death is told at once: the cluster itself would kill three workers more.
    settings = {"distributed.scheduler.allowed-failures": 0}
    with (
        dask.config.set(settings),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as made,
    ):
        yield made


# ------------------------------------------------------------- Dask


def test_a_cluster_gives_the_same_bytes(tmp_path: Path, cluster: Any) -> None:
    design = quick_design(points=8, pause=0.002, fails_at=3)
    one, other = (Store.create(tmp_path / name, design) for name in ("one", "other"))
    session(design, one)
    tally = session(design, other, executor=cluster)
    assert (tally.done, tally.failed, n_records(other)) == (35, 5, 40)
    assert tables(one) == tables(other)
    parts = list(other.parts.glob(f"*{RECORDS}"))
    assert len(parts) == 2  # both have played
    assert list(other.parts.glob("*.claim")) == []


def test_by_address_by_client_and_by_its_executor(tmp_path: Path, cluster: Any) -> None:
    design = quick_design(points=2)
    with distributed.Client(cluster, set_as_default=False) as client:
        given = [cluster.scheduler_address, client, client.get_executor()]
        for place, executor in enumerate(given):
            store = Store.create(tmp_path / str(place), design)
            assert session(design, store, executor=executor).done == 10
        assert client.status == "running"


def test_a_run_that_kills_workers_of_a_cluster(tmp_path: Path, cluster: Any) -> None:
    design = quick_design(points=6, replications=1, dies_at=1)
    store = Store.create(tmp_path / "store", design)
    tally = session(design, store, executor=cluster)
    assert (tally.done, tally.failed, n_records(store)) == (5, 1, 6)
    assert "its process died" in tally.failures[0].error


def test_a_worker_that_dies_once_costs_no_run(tmp_path: Path, cluster: Any) -> None:
    design = quick_design(points=6, dies_at=4, dies_once=str(tmp_path / "once"))
    store = Store.create(tmp_path / "store", design)
    tally = session(design, store, executor=cluster)
    assert (tally.done, tally.failed, n_records(store)) == (30, 0, 30)


# ------------------------------------------------------------- nobody there


@pytest.fixture
def strange_server() -> Iterator[str]:
    """One that takes every call and answers something else."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            while True:
                try:
                    line, _ = server.accept()
                except OSError:
                    return
                with line:
                    line.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 4)

        threading.Thread(target=answer, daemon=True).start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)


def nobody_there() -> str:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"tcp://127.0.0.1:{server.getsockname()[1]}"


def test_a_scheduler_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_workers, "CONNECT_SECONDS", 1)
    design = quick_design(points=2)
    address = nobody_there()
    began = time.monotonic()
    with pytest.raises(SweepError, match=f"no Dask scheduler answers at {address}"):
        play(design, Store.create(tmp_path / "store", design), executor=address)
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("address", ["localhost", "what://ever:1", "tcp://no-such-host.invalid:1"])
def test_what_is_no_address(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_workers, "CONNECT_SECONDS", 1)
    with pytest.raises(SweepError, match="no Dask scheduler answers"):
        workers_of(address)


def test_something_else_that_answers(strange_server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_workers, "CONNECT_SECONDS", 1)
    with pytest.raises(SweepError, match="no Dask scheduler answers"):
        workers_of(strange_server)


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SweepError, match=r"pip install 'tavern-abm\[cluster\]'"):
        workers_of("tcp://127.0.0.1:8786")


def test_an_unreachable_scheduler_leaves_no_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_workers, "CONNECT_SECONDS", 1)
    with pytest.raises(SweepError, match="no Dask scheduler answers"):
        sweep(quick_design(), executor=nobody_there(), store=tmp_path / "s", progress=False)
    with pytest.raises(TypeError, match="executor must be one of"):
        sweep(quick_design(), executor=7, store=tmp_path / "s", progress=False)
    assert not (tmp_path / "s").exists()


# ------------------------------------------------------------- our own processes


@pytest.mark.parametrize("error", [EOFError(), ConnectionResetError()])
def test_a_death_as_a_worker_begins_is_a_death(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(*_: Any) -> None:
        raise error

    monkeypatch.setattr(ProcessPoolExecutor, "submit", dies)
    with pytest.raises(SweepError, match="the worker processes die as they start"):
        workers_of(None, 2)


def test_a_death_as_another_worker_begins_is_made_up_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = ProcessPoolExecutor.submit
    given_out: list[Any] = []

    def dies_once(self: Any, *given: Any) -> Any:
        if len(given_out) == 2:
            given_out.append(given_out[0])
            given_out[0].result()  # by then a worker has begun
            raise EOFError
        given_out.append(real(self, *given))
        return given_out[-1]

    monkeypatch.setattr(ProcessPoolExecutor, "submit", dies_once)
    design = quick_design(pause=0.05)
    result = sweep(design, jobs=2, store=tmp_path / "s", progress=False)
    assert result.tally.done == 30


def test_an_interruption_waits_until_a_worker_has_begun() -> None:
    done = []

    def begins() -> None:
        with _interrupted_later():
            signal.raise_signal(signal.SIGINT)
            done.append(1)

    with pytest.raises(KeyboardInterrupt):
        begins()
    assert done == [1]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


# ------------------------------------------------------------- others


def test_no_executor_at_all() -> None:
    with pytest.raises(TypeError, match="executor must be one of"):
        workers_of(7)


def test_how_many_a_given_executor_plays_at_once() -> None:
    with ThreadPoolExecutor(3) as threads:
        workers = workers_of(threads)
        assert (workers.count, workers.window) == (3, 6)
    assert workers_of(None, 1).count == 1
