"""A long throw in the yard as events: who won it, who was pelted, who was thrown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..coins import show
from ..games import long_throw as lt
from ..games.long_throw_odds import feet
from ..patrons.columns import NOBODY
from .happenings import Event, Teller
from .long_throw_words import listed, points

N_FACTS = 11
(
    WINNERS,
    RESULT,
    TENTHS,
    N_SERIES,
    N_ONLOOKERS,
    BETS_CP,
    PELTED,
    STONES,
    THROWN,
    N_FLIGHTS,
    THROWN_DAMAGE,
) = range(N_FACTS)
"""What a cell's `facts` hold.

A bit for each winner; the best result, and how far it flew in tenths of a foot;
the series thrown at a target; how many looked on, and what they bet in cp; a bit
for each thrower who was pelted, and their damage in all; the row of the guest who
was hurt most by being thrown (NOBODY if none was thrown), how often he flew, and
his damage. The throwers are the cell's `rows`, in the order in which they threw."""

KINDS = {
    "throw_won": "won a long throw; other_id tied if anybody did; amount_cp is won on it",
    "throw_missed": "a halfling toss in which nobody reached the hay",
    "pelted": "tossed a halfling too short and was pelted with stones, the first of several",
    "thrown": "was thrown in a long throw, and hurt or not",
}
"""Kinds of event that this game brings."""

FAR = (
    "{winner} beat {others} with {the}: a throw of {result}, and {feet} ft of flight.",
    "Nobody matched {winner}, whose throw of {result} sent {the} {feet} ft; {others} lost.",
    "A throw of {result}, {feet} ft far, and {winner} had beaten {others} with {the}.",
)
TARGET = (
    "{winner} outlasted {others} at the target with {the}, {series} in all.",
    "{series} with {the}, and {winner} was the last one in: {others} had missed.",
)
CABER = (
    "{winner} turned {the} better than {others}.",
    "Nobody turned {the} as {winner} did; {others} came off worse.",
)
TOSSED = (
    "{winner} tossed {the} {feet} ft into the hay and beat {others}.",
    "{the} flew {feet} ft from {winner}'s hands into the hay; {others} lost.",
)
WON = (FAR, TARGET, CABER, TOSSED)
MOST_NAMED = 3
COUNTED = (
    *("none", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
SHARED = "{winners} did equally well with {the} and shared what had been put up."
SHARED_TARGET = "{winners} could throw {the} no farther at the target, and shared."
MISSED = (
    "Nobody got {the} into the hay, and every stake went back.",
    "{the} was tossed {how_often}, the hay stayed as it was, and nobody won.",
)
PELTS = (
    "{names} tossed short, and the little folk let fly with stones: {damage}.",
    "The little folk had kept stones for whoever tossed short, and {names} did: {damage}.",
)
FLIGHTS = (
    "{name} was {the} tonight: {times}, {damage}.",
    "Somebody had to be {the}, and {name} had drunk enough: {times}, {damage}.",
)


def tell_round(teller: Teller) -> Iterator[Event]:
    """The events of one contest, in the order in which a yard would tell them."""
    facts = teller.cell["facts"]
    winners = teller.rows(facts[WINNERS])
    if winners:
        yield _won(teller, winners)
    else:
        how_often = _times(len(teller.at_table))
        text = _sentence(teller.pick(MISSED), how_often=how_often, the=_the(teller))
        yield teller.event("throw_missed", text, teller.hand_row)
    pelted = teller.rows(facts[PELTED])
    if pelted:
        names = _some(teller, pelted, "throwers")
        text = _sentence(teller.pick(PELTS), names=names, damage=points(facts[STONES]))
        yield teller.event("pelted", text, pelted[0])
    if facts[THROWN] != NOBODY:
        yield _thrown(teller)


def _won(teller: Teller, winners: Sequence[int]) -> Event:
    facts, style = teller.cell["facts"], lt.STYLES.index(teller.options["style"])
    losers = [row for row in teller.at_table if row not in winners]
    words: dict[str, Any] = {
        "winner": teller.who(winners[0]).name,
        "winners": _names(teller, winners),
        "others": _some(teller, losers, "others"),
        "the": _the(teller),
        "result": facts[RESULT],
        "feet": feet(facts[TENTHS]),
        "series": "1 series" if facts[N_SERIES] == 1 else f"{facts[N_SERIES]} series",
    }
    if len(winners) > 1:
        told = SHARED_TARGET if style == lt.PRECISION else SHARED
    else:
        told = teller.pick(WON[style])
    text = _sentence(told, **words)
    if facts[BETS_CP]:
        text += f" {show(facts[BETS_CP])} lay in the book."
    other = winners[1] if len(winners) > 1 else NOBODY
    amount = teller.cell["winner_net"]
    return teller.event("throw_won", text, winners[0], other, amount=amount)


def _thrown(teller: Teller) -> Event:
    facts = teller.cell["facts"]
    person = teller.who(facts[THROWN])
    times = "one flight" if facts[N_FLIGHTS] == 1 else f"{facts[N_FLIGHTS]} flights"
    damage = points(facts[THROWN_DAMAGE]) if facts[THROWN_DAMAGE] else "and not a scratch"
    text = teller.pick(FLIGHTS).format(
        name=person.name, the=_the(teller), times=times, damage=damage
    )
    return teller.event("thrown", text, facts[THROWN])


def _times(n: int) -> str:
    """So often, in words, from 2 on.

    Examples
    --------
    >>> _times(2), _times(3)
    ('twice', 'three times')
    """
    return "twice" if n == 2 else f"{COUNTED[n]} times"


def _sentence(told: str, **words: Any) -> str:
    text = told.format(**words)
    return text[0].upper() + text[1:]


def _the(teller: Teller) -> str:
    name = teller.options["object"] or lt.OBJECTS[lt.STYLES.index(teller.options["style"])]
    return "the " + " ".join(name.lower().replace("-", " ").split())


def _some(teller: Teller, rows: Sequence[int], word: str) -> str:
    """Names of a few people, or how many there are."""
    if len(rows) > MOST_NAMED:
        return f"{COUNTED[len(rows)]} {word}"
    return _names(teller, rows)


def _names(teller: Teller, rows: Sequence[int]) -> str:
    return listed([teller.who(row).name for row in rows])
