"""Points held against each other: differences on common luck, with their intervals."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..errors import SweepError
from . import estimates
from .estimates import CONFIDENCE, Difference, Estimate, Floats
from .groups import (
    Groups,
    Measured,
    Tables,
    groups_of,
    outputs_of,
    path_named,
    paths_of,
    point_text,
)
from .labels import Labels, paths_named
from .simultaneous import bonferroni, holm

type Against = int | Mapping[str, Any]
COLUMNS = (
    "output",
    "way",
    "n",
    "mean",
    "against_mean",
    "change",
    "sd",
    "low",
    "high",
    "confidence",
    "p",
    "p_holm",
    "narrowed",
    "saved",
)
"""Columns of a table of differences after those that name the points."""


class _Pair(NamedTuple):
    """A group, and the one it is held against, by their numbers."""

    group: int
    against: int


def differences(
    tables: Tables,
    against: Against,
    *,
    confidence: float = CONFIDENCE,
    outputs: Sequence[str] | None = None,
    by: Sequence[str] | None = None,
    simultaneous: bool = False,
) -> pd.DataFrame:
    """What every point has more than another, output by output.

    Where the points share the luck of a replication the difference is taken within
    replications and common luck cancels; where each has luck of its own it is Welch's.

    Parameters
    ----------
    tables : Tables
        With ``runs`` and ``outcomes``.
    against : int or mapping of str to object
        What is the base: the ``scenario_id`` of one point, or values of some parameters.
        Then every point is held against the one that has these values and is like it in
        all others, such as each custom against ``{"taverns.0.custom": "lax"}`` at the same
        share of cheats. A parameter may go by the end of its path.
    confidence : float, default 0.95
        Of the intervals.
    outputs : sequence of str, optional
        Only these; ``TOP/BOTTOM`` for a ratio of the sums of two of them.
    by : sequence of str, optional
        Parameters: points that agree in them are taken together first (see `summarize`), on
        either side those alone that have their like on the other, if any have.
    simultaneous : bool, default False
        Widen the intervals (Bonferroni) until all of them hold together with `confidence`.

    Returns
    -------
    DataFrame
        Output by output, a row a comparison: ``scenario_id`` and ``against_id`` (not with
        `by`: there, ``points`` on either side), the parameters, ``output``, and then

        - ``way``: "paired" or "welch"; ``n`` pairs, or the fewer of the two samples
        - ``mean``, ``against_mean`` of what was compared, ``change`` from the second to the first
        - ``sd`` of the differences; ``low``, ``high`` and their ``confidence``
        - ``p`` that there is no difference, ``p_holm`` adjusted for all rows (Holm 1979)
        - ``narrowed``: how many times the variance would be without the pairing
        - ``saved``: replications of either point that the pairing saved

    Raises
    ------
    SweepError
        If there is no such output, parameter or point, or nothing to hold against it.
    ValueError
        If `confidence` is not between 0 and 1.
    """
    estimates.verify_confidence(confidence)
    names = outputs_of(tables, outputs)
    _verify_taken_apart(tables, against, by)
    groups = groups_of(tables, by)
    pairs = _pairs(groups, against)
    measured = [groups.by_point(name) for name in names]
    sides = [_sides(groups, each, pair) for each in measured for pair in pairs]
    shared = groups.is_luck_shared
    if simultaneous:  # by those alone that have a width and so can miss
        changes = [compared(one, other, shared)[0].change for one, other, _ in sides]
        confidence = bonferroni(confidence, sum(change.sd > 0 for change in changes))
    rows = [_row(*compared(one, other, shared, confidence)) for one, other, _ in sides]
    found = pd.DataFrame(rows, columns=list(COLUMNS[1:]))
    found["p_holm"] = holm(found["p"])
    found.insert(0, "output", np.repeat(np.array(names, dtype=object), len(pairs)))
    keys = _keys(groups, pairs, len(names))
    if not groups.is_of_points:
        keys["points"] = [n_points for *_, n_points in sides]
    return pd.concat([keys, found], axis=1)


def have_like(tables: Tables, by: Sequence[str]) -> bool:
    """Whether any point has its like in another group: one that differs in `by` alone."""
    groups = groups_of(tables, by)
    homes = pd.DataFrame({"rest": groups.rest, "group": groups.group})
    return bool(homes.groupby("rest")["group"].nunique().max() > 1)


# ---------------------------------------------------------------- who against whom


def _verify_taken_apart(tables: Tables, against: Against, by: Sequence[str] | None) -> None:
    """See that what is held against each other is not averaged over."""
    if by is None or isinstance(against, int):
        return
    paths = paths_of(tables.runs)
    kept = [path_named(each, paths) for each in by]
    for name in against:
        path = path_named(name, paths)
        if path not in kept:
            short = path.rpartition(".")[2]
            raise SweepError(f"--by averages over {path}; add --by {short} as well")


def _pairs(groups: Groups, against: Against) -> list[_Pair]:
    if isinstance(against, int):
        return _against_one(groups, against)
    keys = groups.keys.drop(columns="scenario_id", errors="ignore")
    values = {path_named(path, list(keys.columns)): value for path, value in against.items()}
    _verify_values(keys, values)
    homes = {_key(row): number for number, row in enumerate(_plain(keys))}
    pairs = []
    for number, row in enumerate(_plain(keys)):
        base = homes.get(_key(row | values))
        if base is not None and base != number:
            pairs.append(_Pair(number, base))
    if not pairs:
        text = f"no two points differ in {', '.join(values)} alone, one with {point_text(values)}"
        raise SweepError(f"{text}; {_instead(groups, values)}")
    return pairs


def _instead(groups: Groups, values: Mapping[str, Any]) -> str:
    """What to ask where no point has its like, as in most samples of a space."""
    if not groups.is_of_points:
        return "take more points together with fewer --by"
    few = [path for path in values if groups.keys[path].nunique() < len(groups)]
    said = ["ask --sensitivity what it does", "name a point by its number"]
    if few:
        options = " ".join(f"--by {path.rpartition('.')[2]}" for path in few)
        said.insert(0, f"add {options} to compare means over its levels")
    return ", or ".join(said)


def _against_one(groups: Groups, scenario_id: int) -> list[_Pair]:
    if not groups.is_of_points:
        raise SweepError("points taken together have no number; say against which value")
    ids = groups.keys["scenario_id"].tolist()
    if scenario_id not in ids:
        raise SweepError(f"no point {scenario_id}; there are {_span(ids)}")
    base = ids.index(scenario_id)
    if len(ids) == 1:
        raise SweepError(f"point {scenario_id} is the only one; there is nothing to compare")
    return [_Pair(number, base) for number in range(len(ids)) if number != base]


def _verify_values(keys: pd.DataFrame, values: Mapping[str, Any]) -> None:
    for path, value in values.items():
        known = list(dict.fromkeys(keys[path].tolist()))
        if value not in known:
            few = ", ".join(map(str, known[:8])) + (", ..." if len(known) > 8 else "")
            raise SweepError(f"no point has {path} = {value}; there are {few}")


def _span(ids: Sequence[int]) -> str:
    return f"{ids[0]} to {ids[-1]}" if ids else "none"


def _plain(keys: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(name): value for name, value in row.items()} for row in keys.to_dict("records")]


def _key(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """What tells a point from others; a cell that is empty is like another that is."""
    return tuple(None if value != value else value for value in row.values())


def _keys(groups: Groups, pairs: Sequence[_Pair], n_outputs: int) -> pd.DataFrame:
    keys = groups.keys_beside((*COLUMNS, "points", "against_id"))
    keys = keys.iloc[[pair.group for pair in pairs]].reset_index(drop=True)
    if groups.is_of_points:
        base = groups.keys["scenario_id"].to_numpy()[[pair.against for pair in pairs]]
        keys.insert(1, "against_id", base)
    return pd.concat([keys] * n_outputs, ignore_index=True) if n_outputs else keys.head(0)


# ---------------------------------------------------------------- what the difference is


type _Sides = tuple[Floats, Floats, int]
"""Values of either side by replication, and how many points they are of."""


def _sides(groups: Groups, measured: Measured, pair: _Pair) -> _Sides:
    if groups.is_of_points and measured.bottom is None:
        return measured.top[pair.group], measured.top[pair.against], 1
    has_any = measured.is_there.any(axis=1)
    one, other = ((groups.group == each) & has_any for each in pair)
    common = np.intersect1d(groups.rest[one], groups.rest[other])
    if len(common):  # of a sampled design no two points are alike, and all of them count
        is_common = np.isin(groups.rest, common)
        one, other = one & is_common, other & is_common
    n_points = int(min(one.sum(), other.sum()))
    return measured.together(one), measured.together(other), n_points


def compared(
    one: Floats, other: Floats, is_luck_shared: bool, confidence: float = CONFIDENCE
) -> tuple[Difference, Estimate, Estimate]:
    """The difference of two points, and the means it is of.

    Parameters
    ----------
    one, other : arrays of float, shape (n_replications,)
        NaN where there is none.
    is_luck_shared : bool
        Whether the same place in both is the same luck.
    """
    if is_luck_shared:
        both = np.isfinite(one) & np.isfinite(other)
        one, other = one[both], other[both]
        found = estimates.paired(one, other, confidence)
    else:
        found = estimates.welch(one, other, confidence)
    return found, estimates.mean_t(one, confidence), estimates.mean_t(other, confidence)


def _row(found: Difference, mean: Estimate, base: Estimate) -> dict[str, Any]:
    change = found.change
    return {
        "way": found.way,
        "n": change.n,
        "mean": mean.value,
        "against_mean": base.value,
        "change": change.value,
        "sd": change.sd,
        "low": change.low,
        "high": change.high,
        "confidence": change.confidence,
        "p": found.p,
        "narrowed": found.narrowed,
        "saved": found.replications_saved,
    }


def parse_against(
    texts: Sequence[str], runs: pd.DataFrame, labels: Labels | None = None
) -> Against:
    """Read what the command line says: a point's number, or ``path=value`` once or oftener.

    Parameters
    ----------
    texts : sequence of str
        A parameter goes by its path, the end of it, or its label.
    runs : DataFrame
        Of the sweep.
    labels : mapping, optional
        Paths by label; of several that vary together the value is that of the first.

    Raises
    ------
    SweepError
        If it is neither, or there is no such parameter.
    """
    if len(texts) == 1 and texts[0].strip().isdecimal():
        return int(texts[0])
    settings = {}
    for text in texts:
        path, equals, value = (each.strip() for each in text.partition("="))
        if not equals:
            raise SweepError(f"'{text}' is no point; write its number, or like custom=lax")
        first, *more = paths_named(path, paths_of(runs), labels or {})
        settings[first] = _as_in(runs[first], value)
        there = runs[runs[first] == settings[first]]
        settings |= {other: there[other].iloc[0] for other in more if len(there)}
    return settings


def _as_in(column: pd.Series[Any], text: str) -> Any:
    """The value of the column that is written so; the text itself where none is."""
    for value in column.drop_duplicates().tolist():
        if str(value) == text or (isinstance(value, bool) and str(value).lower() == text.lower()):
            return value
    if pd.api.types.is_numeric_dtype(column):
        with contextlib.suppress(ValueError):
            found = float(text)
            return int(found) if found.is_integer() else found
    return text
