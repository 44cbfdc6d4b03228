"""The door of a full house."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm import TavernModel, chance
from tavern_abm.patrons.columns import NOBODY, blank_people
from tavern_abm.tables.seating import NO_LIMIT
from tavern_abm.town.doors import admit
from tests.strategies import DICE_ALONE

rooms = st.just(NO_LIMIT) | st.integers(0, 12)


@given(
    st.lists(st.integers(0, 2), max_size=40),
    st.tuples(rooms, rooms, rooms),
    st.integers(0, 2**60),
)
def test_luck_decides_who_gets_in(
    taverns: list[int], capacity: tuple[int, int, int], seed: int
) -> None:
    n = len(taverns)
    people = np.asarray(blank_people(n + 5))
    guests = np.arange(5, n + 5)
    people["tavern"][guests] = taverns
    people["luck"][:] = chance.subkeys(seed, chance.PATRON, np.arange(n + 5))
    inside = admit(guests, people, capacity).tolist()
    assert inside == sorted(inside)
    luck = {row: chance.draw(int(people["luck"][row]), chance.SEATING, 0) for row in range(n + 5)}
    for tavern, room in enumerate(capacity):
        wanted = [
            row for row, house in zip(range(5, n + 5), taverns, strict=True) if house == tavern
        ]
        room = len(wanted) if room == NO_LIMIT else room
        luckiest = sorted(wanted, key=luck.__getitem__)[:room]
        assert sorted(luckiest) == [row for row in inside if taverns[row - 5] == tavern]
        for row in wanted:
            assert people["tavern"][row] == (tavern if row in luckiest else NOBODY)


@pytest.mark.parametrize("capacity", [1, 10])
def test_a_small_house_is_never_overfull(capacity: int) -> None:
    model = TavernModel(DICE_ALONE, rng=1, patrons=60, **{"taverns.0.capacity": capacity})
    model.run_for(10)
    assert model.nights.guests.tolist() == [capacity] * 10
    fees = model.results()["ledger"].query("reason == 'fee'").amount_cp.sum()
    assert fees == 2 * capacity * 10  # who is turned away pays nothing
    assert (model.nights.rounds > 0).tolist() == [capacity > 1] * 10


def test_who_gets_in_changes_from_night_to_night() -> None:
    model = TavernModel(DICE_ALONE, rng=1, patrons=60, **{"taverns.0.capacity": 5})
    seen = set()
    for _ in range(30):
        model.run_for(1)
        seen |= set(np.flatnonzero(model.people.tavern == 0).tolist())
    assert len(seen) > 40
