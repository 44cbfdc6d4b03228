"""Who is in a house as people talk, and who meets whom."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .. import chance
from ..chance import draw, unit
from ..compiled import rule
from ..patrons.columns import NOBODY, Floats, Ints, People, Sheet
from .acquaintance import MET, befriend
from .rumors import Retelling, Vine
from .suspicion import Beliefs, Ways

GONE = -2
"""Where somebody is who has left for good or died."""
ON_MIND = 4
"""So many times as many stories come to a teller's mind as he tells each contact at most."""
PER_CONTACT = 4
"""Draws of purpose MEET there are for each contact."""


class Talk(NamedTuple):
    """How people talk, as the kernel is handed it."""

    contacts: int  # 0: nobody talks
    acquainted_prob: float
    befriend_prob: float
    n_beliefs: int  # told to each contact at most
    extreme: float  # log-odds from the prior beyond which a belief is told
    how: Retelling


class Company(NamedTuple):
    """Who is where as people talk."""

    there: Ints  # rows of those in a house, those of each together
    starts: Ints  # (n_taverns + 1,): where each house's begin, and the last one's end
    where: Ints  # (n_rows,): index of the tavern, NOBODY at home, GONE
    tellers: Ints  # those there, in the order in which they talk
    listeners: Ints  # (n_tellers, contacts): whom each of them talks to
    distrust: Floats  # (n_tellers, contacts): how likely that one thinks him a cheat


class Mind(NamedTuple):
    """Room for what one teller has on his mind."""

    friends: Ints  # acquaintances who are there
    subjects: Ints  # whom he speaks of, and
    log_odds: Floats  # what he believes of each
    places: Ints  # where he keeps the stories he tells, and
    weights: Floats  # how much each interests


class Evening(NamedTuple):
    """All that people read and write as they talk."""

    night: int
    company: Company
    people: People
    sheet: Sheet
    acquaintances: Any  # record array of ACQUAINTANCE, shape (n_rows, width)
    beliefs: Beliefs
    ways: Ways
    prior: float  # what one believes about a stranger, 0 to 1
    talk: Talk
    vine: Vine
    games: Ints  # those that a lie may name, as indices into `games.GAMES`
    mind: Mind
    tally: Any  # (n_taverns, 4): what is counted


def make_talk(scenario: Any) -> Talk:
    """How people talk in a scenario: from its parts `talk` and `justice`."""
    talk = scenario.talk
    how = Retelling(
        n_rumors=talk.rumors,
        fresh_nights=talk.fresh_nights,
        tell_prob=talk.tell_prob,
        believe_prob=talk.believe_prob,
        stifle_prob=talk.stifle_prob,
        exaggerate_prob=talk.exaggerate_prob,
        misplace_prob=talk.misplace_prob,
        mistake_prob=talk.mistake_prob,
        lie_prob=talk.lie_prob,
        honesty=math.log(scenario.population.honesty_odds_ratio),
        grudge_nights=scenario.justice.grudge_nights,
    )
    return Talk(
        contacts=talk.contacts,
        acquainted_prob=talk.acquainted_prob,
        befriend_prob=talk.befriend_prob,
        n_beliefs=talk.beliefs,
        extreme=talk.extreme,
        how=how,
    )


def company_of(people: Any, n_rows: int, n_taverns: int, here: int, contacts: int) -> Company:
    """Who is where, and the order in which they talk: by tonight's luck.

    Parameters
    ----------
    people : ndarray of PEOPLE
        The columns.
    here : int
        The mark of those who live here, of `whereabouts`.
    """
    rows = np.asarray(people)[:n_rows]
    where = np.where(rows["whereabouts"] == here, rows["tavern"], GONE)
    there = np.flatnonzero(where >= 0)
    order = np.argsort(chance.draws(rows["luck"][there], chance.TALK_ORDER, 0), kind="stable")
    by_tavern = there[np.argsort(where[there], kind="stable")]
    starts = np.searchsorted(where[by_tavern], np.arange(n_taverns + 1))
    shape = (len(there), contacts)
    listeners, distrust = np.empty(shape, np.int64), np.empty(shape)
    return Company(by_tavern, starts, where, there[order], listeners, distrust)


def blank_mind(talk: Talk, width: int, memory: int) -> Mind:
    """Room for the thoughts of one teller.

    Parameters
    ----------
    width, memory : int
        Places there are for acquaintances and for stories.
    """
    n_stories = min(memory, ON_MIND * talk.how.n_rumors)
    friends, subjects = np.empty(width, np.int64), np.empty(talk.n_beliefs, np.int64)
    log_odds, weights = np.empty(talk.n_beliefs), np.empty(n_stories)
    return Mind(friends, subjects, log_odds, np.empty(n_stories, np.int64), weights)


# ---------------------------------------------------------------- who meets whom


@rule
def find_friends(circle: Any, tavern: int, where: Ints, friends: Ints) -> int:
    """Which of one's acquaintances are in the same house; how many."""
    n = 0
    for k in range(len(circle)):
        other = circle[k].other
        if other != NOBODY and where[other] == tavern:
            friends[n] = other
            n += 1
    return n


@rule
def anybody_else(there: Ints, first: int, end: int, me: int, u: int) -> int:
    """One of the others in a house, any as likely as another: `u` is a draw of 63 bits.

    Those in it are ``there[first:end]``, two at least.
    """
    row = there[first + u % (end - first - 1)]
    return there[end - 1] if row == me else row


@rule
def meet(evening: Evening, teller: int, n_friends: int, at: int) -> int:
    """Whom a teller meets at contact `at`: an acquaintance who is there, or anybody."""
    company, luck = evening.company, evening.people[teller].luck
    seeks_friend = unit(luck, chance.MEET, at * PER_CONTACT) < evening.talk.acquainted_prob
    u = draw(luck, chance.MEET, at * PER_CONTACT + 1)
    if seeks_friend and n_friends > 0:
        return evening.mind.friends[u % n_friends]
    tavern = company.where[teller]
    first, end = company.starts[tavern], company.starts[tavern + 1]
    return anybody_else(company.there, first, end, teller, u)


@rule
def is_among(friends: Ints, n_friends: int, who: int) -> bool:
    """Say whether somebody is one of the first `n_friends`."""
    found = False
    for k in range(n_friends):
        if friends[k] == who:
            found = True
    return found


@rule
def make_friends(evening: Evening, teller: int, listener: int, n_friends: int, at: int) -> int:
    """Strangers who talk may know each other from now on; how many friends are there now."""
    friends = evening.mind.friends
    if n_friends >= len(friends) or is_among(friends, n_friends, listener):
        return n_friends
    u = unit(evening.people[teller].luck, chance.MEET, at * PER_CONTACT + 2)
    if u < evening.talk.befriend_prob:
        acquaintances, people = evening.acquaintances, evening.people
        if befriend(acquaintances, teller, listener, MET, evening.night, people):
            friends[n_friends] = listener
            return n_friends + 1
    return n_friends


@rule
def mingle(evening: Evening, i: int) -> None:
    """Whom a teller talks to tonight, one after the other: his `listeners`."""
    company, mind = evening.company, evening.mind
    teller = company.tellers[i]
    circle = evening.acquaintances[teller]
    n_friends = find_friends(circle, company.where[teller], company.where, mind.friends)
    for at in range(evening.talk.contacts):
        listener = meet(evening, teller, n_friends, at)
        n_friends = make_friends(evening, teller, listener, n_friends, at)
        company.listeners[i, at] = listener
