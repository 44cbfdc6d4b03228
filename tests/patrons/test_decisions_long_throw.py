"""Throwing or looking on, and whom to back: worked examples, ranges, monotony, extremes."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.games.contests import NO_BET
from tavern_abm.games.long_throw import CABER, FAR, PRECISION, Contest, Thrower
from tavern_abm.games.long_throw_odds import exact_odds
from tavern_abm.patrons.decisions.contests import backed_gain
from tavern_abm.patrons.decisions.long_throw import (
    backs_thrower,
    enters_throw,
    throwing_form,
)
from tests.strategies import probs, purses, units

STONE, JAVELIN = Contest(FAR, 14, 10), Contest(PRECISION, 2, 30, 1)
rationalities = st.floats(0, 100)


# ---------------------------------------------------------------- how people are rated


@pytest.mark.parametrize("contest", [STONE, Contest(CABER, 14, 10), JAVELIN])
@pytest.mark.parametrize("far_shots", [(0, 0), (1, 0), (1, 1)])
def test_rated_chances_are_near_the_exact_ones(
    contest: Contest, far_shots: tuple[int, int]
) -> None:
    for score in range(8, 19, 2):
        a = Thrower(score, score, far_shot=far_shots[0])
        b = Thrower(12, 12, far_shot=far_shots[1])
        ends = exact_odds(a, b, contest)
        rated = 1 / (1 + math.exp(throwing_form(b, contest) - throwing_form(a, contest)))
        assert rated == pytest.approx(float(ends.a_wins + ends.tie / 2), abs=0.07)


def test_the_load_counts() -> None:
    log = Contest(FAR, 150, 2)
    assert throwing_form(Thrower(18), log) == pytest.approx(1 / 5)
    assert throwing_form(Thrower(14), log) == pytest.approx(-4 / 5)
    assert throwing_form(Thrower(10, far_shot=1), STONE) == pytest.approx(10.5 / 8)
    assert throwing_form(Thrower(10, 14), JAVELIN) == pytest.approx(-6 / 4)


# ---------------------------------------------------------------- throwing or looking on


def test_a_worked_choice() -> None:
    """Two throw, 0.6 to win: EV 0.2; 10 cp of 100 weigh half of 1, three wounds 3/4."""
    prob = 1 / (1 + math.exp(-(4 * (0.2 + 0.25) - 0.5 - 0.75)))
    assert enters_throw(0.6, 2, 10, 100, 3, 4.0, 0.25, prob - 1e-9)
    assert not enters_throw(0.6, 2, 10, 100, 3, 4.0, 0.25, prob + 1e-9)


@given(probs, st.integers(2, 100), st.integers(1, 10**6), purses, rationalities, units)
def test_nobody_enters_who_cannot_pay(
    p: float, n: int, stake: int, purse: int, rationality: float, u: float
) -> None:
    enters = enters_throw(p, n, stake, purse, 0, rationality, 0.25, u)
    assert isinstance(enters, bool)
    assert not (enters and purse < stake)


@given(probs, probs, st.integers(2, 12), rationalities, units)
def test_better_chances_never_keep_one_out(
    p: float, q: float, n: int, rationality: float, u: float
) -> None:
    low, high = sorted((p, q))
    if enters_throw(low, n, 10, 1000, 0, rationality, 0.25, u):
        assert enters_throw(high, n, 10, 1000, 0, rationality, 0.25, u)


# ---------------------------------------------------------------- whom to back


def test_a_worked_gain() -> None:
    """30 cp on him of 80: 10 more win 100 of 30 + 10 + 2 at four throwers."""
    assert backed_gain(0.5, 30, 80, 10, 4) == pytest.approx(0.5 * 100 / 42.5 - 1)


def test_a_worked_bet() -> None:
    """Two alike, nothing laid yet: both weigh exp(4 (-1/3 + 1/4)), nobody 2."""
    each = math.exp(4 * (0.5 * 20 / 15 - 1 + 0.25))
    total = 2 * each + 2
    for u, backed in ((each, 0), (2 * each, 1)):
        at = u / total
        assert backs_thrower([0.3, 0.3], [0, 0], 10, 4.0, 0.25, at - 1e-9) == backed
        assert backs_thrower([0.3, 0.3], [0, 0], 10, 4.0, 0.25, at + 1e-9) != backed
    assert backs_thrower([0.3, 0.3], [0, 0], 10, 4.0, 0.25, 0.999) == NO_BET


@given(
    st.lists(st.tuples(st.floats(-400, 400), st.integers(0, 10**9)), min_size=1, max_size=12),
    st.integers(1, 10**6),
    rationalities,
    units,
)
def test_always_a_thrower_or_nobody(
    throwers: list[tuple[float, int]], stake: int, rationality: float, u: float
) -> None:
    forms, bets = (list(column) for column in zip(*throwers, strict=True))
    backed = backs_thrower(forms, bets, stake, rationality, 0.25, u)
    assert backed == NO_BET or 0 <= backed < len(forms)


def test_money_on_one_draws_bets_to_the_other() -> None:
    us = [(k + 0.5) / 200 for k in range(200)]

    def on_second(laid: int) -> int:
        return sum(backs_thrower([0.0, 0.0], [laid, 0], 10, 4.0, 0.25, u) == 1 for u in us)

    assert on_second(0) < on_second(10) < on_second(60) == len(us)


def test_without_any_reason_all_are_alike() -> None:
    us = [(k + 0.5) / 600 for k in range(600)]
    backed = [backs_thrower([3.0, 0.0, -3.0], [0, 40, 5], 10, 0.0, 0.25, u) for u in us]
    assert [backed.count(i) for i in (0, 1, 2, NO_BET)] == [100, 100, 100, 300]
