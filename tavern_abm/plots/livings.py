"""Who makes a living by which game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from .. import coins
from . import theme
from .fortunes import CHEAT_SIGN

NOTHING = "Nobody won a coin."
BAR, HEADING, MARGIN = 26, 62, 90
"""Heights in pixels: of a bar, of a game's heading and axis, and of the figure's edges."""


def plot_livings(winners: pd.DataFrame, order: Sequence[str]) -> go.Figure:
    """Draw what each of the winners at each game won a night, against his day's wage.

    Parameters
    ----------
    winners : DataFrame
        As `tavern_abm.analysis.top_winners` gives it.
    order : sequence of str
        The games from above; each keeps its colour and pattern.

    Returns
    -------
    plotly.graph_objects.Figure
        A panel for each game that somebody won at, each with a scale of its
        own, in silver pieces a night.
    """
    games = [game for game in order if (winners["game"] == game).any()]
    if not games:
        return theme.empty(NOTHING)
    sizes = [int((winners["game"] == game).sum()) for game in games]
    inside = sum(BAR * n + HEADING for n in sizes)
    figure = make_subplots(
        rows=len(games),
        cols=1,
        row_heights=[BAR * n + 12 for n in sizes],
        subplot_titles=[theme.game_title(game) for game in games] if len(games) > 1 else None,
        vertical_spacing=min(HEADING / inside, 0.9 / max(1, len(games) - 1)),
    )
    for row, game in enumerate(games, start=1):
        people = winners[winners["game"] == game].sort_values(
            ["a_night_cp", "patron_id"], ascending=[True, False], ignore_index=True
        )
        figure.add_trace(_bars(people, list(order).index(game)), row=row, col=1)
        figure.add_trace(_wages(people, is_first=row == 1), row=row, col=1)
        figure.update_yaxes(**_names(people), row=row, col=1)
    figure.update_xaxes(rangemode="tozero", nticks=7)
    figure.update_xaxes(title_text="Won a night (sp)", row=len(games), col=1)
    figure.update_annotations(x=0, xanchor="left", font_size=15)
    above = 34 if len(games) > 1 else 4
    return theme.styled(figure, MARGIN + above + inside, bargap=0.25, legend_y=1 + above / inside)


def _bars(people: pd.DataFrame, number: int) -> go.Bar:
    return go.Bar(
        x=people["a_night_cp"] / coins.CP_PER_SP,
        y=people.index,
        orientation="h",
        showlegend=False,
        customdata=people["patron_id"].tolist(),
        marker=theme.looks(number),
        hovertext=[_about(person) for person in people.to_dict("records")],
        hoverinfo="text",
    )


def _wages(people: pd.DataFrame, is_first: bool) -> go.Scatter:
    return go.Scatter(
        x=people["wage_cp"] / coins.CP_PER_SP,
        y=people.index,
        mode="markers",
        name="a day's wage of that person",
        legendgroup="wage",
        showlegend=is_first,
        marker={
            "symbol": "line-ns",
            "size": 18,
            "line": {"width": 3, "color": theme.VERMILION},
        },
        hovertext=[f"a day's wage: {coins.show(wage)}" for wage in people["wage_cp"]],
        hoverinfo="text",
    )


def _names(people: pd.DataFrame) -> dict[str, Any]:
    labels = [
        f"{theme.short(name)} {CHEAT_SIGN}" if is_cheat else theme.short(name)
        for name, is_cheat in zip(people["name"], people["is_cheat"], strict=True)
    ]
    return {
        "tickmode": "array",
        "tickvals": people.index.tolist(),
        "ticktext": labels,
        "showgrid": False,
        "zeroline": False,
        "range": [-0.6, len(people) - 0.4],
        "ticksuffix": " ",
    }


def _about(person: Mapping[Any, Any]) -> str:
    return (
        f"{theme.safe(person['name'])}, {theme.safe(person['trade'])}: "
        f"{coins.show(person['net_cp'])} in all, {coins.show(round(person['a_night_cp']))} a night"
        + (" (a cheat)" if person["is_cheat"] else "")
    )
