"""A table plays Magic Wand: antes, dice, tricks, bets, spells, pots, and what the others saw.

One game a round, in this order:

1. Everybody antes. The button is the seat whose turn it is, drawn by lot as the
   table sat down.
2. Three times, with d4, d6 and d8: each who is in throws unseen; where no
   referee watches he may try to set the die. A betting round; the dice are shown.
3. If two or more are in, spells are cast. The pots are paid, the house takes its
   rake. A game in which somebody fails his second check of the night is void.
4. Where no referee watches, those who followed the game weigh the throws that
   looked odd and those that did not.
5. One who was caught is sentenced. Otherwise one who lost may accuse the one
   who won most, and the rest of the table judges.
6. Empty purses leave their seats; the button passes on.

Nobody puts in more than his purse holds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .. import chance
from ..chance import subkey, unit
from ..compiled import kernel, rule
from ..games import game_number
from ..games import magic_wand as mw
from ..patrons.columns import NOBODY, Floats, Ints
from ..patrons.decisions import shipped_decisions
from ..society.suspicion import find, memory_of, place, recall, settle, witness
from .justice import Aftermath, is_cheat, judge, no_aftermath, note_aftermath
from .magic_wand_events import (
    BUTTON,
    FAILED,
    FAILED_BEFORE,
    HANDS,
    KINDS,
    NATURALS,
    ODD_ONES,
    TRIED,
    tell_round,
)
from .magic_wand_game import (
    REFEREE,
    Choices,
    Marks,
    Scratch,
    blank_scratch,
    play_game,
    settle_pots,
)
from .magic_wand_told import PLAY
from .record import (
    ACCUSED,
    BIG_WIN,
    BROKE,
    CAUGHT,
    N_NOTICED,
    N_ROUNDS,
    N_TRIED,
    NO_SEAT,
    ODD,
    TRICK,
    Notes,
    n_bits,
    next_cell,
)
from .seats import (
    Tables,
    World,
    attention_of,
    clear_seats,
    has_big_win,
    largest_win,
    next_seat,
    note_outcome,
    note_place,
    sit_down,
    taken,
    whose_turn,
)
from .sittings import Task, play_tables

__all__ = ["KINDS", "PLAY", "blank_scratch", "tell_round"]

GAME = game_number("magic-wand")
BIG = 5
"""A win is worth telling from so many times what other games take for one."""


class Own(NamedTuple):
    """What an odd throw proves, and one that is not: log likelihood ratios, cheat to honest.

    Arrays of shape (n_taverns, 3), by die.
    """

    odd: Floats
    plain: Floats


def make_own(found: Sequence[Mapping[str, Any]], scenario: Any) -> Own:
    """What throws prove in each tavern.

    A cheat of the assumed Thievery tries with the assumed chance, unless the die
    shows the face he likes best, and fails with the chance q that the house's DC
    gives: with t = P(try), an odd throw has ``ln((t q + (1 - t q) a) / a)``, where
    a is the chance of a false alarm, and any other ``ln(1 - t q)``.
    """
    beliefs = scenario.suspicion
    alarm = beliefs.false_alarm
    odd, plain = np.zeros((2, len(scenario.taverns), mw.N_DICE))
    for i, tavern in enumerate(scenario.taverns):
        fails = min(20, max(0, tavern.thievery_dc - beliefs.assumed_thievery - 1)) / 20
        for die, faces in enumerate(mw.FACES):
            seen = beliefs.assumed_tau * (1 - 1 / faces) * fails
            odd[i, die] = math.log((seen + (1 - seen) * alarm) / alarm)
            plain[i, die] = math.log1p(-seen)
    return Own(odd, plain)


# ---------------------------------------------------------------- sitting down


@rule
def open_table(
    world: World, tables: Tables, table: int, choose: Choices, counts: Any, scratch: Scratch
) -> None:
    """Agree on the stake, send away who cannot cover it, see how well each attends."""
    people, seats = world.people, tables.seats[table]
    sit_down(world, tables, table, mw.MIN_SEATS, choose.table_stake, counts, scratch.purses)
    for seat in range(len(seats)):
        if seats[seat] != NOBODY and tables.options[table, REFEREE] == 0:
            scratch.places[seat] = recall(memory_of(world.beliefs, seats[seat]))
            scratch.attention[seat] = attention_of(people[seats[seat]], world.ways)


# ---------------------------------------------------------------- what the others saw


@rule
def shift_of(own: Own, tavern: int, seat: int, marks: Marks) -> float:
    """What a seat's throws of this game prove."""
    shift = 0.0
    for die in range(mw.N_DICE):
        bit = 1 << (mw.N_DICE * seat + die)
        if marks.odd & bit:
            shift += own.odd[tavern, die]
        elif marks.thrown & bit:
            shift += own.plain[tavern, die]
    return shift


