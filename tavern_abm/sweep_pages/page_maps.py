"""Factors and outcomes side by side: all at a glance, and two factors at a time."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ..plots.sweep_heat import Map, plot_sweep_heat
from ..plots.what_moves_what import plot_what_moves_what
from ..report.panel import Panel
from ..rumor_words import listed
from ..sweeps.estimating.varied import Varied
from .page_data import SweepData
from .page_words import number, percent

STANDS_OUT = 0.1
"""Below this a factor is not said to matter for an outcome."""
GROUPS = 6
"""Groups of a sampled factor on a map."""
_IMPORTANCE = {
    "sobol": "total share of the variance (ST)",
    "morris": "mean effect beside the greatest (mu*)",
    "shares": "total share of the variance (ST)",
    "regression": "share of the variance",
}


def overview(data: SweepData) -> Panel | None:
    """Which factor moves which outcome."""
    table = data.importance
    if not np.isfinite(table).any():
        return None
    of = _IMPORTANCE[data.method]
    titles = [data.titles[each.label] for each in data.factors]
    names = [each.title for each in data.outcomes]
    rows = [[name, *(number(value) for value in row)]
            for name, row in zip(names, table.tolist(), strict=True)]  # fmt: skip
    return Panel(
        "overview",
        "What moves what",
        f"The {of} of each factor in each outcome: 0 does nothing, 1 does "
        f"{'most' if data.method == 'morris' else 'all'}. A dash stands where luck alone may have "
        "made the points differ, or too little is known."
        + (
            " Where factors act on each other the shares of a row add up to more than 1."
            if of.startswith("total")
            else ""
        ),
        _overview_finding(data),
        plot_what_moves_what(names, titles, table, of),
        ["Outcome", *titles],
        rows,
    )


def _overview_finding(data: SweepData) -> str:
    """For each factor the outcomes that it moves most of all."""
    table = np.nan_to_num(data.importance)
    parts = []
    for place, factor in enumerate(data.factors):
        first = [
            outcome.inside
            for outcome, row in zip(data.outcomes, table, strict=True)
            if row.max() > STANDS_OUT and int(row.argmax()) == place
        ]
        if first:
            some = listed(first[:4] + ([f"{len(first) - 4} more"] if len(first) > 4 else []))
            parts.append(f"for {some}: {data.titles[factor.label]}")
    return f"What matters most {'; '.join(parts)}." if parts else "No factor stands out."


def maps(data: SweepData) -> Panel | None:
    """Outcomes over pairs of factors."""
    if not data.pairs:
        return None
    maps = [[_map(data, pair, output) for pair in data.pairs] for output in data.outputs]
    rows = [
        [outcome.title, f"{each.x_title} {x}", f"{each.y_title} {y}", number(float(each.z[i, j])),
         f"{int(each.n[i, j]):,}"]
        for outcome, row in zip(data.outcomes, maps, strict=True)
        for each in row
        for i, (_, y) in enumerate(each.y)
        for j, (_, x) in enumerate(each.x)
    ]  # fmt: skip
    return Panel(
        "maps",
        "Two factors together",
        "Means over all design points with both values, dark where the outcome is high; what else "
        "varies is averaged over. If the rows of a map are not alike but for a shift, the two "
        f"factors act on each other.{_pairs_shown(data)}",
        "Where an outcome is low and where it is high.",
        plot_sweep_heat(data.outcomes, maps, [_map_note(data, o) for o in data.outputs]),
        ["Outcome", "Across", "Up", "Mean", "Points"],
        rows,
        n_rows=len(rows),
    )


def _pairs_shown(data: SweepData) -> str:
    n = len(data.factors) * (len(data.factors) - 1) // 2
    if len(data.pairs) == n:
        return ""
    return f" Shown are {len(data.pairs)} of {n} pairs, of the factors that matter most."


def _map(data: SweepData, pair: tuple[Varied, Varied], output: str) -> Map:
    across, up = pair
    (x, x_codes), (y, y_codes) = grouped(across), grouped(up)
    means = data.cells(output).means
    known = np.isfinite(means)
    place = y_codes[known] * len(x) + x_codes[known]
    n = np.bincount(place, minlength=len(x) * len(y))
    total = np.bincount(place, means[known], minlength=len(x) * len(y))
    z = np.divide(total, n, out=np.full(len(n), np.nan), where=n > 0)
    shape = (len(y), len(x))
    return Map(
        data.titles[across.label], data.titles[up.label], x, y, z.reshape(shape), n.reshape(shape)
    )


def grouped(factor: Varied) -> tuple[list[tuple[str, str]], Any]:
    """Levels, or groups of a sampled factor, in words short and long; and that of each point."""
    if not factor.is_sampled:
        return [(factor.name_of(each),) * 2 for each in factor.levels], factor.codes
    edges = np.linspace(factor.scaled.min(), factor.scaled.max(), GROUPS + 1)
    codes = np.clip(np.searchsorted(edges, factor.scaled, side="right") - 1, 0, GROUPS - 1)
    at = factor.unscaled
    names = [
        (f"{at((low + high) / 2):.3g}", f"{at(low):.3g} to {at(high):.3g}")
        for low, high in pairwise(edges.tolist())
    ]
    return names, codes


def _map_note(data: SweepData, output: str) -> str:
    """Which pair acts on each other most, where that is known."""
    table = data.indices
    chosen = table[(table["output"] == output) & (table["kind"] == "S2")]
    clear = chosen[chosen["low"] > 0].sort_values("value", ascending=False, kind="stable")
    if clear.empty:
        return ""
    row = clear.iloc[0]
    other = data.titles.get(row["other"], row["other"])
    first = f"{row['title'][:1].upper()}{row['title'][1:]}"
    return (
        f"{first} and {other} act on each other: {percent(row['value'])} of the variance "
        "between points is due to the two together and to neither alone."
    )
