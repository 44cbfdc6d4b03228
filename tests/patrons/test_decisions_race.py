"""Decisions about races: plain numbers and one uniform number in, a choice out."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.compiled import kernel
from tavern_abm.games.contests import NO_BET
from tavern_abm.games.race_sheet import PACING, SPRINTING, STEADY
from tavern_abm.patrons.columns import SHEET
from tavern_abm.patrons.decisions.general import logistic
from tavern_abm.patrons.decisions.race import (
    DECISIONS,
    backs_racer,
    chooses_pace,
    enters_race,
    gives_up,
    racing_form,
    takes_damage,
    talent,
)

units = st.floats(0, 1, exclude_max=True)
EVEN = [(i + 0.5) / 2000 for i in range(2000)]


@pytest.mark.parametrize(("n", "modifier", "exact"), [(10, 1, 0.6499), (20, 2, 0.8631)])
def test_form_comes_near_the_exact_odds_of_two(n: int, modifier: int, exact: float) -> None:
    """Exact: wins and half of the ties."""
    assert logistic(racing_form(modifier, n)) == pytest.approx(exact, abs=0.015)


def entered(win_prob: float, n: int = 4, **more: Any) -> int:
    values = {"stake": 10, "purse": 10**6, "wounds": 0, "rationality": 4.0, "thrill": 0.0} | more
    return sum(enters_race(win_prob, n, *values.values(), u) for u in EVEN)


def test_the_better_the_chance_the_likelier_he_enters() -> None:
    found = [entered(p / 10) for p in range(11)]
    assert found == sorted(found)
    assert found[0] < 0.02 * len(EVEN) < 0.98 * len(EVEN) < found[10]
    assert entered(0.25) == pytest.approx(len(EVEN) / 2, abs=1)


def test_wounds_and_a_stake_that_weighs_keep_him_out() -> None:
    assert entered(0.25, wounds=8) < entered(0.25, wounds=4) < entered(0.25)
    assert entered(0.25, purse=20) < entered(0.25, purse=200) < entered(0.25)
    assert entered(1.0, purse=9) == 0


def test_onlookers_back_the_favourite_until_the_book_is_full_of_him() -> None:
    def backed(bets: list[int]) -> Counter[int]:
        return Counter(backs_racer([1.0, 0.0], bets, 10, 4.0, 0.25, u) for u in EVEN)

    fresh, full = backed([0, 0]), backed([500, 0])
    assert set(fresh) == {0, 1, NO_BET}
    assert fresh[0] > fresh[1]
    assert full[1] > full[0]


@given(
    st.floats(0, 1000),
    st.floats(-1000, 1000),
    st.lists(st.tuples(st.floats(-100, 100), st.integers(0, 10**6)), min_size=1, max_size=12),
    units,
)
def test_whatever_an_onlooker_thinks_he_backs_a_racer_or_nobody(
    rationality: float, thrill: float, racers: list[tuple[float, int]], u: float
) -> None:
    forms, bets = [form for form, _ in racers], [bet for _, bet in racers]
    assert NO_BET <= backs_racer(forms, bets, 10, rationality, thrill, u) < len(racers)


def test_who_leads_tries_again_and_who_is_hopelessly_behind_gives_up() -> None:
    assert not any(gives_up(20, 10, u) for u in EVEN[20:])
    assert all(gives_up(-200, 2, u) for u in EVEN)
    assert sum(gives_up(-60, 12, u) for u in EVEN) < 0.1 * len(EVEN)


@given(st.integers(-500, 500), st.integers(0, 100), units)
def test_the_further_behind_the_sooner_he_gives_up(lead: int, left: int, u: float) -> None:
    assert gives_up(lead, left, u) <= gives_up(lead - 10, left, u)
    # With more to come there is more to hope for, unless he leads anyway.
    if lead < 0:
        assert gives_up(lead, left + 1, u) <= gives_up(lead, left, u)


def test_damage_is_taken_where_it_is_less_than_what_would_be_lost() -> None:
    taken = [sum(takes_damage(7.0, loss, u) for u in EVEN) for loss in (0.0, 16.0, 21.0, 100.0)]
    assert taken == sorted(taken)
    assert taken[2] == len(EVEN) / 2
    assert taken[0] < 0.2 * len(EVEN) < 0.99 * len(EVEN) < taken[3]


def test_a_pace_by_how_long_one_lasts() -> None:
    """In a short race all sprint; in one that outlasts them nobody does."""
    short = Counter(chooses_pace(6, 14, 10, u) for u in EVEN)
    assert short[SPRINTING] > short[STEADY] > short[PACING]
    long = Counter(chooses_pace(10, 10, 20, u) for u in EVEN)
    assert long[PACING] > long[STEADY] > long[SPRINTING]
    assert set(short) | set(long) == {PACING, STEADY, SPRINTING}


@given(st.integers(-10, 60), st.integers(1, 60), st.integers(1, 100), units)
def test_a_pace_of_any_body(modifier: int, constitution: int, n: int, u: float) -> None:
    assert chooses_pace(modifier, constitution, n, u) in (PACING, STEADY, SPRINTING)


@kernel
def all_of_them(forms: np.ndarray, bets: np.ndarray, us: np.ndarray, found: np.ndarray) -> None:
    for i in range(len(us)):
        u = us[i]
        found[i, 0] = enters_race(0.1 * (i % 10), 4, 10, 1000, i % 3, 4.0, 0.25, u)
        found[i, 1] = backs_racer(forms, bets, 10, 4.0, 0.25, u)
        found[i, 2] = gives_up(-i, 5, u)
        found[i, 3] = takes_damage(7.0, i / 10, u)
        found[i, 4] = chooses_pace(6, 12, 20, u)


def test_compiled_they_decide_the_same() -> None:
    us, forms, bets = np.array(EVEN[::10]), np.array([0.2, 1.5, 0.3]), np.array([0, 20, 10])
    found, plain = np.zeros((2, len(us), 5), np.int64)
    all_of_them(forms, bets, us, found)
    getattr(all_of_them, "py_func", all_of_them)(forms, bets, us, plain)
    assert found.tolist() == plain.tolist()


def test_talent_is_about_standard() -> None:
    sheet = np.zeros(2, SHEET).view(np.recarray)
    sheet.strength, sheet.constitution, sheet.speed_ft = [10, 14], [11, 12], [30, 30]
    low, high = talent(None, sheet)  # type: ignore[arg-type]
    assert abs(low) < 0.1
    assert 1 < high < 2


def test_they_are_listed() -> None:
    assert list(DECISIONS) == [
        "enters_race",
        "backs_racer",
        "gives_up",
        "takes_damage",
        "chooses_pace",
    ]
