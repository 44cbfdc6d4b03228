"""Rounds of Rotting Toes as events: tries at a trick, throw by throw, and what came of them."""

from __future__ import annotations

from collections.abc import Iterator

from ..games import rotting_toes as rt
from ..patrons.decisions.rotting_toes import AFTER_A_FAILURE
from .happenings import Event, Teller
from .record import ODD

KINDS = {
    "trick": "a die turned unseen after a successful check",
    "failed_trick": "a failed check; the throw looked odd",
    "odd_throw": "a throw without a failed check that looked odd to somebody who followed it",
}
"""Kinds of event that this game brings."""
WORDINGS: dict[str, tuple[str, ...]] = {
    "trick": (
        "{hand} turned a die unseen and made doubles ({sum}).",
        "{hand} palmed a die and set it down as it was needed ({sum}).",
        "With a cough and a quick thumb {hand} made doubles ({sum}).",
    ),
    "failed_trick": (
        "{hand}'s thumb slipped on a die, and some looked twice ({sum}).",
        "{hand} reached for a die too late, and the table saw it ({sum}).",
        "A die turned over under {his} sleeve as {hand} drew back an arm ({sum}).",
        "{hand} tried to nudge a die and knocked it off the table ({sum}).",
    ),
    "odd": (
        "A throw of {hand}'s looked odd, though there was nothing in it.",
        "Somebody thought {hand}'s fingers had lingered on a die; they had not.",
        "One of {hand}'s dice rolled back on itself, as dice will, and somebody frowned.",
    ),
    "odd_trick": ("That throw of {hand}'s looked odd all the same.",),
}
"""Sentences to choose from, by the round, so that a long story does not drone."""


def tell_round(teller: Teller) -> Iterator[Event]:
    """The events of one round, in the order they happened."""
    yield from _tricks(teller)
    yield from teller.justice()
    yield from teller.luck()


def _tricks(teller: Teller) -> Iterator[Event]:
    """Tries at a trick, throw by throw, and innocent throws that looked odd."""
    cell, hand = teller.cell, teller.hand
    failed = cell["failed_before"]
    n_tried = cell["tried"].bit_count()
    checks = [cell["naturals"] >> 5 * (n_tried - 1 - i) & 31 for i in range(n_tried)]
    for throw in range(rt.MAX_THROWS):
        bit = 1 << throw
        if cell["tried"] & bit:
            natural, dc = checks.pop(0), teller.dc + rt.DC_RISE * failed
            modifier = cell["modifier"] - (AFTER_A_FAILURE if failed and cell["moves"] else 0.0)
            sum_ = f"{natural} {_plus(hand.thievery)} against {dc}"
            is_seen = bool(cell["failed"] & bit)
            failed += is_seen
            kind = "failed_trick" if is_seen else "trick"
            yield teller.event(
                kind,
                teller.say(WORDINGS[kind], throw, sum=sum_),
                teller.hand_row,
                amount=cell["stake"],
                natural=natural,
                dc=dc,
                modifier=modifier,
                witnesses=teller.watching if is_seen else (),
            )
        if cell["notable"] & ODD and cell["odd"] & ~cell["failed"] & bit:
            text = teller.say(WORDINGS["odd_trick" if cell["tried"] & bit else "odd"], throw)
            yield teller.event("odd_throw", text, teller.hand_row, witnesses=teller.watching)


def _plus(modifier: int) -> str:
    return f"{'-' if modifier < 0 else '+'} {abs(modifier)}"
