"""Summaries in print and in files: what fits a line, what is told, what can be read back."""

from __future__ import annotations

import json
from io import BytesIO, StringIO

import numpy as np
import pandas as pd
import pytest

from tavern_abm.sweeps.estimating.convergence import add_needed
from tavern_abm.sweeps.estimating.pairs import differences
from tavern_abm.sweeps.estimating.printing import WIDTH, Column, percent, printed
from tavern_abm.sweeps.estimating.summaries import summarize
from tavern_abm.sweeps.estimating.summary_words import difference_text, summary_text
from tavern_abm.sweeps.estimating.tables import (
    csv_of,
    difference_lines,
    headings,
    json_of,
    parquet_of,
    summary_lines,
)
from tavern_abm.sweeps.sensitivities.index_lines import index_text
from tavern_abm.sweeps.sensitivities.sensitivity import COLUMNS
from tavern_abm.sweeps.stores.frames import Frames
from tests.sweeps.fake_sweep import fake_design, fake_frames

NAN = float("nan")


@pytest.fixture(scope="module")
def frames() -> Frames:
    return fake_frames(fake_design("grid"), 20, failed=[3])


# ---------------------------------------------------------------- columns


def test_columns_that_do_not_fit_are_left_out_by_rank() -> None:
    long = "x" * 60
    columns = [
        Column("a", [long], rank=2),
        Column("b", ["1"]),
        Column("c", [long], rank=1),
        Column("d", [long], rank=2),
    ]
    assert printed(columns) == [f"  b  {'c':>60}", f"  1  {long}"]
    assert printed([Column("b", [long * 2])]) == [f"  {'b':>120}", f"  {long * 2}"]


def test_numbers_stand_to_the_right_and_words_to_the_left() -> None:
    lines = printed([Column("who", ["Odo", "Wymarc"], is_text=True), Column("cp", ["5", "120"])])
    assert lines == ["  who      cp", "  Odo       5", "  Wymarc  120"]


def test_paths_are_cut_to_what_tells_them_apart() -> None:
    assert headings(["a.x.n", "b.x.n", "b.y.n"]) == ["a.x.n", "b.x.n", "y.n"]
    assert headings(["n", "a.n"]) == ["n", "a.n"]


@pytest.mark.parametrize(
    ("confidence", "text"),
    [(0.95, "95 %"), (0.9, "90 %"), (0.5, "50 %"), (0.999, "99.9 %"), (1 - 0.05 / 12, "99.58 %")],
)
def test_a_confidence_in_per_cent(confidence: float, text: str) -> None:
    assert percent(confidence) == text


# ---------------------------------------------------------------- summaries


def test_a_summary_fits_a_line_and_says_what_is_missing(frames: Frames) -> None:
    lines = summary_lines(summarize(frames), {"gini": "inequality of purses"})
    assert max(map(len, lines)) <= WIDTH
    assert "gini: inequality of purses" in lines
    assert lines.count("  ... and 24 more") == 4
    assert any(line.endswith("20 failed") for line in lines)
    assert any(line.endswith("2 undefined") for line in lines)
    assert len(summary_lines(summarize(frames), rows=0)) == 4 * (64 + 3) - 1


def test_numbers_have_two_figures_of_the_half_interval() -> None:
    row = summarize(fake_frames(fake_design("one"), 20), outputs=["gini"])
    row.loc[0, ["mean", "t_low", "t_high"]] = [0.351234, 0.339, 0.363468]
    lines = summary_lines(row.head(1).assign(scenario_id=0))
    assert "0.351  0.339 to 0.363" in lines[1]


def test_a_sweep_of_one_point_is_one_block() -> None:
    lines = summary_lines(summarize(fake_frames(fake_design("alone"), 20)))
    assert lines[0].split()[:3] == ["output", "n", "mean"]
    assert [line.split()[0] for line in lines[1:]] == [
        *("cheating_rate", "unjust_beatings", "gini", "conviction_ppv")
    ]


def test_one_run_of_each_point_has_no_columns_of_intervals() -> None:
    frames = fake_frames(fake_design("one"), 1)
    text = summary_text(frames, summarize(frames), confidence=0.95)
    assert not any("interval" in line for line in text[2:-1])
    assert text[-1].startswith("One run of each point: no intervals.")


