"""Arm wrestling: the printed rules, the exact odds and a second solver beside them."""

from collections.abc import Callable
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavern_abm.asking import RefusedError, read_options
from tavern_abm.chance import PLAY, THROW, roll, run_key, subkey
from tavern_abm.compiled import kernel
from tavern_abm.games import arm_wrestling as aw
from tavern_abm.games.arm_wrestling import (
    A_WINS,
    B_WINS,
    DRAW,
    TARGET,
    WRESTLING,
    Arm,
    Bout,
    after_checks,
    after_round,
    arm,
    clasp,
    exact_odds,
)

ORDINARY = arm(0, 10, 0)
# Strength modifier of a; a wins, b wins, draw, mean rounds with Strength checks.
PRINTED = {
    0: (0.498564, 0.498564, 0.002872, 6.826),
    1: (0.630499, 0.366834, 0.002667, 6.699),
    4: (0.911498, 0.087616, 0.000886, 5.273),
}
PAIRS = {
    "both Con 10": (ORDINARY, ORDINARY),
    "Con 3 against 18": (arm(0, 3, 0), arm(0, 18, 0)),
    "strong Con 3 against 18": (arm(4, 3, 0), arm(0, 18, 0)),
    "Endurance": (arm(0, 10, 1), ORDINARY),
    "both Con 3": (arm(0, 3, 0), arm(0, 3, 0)),
    "Con 1 against 1": (arm(0, 1, 0), arm(2, 1, 0)),
    "off hand": (arm(aw.handicap(1, 0, 0), 10, 0), ORDINARY),
    "tired off hand": (arm(3 + aw.handicap(1, 0, 1), 14, 1), arm(1, 9, 0)),
    "giants": (arm(12, 29, 1), arm(11, 31, 0)),
    "far apart": (arm(30, 10, 0), ORDINARY),
}
arms = st.builds(arm, st.integers(-5, 15), st.integers(1, 40), st.integers(0, 1))
naturals = st.integers(1, 20)


# ---------------------------------------------------------------- the bout


def test_the_difference_moves_the_lead() -> None:
    bout = after_round(clasp(), arm(2, 10, 0), ORDINARY, 10, 5, TARGET)
    assert bout == Bout(1, 7, 0, 0, WRESTLING)
    assert after_round(bout, arm(2, 10, 0), ORDINARY, 1, 15, TARGET).lead == -5


@pytest.mark.parametrize(
    ("lead", "a", "b", "ended"),
    [(19, 2, 1, A_WINS), (18, 2, 1, WRESTLING), (-19, 1, 2, B_WINS), (-19, 1, 1, WRESTLING)],
)
def test_twenty_ahead_wins(lead: int, a: int, b: int, ended: int) -> None:
    assert after_round(Bout(5, lead, 0, 0, 0), ORDINARY, ORDINARY, a, b, TARGET).ended == ended


def test_other_targets() -> None:
    assert after_round(clasp(), ORDINARY, ORDINARY, 15, 5, 10).ended == A_WINS
    assert after_round(clasp(), ORDINARY, ORDINARY, 20, 1, 30).ended == WRESTLING


def test_as_many_rounds_as_constitution_are_free() -> None:
    for rounds in range(10):
        assert not aw.must_check(rounds, 10)
        standing = Bout(rounds, 1, 0, 0, WRESTLING)
        assert after_checks(standing, ORDINARY, ORDINARY, 1, 1) == standing
    assert aw.must_check(10, 10)


def test_the_dc_rises_with_each_check_of_ones_own() -> None:
    assert [aw.check_dc(rounds, 10) for rounds in (10, 11, 14)] == [10, 11, 14]
    assert aw.check_dc(14, 12) == 12
    assert aw.holds_out(10, ORDINARY, 10)
    assert not aw.holds_out(11, ORDINARY, 10)


def test_constitution_and_endurance_help_to_hold_out() -> None:
    assert aw.holds_out(16, arm(0, 16, 0), 7)
    assert not aw.holds_out(16, arm(0, 16, 0), 6)
    assert aw.holds_out(16, arm(0, 16, 1), 3)
    assert not aw.holds_out(16, arm(0, 16, 1), 2)


def test_failing_loses_whoever_leads() -> None:
    late = Bout(10, 19, 0, 0, WRESTLING)
    assert after_checks(late, ORDINARY, ORDINARY, 9, 10) == Bout(10, 19, 1, 0, B_WINS)
    assert after_checks(late, ORDINARY, ORDINARY, 10, 9) == Bout(10, 19, 0, 1, A_WINS)
    assert after_checks(late, ORDINARY, ORDINARY, 10, 10) == late


@pytest.mark.parametrize(("lead", "ended"), [(1, A_WINS), (-1, B_WINS), (0, DRAW)])
def test_both_fail_and_the_lead_decides(lead: int, ended: int) -> None:
    late = Bout(12, lead, 0, 0, WRESTLING)
    assert after_checks(late, ORDINARY, ORDINARY, 1, 1) == Bout(12, lead, 1, 1, ended)


