"""Indices of sensitivity: of functions with known ones, and of designs of every kind."""

import dataclasses
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tavern_abm.sweeps.api import sweep
from tavern_abm.sweeps.design import Design
from tavern_abm.sweeps.designs.making import design_of
from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.estimating.cells import Cells, cells_of
from tavern_abm.sweeps.estimating.varied import varied_of
from tavern_abm.sweeps.sensitivities.sensitivity import COLUMNS, MEANINGS, indices, method_of
from tavern_abm.sweeps.sensitivities.shares import shares
from tavern_abm.sweeps.stores.frames import Frames
from tests.sweeps.fake_sweep import CHEATS, CUSTOM, RAKE, fake_design, fake_frames

A, B = 7.0, 0.1
X = ("x1", "x2", "x3")


def ishigami(settings: dict[str, Any], seed: int) -> dict[str, float]:
    """Ishigami and Homma (1990): bends, and a factor that acts only through another."""
    x1, x2, x3 = (settings[name] for name in X)
    return {"y": math.sin(x1) + A * math.sin(x2) ** 2 + B * x3**4 * math.sin(x1)}


def straight(settings: dict[str, Any], seed: int) -> dict[str, float]:
    """A plane: its elementary effects are the same everywhere."""
    return {"y": 5 * settings["x1"] - 3 * settings["x2"] + 0.5 * settings["x3"]}


def known_indices() -> dict[tuple[str, str], float]:
    """Of the Ishigami function, in closed form."""
    v1 = 0.5 * (1 + B * math.pi**4 / 5) ** 2
    v2 = A**2 / 8
    v13 = B**2 * math.pi**8 * 8 / 225
    whole = v1 + v2 + v13
    return {
        ("S1", "x1"): v1 / whole,
        ("S1", "x2"): v2 / whole,
        ("S1", "x3"): 0.0,
        ("ST", "x1"): (v1 + v13) / whole,
        ("ST", "x2"): v2 / whole,
        ("ST", "x3"): v13 / whole,
        ("S2", "x1 x2"): 0.0,
        ("S2", "x1 x3"): v13 / whole,
        ("S2", "x2 x3"): 0.0,
    }


def played(design: Design) -> Frames:
    """The tables of a design whose configuration is a function, one replication a point."""
    runs = list(design.runs(1))
    outcomes = pd.DataFrame(
        {
            "scenario_id": [run.scenario_id for run in runs],
            "replication_id": [run.replication_id for run in runs],
            "y": [design.configuration(run).outcomes["y"] for run in runs],
        }
    )
    return Frames(outcomes[["scenario_id"]].assign(status="done"), outcomes)


def sampled(function: Any, sampling: dict[str, Any], reach: float = math.pi) -> Design:
    factors = {name: {"between": [-reach, reach]} for name in X}
    return design_of(function, factors=factors, outputs=["y"], sampling=sampling)


def values(table: pd.DataFrame, kind: str, output: str = "") -> dict[str, float]:
    chosen = table[table["kind"] == kind]
    if output:
        chosen = chosen[chosen["output"] == output]
    return dict(zip(chosen["factor"], chosen["value"], strict=True))


# ---------------------------------------------------------------- known functions


def test_sobol_indices_of_ishigami_are_the_known_ones() -> None:
    """Through the runner and a store, as any sweep is played."""
    pytest.importorskip("SALib")
    design = sampled(ishigami, {"method": "saltelli", "points": 1024})
    table = sweep(design, progress=False).sensitivity()
    assert set(table["method"]) == {"sobol"}
    known = known_indices()
    found = table[table["kind"].isin(["S1", "ST", "S2"])]
    assert len(found) == len(known)
    for row in found.to_dict("records"):
        name = f"{row['factor']} {row['other']}".strip()
        exact = known[row["kind"], name]
        # Nine intervals at 95 %: one that just misses is to be expected, twice its width is not.
        half = (row["high"] - row["low"]) / 2
        assert abs(row["value"] - exact) < 2 * half + 1e-9, (row, exact)
        assert half < 0.13
    inside = [
        low <= known[kind, f"{factor} {other}".strip()] <= high
        for kind, factor, other, low, high in found[
            ["kind", "factor", "other", "low", "high"]
        ].itertuples(index=False)
    ]
    assert sum(inside) >= 8


