"""Killed three times at random moments and gone on with: the same bytes, no run done twice."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tavern_abm.sweeps.stores.store import Store
from tests.sweeps.quick_sweep import content, n_records

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = "from tavern_abm.cli import main; main()"
DESIGN = """
name = "killed"
scenario = "rusty-flagon"
nights = 6
replicates = 30
luck = "own"
outputs = ["gini", "rounds", "cheating_rate"]
series = ["staked_cp"]

[[factors]]
path = "taverns.0.rake_bp"
values = [0, 200, 500, 1000]

[[factors]]
path = "population.share_of_cheats"
values = [0.05, 0.3]
"""
RUNS = 240
KILLS = 3

pytestmark = pytest.mark.slow


def begin(folder: Path, out: str, *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "sweep", "killed.toml", "--out", out, *options],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def play_all(folder: Path, out: str, *options: str) -> str:
    """Play to the end; what it says."""
    with begin(folder, out, *options) as sweep:
        said, wrong = sweep.communicate(timeout=600)
    assert sweep.returncode == 0, wrong
    return said


def wait_for_records(sweep: subprocess.Popen[str], store: Path, more_than: int) -> None:
    """Wait until it plays: before that there is nothing to lose."""
    until = time.monotonic() + 300
    while time.monotonic() < until and sweep.poll() is None and n_records(store) <= more_than:
        time.sleep(0.01)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_killed_three_times(tmp_path: Path, jobs: str) -> None:
    (tmp_path / "killed.toml").write_text(DESIGN)
    play_all(tmp_path, "whole", "--jobs", "1")
    rng = random.Random(int(jobs))
    store, n_kills = tmp_path / "store", 0
    for _ in range(KILLS):
        before = n_records(store)
        with begin(tmp_path, "store", "--jobs", jobs, "--resume") as sweep:
            wait_for_records(sweep, store, before)
            time.sleep(rng.uniform(0.0, 0.8))
            n_kills += sweep.poll() is None
            sweep.send_signal(signal.SIGKILL)
    assert n_kills == KILLS
    left = RUNS - len(Store.open(store).finished())
    assert 0 < left < RUNS
    said = play_all(tmp_path, "store", "--jobs", jobs, "--resume")
    assert f"{left} played now" in said
    assert content(store) == content(tmp_path / "whole")
    assert n_records(store) == RUNS
