"""Races: the printed rules, the sample marathon, the exact odds and a million races."""

import json
from fractions import Fraction
from itertools import product
from math import sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.asking import RefusedError, read_options, to_json
from tavern_abm.chance import PLAY, THROW, roll, run_key, subkey
from tavern_abm.compiled import kernel
from tavern_abm.courses import Course, Leg, Way, load_course, plain_course, to_array
from tavern_abm.data_tables import DataError
from tavern_abm.games import race, race_odds, race_sheet
from tavern_abm.games.race import (
    BARRED,
    CHOOSE,
    DROWNED,
    ENDURE,
    FORFEITED,
    GAVE_UP,
    GIVE_UP,
    HARM,
    HURT,
    HURT_MOUNT,
    LOSE_GROUND,
    MOVE,
    NEEDS,
    NOTHING,
    OUT,
    PASS,
    RESTS,
    RIDE,
    RUNNING,
    TAKE_DAMAGE,
    TOTAL,
    TRY_AGAIN,
)
from tavern_abm.patrons.competitor import Competitor

ORDINARY = Competitor("Ann", mount_jump=0)
"""All modifiers 0, speed 30, a horse of Strength 16 and speed 60."""


def leg(kind: str = "foot", n: int = 1, dc: int | None = None, drowns_by: int = 0) -> Leg:
    return Leg(kind, n, "", dc, (0,) * n, drowns_by)


def course(*legs: Leg, ways: tuple[Way, ...] = (), damage_instead: bool = False) -> Any:
    return to_array(Course("", "", "", legs, ways), damage_instead)


def obstacle(at: int = 1, skill: str = "jump", dc: int = 15, **more: Any) -> Way:
    return Way(at, False, "", skill, dc, **more)


def hazard(at: int = 1, skill: str = "balance", dc: int = 15, **more: Any) -> Way:
    return Way(at, True, "", skill, dc, **more)


def run(rows: Any, who: Any, *thrown: int, needs: tuple[int, ...] | None = None) -> list[int]:
    """Run a course with these dice and choices, all of them needed; say where he ends."""
    racer = [0] * race.N_RACER
    left, asked = list(thrown), []
    while racer[OUT] == RUNNING and race.completed(racer) < len(rows):
        race.enter(racer, rows, who)
        while racer[NEEDS] != NOTHING:
            asked.append(int(racer[NEEDS]))
            race.after(racer, rows, who, left.pop(0))
    assert not left
    if needs is not None:
        assert tuple(asked) == needs
    return racer


def total(rows: Any, who: Any, *thrown: int) -> int:
    racer = run(rows, who, *thrown)
    assert racer[OUT] == RUNNING
    return int(racer[TOTAL])


# ---------------------------------------------------------------- checks


def test_lengths() -> None:
    assert (race.DASH, race.TYPICAL, race.MARATHON) == (2, 10, 20)
    assert [race.Length().read(word) for word in ("dash", "typical", "marathon", 7)] == [
        2,
        10,
        20,
        7,
    ]


@pytest.mark.parametrize(
    ("sheet", "kind", "skill", "modifier"),
    [
        ({"strength": 14}, race_sheet.FOOT, race_sheet.STRENGTH, 2 + 6),
        ({"speed_ft": 25}, race_sheet.FOOT, race_sheet.STRENGTH, 4),
        ({"feats": ("Run",)}, race_sheet.FOOT, race_sheet.STRENGTH, 6 + 2),
        ({"feats": ("Run",)}, race_sheet.FOOT, race_sheet.JUMP, 6 + 2),
        ({"feats": ("Run",)}, race_sheet.SWIM, race_sheet.SWIMMING, 6),
        ({"swim": 5}, race_sheet.SWIM, race_sheet.SWIMMING, 5 + 6),
        ({"swim": 5, "swim_ft": 10}, race_sheet.SWIM, race_sheet.SWIMMING, 5 + 2),
        ({"climb": 3}, race_sheet.CLIMB, race_sheet.CLIMBING, 3 + 6),
        ({"climb": 3, "climb_ft": 40}, race_sheet.CLIMB, race_sheet.CLIMBING, 3 + 8),
        ({"climb": 3, "climb_ft": 40}, race_sheet.FOOT, race_sheet.CLIMBING, 3 + 8),
        ({"dexterity": 16}, race_sheet.FOOT, race_sheet.BALANCE, 3 + 6),
        ({}, race_sheet.MOUNTED, race_sheet.STRENGTH, 3 + 12),
        (
            {"mount_strength": 20, "mount_speed_ft": 45},
            race_sheet.DRIVEN,
            race_sheet.STRENGTH,
            5 + 8,
        ),
        ({}, race_sheet.MOUNTED, race_sheet.JUMP, 7 + 12),
        ({"ride": 4}, race_sheet.MOUNTED, race_sheet.RIDING, 4 + 12),
    ],
)
def test_modifiers(sheet: dict[str, Any], kind: int, skill: int, modifier: int) -> None:
    who = race_sheet.entrant(Competitor("Ann", **sheet))
    assert race_sheet.check_modifier(who, kind, skill) == modifier


