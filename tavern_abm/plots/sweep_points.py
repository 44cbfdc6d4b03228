"""Every point of a sweep in the order of its mean, with its interval and the spread of its runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from . import theme
from .by_outcome import Outcome, View, error_bars, interval, with_views

NOTHING = "No run has been finished."
HEIGHT = 380
MOST = 400
"""Points that are drawn one by one: of more, every so many in their order."""


def plot_sweep_points(
    outcomes: Sequence[Outcome], tables: Sequence[pd.DataFrame], notes: Sequence[str] = ()
) -> go.Figure:
    """Draw the points from the lowest mean to the highest.

    A wide grey bar holds nine runs in ten of a point, the blue sign is their mean with its
    interval. Of a single point its runs are counted by their value instead.

    Parameters
    ----------
    outcomes : sequence of Outcome
        A view each.
    tables : sequence of DataFrame
        For each outcome ``mean``, ``low``, ``high``, ``p05``, ``p95``, ``n`` and ``about``
        (what the point sets), a row a point.
    notes : sequence of str
        What each view shows.
    """
    if not outcomes or all(table.empty for table in tables):
        return theme.empty(NOTHING)
    told = list(notes) or [""] * len(outcomes)
    figure = theme.styled(go.Figure(), HEIGHT, hovermode="closest")
    figure.update_xaxes(
        title_text="Points, the lowest mean first",
        showticklabels=False, showgrid=False, zeroline=False,
    )  # fmt: skip
    figure.update_yaxes(zeroline=False)
    views = [
        View(outcome, _traces(table), _layout(outcome, table), note)
        for outcome, table, note in zip(outcomes, tables, told, strict=True)
    ]
    return with_views(figure, views)


def _layout(outcome: Outcome, table: pd.DataFrame) -> dict[str, Any]:
    n = len(table)
    return {"yaxis.title.text": outcome.axis, "xaxis.range": [-0.02 * n - 0.6, 1.02 * n - 0.4]}


def _traces(table: pd.DataFrame) -> list[Any]:
    ordered = table.sort_values("mean", kind="stable", ignore_index=True)
    some = ordered.iloc[:: -(-len(ordered) // MOST) or 1]
    return [_spread(some), _means(some)]


def _spread(table: pd.DataFrame) -> go.Bar:
    return go.Bar(
        x=table.index.tolist(),
        y=(table["p95"] - table["p05"]).tolist(),
        base=table["p05"].tolist(),
        width=0.9 if len(table) < 60 else 1.0,
        name="nine runs in ten",
        marker={"color": theme.GREY, "opacity": 0.28, "line": {"width": 0}},
        hoverinfo="skip",
    )


def _means(table: pd.DataFrame) -> go.Scatter:
    return go.Scatter(
        x=table.index.tolist(),
        y=table["mean"].tolist(),
        error_y=error_bars(table["mean"], table["low"], table["high"]),
        mode="markers",
        name="mean and its interval",
        marker={"size": 7 if len(table) < 100 else 5, "color": theme.BLUE},
        hovertext=[_about(row) for row in table.to_dict("records")],
        hoverinfo="text",
    )


def _about(row: dict[Any, Any]) -> str:
    return (
        f"{theme.safe(str(row['about']))}<br>"
        f"mean {interval(row['mean'], row['low'], row['high'])}<br>"
        f"nine runs in ten: {row['p05']:.4g} to {row['p95']:.4g} ({row['n']:,} runs)"
    )
