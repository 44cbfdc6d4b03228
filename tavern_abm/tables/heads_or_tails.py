"""Heads or tails: told at the table toss by toss, and played in an evening.

Both run the rules of `games.heads_or_tails`. Told, everything is asked for; in
an evening a kernel plays a sitting of every table, with the decisions and the
keyed coin of the model, and writes down what is worth telling.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .. import chance
from ..chance import roll, slot, unit
from ..coins import clockwise, rake, show
from ..compiled import kernel, rule
from ..games import game_number
from ..games import heads_or_tails as rules
from ..patrons.columns import NOBODY, Ints
from ..patrons.decisions import shipped_decisions
from ..patrons.decisions.heads_or_tails import calls_coin
from .happenings import Event, Teller
from .record import BIG_WIN, BROKE, N_ROUNDS, Notes, n_bits, next_cell
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
from .telling import AtTable, Play, Told, closing, verify_purse

# ---------------------------------------------------------------- told

FACES = {"heads": rules.HEADS, "tails": rules.TAILS}
WORDS = {face: word for word, face in FACES.items()}


def tell(table: AtTable) -> Iterator[Told]:
    """Toss so many times; who cannot cover the stake any more sits out.

    Raises
    ------
    RefusedError
        If somebody cannot cover the first stake.
    """
    for name in table.purses:
        verify_purse(table, name, "heads-or-tails")
    net_cp, house_cp = dict.fromkeys(table.players, 0), 0
    tosser = len(table.players) - 1
    for number in range(1, table.rounds + 1):
        seats = [_can_stake(table, name, net_cp[name]) for name in table.players]
        if sum(seats) < rules.MIN_SEATS:
            break
        tosser = _next_seat(seats, tosser)
        house_cp += yield from _toss(table, number, seats, tosser, net_cp)
    sums = ", ".join(f"{name} {show(won)}" for name, won in net_cp.items())
    yield closing(net_cp, house_cp, f"Won and lost: {sums}." if table.rounds > 1 else "")


def _can_stake(table: AtTable, name: str, net_cp: int) -> bool:
    return name not in table.purses or table.purses[name] + net_cp >= table.stake_cp


def _next_seat(seats: Sequence[bool], seat: int) -> int:
    seat = clockwise(seat, 1, len(seats))
    return seat if seats[seat] else _next_seat(seats, seat)


def _toss(
    table: AtTable, number: int, seats: Sequence[bool], tosser: int, net_cp: dict[str, int]
) -> Generator[Told, None, int]:
    """One toss.

    Returns
    -------
    int
        What the house takes, in cp.
    """
    names, stake = table.players, table.stake_cp
    text = f"{names[tosser]} has the coin. Everybody stakes {show(stake)}."
    yield Told("opening", text, {"tosser": names[tosser]}, number)
    calls = [rules.OUT] * len(names)
    seat = _next_seat(seats, tosser)
    while seat != tosser:
        calls[seat] = _call(table, names[seat], calls)
        text = f'"{WORDS[calls[seat]].title()}," says {names[seat]}.'
        yield Told("call", text, {"who": names[seat], "call": WORDS[calls[seat]]}, number, True)
        seat = _next_seat(seats, seat)
    calls[tosser] = rules.tosser_side(calls.count(rules.HEADS), calls.count(rules.TAILS))
    coin = table.dice.roll(names[tosser], rules.FACES, "the coin")
    text = f"{names[tosser]} takes {WORDS[calls[tosser]]} and tosses: {WORDS[coin]}."
    facts = {"coin": WORDS[coin], "side": WORDS[calls[tosser]]}
    yield Told("toss", text, facts, number)
    net = [0] * len(names)
    pool = rules.payout(coin, tosser, calls, stake, net, table.rake_bp)
    for name, won in zip(names, net, strict=True):
        net_cp[name] += won
    yield _paid(table, number, net, pool)
    return rake(pool, table.rake_bp)


def _call(table: AtTable, who: str, calls: Sequence[int]) -> int:
    so_far = calls.count(rules.HEADS), calls.count(rules.TAILS)
    word = table.deciders.choose(
        who, f"{who}, call it", tuple(FACES), lambda u: WORDS[calls_coin(*so_far, u)]
    )
    return FACES[word]


def _paid(table: AtTable, number: int, net: Sequence[int], pool: int) -> Told:
    net_cp, taken_cp = dict(zip(table.players, net, strict=True)), rake(pool, table.rake_bp)
    won = [f"{name} wins {show(each)}" for name, each in net_cp.items() if each > 0]
    text = f"{', '.join(won) or 'Nobody wins a coin'}."
    if taken_cp:
        text += f" The house takes {show(taken_cp)}."
    return Told("payout", text, {"net_cp": net_cp, "rake_cp": taken_cp}, number, True)


PLAY = Play(
    tell=tell,
    seats=(rules.MIN_SEATS, rules.MAX_SEATS),
    options=rules.OPTIONS,
    stake_cp=10,
    help="""Tell a game of heads or tails, toss by toss.

    One tosses, the others call; the coin passes clockwise. The coin is a die with
    two faces: 1 is heads, 2 is tails.

    \b
      tavern play heads-or-tails --rounds 3
      tavern play heads-or-tails --players "Ann,Bo,Cy" --ask Bo --dice "Ann=1"
    """,
)

# ---------------------------------------------------------------- in an evening

GAME = game_number("heads-or-tails")


class Choices(NamedTuple):
    """The decisions this table asks of people, as the kernel is handed them."""

    calls_coin: Callable[..., int]
    table_stake: Callable[..., int]


class Scratch(NamedTuple):
    """Room for one table's reckoning, so that rules allocate nothing: (n_seats,) each."""

    calls: Ints
    net: Ints
    purses: Ints


