"""Who suspects whom."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from .. import analysis
from ..circles import circles
from . import theme

LAYOUT_SEED = 7
MIDDLE = -1
TIE = 0.15
# Beliefs from, up to, their name, and colour, width and dash of their lines.
LINES = (
    (0.5, 0.75, "suspects", theme.GREY, 0.7, "dot"),
    (0.75, 0.95, "is fairly sure", theme.ORANGE, 1.0, "dash"),
    (0.95, 1.01, "is certain", theme.VERMILION, 1.2, "solid"),
)
# The truth about a person: colour, sign, size of its outline.
TRUTHS = {
    "honest": (theme.SKY, "circle", 1),
    "would cheat, never tried": (theme.ORANGE, "diamond-tall", 1),
    "a cheat": (theme.VERMILION, "diamond", 2),
    "a player": (theme.GREEN, "star", 1),
}
# From a good name to a bad one.
NAMES = [[0.0, "#fbe3b5"], [0.5, "#e08a3c"], [1.0, "#7a1f02"]]
MOST_CIRCLES, LEAST_IN_A_CIRCLE = 6, 3
"""Circles with a colour of their own, and how many people it takes."""
VIEWS = ("what they are in truth", "the circles they fall into", "the name they have")
"""What the colours of the signs can show."""
HEIGHT = 620
PIXEL = 2.24 / (HEIGHT - 90)
"""About the height of a pixel in the units of the layout."""
MOST_NAMES = 24
# Room that a label takes on a figure of a desk and of a phone, as shares of the
# figure's width and height: of one letter, and of a line.
DESK = (0.0095, 0.045)
PHONE = (0.025, 0.05)


def plot_network(people: pd.DataFrame, edges: pd.DataFrame) -> go.Figure:
    """Draw people as signs and suspicions as lines.

    The layout is a spring layout from a fixed start, so that the same data give
    the same picture. Size says how many suspect a person, the sign what he is in
    truth. The greatest suspects are named where names do not run into each other.

    Parameters
    ----------
    people : DataFrame
        One row per node: ``patron_id``, ``name``, ``is_cheat_kind``,
        ``is_cheat``, ``is_player``, ``notoriety`` (how many suspect him),
        ``reputation`` (mean belief; nan where nobody holds one).
    edges : DataFrame
        ``observer_id`` suspects ``subject_id`` with ``belief`` (0 to 1); both
        are nodes. Beliefs of 0.5 and less are not drawn.

    Returns
    -------
    plotly.graph_objects.Figure
        Traces: one for each class of belief; people, once for each of `VIEWS`
        (``meta["view"]`` is its number, ``customdata`` the patron_id), of which
        the first is shown; the names for a desk and those for a phone, which are
        hidden.
    """
    edges = analysis.suspects(edges)
    if edges.empty or people.empty:
        return theme.empty("Nobody suspects anybody.")
    people = people.sort_values("patron_id").reset_index(drop=True)
    place = layout(people["patron_id"].tolist(), edges)
    people = people.assign(
        x=[place[each][0] for each in people["patron_id"]],
        y=[place[each][1] for each in people["patron_id"]],
        truth=[truth(row) for row in people.to_dict("records")],
        circle=people["patron_id"].map(circles(edges)).fillna(0).astype(int),
    )
    people = people.assign(hover=[_about(row) for row in people.to_dict("records")])
    figure = go.Figure(_lines(edges, place))
    for view, traces in enumerate((_truths(people), _circles(people), _reputations(people))):
        figure.add_traces([each.update(meta={"view": view}, visible=view == 0) for each in traces])
    figure.add_trace(_names(people, "names", *DESK))
    figure.add_trace(_names(people, "names on a phone", *PHONE).update(visible=False))
    hidden: dict[str, Any] = {"visible": False, "range": [-1.12, 1.12]}
    return theme.styled(
        figure,
        HEIGHT,
        xaxis=hidden,
        yaxis=hidden,
        hovermode="closest",
        legend_itemsizing="constant",
        meta={"views": [{"title": title} for title in VIEWS], "choose": "Colours show"},
    )


def layout(ids: Sequence[int], edges: pd.DataFrame) -> dict[int, tuple[float, float]]:
    """Place people within -1 to 1, those who suspect each other near each other.

    Everybody is tied weakly to the middle, or the few who have to do with nobody
    else would drift far off and leave the crowd no room.
    """
    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from((each, MIDDLE, TIE) for each in ids)
    for observer, subject, belief in _triples(edges):
        before = graph.get_edge_data(observer, subject, {"weight": 0.0})["weight"]
        graph.add_edge(observer, subject, weight=before + belief)
    gap = 3 / max(1.0, len(ids)) ** 0.5
    placed = nx.spring_layout(graph, seed=LAYOUT_SEED, k=gap, iterations=200, method="force")
    points = _spread(np.array([placed[each] for each in ids]))
    # The last bits of a layout may differ from machine to machine.
    rounded = [(round(float(x), 3), round(float(y), 3)) for x, y in points]
    return dict(zip(ids, rounded, strict=True))


def _spread(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Stretch to -1 to 1 and thin out the crowd: halfway to evenly spaced ranks."""
    n = len(points)
    if n == 1:
        return np.zeros_like(points)
    widest = np.abs(points).max(axis=0)
    stretched = points / np.where(widest > 0, widest, 1)
    ranks = points.argsort(axis=0, kind="stable").argsort(axis=0, kind="stable")
    even: NDArray[np.float64] = 2 * ranks / (n - 1) - 1
    return (stretched + even) / 2


