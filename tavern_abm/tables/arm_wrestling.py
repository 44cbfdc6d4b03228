"""A table plays arm wrestling: the holder and whoever takes him on; the rest bet.

One round, in this order:

1. The others are asked in turn, from the last challenger's left, whether they
   would wrestle the holder of the table, and he whether he would wrestle them.
   If no two are willing, there is no bout, and the next seat holds the table.
2. The others at the table back whom they like, each seeing the bets before his.
3. The bout, round by round, by the rules.
4. Stakes and book are settled, the house takes its rake.
5. Whoever gave out is weary for tonight, unless the house lets him rest; over
   spikes or flames the loser is hurt, and may have to go home.
6. The winner holds the table. Empty purses leave their seats.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .. import chance
from ..asking import RefusedError
from ..chance import slot, subkey, unit
from ..coins import clockwise, rake
from ..compiled import kernel, rule
from ..games import arm_wrestling as aw
from ..games import game_number
from ..games.contests import NO_BET, settle_book, settle_stakes
from ..patrons.columns import NOBODY, Ints
from ..patrons.decisions import shipped_decisions
from ..patrons.decisions.arm_wrestling import nerve
from ..patrons.decisions.rotting_toes import mood_of
from . import arm_wrestling_events as events
from .arm_wrestling_bouts import TARGET, arm_of, hurt, hurts, tire, wrestle
from .arm_wrestling_events import KINDS, is_upset, tell_round
from .arm_wrestling_sides import SPECTRAL
from .arm_wrestling_sides import verify_options as verify_together
from .arm_wrestling_told import PLAY
from .record import (
    BIG_WIN,
    BROKE,
    DECIDED,
    HURT,
    N_BETS,
    N_CONTESTS,
    N_HURT,
    N_ROUNDS,
    NO_SEAT,
    Notes,
    n_bits,
    next_cell,
)
from .seats import (
    Tables,
    World,
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
from .settling import book, book_house
from .sittings import Task, play_tables

__all__ = ["KINDS", "PLAY", "blank_scratch", "make_play_sitting", "tell_round"]

GAME = game_number("arm-wrestling")


class Choices(NamedTuple):
    """The decisions this table asks of people, as the kernel is handed them."""

    wrestles: Callable[..., bool]
    backs_wrestler: Callable[..., int]
    table_stake: Callable[..., int]


class Scratch(NamedTuple):
    """Room for one table's reckoning, so that rules allocate nothing."""

    purses: Ints  # (n_seats,), as are the next three
    backed: Ints  # whom each seat backs: 0 the holder, 1 his rival, NO_BET
    bets: Ints
    net: Ints
    winners: Ints  # (2,), as are the next two: the holder and his rival
    stakes: Ints
    duel: Ints  # coins won less coins lost on the bout
    last: Ints  # (1,): the seat of the last challenger


def blank_scratch(n_seats: int) -> Scratch:
    """Scratch for tables of `n_seats` seats."""
    purses, backed, bets, net = np.zeros((4, n_seats), np.int64)
    winners, stakes, duel = np.zeros((3, 2), np.int64)
    return Scratch(purses, backed, bets, net, winners, stakes, duel, np.zeros(1, np.int64))


@rule
def open_table(
    world: World, tables: Tables, table: int, choose: Choices, counts: Any, scratch: Scratch
) -> None:
    """Agree on the stake and send away who cannot cover it."""
    sit_down(world, tables, table, aw.MIN_SEATS, choose.table_stake, counts, scratch.purses)
    scratch.last[0] = tables.turn[table]


@rule
def is_willing(
    world: World, tables: Tables, table: int, row: int, edge: int, choose: Choices, round_: int
) -> bool:
    """Ask somebody whether he would wrestle one whom he exceeds by `edge`."""
    patron, sheet = world.people[row], world.sheet[row]
    does_hurt = hurts(tables.options[table])
    bold = nerve(sheet.extraversion, sheet.emotionality, patron.wounds, does_hurt)
    u = unit(patron.luck, chance.ENTER, slot(round_, 0))
    return choose.wrestles(
        edge,
        tables.stake[table],
        patron.gold,
        patron.rationality,
        mood_of(patron),
        bold,
        u,
    )


