"""What people decide in a chase."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.games.chase import HAZARD, HIDE, RUN, exact_odds, hazard_prob, hide_prob
from tavern_abm.patrons.decisions import chase as decide
from tests.strategies import units

leads = st.integers(1, 29)
modifiers = st.integers(-10, 20)
edges = st.floats(-40, 40)


def test_the_estimate_is_near_the_exact_odds() -> None:
    for lead in range(1, 30):
        for edge in range(-6, 7):
            exact = float(exact_odds(lead, edge, 0).away)
            assert decide.escape_prob(lead, edge) == pytest.approx(exact, abs=0.05)


@given(st.floats(-100, 100), st.floats(-1e6, 1e6))
def test_the_estimate_is_a_chance(lead: float, edge: float) -> None:
    assert 0 <= decide.escape_prob(lead, edge) <= 1


@given(leads, edges)
def test_more_lead_and_more_speed_never_hurt(lead: int, edge: float) -> None:
    here = decide.escape_prob(lead, edge)
    assert decide.escape_prob(lead + 1, edge) >= here - 1e-12
    assert decide.escape_prob(lead, edge + 0.5) >= here - 1e-9


@given(st.integers(-30, 30))
def test_chances_of_checks_are_the_exact_ones(modifier: int) -> None:
    assert decide.hide_chance(modifier) == float(hide_prob(modifier))
    made, cleared = decide.pass_prob(modifier - 2, 14), decide.pass_prob(1, 12)
    assert made * (1 - cleared) == pytest.approx(float(hazard_prob(2, modifier, 1)))


@given(leads, st.integers(-15, 15), modifiers, st.sampled_from([0, 5]), modifiers, modifiers, units)
def test_the_penalty_is_the_best_that_can_be_paid(
    lead: int, edge: int, own: int, base_cost: int, dexterity: int, balance: int, u: float
) -> None:
    most = lead - 1 - base_cost
    if most < 0:
        return
    chosen = decide.hazard_penalty(lead, edge, own, most, base_cost, dexterity, balance, u)
    worth = [
        decide.hazard_worth(lead, edge, own, p, base_cost + p, dexterity, balance)
        for p in range(most + 1)
    ]
    assert 0 <= chosen <= most
    assert worth[chosen] == pytest.approx(max(worth), abs=1e-8)


def shares(choose: object, n: int = 20_000) -> Counter[int]:
    found: Counter[int] = Counter()
    for i in range(n):
        found[choose((i + 0.5) / n)] += 1  # type: ignore[operator]
    return found


def test_tactics_are_chosen_by_what_they_are_worth() -> None:
    found = shares(lambda u: decide.chooses_tactic(0.4, 0.6, 0.3, u))
    weights = {RUN: math.exp(4.8), HIDE: math.exp(7.2), HAZARD: math.exp(3.6)}
    for tactic, weight in weights.items():
        assert found[tactic] / 20_000 == pytest.approx(weight / sum(weights.values()), abs=1e-3)


@given(units)
def test_what_is_not_allowed_is_not_chosen(u: float) -> None:
    assert decide.chooses_tactic(0.0, -1.0, -1.0, u) == RUN
    assert decide.chooses_tactic(0.0, 1.0, -1.0, u) != HAZARD
    assert decide.chooses_tactic(0.0, -1.0, 1.0, u) != HIDE


@given(st.lists(st.floats(-1e4, 1e4), min_size=1, max_size=5), units)
def test_a_way_is_one_of_those_on_offer(edges: list[float], u: float) -> None:
    assert 0 <= decide.chooses_way(edges, u) < len(edges)


def test_ways_are_chosen_by_what_is_gained_there() -> None:
    found = shares(lambda u: decide.chooses_way([2.0, -1.0, 0.0], u))
    weights = [math.exp(1.0), math.exp(-0.5), 1.0]
    for way, weight in enumerate(weights):
        assert found[way] / 20_000 == pytest.approx(weight / sum(weights), abs=1e-3)


@given(st.integers(-60, 60), units)
def test_one_tries_again_as_long_as_there_is_hope(lead: int, u: float) -> None:
    assert decide.presses_on(lead, True, u) == (lead > -30)
    assert decide.presses_on(lead, False, u) == (lead < 30)


@given(st.floats(-100, 1000), st.floats(0, 240), units)
def test_damage_is_taken_the_rather_the_more_it_saves(saved: float, harm: float, u: float) -> None:
    if decide.rather_hurt(saved, harm, u):
        assert decide.rather_hurt(saved + 1, harm, u)
    else:
        assert not decide.rather_hurt(saved, harm + 1, u)
