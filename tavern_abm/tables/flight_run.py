"""A chase as kernels run it: by the rules of `games.chase`, told again by `chase_told`.

Every draw has the key and the index that it has at a game master's table with the
same seed (`telling.Dice`, `telling.Deciders`), so that a chase that was run here can
be told increment by increment there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..chance import CHOICE, PERSON, PLAY, draw, hash63, roll, subkey, unit
from ..compiled import rule
from ..games import chase, race_sheet
from ..patrons.columns import Floats, Ints
from ..patrons.decisions.chase import (
    FACES,
    MEAN_ROLL,
    escape_prob,
    hazard_worth,
    hide_chance,
    hide_worth,
    pass_prob,
)
from .chase_told import HIDING_PULL, HOPELESS
from .chase_ways import FAILING, HURT, ON_OFFER, Way

KIND, IS_OPEN, CHECK, DC, FAILS, N_DICE, DIE = range(7)
N_WAY = 7
"""Fields of a way, as `encoded` has them."""
FORFEIT, RETRY, SLOWED, IS_HURT = range(4)
"""What failing brings; the order is that of `chase_ways.FAILING`."""
ESCAPEE, CHASER = 0, 1
DICE, LUCK, STREETS = 0, 1, 2
"""The parts of a run's chance."""
HOUSE = 0  # the place of who throws damage; the two have the places after it
NOWHERE = -1
HIDDEN, FORFEITED = 1, 2
"""How it ended, beside the lead."""
HAZARD_CHECK = race_sheet.SKILLS.index("balance")


class Choices(NamedTuple):
    """The decisions that a chase asks of people."""

    chooses_way: Callable[..., int]
    chooses_tactic: Callable[..., int]
    hazard_penalty: Callable[..., int]
    presses_on: Callable[..., bool]
    rather_hurt: Callable[..., bool]


class Scratch(NamedTuple):
    """Room for one chase."""

    who: Ints  # (2, N_FIELDS): what the two bring to their checks
    keys: Ints  # (2, 3): of dice and of decisions, by place
    thrown: Ints  # (3,): dice thrown so far, by place
    decided: Ints  # (3,): decisions taken so far
    harm: Ints  # (2,): points of damage to the runners themselves
    left: Ints  # (n_ways,): ways that may be put on offer
    offers: Ints  # (3, ON_OFFER): what is on offer, and what was in the last two increments
    taken: Ints  # (2,): the ways of the last two increments, the latest first
    edges: Floats  # (ON_OFFER,)


class Run(NamedTuple):
    """How a chase went."""

    state: chase.Chase
    start: int  # the lead it began with
    how: int  # 0, HIDDEN or FORFEITED


def blank_scratch(most_ways: int) -> Scratch:
    """Room for chases over so many ways at the most."""
    return Scratch(
        who=np.zeros((2, race_sheet.N_FIELDS), np.int64),
        keys=np.zeros((2, 3), np.int64),
        thrown=np.zeros(3, np.int64),
        decided=np.zeros(3, np.int64),
        harm=np.zeros(2, np.int64),
        left=np.zeros(most_ways, np.int64),
        offers=np.zeros((3, ON_OFFER), np.int64),
        taken=np.zeros(2, np.int64),
        edges=np.zeros(ON_OFFER),
    )


def encoded(ways: Sequence[Way]) -> Ints:
    """Ways as kernels have them, shape (n_ways, N_WAY).

    Examples
    --------
    >>> encoded([Way("ivy", "up the ivy", "climb", check="climb", dc=13, failing="retry")])
    array([[ 2,  0,  4, 13,  1,  0,  0]])
    """
    rows = [
        (
            race_sheet.KINDS.index(way.kind),
            int(way.is_open),
            race_sheet.SKILLS.index(way.check or "strength"),
            way.dc,
            (*FAILING, HURT).index(way.failing),
            *way.damage,
        )
        for way in ways
    ]
    return np.array(rows, np.int64).reshape(len(ways), N_WAY)


