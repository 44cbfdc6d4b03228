import pytest

from tavern_abm.plots.money_supply import plot_money_supply
from tests.fake_economy import fake_books


def test_purses_and_tills_stand_on_each_other_and_the_stakes_below() -> None:
    money = fake_books(n_nights=3).money
    figure = plot_money_supply(money)
    traces = {trace.name: trace for trace in figure.data}
    assert list(traces["in purses"].y) == [2000, 2003, 2006, 2009]
    assert list(traces["in tills"].y) == pytest.approx([300, 300.9, 301.8, 302.7])
    assert traces["in purses"].stackgroup == traces["in tills"].stackgroup == "money"
    staked = traces["staked that night, of all money"]
    assert list(staked.x) == [1, 2, 3]
    assert list(staked.y) == money["turnover"].tolist()[1:]
    assert staked.yaxis == "y2"
    assert staked.hovertext[0] == "Night 1: 9 gp staked, 0.4% of all money"
    assert traces["in tills"].hovertext[0] == "At the start: 300 gp in tills"
    assert traces["in tills"].fillpattern.shape != traces["in purses"].fillpattern.shape


def test_a_treasury_has_a_line_of_its_own_where_there_is_one() -> None:
    money = fake_books(n_nights=3).money
    assert len(plot_money_supply(money).data) == 4
    money["treasury_cp"] = 0
    assert len(plot_money_supply(money).data) == 3


def test_no_night_was_played() -> None:
    figure = plot_money_supply(fake_books().money.head(1))
    assert figure.layout.annotations[0].text == "No night was played."