def test_only_who_is_past_his_constitution_checks() -> None:
    bout = Bout(10, 0, 0, 0, WRESTLING)
    assert after_checks(bout, ORDINARY, arm(0, 11, 0), 9, 1).ended == B_WINS
    assert after_checks(bout, ORDINARY, arm(0, 11, 0), 10, 1).ended == WRESTLING


@pytest.mark.parametrize(
    ("off_hand", "two_weapon", "tired", "taken"),
    [(0, 0, 0, 0), (1, 0, 0, -2), (1, 1, 0, 0), (0, 1, 0, 0), (0, 0, 1, -2), (1, 0, 1, -4)],
)
def test_handicaps(off_hand: int, two_weapon: int, tired: int, taken: int) -> None:
    assert aw.handicap(off_hand, two_weapon, tired) == taken


def test_damage_is_never_less_than_the_die() -> None:
    assert [aw.damage(1, bonus) for bonus in (-4, 0, 4)] == [1, 1, 5]


@given(arms, arms, st.integers(0, 60), st.integers(-19, 19), naturals, naturals)
def test_swapping_the_two_turns_the_bout_about(
    a: Arm, b: Arm, rounds: int, lead: int, x: int, y: int
) -> None:
    turned = {WRESTLING: WRESTLING, A_WINS: B_WINS, B_WINS: A_WINS, DRAW: DRAW}
    for step in (after_checks, lambda *given: after_round(*given, TARGET)):
        one = step(Bout(rounds, lead, 0, 0, WRESTLING), a, b, x, y)
        other = step(Bout(rounds, -lead, 0, 0, WRESTLING), b, a, y, x)
        assert (one.lead, one.tired_a, one.tired_b) == (-other.lead, other.tired_b, other.tired_a)
        assert one.ended == turned[other.ended]


# ---------------------------------------------------------------- exact odds


@pytest.mark.parametrize("strength", PRINTED)
def test_printed_odds(strength: int) -> None:
    a_wins, b_wins, draw, mean_rounds = PRINTED[strength]
    odds = exact_odds(arm(strength, 10, 0), ORDINARY)
    assert float(odds.a_wins) == pytest.approx(a_wins, abs=5e-7)
    assert float(odds.b_wins) == pytest.approx(b_wins, abs=5e-7)
    assert float(odds.draw) == pytest.approx(draw, abs=5e-7)
    assert float(odds.mean_rounds) == pytest.approx(mean_rounds, abs=5e-4)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("target", [1, 20, 45])
def test_a_second_solver_agrees(pair: str, target: int) -> None:
    odds = exact_odds(*PAIRS[pair], target)
    assert odds.a_wins + odds.b_wins + odds.draw == 1
    assert [float(each) for each in odds] == pytest.approx(solved(*PAIRS[pair], target), abs=1e-12)


def solved(a: Arm, b: Arm, target: int) -> list[float]:
    """The same by a matrix over leads and floats, written without the rules."""
    size = 2 * target - 1
    leads = np.arange(size) - (target - 1)
    difference = np.convolve(np.ones(20), np.ones(20)) / 400  # of two d20, -19 to 19
    gap = leads[None, :] - leads[:, None] - (a.pull - b.pull)
    move = np.where(abs(gap) < 20, difference[np.clip(gap, -19, 19) + 19], 0.0)
    over = leads[:, None] + np.arange(-19, 20)[None, :] + a.pull - b.pull
    to_a, to_b = (over >= target) @ difference, (over <= -target) @ difference
    p = (leads == 0).astype(float)
    a_wins = b_wins = draw = a_tires = b_tires = mean = 0.0
    for done in range(200):
        hold_a, hold_b = (
            1.0 if done < one.wind else max(0, min(20, 11 + one.stamina - done + one.wind)) / 20
            for one in (a, b)
        )
        both = (1 - hold_a) * (1 - hold_b)
        a_wins += p.sum() * hold_a * (1 - hold_b) + both * p[leads > 0].sum()
        b_wins += p.sum() * hold_b * (1 - hold_a) + both * p[leads < 0].sum()
        draw += both * p[leads == 0].sum()
        a_tires += p.sum() * (1 - hold_a)
        b_tires += p.sum() * (1 - hold_b)
        p = p * hold_a * hold_b
        mean += p.sum()
        a_wins, b_wins, p = a_wins + p @ to_a, b_wins + p @ to_b, p @ move
    return [a_wins, b_wins, draw, a_tires, b_tires, mean]


@settings(max_examples=25)
@given(arms, arms)
def test_swapping_the_two_swaps_their_odds(a: Arm, b: Arm) -> None:
    here, there = exact_odds(a, b), exact_odds(b, a)
    assert (here.a_wins, here.b_wins) == (there.b_wins, there.a_wins)
    assert (here.draw, here.mean_rounds) == (there.draw, there.mean_rounds)
    assert (here.a_tires, here.b_tires) == (there.b_tires, there.a_tires)


