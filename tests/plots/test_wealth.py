import pandas as pd
import pytest

from tavern_abm.analysis import wealth_bands
from tavern_abm.plots.wealth import plot_wealth


def bands(n_nights: int) -> pd.DataFrame:
    rows = [(night, 100 * purse) for night in range(n_nights + 1) for purse in (1, 2, 3, night)]
    return wealth_bands(pd.DataFrame(rows, columns=["night", "gold_cp"]))


def test_two_bands_a_median_and_gini_in_its_own_panel() -> None:
    figure = plot_wealth(bands(5))
    shown = [trace for trace in figure.data if trace.showlegend is not False]
    assert [trace.name for trace in shown] == [
        "the middle 80 %",
        "the middle half",
        "median purse",
        "Gini (inequality)",
    ]
    assert [trace.yaxis for trace in shown] == ["y", "y", "y", "y2"]
    assert [trace.fill for trace in shown[:2]] == ["tonexty", "tonexty"]
    assert figure.layout.yaxis.title.text == "Purse (gp)"
    assert figure.layout.yaxis2.title.text == "Gini"
    assert "Night" in figure.layout.xaxis2.title.text


def test_purses_are_in_gold_and_their_hover_in_coins() -> None:
    figure = plot_wealth(bands(2))
    median = next(trace for trace in figure.data if trace.name == "median purse")
    assert median.y[0] == pytest.approx(1.5)
    assert "1 gp 5 sp" in median.hovertext[0]


def test_the_lines_differ_in_more_than_colour() -> None:
    lines = {trace.name: trace for trace in plot_wealth(bands(2)).data}
    median, gini = lines["median purse"], lines["Gini (inequality)"]
    assert median.line.dash != gini.line.dash
    assert median.marker.symbol != gini.marker.symbol


def test_one_night_and_none() -> None:
    assert len(plot_wealth(bands(0)).data) == 6
    nothing = plot_wealth(bands(1).head(0))
    assert len(nothing.data) == 0
    assert nothing.layout.annotations[0].text == "No purse was recorded."
