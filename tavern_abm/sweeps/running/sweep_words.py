"""What came of a sweep, on screen and as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..design import Auto, Design
from ..estimating.printing import aligned
from ..runs import parts_of
from ..stores.frames import read
from ..stores.records import Record
from ..stores.rows import Reader
from ..stores.store import Store
from .progress import duration
from .runner import Tally

if TYPE_CHECKING:
    import pandas as pd

POINTS_SHOWN = 8
OUTPUTS_SHOWN = 4
FACTORS_SHOWN = 3
FAILURES_SHOWN = 10
WIDTH = 100
CELL = 24
"""Characters of a label or value in the table."""


def report(design: Design, store: Store, tally: Tally, *, is_merged: bool = True) -> list[str]:
    """Lines for the screen: what was played, a few means, failures, where things are.

    Parameters
    ----------
    design : Design
        What was played.
    store : Store
        Where it is.
    tally : Tally
        What this session played.
    is_merged : bool
        Whether the tables have been made.
    """
    lines = [_headline(design, store, tally), ""]
    if tally.n_wide:
        lines += [_about_wide(design, tally), ""]
    if is_merged and store.tally().done:
        lines += [*_table(design, store), ""]
    lines += _about_failures(store)
    name = store.path.as_posix()
    if is_merged and not store.tally().done:
        return [*lines, name]
    if is_merged:
        return [*lines, f"tavern summary {name}    estimates with intervals", name]
    return [*lines, f"tavern merge {name}    makes the tables", name]


def document(store: Store, tally: Tally) -> dict[str, Any]:
    """The same as plain data for JSON."""
    found = store.tally()
    return {
        "design": store.manifest.name,
        "out": store.path.as_posix(),
        "runs": tally.total,
        "done": found.done,
        "failed": found.failed,
        "played_now": tally.done + tally.failed,
        "seconds": round(tally.seconds, 3),
        "failures": [_failure(each, store) for each in _failed(store)],
    }


def _headline(design: Design, store: Store, tally: Tally) -> str:
    found, n_points = store.tally(), len(design.points)
    what = f"{n_points:,} point{'s'[: n_points != 1]}"
    shard = store.manifest.shard
    part = "" if shard is None else f", shard {shard[0]} of {shard[1]}"
    failed = f", {found.failed:,} failed" if found.failed else ""
    now = tally.done + tally.failed
    took = f"{now:,} played now in {duration(tally.seconds)}" if now else "nothing was left to do"
    missing = f"; {found.missing:,} that the store is for are missing" if found.missing else ""
    return f"{design.name}: {what}{part}, {found.done:,} runs done{failed}; {took}{missing}"


def _about_wide(design: Design, tally: Tally) -> str:
    auto = design.replications
    assert isinstance(auto, Auto)
    return (
        f"at {tally.n_wide} of {len(design.points)} points the interval of {auto.output} is "
        f"still wider than asked after {auto.at_most} replications"
    )


def _table(design: Design, store: Store) -> list[str]:
    """Means of the first outputs at the first points, as many as there is room for."""
    frames = read(store.path, series=False)
    outputs = list(design.configuration.outputs)[:OUTPUTS_SHOWN]
    lines = aligned(_rows(design, frames.outcomes, outputs), n_words=0, indent="  ")
    while len(outputs) > 1 and max(map(len, lines)) > WIDTH:
        outputs.pop()
        lines = aligned(_rows(design, frames.outcomes, outputs), n_words=0, indent="  ")
    more = frames.outcomes["scenario_id"].nunique() - POINTS_SHOWN
    tail = [f"  ... and {more:,} points more"] if more > 0 else []
    tail += _not_shown(design, outputs)
    return ["means over the runs of a point:", *lines, *tail]


def _not_shown(design: Design, outputs: list[str]) -> list[str]:
    """Which factors and outputs there was no room for."""
    labels = {factor.paths[0]: factor.label for factor in design.factors}
    factors = [labels.get(each, each) for each in _all_paths(design)[FACTORS_SHOWN:]]
    others = [each for each in design.configuration.outputs if each not in outputs]
    found = [", ".join(each) for each in (factors, others) if each]
    return [f"  not shown: {'; '.join(found)}"] if found else []


def _rows(design: Design, outcomes: pd.DataFrame, outputs: list[str]) -> list[list[str]]:
    by_point = outcomes.groupby("scenario_id")
    means, counts = by_point[outputs].mean(), by_point.size()
    rows = [["point", *_labels(design), "runs", *outputs]]
    for scenario_id in list(means.index)[:POINTS_SHOWN]:
        settings = design.points[int(scenario_id)]
        values = [short(settings[path]) for path in _paths(design)]
        numbers = [f"{value:.4g}" for value in means.loc[scenario_id]]
        rows.append([str(scenario_id), *values, str(counts[scenario_id]), *numbers])
    return rows


def _paths(design: Design) -> list[str]:
    """One path of each factor, as far as there is room."""
    return _all_paths(design)[:FACTORS_SHOWN]


def _all_paths(design: Design) -> list[str]:
    paths = [factor.paths[0] for factor in design.factors] or list(design.points.paths)
    return [path for path in paths if path in design.points[0]]


def _labels(design: Design) -> list[str]:
    labels = {factor.paths[0]: factor.label for factor in design.factors}
    return [short(labels.get(path, path).rpartition(".")[2]) for path in _paths(design)]


def short(value: Any, width: int = CELL) -> str:
    """A value in so many characters; of a long one, its end.

    Examples
    --------
    >>> short(0.123456), short("population.share_of_cheats", 10)
    ('0.1235', '…of_cheats')
    """
    text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return text if len(text) <= width else f"…{text[1 - width :]}"


def _failed(store: Store) -> Iterator[Record]:
    """Records of the first runs that failed."""
    index = store.index()
    places = (~index.is_done).nonzero()[0][:FAILURES_SHOWN].tolist()
    with Reader(index) as reader:
        for each in places:
            where = (int(column[each]) for column in (index.file, index.start, index.size))
            yield reader.record(*where)


def _failure(record: Record, store: Store) -> dict[str, Any]:
    return {
        "run_id": record.run_id,
        "seed": record.seed,
        "error": record.error,
        "command": f"tavern rerun {store.path.as_posix()} --run {record.run_id}",
    }


def _about_failures(store: Store) -> list[str]:
    n = store.tally().failed
    if not n:
        return []
    lines = [f"{n:,} run{'s'[: n != 1]} failed; each of them fails again, with its traceback, by:"]
    for each in _failed(store):
        told = _failure(each, store)
        point, replication = parts_of(each.run_id)
        lines += [
            f"  point {point}, replication {replication}, seed {each.seed}: {each.error}",
            f"    {told['command']}",
        ]
    more = n - FAILURES_SHOWN
    lines += [f"  ... and {more:,} more, in failures.parquet"] if more > 0 else []
    return [*lines, ""]
