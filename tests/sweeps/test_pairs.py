"""Differences: who is held against whom, and by how much common luck narrows them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.estimating.estimates import mean_t, welch
from tavern_abm.sweeps.estimating.pairs import COLUMNS, differences, parse_against
from tavern_abm.sweeps.stores.frames import Frames
from tests.sweeps.fake_sweep import (
    CHEATS,
    CUSTOM,
    OWN_SD,
    RAKE,
    SHARED_SD,
    fake_design,
    fake_frames,
)


@pytest.fixture(scope="module")
def frames() -> Frames:
    return fake_frames(fake_design("grid"), 20)


def with_own_luck(frames: Frames) -> Frames:
    return Frames(frames.runs.assign(seed=range(len(frames.runs))), frames.outcomes)


def values(frames: Frames, output: str, scenario_id: int) -> Any:
    outcomes = frames.outcomes
    return outcomes.loc[outcomes["scenario_id"] == scenario_id, output].to_numpy()


# ---------------------------------------------------------------- one point against all


def test_every_other_point_is_held_against_one(frames: Frames) -> None:
    found = differences(frames, 5, outputs=["gini"])
    assert list(found.columns) == ["scenario_id", "against_id", CUSTOM, CHEATS, RAKE, *COLUMNS]
    assert found["scenario_id"].tolist() == [each for each in range(64) if each != 5]
    assert set(found["against_id"]) == {5}
    row = found.iloc[0]
    known = mean_t(values(frames, "gini", 0) - values(frames, "gini", 5))
    assert row[["change", "sd", "low", "high", "n"]].tolist() == pytest.approx(
        [known.value, known.sd, known.low, known.high, known.n]
    )
    assert row["mean"] - row["against_mean"] == pytest.approx(row["change"])


def test_common_luck_narrows_a_difference_as_its_share_says(frames: Frames) -> None:
    found = differences(frames, 0, outputs=["gini"])
    apart = 2 * (SHARED_SD**2 + OWN_SD**2)
    # The ratio of two variances of 19 degrees has a relative error of about 0.46.
    assert found["narrowed"].median() == pytest.approx(apart / (2 * OWN_SD**2), rel=0.6)
    assert found["saved"].to_numpy() == pytest.approx(20 * (found["narrowed"].to_numpy() - 1))
    assert set(found["way"]) == {"paired"}


def test_unlike_luck_is_no_pairing(frames: Frames) -> None:
    found = differences(with_own_luck(frames), 0, outputs=["gini"])
    assert set(found["way"]) == {"welch"}
    assert set(found["saved"]) == {0.0}
    known = welch(values(frames, "gini", 1), values(frames, "gini", 0))
    assert found.iloc[0][["low", "high", "p"]].tolist() == pytest.approx(
        [known.change.low, known.change.high, known.p]
    )


def test_pairs_are_those_that_both_have(frames: Frames) -> None:
    outcomes = frames.outcomes
    lost = (outcomes["scenario_id"] == 1) & outcomes["replication_id"].isin([2, 11])
    found = differences(Frames(frames.runs, outcomes[~lost]), 0, outputs=["gini"])
    kept = np.delete(np.arange(20), [2, 11])
    known = mean_t(values(frames, "gini", 1)[kept] - values(frames, "gini", 0)[kept])
    assert found.iloc[0][["n", "change", "low"]].tolist() == pytest.approx(
        [18, known.value, known.low]
    )
    assert found["n"].tolist()[1:] == [20] * 62
    assert (found["mean"] - found["against_mean"]).to_numpy() == pytest.approx(found["change"])


# ---------------------------------------------------------------- like against like


def test_points_are_held_against_their_like(frames: Frames) -> None:
    levels = frames.runs[CUSTOM].drop_duplicates().tolist()
    found = differences(frames, {"custom": levels[0]}, outputs=["gini"])
    points = fake_design("grid").points
    assert len(found) == 48
    for scenario_id, against_id in found[["scenario_id", "against_id"]].to_numpy().tolist():
        assert points[against_id] == points[scenario_id] | {CUSTOM: levels[0]}
        assert against_id != scenario_id


def test_two_values_name_one_base(frames: Frames) -> None:
    found = differences(frames, {CUSTOM: "orc", "rake_bp": 500}, outputs=["gini"])
    assert len(found) == 64 - 4
    base = fake_design("grid").points.frame().set_index("scenario_id").loc[found["against_id"]]
    assert (base[CUSTOM] == "orc").all()
    assert (base[RAKE] == 500).all()
    assert base[CHEATS].tolist() == found[CHEATS].tolist()


def test_groups_are_held_against_a_group(frames: Frames) -> None:
    found = differences(frames, {"custom": "orc"}, by=["custom"], outputs=["unjust_beatings"])
    assert CUSTOM in found
    assert "scenario_id" not in found
    assert found["points"].tolist() == [16, 16, 16]
    # 2 + 20 share of cheats on average of 5.25, three times as many under orc
    error = np.sqrt((5.25 + 15.75) / 16 / 20)
    assert found["change"].to_numpy() == pytest.approx(-2 * 5.25, abs=4 * error)


def test_groups_that_lost_points_are_compared_by_what_both_have(frames: Frames) -> None:
    # The dearest rake failed under one custom: its Gini must not look lower for that.
    custom = frames.runs[CUSTOM].iloc[0]
    lost = frames.runs.loc[(frames.runs[CUSTOM] == custom) & (frames.runs[RAKE] == 1000), "run_id"]
    kept = Frames(
        frames.runs.assign(status=np.where(frames.runs["run_id"].isin(lost), "failed", "done")),
        frames.outcomes[~frames.outcomes["run_id"].isin(lost)],
    )
    found = differences(kept, {"custom": custom}, by=["custom"], outputs=["gini"])
    assert found["points"].tolist() == [12, 12, 12]
    error = np.sqrt(2) * OWN_SD / np.sqrt(20 * 12)
    assert found["change"].to_numpy() == pytest.approx(0.0, abs=4.5 * error)


def test_sampled_points_have_no_like_and_all_count() -> None:
    design = fake_design("latin-hypercube", 12)
    frames = fake_frames(design, 10)
    halves = pd.Series([each % 2 for each in frames.runs["scenario_id"]])
    split = Frames(frames.runs.assign(half=halves), frames.outcomes)
    found = differences(split, {"half": 0}, by=["half"], outputs=["gini"])
    assert found["points"].tolist() == [6]
    with pytest.raises(SweepError, match="no two points differ in half alone"):
        differences(split, {"half": 0}, outputs=["gini"])


# ---------------------------------------------------------------- several at once


def test_p_values_are_adjusted_for_all_that_is_shown(frames: Frames) -> None:
    found = differences(frames, {"custom": "orc"}, outputs=["gini"])  # which do not differ
    p, adjusted = found["p"].to_numpy(), found["p_holm"].to_numpy()
    assert (adjusted >= p).all()
    assert adjusted.min() == pytest.approx(min(1.0, 48 * p.min()))


def test_intervals_that_shall_hold_together(frames: Frames) -> None:
    found = differences(frames, {"custom": "orc"}, simultaneous=True)
    assert found["confidence"].iloc[0] == pytest.approx(1 - 0.05 / (48 * 4))
    same = Frames(frames.runs, frames.outcomes.assign(gini=0.5))  # promises nothing, needs nothing
    found = differences(same, {"custom": "orc"}, simultaneous=True)
    assert found["confidence"].iloc[0] == pytest.approx(1 - 0.05 / (48 * 3))


# ---------------------------------------------------------------- what is said wrongly


@pytest.mark.parametrize(
    ("against", "by", "text"),
    [
        (64, None, "no point 64; there are 0 to 63"),
        ({"custom": "elvish"}, None, "no point has taverns.0.custom = elvish; there are "),
        ({"colour": 1}, None, "no parameter 'colour' varies"),
        (0, ["custom"], "points taken together have no number"),
    ],
)
def test_a_base_that_is_none(frames: Frames, against: Any, by: list[str] | None, text: str) -> None:
    with pytest.raises(SweepError, match=text):
        differences(frames, against, by=by)


def test_a_point_alone_has_nothing_to_be_compared_with() -> None:
    with pytest.raises(SweepError, match="point 0 is the only one"):
        differences(fake_frames(fake_design("alone"), 5), 0)


def test_a_base_is_read_from_the_command_line(frames: Frames) -> None:
    runs = frames.runs.assign(flag=True)
    assert parse_against(["12"], runs) == 12
    assert parse_against(["custom=orc", "rake_bp = 500"], runs) == {CUSTOM: "orc", RAKE: 500}
    assert parse_against([f"{CHEATS}=0.05", "flag=true"], runs) == {CHEATS: 0.05, "flag": True}
    assert parse_against([f"{CHEATS}=0.050"], runs) == {CHEATS: 0.05}
    assert parse_against(["rake_bp=501"], runs) == {RAKE: 501}
    for wrong in (["orc"], ["1", "2"], ["-1"]):
        with pytest.raises(SweepError, match="is no point; write its number, or like"):
            parse_against(wrong, runs)