@rule
def see(world: World, row: int, about: int, shift: float, has_lost: bool, night: int) -> None:
    """One who followed the game weighs what somebody's throws showed."""
    memory = memory_of(world.beliefs, row)
    if shift > 0.0 and has_lost:
        shift *= 1.0 + world.ways.sore_loser * world.people[row].soreness
    k = place(memory, about, night, world.ways)
    witness(memory, k, shift, night, world.ways)


@rule
def notice(
    world: World,
    tables: Tables,
    table: int,
    own: Own,
    marks: Marks,
    night: int,
    key: int,
    scratch: Scratch,
) -> int:
    """Who follows the game weighs every other's throws; a bit for each seat that did.

    A trick confirmed in public is noticed by all, and nobody minds the others then.
    """
    seats, tavern = tables.seats[table], tables.tavern[table]
    followed = 0
    for seat in range(len(seats)):
        row = seats[seat]
        if row == NOBODY or seat == marks.caught:
            continue
        if marks.caught != NO_SEAT:
            see(world, row, seats[marks.caught], 0.0, False, night)
            memory = memory_of(world.beliefs, row)
            settle(memory, find(memory, seats[marks.caught]), night, world.ways)
            followed |= 1 << seat
            continue
        luck = subkey(world.people[row].luck, chance.TABLE, key)
        if unit(luck, chance.FOLLOW, 0) >= scratch.attention[seat]:
            continue
        followed |= 1 << seat
        for other in range(len(seats)):
            if other != seat and seats[other] != NOBODY:
                shift = shift_of(own, tavern, other, marks)
                see(world, row, seats[other], shift, scratch.net[seat] < 0, night)
    return followed


@rule
def recall_accused(
    world: World, tables: Tables, table: int, accused: int, scratch: Scratch
) -> None:
    """Where each seat keeps its belief about the accused."""
    seats = tables.seats[table]
    for seat in range(len(seats)):
        scratch.places[seat] = NOBODY
        if seats[seat] != NOBODY and seat != accused:
            scratch.places[seat] = find(memory_of(world.beliefs, seats[seat]), seats[accused])


# ---------------------------------------------------------------- a round


