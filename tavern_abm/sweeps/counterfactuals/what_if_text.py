"""What a what-if found, as a page of text: the verdict first, then every number."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Protocol

from ...stories import times
from ..estimating.estimates import Estimate
from ..estimating.printing import aligned
from . import compare_words as words
from .compare_words import number, wording_of
from .matching import Effect
from .questions import shares_among
from .verdicts import Said, confidence_of, fortunes, luck, preface, title_of, verdict
from .what_if import WhatIf

__all__ = ["OF_PATRON", "aligned", "cells_of", "patron_cells", "text_of"]

WIDTH = 98

OF_PATRON = {
    "patron.purse_cp": ("purse at the end", "cp"),
    "patron.games_net_cp": ("won at the tables", "cp"),
    "patron.is_here": ("still lives here", "%"),
    "patron.is_dead": ("is dead", "%"),
    "patron.tries": ("tricks tried", ""),
    "patron.accused": ("times accused", ""),
    "patron.convicted": ("times convicted", ""),
    "patron.beaten": ("times beaten", ""),
    "patron.suspected_by": ("suspected by, people", ""),
}
"""Title and unit of what is told of one person."""

type Cells = tuple[str, ...]


def text_of(found: WhatIf) -> str:
    """All of it, in lines of at most about 100 characters."""
    whose = fortunes(found)
    parts = [
        list(_head(found)),
        *([_said(each) for each in verdict(found)]),
        _table(found),
        _patron(found),
        _said(whose) if whose else [],
        textwrap.wrap(luck(found), WIDTH, subsequent_indent="  "),
        _failures(found),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _head(found: WhatIf) -> Iterator[str]:
    question = found.question
    pairs = times(found.n, "pair")
    yield title_of(found)
    yield (
        f"{times(question.nights, 'night')}, {pairs} of runs with the same luck, "
        f"seed {question.seed}"
    )
    for line in preface(found):
        yield from _wrapped(line)


def _said(said: Said) -> list[str]:
    lines = textwrap.wrap(said.heading, WIDTH, subsequent_indent="  ")
    return lines + [line for sentence in said.sentences for line in _wrapped(sentence)]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")


# ---------------------------------------------------------------- the tables


def _table(found: WhatIf) -> list[str]:
    """Every quantity: both means, the difference and its interval, and how sure it is."""
    rows: list[Cells] = [_header(found.effects, "luck")]
    group = ""
    for each in in_order(found.effects):
        wording = wording_of(each.name)
        if wording.group != group:
            group = wording.group
            rows.append((group, "", "", "", "", ""))
        name, *rest = cells_of(each, found)
        rows.append((f"  {name}", *rest))
    return [*aligned(rows), "", *_legend(found)]


def _header(effects: Sequence[Effect], *more: str) -> Cells:
    return ("", "as it is", "changed", f"difference ({confidence_of(effects)})", "p", *more)


class Named(Protocol):
    """Something of a quantity."""

    @property
    def name(self) -> str:
        """The quantity."""
        ...


def in_order[Of: Named](effects: Sequence[Of]) -> list[Of]:
    """Quantities by their groups, those without words of ours last."""
    groups = list(dict.fromkeys(each.group for each in words.WORDINGS.values()))
    places = {group: place for place, group in enumerate(groups)}
    return sorted(effects, key=lambda each: places.get(wording_of(each.name).group, len(groups)))


def cells_of(effect: Effect, found: WhatIf) -> Cells:
    """A row of the table of quantities, as text."""
    wording = wording_of(effect.name)
    factor = words.scale(wording, found.question.nights)
    unit = words.unit_told(wording)
    name = f"{wording.title}{f', {unit}' if unit else ''}"
    cells = _cells(name, effect, factor, found.n)
    return (*cells, "" if effect.is_untouched else _narrowed(effect))


def patron_cells(effect: Effect, found: WhatIf) -> Cells:
    """A row of the table of one person, as text."""
    title, unit = OF_PATRON[effect.name]
    name = f"{title}{f', {unit}' if unit else ''}"
    return _cells(name, effect, 100.0 if unit == "%" else 1.0, found.n)


def _cells(name: str, effect: Effect, factor: float, n: int) -> Cells:
    if effect.change.n < n:
        name += f" [{effect.change.n}]"
    change = _scaled(effect.change, factor)
    digits = _digits(change)
    means = [number(each.value * factor, digits) for each in (effect.base, effect.changed)]
    if effect.is_untouched:
        return name, *means, "the same", ""
    return name, *means, _interval(change, digits), _p(effect)


def _digits(change: Estimate) -> int:
    """In a table two figures of half the interval are given, in a sentence one."""
    return min(4, words.decimals(change.half / 10)) if change.half > 0 else 1


def _scaled(estimate: Estimate, factor: float) -> Estimate:
    value, low, high, n, sd, confidence = estimate
    return Estimate(value * factor, low * factor, high * factor, n, sd * factor, confidence)


def _interval(change: Estimate, digits: int) -> str:
    value = number(change.value, digits, sign=True)
    if not change.has_interval:
        return value
    if change.sd == 0:
        return f"{value} in every pair"
    low, high = (number(each, digits, sign=True) for each in (change.low, change.high))
    return f"{value} ({low} to {high})"


def _p(effect: Effect) -> str:
    p = effect.p_holm
    if p != p:
        return ""
    return f"{'<0.001' if p < 0.001 else f'{p:.3f}'}{'*' if effect.is_sure else ''}"


def _narrowed(effect: Effect) -> str:
    return "" if effect.narrowed != effect.narrowed else f"{min(effect.narrowed, 999):.1f}x"


def _legend(found: WhatIf) -> list[str]:
    lines = legend(found)
    return [line for text in lines for line in textwrap.wrap(text, WIDTH, subsequent_indent="  ")]


def legend(found: WhatIf) -> list[str]:
    """What the columns of the table mean."""
    if found.n < 2:
        return []
    lines = [
        "p: of no difference, adjusted by Holm for all quantities in the table; * below "
        f"{1 - found.effects[0].change.confidence:.2g}.",
        "luck: so many times as many runs would be needed if the runs of a pair did not share "
        "their luck.",
    ]
    if shares_among(found.question.outputs):
        lines.append("A share of sums, such as of convictions, is of those of all runs together.")
    if any(each.change.n < found.n for each in found.effects):
        lines.append("[n]: pairs in which it is defined on both sides, such as a share.")
    return lines


def _patron(found: WhatIf) -> list[str]:
    if not found.of_patron:
        return []
    rows = [_header(found.of_patron)]
    for each in found.of_patron:
        name, *rest = patron_cells(each, found)
        rows.append((f"  {name}", *rest))
    return [str(found.question.played.patron), *aligned(rows)]


def _failures(found: WhatIf) -> list[str]:
    n = len(found.failures)
    if not n:
        return []
    lines = [f"{times(n, 'run')} failed, and the pairs of these are left out:"]
    for row in found.failures.head(3).to_dict("records"):
        side = "changed" if row["scenario_id"] else "as it is"
        where = f"replication {row['replication_id']}, {side}, seed {row['seed']}"
        lines += _wrapped(f"{where}: {row['error']}")
    return lines
