"""One game of Magic Wand at a table of the evening: antes, dice, tricks, bets, spells, pots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .. import chance
from ..chance import roll, subkey, unit
from ..checks import passes
from ..coins import clockwise
from ..compiled import rule
from ..games import betting as bt
from ..games import magic_wand as mw
from ..games.magic_wand_odds import run_showdown
from ..games.rotting_toes import DC_RISE, MAX_FAILED
from ..patrons.columns import NOBODY, Floats, Ints
from ..patrons.decisions.magic_wand import (
    best_face,
    bluff_prob_of,
    boldness_of,
    spot_of,
    win_prob,
    with_die,
)
from .record import NO_SEAT
from .seats import Tables, World
from .settling import book, book_house

LIMIT, MAX_RAISES, REFEREE, ORDER_MATTERS, HALVE_UP = range(len(mw.OPTIONS))
"""Where a table's options stand."""
MOST_BETS = 60
"""Bets and raises of a round without fixed limit: so many that only a scripted fool needs more."""


class Choices(NamedTuple):
    """The decisions this table asks of people, as the kernel is handed them."""

    wand_bet: Callable[..., int]
    wand_raise_to: Callable[..., int]
    wand_cheat: Callable[..., bool]
    accuses: Callable[..., bool]
    offers_bribe: Callable[..., bool]
    flees: Callable[..., bool]
    table_stake: Callable[..., int]


class Marks(NamedTuple):
    """What happened to the dice of a game; bit ``3 * seat + die`` stands for a throw."""

    thrown: int
    tried: int
    failed: int
    odd: int
    caught: int  # seat; NO_SEAT if nobody was


class Scratch(NamedTuple):
    """Room for one table's reckoning, so that rules allocate nothing."""

    chips: bt.Chips
    dice: Ints  # (n_seats, 3), as are the second throws
    second: Ints
    live: Ints  # (n_seats,), as are the rest unless said otherwise
    cast: Ints
    effects: Ints  # (n_seats, n_seats)
    hand: Ints  # number of its dice (`hand_key`)
    open_: Ints  # number of its open dice
    scores: Ints
    net: Ints
    purses: Ints
    places: Ints  # of the belief about the accused in each seat's memory
    attention: Floats  # chance that a seat follows a round
    naturals: Ints  # (3,): the d20s of each die's tries, in base 32 by seat


def blank_scratch(n_seats: int) -> Scratch:
    """Scratch for tables of `n_seats` seats."""
    chips = bt.Chips(*np.zeros((5, n_seats), np.int64))
    dice, second = np.zeros((2, n_seats, mw.N_DICE), np.int64)
    effects = np.zeros((n_seats, n_seats), np.int64)
    live, cast, hand, open_, scores, net, purses, places = np.zeros((8, n_seats), np.int64)
    return Scratch(
        chips, dice, second, live, cast, effects, hand, open_, scores, net, purses, places,
        np.zeros(n_seats), np.zeros(mw.N_DICE, np.int64),
    )  # fmt: skip


# ---------------------------------------------------------------- before the dice


@rule
def limits_of(tables: Tables, table: int) -> bt.Limits:
    """How the table bets: a bet is its stake."""
    kind = tables.options[table, LIMIT]
    max_bets = tables.options[table, MAX_RAISES] + 1 if kind == bt.FIXED else MOST_BETS
    return bt.Limits(kind, tables.stake[table], max_bets)


@rule
def deal_in(world: World, tables: Tables, table: int, scratch: Scratch) -> None:
    """Everybody lays his purse before him and antes; no dice are out yet."""
    seats, chips = tables.seats[table], scratch.chips
    for seat in range(len(seats)):
        chips.put_in[seat] = chips.total[seat] = chips.acted[seat] = 0
        chips.stack[seat] = 0
        chips.status[seat] = bt.FOLDED
        if seats[seat] != NOBODY:
            chips.stack[seat] = world.people[seats[seat]].gold
            chips.status[seat] = bt.LIVE
        scratch.hand[seat] = scratch.open_[seat] = scratch.scores[seat] = 0
        scratch.cast[seat] = mw.NO_SPELL
        for die in range(mw.N_DICE):
            scratch.dice[seat, die] = 0
    for die in range(mw.N_DICE):
        scratch.naturals[die] = 0
    bt.post_antes(chips, tables.stake[table])


# ---------------------------------------------------------------- dice


@rule
def throw_all(
    world: World,
    tables: Tables,
    table: int,
    choose: Choices,
    button: int,
    die: int,
    night: int,
    key: int,
    marks: Marks,
    scratch: Scratch,
) -> Marks:
    """All who are in throw a die, one after the other, and may set it if no referee watches."""
    n_seats = len(scratch.live)
    for step in range(n_seats):
        seat = clockwise(button, step, n_seats)
        if scratch.chips.status[seat] == bt.FOLDED or marks.caught != NO_SEAT:
            continue
        scratch.dice[seat, die] = roll(key, chance.THROW, mw.N_DICE * seat + die, 4 + 2 * die)
        if tables.options[table, REFEREE] == 0:
            marks = after_fingers(
                world, tables, table, choose, seat, die, night, key, marks, scratch
            )
        face = scratch.dice[seat, die]
        scratch.hand[seat] = with_die(scratch.hand[seat], die, face)
    return marks


