"""Who owns the money: Lorenz curves."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from . import theme

NOTHING = "Nobody was left to compare."
MOST_POINTS = 201
# What a curve is of, its name, colour, dash and width.
_LOOKS = (
    ("start", "purses at the start", theme.SKY, "dash", 2),
    ("end", "purses at the end", theme.BLUE, "solid", 3),
    ("losses", "losses at the tables", theme.VERMILION, "dot", 2),
)


def plot_lorenz(curves: pd.DataFrame, ginis: Mapping[str, float]) -> go.Figure:
    """Draw what share of all money the poorest share of people has.

    Parameters
    ----------
    curves : DataFrame
        As `TownBooks.lorenz`: ``of`` ("start", "end", "losses"),
        ``share_of_people`` and ``share_of_wealth``, both from 0 to 1 and rising.
        A long curve is thinned out.
    ginis : mapping of str to float
        By what a curve is of: its Gini coefficient, for the legend.
    """
    if curves.empty:
        return theme.empty(NOTHING)
    figure = go.Figure(_equality())
    for of, name, colour, dash, width in _LOOKS:
        curve = _thinned(curves[curves["of"] == of])
        if len(curve):
            line = {"color": colour, "dash": dash, "width": width}
            figure.add_trace(_curve(curve, name, ginis.get(of), line))
    axis = {"range": [0, 1], "tickformat": ".0%", "dtick": 0.25, "zeroline": False}
    figure.update_xaxes(title_text="The poorest of the people", **axis)
    figure.update_yaxes(title_text="have of the money", **axis)
    return theme.styled(figure, 460, hovermode="closest", margin_r=40)


def _equality() -> go.Scatter:
    return go.Scatter(
        x=[0, 1],
        y=[0, 1],
        name="all alike: Gini 0",
        mode="lines",
        line={"color": theme.GREY, "width": 1, "dash": "dot"},
        hoverinfo="skip",
    )


def _thinned(curve: pd.DataFrame) -> pd.DataFrame:
    """Every so many points, the first and the last among them."""
    n = len(curve)
    if n <= MOST_POINTS:
        return curve
    places = sorted({round(i * (n - 1) / (MOST_POINTS - 1)) for i in range(MOST_POINTS)})
    return curve.iloc[places]


def _curve(
    curve: pd.DataFrame, name: str, gini: float | None, line: dict[str, object]
) -> go.Scatter:
    known = gini is not None and not pd.isna(gini)
    people, money = curve["share_of_people"].tolist(), curve["share_of_wealth"].tolist()
    return go.Scatter(
        x=people,
        y=money,
        name=f"{name}: Gini {gini:.3f}" if known else name,
        mode="lines",
        line=line,
        hovertext=[
            f"{name}: the poorest {x:.0%} have {y:.1%}" for x, y in zip(people, money, strict=True)
        ],
        hoverinfo="text",
    )
