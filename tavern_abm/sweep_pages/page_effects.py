"""What factors do to outcomes: means by level, and how far they go."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from ..plots.effects import Axis, Effect, plot_effects
from ..plots.tornado import plot_tornado
from ..report.panel import Panel
from ..rumor_words import listed
from ..sweeps.estimating.varied import Varied
from .page_data import SweepData
from .page_words import UNKNOWN_LUCK, is_luck, moved_most, number, over_what, with_interval

MOST_NAMED = 12
"""Levels of numbers that have a tick each; more have an axis of round numbers."""


def effects(data: SweepData) -> Panel:
    """What each outcome does along each factor."""
    found = [[data.effect(factor, output) for factor in data.shown] for output in data.outputs]
    effects = [
        [
            Effect(table, _cloud(data, factor, output))
            for factor, table in zip(data.shown, row, strict=True)
        ]
        for output, row in zip(data.outputs, found, strict=True)
    ]
    notes = [_effect_note(data, output) for output in data.outputs]
    rows = [
        [outcome.title, data.titles[factor.label], row["level"],
         with_interval(row["mean"], row["low"], row["high"]), f"{row['n_points']:,}"]
        for outcome, tables in zip(data.outcomes, found, strict=True)
        for factor, table in zip(data.shown, tables, strict=True)
        for row in table.to_dict("records")
    ]  # fmt: skip
    return Panel(
        "effects",
        "What each factor does",
        _effects_caption(data),
        "How the mean of an outcome changes with each factor, over all that the others do.",
        plot_effects(data.outcomes, [_axis(data, each) for each in data.shown], effects, notes),
        ["Outcome", "Factor", "Level", "Mean", "Points"],
        rows,
        n_rows=len(rows),
    )


def _effects_caption(data: SweepData) -> str:
    share = f"{data.confidence * 100:g} %"
    text = (
        f"Points are means over all design points at that level, whiskers their {share} intervals"
    )
    if not data.is_grid:
        text = (
            "Grey signs are design points. Blue ones are means of neighbours by the factor, "
            f"whiskers their {share} intervals, {over_what(data)}"
        )
    text += "; the dotted line is the mean of all points. All panels have one scale."
    if len(data.shown) < len(data.factors):
        text += f" Of {len(data.factors)} factors the {len(data.shown)} that matter most are shown."
    if data.replications[1] < 2 and data.is_grid:
        text += " With one replication there is no interval over luck."
    return text


def _cloud(data: SweepData, factor: Varied, output: str) -> pd.DataFrame | None:
    if data.is_grid:
        return None
    means = data.cells(output).means
    known = np.isfinite(means)
    return pd.DataFrame({"x": factor.numbers[known], "mean": means[known]})


def _axis(data: SweepData, factor: Varied) -> Axis:
    ticks = None
    if not factor.is_number:
        ticks = [(float(i), factor.name_of(each)) for i, each in enumerate(factor.levels)]
    elif len(factor.levels) <= MOST_NAMED and _is_even(factor):
        ticks = [(float(each), factor.name_of(each)) for each in factor.levels]
    elif factor.is_log:
        ticks = _round_ticks(float(factor.numbers.min()), float(factor.numbers.max()))
    return Axis(data.titles[factor.label], ticks, factor.is_number, factor.is_log)


def _round_ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Powers of ten between two numbers, and where these are few, three times them, or more.

    Examples
    --------
    >>> _round_ticks(0.001, 0.09), [text for _, text in _round_ticks(3, 40)]
    ([(0.001, '0.001'), (0.01, '0.01')], ['3', '10', '30'])
    """
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for steps in ((1,), (1, 3), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 6, 8)):
        values = [step * 10.0**power for power in powers for step in steps]
        chosen = [each for each in values if low * 0.999 <= each <= high * 1.001]
        if len(chosen) > 1:
            break
    return [(each, f"{each:g}") for each in chosen]


def _is_even(factor: Varied) -> bool:
    """Whether no two levels are so near that their names would stand on each other."""
    levels = np.unique(factor.scaled)
    return bool(np.diff(levels).min() > 0.07 * np.ptp(levels))


def _effect_note(data: SweepData, output: str) -> str:
    """What moves the outcome, and what does nothing, in words."""
    return " ".join(filter(None, [_what_moves(data, output), does_nothing(data.idle(output))]))


def does_nothing(titles: Sequence[str]) -> str:
    """That factors do nothing; "" without any.

    Examples
    --------
    >>> does_nothing(["tell prob"])
    'Tell prob does nothing: every run is the same at all its levels.'
    """
    told = [f"{each} does nothing: every run is the same at all its levels." for each in titles]
    return " ".join(f"{each[:1].upper()}{each[1:]}" for each in told)


def _what_moves(data: SweepData, output: str) -> str:
    text = moved_most(data, output)
    if not text or text == UNKNOWN_LUCK or is_luck(data, output) or data.leading(output):
        return text
    _, *others = data.swings(output).to_dict("records")
    clear = [row for row in others if row["low"] > 0]
    if clear:
        told = [f"{row['title']} moves it by {number(row['swing'])}" for row in clear[:3]]
        text += f" {listed(told)[:1].upper()}{listed(told)[1:]}."
    return text


def tornado(data: SweepData) -> Panel:
    """How far each factor moves each outcome."""
    middles = [float(np.nanmean(data.cells(output).means)) for output in data.outputs]
    tables = [data.swings(output) for output in data.outputs]
    if not data.is_grid:
        ends = ["low_mean", "high_mean"]
        tables = [
            each.assign(**{end: each[end] - middle for end in ends})
            for each, middle in zip(tables, middles, strict=True)
        ]
        middles = [0.0] * len(middles)
    rows = [
        [outcome.title, row["title"], f"{number(row['low_mean'])} ({row['low_level']})",
         f"{number(row['high_mean'])} ({row['high_level']})",
         with_interval(row["swing"], row["low"], row["high"])]
        for outcome, table in zip(data.outcomes, tables, strict=True)
        for row in table.to_dict("records")
    ]  # fmt: skip
    return Panel(
        "tornado",
        "Which factor moves it furthest",
        "Each bar runs from the lowest mean of a level to the highest, with the levels at its "
        "ends; the line is the mean of all points. The two levels are chosen by what came out, "
        "so even a factor that does nothing has a short bar: see whether its interval in the "
        "table leaves out 0."
        + (
            " Ends are those of an additive fit, held against the mean of all points: of a sampled "
            "factor with groups of neighbours; where points are few, with straight lines, which "
            f"cannot see what rises and falls. Intervals are {over_what(data)}."
            if not data.is_grid
            else ""
        ),
        "From end to end of each factor, the others as they come.",
        plot_tornado(
            data.outcomes,
            tables,
            middles,
            [_tornado_note(t) for t in tables],
            is_change=not data.is_grid,
        ),
        ["Outcome", "Factor", "Lowest mean", "Highest mean", "Moves it by"]
        if data.is_grid
        else ["Outcome", "Factor", "Down from the mean", "Up from the mean", "Moves it by"],
        rows,
    )


def _tornado_note(table: pd.DataFrame) -> str:
    parts = [
        f"{row['title']} {with_interval(row['swing'], row['low'], row['high'])}"
        for row in table.head(4).to_dict("records")
    ]
    return f"Moves it by: {'; '.join(parts)}." if parts else ""
