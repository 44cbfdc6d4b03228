"""Outcomes as points by replications, and what moves them."""

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from tavern_abm.sweeps.estimating.cells import Cells, cells_of
from tavern_abm.sweeps.estimating.summaries import summarize
from tavern_abm.sweeps.estimating.varied import UNSET, Varied, titles_of, varied_of
from tavern_abm.sweeps.sensitivities.effects import by_level, by_point, filled, half_width, swings
from tavern_abm.sweeps.sensitivities.shares import is_full_grid
from tests.sweeps.fake_sweep import CHEATS, CUSTOM, RAKE, fake_design, fake_frames


def factor(label: str, *values: Any) -> Varied:
    is_number = all(isinstance(each, int | float) for each in values)
    levels = tuple(sorted(set(values)) if is_number else dict.fromkeys(values))
    return Varied(label, values, levels, is_number)


GRID = [factor("a", "x", "x", "y", "y"), factor("b", 1.0, 2.0, 1.0, 2.0)]


# ---------------------------------------------------------------- cells


def test_means_and_errors_are_those_of_the_runs() -> None:
    rng = np.random.default_rng(1)
    cells = Cells(rng.normal(size=(5, 12)))
    assert cells.means == pytest.approx(cells.values.mean(axis=1))
    assert cells.errors == pytest.approx(cells.values.std(axis=1, ddof=1) / math.sqrt(12))
    low, high = stats.t.interval(0.9, 11, cells.means, cells.errors)
    assert cells.half_widths(0.9) == pytest.approx((high - low) / 2)


def test_what_lacks_is_left_out() -> None:
    frame = pd.DataFrame(
        {"scenario_id": [0, 0, 2, 2], "replication_id": [0, 2, 0, 1], "y": [1.0, 3.0, 5.0, np.inf]}
    )
    cells = cells_of(frame, "y", 3)
    assert cells.n.tolist() == [2, 0, 1]
    assert cells.means.tolist()[::2] == [2.0, 5.0]
    assert np.isnan(cells.means[1])
    assert np.isnan(cells.errors[1:]).all()
    assert np.isnan(cells.luck_variance())


def test_shared_luck_does_not_count_between_points() -> None:
    rng = np.random.default_rng(2)
    shared, own = 10 * rng.normal(size=(1, 200)), rng.normal(size=(30, 200))
    assert Cells(shared + own).luck_variance() == pytest.approx(1 / 200, rel=0.1)
    assert Cells(shared + own, "own").luck_variance() > 50 / 200


def test_the_test_for_luck_is_the_usual_one() -> None:
    rng = np.random.default_rng(9)
    own = rng.normal(size=(5, 7)) + np.arange(5)[:, np.newaxis] / 3
    assert Cells(own, "own").luck_p() == pytest.approx(stats.f_oneway(*own).pvalue)
    pair = rng.normal(size=(2, 12)) + 4 * rng.normal(size=(1, 12))
    assert Cells(pair).luck_p() == pytest.approx(stats.ttest_rel(*pair).pvalue)


def test_an_empty_sweep_has_no_cells() -> None:
    cells = cells_of(pd.DataFrame({"scenario_id": [], "replication_id": [], "y": []}), "y", 3)
    assert cells.values.shape == (3, 0)
    assert np.isnan(cells.means).all()
    assert np.isnan(cells.luck_p())


# ---------------------------------------------------------------- means by level


def test_the_interval_of_a_level_is_that_of_means_over_replications() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(size=(4, 9)) + 4 * rng.normal(size=(1, 9))
    table = by_level(GRID[0], Cells(values), 0.95)
    mine = values[2:].mean(axis=0)
    half = stats.t.ppf(0.975, 8) * mine.std(ddof=1) / 3
    row = table.iloc[1]
    assert (row["level"], row["x"], row["n_points"]) == ("y", 1.0, 2)
    assert row["mean"] == pytest.approx(mine.mean())
    assert (row["high"] - row["low"]) / 2 == pytest.approx(half)


@pytest.mark.parametrize("luck", ["shared", "own"])
def test_intervals_of_levels_cover(luck: Any) -> None:
    rng = np.random.default_rng(4)
    inside = 0
    for _ in range(1000):
        shared = 3 * rng.normal(size=(1, 8)) if luck == "shared" else 0
        values = rng.normal(size=(4, 8)) + shared
        values[0, :3] = np.nan  # some runs failed
        row = by_level(GRID[1], Cells(values, luck)).iloc[0]
        inside += row["low"] <= 0 <= row["high"]
    # Eight replications and some that lack: the linearised interval is a little narrow.
    assert 0.92 < inside / 1000 < 0.97


