"""The figures of a sweep: what would be drawn, of every outcome."""

import json
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from tavern_abm.plots.by_outcome import Outcome, error_bars, places
from tavern_abm.plots.convergence import plot_convergence
from tavern_abm.plots.effects import Axis, Effect, plot_effects
from tavern_abm.plots.indices import plot_indices
from tavern_abm.plots.run_counts import plot_run_counts
from tavern_abm.plots.sweep_heat import Map, plot_sweep_heat
from tavern_abm.plots.sweep_points import MOST, plot_sweep_points
from tavern_abm.plots.tornado import plot_tornado
from tavern_abm.plots.what_moves_what import plot_what_moves_what

TWO = [Outcome("Cheating rate", "0 to 1"), Outcome("Profit <b>", "cp")]


def texts(figure: go.Figure) -> str:
    return json.dumps(json.loads(figure.to_json()))


def of_view(figure: go.Figure, view: int) -> list[Any]:
    return [trace for trace in figure.data if trace.meta["view"] == view]


# ---------------------------------------------------------------- what they share


def test_units_that_say_nothing_are_left_out() -> None:
    assert Outcome("Rounds", "count").axis == "Rounds"
    assert Outcome("Profit <b>", "cp").axis == "Profit &lt;b&gt; (cp)"


def test_whiskers_are_left_out_where_nothing_is_known() -> None:
    nan = float("nan")
    assert error_bars([1.0], [nan], [nan]) is None
    bars = error_bars([1.0, 5.0], [0.5, nan], [2.0, nan])
    assert (bars["array"], bars["arrayminus"]) == ([1.0, 0], [0.5, 0])


@pytest.mark.parametrize(("n", "columns"), [(1, 3), (3, 3), (4, 3), (9, 2), (5, 1)])
def test_panels_do_not_overlap(n: int, columns: int) -> None:
    made = places(n, columns, 250)
    boxes = list(zip(made.x, made.y, strict=True))
    for (left, right), (low, high) in boxes:
        assert 0 <= left < right <= 1
        assert 0 <= low < high <= 1
    for i, (x, y) in enumerate(boxes):
        for other_x, other_y in boxes[:i]:
            beside = x[0] >= other_x[1] or other_x[0] >= x[1]
            above = y[0] >= other_y[1] or other_y[0] >= y[1]
            assert beside or above


def test_one_outcome_is_seen_and_the_others_are_there_to_be_chosen() -> None:
    figure = effects()
    assert [trace.visible for trace in figure.data if trace.meta["view"] == 1].count(True) == 0
    assert all(trace.visible for trace in of_view(figure, 0))
    views = figure.layout.meta["views"]
    assert [each["title"] for each in views] == ["Cheating rate", "Profit <b>"]
    assert [each["note"] for each in views] == ["one", "two"]
    assert figure.layout.meta["choose"] == "Outcome"


# ---------------------------------------------------------------- effects


def levels(*rows: tuple[float, str, float, float, float, int]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["x", "level", "mean", "low", "high", "n_points"])


def effects() -> go.Figure:
    words = levels((0, "lax", 0.2, 0.1, 0.4, 4), (1, "orc & co", 0.1, 0.05, 0.15, 4))
    numbers = levels((0.05, "0.05", 0.1, np.nan, np.nan, 4), (0.3, "0.3", 0.3, np.nan, np.nan, 12))
    cloud = pd.DataFrame({"x": [0.05, 0.3], "mean": [0.1, 0.3]})
    axes = [
        Axis("custom", [(0.0, "lax"), (1.0, "orc & co")], is_line=False),
        Axis("share of cheats", None, is_line=True),
    ]
    row = [Effect(words), Effect(numbers, cloud)]
    return plot_effects(TWO, axes, [row, row], ["one", "two"])


def test_a_panel_a_factor_on_one_scale() -> None:
    figure = effects()
    assert figure.layout.xaxis.title.text == "custom"
    assert figure.layout.xaxis.ticktext == ("lax", "orc &amp; co")
    assert figure.layout.xaxis2.title.text == "share of cheats"
    assert figure.layout.yaxis2.matches == "y"
    assert figure.layout.yaxis.title.text == "Cheating rate"
    layout = figure.layout.meta["views"][1]["layout"]
    assert layout["yaxis.title.text"] == "Profit &lt;b&gt; (cp)"
    whole, means, cloud, _, line = of_view(figure, 0)
    assert (means.mode, line.mode, cloud.mode) == ("markers", "lines+markers", "markers")
    assert list(means.error_y.arrayminus) == pytest.approx([0.1, 0.05])
    assert line.error_y.array is None
    assert whole.y == pytest.approx((0.15, 0.15))
    assert means.hovertext[1] == "custom orc &amp; co: 0.1 (0.05 to 0.15)<br>4 points"


def test_the_line_of_all_points_counts_every_point_alike() -> None:
    whole = of_view(effects(), 0)[3]
    assert whole.y[0] == pytest.approx((4 * 0.1 + 12 * 0.3) / 16)


