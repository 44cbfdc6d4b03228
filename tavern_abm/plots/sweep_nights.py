"""Nightly columns of a sweep in the course of a run, by the level of a factor."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from . import theme
from .by_outcome import Outcome, View, with_views

NOTHING = "No nightly column was kept."
HEIGHT = 400
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def plot_sweep_nights(
    series: Sequence[Outcome],
    lines: Sequence[Sequence[tuple[str, pd.DataFrame]]],
    notes: Sequence[str] = (),
) -> go.Figure:
    """Draw a line a level: the mean of all runs at that level, night by night.

    Parameters
    ----------
    series : sequence of Outcome
        A view each.
    lines : sequence of sequences of (name, DataFrame)
        For each series ``time`` and ``mean``, a level each.
    notes : sequence of str
        What each view shows.
    """
    if not series or not any(len(table) for row in lines for _, table in row):
        return theme.empty(NOTHING)
    told = list(notes) or [""] * len(series)
    figure = theme.styled(go.Figure(), HEIGHT, hovermode="x unified")
    figure.update_xaxes(title_text="Night", zeroline=False, showgrid=False, nticks=10)
    figure.update_yaxes(zeroline=False, nticks=6)
    views = [
        View(each, _traces(row), {"yaxis.title.text": each.axis}, note)
        for each, row, note in zip(series, lines, told, strict=True)
    ]
    with_views(figure, views)
    return figure.update_layout(meta=dict(figure.layout.meta) | {"choose": "Night by night"})


def _traces(row: Sequence[tuple[str, pd.DataFrame]]) -> list[go.Scatter]:
    return [
        go.Scatter(
            x=table["time"].tolist(),
            y=table["mean"].tolist(),
            mode="lines",
            name=theme.safe(name),
            line={
                "width": 2.5,
                "color": theme.COLORWAY[number % len(theme.COLORWAY)],
                "dash": DASHES[number % len(DASHES)],
            },
            hovertemplate="%{y:.4g}",
        )
        for number, (name, table) in enumerate(row)
    ]
