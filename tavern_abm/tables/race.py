"""A yard holds a race: whoever is there may enter, or look on and bet.

In this order:

1. The stake is named: the event's, or by the median purse in the yard. Everybody
   who can pay is asked whether he races; if there are too many, luck decides.
   With fewer than two there is no race.
2. The others may back one of them, in an order that is drawn, each seeing the
   bets before his.
3. In a long race everybody chooses a pace. Then they run, increment by increment.
   Nobody goes on who bears as many wounds as his Constitution score.
4. Stakes and book are settled, the house takes its rake.
5. Who was hurt carries his wounds home; who had to rest, or was pulled out of the
   water, is worn out for tonight.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from .. import chance
from ..chance import hash63, unit
from ..compiled import kernel, rule
from ..courses import to_array
from ..games import game_number, race, race_sheet
from ..games.race_odds import asked_course
from ..patrons.decisions import shipped_decisions
from ..patrons.decisions.race import racing_form
from . import race_events as events
from .fitness import wound
from .race_events import KINDS, tell_round
from .race_run import (
    Choices,
    Own,
    Scratch,
    blank_scratch,
    fill_entrant,
    mean_modifier,
    run_race,
)
from .race_told import PLAY
from .record import Notes, n_bits, next_cell
from .seating import Crowd, Sitting
from .seats import World
from .yards import (
    Yards,
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

__all__ = ["KINDS", "PLAY", "Choices", "blank_scratch", "make_hold", "tell_round"]

GAME = game_number("race")

# ---------------------------------------------------------------- who enters


@rule
def rate_all(
    world: World, own: Own, event: int, tavern: int, crowd: Crowd, scratch: Scratch
) -> int:
    """Who is in the yard, and how people rate each; how many there are."""
    company = scratch.company
    n = gather(crowd, world.people, tavern, company.here)
    for i in range(n):
        fill_entrant(world, own, event, company.here[i], race_sheet.STEADY, scratch.who)
        modifier = mean_modifier(own, event, scratch.who)
        company.able[i] = company.here[i]
        company.rates[i] = racing_form(modifier, own.n_increments[event])
    return n


@rule
def line_up(
    world: World, own: Own, event: int, n: int, key: int, choose: Choices, scratch: Scratch
) -> None:
    """Everybody who races stands at the start, with the pace he chooses."""
    for i in range(n):
        row = scratch.company.rows[i]
        patron, sheet = world.people[row], world.sheet[row]
        scratch.n_drawn[i] = 0
        scratch.is_worn[i] = 0
        pace = race_sheet.STEADY
        if own.is_long[event] == 1 and own.may_pace[event] == 1:
            fill_entrant(world, own, event, row, pace, scratch.who)
            modifier = math.floor(mean_modifier(own, event, scratch.who))
            u = unit(hash63(patron.luck, key), chance.CHOICE, 0)
            chosen = choose.chooses_pace(modifier, sheet.constitution, own.n_afoot[event], u)
            # Whatever else a user's function says is steady.
            if chosen == race_sheet.PACING or chosen == race_sheet.SPRINTING:
                pace = chosen
        fill_entrant(world, own, event, row, pace, scratch.entrants[i])
        for field in range(race.N_RACER):
            scratch.racers[i, field] = 0


@rule
def carry_home(world: World, n: int, night: int, scratch: Scratch) -> int:
    """Wounds and weariness after the race; a bit for each who was hurt."""
    hurt = 0
    for i in range(n):
        row = scratch.company.rows[i]
        patron = world.people[row]
        if scratch.is_worn[i] == 1:
            patron.weary = 1
        if scratch.racers[i, race.HURT] > 0:
            hurt |= 1 << i
            wound(patron, world.sheet[row], scratch.racers[i, race.HURT], night)
    return hurt


# ---------------------------------------------------------------- the record


@rule
def note_racers(cell: Any, n: int, scratch: Scratch) -> None:
    """Write down who won, and what became of the others."""
    facts = cell["facts"]
    for i in range(n):
        bit = 1 << i
        if scratch.company.winners[i] == 1:
            facts[events.WINNERS] |= bit
            facts[events.TOTAL] = scratch.racers[i, race.TOTAL]
        if scratch.racers[i, race.OUT] == race.RUNNING:
            facts[events.FINISHED] |= bit
        if scratch.racers[i, race.OUT] == race.DROWNED:
            facts[events.DROWNED] |= bit
        if scratch.racers[i, race.HURT] > facts[events.WORST_DAMAGE]:
            facts[events.WORST] = i
            facts[events.WORST_DAMAGE] = scratch.racers[i, race.HURT]


@rule
def hold_race(
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
    """Bets, the race itself, money and the record of one race of `n`."""
    tavern, company = yards.tavern[event], scratch.company
    line_up(world, own, event, n, key, choose, scratch)
    n_onlookers = find_onlookers(world, n_here, n, key, crowd, company)
    bets = place_bets(world, n_onlookers, n, stake, key, choose.backs_racer, company)
    n_run = run_race(world, own, event, n, key, choose, scratch)
    pool = settle(world, tavern, n, n_onlookers, stake, counts, flows, company)
    hurt = carry_home(world, n, when.night, scratch)
    count_event(yards, event, bets, n_bits(hurt), counts)
    cell = next_cell(notes)
    note_event(cell, GAME, yards, event, when, n, stake, pool, n_bits(hurt), company)
    facts = cell["facts"]
    facts[events.N_RUN] = n_run
    facts[events.N_ONLOOKERS] = n_onlookers
    facts[events.BETS_CP] = bets
    facts[events.HURT] = hurt
    note_racers(cell, n, scratch)


# ---------------------------------------------------------------- what the model asks for


def title_of(options: Mapping[str, Any], data: str | None) -> str:
    """The race by its name: that of its course."""
    return asked_course({**options, "data": data}).title if options["course"] else "the race"


def verify_options(options: Mapping[str, Any], data: str | None) -> None:
    """Refuse a course that nobody knows, that is wrong, or that says what the options say too.

    Raises
    ------
    RefusedError
        Naming the option and the game.
    """
    asked_course({**options, "data": data})


def make_own(found: Sequence[Mapping[str, Any]], scenario: Any) -> Own:
    """The course of each race of a scenario, in the order of its events.

    Parameters
    ----------
    found : sequence of mapping
        The options of each event.
    """
    courses = [asked_course({**options, "data": scenario.data}) for options in found]
    longest = max((course.n_increments for course in courses), default=1)
    rows = np.zeros((len(courses), longest, race.N_COLUMNS), np.int64)
    for at, (course, options) in enumerate(zip(courses, found, strict=True)):
        rows[at, : course.n_increments] = to_array(course, options["damage_instead"])
    lengths = [course.n_increments for course in courses]
    fatigue = [race.FATIGUE.index(options["fatigue"]) for options in found]
    is_long = [race.is_long_race(*each) for each in zip(lengths, fatigue, strict=True)]
    afoot = [
        int((rows[at, :length, race.KIND] < race_sheet.MOUNTED).sum())
        for at, length in enumerate(lengths)
    ]
    return Own(
        rows,
        np.array(lengths, np.int64),
        np.array(afoot, np.int64),
        np.array(is_long, np.int64),
        np.array([options["pacing"] for options in found], np.int64),
        np.array([list(vars(course.mount).values()) for course in courses], np.int64).reshape(
            -1, 5
        ),
    )


@cache
def make_hold(choices: Choices) -> Callable[..., int]:
    """The kernel that holds an event of this game, with these decisions.

    It returns how many raced; 0 where the event was not held.
    """
    enters_race, backs_racer, gives_up, takes_damage, chooses_pace, table_stake = choices

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
        choose = Choices(
            enters_race, backs_racer, gives_up, takes_damage, chooses_pace, table_stake
        )
        company = scratch.company
        key = event_key(yards, event, when)
        n_here = rate_all(world, own, event, yards.tavern[event], crowd, scratch)
        if n_here == 0:
            return 0
        stake = stake_of(world, yards, event, n_here, choose.table_stake, crowd, company)
        fewest, enters = race.MIN_SEATS, choose.enters_race
        n = fill_places(world, yards, event, n_here, fewest, stake, key, enters, crowd, company)
        if n == 0:
            return 0
        hold_race(
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
