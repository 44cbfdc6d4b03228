"""Summaries: points, points taken together, what is missing, and what the intervals hold."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.estimating.estimates import mean_t, quantiles
from tavern_abm.sweeps.estimating.groups import (
    groups_of,
    means_by_replication,
    outputs_of,
    path_named,
    paths_of,
)
from tavern_abm.sweeps.estimating.pairs import differences
from tavern_abm.sweeps.estimating.ratios import ratio, ratio_difference
from tavern_abm.sweeps.estimating.resampling import bootstrap
from tavern_abm.sweeps.estimating.summaries import COLUMNS, summarize, whole_rows
from tavern_abm.sweeps.stores.frames import Frames
from tests.sweeps.fake_sweep import (
    CHEATS,
    CUSTOM,
    OUTPUTS,
    RAKE,
    fake_design,
    fake_frames,
)

NAN = float("nan")


@pytest.fixture(scope="module")
def frames() -> Frames:
    return fake_frames(fake_design("grid"), 20, failed=[3])


def small(values: dict[tuple[int, int], float], points: list[dict[str, object]]) -> Frames:
    """Tables of runs that gave these values by point and replication; NaN is undefined."""
    keys = pd.DataFrame(list(values), columns=["scenario_id", "replication_id"])
    keys.insert(0, "run_id", keys["scenario_id"] * 1_000_000 + keys["replication_id"])
    runs = keys.assign(seed=keys["replication_id"] + 9, status="done")
    for name in points[0]:
        runs[name] = [points[each][name] for each in runs["scenario_id"]]
    return Frames(runs, keys.assign(y=list(values.values())))


# ---------------------------------------------------------------- point by point


def test_every_output_has_a_row_for_every_point(frames: Frames) -> None:
    found = summarize(frames)
    assert list(found.columns) == ["scenario_id", CUSTOM, CHEATS, RAKE, *COLUMNS]
    assert found["output"].drop_duplicates().tolist() == list(OUTPUTS)
    assert found["scenario_id"].tolist() == list(range(64)) * 4
    points = fake_design("grid").points
    assert found[CUSTOM].tolist() == [points[each][CUSTOM] for each in range(64)] * 4


def test_a_row_is_the_estimates_of_its_runs() -> None:
    frames = fake_frames(fake_design("one"), 55)
    found = summarize(frames).set_index(["output", "scenario_id"])
    of_runs = frames.outcomes.groupby("scenario_id")
    for (output, scenario_id), row in found.iterrows():
        values = of_runs.get_group(scenario_id)[output]
        mean, boot = mean_t(values), bootstrap(values)
        known = [mean.n, mean.value, mean.sd, mean.low, mean.high, boot.low, boot.high]
        columns = ["n", "mean", "sd", "t_low", "t_high", "boot_low", "boot_high"]
        assert row[columns].tolist() == pytest.approx(known, nan_ok=True, rel=1e-12)
        assert row["se"] == pytest.approx(mean.sd / np.sqrt(mean.n))
        shares = ["p05", "p25", "median", "p75", "p95"]
        known = quantiles(values, [0.05, 0.25, 0.5, 0.75, 0.95])
        assert row[shares].tolist() == pytest.approx(known)


def test_failed_runs_and_undefined_values_are_left_out_and_counted(frames: Frames) -> None:
    found = summarize(frames).set_index(["output", "scenario_id"])
    lost = found.loc[("gini", 3)]
    assert (lost["n"], lost["n_failed"], lost["n_undefined"]) == (0, 20, 0)
    assert lost[["mean", "t_low", "median"]].isna().all()
    undefined = found.loc[("conviction_ppv", 0)]
    # replications 6 and 13 of 20 are not defined
    assert (undefined["n"], undefined["n_failed"], undefined["n_undefined"]) == (18, 0, 2)


def test_one_run_of_a_point_has_no_interval() -> None:
    found = summarize(fake_frames(fake_design("one"), 1), outputs=["gini"])
    assert found["mean"].notna().all()
    assert found[["sd", "se", "t_low", "t_high", "boot_low"]].isna().all(axis=None)


def test_bootstrap_intervals_come_from_50_runs_on() -> None:
    for n, is_there in ((49, False), (50, True)):
        found = summarize(fake_frames(fake_design("one"), n), outputs=["gini"])
        assert found["boot_low"].notna().all() == is_there


def test_the_summary_does_not_depend_on_the_order_of_the_tables(frames: Frames) -> None:
    mixed = Frames(
        frames.runs.sample(frac=1, random_state=1), frames.outcomes.sample(frac=1, random_state=2)
    )
    pd.testing.assert_frame_equal(summarize(mixed), summarize(frames))
    together = [summarize(each, by=[CUSTOM]) for each in (mixed, frames)]
    pd.testing.assert_frame_equal(*together)


def test_only_what_is_wanted(frames: Frames) -> None:
    found = summarize(frames, outputs=["gini", "cheating_rate", "gini"], confidence=0.5)
    assert found["output"].drop_duplicates().tolist() == ["gini", "cheating_rate"]
    assert set(found["confidence"]) == {0.5}
    wide = summarize(frames, outputs=["gini"])
    assert (found["t_low"].iloc[0], found["mean"].iloc[0]) > (wide["t_low"].iloc[0],)


def test_intervals_that_shall_hold_together_are_wider(frames: Frames) -> None:
    plain, wide = (summarize(frames, simultaneous=each) for each in (False, True))
    # 63 points that did not fail, 4 outputs
    assert wide["confidence"].iloc[0] == pytest.approx(1 - 0.05 / (63 * 4))
    widths = [(each["t_high"] - each["t_low"]).dropna() for each in (plain, wide)]
    assert (widths[1] > 1.5 * widths[0]).all()


def test_nothing_played_is_nothing_summarized() -> None:
    frames = fake_frames(fake_design("one"), 3)
    empty = summarize(Frames(frames.runs.head(0), frames.outcomes.head(0)))
    assert empty.empty
    assert set(COLUMNS) <= set(empty.columns)


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"outputs": ["ginny"]}, "no output 'ginny'; did you mean 'gini'?"),
        ({"outputs": ["x"]}, "no output 'x'; there are cheating_rate, unjust_beatings"),
        ({"by": ["custm"]}, "no parameter 'custm' varies"),
    ],
)
def test_what_is_not_there_is_named(frames: Frames, wrong: dict[str, list[str]], text: str) -> None:
    with pytest.raises(SweepError, match=text.replace("?", r"\?")):
        summarize(frames, **wrong)


def test_a_confidence_is_a_share(frames: Frames) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        summarize(frames, confidence=95)


def test_a_parameter_may_be_called_like_a_column() -> None:
    frames = small({(0, 0): 1.0, (1, 0): 2.0}, [{"n": 5, "mean": "a"}, {"n": 7, "mean": "b"}])
    found = summarize(frames)
    assert found[["n_set", "mean_set", "n", "mean"]].to_numpy().tolist() == [
        [5, "a", 1, 1.0],
        [7, "b", 1, 2.0],
    ]
    assert summarize(frames, by=["n"])["n_set"].tolist() == [5, 7]


# ---------------------------------------------------------------- points taken together


def test_points_taken_together_weigh_the_same_each() -> None:
    values = {(0, 0): 1.0, (0, 1): 3.0, (0, 2): 2.0, (0, 3): 2.0, (1, 0): 10.0, (1, 1): 20.0}
    frames = small(values, [{"a": 1, "b": 1}, {"a": 1, "b": 2}])
    found = summarize(frames, by=["a"]).iloc[0]
    assert found["mean"] == pytest.approx((2 + 15) / 2)
    assert (found["n"], found["points"]) == (4, 2)


def test_points_taken_together_are_means_over_replications(frames: Frames) -> None:
    found = summarize(frames, by=["custom"], outputs=["gini"]).set_index(CUSTOM)
    runs = frames.joined()
    levels = frames.runs[CUSTOM].drop_duplicates().tolist()
    assert list(found.index) == levels
    whole = runs[runs[CUSTOM] == levels[1]].groupby("replication_id")["gini"].mean()
    mean = mean_t(whole)
    row = found.loc[levels[1]]
    assert row[["n", "points", "n_failed"]].tolist() == [20, 16, 0]
    assert row[["mean", "sd", "t_low"]].tolist() == pytest.approx([mean.value, mean.sd, mean.low])
    assert row["p95"] == pytest.approx(runs[runs[CUSTOM] == levels[1]]["gini"].quantile(0.95))
    assert found.loc[levels[0], ["points", "n_failed"]].tolist() == [15, 20]


def test_shared_luck_is_not_taken_for_more_than_it_is() -> None:
    # 64 points on the same luck of sd 0.01 know little more than one of them.
    found = summarize(fake_frames(fake_design("grid"), 20), by=["rake_bp"], outputs=["gini"])
    assert found["se"].to_numpy() == pytest.approx(0.01 / np.sqrt(20), rel=0.6)


def test_intervals_of_points_taken_together_cover() -> None:
    # with shared luck, and a twentieth of the values not defined
    rng = np.random.default_rng(1)
    at = np.linspace(5, 15, 6)[:, np.newaxis]
    hits = 0
    for _ in range(600):
        runs = at + rng.normal(0, 2, 15) + rng.normal(0, 1, (6, 15))
        runs[rng.random(runs.shape) < 0.05] = NAN
        found = mean_t(means_by_replication(runs))
        hits += found.low <= 10 <= found.high
    assert abs(hits / 600 - 0.95) < 4 * np.sqrt(0.95 * 0.05 / 600)


def test_means_by_replication_keep_the_mean_of_the_means() -> None:
    matrix = np.array([[1.0, NAN, 4.0], [NAN, NAN, 9.0], [NAN, NAN, NAN], [5.0, 6.0, 1.0]])
    found = means_by_replication(matrix)
    assert np.mean(found) == pytest.approx((2.5 + 9 + 4) / 3)
    nothing = means_by_replication(np.full((2, 3), NAN))
    assert np.isnan(nothing).all()
    assert means_by_replication(matrix[:1]).tolist()[:1] == [1.0]


# ---------------------------------------------------------------- ratios of sums


def counted() -> Frames:
    """Two points of four runs that count `good` of `all` cases; one run counted none."""
    keys = [(point, replication) for point in (0, 1) for replication in range(4)]
    frames = small(dict.fromkeys(keys, 0.0), [{"a": 1}, {"a": 1}])
    good, cases = [1, 0, 9, 0, 2, 2, 2, 0], [2, 8, 10, 0, 4, 4, 8, 0]
    frames.outcomes["good"], frames.outcomes["all"] = np.array([good, cases], dtype=float)
    return frames


def test_a_ratio_is_of_all_cases_of_a_point() -> None:
    found = summarize(counted(), outputs=["good/all"])
    for row, top, bottom in zip(
        found.to_dict("records"),
        ([1, 0, 9, 0], [2, 2, 2, 0]),
        ([2, 8, 10, 0], [4, 4, 8, 0]),
        strict=True,
    ):
        known = ratio(top, bottom)
        assert [row["n"], row["n_undefined"]] == [4, 0]
        assert row["mean"] == pytest.approx(known.value)
        assert [row["t_low"], row["t_high"]] == pytest.approx([known.low, known.high])
    # of runs that counted any: 0.5, 0, 0.9
    assert found[["median", "p95"]].iloc[0].tolist() == pytest.approx([0.5, 0.86])
    assert found["output"].tolist() == ["good/all"] * 2


def test_ratios_of_points_taken_together_and_apart() -> None:
    frames = counted()
    together = summarize(frames, outputs=["good / all"], by=["a"])
    known = ratio([3, 2, 11, 0], [6, 12, 18, 0])  # of all cases, and not a mean of two ratios
    found = together.iloc[0]
    assert [found["mean"], found["t_low"]] == pytest.approx([known.value, known.low])
    assert found["mean"] == pytest.approx(16 / 36)
    apart = differences(frames, 0, outputs=["good/all"]).iloc[0]
    known = ratio_difference(([2, 2, 2, 0], [4, 4, 8, 0]), ([1, 0, 9, 0], [2, 8, 10, 0]))
    assert [apart["change"], apart["low"]] == pytest.approx([known.value, known.low])


def test_a_ratio_of_nothing_counted_is_none() -> None:
    frames = counted()
    frames.outcomes["all"] = 0.0
    found = summarize(frames, outputs=["good/all"])
    assert found["mean"].isna().all()
    with pytest.raises(SweepError, match="no output 'good/al'; did you mean"):
        summarize(frames, outputs=["good/al"])


def test_an_output_of_that_name_comes_before_a_ratio() -> None:
    frames = counted()
    frames.outcomes["good/all"] = 7.0
    assert summarize(frames, outputs=["good/all"])["mean"].tolist() == [7.0, 7.0]
    assert groups_of(frames).by_run("good/all").tolist() == [[7.0] * 4] * 2


# ---------------------------------------------------------------- names and rows


def test_names_that_are_meant() -> None:
    paths = ["taverns.0.custom", "taverns.1.custom", "minds.tau", "custom_of_all"]
    assert path_named("tau", paths) == "minds.tau"
    assert path_named("1.custom", paths) == "taverns.1.custom"
    with pytest.raises(SweepError, match="'custom' may be any of taverns"):
        path_named("custom", paths)
    with pytest.raises(SweepError, match="there are none"):
        path_named("custom", [])


def test_columns_are_parameters_or_outputs_or_neither(frames: Frames) -> None:
    assert paths_of(frames.runs) == [CUSTOM, CHEATS, RAKE]
    assert outputs_of(frames) == list(OUTPUTS)


def test_luck_is_shared_where_seeds_are(frames: Frames) -> None:
    assert groups_of(frames).is_luck_shared
    other = frames.runs.assign(seed=range(len(frames.runs)))
    assert not groups_of(Frames(other, frames.outcomes)).is_luck_shared


def test_rows_are_taken_by_how_much_is_in_them() -> None:
    matrix = np.array([[1, NAN, 2], [NAN, NAN, NAN], [3, 4, 5], [NAN, 6, 7]])
    found = [(at.tolist(), rows.tolist()) for at, rows in whole_rows(matrix)]
    assert found == [([0, 3], [[1, 2], [6, 7]]), ([2], [[3, 4, 5]])]
