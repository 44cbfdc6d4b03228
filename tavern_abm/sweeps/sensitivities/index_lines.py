"""Sensitivity indices in print: a block an output, a row a factor, a column a kind of index."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from ..estimating.printing import Column, percent, printed
from .idle import REASONS
from .luck import is_luck_alone
from .sensitivity import COUNTS, MEANINGS

TOGETHER = 10
"""Pairs of factors that are printed of an output, the strongest; files have them all."""
LEAST = 0.0005
"""What is below it would be printed as 0.000."""


def index_text(
    indices: pd.DataFrame,
    *,
    confidence: float,
    name: str = "",
    titles: Mapping[str, str] | None = None,
) -> list[str]:
    """Indices in print, with what each kind says below them.

    Parameters
    ----------
    indices : DataFrame
        As `sensitivity.indices` gives them.
    confidence : float
        Of their intervals.
    name : str, optional
        Of the sweep.
    titles : mapping of str to str, optional
        What outputs are called beside their names.
    """
    lines = [f"{name}: what moves its outcomes" if name else "What moves the outcomes"]
    lines.append(f"{percent(confidence)} intervals in brackets")
    for output, block in indices.groupby("output", sort=False):
        title = (titles or {}).get(str(output), "")
        lines += ["", f"{output}: {title}" if title else str(output)]
        lines += [*_of_luck(block), *_of_factors(block), *_of_pairs(block)]
        lines += [*_of_all(block)]
    return [*lines, "", *_meanings(indices["kind"])]


def _of_luck(block: pd.DataFrame) -> Iterator[str]:
    """A warning above the indices where luck alone may have made them, or is not known."""
    p = block.loc[block["kind"] == "luck_p", "value"]
    if p.isna().any():
        yield "  how much of it is luck is not known: some points have a single value"
    if is_luck_alone(p).any():
        yield "  no more than luck: its points differ by no more than luck alone would make them"


def _of_factors(block: pd.DataFrame) -> list[str]:
    is_idle = block["kind"] == "idle"
    nothing = [
        f"  {each} does nothing: every run is the same at all its levels"
        for each in block.loc[is_idle, "factor"]
    ]
    single = block[(block["factor"] != "") & (block["other"] == "") & ~is_idle]
    if single.empty:
        return nothing or _left_out(block)
    return [*_table(single), *nothing]


def _left_out(block: pd.DataFrame) -> list[str]:
    """Why an outcome has no indices; nothing where that has been said already."""
    kinds = dict(zip(block["kind"], block["value"], strict=True))
    some = [name for name in REASONS if name in kinds]
    if some:
        lacks = ", ".join(f"{name.replace('_', ' ')} at {kinds[name]:,.0f}" for name in some)
        return [f"  left out: {lacks} points, and these indices need a value at every one"]
    if kinds.get("luck_p", math.nan) == kinds.get("luck_p"):
        return []
    return ["  nothing to tell: it is the same everywhere, or too little of it is known"]


def _table(single: pd.DataFrame) -> list[str]:
    factors = list(dict.fromkeys(single["factor"]))
    columns = [Column("factor", factors, is_text=True)]
    for kind, rows in single.groupby("kind", sort=False):
        said = {row["factor"]: _said(row) for row in rows.to_dict("records")}
        columns.append(Column(str(kind), [said.get(each, "") for each in factors], is_text=True))
    return printed(columns)


def _of_pairs(block: pd.DataFrame) -> Iterator[str]:
    pairs = block[block["other"] != ""].sort_values("value", ascending=False, kind="stable")
    for row in pairs.head(TOGETHER).to_dict("records"):
        yield f"  {row['kind']} of {row['factor']} with {row['other']}: {_said(row)}"
    if len(pairs) > TOGETHER:
        yield f"  ... and {len(pairs) - TOGETHER:,} pairs more"


def _of_all(block: pd.DataFrame) -> Iterator[str]:
    rows = block[(block["factor"] == "") & block["value"].notna()].to_dict("records")
    if rows:
        yield "  of all: " + ", ".join(f"{row['kind']} {_of_one(row)}" for row in rows)


def _of_one(row: Mapping[Any, Any]) -> str:
    if row["kind"] == "luck_p" and row["value"] < LEAST:
        return "<0.001"
    return f"{row['value']:,.0f}" if row["kind"] in COUNTS else _said(row)


def _said(row: Mapping[Any, Any]) -> str:
    value, low, high = (float(row[name]) for name in ("value", "low", "high"))
    if math.isnan(low):
        return _figure(value)
    return f"{_figure(value)} ({_figure(low)} to {_figure(high)})"


def _figure(value: float) -> str:
    """Three places, as of a share; none of what is large."""
    if math.isnan(value):
        return "-"
    if 0 < value < LEAST:
        return "<0.001"
    return f"{round(value, 3) + 0.0:.3f}" if abs(value) < 100 else f"{value:,.0f}"


def _meanings(kinds: Sequence[str] | pd.Series[Any]) -> Iterator[str]:
    there = [each for each in dict.fromkeys(kinds) if each != "idle"]
    width = max(map(len, there), default=0)
    for kind in there:
        yield f"{kind:<{width}}  {MEANINGS[kind]}"
