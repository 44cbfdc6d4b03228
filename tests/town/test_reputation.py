"""The names of houses: what makes them, how they fade, how far they go."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.tables.record import (
    COUNTS,
    N_BEATEN_UNJUST,
    N_BRAWLS,
    N_CONVICTED_JUST,
    N_GUESTS,
    N_KILLED_UNJUST,
    N_NOTICED,
)
from tavern_abm.town.reputation import MOST, WEIGHTS, renew_repute


def after(repute: float = 0.0, nights: int = 1, **counts: int) -> float:
    row = np.zeros((1, len(COUNTS)), np.int64)
    for name, number in counts.items():
        row[0, COUNTS.index(name)] = number
    names = np.array([repute])
    for _ in range(nights):
        renew_repute(names, row)
    return float(names[0])


def test_worked_nights() -> None:
    assert after(guests=50, tricks_noticed=2) == pytest.approx(-0.1 * 10 * 2 / 50)
    assert after(-1.0, guests=50) == pytest.approx(-0.9)
    assert after(-1.0) == pytest.approx(-0.9)  # nobody came
    assert after(guests=60, brawls=1, killed_unjust=1) == pytest.approx(-0.1 * 10 * 33 / 60)
    assert after(guests=60, convictions_just=3, tricks_noticed=1) == pytest.approx(2 / 60)


def test_the_weights_are_of_the_counts_they_are_named_for() -> None:
    named = {COUNTS[i]: weight for i, weight in WEIGHTS.items()}
    assert named == {
        "tricks_noticed": -1,
        "dice_noticed": -1,
        "convictions_just": 1,
        "brawls": -3,
        "convictions_unjust": -3,
        "beaten_unjust": -10,
        "too_lucky": -10,
        "killed_unjust": -30,
    }


def test_night_for_night_it_comes_to_ten_times_what_befalls_a_guest() -> None:
    assert after(nights=200, guests=100, brawls=2) == pytest.approx(-10 * 6 / 100)


def test_what_befalls_a_handful_is_no_talk_of_the_town() -> None:
    assert after(guests=1, brawls=1) == after(guests=20, brawls=1) < after(guests=21, brawls=1)


@given(
    st.lists(st.integers(0, 10_000), min_size=len(COUNTS), max_size=len(COUNTS)),
    st.floats(-MOST, MOST),
    st.integers(1, 5),
)
def test_a_name_is_kept_within_bounds(counts: list[int], repute: float, nights: int) -> None:
    names = np.array([repute, repute])
    for _ in range(nights):
        renew_repute(names, np.array([counts, counts]))
    assert -MOST <= names[0] == names[1] <= MOST


@pytest.mark.parametrize(
    ("what", "is_better"),
    [
        (N_BRAWLS, False),
        (N_BEATEN_UNJUST, False),
        (N_KILLED_UNJUST, False),
        (N_NOTICED, False),
        (N_CONVICTED_JUST, True),
    ],
)
def test_which_way_it_goes(what: int, is_better: bool) -> None:
    counts: Any = np.zeros((2, len(COUNTS)), np.int64)
    counts[:, N_GUESTS] = 100
    counts[1, what] = 1
    names = np.zeros(2)
    renew_repute(names, counts)
    assert names[0] == 0
    assert (names[1] > 0) == is_better
