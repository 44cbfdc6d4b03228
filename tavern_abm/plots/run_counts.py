"""How the runs of a single design point are spread: counted by their value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from . import theme
from .by_outcome import Outcome, View, with_views

NOTHING = "No run has been finished."
HEIGHT = 360


def plot_run_counts(
    outcomes: Sequence[Outcome],
    values: Sequence[NDArray[np.float64]],
    intervals: Sequence[tuple[float, float, float]],
    notes: Sequence[str] = (),
) -> go.Figure:
    """Draw a histogram of runs, with their mean and its interval.

    Parameters
    ----------
    outcomes : sequence of Outcome
        A view each.
    values : sequence of array of float
        A value a run; what is not finite is left out.
    intervals : sequence of (mean, low, high)
        Of each outcome.
    notes : sequence of str
        What each view shows.
    """
    if not outcomes or not any(np.isfinite(each).any() for each in values):
        return theme.empty(NOTHING)
    told = list(notes) or [""] * len(outcomes)
    figure = theme.styled(go.Figure(), HEIGHT, bargap=0.03)
    figure.update_xaxes(zeroline=False, showgrid=False)
    figure.update_yaxes(title_text="Runs", rangemode="tozero", nticks=6)
    views = [
        View(outcome, _traces(some[np.isfinite(some)], mean), _layout(outcome), note)
        for outcome, some, mean, note in zip(outcomes, values, intervals, told, strict=True)
    ]
    return with_views(figure, views)


def _layout(outcome: Outcome) -> dict[str, Any]:
    return {"xaxis.title.text": outcome.axis}


def _traces(values: NDArray[np.float64], mean: tuple[float, float, float]) -> list[Any]:
    if not len(values):
        return []
    counts, edges = np.histogram(values, bins=min(24, max(1, int(2 * len(values) ** (1 / 3)))))
    names = [f"{low:.4g} to {high:.4g}: {n:,} runs"
             for low, high, n in zip(edges[:-1], edges[1:], counts, strict=True)]  # fmt: skip
    bars = go.Bar(
        x=((edges[:-1] + edges[1:]) / 2).tolist(),
        y=counts.tolist(),
        width=np.diff(edges).tolist(),
        name="runs",
        marker=theme.looks(4),
        hovertext=names,
        hoverinfo="text",
    )
    top = 1.05 * float(counts.max())
    known = [each for each in mean if each == each]
    line = go.Scatter(
        x=[mean[0], mean[0]],
        y=[0, top],
        mode="lines",
        name="mean",
        line={"width": 3, "color": theme.BLUE},
        hovertext=f"mean {mean[0]:.4g}",
        hoverinfo="text",
    )
    if len(known) < 3:
        return [bars, line]
    band = go.Scatter(
        x=[mean[1], mean[1], mean[2], mean[2]],
        y=[0, top, top, 0],
        fill="toself",
        mode="lines",
        name="its interval",
        line={"width": 0, "color": theme.BLUE},
        fillcolor="rgba(0,114,178,0.2)",
        hoverinfo="skip",
    )
    return [bars, band, line]
