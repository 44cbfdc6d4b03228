"""Long throw: loads, checks, distances, thrown people, precision, and the exact odds."""

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import sqrt
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.asking import RefusedError, read_options
from tavern_abm.chance import PLAY, THROW, roll, run_key, subkey
from tavern_abm.cli import tavern
from tavern_abm.compiled import kernel
from tavern_abm.games import long_throw as lt
from tavern_abm.games import long_throw_odds as exact
from tavern_abm.games.long_throw import (
    CABER,
    FAR,
    HEAVY,
    LIGHT,
    MEDIUM,
    PRECISION,
    TOO_HEAVY,
    TOSS,
    Contest,
    Thrower,
)
from tavern_abm.patrons.competitor import SIZES

LOG = Contest(FAR, 150, 2)
STONE = Contest(FAR, 14, 10)
JAVELIN = Contest(FAR, 2, 30, is_weapon=1)
TARGET = Contest(PRECISION, 2, 30, is_weapon=1)
CABER_LOG = Contest(CABER, 150, 2)
HALFLING = Contest(TOSS, 30, 5)
# Upper bounds of light, medium and heavy loads, as the d20 SRD prints them.
CAPACITY = {
    1: (3, 6, 10),
    2: (6, 13, 20),
    3: (10, 20, 30),
    4: (13, 26, 40),
    5: (16, 33, 50),
    6: (20, 40, 60),
    7: (23, 46, 70),
    8: (26, 53, 80),
    9: (30, 60, 90),
    10: (33, 66, 100),
    11: (38, 76, 115),
    12: (43, 86, 130),
    13: (50, 100, 150),
    14: (58, 116, 175),
    15: (66, 133, 200),
    16: (76, 153, 230),
    17: (86, 173, 260),
    18: (100, 200, 300),
    19: (116, 233, 350),
    20: (133, 266, 400),
    21: (153, 306, 460),
    22: (173, 346, 520),
    23: (200, 400, 600),
    24: (233, 466, 700),
    25: (266, 533, 800),
    26: (306, 613, 920),
    27: (346, 693, 1040),
    28: (400, 800, 1200),
    29: (466, 933, 1400),
}
naturals = st.integers(1, 20)
scores = st.integers(1, 60)
sizes = st.integers(0, 3)
weights = st.integers(1, 20_000)
flags = st.integers(0, 1)
throwers = st.builds(Thrower, scores, scores, sizes, st.integers(0, 20), flags, flags)


# ---------------------------------------------------------------- lifting


@pytest.mark.parametrize("strength", CAPACITY)
def test_carrying_capacity(strength: int) -> None:
    found = tuple(lt.load_limit(strength, 1, load) for load in (LIGHT, MEDIUM, HEAVY))
    assert found == CAPACITY[strength]


@pytest.mark.parametrize(("strength", "row", "times"), [(30, 20, 4), (39, 29, 4), (47, 27, 16)])
def test_ten_more_strength_is_four_times_as_much(strength: int, row: int, times: int) -> None:
    assert lt.maximum_load(strength, 1) == times * CAPACITY[row][2]
    assert lt.load_limit(strength, 1, LIGHT) == times * CAPACITY[row][0]


def test_who_has_no_strength_lifts_nothing() -> None:
    assert lt.load_of(0, 1, 1) == lt.load_of(-3, 1, 1) == TOO_HEAVY


def test_size_changes_loads() -> None:
    """Strength 10: 100 lb at the most; small 3/4 of it, large twice, huge four times."""
    assert [lt.maximum_load(10, size) for size in range(4)] == [75, 100, 200, 400]
    assert [lt.load_limit(10, size, LIGHT) for size in range(4)] == [24, 33, 66, 132]
    assert lt.SIZES == SIZES


def test_the_log() -> None:
    """Strength 13 to enter, a medium load from 16, a light one from 21."""
    loads = [lt.load_of(strength, 1, 150) for strength in range(1, 31)]
    assert loads.index(HEAVY) + 1 == 13
    assert loads.index(MEDIUM) + 1 == 16
    assert loads.index(LIGHT) + 1 == 21
    assert [lt.can_enter(Thrower(strength), LOG) for strength in (12, 13)] == [False, True]


@pytest.mark.parametrize(("weight", "load"), [(33, LIGHT), (34, MEDIUM), (66, MEDIUM), (67, HEAVY)])
def test_a_load_reaches_up_to_its_bound(weight: int, load: int) -> None:
    assert lt.load_of(10, 1, weight) == load


