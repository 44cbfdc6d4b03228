"""A yard holds a long throw: whoever is there may enter, look on, or be thrown.

In this order:

1. The stake is named: the event's, or by the median purse of those who can lift
   what is thrown. Everybody who can lift it and pay is asked whether he throws;
   if there are too many, luck decides. With fewer than two there is no contest.
2. The others may back one of them, in an order that is drawn, each seeing the
   bets before his.
3. They throw, in an order that is drawn. Where a person is thrown, a guest of
   that people who has drunk enough is; if there is none, somebody the house pays.
4. Stakes and book are settled, the house takes its rake.
5. Who was thrown, or pelted for a toss too short, carries his wounds home.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .. import chance
from ..asking import RefusedError, read_options
from ..chance import draw, hash63, roll, subkey, unit
from ..coins import rake
from ..compiled import kernel, rule
from ..data_tables import load_tables
from ..games import game_number
from ..games import long_throw as lt
from ..games.contests import NO_BET, settle_book, settle_stakes
from ..games.long_throw_odds import verify_style
from ..objects import find_object
from ..patrons.columns import FEATS, NOBODY, Floats, Ints
from ..patrons.decisions import shipped_decisions
from ..patrons.decisions.long_throw import throwing_form
from . import long_throw_events as events
from .accounts import PAYOUT, RAKE, STAKE
from .fitness import HURT_HAND, SOBER_MUGS, form, wound
from .long_throw_events import KINDS, tell_round
from .long_throw_told import PLAY
from .record import (
    DECIDED,
    HURT,
    N_BETS,
    N_CHANGED,
    N_CONTESTS,
    N_GAMES,
    N_HURT,
    N_RAKE,
    N_ROUNDS,
    N_STAKED,
    NO_SEAT,
    Notes,
    next_cell,
)
from .seating import Crowd, Sitting, rank
from .seats import World, largest_win
from .yards import Yards, event_key, gather

__all__ = ["KINDS", "PLAY", "blank_scratch", "make_hold", "tell_round"]

GAME = game_number("long-throw")
CELLS_PER_ROUND = 1
_NAMES = [option.name for option in lt.OPTIONS]
SOFT, STONE_DAMAGE = _NAMES.index("soft_landing"), _NAMES.index("stone_damage")
"""Columns of `Yards.options`."""
FAR_SHOT, FOCUS = 1 << FEATS.index("Far Shot"), 1 << FEATS.index("Weapon Focus")
FIRST_STONE = 1_000_000
"""Index of the first draw for stones, beyond those of all landings."""


class Choices(NamedTuple):
    """The decisions this yard asks of people, as the kernel is handed them."""

    enters_throw: Callable[..., bool]
    backs_thrower: Callable[..., int]
    table_stake: Callable[..., int]


class Own(NamedTuple):
    """What is thrown at each event, and how; arrays of shape (n_events,) and more."""

    contests: Ints  # (n_events, fields of lt.Contest)
    is_person: Ints
    people: Ints  # index of the ancestry of whom it takes; NOBODY where there is no such


class Scratch(NamedTuple):
    """Room for one event's reckoning; shape (n,) for as many guests as there are."""

    here: Ints  # rows of those in the yard
    able: Ints  # rows of those who can lift it
    onlookers: Ints  # rows
    backed: Ints  # whom each onlooker backs, NO_BET
    bets: Ints
    gains: Ints
    flights: Ints  # how often each onlooker was thrown
    suffered: Ints  # damage each took by it
    throwers: Ints  # (MAX_SEATS,), as are the rest: rows of those who throw
    results: Ints
    tenths: Ints
    is_in: Ints
    has_hit: Ints
    winners: Ints
    stakes: Ints
    net: Ints
    laid: Ints  # cp on each thrower
    stones: Ints  # damage each took for a toss too short
    forms: Floats


def blank_scratch(n: int) -> Scratch:
    """Scratch for a yard with so many guests in town."""
    here, able, onlookers, backed, bets, gains, flights, suffered = np.zeros((8, n), np.int64)
    throwers, results, tenths, is_in, has_hit = np.zeros((5, lt.MAX_SEATS), np.int64)
    winners, stakes, net, laid, stones = np.zeros((5, lt.MAX_SEATS), np.int64)
    return Scratch(
        here,
        able,
        onlookers,
        backed,
        bets,
        gains,
        flights,
        suffered,
        throwers,
        results,
        tenths,
        is_in,
        has_hit,
        winners,
        stakes,
        net,
        laid,
        stones,
        np.zeros(lt.MAX_SEATS),
    )