@rule
def after_fingers(
    world: World,
    tables: Tables,
    table: int,
    choose: Choices,
    seat: int,
    die: int,
    night: int,
    key: int,
    marks: Marks,
    scratch: Scratch,
) -> Marks:
    """A throw that nobody watches over: a try to set it, perhaps, and how it looked."""
    tavern = tables.tavern[table]
    patron = world.people[tables.seats[table, seat]]
    at = mw.N_DICE * seat + die
    bit = 1 << at
    tried = failed = 0
    caught = NO_SEAT
    odd = bit if unit(key, chance.ODD_THROW, at) < world.ways.false_alarm else 0
    u = unit(subkey(patron.luck, chance.TABLE, key), chance.CHEAT, die)
    restraint = world.houses.restraint[tavern]
    if choose.wand_cheat(patron, tables.stake[table], restraint, night, world.minds, u):
        wanted = best_face(seat, scratch.hand[seat], die, scratch.open_, scratch.chips.status)
        if wanted != scratch.dice[seat, die]:
            tried = bit
            natural = roll(key, chance.THIEVERY, at, 20)
            scratch.naturals[die] |= natural << 5 * seat
            dc = world.houses.dc[tavern] + DC_RISE * patron.failed
            patron.tries += 1
            if patron.first_try == 0:
                patron.first_try = night
            if passes(natural, patron.thievery, dc):
                scratch.dice[seat, die] = wanted
            else:
                failed = odd = bit
                patron.failed += 1
                patron.failed_ever += 1
                if patron.failed >= MAX_FAILED:
                    caught = seat
    return Marks(
        marks.thrown | bit, marks.tried | tried, marks.failed | failed, marks.odd | odd, caught
    )


@rule
def show_dice(scratch: Scratch) -> None:
    """What lay under the hands is open from now on."""
    for seat in range(len(scratch.hand)):
        scratch.open_[seat] = scratch.hand[seat]


# ---------------------------------------------------------------- bets


@rule
def bet_round(
    world: World,
    tables: Tables,
    table: int,
    choose: Choices,
    button: int,
    key: int,
    n_moves: int,
    scratch: Scratch,
) -> int:
    """A betting round; how many moves the game has seen by now."""
    limits, chips = limits_of(tables, table), scratch.chips
    betting = bt.open_round(limits, chips, button)
    while betting.turn != NO_SEAT:
        seat = betting.turn
        row = tables.seats[table, seat]
        patron, sheet = world.people[row], world.sheet[row]
        luck = subkey(patron.luck, chance.TABLE, key)
        share = win_prob(seat, scratch.hand[seat], scratch.open_, chips.status)
        spot = spot_of(limits, betting, chips, seat)
        move = choose.wand_bet(
            patron,
            share,
            spot,
            boldness_of(sheet),
            bluff_prob_of(sheet),
            world.minds,
            unit(luck, chance.BET, n_moves),
        )
        raise_to = 0
        if move == bt.RAISE and spot.raise_by > 0:
            least = bt.min_raise_to(limits, betting, chips, seat)
            most = bt.max_raise_to(limits, betting, chips, seat)
            u = unit(luck, chance.CHOICE, n_moves)
            raise_to = choose.wand_raise_to(patron, share, spot, least, most, u)
        betting = bt.act(limits, betting, chips, move, raise_to)
        n_moves += 1
    return n_moves


@rule
def play_game(
    world: World,
    tables: Tables,
    table: int,
    choose: Choices,
    button: int,
    night: int,
    key: int,
    scratch: Scratch,
) -> Marks:
    """Dice and bets of a game, and its spells if two are left; `scores` are filled."""
    marks = Marks(0, 0, 0, 0, NO_SEAT)
    n_moves = 0
    deal_in(world, tables, table, scratch)
    for die in range(mw.N_DICE):
        if bt.n_in(scratch.chips) < 2 or marks.caught != NO_SEAT:
            break
        marks = throw_all(world, tables, table, choose, button, die, night, key, marks, scratch)
        if marks.caught == NO_SEAT:
            n_moves = bet_round(world, tables, table, choose, button, key, n_moves, scratch)
            show_dice(scratch)
    if bt.n_in(scratch.chips) >= 2 and marks.caught == NO_SEAT:
        cast_all(tables, table, button, key, scratch)
    return marks


@rule
def cast_all(tables: Tables, table: int, button: int, key: int, scratch: Scratch) -> None:
    """The showdown: spells are cast, and every seat has its rank."""
    for seat in range(len(scratch.live)):
        scratch.live[seat] = 1 if scratch.chips.status[seat] != bt.FOLDED else 0
    hands = mw.Hands(
        scratch.dice,
        scratch.second,
        scratch.live,
        scratch.cast,
        scratch.effects,
        button,
        tables.options[table, ORDER_MATTERS],
        tables.options[table, HALVE_UP],
    )
    mw.clear(hands)
    run_showdown(hands, key)
    for seat in range(len(scratch.live)):
        scratch.scores[seat] = mw.rank(hands, seat)


# ---------------------------------------------------------------- money


@rule
def settle_pots(
    world: World,
    tables: Tables,
    table: int,
    button: int,
    is_void: bool,
    counts: Any,
    flows: Any,
    scratch: Scratch,
) -> int:
    """Pay the pots out and book them; the coins that changed hands."""
    tavern, chips = tables.tavern[table], scratch.chips
    seats, net = tables.seats[table], scratch.net
    pool = raked = 0
    if is_void:
        for seat in range(len(seats)):
            net[seat] = 0
    else:
        rake_bp = world.houses.rake_bp[tavern]
        pool, raked = bt.pay_out(scratch.scores, chips, button, net, rake_bp)
    for seat in range(len(seats)):
        if seats[seat] != NOBODY:
            book(world, tavern, seats[seat], chips.total[seat], net[seat], counts, flows)
    book_house(tavern, pool, raked, counts, flows)
    return pool
