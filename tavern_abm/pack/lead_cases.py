"""What is so of a rumour by the record: by it one lead differs from another.

A lead speaks to the game master of people as they are, so it goes by what happened and not
by what is told: who really called whom a cheat, whether a debt is still owed, in which house
it was.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ..rumor_words import in_passing
from .evening import Evening, Person
from .facts import ACCUSING, CHEATS, Fact, Facts
from .tagging import MADE_IT_UP, OLD, RECENT, SAW_IT

if TYPE_CHECKING:
    from .matter import Said, Tale, Utterance

TRUTH_TAGS = {"true": "true", "partly true": "partly", "false": "false"}
AWAY = {
    "dead": "dead",
    "gone": "gone from town",
    "hiding": "in hiding",
    "bruised": "laid up at home",
}
"""States in which nobody is out, and what the game master reads."""
LOST = ("dead", "gone")
PLACES = ("out", "home", *AWAY)
"""Where somebody is tonight: one of these."""
STATE_TAGS = ("broke", "owes", "banned")
NAMED = ("who", "by", "real")
"""Of whom a lead knows where they are, by slot."""
CASE_TAGS = frozenset(
    (
        *(*TRUTH_TAGS.values(), "made up", "mixed up", "wrong by", "cleared", "misplaced"),
        *("fresh", "recent", "old", "by", "accuser", "pursuer", "killer", "unpaid", "by day"),
        *(f"{who} {where}" for who in NAMED for where in (*PLACES, "here", "teller")),
        *(f"who {state}" for state in (*STATE_TAGS, "elsewhere", "back", "returned", "alone")),
        *("kin out", "first out", "together"),
    )
)


class Case(NamedTuple):
    """What is so of a rumour, and whom a lead may name, by slot."""

    tags: set[str]
    cast: dict[str, Person]


def where_is(person: Person, houses: Mapping[int, str]) -> str:
    """Where somebody is tonight, as the game master reads it.

    It stands after "is": "at the Eel Pot (the settle by the fire)", "at home".
    """
    if person.tavern:
        seat = f" ({person.seat})" if person.seat else ""
        return f"at {in_passing(houses[person.tavern])}{seat}"
    return AWAY.get(place_of(person), "at home")


def place_of(person: Person) -> str:
    """Which of `PLACES` somebody is at."""
    if person.tavern:
        return "out"
    return next((state for state in AWAY if state in person.state), "home")


@dataclass(frozen=True)
class Cases:
    """Knows, of one evening, what is so of each rumour.

    Attributes
    ----------
    evening : Evening
        Who is where.
    facts : Facts
        What happened.
    visits : mapping of (int, int) to int
        The last night by tonight on which each was in each house, by patron_id and tavern_id.
    """

    evening: Evening
    facts: Facts
    visits: Mapping[tuple[int, int], int] = field(default_factory=dict)

    def of(self, tale: Tale, words: Utterance, truth: str) -> Case:
        """What is so of a rumour that is told in some words.

        Parameters
        ----------
        tale, words : Tale and Utterance
            The rumour.
        truth : str
            One of `balance.TRUTHS`.
        """
        fact = self.facts.by_id.get(tale.event_id)
        tags = {TRUTH_TAGS[truth], *self._of_time(tale, fact)}
        if not tale.event_id:
            tags.add("made up")
        if truth == "false":
            tags |= {*self._why_false(tale, fact)}
        if fact is not None and fact.kind == "killed" and not fact.tavern:
            tags.add("by day")
        if fact is not None and _is_misplaced(words.said, fact):
            tags.add("misplaced")
        cast = self._cast(tale, words, tags)
        tags |= {f"{part} out" for part in ("kin", "first") if part in cast}
        return Case(tags | {*self._of_people(tale, fact, cast)}, cast)

    # ------------------------------------------------------------- the rumour

    def _of_time(self, tale: Tale, fact: Fact | None) -> Iterator[str]:
        """How long ago it was, whatever is told."""
        ago = self.evening.night - (fact.night if fact else tale.claim.night)
        yield "fresh" if ago < RECENT else "recent" if ago < OLD else "old"

    def _why_false(self, tale: Tale, fact: Fact | None) -> Iterator[str]:
        """In what way it is false, if that is known."""
        kind, subject = tale.claim.kind, tale.claim.subject
        if self.facts.that(kind, subject):
            yield "wrong by"
        elif fact is not None and fact.subject != subject:
            if subject not in fact.parts and self._is_so(kind, fact):
                yield "mixed up"
        elif fact is not None and kind == CHEATS and fact.kind in ACCUSING:
            yield "cleared"

    def _is_so(self, kind: str, fact: Fact) -> bool:
        """Whether what is told is so of the one whom the event befell."""
        of_subject = self.facts.that(kind, fact.subject)
        return any(
            kind == CHEATS or (each.night, each.tavern) == (fact.night, fact.tavern)
            for each in of_subject
        )

    # ------------------------------------------------------------- its people

    def _cast(self, tale: Tale, words: Utterance, tags: set[str]) -> dict[str, Person]:
        people, claim = self.evening.people, tale.claim
        cast = {"who": people[claim.subject], "teller": people[tale.teller]}
        if claim.other in people and self._had_part(tale, words, tags):
            cast["by"] = people[claim.other]
        fact = self.facts.by_id.get(tale.event_id)
        if "mixed up" in tags and fact is not None and fact.subject in people:
            cast["real"] = people[fact.subject]
        known = {claim.subject, claim.other, tale.teller}
        kin = next(self._kin_out(cast["who"], known), None)
        first = self._first(tale, known)
        found = {"kin": kin, "first": first}
        return cast | {slot: person for slot, person in found.items() if person is not None}

    def _kin_out(self, who: Person, known: Collection[int]) -> Iterator[Person]:
        for each in self.evening.household(who.household):
            if each.tavern and not each.is_player and each.patron_id not in known:
                yield each

    def _first(self, tale: Tale, known: Collection[int]) -> Person | None:
        """Whoever saw it or made it up, if he is out and not one of those named."""
        began = tale.chain[0]
        person = self.evening.people.get(began.patron_id)
        is_one = person is not None and person.tavern and began.patron_id not in known
        return person if is_one and began.how in (SAW_IT, MADE_IT_UP) else None

    def _had_part(self, tale: Tale, words: Utterance, tags: set[str]) -> bool:
        """Whether the other one really had to do with it; or is named for another."""
        claim = tale.claim
        if "false" in tags:
            return "wrong by" in tags and words.said.other == claim.other
        return bool(self._parts(tale)) or (
            claim.kind == CHEATS and claim.other in self.facts.accusers(claim.subject)
        )

    def _parts(self, tale: Tale) -> list[str]:
        """What the other one had to do with it: of what it sprang from, or else of its like."""
        claim = tale.claim
        facts = [
            fact for fact in self.facts.that(claim.kind, claim.subject) if claim.other in fact.parts
        ]
        own = [fact for fact in facts if fact.event_id == tale.event_id]
        return [fact.parts[claim.other] for fact in own or facts]

    def _of_people(
        self, tale: Tale, fact: Fact | None, cast: Mapping[str, Person]
    ) -> Iterator[str]:
        teller, who, by = cast["teller"], cast["who"], cast.get("by")
        for slot in NAMED:
            if slot in cast:
                yield f"{slot} {place_of(cast[slot])}"
                yield from (f"{slot} {tag}" for tag in nearness(cast[slot], teller))
        yield from (f"who {state}" for state in STATE_TAGS if state in who.state)
        if fact is not None and fact.tavern and who.tavern:
            yield "who back" if who.tavern == fact.tavern else "who elsewhere"
        if fact is not None and self.visits.get((who.patron_id, fact.tavern), 0) > fact.night:
            yield "who returned"
        if not any(self._kin_in_town(who)):
            yield "who alone"
        if by is not None:
            yield from self._of_other(tale, who, by)
        elif "owes" in who.state:
            yield "unpaid"

    def _kin_in_town(self, who: Person) -> Iterator[bool]:
        for each in self.evening.household(who.household):
            yield each.patron_id != who.patron_id and place_of(each) not in LOST

    def _of_other(self, tale: Tale, who: Person, by: Person) -> Iterator[str]:
        yield "by"
        if who.tavern and who.tavern == by.tavern:
            yield "together"
        yield from {"pursuer", "killer"}.intersection(self._parts(tale))
        charges = self.facts.said_by(by.patron_id, who.patron_id)
        if any(charge.event_id <= tale.event_id for charge in charges):
            yield "accuser"
        if "owes" in who.state and self._lenders.get(who.patron_id) == by.patron_id:
            yield "unpaid"

    @cached_property
    def _lenders(self) -> dict[int, int]:
        """Who last lent to each."""
        lent = (fact for fact in self.facts.by_id.values() if fact.kind == "lent")
        return {fact.subject: other for fact in lent for other in fact.parts}


def _is_misplaced(said: Said, fact: Fact) -> bool:
    """Whether it is told of another house than it was."""
    return said.tavern is not None and said.tavern != fact.tavern


def nearness(person: Person, teller: Person) -> Iterator[str]:
    """Whether somebody is the teller, and whether he is in the house where it is told."""
    if person.patron_id == teller.patron_id:
        yield "teller"
    if person.tavern and person.tavern == teller.tavern:
        yield "here"


def where_tags(person: Person, teller: Person) -> Iterator[str]:
    """Where somebody is, as a teller knows it: at home too who lies bruised or hides."""
    yield from nearness(person, teller)
    place = place_of(person)
    yield place if place in ("out", *LOST) else "home"
