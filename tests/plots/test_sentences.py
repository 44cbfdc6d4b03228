import pandas as pd

from tavern_abm.plots.sentences import LOOKS, plot_sentences


def counts(*rows: tuple[int, str, bool, int]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["night", "kind", "is_just", "number"])


SOME = counts(
    (1, "beaten", True, 2), (1, "warned", True, 1), (2, "beaten", False, 1), (3, "killed", True, 1)
)


def test_just_and_unjust_have_panels_of_their_own() -> None:
    figure = plot_sentences(SOME, 3)
    panels = {(trace.name, trace.yaxis): list(trace.y) for trace in figure.data}
    assert panels == {
        ("warned", "y"): [1],
        ("beaten", "y"): [2],
        ("beaten", "y2"): [1],
        ("killed", "y"): [1],
    }
    titles = [each.text for each in figure.layout.annotations]
    assert titles == ["Just: on people who had cheated", "Unjust: on the innocent"]
    assert figure.layout.barmode == "stack"


def test_panels_share_a_scale_that_holds_the_tallest_stack() -> None:
    layout = plot_sentences(SOME, 3).layout
    assert layout.yaxis.range == layout.yaxis2.range
    assert layout.yaxis.range[1] > 3


def test_a_kind_stands_once_in_the_legend() -> None:
    shown = [trace.name for trace in plot_sentences(SOME, 3).data if trace.showlegend]
    assert sorted(shown) == ["beaten", "killed", "warned"]


def test_every_kind_has_its_own_colour_and_pattern() -> None:
    assert len({colour for _, colour, _ in LOOKS.values()}) == len(LOOKS)
    assert len({pattern for _, _, pattern in LOOKS.values()}) == len(LOOKS)


def test_bars_of_weeks_in_a_long_run() -> None:
    figure = plot_sentences(counts((1, "beaten", True, 2), (57, "beaten", True, 1)), 60)
    (bars,) = figure.data
    assert list(bars.x) == [4.0, 58.5]
    assert bars.hovertext[1] == "Nights 57–60: 1 beaten"
    assert "one bar for 7 nights" in figure.layout.xaxis2.title.text


def test_no_sentence() -> None:
    figure = plot_sentences(SOME.head(0), 3)
    assert len(figure.data) == 0
    assert figure.layout.annotations[0].text == "Nobody was sentenced."
