"""The benchmark of coverage: what it counts, and that the documentation says what it prints."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tavern_abm.sweeps.design import Auto

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def coverage() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "coverage", ROOT / "benchmarks" / "interval_coverage.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stated(heading: str) -> list[list[str]]:
    """The shares in the first table below a heading, row by row."""
    page = (ROOT / "docs" / "explanation" / "intervals.md").read_text(encoding="utf-8")
    section = page.split(f"## {heading}")[1].split("\n## ")[0]
    rows = [re.findall(r"(\d+\.\d)%", line) for line in section.splitlines()]
    return [row for row in rows if row]


def test_t_intervals_of_a_normal_quantity_cover_in_93_to_97_of_100(coverage: ModuleType) -> None:
    for n in coverage.SIZES:
        assert 0.93 <= coverage.t_coverage(coverage.LAWS[0], n, 1_000, 1) <= 0.97


def test_the_documentation_states_what_t_covers(coverage: ModuleType) -> None:
    found = [
        [f"{100 * coverage.t_coverage(law, n, 1_000, 1):.1f}" for n in coverage.SIZES]
        for law in coverage.LAWS
    ]
    assert stated("Student's t") == found


@pytest.mark.slow
def test_the_documentation_states_what_the_bootstrap_covers(coverage: ModuleType) -> None:
    found = [f"{100 * coverage.bootstrap_coverage(law, 50, 1_000, 1):.1f}" for law in coverage.LAWS]
    assert [row[0] for row in stated("Bootstrap, from 50 replications on")] == found


@pytest.mark.slow
def test_the_documentation_states_what_the_rest_covers(coverage: ModuleType) -> None:
    sizes = (10, 20, 50)
    for heading, count in (
        ("Differences on common luck", coverage.paired_coverage),
        ("Points taken together", coverage.group_coverage),
    ):
        found = [[f"{100 * share:.1f}" for share in count(n, 1_000, 1)] for n in sizes]
        assert stated(heading) == np.transpose(found).tolist()
    found = [
        [
            f"{100 * coverage.auto_coverage(law, Auto('x', half, at_least=least), 1_000, 1)[0]:.1f}"
            for least in (10, 20, 30)
        ]
        for law, half in (
            (coverage.LAWS[0], 0.01),
            (coverage.LAWS[3], 0.8),
            (coverage.LAWS[4], 0.1),
        )
    ]
    assert stated("Replications until it is narrow") == found


def test_it_stops_where_it_is_first_narrow_enough(coverage: ModuleType) -> None:
    values = np.tile([0.0, 1.0], 100)
    # 1.98 * 0.5 / sqrt(n) <= 0.1 from about 98 on
    assert coverage.stopped_at(values, Auto("x", half_width=0.1)) == 100
    assert coverage.stopped_at(values, Auto("x", half_width=0.01)) == 200
    # of equal values nothing is known, however many there are
    assert coverage.stopped_at(values * 0, Auto("x", half_width=0.1)) == 200


def test_the_table_is_printed(coverage: ModuleType) -> None:
    lines = list(coverage.lines(4, 1))
    assert "4 experiments each, seed 1" in lines[0]
    assert len([line for line in lines if line.startswith(("t, ", "bootstrap, "))]) == 12
