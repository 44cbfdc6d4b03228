"""What to tell, what to believe, whether to lie: each with the chance its page gives."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.patrons.decisions.general import logistic, logit
from tavern_abm.patrons.decisions.talk import (
    CLAIMS,
    INTEREST,
    IS_SHAMEFUL,
    WON,
    believes,
    lies,
    tells,
)
from tests.strategies import probs

ANYBODY: Any = None
SLOPE = math.log(0.53)
GRID = [(i + 0.5) / 2000 for i in range(2000)]


def chance_of(decision: Any, *args: Any) -> float:
    """The share of all uniform numbers for which somebody decides to."""
    return sum(bool(decision(ANYBODY, *args, u)) for u in GRID) / len(GRID)


def test_there_is_a_weight_for_every_claim_and_their_mean_is_one() -> None:
    assert len(INTEREST) == len(IS_SHAMEFUL) == len(CLAIMS)
    assert sum(INTEREST) / len(INTEREST) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("claim", range(len(CLAIMS)), ids=CLAIMS)
def test_a_rumour_is_told_by_its_interest(claim: int) -> None:
    expected = min(1.0, 0.5 * INTEREST[claim])
    assert chance_of(tells, claim, False, 0.5) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("claim", range(len(CLAIMS)), ids=CLAIMS)
def test_nobody_tells_what_shames_himself(claim: int) -> None:
    told = chance_of(tells, claim, True, 0.5)
    assert (told == 0.0) == bool(IS_SHAMEFUL[claim])


def test_where_nothing_is_told_nothing_is() -> None:
    assert not tells(ANYBODY, WON, False, 0.0, 0.0)


@given(st.floats(0.0, 0.999), st.floats(0.001, 0.999), probs)
def test_a_rumour_is_believed_by_trust(b: float, b0: float, prob: float) -> None:
    expected = min(1.0, prob * (1.0 - b) / (1.0 - b0))
    assert chance_of(believes, b, b0, prob) == pytest.approx(expected, abs=1e-3)


def test_one_as_trusted_as_a_stranger_is_believed_as_the_scenario_says() -> None:
    assert chance_of(believes, 0.1, 0.1, 0.7) == pytest.approx(0.7, abs=1e-3)
    assert chance_of(believes, 1.0, 0.1, 0.7) == 0.0


@given(st.floats(-4.0, 4.0), st.floats(0.001, 0.999))
def test_a_lie_has_the_odds_of_honesty(honesty: float, prob: float) -> None:
    expected = logistic(logit(prob) + SLOPE * honesty)
    assert chance_of(lies, honesty, SLOPE, prob) == pytest.approx(expected, abs=1e-3)


@given(st.floats(-5.0, 5.0), st.floats(0.0, 1.0, exclude_max=True))
def test_where_nobody_lies_nobody_does_and_where_all_do_everybody_does(
    honesty: float, u: float
) -> None:
    assert not lies(ANYBODY, honesty, SLOPE, 0.0, u)
    assert lies(ANYBODY, honesty, SLOPE, 1.0, u)
