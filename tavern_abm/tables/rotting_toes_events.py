"""Rounds of Rotting Toes as events: tries at a trick, throw by throw, and what came of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..games import rotting_toes as rt
from ..patrons.decisions.rotting_toes import AFTER_A_FAILURE
from .happenings import Event, Teller
from .record import NO_SEAT, ODD, WEIGHTED

KINDS = {
    "weighted_dice": "the Hand threw weighted dice of his own in this round: a try at a trick",
    "dice_noticed": "somebody (other_id) saw that the Hand's dice are weighted: a failed check",
    "trick": "a die turned unseen after a successful check",
    "failed_trick": "a failed check; the throw looked odd",
    "odd_throw": "a throw without a failed check that looked odd to somebody who followed it",
}
"""Kinds of event that this game brings."""
NOTICED_NATURAL = 0
"""Which of a cell's facts is the d20 of who noticed weighted dice."""
WORDINGS: dict[str, tuple[str, ...]] = {
    "weighted_dice": (
        "{hand} threw dice of {his} own, and there was lead in them.",
        "The four dice in {hand}'s fist were weighted, every one.",
        "{hand} palmed the house's dice and threw {his} own, which love a six.",
        "{hand} blew on dice that had come in {his} own pocket, loaded to fall on six.",
    ),
    "dice_noticed": (
        "{other} said aloud that {hand}'s dice fell too heavily ({sum}).",
        "{other} picked up one of {hand}'s dice and weighed it in the palm ({sum}).",
        "{other} had seen dice roll like {hand}'s before, and told the table so ({sum}).",
    ),
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
    innocent = cell["odd"] & ~cell["failed"]
    if cell["notable"] & WEIGHTED:
        yield from _own_dice(teller)
        if cell["noticed_by"] != NO_SEAT:
            failed += 1
            innocent &= ~1
    n_tried = cell["tried"].bit_count()
    checks = [cell["naturals"] >> 5 * (n_tried - 1 - i) & 31 for i in range(n_tried)]
    for throw in range(rt.MAX_THROWS):
        bit = 1 << throw
        if cell["tried"] & bit:
            natural, dc = checks.pop(0), teller.dc + rt.DC_RISE * failed
            modifier = cell["modifier"] - _caution(cell, failed)
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
        if cell["notable"] & ODD and innocent & bit:
            text = teller.say(WORDINGS["odd_trick" if cell["tried"] & bit else "odd"], throw)
            yield teller.event("odd_throw", text, teller.hand_row, witnesses=teller.watching)


def _own_dice(teller: Teller) -> Iterator[Event]:
    """Weighted dice thrown, and who noticed if anybody did."""
    cell, hand = teller.cell, teller.hand
    yield teller.event(
        "weighted_dice",
        teller.say(WORDINGS["weighted_dice"]),
        teller.hand_row,
        amount=cell["stake"],
        modifier=cell["modifier"] - _caution(cell, cell["failed_before"]),
        witnesses=(),
    )
    if cell["noticed_by"] == NO_SEAT:
        return
    row, dc = teller.seats[cell["noticed_by"]], rt.notice_dc(hand.thievery)
    natural = cell["facts"][NOTICED_NATURAL]
    sum_ = f"{natural} on the die against {dc}"
    yield teller.event(
        "dice_noticed",
        teller.say(WORDINGS["dice_noticed"], other=teller.who(row).name, sum=sum_),
        teller.hand_row,
        row,
        amount=cell["stake"],
        natural=natural,
        dc=dc,
    )


def _caution(cell: dict[str, Any], failed: int) -> float:
    """What one failed check tonight takes off the log-odds of a try."""
    return AFTER_A_FAILURE if failed and cell["moves"] else 0.0


def _plus(modifier: int) -> str:
    return f"{'-' if modifier < 0 else '+'} {abs(modifier)}"
