"""How the mean of an outcome settled as replications were added."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from . import theme
from .by_outcome import Outcome, View, error_bars, interval, with_views

NOTHING = "One replication says nothing of how a mean settles: play more."
HEIGHT, FEW = 380, 12
COLOURS = (
    (theme.BLUE, "solid", "rgba(0,114,178,0.16)"),
    (theme.VERMILION, "dash", "rgba(213,94,0,0.16)"),
    (theme.GREEN, "dot", "rgba(0,158,115,0.16)"),
)


def plot_convergence(
    outcomes: Sequence[Outcome],
    lines: Sequence[Sequence[tuple[str, pd.DataFrame]]],
    notes: Sequence[str] = (),
) -> go.Figure:
    """Draw the mean of the first n replications against n, with its interval as a band.

    Parameters
    ----------
    outcomes : sequence of Outcome
        A view each.
    lines : sequence of sequences of (name, DataFrame)
        For each outcome at most three points: ``n``, ``mean``, ``low``, ``high``, as
        `tavern_abm.sweeps.estimating.convergence.running_mean` gives them.
    notes : sequence of str
        What each view shows.
    """
    if not any(len(table) > 1 for row in lines for _, table in row):
        return theme.empty(NOTHING)
    told = list(notes) or [""] * len(outcomes)
    figure = theme.styled(go.Figure(), HEIGHT, hovermode="closest")
    figure.update_xaxes(title_text="Replications", zeroline=False, showgrid=False, nticks=10)
    if max(len(table) for row in lines for _, table in row) <= FEW:
        figure.update_xaxes(dtick=1, tick0=0)
    figure.update_yaxes(zeroline=False)
    views = []
    for outcome, row, note in zip(outcomes, lines, told, strict=True):
        traces = [
            trace
            for number, (name, table) in enumerate(row)
            for trace in _traces(name, table, number)
        ]
        layout = {
            "yaxis.title.text": theme.safe(f"mean of {outcome.inside}"),
            "yaxis.range": _range(row),
        }
        views.append(View(outcome, traces, layout, note))
    return with_views(figure, views)


def _range(row: Sequence[tuple[str, pd.DataFrame]]) -> list[float]:
    """What is seen: the bands from the third replication on; the first are as wide as a barn."""
    tables = [table[table["n"] >= min(3, int(table["n"].max()))] for _, table in row if len(table)]
    if not tables:
        return [0.0, 1.0]
    seen = pd.concat(tables)[["mean", "low", "high"]].to_numpy(float)
    low, high = float(np.nanmin(seen)), float(np.nanmax(seen))
    margin = 0.05 * ((high - low) or abs(high) or 1.0)
    return [low - margin, high + margin]


def _traces(name: str, table: pd.DataFrame, number: int) -> list[go.Scatter]:
    colour, dash, shade = COLOURS[number % len(COLOURS)]
    known = table.dropna(subset=["low", "high"])
    known = known[known["n"] >= min(3, int(table["n"].max()))]
    if len(known) == 1:
        return [_bar(known, colour, name), _line(name, table, colour, dash)]
    band = go.Scatter(
        x=[*known["n"], *known["n"][::-1]],
        y=[*known["low"], *known["high"][::-1]],
        fill="toself",
        mode="lines",
        line={"width": 0, "color": colour},
        fillcolor=shade,
        showlegend=False,
        legendgroup=name,
        hoverinfo="skip",
    )
    return [band, _line(name, table, colour, dash)]


def _bar(known: pd.DataFrame, colour: str, name: str) -> go.Scatter:
    """The interval where there is only one, which makes no band."""
    return go.Scatter(
        x=known["n"].tolist(),
        y=known["mean"].tolist(),
        error_y=error_bars(known["mean"], known["low"], known["high"]),
        mode="markers",
        marker={"size": 8, "color": colour},
        showlegend=False,
        legendgroup=name,
        hoverinfo="skip",
    )


def _line(name: str, table: pd.DataFrame, colour: str, dash: str) -> go.Scatter:
    return go.Scatter(
        x=table["n"].tolist(),
        y=table["mean"].tolist(),
        mode="lines",
        name=theme.safe(name),
        legendgroup=name,
        line={"width": 2.5, "color": colour, "dash": dash},
        hovertext=[
            f"{theme.safe(name)}<br>{row['n']:,} replications: "
            f"{interval(row['mean'], row['low'], row['high'])}"
            for row in table.to_dict("records")
        ],
        hoverinfo="text",
    )
