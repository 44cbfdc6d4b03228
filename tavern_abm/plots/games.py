"""What was staked at each game, and what the house took of it, night by night."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from .. import analysis, coins
from . import theme

NOTHING = "Nobody played."


def plot_games(by_night: pd.DataFrame, order: Sequence[str], n_nights: int) -> go.Figure:
    """Draw bars of stakes, a game on top of the other, and the house's take below.

    Parameters
    ----------
    by_night : DataFrame
        As `tavern_abm.analysis.games_by_night` gives it; sums in cp.
    order : sequence of str
        The games from the lowest bar up; each keeps its colour and pattern.
    n_nights : int
        Nights of the run; a long run has a bar for each week or more.

    Returns
    -------
    plotly.graph_objects.Figure
        Two panels over the same nights, in gold pieces; one where the house
        took nothing.
    """
    if by_night.empty:
        return theme.empty(NOTHING)
    takes = bool(by_night["rake_cp"].sum())
    figure = make_subplots(
        rows=2 if takes else 1,
        cols=1,
        shared_xaxes=True,
        row_heights=[0.68, 0.32] if takes else [1],
        vertical_spacing=0.07,
    )
    for number, game in enumerate(order):
        nights = by_night[by_night["game"] == game]
        if len(nights):
            figure.add_trace(_bars(nights, game, number, "staked", n_nights), row=1, col=1)
            if takes:
                figure.add_trace(_bars(nights, game, number, "rake", n_nights), row=2, col=1)
    width = analysis.nights_per_bar(n_nights)
    axis = theme.night_axis(width, n_nights)
    figure.update_xaxes(**{key: each for key, each in axis.items() if key != "title"})
    figure.update_xaxes(title=axis["title"], row=2 if takes else 1)
    figure.update_yaxes(title_text="Staked (gp)", rangemode="tozero", nticks=6, row=1)
    if takes:
        figure.update_yaxes(title_text="House (gp)", rangemode="tozero", nticks=4, row=2)
    height = 440 if takes else 340
    return theme.styled(figure, height, barmode="stack", legend_traceorder="normal")


def _bars(nights: pd.DataFrame, game: str, number: int, what: str, n_nights: int) -> go.Bar:
    width = analysis.nights_per_bar(n_nights)
    first = nights["night"].tolist()
    sums = nights[f"{what}_cp"]
    verb = "staked" if what == "staked" else "for the house"
    return go.Bar(
        **theme.bar_places(first, width, n_nights),
        y=sums / 100,
        name=theme.game_title(game),
        legendgroup=game,
        showlegend=what == "staked",
        marker=theme.looks(number),
        hovertext=[
            f"{span}: {coins.show(round(each))} {verb} at {theme.game_title(game)}"
            for span, each in zip(theme.bar_names(first, width, n_nights), sums, strict=True)
        ],
        hoverinfo="text",
    )
