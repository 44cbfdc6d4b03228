"""An outcome over two factors at a time, as maps of colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from . import theme
from .by_outcome import GAP_PX, Outcome, View, axis_name, axis_of, places, put, titled, with_views

NOTHING = "It takes two factors to draw a map."
PANEL, COLUMNS = 300, 2
ROOM_PX = 40
"""More between two rows of maps where names stand aslant."""
FEW = 5
"""Columns of maps of which three stand side by side."""
MOST_LETTERS, FEW_LETTERS = 30, 18
"""Of the names along an axis: more do not fit side by side."""
MOST_NUMBERS = 80
"""Cells of a map in which the numbers still have room."""
SCALE = [[0.0, "#f7f4ee"], [0.5, "#8fb8d6"], [1.0, "#0b4a78"]]


class Map(NamedTuple):
    """An outcome over two factors.

    Attributes
    ----------
    x_title, y_title : str
        The factors.
    x, y : list of (short, long) texts
        Their levels or groups, for the axis and in full.
    z : array of float, shape (len(y), len(x))
        Means; NaN where nothing was played.
    n : array of int, of that shape
        Points behind each.
    """

    x_title: str
    y_title: str
    x: list[tuple[str, str]]
    y: list[tuple[str, str]]
    z: NDArray[np.float64]
    n: NDArray[np.int64]


def plot_sweep_heat(
    outcomes: Sequence[Outcome], maps: Sequence[Sequence[Map]], notes: Sequence[str] = ()
) -> go.Figure:
    """Draw a map for each pair of factors, all on one scale of colours.

    Parameters
    ----------
    outcomes : sequence of Outcome
        A view each.
    maps : sequence of sequences of Map
        For each outcome the same pairs in the same order.
    notes : sequence of str
        What each view shows.
    """
    if not outcomes or not maps[0]:
        return theme.empty(NOTHING)
    n = len(maps[0])
    columns = 3 if n == 3 and all(map(_is_small, maps[0])) else COLUMNS
    between = GAP_PX + (ROOM_PX if any(_is_slanted(each.x) for each in maps[0]) else 0)
    figure = put(
        go.Figure(), places(n, columns, PANEL, 0.12, between), places(n, 1, PANEL, 0.0, between),
        hovermode="closest", showlegend=False, margin_r=20,
    )  # fmt: skip
    for number, each in enumerate(maps[0]):
        axes = {
            axis_name("x", number): _axis(each.x_title, each.x, across=True),
            axis_name("y", number): _axis(each.y_title, each.y, across=False),
        }
        figure.update_layout(axes)
    told = list(notes) or [""] * n
    views = [
        View(outcome, _traces(outcome, row), {}, note)
        for outcome, row, note in zip(outcomes, maps, told, strict=False)
    ]
    return titled(with_views(figure, views))


def _is_slanted(names: Sequence[tuple[str, str]]) -> bool:
    """Whether names along a map stand aslant, and take more room."""
    return sum(len(theme.short(name)) for name, _ in names) > MOST_LETTERS


def _is_small(each: Map) -> bool:
    """Whether it has room beside two others."""
    return len(each.x) <= FEW and sum(len(name) for name, _ in each.x) <= FEW_LETTERS


def _axis(title: str, names: Sequence[tuple[str, str]], *, across: bool) -> dict[str, Any]:
    words = [theme.short(name) for name, _ in names]
    return {
        "title": {"text": theme.safe(title)},
        "tickvals": list(range(len(names))),
        "ticktext": words,
        "tickangle": -35 if across and _is_slanted(names) else 0,
        "showgrid": False,
        "zeroline": False,
    }


def _traces(outcome: Outcome, row: Sequence[Map]) -> list[go.Heatmap]:
    known = np.concatenate([each.z[np.isfinite(each.z)] for each in row])
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    return [_map(number, each, outcome, low, high) for number, each in enumerate(row)]


def _map(number: int, each: Map, outcome: Outcome, low: float, high: float) -> go.Heatmap:
    z = [[None if v != v else float(v) for v in row] for row in each.z]
    has_numbers = each.z.size <= MOST_NUMBERS
    return go.Heatmap(
        xaxis=axis_of("x", number),
        yaxis=axis_of("y", number),
        x=list(range(len(each.x))),
        y=list(range(len(each.y))),
        z=z,
        zmin=low,
        zmax=high if high > low else low + 1,
        colorscale=SCALE,
        showscale=not has_numbers and number == 0,
        colorbar={"title": {"text": outcome.axis, "side": "right"}, "thickness": 14},
        text=[["" if v is None else f"{v:.3g}" for v in row] for row in z],
        texttemplate="%{text}" if has_numbers else None,
        xgap=2,
        ygap=2,
        hovertext=_about(each),
        hoverinfo="text",
    )


def _about(each: Map) -> list[list[str]]:
    return [
        [
            f"{theme.safe(each.x_title)} {theme.safe(x)}, {theme.safe(each.y_title)} "
            f"{theme.safe(y)}:<br>{each.z[i, j]:.4g} ({int(each.n[i, j]):,} points)"
            for j, (_, x) in enumerate(each.x)
        ]
        for i, (_, y) in enumerate(each.y)
    ]