@given(scores, sizes, weights)
def test_more_strength_never_makes_heavier(strength: int, size: int, weight: int) -> None:
    load = lt.load_of(strength, size, weight)
    assert lt.load_of(strength + 1, size, weight) <= load
    assert lt.load_of(strength, min(size + 1, 3), weight) <= load
    assert (load == TOO_HEAVY) == (weight > lt.maximum_load(strength, size))


def test_penalties() -> None:
    strong = [Thrower(strength) for strength in (21, 16, 13)]
    assert [lt.load_penalty(each, LOG) for each in strong] == [0, 3, 6]


# ---------------------------------------------------------------- the check


def test_the_check_is_the_degree_of_success() -> None:
    assert lt.degree_of_success(12, Thrower(18), LOG) == 12 + 4 - 3
    assert lt.degree_of_success(12, Thrower(14), LOG) == 12 + 2 - 6
    assert lt.degree_of_success(12, Thrower(14), STONE) == 14


def test_weapon_focus_counts_for_weapons_alone() -> None:
    assert lt.check_modifier(Thrower(14, focus=1), JAVELIN) == 3
    assert lt.check_modifier(Thrower(14, focus=1), STONE) == 2


def test_far_shot_doubles_after_all_modifiers() -> None:
    archer = Thrower(18, far_shot=1, focus=1)
    assert lt.degree_of_success(12, archer, JAVELIN) == 2 * (12 + 4 + 1)
    assert lt.degree_of_success(12, archer, LOG) == 2 * (12 + 4 - 3)
    assert lt.degree_of_success(1, Thrower(13, far_shot=1), LOG) == 2 * (1 + 1 - 6)


def test_drink_and_weariness_count_on_every_roll() -> None:
    drunk = Thrower(18, 14, form=-2)
    assert lt.check_modifier(drunk, LOG) == 4 - 3 - 2
    assert lt.check_modifier(drunk, CABER_LOG) == 2 - 3 - 2
    assert lt.attack_modifier(drunk, TARGET, 1) == 2 - 2 - 8


def test_the_caber_asks_for_dexterity_and_the_load_counts() -> None:
    deft = Thrower(16, 18, far_shot=1, focus=1)
    caber = CABER_LOG._replace(is_weapon=1)
    assert lt.degree_of_success(10, deft, caber) == 10 + 4 - 3
    table_rule = caber._replace(caber_feats=1)
    assert lt.degree_of_success(10, deft, table_rule) == 2 * (10 + 4 - 3 + 1)
    assert not lt.can_enter(Thrower(12, 18), CABER_LOG)


@pytest.mark.parametrize(
    ("results", "is_in", "winners"),
    [
        ([15, 22, 7], [1, 1, 1], [0, 1, 0]),
        ([22, 22, 7], [1, 1, 1], [1, 1, 0]),
        ([22, 21, 7], [0, 1, 1], [0, 1, 0]),
        ([-4, -9, 30], [1, 1, 0], [1, 0, 0]),
        ([1, 2, 3], [0, 0, 0], [0, 0, 0]),
    ],
)
def test_the_best_wins(results: list[int], is_in: list[int], winners: list[int]) -> None:
    found = [9] * 3
    assert lt.find_best(results, is_in, found) == sum(winners)
    assert found == winners


# ---------------------------------------------------------------- distances


@pytest.mark.parametrize(
    ("total", "increments"),
    [(10, 1), (13, 1), (14, 2), (17, 2), (18, 3), (30, 6), (50, 11)],
)
def test_an_increment_at_10_and_one_for_every_4_above(total: int, increments: int) -> None:
    assert lt.flight(total, 20, 1) == 10 * 20 * increments


def test_below_10_a_part_of_an_increment_and_never_less_than_nothing() -> None:
    assert [lt.flight(total, 2, 1) for total in (9, 5, 1, 0, -7)] == [18, 10, 2, 0, 0]
    assert [lt.flight(total, 2, 0) for total in (9, 10)] == [0, 20]


def test_far_shot_doubles_the_increment_and_not_the_total() -> None:
    assert lt.distance_tenths(10, Thrower(18, far_shot=1), STONE) == 10 * 20 * 2
    assert lt.distance_tenths(10, Thrower(18), STONE) == 10 * 10 * 2
    assert lt.distance_tenths(3, Thrower(10, far_shot=1), LOG._replace(weight=1)) == 3 * 4


