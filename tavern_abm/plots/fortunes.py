"""Who won and who lost most at the tables."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from .. import analysis, coins
from . import theme

CHEAT_SIGN = "◆"


def plot_fortunes(patrons: pd.DataFrame, n: int = 10) -> go.Figure:
    """Draw bars to the right for the winners and to the left for the losers.

    Parameters
    ----------
    patrons : DataFrame
        One row per person: ``patron_id``, ``name``, ``games_net_cp``,
        ``is_cheat``.
    n : int, default 10
        How many of each.
    """
    chosen = analysis.fortunes(patrons, n)
    if chosen.empty:
        return theme.empty("Nobody won or lost a coin.")
    chosen = chosen.iloc[::-1].reset_index(drop=True)
    figure = go.Figure()
    is_winner = chosen["games_net_cp"] > 0
    for rows, name, colour, pattern in (
        (chosen[is_winner], "won", theme.BLUE, ""),
        (chosen[~is_winner], "lost", theme.ORANGE, "/"),
    ):
        figure.add_trace(_bars(rows, name, colour, pattern))
    labels = [
        f"{theme.short(name)} {CHEAT_SIGN}" if is_cheat else theme.short(name)
        for name, is_cheat in zip(chosen["name"], chosen["is_cheat"], strict=True)
    ]
    figure.update_yaxes(
        tickmode="array",
        tickvals=chosen.index.tolist(),
        ticktext=labels,
        showgrid=False,
        zeroline=False,
        range=[-0.6, len(chosen) - 0.4],
        ticksuffix=" ",
    )
    figure.update_xaxes(title_text="Won or lost (gp)", nticks=7)
    return theme.styled(figure, 130 + 26 * len(chosen), barmode="overlay", bargap=0.25)


def _bars(rows: pd.DataFrame, name: str, colour: str, pattern: str) -> go.Bar:
    hover = [
        f"{theme.safe(person)} {name} {coins.show(abs(net))}" + (" (a cheat)" if is_cheat else "")
        for person, net, is_cheat in zip(
            rows["name"], rows["games_net_cp"], rows["is_cheat"], strict=True
        )
    ]
    return go.Bar(
        x=rows["games_net_cp"] / 100,
        y=rows.index,
        orientation="h",
        name=name,
        customdata=rows["patron_id"].tolist(),
        marker=theme.bar(colour, pattern),
        hovertext=hover,
        hoverinfo="text",
    )