@rule
def find_rival(
    world: World,
    tables: Tables,
    table: int,
    holder: int,
    choose: Choices,
    round_: int,
    scratch: Scratch,
) -> int:
    """The seat of the next in line who would wrestle the holder, and he him; or NO_SEAT."""
    seats, options = tables.seats[table], tables.options[table]
    mine = arm_of(world, options, seats[holder])
    for step in range(1, len(seats) + 1):
        seat = clockwise(scratch.last[0], step, len(seats))
        if seat == holder or seats[seat] == NOBODY:
            continue
        edge = arm_of(world, options, seats[seat]).pull - mine.pull
        if not is_willing(world, tables, table, seats[seat], edge, choose, round_):
            continue
        if is_willing(world, tables, table, seats[holder], -edge, choose, round_):
            return seat
    return NO_SEAT


@rule
def lay_bets(
    world: World,
    tables: Tables,
    table: int,
    holder: int,
    rival: int,
    edge: int,
    choose: Choices,
    round_: int,
    scratch: Scratch,
) -> int:
    """The others' bets, in turn from the rival's left; the sum of them, in cp."""
    seats, stake = tables.seats[table], tables.stake[table]
    n_holder = 0
    n_rival = 0
    for seat in range(len(seats)):
        scratch.backed[seat] = NO_BET
        scratch.bets[seat] = 0
    for step in range(1, len(seats)):
        seat = clockwise(rival, step, len(seats))
        if seat == holder or seats[seat] == NOBODY:
            continue
        patron = world.people[seats[seat]]
        u = unit(patron.luck, chance.BACK, slot(round_, 0))
        thrill = mood_of(patron)
        on = choose.backs_wrestler(edge, n_holder, n_rival, patron.rationality, thrill, u)
        # Whatever else a user's function says is no bet.
        if on == 0:
            n_holder += 1
        elif on == 1:
            n_rival += 1
        else:
            continue
        scratch.backed[seat] = on
        scratch.bets[seat] = stake
    return (n_holder + n_rival) * stake


@rule
def pay(
    world: World,
    tables: Tables,
    table: int,
    holder: int,
    rival: int,
    ended: int,
    counts: Any,
    flows: Any,
    scratch: Scratch,
) -> int:
    """Settle the stakes and the book and write them down; the pool that changed hands."""
    seats, tavern, stake = tables.seats[table], tables.tavern[table], tables.stake[table]
    net, rake_bp = scratch.net, world.houses.rake_bp[tavern]
    scratch.winners[0] = 1 if ended == aw.A_WINS else 0
    scratch.winners[1] = 1 if ended == aw.B_WINS else 0
    scratch.stakes[0] = stake
    scratch.stakes[1] = stake
    pool = settle_stakes(scratch.winners, scratch.stakes, scratch.duel, rake_bp)
    taken_cp = rake(pool, rake_bp)
    taken_cp += settle_book(scratch.backed, scratch.bets, scratch.winners, net, rake_bp)
    for seat in range(len(seats)):
        pool += max(0, -net[seat])
    scratch.bets[holder] = stake
    scratch.bets[rival] = stake
    net[holder] = scratch.duel[0]
    net[rival] = scratch.duel[1]
    for seat in range(len(seats)):
        if scratch.bets[seat] > 0:
            book(world, tavern, seats[seat], scratch.bets[seat], net[seat], counts, flows)
    book_house(tavern, pool, taken_cp, counts, flows)
    return pool