@given(naturals, throwers, st.sampled_from([STONE, JAVELIN, HALFLING]))
def test_a_better_roll_never_flies_less(natural: int, thrower: Thrower, contest: Contest) -> None:
    if not lt.can_enter(thrower, contest):
        return
    far = lt.distance_tenths(natural, thrower, contest)
    assert far >= 0
    assert lt.distance_tenths(natural + 1, thrower, contest) >= far


def test_a_toss_falls_short_below_15_ft() -> None:
    strong = Thrower(14)
    assert [lt.falls_short(natural, strong, HALFLING) for natural in (15, 16)] == [True, False]
    near = HALFLING._replace(toss_ft=10)
    assert [lt.falls_short(natural, strong, near) for natural in (11, 12)] == [True, False]


# ---------------------------------------------------------------- thrown people


def test_damage_of_a_landing() -> None:
    assert lt.impact(4, 18, False) == 4
    assert lt.impact(4, 18, True) == 8
    assert lt.impact(4, 7, True) == 4, "a bonus to damage is never negative"


def test_tumble_against_15_spares_the_thrown_one() -> None:
    assert [lt.lands_well(natural, 3) for natural in (11, 12)] == [False, True]


def test_stones() -> None:
    assert (lt.pelting(3, 1), lt.pelting(3, 2), lt.pelting(4, 0)) == (3, 6, 0)


# ---------------------------------------------------------------- precision


def test_the_target_moves_back_after_every_two_series() -> None:
    assert [lt.target_ft(series, TARGET) for series in range(1, 8)] == [
        120,
        120,
        150,
        150,
        180,
        180,
        210,
    ]
    slow = TARGET._replace(series_each=3, target_increments=2)
    assert [lt.target_ft(series, slow) for series in (1, 3, 4, 7)] == [60, 60, 90, 120]


def test_four_increments_cost_8_and_with_far_shot_4() -> None:
    assert lt.attack_modifier(Thrower(10), TARGET, 1) == -8
    assert lt.attack_modifier(Thrower(10, far_shot=1), TARGET, 1) == -4
    assert lt.attack_modifier(Thrower(10), TARGET, 3) == -10
    assert lt.attack_modifier(Thrower(10, far_shot=1), TARGET, 3) == -4, "150 ft are 2 of 60"


def test_what_an_attack_roll_is_made_of() -> None:
    deft = Thrower(10, 16, size=0, base_attack=5, focus=1)
    assert lt.attack_modifier(deft, TARGET, 1) == 5 + 3 + 1 + 1 - 8
    assert lt.attack_modifier(deft._replace(size=3), TARGET, 1) == 5 + 3 - 2 + 1 - 8
    log = Contest(PRECISION, 150, 2)
    assert lt.attack_modifier(Thrower(16, 16, focus=1), log, 1) == 3 - 3 - 8


@pytest.mark.parametrize(
    ("natural", "modifier", "hit"),
    [(12, -7, True), (11, -7, False), (20, -60, True), (1, 60, False), (2, 60, True)],
)
def test_hits(natural: int, modifier: int, hit: bool) -> None:
    assert lt.hits(natural, modifier, 5) is hit


def test_nobody_throws_beyond_five_of_his_own_increments() -> None:
    plain, far = Thrower(10), Thrower(10, far_shot=1)
    assert [lt.can_reach(plain, TARGET, series) for series in (4, 5)] == [True, False]
    assert [lt.can_reach(far, TARGET, series) for series in (14, 15)] == [True, False]
    assert lt.can_reach(plain, TARGET._replace(furthest=6), 5)


@pytest.mark.parametrize(
    ("has_hit", "left"),
    [
        ([1, 1, 1, 1], [1, 1, 0, 1]),
        ([1, 0, 0, 0], [1, 0, 0, 0]),
        ([0, 1, 0, 1], [0, 1, 0, 1]),
        ([0, 0, 0, 0], [1, 1, 0, 1]),
        ([0, 0, 1, 0], [1, 1, 0, 1]),
    ],
)
def test_who_misses_while_another_hits_is_out(has_hit: list[int], left: list[int]) -> None:
    """Seat 2 has been out before; what it would have hit does not count."""
    is_in = [1, 1, 0, 1]
    assert lt.after_series(is_in, has_hit) == sum(left)
    assert is_in == left


# ---------------------------------------------------------------- exact odds


