"""The yard: contests held in front of everybody, as events of an evening.

What they share, whatever is contested: who is there, who enters, who bets on
whom, the money, and when and where it was.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .. import chance
from ..chance import draw, hash63, subkey, unit
from ..coins import rake
from ..compiled import rule
from ..games.contests import NO_BET, settle_book, settle_stakes
from ..patrons.columns import Floats, Ints, People
from ..patrons.decisions.rotting_toes import mood_of
from .record import DECIDED, HURT, N_BETS, N_CONTESTS, N_GAMES, N_HURT, N_ROUNDS
from .seating import Crowd, Sitting, rank
from .seats import World, largest_win
from .settling import book, book_house


class Yards(NamedTuple):
    """The events of one game: arrays of shape (n_events,), unless said otherwise."""

    tavern: Ints  # index
    number: Ints  # as a table of the tavern
    entrants: Ints  # at the most
    stake: Ints  # cp; 0: agreed on by those who enter
    options: Ints  # (n_events, N_OPTIONS): of the game
    held: Ints  # how often tonight
    able: Ints  # the most who would and could have entered tonight


class Company(NamedTuple):
    """The people at an event: part of a game's scratch."""

    here: Ints  # (n,) for as many guests as there are, as are the next: rows in the yard
    able: Ints  # rows of those who could enter
    rates: Floats  # how people rate each of them, as a log weight
    onlookers: Ints  # rows
    backed: Ints  # whom each onlooker backs, NO_BET
    bets: Ints
    gains: Ints
    rows: Ints  # (most,) contestants, as are the rest: who they are
    forms: Floats  # how people rate them
    winners: Ints
    stakes: Ints
    net: Ints
    laid: Ints  # cp on each


def blank_company(n: int, most: int) -> Company:
    """Room for so many guests, and so many contestants."""
    here, able, onlookers, backed, bets, gains = np.zeros((6, n), np.int64)
    rows, winners, stakes, net, laid = np.zeros((5, most), np.int64)
    return Company(
        here, able, np.zeros(n), onlookers, backed, bets, gains,
        rows, np.zeros(most), winners, stakes, net, laid,
    )  # fmt: skip


# ---------------------------------------------------------------- who enters


@rule
def event_key(yards: Yards, event: int, when: Sitting) -> int:
    """The key of an event's draws, as it is held now."""
    kind_key = hash63(subkey(when.night_key, chance.TAVERN, yards.tavern[event] + 1), chance.TABLE)
    return subkey(hash63(kind_key, yards.number[event]), chance.TABLE, when.first_round)


@rule
def gather(crowd: Crowd, people: People, tavern: int, here: Ints) -> int:
    """Fill `here` with the rows of those who are in a tavern now; how many they are."""
    n = 0
    for i in range(crowd.starts[tavern], crowd.starts[tavern + 1]):
        row = crowd.rows[i]
        if people[row].tavern == tavern:
            here[n] = row
            n += 1
    return n