@pytest.mark.parametrize(("pace", "change"), [("pace", -2), ("steady", 0), ("sprint", 2)])
def test_a_pace_moves_every_check_of_the_race_and_constitution_the_other_way(
    pace: str, change: int
) -> None:
    who = race_sheet.entrant(Competitor("Ann", constitution=11), race_sheet.PACES[pace], True)
    for kind, skill in ((race_sheet.FOOT, race_sheet.STRENGTH), (race_sheet.SWIM, race_sheet.JUMP)):
        assert race_sheet.check_modifier(who, kind, skill) == 6 + change
    assert race_sheet.check_modifier(who, race_sheet.MOUNTED, race_sheet.STRENGTH) == 15 + change
    assert who[race_sheet.MOUNTS + race_sheet.RIDING] == 0
    assert who[race_sheet.SAFE] == 11 - change
    assert who[race_sheet.ENDURANCE] == (11 - change - 10) // 2
    assert who[race_sheet.MOUNT_SAFE] == 15 - change


# ---------------------------------------------------------------- increments


def test_the_check_result_is_added_up() -> None:
    assert total(course(leg(n=2)), race_sheet.entrant(ORDINARY), 10, 3) == 16 + 9


def test_a_ride_check_helps_the_mount() -> None:
    who = race_sheet.entrant(Competitor("Ann", ride=10, mount_jump=0))
    rows = course(leg("mounted", 3))
    assert run(rows, who, 10, 1, 20, 1, 1, 1, needs=(RIDE, MOVE) * 3)[TOTAL] == (
        (16 + 4) + (16 + 6) + (16 + 2)
    )


def test_a_climb_is_an_obstacle_with_retries_in_each_increment() -> None:
    rows = course(leg("climb", 2, 14))
    who = race_sheet.entrant(ORDINARY)
    needs = (MOVE, CHOOSE, MOVE, CHOOSE, MOVE, MOVE)
    racer = run(rows, who, 7, TRY_AGAIN, 1, TRY_AGAIN, 20, 8, needs=needs)
    assert racer[TOTAL] == -10 - 10 + 0 + 14
    assert run(rows, who, 8, 7, GIVE_UP)[OUT] == GAVE_UP


def test_obstacle_without_retry() -> None:
    rows = course(leg(n=2), ways=(obstacle(),))
    who = race_sheet.entrant(ORDINARY)
    assert run(rows, who, 9, 10, 10, needs=(PASS, MOVE, MOVE))[TOTAL] == 32
    assert run(rows, who, 8, needs=(PASS,))[OUT] == FORFEITED


def test_each_retry_costs_ten_and_the_increment_is_worth_nothing() -> None:
    """Each failure at the canyon hurts, and the DS may go below 0."""
    rows = course(leg(n=2), ways=(obstacle(can_retry=True, n_dice=3, faces=6),))
    needs = (PASS, HARM, HARM, HARM, CHOOSE, PASS, HARM, HARM, HARM, CHOOSE, PASS, MOVE)
    racer = run(
        rows,
        race_sheet.entrant(ORDINARY),
        *(8, 1, 2, 3, TRY_AGAIN, 1, 6, 6, 6, TRY_AGAIN, 9, 4),
        needs=needs,
    )
    assert (racer[TOTAL], racer[HURT], racer[OUT]) == (-20 + 10, 6 + 18, RUNNING)
    gone = run(rows, race_sheet.entrant(ORDINARY), 8, 1, 1, 1, GIVE_UP)
    assert (gone[OUT], gone[HURT], race.completed(gone)) == (GAVE_UP, 3, 0)


