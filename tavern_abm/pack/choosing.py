"""Choosing a set of rumours out of many that could be told: no two alike, and none that tells.

Hard rules: a wording once, at most two rumours of one event and two of one teller, no four
words in a row twice, no form above 35 in a hundred, no two that begin with the same two
words. Soft ones, with a penalty that rises each time: the first word, kind, subject, house,
head and tail, and features that fall unevenly on true and false ones (see `balance`).

Heads and tails are dealt first, to true and false ones alike. Then offers are taken one
after the other, each the cheapest of its sort; each is put back once more and the cheapest
taken in its place, until nothing gets better.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .balance import (
    FEATURES,
    TRUTHS,
    FloatArray,
    Scales,
    deal,
    draw_counts,
    features_of,
    shares_for,
)
from .identity import luck_of
from .sameness import opening_of

if TYPE_CHECKING:
    from .judging import Verdict
    from .matter import Tale, Utterance

IntArray = NDArray[np.int64]

WHIM, WHIM_OF_WORDS = 1.5, 4.0
"""How much better or worse an offer, and a wording with all its offers, may be by mere chance: so
another draw is another set, and of the whole library each wording has its turn."""
SWEEPS = 4
TWENTY = 20
SHORT_CHAIN, A_HOP = 4, 0.5
"""People a rumour may have come through, and what each more costs: nobody asks his way back
through a dozen."""
A_LIKENESS = 5.0
"""What it costs that two who are named in one rumour sound alike."""
RARE, A_RARE_FORM = 0.05, 4.0
"""A form of which fewer of the offers are cannot fall on true and false ones alike: what it costs,
so that it is kept for when little else is left."""
PLENTY, AN_ADDITION = 2.0, 6.0
"""Wordings to which the teller adds what is not so are never true, and who has read them knows
them again: there is one such in twenty where twice as many events as are wanted are told wrongly
in other ways, and else each more costs."""
A_TIME = 4.0
"""What it costs that a head, a tail or its event was told before, each time."""


@dataclass(frozen=True)
class Offer:
    """A tale in words that could be taken into a set.

    Attributes
    ----------
    weight : float
        How closely its wording fits: the more it asks for, the more.
    strength : int
        Of what it leads to, 1 to 3.
    house : int
        tavern_id of where it is told.
    is_confusing : bool
        Whether it names two whom the ear takes for one another.
    marks : frozenset of str
        Runs of words that no other of the set may have, as `sameness.runs_in` gives them.
    """

    tale: Tale
    utterance: Utterance
    verdict: Verdict
    weight: float = 0.0
    strength: int = 1
    house: int = 0
    is_confusing: bool = False
    marks: frozenset[str] = frozenset()

    @property
    def label(self) -> int:
        """Its place in `balance.TRUTHS`."""
        return TRUTHS.index(self.verdict.truth)

    @property
    def source(self) -> int:
        """What it is about: its event's id, or less than 0 for what was made up."""
        return self.tale.event_id or -self.tale.story_id

    @property
    def key(self) -> tuple[object, ...]:
        """What makes it this one and no other."""
        tale, words = self.tale, self.utterance
        of_tale = (tale.teller, tale.story_id, tale.rumor_id, tale.event_id)
        return (words.wording, *of_tale, words.head, words.tail)


class Rules(NamedTuple):
    """What a set must keep to.

    Attributes
    ----------
    of_event, of_teller : int
        At most so many rumours of one event, and of one teller.
    openings : int
        At most so many that begin with the same two words.
    of_form : float
        At most such a share of one form, but one in any case.
    """

    of_event: int = 2
    of_teller: int = 2
    openings: int = 1
    of_form: float = 0.35


@dataclass(frozen=True)
class Choice:
    """A set, in no order.

    Attributes
    ----------
    offers : list of Offer
        Chosen.
    wanted : list of int
        How many were to be true, partly true and false.
    """

    offers: list[Offer]
    wanted: list[int]

    @property
    def counts(self) -> list[int]:
        """How many are true, partly true and false."""
        return [sum(offer.label == at for offer in self.offers) for at in range(len(TRUTHS))]


