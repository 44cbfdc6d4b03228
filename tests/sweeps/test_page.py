"""The page of a sweep: one file, no network, every number true to the tables."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tavern_abm.report.panel import Panel
from tavern_abm.sweep_pages.nightly import nightly_means
from tavern_abm.sweep_pages.page import render, write_page
from tavern_abm.sweep_pages.page_data import SweepData
from tavern_abm.sweep_pages.page_panels import panels
from tavern_abm.sweep_pages.page_runs import failures
from tavern_abm.sweep_pages.page_words import bibtex, facts, headlines, how_run, method
from tavern_abm.sweeps.design import Auto, Factor
from tavern_abm.sweeps.designs.points import Grid
from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.sensitivities.effects import by_point
from tests.sweeps.fake_sweep import (
    CHEATS,
    CUSTOM,
    OUTPUTS,
    RAKE,
    fake_design,
    fake_frames,
    write_fake_store,
)
from tests.test_report import Page

ALL = ["overview", "effects", "tornado", "maps", "indices", "points", "nights", "convergence"]


def fake_data(
    kind: str = "grid", replications: int = 20, failed: Any = (), **more: Any
) -> SweepData:
    design = fake_design(kind, **more)
    return SweepData(design, fake_frames(design, replications, failed))


def panel(data: SweepData, name: str) -> Panel:
    return next(each for each in panels(data) if each.id == name)


def names(data: SweepData) -> list[str]:
    return [each.id for each in panels(data)]


@pytest.fixture(scope="module")
def grid() -> SweepData:
    return fake_data()


@pytest.fixture(scope="module")
def page(grid: SweepData) -> Page:
    return Page(render(grid))


# ---------------------------------------------------------------- the file


def test_nothing_comes_from_elsewhere(page: Page) -> None:
    for tag, attrs in page.tags:
        assert tag not in ("link", "iframe", "base", "object")
        assert "src" not in attrs
        assert not (attrs.get("href") or "#").startswith(("http", "//"))
    policy = next(a for _, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert str(policy["content"]).startswith("default-src 'none';")


def test_every_part_has_a_figure_and_numbers(page: Page) -> None:
    assert [a["id"] for t, a in page.tags if t == "figure"] == ALL
    assert list(page.data("figures")) == ALL
    assert len(page.ids()) == len(set(page.ids()))
    linked = [str(a["href"])[1:] for t, a in page.tags if t == "a"]
    assert set(linked) <= set(page.ids())
    assert [t for t, _ in page.tags].count("table") == len(ALL) + 2  # factors and outcomes


def test_every_figure_has_a_view_for_each_outcome(page: Page) -> None:
    figures = page.data("figures")
    for name in (each for each in ALL[1:] if each != "nights"):
        views = figures[name]["layout"]["meta"]["views"]
        assert [each["title"] for each in views] == [
            "Cheating rate",
            "Unjust beatings",
            "Gini of purses",
            "Convictions that are right",
        ], name
        seen = {trace["meta"]["view"] for trace in figures[name]["data"]}
        assert seen == {0, 1, 2, 3}, name


def test_the_same_store_gives_the_same_page(tmp_path: Path) -> None:
    design = fake_design("pair")
    store = write_fake_store(tmp_path / "store", design, fake_frames(design, 3))
    pages = [write_page(store, tmp_path / name) for name in ("one.html", "two.html")]
    assert pages[0].read_bytes() == pages[1].read_bytes()
    text = pages[0].read_text()
    assert "rusty-flagon" in text
    assert f"tavern rerun {store} --run 0" in text
    # Begun with 20 replications in the design, of which three were played.
    assert "This sweep is not finished: 272 runs of 320 are missing." in text
    assert f"tavern sweep {store} --resume<" in text


def test_a_folder_that_is_no_sweep(tmp_path: Path) -> None:
    with pytest.raises(SweepError, match="not a sweep"):
        write_page(tmp_path, tmp_path / "page.html")


def test_what_a_user_wrote_stays_text() -> None:
    bad = "</script><b>&"
    factor = Factor((CHEATS,), bad, ((0.1,), (0.2,)))
    other = Factor((CUSTOM,), "<i>", (("lax",), ("orc",)))
    design = fake_design(
        "pair", name=bad, about=bad, factors=(factor, other), points=Grid((factor, other))
    )
    text = render(SweepData(design, fake_frames(design, 5)))
    found = Page(text)
    assert sum(tag == "script" for tag, _ in found.tags) == 3
    assert not any(tag in ("b", "i") for tag, _ in found.tags)
    assert bad in found.text


# ---------------------------------------------------------------- true to the tables


def test_means_by_level_are_those_of_the_runs(grid: SweepData) -> None:
    joined = grid.frames.joined()
    rows = panel(grid, "effects").rows
    found = {(row[0], row[1], row[2]): row[3] for row in rows}
    mean = joined.loc[joined[CUSTOM] == "orc", "unjust_beatings"].mean()
    assert found["Unjust beatings", "custom", "orc"].startswith(f"{mean:.2f} (")
    mean = joined.loc[joined[RAKE] == 500, "gini"].mean()
    assert found["Gini of purses", "rake bp", "500"].startswith(f"{mean:.4f} (")


def test_maps_are_means_over_what_else_varies(grid: SweepData) -> None:
    joined = grid.frames.joined()
    figure = panel(grid, "maps").figure
    assert figure is not None
    first = next(trace for trace in figure.data if trace.meta["view"] == 1)
    table = joined.pivot_table("unjust_beatings", CUSTOM, CHEATS)
    order = ["lax", "decent", "guild", "orc"]
    assert np.array(first.z, float) == pytest.approx(table.loc[order].to_numpy())


def test_the_tornado_puts_the_strongest_factor_on_top(grid: SweepData) -> None:
    figure = panel(grid, "tornado").figure
    assert figure is not None
    order = [view["layout"]["yaxis.ticktext"][0] for view in figure.layout.meta["views"]]
    assert order[:3] == ["share of cheats", "custom", "rake bp"]


def test_the_table_at_a_glance(grid: SweepData) -> None:
    found = panel(grid, "overview")
    assert found.columns == ["Outcome", "custom", "share of cheats", "rake bp"]
    rows = {row[0]: row[1:] for row in found.rows}
    assert float(rows["Gini of purses"][2]) == pytest.approx(1, abs=0.01)
    assert rows["Convictions that are right"] == ["–", "–", "–"]  # nothing but luck
    assert found.finding == (
        "What matters most for unjust beatings: custom; for cheating rate: share of cheats; "
        "for Gini of purses: rake bp."
    )


def test_of_luck_a_sample_makes_nothing_either() -> None:
    data = fake_data("latin-hypercube", 5, n_points=60)
    rows = {row[0]: row[1:] for row in panel(data, "overview").rows}
    assert rows["Convictions that are right"] == ["–", "–", "–"]
    assert float(rows["Gini of purses"][1]) > 0.9


def test_headlines(grid: SweepData) -> None:
    cards = {each["name"]: each for each in headlines(grid)}
    assert cards["Unjust beatings"]["meaning"].startswith("Moved most by custom: ")
    assert "luck alone" in cards["Convictions that are right"]["meaning"]
    low, _, high = cards["Gini of purses"]["value"].partition(" to ")
    assert float(low) == pytest.approx(0.35, abs=0.01)
    assert float(high) == pytest.approx(0.55, abs=0.01)


def test_nights_are_means_over_points_and_runs(grid: SweepData) -> None:
    series = grid.frames.series.copy()
    series["staked_cp"] *= 1 + series["scenario_id"] % 16 // 4  # the share of cheats
    data = SweepData(grid.design, dataclasses.replace(grid.frames, series=series))
    figure = panel(data, "nights").figure
    assert figure is not None
    assert [trace.name for trace in figure.data] == [
        f"share of cheats {level}" for level in (0.05, 0.1, 0.2, 0.3)
    ]
    last = [trace.y[-1] / figure.data[0].y[-1] for trace in figure.data]
    assert last == pytest.approx([1, 2, 3, 4])
    halves = (series[series["run_id"] % 2 == each] for each in (0, 1))
    pd.testing.assert_frame_equal(nightly_means(halves, ["staked_cp"]), data.by_night)


def test_it_says_when_there_were_too_few_replications(grid: SweepData) -> None:
    figure = panel(grid, "convergence").figure
    assert figure is not None
    note = figure.layout.meta["views"][1]["note"]
    assert note.startswith("With 20 replications the mean is known to within ")
    assert "for 5 % it would take about " in note


# ---------------------------------------------------------------- sweeps of every kind


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("one", ["effects", "points", "nights", "convergence"]),
        ("alone", ["runs", "nights", "convergence"]),
        ("pair", ALL),
        ("latin-hypercube", ALL),
    ],
)
def test_panels_by_design(kind: str, expected: list[str]) -> None:
    data = fake_data(kind, 4, n_points=30)
    assert names(data) == expected
    assert "<h1>fake-" in render(data)


@pytest.mark.parametrize("kind", ["saltelli", "morris"])
def test_samples_for_salib(kind: str) -> None:
    pytest.importorskip("SALib")
    data = fake_data(kind, 2)
    assert names(data) == ALL
    assert "SALib" in " ".join(method(data))


def test_indices_of_a_sample_that_may_be_luck_say_so() -> None:
    pytest.importorskip("SALib")
    found = panel(fake_data("saltelli", 3), "indices")
    assert found.figure is not None
    notes = [view["note"] for view in found.figure.layout.meta["views"]]
    beware = "Luck alone may have made the points differ: indices may be luck, too."
    assert [beware in note for note in notes] == [name == "conviction_ppv" for name in OUTPUTS]
    assert ["Cheating rate", "luck_p", "all", "<0.001"] in found.rows


def test_an_outcome_that_lacks_points_takes_no_other_ones_indices() -> None:
    pytest.importorskip("SALib")
    data = fake_data("morris", 3)
    outcomes = data.frames.outcomes
    outcomes.loc[outcomes["scenario_id"].isin([4, 7]), "gini"] = np.nan
    found = panel(data, "indices")
    assert found.figure is not None
    notes = [view["note"] for view in found.figure.layout.meta["views"]]
    assert "of the variance between points is luck" in notes[0]
    assert notes[2].startswith(
        "Left out: undefined at 2 of 80 points, and these indices need a value at every one. "
        "Ask for an outcome that is defined in every run."
    )
    rows = {row[0]: row[1:] for row in panel(data, "overview").rows}
    assert rows["Gini of purses"] == ["–", "–", "–"]
    assert rows["Cheating rate"][0] == "1"


def test_a_sample_of_which_every_outcome_lacks_a_point_says_why() -> None:
    pytest.importorskip("SALib")
    data = fake_data("morris", 2, failed=[3])
    found = panel(data, "indices")
    assert found.figure is None
    assert "Left out: failed at 1 of 80 points" in found.finding
    assert "--retry-failed" in render(data)


def test_intervals_say_whose_luck_they_hold() -> None:
    pytest.importorskip("SALib")
    of = {n: fake_data("morris", n) for n in (1, 3, 6)}
    for name in ("effects", "tornado", "indices"):
        captions = {n: panel(data, name).caption for n, data in of.items()}
        assert "the luck of the one replication that all share is not in them" in captions[1]
        assert (
            "the luck of the 3 replications that all of them share, of which so few" in captions[3]
        )
        assert "the luck of the 6 replications that all of them share" in captions[6]
        assert "so few" not in captions[6]
    assert "over the luck of the 6 replications" in method(of[6])[1]
    assert "all of them share" not in panel(fake_data("morris", 3, luck="own"), "effects").caption


def test_a_factor_that_does_nothing_is_told() -> None:
    data = fake_data("pair", 5)
    outcomes = data.frames.outcomes.copy()
    keys = [outcomes["scenario_id"] // 4, outcomes["replication_id"]]
    for name in OUTPUTS:  # at all shares of cheats as at the lowest
        outcomes[name] = outcomes.groupby(keys)[name].transform("first")
    data = SweepData(data.design, dataclasses.replace(data.frames, outcomes=outcomes))
    words = "Share of cheats does nothing: every run is the same at all its levels."
    assert f'<p class="warning">{words}</p>' in render(data)
    for name in ("effects", "indices"):
        figure = panel(data, name).figure
        assert figure is not None
        assert words in figure.layout.meta["views"][0]["note"]
    assert ["Cheating rate", "idle", "share of cheats", "does nothing"] in panel(
        data, "indices"
    ).rows
    assert "does nothing" not in render(fake_data("pair", 3)).partition("<noscript>")[0]


def logarithmic(**more: Any) -> SweepData:
    from tavern_abm.sweeps.designs.points import Listed

    rng = np.random.default_rng(4)
    values = {CHEATS: 0.05 + 0.25 * rng.random(40), RAKE: 10 ** (3 * rng.random(40))}
    factors = (
        Factor((CHEATS,), "cheats", low=0.05, high=0.3),
        Factor((RAKE,), "rake", low=1.0, high=1000.0, is_log=True),
    )
    return fake_data("latin-hypercube", 4, factors=factors, points=Listed(values), **more)


def test_a_logarithmic_factor_is_shown_as_one() -> None:
    data = logarithmic()
    assert "between 1 and 1000, on a logarithmic scale" in render(data)
    assert "over cheats and rake (rake on a logarithmic scale)" in method(data)[0]
    figure = panel(data, "effects").figure
    assert figure is not None
    assert (figure.layout.xaxis.type, figure.layout.xaxis2.type) == (None, "log")
    assert set(figure.layout.xaxis2.tickvals) <= {1.0, 10.0, 100.0, 1000.0}
    maps = panel(data, "maps").figure
    assert maps is not None
    middles = np.array(maps.layout.xaxis.ticktext, float)
    assert np.diff(np.log(middles)) == pytest.approx(np.diff(np.log(middles))[0], rel=0.05)


def test_pairs_that_have_no_map_are_counted(grid: SweepData) -> None:
    assert "Shown are" not in panel(grid, "maps").caption
    from tavern_abm.sweeps.designs.points import Listed

    rng = np.random.default_rng(1)
    factors = tuple(Factor((f"minds.x{i}",), f"x{i}", low=0, high=1) for i in range(4))
    points = Listed({f"minds.x{i}": rng.random(40) for i in range(4)})
    data = fake_data("latin-hypercube", 2, factors=factors, points=points)
    assert "Shown are 3 of 6 pairs" in panel(data, "maps").caption


def test_whiskers_end_where_the_outcome_does() -> None:
    data = fake_data("latin-hypercube", 2, n_points=16)
    cells = data.cells("cheating_rate")
    assert np.nanmin([by_point(each, cells)["low"].min() for each in data.factors]) < 0
    tables = [data.effect(each, "cheating_rate") for each in data.factors]
    assert np.nanmin([table["low"].min() for table in tables]) == 0
    raw = data.points("unjust_beatings")
    assert raw["low"].min() == 0


# ---------------------------------------------------------------- cards off a grid


def test_cards_of_a_sample_say_how_far_and_no_impossible_values() -> None:
    few = {
        each["name"]: each["meaning"]
        for each in headlines(fake_data("latin-hypercube", 9, n_points=30))
    }
    assert few["Gini of purses"].startswith(
        "Moved furthest by rake bp: by a straight line, up by 0."
    )
    assert few["Gini of purses"].endswith(") over its range.")
    many = {each["name"]: each["meaning"] for each in headlines(fake_data("latin-hypercube", 9))}
    assert many["Gini of purses"].startswith("Moved furthest by rake bp: up by 0.")
    assert " from about " in many["Gini of purses"]


def test_cards_name_the_factor_that_the_indices_do() -> None:
    pytest.importorskip("SALib")
    morris = {each["name"]: each["meaning"] for each in headlines(fake_data("morris", 9))}
    assert morris["Gini of purses"].startswith("Moved most by rake bp: by 0.2")
    assert morris["Gini of purses"].endswith("on average (mu*).")
    sobol = {each["name"]: each["meaning"] for each in headlines(fake_data("saltelli", 2))}
    assert "of the variance (ST)" in sobol["Gini of purses"]


def test_what_is_not_known_to_be_more_than_luck_is_not_told() -> None:
    data = fake_data("latin-hypercube", 2, n_points=30)
    outcomes = data.frames.outcomes
    outcomes.loc[(outcomes["scenario_id"] == 3) & (outcomes["replication_id"] == 0), "gini"] = (
        np.nan
    )
    cards = {each["name"]: each["meaning"] for each in headlines(data)}
    assert cards["Gini of purses"] == "Points have too few values to tell what moved it from luck."
    rows = {row[0]: row[1:] for row in panel(data, "overview").rows}
    assert rows["Gini of purses"] == ["–", "–", "–"]


def test_bars_of_a_sample_are_changes(grid: SweepData) -> None:
    data = fake_data("latin-hypercube", 3, n_points=30)
    figure, whole = panel(data, "tornado").figure, panel(grid, "tornado").figure
    assert figure is not None
    assert whole is not None
    assert figure.layout.xaxis.title.text == "change from the mean of cheating rate"
    assert figure.data[0].base[0] == 0
    assert whole.layout.xaxis.title.text == "mean of cheating rate"
    assert whole.data[0].base[0] > 0


def test_one_replication_has_no_intervals() -> None:
    data = fake_data("grid", 1)
    assert "convergence" not in names(data)
    assert "there is no interval over luck" in panel(data, "effects").caption
    assert all("(" not in row[3] for row in panel(data, "effects").rows)
    render(data)


def test_a_point_that_failed_is_filled_in_and_that_is_said() -> None:
    data = fake_data("grid", failed=[63])
    found = failures(data)
    assert found is not None
    assert found.finding == "20 runs of 1 point failed: ZeroDivisionError: float division by zero."
    assert found.rows[0][-1] == "tavern rerun STORE --run 63000000"
    assert "1 point of the grid without a value" in method(data)[1]
    # As near to the whole sweep as luck lets it be, and far from the mean without the point.
    whole = {tuple(row[:3]): row[3] for row in panel(fake_data(), "tornado").rows}
    lacking = {tuple(row[:3]): row[3] for row in panel(data, "tornado").rows}
    key = next(each for each in whole if each[:2] == ("Gini of purses", "rake bp"))
    assert whole[key] == lacking[key]
    assert ("Runs that failed", "20") in facts(data)
    assert "tavern sweep STORE --resume --retry-failed" in render(data)


def test_all_runs_failed() -> None:
    data = fake_data("pair", 2, failed=range(16))
    assert panels(data) == []
    text = render(data)
    assert "No run was finished, so there is nothing to show." in text
    assert "Not shown: cheating_rate, unjust_beatings, gini, conviction_ppv." in text


def test_nothing_was_played() -> None:
    data = fake_data("pair", 2)
    empty = dataclasses.replace(data.frames, runs=data.frames.runs.head(0))
    empty = dataclasses.replace(empty, outcomes=data.frames.outcomes.head(0))
    assert "nothing to show" in render(SweepData(data.design, empty))


def test_a_sweep_that_stopped_half_way() -> None:
    """Points have unlike numbers of replications, and some have none."""
    data = fake_data("grid", 4)
    runs = data.frames.runs
    runs = runs[runs["replication_id"] * 64 + runs["scenario_id"] < 200]
    outcomes = data.frames.outcomes[data.frames.outcomes["run_id"].isin(runs["run_id"])]
    half = SweepData(data.design, dataclasses.replace(data.frames, runs=runs, outcomes=outcomes))
    assert ("Replications", "3 to 4") in facts(half)
    assert names(half) == ALL
    render(half)


def test_many_factors_and_many_outcomes() -> None:
    rng = np.random.default_rng(1)
    factors = tuple(Factor((f"minds.x{i}",), f"x{i}", low=0, high=1) for i in range(14))
    from tavern_abm.sweeps.designs.points import Listed

    points = Listed({f"minds.x{i}": rng.random(60) for i in range(14)})
    data = fake_data("latin-hypercube", 2, factors=factors, points=points)
    figure = panel(data, "effects").figure
    assert figure is not None
    assert len([each for each in figure.layout if each.startswith("xaxis")]) == 9
    assert len(render(data)) < 7_000_000


def test_a_large_sweep_has_a_page_of_a_few_megabytes() -> None:
    data = fake_data("latin-hypercube", 2, n_points=5000)
    assert len(render(data)) < 8_000_000


# ---------------------------------------------------------------- in words


def test_the_method_says_what_was_done(grid: SweepData) -> None:
    text = " ".join(method(grid))
    for words in (
        "was played for 30 nights a run, of which the first 5 were left out",
        "every combination of the levels of its factors over custom, share of cheats and rake bp",
        "64 design points with 20 replications each, 1,280 runs in all",
        "common random numbers",
        "The master seed is 1.",
        "Student's t at 95\N{NO-BREAK SPACE}%",
        "jackknife",
    ):
        assert words in text
    own = fake_data("pair", 3, luck="own")
    assert "luck of its own" in method(own)[0]
    auto = Auto("gini", relative=0.05, at_least=5, at_most=90)
    played = fake_data("pair", 3)
    planned = SweepData(dataclasses.replace(played.design, replications=auto), played.frames)
    assert "(from 5 to 90, until the interval of the mean of gini was" in method(planned)[0]


def test_what_is_needed_to_repeat_it(tmp_path: Path) -> None:
    from tavern_abm.sweep_pages.page_data import sweep_data

    design = fake_design("one")
    store = write_fake_store(tmp_path / "store", design, fake_frames(design))
    data = sweep_data(store)
    told = dict(how_run(data))
    assert data.manifest is not None
    assert told["Program"] == data.manifest.source
    assert told["Computing time"] == "5.6 s"  # 80 runs of 0.07 s
    assert f"version = {{{data.manifest.versions['tavern_abm']}}}" in bibtex(data)
    assert "are missing" not in render(data)
    assert data.outputs == OUTPUTS
