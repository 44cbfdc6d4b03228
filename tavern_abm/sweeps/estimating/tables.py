"""Summaries in print: columns that fit a line, and files that other programs read."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from typing import Any

import pandas as pd

from .groups import point_text
from .printing import Column, percent, printed

ROWS = 40
"""Points of an output that are printed; files have them all."""
MOST_PLACES = 9
EQUAL = "all equal"
"""In place of an interval where every run gave the same."""
LONGEST = 16
"""Characters of a parameter's value in print."""


# ---------------------------------------------------------------- summaries


def summary_lines(
    summary: pd.DataFrame, titles: Mapping[str, str] | None = None, rows: int = ROWS
) -> list[str]:
    """A summary in print: a block an output; of a single point one block in all.

    Parameters
    ----------
    summary : DataFrame
        As `summarize` gives it.
    titles : mapping of str to str, optional
        What outputs are called beside their names.
    rows : int, default 40
        Points of an output that are printed at most; 0 for all.
    """
    keys = _key_columns(summary, "output")
    if not keys and summary["output"].is_unique:
        return printed([_texts("output", summary["output"]), *_estimates(summary)])
    return _blocks(summary, titles or {}, rows, lambda block: _keys(block, keys), _estimates)


def _estimates(block: pd.DataFrame) -> list[Column]:
    places = _places(block, "t_low", "t_high")
    columns = [
        Column("n", [f"{n:,}" for n in block["n"]]),
        _numbers("mean", block["mean"], places),
    ]
    if block["n"].max() > 1:
        columns += _spread(block, places)
    return [*columns, *_needed(block), *_stopped(block), *_left_out(block)]


def _needed(block: pd.DataFrame) -> list[Column]:
    if "needed" not in block:
        return []
    return [Column("needed", [_whole(each) for each in block["needed"]])]


def _stopped(block: pd.DataFrame) -> list[Column]:
    if "stopped" not in block or block["stopped"].isna().all():
        return []
    return [Column("stopped", block["stopped"].fillna("").tolist(), is_text=True)]


def _spread(block: pd.DataFrame, places: Sequence[int | None]) -> list[Column]:
    columns = [
        _ranges(f"{_percent(block)} interval", block, ("t_low", "t_high"), places),
        _numbers("sd", block["sd"], places, rank=2),
        _numbers("median", block["median"], places, rank=3),
        _ranges("5 to 95 % of runs", block, ("p05", "p95"), places, rank=4),
    ]
    if block["boot_low"].notna().any():
        columns.insert(1, _ranges("bootstrap", block, ("boot_low", "boot_high"), places, rank=5))
    return columns


def _left_out(block: pd.DataFrame) -> list[Column]:
    """What is missing, where anything is."""
    cells = []
    for failed, undefined in zip(block["n_failed"], block["n_undefined"], strict=True):
        parts = [f"{failed:,} failed"] * bool(failed) + [f"{undefined:,} undefined"] * bool(
            undefined
        )
        cells.append(", ".join(parts))
    return [Column("left out", cells, is_text=True)] if any(cells) else []


# ---------------------------------------------------------------- differences


def difference_lines(
    differences: pd.DataFrame, titles: Mapping[str, str] | None = None, rows: int = ROWS
) -> list[str]:
    """Differences in print: a block an output, or one in all where only one point is compared.

    Parameters
    ----------
    differences : DataFrame
        As `differences` gives it.
    titles, rows
        As for `summary_lines`.
    """
    keys = _key_columns(differences, "output")
    if not keys and differences["output"].is_unique:
        return printed([_texts("output", differences["output"]), *_changes(differences)])
    return _blocks(differences, titles or {}, rows, lambda block: _keys(block, keys), _changes)