@rule
def set_keys(run: int, scratch: Scratch) -> None:
    """The keys of everybody's draws, as at a game master's table; nothing is drawn yet."""
    for place in range(3):
        scratch.thrown[place] = 0
        scratch.decided[place] = 0
        scratch.keys[DICE, place] = subkey(subkey(run, PLAY, DICE), PERSON, place)
        scratch.keys[LUCK, place] = subkey(subkey(run, PLAY, LUCK), PERSON, place)


@rule
def next_roll(place: int, faces: int, scratch: Scratch) -> int:
    """The next die of somebody's."""
    at = scratch.thrown[place]
    scratch.thrown[place] = at + 1
    return roll(scratch.keys[DICE, place], PLAY, at, faces)


@rule
def d20(side: int, scratch: Scratch) -> int:
    """The next d20 of one of the two."""
    return next_roll(side + 1, FACES, scratch)


@rule
def next_luck(side: int, scratch: Scratch) -> float:
    """A uniform number for the next decision of one of the two."""
    at = scratch.decided[side + 1]
    scratch.decided[side + 1] = at + 1
    return unit(scratch.keys[LUCK, side + 1], CHOICE, at)


# ---------------------------------------------------------------- what they can do


@rule
def modifier_of(who: Ints, way: Ints) -> int:
    """The modifier at what is in the way."""
    return race_sheet.check_modifier(who, way[KIND], way[CHECK])


@rule
def pace_of(who: Ints, kind: int) -> int:
    """What somebody adds to the check that an increment is run with, a Ride check apart."""
    return race_sheet.check_modifier(who, kind, race_sheet.skill_of(kind))


@rule
def mean_pace(who: Ints, kind: int) -> float:
    """What an increment with nothing in the way brings beside the d20, on average."""
    alone = float(pace_of(who, kind))
    if kind < race_sheet.MOUNTED:
        return alone
    total = 0
    for face in range(1, FACES + 1):
        total += race_sheet.ride_bonus(face + who[race_sheet.OWN + race_sheet.RIDING])
    return alone + total / FACES


@rule
def can_choose_harm(way: Ints) -> bool:
    """Say whether who fails may choose damage in place of something else."""
    return way[N_DICE] > 0 and way[FAILS] != IS_HURT


@rule
def is_beyond(who: Ints, way: Ints) -> bool:
    """Say whether not even a 20 would pass."""
    return FACES + modifier_of(who, way) < way[DC]


@rule
def is_hopeless(who: Ints, way: Ints) -> bool:
    """Say whether not even a 20 would do, where one has to get past."""
    must = way[FAILS] == FORFEIT or way[FAILS] == RETRY
    return must and not can_choose_harm(way) and is_beyond(who, way)


@rule
def expected(who: Ints, way: Ints) -> float:
    """What an increment brings on average; roughly, where a climb may fail."""
    alone = MEAN_ROLL + mean_pace(who, way[KIND])
    if way[DC] == 0 or way[N_DICE] > 0:
        return alone
    passed = pass_prob(modifier_of(who, way), way[DC])
    if way[FAILS] == SLOWED:
        return passed * alone
    if way[FAILS] == RETRY and passed > 0.0:
        return passed * alone - chase.RETRY_COST * (1.0 - passed) / passed
    return passed * alone + (1.0 - passed) * HOPELESS


@rule
def saved_by_harm(who: Ints, way: Ints) -> float:
    """What damage saves somebody who has failed, in points of the lead."""
    alone = MEAN_ROLL + mean_pace(who, way[KIND])
    if way[FAILS] == SLOWED:
        return alone
    passed = pass_prob(modifier_of(who, way), way[DC])
    if way[FAILS] == FORFEIT or passed == 0.0:
        return alone - HOPELESS
    return alone + chase.RETRY_COST / passed


@rule
def hide_over_spot(who: Ints) -> int:
    """By how much the escapee's Hide is above the chaser's Spot."""
    hide = who[ESCAPEE, race_sheet.OWN + race_sheet.HIDE]
    return int(hide - who[CHASER, race_sheet.OWN + race_sheet.SPOT])


