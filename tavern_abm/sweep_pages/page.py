"""The page of a sweep: one HTML file with what came out, for a talk, a reader, a reviewer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .. import folders, html_pages
from ..sweeps.estimating.estimates import CONFIDENCE
from . import page_words as words
from .page_data import SweepData, sweep_data, told_of
from .page_effects import does_nothing
from .page_panels import panels
from .page_runs import failures


def write_page(
    store: str | Path,
    path: str | Path,
    *,
    confidence: float = CONFIDENCE,
    outputs: Sequence[str] = (),
) -> Path:
    """Write the page of a sweep.

    It opens anywhere and needs no network. It is written aside and moved into place; the
    same store gives the same bytes.

    Parameters
    ----------
    store : str or Path
        A folder that `tavern sweep` or `tavern merge` wrote; the sweep may still be playing.
    path : str or Path
        Where the page goes.
    confidence : float, default 0.95
        Of all intervals on it.
    outputs : sequence of str, optional
        Only these.

    Returns
    -------
    Path
        Where it is.

    Raises
    ------
    SweepError
        If the store is none, or damaged, or has no such output.
    OSError
        If the page cannot be written.
    """
    page = render(sweep_data(store, confidence, outputs))
    place = Path(path)
    folders.put_file(place, page.encode())
    return place


def render(data: SweepData) -> str:
    """Make the page of a sweep as text."""
    figures = panels(data)
    failed = failures(data)
    design = data.design
    return (
        html_pages.environment()
        .get_template("sweep/page.html.j2")
        .render(
            title=design.name,
            about=design.about,
            facts=words.facts(data),
            headlines=words.headlines(data),
            panels=figures,
            idle=does_nothing(data.idle_at_all),
            failures=failed,
            factors=[
                (each.label, ", ".join(each.paths), words.settings(each)) for each in design.factors
            ],
            outcomes=[(name, *told_of(name, design)) for name in data.outputs],
            undefined=[n for n in data.wanted if n not in data.outputs],
            method=words.method(data),
            how_run=words.how_run(data),
            commands=words.commands(data),
            bibtex=words.bibtex(data),
            n_runs=data.n_done,
            missing=data.missing,
            figures=html_pages.embedded_figures(
                {each.id: each.figure for each in figures if each.figure is not None}
            ),
            style=html_pages.part("report/page.css", "sweep/page.css"),
            script=html_pages.part("figures.js", "sweep/page.js"),
            plotly=html_pages.plotly_js(),
        )
    )