def _changes(block: pd.DataFrame) -> list[Column]:
    is_paired = (block["way"] == "paired").any()
    places = _places(block, "low", "high")
    columns = [
        Column("pairs" if is_paired else "n", [f"{n:,}" for n in block["n"]]),
        _numbers("mean", block["mean"], places, rank=2),
        _numbers("base", block["against_mean"], places, rank=2),
        _numbers("change", block["change"], places, sign="+"),
        _ranges(f"{_percent(block)} interval", block, ("low", "high"), places, sign="+"),
        Column("p (Holm)", [_p_text(each) for each in block["p_holm"]]),
    ]
    columns += _needed(block)
    if is_paired:
        columns.append(Column("pairing", [_times(each) for each in block["narrowed"]], rank=3))
    return columns


def _p_text(p: float) -> str:
    if math.isnan(p):
        return "-"
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def _times(ratio: float) -> str:
    if math.isnan(ratio):
        return "-"
    return "exact" if math.isinf(ratio) else f"x{ratio:.3g}"


# ---------------------------------------------------------------- blocks and cells


def _blocks(
    table: pd.DataFrame,
    titles: Mapping[str, str],
    rows: int,
    keys: Callable[[pd.DataFrame], list[Column]],
    numbers: Callable[[pd.DataFrame], list[Column]],
) -> list[str]:
    lines: list[str] = []
    for output, block in table.groupby("output", sort=False):
        shown = block.head(rows) if rows else block
        title = titles.get(str(output), "")
        lines += ["", f"{output}: {title}" if title else str(output)]
        lines += printed([*keys(shown), *numbers(shown)])
        if len(shown) < len(block):
            lines.append(f"  ... and {len(block) - len(shown):,} more")
    return lines[1:]


def _key_columns(table: pd.DataFrame, last: str) -> list[str]:
    """Columns that tell the rows of a block apart: parameters that are not the same in all."""
    names = [str(name) for name in table.columns[: list(table.columns).index(last)]]
    varied = [name for name in names if table[name].nunique(dropna=False) > 1]
    return varied if varied != ["points"] else []


def constants(table: pd.DataFrame) -> str:
    """Parameters that are the same in all rows, in words; empty where there are none.

    Examples
    --------
    >>> constants(pd.DataFrame({"a.x": [1, 1], "a.y": [1, 2], "output": ["u", "u"]}))
    'x = 1'
    """
    names = table.columns[: list(table.columns).index("output")]
    skipped = ("scenario_id", "against_id", "points")
    same = [
        name
        for name in names
        if name not in skipped and len(table) and table[name].nunique(dropna=False) == 1
    ]
    return point_text({str(name): table[name].iloc[0] for name in same})


def headings(paths: Sequence[str]) -> list[str]:
    """Paths cut down to their ends, as long as they tell them apart.

    Examples
    --------
    >>> headings(["taverns.0.custom", "minds.tau", "taverns.1.custom"])
    ['0.custom', 'tau', '1.custom']
    """
    found = []
    for path in paths:
        parts = path.split(".")
        for n in range(1, len(parts) + 1):
            ending = ".".join(parts[-n:])
            if sum(f".{other}".endswith(f".{ending}") for other in paths) == 1:
                break
        found.append(ending)
    return found


_SAID = {"scenario_id": "point", "against_id": "base point"}


def _keys(block: pd.DataFrame, names: Sequence[str]) -> list[Column]:
    """Columns that name a row's point; of many parameters the first few stay longest."""
    paths = [name for name in names if name not in (*_SAID, "points")]
    said = dict(zip(paths, headings(paths), strict=True)) | _SAID
    ranks = {path: 1 if place < 3 else 10 + place for place, path in enumerate(paths)}
    ranks["against_id"] = 9
    return [_key_column(said.get(name, name), block[name], ranks.get(name, 0)) for name in names]


def _key_column(heading: str, values: pd.Series[Any], rank: int) -> Column:
    is_text = not pd.api.types.is_numeric_dtype(values) or pd.api.types.is_bool_dtype(values)
    return Column(heading, [_value(each) for each in values], is_text, rank)


