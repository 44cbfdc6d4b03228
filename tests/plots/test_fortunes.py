import pandas as pd

from tavern_abm.plots.fortunes import plot_fortunes


def patrons(*rows: tuple[str, int, bool]) -> pd.DataFrame:
    table = pd.DataFrame(rows, columns=["name", "games_net_cp", "is_cheat"])
    return table.assign(patron_id=range(1, len(rows) + 1))


SOME = patrons(
    ("Alda", 300, False), ("<b>Bran</b>", 900, True), ("Cora", -500, False), ("Alda", 0, False)
)


def test_winners_to_the_right_and_losers_to_the_left() -> None:
    figure = plot_fortunes(SOME)
    won, lost = figure.data
    assert (list(won.x), list(lost.x)) == ([3.0, 9.0], [-5.0])
    assert (list(won.customdata), list(lost.customdata)) == ([1, 2], [3])
    assert won.marker.pattern.shape != lost.marker.pattern.shape
    assert "gp" in figure.layout.xaxis.title.text


def test_names_are_escaped_and_cheats_marked() -> None:
    figure = plot_fortunes(SOME)
    assert figure.layout.yaxis.ticktext == ("Cora", "Alda", "&lt;b&gt;Bran&lt;/b&gt; ◆")
    assert figure.data[0].hovertext[1] == "&lt;b&gt;Bran&lt;/b&gt; won 9 gp (a cheat)"


def test_two_of_one_name_have_a_bar_each() -> None:
    figure = plot_fortunes(patrons(("Alda", 5, False), ("Alda", 3, False)))
    assert list(figure.data[0].y) == [0, 1]


def test_nobody_won() -> None:
    figure = plot_fortunes(patrons(("Alda", 0, False)))
    assert len(figure.data) == 0
    assert figure.layout.annotations[0].text == "Nobody won or lost a coin."