@settings(max_examples=25)
@given(arms, arms)
def test_only_the_difference_of_strength_counts(a: Arm, b: Arm) -> None:
    up = [one._replace(pull=one.pull + 7) for one in (a, b)]
    assert exact_odds(a, b) == exact_odds(*up)


def test_long_wind_and_endurance_win_long_bouts() -> None:
    plain = exact_odds(ORDINARY, ORDINARY).a_wins
    assert exact_odds(arm(0, 10, 1), ORDINARY).a_wins > plain
    assert exact_odds(arm(0, 18, 0), arm(0, 3, 0)).a_wins > plain
    assert exact_odds(arm(-2, 10, 0), ORDINARY).a_wins < plain


def test_within_the_wind_of_both_nobody_tires() -> None:
    odds = exact_odds(arm(40, 10, 0), ORDINARY)
    assert odds.a_tires == odds.b_tires == odds.draw == 0


# ---------------------------------------------------------------- the question


def ask(**given: object) -> dict[str, Fraction]:
    asked = read_options(aw.ODDS.options, given) | {"given": set(given)}
    return dict(aw.ODDS.answer(asked).data)


def test_the_question_with_modifiers_and_scores() -> None:
    asked = ask(strength_a=4, strength_b=0, con_a=10, con_b=10)
    assert asked == exact_odds(arm(4, 10, 0), ORDINARY)._asdict()
    assert list(asked)[:3] == ["a_wins", "b_wins", "draw"]


def test_the_question_with_everything() -> None:
    asked = ask(
        strength_a=3, con_a=14, endurance_a=True, off_hand_a=True, tired_a=True,
        strength_b=1, con_b=9, off_hand_b=True, two_weapon_b=True, target=30,
    )  # fmt: skip
    assert asked == exact_odds(arm(-1, 14, 1), arm(1, 9, 0), 30)._asdict()


def test_the_answer_can_be_read() -> None:
    asked = read_options(aw.ODDS.options, {"strength_a": 1}) | {"given": {"strength_a"}}
    lines = aw.ODDS.answer(asked).lines
    assert lines[1] == "  a: d20+1 a round; after 10 rounds d20+0 to hold out"
    assert lines[-1] == "Rounds on average: 6.699"


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"con_a": 0}, "must lie in 1 to 60"),
        ({"target": 0}, "must lie in 1 to 200"),
        ({"strenth_a": 1}, "did you mean 'strength_a'"),
    ],
)
def test_nonsense_is_refused(given: dict[str, object], problem: str) -> None:
    with pytest.raises(RefusedError, match=problem):
        ask(**given)


# ---------------------------------------------------------------- simulated


@kernel
def count_ends(key: int, n_bouts: int, a: Arm, b: Arm, target: int, counts: np.ndarray) -> None:
    for number in range(n_bouts):
        bout_key = subkey(key, PLAY, number)
        bout = clasp()
        while bout.ended == WRESTLING:
            index = 4 * bout.rounds
            x = roll(bout_key, THROW, index, 20)
            bout = after_checks(bout, a, b, x, roll(bout_key, THROW, index + 1, 20))
            if bout.ended == WRESTLING:
                x = roll(bout_key, THROW, index + 2, 20)
                bout = after_round(bout, a, b, x, roll(bout_key, THROW, index + 3, 20), target)
        counts[bout.ended] += 1
        counts[4] += bout.tired_a
        counts[5] += bout.tired_b
        counts[6] += bout.rounds
        counts[7] += bout.rounds * bout.rounds


def simulate(loop: Callable[..., None], n: int, pair: str, target: int = TARGET) -> list[int]:
    counts = np.zeros(8, np.int64)
    loop(run_key(2024), n, *PAIRS[pair], target, counts)
    return counts.tolist()


@pytest.mark.parametrize("pair", ["both Con 10", "strong Con 3 against 18", "tired off hand"])
def test_a_million_bouts_come_out_as_the_exact_odds(pair: str) -> None:
    n = 1_000_000
    counts = simulate(count_ends, n, pair)
    odds = exact_odds(*PAIRS[pair])
    assert sum(counts[1:4]) == n
    for found, prob in zip(counts[1:6], odds[:5], strict=True):
        assert abs(found / n - prob) <= 4 * sqrt(prob * (1 - prob) / n)
    variance = counts[7] / n - (counts[6] / n) ** 2
    assert abs(counts[6] / n - odds.mean_rounds) <= 4 * sqrt(variance / n)


@pytest.mark.parametrize("pair", PAIRS)
def test_kernel_and_plain_python_wrestle_the_same(pair: str) -> None:
    plain = getattr(count_ends, "py_func", count_ends)
    assert simulate(count_ends, 200, pair) == simulate(plain, 200, pair)
