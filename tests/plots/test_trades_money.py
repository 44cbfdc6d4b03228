import pandas as pd
import pytest

from tavern_abm.plots.trades_money import MOST, plot_trades_money
from tests.fake_economy import fake_books


def test_wages_to_the_right_and_what_is_spent_to_the_left() -> None:
    trades = fake_books().trades
    figure = plot_trades_money(trades)
    bars = {trace.name: trace for trace in figure.data}
    assert figure.layout.yaxis.ticktext == ("labourer (60)", "smith (120)", "noble (6)")
    assert list(bars["wage"].x) == pytest.approx([14, 110, 300])
    assert list(bars["living"].x) == pytest.approx([-11.2, -88, -240])
    assert all(x < 0 for x in bars["drink and fees"].x)
    assert bars["living"].hovertext[1] == "smith: lives on 8 sp 8 cp a day"
    assert figure.layout.barmode == "relative"


def test_the_games_have_a_scale_of_their_own() -> None:
    figure = plot_trades_money(fake_books().trades)
    bars = {trace.name: trace for trace in figure.data}
    won, lost = bars["won at the tables"], bars["lost there"]
    assert (won.xaxis, lost.xaxis) == ("x2", "x2")
    assert (list(won.y), list(lost.y)) == ([1, 2], [0])
    assert lost.hovertext[0] == "labourer: loses 0.6 cp a day, staking 3.0 cp a day"
    assert len({trace.marker.pattern.shape for trace in figure.data}) == len(figure.data)


def test_only_the_largest_of_many_trades_are_drawn() -> None:
    trades = fake_books().trades
    many = pd.concat([trades] * 20, ignore_index=True).rename_axis("trade")
    many["people"] = range(len(many))
    figure = plot_trades_money(many)
    assert len(figure.layout.yaxis.ticktext) == MOST
    assert any("(59)" in name for name in figure.layout.yaxis.ticktext)
    assert not any("(12)" in name for name in figure.layout.yaxis.ticktext)


def test_a_trade_is_escaped_and_one_of_nobody_left_out() -> None:
    trades = fake_books().trades.rename(index={"smith": "<b>smith</b>"})
    trades.loc["noble", "person_days"] = 0
    figure = plot_trades_money(trades)
    assert figure.layout.yaxis.ticktext == ("labourer (60)", "&lt;b&gt;smith&lt;/b&gt; (120)")


def test_nobody_lives_here() -> None:
    figure = plot_trades_money(fake_books().trades.head(0))
    assert figure.layout.annotations[0].text == "Nobody lives here."