# ---------------------------------------------------------------- who can, who will


@rule
def contest_of(own: Own, event: int) -> lt.Contest:
    """The contest of an event."""
    c = own.contests[event]
    return lt.Contest(c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9], c[10])


@rule
def thrower_of(world: World, row: int, contest: lt.Contest) -> lt.Thrower:
    """What somebody brings tonight: drink, weariness and, at a target, a hurt hand."""
    patron, sheet = world.people[row], world.sheet[row]
    off = form(patron, world.minds)
    if contest.style == lt.PRECISION:
        off -= HURT_HAND * patron.hurt_hand
    return lt.Thrower(
        sheet.strength,
        sheet.dexterity,
        sheet.size_class,
        sheet.base_attack,
        1 if sheet.feats & FAR_SHOT > 0 else 0,
        1 if sheet.feats & FOCUS > 0 else 0,
        off,
    )


@rule
def find_able(
    world: World, crowd: Crowd, tavern: int, contest: lt.Contest, scratch: Scratch
) -> tuple[int, int]:
    """Who is in the yard, and who of them can lift it; how many each."""
    n_here = gather(crowd, world.people, tavern)
    n_able = 0
    for i in range(n_here):
        row = crowd.order[i]
        scratch.here[i] = row
        if lt.can_enter(thrower_of(world, row, contest), contest):
            scratch.able[n_able] = row
            n_able += 1
    return n_here, n_able


