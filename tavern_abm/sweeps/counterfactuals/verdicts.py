"""What a what-if says in words: what the change does, what it may do, what is not to be seen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from ... import coins
from ...rumor_words import listed
from ...stories import times
from ..estimating.printing import percent
from . import compare_words as words
from .absences import told
from .compare_words import wording_of
from .counterfactual import row_of_purse
from .matching import Effect
from .what_if import WhatIf

__all__ = ["Said", "fortunes", "luck", "percent", "preface", "title_of", "verdict"]

FEW = 10
"""A change that shows in fewer pairs than these rests on them alone."""
NARROWED = 1.1
"""Below this, common luck saved nothing worth telling."""
TOP = 10
"""So many of those whose purse it changes are named."""


class Said(NamedTuple):
    """A part of the verdict.

    Attributes
    ----------
    kind : "sure", "likely", "alike", "not seen" or "untouched"
        How far it is known.
    heading : str
        Ends with a colon where sentences follow.
    sentences : tuple of str
        One a finding; of what is not seen, a list of quantities.
    """

    kind: Literal["sure", "likely", "alike", "not seen", "untouched"]
    heading: str
    sentences: tuple[str, ...] = ()


def title_of(found: WhatIf) -> str:
    """What is asked, in a line, such as ``rusty-flagon without Wymar Irons``."""
    asked = found.question.played
    parts = []
    if asked.without:
        parts.append(f"without {listed(each.name for each in asked.without)}")
    if asked.changes:
        changes = (f"{path} = {value}" for path, value in asked.changes.items())
        parts.append(f"with {listed(changes)}")
    return f"{found.question.title} {' and '.join(parts)}"


def preface(found: WhatIf) -> list[str]:
    """How it was asked, in sentences: what is left out, and what the pairs have in common."""
    return [*map(told, found.question.played.without), *found.question.notes]


def confidence_of(effects: Sequence[Effect]) -> str:
    """The confidence of the intervals, such as ``95 %``; empty if there are none."""
    return percent(effects[0].change.confidence) if effects else ""


def verdict(found: WhatIf) -> list[Said]:
    """What the change does to the town."""
    effects, pairs = found.effects, times(found.n, "pair")
    sure = _strongest(each for each in effects if each.is_sure)
    likely = _strongest(each for each in effects if each.is_likely and not each.is_sure)
    untouched = [each for each in effects if each.is_untouched]
    alike = _strongest(each for each in effects if each.is_alike)
    seen = (*sure, *likely, *alike, *untouched)
    unseen = [each for each in effects if each not in seen]
    nights = times(found.question.nights, "night")
    said = [Said("sure", f"What it does, in {nights}:", _sentences(sure, found))]
    if not sure:
        said = [Said("not seen", _nothing(found))]
    if likely:
        said.append(Said("likely", _perhaps(effects), _sentences(likely, found)))
    if alike:
        heading = "By the same in every pair, which leaves nothing to test it by:"
        said.append(Said("alike", heading, _sentences(alike, found)))
    if unseen and found.n > 1 and (sure or likely or alike):
        said.append(Said("not seen", f"No difference that {pairs} can see in:", _titles(unseen)))
    if untouched and len(untouched) < len(effects):
        said.append(Said("untouched", "Exactly the same in every pair:", _titles(untouched)))
    return said


def _strongest(effects: Iterable[Effect]) -> list[Effect]:
    return sorted(effects, key=lambda each: -each.strength)


def _nothing(found: WhatIf) -> str:
    if all(each.is_untouched for each in found.effects):
        return "It does nothing: every pair is the same in all that was looked at."
    if found.n < 2:
        return "One pair shows what happened once; it takes more to say what the change does."
    pairs = times(found.n, "pair")
    return f"No difference that {pairs} can see for sure, all quantities taken together."


def _perhaps(effects: Sequence[Effect]) -> str:
    n = len(effects)
    chance = 1 - effects[0].change.confidence
    return (
        f"Perhaps (by its own {confidence_of(effects)} interval; of {n} such intervals "
        f"{n * chance:.1f} leave 0 out by chance, on average):"
    )


def _sentences(effects: Iterable[Effect], found: WhatIf) -> tuple[str, ...]:
    return tuple(_sentence(each, found) for each in effects)


def _sentence(effect: Effect, found: WhatIf) -> str:
    text = words.said(wording_of(effect.name), effect.change, found.question.nights)
    if effect.n_differ < FEW and 2 * effect.n_differ < effect.change.n:
        text += f"; it shows in {times(effect.n_differ, 'pair')} only"
    return text


def _titles(effects: Iterable[Effect]) -> tuple[str, ...]:
    return (listed(wording_of(each.name).title for each in effects),)


# ---------------------------------------------------------------- people and luck


def fortunes(found: WhatIf) -> Said | None:
    """Whose purse the change fills or empties for sure; None where nobody was asked after."""
    if not found.of_purses:
        return None
    sure = _strongest(each for each in found.of_purses if each.is_sure)
    n = times(len(found.of_purses), "person", "people")
    if not sure:
        text = f"Whose purse it changes: nobody's for sure, of {n} in {times(found.n, 'pair')}."
        return Said("not seen", text)
    sentences = [_purse(each, found.question.people) for each in sure[:TOP]]
    if len(sure) > TOP:
        sentences.append(f"and {times(len(sure) - TOP, 'other')}")
    return Said("sure", f"Whose purse it changes, at the end (of {n}):", tuple(sentences))


def _purse(effect: Effect, people: Sequence[str]) -> str:
    row = row_of_purse(effect.name)
    assert row is not None
    change = effect.change
    way = "richer" if change.value > 0 else "poorer"
    low, high = sorted((abs(change.low), abs(change.high)))
    interval = f"{coins.show(round(low))} to {coins.show(round(high))}"
    return f"{people[row]} is {coins.show(round(abs(change.value)))} {way} ({interval})"


def luck(found: WhatIf) -> str:
    """What it saved that the runs of a pair share their luck; empty where that is not known."""
    factors = sorted(
        each.narrowed
        for each in found.effects
        if not each.is_untouched and math.isfinite(each.narrowed)
    )
    if not factors:
        return ""
    middle = factors[len(factors) // 2]
    if middle < NARROWED:
        return (
            "Sharing luck saved little here: the change soon leads to other company at the tables, "
            f"and the runs of a pair differ about as much as any two (middle factor {middle:.1f})."
        )
    return (
        f"Sharing luck saved runs: for the middle one of these quantities it would have taken "
        f"{round(found.n * middle):,} pairs of runs with luck of their own "
        f"(factors {factors[0]:.1f} to {min(factors[-1], 999):.1f})."
    )