def test_the_log_18_against_14() -> None:
    """+1 against -4: a is behind in 105 pairs of 400 and level in 15."""
    ends = exact.exact_odds(Thrower(18), Thrower(14), LOG)
    assert ends == (Fraction(280, 400), Fraction(105, 400), Fraction(15, 400), 0)


def by_pairs(a: Thrower, b: Thrower, contest: Contest) -> tuple[Fraction, Fraction]:
    """Count the pairs of rolls plainly."""
    wins = [0, 0]
    for x, y in product(range(1, 21), repeat=2):
        totals = [n + lt.check_modifier(who, contest) for n, who in ((x, a), (y, b))]
        for i, who in enumerate((a, b)):
            if who.far_shot and contest.style != CABER:
                totals[i] *= 2
        wins[0] += totals[0] > totals[1]
        wins[1] += totals[1] > totals[0]
    return Fraction(wins[0], 400), Fraction(wins[1], 400)


@pytest.mark.parametrize("contest", [LOG, STONE, JAVELIN, CABER_LOG])
@pytest.mark.parametrize("far_shots", [(0, 0), (0, 1), (1, 0), (1, 1)])
@pytest.mark.parametrize("strengths", [(13, 13), (18, 14), (13, 24), (30, 16)])
def test_odds_are_the_pairs_counted(
    contest: Contest, far_shots: tuple[int, int], strengths: tuple[int, int]
) -> None:
    a, b = (Thrower(s, 30 - s, far_shot=f) for s, f in zip(strengths, far_shots, strict=True))
    ends = exact.exact_odds(a, b, contest)
    assert sum(ends) == 1
    assert (ends.a_wins, ends.b_wins) == by_pairs(a, b, contest)
    assert ends.nobody == 0


@given(throwers, throwers, st.sampled_from([STONE, TARGET, HALFLING, CABER_LOG]))
def test_odds_add_up_and_turn_with_the_seats(a: Thrower, b: Thrower, contest: Contest) -> None:
    if not (lt.can_enter(a, contest) and lt.can_enter(b, contest)):
        return
    ends, turned = exact.exact_odds(a, b, contest), exact.exact_odds(b, a, contest)
    assert sum(ends) == 1
    assert (turned.a_wins, turned.b_wins) == (ends.b_wins, ends.a_wins)
    assert (turned.tie, turned.nobody) == (ends.tie, ends.nobody)


def test_a_toss_nobody_wins() -> None:
    """The hay is 3 increments away, which takes 18: a natural 16 and a natural 17."""
    ends = exact.exact_odds(Thrower(14), Thrower(12), HALFLING)
    assert ends.nobody == Fraction(15, 20) * Fraction(16, 20)
    assert ends.tie == Fraction(4, 400)
    assert ends.a_wins == Fraction(5 * 16 + 1 + 2 + 3 + 4, 400)


def by_recursion(p: Sequence[float], q: Sequence[float]) -> tuple[float, float]:
    """Chances at precision when series `i` is hit with chances `p[i]` and `q[i]`."""
    if not p:
        return 0.0, 0.0
    later = by_recursion(p[1:], q[1:])
    stay = p[0] * q[0] + (1 - p[0]) * (1 - q[0])
    return p[0] * (1 - q[0]) + stay * later[0], q[0] * (1 - p[0]) + stay * later[1]


def test_precision_series_by_series() -> None:
    """-8 needs 13 of 20, at 150 ft 15; after four series both share."""
    ends = exact.exact_odds(Thrower(10), Thrower(10, 14), TARGET)
    p, q = [0.4, 0.4, 0.3, 0.3], [0.5, 0.5, 0.4, 0.4]
    assert (float(ends.a_wins), float(ends.b_wins)) == pytest.approx(by_recursion(p, q))
    assert float(ends.tie) == pytest.approx(np.prod([0.5, 0.5, 0.54, 0.54]))


def test_far_shot_wins_where_others_cannot_reach() -> None:
    """At 180 ft he throws alone: 0.5 twice, 0.5 twice, 0.4 four times, 0.3 twice."""
    ends = exact.exact_odds(Thrower(10, far_shot=1), Thrower(10), TARGET)
    p = [0.6] * 4 + [0.5] * 4 + [0.4] * 4 + [0.3] * 2
    q = [0.4] * 2 + [0.3] * 2 + [0.0] * 10
    assert (float(ends.a_wins), float(ends.b_wins)) == pytest.approx(by_recursion(p, q))


