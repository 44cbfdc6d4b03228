"""Who runs from a sentence, and who tries the warden."""

from __future__ import annotations

from math import exp, log
from types import SimpleNamespace as Some
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.games.chase import exact_odds, initiative_leads
from tavern_abm.patrons.decisions.justice import DREAD, flees, offers_bribe
from tavern_abm.society.judgement import BANNED, BEATEN, KILLED, OUT
from tests.strategies import units

JUSTICE = Some(runs=1, bribe_prob=0.2)
GRID = (np.arange(20_000) + 0.5) / 20_000
traits = st.floats(-4, 4)
edges = st.floats(-30, 30)


def sheet(**values: Any) -> Any:
    return Some(**{"dexterity": 10, "emotionality": 0.0, "honesty": 0.0} | values)


def share_that_runs(what: int, edge: float, **values: Any) -> float:
    runs = [flees(None, sheet(**values), what, edge, JUSTICE, u) for u in GRID.tolist()]
    return float(np.mean(runs))


@pytest.mark.parametrize("what", [BANNED, BEATEN, KILLED])
@pytest.mark.parametrize("edge", [-4, 0, 4])
def test_the_chance_is_that_of_the_formula(what: int, edge: int) -> None:
    """With the exact chance to get away in place of the estimate, within what that is off."""
    away = float(exact_odds(initiative_leads(2), edge, 0).away)
    pull = 2 * (DREAD[what] * away - 1) + 0.3 * 1.5
    slope = 2 * DREAD[what] / 4
    found = share_that_runs(what, edge, dexterity=14, emotionality=1.5)
    assert found == pytest.approx(1 / (1 + exp(-pull)), abs=0.1 * slope + 1e-4)


@given(st.sampled_from([BANNED, BEATEN, KILLED]), edges, traits, units)
def test_fear_speed_and_a_worse_sentence_only_make_him_run(
    what: int, edge: float, emotionality: float, u: float
) -> None:
    if not flees(None, sheet(emotionality=emotionality), what, edge, JUSTICE, u):
        return
    for afraid, fast, worse in ((1, 0, 0), (0, 2, 0), (0, 0, 1)):
        who = sheet(emotionality=emotionality + afraid)
        assert flees(None, who, min(KILLED, what + worse), edge + fast, JUSTICE, u)


@given(st.sampled_from([BANNED, BEATEN, KILLED]), edges, traits, units)
def test_nobody_runs_where_nobody_runs(what: int, edge: float, fear: float, u: float) -> None:
    assert not flees(None, sheet(emotionality=fear), what, edge, Some(runs=0), u)


@pytest.mark.parametrize("honesty", [-2.0, 0.0, 1.5])
@pytest.mark.parametrize("prob", [0.05, 0.5])
def test_the_odds_of_a_bribe_fall_with_honesty(honesty: float, prob: float) -> None:
    odds = prob / (1 - prob) * exp(log(0.53) * honesty)
    who, justice = sheet(honesty=honesty), Some(bribe_prob=prob)
    tries = [offers_bribe(Some(gold=500), who, BEATEN, 100, justice, u) for u in GRID.tolist()]
    assert np.mean(tries) == pytest.approx(odds / (1 + odds), abs=1e-4)


@given(traits, units)
def test_a_bribe_at_the_ends_of_its_chance(honesty: float, u: float) -> None:
    who, purse = sheet(honesty=honesty), Some(gold=500)
    assert not offers_bribe(purse, who, OUT, 100, Some(bribe_prob=0.0), u)
    assert offers_bribe(purse, who, OUT, 100, Some(bribe_prob=1.0), u)


@given(st.integers(0, 200), st.integers(-1, 200), units)
def test_nobody_pays_with_all_he_has(gold: int, sum_cp: int, u: float) -> None:
    tries = offers_bribe(Some(gold=gold), sheet(), BEATEN, sum_cp, Some(bribe_prob=1.0), u)
    assert tries == (0 < sum_cp < gold)
