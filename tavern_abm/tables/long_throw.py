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

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .. import chance
from ..asking import RefusedError
from ..chance import roll
from ..compiled import kernel, rule
from ..data_tables import load_tables
from ..games import game_number
from ..games import long_throw as lt
from ..games.long_throw_odds import verify_style
from ..objects import ThrownObject, find_object
from ..patrons.columns import FEATS, NOBODY, Ints
from ..patrons.decisions import shipped_decisions
from ..patrons.decisions.long_throw import throwing_form
from . import long_throw_events as events
from .fitness import HURT_HAND, SOBER_MUGS, form, wound
from .long_throw_events import KINDS, tell_round
from .long_throw_told import PLAY
from .record import NO_SEAT, Notes, next_cell
from .seating import Crowd, Sitting
from .seats import World
from .yards import (
    Company,
    Yards,
    blank_company,
    count_event,
    event_key,
    fill_places,
    find_onlookers,
    gather,
    note_event,
    place_bets,
    settle,
    stake_of,
)

__all__ = ["KINDS", "PLAY", "blank_scratch", "make_hold", "tell_round"]

GAME = game_number("long-throw")
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

    company: Company
    flights: Ints  # how often each onlooker was thrown
    suffered: Ints  # damage each took by it
    results: Ints  # (MAX_SEATS,), as are the rest
    tenths: Ints
    is_in: Ints
    has_hit: Ints
    stones: Ints  # damage each took for a toss too short


def blank_scratch(n: int) -> Scratch:
    """Scratch for a yard with so many guests in town."""
    flights, suffered = np.zeros((2, n), np.int64)
    company = blank_company(n, lt.MAX_SEATS)
    return Scratch(company, flights, suffered, *np.zeros((5, lt.MAX_SEATS), np.int64))


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
    world: World, crowd: Crowd, tavern: int, contest: lt.Contest, company: Company
) -> tuple[int, int]:
    """Who is in the yard, and who of them can lift it; how many each."""
    n_here = gather(crowd, world.people, tavern, company.here)
    n_able = 0
    for i in range(n_here):
        thrower = thrower_of(world, company.here[i], contest)
        if lt.can_enter(thrower, contest):
            company.able[n_able] = company.here[i]
            company.rates[n_able] = throwing_form(thrower, contest)
            n_able += 1
    return n_here, n_able


@rule
def line_up(n: int, n_onlookers: int, scratch: Scratch) -> None:
    """Nobody has been pelted or thrown yet."""
    for i in range(n):
        scratch.stones[i] = 0
    for i in range(n_onlookers):
        scratch.flights[i] = 0
        scratch.suffered[i] = 0


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
        row = scratch.company.onlookers[i]
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
    row = scratch.company.onlookers[i]
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
    row = scratch.company.rows[i]
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
        thrower = thrower_of(world, scratch.company.rows[i], contest)
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
    lt.find_best(scratch.results[:n], scratch.is_in[:n], scratch.company.winners[:n])


@rule
def somebody_reaches(
    world: World, contest: lt.Contest, n: int, series: int, scratch: Scratch
) -> bool:
    """Say whether anybody who is still in can throw so far."""
    for i in range(n):
        if scratch.is_in[i] == 1:
            thrower = thrower_of(world, scratch.company.rows[i], contest)
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
            thrower = thrower_of(world, scratch.company.rows[i], contest)
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
        scratch.company.winners[i] = scratch.is_in[i]
    return series - 1


# ---------------------------------------------------------------- the record


@rule
def note_throws(
    cell: Any, is_toss: bool, n: int, n_onlookers: int, bets: int, scratch: Scratch
) -> None:
    """Write down who threw how far, and who was hurt."""
    facts = cell["facts"]
    best = NO_SEAT
    for i in range(n):
        if scratch.company.winners[i] == 1:
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
        facts[events.THROWN] = scratch.company.onlookers[thrown]
        facts[events.N_FLIGHTS] = scratch.flights[thrown]
        facts[events.THROWN_DAMAGE] = scratch.suffered[thrown]


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
    tavern, contest, company = yards.tavern[event], contest_of(own, event), scratch.company
    n_onlookers = find_onlookers(world, n_here, n, key, crowd, company)
    bets = place_bets(world, n_onlookers, n, stake, key, choose.backs_thrower, company)
    line_up(n, n_onlookers, scratch)
    series = 0
    if contest.style == lt.PRECISION:
        series = throw_at_target(world, own, event, n, n_onlookers, key, when.night, scratch)
    else:
        throw_once_each(world, yards, own, event, n, n_onlookers, key, when.night, scratch)
    pool = settle(world, tavern, n, n_onlookers, stake, counts, flows, company)
    n_hurt = n_wounded(scratch.stones[:n]) + n_wounded(scratch.suffered[:n_onlookers])
    count_event(yards, event, bets, n_hurt, counts)
    cell = next_cell(notes)
    note_event(cell, GAME, yards, event, when, n, stake, pool, n_hurt, company)
    cell["facts"][events.N_SERIES] = series
    note_throws(cell, contest.style == lt.TOSS, n, n_onlookers, bets, scratch)