@rule
def rounded(x: float) -> int:
    """To the nearest whole number, halves to the even one, as Python's `round`.

    Examples
    --------
    >>> [rounded(x) for x in (0.5, 1.5, 2.4, -0.5)] == [round(x) for x in (0.5, 1.5, 2.4, -0.5)]
    True
    """
    low = math.floor(x)
    part = x - low
    if part > 0.5 or (part == 0.5 and low % 2 == 1):
        return int(low + 1)
    return int(low)


# ---------------------------------------------------------------- the ways on offer


@rule
def is_stale(way: int, level: int, scratch: Scratch) -> bool:
    """Say whether a way was on offer, or taken, too lately to be on offer again.

    Level 0 leaves out the last two offers, 1 the last, 2 the last two ways taken,
    3 the last way taken, 4 none.
    """
    if level >= 2:
        was_last = level <= 3 and scratch.taken[0] == way
        return was_last or (level == 2 and scratch.taken[1] == way)
    for at in range(ON_OFFER):
        if scratch.offers[1, at] == way or (level == 0 and scratch.offers[2, at] == way):
            return True
    return False


@rule
def list_fresh(n_ways: int, scratch: Scratch) -> int:
    """Leave out as many of the latest ways as can be; how many are left."""
    n = 0
    for level in range(5):
        n = 0
        for way in range(n_ways):
            if not is_stale(way, level, scratch):
                scratch.left[n] = way
                n += 1
        if n >= ON_OFFER:
            break
    return n


@rule
def put_on_offer(n_ways: int, key: int, increment: int, scratch: Scratch) -> int:
    """Put some ways on offer, in ``scratch.offers[0]``; how many."""
    for at in range(ON_OFFER):
        scratch.offers[2, at] = scratch.offers[1, at]
        scratch.offers[1, at] = scratch.offers[0, at]
        scratch.offers[0, at] = NOWHERE
    n_left = list_fresh(n_ways, scratch)
    n = min(ON_OFFER, n_left)
    for at in range(n):
        k = draw(key, CHOICE, increment * n_ways + at) % n_left
        scratch.offers[0, at] = scratch.left[k]
        n_left -= 1
        for i in range(k, n_left):
            scratch.left[i] = scratch.left[i + 1]
    return n


@rule
def edge_on(lead: int, way: Ints, who: Ints) -> float:
    """By how much the escapee expects to gain on a way, a chance to hide there included."""
    edge = 0.0
    for side in (CHASER, ESCAPEE):
        edge = expected(who[side], way) - edge
    if chase.can_hide(lead, way[IS_OPEN] == 1):
        edge += HIDING_PULL * hide_chance(hide_over_spot(who))
    return edge


@rule
def choose_way(state: chase.Chase, ways: Ints, key: int, choose: Choices, scratch: Scratch) -> int:
    """The way that the escapee takes for this increment."""
    n = put_on_offer(len(ways), key, state.increments, scratch)
    for at in range(n):
        scratch.edges[at] = edge_on(state.lead, ways[scratch.offers[0, at]], scratch.who)
    u = next_luck(ESCAPEE, scratch)
    at = 0
    if n > 1:
        at = min(n - 1, max(0, choose.chooses_way(scratch.edges[:n], u)))
    way = scratch.offers[0, at]
    scratch.taken[1] = scratch.taken[0]
    scratch.taken[0] = way
    return int(way)


# ---------------------------------------------------------------- tactics


@rule
def hazard_check(kind: int) -> int:
    """The check that clears a hazard: Balance, in the saddle Ride."""
    return race_sheet.RIDING if kind >= race_sheet.MOUNTED else HAZARD_CHECK


