"""How two runs with the same luck drift apart, night by night."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from . import theme

NOTHING = "Nobody's evening is another."


def plot_parting(nights: pd.DataFrame) -> go.Figure:
    """Draw the share of people whose evening is another, over the nights.

    Parameters
    ----------
    nights : DataFrame
        ``night``, ``differing`` and ``people``, a row a night.
    """
    if nights.empty or not nights["differing"].any():
        return theme.empty(NOTHING)
    share = nights["differing"] / nights["people"].clip(lower=1)
    figure = go.Figure(
        go.Scatter(
            x=nights["night"].tolist(),
            y=share.tolist(),
            mode="lines+markers",
            line={"color": theme.BLUE, "width": 2},
            marker={"size": 5},
            hovertext=[
                f"Night {night}: {differing} of {people} people"
                for night, differing, people in nights[["night", "differing", "people"]].to_numpy()
            ],
            hoverinfo="text",
            showlegend=False,
        )
    )
    figure.update_xaxes(title_text="Night", rangemode="tozero")
    figure.update_yaxes(
        title_text="People whose evening is another", tickformat=".0%", range=[0, 1]
    )
    return theme.styled(figure, 320)
