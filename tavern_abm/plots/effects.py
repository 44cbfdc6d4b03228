"""What an outcome does along each factor of a sweep, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd
import plotly.graph_objects as go

from . import theme
from .by_outcome import (
    Outcome,
    View,
    axis_name,
    axis_of,
    error_bars,
    interval,
    places,
    put,
    with_views,
)

NOTHING = "Nothing varies in this sweep."
PANEL, COLUMNS = 250, 3
MOST_POINTS = 1500
"""Points of a sampled factor that are drawn: more could not be told apart."""
LONGEST_TICK = 14
MOST_LETTERS = 34
"""Of the names of all levels: more do not fit under a panel side by side."""


class Effect(NamedTuple):
    """What one outcome does along one factor.

    Attributes
    ----------
    levels : DataFrame
        ``x``, ``level``, ``mean``, ``low``, ``high``, ``n_points``, as
        `tavern_abm.sweeps.sensitivities.effects` gives it.
    points : DataFrame or None
        ``x`` and ``mean`` of each point, where the factor was sampled.
    """

    levels: pd.DataFrame
    points: pd.DataFrame | None = None


class Axis(NamedTuple):
    """A factor, for people.

    Attributes
    ----------
    title : str
        What its axis is called.
    ticks : list of (place, text), or None
        Levels that are words, or few enough to be named; None for an axis of numbers.
    is_line : bool
        Whether the means belong on a line.
    is_log : bool
        Whether its axis is logarithmic.
    """

    title: str
    ticks: list[tuple[float, str]] | None
    is_line: bool
    is_log: bool = False


def plot_effects(
    outcomes: Sequence[Outcome],
    axes: Sequence[Axis],
    effects: Sequence[Sequence[Effect]],
    notes: Sequence[str] = (),
) -> go.Figure:
    """Draw a panel a factor: means of the outcome by level, on one scale.

    Parameters
    ----------
    outcomes : sequence of Outcome
        A view each.
    axes : sequence of Axis
        The factors, a panel each.
    effects : sequence of sequences of Effect
        For each outcome one for each factor.
    notes : sequence of str
        What each view shows.
    """
    if not axes or not outcomes:
        return theme.empty(NOTHING)
    figure = put(
        go.Figure(),
        places(len(axes), COLUMNS, PANEL),
        places(len(axes), 1, PANEL),
        showlegend=False,
        hovermode="closest",
    )
    for number, axis in enumerate(axes):
        figure.update_layout({axis_name("x", number): _axis(axis)})
        if number:
            figure.update_layout({axis_name("y", number): {"matches": "y"}})
    views = []
    for outcome, row, note in zip(outcomes, effects, _padded(notes, outcomes), strict=True):
        traces = [
            trace
            for number, (axis, effect) in enumerate(zip(axes, row, strict=True))
            for trace in _traces(number, axis, effect)
        ]
        views.append(View(outcome, traces, _titles(outcome, len(axes)), note))
    return with_views(figure, views)


def _padded(notes: Sequence[str], outcomes: Sequence[Outcome]) -> list[str]:
    return list(notes) or [""] * len(outcomes)


def _axis(axis: Axis) -> dict[str, Any]:
    made: dict[str, Any] = {
        "title": {"text": theme.safe(axis.title)},
        "showgrid": axis.is_line,
        "zeroline": False,
    }
    if axis.is_log:
        made["type"] = "log"
    if axis.ticks is None:
        return made | {"nticks": 6, "tickangle": 0}
    words = [_tick(text) for _, text in axis.ticks]
    return made | {
        "tickvals": [place for place, _ in axis.ticks],
        "ticktext": words,
        "tickangle": 0 if sum(map(len, words)) <= MOST_LETTERS else -35,
        **({} if axis.is_line else {"range": [-0.5, len(axis.ticks) - 0.5]}),
    }


def _tick(text: str) -> str:
    return theme.safe(text if len(text) <= LONGEST_TICK else f"{text[: LONGEST_TICK - 1]}…")


def _titles(outcome: Outcome, n: int) -> dict[str, Any]:
    """The outcome's name beside the first panel of each row."""
    return {
        f"{axis_name('y', number)}.title.text": outcome.axis if number % COLUMNS == 0 else ""
        for number in range(n)
    }


def _traces(number: int, axis: Axis, effect: Effect) -> list[go.Scatter]:
    on = {"xaxis": axis_of("x", number), "yaxis": axis_of("y", number)}
    traces = []
    if effect.points is not None and len(effect.points):
        traces.append(_cloud(effect.points, on))
    if len(effect.levels):
        traces += [_whole(effect.levels, on), _means(axis, effect.levels, on)]
    return traces


def _cloud(points: pd.DataFrame, on: Mapping[str, str]) -> go.Scatter:
    step = -(-len(points) // MOST_POINTS)
    some = points.iloc[::step]
    return go.Scatter(
        **on,
        x=some["x"].tolist(),
        y=some["mean"].tolist(),
        mode="markers",
        marker={"size": 4, "color": theme.GREY, "opacity": 0.45},
        hoverinfo="skip",
    )


def _whole(levels: pd.DataFrame, on: Mapping[str, str]) -> go.Scatter:
    """The mean of all points, for comparison."""
    mean = float((levels["mean"] * levels["n_points"]).sum() / levels["n_points"].sum())
    ends = [float(levels["x"].min()), float(levels["x"].max())]
    return go.Scatter(
        **on,
        x=ends,
        y=[mean, mean],
        mode="lines",
        line={"width": 1.5, "dash": "dot", "color": theme.GREY},
        hovertext=f"all points: {mean:.4g}",
        hoverinfo="text",
    )


def _means(axis: Axis, levels: pd.DataFrame, on: Mapping[str, str]) -> go.Scatter:
    rows = levels.to_dict("records")
    return go.Scatter(
        **on,
        x=levels["x"].tolist(),
        y=levels["mean"].tolist(),
        error_y=error_bars(levels["mean"], levels["low"], levels["high"]),
        mode="lines+markers" if axis.is_line else "markers",
        line={"width": 2.5, "color": theme.BLUE},
        marker={"size": 9, "color": theme.BLUE},
        hovertext=[
            f"{theme.safe(axis.title)} {theme.safe(str(row['level']))}: "
            f"{interval(row['mean'], row['low'], row['high'])}<br>{row['n_points']:,} points"
            for row in rows
        ],
        hoverinfo="text",
    )
