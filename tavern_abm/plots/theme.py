"""What all figures share: colours, type, and a second sign for those who see no colours."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from .. import coins

# The eight colours of M. Okabe and K. Ito, "Color Universal Design" (2008),
# less black and yellow, which vanish on a dark and on a light page.
BLUE = "#0072B2"
ORANGE = "#E69F00"
GREEN = "#009E73"
PURPLE = "#CC79A7"
SKY = "#56B4E9"
VERMILION = "#D55E00"
GREY = "#8a8580"
COLORWAY = [BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION]
PATTERNS = ["", "/", ".", "x", "\\", "-", "|"]
"""Second signs for as many kinds as there are colours, and grey."""

FONT = 'system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif'
INK = "#2b2622"
GRID = "#ddd5c8"
CLEAR = "rgba(0,0,0,0)"
LONGEST_NAME = 24

_AXIS = {
    "gridcolor": GRID,
    "linecolor": GRID,
    "zerolinecolor": GREY,
    "automargin": True,
    "title": {"standoff": 10},
}
TEMPLATE = go.layout.Template(
    layout={
        "font": {"family": FONT, "size": 14, "color": INK},
        "colorway": COLORWAY,
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        "xaxis": _AXIS,
        "yaxis": _AXIS,
        "margin": {"l": 10, "r": 16, "t": 16, "b": 10},
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        "hoverlabel": {"align": "left", "font": {"family": FONT, "size": 13}},
        "dragmode": False,
    }
)


def styled(figure: go.Figure, height: int, **layout: Any) -> go.Figure:
    """Give a figure the common look."""
    return figure.update_layout(template=TEMPLATE, height=height, **layout)


def empty(text: str) -> go.Figure:
    """Draw a figure that says why there is nothing to draw."""
    figure = go.Figure()
    figure.add_annotation(
        text=safe(text), x=0.5, y=0.5, xref="paper", yref="paper", showarrow=False
    )
    return styled(figure, 160, xaxis={"visible": False}, yaxis={"visible": False})


def bar(colour: str, pattern: str) -> dict[str, Any]:
    """How a bar is filled: white lines of a `pattern` ("" for none) over its colour."""
    lines = {"shape": pattern, "fillmode": "overlay", "fgcolor": "white", "fgopacity": 0.8}
    return {
        "color": colour,
        "line": {"width": 0},
        "pattern": lines | {"size": 6, "solidity": 0.25},
    }


def looks(number: int) -> dict[str, Any]:
    """How the bars of the kind `number` are filled: its colour and its pattern.

    Examples
    --------
    >>> looks(0)["color"] == looks(7)["color"] == BLUE
    True
    """
    place = number % len(PATTERNS)
    return bar([*COLORWAY, GREY][place], PATTERNS[place])


def game_title(game: str) -> str:
    """A game's name for people.

    Examples
    --------
    >>> game_title("arm-wrestling")
    'Arm Wrestling'
    """
    return game.replace("-", " ").title()


def safe(text: str) -> str:
    """Escape text for a figure, which reads some HTML in labels.

    Quotes stay as they are: plotly.js knows only a handful of entities, and
    theirs are not among them.
    """
    return html.escape(text, quote=False)


def short(name: str) -> str:
    """Shorten a name for an axis or a label, and escape it.

    Examples
    --------
    >>> short("Bertha <Big> Underhill of the Deep Hollow")
    'Bertha &lt;Big&gt; Underhill…'
    """
    if len(name) > LONGEST_NAME:
        name = name[: LONGEST_NAME - 1].rstrip() + "…"
    return safe(name)


def money(amounts_cp: Sequence[int]) -> list[str]:
    """Sums of money for hover texts."""
    return [coins.show(round(amount)) for amount in amounts_cp]


def short_sum(amount_cp: float) -> str:
    """Say a sum in few words: without coppers from 10 gp on, in gold alone from 100 gp on.

    Examples
    --------
    >>> short_sum(1_234_567), short_sum(1234), short_sum(6225), short_sum(9.7), short_sum(-99)
    ('12,346 gp', '12 gp 3 sp', '62 gp 3 sp', '1 sp', '-9 sp 9 cp')
    """
    if abs(amount_cp) < 10 * coins.CP_PER_GP:
        return coins.show(coins.rounded(amount_cp))
    coin = coins.CP_PER_SP if abs(amount_cp) < 100 * coins.CP_PER_GP else coins.CP_PER_GP
    return coins.show(coins.rounded(amount_cp, coin))


def bar_names(first_nights: Sequence[int], width: int, n_nights: int) -> list[str]:
    """What each bar covers, in words.

    Examples
    --------
    >>> bar_names([1, 8], 7, 10), bar_names([3], 1, 5)
    (['Nights 1–7', 'Nights 8–10'], ['Night 3'])
    """
    if width == 1:
        return [f"Night {night}" for night in first_nights]
    return [f"Nights {night}–{min(night + width - 1, n_nights)}" for night in first_nights]


def bar_places(
    first_nights: Sequence[int], width: int, n_nights: int, fills: float = 0.9
) -> dict[str, list[float]]:
    """Middle and width of each bar, so that it stands over the nights it covers.

    The last bar of a run is narrower if it covers fewer nights.

    Examples
    --------
    >>> bar_places([1, 8], 7, 10, fills=0.5)
    {'x': [4.0, 9.0], 'width': [3.5, 1.5]}
    """
    covered = [min(width, n_nights - first + 1) for first in first_nights]
    return {
        "x": [first + (n - 1) / 2 for first, n in zip(first_nights, covered, strict=True)],
        "width": [round(n * fills, 3) for n in covered],
    }


def night_axis(width: int, n_nights: int) -> dict[str, Any]:
    """Set out an axis of nights: a tick for each of a few, or round numbers."""
    title = "Night" if width == 1 else f"Night (one bar for {width} nights)"
    axis = {
        "title": {"text": title},
        "range": [0.5, n_nights + 0.5],
        "showgrid": False,
        "zeroline": False,
    }
    return axis | {"tick0": 0, "dtick": night_step(n_nights)}


def night_step(n_nights: int) -> int:
    """Nights between two ticks of an axis: a round number, for at most 10 ticks.

    Examples
    --------
    >>> [night_step(n) for n in (1, 10, 30, 60, 365, 3650)]
    [1, 1, 5, 10, 50, 500]
    """
    step = 1
    while n_nights > 10 * step:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    return step
