"""How the mean settles, and how many replications are wanted."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tavern_abm.sweeps.design import Auto
from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.estimating.convergence import (
    add_needed,
    add_stopped,
    running_mean,
    running_means,
)
from tavern_abm.sweeps.estimating.estimates import mean_t
from tavern_abm.sweeps.estimating.summaries import summarize
from tavern_abm.sweeps.estimating.tables import summary_lines
from tavern_abm.sweeps.stores.frames import Frames
from tests.sweeps.fake_sweep import CUSTOM, fake_design, fake_frames


@pytest.mark.parametrize("shift", [0.0, 1e9])
def test_every_row_is_the_estimate_of_so_many_values(shift: float) -> None:
    values = shift + np.random.default_rng(1).normal(0, 1, 40)
    found = running_mean(values, 0.9)
    assert found["n"].tolist() == list(range(1, 41))
    for row in found.to_dict("records"):
        known = mean_t(values[: row["n"]], 0.9)
        assert row["mean"] == pytest.approx(known.value)
        if known.has_interval:
            assert row["high"] - row["low"] == pytest.approx(2 * known.half, rel=1e-5)
    assert math.isnan(found["low"].iloc[0])


def test_undefined_values_are_left_out_and_equal_ones_have_no_width() -> None:
    assert running_mean([1.0, float("nan"), 1.0])["n"].tolist() == [1, 2]
    assert running_mean([0.1] * 9).iloc[-1].tolist() == [9, 0.1, 0.1, 0.1]
    assert running_mean([]).empty


def test_of_a_sweep_it_is_one_below_the_other() -> None:
    frames = fake_frames(fake_design("pair"), 12, failed=[2])
    found = running_means(frames, "conviction_ppv")
    counts = found.groupby("scenario_id")["n"].max()
    assert counts.drop_duplicates().tolist() == [11]  # a replication is not defined
    assert 2 not in counts
    by = running_means(frames, "gini", by=["custom"])
    assert by.groupby(CUSTOM, sort=False)["n"].max().tolist() == [12] * 4
    last = by.groupby(CUSTOM, sort=False).last()["mean"].tolist()
    assert last == pytest.approx(summarize(frames, by=["custom"], outputs=["gini"])["mean"])
    with pytest.raises(SweepError, match="did you mean 'gini'"):
        running_means(frames, "gin")


def test_so_many_replications_are_needed() -> None:
    frames = fake_frames(fake_design("one"), 30)
    found = add_needed(summarize(frames, outputs=["gini"]), half_width=0.001)
    # 1.96 sd / 0.001, squared, of an sd of about 0.011
    known = (1.96 * found["sd"] / 0.001) ** 2
    assert found["needed"].to_numpy() == pytest.approx(known.to_numpy(), rel=0.02)
    share = add_needed(summarize(frames, outputs=["gini"]), relative=0.01)
    known = (1.96 * share["sd"] / (0.01 * share["mean"])) ** 2
    assert share["needed"].to_numpy() == pytest.approx(known.to_numpy(), rel=0.02, abs=4)
    both = add_needed(summarize(frames, outputs=["gini"]), relative=0.01, half_width=0.001)
    assert both["needed"].tolist() == share["needed"].tolist()


@pytest.mark.parametrize(
    ("values", "stopped"),
    [
        ([1.0, 1.1] * 3, "narrow"),
        ([1.0, 9.0] * 3, None),
        ([1.0, 9.0] * 4, "wide"),
        ([1.0] * 8, "wide"),  # equal values have no width, which is no narrowness
        ([1.0, 1.1, *[float("nan")] * 6], "wide"),
        ([1.0, 1.1], None),
    ],
)
def test_how_a_point_was_stopped(values: list[float], stopped: str | None) -> None:
    frames = fake_frames(fake_design("alone"), len(values))
    frames = Frames(frames.runs, frames.outcomes.assign(gini=values))
    auto = Auto("gini", half_width=0.5, at_least=4, at_most=8)
    found = add_stopped(summarize(frames, outputs=["gini", "cheating_rate"]), auto)
    assert [each if isinstance(each, str) else None for each in found["stopped"]] == [stopped, None]
    lines = summary_lines(found.assign(output="gini", point=[1, 2]))
    assert not any("nan" in line for line in lines)


def test_of_equal_values_nothing_is_known() -> None:
    frames = fake_frames(fake_design("one"), 5)
    frames = Frames(frames.runs, frames.outcomes.assign(gini=0.25))
    assert add_needed(summarize(frames, outputs=["gini"]), relative=0.1)["needed"].isna().all()


def test_nothing_is_known_of_one_run() -> None:
    found = add_needed(summarize(fake_frames(fake_design("one"), 1)), relative=0.1)
    assert found["needed"].isna().all()


@pytest.mark.parametrize("aim", [{}, {"half_width": 0.0}, {"relative": -0.1}])
def test_a_width_is_above_nothing(aim: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="above 0"):
        add_needed(summarize(fake_frames(fake_design("one"), 3)), **aim)
