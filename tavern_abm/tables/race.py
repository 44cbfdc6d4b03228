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
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np

from .. import chance
from ..asking import read_options
from ..chance import draw, hash63, subkey, unit
from ..coins import rake
from ..compiled import kernel, rule
from ..courses import to_array
from ..games import game_number, race, race_sheet
from ..games.contests import NO_BET, settle_book, settle_stakes
from ..games.race_odds import asked_course
from ..patrons.decisions import shipped_decisions
from ..patrons.decisions.race import racing_form
from . import race_events as events
from .accounts import PAYOUT, RAKE, STAKE
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
    n_bits,
    next_cell,
)
from .seating import Crowd, Sitting, rank
from .seats import World, largest_win
from .yards import Yards, event_key, gather

__all__ = ["KINDS", "PLAY", "Choices", "blank_scratch", "make_hold", "tell_round"]

GAME = game_number("race")
CELLS_PER_ROUND = 1
# ---------------------------------------------------------------- who enters


@rule
def rate_all(
    world: World, own: Own, event: int, tavern: int, crowd: Crowd, scratch: Scratch
) -> int:
    """Who is in the yard, and how people rate each; how many there are."""
    n = gather(crowd, world.people, tavern)
    for i in range(n):
        row = crowd.order[i]
        scratch.here[i] = row
        fill_entrant(world, own, event, row, race_sheet.STEADY, scratch.who)
        modifier = mean_modifier(own, event, scratch.who)
        scratch.rates[i] = racing_form(modifier, own.n_increments[event])
    return n