def test_more_samples_come_nearer() -> None:
    pytest.importorskip("SALib")
    design = sampled(ishigami, {"method": "saltelli", "points": 4096, "second_order": False})
    table = indices(design, played(design))
    assert "S2" not in set(table["kind"])
    for (kind, name), exact in known_indices().items():
        if kind != "S2":
            assert values(table, kind)[name] == pytest.approx(exact, abs=0.03)


def exact_effects(levels: int) -> dict[str, float]:
    """Mean sizes of all elementary effects of the Ishigami function on a grid of so many levels."""
    unit = np.arange(levels) / (levels - 1)
    step = levels / (2 * (levels - 1))
    start = unit[unit + step <= 1 + 1e-12]
    found = {}
    for place, name in enumerate(X):
        ends = []
        for moved in (start, start + step):
            axes = [unit] * 3
            axes[place] = moved
            x1, x2, x3 = np.meshgrid(*((2 * each - 1) * math.pi for each in axes), indexing="ij")
            ends.append(np.sin(x1) + A * np.sin(x2) ** 2 + B * x3**4 * np.sin(x1))
        found[name] = float(np.abs(ends[1] - ends[0]).mean() / step)
    return found


@pytest.mark.parametrize(
    ("levels", "order"), [(4, ["x2", "x1", "x3"]), (8, ["x1", "x3", "x2"])], ids=["4", "8"]
)
def test_morris_ranks_the_factors_of_ishigami(levels: int, order: list[str]) -> None:
    """Rightly for its grid: of four levels x2 jumps between its best and its worst."""
    pytest.importorskip("SALib")
    sampling = {"method": "morris", "trajectories": 400, "levels": levels}
    design = sampled(ishigami, sampling)
    table = sweep(design, progress=False).sensitivity()
    assert set(table["method"]) == {"morris"}
    star, exact = values(table, "mu_star"), exact_effects(levels)
    assert sorted(exact, key=lambda name: -exact[name]) == order
    assert sorted(star, key=lambda name: -star[name]) == order
    assert abs(values(table, "mu")["x2"]) < 0.2 * star["x2"]  # it bends: up and down cancel
    for row in table[table["kind"] == "mu_star"].to_dict("records"):
        half = (row["high"] - row["low"]) / 2
        assert abs(row["value"] - exact[row["factor"]]) < 2 * half + 1e-9
        assert half < 1


def test_morris_knows_a_plane_exactly() -> None:
    pytest.importorskip("SALib")
    design = sampled(straight, {"method": "morris", "trajectories": 10}, reach=1.0)
    table = indices(design, played(design))
    # The range of each factor is 2.
    assert values(table, "mu_star") == pytest.approx({"x1": 10, "x2": 6, "x3": 1})
    assert values(table, "mu") == pytest.approx({"x1": 10, "x2": -6, "x3": 1})
    assert values(table, "sigma") == pytest.approx({"x1": 0, "x2": 0, "x3": 0}, abs=1e-9)


def test_a_grid_gives_the_indices_of_its_own_function() -> None:
    """On a fine grid of the middles of cells they come near those of the continuous one."""
    middles = [(-1 + (2 * i + 1) / 16) * math.pi for i in range(16)]
    assert off_by(middles) < 0.01


def test_a_grid_from_end_to_end_is_further_off() -> None:
    """Its ends count as whole levels, though only half a cell lies inside of the range."""
    assert off_by(np.linspace(-math.pi, math.pi, 16).tolist()) == pytest.approx(0.066, abs=5e-4)


def off_by(levels: list[float]) -> float:
    """The largest error of an index, each factor having these levels."""
    design = design_of(ishigami, factors=dict.fromkeys(X, levels), outputs=["y"])
    table = indices(design, played(design))
    assert set(table["method"]) == {"shares"}
    off = []
    for (kind, name), exact in known_indices().items():
        first, *other = name.split()
        row = table[(table["kind"] == kind) & (table["factor"] == first)]
        row = row[row["other"] == (other[0] if other else "")]
        off.append(abs(float(row["value"].iloc[0]) - exact))
        assert np.isnan(row["low"].iloc[0])  # one replication: nothing is known of luck
    return max(off)