class Soft(NamedTuple):
    """A trait of offers that costs more each time it comes again.

    Attributes
    ----------
    cost : float
        Each time.
    free : int
        So many of it cost nothing.
    is_common : bool
        Whether a larger set may have more of it: cost and `free` are of one of twenty.
    """

    cost: float
    free: int = 0
    is_common: bool = False


SOFT: dict[str, Soft] = {
    "first word": Soft(1.5),
    "kind": Soft(0.8, 1, is_common=True),
    "subject": Soft(1.5),
    "teller": Soft(1.0),
    "event": Soft(1.0),
    "house": Soft(0.15, 2, is_common=True),
    "first hand": Soft(0.3, 6, is_common=True),
    "head": Soft(4.0),
    "tail": Soft(4.0),
    "adds": Soft(AN_ADDITION, is_common=True),
}


def choose(
    offers: Sequence[Offer],
    n: int,
    *,
    mix: Sequence[float],
    key: object,
    rules: Rules = Rules(),  # noqa: B008  # a NamedTuple is a constant
    stale: Mapping[str | int, int] | None = None,
    counts: Sequence[int] | None = None,
    once: Callable[[Offer], object] | None = None,
) -> Choice:
    """Choose a set.

    Parameters
    ----------
    offers : sequence of Offer
        To choose from; their order has no say.
    n : int
        How many. Fewer are chosen where no more go together.
    mix : sequence of float
        Weights of true, partly true and false.
    key : object
        Of the draw: the same key, the same set.
    rules : Rules
        What must be kept to.
    stale : mapping, optional
        Ids of heads and tails, and sources of offers, told before, and how often.
    counts : sequence of int, optional
        How many are to be true, partly true and false, where that is not to be drawn.
    once : callable, optional
        What of an offer no other of the set may have, such as what it claims.
    """
    rng = np.random.default_rng(luck_of("mix", key))
    wanted = list(counts) if counts is not None else draw_counts(n, mix, rng)
    if not offers:
        return Choice([], wanted)
    pool = sorted(offers, key=lambda offer: offer.key)
    bench = _Bench(pool, n, _within(wanted, pool), rules, stale or {}, key, once)
    bench.fill()
    bench.improve()
    return Choice([pool[at] for at in bench.chosen], wanted)


def _within(wanted: Sequence[int], pool: Sequence[Offer]) -> list[int]:
    """Counts as near to those wanted as offers allow; what lacks of one is made up by others."""
    there = [len({offer.source for offer in pool if offer.label == at}) for at in range(3)]
    counts = [min(pair) for pair in zip(wanted, there, strict=True)]
    for at in (0, 1, 2):
        counts[at] += min(there[at] - counts[at], sum(wanted) - sum(counts))
    return counts


@dataclass
class _Trait:
    """For each offer which of several it is, and how often each has been chosen."""

    of: IntArray
    taken: IntArray

    @classmethod
    def among(cls, names: Iterable[object]) -> _Trait:
        numbers: dict[object, int] = {}
        of = np.array([numbers.setdefault(name, len(numbers)) for name in names], np.int64)
        return cls(of, np.zeros(len(numbers), np.int64))

    def counts(self) -> IntArray:
        """How often that of each offer has been chosen, shape (n_offers,)."""
        return self.taken[self.of]


