"""Evidence is exact: likelihoods of a round against an enumeration of its own."""

import math
from collections import defaultdict
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from tavern_abm.games.rotting_toes import LOSE, VOID, WIN
from tavern_abm.society.evidence import (
    LOST,
    WON,
    evidence_arrays,
    exact_llr,
    exactly,
    honest_expectation,
)

CENTURY = Fraction(1, 100)
QUARTER = Fraction(1, 4)
# Thievery +6, tau 1/4, false alarm 0.01, DC 19.
TABLE = {
    0: {
        (WIN, 0): 0.1597,
        (WIN, 1): 1.1808,
        (WIN, 2): 2.0340,
        (LOSE, 0): -0.5329,
        (LOSE, 1): 2.2130,
        (LOSE, 2): 2.8407,
    },
    1: {
        (WIN, 0): 0.1088,
        (WIN, 1): 0.1055,
        (WIN, 2): 0.0986,
        (LOSE, 0): -0.5434,
        (LOSE, 1): -0.5403,
        (LOSE, 2): -0.5367,
    },
}
OTHERS = [
    (Fraction(1, 4), 6, 19, CENTURY),
    (Fraction(1), 6, 19, CENTURY),
    (Fraction(1, 10), 0, 19, Fraction(1, 20)),
    (Fraction(2, 3), 12, 24, Fraction(1, 1000)),
    (Fraction(1, 2), -5, 5, Fraction(1, 3)),
    (Fraction(3, 7), 30, 40, CENTURY),
]


def brute_force(
    tau: Fraction, thievery: int, dc: int, alarm: Fraction, failed: int
) -> dict[tuple[int, int, int], Fraction]:
    """P(end, odd throws, failed checks after): every course of three throws written out.

    A throw falls doubles by itself, is left as it is, is turned or is a
    failed check; and it looks odd or not. Throws after the end count once.
    """
    doubles = (Fraction(13, 18), Fraction(4, 9), Fraction(1, 6))
    found: dict[tuple[int, int, int], Fraction] = defaultdict(Fraction)
    courses = product(("fell", "left", "turned", "slipped"), repeat=3)
    for course, odd in product(courses, product((0, 1), repeat=3)):
        prob, pairs, fails, n_odd, end = Fraction(1), 0, failed, 0, 0
        for number in range(3):
            if end:
                if (course[number], odd[number]) != ("fell", 0):
                    prob = Fraction(0)
                continue
            success = Fraction(min(20, max(0, 21 + thievery - dc - 2 * fails)), 20)
            plain = 1 - doubles[number]
            prob *= {
                "fell": doubles[number],
                "left": plain * (1 - tau),
                "turned": plain * tau * success,
                "slipped": plain * tau * (1 - success),
            }[course[number]]
            pairs += course[number] in ("fell", "turned")
            fails += course[number] == "slipped"
            if course[number] == "slipped":
                prob *= odd[number]
            else:
                prob *= alarm if odd[number] else 1 - alarm
            n_odd += odd[number]
            if fails == 2:
                end = VOID
            elif pairs == 2:
                end = WIN
            elif number == 2 or (number == 1 and pairs == 0):
                end = LOSE
        found[end, n_odd, fails] += prob
    return {key: prob for key, prob in found.items() if prob}


@pytest.mark.parametrize("failed", [0, 1])
def test_the_published_table(failed: int) -> None:
    table = exact_llr(tau=QUARTER, thievery=6, false_alarm=CENTURY, failed=failed)
    for view, llr in TABLE[failed].items():
        assert table[view].llr == pytest.approx(llr, abs=1e-4)


def test_the_marginals_of_a_cheat() -> None:
    table = exact_llr(tau=QUARTER, thievery=6, false_alarm=CENTURY)
    ends = {
        end: sum(each.cheat for view, each in table.items() if view[0] == end) for end in (1, 2, 3)
    }
    assert ends == {
        WIN: Fraction(41317, 82944),
        LOSE: Fraction(6715, 13824),
        VOID: Fraction(1337, 82944),
    }