def _texts(heading: str, values: pd.Series[Any]) -> Column:
    return Column(heading, [str(each) for each in values], is_text=True)


def _value(value: Any) -> str:
    if value is None or value != value:
        return "-"
    if isinstance(value, float):
        return number(value)
    text = str(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _numbers(
    heading: str,
    values: pd.Series[Any],
    places: Sequence[int | None],
    rank: int = 0,
    sign: str = "",
) -> Column:
    cells = [number(each, sign, at) for each, at in zip(values, places, strict=True)]
    return Column(heading, cells, rank=rank)


def _ranges(
    heading: str,
    block: pd.DataFrame,
    ends: tuple[str, str],
    places: Sequence[int | None],
    rank: int = 0,
    sign: str = "",
) -> Column:
    cells = [
        _range(low, high, sign, at, is_equal)
        for low, high, at, is_equal in zip(
            block[ends[0]], block[ends[1]], places, block["sd"] == 0, strict=True
        )
    ]
    return Column(heading, cells, rank=rank)


def _range(low: float, high: float, sign: str, places: int | None, is_equal: bool) -> str:
    if math.isnan(low):
        return "-"
    if is_equal:  # an interval of no width would promise too much
        return EQUAL
    return f"{number(low, sign, places)} to {number(high, sign, places)}"


def _places(block: pd.DataFrame, low: str, high: str) -> list[int | None]:
    """Decimal places for each row: as many as leave an interval two figures of its half.

    Rows of one output have as many as the narrowest of them. None where no interval says.
    """
    halves = ((block[high] - block[low]) / 2).tolist()
    if block["output"].nunique() == 1:
        widths = [each for each in halves if each > 0]
        halves = [min(widths, default=math.nan)] * len(halves)
    return [_places_of(each) for each in halves]


def _places_of(half: float) -> int | None:
    if not half > 0:
        return None
    places = 1 - math.floor(math.log10(half))
    return max(0, places) if places <= MOST_PLACES else None


def number(value: float, sign: str = "", places: int | None = None) -> str:
    """So many decimal places; or four figures, and no powers of ten where they can be helped.

    Examples
    --------
    >>> number(1234567.0), number(0.012345), number(float("nan")), number(3.0, "+")
    ('1,234,567', '0.01235', '-', '+3')
    >>> number(0.012345, places=3), number(-0.0004, "+", 3)
    ('0.012', '+0.000')
    """
    if math.isnan(value):
        return "-"
    if places is not None and abs(value) < 1e15:
        return f"{round(value, places) + 0.0:{sign},.{places}f}"
    if 10_000 <= abs(value) < 1e15:
        return f"{value:{sign},.0f}"
    return f"{value:{sign}.4g}"


def _whole(value: float) -> str:
    return "-" if math.isnan(value) else f"{int(value):,}"


def _percent(block: pd.DataFrame) -> str:
    """The confidence of the intervals, such as ``95 %``."""
    return percent(float(block["confidence"].iloc[0])) if len(block) else "no"


# ---------------------------------------------------------------- for other programs


def csv_of(table: pd.DataFrame) -> str:
    """A table as CSV: every digit, nothing where there is no number."""
    return table.to_csv(index=False, lineterminator="\n")


def json_of(table: pd.DataFrame, about: Mapping[str, Any]) -> str:
    """A table as one JSON object: `about`, and ``rows``, null where there is no number."""
    rows = [
        {str(name): _finite(value) for name, value in row.items()}
        for row in table.to_dict("records")
    ]
    return json.dumps({**about, "rows": rows}, indent=2, ensure_ascii=False, allow_nan=False)


def _finite(value: Any) -> Any:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return None
    return value


def parquet_of(table: pd.DataFrame) -> bytes:
    """A table as Parquet: null where there is no number."""
    buffer = BytesIO()
    table.to_parquet(buffer, index=False, compression="zstd")
    return buffer.getvalue()
