"""What a what-if found, as a page: one HTML file that opens anywhere."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from .. import html_pages
from ..plots.changes import plot_changes
from ..report.panel import Panel
from ..stories import times
from ..sweeps.counterfactuals import compare_words as words
from ..sweeps.counterfactuals.compare_words import wording_of
from ..sweeps.counterfactuals.matching import Effect
from ..sweeps.counterfactuals.verdicts import (
    confidence_of,
    fortunes,
    luck,
    preface,
    title_of,
    verdict,
)
from ..sweeps.counterfactuals.what_if import WhatIf
from ..sweeps.counterfactuals.what_if_tables import verdict_of
from ..sweeps.counterfactuals.what_if_text import cells_of, in_order, legend, patron_cells

__all__ = ["page"]


def page(found: WhatIf) -> str:
    """Make the page as text; the same what-if gives the same bytes."""
    panels = [_changes(found), *([_patron(found)] if found.of_patron else [])]
    whose = fortunes(found)
    return render(
        kicker="One thing changed, the luck kept",
        title=title_of(found),
        lead=" ".join(preface(found)),
        facts=_facts(found),
        verdict=[*verdict(found), *([whose] if whose else [])],
        panels=panels,
        notes=[each for each in (luck(found), _failed(found)) if each],
        command=None,
    )


def render(*, panels: list[Panel], **parts: Any) -> str:
    """A page of this kind, of its parts."""
    figures = {each.id: each.figure for each in panels if each.figure is not None}
    template = html_pages.environment().get_template("whatif/page.html.j2")
    return template.render(
        panels=panels,
        figures=html_pages.embedded_figures(figures),
        style=html_pages.part("report/page.css", "whatif/page.css"),
        script=html_pages.part("figures.js", "whatif/page.js"),
        plotly=html_pages.plotly_js(),
        **parts,
    )


def _facts(found: WhatIf) -> list[tuple[str, str]]:
    question = found.question
    return [
        ("Nights", f"{question.nights:,}"),
        ("Pairs of runs", f"{found.n:,}"),
        ("Seed", str(question.seed)),
        ("People", "the same in all" if question.people else "new in every pair"),
        ("Intervals", confidence_of(found.effects)),
    ]


def _failed(found: WhatIf) -> str:
    n = len(found.failures)
    return f"{times(n, 'run')} failed, and the pairs of these are left out." if n else ""


def _changes(found: WhatIf) -> Panel:
    ordered = in_order(found.effects)
    drawn = pd.DataFrame([_drawn(each, found) for each in ordered if not each.is_untouched])
    n_sure = sum(each.is_sure for each in ordered)
    return Panel(
        id="changes",
        title="What it does to each quantity",
        caption=f"A point is the mean change over all pairs, a line its {confidence_of(ordered)} "
        "interval, both in units of how far runs of the town as it is lie apart by luck alone "
        f"(their standard deviation). {' '.join(legend(found))}",
        finding=f"Of {len(ordered)} quantities it changes {n_sure} for sure.",
        figure=plot_changes(drawn),
        columns=[
            "Quantity",
            "As it is",
            "Changed",
            f"Difference ({confidence_of(ordered)})",
            "p",
            "Luck",
        ],
        rows=[list(cells_of(each, found)) for each in ordered],
    )


def _drawn(effect: Effect, found: WhatIf) -> dict[str, Any]:
    """A change in standard deviations of the town as it is; of the changes where that is 0."""
    change, spread = effect.change, effect.base.sd or effect.change.sd
    unit = spread if spread and math.isfinite(spread) else 1.0
    wording = wording_of(effect.name)
    _, base, changed, difference, *_ = cells_of(effect, found)
    return {
        "title": wording.title,
        "value": change.value / unit,
        "low": change.low / unit,
        "high": change.high / unit,
        "verdict": verdict_of(effect),
        "told": f"{wording.title}, {words.unit_told(wording)}: {base} as it is, {changed} "
        f"changed, {difference}",
    }


def _patron(found: WhatIf) -> Panel:
    return Panel(
        id="patron",
        title=str(found.question.played.patron),
        caption="Means over all pairs. A purse counts where its owner lives here at both ends.",
        finding=f"How {found.question.played.patron} fares.",
        figure=None,
        columns=["", "As it is", "Changed", f"Difference ({confidence_of(found.of_patron)})", "p"],
        rows=[list(patron_cells(each, found)) for each in found.of_patron],
        is_open=True,
    )