@rule
def note_bout(
    cell: Any, rival: int, a: aw.Arm, b: aw.Arm, bout: aw.Bout, damage: int, went_home: int
) -> None:
    """Write down how the bout went."""
    facts = cell["facts"]
    facts[events.RIVAL] = rival
    facts[events.PULL] = a.pull
    facts[events.RIVAL_PULL] = b.pull
    facts[events.N_ROUNDS] = bout.rounds
    facts[events.LEAD] = bout.lead
    facts[events.ENDED] = bout.ended
    facts[events.GAVE_OUT] = bout.tired_a + 2 * bout.tired_b
    facts[events.DAMAGE] = damage
    facts[events.WENT_HOME] = went_home


@rule
def play_round(
    world: World,
    own: Any,
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
    """One bout at one table, if two are willing, written down."""
    people, seats, options = world.people, tables.seats[table], tables.options[table]
    tavern, stake = tables.tavern[table], tables.stake[table]
    seated = taken(seats)
    if n_bits(seated) < aw.MIN_SEATS:
        return
    holder = whose_turn(tables, table)
    rival = find_rival(world, tables, table, holder, choose, round_, scratch)
    if rival == NO_SEAT:
        tables.turn[table] = next_seat(seats, holder)
        return
    row_a, row_b = seats[holder], seats[rival]
    a = arm_of(world, options, row_a)
    b = arm_of(world, options, row_b)
    edge = a.pull - b.pull
    bets = lay_bets(world, tables, table, holder, rival, edge, choose, round_, scratch)
    key = subkey(tables.key[table], chance.TABLE, round_)
    bout = wrestle(key, a, b, options[TARGET])
    pool = pay(world, tables, table, holder, rival, bout.ended, counts, flows, scratch)
    counts[tavern, N_ROUNDS] += 1
    counts[tavern, N_CONTESTS] += 1
    counts[tavern, N_BETS] += bets
    best, best_net = largest_win(scratch.net)
    is_big = has_big_win(people, seats, best, best_net, stake)
    tire(world, options, row_a, bout.tired_a)
    tire(world, options, row_b, bout.tired_b)
    winner = rival if bout.ended == aw.B_WINS else holder
    loser = holder if bout.ended == aw.B_WINS else rival
    damage = 0
    went_home = 0
    if bout.ended != aw.DRAW and hurts(options) == 1:
        damage, went_home = hurt(world, options, seats[winner], seats[loser], key, night)
        counts[tavern, N_HURT] += 1
        if went_home == 1:
            seats[loser] = NOBODY
    scratch.last[0] = rival
    tables.turn[table] = winner
    broke = clear_seats(people, seats, stake)

    notable = HURT if damage > 0 else 0
    if bout.ended == aw.DRAW or is_upset(a.pull, b.pull, bout.ended):
        notable |= DECIDED
    if is_big:
        notable |= BIG_WIN
    if broke > 0:
        notable |= BROKE
    if notable == 0 and notes.keep_all == 0:
        return
    cell = next_cell(notes)
    note_place(cell, GAME, tables, table, holder, seated, night, round_)
    note_outcome(cell, pool, best, best_net, broke, notable)
    note_bout(cell, rival, a, b, bout, damage, went_home)
    cell["facts"][events.N_BETS] = bets // stake
    cell["ended"] = bout.ended


def verify_options(options: Mapping[str, Any], data: str | None) -> None:
    """Refuse what makes no sense together, and what no patron can do.

    Raises
    ------
    RefusedError
        Naming the option and the game.
    """
    if options["style"] in SPECTRAL:
        problem = f"{options['style']} bouts of arm-wrestling are for wizards and sorcerers"
        raise RefusedError(f"{problem}, and no patron is one; there are arm, mental", "style")
    verify_together(options)


@cache
def make_play_sitting(choices: Choices, serve: Callable[..., None]) -> Callable[..., int]:
    """The kernel that plays a sitting at the tables of this game, with these decisions."""
    wrestles, backs_wrestler, table_stake = choices

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
        choose = Choices(wrestles, backs_wrestler, table_stake)
        return play_tables(
            task, world, own, tables, notes, counts, flows, scratch,
            choose, serve, open_table, play_round,
        )  # fmt: skip

    return play_sitting
