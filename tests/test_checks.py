"""d20 conventions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.checks import HARD_DC, ability_modifier, degree, opposed, passes

naturals = st.integers(1, 20)
modifiers = st.integers(-10, 40)


@pytest.mark.parametrize(
    ("score", "modifier"), [(1, -5), (3, -4), (8, -1), (9, -1), (10, 0), (11, 0), (12, 1), (18, 4)]
)
def test_ability_modifiers(score: int, modifier: int) -> None:
    assert ability_modifier(score) == modifier


def test_the_dc_itself_is_enough() -> None:
    assert passes(13, 6, HARD_DC)
    assert not passes(12, 6, HARD_DC)


def test_no_natural_roll_decides_by_itself() -> None:
    assert not passes(20, 0, 21)
    assert passes(1, 18, HARD_DC)


@given(naturals, modifiers, st.integers(-5, 60))
def test_the_degree_has_the_sign_of_success(natural: int, modifier: int, dc: int) -> None:
    assert passes(natural, modifier, dc) == (degree(natural, modifier, dc) >= 0)


@given(naturals, modifiers, naturals, modifiers)
def test_opposed_checks_are_fair_to_both(a: int, mod_a: int, b: int, mod_b: int) -> None:
    assert opposed(a, mod_a, b, mod_b) == -opposed(b, mod_b, a, mod_a)
    assert opposed(a, mod_a, a, mod_a) == 0
