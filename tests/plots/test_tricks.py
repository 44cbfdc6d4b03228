import pandas as pd

from tavern_abm.plots.tricks import plot_tricks


def tricks(*tried: int) -> pd.DataFrame:
    nights = range(1, len(tried) + 1)
    return pd.DataFrame(
        {
            "night": nights,
            "tricks_tried": tried,
            "tricks_noticed": [n // 2 for n in tried],
            "tricks_convicted": [n // 4 for n in tried],
        }
    )


def test_bars_lie_in_bars() -> None:
    figure = plot_tricks(tricks(4, 9), 2)
    assert [list(trace.y) for trace in figure.data] == [[4, 9], [2, 4], [1, 2]]
    assert figure.layout.barmode == "overlay"
    widths = [trace.width[0] for trace in figure.data]
    assert widths == sorted(widths, reverse=True)
    assert len({trace.marker.pattern.shape for trace in figure.data}) == 3
    assert figure.layout.xaxis.title.text == "Night"
    assert figure.layout.yaxis.title.text == "Tricks"


def test_hover_says_what_and_when() -> None:
    figure = plot_tricks(tricks(4), 1)
    assert figure.data[0].hovertext == ("Night 1: 4 tried",)


def test_nobody_cheats() -> None:
    for nothing in (tricks(0, 0), tricks()):
        figure = plot_tricks(nothing, 2)
        assert len(figure.data) == 0
        assert figure.layout.annotations[0].text == "Nobody tried to cheat."
