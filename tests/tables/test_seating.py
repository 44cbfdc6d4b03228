"""Seats: the richest at the first table, as even as can be, nobody twice."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm import chance
from tavern_abm.patrons.columns import NOBODY, blank_people
from tavern_abm.tables.seating import (
    NO_LIMIT,
    Crowd,
    Rooms,
    Sitting,
    fill_rooms,
    rank,
    table_number,
)
from tavern_abm.tables.seats import N_OPTIONS, Tables, blank_tables
from tests.strategies import DICE_ALONE
from tests.tables.plain_sitting import WatchedModel

NIGHT_KEY = chance.run_key(3)


def some_rooms(limits: list[int], stakes: list[int], min_seats: int = 2, is_open: int = 1) -> Rooms:
    """Rooms of the first tavern; open ones take in everybody who is free."""
    n = len(limits)
    zeros, options = np.zeros(n, np.int64), np.zeros((n, N_OPTIONS), np.int64)
    return Rooms(
        tavern=zeros,
        n_tables=np.array(limits),
        stake=np.array(stakes),
        first_table=np.arange(n) * 1000,
        number=np.arange(n),
        min_seats=zeros + min_seats,
        is_open=zeros + is_open,
        skips=zeros,
        options=options,
        opened=zeros.copy(),
        able=zeros.copy(),
        n_planned=np.array(limits),
        first_added=1_000_000 * (1 + np.arange(n)),
        crowded=zeros.copy(),
    )


def seated(
    purses: list[int],
    n_seats: int,
    rooms: list[tuple[int, int]] | None = None,
    sitting: int = 1,
    luck: int = 0,
) -> tuple[Tables, int, np.ndarray]:
    """Fill rooms (limit of tables, stake) of one tavern; row = place in the list of purses."""
    n = len(purses)
    people = blank_people(n)
    people.gold[:], people.tavern[:] = purses, 0
    people.luck[:] = chance.subkeys(chance.run_key(luck), chance.PATRON, np.arange(n))
    rooms = rooms or [(NO_LIMIT, 0)]
    limits, stakes = (list(each) for each in zip(*rooms, strict=True))
    crowd = Crowd(np.arange(n), np.array([0, n]), *np.empty((3, n), np.int64))
    tables = blank_tables(n + len(rooms), n_seats)
    when = Sitting(1, sitting, 1, 6, NIGHT_KEY)
    n_tables = fill_rooms(some_rooms(limits, stakes), crowd, when, people, tables)
    return tables, n_tables, people.sitting


def companies(tables: Tables, n_tables: int) -> list[list[int]]:
    return [[row for row in seats if row != NOBODY] for seats in tables.seats[:n_tables].tolist()]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2**62)), unique=True, max_size=60))
def test_ranking_is_a_lexical_sort(places: list[tuple[int, int]]) -> None:
    n = len(places)
    purses, luck = np.array(places, np.int64).reshape(n, 2).T.copy()
    order = np.lexsort((luck, -purses))
    expected = [array[order].tolist() for array in (np.arange(n), purses, luck)]
    row = np.arange(n)
    rank(row, purses, luck, n)
    assert [row.tolist(), purses.tolist(), luck.tolist()] == expected


def test_ranking_leaves_the_rest_alone() -> None:
    row, purses, luck = np.arange(5), np.array([1, 5, 3, 9, 8]), np.zeros(5, np.int64)
    rank(row, purses, luck, 3)
    assert row.tolist() == [1, 2, 0, 3, 4]


@given(
    st.lists(st.integers(0, 50) | st.integers(0, 10**9), max_size=50),
    st.integers(2, 9),
    st.integers(0, 99),
)
def test_seats_by_purse(purses: list[int], n_seats: int, luck: int) -> None:
    tables, n_tables, sitting = seated(purses, n_seats, luck=luck)
    at = companies(tables, n_tables)
    able = [row for row, purse in enumerate(purses) if purse >= 1]
    n = len(able)
    if n < 2:
        assert n_tables == 0
        assert not sitting.any()
        return
    # How many tables: as many as they fill, none of them for one alone.
    assert n_tables == min(-(-n // n_seats), n // 2)
    # Who sits: everybody with a coin, once; all of them where there are seats enough.
    together = sorted(row for company in at for row in company)
    n = min(n, n_tables * n_seats)
    assert len(together) == len(set(together)) == n
    assert set(together) <= set(able)
    assert np.flatnonzero(sitting).tolist() == together
    # How many where: as even as can be, by the formula.
    sizes = [sum(r * n_tables // n == t for r in range(n)) for t in range(n_tables)]
    assert [len(company) for company in at] == sizes
    assert max(sizes) - min(sizes) <= 1
    # The richest first: no purse of a later table is heavier than one of an earlier.
    for earlier, later in pairwise(at):
        assert min(purses[row] for row in earlier) >= max(purses[row] for row in later)
    # Empty seats lie at the end, and the table remembers who sat down.
    for seats, company in zip(tables.seats[:n_tables].tolist(), at, strict=True):
        assert seats == company + [NOBODY] * (n_seats - len(company))
    assert (tables.seated[:n_tables] == tables.seats[:n_tables]).all()
    assert not tables.turn[:n_tables].any()
    assert tables.number[:n_tables].tolist() == list(range(n_tables))


def test_within_a_table_luck_orders_the_seats() -> None:
    purses = [600, 500, 400, 300, 200, 100]
    firsts = {tuple(companies(*seated(purses, 6, luck=luck)[:2])[0]) for luck in range(40)}
    assert len(firsts) > 35
    assert {order[0] for order in firsts} == set(range(6))
    one, other = (companies(*seated(purses, 6, sitting=s)[:2])[0] for s in (1, 2))
    assert one != other  # the order of seats is drawn anew at every sitting


@given(
    st.lists(st.integers(0, 100), max_size=40),
    st.integers(2, 6),
    st.integers(0, 4),
    st.integers(0, 60),
)
def test_a_room_with_few_tables(purses: list[int], n_seats: int, limit: int, stake: int) -> None:
    tables, n_tables, sitting = seated(purses, n_seats, [(limit, stake)])
    at = companies(tables, n_tables)
    able = {row for row, purse in enumerate(purses) if purse >= max(1, stake)}
    n = n_seats * min(limit, -(-len(able) // n_seats), len(able) // 2)
    n = min(len(able), n)
    together = [row for company in at for row in company]
    assert len(set(together)) == len(together) == n
    assert set(together) <= able
    assert set(together) == set(np.flatnonzero(sitting).tolist())
    assert n_tables <= limit
    if 2 <= n < len(able):  # luck, not wealth, has decided who sits
        keys = chance.subkeys(chance.run_key(0), chance.PATRON, np.arange(len(purses)))
        luck = chance.draws(keys, chance.SEATING, 1)
        assert set(together) == set(sorted(able, key=lambda row: luck[row])[:n])
    for earlier, later in pairwise(at):
        assert min(purses[row] for row in earlier) >= max(purses[row] for row in later)


@given(
    st.lists(st.integers(0, 100), max_size=40),
    st.lists(
        st.tuples(st.just(NO_LIMIT) | st.integers(0, 2), st.integers(0, 60)), min_size=1, max_size=3
    ),
)
def test_nobody_sits_in_two_rooms(purses: list[int], rooms: list[tuple[int, int]]) -> None:
    tables, n_tables, sitting = seated(purses, 4, rooms)
    together = [row for company in companies(tables, n_tables) for row in company]
    assert len(set(together)) == len(together)
    assert set(together) == set(np.flatnonzero(sitting).tolist())
    keys = tables.key[:n_tables].tolist()
    assert len(set(keys)) == len(keys)
    numbers = tables.number[:n_tables].tolist()
    assert len(set(numbers)) == len(numbers)
    for table, company in enumerate(companies(tables, n_tables)):
        assert all(purses[row] >= tables.stake[table] for row in company)


def test_dice_of_a_table_hang_on_its_number_alone() -> None:
    few, n_few, _ = seated([5] * 7, 6)
    many, n_many, _ = seated([9] * 30, 6)
    assert (n_few, n_many) == (2, 5)
    assert few.key[:2].tolist() == many.key[:2].tolist()
    tavern = chance.subkey(NIGHT_KEY, chance.TAVERN, 1)
    assert many.key[3] == chance.subkey(tavern, chance.TABLE, 3)


def test_who_has_gone_home_or_sits_already_is_passed_over() -> None:
    people = blank_people(6)
    people.gold[:], people.tavern[:] = 100, [0, 0, NOBODY, 1, 0, 0]
    people.sitting[:] = [1, 2, 1, 1, 0, 1]
    rooms = some_rooms([NO_LIMIT], [0])
    crowd = Crowd(np.arange(6), np.array([0, 6]), *np.empty((3, 6), np.int64))
    tables = blank_tables(3, 6)
    n_tables = fill_rooms(rooms, crowd, Sitting(1, 2, 7, 6, NIGHT_KEY), people, tables)
    assert sorted(companies(tables, n_tables)[0]) == [0, 4, 5]
    assert people.sitting.tolist() == [2, 2, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("n", "expected"), [(3, []), (4, [4]), (7, [6]), (8, [4, 4]), (13, [4, 4, 5])]
)
def test_no_table_is_opened_with_fewer_than_the_game_needs(n: int, expected: list[int]) -> None:
    people = blank_people(n)
    people.gold[:], people.tavern[:] = 100, 0
    people.luck[:] = chance.subkeys(chance.run_key(1), chance.PATRON, np.arange(n))
    rooms = some_rooms([NO_LIMIT], [0], min_seats=4)
    crowd = Crowd(np.arange(n), np.array([0, n]), *np.empty((3, n), np.int64))
    tables = blank_tables(n, 6)
    n_tables = fill_rooms(rooms, crowd, Sitting(1, 1, 1, 6, NIGHT_KEY), people, tables)
    assert sorted(map(len, companies(tables, n_tables))) == expected
    assert (rooms.able[0], rooms.opened[0]) == (n, len(expected))


def test_a_room_that_is_not_open_to_all_takes_those_who_wish_for_it() -> None:
    people = blank_people(6)
    people.gold[:], people.tavern[:], people.wish[:] = 100, 0, [0, 1, 0, 1, 0, NOBODY]
    rooms = some_rooms([NO_LIMIT, NO_LIMIT], [0, 0], is_open=0)
    crowd = Crowd(np.arange(6), np.array([0, 6]), *np.empty((3, 6), np.int64))
    tables = blank_tables(4, 6)
    n_tables = fill_rooms(rooms, crowd, Sitting(1, 1, 1, 6, NIGHT_KEY), people, tables)
    assert [sorted(each) for each in companies(tables, n_tables)] == [[0, 2, 4], [1, 3]]
    assert people.sitting.tolist() == [1, 1, 1, 1, 1, 0]


# ---------------------------------------------------------------- in a model


def test_a_house_with_one_table_seats_six() -> None:
    model = WatchedModel(DICE_ALONE, rng=1, patrons=60, **{"taverns.0.tables.0.count": 1})
    sittings = model.watch(3)
    assert len(sittings) == 12
    for sitting in sittings:
        (rows,) = {tuple(one["rows"]) for one in sitting.rounds}
        assert sum(row != NOBODY for row in rows) == 6
    assert model.nights.games.tolist() == [4, 4, 4]


def test_two_taverns_seat_their_own_guests() -> None:
    """Those who went there tonight, be it their own house or not; and at home who may not roam."""
    two = {"patrons": 60, "taverns.1.name": "The Other"}
    for roaming in (True, False):
        model = WatchedModel(DICE_ALONE, rng=1, **two, **{"minds.roaming": roaming})
        assert strangers_seated(model) == roaming
        assert (model.nights.rounds > 0).all()


def strangers_seated(model: WatchedModel) -> bool:
    """Watch two nights; whether anybody sat down in a house that is not his own."""
    is_any = False
    for sitting in model.watch(2):
        people = sitting.before.people
        tables = {(one["tavern"], tuple(one["rows"])) for one in sitting.rounds}
        seated = [row for _, rows in tables for row in rows if row != NOBODY]
        assert len(set(seated)) == len(seated) > 12
        for tavern, rows in tables:
            here = [people[row] for row in rows if row != NOBODY]
            assert {guest.tavern for guest in here} == {tavern}
            is_any |= any(guest.home != tavern for guest in here)
    return is_any


def crowded(n_guests: int, limit: int, sittings: int) -> int:
    """On how many evenings a room of tables for two was crowded, after one of so many sittings."""
    rooms = some_rooms([limit], [0])
    people = blank_people(n_guests)
    people.gold[:], people.tavern[:] = 100, 0
    crowd = Crowd(np.arange(n_guests), np.array([0, n_guests]), *np.empty((3, n_guests), np.int64))
    tables = blank_tables(n_guests + 1, 2)
    for sitting in range(1, sittings + 1):
        fill_rooms(rooms, crowd, Sitting(1, sitting, 1, 6, NIGHT_KEY), people, tables)
    return int(rooms.crowded[0])


@pytest.mark.parametrize(
    ("n_guests", "limit", "evenings"),
    [(6, 3, 0), (7, 3, 1), (7, 2, 1), (7, NO_LIMIT, 0), (7, 0, 0)],
)
@pytest.mark.parametrize("sittings", [1, 4])
def test_a_room_is_crowded_once_an_evening(
    n_guests: int, limit: int, evenings: int, sittings: int
) -> None:
    assert crowded(n_guests, limit, sittings) == evenings


def test_added_tables_have_numbers_apart() -> None:
    rooms = some_rooms([2, NO_LIMIT], [0, 0])
    rooms.n_tables[0] += 2
    assert [table_number(rooms, 0, t) for t in range(4)] == [0, 1, 1_000_000, 1_000_001]
    assert [table_number(rooms, 1, t) for t in range(3)] == [1000, 1001, 1002]