@pytest.mark.parametrize("can_retry", [True, False])
def test_what_no_throw_can_pass_forfeits_at_once(can_retry: bool) -> None:
    rows = course(leg(), ways=(obstacle(dc=27, can_retry=can_retry, n_dice=3, faces=6),))
    racer = run(rows, race_sheet.entrant(ORDINARY), needs=())
    assert (racer[OUT], racer[HURT]) == (BARRED, 0)
    assert run(course(leg("climb", 1, 27)), race_sheet.entrant(ORDINARY))[OUT] == BARRED
    possible = course(leg(), ways=(obstacle(dc=26, can_retry=can_retry),))
    assert total(possible, race_sheet.entrant(ORDINARY), 20, 1) == 7


def test_damage_in_place_of_a_failure_counts_in_full() -> None:
    rows = course(leg(), ways=(obstacle(n_dice=2, faces=6, damage_is="instead"),))
    racer = run(rows, race_sheet.entrant(ORDINARY), 1, 5, 6, 10, needs=(PASS, HARM, HARM, MOVE))
    assert (racer[TOTAL], racer[HURT]) == (16, 11)
    beyond = course(leg(), ways=(obstacle(dc=60, n_dice=1, faces=4, damage_is="instead"),))
    assert total(beyond, race_sheet.entrant(ORDINARY), 20, 4, 10) == 16


def test_damage_may_be_chosen_where_the_course_or_the_table_allows_it() -> None:
    who = race_sheet.entrant(ORDINARY)
    chosen = obstacle(n_dice=1, faces=4, damage_is="choice", can_retry=True)
    rows = course(leg(), ways=(chosen,))
    racer = run(rows, who, 1, TAKE_DAMAGE, 3, 10)
    assert (racer[TOTAL], racer[HURT]) == (16, 3)
    racer = run(rows, who, 1, TRY_AGAIN, 9, needs=(PASS, CHOOSE, PASS))
    assert (racer[TOTAL], racer[HURT]) == (-10, 0)
    assert run(rows, who, 1, GIVE_UP)[OUT] == GAVE_UP


def test_a_fall_costs_its_damage_whatever_is_chosen_next() -> None:
    """At the marathon's canyon each failure is 3d6, where damage may stand for it as well."""
    who = race_sheet.entrant(ORDINARY)
    way = obstacle(n_dice=3, faces=6, can_retry=True)
    rows = course(leg(), ways=(way,), damage_instead=True)
    fall = (PASS, HARM, HARM, HARM, CHOOSE)
    racer = run(rows, who, 1, 1, 2, 3, TAKE_DAMAGE, 10, needs=(*fall, MOVE))
    assert (racer[TOTAL], racer[HURT]) == (16, 6)
    racer = run(rows, who, 1, 1, 2, 3, TRY_AGAIN, 9, needs=(*fall, PASS))
    assert (racer[TOTAL], racer[HURT]) == (-10, 6)
    racer = run(rows, who, 1, 1, 2, 3, GIVE_UP)
    assert (racer[OUT], racer[HURT]) == (GAVE_UP, 6)
    twice = run(rows, who, 1, 1, 1, 1, TRY_AGAIN, 1, 6, 6, 6, TAKE_DAMAGE, needs=(*fall, *fall))
    assert (twice[TOTAL], twice[HURT], twice[OUT]) == (-10, 21, RUNNING)
    marsh = course(leg(), ways=(hazard(n_dice=1, faces=4),), damage_instead=True)
    assert total(marsh, who, 8, 4, TAKE_DAMAGE, 10) == 16
    assert total(marsh, who, 8, 4, LOSE_GROUND) == 0


@pytest.mark.parametrize("most", [0, 1, 3])
def test_a_table_may_allow_so_many_retries_in_an_increment(most: int) -> None:
    who = race_sheet.entrant(ORDINARY)
    way = obstacle(can_retry=True)
    for legs, ways in ((leg(n=2), (way,)), (leg("climb", 2, 15), ())):
        rows = to_array(Course("", "", "", (legs,), ways, retries=most))
        assert run(rows, who, *[1, TRY_AGAIN] * most, 1, GIVE_UP)[OUT] == FORFEITED
        if most:  # the increment is worth nothing, and the next one 16
            racer = run(rows, who, *[1, TRY_AGAIN] * most, 20, 10)
            assert racer[TOTAL] == 16 - 10 * most


