"""The bar: how many mugs are wanted, and what a purse allows."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tavern_abm import TavernModel
from tavern_abm.town.bar import MAX_MUGS, mugs_afforded, poisson
from tests.strategies import DICE_ALONE, purses, units

SURE = 1e-4


@pytest.mark.parametrize("mean", [0.0, 0.1, 0.625, 2.5, 20.0])
def test_mugs_are_poisson(mean: float) -> None:
    """The share of [0, 1) that gives n mugs is n's probability."""
    none = math.exp(-mean)
    law = stats.poisson(mean)
    for n in range(int(mean + 8 * math.sqrt(mean)) + 2):
        edge = float(law.cdf(n))
        if edge < 1 - 1e-9:
            assert poisson(edge - 1e-10, mean, none) <= n
            assert poisson(edge + 1e-10, mean, none) == n + 1


def test_drawn_mugs_follow_the_law() -> None:
    u = (np.arange(50_000) + 0.5) / 50_000
    found = np.bincount([poisson(each, 0.625, math.exp(-0.625)) for each in u.tolist()])
    np.testing.assert_allclose(found[:5] / 50_000, stats.poisson(0.625).pmf(range(5)), atol=2e-5)


@given(units, st.floats(0, 20))
def test_there_is_an_end_to_it(u: float, mean: float) -> None:
    assert 0 <= poisson(u, mean, math.exp(-mean)) <= MAX_MUGS


@pytest.mark.parametrize(
    ("gold", "drunk", "mugs"),
    [
        (39, 0, 0),
        (40, 0, 1),
        (79, 0, 1),
        (80, 0, 2),
        (100, 0, 2),
        (96, 1, 1),
        (36, 1, 0),
        (0, 0, 0),
    ],
)
def test_worked_thirsts(gold: int, drunk: int, mugs: int) -> None:
    assert mugs_afforded(gold, 4, drunk) == mugs


@given(purses, st.integers(1, 10**6), st.integers(0, 60))
def test_tonights_drink_stays_within_a_tenth(gold: int, mug: int, drunk: int) -> None:
    """The most that keeps (mugs had and more) x price within a tenth of the morning's purse."""
    more = mugs_afforded(gold, mug, drunk)
    morning = gold + drunk * mug
    assert 0 <= more * mug <= gold
    if more:
        assert 10 * (drunk + more) * mug <= morning
    assert 10 * (drunk + more + 1) * mug > morning


def test_free_beer_has_no_limit() -> None:
    assert mugs_afforded(0, 0, 5) == MAX_MUGS


def test_what_a_town_drinks() -> None:
    """Rich people want Poisson(2.5) mugs an evening, and pay for each."""
    model = TavernModel(
        DICE_ALONE,
        rng=2,
        patrons=1000,
        **{"population.purse_days": 10_000.0, "population.leave_prob": 0.0},
    )
    model.run_for(6)
    night = model.nights
    n = night.guests.sum()
    # Who is thrown out drinks no more, so a little less than the mean.
    assert night.mugs.sum() <= 2.5 * n + 4 * math.sqrt(2.5 * n)
    assert night.mugs.sum() >= 0.97 * 2.5 * n - 4 * math.sqrt(2.5 * n)
    assert (night.drinks_cp == 4 * night.mugs).all()
    assert model.people.drinks_cp.sum() == night.drinks_cp.sum()
    stayed = model.people.drinks[model.people.tavern == 0]
    found = np.bincount(np.minimum(stayed, 8), minlength=9)
    law = stats.poisson(2.5)
    expected = np.append(law.pmf(range(8)), law.sf(7)) * len(stayed)
    assert stats.chisquare(found, expected).pvalue > SURE


def test_poor_people_drink_within_a_tenth() -> None:
    settings = {"rounds_per_night": 0, "population.purse_days": 2.0, "taverns.0.mugs_mean": 20.0}
    # No rounds: no sittings and nothing to drink. One round: one sitting.
    dry = TavernModel(DICE_ALONE, rng=2, patrons=100, **settings)
    dry.run_for(1)
    assert dry.nights.mugs.sum() == 0
    model = TavernModel(
        DICE_ALONE,
        rng=2,
        patrons=100,
        **settings | {"rounds_per_night": 1, "taverns.0.tables": []},
    )
    model.run_for(1)
    people = model.people
    out = people.tavern == 0
    had = people.gold + 4 * people.drinks
    assert out.sum() > 20
    assert (10 * 4 * people.drinks <= had)[out].all()
    assert (people.drinks[out] == had[out] // 10 // 4).mean() > 0.5  # most wanted more
