"""The talk of an evening: who meets whom, and what passes between them.

When the tables close, everybody still in a house talks to some of those who are
there. In the order that tonight's luck gives, one after the other, each *teller*

1. meets `contacts` people: an acquaintance who is there, or anybody; strangers
   may know each other from then on (`company`);
2. may invent a story about somebody he bears a grudge against;
3. tells each of them what he believes most strongly of others, for and against
   them: hearsay, which moves a belief and never adds to it.

Then, in the same order, everybody tells those he has met

4. the rumours he knows, what interests most first.

All on one thread, so that who heard what from whom has one answer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from .. import chance
from ..chance import draw, unit
from ..compiled import kernel, rule
from ..patrons.columns import NOBODY, Ints, Row
from ..patrons.decisions import shipped_decisions
from ..patrons.decisions.talk import CHEATS, INTEREST, OWES
from ..patrons.decisions.talk import believes as shipped_believes
from ..patrons.decisions.talk import lies as shipped_lies
from ..patrons.decisions.talk import tells as shipped_tells
from .company import GONE, Evening, Mind, make_talk, mingle
from .rumors import (
    HEARSAY,
    LIE_ABOUT_DEBTS,
    N_BELIEVED,
    N_TOLD,
    N_VERSIONS,
    NIGHT,
    NO_GAME,
    PERSON,
    SUM,
    TELLING,
    Retelling,
    Vine,
    about_another,
    change_of,
    grown_sum,
    invent,
    misplaced,
    next_telling,
    pass_on,
    place_of,
    speakable,
    with_sum,
)
from .suspicion import (
    HEARSAY_BOUND,
    distrust_of,
    hear_trusting,
    log_odds_now,
    memory_of,
)

__all__ = ["Choices", "make_gossip", "make_talk"]

PER_TELLING = 4
"""Draws of purpose BEND there are for each telling."""
STIFLE = 1 << 20
"""Where draws of purpose TELL begin that say whether a teller stops."""
MOST_DEBT_DAYS = 5
"""An invented debt is of one to so many days' wages."""


class Choices(NamedTuple):
    """The decisions an evening's talk asks for."""

    tells: Callable[..., bool] = shipped_tells
    believes: Callable[..., bool] = shipped_believes
    lies: Callable[..., bool] = shipped_lies


# ---------------------------------------------------------------- hearsay


@rule
def insert(mind: Mind, n: int, most: int, subject: int, log_odds: float, prior: float) -> int:
    """Put a belief among the strongest so far, the strongest first; how many there are."""
    distance = abs(log_odds - prior)
    at = n
    while at > 0 and abs(mind.log_odds[at - 1] - prior) < distance:
        at -= 1
    if at >= most:
        return n
    for k in range(min(n, most - 1), at, -1):
        mind.subjects[k] = mind.subjects[k - 1]
        mind.log_odds[k] = mind.log_odds[k - 1]
    mind.subjects[at] = subject
    mind.log_odds[at] = log_odds
    return min(n + 1, most)


@rule
def pick_beliefs(evening: Evening, teller: int) -> int:
    """What a teller believes most strongly of those who live here; how many beliefs that is.

    For and against them alike: those furthest from the prior, if that is more
    than `talk.extreme`.
    """
    talk, ways, night = evening.talk, evening.ways, evening.night
    if talk.n_beliefs == 0 or ways.hearsay == 0.0:
        return 0
    memory = memory_of(evening.beliefs, teller)
    n = 0
    for k in range(len(memory.subject)):
        subject = memory.subject[k]
        if subject == NOBODY:
            break
        # Fading only brings a belief nearer to the prior, and most are near.
        if abs(float(memory.held[k].log_odds) - ways.prior) <= talk.extreme:
            continue
        log_odds = log_odds_now(memory, k, night, ways)
        is_here = evening.company.where[subject] != GONE
        if is_here and abs(log_odds - ways.prior) > talk.extreme:
            n = insert(evening.mind, n, talk.n_beliefs, subject, log_odds, ways.prior)
    return n


@rule
def slander(mind: Mind, n: int, most: int, subject: int) -> int:
    """Speak as badly as can be of somebody, in place of what one believes; how many are told."""
    at = min(n, most - 1)
    for k in range(n):
        if mind.subjects[k] == subject:
            at = k
    mind.subjects[at] = subject
    mind.log_odds[at] = HEARSAY_BOUND
    return max(n, at + 1)


@rule
def tell_beliefs(evening: Evening, i: int, n: int) -> None:
    """Tell one's listeners what one believes of others, not of themselves."""
    company, mind, night, ways = evening.company, evening.mind, evening.night, evening.ways
    teller = company.tellers[i]
    for at in range(evening.talk.contacts):
        listener = company.listeners[i, at]
        memory = memory_of(evening.beliefs, listener)
        distrust = distrust_of(memory, teller, night, ways)
        company.distrust[i, at] = distrust
        for k in range(n):
            subject, log_odds = mind.subjects[k], mind.log_odds[k]
            if subject != listener:
                hear_trusting(memory, subject, teller, log_odds, distrust, night, ways)
                evening.tally[company.where[teller], HEARSAY] += 1


