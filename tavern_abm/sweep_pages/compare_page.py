"""Two runs held against each other, as a page: one HTML file that opens anywhere."""

from __future__ import annotations

import pandas as pd

from .. import coins
from ..plots.parting import plot_parting
from ..report.panel import Panel
from ..stories import times
from ..sweeps.counterfactuals import compare_text as text
from ..sweeps.counterfactuals.comparing import Comparison
from ..sweeps.counterfactuals.verdicts import Said
from .what_if_page import render

__all__ = ["page"]


def page(found: Comparison) -> str:
    """Make the page as text; the same two runs give the same bytes."""
    return render(
        kicker="Two runs held against each other",
        title=f"{found.one.path.name} and {found.other.path.name}",
        lead=text.luck(found),
        facts=[
            (letter, f"{run.path}: {run.info['scenario']}, seed {run.info['seed']}")
            for letter, run in (("A", found.one), ("B", found.other))
        ],
        verdict=_said(found),
        panels=[] if found.is_same else _panels(found),
        notes=[] if found.is_same else [text.ONE_PAIR],
        command=None if found.is_same else text.suggestion(found) or None,
    )


def _said(found: Comparison) -> list[Said]:
    if found.is_same:
        return [Said("sure", "They are the same run, to the last coin.")]
    different = tuple(text.setting_told(each) for each in (*found.settings, *found.facts))
    said = [Said("likely", "What was different:", different)]
    first = text.first_event(found)
    if first:
        heading = f"Where they part: {first[0]}" if first[1:] else first[0]
        said.append(Said("likely", heading, tuple(first[1:])))
    gone = tuple(map(text.gone_told, found.fates.gone))
    if gone:
        said.append(Said("likely", "Who went in one of them or otherwise:", gone))
    return said


def _panels(found: Comparison) -> list[Panel]:
    return [*_parting(found), _values(found), *_purses(found), _houses(found)]


def _parting(found: Comparison) -> list[Panel]:
    if found.parting is None or not found.parting.nights:
        return []
    nights = pd.DataFrame(found.parting.nights, columns=["night", "differing", "people"])
    last = nights.iloc[-1]
    return [
        Panel(
            id="parting",
            title="How they drift apart",
            caption="People whose evening is another: where they went, sat, drank and won, of all "
            "who lived here in one of the runs.",
            finding=f"On the last night that both have, {last['differing']} of {last['people']} "
            "people have another evening.",
            figure=plot_parting(nights),
            columns=["Night", "Other evenings", "People"],
            rows=nights.to_numpy().tolist(),
        )
    ]


def _values(found: Comparison) -> Panel:
    return Panel(
        id="values",
        title="What came of it",
        caption="One pair of runs has no interval: a difference happened, and may be chance.",
        finding=f"Over the first {found.n_nights} nights of both.",
        figure=None,
        columns=["Quantity", "A", "B", "B less A"],
        rows=[list(row) for row in text.value_rows(found)],
        is_open=True,
    )


def _purses(found: Comparison) -> list[Panel]:
    purses = found.fates.purses
    if not purses:
        return []
    first = purses[0]
    way = "richer" if first.change_cp > 0 else "poorer"
    return [
        Panel(
            id="purses",
            title="Whose purse is another",
            caption="Of those who live here at the end of both, the greatest difference first.",
            finding=f"{first.name} is {coins.show(abs(first.change_cp))} {way} in B.",
            figure=None,
            columns=["Name", "A, cp", "B, cp", "B less A, cp"],
            rows=[
                [each.name, f"{each.one_cp:,}", f"{each.other_cp:,}", f"{each.change_cp:+,}"]
                for each in purses
            ],
        )
    ]


def _houses(found: Comparison) -> Panel:
    head, *rows = text.house_rows(found)
    return Panel(
        id="houses",
        title="Houses",
        caption="A / B, over the nights that both have.",
        finding=f"{times(len(rows), 'house is', 'houses are')} in both.",
        figure=None,
        columns=["House", *head[1:]],
        rows=[[cell.strip() for cell in row] for row in rows],
        is_open=True,
    )
