"""Who could tell what tonight, in which version, and through whom it came to him.

A version is told by those who hold it: who was there holds what happened, who made a
story up holds that, and everybody else the version he first heard and believed. Of
kinds of event that are no rumours only those tell who were in them or saw them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from ..run_folder import RunFolder, reading
from .evening import Evening
from .firsthand import Happening, Version, happenings_of
from .hearsay import Hearsay
from .matter import Claim, Hop, Tale
from .tagging import RECENT, Tagger, big_sum_of

_RUMORS = (
    *("rumor_id", "story_id", "parent_id", "event_id", "made_by", "made_night"),
    *("claim", "game", "subject_id", "other_id", "amount_cp", "night", "tavern_id"),
)


def tales_of(
    run: RunFolder, evening: Evening, taverns: Collection[int] | None = None
) -> list[Tale]:
    """Every version that somebody who is out tonight could tell.

    Parameters
    ----------
    run : RunFolder
        The run.
    evening : Evening
        One of its evenings: what came later is not known yet.
    taverns : collection of int, optional
        Only what is told in these; left out: in all.

    Returns
    -------
    list of Tale
        By teller, then story and event. Nobody tells of himself, or of his own part in
        it, what he has only heard; nobody what everybody in that house saw; and nobody that
        which everybody there knows better: what was in that house last night or tonight and is
        told of another, or the other way about, or what was there tonight with somebody else.

    Notes
    -----
    Who was at the table when somebody was cleared of cheating tells of the accusation;
    that he cheats all the same, only the accuser and those who held him for a cheat.

    Raises
    ------
    RunFolderError
        If the run lacks a table that is needed, or they do not fit together.
    """
    guests = _guests(evening, taverns)
    with reading(run):
        return _tales(run, evening, guests) if guests else []


def _tales(run: RunFolder, evening: Evening, guests: dict[int, int]) -> list[Tale]:
    versions = _versions_of(run, evening)
    happenings = happenings_of(run, evening, versions.values())
    stories = {each.story_id: each for each in happenings if each.story_id}
    hearsay = Hearsay(run, evening.night, guests, versions, stories)
    room = _Room(evening, guests, happenings, hearsay, big_sum_of(run.scenario()))
    own = room.told_by_those_who_were_there(happenings)
    tales = [*own, *room.told_from_hearsay(stories, versions, hearsay)]
    return sorted(tales, key=lambda each: (each.teller, each.story_id, each.event_id, each.claim))


def _guests(evening: Evening, taverns: Collection[int] | None) -> dict[int, int]:
    """The tavern of everybody who is out, by patron_id."""
    return {
        each.patron_id: each.tavern
        for each in evening.people.values()
        if each.tavern and (taverns is None or each.tavern in taverns)
    }


def _versions_of(run: RunFolder, evening: Evening) -> dict[int, Version]:
    """All versions there are by tonight, by rumor_id."""
    table = run.table("rumors", _RUMORS, [("made_night", "<=", evening.night)])
    rows = zip(*(table[name].tolist() for name in _RUMORS), strict=True)
    found = {}
    for rumor, story, parent, event, made_by, made_night, *claim in rows:
        found[rumor] = Version(rumor, story, parent, event, Claim(*claim), made_by, made_night)
    return found


def _is_told(claim: Claim, evening: Evening) -> bool:
    """Whether a version is one to tell: of somebody who is there, who did it to another one."""
    return claim.subject in evening.people and claim.subject != claim.other


def _topic(story_id: int, event_id: int, kind: str) -> tuple[object, ...]:
    """What is known of as one thing, in whatever version."""
    return ("story", story_id) if story_id else ("event", event_id, kind)


class _Room:
    """Makes tales of what is known in the houses of tonight."""

    def __init__(
        self,
        evening: Evening,
        guests: Mapping[int, int],
        happenings: Sequence[Happening],
        hearsay: Hearsay,
        big_sum_cp: int,
    ) -> None:
        self.evening, self.guests = evening, guests
        self.tagger = Tagger(evening, big_sum_cp)
        self.n_guests = Counter(guests.values())
        self.seen_by = _seen_by(guests, happenings)
        self.known_to = _known_to(guests, self.seen_by, hearsay)
        self.stale = {
            (house, topic)
            for topic, seers in self.seen_by.items()
            for house, n in Counter(guests[each] for each in seers).items()
            if n == self.n_guests[house]
        }

    def told_by_those_who_were_there(self, happenings: Sequence[Happening]) -> Iterator[Tale]:
        """What is told by whoever has it from nobody."""
        for each in happenings:
            topic = _topic(each.story_id, each.event_id, each.claim.kind)
            for teller in sorted(self.seen_by[topic]):
                if self._may_tell(teller, topic) and _is_told(each.claim, self.evening):
                    chain = (Hop(teller, each.knowers[teller], each.night, each.tavern),)
                    yield self._tale(each.rumor_id, each, each.claim, chain)

    def told_from_hearsay(
        self, stories: Mapping[int, Happening], versions: Mapping[int, Version], hearsay: Hearsay
    ) -> Iterator[Tale]:
        """What is told by whoever was told of it, in the version that he believes."""
        for teller, rumor, telling in hearsay.believed():
            claim, began = versions[rumor].claim, stories[versions[rumor].story_id]
            if not _is_told(claim, self.evening):
                continue
            topic = _topic(began.story_id, began.event_id, claim.kind)
            is_about_him = teller in (claim.subject, claim.other)
            if teller in self.seen_by[topic] or is_about_him or not self._may_tell(teller, topic):
                continue
            if began.event_id and self._knows_better(self.guests[teller], claim, began.claim):
                continue
            chain = hearsay.chain(telling)
            if all(hop.patron_id in self.evening.people for hop in chain):  # all have come by now
                yield self._tale(rumor, began, claim, chain)

    def _knows_better(self, house: int, told: Claim, was: Claim) -> bool:
        """Whether a house that saw it, or would have, has something told otherwise so soon."""
        was_ago, told_ago = (self.evening.night - each.night for each in (was, told))
        if told.tavern != was.tavern:
            was_here = was.tavern == house and was_ago < RECENT
            return was_here or (told.tavern == house and told_ago < RECENT)
        is_another = {told.subject, told.other} != {was.subject, was.other}
        return was.tavern == house and was_ago <= 0 and is_another

    def _may_tell(self, teller: int, topic: tuple[object, ...]) -> bool:
        is_stale = (self.guests[teller], topic) in self.stale
        return not is_stale and not self.evening.people[teller].is_player

    def _tale(self, rumor_id: int, began: Happening, claim: Claim, chain: tuple[Hop, ...]) -> Tale:
        teller = chain[-1].patron_id
        house = self.guests[teller]
        topic = _topic(began.story_id, began.event_id, claim.kind)
        is_grown = claim.amount_cp > began.claim.amount_cp
        return Tale(
            rumor_id=rumor_id,
            story_id=began.story_id,
            event_id=began.event_id,
            claim=claim,
            teller=teller,
            chain=chain,
            tags=self.tagger.tags_of(claim, teller, chain, is_grown=is_grown),
            heard=self.known_to[house, topic],
            guests=self.n_guests[house],
        )


def _seen_by(
    guests: Mapping[int, int], happenings: Sequence[Happening]
) -> dict[tuple[object, ...], set[int]]:
    """Who of the guests has a thing from nobody; of what was made up, who did."""
    return {
        _topic(each.story_id, each.event_id, each.claim.kind): each.knowers.keys() & guests.keys()
        for each in happenings
    }


def _known_to(
    guests: Mapping[int, int],
    seen_by: Mapping[tuple[object, ...], set[int]],
    hearsay: Hearsay,
) -> Counter[tuple[int, tuple[object, ...]]]:
    """How many in each house know of a thing."""
    knowing = defaultdict(set, {topic: set(seers) for topic, seers in seen_by.items()})
    for story, listener in hearsay.known():
        knowing["story", story].add(listener)
    return Counter((guests[each], topic) for topic, who in knowing.items() for each in who)
