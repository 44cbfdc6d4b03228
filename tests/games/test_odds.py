"""Exact odds: the solver and its dice."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.games import odds


@given(st.integers(2, 20), st.integers(1, 3))
def test_throws_cover_everything_once(faces: int, n_dice: int) -> None:
    throws = list(odds.throws(n_dice, odds.fair_die(faces)))
    assert len({dice for dice, _ in throws}) == faces**n_dice
    assert sum(prob for _, prob in throws) == 1


@given(st.fractions(0, 1), st.integers(1, 6))
def test_a_weighted_die_adds_up(prob: Fraction, favoured: int) -> None:
    die = odds.weighted_die(6, favoured, prob)
    assert sum(die.values()) == 1
    assert die[favoured] == prob
    assert len({p for face, p in die.items() if face != favoured}) == 1


def test_a_sixth_is_a_fair_die() -> None:
    assert odds.weighted_die(6, 6, Fraction(1, 6)) == odds.fair_die(6)


@pytest.mark.parametrize("prob", [Fraction(-1, 10), Fraction(11, 10)])
def test_a_chance_beyond_its_range_is_refused(prob: Fraction) -> None:
    with pytest.raises(ValueError, match="must lie in 0 to 1"):
        odds.weighted_die(6, 6, prob)


def test_gather_adds_equal_outcomes_and_drops_the_impossible() -> None:
    third = Fraction(1, 3)
    assert odds.gather([("a", third), ("b", third), ("a", third), ("c", Fraction(0))]) == {
        "a": 2 * third,
        "b": third,
    }


def test_a_ruined_gambler() -> None:
    """From 3 of 10 coins, fair tosses, at most four of them: counted by hand."""

    def step(state: tuple[int, int]) -> list[tuple[tuple[int, int], Fraction]] | None:
        coins, tosses = state
        if coins == 0 or tosses == 4:
            return None
        return [((coins + won, tosses + 1), Fraction(1, 2)) for won in (-1, 1)]

    ends = odds.solve((3, 0), step, lambda state: state[0])
    assert ends == {
        0: Fraction(1, 8),
        1: Fraction(3, 16),
        3: Fraction(6, 16),
        5: Fraction(4, 16),
        7: Fraction(1, 16),
    }