def test_a_target_that_nobody_can_reach_is_shared() -> None:
    far = TARGET._replace(target_increments=11)
    assert exact.exact_odds(Thrower(10, far_shot=1), Thrower(30), far) == (0, 0, 1, 0)


def test_the_longest_contest_that_may_be_asked_for_can_be_solved() -> None:
    longest = TARGET._replace(series_each=5, furthest=10, target_increments=1)
    far = Thrower(10, far_shot=1)
    series = exact.exact_series(far, far, longest)
    assert max(n for _, n in series) == 100
    assert sum(series.values()) == 1


def test_chances_of_distances() -> None:
    found = exact.exact_distances(Thrower(18), LOG)
    assert sum(found.values()) == 1
    assert list(found) == sorted(found)
    assert (found[20], found[40], found[60]) == (Fraction(4, 20),) * 3
    assert found[4] == Fraction(1, 20), "a natural 1 makes 2: 0.4 ft"


# ---------------------------------------------------------------- what may be asked


def asked(**given: Any) -> dict[str, Any]:
    return read_options(lt.ODDS.options, given) | {"given": set(given)}


def refused(**given: Any) -> str:
    with pytest.raises(RefusedError) as error:
        lt.ODDS.answer(asked(**given))
    return f"{error.value.option}: {error.value}"


def test_the_answer_for_the_log() -> None:
    data = lt.ODDS.answer(asked(score_a=18, score_b=14, object="log")).data
    assert (data["a_wins"], data["b_wins"], data["tie"]) == (
        Fraction(7, 10),
        Fraction(21, 80),
        Fraction(3, 80),
    )
    assert data["a"] == {"load": "medium", "penalty": 3, "modifier": 1}
    assert data["b"] == {"load": "heavy", "penalty": 6, "modifier": -4}
    assert data["distances_ft"]["a"]["0.4"] == Fraction(1, 20)
    assert data["mean_distance_ft"]["a"] == Fraction(
        4 + 6 + 8 + 10 + 12 + 14 + 16 + 18 + 4 * (20 + 40 + 60), 200
    )


def test_the_command_prints_it() -> None:
    given = ["--score-a", "18", "--score-b", "14", "--object", "log", "--json"]
    assert json.loads(CliRunner().invoke(tavern, ["odds", "long-throw", *given]).output)[
        "a_wins"
    ] == {
        "exact": "7/10",
        "value": 0.7,
    }


@pytest.mark.parametrize("style", lt.STYLES)
def test_every_style_has_an_object_of_its_own_and_adds_up(style: str) -> None:
    answer = lt.ODDS.answer(asked(style=style, score_a=16, score_b=15))
    ends = [answer.data.get(end, 0) for end in ("a_wins", "b_wins", "tie", "nobody")]
    assert sum(ends) == 1
    assert answer.data["object"] == lt.OBJECTS[lt.STYLES.index(style)]
    assert all(len(line) < 100 for line in answer.lines)


def test_an_object_nobody_can_lift() -> None:
    assert refused(score_a=10, object="log") == (
        "score_a: a cannot lift the log: 150 lb is above the maximum load of 100 lb"
        " at Strength 10 (long-throw)"
    )
    assert refused(score_a=18, score_b=13, size_b="small", object="log") == (
        "score_b: b cannot lift the log: 150 lb is above the maximum load of 112 lb"
        " at Strength 13 and small size (long-throw)"
    )


def test_other_nonsense() -> None:
    assert "the stone is no weapon" in refused(focus_a=True)
    assert "a toss needs a person to toss, and the stone is none" in refused(
        style="toss", object="stone"
    )
    assert "no such object: 'lgo' (did you mean 'log'?)" in refused(object="lgo")
    with pytest.raises(RefusedError, match="must lie in 1 to 60"):
        asked(score_a=0)


@pytest.mark.parametrize("style", ["far", "caber", "toss"])
def test_a_throw_off_leaves_no_tie_and_goes_by_the_odds_of_a_throw(style: str) -> None:
    plain, off = (
        lt.ODDS.answer(asked(style=style, score_a=16, score_b=15, throw_off=throw_off)).data
        for throw_off in (False, True)
    )
    assert off["tie"] == 0
    assert off["a_wins"] / off["b_wins"] == plain["a_wins"] / plain["b_wins"]
    assert off.get("nobody") == plain.get("nobody")
    assert off["a_wins"] + off["b_wins"] + off.get("nobody", 0) == 1


