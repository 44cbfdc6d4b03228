"""Intervals of samples hold what all points share: the towns of their few replications."""

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tavern_abm.sweeps.design import Design
from tavern_abm.sweeps.estimating.cells import Cells
from tavern_abm.sweeps.estimating.varied import Varied
from tavern_abm.sweeps.sensitivities.effects import by_point, swings
from tavern_abm.sweeps.sensitivities.luck import is_unknown, of_shared, widened
from tavern_abm.sweeps.sensitivities.sensitivity import indices
from tavern_abm.sweeps.stores.frames import Frames
from tests.sweeps.fake_sweep import CHEATS, RAKE, fake_design

TOWNS = 200


def sampled(rng: Any, label: str, n: int) -> Varied:
    values = tuple(rng.random(n).tolist())
    return Varied(label, values, tuple(sorted(values)), True)


def towns(rng: Any, x: Any, n_replications: int) -> Cells:
    """A slope of 1 on average, steeper in one town than in another, which all points share."""
    slopes = 1 + 0.5 * rng.normal(size=n_replications)
    heights = 0.5 * rng.normal(size=n_replications)
    own = 0.1 * rng.normal(size=(len(x), n_replications))
    return Cells(x[:, np.newaxis] * slopes + heights + own)


def covers(n: int) -> bool:
    """Whether so many of `TOWNS` intervals are as many as 95 % ones hold, or some more."""
    return n / TOWNS > 0.95 - 4 * math.sqrt(0.95 * 0.05 / TOWNS)


@pytest.mark.parametrize("n_replications", [2, 3, 8])
def test_lines_and_levels_cover(n_replications: int) -> None:
    """Over points alone a sixth of the intervals of three replications held the truth."""
    lines, levels = held(n_replications, TOWNS)
    assert covers(lines)
    assert covers(levels)


def test_over_points_alone_intervals_do_not_cover() -> None:
    lines, _ = held(1, TOWNS)
    assert lines < 0.25 * TOWNS


def held(n_replications: int, n_sweeps: int) -> tuple[int, int]:
    """How many intervals hold the truth: of the slope, and of the mean of the lowest group."""
    rng = np.random.default_rng(1)
    lines = levels = 0
    for _ in range(n_sweeps):
        x = sampled(rng, "x", 40)
        cells = towns(rng, x.numbers, n_replications)
        row = swings([x, sampled(rng, "z", 40)], cells).set_index("factor").loc["x"]
        lines += row["low"] <= np.ptp(x.numbers) <= row["high"]
        level = by_point(x, cells).iloc[0]
        levels += level["low"] <= level["x"] <= level["high"]
    return lines, levels


def test_luck_of_each_runs_own_is_in_the_scatter_of_points() -> None:
    rng = np.random.default_rng(2)
    x = sampled(rng, "x", 40)
    values = x.numbers[:, np.newaxis] + rng.normal(size=(40, 3))
    own, shared = (by_point(x, Cells(values, luck)) for luck in ("own", "shared"))
    assert (own["high"] < shared["high"]).all()
    means = Cells(values.mean(axis=1, keepdims=True), "own")
    pd.testing.assert_frame_equal(own, by_point(x, means))


def test_one_replication_tells_nothing_of_what_is_shared() -> None:
    one = Cells(np.array([[1.0], [2.0]]))
    assert is_unknown(one)
    assert not is_unknown(Cells(one.values, "own"))
    assert of_shared(lambda means: means, one, 0.95) == 0.0


def test_both_parts_of_an_interval_count() -> None:
    low, high = widened(np.array([1.0]), np.array([1.0]), np.array([4.0]), np.array([4.0]))
    assert (low.tolist(), high.tolist()) == ([-3.0], [6.0])


# ---------------------------------------------------------------- indices


def framed(values: Any) -> Frames:
    ids = np.indices(values.shape).reshape(2, -1)
    keys = {"scenario_id": ids[0], "replication_id": ids[1]}
    return Frames(
        pd.DataFrame(keys).assign(status="done"), pd.DataFrame(keys | {"y": values.ravel()})
    )


def cheats_of(design: Design) -> Any:
    points = design.points.frame()
    unit = (points[[CHEATS, RAKE]] - [0.05, 0.0]) / [0.25, 1000.0]
    return unit[CHEATS].to_numpy(), unit[RAKE].to_numpy()


def test_mean_effects_of_morris_cover() -> None:
    """Every trajectory meets the same three towns: over trajectories they look like the truth."""
    pytest.importorskip("SALib")
    design = fake_design("morris")
    x, _ = cheats_of(design)
    rng = np.random.default_rng(3)
    inside, narrow = 0, []
    for _ in range(TOWNS):
        slopes = 1 + 0.1 * rng.normal(size=3)
        table = indices(design, framed(x[:, np.newaxis] * slopes), ["y"])
        row = table[(table["kind"] == "mu_star") & (table["factor"] == CHEATS)].iloc[0]
        inside += row["low"] <= 1 <= row["high"]
        narrow.append(row["high"] - row["low"])
    assert covers(inside)
    assert inside < TOWNS
    assert min(narrow) > 0.001


def test_no_mean_effect_of_morris_is_below_nothing() -> None:
    pytest.importorskip("SALib")
    design = fake_design("morris")
    values = np.random.default_rng(4).normal(size=(80, 2))
    table = indices(design, framed(values), ["y"])
    stars = table[table["kind"] == "mu_star"]
    assert (stars["low"] >= 0).all()
    assert (stars["high"] > stars["value"]).all()


@pytest.mark.parametrize(("kind", "index"), [("latin-hypercube", "src"), ("saltelli", "S1")])
def test_indices_of_other_samples_are_as_wide_as_the_towns_make_them(kind: str, index: str) -> None:
    if kind == "saltelli":
        pytest.importorskip("SALib")
    design = fake_design(kind)
    x, z = cheats_of(design)
    slopes = np.array([0.2, 1.0, 1.8])  # towns in which it hardly matters, and in which it does
    values = x[:, np.newaxis] * slopes + z[:, np.newaxis]
    found = {}
    for luck in ("shared", "own"):
        table = indices(fake_design(kind, luck=luck), framed(values), ["y"])
        rows = table[(table["kind"] == index) & (table["factor"] == CHEATS)]
        found[luck] = rows.iloc[0]
    assert found["shared"]["value"] == found["own"]["value"]
    width = {name: row["high"] - row["low"] for name, row in found.items()}
    assert width["shared"] > 2 * width["own"]


def test_it_is_said_that_one_replication_leaves_it_out() -> None:
    design = fake_design("latin-hypercube", n_points=30)
    values = np.random.default_rng(5).normal(size=(30, 1))
    for n, expected in ((1, [30.0]), (3, [])):
        table = indices(design, framed(np.repeat(values, n, axis=1)), ["y"])
        assert table.loc[table["kind"] == "over_points", "value"].tolist() == expected
