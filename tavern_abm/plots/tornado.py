"""How far each factor of a sweep moves an outcome: the widest bar on top."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from . import theme
from .by_outcome import Outcome, View, in_lines, interval, with_views

NOTHING = "Nothing varies in this sweep."
BAR, EDGES = 44, 100
LONGEST_END = 14
LETTERS_ACROSS, MOST_FOR_WORDS = 27, 0.32
"""Letters that a bar's place on a phone has room for; share of it for words at either end."""


def plot_tornado(
    outcomes: Sequence[Outcome],
    swings: Sequence[pd.DataFrame],
    middles: Sequence[float],
    notes: Sequence[str] = (),
    *,
    is_change: bool = False,
) -> go.Figure:
    """Draw a bar a factor, from the lowest mean of the outcome to the highest.

    Parameters
    ----------
    outcomes : sequence of Outcome
        A view each.
    swings : sequence of DataFrame
        For each outcome as `tavern_abm.sweeps.sensitivities.effects.swings` gives it, with
        ``title`` (the factor for people).
    middles : sequence of float
        The mean of each outcome over all points: where the bars part.
    notes : sequence of str
        What each view shows.
    is_change : bool, default False
        Whether the ends are told as changes from the mean of all points.
    """
    if not outcomes or all(table.empty for table in swings):
        return theme.empty(NOTHING)
    most = max(len(table) for table in swings)
    figure = theme.styled(
        go.Figure(), EDGES + BAR * most, barmode="overlay", bargap=0.35, hovermode="closest",
        showlegend=False, margin_r=30,
    )  # fmt: skip
    told = list(notes) or [""] * len(outcomes)
    views = [
        View(outcome, _traces(table, middle), _layout(outcome, table, is_change=is_change), note)
        for outcome, table, middle, note in zip(outcomes, swings, middles, told, strict=True)
    ]
    figure.update_yaxes(showgrid=False, zeroline=False, ticksuffix=" ")
    figure.update_xaxes(zeroline=False)
    return with_views(figure, views)


def _layout(outcome: Outcome, table: pd.DataFrame, *, is_change: bool) -> dict[str, Any]:
    what = "change from the mean" if is_change else "mean"
    names = [in_lines(str(each)) for each in table["title"]]
    ends = [*table["low_mean"].tolist(), *table["high_mean"].tolist()]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    longest = max((len(_end(row[f"{end}_level"])) for row in table.to_dict("records")
                   for end in ("low", "high")), default=0)  # fmt: skip
    share = min(MOST_FOR_WORDS, longest / LETTERS_ACROSS)
    margin = share / (1 - 2 * share) * ((high - low) or abs(high) or 1.0)
    return {
        "xaxis.title.text": theme.safe(f"{what} of {outcome.inside}"),
        "xaxis.range": [low - margin, high + margin],
        "yaxis.tickvals": list(range(len(table))),
        "yaxis.ticktext": names,
        "yaxis.range": [max(len(table), 1) - 0.5, -0.5],
    }


def _traces(table: pd.DataFrame, middle: float) -> list[Any]:
    rows = table.to_dict("records")
    about = [_about(row) for row in rows]
    lower, upper = (
        _bars(table[f"{end}_mean"].tolist(), middle, about, number)
        for number, end in ((1, "low"), (0, "high"))
    )
    return [
        lower,
        upper,
        _middle(middle, len(table)),
        *(_ends(table, end) for end in ("low", "high")),
    ]


def _bars(ends: Sequence[float], middle: float, about: list[str], number: int) -> go.Bar:
    return go.Bar(
        y=list(range(len(ends))),
        x=[end - middle for end in ends],
        base=[middle] * len(ends),
        orientation="h",
        marker=theme.looks(number),
        hovertext=about,
        hoverinfo="text",
    )


def _middle(middle: float, n: int) -> go.Scatter:
    return go.Scatter(
        x=[middle, middle],
        y=[-0.5, n - 0.5],
        mode="lines",
        line={"width": 1.5, "color": theme.GREY},
        hovertext=f"all points: {middle:.4g}",
        hoverinfo="text",
    )


def _ends(table: pd.DataFrame, end: str) -> go.Scatter:
    """At which level the outcome stands there."""
    return go.Scatter(
        x=table[f"{end}_mean"].tolist(),
        y=list(range(len(table))),
        mode="text",
        text=[f" {theme.safe(_end(level))} " for level in table[f"{end}_level"]],
        textposition="middle left" if end == "low" else "middle right",
        textfont={"size": 12},
        cliponaxis=False,
        hoverinfo="skip",
    )


def _end(level: Any) -> str:
    """A level beside the end of a bar, as short as may be."""
    text = str(level).replace("about ", "≈")
    return text if len(text) <= LONGEST_END else f"{text[: LONGEST_END - 1]}…"


def _about(row: dict[Any, Any]) -> str:
    return (
        f"{theme.safe(str(row['title']))}: from {row['low_mean']:.4g} "
        f"({theme.safe(str(row['low_level']))}) to {row['high_mean']:.4g} "
        f"({theme.safe(str(row['high_level']))})<br>"
        f"moves it by {interval(row['swing'], row['low'], row['high'])}"
    )
