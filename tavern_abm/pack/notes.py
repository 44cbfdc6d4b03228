"""What is said of a set as a whole: how its mix came out, and why there are not more."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from ..rumor_words import spelled
from .balance import TRUTHS
from .choosing import Choice, Offer
from .memory import Memory

if TYPE_CHECKING:
    from .rumors import Wanted

STORIES = ("true stories", "half-truths", "lies")
"""Of each truth, what runs out."""
CURE = "let it go on some nights (tavern run --from ...)"


def why_few(wanted: Wanted, seen: Memory) -> str:
    """What was asked for that leaves so few."""
    limits = [
        ("of these kinds", bool(wanted.kinds)),
        (f"of strength {wanted.strength} or more", wanted.strength > 1),
        ("in this house", wanted.tavern is not None),
        ("not told before", bool(seen.sessions)),
    ]
    said = ", ".join(text for text, holds in limits if holds)
    return f" {said}" if said else " that differ enough"


def notes_of(
    choice: Choice, offers: Sequence[Offer], wanted: Wanted, told: Collection[int] = ()
) -> tuple[str, ...]:
    """What the mix came to, and why.

    Parameters
    ----------
    choice : Choice
        The set.
    offers : sequence of Offer
        What it was chosen from.
    wanted : Wanted
        What was asked for.
    told : collection of int
        Sources of what was told before, as `Offer.source` gives them.
    """
    counts = choice.counts
    came = ", ".join(f"{n} {truth}" for n, truth in zip(counts, TRUTHS, strict=True))
    if wanted.event:
        return (f"{came}: versions of event {wanted.event} that contradict each other.",)
    mix = ", ".join(f"{weight:g}" for weight in wanted.mix)
    note = f"{came}; drawn around a mix of {mix}"
    short = [at for at in range(len(TRUTHS)) if counts[at] < choice.wanted[at]]
    for at in short:
        why = _bound(at, choice, offers, wanted, told)
        note += f"; {choice.wanted[at]} {TRUTHS[at]} were drawn, but {why}"
    return (f"{note}.",)


def _bound(
    at: int, choice: Choice, offers: Sequence[Offer], wanted: Wanted, told: Collection[int]
) -> str:
    """Why there are no more of a truth."""
    there = {offer.source for offer in offers if offer.label == at}
    fresh = there.difference(told)
    house = wanted.tavern is not None
    if fresh != there and len(fresh) < choice.wanted[at]:
        whose = "this house has told all its" if house else "those who are out have told all their"
        return f"{whose} {STORIES[at]}{f' but {spelled(len(fresh))}' if fresh else ''}; {CURE}"
    if len(there) < choice.wanted[at]:
        stories = "story" if len(there) == 1 else "stories"
        who = "those who are in this house" if house else "those who are out"
        return f"{who} believe only {len(there)} such {stories}; {CURE}"
    return "the others are of the same events, tellers or words as those chosen"
