"""The model's tables are the same to the byte however a sweep is played."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tavern_abm.sweeps.design import Design
from tavern_abm.sweeps.designs.making import design_from
from tavern_abm.sweeps.running.sessions import play_session, store_for
from tavern_abm.sweeps.stores.merging import merge
from tavern_abm.sweeps.stores.shards import Shard
from tests.sweeps.quick_sweep import content, n_records

pytestmark = pytest.mark.slow

WORDS: dict[str, Any] = {
    "name": "same",
    "scenario": "rusty-flagon",
    "nights": 8,
    "replicates": 6,
    "outputs": ["gini", "cheating_rate", "unjust_beatings", "house_profit_cp"],
    "series": ["staked_cp", "gini"],
    "factors": [
        {"path": "taverns.0.custom", "values": ["lax", "orc"]},
        {"path": "taverns.0.rake_bp", "values": [0, 500]},
        {"path": "population.share_of_cheats", "values": [0.05, 0.3]},
    ],
}


@pytest.fixture(scope="module")
def design() -> Design:
    return design_from(WORDS)


@pytest.fixture(scope="module")
def serial(design: Design, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return played(design, tmp_path_factory.mktemp("serial") / "store")


def played(design: Design, folder: Path, **how: Any) -> dict[str, bytes]:
    store = store_for(folder, design)
    assert play_session(design, store, **how).done == n_records(store) == 48
    return content(folder)


def test_two_processes(design: Design, serial: dict[str, bytes], tmp_path: Path) -> None:
    assert played(design, tmp_path / "store", jobs=2) == serial


def test_threads(design: Design, serial: dict[str, bytes], tmp_path: Path) -> None:
    with ThreadPoolExecutor(3) as threads:
        assert played(design, tmp_path / "store", executor=threads) == serial


def test_two_shards(design: Design, serial: dict[str, bytes], tmp_path: Path) -> None:
    parts = []
    for each in (Shard(1, 2), Shard(2, 2)):
        store = store_for(tmp_path / str(each.number), design, shard=each)
        play_session(design, store, merge=False)
        parts.append(store.path)
    assert content(merge(parts, tmp_path / "both")) == serial


def test_a_local_cluster(design: Design, serial: dict[str, bytes], tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0"
    ) as cluster:
        assert played(design, tmp_path / "store", executor=cluster) == serial