def test_on_a_phone_panels_stand_one_above_the_other() -> None:
    narrow = effects().layout.meta["narrow"]
    assert narrow["xaxis.domain"] == narrow["xaxis2.domain"] == [0.0, 1.0]
    assert narrow["yaxis2.domain"][1] < narrow["yaxis.domain"][0]
    assert narrow["height"] > effects().layout.height


def test_nothing_varies() -> None:
    assert plot_effects(TWO, [], []).layout.annotations[0].text == "Nothing varies in this sweep."


# ---------------------------------------------------------------- tornado and indices


def swings() -> pd.DataFrame:
    columns = ["factor", "title", "low_level", "high_level", "low_mean", "high_mean"]
    rows = [("a", "share", "0.05", "0.3", 0.1, 0.5), ("b", "<i>", "orc", "lax", 0.2, 0.3)]
    table = pd.DataFrame(rows, columns=columns)
    swing = table["high_mean"] - table["low_mean"]
    return table.assign(swing=swing, low=swing - 0.01, high=swing + 0.01)


def test_bars_run_from_the_lowest_mean_to_the_highest() -> None:
    figure = plot_tornado(TWO, [swings(), swings().iloc[::-1]], [0.25, 0.25], ["one", "two"])
    lower, upper, middle, *ends = of_view(figure, 0)
    assert list(lower.x) == pytest.approx([-0.15, -0.05])
    assert list(upper.x) == pytest.approx([0.25, 0.05])
    assert list(lower.base) == [0.25, 0.25]
    assert middle.x == (0.25, 0.25)
    assert [end.text for end in ends] == [(" 0.05 ", " orc "), (" 0.3 ", " lax ")]
    assert lower.marker.pattern.shape != upper.marker.pattern.shape
    assert "moves it by 0.4 (0.39 to 0.41)" in lower.hovertext[0]
    # The widest is on top: the axis runs downwards.
    assert figure.layout.yaxis.ticktext == ("share", "&lt;i&gt;")
    assert figure.layout.yaxis.range == (1.5, -0.5)
    assert "<i>" not in texts(figure).replace("&lt;i&gt;", "")


def index_table(*rows: tuple[str, str, float, float, float]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["title", "kind", "value", "low", "high"])


def test_indices_stand_in_groups_the_most_important_on_top() -> None:
    table = index_table(
        ("rake", "S1", 0.1, 0.05, 0.15),
        ("custom", "S1", 0.6, 0.5, 0.7),
        ("rake", "ST", 0.2, 0.1, 0.3),
        ("custom", "ST", 0.8, 0.7, 1.2),
    )
    figure = plot_indices(TWO[:1], [table])
    assert figure.layout.yaxis.ticktext == ("custom", "rake")
    first, total = figure.data
    assert (first.name, total.name) == ("by itself (S1)", "with others (ST)")
    assert list(first.y) == [1, 0]
    assert list(total.error_x.array) == pytest.approx([0.1, 0.4])
    assert figure.layout.xaxis.range[1] > 1.2
    assert figure.layout.xaxis.title.text == "share of the variance"


def test_signed_indices_have_room_on_both_sides() -> None:
    figure = plot_indices(TWO[:1], [index_table(("rake", "src", -0.9, -0.95, -0.85))])
    assert figure.layout.xaxis.range[0] < -0.95
    nothing = plot_indices(TWO[:1], [index_table()])
    assert "No index" in nothing.layout.annotations[0].text


def test_effects_of_morris_are_in_the_units_of_the_outcome() -> None:
    figure = plot_indices(TWO[1:], [index_table(("rake", "mu_star", 20, 10, 30))])
    assert figure.layout.xaxis.title.text == "change of profit &lt;b&gt;"


# ---------------------------------------------------------------- maps


def test_maps_have_numbers_and_one_scale() -> None:
    z = np.array([[1.0, 2.0], [np.nan, 4.0]])
    both = [("lax", "lax"), ("orc", "orc")]
    some = [("0.1", "0 to 0.2"), ("0.3", "0.2 to 0.4")]
    one = Map("custom", "rake <b>", both, some, z, np.array([[3, 3], [0, 3]]))
    other = Map("custom", "share", both, some, z + 10, np.full((2, 2), 3))
    figure = plot_sweep_heat(TWO[:1], [[one, other]])
    first, second = figure.data
    assert (first.zmin, first.zmax) == (second.zmin, second.zmax) == (1.0, 14.0)
    assert first.z[1][0] is None
    assert [list(row) for row in first.text] == [["1", "2"], ["", "4"]]
    assert first.hovertext[1][1] == "custom orc, rake &lt;b&gt; 0.2 to 0.4:<br>4 (3 points)"
    assert figure.layout.yaxis.title.text == "rake &lt;b&gt;"
    assert figure.layout.yaxis2.ticktext == ("0.1", "0.3")
    assert plot_sweep_heat(TWO, [[], []]).layout.annotations[0].text.startswith("It takes two")


