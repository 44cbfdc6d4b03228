"""Indices of sensitivity with their intervals, factor by factor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd
import plotly.graph_objects as go

from . import theme
from .by_outcome import Outcome, View, error_bars, in_lines, interval, titled, with_views

NOTHING = "No index of sensitivity can be reckoned from this sweep."
BAR, EDGES = 30, 120


class Kind(NamedTuple):
    """A kind of index: what its legend says, and its place among colours and patterns."""

    kind: str
    legend: str
    looks: int


KINDS = (
    Kind("S1", "by itself (S1)", 0),
    Kind("ST", "with others (ST)", 1),
    Kind("mu_star", "mean size of its effects (mu*)", 0),
    Kind("sigma", "how they differ (sigma)", 1),
    Kind("src", "straight lines (SRC)", 0),
    Kind("prcc", "ranks (PRCC)", 2),
    Kind("eta2", "between levels (eta²)", 4),
)


def plot_indices(
    outcomes: Sequence[Outcome], tables: Sequence[pd.DataFrame], notes: Sequence[str] = ()
) -> go.Figure:
    """Draw bars of each kind of index, a group a factor, the most important on top.

    Parameters
    ----------
    outcomes : sequence of Outcome
        A view each.
    tables : sequence of DataFrame
        For each outcome ``title`` (the factor for people), ``kind``, ``value``, ``low``,
        ``high``: rows of `tavern_abm.sweeps.sensitivities.sensitivity.indices`.
    notes : sequence of str
        What each view shows.
    """
    kinds = [each for each in KINDS if any((table["kind"] == each.kind).any() for table in tables)]
    if not kinds:
        return theme.empty(NOTHING)
    most = max(table["title"].nunique() for table in tables)
    height = EDGES + most * (BAR * len(kinds) + 14)
    figure = theme.styled(
        go.Figure(), height, barmode="group", bargap=0.3, hovermode="closest",
        legend_traceorder="normal",
    )  # fmt: skip
    told = list(notes) or [""] * len(outcomes)
    views = []
    for outcome, table, note in zip(outcomes, tables, told, strict=True):
        order = _order(table)
        traces = [_bars(table[table["kind"] == each.kind], order, each) for each in kinds]
        views.append(View(outcome, traces, _layout(order, kinds, table, outcome), note))
    figure.update_yaxes(showgrid=False, zeroline=False, ticksuffix=" ")
    return titled(with_views(figure, views))


def _order(table: pd.DataFrame) -> list[str]:
    """Factors by their greatest index."""
    if table.empty:
        return []
    sizes = table.assign(size=table["value"].abs()).groupby("title", sort=False)["size"].max()
    return [str(each) for each in sizes.sort_values(ascending=False, kind="stable").index]


def _layout(
    order: list[str], kinds: Sequence[Kind], table: pd.DataFrame, outcome: Outcome
) -> dict[str, Any]:
    names = {each.kind for each in kinds}
    shares = names <= {"S1", "ST", "eta2"}
    title = "share of the variance" if shares else "index"
    if "mu_star" in names:
        title = theme.safe(f"change of {outcome.inside}")
    lowest = min(0.0, float(table["low"].fillna(table["value"]).min())) if len(table) else 0.0
    highest = float(table["high"].fillna(table["value"]).max()) if len(table) else 1.0
    highest = max(highest, 1.0 if shares else 0.0)
    return {
        "xaxis.title.text": title,
        "xaxis.range": [1.06 * lowest, 1.06 * (highest or 1.0)],
        "yaxis.tickvals": list(range(len(order))),
        "yaxis.ticktext": [in_lines(each) for each in order],
        "yaxis.range": [max(len(order), 1) - 0.5, -0.5],
    }


def _bars(table: pd.DataFrame, order: list[str], kind: Kind) -> go.Bar:
    place = {title: number for number, title in enumerate(order)}
    return go.Bar(
        name=kind.legend,
        y=[place[str(each)] for each in table["title"]],
        x=table["value"].tolist(),
        error_x=error_bars(table["value"], table["low"], table["high"]),
        orientation="h",
        marker=theme.looks(kind.looks),
        hovertext=[
            f"{theme.safe(str(row['title']))}, {kind.legend}: "
            f"{interval(row['value'], row['low'], row['high'])}"
            for row in table.to_dict("records")
        ],
        hoverinfo="text",
    )
