"""How much money there is, and how much of it is staked, night by night."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from .. import coins
from . import theme

NOTHING = "No night was played."
MOST_MARKS = 45
"""Nights up to which each has a mark of its own."""


class _Heap(NamedTuple):
    """Money in one kind of place."""

    column: str
    name: str
    colour: str
    pattern: str


_HEAPS = (
    _Heap("purses_cp", "in purses", theme.BLUE, ""),
    _Heap("tills_cp", "in tills", theme.ORANGE, "/"),
)


def plot_money_supply(money: pd.DataFrame) -> go.Figure:
    """Draw the money in purses and tills, one on the other, and below what is staked of it.

    Parameters
    ----------
    money : DataFrame, index ``night``
        As `TownBooks.money`: ``purses_cp``, ``tills_cp``, ``treasury_cp``,
        ``staked_cp`` and ``turnover``; night 0 is the start.

    Returns
    -------
    plotly.graph_objects.Figure
        Two panels over the same nights: gold pieces above, the share staked below.
        What the treasury has taken in so far is a line of its own, where it has anything.
    """
    if len(money) < 2:
        return theme.empty(NOTHING)
    figure = make_subplots(
        rows=2, cols=1, shared_xaxes=True, row_heights=[0.66, 0.34], vertical_spacing=0.08
    )
    for heap in _HEAPS:
        figure.add_trace(_heap(money, heap), row=1, col=1)
    if money["treasury_cp"].any():
        figure.add_trace(_treasury(money), row=1, col=1)
    figure.add_trace(_turnover(money.drop(index=0, errors="ignore")), row=2, col=1)
    step = theme.night_step(int(money.index.max()))
    figure.update_xaxes(tick0=0, dtick=step, showgrid=False, zeroline=False)
    figure.update_xaxes(title_text="Night (0: before the first)", row=2)
    figure.update_yaxes(title_text="Money (gp)", rangemode="tozero", nticks=6, row=1)
    figure.update_yaxes(title_text="Staked", rangemode="tozero", tickformat=".0%", nticks=4, row=2)
    return theme.styled(figure, 440, hovermode="x", legend_traceorder="normal")


def _heap(money: pd.DataFrame, heap: _Heap) -> go.Scatter:
    red, green, blue = (int(heap.colour[i : i + 2], 16) for i in (1, 3, 5))
    pattern = {"shape": heap.pattern, "fgcolor": heap.colour, "size": 6, "solidity": 0.2}
    return go.Scatter(
        x=money.index.tolist(),
        y=(money[heap.column] / coins.CP_PER_GP).tolist(),
        name=heap.name,
        mode="lines",
        stackgroup="money",
        line={"width": 1.5, "color": heap.colour},
        fillcolor=f"rgba({red},{green},{blue},0.4)",
        fillpattern=pattern if heap.pattern else None,
        hovertext=[
            f"{_when(night)}: {coins.show(int(sum_cp))} {heap.name}"
            for night, sum_cp in zip(money.index, money[heap.column], strict=True)
        ],
        hoverinfo="text",
    )


def _treasury(money: pd.DataFrame) -> go.Scatter:
    return go.Scatter(
        x=money.index.tolist(),
        y=(money["treasury_cp"] / coins.CP_PER_GP).tolist(),
        name="paid to the treasury so far",
        mode="lines",
        line={"width": 2, "dash": "dash", "color": theme.PURPLE},
        hovertext=[
            f"{_when(night)}: {coins.show(int(sum_cp))} paid to the treasury so far"
            for night, sum_cp in zip(money.index, money["treasury_cp"], strict=True)
        ],
        hoverinfo="text",
    )


def _turnover(nights: pd.DataFrame) -> go.Scatter:
    return go.Scatter(
        x=nights.index.tolist(),
        y=nights["turnover"].tolist(),
        name="staked that night, of all money",
        mode="lines+markers" if len(nights) <= MOST_MARKS else "lines",
        line={"width": 2, "dash": "dot", "color": theme.VERMILION},
        marker={"symbol": "square", "size": 5},
        hovertext=[
            f"{_when(night)}: {coins.show(int(sum_cp))} staked, {share:.1%} of all money"
            for night, sum_cp, share in zip(
                nights.index, nights["staked_cp"], nights["turnover"], strict=True
            )
        ],
        hoverinfo="text",
    )


def _when(night: int) -> str:
    return f"Night {night}" if night else "At the start"