def test_the_endurance_feat_helps_where_the_table_says_so() -> None:
    sheet = Competitor("Ann", constitution=10, feats=("Endurance",))
    who = race_sheet.entrant(sheet, race_sheet.STEADY, True)
    racer = [0] * race.N_RACER
    racer[race.ON_FOOT] = 10
    rows = to_array(Course("", "", "", (leg(n=11), leg("mounted")), endurance_helps=True))
    race.enter(racer, rows, who)
    assert race.needed_modifier(racer, rows, who) == 4
    racer[race.ON_FOOT], racer[race.ON_MOUNT] = 11, 0
    racer[NEEDS] = ENDURE
    assert race.needed_modifier(racer, rows, who) == 2, "the mount's own Constitution of 15"
    other = race_sheet.entrant(Competitor("Bo"), race_sheet.STEADY, True)
    racer[race.ON_FOOT] = 10
    assert race.needed_modifier(racer, rows, other) == 0


def test_what_can_be_chosen() -> None:
    def open_(*ways: Way, dc: int | None = None) -> list[int]:
        rows = course(leg("climb" if dc else "foot", 1, dc), ways=ways)
        racer = [0] * race.N_RACER
        race.enter(racer, rows, race_sheet.entrant(ORDINARY))
        race.after(racer, rows, race_sheet.entrant(ORDINARY), 1)
        assert racer[NEEDS] == CHOOSE
        return [
            choice
            for choice in (GIVE_UP, TRY_AGAIN, TAKE_DAMAGE, LOSE_GROUND)
            if race.can_choose(racer, rows, race_sheet.entrant(ORDINARY), choice)
        ]

    dice: dict[str, Any] = {"n_dice": 1, "faces": 4, "damage_is": "choice"}
    assert open_(dc=14) == [GIVE_UP, TRY_AGAIN]
    assert open_(obstacle(can_retry=True)) == [GIVE_UP, TRY_AGAIN]
    assert open_(obstacle(**dice)) == [GIVE_UP, TAKE_DAMAGE]
    assert open_(obstacle(can_retry=True, **dice)) == [GIVE_UP, TRY_AGAIN, TAKE_DAMAGE]
    assert open_(obstacle(dc=40, can_retry=True, **dice)) == [GIVE_UP, TAKE_DAMAGE]
    assert open_(hazard(**dice)) == [TAKE_DAMAGE, LOSE_GROUND]


def test_hazard() -> None:
    rows = course(leg(n=2), ways=(hazard(),))
    assert total(rows, race_sheet.entrant(ORDINARY), 9, 10, 10) == 32
    assert run(rows, race_sheet.entrant(ORDINARY), 8, 10, needs=(PASS, MOVE))[TOTAL] == 16
    dice: dict[str, Any] = {"n_dice": 1, "faces": 4}
    hurts = course(leg(n=2), ways=(hazard(**dice),))
    racer = run(hurts, race_sheet.entrant(ORDINARY), 8, 4, 10)
    assert (racer[TOTAL], racer[HURT]) == (16, 4)
    either = course(leg(n=2), ways=(hazard(damage_is="choice", **dice),))
    assert total(either, race_sheet.entrant(ORDINARY), 8, TAKE_DAMAGE, 4, 10, 10) == 32
    assert total(either, race_sheet.entrant(ORDINARY), 8, LOSE_GROUND, 10) == 16


def test_swims() -> None:
    plain = course(leg("swim", 2))
    assert total(plain, race_sheet.entrant(ORDINARY), 1, 1) == 14
    rough = course(leg("swim", 2, 15, drowns_by=5))
    assert total(rough, race_sheet.entrant(ORDINARY), 9, 8) == 15
    assert total(rough, race_sheet.entrant(ORDINARY), 5, 9) == 15
    racer = run(rough, race_sheet.entrant(ORDINARY), 4)
    assert (racer[OUT], race.completed(racer)) == (DROWNED, 0)
    calm = course(leg("swim", 1, 15))
    assert total(calm, race_sheet.entrant(ORDINARY), 1) == 0


def test_a_swimmer_whom_a_hazard_has_cost_the_increment_may_still_drown() -> None:
    rows = course(leg("swim", 1, 15, drowns_by=5), ways=(hazard(skill="spot"),))
    assert run(rows, race_sheet.entrant(ORDINARY), 1, 4)[OUT] == DROWNED
    assert total(rows, race_sheet.entrant(ORDINARY), 1, 20) == 0


def test_a_fall_hurts_mount_and_rider_alike() -> None:
    who = race_sheet.entrant(ORDINARY)
    way = {"dc": 18, "n_dice": 4, "faces": 6}
    both = course(leg("mounted"), ways=(obstacle(hurts="both", **way),))
    racer = run(both, who, 5, 1, 2, 3, 4)
    assert (racer[OUT], racer[HURT], racer[HURT_MOUNT]) == (FORFEITED, 10, 10)
    cart = obstacle(hurts="mount", damage_is="choice", **way)
    racer = run(course(leg("driven"), ways=(cart,)), who, 5, TAKE_DAMAGE, 1, 2, 3, 4, 10, 10)
    assert (racer[TOTAL], racer[HURT], racer[HURT_MOUNT]) == (27, 0, 10)


