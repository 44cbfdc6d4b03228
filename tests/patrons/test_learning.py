"""Learning what pays: the formula by hand, Polya's urn, and what people begin with."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm import Scenario, TavernModel, chance
from tavern_abm.data_tables import load_tables
from tavern_abm.patrons.columns import Row, blank_people
from tavern_abm.patrons.decisions.learning import chooses, cost_of, learn, reinforced
from tavern_abm.patrons.traits import generate
from tests.strategies import DICE_ALONE

quantities = st.floats(0.01, 1e6)
rewards = st.floats(-1e6, 1e6)


def learner(q_cheat: float, q_honest: float, reference: float, is_tricking: int) -> Row:
    one = blank_people(1)[0]
    one.q_cheat, one.q_honest, one.reference = q_cheat, q_honest, reference
    one.is_tricking = is_tricking
    return one


def test_a_turn_by_hand() -> None:
    """He cheats, wins 3 stakes and is used to 0.5: R = 2.5."""
    one = learner(2.0, 8.0, 0.5, 1)
    learn(one, 3.0)
    assert one.q_cheat == pytest.approx(0.98 * 2 + 2.5 * 0.95)
    assert one.q_honest == pytest.approx(0.98 * 8 + 2.5 * 0.05)
    assert one.reference == pytest.approx(0.95 * 0.5 + 0.05 * 3)


def test_an_honest_turn_by_hand() -> None:
    one = learner(2.0, 8.0, 0.0, 0)
    learn(one, -1.0)
    assert one.q_cheat == pytest.approx(0.98 * 2 - 0.05)
    assert one.q_honest == pytest.approx(0.98 * 8 - 0.95)
    assert one.reference == pytest.approx(-0.05)


def test_a_beating_teaches() -> None:
    one = learner(5.0, 5.0, 0.0, 1)
    learn(one, -1.0 - cost_of(False, 0, True))
    assert one.q_cheat == 0.01
    assert one.q_honest == pytest.approx(4.9 - 0.45)


@pytest.mark.parametrize(
    ("sentence", "cost"),
    [((False, 0, False), 0), ((True, 0, False), 1), ((False, 7, False), 3.5), ((0, 0, True), 8)],
)
def test_what_sentences_cost(sentence: tuple[bool, int, bool], cost: float) -> None:
    assert cost_of(*sentence) == cost


@given(quantities, rewards, st.booleans())
def test_no_propensity_is_given_up(q: float, reward: float, is_chosen: bool) -> None:
    after = reinforced(q, reward, is_chosen, 0.98, 0.05, 0.01)
    assert after >= 0.01
    assert reinforced(q, reward + 1, is_chosen, 0.98, 0.05, 0.01) >= after


@given(quantities, quantities)
def test_the_share_is_the_chance(q_cheat: float, q_honest: float) -> None:
    share = q_cheat / (q_cheat + q_honest)
    assert chooses(q_cheat, q_honest, share * (1 - 1e-9))
    assert not chooses(q_cheat, q_honest, share * (1 + 1e-9) + 1e-12)


def test_without_forgetting_it_is_polyas_urn() -> None:
    """Start 1 + 9, a reward of 1, 100 draws: mean 1/10, variance 0.00743801... of the share.

    For Polya's urn the share after n draws has mean a/s and variance
    a b n (s + n) / (s^2 (s + 1) (s + n)^2), with s = a + b.
    """
    a, b, n, n_runs = 1, 9, 100, 4000
    s = a + b
    variance = float(Fraction(a * b * n, s * s * (s + 1) * (s + n)))
    assert variance == pytest.approx(0.0074380, abs=5e-8)
    shares = np.empty(n_runs)
    for run in range(n_runs):
        key, q, p = chance.run_key(5, run), float(a), float(b)
        for at in range(n):
            cheats = chooses(q, p, chance.unit(key, chance.LEARN, at))
            q = reinforced(q, 1.0, cheats, 1.0, 0.0, 0.01)
            p = reinforced(p, 1.0, not cheats, 1.0, 0.0, 0.01)
        shares[run] = q / (q + p)
    assert q + p == s + n
    assert shares.mean() == pytest.approx(a / s, abs=4 * (variance / n_runs) ** 0.5)
    fourth = ((shares - a / s) ** 4).mean()
    assert shares.var() == pytest.approx(variance, abs=4 * ((fourth - variance**2) / n_runs) ** 0.5)


def test_people_begin_with_ten_and_what_they_are() -> None:
    pinned = [{"name": "Ada", "propensity": 0.6}, {"name": "Bram", "cheat": False}]
    scenario = Scenario.model_validate(
        {"patrons": 300, "people": pinned, "minds": {"tau": 0.3, "start_honest": 0.05}}
    )
    people, _ = generate(np.arange(1, 301), 5, scenario, load_tables(), [1.0])
    assert people.q_cheat[0] == pytest.approx(6.0)
    assert people.q_cheat[1] == pytest.approx(0.5)
    kind = people.is_cheat[2:] == 1
    assert people.q_cheat[2:][kind] == pytest.approx(3.0)
    assert people.q_cheat[2:][~kind] == pytest.approx(0.5)
    assert people.q_cheat + people.q_honest == pytest.approx(10.0)
    assert not people.reference.any()


# ---------------------------------------------------------------- in the evening


def played(**settings: object) -> TavernModel:
    model = TavernModel(DICE_ALONE, rng=3, **{"patrons": 60, **settings})  # type: ignore[arg-type]
    model.run_for(10)
    return model


def test_switched_off_nobody_learns_and_honest_men_stay_so() -> None:
    model = played()
    honest = model.people.is_cheat == 0
    assert not model.people.tries[honest].any()
    assert not model.people.is_tricking.any()
    assert not model.people.reference.any()


def test_honest_men_cheat_where_people_learn() -> None:
    model = played(**{"minds.learning": "reinforcement", "minds.start_honest": 0.3})
    honest = model.people.is_cheat == 0
    assert model.people.tries[honest].sum() > 20
    assert (model.people.first_try[model.people.tries > 0] > 0).all()
    assert not model.people.first_try[model.people.tries == 0].any()
    assert model.people.reference.any()
