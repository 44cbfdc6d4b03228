"""The tables of one sitting, whatever they play."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..coins import clockwise
from ..compiled import rule
from ..patrons.columns import NOBODY, Floats, Ints, People, Row, Sheet
from ..patrons.decisions.general import Minds
from ..society.judgement import Justice
from ..society.suspicion import Beliefs, Ways
from .houses import Houses
from .record import NO_SEAT

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


class Scratch(NamedTuple):
    """Room for one table's reckoning, so that rules allocate nothing."""

    dice: Ints  # (4,)
    bets: Ints  # (n_seats,), as are the rest
    stakes: Ints
    net: Ints
    purses: Ints
    places: Ints  # of the belief about the Hand in each seat's memory
    attention: Floats  # chance that a seat follows a round
    win_prob: Floats  # what each seat reckons the Hand's chances are


def blank_tables(n_tables: int, n_seats: int) -> Tables:
    """Tables at which nobody sits yet."""
    seats, seated = np.full((2, n_tables, n_seats), NOBODY, np.int64)
    turn, tavern, number, stake, key, skips = np.zeros((6, n_tables), np.int64)
    options = np.zeros((n_tables, N_OPTIONS), np.int64)
    return Tables(seats, seated, turn, tavern, number, stake, key, skips, options)


def blank_scratch(n_seats: int) -> Scratch:
    """Scratch for tables of `n_seats` seats."""
    bets, stakes, net, purses, places = np.zeros((5, n_seats), np.int64)
    attention, win_prob = np.zeros((2, n_seats))
    dice = np.zeros(4, np.int64)
    return Scratch(dice, bets, stakes, net, purses, places, attention, win_prob)


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
def largest_win(net: Ints) -> int:
    """The seat that won most this round, the lowest of several; NO_SEAT if none did."""
    winner = NO_SEAT
    most = 0
    for seat in range(len(net)):
        if net[seat] > most:
            winner, most = seat, net[seat]
    return winner


@rule
def is_big_win(net: int, stake: int, purse: int) -> bool:
    """Worth telling: four stakes or more at once, and a tenth of the purse it went into."""
    return net >= 4 * stake and 10 * net >= purse - net