@rule
def stake_of(
    world: World,
    yards: Yards,
    event: int,
    n_able: int,
    table_stake: Callable[..., int],
    crowd: Crowd,
    company: Company,
) -> int:
    """The event's stake, or what those who could enter agree on by their median purse."""
    if yards.stake[event] > 0:
        return yards.stake[event]
    for i in range(n_able):
        crowd.order[i] = company.able[i]
        crowd.purses[i] = world.people[company.able[i]].gold
        crowd.luck[i] = i
    rank(crowd.order, crowd.purses, crowd.luck, n_able)
    return max(1, table_stake(crowd.purses[n_able // 2]))


@rule
def find_willing(
    world: World,
    n_able: int,
    n_places: int,
    stake: int,
    key: int,
    enters: Callable[..., bool],
    crowd: Crowd,
    company: Company,
) -> int:
    """Ask all who could enter; put those who would into `crowd.order`, as places in `able`.

    Everybody reckons with as many contestants as may enter, the others as good
    as those who could enter are on average.
    """
    weights = 0.0
    for i in range(n_able):
        weights += math.exp(company.rates[i])
    n_contestants = min(n_places, n_able)
    n = 0
    for i in range(n_able):
        patron = world.people[company.able[i]]
        mine = math.exp(company.rates[i])
        others = (n_contestants - 1) * weights / n_able
        own_key = hash63(patron.luck, key)
        if patron.gold >= stake and enters(
            mine / (mine + others),
            n_contestants,
            stake,
            patron.gold,
            patron.wounds,
            patron.rationality,
            mood_of(patron),
            unit(own_key, chance.ENTER, 0),
        ):
            crowd.order[n] = i
            crowd.luck[n] = draw(own_key, chance.CONTEST, 0)
            crowd.purses[n] = 0
            n += 1
    return n


@rule
def fill_places(
    world: World,
    yards: Yards,
    event: int,
    n_able: int,
    fewest: int,
    stake: int,
    key: int,
    enters: Callable[..., bool],
    crowd: Crowd,
    company: Company,
) -> int:
    """Who contests, in an order that is drawn; how many, 0 where they are too few."""
    places = min(yards.entrants[event], len(company.rows))
    n = find_willing(world, n_able, places, stake, key, enters, crowd, company)
    yards.able[event] = max(yards.able[event], n)
    if n < fewest:
        return 0
    rank(crowd.order, crowd.purses, crowd.luck, n)
    n = min(n, places)
    for i in range(n):
        company.rows[i] = company.able[crowd.order[i]]
        company.forms[i] = company.rates[crowd.order[i]]
        world.people[company.rows[i]].sittings += 1
    return n


# ---------------------------------------------------------------- the book


@rule
def find_onlookers(
    world: World, n_here: int, n: int, key: int, crowd: Crowd, company: Company
) -> int:
    """Those in the yard who do not contest, in the order in which they may bet."""
    n_onlookers = 0
    for i in range(n_here):
        row = company.here[i]
        contests = False
        for j in range(n):
            if company.rows[j] == row:
                contests = True
        if not contests:
            crowd.order[n_onlookers] = row
            crowd.luck[n_onlookers] = draw(hash63(world.people[row].luck, key), chance.CONTEST, 1)
            crowd.purses[n_onlookers] = 0
            n_onlookers += 1
    rank(crowd.order, crowd.purses, crowd.luck, n_onlookers)
    for i in range(n_onlookers):
        company.onlookers[i] = crowd.order[i]
    return n_onlookers


@rule
def place_bets(
    world: World,
    n_onlookers: int,
    n: int,
    stake: int,
    key: int,
    backs: Callable[..., int],
    company: Company,
) -> int:
    """Everybody who looks on may back a contestant with one stake; the sum of the bets."""
    total = 0
    for j in range(n):
        company.laid[j] = 0
    for i in range(n_onlookers):
        patron = world.people[company.onlookers[i]]
        company.backed[i] = NO_BET
        company.bets[i] = 0
        if patron.gold < stake:
            continue
        choice = backs(
            company.forms[:n],
            company.laid[:n],
            stake,
            patron.rationality,
            mood_of(patron),
            unit(hash63(patron.luck, key), chance.BACK, 0),
        )
        # Whatever else a user's function says is nobody.
        if 0 <= choice < n:
            company.backed[i] = choice
            company.bets[i] = stake
            company.laid[choice] += stake
            total += stake
    return total


# ---------------------------------------------------------------- money, and the record


@rule
def settle(
    world: World,
    tavern: int,
    n: int,
    n_onlookers: int,
    stake: int,
    counts: Any,
    flows: Any,
    company: Company,
) -> int:
    """Pay the stakes and the book out; the coins that changed hands."""
    rake_bp = world.houses.rake_bp[tavern]
    winners, net = company.winners[:n], company.net[:n]
    for i in range(n):
        company.stakes[i] = stake
    pool = settle_stakes(winners, company.stakes[:n], net, rake_bp)
    taken = rake(pool, rake_bp)
    for i in range(n):
        book(world, tavern, company.rows[i], stake, net[i], counts, flows)
    backed, bets = company.backed[:n_onlookers], company.bets[:n_onlookers]
    gains = company.gains[:n_onlookers]
    taken += settle_book(backed, bets, winners, gains, rake_bp)
    for i in range(n_onlookers):
        if backed[i] != NO_BET:
            book(world, tavern, company.onlookers[i], bets[i], gains[i], counts, flows)
            pool += max(0, -gains[i])
    book_house(tavern, pool, taken, counts, flows)
    return pool


@rule
def count_event(yards: Yards, event: int, bets: int, n_hurt: int, counts: Any) -> None:
    """Count an event that was held, the bets on it in cp, and who was hurt."""
    tavern = yards.tavern[event]
    yards.held[event] += 1
    counts[tavern, N_GAMES] += 1
    counts[tavern, N_ROUNDS] += 1
    counts[tavern, N_CONTESTS] += 1
    counts[tavern, N_BETS] += bets
    counts[tavern, N_HURT] += n_hurt


@rule
def note_event(
    cell: Any,
    game: int,
    yards: Yards,
    event: int,
    when: Sitting,
    n: int,
    stake: int,
    pool: int,
    n_hurt: int,
    company: Company,
) -> None:
    """Write down when and where an event was held, who contested, and the largest win."""
    cell["game"] = game
    cell["night"] = when.night
    cell["round"] = when.first_round
    cell["tavern"] = yards.tavern[event]
    cell["table"] = yards.number[event]
    cell["stake"] = stake
    cell["pool"] = pool
    cell["seated"] = (1 << n) - 1
    cell["notable"] = DECIDED | (HURT if n_hurt > 0 else 0)
    for i in range(n):
        cell["rows"][i] = company.rows[i]
    winner, winner_net = largest_win(company.net[:n])
    cell["winner"] = winner
    cell["winner_net"] = winner_net