@rule
def play_round(
    world: World,
    own: Own,
    tables: Tables,
    table: int,
    choose: Choices,
    night: int,
    round_: int,
    notes: Notes,
    counts: Any,
    flows: Any,
    scratch: Scratch,
) -> None:
    """Play one game at one table and write it down."""
    people, tavern, stake = world.people, tables.tavern[table], tables.stake[table]
    seats = tables.seats[table]
    seated = taken(seats)
    if n_bits(seated) < mw.MIN_SEATS:
        return
    button = whose_turn(tables, table)
    key = subkey(tables.key[table], chance.TABLE, round_)
    failed_before = marked_before(world, seats)
    marks = play_game(world, tables, table, choose, button, night, key, scratch)
    is_void = marks.caught != NO_SEAT
    pool = settle_pots(world, tables, table, button, is_void, counts, flows, scratch)
    counts[tavern, N_ROUNDS] += 1
    counts[tavern, N_TRIED] += n_bits(marks.tried)
    counts[tavern, N_NOTICED] += n_bits(marks.failed)
    winner, winner_net = largest_win(scratch.net)
    is_big = has_big_win(people, seats, winner, winner_net, BIG * stake)
    accused = winner if winner != NO_SEAT else marks.caught
    followed = 0
    cheated = 0
    after = no_aftermath()
    if tables.options[table, REFEREE] == 0 and accused != NO_SEAT:
        followed = notice(world, tables, table, own, marks, night, key, scratch)
        recall_accused(world, tables, table, accused, scratch)
        cheated = is_cheat(people[seats[accused]])
        after = judge(
            world,
            tables,
            table,
            accused,
            is_void,
            not is_void,
            False,
            choose,
            night,
            round_,
            counts,
            flows,
            scratch,
        )
    broke = clear_seats(people, seats, stake)
    tables.turn[table] = next_seat(seats, button)
    notable = what_is_notable(marks, after, followed > 0, broke, is_big)
    if notable == 0 and notes.keep_all == 0:
        return
    cell = next_cell(notes)
    turn = accused if accused != NO_SEAT else button
    note_place(cell, GAME, tables, table, turn, seated, night, round_)
    note_outcome(cell, pool, winner, winner_net, broke, notable)
    note_game(cell, scratch, marks, button, failed_before)
    note_aftermath(cell, after, world)
    cell["is_cheat"] = cheated
    cell["followed"] = followed


@rule
def marked_before(world: World, seats: Ints) -> int:
    """A bit for each seat with a failed check tonight."""
    mask = 0
    for seat in range(len(seats)):
        if seats[seat] != NOBODY and world.people[seats[seat]].failed > 0:
            mask |= 1 << seat
    return mask


@rule
def what_is_notable(
    marks: Marks, after: Aftermath, is_watched: bool, broke: int, is_big: bool
) -> int:
    """Bits that say what makes a game worth telling; 0 where nothing does."""
    notable = 0
    if marks.tried > 0:
        notable |= TRICK
    if marks.caught != NO_SEAT:
        notable |= CAUGHT
    elif marks.odd & ~marks.failed and is_watched:
        notable |= ODD
    if after.accuser != NO_SEAT:
        notable |= ACCUSED
    if broke > 0:
        notable |= BROKE
    if is_big:
        notable |= BIG_WIN
    return notable


@rule
def note_game(cell: Any, scratch: Scratch, marks: Marks, button: int, failed_before: int) -> None:
    """Write down dice, spells and tries: see `magic_wand_events` for where."""
    for seat in range(len(scratch.hand)):
        spell = scratch.cast[seat]
        cell["facts"][HANDS + seat] = (scratch.hand[seat] * 16 + spell) * 4 + scratch.chips.status[
            seat
        ]
    cell["facts"][TRIED] = marks.tried
    cell["facts"][FAILED] = marks.failed
    cell["facts"][ODD_ONES] = marks.odd
    cell["facts"][BUTTON] = button
    cell["facts"][FAILED_BEFORE] = failed_before
    for die in range(mw.N_DICE):
        cell["facts"][NATURALS + die] = scratch.naturals[die]


@cache
def make_play_sitting(choices: Choices, serve: Callable[..., None]) -> Callable[..., int]:
    """The kernel that plays a sitting at the tables of this game, with these decisions."""
    wand_bet, wand_raise_to, wand_cheat, accuses, offers_bribe, flees, table_stake = choices

    @kernel(defaults=shipped_decisions())
    def play_sitting(
        task: Task,
        world: World,
        own: Any,
        tables: Tables,
        notes: Notes,
        counts: Any,
        flows: Any,
        scratch: Scratch,
    ) -> int:
        choose = Choices(
            wand_bet, wand_raise_to, wand_cheat, accuses, offers_bribe, flees, table_stake
        )
        return play_tables(
            task, world, own, tables, notes, counts, flows, scratch,
            choose, serve, open_table, play_round,
        )  # fmt: skip

    return play_sitting
