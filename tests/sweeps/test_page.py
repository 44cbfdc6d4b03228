"""The page of a sweep: one file, no network, every number true to the tables."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tavern_abm.report.panel import Panel
from tavern_abm.sweeps.design import Auto, Factor
from tavern_abm.sweeps.designs.points import Grid
from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.pages.nightly import nightly_means
from tavern_abm.sweeps.pages.page import render, write_page
from tavern_abm.sweeps.pages.page_data import SweepData
from tavern_abm.sweeps.pages.page_panels import panels
from tavern_abm.sweeps.pages.page_runs import failures
from tavern_abm.sweeps.pages.page_words import bibtex, facts, headlines, how_run, method
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


def test_a_sample_that_lacks_a_point_says_so_in_place_of_its_indices() -> None:
    pytest.importorskip("SALib")
    data = fake_data("morris", 2, failed=[3])
    found = panel(data, "indices")
    assert found.figure is None
    assert "need every point of the sample" in found.finding
    assert "need every point" in render(data)


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
    from tavern_abm.sweeps.pages.page_data import sweep_data

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
