"""Which factor moves which outcome, all of them at a glance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from . import theme
from .by_outcome import in_lines

ROW, EDGES = 40, 120
SCALE = [[0.0, "#ffffff"], [1.0, theme.BLUE]]
DARK = 0.55


def plot_what_moves_what(
    outcomes: Sequence[str], factors: Sequence[str], table: NDArray[np.float64], of: str
) -> go.Figure:
    """Draw a map of outcomes by factors, the darker the more the factor matters.

    Parameters
    ----------
    outcomes, factors : sequence of str
        Rows and columns, for people.
    table : array of float, shape (outcomes, factors)
        0 for nothing to 1 for all; NaN where it is not known.
    of : str
        What the numbers are.
    """
    names, columns = [in_lines(each, 26) for each in outcomes], [in_lines(f, 14) for f in factors]
    z = [[None if v != v else min(max(float(v), 0.0), 1.0) for v in row] for row in table]
    figure = go.Figure(
        go.Heatmap(
            x=list(range(len(factors))),
            y=list(range(len(outcomes))),
            z=z,
            zmin=0,
            zmax=1,
            colorscale=SCALE,
            showscale=False,
            xgap=3,
            ygap=3,
            hovertext=[
                [f"{outcome} by {factor}: {of} {'–' if v is None else f'{v:.2f}'}"
                 for factor, v in zip(columns, row, strict=True)]
                for outcome, row in zip(names, z, strict=True)
            ],
            hoverinfo="text",
        )
    )  # fmt: skip
    for i, row in enumerate(z):
        for j, value in enumerate(row):
            figure.add_annotation(
                x=j, y=i, showarrow=False, text="–" if value is None else f"{value:.2f}",
                font=None if value is None else {"color": _ink(value)},
            )  # fmt: skip
    axis = {"showgrid": False, "zeroline": False}
    figure.update_xaxes(
        tickvals=list(range(len(columns))), ticktext=columns, side="top", tickangle=0, **axis
    )
    figure.update_yaxes(
        tickvals=list(range(len(names))), ticktext=names, autorange="reversed",
        ticksuffix=" ", **axis,
    )  # fmt: skip
    return theme.styled(figure, EDGES + ROW * len(outcomes), hovermode="closest")


def _ink(value: float) -> str:
    return "white" if value >= DARK else theme.INK