def truth(person: dict[Any, Any]) -> str:
    """Say what a person is in truth: a key of `TRUTHS`."""
    if person["is_player"]:
        return "a player"
    if person["is_cheat"]:
        return "a cheat"
    return "would cheat, never tried" if person["is_cheat_kind"] else "honest"


def _triples(edges: pd.DataFrame) -> list[tuple[int, int, float]]:
    columns = (edges[name].tolist() for name in ("observer_id", "subject_id", "belief"))
    return list(zip(*columns, strict=True))


def _lines(edges: pd.DataFrame, place: dict[int, tuple[float, float]]) -> list[go.Scatter]:
    traces = []
    for low, high, name, colour, width, dash in LINES:
        chosen = edges[(edges["belief"] > low) & (edges["belief"] <= high)]
        x: list[float | None] = []
        y: list[float | None] = []
        for observer, subject, _ in _triples(chosen):
            x += [place[observer][0], place[subject][0], None]
            y += [place[observer][1], place[subject][1], None]
        traces.append(
            go.Scatter(
                x=x,
                y=y,
                mode="lines",
                name=name,
                line={"color": colour, "width": width, "dash": dash},
                opacity=0.7,
                hoverinfo="skip",
                showlegend=bool(x),
            )
        )
    return traces


def _about(person: dict[Any, Any]) -> str:
    name = "–" if pd.isna(person["reputation"]) else f"{person['reputation']:.0%}"
    return (
        f"<b>{theme.safe(person['name'])}</b><br>{person['truth']}<br>"
        f"suspected by {person['notoriety'] or 'nobody'}; mean belief {name}<br>"
        f"circle {person['circle']}"
    )


def _truths(people: pd.DataFrame) -> list[go.Scatter]:
    """A trace for each truth, whoever is of it or not, in its colour and with its sign."""
    return [
        _signs(people[people["truth"] == name], name, color=colour)
        for name, (colour, *_) in TRUTHS.items()
    ]


def _circles(people: pd.DataFrame) -> list[go.Scatter]:
    """A trace for each of the largest circles, and one for all the rest."""
    sizes = people["circle"].value_counts()
    large = sorted(int(str(n)) for n, size in sizes.items() if size >= LEAST_IN_A_CIRCLE)
    chosen = large[:MOST_CIRCLES]
    traces = [
        _signs(people[people["circle"] == number], f"circle {number}", color=colour)
        for number, colour in zip(chosen, theme.COLORWAY, strict=False)
    ]
    rest = people[~people["circle"].isin(chosen)]
    return [*traces, _signs(rest, "smaller circles", color=theme.GREY)]


def _reputations(people: pd.DataFrame) -> list[go.Scatter]:
    """All in one trace, the darker the worse the name."""
    bar = {
        "orientation": "h",
        "y": -0.02,
        "yanchor": "top",
        "thickness": 12,
        "len": 0.7,
        "tickformat": ".0%",
        "title": {"text": "Mean belief of those with an opinion", "side": "top"},
    }
    scale = {"cmin": 0, "cmax": 1, "colorscale": NAMES, "showscale": True, "colorbar": bar}
    shades = people["reputation"].astype(float).fillna(0.0).round(4).tolist()
    return [_signs(people, "the name they have", color=shades, **scale).update(showlegend=False)]


def _signs(chosen: pd.DataFrame, name: str, **marker: Any) -> go.Scatter:
    """Some people; shape, size and outline always tell the truth and the notoriety."""
    looks = [TRUTHS[each] for each in chosen["truth"]]
    symbols, outlines = [sign for _, sign, _ in looks], [width for *_, width in looks]
    return go.Scatter(
        x=chosen["x"].tolist(),
        y=chosen["y"].tolist(),
        mode="markers",
        name=name,
        customdata=chosen["patron_id"].tolist(),
        marker={
            "symbol": symbols,
            "size": [_size(each) for each in chosen["notoriety"]],
            "opacity": 1,
            "line": {"width": outlines, "color": theme.INK},
            **marker,
        },
        hovertext=chosen["hover"].tolist(),
        hoverinfo="text",
        showlegend=len(chosen) > 0,
    )


def _size(notoriety: int) -> float:
    """Diameter in pixels: the area grows with the number of those who suspect."""
    return round(min(34.0, 9 + 3 * math.sqrt(notoriety)), 1)


def _names(people: pd.DataFrame, name: str, letter: float, line: float) -> go.Scatter:
    suspected = people[people["notoriety"] > 0]
    order = suspected.sort_values(["notoriety", "patron_id"], ascending=[False, True])
    chosen = order.loc[_without_overlap(order, letter * 2.24, line * 2.24)]
    above = [
        y + _size(n) * PIXEL / 2 for y, n in zip(chosen["y"], chosen["notoriety"], strict=True)
    ]
    return go.Scatter(
        x=chosen["x"].tolist(),
        y=above,
        mode="text",
        name=name,
        text=[theme.short(each) for each in chosen["name"]],
        textposition="top center",
        textfont={"size": 12},
        hoverinfo="skip",
        showlegend=False,
    )


def _without_overlap(order: pd.DataFrame, letter: float, line: float) -> list[int]:
    """Choose from the top of `order` the labels that do not touch one chosen before."""
    chosen: list[int] = []
    boxes: list[tuple[float, float, float]] = []
    for index, row in order.iterrows():
        half = min(len(str(row["name"])), theme.LONGEST_NAME) * letter / 2
        x, y = float(row["x"]), float(row["y"])
        inside = abs(x) + half <= 1.12 and y + 1.5 * line <= 1.12
        clear = all(abs(x - a) > half + b or abs(y - c) > line for a, b, c in boxes)
        if inside and clear and len(chosen) < MOST_NAMES:
            chosen.append(int(str(index)))
            boxes.append((x, half, y))
    return chosen