@rule
def stake_of(
    world: World,
    yards: Yards,
    event: int,
    n_able: int,
    crowd: Crowd,
    choose: Choices,
    scratch: Scratch,
) -> int:
    """The event's stake, or what those who can lift it agree on by their median purse."""
    if yards.stake[event] > 0:
        return yards.stake[event]
    for i in range(n_able):
        crowd.order[i] = scratch.able[i]
        crowd.purses[i] = world.people[scratch.able[i]].gold
        crowd.luck[i] = i
    rank(crowd.order, crowd.purses, crowd.luck, n_able)
    return max(1, choose.table_stake(crowd.purses[n_able // 2]))


@rule
def find_willing(
    world: World,
    n_able: int,
    n_places: int,
    contest: lt.Contest,
    stake: int,
    key: int,
    choose: Choices,
    crowd: Crowd,
    scratch: Scratch,
) -> int:
    """Ask all who can lift it; put who would and could throw into `crowd.order`.

    Everybody reckons with as many throwers as may enter, the others as good as
    those who can lift it are on average.
    """
    weights = 0.0
    for i in range(n_able):
        weights += math.exp(throwing_form(thrower_of(world, scratch.able[i], contest), contest))
    n_throwers = min(n_places, n_able)
    n = 0
    for i in range(n_able):
        row = scratch.able[i]
        patron = world.people[row]
        if patron.gold < stake:
            continue
        mine = math.exp(throwing_form(thrower_of(world, row, contest), contest))
        others = (n_throwers - 1) * weights / n_able
        own_key = hash63(patron.luck, key)
        enters = choose.enters_throw(
            mine / (mine + others),
            n_throwers,
            stake,
            patron.gold,
            patron.wounds,
            patron.rationality,
            world.minds.thrill,
            unit(own_key, chance.ENTER, 0),
        )
        if enters:
            crowd.order[n] = row
            crowd.luck[n] = draw(own_key, chance.CONTEST, 0)
            crowd.purses[n] = 0
            n += 1
    return n


@rule
def take_places(world: World, crowd: Crowd, n: int, contest: lt.Contest, scratch: Scratch) -> None:
    """The first `n` in `crowd.order` throw, in that order."""
    for i in range(n):
        row = crowd.order[i]
        scratch.throwers[i] = row
        scratch.stones[i] = 0
        scratch.forms[i] = throwing_form(thrower_of(world, row, contest), contest)
        world.people[row].sittings += 1


# ---------------------------------------------------------------- the book


@rule
def find_onlookers(
    world: World, crowd: Crowd, n_here: int, n: int, key: int, scratch: Scratch
) -> int:
    """Those in the yard who do not throw, in the order in which they may bet."""
    n_onlookers = 0
    for i in range(n_here):
        row = scratch.here[i]
        is_thrower = False
        for j in range(n):
            if scratch.throwers[j] == row:
                is_thrower = True
        if not is_thrower:
            crowd.order[n_onlookers] = row
            crowd.luck[n_onlookers] = draw(hash63(world.people[row].luck, key), chance.CONTEST, 1)
            crowd.purses[n_onlookers] = 0
            n_onlookers += 1
    rank(crowd.order, crowd.purses, crowd.luck, n_onlookers)
    for i in range(n_onlookers):
        scratch.onlookers[i] = crowd.order[i]
        scratch.flights[i] = 0
        scratch.suffered[i] = 0
    return n_onlookers


@rule
def place_bets(
    world: World,
    n_onlookers: int,
    n: int,
    stake: int,
    key: int,
    choose: Choices,
    scratch: Scratch,
) -> int:
    """Everybody who looks on may back a thrower with one stake; the sum of the bets."""
    total = 0
    for j in range(n):
        scratch.laid[j] = 0
    for i in range(n_onlookers):
        patron = world.people[scratch.onlookers[i]]
        scratch.backed[i] = NO_BET
        scratch.bets[i] = 0
        if patron.gold < stake:
            continue
        choice = choose.backs_thrower(
            scratch.forms[:n],
            scratch.laid[:n],
            stake,
            patron.rationality,
            world.minds.thrill,
            unit(hash63(patron.luck, key), chance.BACK, 0),
        )
        # Whatever else a user's function says is nobody.
        if 0 <= choice < n:
            scratch.backed[i] = choice
            scratch.bets[i] = stake
            scratch.laid[choice] += stake
            total += stake
    return total


# ---------------------------------------------------------------- who is thrown


@rule
def find_thrown(world: World, own: Own, event: int, n_onlookers: int, scratch: Scratch) -> int:
    """The onlooker who is thrown next: the one of that people who has drunk most.

    He has had more than two mugs, is still here, and carries wounds for less
    than half his Constitution. NOBODY: the house pays somebody.
    """
    found = NOBODY
    most = SOBER_MUGS
    if own.people[event] == NOBODY:
        return found
    for i in range(n_onlookers):
        row = scratch.onlookers[i]
        patron, sheet = world.people[row], world.sheet[row]
        is_fit = patron.tavern != NOBODY and 2 * patron.wounds < sheet.constitution
        if sheet.ancestry == own.people[event] and is_fit and patron.drinks > most:
            found = i
            most = patron.drinks
    return found


@rule
def land(
    world: World,
    own: Own,
    event: int,
    n_onlookers: int,
    strength: int,
    is_solid: bool,
    key: int,
    at: int,
    night: int,
    scratch: Scratch,
) -> None:
    """What becomes of a guest who was thrown; things, and whom the house pays, are let be."""
    if own.is_person[event] == 0:
        return
    i = find_thrown(world, own, event, n_onlookers, scratch)
    if i == NOBODY:
        return
    row = scratch.onlookers[i]
    patron, sheet = world.people[row], world.sheet[row]
    scratch.flights[i] += 1
    tumble = sheet.tumble + form(patron, world.minds)
    if not lt.lands_well(roll(key, chance.CONTEST, at, 20), tumble):
        damage = lt.impact(roll(key, chance.DAMAGE, at, 6), strength, is_solid)
        scratch.suffered[i] += damage
        wound(patron, sheet, damage, night)


@rule
def pelt(
    world: World, yards: Yards, event: int, i: int, key: int, night: int, scratch: Scratch
) -> None:
    """Who tossed short is pelted; the wounds are his."""
    row = scratch.throwers[i]
    n_stones = roll(key, chance.DAMAGE, FIRST_STONE + i, 4)
    scratch.stones[i] = lt.pelting(n_stones, yards.options[event, STONE_DAMAGE])
    if scratch.stones[i] > 0:
        wound(world.people[row], world.sheet[row], scratch.stones[i], night)


@rule
def most_thrown(n_onlookers: int, scratch: Scratch) -> int:
    """The onlooker hurt most by being thrown, or thrown most; NOBODY where nobody was."""
    found = NOBODY
    for i in range(n_onlookers):
        if scratch.flights[i] > 0 and (
            found == NOBODY
            or scratch.suffered[i] > scratch.suffered[found]
            or (
                scratch.suffered[i] == scratch.suffered[found]
                and scratch.flights[i] > scratch.flights[found]
            )
        ):
            found = i
    return found


@rule
def n_wounded(amounts: Ints) -> int:
    """How many have taken damage."""
    n = 0
    for i in range(len(amounts)):
        if amounts[i] > 0:
            n += 1
    return n


# ---------------------------------------------------------------- the contest


@rule
def throw_once_each(
    world: World,
    yards: Yards,
    own: Own,
    event: int,
    n: int,
    n_onlookers: int,
    key: int,
    night: int,
    scratch: Scratch,
) -> None:
    """One check each; the winners are marked."""
    contest = contest_of(own, event)
    is_soft = yards.options[event, SOFT] == 1
    for i in range(n):
        thrower = thrower_of(world, scratch.throwers[i], contest)
        natural = roll(key, chance.THROW, i, 20)
        scratch.results[i] = lt.degree_of_success(natural, thrower, contest)
        scratch.tenths[i] = 0
        if contest.style != lt.CABER:
            scratch.tenths[i] = lt.distance_tenths(natural, thrower, contest)
        is_short = contest.style == lt.TOSS and lt.falls_short(natural, thrower, contest)
        scratch.is_in[i] = 0 if is_short else 1
        if is_short or not (contest.style == lt.TOSS and is_soft):
            land(
                world,
                own,
                event,
                n_onlookers,
                thrower.strength,
                False,
                key,
                i,
                night,
                scratch,
            )
        if is_short:
            pelt(world, yards, event, i, key, night, scratch)
    lt.find_best(scratch.results[:n], scratch.is_in[:n], scratch.winners[:n])


@rule
def somebody_reaches(
    world: World, contest: lt.Contest, n: int, series: int, scratch: Scratch
) -> bool:
    """Say whether anybody who is still in can throw so far."""
    for i in range(n):
        if scratch.is_in[i] == 1:
            thrower = thrower_of(world, scratch.throwers[i], contest)
            if lt.can_reach(thrower, contest, series):
                return True
    return False


@rule
def throw_at_target(
    world: World,
    own: Own,
    event: int,
    n: int,
    n_onlookers: int,
    key: int,
    night: int,
    scratch: Scratch,
) -> int:
    """Series after series, until one is left or nobody can throw so far; how many there were."""
    contest = contest_of(own, event)
    n_left = n
    series = 1
    for i in range(n):
        scratch.is_in[i] = 1
        scratch.results[i] = 0
        scratch.tenths[i] = 0
    while n_left > 1 and somebody_reaches(world, contest, n, series, scratch):
        for i in range(n):
            scratch.has_hit[i] = 0
            thrower = thrower_of(world, scratch.throwers[i], contest)
            if scratch.is_in[i] == 0 or not lt.can_reach(thrower, contest, series):
                continue
            at = series * lt.MAX_SEATS + i
            natural = roll(key, chance.THROW, at, 20)
            modifier = lt.attack_modifier(thrower, contest, series)
            is_hit = lt.hits(natural, modifier, contest.target_ac)
            scratch.has_hit[i] = 1 if is_hit else 0
            scratch.results[i] += 1 if is_hit else 0
            land(
                world,
                own,
                event,
                n_onlookers,
                thrower.strength,
                is_hit,
                key,
                at,
                night,
                scratch,
            )
        n_left = lt.after_series(scratch.is_in[:n], scratch.has_hit[:n])
        series += 1
    for i in range(n):
        scratch.winners[i] = scratch.is_in[i]
    return series - 1


# ---------------------------------------------------------------- money


@rule
def book(
    world: World, tavern: int, row: int, staked: int, net: int, counts: Any, flows: Any
) -> None:
    """One man's stake or bet, and what became of it, in his purse and in the books."""
    patron = world.people[row]
    flows[1 + tavern, STAKE, patron.trade] += staked
    flows[1 + tavern, PAYOUT, patron.trade] += staked + net
    patron.gold += net
    patron.games_net += net
    counts[tavern, N_STAKED] += staked


@rule
def settle(
    world: World,
    tavern: int,
    n: int,
    n_onlookers: int,
    stake: int,
    counts: Any,
    flows: Any,
    scratch: Scratch,
) -> int:
    """Pay the stakes and the book out; the coins that changed hands."""
    rake_bp = world.houses.rake_bp[tavern]
    winners, net = scratch.winners[:n], scratch.net[:n]
    for i in range(n):
        scratch.stakes[i] = stake
    pool = settle_stakes(winners, scratch.stakes[:n], net, rake_bp)
    taken = rake(pool, rake_bp)
    for i in range(n):
        book(world, tavern, scratch.throwers[i], stake, net[i], counts, flows)
    backed, bets = scratch.backed[:n_onlookers], scratch.bets[:n_onlookers]
    gains = scratch.gains[:n_onlookers]
    taken += settle_book(backed, bets, winners, gains, rake_bp)
    for i in range(n_onlookers):
        if backed[i] != NO_BET:
            book(world, tavern, scratch.onlookers[i], bets[i], gains[i], counts, flows)
            pool += max(0, -gains[i])
    flows[1 + tavern, RAKE, 0] += taken
    counts[tavern, N_RAKE] += taken
    counts[tavern, N_CHANGED] += pool
    return pool


# ---------------------------------------------------------------- the record


@rule
def note_throws(
    cell: Any, is_toss: bool, n: int, n_onlookers: int, bets: int, scratch: Scratch
) -> None:
    """Write down who threw how far, and who was hurt."""
    facts = cell["facts"]
    best = NO_SEAT
    for i in range(n):
        cell["rows"][i] = scratch.throwers[i]
        if scratch.winners[i] == 1:
            facts[events.WINNERS] |= 1 << i
            best = i
        if is_toss and scratch.is_in[i] == 0:
            facts[events.PELTED] |= 1 << i
        facts[events.STONES] += scratch.stones[i]
    if best != NO_SEAT:
        facts[events.RESULT] = scratch.results[best]
        facts[events.TENTHS] = scratch.tenths[best]
    facts[events.N_ONLOOKERS] = n_onlookers
    facts[events.BETS_CP] = bets
    thrown = most_thrown(n_onlookers, scratch)
    facts[events.THROWN] = NOBODY
    if thrown != NOBODY:
        facts[events.THROWN] = scratch.onlookers[thrown]
        facts[events.N_FLIGHTS] = scratch.flights[thrown]
        facts[events.THROWN_DAMAGE] = scratch.suffered[thrown]
    winner = largest_win(scratch.net[:n])
    cell["winner"] = winner
    if winner != NO_SEAT:
        cell["winner_net"] = scratch.net[winner]


@rule
def hold_contest(
    event: int,
    when: Sitting,
    yards: Yards,
    n: int,
    n_here: int,
    stake: int,
    key: int,
    choose: Choices,
    crowd: Crowd,
    world: World,
    own: Own,
    notes: Notes,
    counts: Any,
    flows: Any,
    scratch: Scratch,
) -> None:
    """Bets, throws, money and the record of one contest of `n` throwers."""
    tavern, contest = yards.tavern[event], contest_of(own, event)
    take_places(world, crowd, n, contest, scratch)
    n_onlookers = find_onlookers(world, crowd, n_here, n, key, scratch)
    bets = place_bets(world, n_onlookers, n, stake, key, choose, scratch)
    series = 0
    if contest.style == lt.PRECISION:
        series = throw_at_target(world, own, event, n, n_onlookers, key, when.night, scratch)
    else:
        throw_once_each(world, yards, own, event, n, n_onlookers, key, when.night, scratch)
    pool = settle(world, tavern, n, n_onlookers, stake, counts, flows, scratch)
    n_hurt = n_wounded(scratch.stones[:n]) + n_wounded(scratch.suffered[:n_onlookers])
    yards.held[event] += 1
    counts[tavern, N_GAMES] += 1
    counts[tavern, N_ROUNDS] += 1
    counts[tavern, N_CONTESTS] += 1
    counts[tavern, N_BETS] += bets
    counts[tavern, N_HURT] += n_hurt
    cell = next_cell(notes)
    cell["game"] = GAME
    cell["night"] = when.night
    cell["round"] = when.first_round
    cell["tavern"] = tavern
    cell["table"] = yards.number[event]
    cell["stake"] = stake
    cell["pool"] = pool
    cell["seated"] = (1 << n) - 1
    cell["notable"] = DECIDED | (HURT if n_hurt > 0 else 0)
    cell["facts"][events.N_SERIES] = series
    note_throws(cell, contest.style == lt.TOSS, n, n_onlookers, bets, scratch)


# ---------------------------------------------------------------- what the model asks for


def verify_options(options: Mapping[str, Any], data: str | None) -> None:
    """Refuse an object nobody knows, can lift, or can toss.

    Raises
    ------
    RefusedError
        Naming the option and the game.
    DataError
        If the user's own objects are wrong.
    """
    style = options["style"]
    thing = find_object(options["object"] or lt.OBJECTS[lt.STYLES.index(style)], data)
    verify_style(thing, style)
    most = lt.maximum_load(lt.MOST_STRENGTH, 1)
    if thing.weight_lb > most:
        raise RefusedError(
            f"nobody can lift {thing.the}: {thing.weight_lb} lb is above the maximum load of"
            f" {most} lb at Strength {lt.MOST_STRENGTH} (long-throw)",
            "object",
        )


def make_own(texts: Mapping[str, list[str]], scenario: Any) -> Own:
    """What is thrown at each long throw of a scenario, in the order of its events."""
    ancestries = list(load_tables(scenario.data).ancestries)
    contests, is_person, people = [], [], []
    for options in _options_of(scenario):
        style = lt.STYLES.index(options["style"])
        thing = find_object(options["object"] or lt.OBJECTS[style], scenario.data)
        contests.append(lt.to_contest(thing.weight_lb, thing.increment_ft, thing.weapon, options))
        is_person.append(int(thing.person))
        is_known = thing.person and thing.name in ancestries
        people.append(ancestries.index(thing.name) if is_known else NOBODY)
    table = np.array(contests, np.int64).reshape(-1, len(lt.Contest._fields))
    return Own(table, np.array(is_person, np.int64), np.array(people, np.int64))


def _options_of(scenario: Any) -> list[dict[str, Any]]:
    defaults = {option.name: option.default for option in lt.TARGET}
    found = [event for tavern in scenario.taverns for event in tavern.yard]
    return [
        defaults | read_options(lt.OPTIONS, event.options)
        for event in found
        if event.game == "long-throw"
    ]


@cache
def make_hold(choices: Choices) -> Callable[..., int]:
    """The kernel that holds an event of this game, with these decisions.

    It returns how many threw; 0 where the event was not held.
    """
    enters_throw, backs_thrower, table_stake = choices

    @kernel(defaults=shipped_decisions())
    def hold(
        event: int,
        when: Sitting,
        yards: Yards,
        crowd: Crowd,
        world: World,
        own: Own,
        notes: Notes,
        counts: Any,
        flows: Any,
        scratch: Scratch,
    ) -> int:
        choose = Choices(enters_throw, backs_thrower, table_stake)
        tavern, contest = yards.tavern[event], contest_of(own, event)
        key = subkey(event_key(yards, event, when), chance.TABLE, when.first_round)
        n_here, n_able = find_able(world, crowd, tavern, contest, scratch)
        if n_able == 0:
            return 0
        stake = stake_of(world, yards, event, n_able, crowd, choose, scratch)
        places = min(yards.entrants[event], lt.MAX_SEATS)
        n = find_willing(world, n_able, places, contest, stake, key, choose, crowd, scratch)
        yards.able[event] = max(yards.able[event], n)
        if n < lt.MIN_SEATS:
            return 0
        rank(crowd.order, crowd.purses, crowd.luck, n)
        n = min(n, places)
        hold_contest(
            event,
            when,
            yards,
            n,
            n_here,
            stake,
            key,
            choose,
            crowd,
            world,
            own,
            notes,
            counts,
            flows,
            scratch,
        )
        return n

    return hold
