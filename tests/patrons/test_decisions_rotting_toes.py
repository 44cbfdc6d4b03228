"""Which way to bet and whether to cheat: worked examples, ranges, monotony, extremes."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.games.rotting_toes import NOT, OUT, ROT, Toes
from tavern_abm.patrons.columns import Row, blank_people
from tavern_abm.patrons.decisions.general import Minds, logistic, logit
from tavern_abm.patrons.decisions.rotting_toes import (
    bets,
    hand_wins_prob,
    pressure,
    tries_to_cheat,
)
from tests.strategies import patrons, probs, units

MINDS = Minds(
    tau_logit=logit(0.25),
    tau_moves=1,
    thrill=0.25,
    ride_the_cheat=1,
    go_out_prob=0.6,
    drink_penalty=1,
)
NIGHT = 40
FRESH, WARY = Toes(1, 0, 1, 0), Toes(1, 0, 1, 1)
counts = st.integers(0, 11)


def somebody(**columns: float) -> Row:
    """One row of a man of sense, with these columns."""
    one = blank_people(1)[0]
    one.rationality = 4.0
    for name, value in columns.items():
        setattr(one, name, value)
    return one


def weights(
    one: Row, p: float, n_rot: int, n_not: int, thrill: float = 0.25
) -> tuple[float, float]:
    """The formula of the choice, written out plainly: chances of rot and of not."""
    ev_not = p * n_rot / (2 + n_not) - (1 - p) if n_rot else 0.0
    ev_rot = (1 - p) * (1 + n_not) / (n_rot + 1) - p
    rot, not_ = (math.exp(one.rationality * (ev + thrill)) for ev in (ev_rot, ev_not))
    return rot / (rot + not_ + 1), not_ / (rot + not_ + 1)


# ---------------------------------------------------------------- the estimate


def test_the_estimate_begins_with_the_talk_of_the_town() -> None:
    assert hand_wins_prob(0, 0) == pytest.approx(20.4 / 50)
    assert hand_wins_prob(50, 50) == pytest.approx(70.4 / 100)
    assert hand_wins_prob(0, 50) == pytest.approx(20.4 / 100)


@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_the_estimate_is_a_probability_that_follows_what_is_seen(wins: int, losses: int) -> None:
    p = hand_wins_prob(wins, wins + losses)
    assert 0 < p < 1
    assert hand_wins_prob(wins + 1, wins + losses + 1) > p
    assert hand_wins_prob(wins, wins + losses + 1) < p


# ---------------------------------------------------------------- the bet


def test_a_worked_choice() -> None:
    """p = 0.4, two rot and one not so far: EV_not = .4 2/3 - .6, EV_rot = .6 2/3 - .4."""
    one = somebody()
    rot, not_ = math.exp(4 * (0.0 + 0.25)), math.exp(4 * (0.8 / 3 - 0.6 + 0.25))
    total = rot + not_ + 1
    assert bets(one, 0.4, 2, 1, 0.25, MINDS, rot / total - 1e-9) == ROT
    assert bets(one, 0.4, 2, 1, 0.25, MINDS, rot / total + 1e-9) == NOT
    assert bets(one, 0.4, 2, 1, 0.25, MINDS, (rot + not_) / total - 1e-9) == NOT
    assert bets(one, 0.4, 2, 1, 0.25, MINDS, (rot + not_) / total + 1e-9) == OUT


def test_the_first_bet_of_a_round() -> None:
    """Nobody bets rot yet: not gains nothing, rot 1 - 2p; p = 0.408."""
    one = somebody()
    rot, not_ = math.exp(4 * (1 - 2 * 0.408 + 0.25)), math.exp(4 * 0.25)
    total = rot + not_ + 1
    assert bets(one, 0.408, 0, 0, 0.25, MINDS, rot / total - 1e-9) == ROT
    assert bets(one, 0.408, 0, 0, 0.25, MINDS, rot / total + 1e-9) == NOT


@given(patrons(), probs, counts, counts, st.floats(-10, 10), units)
def test_every_choice_is_one_of_three(
    one: Row, p: float, n_rot: int, n_not: int, thrill: float, u: float
) -> None:
    assert bets(one, p, n_rot, n_not, thrill, MINDS, u) in (OUT, ROT, NOT)


@given(st.floats(0, 20), probs, counts, counts, units)
def test_the_choice_follows_the_formula(
    rationality: float, p: float, n_rot: int, n_not: int, u: float
) -> None:
    one = somebody(rationality=rationality)
    rot, not_ = weights(one, p, n_rot, n_not)
    if min(abs(u - rot), abs(u - rot - not_)) > 1e-9:
        expected = ROT if u < rot else NOT if u < rot + not_ else OUT
        assert bets(one, p, n_rot, n_not, 0.25, MINDS, u) == expected


@given(st.floats(0, 20), probs, st.floats(0, 1), counts, counts)
def test_a_better_hand_draws_bets_from_rot(
    rationality: float, p: float, more: float, n_rot: int, n_not: int
) -> None:
    """The chance of rot falls with p and that of staying out is never touched by the order."""
    one, better = somebody(rationality=rationality), min(1.0, p + more)
    rot, _ = weights(one, p, n_rot, n_not)
    just_above = min(rot + 1e-6, 1 - 1e-12)
    if bets(one, p, n_rot, n_not, 0.25, MINDS, just_above) != ROT:
        assert bets(one, better, n_rot, n_not, 0.25, MINDS, just_above) != ROT


def test_a_mind_without_reason_picks_at_random() -> None:
    one = somebody(rationality=0.0)
    third = [bets(one, 0.9, 3, 0, 0.25, MINDS, u) for u in (0.33, 0.34, 0.66, 0.67)]
    assert third == [ROT, NOT, NOT, OUT]


def test_the_largest_minds_do_not_overflow() -> None:
    one = somebody(rationality=100.0)
    assert bets(one, 0.0, 0, 11, 10.0, MINDS, 0.999999) in (ROT, NOT)
    assert bets(one, 0.0, 0, 11, 0.25, MINDS, 0.4) == ROT
    assert bets(one, 1.0, 11, 0, 0.25, MINDS, 0.999999) == NOT
    assert bets(one, 0.5, 1, 0, -10.0, MINDS, 1e-6) == OUT


# ---------------------------------------------------------------- the trick


@pytest.mark.parametrize(
    ("columns", "failed", "stake", "restraint", "m"),
    [
        ({"gold": 1000}, 0, 10, 0.0, 0.5 * 0.1),
        ({"gold": 10}, 0, 10, 0.0, 2.0),  # never more than 4 halves
        ({"gold": 0}, 0, 1, 0.0, 2.0),
        ({"gold": 10**6, "drinks": 5}, 0, 1, 0.5, 0.5e-5 + 0.6 - 0.5),
        ({"gold": 10**6, "drinks": 2}, 1, 1, 0.5, 0.5e-5 - 0.5 - 1.5),
        ({"gold": 10**6, "punished": NIGHT - 30}, 0, 1, 2.0, 0.5e-5 - 2.0 - 1.0),
        ({"gold": 10**6, "punished": NIGHT - 31}, 0, 1, 2.0, 0.5e-5 - 2.0),
    ],
)
def test_worked_pressures(
    columns: dict[str, int], failed: int, stake: int, restraint: float, m: float
) -> None:
    one = somebody(**columns)
    assert pressure(one, failed, stake, restraint, NIGHT) == pytest.approx(m, abs=1e-12)


@given(patrons(), st.integers(1, 10**12), st.floats(0, 20))
def test_pressure_moves_as_it_should(one: Row, stake: int, restraint: float) -> None:
    m = pressure(one, 0, stake, restraint, NIGHT)
    assert math.isfinite(m)
    assert pressure(one, 1, stake, restraint, NIGHT) == pytest.approx(m - 1.5)
    assert pressure(one, 0, stake + 1, restraint, NIGHT) >= m
    assert pressure(one, 0, stake, restraint + 1, NIGHT) == pytest.approx(m - 1.0)
    one.drinks += 10
    assert pressure(one, 0, stake, restraint, NIGHT) > m
    one.drinks -= 10
    one.gold *= 2
    assert pressure(one, 0, stake, restraint, NIGHT) <= m
    one.punished = NIGHT - 1
    assert pressure(one, 0, stake, restraint, NIGHT) <= m


def test_a_worked_chance_of_a_try() -> None:
    """A purse of 1,000, stake 10, five mugs, a decent house: m = .05 + .6 - .5 = .15."""
    one = somebody(is_cheat=1, gold=1000, drinks=5)
    prob = 1 / (1 + math.exp(-(math.log(1 / 3) + 0.15)))
    assert tries_to_cheat(one, FRESH, 10, 0.5, NIGHT, MINDS, prob - 1e-9)
    assert not tries_to_cheat(one, FRESH, 10, 0.5, NIGHT, MINDS, prob + 1e-9)
    wary = 1 / (1 + math.exp(-(math.log(1 / 3) + 0.15 - 1.5)))
    assert tries_to_cheat(one, WARY, 10, 0.5, NIGHT, MINDS, wary - 1e-9)
    assert not tries_to_cheat(one, WARY, 10, 0.5, NIGHT, MINDS, wary + 1e-9)


def test_where_nothing_moves_it_tau_is_the_chance() -> None:
    one = somebody(is_cheat=1, gold=1, drinks=50, punished=NIGHT)
    minds = MINDS._replace(tau_moves=0)
    assert tries_to_cheat(one, WARY, 100, 2.0, NIGHT, minds, 0.25 - 1e-9)
    assert not tries_to_cheat(one, WARY, 100, 2.0, NIGHT, minds, 0.25 + 1e-9)


@given(patrons(), st.floats(0, 20), units)
def test_an_honest_man_never_tries(one: Row, restraint: float, u: float) -> None:
    one.is_cheat = 0
    assert not tries_to_cheat(one, FRESH, 1, restraint, NIGHT, MINDS, u)


@given(patrons(), probs, st.floats(0, 20), units)
def test_a_pinned_propensity_is_the_chance(
    one: Row, propensity: float, restraint: float, u: float
) -> None:
    one.is_cheat, one.propensity = 1, propensity
    assert tries_to_cheat(one, WARY, 1, restraint, NIGHT, MINDS, u) == (u < propensity)


@given(patrons(), probs, st.integers(1, 10**12), st.floats(0, 20), units)
def test_tau_of_any_size(one: Row, tau: float, stake: int, restraint: float, u: float) -> None:
    one.is_cheat = 1
    minds = MINDS._replace(tau_logit=logit(tau))
    tried = tries_to_cheat(one, FRESH, stake, restraint, NIGHT, minds, u)
    if tau in (0.0, 1.0):
        assert tried == (tau == 1.0)
    m = pressure(one, 0, stake, restraint, NIGHT)
    assert tried == (u < logistic(logit(tau) + m))
    more = MINDS._replace(tau_logit=logit(min(1.0, tau + 0.1)))
    assert tries_to_cheat(one, FRESH, stake, restraint, NIGHT, more, u) >= tried
