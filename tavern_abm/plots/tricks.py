"""Tricks that cheats tried, that were noticed, and that were proved."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from .. import analysis
from . import theme

# Column, name, colour, pattern, and how much of its place the bar fills: a trick
# proved is also one noticed, and one noticed is one tried, so bars lie in bars.
LOOKS = (
    ("tricks_tried", "tried", theme.SKY, "", 0.9),
    ("tricks_noticed", "noticed (a failed check)", theme.ORANGE, "/", 0.6),
    ("tricks_convicted", "caught in the act", theme.VERMILION, "x", 0.3),
)


def plot_tricks(tricks: pd.DataFrame, n_nights: int) -> go.Figure:
    """Draw nested bars of tricks by night.

    Parameters
    ----------
    tricks : DataFrame
        As `tavern_abm.analysis.tricks_by_night` gives it.
    n_nights : int
        Nights of the run; a long run has a bar for each week or more.
    """
    if tricks.empty or not tricks["tricks_tried"].sum():
        return theme.empty("Nobody tried to cheat.")
    width = analysis.nights_per_bar(n_nights)
    spans = theme.bar_names(tricks["night"].tolist(), width, n_nights)
    figure = go.Figure()
    for column, name, colour, pattern, fills in LOOKS:
        figure.add_bar(
            **theme.bar_places(tricks["night"].tolist(), width, n_nights, fills),
            y=tricks[column],
            name=name,
            marker=theme.bar(colour, pattern),
            hovertext=[
                f"{span}: {number} {name}"
                for span, number in zip(spans, tricks[column], strict=True)
            ],
            hoverinfo="text",
        )
    figure.update_xaxes(theme.night_axis(width, n_nights))
    figure.update_yaxes(title_text="Tricks", rangemode="tozero", nticks=6)
    if tricks["tricks_tried"].max() <= 5:
        figure.update_yaxes(dtick=1)
    return theme.styled(figure, 360, barmode="overlay")
