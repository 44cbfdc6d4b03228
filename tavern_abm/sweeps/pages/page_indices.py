"""Indices of sensitivity on the page of a sweep."""

from __future__ import annotations

import math
from typing import Any

from ...plots.indices import plot_indices
from ...report.panel import Panel
from ..sensitivities.sensitivity import MEANINGS
from .page_data import SweepData
from .page_words import is_luck, percent, with_interval

_SIGNS = {
    "S1": "S1",
    "ST": "ST",
    "mu_star": "mu*",
    "sigma": "sigma",
    "src": "SRC",
    "prcc": "PRCC",
    "eta2": "eta²",
}
_KINDS = {
    "sobol": ("S1", "ST"),
    "shares": ("S1", "ST"),
    "morris": ("mu_star", "sigma"),
    "regression": ("src", "prcc", "eta2"),
}


def sensitivity_panel(data: SweepData) -> Panel | None:
    """Indices of sensitivity."""
    table = data.indices
    if data.trouble:
        return Panel("indices", "Sensitivity", "", data.trouble, None, [], [])
    if table.empty:
        return None
    method = str(table["method"].iloc[0])
    kinds = _KINDS[method]
    drawn = table[table["kind"].isin(kinds)]
    tables = [drawn[drawn["output"] == output] for output in data.outputs]
    notes = [_index_note(data, output) for output in data.outputs]
    title = {name: outcome.title for name, outcome in zip(data.outputs, data.outcomes, strict=True)}
    rows = [
        [title[row["output"]], row["kind"],
         _of_what(data, row),
         with_interval(row["value"], row["low"], row["high"])]
        for row in table.to_dict("records")
    ]  # fmt: skip
    told = "; ".join(
        f"{_SIGNS[kind]}: {MEANINGS[kind]}" for kind in kinds if (table["kind"] == kind).any()
    )
    return Panel(
        "indices",
        "Sensitivity",
        f"{told}. Whiskers are {data.confidence * 100:g} % intervals.",
        _INDEX_FINDINGS[method],
        plot_indices(data.outcomes, tables, notes) if len(drawn) else None,
        ["Outcome", "Index", "Factor", "Value"],
        rows,
        n_rows=len(rows),
    )


def _of_what(data: SweepData, row: dict[Any, Any]) -> str:
    """The factor or the two that an index is of."""
    other = data.titles.get(row["other"], row["other"])
    return " and ".join(filter(None, [row["title"], other])) or "all"


_INDEX_FINDINGS = {
    "sobol": "How much of the variance of an outcome is due to each factor (Sobol indices).",
    "shares": "How much of the variance between points is due to each factor (Sobol indices of "
    "the grid).",
    "morris": "How much an outcome changes as each factor is moved (Morris's elementary effects).",
    "regression": "How closely an outcome follows each factor (regression and rank correlation).",
}


def _index_note(data: SweepData, output: str) -> str:
    table = data.indices
    mine = table[(table["output"] == output) & (table["factor"] == "")].set_index("kind")["value"]
    parts = []
    if is_luck(data, output):
        parts.append("Luck alone may have made the points differ: there is nothing to share out.")
    elif "noise" in mine and not math.isnan(mine["noise"]):
        parts.append(f"{percent(mine['noise'])} of the variance between points is luck.")
    if "r2" in mine:
        parts.append(f"Straight lines explain {percent(mine['r2']).lower()} of that variance.")
    return " ".join(parts)
