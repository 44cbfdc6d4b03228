"""What pages of HTML are made with: templates, styles and scripts, and data put into them."""

from __future__ import annotations

import json
from typing import Any

import plotly.graph_objects as go
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from plotly.offline import get_plotlyjs

from . import stories
from .shipped import shipped

__all__ = ["embedded", "embedded_figures", "environment", "part", "plotly_js"]


def environment() -> Environment:
    """Templates of the pages that ship: text is escaped, a name nobody gave is an error."""
    made = Environment(
        loader=FileSystemLoader(shipped("dashboards")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["times"] = stories.times
    return made


def part(*names: str) -> Markup:
    """Styles or scripts that ship, one after the other, to be put into a page.

    Parameters
    ----------
    *names : str
        Files under ``dashboards``, such as ``"report/page.css"``.
    """
    folder = shipped("dashboards")
    return Markup("\n".join((folder / name).read_text(encoding="utf-8") for name in names))


def embedded(value: Any) -> Markup:
    r"""JSON for a script element: no `<`, so that no text in it can end the element.

    Raises
    ------
    ValueError
        If a number in it is not finite.

    Examples
    --------
    >>> print(embedded({"name": "</script>"}))
    {"name":"\u003c/script>"}
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028"))


def embedded_figures(figures: dict[str, go.Figure]) -> Markup:
    """Figures by their id, as `figures.js` draws them."""
    return embedded(
        {name: json.loads(figure.to_json(engine="json")) for name, figure in figures.items()}
    )


def plotly_js() -> Markup:
    """The library that draws figures, to be put into a script element."""
    return Markup(get_plotlyjs().replace("</script", "<\\/script"))