def test_straight_lines_of_a_sample() -> None:
    design = sampled(straight, {"method": "latin-hypercube", "points": 400}, reach=1.0)
    table = indices(design, played(design))
    length = math.sqrt(5**2 + 3**2 + 0.5**2)
    expected = {"x1": 5 / length, "x2": -3 / length, "x3": 0.5 / length}
    assert values(table, "src") == pytest.approx(expected, abs=0.06)  # x are not quite orthogonal
    assert values(table, "prcc")["x2"] < -0.9
    assert values(table, "r2") == pytest.approx({"": 1.0})


# ---------------------------------------------------------------- luck


def test_a_factor_that_does_nothing_has_no_share_on_average() -> None:
    """What luck adds to the variances is taken off: the mean over many sweeps is 0."""
    design = fake_design("pair")
    factors = varied_of(design)
    rng = np.random.default_rng(3)
    effect = np.repeat([0.0, 1.0, 2.0, 3.0], 4)[:, np.newaxis]
    found = []
    for _ in range(300):
        shared, own = rng.normal(size=(1, 5)), rng.normal(size=(16, 5))
        cells = Cells(effect + 3 * shared + own)
        found.append([shares(factors, cells)["S1", (1,)], shares(factors, cells)["ST", (1,)]])
    means, errors = np.mean(found, axis=0), np.std(found, axis=0) / math.sqrt(len(found))
    assert (np.abs(means) < 4 * errors).all()
    # Without the correction it would be (levels - 1) luck / V: far off.
    assert (errors < 0.004).all()


@pytest.mark.parametrize("luck", ["shared", "own"])
def test_luck_alone_is_found_out(luck: Any) -> None:
    """The F test has the size it says, whatever all points share."""
    rng = np.random.default_rng(8)
    below = 0
    for _ in range(1000):
        shared = 5 * rng.normal(size=(1, 6)) if luck == "shared" else 0
        below += Cells(shared + rng.normal(size=(12, 6)), luck).luck_p() < 0.05
    assert abs(below / 1000 - 0.05) < 4 * math.sqrt(0.05 * 0.95 / 1000)


def test_what_is_luck_has_no_shares() -> None:
    design = fake_design("pair")  # no rake in it, so the Gini moves by luck only
    table = indices(design, fake_frames(design), ["gini"])
    assert set(table["kind"]) == {"noise", "luck_p"}
    assert values(table, "luck_p")[""] > 0.05


def test_what_is_luck_does_not_hang_on_the_intervals() -> None:
    """The bound of the F test stays 0.05, however sure the intervals are to be."""
    design = fake_design("pair")
    noise = np.random.default_rng(3).normal(size=(16, 5))
    for reach, has_shares in ((0.8, True), (0.75, False)):
        effect = reach * np.repeat([-1.0, -0.5, 0.5, 1.0], 4)[:, np.newaxis]
        for confidence in (0.8, 0.95, 0.999):
            table = indices(design, _frames(effect + noise), ["y"], confidence=confidence)
            p = values(table, "luck_p")[""]
            assert 0.02 < p < 0.05 if has_shares else 0.05 < p < 0.15
            assert bool(values(table, "S1")) == has_shares


def test_what_luck_does_to_indices_of_a_saltelli_sample() -> None:
    """It shrinks S1 and S2, and fills ST up: by the share of the variance that it makes."""
    pytest.importorskip("SALib")
    design = sampled(ishigami, {"method": "saltelli", "points": 256})
    design = dataclasses.replace(design, luck="own")
    y = played(design).outcomes["y"].to_numpy()[:, np.newaxis]
    rng = np.random.default_rng(7)
    found = []
    for _ in range(25):
        table = indices(design, _frames(y + 5 * rng.normal(size=(len(y), 2))), ["y"])
        found.append(table.set_index(["kind", "factor", "other"])["value"])
    means, errors = np.mean(found, axis=0), np.std(found, axis=0) / math.sqrt(len(found))
    mean = dict(zip(found[0].index, zip(means, errors, strict=True), strict=True))
    noise = mean["noise", "", ""][0]
    assert 0.4 < noise < 0.6
    without = indices(design, _frames(y), ["y"]).set_index(["kind", "factor", "other"])["value"]
    for (kind, *names), alone in without[without.notna()].items():
        if kind in ("S1", "S2", "ST"):
            value, error = mean[kind, *names]
            expected = alone * (1 - noise) + (noise if kind == "ST" else 0)
            assert abs(value - expected) < 4 * error + 0.01, (kind, names)


