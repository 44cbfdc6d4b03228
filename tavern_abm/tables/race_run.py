"""The race itself in a yard: what people bring tonight, and how they run it.

`tables.race` says who enters, who bets, and what comes of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .. import chance
from ..chance import roll, subkey, unit
from ..compiled import rule
from ..games import race, race_sheet
from ..patrons.columns import FEATS, Ints
from ..patrons.decisions.race import expected_harm, expected_loss
from .runners import fill_runner
from .seats import World
from .yards import Company, blank_company

ENDURANCE = 1 << FEATS.index("Endurance")


class Choices(NamedTuple):
    """The decisions this yard asks of people, as the kernel is handed them."""

    enters_race: Callable[..., bool]
    backs_racer: Callable[..., int]
    gives_up: Callable[..., bool]
    takes_damage: Callable[..., bool]
    chooses_pace: Callable[..., int]
    table_stake: Callable[..., int]


class Own(NamedTuple):
    """The course of each event; arrays of shape (n_events,), unless said otherwise."""

    courses: Ints  # (n_events, longest, race.N_COLUMNS)
    n_increments: Ints
    n_afoot: Ints  # of them not mounted
    is_long: Ints
    may_pace: Ints
    mounts: Ints  # (n_events, 5): as the fields of courses.Mount


class Scratch(NamedTuple):
    """Room for one event's reckoning."""

    company: Company
    who: Ints  # (race_sheet.N_FIELDS,)
    entrants: Ints  # (MAX_SEATS, race_sheet.N_FIELDS): modifiers of those who race
    racers: Ints  # (MAX_SEATS, race.N_RACER): where they stand
    n_drawn: Ints  # (MAX_SEATS,), as is the next: throws and choices so far
    is_worn: Ints


def blank_scratch(n: int) -> Scratch:
    """Scratch for a yard with so many guests in town."""
    return Scratch(
        blank_company(n, race.MAX_SEATS),
        np.zeros(race_sheet.N_FIELDS, np.int64),
        np.zeros((race.MAX_SEATS, race_sheet.N_FIELDS), np.int64),
        np.zeros((race.MAX_SEATS, race.N_RACER), np.int64),
        *np.zeros((2, race.MAX_SEATS), np.int64),
    )


@rule
def fill_entrant(world: World, own: Own, event: int, row: int, pace: int, who: Ints) -> None:
    """What somebody brings tonight: his sheet, drink, weariness, a hurt hand, the house's mount."""
    sheet, mount = world.sheet[row], own.mounts[event]
    off = fill_runner(world.people[row], sheet, world.minds, who)
    race_sheet.set_toughness(who, sheet.feats & ENDURANCE > 0)
    race_sheet.set_mount(who, mount[0], mount[3], mount[2], sheet.ride + off)
    is_long = own.is_long[event] == 1
    race_sheet.set_effort(who, pace, is_long, sheet.constitution, mount[1], mount[4] == 1)


@rule
def mean_modifier(own: Own, event: int, who: Ints) -> float:
    """The mean modifier of the checks by which a course is raced."""
    total = 0
    for at in range(own.n_increments[event]):
        kind = own.courses[event, at, race.KIND]
        total += race_sheet.check_modifier(who, kind, race_sheet.skill_of(kind))
    return total / own.n_increments[event]


@rule
def is_carried_off(world: World, i: int, scratch: Scratch) -> bool:
    """Say whether somebody bears as many wounds as his Constitution score."""
    row = scratch.company.rows[i]
    wounds = world.people[row].wounds + scratch.racers[i, race.HURT]
    return wounds >= world.sheet[row].constitution


@rule
def lead_of(i: int, n: int, racers: Ints) -> int:
    """His DS less the best other's that is still in the race; 0 if he is alone."""
    found = False
    best = 0
    for j in range(n):
        if j != i and racers[j, race.OUT] == race.RUNNING:
            if not found or racers[j, race.TOTAL] > best:
                best = racers[j, race.TOTAL]
            found = True
    return racers[i, race.TOTAL] - best if found else 0


@rule
def choice_of(
    world: World,
    course: Ints,
    n_increments: int,
    i: int,
    n: int,
    u: float,
    choose: Choices,
    scratch: Scratch,
) -> int:
    """What somebody does about a failure."""
    racer, who = scratch.racers[i], scratch.entrants[i]
    can_retry = race.can_choose(racer, course, who, race.TRY_AGAIN)
    if is_carried_off(world, i, scratch):
        can_retry = False
    elif race.can_choose(racer, course, who, race.TAKE_DAMAGE):
        if course[race.completed(racer), race.DAMAGE_IS] == race.OPEN:
            # What he has suffered costs nothing more, and makes the failure good.
            return race.TAKE_DAMAGE
        harm, loss = expected_harm(racer, course), expected_loss(racer, course, who)
        if choose.takes_damage(harm, loss, u):
            return race.TAKE_DAMAGE
    elif can_retry:
        left = n_increments - race.completed(racer) - 1
        if choose.gives_up(lead_of(i, n, scratch.racers), left, u):
            return race.GIVE_UP
    if race.can_choose(racer, course, who, race.LOSE_GROUND):
        return race.LOSE_GROUND
    return race.TRY_AGAIN if can_retry else race.GIVE_UP


@rule
def run_increment(
    world: World,
    course: Ints,
    n_increments: int,
    i: int,
    n: int,
    key: int,
    choose: Choices,
    scratch: Scratch,
) -> None:
    """One racer's increment."""
    racer, who = scratch.racers[i], scratch.entrants[i]
    own_key = subkey(key, chance.PATRON, i)
    faces = course[race.completed(racer), race.FACES]
    race.enter(racer, course, who)
    while racer[race.NEEDS] != race.NOTHING:
        at = scratch.n_drawn[i]
        scratch.n_drawn[i] += 1
        thrown = 0
        if racer[race.NEEDS] == race.CHOOSE:
            u = unit(own_key, chance.CHOICE, at)
            thrown = choice_of(world, course, n_increments, i, n, u, choose, scratch)
        elif racer[race.NEEDS] == race.HARM:
            thrown = roll(own_key, chance.DAMAGE, at, faces)
        else:
            thrown = roll(own_key, chance.THROW, at, 20)
        race.after(racer, course, who, thrown)
    if racer[race.RESTS] == 1 or racer[race.OUT] == race.DROWNED:
        scratch.is_worn[i] = 1
    if racer[race.OUT] == race.RUNNING and is_carried_off(world, i, scratch):
        racer[race.OUT] = race.GAVE_UP


@rule
def run_race(
    world: World, own: Own, event: int, n: int, key: int, choose: Choices, scratch: Scratch
) -> int:
    """Run until the race is decided, and mark the winners; the increments it took."""
    n_increments = own.n_increments[event]
    course = own.courses[event]
    racers = scratch.racers[:n]
    at = 0
    while at < n_increments and race.n_left(racers) >= race.MIN_SEATS:
        for i in range(n):
            if racers[i, race.OUT] == race.RUNNING:
                run_increment(world, course, n_increments, i, n, key, choose, scratch)
        at += 1
    race.mark_winners(racers, scratch.company.winners[:n])
    return at
