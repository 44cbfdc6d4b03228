"""Indices of sensitivity on the page of a sweep."""

from __future__ import annotations

import math
from typing import Any

from ..plots.indices import plot_indices
from ..report.panel import Panel
from ..sweeps.sensitivities.idle import REASONS
from ..sweeps.sensitivities.sensitivity import MEANINGS
from .page_data import SweepData
from .page_effects import does_nothing
from .page_words import is_luck, over_what, percent, with_interval

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

_CURES = {
    "not_played": "Play the rest with --resume.",
    "failed": "Try those that failed again with --resume --retry-failed.",
    "undefined": "Ask for an outcome that is defined in every run.",
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
         _told(row)]
        for row in table.to_dict("records")
    ]  # fmt: skip
    told = "; ".join(
        f"{_SIGNS[kind]}: {MEANINGS[kind]}" for kind in kinds if (table["kind"] == kind).any()
    )
    return Panel(
        "indices",
        "Sensitivity",
        f"{told}. Whiskers are {data.confidence * 100:g} % intervals, {over_what(data)}.",
        _INDEX_FINDINGS[method] if len(drawn) else " ".join(dict.fromkeys(filter(None, notes))),
        plot_indices(data.outcomes, tables, notes) if len(drawn) else None,
        ["Outcome", "Index", "Factor", "Value"],
        rows,
        n_rows=len(rows),
    )


def _told(row: dict[Any, Any]) -> str:
    if row["kind"] == "idle":
        return "does nothing"
    if row["kind"] == "luck_p" and row["value"] < 0.001:
        return "<0.001"
    return with_interval(row["value"], row["low"], row["high"])


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
    parts = [_left_out(data, mine.to_dict())]
    if math.isnan(mine.get("luck_p", 0.0)):
        parts.append("How much of it is luck is not known: some points have a single value.")
    elif is_luck(data, output):
        beware = "there is nothing to share out" if data.is_grid else "indices may be luck, too"
        parts.append(f"Luck alone may have made the points differ: {beware}.")
    elif "noise" in mine and not math.isnan(mine["noise"]):
        parts.append(f"{percent(mine['noise'])} of the variance between points is luck.")
    if "r2" in mine:
        words = "" if all(each.is_number for each in data.factors) else " and levels of words"
        parts.append(
            f"Straight lines{words} explain {percent(mine['r2']).lower()} of that variance."
        )
    parts.append(does_nothing(data.idle(output)))
    return " ".join(filter(None, parts))


def _left_out(data: SweepData, kinds: dict[Any, float]) -> str:
    """Why an outcome has no indices, and what would help."""
    some = [name for name in REASONS if name in kinds]
    if data.method not in ("sobol", "morris") or not some:
        return ""
    lacks = " and ".join(f"{name.replace('_', ' ')} at {kinds[name]:,.0f}" for name in some)
    cures = " ".join(_CURES[name] for name in some)
    return (
        f"Left out: {lacks} of {data.n_points:,} points, and these indices need a value at every "
        f"one. {cures}"
    )
