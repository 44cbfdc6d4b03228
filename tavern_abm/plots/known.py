"""How many suspicions are right and how many cheats are suspected, night by night."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from . import theme

# Column, name, colour, dash, sign.
LOOKS = (
    ("tpr", "cheats suspected", theme.BLUE, "solid", "circle"),
    ("ppv", "suspicions that are right", theme.GREEN, "dash", "square"),
    ("fpr", "honest people suspected", theme.VERMILION, "dot", "diamond"),
)
NOTHING = "Nobody remembered anything of anybody."
MOST_MARKERS = 45


def plot_known(by_night: pd.DataFrame) -> go.Figure:
    """Draw the three shares as lines.

    Parameters
    ----------
    by_night : DataFrame
        As `tavern_abm.scores.by_night` gives it; what is undefined is not drawn.
    """
    if by_night.empty or not by_night["pairs"].sum():
        return theme.empty(NOTHING)
    figure = go.Figure()
    marked = len(by_night) <= MOST_MARKERS
    for column, name, colour, dash, sign in LOOKS:
        shares = by_night[["night", column]].dropna()
        figure.add_scatter(
            x=shares["night"].tolist(),
            y=shares[column].round(6).tolist(),
            name=name,
            mode="lines+markers" if marked else "lines",
            line={"width": 2.5, "color": colour, "dash": dash},
            marker={"symbol": sign, "size": 7},
            hovertext=[
                f"Night {night}: {share:.1%} {name}"
                for night, share in zip(shares["night"], shares[column], strict=True)
            ],
            hoverinfo="text",
        )
    last = int(by_night["night"].max())
    figure.update_xaxes(
        title_text="Night", tick0=0, dtick=theme.night_step(last), showgrid=False, zeroline=False
    )
    figure.update_yaxes(title_text="Share", range=[0, 1.02], dtick=0.25, tickformat=".0%")
    return theme.styled(figure, 360)
