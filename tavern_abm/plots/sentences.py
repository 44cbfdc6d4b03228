"""Beatings and other sentences over time, just and unjust apart."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from .. import analysis
from . import theme

# Each kind has its name, its colour and its pattern.
LOOKS = {
    "warned": ("warned", theme.SKY, ""),
    "thrown_out": ("thrown out", theme.GREEN, "/"),
    "banned": ("banned", theme.ORANGE, "\\"),
    "beaten": ("beaten", theme.VERMILION, "x"),
    "killed": ("killed", theme.BLUE, "-"),
    "too_lucky": ("beaten for luck", theme.PURPLE, "."),
}
PANELS = ((True, "Just: on people who had cheated"), (False, "Unjust: on the innocent"))


def plot_sentences(sentences: pd.DataFrame, n_nights: int) -> go.Figure:
    """Draw stacked bars of sentences by night: the just above, the unjust below.

    Parameters
    ----------
    sentences : DataFrame
        As `tavern_abm.analysis.sentences_by_night` gives it.
    n_nights : int
        Nights of the run; a long run has a bar for each week or more.
    """
    if sentences.empty:
        return theme.empty("Nobody was sentenced.")
    width = analysis.nights_per_bar(n_nights)
    figure = make_subplots(
        rows=2,
        cols=1,
        shared_xaxes=True,
        shared_yaxes="all",
        vertical_spacing=0.14,
        subplot_titles=[title for _, title in PANELS],
    )
    for kind in analysis.SENTENCES:
        in_legend = True
        for row, (is_just, _) in enumerate(PANELS, start=1):
            chosen = sentences[(sentences["kind"] == kind) & (sentences["is_just"] == is_just)]
            if len(chosen):
                bars = _bars(chosen, kind, width, n_nights)
                figure.add_trace(bars.update(showlegend=in_legend), row=row, col=1)
                in_legend = False
    figure.update_annotations(x=0, xanchor="left", font_size=14)
    figure.update_yaxes(rangemode="tozero", range=[0, _tallest(sentences) * 1.08])
    figure.update_yaxes(**_whole_ticks(_tallest(sentences)))
    figure.update_yaxes(title_text="Sentences")
    figure.update_xaxes(theme.night_axis(width, n_nights))
    figure.update_xaxes(title_text="", row=1)
    return theme.styled(figure, 460, barmode="stack", bargap=0.15, legend_y=1.1)


def _bars(chosen: pd.DataFrame, kind: str, width: int, n_nights: int) -> go.Bar:
    name, colour, pattern = LOOKS[kind]
    nights = chosen["night"].tolist()
    spans = theme.bar_names(nights, width, n_nights)
    return go.Bar(
        **theme.bar_places(nights, width, n_nights),
        y=chosen["number"],
        name=name,
        legendgroup=kind,
        marker=theme.bar(colour, pattern),
        hovertext=[
            f"{span}: {number} {name}" for span, number in zip(spans, chosen["number"], strict=True)
        ],
        hoverinfo="text",
    )


def _tallest(sentences: pd.DataFrame) -> int:
    return int(sentences.groupby(["night", "is_just"])["number"].sum().max())


def _whole_ticks(tallest: int) -> dict[str, int]:
    return {"dtick": 1} if tallest <= 4 else {"nticks": 5}