def test_values_that_are_all_the_same_promise_nothing() -> None:
    frames = fake_frames(fake_design("one"), 20)
    frames = Frames(frames.runs, frames.outcomes.assign(gini=0.25))
    summary = summarize(frames, outputs=["gini"])
    text = summary_text(frames, summary, confidence=0.95)
    assert sum("  0.25      all equal" in line for line in text) == 4
    assert text[-1].startswith("All equal: every run gave this value")


def test_intervals_without_width_are_not_expected_to_miss(frames: Frames) -> None:
    same = Frames(frames.runs, frames.outcomes.assign(gini=0.25))
    text = summary_text(same, summarize(same), confidence=0.95)
    assert any(line.startswith("With 189 intervals") for line in text)  # 63 points, 3 outputs
    text = summary_text(same, summarize(same, simultaneous=True), confidence=0.95)
    assert "All 189 intervals hold together with 95 % (Bonferroni)." in text
    found = differences(same, 0)
    text = difference_text(same, found, confidence=0.95, against="point 0")
    assert any(line.startswith("With 186 intervals") for line in text)


def test_needed_replications_are_printed() -> None:
    found = add_needed(summarize(fake_frames(fake_design("one"), 20)), relative=0.05)
    assert any("needed" in line for line in summary_lines(found))


def test_what_a_summary_is_of(frames: Frames) -> None:
    summary = summarize(frames)
    text = summary_text(frames, summary, confidence=0.95, name="fake", planned=1500)
    assert text[0] == "fake: 64 points, 1,260 runs done, 20 failed, 220 not played yet"
    assert text[1] == "95 % intervals of the mean, Student's t"
    assert max(map(len, text)) <= WIDTH
    below = " ".join(text[-2:])
    # 63 points, 4 outputs
    assert "With 252 intervals of 95 % expect 13 to miss by mere chance" in below
    wide = summarize(frames, simultaneous=True)
    text = summary_text(frames, wide, confidence=0.95)
    assert text[1].startswith("99.98 % intervals")
    assert text[-1] == "All 252 intervals hold together with 95 % (Bonferroni)."


def test_levels_that_lost_points_are_no_fair_comparison(frames: Frames) -> None:
    summary = summarize(frames, by=["custom"])
    text = summary_text(frames, summary, confidence=0.95)
    assert any("Rows of fewer points are means over other settings" in line for line in text)
    whole = fake_frames(fake_design("grid"), 20)
    text = summary_text(whole, summarize(whole, by=["custom"]), confidence=0.95)
    assert not any("Rows of fewer points" in line for line in text)


def test_parameters_that_are_the_same_everywhere_are_told_once() -> None:
    frames = fake_frames(fake_design("one"), 20)
    frames = Frames(frames.runs.assign(**{"talk.contacts": 3}), frames.outcomes)
    text = summary_text(frames, summarize(frames, confidence=0.9), confidence=0.9)
    assert text[1] == "90 % intervals of the mean, Student's t; all with contacts = 3"
    assert not any("contacts" in line for line in text[2:])


