"""What the houses of each district take, night by night."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from .. import analysis, coins
from . import theme
from .houses import names_of_districts

NOTHING = "No house took a coin."


def plot_districts(by_night: pd.DataFrame, n_nights: int) -> go.Figure:
    """Draw bars of takings, one district on top of the other, the greatest lowest.

    Parameters
    ----------
    by_night : DataFrame
        ``night``, ``district`` and ``takings_cp``, a row for each night and district.
    n_nights : int
        Nights of the run; a long run has a bar for each week or more.
    """
    if not by_night["takings_cp"].any():
        return theme.empty(NOTHING)
    width = analysis.nights_per_bar(n_nights)
    names = _names(by_night)
    bars = by_night.assign(
        night=(by_night["night"] - 1) // width * width + 1, name=by_night["district"].map(names)
    )
    sums = bars.groupby(["name", "night"])["takings_cp"].sum()
    figure = go.Figure()
    for number, name in enumerate(dict.fromkeys(names.values())):
        figure.add_trace(_bars(sums.loc[name], name, number, width, n_nights))
    figure.update_xaxes(theme.night_axis(width, n_nights))
    figure.update_yaxes(title_text="Takings (gp)", rangemode="tozero", nticks=6)
    return theme.styled(figure, 380, barmode="stack", legend_traceorder="normal")


def _names(by_night: pd.DataFrame) -> dict[str, str]:
    """What each district is called, the one that takes most first; the smallest as one."""
    sums = by_night.groupby("district", sort=False)["takings_cp"].sum()
    order = [str(each) for each in sums.sort_values(ascending=False, kind="stable").index]
    return names_of_districts(order)


def _bars(sums: pd.Series[int], name: str, number: int, width: int, n_nights: int) -> go.Bar:
    nights = [int(str(night)) for night in sums.index]
    spans = theme.bar_names(nights, width, n_nights)
    return go.Bar(
        **theme.bar_places(nights, width, n_nights),
        y=(sums / coins.CP_PER_GP).tolist(),
        name=name,
        marker=theme.looks(number),
        hovertext=[
            f"{span}, {name}: {coins.show(taken)}"
            for span, taken in zip(spans, sums.tolist(), strict=True)
        ],
        hoverinfo="text",
    )
