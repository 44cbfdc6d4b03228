"""Scores of a night's beliefs, against the same sums done one pair after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm import Scenario
from tavern_abm.patrons.columns import HERE, blank_people
from tavern_abm.patrons.decisions.general import logistic
from tavern_abm.society.scoring import REACH, Score, chance_of, make_score, score_night
from tavern_abm.society.suspicion import (
    Beliefs,
    blank_beliefs,
    log_odds_now,
    memory_of,
    place,
    settle,
    witness,
)
from tavern_abm.tables.record import (
    COUNTS,
    N_MISSED,
    N_SUSPECTED_RIGHT,
    N_SUSPECTED_WRONG,
    N_UNSUSPECTED,
)
from tavern_abm.town.setup import make_ways
from tests.uncompiled import with_and_without_numba

WAYS = make_ways(Scenario())
FOUR = (N_SUSPECTED_RIGHT, N_SUSPECTED_WRONG, N_MISSED, N_UNSUSPECTED)
NIGHT = 30


def town(n: int, seed: int) -> tuple[Any, Beliefs, Any]:
    """A made-up town: some have left, some cheat, and all believe something of some."""
    rng = np.random.default_rng(seed)
    people = blank_people(n)
    people.whereabouts[:] = np.where(rng.random(n) < 0.8, HERE, HERE + 1)
    people.is_cheat[:] = rng.random(n) < 0.4
    people.tries[:] = people.is_cheat * rng.integers(0, 3, n)
    people.home[:] = rng.integers(0, 3, n)
    beliefs = blank_beliefs(n, 8)
    for row in range(n):
        others = np.setdiff1d(np.arange(n), [row])
        for subject in rng.permutation(others)[: rng.integers(0, 6)].tolist():
            night = int(rng.integers(1, NIGHT + 1))
            memory = memory_of(beliefs, row)
            k = place(memory, subject, night, WAYS)
            witness(memory, k, float(rng.normal(2.0, 2.0)), night, WAYS)
            if rng.random() < 0.1:
                settle(memory, k, night, WAYS)
    living = np.flatnonzero(people.whereabouts == HERE)
    return people, beliefs, living


def plainly(people: Any, beliefs: Beliefs, living: Any) -> tuple[Any, list[float], set[int]]:
    """Counts by home, squared errors, and the cheats whom somebody suspects."""
    counts = np.zeros((3, len(COUNTS)), np.int64)
    squares, known = [], set()
    here = {int(row) for row in living}
    for row in here:
        memory = memory_of(beliefs, row)
        for k, subject in enumerate(memory.subject.tolist()):
            if subject in here:
                is_cheat = bool(people.is_cheat[subject] and people.tries[subject])
                belief = logistic(log_odds_now(memory, k, NIGHT, WAYS))
                suspects = belief > 0.5
                squares.append((belief - is_cheat) ** 2)
                where = {
                    (True, True): N_SUSPECTED_RIGHT,
                    (False, True): N_SUSPECTED_WRONG,
                    (True, False): N_MISSED,
                    (False, False): N_UNSUSPECTED,
                }[is_cheat, suspects]
                counts[people.home[row], where] += 1
                if is_cheat and suspects:
                    known.add(subject)
    return counts, squares, known


@pytest.mark.parametrize("seed", range(4))
def test_a_night_is_scored_as_one_would_by_hand(seed: int) -> None:
    people, beliefs, living = town(40, seed)
    expected, squares, known = plainly(people, beliefs, living)
    counts = np.zeros((3, len(COUNTS)), np.int64)
    score = score_night(living, NIGHT, people, beliefs, WAYS, counts)
    assert counts.tolist() == expected.tolist()
    assert all(expected[:, each].sum() > 0 for each in FOUR)
    assert score.pairs == len(squares) == counts[:, FOUR].sum()
    assert score.brier == pytest.approx(np.mean(squares), abs=1e-5)
    assert {int(row) for row in np.flatnonzero(people.suspected)} == known


def test_the_first_night_of_suspicion_is_kept() -> None:
    people, beliefs, living = town(40, 0)
    counts = np.zeros((3, len(COUNTS)), np.int64)
    score_night(living, NIGHT, people, beliefs, WAYS, counts)
    first = people.suspected.copy()
    score_night(living, NIGHT + 1, people, beliefs, WAYS, counts)
    assert set(people.suspected[first > 0].tolist()) == {NIGHT}


def test_one_of_the_kind_who_has_never_tried_is_no_cheat() -> None:
    people, beliefs = blank_people(2), blank_beliefs(2, 4)
    people.whereabouts[:] = HERE
    people.is_cheat[1] = 1
    k = place(memory_of(beliefs, 0), 1, NIGHT, WAYS)
    witness(memory_of(beliefs, 0), k, 5.0, NIGHT, WAYS)
    counts = np.zeros((1, len(COUNTS)), np.int64)
    living = np.arange(2)
    score_night(living, NIGHT, people, beliefs, WAYS, counts)
    assert (counts[0, N_SUSPECTED_WRONG], people.suspected[1]) == (1, 0)
    people.tries[1] = 1
    score_night(living, NIGHT, people, beliefs, WAYS, counts)
    assert (counts[0, N_SUSPECTED_RIGHT], people.suspected[1]) == (1, NIGHT)


def test_nobody_believes_anything() -> None:
    counts = np.zeros((1, len(COUNTS)), np.int64)
    score = score_night(np.arange(3), 1, blank_people(3), blank_beliefs(3, 4), WAYS, counts)
    assert score == Score(0.0, 0)
    assert np.isnan(score.brier)
    assert counts.sum() == 0


@given(st.floats(-REACH, REACH))
def test_the_table_is_as_good_as_an_exponential(log_odds: float) -> None:
    assert chance_of(log_odds) == pytest.approx(logistic(log_odds), abs=3e-6)


@pytest.mark.parametrize("log_odds", [-700.0, -REACH, REACH, 700.0])
def test_beyond_the_table_nothing_happens(log_odds: float) -> None:
    assert chance_of(log_odds) == pytest.approx(logistic(log_odds), abs=2e-7)


def test_plain_python_comes_to_the_same_bits() -> None:
    program = (
        "import numpy as np\n"
        "from tests.society.test_scoring import *\n"
        "people, beliefs, living = town(60, 5)\n"
        "counts = np.zeros((3, len(COUNTS)), np.int64)\n"
        "print(repr(score_night(living, NIGHT, people, beliefs, WAYS, counts)))\n"
        "print(counts.tolist(), people.suspected.tolist())\n"
    )
    compiled, plain = with_and_without_numba(program)
    assert compiled == plain
    assert "pairs=0" not in plain


def test_the_kernel_is_made_once() -> None:
    assert make_score() is make_score()
