"""The tables of one sitting, whatever they play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..coins import clockwise
from ..compiled import rule
from ..patrons.columns import NOBODY, Ints, People, Row, Sheet
from ..patrons.decisions.general import Minds, logistic
from ..society.judgement import Justice
from ..society.suspicion import Beliefs, Ways
from .houses import Houses
from .record import N_GAMES, NO_SEAT

N_OPTIONS = 8
"""A game has at most so many options at a table."""


class World(NamedTuple):
    """All that a table may read and write beside itself."""

    people: People
    sheet: Sheet
    beliefs: Beliefs
    houses: Houses
    minds: Minds
    ways: Ways
    justice: Justice


class Tables(NamedTuple):
    """Arrays of shape (n_tables,), unless said otherwise."""

    seats: Ints  # (n_tables, n_seats): patron row, NOBODY where empty
    seated: Ints  # the same as the sitting began
    turn: Ints  # the seat whose turn it is (as the Hand)
    tavern: Ints  # index of the tavern it stands in
    number: Ints  # of the table in its tavern, from 0
    stake: Ints  # cp; 0: agreed on at the start of the sitting
    key: Ints  # of its draws tonight
    skips: Ints  # rounds of this sitting it stands idle at first
    options: Ints  # (n_tables, N_OPTIONS): the game's own, as its file numbers them


def blank_tables(n_tables: int, n_seats: int) -> Tables:
    """Tables at which nobody sits yet."""
    seats, seated = np.full((2, n_tables, n_seats), NOBODY, np.int64)
    turn, tavern, number, stake, key, skips = np.zeros((6, n_tables), np.int64)
    options = np.zeros((n_tables, N_OPTIONS), np.int64)
    return Tables(seats, seated, turn, tavern, number, stake, key, skips, options)


@rule
def n_seated(seats: Ints) -> int:
    """How many of a table's seats are taken."""
    n = 0
    for seat in range(len(seats)):
        if seats[seat] != NOBODY:
            n += 1
    return n


@rule
def taken(seats: Ints) -> int:
    """A bit for each seat that is taken."""
    mask = 0
    for seat in range(len(seats)):
        if seats[seat] != NOBODY:
            mask |= 1 << seat
    return mask


@rule
def next_seat(seats: Ints, seat: int) -> int:
    """The next seat clockwise that is taken, or `seat` where there is none."""
    for step in range(1, len(seats) + 1):
        at = clockwise(seat, step, len(seats))
        if seats[at] != NOBODY:
            return at
    return seat


@rule
def median_purse(people: People, seats: Ints, purses: Ints) -> int:
    """The median purse seated, the lower of the two middle ones; 0 at an empty table.

    `purses` is room for as many coins as there are seats.
    """
    n = 0
    for seat in range(len(seats)):
        if seats[seat] != NOBODY:
            coins = people[seats[seat]].gold
            at = n
            while at > 0 and purses[at - 1] > coins:
                purses[at] = purses[at - 1]
                at -= 1
            purses[at] = coins
            n += 1
    return purses[(n - 1) // 2] if n > 0 else 0


@rule
def move_coins(patron: Row, coins: int, tavern: int, flow: int, flows: Any) -> None:
    """Coins into a purse (out of it if negative), and into the books."""
    patron.gold += coins
    flows[1 + tavern, flow, patron.trade] += abs(coins)


@rule
def clear_seats(people: People, seats: Ints, stake: int) -> int:
    """Who cannot cover the stake any more leaves his seat; a bit for each."""
    broke = 0
    for seat in range(len(seats)):
        if seats[seat] != NOBODY and people[seats[seat]].gold < stake:
            broke |= 1 << seat
            seats[seat] = NOBODY
    return broke


@rule
def sit_down(
    world: World,
    tables: Tables,
    table: int,
    fewest: int,
    table_stake: Callable[..., int],
    counts: Any,
    purses: Ints,
) -> None:
    """Agree on the stake and send away who cannot cover it; a game if `fewest` stay.

    At another table than before, nobody has seen anything of a man's checks yet.
    `purses` is room for as many coins as there are seats.
    """
    people, seats = world.people, tables.seats[table]
    if tables.stake[table] == 0:
        lift = world.houses.lift[tables.tavern[table]]
        median = median_purse(people, seats, purses) * lift // 100
        tables.stake[table] = max(1, table_stake(median))
    clear_seats(people, seats, tables.stake[table])
    for seat in range(len(seats)):
        if seats[seat] == NOBODY:
            continue
        patron = people[seats[seat]]
        if patron.table != tables.number[table]:
            patron.table = tables.number[table]
            patron.filter = 0.0
    if n_seated(seats) >= fewest:
        counts[tables.tavern[table], N_GAMES] += 1


@rule
def whose_turn(tables: Tables, table: int) -> int:
    """The seat whose turn it is, or the next one that is taken."""
    seats, seat = tables.seats[table], tables.turn[table]
    return next_seat(seats, seat) if seats[seat] == NOBODY else seat


@rule
def attention_of(patron: Row, ways: Ways) -> float:
    """The chance that somebody follows a round at his table: by Perception, less by drink."""
    if ways.attention == 0:
        return 1.0
    drowsy = 0.4 * max(0, patron.drinks - 2)
    return logistic(1.5 + 0.15 * patron.perception - drowsy)


@rule
def largest_win(net: Ints) -> tuple[int, int]:
    """The seat that won most this round, the lowest of several, and what; NO_SEAT if none did."""
    winner = NO_SEAT
    most = 0
    for seat in range(len(net)):
        if net[seat] > most:
            winner, most = seat, net[seat]
    return winner, most


@rule
def is_big_win(net: int, stake: int, purse: int) -> bool:
    """Worth telling: four stakes or more at once, and a tenth of the purse it went into."""
    return net >= 4 * stake and 10 * net >= purse - net


@rule
def has_big_win(people: People, seats: Ints, winner: int, net: int, stake: int) -> bool:
    """Say whether a round's largest win, just paid, is worth telling."""
    return winner != NO_SEAT and is_big_win(net, stake, people[seats[winner]].gold)


@rule
def note_place(
    cell: Any,
    game: int,
    tables: Tables,
    table: int,
    turn: int,
    seated: int,
    night: int,
    round_: int,
) -> None:
    """Write down when and where a round was played, who sat there, and whose turn it was."""
    cell["game"] = game
    cell["night"] = night
    cell["round"] = round_
    cell["tavern"] = tables.tavern[table]
    cell["table"] = tables.number[table]
    cell["stake"] = tables.stake[table]
    cell["hand"] = turn
    cell["seated"] = seated
    for seat in range(tables.seated.shape[1]):
        cell["rows"][seat] = tables.seated[table, seat]


@rule
def note_outcome(
    cell: Any, pool: int, winner: int, winner_net: int, broke: int, notable: int
) -> None:
    """Write down what changed hands, who won most of it and who is broke; why it is kept."""
    cell["pool"] = pool
    cell["winner"] = winner
    cell["winner_net"] = winner_net
    cell["broke"] = broke
    cell["notable"] = notable