# ---------------------------------------------------------------- what the model asks for


def title_of(options: Mapping[str, Any], data: str | None) -> str:
    """The contest by its name: what is thrown."""
    return f"the throw of {_thing(options, data).the}"


def why_not(options: Mapping[str, Any], data: str | None, sheets: Any) -> str:
    """What kept everybody from entering: the object is too heavy for all who were there.

    Parameters
    ----------
    sheets : structured array
        The character sheets of the guests.
    """
    thing = _thing(options, data)
    loads = [
        lt.maximum_load(strength, size)
        for strength, size in zip(
            sheets["strength"].tolist(), sheets["size_class"].tolist(), strict=True
        )
    ]
    n_able = sum(load >= thing.weight_lb for load in loads)
    if n_able >= lt.MIN_SEATS or not loads:
        return ""
    who = "nobody there" if n_able == 0 else "only one of those there"
    return f"{who} can lift {thing.the} ({thing.weight_lb:,} lb)"


def _thing(options: Mapping[str, Any], data: str | None) -> ThrownObject:
    style = lt.STYLES.index(options["style"])
    return find_object(options["object"] or lt.OBJECTS[style], data)


def verify_options(options: Mapping[str, Any], data: str | None) -> None:
    """Refuse an object nobody knows, can lift, or can toss, and options of another style.

    Raises
    ------
    RefusedError
        Naming the option and the game.
    DataError
        If the user's own objects are wrong.
    """
    style = options["style"]
    thing = find_object(options["object"] or lt.OBJECTS[lt.STYLES.index(style)], data)
    verify_style(thing, lt.OPTIONS, options)
    most = lt.maximum_load(lt.MOST_STRENGTH, 1)
    if thing.weight_lb > most:
        raise RefusedError(
            f"nobody can lift {thing.the}: {thing.weight_lb} lb is above the maximum load of"
            f" {most} lb at Strength {lt.MOST_STRENGTH} (long-throw)",
            "object",
        )


def make_own(found: Sequence[Mapping[str, Any]], scenario: Any) -> Own:
    """What is thrown at each long throw of a scenario, in the order of its events.

    Parameters
    ----------
    found : sequence of mapping
        The options of each event.
    """
    ancestries = list(load_tables(scenario.data).ancestries)
    of_play = {option.name: option.default for option in lt.TARGET}
    contests, is_person, people = [], [], []
    for options in (of_play | dict(each) for each in found):
        style = lt.STYLES.index(options["style"])
        thing = find_object(options["object"] or lt.OBJECTS[style], scenario.data)
        contests.append(lt.to_contest(thing.weight_lb, thing.increment_ft, thing.weapon, options))
        is_person.append(int(thing.person))
        is_known = thing.person and thing.name in ancestries
        people.append(ancestries.index(thing.name) if is_known else NOBODY)
    table = np.array(contests, np.int64).reshape(-1, len(lt.Contest._fields))
    return Own(table, np.array(is_person, np.int64), np.array(people, np.int64))


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
        tavern, contest, company = yards.tavern[event], contest_of(own, event), scratch.company
        key = event_key(yards, event, when)
        n_here, n_able = find_able(world, crowd, tavern, contest, company)
        if n_able == 0:
            return 0
        stake = stake_of(world, yards, event, n_able, choose.table_stake, crowd, company)
        fewest, enters = lt.MIN_SEATS, choose.enters_throw
        n = fill_places(world, yards, event, n_able, fewest, stake, key, enters, crowd, company)
        if n == 0:
            return 0
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
