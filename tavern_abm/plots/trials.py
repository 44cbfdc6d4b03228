"""What judges believed of the accused, and what they made of it: cheats and others apart."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from . import theme

LOOKS = {
    "convicted": ("found guilty", theme.VERMILION, "x"),
    "cleared": ("cleared", theme.SKY, ""),
}
PANELS = ((True, "Accused who had cheated"), (False, "Accused who had not"))
NOTHING = "No table voted on anybody."


def plot_trials(verdicts: pd.DataFrame) -> go.Figure:
    """Draw verdicts by what the judges believed on average: cheats above, the innocent below.

    Parameters
    ----------
    verdicts : DataFrame
        As `tavern_abm.analysis.verdicts_by_belief` gives it.

    Returns
    -------
    plotly.graph_objects.Figure
        Two panels over the same scale of belief, of stacked bars.
    """
    if verdicts.empty:
        return theme.empty(NOTHING)
    figure = make_subplots(
        rows=2,
        cols=1,
        shared_xaxes=True,
        shared_yaxes="all",
        vertical_spacing=0.16,
        subplot_titles=[title for _, title in PANELS],
    )
    for verdict in LOOKS:
        in_legend = True
        for row, (is_cheat, _) in enumerate(PANELS, start=1):
            chosen = verdicts[(verdicts["verdict"] == verdict) & (verdicts["is_cheat"] == is_cheat)]
            if len(chosen):
                figure.add_trace(_bars(chosen, verdict).update(showlegend=in_legend), row, 1)
                in_legend = False
    tallest = int(verdicts.groupby(["is_cheat", "low"])["number"].sum().max())
    figure.update_annotations(x=0, xanchor="left", font_size=14)
    figure.update_yaxes(title_text="Trials", range=[0, tallest * 1.08])
    figure.update_yaxes(**({"dtick": 1} if tallest <= 4 else {"nticks": 5}))
    figure.update_xaxes(range=[0, 1], dtick=0.2, tickformat=".0%", showgrid=False, zeroline=False)
    figure.add_vline(0.5, line={"color": theme.GREY, "dash": "dot", "width": 2})
    figure.update_xaxes(title_text="Mean belief of the judges", row=2)
    return theme.styled(figure, 460, barmode="stack", bargap=0.12, legend_y=1.1)


def _bars(chosen: pd.DataFrame, verdict: str) -> go.Bar:
    name, colour, pattern = LOOKS[verdict]
    middle = (chosen["low"] + chosen["high"]) / 2
    return go.Bar(
        x=middle.round(6).tolist(),
        y=chosen["number"].tolist(),
        width=((chosen["high"] - chosen["low"]) * 0.9).round(6).tolist(),
        name=name,
        legendgroup=verdict,
        marker=theme.bar(colour, pattern),
        hovertext=[
            f"judges at {low:.0%} to {high:.0%}: {number} {name}"
            for low, high, number in zip(
                chosen["low"], chosen["high"], chosen["number"], strict=True
            )
        ],
        hoverinfo="text",
    )
