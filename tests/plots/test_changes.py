"""Figures of one change and of two runs."""

import pandas as pd

from tavern_abm.plots.changes import NOTHING, plot_changes
from tavern_abm.plots.parting import NOTHING as NOBODY
from tavern_abm.plots.parting import plot_parting

CHANGES = pd.DataFrame(
    {
        "title": ["gini & co", "rounds", "brawls"],
        "value": [1.0, -0.5, 0.1],
        "low": [0.5, -0.9, float("nan")],
        "high": [1.5, -0.1, float("nan")],
        "verdict": ["sure", "likely", "not seen"],
        "told": ["a", "b", "c"],
    }
)


def test_each_verdict_is_a_trace_and_the_first_quantity_is_on_top() -> None:
    figure = plot_changes(CHANGES)
    assert [list(trace.x) for trace in figure.data] == [[1.0], [-0.5], [0.1]]
    assert list(figure.layout.yaxis.categoryarray) == ["brawls", "rounds", "gini &amp; co"]
    assert list(figure.data[0].error_x.array) == [0.5]
    assert list(figure.data[0].error_x.arrayminus) == [0.5]
    assert list(figure.data[2].error_x.array) == [0]


def test_nothing_that_differs_is_said() -> None:
    figure = plot_changes(CHANGES.iloc[:0])
    assert figure.layout.annotations[0].text == NOTHING


def test_parting_is_a_share_of_people() -> None:
    nights = pd.DataFrame({"night": [1, 2], "differing": [0, 30], "people": [120, 120]})
    figure = plot_parting(nights)
    assert list(figure.data[0].y) == [0, 0.25]
    assert figure.data[0].hovertext[1] == "Night 2: 30 of 120 people"
    same = plot_parting(nights.assign(differing=0))
    assert same.layout.annotations[0].text == NOBODY
