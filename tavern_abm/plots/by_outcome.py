"""What the figures of a sweep share: one view an outcome, and panels that fit a phone."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import plotly.graph_objects as go

from . import theme

PLAIN_UNITS = ("", "count", "0 to 1", "per 100")
"""Units that an axis need not name."""
NAMES = ("Gini", "Theil", "Brier")
"""Words that a title may begin with and that keep their capital."""


class Outcome(NamedTuple):
    """An outcome of a sweep, for people.

    Attributes
    ----------
    title : str
        What it is called.
    unit : str
        Of its axis; may be empty.
    """

    title: str
    unit: str = ""

    @property
    def with_unit(self) -> str:
        """The title with its unit, if that says anything.

        Examples
        --------
        >>> Outcome("Profit of the houses", "cp").with_unit, Outcome("Rounds", "count").with_unit
        ('Profit of the houses (cp)', 'Rounds')
        """
        return self.title if self.unit in PLAIN_UNITS else f"{self.title} ({self.unit})"

    @property
    def axis(self) -> str:
        """The same as the title of an axis, escaped."""
        return theme.safe(self.with_unit)

    @property
    def inside(self) -> str:
        """The title within a sentence, or a longer title.

        Examples
        --------
        >>> Outcome("Cheating rate").inside, Outcome("Gini of purses").inside
        ('cheating rate', 'Gini of purses')
        """
        first = self.title.split(" ", 1)[0]
        is_name = first in NAMES or first[1:] != first[1:].lower()
        return self.title if is_name else self.title[:1].lower() + self.title[1:]


class View(NamedTuple):
    """What a figure shows of one outcome.

    Attributes
    ----------
    outcome : Outcome
        Which one.
    traces : list
        Its traces.
    layout : dict
        What it changes in the layout, by dotted path.
    note : str
        What it shows, in a sentence or two.
    """

    outcome: Outcome
    traces: list[Any]
    layout: dict[str, Any]
    note: str = ""


def with_views(figure: go.Figure, views: Sequence[View]) -> go.Figure:
    """Put the views into a figure: the first is seen, the others are there to be chosen.

    The traces of view `i` have ``meta["view"] == i``; ``layout.meta["views"]`` has the title,
    note and layout of each.
    """
    for number, view in enumerate(views):
        for trace in view.traces:
            figure.add_trace(trace.update(meta={"view": number}, visible=number == 0))
    told = [
        {"title": view.outcome.title, "note": view.note, "layout": view.layout} for view in views
    ]
    meta = dict(figure.layout.meta or {}) | {"views": told, "choose": "Outcome"}
    return figure.update_layout(meta=meta).update_layout(views[0].layout)


def titled(figure: go.Figure) -> go.Figure:
    """Say in the figure itself of which outcome it is, where no axis does."""
    looks = {"x": 0, "xanchor": "left", "yref": "container", "automargin": True}
    figure.update_layout(title=looks | {"font": {"size": 15}})
    for view in figure.layout.meta["views"]:
        view["layout"]["title.text"] = theme.safe(view["title"])
    return figure.update_layout(title_text=figure.layout.meta["views"][0]["layout"]["title.text"])


class Places(NamedTuple):
    """Where the panels of a figure stand: their axes' domains, and how tall the figure is."""

    x: list[tuple[float, float]]
    y: list[tuple[float, float]]
    height: int


GAP_PX, EDGES_PX = 74, 60
"""Heights in pixels: between two rows of panels, and above and below all."""


def places(n: int, columns: int, panel: int, gap: float = 0.06, between: int = GAP_PX) -> Places:
    """Set out `n` panels in rows of `columns`, each `panel` pixels tall.

    `gap` is the room between two columns, a share of the width; `between` that between two
    rows in pixels.

    Examples
    --------
    >>> places(1, 3, 300).x
    [(0.0, 1.0)]
    >>> [round(low, 2) for low, _ in places(3, 2, 300).y]
    [0.55, 0.55, 0.0]
    """
    columns = min(n, columns)
    rows = -(-n // columns)
    width = (1 - gap * (columns - 1)) / columns
    inside = rows * panel + (rows - 1) * between
    x = [(i % columns) * (width + gap) for i in range(n)]
    top = [1 - (i // columns) * (panel + between) / inside for i in range(n)]
    return Places(
        [(round(left, 4), round(min(1.0, left + width), 4)) for left in x],
        [(round(max(0.0, high - panel / inside), 4), round(high, 4)) for high in top],
        inside + EDGES_PX,
    )


def axis_name(letter: str, number: int) -> str:
    """The name of an axis in a layout, counted from 0.

    Examples
    --------
    >>> axis_name("x", 0), axis_name("y", 2)
    ('xaxis', 'yaxis3')
    """
    return f"{letter}axis" + ("" if number == 0 else str(number + 1))


def axis_of(letter: str, number: int) -> str:
    """The same as a trace names it."""
    return letter + ("" if number == 0 else str(number + 1))


def put(figure: go.Figure, wide: Places, narrow: Places, **more: Any) -> go.Figure:
    """Place the panels, and say how they stand on a phone."""
    made = {name: _moved(each) for name, each in (("wide", wide), ("narrow", narrow))}
    for number in range(len(wide.x)):
        figure.update_layout(
            {axis_name("x", number): {"anchor": axis_of("y", number), "domain": wide.x[number]},
             axis_name("y", number): {"anchor": axis_of("x", number), "domain": wide.y[number]}}
        )  # fmt: skip
    return theme.styled(figure, wide.height, meta=dict(figure.layout.meta or {}) | made, **more)


def _moved(to: Places) -> dict[str, Any]:
    change: dict[str, Any] = {"height": to.height}
    for letter, domains in (("x", to.x), ("y", to.y)):
        for number, domain in enumerate(domains):
            change[f"{axis_name(letter, number)}.domain"] = list(domain)
    return change


def error_bars(values: Iterable[float], low: Iterable[float], high: Iterable[float]) -> Any:
    """Whiskers from `low` to `high` around values; none where a bound is not known."""
    rows = list(zip(values, low, high, strict=True))
    known = [a == a and b == b for _, a, b in rows]
    if not any(known):
        return None
    return {
        "type": "data",
        "symmetric": False,
        "array": [b - v if k else 0 for (v, _, b), k in zip(rows, known, strict=True)],
        "arrayminus": [v - a if k else 0 for (v, a, _), k in zip(rows, known, strict=True)],
        "thickness": 1.5,
        "width": 4,
    }


def in_lines(text: str, width: int = 20, most: int = 2) -> str:
    """A name broken into lines, shortened if it takes too many, and escaped.

    Examples
    --------
    >>> in_lines("Convictions that are right")
    'Convictions that are<br>right'
    """
    lines = textwrap.wrap(text, width, max_lines=most, placeholder="…") or [""]
    return "<br>".join(map(theme.safe, lines))


def interval(value: float, low: float, high: float) -> str:
    """An estimate with its interval, for a hover text.

    Examples
    --------
    >>> interval(0.2134, 0.1981, 0.2287), interval(5.0, float("nan"), float("nan"))
    ('0.2134 (0.1981 to 0.2287)', '5')
    """
    if low != low or high != high:
        return f"{value:.4g}"
    return f"{value:.4g} ({low:.4g} to {high:.4g})"
