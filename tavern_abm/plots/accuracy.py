"""How well beliefs tell cheats (ROC), and whether they mean what they say (calibration)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from ..accuracy import reliability, roc
from ..measures import auc
from . import theme

NOTHING = "There are not both cheats and honest people of whom anybody thinks anything."
MOST_POINTS = 400
"""Points of a curve; more could not be told apart."""
type Places = dict[str, tuple[list[float], list[float]]]

HEIGHT, TALL = 470, 840
WIDE: Places = {"x": ([0, 0.455], [0.545, 1]), "y": ([0, 1], [0, 1])}
NARROW: Places = {"x": ([0, 1], [0, 1]), "y": ([0.56, 1], [0, 0.4])}
CURVES = (
    ("the name people have", theme.BLUE, "solid"),
    ("single beliefs", theme.ORANGE, "dash"),
)


def plot_accuracy(pairs: pd.DataFrame, people: pd.DataFrame) -> go.Figure:
    """Draw the ROC curves and beside them what became of beliefs of each strength.

    Parameters
    ----------
    pairs : DataFrame
        ``belief`` and ``is_cheat``, as `tavern_abm.scores.scored_pairs` gives
        them.
    people : DataFrame
        ``reputation`` (nan for one of whom nobody thinks anything) and
        ``is_cheat``.

    Returns
    -------
    plotly.graph_objects.Figure
        Two panels, side by side; ``layout.meta["narrow"]`` has what puts them one
        above the other on a phone.
    """
    if pairs.empty or pairs["is_cheat"].nunique() < 2:
        return theme.empty(NOTHING)
    figure = make_subplots(rows=1, cols=2)
    known = ((people["reputation"], people["is_cheat"]), (pairs["belief"], pairs["is_cheat"]))
    for (score, label), (name, colour, dash) in zip(known, CURVES, strict=True):
        figure.add_trace(_curve(score, label, name, colour, dash), 1, 1)
    figure.add_trace(_diagonal("guessing"), 1, 1)
    figure.add_trace(_diagonal("as it should be"), 1, 2)
    figure.add_trace(_bins(reliability(pairs["belief"], pairs["is_cheat"])), 1, 2)
    shares: dict[str, Any] = {
        "range": [-0.02, 1.02],
        "dtick": 0.25,
        "tickformat": ".0%",
        "tickangle": 0,
    }
    figure.update_xaxes(shares, zeroline=False)
    figure.update_yaxes(shares, zeroline=False)
    figure.update_xaxes(title_text="Honest people suspected", col=1)
    figure.update_yaxes(title_text="Cheats suspected", col=1)
    figure.update_xaxes(title_text="What is believed", col=2)
    figure.update_yaxes(title_text="What is true of them", col=2)
    meta = {"narrow": _placed(NARROW, TALL), "wide": _placed(WIDE, HEIGHT)}
    figure.update_layout({"xaxis.domain": WIDE["x"][0], "xaxis2.domain": WIDE["x"][1]})
    return theme.styled(figure, HEIGHT, meta=meta)


def _placed(domains: Places, height: int) -> dict[str, Any]:
    """What moves the two panels to these places."""
    return {"height": height} | {
        f"{axis}axis{number}.domain": domains[axis][at]
        for axis in "xy"
        for at, number in enumerate(("", "2"))
    }


def _curve(score: Any, label: Any, name: str, colour: str, dash: str) -> go.Scatter:
    fpr, tpr, _ = roc(score, label)
    chosen = np.unique(np.linspace(0, max(0, len(fpr) - 1), MOST_POINTS).astype(int))
    if not len(fpr):
        chosen = chosen[:0]
    area = auc(score, label)
    title = name if math.isnan(area) else f"{name}: area {area:.2f}"
    return go.Scatter(
        x=fpr[chosen].round(4).tolist(),
        y=tpr[chosen].round(4).tolist(),
        mode="lines",
        name=title,
        line={"width": 3, "color": colour, "dash": dash},
        hovertext=[
            f"{found:.0%} of cheats suspected,<br>{wrong:.0%} of the honest with them"
            for found, wrong in zip(tpr[chosen], fpr[chosen], strict=True)
        ],
        hoverinfo="text",
    )


def _diagonal(name: str) -> go.Scatter:
    return go.Scatter(
        x=[0, 1],
        y=[0, 1],
        mode="lines",
        name=name,
        showlegend=False,
        line={"width": 1.5, "color": theme.GREY, "dash": "dot"},
        hoverinfo="skip",
    )


def _bins(table: pd.DataFrame) -> go.Scatter:
    largest = max(1, int(table["pairs"].max()))
    return go.Scatter(
        x=table["believed"].round(4).tolist(),
        y=table["share"].round(4).tolist(),
        mode="lines+markers",
        name="beliefs, a tenth at a time",
        line={"width": 2, "color": theme.GREEN},
        marker={
            "symbol": "square",
            "opacity": 1,
            "size": [round(8 + 14 * math.sqrt(n / largest), 1) for n in table["pairs"]],
            "line": {"width": 1, "color": theme.INK},
        },
        hovertext=[
            f"{row['pairs']:,} beliefs at {row['low']:.0%} to {row['high']:.0%}:"
            f"<br>{row['share']:.1%} of them about a cheat"
            for row in table.to_dict("records")
        ],
        hoverinfo="text",
    )