@rule
def choose_tactic(
    state: chase.Chase, way: Ints, choose: Choices, scratch: Scratch
) -> tuple[int, int]:
    """What the escapee does beside running, and the penalty of a hazard."""
    lead, who, base_cost = state.lead, scratch.who, chase.HAZARD_BASE_COST
    may_hide = chase.can_hide(lead, way[IS_OPEN] == 1)
    may_hamper = chase.can_make_hazard(lead, 0, base_cost)
    if not may_hide and not may_hamper:
        return chase.RUN, 0
    own = rounded(mean_pace(who[ESCAPEE], way[KIND]))
    theirs = rounded(mean_pace(who[CHASER], way[KIND]))
    edge = float(own - theirs)
    hiding = -1.0
    hampering = -1.0
    penalty = 0
    if may_hide:
        hiding = hide_worth(lead, edge, theirs, hide_over_spot(who))
    if may_hamper:
        dexterity = int(who[ESCAPEE, race_sheet.OWN + race_sheet.DEXTERITY])
        balance = race_sheet.check_modifier(who[CHASER], way[KIND], hazard_check(way[KIND]))
        most = chase.most_penalty(lead, base_cost)
        penalty = choose.hazard_penalty(lead, edge, own, most, base_cost, dexterity, balance, 0.0)
        penalty = min(most, max(0, penalty))
        cost = chase.hazard_cost(penalty, base_cost)
        hampering = hazard_worth(lead, edge, own, penalty, cost, dexterity, balance)
    running = escape_prob(lead, edge)
    tactic = choose.chooses_tactic(running, hiding, hampering, next_luck(ESCAPEE, scratch))
    if tactic == chase.HAZARD and may_hamper:
        # At a table he is asked for the penalty too.
        next_luck(ESCAPEE, scratch)
        return chase.HAZARD, penalty
    return (chase.HIDE, 0) if tactic == chase.HIDE and may_hide else (chase.RUN, 0)


@rule
def is_hidden(scratch: Scratch) -> bool:
    """The escapee hides, the chaser looks for him; say whether he is gone."""
    who = scratch.who
    natural_hide = d20(ESCAPEE, scratch)
    natural_spot = d20(CHASER, scratch)
    hide = who[ESCAPEE, race_sheet.OWN + race_sheet.HIDE]
    spot = who[CHASER, race_sheet.OWN + race_sheet.SPOT]
    return chase.hides(natural_hide, hide, natural_spot, spot)


@rule
def is_hampered(way: Ints, penalty: int, scratch: Scratch) -> bool:
    """The escapee makes a hazard; say whether it stops the chaser for this increment."""
    who = scratch.who
    dexterity = who[ESCAPEE, race_sheet.OWN + race_sheet.DEXTERITY]
    if not chase.makes_hazard(d20(ESCAPEE, scratch), dexterity, penalty):
        return False
    modifier = race_sheet.check_modifier(who[CHASER], way[KIND], hazard_check(way[KIND]))
    return not chase.clears_hazard(d20(CHASER, scratch), modifier, penalty)


# ---------------------------------------------------------------- both run


@rule
def run_pace(way: Ints, side: int, scratch: Scratch) -> int:
    """The check of the ground."""
    who = scratch.who[side]
    modifier = pace_of(who, way[KIND])
    if way[KIND] >= race_sheet.MOUNTED:
        ride = who[race_sheet.OWN + race_sheet.RIDING]
        modifier += race_sheet.ride_bonus(d20(side, scratch) + ride)
    return d20(side, scratch) + modifier


@rule
def try_way(way: Ints, side: int, scratch: Scratch) -> int:
    """What a try at what is in the way comes to."""
    return d20(side, scratch) + modifier_of(scratch.who[side], way)


@rule
def run_past(way: Ints, side: int, got: int, scratch: Scratch) -> int:
    """What is in the way is behind him; the check of a climb is that of the increment."""
    return got if way[KIND] == race_sheet.CLIMB else run_pace(way, side, scratch)


@rule
def takes_harm(way: Ints, side: int, choose: Choices, scratch: Scratch) -> bool:
    """Say whether one who has failed takes damage, and throw it."""
    if way[FAILS] != IS_HURT:
        if not can_choose_harm(way):
            return False
        harm = way[N_DICE] * (way[DIE] + 1) / 2
        saved = saved_by_harm(scratch.who[side], way)
        if not choose.rather_hurt(saved, harm, next_luck(side, scratch)):
            return False
    points = 0
    for _ in range(way[N_DICE]):
        points += next_roll(HOUSE, way[DIE], scratch)
    if way[KIND] < race_sheet.MOUNTED:
        scratch.harm[side] += points
    return True


