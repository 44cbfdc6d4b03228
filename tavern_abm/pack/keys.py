"""What is true of a rumour, and in what its words are wrong, for the game master."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..rumor_words import in_coins
from .facts import CHEATS, Facts
from .judging import Verdict
from .lead_cases import LOST, Case, place_of, where_is
from .matter import Said, Tale
from .speech import sum_said

if TYPE_CHECKING:
    from .choosing import Offer
    from .evening import Evening, Person

ACCUSED, BRAWL, RACE, KILLED, LEFT = "accused", "brawl", "race", "killed", "left"
_TOTAL = re.compile(r" with \d+(?= before\b|[,.;]| \()")
_TOLD_AS = re.compile(r"told as (?P<told>.+?)(?=, was )", re.IGNORECASE)
_STAYS = re.compile(r"\b(at home|stays? in|keeps? to the house)\b")
_HIDES = re.compile(r"\b(hiding|lies low)\b")
_PLAIN = {"home": _STAYS, "bruised": _STAYS, "hiding": _HIDES}
"""How leads say where somebody is who is in no tavern."""


def key_of(offer: Offer, facts: Facts) -> str:
    """What is true, and in what the words are wrong.

    Parameters
    ----------
    offer : Offer
        The rumour.
    facts : Facts
        What happened by then.
    """
    said, verdict = offer.utterance.said, offer.verdict
    known = verdict.key.lower()
    added = f"the teller adds: {said.adds}" if said.adds else ""
    wrong = [part for part in verdict.wrong if part.lower() not in known and part != added]
    parts = [_plainly(verdict.key, said.kind), *_explained(offer.tale, said, verdict, facts)]
    parts += [f"{part[:1].upper()}{part[1:]}." for part in _as_spoken(wrong, offer)]
    if said.adds:
        parts.append(f"The teller adds {_added(said)}.")
    return " ".join(parts).strip()


def _plainly(key: str, kind: str) -> str:
    """A key without what is plain to none but who knows the rules, or saw what came before.

    Examples
    --------
    >>> _plainly("Tam Harl came in first with 149, and five others after.", "race")
    'Tam Harl came in first, and five others after.'
    >>> _plainly("Tam Harl won. 2 gp 6 sp lay in the book.", "race")
    'Tam Harl won. 2 gp 6 sp were bet on it by others.'
    >>> _plainly("Tam Harl and Hob Merrow came to blows over it.", "brawl")
    'Tam Harl and Hob Merrow came to blows over a charge of cheating.'
    """
    if kind == RACE:
        key = _TOTAL.sub("", key).replace("lay in the book", "were bet on it by others")
    return key.replace("came to blows over it", "came to blows over a charge of cheating")


def _explained(tale: Tale, said: Said, verdict: Verdict, facts: Facts) -> Iterator[str]:
    """What a key leaves open: whether the accused cheats, what a race was worth."""
    if said.kind == ACCUSED and "trick" not in verdict.key:
        does = facts.that(CHEATS, said.subject)
        yield f"The accused {'does cheat' if does else 'has never tried a trick'}."
    fact = facts.by_id.get(verdict.event_id)
    if said.kind == RACE and fact is not None and fact.kind == "race_won" and fact.amount_cp > 0:
        yield f"The winner took home {in_coins(fact.amount_cp)}."


def _as_spoken(wrong: list[str], offer: Offer) -> Iterator[str]:
    """What is wrong, with a sum in the words that it is told in."""
    spoken = _spoken_sum(offer)
    for part in wrong:
        is_of_sum = spoken and "(night" not in part
        yield _TOLD_AS.sub(f"told as {spoken}", part, count=1) if is_of_sum else part


def _spoken_sum(offer: Offer) -> str:
    """How the words of a rumour put its sum; empty if they name none."""
    tale, span = offer.tale, offer.utterance.said.amount_cp
    if not span or tale.claim.amount_cp <= 0:
        return ""
    of = (tale.teller, tale.rumor_id, tale.event_id, False)
    spoken = sum_said(tale.claim.amount_cp, len(tale.chain), *of)
    is_heard = spoken.words.lower() in offer.utterance.text.lower()
    return spoken.words if is_heard and spoken.span == span else ""


def _added(said: Said) -> str:
    """What a teller puts in of his own, and whether that is so.

    Examples
    --------
    >>> _added(Said("won", 3, adds="the small drink: unknown"))
    'the small drink; the record does not say'
    >>> _added(Said("won", 3, adds="the inn sign", adds_untrue=True))
    'the inn sign, which is untrue'
    >>> _added(Said("won", 3, adds="the stool by the door"))
    'the stool by the door, which is so'
    """
    what, colon, verdict = said.adds.rpartition(": ")
    if colon and verdict == "unknown":
        return f"{what}; the record does not say"
    return f"{said.adds}, which is {'untrue' if said.adds_untrue else 'so'}"


# ------------------------------------------------------------- where they are


def whereabouts(tale: Tale, case: Case, line: str, evening: Evening, facts: Facts) -> Iterator[str]:
    """A sentence on each whom one must find and of whom a lead does not say where he is.

    Parameters
    ----------
    tale : Tale
        What is told.
    case : Case
        What is so of it, and who had to do with it.
    line : str
        What the lead was made of, with its slots.
    evening : Evening
        Who is where.
    facts : Facts
        What happened by then.
    """
    slots = ["who", "real", *(["by"] if tale.claim.kind == BRAWL else [])]
    known = {KILLED: "dead", LEFT: "gone"}.get(tale.claim.kind) if "false" not in case.tags else ""
    for slot in slots:
        person = case.cast.get(slot)
        if person is None or person.patron_id == tale.teller or f"{{{slot}.where}}" in line:
            continue
        place = place_of(person)
        plain = _PLAIN.get(place) if slot == "who" else None
        if place != known and not (plain and plain.search(line)):
            yield f"{person.name} {_where(person, place, evening, facts)}."


def _where(person: Person, place: str, evening: Evening, facts: Facts) -> str:
    if place not in LOST:
        return f"is {where_is(person, evening.houses)}"
    is_dead = place == "dead"
    ended = facts.that(KILLED if is_dead else LEFT, person.patron_id)
    if is_dead:
        return f"is dead, killed on night {ended[-1].night}" if ended else "is dead"
    return f"has left town (night {ended[-1].night})" if ended else "has left town"