def test_own_luck_of_a_contrast_is_welchs() -> None:
    rng = np.random.default_rng(5)
    values = rng.normal(size=(2, 10)) * np.array([[1.0], [3.0]])
    cells = Cells(values, "own")
    found = stats.ttest_ind(values[0], values[1], equal_var=False).confidence_interval(0.95)
    assert half_width(np.array([1.0, -1.0]), cells, 0.95) == pytest.approx(
        (found.high - found.low) / 2
    )


def test_one_replication_has_no_interval() -> None:
    table = by_level(GRID[1], Cells(np.array([[1.0], [2.0], [3.0], [4.0]])))
    assert table["mean"].tolist() == [2.0, 3.0]
    assert table[["low", "high"]].isna().all(axis=None)


def test_levels_of_a_sample_have_intervals_over_points() -> None:
    words = factor("w", "p", "q", "p", "q", "p")
    table = by_point(words, Cells(np.array([[1.0], [10.0], [3.0], [20.0], [5.0]])))
    assert table["level"].tolist() == ["p", "q"]
    assert table["mean"].tolist() == [3.0, 15.0]
    found = stats.t.interval(0.95, 2, 3.0, 2 / math.sqrt(3))
    assert table.loc[0, ["low", "high"]].tolist() == pytest.approx(list(found))


def test_many_numbers_are_put_in_groups() -> None:
    x = factor("x", *np.linspace(0, 1, 80).tolist())
    table = by_point(x, Cells(np.linspace(0, 2, 80)[:, np.newaxis]))
    assert table["n_points"].tolist() == [10] * 8
    assert table["mean"].to_numpy() == pytest.approx(2 * table["x"].to_numpy())


# ---------------------------------------------------------------- how far a factor moves it


def test_swings_of_a_grid_go_from_the_lowest_level_to_the_highest() -> None:
    design = fake_design("grid")
    cells = cells_of(fake_frames(design).outcomes, "gini", 64)
    table = swings(varied_of(design), cells)
    assert table["factor"].tolist()[0] == RAKE
    row = table.iloc[0]
    assert (row["low_level"], row["high_level"]) == ("0", "1000")
    # The law is 0.0002 a basis point; what the points share cancels in the difference.
    assert row["low"] < 0.2 < row["high"]
    assert row["high"] - row["low"] < 0.005
    assert table.iloc[1:]["swing"].max() < 0.002


def test_swings_of_a_sample_are_those_of_an_additive_fit() -> None:
    rng = np.random.default_rng(6)
    x, z = rng.random(300), rng.random(300)
    words = [("p", "q", "r")[i] for i in rng.integers(0, 3, 300)]
    step = {"p": 0.0, "q": 1.0, "r": 4.0}
    y = 2 * x - 5 * z + np.array([step[each] for each in words]) + 0.1 * rng.normal(size=300)
    factors = [factor("x", *x.tolist()), factor("z", *z.tolist()), factor("w", *words)]
    table = swings(factors, Cells(y[:, np.newaxis]), 0.999).set_index("factor")
    assert table.index.tolist() == ["z", "w", "x"]
    assert table.loc["w", ["low_level", "high_level"]].tolist() == ["p", "r"]
    assert table.loc["w", "low"] < 4 < table.loc["w", "high"]
    # Groups of an eighth of the points each: from the mean of the first to that of the last.
    for name, slope, values in (("x", 2, np.sort(x)), ("z", 5, np.sort(z))):
        reach = values[-37:].mean() - values[:38].mean()
        assert abs(table.loc[name, "swing"] - slope * reach) < 0.1
    about, _, lowest = str(table.loc["z", "low_level"]).partition(" ")
    assert about == "about"
    assert float(lowest) == pytest.approx(np.sort(z)[-37:].mean(), abs=0.01)


def test_swings_of_few_points_are_those_of_lines() -> None:
    rng = np.random.default_rng(7)
    x, z = rng.random(20), rng.random(20)
    y = 2 * x - 5 * z + 0.01 * rng.normal(size=20)
    factors = [factor("x", *x.tolist()), factor("z", *z.tolist())]
    table = swings(factors, Cells(y[:, np.newaxis]), 0.999).set_index("factor")
    assert table.loc["x", "low"] < 2 * np.ptp(x) < table.loc["x", "high"]
    assert table.loc["z", "low"] < 5 * np.ptp(z) < table.loc["z", "high"]
    assert float(table.loc["z", "low_level"]) > float(table.loc["z", "high_level"])


def test_what_rises_and_falls_swings() -> None:
    x, z = np.random.default_rng(8).random((2, 400))
    factors = [factor("x", *x.tolist()), factor("z", *z.tolist())]
    table = swings(factors, Cells((np.sin(np.pi * x) + 0 * z)[:, np.newaxis]))
    assert table["factor"].tolist() == ["x", "z"]
    assert 0.7 < table["swing"].iloc[0] < 0.9
    assert table["swing"].iloc[1] < 0.1


