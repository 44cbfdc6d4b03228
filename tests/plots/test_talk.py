import pandas as pd

from tavern_abm.plots.talk import plot_talk

TALK = pd.DataFrame({"night": [1, 2], "told": [9, 5], "news": [6, 5], "believed": [4, 0]})


def test_bars_lie_in_bars() -> None:
    figure = plot_talk(TALK, 2)
    assert [list(trace.y) for trace in figure.data] == [[9, 5], [6, 5], [4, 0]]
    widths = [trace.width[0] for trace in figure.data]
    assert widths == sorted(widths, reverse=True)
    assert figure.data[1].hovertext[0] == "Night 1: 6 news to the listener"


def test_a_long_run_has_a_bar_a_week() -> None:
    figure = plot_talk(TALK.assign(night=[1, 8]), 100)
    assert figure.layout.xaxis.title.text == "Night (one bar for 7 nights)"


def test_silence() -> None:
    assert plot_talk(TALK.head(0), 5).layout.annotations[0].text == "Nobody told anything."
