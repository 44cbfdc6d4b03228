"""Taking up a challenge and backing a wrestler: worked examples and what moves them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.compiled import kernel
from tavern_abm.games.arm_wrestling import arm, exact_odds
from tavern_abm.games.contests import NO_BET
from tavern_abm.patrons.columns import blank_people, blank_sheet
from tavern_abm.patrons.decisions import shipped_decisions
from tavern_abm.patrons.decisions.arm_wrestling import (
    FELT,
    backs_wrestler,
    nerve,
    talent,
    wrestles,
)
from tavern_abm.patrons.decisions.general import logistic
from tests.strategies import units

edges = st.integers(-30, 30)
precisions = st.floats(0, 100)
thrills = st.floats(-3, 3)
counts = st.integers(0, 40)


def test_both_are_listed() -> None:
    assert {"wrestles", "backs_wrestler"} <= set(shipped_decisions())


@pytest.mark.parametrize("edge", [1, 2, 3, 4])
def test_what_one_feels_of_a_rival_is_near_the_exact_odds(edge: int) -> None:
    odds = exact_odds(arm(edge, 10, 0), arm(0, 10, 0))
    decided = float(odds.a_wins / (odds.a_wins + odds.b_wins))
    assert logistic(FELT * edge) == pytest.approx(decided, abs=0.01)


# ---------------------------------------------------------------- a challenge


def test_worked_example_of_a_challenge() -> None:
    """Edge 2, 20 of 1000 cp: p = expit(1.12), 4 (2 p - 1 + 0.25) - 0.2."""
    p = 1 / (1 + math.exp(-1.12))
    chance = 1 / (1 + math.exp(-(4 * (2 * p - 1 + 0.25) - 0.2)))
    assert wrestles(2, 20, 1000, 4.0, 0.25, 0.0, chance - 1e-9)
    assert not wrestles(2, 20, 1000, 4.0, 0.25, 0.0, chance + 1e-9)


@given(edges, precisions, thrills, units)
def test_nobody_wrestles_for_more_than_he_has(
    edge: int, rationality: float, thrill: float, u: float
) -> None:
    assert not wrestles(edge, 21, 20, rationality, thrill, 50.0, u)
    assert wrestles(edge, 0, 0, 0.0, 0.0, 50.0, min(u, 0.99))


@given(edges, precisions, thrills, st.floats(-3, 3), units)
def test_an_edge_a_purse_and_boldness_make_it_likelier(
    edge: int, rationality: float, thrill: float, boldness: float, u: float
) -> None:
    if not wrestles(edge, 20, 400, rationality, thrill, boldness, u):
        return
    assert wrestles(edge + 1, 20, 400, rationality, thrill, boldness, u)
    assert wrestles(edge, 20, 500, rationality, thrill, boldness, u)
    assert wrestles(edge, 20, 400, rationality, thrill, boldness + 1.0, u)


# ---------------------------------------------------------------- a bet


def shares(edge: int, n_first: int, n_second: int, rationality: float = 4.0) -> dict[int, float]:
    n = 4000
    found = [
        backs_wrestler(edge, n_first, n_second, rationality, 0.25, (i + 0.5) / n) for i in range(n)
    ]
    return {choice: found.count(choice) / n for choice in (0, 1, NO_BET)}


def test_worked_example_of_a_bet() -> None:
    """Edge 2 and an empty book: even money, p = expit(0.7)."""
    gain = 2 / (1 + math.exp(-0.7)) - 1
    first, second = math.exp(4 * (gain + 0.25)), math.exp(4 * (0.25 - gain))
    total = first + second + 1
    assert shares(2, 0, 0) == pytest.approx(
        {0: first / total, 1: second / total, NO_BET: 1 / total}, abs=3e-4
    )


def test_a_crowd_on_one_side_makes_the_other_worth_more() -> None:
    assert shares(0, 0, 0)[0] == pytest.approx(shares(0, 0, 0)[1], abs=3e-4)
    assert shares(0, 4, 0)[1] > 0.9
    assert shares(3, 0, 0)[0] > 0.8


def test_without_precision_all_three_are_alike() -> None:
    assert shares(9, 3, 1, 0.0) == pytest.approx({0: 1 / 3, 1: 1 / 3, NO_BET: 1 / 3}, abs=3e-4)


@given(edges, counts, counts, precisions, thrills, units)
def test_a_bet_is_one_of_three(
    edge: int, n_first: int, n_second: int, rationality: float, thrill: float, u: float
) -> None:
    assert backs_wrestler(edge, n_first, n_second, rationality, thrill, u) in (0, 1, NO_BET)


@pytest.mark.parametrize(("edge", "n_first", "n_second"), [(2, 0, 0), (-1, 3, 1), (0, 2, 5)])
def test_swapping_the_two_swaps_their_shares(edge: int, n_first: int, n_second: int) -> None:
    here, there = shares(edge, n_first, n_second), shares(-edge, n_second, n_first)
    assert here == pytest.approx({0: there[1], 1: there[0], NO_BET: there[NO_BET]}, abs=6e-4)


# ---------------------------------------------------------------- compiled


@kernel
def decide_all(us: np.ndarray, taken: np.ndarray, backed: np.ndarray) -> None:
    for i in range(len(us)):
        edge = i % 11 - 5
        taken[i] = wrestles(edge, 20, 1000, 4.0, 0.25, 0.1, us[i])
        backed[i] = backs_wrestler(edge, i % 3, i % 2, 4.0, 0.25, us[i])


def test_compiled_they_are_the_same() -> None:
    us = np.random.default_rng(5).random(500)
    taken, backed = np.zeros(500, np.int64), np.zeros(500, np.int64)
    decide_all(us, taken, backed)
    for i, u in enumerate(us.tolist()):
        edge = i % 11 - 5
        assert taken[i] == wrestles(edge, 20, 1000, 4.0, 0.25, 0.1, u)
        assert backed[i] == backs_wrestler(edge, i % 3, i % 2, 4.0, 0.25, u)


# ---------------------------------------------------------------- who is drawn to it


def test_talent_is_strength_in_standard_deviations() -> None:
    sheet = blank_sheet(3)
    sheet.strength[:] = [8, 11, 18]
    assert talent(blank_people(3), sheet) == pytest.approx([-2.5 / 3, 0.5 / 3, 2.5])


@given(st.floats(-4, 4), st.floats(-4, 4), st.integers(0, 20))
def test_wounds_and_spikes_make_nobody_bolder(e: float, fear: float, wounds: int) -> None:
    assert nerve(e, fear, wounds + 1, 0) < nerve(e, fear, wounds, 0)
    if fear >= -1.0:
        assert nerve(e, fear, wounds, 1) <= nerve(e, fear, wounds, 0)
