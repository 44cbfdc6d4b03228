"""Offers: tales of the evening in words, some of each truth for every wording that fits.

There are far more tales and wordings than could all be put into words, so of each wording
only a few are tried: in an order that follows from what they are, some that are known as
they were, some bent, some wrong, and each of another event.
"""

from __future__ import annotations

import functools
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, starmap
from math import inf
from typing import TYPE_CHECKING, Protocol

from .balance import TRUTHS
from .choosing import Offer
from .ear import confusable
from .identity import luck_of
from .matter import Claim, Said, Tale, Utterance
from .sameness import name_words, runs_in

if TYPE_CHECKING:
    from .evening import Evening
    from .judging import Verdict
    from .leads import Guide
    from .wordings import Wording

HEAD_SHARE, TAIL_SHARE = 0.3, 0.25
"""Of the offers that are tried with a head, and with a tail."""
A_CONDITION = 0.6
"""What each tag that a wording asks for adds to its weight; what it rules out says little."""
A_PART = 0.5
"""Of the wordings at least such a part is looked at, however many offers there are."""
ENOUGH = 3
"""Offers of each truth that are looked for with a wording."""
TRIES = 4
"""Tales that are tried for each of them: what is bent in a tale may not be told by the words."""


class Voice(Protocol):
    """What offers need of whoever knows the wordings and the truth."""

    def wordings(self, kind: str) -> Sequence[Wording]:
        """The wordings of a kind."""

    def speak(
        self,
        wording: Wording,
        tale: Tale,
        *,
        key: object,
        head: bool,
        tail: bool,
        told: Mapping[str, int] = ...,
    ) -> Utterance | None:
        """A tale in the words of a wording; None if it does not fit.

        ``told`` is how often each head and tail was told before.
        """

    def judge(self, said: Said, event_id: int) -> Verdict:
        """Whether what was said is so."""


def said_in_full(claim: Claim) -> Said:
    """What a claim says to whoever leaves nothing out.

    Examples
    --------
    >>> said_in_full(Claim("owes", "", 3, 9, 620, 4, 0))
    Said(kind='owes', subject=3, other=9, game=None, amount_cp=(620, 620), night=(4, 4), \
tavern=None, adds='', adds_untrue=False, denies=False)
    """
    return Said(
        kind=claim.kind,
        subject=claim.subject,
        other=claim.other or None,
        game=claim.game or None,
        amount_cp=(claim.amount_cp,) * 2 if claim.amount_cp else None,
        night=(claim.night, claim.night),
        tavern=claim.tavern or None,
    )


