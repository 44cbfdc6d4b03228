import pandas as pd

from tavern_abm.analysis import games_by_night
from tavern_abm.plots.games import plot_games


def games(*rows: tuple[int, str, int, int]) -> pd.DataFrame:
    table = pd.DataFrame(rows, columns=["night", "game", "staked_cp", "rake_cp"])
    return table.assign(rounds=1)


SOME = games((1, "race", 500, 20), (1, "magic-wand", 300, 0), (2, "magic-wand", 100, 10))


def test_stakes_above_and_the_house_below() -> None:
    figure = plot_games(games_by_night(SOME, 2), ["magic-wand", "race"], 2)
    found = {(trace.name, trace.yaxis): list(trace.y) for trace in figure.data}
    assert found == {
        ("Magic Wand", "y"): [3.0, 1.0],
        ("Magic Wand", "y2"): [0.0, 0.1],
        ("Race", "y"): [5.0],
        ("Race", "y2"): [0.2],
    }
    assert figure.layout.barmode == "stack"
    assert figure.layout.yaxis.title.text == "Staked (gp)"
    assert figure.layout.yaxis2.title.text == "House (gp)"
    assert figure.layout.xaxis2.title.text == "Night"


def test_a_game_keeps_its_look_and_has_a_sign_besides_its_colour() -> None:
    figure = plot_games(games_by_night(SOME, 2), ["magic-wand", "race"], 2)
    above, below, other, _ = figure.data
    assert above.marker == below.marker
    assert above.marker.color != other.marker.color
    assert above.marker.pattern.shape != other.marker.pattern.shape
    assert [trace.showlegend for trace in figure.data] == [True, False, True, False]


def test_one_panel_where_the_house_takes_nothing() -> None:
    figure = plot_games(games_by_night(games((1, "race", 500, 0)), 1), ["race"], 1)
    assert [list(trace.y) for trace in figure.data] == [[5.0]]
    assert figure.layout.xaxis.title.text == "Night"


def test_hover_says_what_and_when() -> None:
    figure = plot_games(games_by_night(SOME, 2), ["race", "magic-wand"], 2)
    assert figure.data[0].hovertext == ("Night 1: 5 gp staked at Race",)
    assert figure.data[1].hovertext == ("Night 1: 2 sp for the house at Race",)


def test_nobody_plays() -> None:
    figure = plot_games(games_by_night(SOME.assign(rounds=0), 2), ["race"], 2)
    assert len(figure.data) == 0
    assert figure.layout.annotations[0].text == "Nobody played."