# ---------------------------------------------------------------- long races


def test_who_has_raced_his_constitution_must_hold_out() -> None:
    who = race_sheet.entrant(Competitor("Ann", constitution=3), race_sheet.STEADY, True)
    rows = course(leg(n=6))
    needs = (MOVE, MOVE, MOVE, ENDURE, MOVE, ENDURE, ENDURE)
    # DC 6, 8 and 10 at a modifier of -4; rests count as increments completed.
    racer = run(rows, who, 10, 10, 10, 10, 10, 11, 13, needs=needs)
    assert (racer[TOTAL], racer[RESTS]) == (4 * 16, 1)


@pytest.mark.parametrize(("natural", "rests"), [(19, 1), (20, 0)])
def test_the_dc_is_twice_the_increments_completed(natural: int, rests: int) -> None:
    who = race_sheet.entrant(Competitor("Ann", constitution=10, feats=("Endurance",)), 0, True)
    racer = [0] * race.N_RACER
    racer[race.ON_FOOT] = 10
    rows = course(leg(n=11))
    race.enter(racer, rows, who)
    assert (racer[NEEDS], race.needed_dc(racer, rows)) == (ENDURE, 20)
    race.after(racer, rows, who, natural)
    assert racer[RESTS] == rests


def test_who_rests_still_has_to_pass_obstacles_and_nothing_else() -> None:
    who = race_sheet.entrant(Competitor("Ann", constitution=1), race_sheet.STEADY, True)
    ways = (obstacle(2), hazard(3))
    rows = course(leg(n=3), leg("climb", 1, 14), leg("swim", 1, 30, 1), ways=ways)
    needs = (MOVE, ENDURE, PASS, ENDURE, ENDURE, ENDURE)
    racer = run(rows, who, 10, 1, 9, 1, 1, 1, needs=needs)
    assert (racer[OUT], racer[TOTAL]) == (RUNNING, 16)
    assert run(rows, who, 10, 1, 8)[OUT] == FORFEITED


def test_a_mount_has_a_constitution_and_a_count_of_its_own() -> None:
    sheet = Competitor("Ann", constitution=2, mount_constitution=2)
    rows = course(leg(n=2), leg("mounted", 3), leg(n=1))
    who = race_sheet.entrant(sheet, race_sheet.STEADY, True)
    needs = (MOVE, MOVE, RIDE, MOVE, RIDE, MOVE, ENDURE, ENDURE)
    assert run(rows, who, *[10] * 6, 7, 7, needs=needs)[TOTAL] == 32 + 2 * 27
    exempt = Competitor("Ann", constitution=2, mount_constitution=2, mount_is_exempt=True)
    needs = (MOVE, MOVE, RIDE, MOVE, RIDE, MOVE, RIDE, MOVE, ENDURE)
    assert run(rows, race_sheet.entrant(exempt, 0, True), *[10] * 8, 7, needs=needs)[OUT] == RUNNING


def test_long_races_tire_from_twenty_increments() -> None:
    assert [race.is_long_race(n, 0) for n in (19, 20)] == [False, True]
    assert race.is_long_race(2, race.FATIGUE.index("on"))
    assert not race.is_long_race(40, race.FATIGUE.index("off"))
    who = race_sheet.entrant(Competitor("Ann", constitution=1))
    assert total(course(leg(n=30)), who, *[10] * 30) == 480


# ---------------------------------------------------------------- the sample marathon


def test_the_sample_marathon_with_every_natural_roll_10() -> None:
    rows = to_array(load_course("dak-rothian-marathon"))
    who = race_sheet.entrant(ORDINARY)
    assert (
        race_sheet.entrant(ORDINARY)[race_sheet.OWN : race_sheet.OWN + race_sheet.N_SKILLS].tolist()
        == [0] * 12
    )
    racer = [0] * race.N_RACER
    totals = []
    for _ in range(20):
        race.enter(racer, rows, who)
        while racer[NEEDS] != NOTHING:
            race.after(racer, rows, who, 10)
        totals.append(int(racer[TOTAL]))
    assert totals[-1] == 325
    worth = [b - a for a, b in zip([0, *totals], totals, strict=False)]
    assert worth == [16] * 11 + [15, 0] + [16] * 5 + [27, 27]
    assert (racer[OUT], racer[HURT], racer[HURT_MOUNT]) == (RUNNING, 0, 0)