@pytest.mark.parametrize(
    ("style", "said", "goes_with"),
    [
        ("far", {"distance": 5}, "style toss"),
        ("precision", {"distance": 30}, "style toss"),
        ("far", {"caber_feats": True}, "style caber"),
        ("caber", {"target_ac": 7}, "style precision"),
        ("toss", {"target_increments": 3}, "style precision"),
        ("far", {"series_each": 3}, "style precision"),
        ("caber", {"furthest": 4}, "style precision"),
        ("caber", {"short_counts": False}, "styles far and toss"),
        ("toss", {"base_attack_b": 1}, "style precision"),
        ("far", {"dexterity_a": 12}, "styles precision and caber"),
    ],
)
def test_an_option_of_another_style(style: str, said: dict[str, Any], goes_with: str) -> None:
    (name,) = said
    text = f"{name}: it goes with the {goes_with}, not with {style} (long-throw)"
    assert refused(style=style, score_a=16, score_b=16, **said) == text


def test_an_option_of_another_style_may_stand_at_its_default() -> None:
    assert lt.ODDS.answer(asked(distance=15)).data == lt.ODDS.answer(asked()).data


def test_nobody_ties_at_a_target() -> None:
    assert refused(style="precision", throw_off=True).startswith("throw_off: a throw-off is for")


def test_options_of_a_table_fit_the_evening() -> None:
    assert len(lt.OPTIONS) <= 8
    assert lt.to_contest(30, 5, False, {"style": "toss"}) == HALFLING
    values = read_options([lt.STYLE, *lt.RULINGS, *lt.TARGET], {"style": "toss"})
    assert lt.to_contest(30, 5, False, values) == HALFLING


# ---------------------------------------------------------------- simulated


@kernel
def count_ends(
    key: int, n: int, a: Thrower, b: Thrower, contest: Contest, room: Any, counts: Any
) -> None:
    results, is_in, winners, has_hit = room[0], room[1], room[2], room[3]
    for number in range(n):
        throw_key = subkey(key, PLAY, number)
        is_in[:] = 1
        if contest.style == PRECISION:
            series, n_left = 1, 2
            while n_left > 1 and (
                lt.can_reach(a, contest, series) or lt.can_reach(b, contest, series)
            ):
                for i in range(2):
                    one = a if i == 0 else b
                    natural = roll(throw_key, THROW, 2 * series + i, 20)
                    modifier = lt.attack_modifier(one, contest, series)
                    hit = lt.hits(natural, modifier, contest.target_ac)
                    has_hit[i] = 1 if hit and lt.can_reach(one, contest, series) else 0
                n_left = lt.after_series(is_in, has_hit)
                series += 1
            for i in range(2):
                winners[i] = is_in[i]
        else:
            for i in range(2):
                one = a if i == 0 else b
                natural = roll(throw_key, THROW, i, 20)
                results[i] = lt.degree_of_success(natural, one, contest)
                if contest.style == TOSS and lt.falls_short(natural, one, contest):
                    is_in[i] = 0
            lt.find_best(results, is_in, winners)
        counts[winners[0] + 2 * winners[1]] += 1


def simulate(loop: Callable[..., None], n: int, contest: Contest) -> list[int]:
    counts, room = np.zeros(4, np.int64), np.zeros((4, 2), np.int64)
    a, b = Thrower(18, 12, far_shot=1), Thrower(14, 16, focus=1)
    loop(run_key(77), n, a, b, contest, room, counts)
    return counts.tolist()


@pytest.mark.parametrize("contest", [LOG, JAVELIN, TARGET, CABER_LOG, HALFLING])
def test_a_million_contests_come_out_as_the_exact_odds(contest: Contest) -> None:
    n = 1_000_000
    nobody, a, b, tie = simulate(count_ends, n, contest)
    ends = exact.exact_odds(Thrower(18, 12, far_shot=1), Thrower(14, 16, focus=1), contest)
    for count, prob in zip((a, b, tie, nobody), ends, strict=True):
        assert abs(count / n - prob) <= 4 * sqrt(prob * (1 - prob) / n)


@pytest.mark.parametrize("contest", [LOG, TARGET, HALFLING])
def test_kernel_and_plain_python_throw_the_same(contest: Contest) -> None:
    plain = getattr(count_ends, "py_func", count_ends)
    assert simulate(count_ends, 1000, contest) == simulate(plain, 1000, contest)