def test_all_outcomes_at_a_glance() -> None:
    table = np.array([[0.9, -0.02], [np.nan, np.nan]])
    figure = plot_what_moves_what(["Gini", "Beatings"], ["rake", "custom"], table, "share")
    (heat,) = figure.data
    assert [list(row) for row in heat.z] == [[0.9, 0.0], [None, None]]
    words = {(note.y, note.x): note.text for note in figure.layout.annotations}
    assert words == {(0, 0): "0.90", (0, 1): "0.00", (1, 0): "–", (1, 1): "–"}
    assert figure.layout.annotations[0].font.color == "white"


# ---------------------------------------------------------------- points and runs


def point_table(n: int) -> pd.DataFrame:
    mean = np.linspace(5, 1, n)
    about = [f"x {i}" for i in range(n)]
    return pd.DataFrame(
        {"mean": mean, "low": mean - 0.1, "high": mean + 0.1, "p05": mean - 1, "p95": mean + 1}
    ).assign(n=20, about=about)


def test_points_stand_in_the_order_of_their_means() -> None:
    figure = plot_sweep_points(TWO[:1], [point_table(5)])
    spread, means = figure.data
    assert list(means.y) == [1, 2, 3, 4, 5]
    assert list(spread.base) == [0, 1, 2, 3, 4]
    assert set(spread.y) == {2.0}
    assert means.hovertext[0].startswith("x 4<br>mean 1 (0.9 to 1.1)")


def test_of_many_points_some_are_drawn() -> None:
    figure = plot_sweep_points(TWO[:1], [point_table(5 * MOST)])
    assert len(figure.data[1].x) == MOST
    assert figure.layout.xaxis.range[1] > 5 * MOST


def test_runs_are_counted() -> None:
    values = np.array([1.0, 1.0, 2.0, np.nan, 5.0])
    figure = plot_run_counts(TWO[:1], [values], [(2.25, 1.0, 3.5)])
    bars, band, line = figure.data
    assert sum(bars.y) == 4
    assert line.x == (2.25, 2.25)
    assert set(band.x) == {1.0, 3.5}
    nan = float("nan")
    assert len(plot_run_counts(TWO[:1], [values[:1]], [(1.0, nan, nan)]).data) == 2


def running(n: int) -> pd.DataFrame:
    half = np.r_[np.nan, 1 / np.arange(1, n)]
    return pd.DataFrame({"n": np.arange(1, n + 1), "mean": 5.0, "low": 5 - half, "high": 5 + half})


def test_the_mean_settles() -> None:
    figure = plot_convergence(TWO[:1], [[("a <b>", running(9)), ("c", running(9))]])
    band, line, *_ = figure.data
    assert (line.name, len(line.x)) == ("a &lt;b&gt;", 9)
    assert min(band.x) == 3  # with two values a band is as wide as a barn
    assert figure.layout.yaxis.range[0] > 4
    dashes = {trace.line.dash for trace in figure.data if trace.name}
    assert len(dashes) == 2
    once = plot_convergence(TWO[:1], [[("a", running(1))]])
    assert once.layout.annotations[0].text.startswith("One replication")


def test_few_replications_are_counted_in_whole_numbers_and_have_a_bar() -> None:
    figure = plot_convergence(TWO[:1], [[("a", running(3))]])
    bar, _ = figure.data
    assert (list(bar.x), bar.mode) == ([3], "markers")
    assert list(bar.error_y.array) == pytest.approx([0.5])
    assert figure.layout.xaxis.dtick == 1
    assert plot_convergence(TWO[:1], [[("a", running(40))]]).layout.xaxis.dtick is None


def test_a_logarithmic_axis() -> None:
    table = levels((0.01, "0.01", 0.2, 0.1, 0.4, 4), (1.0, "1", 0.1, 0.05, 0.15, 4))
    axis = Axis("x", [(0.1, "0.1")], is_line=True, is_log=True)
    figure = plot_effects(TWO[:1], [axis], [[Effect(table)]])
    assert figure.layout.xaxis.type == "log"
    assert figure.layout.xaxis.tickvals == (0.1,)


def test_bars_may_be_changes_from_the_mean() -> None:
    figure = plot_tornado(TWO[:1], [swings()], [0.0], is_change=True)
    assert figure.layout.xaxis.title.text == "change from the mean of cheating rate"


def test_names_aslant_have_room_above_the_next_map() -> None:
    def gap(names: list[str]) -> float:
        x = [(name, name) for name in names]
        one = Map("x", "y", x, [("a", "a")], np.ones((1, len(x))), np.ones((1, len(x)), int))
        layout = plot_sweep_heat(TWO[:1], [[one, one, one]]).layout
        above, below = layout.yaxis.domain, layout.yaxis3.domain
        return float((above[0] - below[1]) * (layout.height - 60))

    assert gap(["0.00155"] * 6) > gap(["a"] * 6) + 35
