"""Going out, the stake, accusing: worked examples, ranges and what moves them which way."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.patrons.columns import NOBODY, Row, blank_people
from tavern_abm.patrons.decisions import Policy, shipped_decisions
from tavern_abm.patrons.decisions.general import (
    STAKES,
    Minds,
    accuses,
    can_pay_entry,
    goes_out,
    logistic,
    logit,
    may_enter,
    table_stake,
    tavern_appeal,
)
from tests.strategies import patrons, probs, purses, units

MINDS = Minds(
    tau_logit=logit(0.25),
    tau_moves=1,
    thrill=0.25,
    ride_the_cheat=1,
    go_out_prob=0.6,
    drink_penalty=1,
)
NIGHT = 20


def somebody(**columns: float) -> Row:
    """One row, with these columns."""
    one = blank_people(1)[0]
    for name, value in columns.items():
        setattr(one, name, value)
    return one


@given(st.floats(-1e308, 1e308))
def test_logistic_is_a_probability_and_never_overflows(x: float) -> None:
    assert 0.0 <= logistic(x) <= 1.0
    assert logistic(x) + logistic(-x) == pytest.approx(1.0, abs=1e-12)


def test_logistic_at_the_ends() -> None:
    assert logistic(math.inf) == 1.0
    assert logistic(-math.inf) == 0.0
    assert logistic(0.0) == 0.5
    assert (logit(0.0), logit(1.0)) == (-math.inf, math.inf)


@given(st.floats(1e-9, 1 - 1e-9))
def test_logit_is_its_inverse(p: float) -> None:
    assert logistic(logit(p)) == pytest.approx(p, rel=1e-9)


# ---------------------------------------------------------------- going out


@pytest.mark.parametrize(
    ("gold", "wage", "prob"),
    [
        (500, 100, 0.6),  # five days' wages
        (250, 100, 0.3),
        (10_000, 100, 0.6),
        (0, 100, 0.0),
        (7, 0, 0.6),  # nobody without a wage thinks twice
    ],
)
def test_worked_chances_of_going_out(gold: int, wage: int, prob: float) -> None:
    one = somebody(gold=gold, wage=wage)
    if prob > 0:
        assert goes_out(one, MINDS, NIGHT, prob - 1e-9)
    assert not goes_out(one, MINDS, NIGHT, prob + 1e-9)


@given(patrons(), units, purses)
def test_the_richer_go_out_more(one: Row, u: float, more: int) -> None:
    went = goes_out(one, MINDS, NIGHT, u)
    one.gold += more
    assert goes_out(one, MINDS, NIGHT, u) >= went


@given(patrons(), probs, units)
def test_nobody_goes_out_more_than_the_most(one: Row, most: float, u: float) -> None:
    minds = MINDS._replace(go_out_prob=most)
    assert not goes_out(one, minds, NIGHT, max(u, most))


def test_what_the_door_costs() -> None:
    assert can_pay_entry(10, 2, 4)
    assert not can_pay_entry(9, 2, 4)
    assert can_pay_entry(0, 0, 0)


@pytest.mark.parametrize(
    ("columns", "tavern", "may"),
    [
        ({}, 0, True),
        ({}, NOBODY, False),
        ({"bruised_until": NIGHT}, 0, False),
        ({"bruised_until": NIGHT - 1}, 0, True),
        ({"low_until": NIGHT}, 0, False),
        ({"low_until": NIGHT - 1}, 0, True),
        ({"banned_from": 0, "banned_until": NIGHT}, 0, False),
        ({"banned_from": 0, "banned_until": NIGHT - 1}, 0, True),
        ({"banned_from": 1, "banned_until": NIGHT}, 0, True),
    ],
)
def test_who_may_enter(columns: dict[str, int], tavern: int, may: bool) -> None:
    assert may_enter(somebody(**columns), tavern, NIGHT) == may


def test_what_draws_to_a_house() -> None:
    as_any = (0.0, 0.0, 0.0)
    assert tavern_appeal(somebody(gold=1000), 2.0, 10, *as_any) == pytest.approx(1.9)
    assert tavern_appeal(somebody(gold=10), 0.0, 10, *as_any) == pytest.approx(-10.0)
    assert tavern_appeal(somebody(gold=0), 0.0, 0, *as_any) == 0.0
    # Better by a band, far off, and of ill repute.
    assert tavern_appeal(somebody(gold=1000), 2.0, 10, 0.5, 0.0, 0.0) == pytest.approx(2.4)
    assert tavern_appeal(somebody(gold=1000), 2.0, 10, 0.0, 1.0, 0.0) == pytest.approx(0.9)
    assert tavern_appeal(somebody(gold=1000), 2.0, 10, 0.0, 0.0, -0.25) == pytest.approx(1.65)


# ---------------------------------------------------------------- the stake


@pytest.mark.parametrize(
    ("median", "stake"),
    [(0, 1), (49, 1), (50, 1), (99, 1), (100, 2), (249, 2), (250, 5), (2500, 50), (5000, 100)],
)
def test_worked_stakes(median: int, stake: int) -> None:
    assert table_stake(median) == stake


@given(purses, purses)
def test_the_stake_is_the_largest_of_two_percent(median: int, more: int) -> None:
    stake = table_stake(median)
    assert stake in STAKES
    assert stake == 1 or stake <= 0.02 * median
    assert not any(stake < each <= median / 50 for each in STAKES)
    assert table_stake(median + more) >= stake


# ---------------------------------------------------------------- accusing


@pytest.mark.parametrize(
    ("drinks", "lost_face_until", "threshold"),
    [
        (0, -1, 0.7),
        (2, -1, 0.7),
        (5, -1, 0.4),
        (0, NIGHT, 1.4),
        (0, NIGHT - 1, 0.7),
        (12, NIGHT, 0.4),
    ],
)
def test_worked_thresholds(drinks: int, lost_face_until: int, threshold: float) -> None:
    one = somebody(threshold=0.7, drinks=drinks, lost_face_until=lost_face_until)
    above, below = threshold + 1e-9, threshold - 1e-9
    assert accuses(one, above, NIGHT, 0.3, 0.7, 0.29)
    assert not accuses(one, below, NIGHT, 0.3, 0.7, 0.29)
    assert not accuses(one, above, NIGHT, 0.3, 0.7, 0.3)


@given(patrons(), st.floats(-6, 6), st.floats(0, 12), probs, st.floats(0, 10), units)
def test_the_surer_and_the_drunker_accuse_more(
    one: Row, belief: float, more: float, prob: float, lost_face: float, u: float
) -> None:
    spoke = accuses(one, belief, NIGHT, prob, lost_face, u)
    assert not (spoke and u >= prob)
    assert accuses(one, belief + more, NIGHT, prob, lost_face, u) >= spoke
    one.drinks += 3
    assert accuses(one, belief, NIGHT, prob, lost_face, u) >= spoke
    one.lost_face_until = NIGHT - 1
    assert accuses(one, belief, NIGHT, prob, lost_face, u) >= spoke


# ---------------------------------------------------------------- the set of them


def test_the_shipped_decisions() -> None:
    general = {"goes_out", "tavern_appeal", "game_appeal", "table_stake", "accuses"}
    assert general | {"bets", "tries_to_cheat"} <= set(shipped_decisions())
    policy = Policy()
    assert all(policy[name] is decision for name, decision in shipped_decisions().items())
    assert list(policy) == list(shipped_decisions())


def test_ones_own_decision_stands_in_the_place_of_ours() -> None:
    def mine(patron: Row, minds: Minds, night: int, u: float) -> bool:
        return True

    policy = Policy(goes_out=mine)
    assert policy["goes_out"] is mine
    assert policy["accuses"] is accuses
    assert "goes_out=" in repr(policy)


@pytest.mark.parametrize(("wrong", "near"), [("tries_to_chaet", "tries_to_cheat"), ("bet", "bets")])
def test_an_unknown_decision_names_the_nearest(wrong: str, near: str) -> None:
    with pytest.raises(TypeError, match=f"'{wrong}' .*did you mean '{near}'"):
        Policy(**{wrong: goes_out})


def test_an_unknown_decision_like_none_names_them_all() -> None:
    with pytest.raises(TypeError, match="there are goes_out, tavern_appeal"):
        Policy(xyzzy=goes_out)