# ---------------------------------------------------------------- the race


def standing(*racers: tuple[int, int]) -> Any:
    found = np.zeros((len(racers), race.N_RACER), np.int64)
    found[:, TOTAL], found[:, OUT] = np.array(racers).T
    return found


@pytest.mark.parametrize(
    ("racers", "winners"),
    [
        ([(10, 0), (12, 0), (11, 0)], [0, 1, 0]),
        ([(12, 0), (12, 0), (11, 0)], [1, 1, 0]),
        ([(99, DROWNED), (-40, 0)], [0, 1]),
        ([(-40, 0), (-30, 0), (5, GAVE_UP)], [0, 1, 0]),
        ([(5, GAVE_UP), (6, FORFEITED)], [0, 0]),
    ],
)
def test_the_highest_of_those_still_in_wins(
    racers: list[tuple[int, int]], winners: list[int]
) -> None:
    found = [9] * len(racers)
    assert race.mark_winners(standing(*racers), found) == sum(winners)
    assert found == winners
    assert race.n_left(standing(*racers)) == sum(out == RUNNING for _, out in racers)


@given(st.lists(st.tuples(st.integers(-60, 60), st.integers(0, 4)), min_size=2, max_size=12))
def test_who_stands_where_matters_to_nobody(racers: list[tuple[int, int]]) -> None:
    winners = [0] * len(racers)
    n_winners = race.mark_winners(standing(*racers), winners)
    back = [0] * len(racers)
    assert race.mark_winners(standing(*racers[::-1]), back) == n_winners
    assert back == winners[::-1]
    left = [score for score, out in racers if out == RUNNING]
    assert n_winners == (left.count(max(left)) if left else 0)


# ---------------------------------------------------------------- exact odds


def ask(**asked: Any) -> dict[str, Any]:
    values = read_options(race.ODDS.options, asked) | {"given": set(asked)}
    return dict(race.ODDS.answer(values).data)


@pytest.mark.parametrize(
    ("increments", "modifier", "wins", "tie"),
    [(10, 1, 0.642725, 0.014272), (20, 2, 0.860070, 0.006015)],
)
def test_odds_of_two_runners(increments: int, modifier: int, wins: float, tie: float) -> None:
    data = ask(increments=increments, modifier_a=modifier, modifier_b=0)
    assert float(data["a_wins"]) == pytest.approx(wins, abs=5e-7)
    assert float(data["tie"]) == pytest.approx(tie, abs=5e-7)
    assert data["a_wins"] + data["b_wins"] + data["tie"] == 1
    turned = ask(increments=increments, modifier_b=modifier)
    assert (turned["b_wins"], turned["a_wins"]) == (data["a_wins"], data["b_wins"])


@pytest.mark.parametrize("modifier", [-3, 0, 4])
def test_odds_of_a_dash_by_brute_force(modifier: int) -> None:
    ends = {"a_wins": 0, "b_wins": 0, "tie": 0}
    for a1, a2, b1, b2 in product(range(1, 21), repeat=4):
        gap = a1 + a2 + 2 * modifier - b1 - b2
        ends["a_wins" if gap > 0 else "b_wins" if gap < 0 else "tie"] += 1
    data = ask(increments="dash", modifier_a=modifier)
    assert {name: data[name] for name in ends} == {
        name: Fraction(n, 20**4) for name, n in ends.items()
    }


def test_odds_with_a_hazard_by_hand() -> None:
    """One increment; a hazard half of the throws fail."""
    rows = course(leg(), ways=(hazard(dc=17),))
    found = race_odds.fortune(rows, race_sheet.entrant(ORDINARY))
    assert found.out == [0]
    half = Fraction(1, 2)
    assert found.totals == {0: half} | {7 + i: half / 20 for i in range(20)}
    ends = race_odds.compare(found, found)
    assert ends.tie == half * half + Fraction(20, 40 * 40)


def test_odds_with_forfeits_by_hand() -> None:
    """Half of the throws fail the obstacle of increment 2."""
    rows = course(leg(n=2), ways=(obstacle(2, dc=17),))
    found = race_odds.fortune(rows, race_sheet.entrant(ORDINARY))
    assert (found.out, sum(found.totals.values())) == ([0, Fraction(1, 2)], Fraction(1, 2))
    ends = race_odds.compare(found, found)
    assert ends.nobody == Fraction(1, 4)
    assert ends.a_wins == ends.b_wins
    assert sum(ends) == 1