@pytest.mark.parametrize("failed", [0, 1])
@pytest.mark.parametrize(("tau", "thievery", "dc", "alarm"), OTHERS)
def test_the_same_as_written_out(
    tau: Fraction, thievery: int, dc: int, alarm: Fraction, failed: int
) -> None:
    table = exact_llr(tau=tau, thievery=thievery, dc=dc, false_alarm=alarm, failed=failed)
    cheat = brute_force(tau, thievery, dc, alarm, failed)
    honest = brute_force(Fraction(0), thievery, dc, alarm, failed)
    views = {(end, n_odd) for end, n_odd, _ in [*cheat, *honest]}
    assert set(table) == views
    for view in views:
        a, h = (sum(p for key, p in each.items() if key[:2] == view) for each in (cheat, honest))
        assert table[view] == (a, h)
        if a and h:
            assert table[view].llr == pytest.approx(math.log(a) - math.log(h), abs=1e-9)


@pytest.mark.parametrize("failed", [0, 1])
@pytest.mark.parametrize(("tau", "thievery", "dc", "alarm"), OTHERS)
def test_what_an_honest_hand_is_charged_with_averages_out(
    tau: Fraction, thievery: int, dc: int, alarm: Fraction, failed: int
) -> None:
    """The honest expectation of e^LLR is 1 less the chance that the cheat is caught."""
    table = exact_llr(tau=tau, thievery=thievery, dc=dc, false_alarm=alarm, failed=failed)
    caught = sum(each.cheat for view, each in table.items() if view[0] == VOID)
    assert honest_expectation(table) == 1 - caught
    floats = sum(float(each.honest) * math.exp(each.llr) for each in table.values() if each.honest)
    assert floats == pytest.approx(float(1 - caught), abs=1e-12)


def test_the_identity_at_the_defaults() -> None:
    table = exact_llr(tau=0.25, thievery=6, false_alarm=0.01)
    assert honest_expectation(table) == 1 - Fraction(1337, 82944) == Fraction(81607, 82944)


def test_only_a_cheat_is_caught_and_an_always_cheat_cannot_lose() -> None:
    table = exact_llr(tau=1, thievery=6, false_alarm=CENTURY)
    assert table[VOID, 2].llr == math.inf
    assert table[LOSE, 0].llr == -math.inf


def test_without_false_alarms_an_odd_throw_settles_it() -> None:
    table = exact_llr(tau=QUARTER, thievery=6, false_alarm=0)
    assert table[WIN, 1].llr == math.inf
    assert (WIN, 3) not in table
    courses = brute_force(QUARTER, 6, 19, Fraction(0), 0)
    slipped = sum(prob for (_, _, fails), prob in courses.items() if fails)
    assert honest_expectation(table) == 1 - slipped


@pytest.mark.parametrize(("tau", "thievery", "dc", "alarm"), OTHERS)
def test_the_arrays_hold_the_same(tau: Fraction, thievery: int, dc: int, alarm: Fraction) -> None:
    arrays = evidence_arrays(tau=tau, thievery=thievery, dc=dc, false_alarm=alarm)
    assert (arrays.cheat.shape, arrays.honest.shape) == ((2, 2, 4, 2), (2, 4))
    assert arrays.honest.sum() == pytest.approx(1, abs=1e-12)
    for failed in (0, 1):
        cheat = brute_force(tau, thievery, dc, alarm, failed)
        for (end, n_odd, after), prob in cheat.items():
            if end != VOID:
                at = (failed, WON if end == WIN else LOST, n_odd, after)
                assert arrays.cheat[at] == pytest.approx(float(prob), abs=1e-12)
        not_void = sum(prob for (end, _, _), prob in cheat.items() if end != VOID)
        assert arrays.cheat[failed].sum() == pytest.approx(float(not_void), abs=1e-12)
    for (end, n_odd, _), prob in brute_force(Fraction(0), thievery, dc, alarm, 0).items():
        at = (WON if end == WIN else LOST, n_odd)
        assert arrays.honest[at] == pytest.approx(float(prob), abs=1e-12)


def test_arrays_are_kept_and_cannot_be_written() -> None:
    arrays = evidence_arrays(tau=0.25, thievery=6, false_alarm=0.01)
    assert evidence_arrays(tau=QUARTER, thievery=6, false_alarm="1/100") is arrays
    assert arrays.cheat.dtype == arrays.honest.dtype == np.float64
    with pytest.raises(ValueError, match="read-only"):
        arrays.cheat[0, 0, 0, 0] = 1


def test_numbers_are_taken_as_written() -> None:
    assert exactly(0.1) == exactly("0.1") == exactly(np.float64(0.1)) == Fraction(1, 10)
    assert exactly(1) == 1
