"""`sweep` from Python."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import tavern_abm
from tavern_abm import Design, RunConfiguration, sweep
from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.stores.parts import part_of
from tavern_abm.sweeps.stores.store import Store
from tests.sweeps.quick import quick_design

ROOT = Path(__file__).resolve().parents[2]
DESIGN = """
name = "tiny"
scenario = "plain-dice"
nights = 2
replicates = 2
outputs = ["rounds", "gini"]
series = ["staked_cp"]
set = { patrons = 20 }

[[factors]]
path = "taverns.0.rake_bp"
values = [0, 500]
"""


def test_in_memory() -> None:
    result = sweep(quick_design(points=3, fails_at=1), progress=False)
    assert result.store is None
    assert result.runs["status"].value_counts().to_dict() == {"done": 10, "failed": 5}
    assert list(result.outcomes.columns[3:]) == ["value", "twice"]
    assert len(result.failures) == 5
    assert len(result.joined()) == 15
    assert (result.tally.done, result.tally.failed) == (10, 5)
    frame = result.to_batch_frame()
    assert list(frame.columns[:3]) == ["RunId", "iteration", "Step"]
    summary = result.summary(outputs=["value"])
    assert summary["n"].tolist() == [5, 0, 5] or summary["n"].tolist() == [5, 5]


def test_a_design_file_in_a_store(tmp_path: Path) -> None:
    file = tmp_path / "tiny.toml"
    file.write_text(DESIGN)
    result = sweep(file, store=tmp_path / "store", progress=False)
    assert result.store == tmp_path / "store"
    assert (tmp_path / "store" / "design.toml").read_text() == DESIGN
    assert result.series["time"].tolist() == [1, 2] * 4
    assert Store.open(tmp_path / "store").manifest.status == "finished"
    with pytest.raises(SweepError, match="a sweep is in it already"):
        sweep(file, store=tmp_path / "store", progress=False)
    again = sweep(file, store=tmp_path / "store", resume=True, progress=False)
    assert again.tally.done == 0
    pd.testing.assert_frame_equal(again.outcomes, result.outcomes)


def test_a_design_as_a_mapping_and_as_a_frame() -> None:
    words: dict[str, Any] = {
        "scenario": "plain-dice",
        "nights": 2,
        "replicates": 2,
        "set": {"patrons": 20},
        "factors": [{"path": "taverns.0.rake_bp", "values": [0, 500]}],
        "outputs": ["gini"],
        "seed": 7,
    }
    one = sweep(words, progress=False)
    samples = pd.DataFrame({"taverns.0.rake_bp": [0, 500]})
    made = Design.from_dataframe(
        samples,
        scenario="plain-dice",
        nights=2,
        replications=2,
        rng=7,
        outputs=["gini"],
        settings={"patrons": 20},
    )
    other = sweep(made, progress=False)
    pd.testing.assert_frame_equal(one.outcomes, other.outcomes)


def test_with_an_executor_and_with_shards(tmp_path: Path) -> None:
    design = quick_design(points=4)
    with ThreadPoolExecutor(2) as threads:
        whole = sweep(design, executor=threads, progress=False)
    halves = [
        sweep(design, store=tmp_path / name, shard=shard, progress=False)
        for name, shard in (("one", "1/2"), ("two", (2, 2)))
    ]
    assert [len(each.runs) for each in halves] == [10, 10]
    joined = pd.concat([each.outcomes for each in halves]).sort_values("run_id")
    pd.testing.assert_frame_equal(joined.reset_index(drop=True), whole.outcomes)


def test_a_store_of_another_shard_is_refused(tmp_path: Path) -> None:
    design = quick_design(points=2)
    sweep(design, store=tmp_path / "one", shard="1/2", progress=False)
    said = "shard 1/2 is played in it, and the whole sweep is asked for"
    with pytest.raises(SweepError, match=said):
        sweep(design, store=tmp_path / "one", resume=True, progress=False)


def test_interrupted(tmp_path: Path) -> None:
    design = quick_design(points=3, stops_at=2)
    with pytest.raises(KeyboardInterrupt):
        sweep(design, store=tmp_path / "store", progress=False)
    store = Store.open(tmp_path / "store")
    assert store.manifest.status == "stopped"
    assert store.finished()


def test_fewer_replications_do_not_finish_what_is_left(tmp_path: Path) -> None:
    stopping = quick_design(points=2, replications=20, stops_at=1)
    with pytest.raises(KeyboardInterrupt):
        sweep(stopping, store=tmp_path / "store", progress=False)
    store = Store.open(tmp_path / "store")
    with store.locked():
        part = part_of(store.path, stopping.configuration)
        for each in range(2):
            for point in range(2):
                run = stopping.run(point, each)
                part.failed(run, "no such coin", "", 0.0)
    less = replace(stopping, replications=2)
    again = sweep(less, store=tmp_path / "store", resume=True, progress=False)
    assert again.tally.left == 0
    assert Store.open(tmp_path / "store").manifest.status == "stopped"
    assert Store.open(tmp_path / "store").tally().missing == 36


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"jobs": 0}, "jobs must be at least 1"),
        ({"resume": True}, "nothing to resume"),
        ({"shard": "9/3"}, "shards of 3"),
    ],
)
def test_what_cannot_be(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(SweepError, match=problem):
        sweep(quick_design(points=1), progress=False, **given)


def test_names_are_at_the_top_of_the_package() -> None:
    names = {"sweep", "Design", "RunConfiguration", "SweepResult"}
    assert names <= set(tavern_abm.__all__)
    assert RunConfiguration("plain-dice", until=3).until == 3


def test_a_script_without_its_guard_is_told_so(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from tavern_abm import sweep\n"
        "from tests.sweeps.quick import quick_design\n"
        "sweep(quick_design(), jobs=2)\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 1
    assert "if __name__ == '__main__':" in done.stderr.splitlines()[-1]


def test_a_function_of_a_script_is_found_by_its_workers(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from tavern_abm import sweep\n"
        "from tavern_abm.sweeps.designs.making import design_of\n"
        "def area(settings, seed):\n"
        "    return {'area': settings['a'] * settings['b']}\n"
        "if __name__ == '__main__':\n"
        "    design = design_of(area, factors={'a': [1, 2], 'b': [3, 4]}, outputs=['area'])\n"
        "    print(sweep(design, jobs=2, progress=False).outcomes['area'].tolist())\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.stdout == "[3.0, 4.0, 6.0, 8.0]\n", done.stderr