def test_what_luck_does_to_mean_effects_of_morris() -> None:
    """A factor without effect has a mu* of 2 s / (d sqrt(pi)), a sigma of sqrt(2) s / d."""
    pytest.importorskip("SALib")
    design = sampled(straight, {"method": "morris", "trajectories": 200}, reach=1.0)
    design = dataclasses.replace(design, luck="own")
    rng = np.random.default_rng(7)
    moved = 5 * design.points.frame()["x1"].to_numpy()[:, np.newaxis]
    found = []
    for _ in range(20):
        table = indices(design, _frames(moved + 3 * rng.normal(size=(len(moved), 2))), ["y"])
        found.append([values(table, kind)["x2"] for kind in ("mu_star", "sigma", "mu")])
    means, errors = np.mean(found, axis=0), np.std(found, axis=0) / math.sqrt(len(found))
    s, d = 3 / math.sqrt(2), 2 / 3
    expected = [2 * s / (d * math.sqrt(math.pi)), math.sqrt(2) * s / d, 0]
    assert (np.abs(means - expected) < 4 * errors).all()


def test_intervals_of_a_grid_cover() -> None:
    """Jackknife intervals of S1 hold the truth about as often as they say."""
    design = fake_design("pair")
    effect = np.repeat([0.0, 1.0, 2.0, 3.0], 4) + np.tile([0.0, 0.0, 0.0, 2.0], 4)
    truth = 1.25 / (1.25 + 0.75)
    rng = np.random.default_rng(5)
    inside = 0
    for _ in range(150):
        runs = effect[:, np.newaxis] + rng.normal(size=(16, 10)) + 2 * rng.normal(size=(1, 10))
        frames = _frames(runs)
        row = indices(design, frames, ["y"]).iloc[0]
        assert (row["kind"], row["factor"]) == ("S1", CUSTOM)
        inside += row["low"] <= truth <= row["high"]
    assert abs(inside / 150 - 0.95) < 4 * math.sqrt(0.95 * 0.05 / 150)


def _frames(values: Any) -> Frames:
    ids = np.indices(values.shape).reshape(2, -1)
    keys = {"scenario_id": ids[0], "replication_id": ids[1]}
    runs = pd.DataFrame(keys).assign(status="done")
    return Frames(runs, pd.DataFrame(keys | {"y": values.ravel()}))


# ---------------------------------------------------------------- every kind of design


def test_a_grid_finds_what_was_put_in() -> None:
    design = fake_design("grid")
    table = indices(design, fake_frames(design))
    assert list(table.columns) == list(COLUMNS)
    assert set(table["kind"]) <= set(MEANINGS)
    gini = values(table, "ST", "gini")
    assert gini[RAKE] == pytest.approx(1, abs=0.01)
    assert abs(gini[CHEATS]) < 0.001
    beatings = values(table, "S1", "unjust_beatings")
    assert beatings[CUSTOM] > beatings[CHEATS] > 0.1 > beatings[RAKE]


def test_a_saltelli_sample_and_a_latin_hypercube_agree() -> None:
    pytest.importorskip("SALib")
    for kind, index in (("saltelli", "ST"), ("latin-hypercube", "src")):
        design = fake_design(kind)
        table = indices(design, fake_frames(design))
        gini = values(table, index, "gini")
        assert max(gini, key=lambda each: gini[each]) == RAKE
        assert gini[RAKE] == pytest.approx(1, abs=0.02)


def test_an_output_that_lacks_points_takes_nothing_from_the_others() -> None:
    """And it says of how many points, and why."""
    pytest.importorskip("SALib")
    design = fake_design("morris")
    frames = fake_frames(design, 3)
    at = frames.outcomes["scenario_id"]
    frames.outcomes.loc[at.isin([7, 30, 31]), "gini"] = np.nan
    table = indices(design, frames)
    assert values(table, "mu_star", "cheating_rate")
    gini = table[table["output"] == "gini"]
    assert gini.loc[gini["factor"] == "", ["kind", "value"]].to_numpy().tolist()[-1] == [
        "undefined",
        3.0,
    ]
    assert set(gini["kind"]) == {"noise", "luck_p", "undefined"}


