"""What each trade earns, spends, and wins or loses at the tables, a head and day."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from .. import coins
from . import theme

NOTHING = "Nobody lives here."
MOST = 20
"""Trades that are drawn; of more, those with most people."""
BAR, MARGIN = 24, 120


class _Part(NamedTuple):
    """A part of the bars: its column, its name, its look, and which way it goes."""

    column: str
    name: str
    look: int
    sign: int
    verb: str


_PARTS = (
    _Part("income_a_day", "wage", 0, 1, "earns"),
    _Part("living_a_day", "living", 6, -1, "lives on"),
    _Part("tax_a_day", "tax", 3, -1, "pays taxes of"),
    _Part("drink_a_day", "drink and fees", 1, -1, "drinks for"),
)
_GAMES = "games_net_a_day"


def plot_trades_money(trades: pd.DataFrame) -> go.Figure:
    """Draw wages to the right and what is spent to the left; beside it, the games.

    Parameters
    ----------
    trades : DataFrame, index ``trade``
        As `TownBooks.trades`: ``people`` and the columns ``..._a_day``, in cp a
        person and day.

    Returns
    -------
    plotly.graph_objects.Figure
        Two panels over the same trades, the best paid on top, each with a scale
        of its own: what the games bring is small beside a wage.
    """
    drawn = trades[trades["person_days"] > 0]
    if drawn.empty:
        return theme.empty(NOTHING)
    drawn = most_common(drawn).sort_values("income_a_day", kind="stable")
    drawn = drawn.reset_index(names="trade")
    figure = make_subplots(
        rows=1, cols=2, shared_yaxes=True, column_widths=[0.64, 0.36], horizontal_spacing=0.04
    )
    for part in _PARTS:
        if drawn[part.column].any():
            figure.add_trace(_bars(drawn, part), row=1, col=1)
    figure.add_trace(_games(drawn, "won at the tables", 2, drawn[_GAMES] > 0), row=1, col=2)
    figure.add_trace(_games(drawn, "lost there", 5, drawn[_GAMES] <= 0), row=1, col=2)
    figure.update_yaxes(
        tickmode="array",
        tickvals=drawn.index.tolist(),
        showgrid=False,
        zeroline=False,
        range=[-0.6, len(drawn) - 0.4],
    )
    figure.update_yaxes(ticktext=_names(drawn), ticksuffix=" ", col=1)
    figure.update_xaxes(title_text="Spent and earned (cp a head and day)", nticks=7, col=1)
    figure.update_xaxes(title_text="Games (cp)", nticks=4, col=2)
    height = MARGIN + BAR * len(drawn)
    return theme.styled(figure, height, barmode="relative")


def most_common(trades: pd.DataFrame) -> pd.DataFrame:
    """Keep the `MOST` trades with most people."""
    return trades.sort_values("people", ascending=False, kind="stable").head(MOST)


def _names(drawn: pd.DataFrame) -> list[str]:
    return [
        f"{theme.short(str(trade))} ({people:,.0f})"
        for trade, people in zip(drawn["trade"], drawn["people"], strict=True)
    ]


def _bars(drawn: pd.DataFrame, part: _Part) -> go.Bar:
    hover = [
        f"{theme.safe(str(trade))}: {part.verb} {_a_day(sum_cp)}"
        for trade, sum_cp in zip(drawn["trade"], drawn[part.column], strict=True)
    ]
    return go.Bar(
        x=(part.sign * drawn[part.column]).tolist(),
        y=drawn.index.tolist(),
        orientation="h",
        width=0.75,
        name=part.name,
        marker=theme.looks(part.look),
        hovertext=hover,
        hoverinfo="text",
    )


def _games(drawn: pd.DataFrame, name: str, look: int, is_in: pd.Series[bool]) -> go.Bar:
    rows = drawn[is_in]
    hover = [
        f"{theme.safe(str(trade))}: {'wins' if sum_cp > 0 else 'loses'} {_a_day(abs(sum_cp))}, "
        f"staking {_a_day(staked)}"
        for trade, sum_cp, staked in zip(
            rows["trade"], rows[_GAMES], rows["staked_a_day"], strict=True
        )
    ]
    return go.Bar(
        x=rows[_GAMES].tolist(),
        y=rows.index.tolist(),
        orientation="h",
        width=0.75,
        name=name,
        marker=theme.looks(look),
        hovertext=hover,
        hoverinfo="text",
    )


def _a_day(sum_cp: float) -> str:
    """A sum of a day: in coins, or with a decimal where it is less than ten."""
    return f"{coins.show(round(sum_cp))} a day" if sum_cp >= 10 else f"{sum_cp:.1f} cp a day"
