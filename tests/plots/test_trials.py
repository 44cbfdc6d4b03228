import pandas as pd

from tavern_abm.plots.trials import plot_trials

VERDICTS = pd.DataFrame(
    [
        (True, "convicted", 0.7, 0.8, 5),
        (True, "cleared", 0.2, 0.3, 1),
        (False, "convicted", 0.6, 0.7, 2),
    ],
    columns=["is_cheat", "verdict", "low", "high", "number"],
)


def test_cheats_above_and_others_below() -> None:
    figure = plot_trials(VERDICTS)
    titles = [each.text for each in figure.layout.annotations]
    assert titles == ["Accused who had cheated", "Accused who had not"]
    drawn = [(trace.name, trace.yaxis, trace.x, trace.y) for trace in figure.data]
    assert drawn == [
        ("found guilty", "y", (0.75,), (5,)),
        ("found guilty", "y2", (0.65,), (2,)),
        ("cleared", "y", (0.25,), (1,)),
    ]
    assert [trace.showlegend for trace in figure.data] == [True, False, True]
    assert len({trace.marker.pattern.shape for trace in figure.data}) == 2


def test_one_half_is_marked() -> None:
    lines = plot_trials(VERDICTS).layout.shapes
    assert {(line.x0, line.x1) for line in lines} == {(0.5, 0.5)}


def test_no_trial() -> None:
    figure = plot_trials(VERDICTS.head(0))
    assert figure.layout.annotations[0].text == "No table voted on anybody."
