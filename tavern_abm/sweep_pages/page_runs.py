"""Points, nights, replications and failures of a sweep on its page."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from ..plots.by_outcome import Outcome
from ..plots.convergence import plot_convergence
from ..plots.run_counts import plot_run_counts
from ..plots.sweep_nights import plot_sweep_nights
from ..plots.sweep_points import plot_sweep_points
from ..report.panel import Panel
from ..stories import times
from ..sweeps.estimating.convergence import running_mean
from ..sweeps.estimating.estimates import replications_needed
from ..sweeps.estimating.varied import Varied
from .page_data import SweepData, outcome_of
from .page_maps import grouped
from .page_words import number, percent, with_interval

NARROW_ENOUGH = 0.05
"""The share of its mean within which an interval is called narrow."""
MOST_LINES = 6
"""Levels of a factor that have a line in the course of the nights."""


def every_point(data: SweepData) -> Panel:
    """All points in the order of their means."""
    tables = [data.points(output) for output in data.outputs]
    rows = [
        [outcome.title, row["about"], with_interval(row["mean"], row["low"], row["high"]),
         f"{number(row['p05'])} to {number(row['p95'])}", f"{row['n']:,}", str(row["scenario_id"])]
        for outcome, table in zip(data.outcomes, tables, strict=True)
        for row in _ends(table).to_dict("records")
    ]  # fmt: skip
    return Panel(
        "points",
        "Point by point",
        "Each design point, from the lowest mean to the highest: blue its mean with its interval, "
        "grey where nine of ten of its runs lie. The table has the ten lowest and the ten highest.",
        "How sure the means are, beside how far single runs lie apart.",
        plot_sweep_points(data.outcomes, tables, [_point_note(t) for t in tables]),
        ["Outcome", "Point", "Mean", "Nine runs in ten", "Runs", "scenario_id"],
        rows,
        n_rows=len(rows),
    )


def _ends(table: pd.DataFrame) -> pd.DataFrame:
    ordered = table.sort_values("mean", kind="stable")
    return ordered if len(ordered) <= 20 else pd.concat([ordered.head(10), ordered.tail(10)])


def _point_note(table: pd.DataFrame) -> str:
    if table.empty:
        return ""
    low, high = (table.iloc[place] for place in (table["mean"].argmin(), table["mean"].argmax()))
    return (
        f"Lowest at {low['about']}: {with_interval(low['mean'], low['low'], low['high'])}. "
        f"Highest at {high['about']}: {with_interval(high['mean'], high['low'], high['high'])}."
    )


def single_point(data: SweepData) -> Panel:
    """The runs of the only point."""
    values = [data.values(output, 0) for output in data.outputs]
    tables = [data.points(output) for output in data.outputs]
    means = [tuple(map(float, t[["mean", "low", "high"]].iloc[0])) for t in tables]
    rows = [
        [outcome.title, with_interval(*mean),
         f"{number(t['p05'].iloc[0])} to {number(t['p95'].iloc[0])}", f"{t['n'].iloc[0]:,}"]
        for outcome, mean, t in zip(data.outcomes, means, tables, strict=True)
    ]  # fmt: skip
    return Panel(
        "runs",
        "The runs",
        "Runs counted by their value; the line is their mean, the band its interval.",
        "How far luck spreads the runs of one and the same scenario.",
        plot_run_counts(data.outcomes, values, means),  # type: ignore[arg-type]
        ["Outcome", "Mean", "Nine runs in ten", "Runs"],
        rows,
        is_open=True,
    )


def nights(data: SweepData) -> Panel | None:
    """Nightly columns, by the level of the factor that matters most."""
    if data.by_night.empty:
        return None
    factor = data.strongest
    lines = [_courses(data, name, factor) for name in data.series]
    rows = [
        [outcome.title, level, str(int(row["time"])), number(row["mean"])]
        for outcome, some in zip(_series(data), lines, strict=True)
        for level, table in some
        for row in table.to_dict("records")
    ]
    by = "" if factor is None else f" at each level of {data.titles[factor.label]}"
    return Panel(
        "nights",
        "Night by night",
        f"The mean of all runs{by}. What still rises or falls at the end has not settled: such a "
        "run was too short, or its warm-up.",
        "How it went in the course of a run.",
        plot_sweep_nights(_series(data), lines),
        ["Series", "Level", "Night", "Mean"],
        rows,
        n_rows=len(rows),
    )


def _series(data: SweepData) -> list[Outcome]:
    return [outcome_of(name, data.design) for name in data.series]


def _courses(data: SweepData, name: str, factor: Varied | None) -> list[tuple[str, pd.DataFrame]]:
    """A line a level, of at most `MOST_LINES`; each point counts alike."""
    table = data.by_night[["scenario_id", "time"]].assign(mean=data.by_night[name])
    if factor is None:
        return [("all runs", _course(table))]
    names, codes = grouped(factor)
    table["level"] = codes[table["scenario_id"].to_numpy()]
    there = sorted(set(table["level"].tolist()))
    chosen = [there[i] for i in np.unique(np.linspace(0, len(there) - 1, MOST_LINES).astype(int))]
    title = data.titles[factor.label]
    return [
        (
            f"{title} {names[level][1]}",
            _course(table[table["level"] == level]),
        )
        for level in chosen
    ]


def _course(table: pd.DataFrame) -> pd.DataFrame:
    return table.groupby("time")["mean"].mean().reset_index()


def convergence(data: SweepData) -> Panel | None:
    """How the means settled."""
    if data.replications[1] < 2:
        return None
    lines = [_lines(data, output) for output in data.outputs]
    notes = [_convergence_note(data, output) for output in data.outputs]
    rows = [
        [outcome.title, name, f"{int(row['n']):,}",
         with_interval(float(row["mean"]), float(row["low"]), float(row["high"]))]
        for outcome, some in zip(data.outcomes, lines, strict=True)
        for name, table in some
        for row in [table.iloc[-1]]
    ]  # fmt: skip
    which = (
        "the point"
        if data.n_points == 1
        else "points with the lowest, a middling and the highest mean"
    )
    return Panel(
        "convergence",
        "Were there enough replications?",
        f"The mean of the first n replications of {which}, with its interval as a band, or a bar "
        "where there are too few for one. It is settled when that is as narrow as the question "
        "needs; that a line has gone flat by chance is no sign of it.",
        "How the means settled as replications were added.",
        plot_convergence(data.outcomes, lines, notes),
        ["Outcome", "Point", "Replications", "Mean"],
        rows,
    )


def _chosen(data: SweepData, output: str) -> list[int]:
    """The points with the lowest, a middling and the highest mean."""
    table = data.points(output).sort_values("mean", kind="stable", ignore_index=True)
    places = dict.fromkeys((0, (len(table) - 1) // 2, len(table) - 1)) if len(table) else {}
    return [int(table["scenario_id"].iloc[place]) for place in places]


def _lines(data: SweepData, output: str) -> list[tuple[str, pd.DataFrame]]:
    return [
        (data.point_text(each), running_mean(data.values(output, each), data.confidence))
        for each in _chosen(data, output)
    ]


def _convergence_note(data: SweepData, output: str) -> str:
    """How wide the intervals are now, and what a narrow one would take."""
    estimates = [data.estimate(output, each) for each in _chosen(data, output)]
    known = [each for each in estimates if each.has_interval]
    if not known:
        return "No point has two values: nothing is known of how sure the mean is."
    widest = max(known, key=lambda each: each.half / (abs(each.value) or math.inf))
    text = f"With {widest.n:,} replications the mean is known to within {number(widest.half)}"
    aim = NARROW_ENOUGH * abs(widest.value)
    if not aim:
        return f"{text}."
    text += f", {percent(abs(widest.half / widest.value)).lower()} of it, where it is known worst"
    if widest.half <= aim:
        return f"{text}."
    needed = replications_needed(widest, aim)
    return f"{text}; for 5 % it would take about {needed:,} replications."


def failures(data: SweepData) -> Panel | None:
    """Runs that failed, and how to play them again."""
    table = data.frames.failures
    if table.empty:
        return None
    rows = [
        [str(row["run_id"]), data.point_text(int(row["scenario_id"])), str(row["seed"]),
         str(row["error"]), f"tavern rerun {data.place} --run {row['run_id']}"]
        for row in table.head(100).to_dict("records")
    ]  # fmt: skip
    n_points = table["scenario_id"].nunique()
    errors: Sequence[str] = [str(each) for each in table["error"].value_counts().index[:3]]
    return Panel(
        "failures",
        "Failures",
        "A failed run is no value: means are those of the runs that were finished. The command "
        "plays it again and shows where it broke.",
        f"{times(len(table), 'run')} of {times(n_points, 'point')} failed: {'; '.join(errors)}.",
        None,
        ["run_id", "Point", "Seed", "Error", "Plays it again"],
        rows,
        is_open=len(rows) <= 20,
        n_rows=len(table),
    )
