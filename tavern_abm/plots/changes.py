"""What one change did to each quantity, side by side: a point with its interval a quantity."""

from __future__ import annotations

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from . import theme

NOTHING = "No pair of runs differs in anything that was looked at."
LOOKS = {
    "sure": (theme.BLUE, "circle", "sure, all quantities taken together"),
    "likely": (theme.ORANGE, "diamond", "by its own interval alone"),
    "alike": (theme.ORANGE, "square", "the same in every pair: nothing to test it by"),
    "not seen": (theme.GREY, "circle-open", "no difference seen"),
}
"""Colour, sign and name of each verdict."""
ROW, REST = 24, 110
"""Pixels."""


def plot_changes(changes: pd.DataFrame) -> go.Figure:
    """Draw each change in units of the luck of a run, with its interval.

    Parameters
    ----------
    changes : DataFrame
        A row a quantity, the first on top: ``title``, ``value``, ``low``, ``high`` (in
        standard deviations from run to run; ends NaN of a single pair), ``verdict`` (a key
        of `LOOKS`) and ``told`` (the same in words).
    """
    if changes.empty:
        return theme.empty(NOTHING)
    there = [verdict for verdict in LOOKS if (changes["verdict"] == verdict).any()]
    figure = go.Figure([_points(changes, verdict) for verdict in there])
    figure.add_vline(0, line={"color": theme.GREY, "dash": "dot"})
    titles = [theme.safe(title) for title in changes["title"]]
    figure.update_yaxes(categoryorder="array", categoryarray=titles[::-1], ticklabelstandoff=4)
    figure.update_xaxes(title_text="Change, in standard deviations from run to run")
    return theme.styled(figure, ROW * len(changes) + REST, hovermode="closest")


def _points(changes: pd.DataFrame, verdict: str) -> go.Scatter:
    rows = changes[changes["verdict"] == verdict]
    colour, sign, name = LOOKS[verdict]
    error: dict[str, Any] = {
        "type": "data",
        "symmetric": False,
        "array": (rows["high"] - rows["value"]).fillna(0).tolist(),
        "arrayminus": (rows["value"] - rows["low"]).fillna(0).tolist(),
        "color": colour,
        "thickness": 1.5,
        "width": 4,
    }
    return go.Scatter(
        x=rows["value"].tolist(),
        y=[theme.safe(title) for title in rows["title"]],
        error_x=error,
        mode="markers",
        marker={"color": colour, "symbol": sign, "size": 9},
        name=name,
        hovertext=[theme.safe(told) for told in rows["told"]],
        hoverinfo="text",
    )
