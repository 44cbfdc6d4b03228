"""How rich and how unequal people are, night by night."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from . import theme

_BANDS = (("p10", "p90", "the middle 80 %", 0.18), ("p25", "p75", "the middle half", 0.34))


def plot_wealth(bands: pd.DataFrame) -> go.Figure:
    """Draw the median purse between bands of quantiles, and the Gini coefficient below.

    Parameters
    ----------
    bands : DataFrame
        As `tavern_abm.analysis.wealth_bands` gives it; the quantiles in cp.

    Returns
    -------
    plotly.graph_objects.Figure
        Two panels over the same nights: gold pieces above, Gini below.
    """
    if bands.empty:
        return theme.empty("No purse was recorded.")
    figure = make_subplots(
        rows=2, cols=1, shared_xaxes=True, row_heights=[0.7, 0.3], vertical_spacing=0.06
    )
    for low, high, name, opacity in _BANDS:
        figure.add_traces(_band(bands, low, high, name, opacity), rows=1, cols=1)
    figure.add_trace(_median(bands), row=1, col=1)
    figure.add_trace(_gini(bands), row=2, col=1)
    figure.update_yaxes(title_text="Purse (gp)", rangemode="tozero", row=1)
    figure.update_yaxes(title_text="Gini", range=[0, 1], dtick=0.5, row=2)
    step = theme.night_step(int(bands["night"].max()))
    figure.update_xaxes(tick0=0, dtick=step, showgrid=False, zeroline=False)
    figure.update_xaxes(title_text="Night (0: before the first)", row=2)
    return theme.styled(figure, 460, hovermode="x", legend_traceorder="reversed")


def _band(bands: pd.DataFrame, low: str, high: str, name: str, opacity: float) -> list[go.Scatter]:
    red, green, blue = (int(theme.BLUE[i : i + 2], 16) for i in (1, 3, 5))
    edge = {
        "x": bands["night"],
        "mode": "lines",
        "line": {"width": 0.5, "color": theme.BLUE},
        "hoverinfo": "skip",
        "legendgroup": name,
    }
    fill = {"fill": "tonexty", "fillcolor": f"rgba({red},{green},{blue},{opacity})"}
    return [
        go.Scatter(y=bands[low] / 100, showlegend=False, **edge),
        go.Scatter(y=bands[high] / 100, name=name, **edge, **fill),
    ]


def _median(bands: pd.DataFrame) -> go.Scatter:
    columns = [theme.money(bands[column].tolist()) for column in ("median", "p25", "p75")]
    text = [
        f"Night {night}: half have less than {median}<br>the middle half has {low} to {high}"
        for night, median, low, high in zip(bands["night"], *columns, strict=True)
    ]
    return go.Scatter(
        x=bands["night"],
        y=bands["median"] / 100,
        name="median purse",
        mode="lines+markers" if len(bands) <= 45 else "lines",
        line={"width": 3, "color": theme.BLUE},
        marker={"size": 6},
        hovertext=text,
        hoverinfo="text",
    )


def _gini(bands: pd.DataFrame) -> go.Scatter:
    return go.Scatter(
        x=bands["night"],
        y=bands["gini"],
        name="Gini (inequality)",
        mode="lines+markers" if len(bands) <= 45 else "lines",
        line={"width": 2, "color": theme.VERMILION, "dash": "dash"},
        marker={"symbol": "square", "size": 5},
        hovertext=[f"Gini {gini:.2f}" for gini in bands["gini"]],
        hoverinfo="text",
    )
