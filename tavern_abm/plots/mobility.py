"""Who rises and who falls: fifths of the purses at the start against those at the end."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from . import theme

NOTHING = "Too few people were here both at the start and at the end."
NAMES = {1: "poorest fifth", 2: "second", 3: "middle", 4: "fourth", 5: "richest fifth"}
_SHADES = [[0.0, "#ffffff"], [1.0, theme.BLUE]]
DARK = 0.5
"""From this share on a cell is so dark that its number is white."""


def plot_mobility(matrix: pd.DataFrame) -> go.Figure:
    """Draw a map of where the people of each fifth of purses are at the end.

    Parameters
    ----------
    matrix : DataFrame, shape (5, 5)
        As `TownBooks.mobility`: of those who began in the fifth of the row (1 the
        poorest), the share that ended in the fifth of the column; nan in a row of
        nobody, which stays blank.
    """
    if matrix.isna().all(axis=None):
        return theme.empty(NOTHING)
    shares = matrix.sort_index()
    figure = go.Figure(
        go.Heatmap(
            x=[NAMES[int(str(each))] for each in shares.columns],
            y=[NAMES[int(str(each))] for each in shares.index],
            z=[[None if pd.isna(each) else each for each in row] for row in shares.to_numpy()],
            zmin=0,
            zmax=1,
            colorscale=_SHADES,
            showscale=False,
            xgap=2,
            ygap=2,
            hovertext=[[*_told(row, shares)] for row in shares.index],
            hoverinfo="text",
        )
    )
    for row in map(int, shares.index):
        for column in map(int, shares.columns):
            figure.add_annotation(**_number(row, column, float(str(shares.loc[row, column]))))
    figure.update_xaxes(title_text="At the end", showgrid=False)
    figure.update_yaxes(title_text="At the start", showgrid=False)
    return theme.styled(figure, 400, hovermode="closest", margin_t=34)


def _told(row: int, shares: pd.DataFrame) -> list[str]:
    return [
        f"Of the {NAMES[row]} at the start, {share:.0%} were in the "
        f"{NAMES[int(str(column))]} at the end"
        for column, share in shares.loc[row].items()
    ]


def _number(row: int, column: int, share: float) -> dict[str, object]:
    return {
        "x": NAMES[column],
        "y": NAMES[row],
        "text": "" if pd.isna(share) else f"{share:.0%}",
        "showarrow": False,
        "font": {"color": "white" if share >= DARK else theme.INK},
    }