@dataclass
class Crier:
    """Puts tales into words.

    Attributes
    ----------
    evening : Evening
        Who is where.
    voice : Voice
        Knows the words and the truth.
    guide : Guide
        Knows what could follow.
    key : object
        Of the draw.
    told : mapping of str to int
        How often each head and tail was told before: those told the least are taken.
    """

    evening: Evening
    voice: Voice
    guide: Guide
    key: object
    told: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.signs = name_words(self.evening.houses.values())
        self._truths: dict[tuple[Claim, int], str] = {}

    def offers(
        self,
        tales: Iterable[Tale],
        *,
        unless: Collection[str] = (),
        enough: int = ENOUGH,
        many: float = inf,
    ) -> list[Offer]:
        """Offers of the wordings in an order that each draw has of its own.

        Parameters
        ----------
        tales : iterable of Tale
            What could be told.
        unless : collection of str
            Ids of wordings that were told before.
        enough : int
            Offers of each truth to look for with each wording.
        many : float
            Offers that will do: a part of the wordings is left for other draws then.
        """
        shelves = {kind: self._shelf(own) for kind, own in _by_kind(tales).items()}
        turns = [
            (luck_of("turn", self.key, wording.id), kind, wording)
            for kind in shelves
            for wording in self.voice.wordings(kind)
            if wording.id not in unless
        ]
        turns.sort(key=lambda turn: turn[0])
        found: list[Offer] = []
        for at, (_, kind, wording) in enumerate(turns):
            if len(found) >= many and at >= A_PART * len(turns):
                break
            fitting = shelves[kind].that_fit(wording, luck_of("start", self.key, wording.id))
            found += self._of(wording, fitting, enough)
        return found

    def _shelf(self, tales: Iterable[Tale]) -> _Shelf:
        return _Shelf(sorted(tales, key=lambda tale: luck_of("tale", self.key, *_key(tale))))

    def _of(self, wording: Wording, tales: Iterable[Tale], enough: int) -> Iterator[Offer]:
        """Offers of one wording: of each truth some, each of another event."""
        left = dict.fromkeys(TRUTHS, enough)
        tries = dict.fromkeys(TRUTHS, TRIES * enough)
        seen: set[tuple[str, int]] = set()
        for tale in tales:
            held, source = self._truth_of(tale), tale.event_id or -tale.story_id
            if not left[held] or not tries[held] or (held, source) in seen:
                continue
            tries[held] -= 1
            offer = self.offer(wording, tale)
            if offer is not None and left[told := offer.verdict.truth]:
                seen.add((held, source))
                left[told] -= 1
                yield offer
            if not any(left[truth] and tries[truth] for truth in TRUTHS):
                return

    def offer(self, wording: Wording, tale: Tale) -> Offer | None:
        """A tale in the words of a wording; None if it does not fit."""
        key = (self.key, wording.id, *_key(tale))
        words = self.voice.speak(
            wording,
            tale,
            key=key,
            head=luck_of("head", *key) < HEAD_SHARE * 2**63,
            tail=luck_of("tail", *key) < TAIL_SHARE * 2**63,
            told=self.told,
        )
        if words is None:
            return None
        verdict = self.voice.judge(words.said, tale.event_id)
        people = [self.evening.people[each].name for each in sorted(words.named)]
        return Offer(
            tale,
            words,
            verdict,
            weight=A_CONDITION * len(wording.condition.wanted),
            strength=self.guide.strength(tale, words, verdict.of_charge),
            house=self.evening.people[tale.teller].tavern,
            is_confusing=any(starmap(_sound_alike, combinations(people, 2))),
            marks=runs_in(words.text, name_words(people), self.signs),
        )

    def _truth_of(self, tale: Tale) -> str:
        """The truth of all that a tale holds, of which words may leave a part out."""
        what = (tale.claim, tale.event_id)
        if what not in self._truths:
            self._truths[what] = self.voice.judge(said_in_full(tale.claim), tale.event_id).truth
        return self._truths[what]


@functools.lru_cache(maxsize=100_000)
def _sound_alike(one: str, other: str) -> bool:
    """Whether who hears of two in one rumour would take them for one another."""
    return confusable(one, other, of_one_event=True)


class _Shelf:
    """Tales of a kind in their order, and where those with each tag stand."""

    def __init__(self, tales: Sequence[Tale]) -> None:
        self.tales = tales
        self.places: dict[str, list[int]] = defaultdict(list)
        for at, tale in enumerate(tales):
            for tag in tale.tags:
                self.places[tag].append(at)

    def that_fit(self, wording: Wording, start: int) -> Iterator[Tale]:
        """Tales of which a wording's condition holds, from some place on and round."""
        condition = wording.condition
        rarest = min((self.places.get(tag, []) for tag in condition.wanted), key=len, default=None)
        places: Sequence[int] = range(len(self.tales)) if rarest is None else rarest
        middle = bisect_left(places, start % len(self.tales))
        for at in (*places[middle:], *places[:middle]):
            if condition.holds(self.tales[at].tags):
                yield self.tales[at]


def _by_kind(tales: Iterable[Tale]) -> dict[str, list[Tale]]:
    kinds: dict[str, list[Tale]] = defaultdict(list)
    for tale in tales:
        kinds[tale.claim.kind].append(tale)
    return kinds


def _key(tale: Tale) -> tuple[object, ...]:
    return (tale.teller, tale.story_id, tale.rumor_id, tale.event_id)