def blank_scratch(n_seats: int) -> Scratch:
    """Scratch for tables of `n_seats` seats."""
    return Scratch(*np.zeros((3, n_seats), np.int64))


def tell_round(teller: Teller) -> Iterator[Event]:
    """The events of one toss that is worth telling."""
    yield from teller.luck("on one toss")


@rule
def open_table(
    world: World, tables: Tables, table: int, choose: Choices, counts: Any, scratch: Scratch
) -> None:
    """Agree on the stake and send away who cannot cover it."""
    sit_down(world, tables, table, rules.MIN_SEATS, choose.table_stake, counts, scratch.purses)


@rule
def call_all(
    world: World, seats: Ints, tosser: int, choose: Choices, round_: int, calls: Ints
) -> None:
    """Fill `calls`: in turn from the tosser's left, his own side last."""
    n_heads = 0
    n_tails = 0
    for seat in range(len(seats)):
        calls[seat] = rules.OUT
    for step in range(1, len(seats)):
        seat = clockwise(tosser, step, len(seats))
        if seats[seat] == NOBODY:
            continue
        u = unit(world.people[seats[seat]].luck, chance.BET, slot(round_, 0))
        # Whatever a user's function says that is not heads is tails.
        if choose.calls_coin(n_heads, n_tails, u) == rules.HEADS:
            calls[seat] = rules.HEADS
            n_heads += 1
        else:
            calls[seat] = rules.TAILS
            n_tails += 1
    calls[tosser] = rules.tosser_side(n_heads, n_tails)


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
    """One toss at one table, written down if it is worth telling."""
    people, calls, net = world.people, scratch.calls, scratch.net
    seats, tavern, stake = tables.seats[table], tables.tavern[table], tables.stake[table]
    seated = taken(seats)
    if n_bits(seated) < rules.MIN_SEATS:
        return
    tosser = whose_turn(tables, table)
    call_all(world, seats, tosser, choose, round_, calls)
    coin = roll(tables.key[table], chance.THROW, slot(round_, 0), rules.FACES)
    rake_bp = world.houses.rake_bp[tavern]
    pool = rules.payout(coin, tosser, calls, stake, net, rake_bp)
    for seat in range(len(seats)):
        if seats[seat] != NOBODY:
            book(world, tavern, seats[seat], stake, net[seat], counts, flows)
    book_house(tavern, pool, rake(pool, rake_bp), counts, flows)
    counts[tavern, N_ROUNDS] += 1
    winner, winner_net = largest_win(net)
    notable = BIG_WIN if has_big_win(people, seats, winner, winner_net, stake) else 0
    broke = clear_seats(people, seats, stake)
    if broke > 0:
        notable |= BROKE
    tables.turn[table] = next_seat(seats, tosser)
    if notable == 0 and notes.keep_all == 0:
        return
    cell = next_cell(notes)
    note_place(cell, GAME, tables, table, tosser, seated, night, round_)
    note_outcome(cell, pool, winner, winner_net, broke, notable)
    cell["ended"] = coin


@cache
def make_play_sitting(choices: Choices, serve: Callable[..., None]) -> Callable[..., int]:
    """The kernel that plays a sitting at the tables of this game, with these decisions."""
    calls_coin, table_stake = choices

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
        choose = Choices(calls_coin, table_stake)
        return play_tables(
            task, world, own, tables, notes, counts, flows, scratch,
            choose, serve, open_table, play_round,
        )  # fmt: skip

    return play_sitting