@rule
def try_again(
    way: Ints, side: int, lead: int, choose: Choices, scratch: Scratch
) -> tuple[int, bool]:
    """Try again and again, each time for 10 of the lead, or give up."""
    cost = 0
    while True:
        now = lead - cost if side == ESCAPEE else lead + cost
        u = next_luck(side, scratch)
        presses = choose.presses_on(now, side == ESCAPEE, u)
        if not presses or is_beyond(scratch.who[side], way):
            return -cost, True
        cost += chase.RETRY_COST
        if try_way(way, side, scratch) >= way[DC]:
            return -cost, False


@rule
def run_one(way: Ints, side: int, lead: int, choose: Choices, scratch: Scratch) -> tuple[int, bool]:
    """An increment of somebody's: what it adds to his total, and whether he is out."""
    if way[DC] == 0:
        return run_pace(way, side, scratch), False
    if is_hopeless(scratch.who[side], way):
        return 0, True
    got = try_way(way, side, scratch)
    if got >= way[DC] or takes_harm(way, side, choose, scratch):
        return run_past(way, side, got, scratch), False
    if way[FAILS] == SLOWED:
        return 0, False
    if way[FAILS] == RETRY:
        return try_again(way, side, lead, choose, scratch)
    return 0, True


@rule
def run_both(
    state: chase.Chase, way: Ints, tactic: int, penalty: int, choose: Choices, scratch: Scratch
) -> tuple[chase.Chase, int]:
    """The escapee runs, then the chaser; the chase after it, and how it ended."""
    is_stopped = tactic == chase.HAZARD and is_hampered(way, penalty, scratch)
    gained = 0
    lost = 0
    for side in range(2):
        if (side == ESCAPEE and tactic == chase.HIDE) or (side == CHASER and is_stopped):
            continue
        got, is_out = run_one(way, side, state.lead, choose, scratch)
        if is_out:
            return chase.after_forfeit(state, side == ESCAPEE), FORFEITED
        if side == ESCAPEE:
            gained = got
        else:
            lost = got
    return chase.after_increment(state, gained, lost, chase.MAX_INCREMENTS), 0


@rule
def run_increment(
    state: chase.Chase, ways: Ints, key: int, choose: Choices, scratch: Scratch
) -> tuple[chase.Chase, int]:
    """One increment: a way, a tactic, and both run; the chase after it, and how it ended."""
    way = ways[choose_way(state, ways, key, choose, scratch)]
    tactic, penalty = choose_tactic(state, way, choose, scratch)
    if tactic == chase.HIDE and is_hidden(scratch):
        return chase.after_hiding(state), HIDDEN
    if tactic == chase.HAZARD:
        state = chase.after_hazard(state, penalty, chase.HAZARD_BASE_COST)
    return run_both(state, way, tactic, penalty, choose, scratch)


@rule
def run_chase(seed: int, ways: Ints, choose: Choices, scratch: Scratch) -> Run:
    """Run a chase to its end; ``scratch.who`` says who runs.

    His initiative check is the escapee's lead.
    """
    run = hash63(hash63(seed, 0), 0)
    set_keys(run, scratch)
    key = subkey(subkey(run, PLAY, STREETS), PLAY, 1)
    for i in range(2):
        scratch.harm[i] = 0
        scratch.taken[i] = NOWHERE
    for i in range(3):
        for at in range(ON_OFFER):
            scratch.offers[i, at] = NOWHERE
    dexterity = scratch.who[ESCAPEE, race_sheet.OWN + race_sheet.DEXTERITY]
    start = int(d20(ESCAPEE, scratch) + dexterity)
    state = chase.set_out(start)
    how = 0
    while state.ended == chase.RUNNING:
        state, how = run_increment(state, ways, key, choose, scratch)
    return Run(state, start, how)
