"""How much was told, night by night, and how much of it was news and was believed."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from .. import analysis
from . import theme

# Column, name, colour, pattern, and how much of its place the bar fills: what is
# believed is part of the news, and the news part of what is told.
LOOKS = (
    ("told", "told", theme.SKY, "", 0.9),
    ("news", "news to the listener", theme.ORANGE, "/", 0.6),
    ("believed", "news, and believed", theme.BLUE, "x", 0.3),
)
NOTHING = "Nobody told anything."


def plot_talk(talk: pd.DataFrame, n_nights: int) -> go.Figure:
    """Draw nested bars of tellings by night.

    Parameters
    ----------
    talk : DataFrame
        As `tavern_abm.analysis.talk_by_night` gives it.
    n_nights : int
        Nights of the run; a long run has a bar for each week or more.
    """
    if talk.empty:
        return theme.empty(NOTHING)
    width = analysis.nights_per_bar(n_nights)
    nights = talk["night"].tolist()
    spans = theme.bar_names(nights, width, n_nights)
    figure = go.Figure()
    for column, name, colour, pattern, fills in LOOKS:
        figure.add_bar(
            **theme.bar_places(nights, width, n_nights, fills),
            y=talk[column].tolist(),
            name=name,
            marker=theme.bar(colour, pattern),
            hovertext=[
                f"{span}: {number:,} {name}"
                for span, number in zip(spans, talk[column], strict=True)
            ],
            hoverinfo="text",
        )
    figure.update_xaxes(theme.night_axis(width, n_nights))
    figure.update_yaxes(title_text="Tellings", rangemode="tozero", nticks=6)
    return theme.styled(figure, 360, barmode="overlay")