@dataclass
class _Bench:
    """Offers laid out as arrays, and what has been chosen so far."""

    pool: Sequence[Offer]
    n: int
    wanted: list[int]
    rules: Rules
    stale: Mapping[str | int, int]
    key: object
    once: Callable[[Offer], object] | None = None
    chosen: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        pool = self.pool
        self.labels = np.array([offer.label for offer in pool], np.int64)
        features = np.array([features_of(offer.utterance, offer.house) for offer in pool])
        self.has_head = np.array([bool(offer.utterance.head) for offer in pool])
        self.has_tail = np.array([bool(offer.utterance.tail) for offer in pool])
        self.sorts = 4 * self.labels + 2 * self.has_head + self.has_tail
        rng = np.random.default_rng(luck_of("scales", self.key))
        self.sought = self._sought(features)
        self.scales = Scales(features, self.labels, self.wanted, self.sought, rng)
        self.soft = {name: _Trait.among(_traits(pool, name)) for name in SOFT}
        self.hard = [
            (_Trait.among(offer.utterance.wording for offer in pool), 1),
            (_Trait.among(offer.source for offer in pool), self.rules.of_event),
            (_Trait.among(offer.tale.teller for offer in pool), self.rules.of_teller),
            (_Trait.among(offer.utterance.form for offer in pool), self._of_a_form()),
            (
                _Trait.among(opening_of(offer.utterance.text, 2) for offer in pool),
                self.rules.openings,
            ),
        ]
        if self._are_told_wrongly_enough():
            added = _Trait.among(_traits(pool, "adds"))
            self.hard.append((added, max(1, self.n // TWENTY)))
        if self.once is not None:
            self.hard.append((_Trait.among(map(self.once, pool)), 1))
        self.marks = _Marks([offer.marks for offer in pool])
        forms = Counter(offer.utterance.form for offer in pool)
        self.rare = {form for form, count in forms.items() if count < RARE * len(pool)}
        self.own = np.array([self._own_cost(offer) for offer in pool])

    def _sought(self, features: FloatArray) -> FloatArray:
        """What shares of the features are sought, by offers to which nothing untrue is added."""
        is_plain = np.array([not offer.utterance.said.adds_untrue for offer in self.pool])
        if not is_plain.any():
            is_plain[:] = True
        events = np.array([offer.source for offer in self.pool], np.int64)
        kept = features[is_plain], self.labels[is_plain], events[is_plain]
        return shares_for(*kept, self.wanted)

    def _are_told_wrongly_enough(self) -> bool:
        """Whether enough is told that is partly true though nothing untrue is added."""
        partly = TRUTHS.index("partly true")
        of = {
            offer.source
            for offer in self.pool
            if offer.label == partly and not offer.utterance.said.adds_untrue
        }
        return len(of) >= PLENTY * self.wanted[partly]

    def _of_a_form(self) -> int:
        return max(1, int(self.rules.of_form * self.n))

    def _own_cost(self, offer: Offer) -> float:
        """What an offer costs whatever else is chosen."""
        whim = WHIM * luck_of("whim", self.key, *offer.key) / 2**63
        words = offer.utterance
        whim += WHIM_OF_WORDS * luck_of("words", self.key, words.wording) / 2**63
        told = [self.stale.get(each, 0) for each in (words.head, words.tail, offer.source)]
        long = A_HOP * max(0, len(offer.tale.chain) - SHORT_CHAIN)
        rare = A_RARE_FORM * (words.form in self.rare)
        own = whim + long + rare + A_TIME * sum(told) + A_LIKENESS * offer.is_confusing
        return own - 0.5 * offer.weight - 0.3 * offer.strength

    def fill(self) -> None:
        """Take the cheapest that is left of each sort in turn, until no more go together."""
        for label, head, tail in self._turns():
            of_label = self.labels == label
            bare = of_label & ~self.has_head & ~self.has_tail
            sort = of_label & (self.has_head == head) & (self.has_tail == tail)
            alike = of_label & ((self.has_head & head) | (self.has_tail & tail))
            for among in (sort, alike, bare, of_label, of_label | True):
                if self._take(among):
                    break
            else:
                return

    def _turns(self) -> Iterator[tuple[int, bool, bool]]:
        """Truths in an order that spreads each over the whole, and which have a head or a tail.

        These are dealt to each truth alike, whatever it is that its offers have.
        """
        rng = np.random.default_rng(luck_of("turns", self.key))
        heads, tails = (
            _dealt(self.wanted, self.sought[FEATURES.index(name)], rng) for name in ("head", "tail")
        )
        turns = [
            ((at + 0.5) / count, label, heads[label][at], tails[label][at])
            for label, count in enumerate(self.wanted)
            for at in range(count)
        ]
        yield from ((label, head, tail) for _, label, head, tail in sorted(turns))
        yield from [(0, False, False)] * (self.n - len(turns))

    def _take(self, among: NDArray[np.bool_]) -> bool:
        allowed = among & self._allowed()
        if not allowed.any():
            return False
        costs = np.where(allowed, self._costs(), np.inf)
        self._move(int(costs.argmin()), 1)
        return True

    def improve(self) -> None:
        """Put each back and take the cheapest of its sort in its place."""
        for _ in range(SWEEPS):
            before = sorted(self.chosen)
            for offer in list(self.chosen):
                self._move(offer, -1)
                self._take(self.sorts == self.sorts[offer])
            if sorted(self.chosen) == before:
                return

    def _allowed(self) -> NDArray[np.bool_]:
        allowed = ~self.marks.are_taken()
        for trait, most in self.hard:
            allowed &= trait.counts() < most
        return allowed

    def _costs(self) -> FloatArray:
        costs = self.own + self.scales.costs()
        for name, trait in self.soft.items():
            scale = TWENTY / self.n if SOFT[name].is_common else 1.0
            costs += SOFT[name].cost * np.maximum(0, trait.counts() * scale - SOFT[name].free)
        return costs

    def _move(self, offer: int, by: int) -> None:
        self.chosen.append(offer) if by > 0 else self.chosen.remove(offer)
        self.scales.move(offer, by)
        self.marks.move(offer, by)
        for trait in (*self.soft.values(), *(trait for trait, _ in self.hard)):
            trait.taken[trait.of[offer]] += by


def _dealt(counts: Sequence[int], share: float, rng: np.random.Generator) -> list[list[bool]]:
    """Deal something to a share of each truth: which of its rumours have it."""
    return [
        rng.permutation(np.arange(count) < dealt).tolist()
        for count, dealt in zip(counts, deal(counts, share, rng), strict=True)
    ]


def _traits(pool: Sequence[Offer], name: str) -> Iterable[object]:
    """A trait of each offer; what has none (no head, no tail) has one of its own."""
    told = {
        "first word": lambda offer: opening_of(offer.utterance.text, 1),
        "kind": lambda offer: offer.tale.claim.kind,
        "subject": lambda offer: offer.tale.claim.subject,
        "teller": lambda offer: offer.tale.teller,
        "event": lambda offer: offer.source,
        "house": lambda offer: offer.house,
        "first hand": lambda offer: len(offer.tale.chain) == 1 or offer.key,
        "head": lambda offer: offer.utterance.head or offer.key,
        "tail": lambda offer: offer.utterance.tail or offer.key,
        "adds": lambda offer: offer.utterance.said.adds_untrue or offer.key,
    }
    return map(told[name], pool)


class _Marks:
    """Which runs of words have been taken, and so which offers may not be."""

    def __init__(self, marks: Sequence[Collection[str]]) -> None:
        numbers: dict[str, int] = {}
        own = [
            [numbers.setdefault(mark, len(numbers)) for mark in sorted(each)] or [-1]
            for each in marks
        ]
        self.taken = np.zeros(len(numbers) + 1, np.int64)  # the last: of those that have none
        self.of = [np.array(each, np.int64) for each in own]
        self.flat = np.concatenate(self.of)
        self.starts = np.cumsum([0, *(len(each) for each in own[:-1])])

    def move(self, offer: int, by: int) -> None:
        """Take an offer's marks, or give them back."""
        self.taken[self.of[offer]] += by
        self.taken[-1] = 0

    def are_taken(self) -> NDArray[np.bool_]:
        """Whether any mark of each offer is, shape (n_offers,)."""
        return np.add.reduceat(self.taken[self.flat], self.starts) > 0