def test_the_first_to_drop_out_has_lost() -> None:
    early = race_odds.Fortune([Fraction(1), Fraction(0)], {})
    late = race_odds.Fortune([Fraction(0), Fraction(1)], {})
    assert race_odds.compare(early, late) == (0, 1, 0, 0)
    assert race_odds.compare(early, early) == (0, 0, 0, 1)


def test_giving_up_late_comes_close_to_never() -> None:
    rows = course(leg("climb", 2, 14))
    who = race_sheet.entrant(ORDINARY)
    never = race_odds.fortune(rows, who)
    late = race_odds.fortune(rows, who, retries=50)
    assert all(isinstance(p, Fraction) for p in late.totals.values())
    for score in never.totals.keys() | late.totals.keys():
        expected = pytest.approx(float(late.totals.get(score, 0)), abs=1e-12)
        assert never.totals.get(score, 0.0) == expected
    assert sum(never.totals.values()) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("name", ["dak-rothian-marathon", "tower-climb", "shoulder-derby"])
def test_odds_on_a_course_are_mirrored_and_add_up(name: str) -> None:
    data = ask(course=name, modifier_a=1, retries=2, constitution_a=12, constitution_b=12)
    assert data["a_wins"] + data["b_wins"] + data["tie"] + data["nobody"] == 1
    turned = ask(course=name, modifier_b=1, retries=2, constitution_a=12, constitution_b=12)
    assert turned["b_wins"] == data["a_wins"]
    assert json.dumps(to_json(data))


def test_odds_know_what_a_table_allows() -> None:
    none = ask(kind="climb", increments=1, dc=17, retries=0)
    half = Fraction(1, 2)
    assert (none["nobody"], none["a_finishes"]) == (half * half, half)
    asked = {"increments": 20, "constitution_a": 10, "constitution_b": 10}
    assert ask(**asked, endurance_helps=True) == ask(**asked), "there is no feat without a roster"


def test_the_feat_in_the_odds(tmp_path: Any) -> None:
    path = tmp_path / "people.toml"
    path.write_text('[[people]]\nname = "Ann"\nfeats = ["Endurance"]\n[[people]]\nname = "Bo"\n')
    asked = {"roster": str(path), "increments": 20}
    assert ask(**asked)["a_wins"] == ask(**asked)["b_wins"]
    helped = ask(**asked, endurance_helps=True)
    assert helped["a_wins"] > helped["b_wins"]


def test_a_wrong_course_is_no_wrong_option(tmp_path: Any) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[[leg]]\nkind = "swimm"\nincrements = 2\n')
    with pytest.raises(DataError, match=r"mine\.toml: leg 1, from increment 1: kind: 'swimm'"):
        ask(course=str(path))


@pytest.mark.parametrize("more", [{}, {"course": "quay-dash"}, {"course": "mine.toml"}])
def test_a_data_folder_has_to_be_there(tmp_path: Any, more: dict[str, Any]) -> None:
    """Whether or not anything would be read from it."""
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="nofolder: no such folder; data must be a folder"):
        ask(data=str(tmp_path / "nofolder"), **more)
    with pytest.raises(DataError, match="file: is not a folder"):
        ask(data=str(tmp_path / "file"), **more)


def test_fatigue_needs_a_constitution() -> None:
    free = ask(increments=20)
    assert free["a_mean_total"] == 20 * 16.5
    tired = ask(increments=20, constitution_a=10)
    # From increment 11 on only a 20 against DC 20, and never again.
    assert tired["a_mean_total"] == 10 * 16.5 + 16.5 / 20
    assert tired["b_mean_total"] == free["b_mean_total"]
    assert ask(increments=20, constitution_a=10, fatigue="off")["a_wins"] == free["a_wins"]
    assert ask(increments=12, fatigue="on")["a_mean_total"] == 10 * 16.5 + 16.5 / 20


@pytest.mark.parametrize(
    ("asked", "option", "message"),
    [
        ({"course": "quay-dsh"}, "course", "did you mean 'quay-dash'"),
        ({"course": "quay-dash", "increments": 3}, "increments", "the course says so itself"),
        ({"kind": "foot", "dc": 12}, "dc", "no DC in a race of kind 'foot'"),
        ({"who": "Ann,Bo"}, "who", "give one too"),
    ],
)
def test_refused(asked: dict[str, Any], option: str, message: str) -> None:
    with pytest.raises(RefusedError, match=message) as error:
        ask(**asked)
    assert (error.value.option, "race" in str(error.value)) == (option, True)


