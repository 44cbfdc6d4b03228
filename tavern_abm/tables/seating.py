"""How tables fill: by what people would play, by purse, and within a table by luck."""

from __future__ import annotations

from typing import NamedTuple

from .. import chance
from ..chance import draw, hash63, subkey
from ..compiled import rule
from ..patrons.columns import NOBODY, Ints, People
from .seats import N_OPTIONS, Tables

NO_LIMIT = -1


class Rooms(NamedTuple):
    """The rooms for one game and size of table, one a tavern or more: arrays of shape (n,)."""

    tavern: Ints  # index
    n_tables: Ints  # NO_LIMIT: as many as the guests fill
    stake: Ints  # cp; 0: the table agrees on it
    first_table: Ints  # number of its first table in the tavern
    number: Ints  # of the room among all rooms of the town
    min_seats: Ints  # fewest a table of it is opened for
    is_open: Ints  # 1: takes in everybody who has no seat yet, whatever he would play
    skips: Ints  # rounds of this sitting its tables stand idle at first
    options: Ints  # (n, N_OPTIONS): of the game
    opened: Ints  # tables opened so far tonight
    able: Ints  # the most who would have sat down in a sitting tonight
    n_planned: Ints  # tables it was planned with; NO_LIMIT as above
    first_added: Ints  # number of the first table added to these
    crowded: Ints  # evenings on which more would have sat down than it has seats, so far counted


class Sitting(NamedTuple):
    """When it is, as the kernels are handed it. All count from 1."""

    night: int
    sitting: int
    first_round: int
    n_rounds: int
    night_key: int


class Crowd(NamedTuple):
    """Tonight's guests, those of each tavern together."""

    rows: Ints  # (n_guests,)
    starts: Ints  # (n_taverns + 1,): where each tavern's guests begin and the last one's end
    purses: Ints  # (n_guests,), as are the rest: room for sorting
    luck: Ints
    order: Ints


@rule
def comes_first(a: int, b: int, purses: Ints, luck: Ints) -> bool:
    """Say whether place `a` ranks before place `b`: the heavier purse, then the luck."""
    if purses[a] != purses[b]:
        return purses[a] > purses[b]
    return luck[a] < luck[b]


@rule
def _swap(row: Ints, purses: Ints, luck: Ints, a: int, b: int) -> None:
    row[a], row[b] = row[b], row[a]
    purses[a], purses[b] = purses[b], purses[a]
    luck[a], luck[b] = luck[b], luck[a]


@rule
def _sift_down(row: Ints, purses: Ints, luck: Ints, root: int, end: int) -> None:
    while 2 * root + 1 < end:
        child = 2 * root + 1
        if child + 1 < end and comes_first(child, child + 1, purses, luck):
            child += 1
        if not comes_first(root, child, purses, luck):
            return
        _swap(row, purses, luck, root, child)
        root = child


@rule
def rank(row: Ints, purses: Ints, luck: Ints, n: int) -> None:
    """Sort the first `n` places by `comes_first`, in place (a heap sort).

    A kernel can call neither a library's sort nor allocate; no two places are
    alike, so there is only one order to find.
    """
    for root in range(n // 2 - 1, -1, -1):
        _sift_down(row, purses, luck, root, n)
    for end in range(n - 1, 0, -1):
        _swap(row, purses, luck, 0, end)
        _sift_down(row, purses, luck, 0, end)


@rule
def table_number(rooms: Rooms, room: int, t: int) -> int:
    """The number in its tavern of a room's table `t`, counted from 0.

    Tables that were added later have numbers apart, so that all others keep theirs.
    """
    n_planned = rooms.n_planned[room]
    if n_planned == NO_LIMIT or t < n_planned:
        return rooms.first_table[room] + t
    return rooms.first_added[room] + t - n_planned


@rule
def count_able(rooms: Rooms, room: int, n: int, n_seats: int) -> None:
    """Note that `n` would sit down, and once an evening that this is more than there are seats."""
    before = rooms.able[room]
    rooms.able[room] = max(before, n)
    places = rooms.n_tables[room] * n_seats
    if places > 0 and before <= places < n:
        rooms.crowded[room] += 1


@rule
def fill_room(
    rooms: Rooms, room: int, crowd: Crowd, when: Sitting, people: People, tables: Tables, first: int
) -> int:
    """Fill a room's tables, the heaviest purses at the first; how many tables were filled.

    As many tables as the guests fill, with as even numbers as can be, and none
    with fewer than the game needs. Where there are too few seats, luck decides
    who gets one. Within a table the order of seats is drawn, and so is the seat
    whose turn is first: seat 0.
    """
    tavern = rooms.tavern[room]
    n_seats = tables.seats.shape[1]
    rows, purses, luck = crowd.order, crowd.purses, crowd.luck
    n = 0
    for i in range(crowd.starts[tavern], crowd.starts[tavern + 1]):
        patron = people[crowd.rows[i]]
        is_free = patron.tavern == tavern and patron.sitting != when.sitting
        if rooms.is_open[room] == 0 and patron.wish != rooms.number[room]:
            continue
        if is_free and patron.gold >= max(1, rooms.stake[room]):
            rows[n] = crowd.rows[i]
            luck[n] = draw(patron.luck, chance.SEATING, when.sitting)
            purses[n] = 0
            n += 1
    count_able(rooms, room, n, n_seats)
    n_tables = min((n + n_seats - 1) // n_seats, n // rooms.min_seats[room])
    if rooms.n_tables[room] != NO_LIMIT:
        n_tables = min(n_tables, rooms.n_tables[room])
    if n_tables == 0:
        return 0
    rooms.opened[room] += n_tables
    if n > n_tables * n_seats:
        rank(rows, purses, luck, n)
        n = n_tables * n_seats
    for i in range(n):
        purses[i] = people[rows[i]].gold
    rank(rows, purses, luck, n)
    kind_key = hash63(subkey(when.night_key, chance.TAVERN, tavern + 1), chance.TABLE)
    for t in range(n_tables):
        # Rank r sits at table r * n_tables // n, so its first rank is this:
        start = (t * n + n_tables - 1) // n_tables
        end = ((t + 1) * n + n_tables - 1) // n_tables
        table = first + t
        tables.turn[table] = 0
        tables.tavern[table] = tavern
        tables.number[table] = table_number(rooms, room, t)
        tables.stake[table] = rooms.stake[room]
        tables.skips[table] = rooms.skips[room]
        for option in range(N_OPTIONS):
            tables.options[table, option] = rooms.options[room, option]
        tables.key[table] = hash63(kind_key, tables.number[table])
        for i in range(start, end):
            purses[i] = 0  # within a table luck alone decides
            people[rows[i]].sitting = when.sitting
            people[rows[i]].sittings += 1
        rank(rows[start:end], purses[start:end], luck[start:end], end - start)
        for i in range(start, end):
            tables.seats[table, i - start] = rows[i]
        for seat in range(end - start, n_seats):
            tables.seats[table, seat] = NOBODY
        for seat in range(n_seats):
            tables.seated[table, seat] = tables.seats[table, seat]
    return n_tables


@rule
def fill_rooms(rooms: Rooms, crowd: Crowd, when: Sitting, people: People, tables: Tables) -> int:
    """Fill all rooms of one kind; how many tables were filled."""
    n_tables = 0
    for room in range(len(rooms.tavern)):
        n_tables += fill_room(rooms, room, crowd, when, people, tables, n_tables)
    return n_tables