def test_many_parameters_leave_room_for_the_numbers(frames: Frames) -> None:
    more = {f"some.longish_name_{k}": np.arange(len(frames.runs)) // 20 for k in range(9)}
    wide = Frames(frames.runs.assign(**more), frames.outcomes)
    lines = summary_lines(summarize(wide, outputs=["gini"]))
    assert max(map(len, lines)) <= WIDTH
    assert "95 % interval" in lines[1]
    assert "custom" in lines[1]


# ---------------------------------------------------------------- differences


def test_differences_in_print(frames: Frames) -> None:
    found = differences(frames, {"custom": "orc"}, by=["custom"])
    text = difference_text(frames, found, confidence=0.95, against="custom=orc")
    assert text[1] == "95 % intervals of the difference to the base (custom=orc), Student's t"
    assert max(map(len, text)) <= WIDTH
    rows = [line for line in text if line.startswith("  lax")]
    assert len(rows) == 4
    assert "<0.001" in rows[0]
    below = " ".join(text[-5:])
    assert "Taken within replications, on the same luck." in below
    assert "Rows of fewer points compare those alone" in below


def test_differences_of_unlike_luck_are_told_so(frames: Frames) -> None:
    apart = Frames(frames.runs.assign(seed=range(len(frames.runs))), frames.outcomes)
    found = differences(apart, 0, outputs=["gini"])
    text = difference_text(apart, found, confidence=0.95, against="point 0")
    assert "Every run had luck of its own" in " ".join(text)
    assert "pairing" not in difference_lines(found)[1]


def test_a_change_that_is_the_same_in_all_pairs_is_exact() -> None:
    frames = fake_frames(fake_design("one"), 20)
    outcomes = frames.outcomes.assign(gini=frames.outcomes["replication_id"] / 7)
    found = differences(Frames(frames.runs, outcomes), 0, outputs=["gini"])
    assert all("exact" in line for line in difference_lines(found)[2:])


# ---------------------------------------------------------------- sensitivity


def test_indices_in_print() -> None:
    rows = [
        ("y", "shares", "S1", "custom", "", 0.25, 0.2, 0.3),
        ("y", "shares", "ST", "custom", "", 0.5, 0.4, 0.6),
        ("y", "shares", "S1", "rake", "", -0.0001, -0.01, 0.01),
        ("y", "shares", "S2", "custom", "rake", 0.1, 0.05, 0.15),
        ("y", "shares", "noise", "", "", 0.02, NAN, NAN),
        ("y", "shares", "luck_p", "", "", 1e-9, NAN, NAN),
        ("z", "shares", "noise", "", "", NAN, NAN, NAN),
    ]
    indices = pd.DataFrame(rows, columns=list(COLUMNS))
    text = index_text(indices, confidence=0.95, name="fake", titles={"y": "Why"})
    assert text[:9] == [
        "fake: what moves its outcomes",
        "95 % intervals in brackets",
        "",
        "y: Why",
        "  factor  S1                       ST",
        "  custom  0.250 (0.200 to 0.300)   0.500 (0.400 to 0.600)",
        "  rake    0.000 (-0.010 to 0.010)",
        "  S2 of custom with rake: 0.100 (0.050 to 0.150)",
        "  of all: noise 0.020, luck_p <0.001",
    ]
    assert "nothing to tell" in text[11]
    assert [line.split()[0] for line in text[13:]] == ["S1", "ST", "S2", "noise", "luck_p"]


def test_the_strongest_pairs_are_printed() -> None:
    rows = [("y", "sobol", "S1", "a", "", 0.5, 0.4, 0.6)]
    rows += [("y", "sobol", "S2", "a", f"b{k}", k / 100, 0.0, 1.0) for k in range(14)]
    text = index_text(pd.DataFrame(rows, columns=list(COLUMNS)), confidence=0.95)
    pairs = [line for line in text if line.startswith("  S2 of")]
    assert len(pairs) == 10
    assert pairs[0].startswith("  S2 of a with b13: 0.130")
    assert "  ... and 4 pairs more" in text


# ---------------------------------------------------------------- files


def test_files_have_every_digit(frames: Frames) -> None:
    summary = summarize(frames)
    again = pd.read_csv(StringIO(csv_of(summary)))
    pd.testing.assert_frame_equal(again, summary, check_dtype=False, rtol=1e-15)
    again = pd.read_parquet(BytesIO(parquet_of(summary)))
    pd.testing.assert_frame_equal(again, summary, check_dtype=False)
    document = json.loads(json_of(summary, {"name": "x"}))
    assert document["name"] == "x"
    assert document["rows"][0]["mean"] == summary["mean"].iloc[0]
    assert document["rows"][3]["mean"] is None


def test_json_has_no_infinities() -> None:
    frames = fake_frames(fake_design("one"), 5)
    outcomes = frames.outcomes.assign(gini=frames.outcomes["replication_id"] / 7)
    found = differences(Frames(frames.runs, outcomes), 0, outputs=["gini"])
    assert np.isinf(found["narrowed"]).all()
    assert json.loads(json_of(found, {}))["rows"][0]["narrowed"] is None