# ---------------------------------------------------------------- lies


@rule
def bears_grudge(evening: Evening, patron: Row) -> bool:
    """Say whether somebody resents one who still lives here."""
    nights = evening.night - patron.grudge_night
    if patron.grudge == NOBODY or nights > evening.talk.how.grudge_nights:
        return False
    return evening.company.where[patron.grudge] != GONE


@rule
def make_up(evening: Evening, liar: int) -> None:
    """Invent a story about the one he resents: mostly that he cheats, else that he owes."""
    people, patron = evening.people, evening.people[liar]
    tavern, luck, subject = evening.company.where[liar], patron.luck, patron.grudge
    claim, game, amount = CHEATS, NO_GAME, 0
    if len(evening.games) > 0:
        game = int(evening.games[draw(luck, chance.LIE, 2) % len(evening.games)])
    if unit(luck, chance.LIE, 1) < LIE_ABOUT_DEBTS:
        days = draw(luck, chance.LIE, 3) % MOST_DEBT_DAYS + 1
        claim, game, amount = OWES, NO_GAME, max(1, speakable(days * people[subject].wage))
    invent(evening.vine, liar, claim, game, subject, amount, evening.night, tavern)
    evening.tally[tavern, N_VERSIONS] += 1


@rule
def lie(evening: Evening, liar: int, n_beliefs: int, lies: Callable[..., bool]) -> int:
    """One who bears a grudge may lie tonight; how many beliefs he tells now."""
    talk, patron = evening.talk, evening.people[liar]
    if not bears_grudge(evening, patron):
        return n_beliefs
    honesty = float(evening.sheet[liar].honesty)
    u = unit(patron.luck, chance.LIE, 0)
    if not lies(patron, honesty, talk.how.honesty, talk.how.lie_prob, u):
        return n_beliefs
    if talk.how.n_rumors > 0:
        make_up(evening, liar)
    if talk.n_beliefs == 0 or evening.ways.hearsay == 0.0:
        return n_beliefs
    return slander(evening.mind, n_beliefs, talk.n_beliefs, patron.grudge)


# ---------------------------------------------------------------- rumours


@rule
def freshness(heard: int, night: int, fresh_nights: int) -> float:
    """What is left of the news in a story for one who heard it so long ago: 1 at first, then less.

    0 once he tells it no more, after `fresh_nights`.
    """
    return max(0.0, 1.0 - (night - heard) / fresh_nights)


@rule
def pick_stories(
    vine: Vine,
    teller: int,
    night: int,
    how: Retelling,
    interest: Any,
    places: Ints,
    weights: Any,
) -> int:
    """Where a teller keeps what comes to his mind, what interests most first; how many these are.

    Of the stories he still tells, by interest times freshness; of equals the one
    he heard last.

    Parameters
    ----------
    interest : tuple of float
        Of each claim.
    places, weights : ndarray
        Room for as many as come to mind; the first is filled.
    """
    store, n, most = vine.store, 0, len(places)
    memory = store.story.shape[1]
    n_heard = store.n_heard[teller]
    k = n_heard % memory  # the place after that of the newest
    for _ in range(min(n_heard, memory)):
        k = (memory if k == 0 else k) - 1
        known = store.known[teller, k]
        if night - known.heard >= how.fresh_nights:
            break  # what he heard before is staler still
        if known.status != TELLING:
            continue
        weight = freshness(int(known.heard), night, how.fresh_nights) * interest[known.claim]
        if n == most and weights[n - 1] >= weight:
            continue
        n = min(n + 1, most)
        at = n - 1
        while at > 0 and weights[at - 1] < weight:
            places[at] = places[at - 1]
            weights[at] = weights[at - 1]
            at -= 1
        places[at] = k
        weights[at] = weight
    return n


@rule
def could_be(who: int, teller: int, listener: int, subject: int, where: Ints) -> bool:
    """Say whether a story may be told of somebody by mistake."""
    if who == NOBODY or where[who] == GONE:
        return False
    return who != teller and who != listener and who != subject


@rule
def mix_up(evening: Evening, teller: int, listener: int, subject: int, u: int) -> int:
    """Whom a teller mistakes for the subject: an acquaintance of his, or anybody there; NOBODY."""
    company, circle = evening.company, evening.acquaintances[teller]
    where, n = company.where, 0
    for k in range(len(circle)):
        n += 1 if could_be(circle[k].other, teller, listener, subject, where) else 0
    if n == 0:
        tavern = where[teller]
        first, end = company.starts[tavern], company.starts[tavern + 1]
        other = company.there[first + u % (end - first)]
        return other if could_be(other, teller, listener, subject, where) else NOBODY
    left, chosen = u % n, NOBODY
    for k in range(len(circle)):
        if could_be(circle[k].other, teller, listener, subject, where):
            if left == 0:
                chosen = circle[k].other
            left -= 1
    return chosen