def test_points_that_failed_and_points_that_are_not_played_are_told_apart() -> None:
    design = fake_design("latin-hypercube", n_points=20)
    frames = fake_frames(design, 2, failed=[3, 4])
    runs = frames.runs[frames.runs["scenario_id"] != 9]
    outcomes = frames.outcomes[frames.outcomes["scenario_id"] != 9]
    outcomes.loc[outcomes["scenario_id"] == 11, "gini"] = np.inf
    table = indices(design, dataclasses.replace(frames, runs=runs, outcomes=outcomes), ["gini"])
    lacks = table[table["kind"].isin(["not_played", "failed", "undefined"])]
    assert dict(zip(lacks["kind"], lacks["value"], strict=True)) == {
        "not_played": 1,
        "failed": 2,
        "undefined": 1,
    }
    assert values(table, "src", "gini")[RAKE] > 0.9  # regression makes do with the others


def test_words_are_held_fixed_where_numbers_are_asked_for() -> None:
    """A custom that moves the outcome hides no number, and lends none its effect."""
    design = design_of(
        ishigami,
        factors={"x1": {"between": [0, 1]}, "x2": {"between": [0, 1]}, "x3": ["lax", "orc"]},
        outputs=["y"],
        sampling={"method": "latin-hypercube", "points": 60},
    )
    x1, x2, x3 = (np.array(design.points.frame()[name]) for name in X)
    is_orc = x3 == "orc"
    x2 = np.where(is_orc, x2, 0.3 * x2)  # more often high where the custom is
    rng = np.random.default_rng(2)
    y = 1 * x1 - 0.5 * x2 + 10 * is_orc + 0.01 * rng.normal(size=60)
    from tavern_abm.sweeps.designs.points import Listed

    points = Listed({"x1": x1.tolist(), "x2": x2.tolist(), "x3": x3.tolist()})
    changed = dataclasses.replace(design, points=points)
    table = indices(changed, _frames(y[:, np.newaxis]))
    assert values(table, "r2")[""] > 0.999
    assert values(table, "src")["x1"] / values(table, "src")["x2"] == pytest.approx(
        -np.std(x1) / (0.5 * np.std(x2)), rel=0.05
    )
    assert values(table, "prcc")["x1"] > 0.9
    assert values(table, "prcc")["x2"] < -0.7
    assert set(values(table, "src")) == {"x1", "x2"}
    assert set(values(table, "eta2")) == {"x3"}


def test_a_logarithmic_factor_is_looked_at_on_its_own_scale() -> None:
    factors = {"x1": {"between": [0.001, 1], "log": True}, "x2": {"between": [0, 1]}}
    sampling = {"method": "latin-hypercube", "points": 50}
    design = design_of(straight, factors=factors, outputs=["y"], sampling=sampling)
    x1 = np.array(design.points.frame()["x1"])
    table = indices(design, _frames(np.log(x1)[:, np.newaxis]))
    assert values(table, "src")["x1"] == pytest.approx(1)
    assert values(table, "r2")[""] == pytest.approx(1)


# ---------------------------------------------------------------- nothing at all


@pytest.mark.parametrize("kind", ["grid", "morris", "saltelli"])
def test_a_factor_that_does_nothing_is_found(kind: str) -> None:
    """Run by run the same, which luck alone never is."""
    if kind != "grid":
        pytest.importorskip("SALib")
    design = fake_design(kind)
    points = design.points.frame()
    luck = np.random.default_rng(1).normal(size=3)
    moved = points[CHEATS].to_numpy(float)[:, np.newaxis] * (1 + luck)
    table = indices(design, _frames(moved), ["y"])
    other = CUSTOM if kind == "grid" else "minds.tau"
    assert set(values(table, "idle")) == {RAKE, other}
    moved[5, 1] += 1e-12
    assert not {RAKE, other} & set(values(indices(design, _frames(moved), ["y"]), "idle"))


