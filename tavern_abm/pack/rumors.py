"""Rumours of one evening, ready to be read aloud, each with its key.

The steps: every tale that somebody who is out could tell (`knowledge`), put into words
(`offers`), a set of them chosen (`choosing`), put in an order that tells nothing, and
written down with chain, key, what it leads to and a DC.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from .balance import MIX
from .choosing import Choice, Offer, Rules, choose
from .documents import Rumor
from .identity import id_of
from .leads import Guide
from .matter import Tale
from .memory import Memory, Told
from .notes import notes_of, why_few
from .offers import Crier, Voice
from .ordering import in_order
from .written import written

if TYPE_CHECKING:
    from ..run_folder import RunFolder
    from .evening import Evening

DICE = {"d6": 6, "d8": 8, "d12": 12, "d20": 20, "d100": 100}
LENIENT = (Rules(of_form=0.5), Rules(openings=2), Rules(openings=4, of_form=0.5))
"""By which rules a set is made that cannot be filled otherwise, the strictest first."""
MANY = 1400
"""Offers among which twenty are surely found that go together."""
VERSIONS = 8
"""At most so many versions of one event in a set of them."""


class NothingToTellError(LookupError):
    """Nobody who is out has anything to tell that was asked for."""


class TooFewError(ValueError):
    """Fewer rumours than were asked for.

    Attributes
    ----------
    n : int
        How many there are that go together.
    """

    def __init__(self, n: int, wanted: int, why: str = "") -> None:
        self.n = n
        super().__init__(_too_few(n, wanted, why))


def _too_few(n: int, wanted: int, why: str) -> str:
    fitting = [die for die, faces in DICE.items() if faces <= n]
    ask = f"ask for {fitting[-1]}" if fitting else f"ask for --count {n}"
    asked = f"{wanted} rumours were asked for and there are only {n}{why}"
    return f"{asked}; {ask}, or let them talk for more nights"


@dataclass(frozen=True)
class Wanted:
    """What kind of set is asked for.

    Attributes
    ----------
    night : int or None
        The last one, if left out.
    tavern : int or None
        tavern_id of the house in which they are told; None for all.
    count : int or None
        How many; None for a d20's worth, or the largest die's that can be filled.
    mix : tuple of float
        Weights of true, partly true and false.
    kinds : tuple of str
        Only these kinds; none for all.
    strength : int
        Only rumours whose lead is at least so strong.
    event : int
        Only versions of this event, that contradict each other; 0 for any.
    draw : int
        Another number, another set.
    """

    night: int | None = None
    tavern: int | None = None
    count: int | None = None
    mix: tuple[float, ...] = MIX
    kinds: tuple[str, ...] = ()
    strength: int = 1
    event: int = 0
    draw: int = 0


@dataclass(frozen=True)
class Evenings:
    """All that rumours of one evening are made of.

    Attributes
    ----------
    evening : Evening
        Who is where.
    tales : list of Tale
        What could be told.
    voice : Voice
        Knows words and truth.
    guide : Guide
        Knows what could follow.
    salt : str
        Of the run.
    key : tuple
        What tells this evening of this run from others; as secret as the salt, which is in
        it, so that the set does not follow from scenario and seed.
    """

    evening: Evening
    tales: Sequence[Tale]
    voice: Voice
    guide: Guide
    salt: str
    key: tuple[object, ...] = ()


class Made(NamedTuple):
    """A set, and lines to print under it."""

    rumors: list[Rumor]
    notes: tuple[str, ...]


def make_rumors(
    run: RunFolder,
    *,
    night: int | None = None,
    tavern: int | None = None,
    count: int | str | None = None,
    mix: Sequence[float] = MIX,
    kinds: Iterable[str] | None = None,
    strength: int | None = None,
    event: int | None = None,
    seen: Memory | None = None,
    draw: int = 0,
) -> Made:
    """Rumours worth telling tonight.

    Parameters
    ----------
    run : RunFolder
        The run.
    night : int, optional
        Of the run; the last if left out.
    tavern : int, optional
        tavern_id of the house in which they are told; all if left out.
    count : int or str, optional
        How many, or a die ("d6" to "d100"). Left out: a d20's worth, or that of the largest
        die that can be filled.
    mix : sequence of float, default (60, 25, 15)
        Weights of true, partly true and false; the counts are drawn around them.
    kinds : iterable of str, optional
        Only these (see `tags.KINDS`).
    strength : int, optional
        Only those whose lead is at least so strong, 1 to 3.
    event : int, optional
        Versions of this event that contradict each other, in place of a mixed set.
    seen : Memory, optional
        What was told before.
    draw : int, default 0
        Another number gives another set.

    Returns
    -------
    Made
        ``rumors`` in the order of their numbers, and ``notes``.

    Raises
    ------
    NoSuchNightError
        If that night was not played.
    NothingToTellError
        If nobody has anything to tell.
    TooFewError
        If there are fewer than `count`.
    """
    wanted = wanted_of(
        night=night,
        tavern=tavern,
        count=count,
        mix=mix,
        kinds=kinds,
        strength=strength,
        event=event,
        draw=draw,
    )
    return rumors_of(of_run(run, night, tavern), wanted, seen or Memory())


def wanted_of(
    *,
    count: int | str | None = None,
    kinds: Iterable[str] | None = None,
    strength: int | None = None,
    event: int | None = None,
    mix: Sequence[float] = MIX,
    **others: Any,
) -> Wanted:
    """What is asked for, with a die as its number of faces and nothing left open.

    Examples
    --------
    >>> wanted_of(count="d12", kinds=["owes", "brawl"]).count
    12
    """
    return Wanted(
        count=DICE[count] if isinstance(count, str) else count,
        mix=tuple(mix),
        kinds=tuple(sorted(kinds or ())),
        strength=strength or 1,
        event=event or 0,
        **others,
    )


def of_run(run: RunFolder, night: int | None, tavern: int | None) -> Evenings:
    """What rumours of an evening of a run are made of."""
    from .colors import Colors
    from .evening import evening_of
    from .identity import salt_of
    from .knowledge import tales_of
    from .visits import visits_by
    from .voicing import RunVoice

    evening = evening_of(run, night)
    where = None if tavern is None else frozenset((tavern,))
    tales = tales_of(run, evening, where)
    colors = Colors.of(run)
    voice = RunVoice.of(run, evening, colors)
    salt = salt_of(run)
    guide = Guide(evening, colors, voice.facts, visits_by(run, evening.night))
    return Evenings(evening, tales, voice, guide, salt, (salt, evening.night))


# ------------------------------------------------------------- a set


def rumors_of(of: Evenings, wanted: Wanted, seen: Memory) -> Made:
    """Make a set; see `make_rumors`."""
    tales = [tale for tale in of.tales if _is_asked_for(tale, wanted)]
    if not tales:
        raise NothingToTellError(_nothing(of, wanted))
    offers = _offers(of, wanted, seen, tales)
    if wanted.event:
        choice = _versions(of, wanted, offers)
    else:
        choice = _mixed(of, wanted, offers, seen)
    ordered = in_order(choice.offers, of.salt)
    rumors = written(of, ordered, wanted.strength)
    return Made(rumors, notes_of(choice, offers, wanted, seen.sources(run_id(of.salt))))


def _is_asked_for(tale: Tale, wanted: Wanted) -> bool:
    if wanted.event:
        return tale.event_id == wanted.event
    return not wanted.kinds or tale.claim.kind in wanted.kinds


def _nothing(of: Evenings, wanted: Wanted) -> str:
    where = "" if wanted.tavern is None else f" at {of.evening.houses[wanted.tavern]}"
    if wanted.event:
        return f"nobody who is out{where} on night {of.evening.night} tells of event {wanted.event}"
    what = f" of {', '.join(wanted.kinds)}" if wanted.kinds else ""
    cure = "let them talk for more nights"
    if where or what:
        cure = "ask for another house or kind, or " + cure
    return f"nobody{where} has anything to tell{what} on night {of.evening.night}; {cure}"


def _offers(of: Evenings, wanted: Wanted, seen: Memory, tales: Sequence[Tale]) -> list[Offer]:
    crier = Crier(of.evening, of.voice, of.guide, (*of.key, wanted.draw), seen.lines)
    enough, many = (3, MANY) if (wanted.count or 20) <= 20 else (5, inf)
    offers = crier.offers(tales, unless=seen.wordings, enough=enough, many=many)
    return [offer for offer in offers if offer.strength >= wanted.strength]


def _mixed(of: Evenings, wanted: Wanted, offers: list[Offer], seen: Memory) -> Choice:
    """A set of mixed truth; of events told before only if there are too few others."""
    told = seen.sources(run_id(of.salt))
    fresh = [offer for offer in offers if offer.source not in told]
    n = wanted.count or DICE["d20"]
    best = Choice([], [])
    for pool, rules in _ways(fresh, offers):
        choice = _choose(of, wanted, pool, n, rules, seen)
        if len(choice.offers) > len(best.offers):
            best = choice
        if len(best.offers) == n:
            return best
    return _fewer(of, wanted, offers, best, seen)


def _ways(fresh: list[Offer], offers: list[Offer]) -> Iterable[tuple[list[Offer], Rules]]:
    """What to choose from and by which rules, the best way first."""
    yield fresh, Rules(of_event=1)
    yield fresh, Rules()
    if len(fresh) < len(offers):
        yield offers, Rules()
    yield from ((offers, rules) for rules in LENIENT)


def _choose(
    of: Evenings, wanted: Wanted, pool: list[Offer], n: int, rules: Rules, seen: Memory
) -> Choice:
    key = (*of.key, wanted.tavern, wanted.draw, n, len(seen.sessions))
    stale: dict[str | int, int] = {}
    stale.update(seen.lines.items())
    stale.update(seen.sources(run_id(of.salt)).items())
    return choose(pool, n, mix=wanted.mix, key=key, rules=rules, stale=stale)


def _fewer(of: Evenings, wanted: Wanted, offers: list[Offer], best: Choice, seen: Memory) -> Choice:
    """What to do where there are fewer than wanted."""
    n = len(best.offers)
    if n == 0:
        why = " that was not told before" if seen.wordings else " in words that we have"
        raise NothingToTellError(f"nobody has anything to tell{why}; let them talk for more nights")
    if wanted.count is not None:
        raise TooFewError(n, wanted.count, why_few(wanted, seen))
    faces = max((each for each in DICE.values() if each <= n), default=n)
    for rules in (Rules(of_event=1), Rules(), *LENIENT):
        choice = _choose(of, wanted, offers, faces, rules, seen)
        if len(choice.offers) == faces:
            return choice
    return best


# ------------------------------------------------------------- versions of one event


def _versions(of: Evenings, wanted: Wanted, offers: list[Offer]) -> Choice:
    """Versions of one event that contradict each other: no two say the same of it."""
    claims: dict[tuple[object, ...], list[Offer]] = {}
    for offer in offers:
        claims.setdefault(_claimed(offer), []).append(offer)
    if len(claims) < 2:
        raise NothingToTellError(
            f"all who are out tell of event {wanted.event} alike; choose another event"
        )
    n = min(wanted.count or VERSIONS, len(claims))
    pool = _left_to_others(claims.values())
    key = (*of.key, wanted.draw)
    strict = Rules(of_event=n, of_teller=1)
    lenient = strict._replace(openings=n, of_form=1.0)
    unmarked = [replace(offer, marks=frozenset()) for offer in pool]  # all name the same people
    for rules, each in ((strict, pool), (lenient, pool), (lenient, unmarked)):
        choice = choose(each, n, mix=(1, 1, 1), key=key, rules=rules, once=_claimed)
        if len(choice.offers) == n:
            break
    if wanted.count is not None and len(choice.offers) < wanted.count:
        raise TooFewError(len(choice.offers), wanted.count, " that contradict each other")
    return choice


def _left_to_others(claims: Iterable[list[Offer]]) -> list[Offer]:
    """Offers of some claims, without what is told elsewhere by the only teller of a claim."""
    tellers = [({offer.tale.teller for offer in same}, same) for same in claims]
    alone = frozenset[int]().union(*(who for who, _ in tellers if len(who) == 1))
    return [
        offer
        for who, same in tellers
        for offer in same
        if len(who) == 1 or offer.tale.teller not in alone
    ]


def _claimed(offer: Offer) -> tuple[object, ...]:
    """In what an offer departs from what was so; two of which are alike contradict nothing."""
    wrong = (part for part in offer.verdict.wrong if not part.startswith("the teller adds"))
    return (offer.utterance.said.kind, offer.utterance.said.subject, *sorted(wrong))


# ------------------------------------------------------------- memory


def run_id(salt: str) -> str:
    """What a memory knows a run by."""
    return id_of(salt, "run")


def told_of(rumors: Iterable[Rumor]) -> list[Told]:
    """What a memory keeps of a set."""
    return [
        Told(
            wording=each.wording, head=each.head, tail=each.tail, story=each.story, event=each.event
        )
        for each in rumors
    ]