@rule
def stake_of(
    world: World,
    yards: Yards,
    event: int,
    n_here: int,
    crowd: Crowd,
    choose: Choices,
    scratch: Scratch,
) -> int:
    """The event's stake, or what the yard agrees on by its median purse."""
    if yards.stake[event] > 0:
        return yards.stake[event]
    for i in range(n_here):
        crowd.order[i] = scratch.here[i]
        crowd.purses[i] = world.people[scratch.here[i]].gold
        crowd.luck[i] = i
    rank(crowd.order, crowd.purses, crowd.luck, n_here)
    return max(1, choose.table_stake(crowd.purses[n_here // 2]))


@rule
def find_willing(
    world: World,
    n_here: int,
    n_places: int,
    stake: int,
    key: int,
    choose: Choices,
    crowd: Crowd,
    scratch: Scratch,
) -> int:
    """Ask everybody; put who would and could race into `crowd.order`, as places in `here`.

    Each reckons with as many racers as may enter, the others as good as those
    in the yard are on average.
    """
    weights = 0.0
    for i in range(n_here):
        weights += math.exp(scratch.rates[i])
    n_racers = min(n_places, n_here)
    n = 0
    for i in range(n_here):
        patron = world.people[scratch.here[i]]
        mine = math.exp(scratch.rates[i])
        others = (n_racers - 1) * weights / n_here
        own_key = hash63(patron.luck, key)
        if patron.gold >= stake and choose.enters_race(
            mine / (mine + others),
            n_racers,
            stake,
            patron.gold,
            patron.wounds,
            patron.rationality,
            world.minds.thrill,
            unit(own_key, chance.ENTER, 0),
        ):
            crowd.order[n] = i
            crowd.luck[n] = draw(own_key, chance.CONTEST, 0)
            crowd.purses[n] = 0
            n += 1
    return n


@rule
def line_up(
    world: World,
    own: Own,
    event: int,
    n: int,
    key: int,
    choose: Choices,
    crowd: Crowd,
    scratch: Scratch,
) -> None:
    """The first `n` in `crowd.order` race, each at the pace he chooses."""
    for i in range(n):
        row = scratch.here[crowd.order[i]]
        patron, sheet = world.people[row], world.sheet[row]
        scratch.rows[i] = row
        scratch.forms[i] = scratch.rates[crowd.order[i]]
        scratch.n_drawn[i] = 0
        scratch.is_worn[i] = 0
        scratch.laid[i] = 0
        patron.sittings += 1
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


# ---------------------------------------------------------------- the book


@rule
def find_onlookers(
    world: World, crowd: Crowd, n_here: int, n: int, key: int, scratch: Scratch
) -> int:
    """Those in the yard who do not race, in the order in which they may bet."""
    n_onlookers = 0
    for i in range(n_here):
        row = scratch.here[i]
        is_racer = False
        for j in range(n):
            if scratch.rows[j] == row:
                is_racer = True
        if not is_racer:
            crowd.order[n_onlookers] = row
            crowd.luck[n_onlookers] = draw(hash63(world.people[row].luck, key), chance.CONTEST, 1)
            crowd.purses[n_onlookers] = 0
            n_onlookers += 1
    rank(crowd.order, crowd.purses, crowd.luck, n_onlookers)
    for i in range(n_onlookers):
        scratch.onlookers[i] = crowd.order[i]
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
    """Everybody who looks on may back a racer with one stake; the sum of the bets."""
    total = 0
    for i in range(n_onlookers):
        patron = world.people[scratch.onlookers[i]]
        scratch.backed[i] = NO_BET
        scratch.bets[i] = 0
        if patron.gold < stake:
            continue
        choice = choose.backs_racer(
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


# ---------------------------------------------------------------- money, wounds


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
        book(world, tavern, scratch.rows[i], stake, net[i], counts, flows)
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


@rule
def carry_home(world: World, n: int, night: int, scratch: Scratch) -> int:
    """Wounds and weariness after the race; a bit for each who was hurt."""
    hurt = 0
    for i in range(n):
        row = scratch.rows[i]
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
    """Write down who raced, who won, and what became of the others."""
    facts = cell["facts"]
    for i in range(n):
        bit = 1 << i
        cell["rows"][i] = scratch.rows[i]
        if scratch.winners[i] == 1:
            facts[events.WINNERS] |= bit
            facts[events.TOTAL] = scratch.racers[i, race.TOTAL]
        if scratch.racers[i, race.OUT] == race.RUNNING:
            facts[events.FINISHED] |= bit
        if scratch.racers[i, race.OUT] == race.DROWNED:
            facts[events.DROWNED] |= bit
        if scratch.racers[i, race.HURT] > facts[events.WORST_DAMAGE]:
            facts[events.WORST] = i
            facts[events.WORST_DAMAGE] = scratch.racers[i, race.HURT]
    winner = largest_win(scratch.net[:n])
    cell["winner"] = winner
    if winner != NO_SEAT:
        cell["winner_net"] = scratch.net[winner]


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
    tavern = yards.tavern[event]
    line_up(world, own, event, n, key, choose, crowd, scratch)
    n_onlookers = find_onlookers(world, crowd, n_here, n, key, scratch)
    bets = place_bets(world, n_onlookers, n, stake, key, choose, scratch)
    n_run = run_race(world, own, event, n, key, choose, scratch)
    pool = settle(world, tavern, n, n_onlookers, stake, counts, flows, scratch)
    hurt = carry_home(world, n, when.night, scratch)
    yards.held[event] += 1
    counts[tavern, N_GAMES] += 1
    counts[tavern, N_ROUNDS] += 1
    counts[tavern, N_CONTESTS] += 1
    counts[tavern, N_BETS] += bets
    counts[tavern, N_HURT] += n_bits(hurt)
    cell = next_cell(notes)
    cell["game"] = GAME
    cell["night"] = when.night
    cell["round"] = when.first_round
    cell["tavern"] = tavern
    cell["table"] = yards.number[event]
    cell["stake"] = stake
    cell["pool"] = pool
    cell["seated"] = (1 << n) - 1
    cell["notable"] = DECIDED | (HURT if hurt > 0 else 0)
    facts = cell["facts"]
    facts[events.N_RUN] = n_run
    facts[events.N_ONLOOKERS] = n_onlookers
    facts[events.BETS_CP] = bets
    facts[events.HURT] = hurt
    note_racers(cell, n, scratch)


# ---------------------------------------------------------------- what the model asks for


def verify_options(options: Mapping[str, Any], data: str | None) -> None:
    """Refuse a course that nobody knows, that is wrong, or that says what the options say too.

    Raises
    ------
    RefusedError
        Naming the option and the game.
    """
    asked_course({**options, "data": data})


def make_own(texts: Mapping[str, list[str]], scenario: Any) -> Own:
    """The course of each race of a scenario, in the order of its events."""
    found = list(_options_of(scenario))
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


def _options_of(scenario: Any) -> Iterator[dict[str, Any]]:
    for tavern in scenario.taverns:
        for event in tavern.yard:
            if event.game == "race":
                yield read_options(race.OPTIONS, event.options)


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
        key = subkey(event_key(yards, event, when), chance.TABLE, when.first_round)
        n_here = rate_all(world, own, event, yards.tavern[event], crowd, scratch)
        if n_here == 0:
            return 0
        stake = stake_of(world, yards, event, n_here, crowd, choose, scratch)
        places = min(yards.entrants[event], race.MAX_SEATS)
        n = find_willing(world, n_here, places, stake, key, choose, crowd, scratch)
        yards.able[event] = max(yards.able[event], n)
        if n < race.MIN_SEATS:
            return 0
        rank(crowd.order, crowd.purses, crowd.luck, n)
        n = min(n, places)
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