@rule
def as_told(evening: Evening, rumor: int, teller: int, listener: int, index: int) -> int:
    """The version in which a teller tells what he knows: the same, or a new one."""
    vine, night, luck = evening.vine, evening.night, evening.people[teller].luck
    told = vine.versions[rumor]
    change = change_of(told, evening.talk.how, unit(luck, chance.BEND, index))
    if change == SUM:
        sum_cp = grown_sum(int(told.amount), unit(luck, chance.BEND, index + 1))
        return with_sum(vine, rumor, teller, night, sum_cp)
    if change == NIGHT:
        n_taverns = len(evening.company.starts) - 1
        u, v = unit(luck, chance.BEND, index + 1), unit(luck, chance.BEND, index + 2)
        return misplaced(vine, rumor, teller, night, n_taverns, u, v)
    if change == PERSON:
        u = draw(luck, chance.BEND, index + 1)
        other = mix_up(evening, teller, listener, int(told.subject), u)
        if other != NOBODY:
            return about_another(vine, rumor, teller, night, other)
    return rumor


@rule
def tell_story(
    evening: Evening,
    teller: int,
    k: int,
    listener: int,
    distrust: float,
    index: int,
    believes: Callable[..., bool],
) -> None:
    """Tell somebody the story that the teller keeps in place `k`.

    One who knows it already is not told another version of it: he would put
    the teller right.
    """
    vine, how, night = evening.vine, evening.talk.how, evening.night
    luck, tavern = evening.people[teller].luck, evening.company.where[teller]
    known = vine.store.known[teller, k]
    rumor, told_from = int(known.rumor), int(known.told_from)
    heard, believed = rumor, False
    knew = place_of(vine.store, listener, vine.store.story[teller, k]) != NOBODY
    if not knew:
        u, prior = unit(luck, chance.BELIEVE, index), evening.prior
        believed = believes(evening.people[listener], distrust, prior, how.believe_prob, u)
        heard = as_told(evening, rumor, teller, listener, index * PER_TELLING)
    stops = unit(luck, chance.TELL, STIFLE + index) < how.stifle_prob
    pass_on(vine, teller, k, listener, knew, heard, vine.n[1], night, believed, stops)
    told = next_telling(vine)
    told.rumor, told.known, told.told_from = heard, rumor, told_from
    told.teller, told.listener = teller, listener
    told.night, told.tavern = night, tavern
    told.knew, told.believed = knew, believed
    evening.tally[tavern, N_TOLD] += 1
    evening.tally[tavern, N_BELIEVED] += 1 if believed else 0


@rule
def tell_stories(
    evening: Evening, i: int, tells: Callable[..., bool], believes: Callable[..., bool]
) -> None:
    """Tell one's listeners the stories on one's mind, up to so many each."""
    vine, how, mind, company = evening.vine, evening.talk.how, evening.mind, evening.company
    teller, n_versions = company.tellers[i], vine.n[0]
    patron = evening.people[teller]
    n = pick_stories(vine, teller, evening.night, how, INTEREST, mind.places, mind.weights)
    for at in range(evening.talk.contacts):
        listener, n_told = company.listeners[i, at], 0
        for story in range(n):
            k = mind.places[story]
            known = vine.store.known[teller, k]
            if known.status != TELLING or known.subject == listener:
                continue
            index = at * vine.store.story.shape[1] + k
            u = unit(patron.luck, chance.TELL, index)
            if tells(patron, int(known.claim), known.subject == teller, how.tell_prob, u):
                n_told += 1
                tell_story(evening, teller, k, listener, company.distrust[i, at], index, believes)
            if n_told == how.n_rumors:
                break
    evening.tally[company.where[teller], N_VERSIONS] += vine.n[0] - n_versions


# ---------------------------------------------------------------- an evening


@rule
def may_talk(evening: Evening, teller: int) -> bool:
    """Say whether somebody has company; players' characters speak for themselves."""
    tavern, starts = evening.company.where[teller], evening.company.starts
    return starts[tavern + 1] - starts[tavern] > 1 and evening.people[teller].is_player == 0


@cache
def make_gossip(choices: Choices) -> Callable[..., None]:
    """The kernel of an evening's talk."""
    tells, believes, lies = choices

    @kernel(defaults=shipped_decisions())
    def gossip(evening: Evening) -> None:
        tellers = evening.company.tellers
        for i in range(len(tellers)):
            if may_talk(evening, tellers[i]):
                mingle(evening, i)
                n = lie(evening, tellers[i], pick_beliefs(evening, tellers[i]), lies)
                tell_beliefs(evening, i, n)
        if evening.talk.how.n_rumors > 0:
            for i in range(len(tellers)):
                if may_talk(evening, tellers[i]):
                    tell_stories(evening, i, tells, believes)

    return gossip