def test_what_no_two_points_tell_is_not_said() -> None:
    design = fake_design("latin-hypercube", n_points=30)
    moved = design.points.frame()[CHEATS].to_numpy()[:, np.newaxis]
    assert not values(indices(design, _frames(moved), ["y"]), "idle")


def test_in_print_it_is_said_what_is_luck_and_what_does_nothing() -> None:
    from tavern_abm.sweeps.sensitivities.index_lines import index_text

    def printed(*rows: tuple[Any, ...], confidence: float = 0.95) -> str:
        whole = [("y", "regression", *row, np.nan, np.nan) for row in rows]
        table = pd.DataFrame(whole, columns=list(COLUMNS))
        return "\n".join(index_text(table, confidence=confidence))

    text = printed(("eta2", "custom", "", 0.4), ("luck_p", "", "", 0.645))
    assert text.index("no more than luck") < text.index("0.400")
    assert "no more than luck" not in printed(("eta2", "a", "", 0.4), ("luck_p", "", "", 0.01))
    alone = printed(("noise", "", "", 1.0), ("luck_p", "", "", 0.81))
    assert "no more than luck" in alone
    assert "nothing to tell" not in alone
    for confidence in (0.8, 0.999):
        assert "no more" in printed(("luck_p", "", "", 0.06), confidence=confidence)
        assert "no more" not in printed(("luck_p", "", "", 0.04), confidence=confidence)
    for p in (0.0, 1e-30, 0.0004):
        assert "luck_p <0.001" in printed(("noise", "", "", 0.0), ("luck_p", "", "", p))
    assert "noise 0.000, luck_p 0.001" in printed(
        ("noise", "", "", 0.0), ("luck_p", "", "", 0.0006)
    )
    text = printed(("eta2", "custom", "", 0.4), ("luck_p", "", "", np.nan))
    assert "how much of it is luck is not known" in text
    text = printed(("idle", "talk.tell_prob", "", 1.0), ("luck_p", "", "", 0.01))
    assert "  talk.tell_prob does nothing: every run is the same at all its levels" in text
    text = printed(("luck_p", "", "", np.nan), ("undefined", "", "", 12.0), ("failed", "", "", 2.0))
    assert "left out: failed at 2, undefined at 12 points" in text
    assert "of all: undefined 12, failed 2" in text
    assert "--retry-failed" in text


def test_a_grid_that_lacks_points_is_told_by_regression() -> None:
    design = fake_design("pair")
    table = indices(design, fake_frames(design, failed=[3]), ["unjust_beatings"])
    assert set(table["method"]) == {"regression"}
    assert values(table, "eta2")[CUSTOM] > 0.5
    assert values(table, "src")[CHEATS] > 0.3


def test_nothing_varies() -> None:
    design = fake_design("alone")
    assert indices(design, fake_frames(design)).empty
    one = fake_design("one")
    frames = fake_frames(one)
    frames.outcomes["gini"] = 0.5
    assert indices(one, frames, ["gini"]).empty


def test_values_that_are_not_defined_are_left_out() -> None:
    frames = fake_frames(fake_design("one"))
    cells = cells_of(frames.outcomes, "conviction_ppv", 4)
    assert cells.n.tolist() == [18, 18, 18, 18]
    column = frames.outcomes.groupby("scenario_id")["conviction_ppv"].mean()
    assert cells.means == pytest.approx(column.to_numpy())


def test_methods_by_design() -> None:
    assert method_of(fake_design("grid")) == "shares"
    assert method_of(fake_design("latin-hypercube")) == "regression"
    assert method_of(dataclasses.replace(fake_design("grid"), method="points")) == "shares"


def test_the_same_frames_give_the_same_numbers() -> None:
    design = fake_design("latin-hypercube", n_points=40)
    frames = fake_frames(design, 3)
    pd.testing.assert_frame_equal(indices(design, frames), indices(design, frames))


def test_salib_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib

    def without(name: str) -> Any:
        raise ModuleNotFoundError(name)

    design = fake_design("latin-hypercube", method="morris", problem={"names": ["a"]})
    frames = fake_frames(design, 2)
    monkeypatch.setattr(importlib, "import_module", without)
    with pytest.raises(SweepError, match=r"pip install 'tavern-abm\[sensitivity\]'"):
        indices(design, frames)
