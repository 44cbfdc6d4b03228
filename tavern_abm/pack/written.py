"""Chosen offers as documents: each with its teller, its chain in words, its key and a DC."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .choosing import Offer
from .documents import Link, Rumor
from .identity import id_of
from .keys import key_of, whereabouts
from .lead_cases import where_is
from .leads import Lead, dc_of
from .matter import Hop, Tale

if TYPE_CHECKING:
    from .evening import Evening, Person
    from .rumors import Evenings


def written(of: Evenings, ordered: Sequence[Offer], strength: int = 1) -> list[Rumor]:
    """A set in its order as documents, numbered from 1.

    Parameters
    ----------
    of : Evenings
        What they were made of.
    ordered : sequence of Offer
        The set.
    strength : int, default 1
        That their leads must have.
    """
    used: set[str] = set()
    rumors = []
    for number, offer in enumerate(ordered, start=1):
        pressed, answer = of.guide.pressed(offer.tale, used)
        what = (offer.tale, offer.utterance, offer.verdict.of_charge)
        lead, line = of.guide.lead(*what, used, least=strength)
        used |= {answer, line}
        case = of.guide.case_of(*what)
        found = whereabouts(offer.tale, case, line, of.evening, of.guide.facts)
        key = " ".join([key_of(offer, of.guide.facts), *found])
        rumors.append(_rumor(of, number, offer, key, pressed, lead))
    return rumors


def _rumor(of: Evenings, number: int, offer: Offer, key: str, pressed: str, lead: Lead) -> Rumor:
    tale, words = offer.tale, offer.utterance
    teller = of.evening.people[tale.teller]
    return Rumor(
        id=id_of(of.salt, "rumor", *offer.key),
        number=number,
        text=words.text,
        form=words.form,
        teller=teller.name,
        teller_id=tale.teller,
        speaker_as_seen=as_seen(teller),
        seat=teller.seat,
        tavern=of.evening.houses[teller.tavern],
        tavern_id=teller.tavern,
        chain=tuple(link_of(hop, teller, of.evening) for hop in tale.chain),
        pressed=pressed,
        truth=offer.verdict.truth,
        key=key,
        said=words.said,
        kind=tale.claim.kind,
        event=tale.event_id,
        story=tale.story_id,
        hook=lead.text,
        strength=lead.strength,
        dc=dc_of(tale.heard, tale.guests),
        wording=words.wording,
        head=words.head,
        tail=words.tail,
        about=tuple(dict.fromkeys(each for each in _about(tale) if each)),
    )


def _about(tale: Tale) -> tuple[int, ...]:
    return (tale.claim.subject, tale.claim.other)


def link_of(hop: Hop, teller: Person, evening: Evening) -> Link:
    """One person of a chain in words."""
    person = evening.people[hop.patron_id]
    return Link(
        name=person.name,
        patron_id=hop.patron_id,
        how=hop.how,
        night=hop.night,
        tavern=evening.houses.get(hop.tavern, ""),
        pressed=_found(person, teller, evening),
    )


def _found(person: Person, teller: Person, evening: Evening) -> str:
    """What becomes of who looks for somebody of a chain."""
    if person.patron_id == teller.patron_id:
        return "tells it"
    where = where_is(person, evening.houses)
    return f"out tonight, {where}" if person.tavern else where


_LOOKS = {
    "sour": "sour",
    "merry": "merry",
    "fearful": "nervous",
    "boastful": "loud",
    "careful": "watchful",
    "pious": "solemn",
}


def as_seen(person: Person) -> str:
    """Somebody as a stranger sees him: "a sour half-orc carter, the settle by the fire"."""
    looks = f"{_LOOKS.get(person.temper, '')} {person.what}".strip()
    article = "an" if looks[:1].lower() in "aeiou" else "a"
    seat = f", {person.seat}" if person.seat else ""
    return f"{article} {looks}{seat}"
