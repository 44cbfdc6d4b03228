"""Who learned a story from whom: a tree from those who saw it to the last who heard."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from . import theme

# The truth of a version: colour and sign; hollow where it was not believed.
TRUTHS = {
    "true": (theme.BLUE, "circle"),
    "partly true": (theme.ORANGE, "square"),
    "wrong person": (theme.PURPLE, "diamond"),
    "false": (theme.VERMILION, "triangle-up"),
}
NOTHING = "No story was told on."
LEAF, LEAST, MOST = 15, 300, 1500
"""Heights in pixels: of a leaf, and of a figure at least and at most."""
STEP, EVENING = 0.3, 0.9
"""Nights between somebody and whom he told it to on the same evening, and of a whole evening."""


@dataclass(frozen=True)
class Tree:
    """A story to draw.

    Attributes
    ----------
    title : str
        For the list to choose from.
    note : str
        What happened, and how far it went.
    nodes : DataFrame
        As `tavern_abm.rumor_trees.tree` gives it, with ``name`` and ``truth``
        (of the version as he knows it) and ``hover`` (text, escaped).
    """

    title: str
    note: str
    nodes: pd.DataFrame


def plot_rumor_trees(trees: Sequence[Tree]) -> go.Figure:
    """Draw the first of some trees; the others are hidden, to be chosen.

    From left to right run the nights. A line leads from each teller to those who
    first heard it from him; the sign is what the version told was in truth.

    Parameters
    ----------
    trees : sequence of Tree
        At least one with anybody in it.

    Returns
    -------
    plotly.graph_objects.Figure
        ``layout.meta["views"]`` has the title, note and layout of each tree, in
        order; the traces of tree `i` have ``meta["view"] == i``.
    """
    if not trees:
        return theme.empty(NOTHING)
    figure = go.Figure()
    views: list[dict[str, Any]] = []
    for number, each in enumerate(trees):
        nodes = each.nodes.assign(x=_nights(each.nodes))
        traces = [_lines(nodes), *_signs(nodes), _names(nodes)]
        figure.add_traces(
            [trace.update(meta={"view": number}, visible=number == 0) for trace in traces]
        )
        views.append({"title": each.title, "note": each.note, "layout": _layout(nodes)})
    figure.update_yaxes(visible=False)
    figure.update_xaxes(title_text="Night", showgrid=True, zeroline=False)
    meta = {"views": views, "choose": "Which story?"}
    figure.update_layout(views[0]["layout"])
    return theme.styled(figure, views[0]["layout"]["height"], meta=meta, hovermode="closest")


def _nights(nodes: pd.DataFrame) -> list[float]:
    """Where each stands: at the night he heard, a step on from who told him that evening."""
    places: list[float] = []
    for night, parent in zip(nodes["night"].tolist(), nodes["parent"].tolist(), strict=True):
        if parent < 0:
            places.append(night - 0.45)
        else:
            places.append(round(max(float(night), min(places[parent] + STEP, night + EVENING)), 3))
    return places


def _layout(nodes: pd.DataFrame) -> dict[str, Any]:
    first, last = float(nodes["x"].min()), float(nodes["x"].max())
    width, lowest = max(1.0, last - first), float(nodes["y"].max())
    height = 110 + LEAF * (lowest + 2)
    begins = math.ceil(first)
    step = theme.night_step(int(last) - begins + 1)
    return {
        "height": int(min(MOST, max(LEAST, height))),
        "xaxis.range": [round(first - 0.05 * width, 2), round(last + 0.05 * width, 2)],
        "xaxis.tickvals": [n for n in range(begins, int(last) + 1) if n % step == 0],
        "yaxis.range": [lowest + 1, -1.5],
    }


def _lines(nodes: pd.DataFrame) -> go.Scatter:
    x: list[float | None] = []
    y: list[float | None] = []
    places = list(zip(nodes["x"].tolist(), nodes["y"].tolist(), strict=True))
    for (here, height), parent in zip(places, nodes["parent"].tolist(), strict=True):
        if parent >= 0:
            x += [places[parent][0], places[parent][0], here, None]
            y += [places[parent][1], height, height, None]
    return go.Scatter(
        x=x,
        y=y,
        mode="lines",
        name="told",
        showlegend=False,
        line={"color": theme.GREY, "width": 1.2},
        hoverinfo="skip",
    )


def _signs(nodes: pd.DataFrame) -> list[go.Scatter]:
    traces = []
    for truth, (colour, sign) in TRUTHS.items():
        chosen = nodes[nodes["truth"] == truth]
        if len(chosen):
            symbols = [sign if held else f"{sign}-open" for held in chosen["believed"]]
            traces.append(
                go.Scatter(
                    x=chosen["x"].tolist(),
                    y=chosen["y"].tolist(),
                    mode="markers",
                    name=truth,
                    marker={
                        "color": colour,
                        "opacity": 1,
                        "symbol": symbols,
                        "size": [13 if parent < 0 else 10 for parent in chosen["parent"]],
                        "line": {"width": 2, "color": colour},
                    },
                    hovertext=chosen["hover"].tolist(),
                    hoverinfo="text",
                )
            )
    return traces


def _names(nodes: pd.DataFrame) -> go.Scatter:
    """Names of the sources alone: of the others there are too many."""
    sources = nodes[nodes["parent"] < 0]
    return go.Scatter(
        x=sources["x"].tolist(),
        y=sources["y"].tolist(),
        mode="text",
        name="sources",
        text=[f"\u2002{theme.short(name)}" for name in sources["name"]],
        textposition="top right",
        textfont={"size": 12},
        hoverinfo="skip",
        showlegend=False,
    )