def test_swings_of_too_few_points_are_none() -> None:
    few = [factor("x", 1.0, 2.0), factor("z", 3.0, 3.5)]
    assert swings(few, Cells(np.array([[1.0], [2.0]]))).empty


# ---------------------------------------------------------------- points that lack


def test_a_point_that_lacks_gets_what_adds_up() -> None:
    """Of an additive outcome the filled value is the true one, and so are the means."""
    values = np.array([[1.0, 3.0], [2.0, 4.0], [11.0, 13.0], [12.0, 14.0]])
    factors = [factor("a", 0, 0, 1, 1, 2, 2), factor("b", 0, 1, 0, 1, 0, 1)]
    whole = np.vstack([values, values[:2] + 20])
    lacking = whole.copy()
    lacking[5] = np.nan
    cells, n = filled(factors, Cells(lacking))
    assert n == 1
    assert cells.values == pytest.approx(whole)


def test_what_lacks_too_much_is_left_alone() -> None:
    cells = Cells(np.array([[1.0], [np.nan], [3.0], [4.0]]))
    assert filled(GRID, cells)[1] == 0  # one of four
    assert filled(GRID, Cells(np.ones((4, 1))))[1] == 0


# ---------------------------------------------------------------- factors


def test_factors_of_a_design() -> None:
    custom, cheats = varied_of(fake_design("pair"))
    assert (custom.label, custom.levels) == (CUSTOM, ("lax", "decent", "guild", "orc"))
    assert not custom.is_number
    assert (cheats.label, cheats.title) == (CHEATS, "share of cheats")
    assert is_full_grid([custom, cheats])
    assert not is_full_grid([custom])


def test_a_table_has_a_factor_a_path_and_words_for_what_is_not_set() -> None:
    from tavern_abm.sweeps.designs.points import Listed

    points = Listed({"patrons": [40, None, 80], "minds.roaming": [True, False, True]})
    design = fake_design("alone", points=points, method="table")
    patrons, roaming = varied_of(design)
    assert roaming.levels == ("yes", "no")
    assert len(patrons.levels) == 3
    assert UNSET in patrons.levels


def test_numbers_and_words_may_be_levels_of_one_factor() -> None:
    """Tables have such a column as JSON text; the levels are what the design says."""
    from tavern_abm.sweeps.design import Factor
    from tavern_abm.sweeps.designs.points import Grid

    path = "taverns.0.capacity"
    factor = Factor((path,), path, (("auto",), (3,), (20,)))
    rake = Factor((RAKE, "taverns.1.rake_bp"), "rake", ((0, 0), (100, 500)))
    design = fake_design("alone", factors=(factor, rake), points=Grid((factor, rake)))
    capacity, together = varied_of(design)
    assert capacity.levels == ("auto", 3, 20)
    assert capacity.codes.tolist() == [0, 0, 1, 1, 2, 2]
    assert not capacity.is_number
    assert together.levels == (0, "100 / 500")
    assert [together.name_of(each) for each in together.levels] == ["0", "100 / 500"]


def test_what_does_not_vary_is_no_factor() -> None:
    from tavern_abm.sweeps.designs.points import Listed

    points = Listed({"patrons": [40, 40], "minds.tau": [0.1, 0.2]})
    design = fake_design("alone", points=points, method="table")
    assert [each.label for each in varied_of(design)] == ["minds.tau"]
    assert [each.label for each in varied_of(design, with_constant=True)] == list(points.paths)


def test_titles_are_not_mixed_up() -> None:
    factors = [factor("taverns.0.mug_cp", 1, 2), factor("taverns.1.mug_cp", 1, 2)]
    assert titles_of(factors) == ["taverns.0.mug_cp", "taverns.1.mug_cp"]


def test_names_of_levels() -> None:
    few = factor("x", 0.05, 1 / 3, 1000.0)
    assert [few.name_of(each) for each in few.levels] == ["0.05", "0.3333", "1000"]


def test_means_by_level_are_those_of_the_summary() -> None:
    """Two ways to the same intervals, with runs and a whole point that lack."""
    design = fake_design("pair")
    frames = fake_frames(design, 9)
    is_gone = frames.outcomes["run_id"].isin([3, 5_000_001, 5_000_002, 9_000_008])
    frames.outcomes.loc[is_gone, "cheating_rate"] = np.nan
    cells = cells_of(frames.outcomes, "cheating_rate", 16)
    custom, _ = varied_of(design)
    mine = by_level(custom, cells).set_index("level")
    theirs = summarize(frames, outputs=["cheating_rate"], by=[CUSTOM]).set_index(CUSTOM)
    theirs = theirs.loc[mine.index]
    assert mine["mean"].to_numpy() == pytest.approx(theirs["mean"].to_numpy())
    assert mine["low"].to_numpy() == pytest.approx(theirs["t_low"].to_numpy(), rel=1e-3)
