"""What is said above and below the numbers of a summary: what they are of, and what to mind."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ...stories import times
from ..design import Auto
from .groups import DONE, FAILED, Tables, outputs_of
from .labels import Labels, labelled
from .printing import WIDTH, percent
from .resampling import BOOTSTRAP_FROM
from .simultaneous import bonferroni
from .tables import constants, difference_lines, summary_lines

UNLIKE = (
    "No point has its like at the other level: in a sample other settings differ, too, and how far "
    "those move a mean is not in these intervals. --sensitivity tells what a factor does."
)
MANY = 10
"""From so many intervals on it is said how many of them miss by mere chance."""


def summary_text(
    tables: Tables,
    summary: pd.DataFrame,
    *,
    confidence: float,
    name: str = "",
    planned: int | None = None,
    titles: Mapping[str, str] | None = None,
    labels: Labels | None = None,
    idle: Sequence[str] = (),
    auto: Auto | None = None,
    rows: int = 40,
) -> list[str]:
    """A summary in print, with what it is of above it and what to mind below.

    Parameters
    ----------
    tables : Tables
        What the summary is of.
    summary : DataFrame
        As `summarize` gives it.
    confidence : float
        That was asked for: of each interval, or of all together where they were widened.
    name : str, optional
        Of the sweep.
    planned : int, optional
        Runs that were to be played.
    labels : mapping, optional
        What the design calls its factors.
    idle : sequence of str, optional
        Factors that change nothing at all.
    auto : Auto, optional
        Where points were played until their intervals were narrow: what was asked.
    titles, rows
        As for `summary_lines`.

    Returns
    -------
    list of str
        Lines of at most 100 characters, as far as names and values leave room.
    """
    summary = labelled(summary, labels or {})
    head = [_about(tables, name, planned), _intervals(summary, "of the mean")]
    below = [
        *_notes_on_idle(idle),
        *_notes_on_n(summary),
        *_notes_on_groups(summary),
        *_notes_on_many(int((summary["sd"] > 0).sum()), summary, confidence),
        *_notes_on_equal(bool((summary["sd"] == 0).any())),
        *_notes_on_stopped(summary, auto),
    ]
    return [*head, "", *summary_lines(summary, titles, rows), *_after(below)]


def difference_text(
    tables: Tables,
    differences: pd.DataFrame,
    *,
    confidence: float,
    against: str,
    name: str = "",
    planned: int | None = None,
    titles: Mapping[str, str] | None = None,
    labels: Labels | None = None,
    idle: Sequence[str] = (),
    are_alike: bool = True,
    rows: int = 40,
) -> list[str]:
    """The same of differences.

    Parameters
    ----------
    tables : Tables
        What they are of.
    differences : DataFrame
        As `pairs.differences` gives them.
    against : str
        The base in words.
    are_alike : bool, default True
        Whether points were held against their like: see `pairs.have_like`.
    confidence, name, planned, titles, labels, idle, rows
        As for `summary_text`.
    """
    differences = labelled(differences, labels or {})
    said = f"of the difference to the base ({against})"
    head = [_about(tables, name, planned), _intervals(differences, said)]
    uneven = "Rows of fewer points compare those alone that there are on both sides."
    below = [
        *_notes_on_idle(idle),
        *_notes_on_pairs(differences),
        *([] if are_alike else [UNLIKE]),
        *([uneven] if _has_uneven_points(differences) else []),
        *_notes_on_many(int((differences["sd"] > 0).sum()), differences, confidence),
    ]
    return [*head, "", *difference_lines(differences, titles, rows), *_after(below)]


def _after(notes: Sequence[str]) -> list[str]:
    lines = [line for note in notes for line in textwrap.wrap(note, WIDTH)]
    return ["", *lines] if lines else []


def _about(tables: Tables, name: str, planned: int | None) -> str:
    runs = tables.runs
    done, failed = (int((runs["status"] == status).sum()) for status in (DONE, FAILED))
    parts = [times(runs["scenario_id"].nunique(), "point"), f"{done:,} runs done"]
    if failed:
        parts.append(f"{failed:,} failed")
    if planned is not None and planned > len(runs):
        parts.append(f"{planned - len(runs):,} not played yet")
    return f"{name}: {', '.join(parts)}" if name else ", ".join(parts)


def _intervals(table: pd.DataFrame, of_what: str) -> str:
    same = constants(table)
    each = percent(float(table["confidence"].iloc[0])) if len(table) else "no"
    return f"{each} intervals {of_what}, Student's t" + (f"; all with {same}" if same else "")


def _notes_on_n(summary: pd.DataFrame) -> list[str]:
    n = summary["n"]
    if not len(n) or n.max() < 2:
        return ["One run of each point: no intervals. More come with --replicates and --resume."]
    if n.max() < BOOTSTRAP_FROM:
        return []
    return ["Bootstrap intervals (BCa) are in the files: --format csv has boot_low and boot_high."]


def _notes_on_groups(summary: pd.DataFrame) -> list[str]:
    """Levels that lost points are means over other points than the rest."""
    if not _has_uneven_points(summary):
        return []
    text = "Rows of fewer points are means over other settings than the rest are;"
    return [f"{text} --against compares like with like."]


def _has_uneven_points(table: pd.DataFrame) -> bool:
    return "points" in table and table.groupby("output")["points"].nunique().max() > 1


def _notes_on_idle(idle: Sequence[str]) -> list[str]:
    """What was varied in vain: often a setting that this scenario has no use for."""
    return [f"{each} changes nothing: every run is the same at all its levels." for each in idle]


def _notes_on_stopped(summary: pd.DataFrame, auto: Auto | None) -> list[str]:
    if auto is None or "stopped" not in summary or summary["stopped"].isna().all():
        return []
    return [
        f"Stopped: narrow as soon as the interval was as narrow as asked, or wide after "
        f"{auto.at_most:,} replications. Intervals that were stopped at hold the mean less often "
        f"than they say: docs/explanation/intervals.md."
    ]


def _notes_on_equal(is_any: bool) -> list[str]:
    if not is_any:
        return []
    return ["All equal: every run gave this value, which is no proof that others would."]


def _notes_on_many(n: int, table: pd.DataFrame, confidence: float) -> list[str]:
    if n < MANY:
        return []
    each = float(table["confidence"].iloc[0])
    if np.isclose(each, bonferroni(confidence, n)):
        return [f"All {n:,} intervals hold together with {percent(confidence)} (Bonferroni)."]
    missed = max(1, round(n * (1 - each)))
    text = f"With {n:,} intervals of {percent(each)} expect {missed:,} to miss by mere chance;"
    return [f"{text} --simultaneous widens them until all hold together."]


def _notes_on_pairs(differences: pd.DataFrame) -> list[str]:
    if not (differences["way"] == "paired").any():
        return ["Every run had luck of its own: differences are Welch's, of two samples each."]
    narrowed = differences.loc[np.isfinite(differences["narrowed"]), ["narrowed", "n"]]
    if narrowed.empty:
        return []
    ratio, n = float(narrowed["narrowed"].median()), float(narrowed["n"].median())
    said = "Taken within replications, on the same luck."
    if ratio <= 1:
        return [f"{said} It narrowed nothing here: the variance is x{1 / ratio:.3g} (median)."]
    return [
        f"{said} Without that the variance would be x{ratio:.3g} (median): "
        f"{n:.0f} pairs do what {n * ratio:,.0f} of unlike luck would."
    ]


def about_json(tables: Tables, confidence: float, name: str) -> dict[str, Any]:
    """What a summary as JSON says before its rows."""
    runs = tables.runs
    return {
        "name": name,
        "points": int(runs["scenario_id"].nunique()),
        "runs_done": int((runs["status"] == DONE).sum()),
        "runs_failed": int((runs["status"] == FAILED).sum()),
        "outputs": outputs_of(tables),
        "confidence": confidence,
    }
