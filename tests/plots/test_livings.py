import pandas as pd

from tavern_abm.plots.livings import plot_livings

COLUMNS = ["game", "name", "trade", "net_cp", "a_night_cp", "wage_cp", "is_cheat"]


def winners(*rows: tuple[str, str, str, int, float, int, bool]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=COLUMNS).assign(patron_id=range(1, len(rows) + 1))


SOME = winners(
    ("race", "Alda", "smith", 900, 30.0, 110, False),
    ("race", "<b>Bran</b>", "beggar", 300, 100.0, 10, True),
    ("magic-wand", "Cora", "guard", 3000, 100.0, 200, False),
)


def test_a_panel_for_each_game_in_order() -> None:
    figure = plot_livings(SOME, ["magic-wand", "long-throw", "race"])
    titles = [each.text for each in figure.layout.annotations]
    assert titles == ["Magic Wand", "Race"]
    wand, wand_wage, race, race_wages = figure.data
    assert (list(wand.x), list(wand_wage.x)) == ([10.0], [20.0])
    assert (list(race.x), list(race_wages.x)) == ([3.0, 10.0], [11.0, 1.0])
    assert race.marker.pattern.shape != wand.marker.pattern.shape
    assert [trace.showlegend for trace in figure.data] == [False, True, False, False]
    assert figure.layout.xaxis2.title.text == "Won a night (sp)"


def test_names_are_escaped_and_cheats_marked() -> None:
    figure = plot_livings(SOME, ["race", "magic-wand"])
    assert figure.layout.yaxis.ticktext == ("Alda", "&lt;b&gt;Bran&lt;/b&gt; ◆")
    assert figure.data[0].hovertext[1] == (
        "&lt;b&gt;Bran&lt;/b&gt;, beggar: 3 gp in all, 1 gp a night (a cheat)"
    )
    assert list(figure.data[0].customdata) == [1, 2]


def test_the_only_game_needs_no_heading() -> None:
    figure = plot_livings(SOME[SOME["game"] == "race"], ["race"])
    assert len(figure.layout.annotations) == 0


def test_two_of_one_name_have_a_bar_each() -> None:
    twins = winners(
        ("race", "Alda", "smith", 9, 9.0, 1, False), ("race", "Alda", "smith", 9, 9.0, 1, False)
    )
    assert list(plot_livings(twins, ["race"]).data[0].y) == [0, 1]


def test_nobody_won() -> None:
    figure = plot_livings(SOME.head(0), ["race"])
    assert figure.layout.annotations[0].text == "Nobody won a coin."
