"""A city fits: time, memory and run folder of a hundred thousand patrons."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).resolve().parents[1] / "benchmarks" / "port_city.py"


@pytest.mark.slow
def test_thirty_nights_of_a_city_are_within_their_limits() -> None:
    done = subprocess.run([sys.executable, BENCHMARK], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("100,000 patrons, 30 nights")
