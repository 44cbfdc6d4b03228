"""What a sweep will take: told in time, from a sample, and nothing is left of it."""

import dataclasses
import time
from pathlib import Path

import pytest

from tavern_abm.sweeps.design import Auto, Factor
from tavern_abm.sweeps.running import dry_run
from tavern_abm.sweeps.running.dry_run import Outlook, count_runs, look_ahead, points_of, spread
from tavern_abm.sweeps.running.dry_run_words import document, prospect
from tavern_abm.sweeps.running.runner import play
from tavern_abm.sweeps.stores.shards import Shard
from tavern_abm.sweeps.stores.store import Store
from tests.sweeps.quick import quick_design


def test_a_timed_sample_spread_over_the_design(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dry_run, "ENOUGH", 6)
    design = quick_design(points=40, replications=25, pause=0.02)
    outlook = look_ahead(design)
    assert (outlook.points, outlook.least, outlook.most) == (40, 1000, 1000)
    assert len(outlook.times) == 6
    assert outlook.seconds_per_run is not None
    assert 0.02 <= outlook.seconds_per_run < 1
    assert outlook.seconds_of(1000, 2) == pytest.approx(500 * outlook.seconds_per_run)
    assert outlook.errors == ()


def test_the_disk_it_says_is_about_what_it_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dry_run, "ENOUGH", 6)
    design = quick_design(points=40, replications=10)
    store = Store.create(tmp_path / "store", design)
    with store.locked():
        play(design, store)
    takes = sum(file.stat().st_size for file in store.parts.iterdir())
    says = look_ahead(design).bytes_of(400)
    assert says is not None
    assert takes < says < 2 * takes


def test_no_run_ends_in_time() -> None:
    design = quick_design(points=2, pause=60.0)
    began = time.monotonic()
    outlook = look_ahead(design, seconds=4.0)
    assert time.monotonic() - began < 8
    assert (outlook.times, outlook.bytes_per_run) == ((), None)
    lines = prospect(design, outlook, None, 2)
    assert lines[-2:] == [
        "time: not known: no run of the sample ended within 4 s",
        "disk: not known",
    ]


def test_a_point_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dry_run, "ENOUGH", 6)
    design = quick_design(points=3, fails_at=2)
    lines = prospect(design, look_ahead(design), None, 1)
    said = "a run of the sample failed: ZeroDivisionError: no such coin as 2 (point 2)"
    assert [line for line in lines if "failed" in line] == [said]


def test_a_point_that_leaves_the_program_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dry_run, "ENOUGH", 4)
    outlook = look_ahead(quick_design(points=2, exits_at=1))
    assert outlook.errors == ("SystemExit: 3 (point 1)",)
    assert len(outlook.times) == 2


def test_a_shard_is_told_by_points_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dry_run, "ENOUGH", 4)
    auto = Auto("value", relative=0.1, at_least=5, at_most=50)
    design = quick_design(points=2, replications=auto, fails_at=1)
    assert look_ahead(design, Shard(1, 2)).errors == ()
    assert len(look_ahead(design, Shard(2, 2)).errors) == 1
    assert points_of(quick_design(points=6, replications=2), Shard(1, 4)) == [0, 2, 4]


def test_the_runs_of_rounds_and_of_shards() -> None:
    auto = Auto("value", relative=0.1, at_least=5, at_most=50)
    assert count_runs(quick_design(points=4, replications=auto)) == (20, 200)
    assert count_runs(quick_design(points=5, replications=auto), Shard(1, 2)) == (15, 150)
    assert count_runs(quick_design(points=5, replications=3), Shard(2, 2)) == (8, 8)
    assert count_runs(quick_design(points=12, replications=20), Shard(40, 40)) == (6, 6)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 1000])
def test_places_spread_over_all(n: int) -> None:
    places = spread(n)
    assert len(places) == len(set(places)) == min(n, dry_run.POINTS) or n == 7
    assert {0, n - 1} <= set(places) <= set(range(n))


def test_a_design_of_a_million_points_is_told_at_once() -> None:
    design = quick_design(points=1000, replications=1000)
    outlook = Outlook(1000, 10**6, 10**6, (0.05, 0.07), 1500.0)
    lines = prospect(design, outlook, None, 2)
    assert lines[0] == "quick: 1,000 points (grid) x 1,000 replications: 1,000,000 runs"
    assert lines[-5:-3] == ["  seed 1; in a replicate all points have the same luck", ""]
    assert "about 16 h 40 min in one process" in lines[-3]
    assert "about 8 h 20 min with --jobs 2" in lines[-2]
    assert lines[-1] == "disk: about 1.5 GB"
    found = document(design, outlook, 2)
    assert found["seconds"] == pytest.approx(30_000)
    assert found["runs"] == {"least": 10**6, "most": 10**6}


def test_what_is_to_be_compiled_is_told() -> None:
    design = quick_design(points=1)
    outlook = Outlook(1, 5, 5, to_compile=("orc-skulls",))
    said = "\n".join(prospect(design, outlook, None, 1))
    assert "orc-skulls had to be compiled first" in said


def test_what_is_spread_on_a_logarithmic_scale_is_said() -> None:
    factors = (
        Factor(("a",), "a", low=0.01, high=1.0, is_log=True),
        Factor(("b",), "b", low=0, high=9, is_whole=True),
    )
    design = dataclasses.replace(quick_design(points=2), factors=factors)
    lines = prospect(design, Outlook(2, 2, 2), None, 1)
    said = {line.strip().partition(":")[0]: line for line in lines}
    assert said["a"].endswith(", logarithmic")
    assert "logarithmic" not in said["b"]