def test_people_of_a_roster(tmp_path: Any) -> None:
    path = tmp_path / "people.toml"
    path.write_text(
        '[[people]]\nname = "Ann"\nstrength = 12\n[[people]]\nname = "Bo"\n'
        '[[people]]\nname = "Cy"\nspeed_ft = 40\n'
    )
    data = ask(roster=str(path), increments=10)
    assert float(data["a_wins"]) == pytest.approx(0.642725, abs=5e-7)
    data = ask(roster=str(path), who="Bo,Cy")
    assert (data["a_mean_total"], data["b_mean_total"]) == (165.0, 185.0)
    with pytest.raises(RefusedError, match="nobody in the roster is called 'Di'"):
        ask(roster=str(path), who="Bo,Di")


# ---------------------------------------------------------------- simulated


@kernel
def count_ends(
    key: int, n_races: int, rows: Any, entrants: Any, racers: Any, winners: Any, counts: Any
) -> None:
    """Races of two who give up after three retries: a wins, b wins, tie, nobody."""
    for number in range(n_races):
        race_key = subkey(key, PLAY, number)
        racers[:] = 0
        for at in range(len(rows)):
            for i in range(2):
                racer, who = racers[i], entrants[i]
                race.enter(racer, rows, who)
                n_thrown = 0
                while racer[NEEDS] != NOTHING:
                    faces = 20
                    if racer[NEEDS] == HARM:
                        faces = rows[at, race.FACES]
                    thrown = roll(race_key, THROW, at * 128 + i * 64 + n_thrown, faces)
                    n_thrown += 1
                    if racer[NEEDS] == CHOOSE:
                        thrown = GIVE_UP
                        if race.can_choose(racer, rows, who, TAKE_DAMAGE):
                            thrown = TAKE_DAMAGE
                        elif racer[race.N_RETRIES] < 3 and race.can_choose(
                            racer, rows, who, TRY_AGAIN
                        ):
                            thrown = TRY_AGAIN
                    race.after(racer, rows, who, thrown)
            if race.n_left(racers) < 2:
                break
        race.mark_winners(racers, winners)
        if winners[0] == 1 and winners[1] == 0:
            counts[0] += 1
        elif winners[1] == 1 and winners[0] == 0:
            counts[1] += 1
        else:
            counts[2 if winners[0] == 1 else 3] += 1


def simulate(loop: Any, n_races: int, rows: Any, entrants: Any) -> list[int]:
    counts = np.zeros(4, np.int64)
    racers = np.zeros((2, race.N_RACER), np.int64)
    loop(run_key(2024), n_races, rows, entrants, racers, np.zeros(2, np.int64), counts)
    return [int(n) for n in counts]


def two(modifier: int, **sheet: Any) -> Any:
    """Two competitors, one of whom has so much more on all his own checks."""
    one = race_sheet.entrant(Competitor("Ann", **sheet), race_sheet.STEADY, True)
    other = one.copy()
    one[race_sheet.OWN : race_sheet.OWN + race_sheet.N_SKILLS] += modifier
    return np.array([one, other])


@pytest.mark.parametrize(
    ("rows", "entrants", "n_races"),
    [
        (to_array(plain_course("foot", 10)), two(1, constitution=30), 1_000_000),
        (to_array(load_course("dak-rothian-marathon")), two(3, constitution=12), 200_000),
        (to_array(load_course("treetop-race")), two(-1, dexterity=14), 200_000),
        (to_array(load_course("shoulder-derby"), True), two(2), 200_000),
    ],
    ids=["plain", "marathon", "treetops", "derby"],
)
def test_simulated_races_come_out_as_the_exact_odds(rows: Any, entrants: Any, n_races: int) -> None:
    fortunes = [race_odds.fortune(rows, who, retries=3) for who in entrants]
    exact = race_odds.compare(*fortunes)
    assert sum(exact) == 1
    counts = simulate(count_ends, n_races, rows, entrants)
    assert sum(counts) == n_races
    for n, chance in zip(counts, exact, strict=True):
        standard_error = sqrt(chance * (1 - chance) / n_races)
        assert abs(n / n_races - float(chance)) <= 4 * standard_error


def test_kernel_and_plain_python_run_the_same() -> None:
    rows = to_array(load_course("dak-rothian-marathon"))
    plain = getattr(count_ends, "py_func", count_ends)
    asked = 100, rows, two(2, constitution=8, strength=14)
    assert simulate(count_ends, *asked) == simulate(plain, *asked)
