"""Courses: what is shipped, a user's own before it, and what is refused."""

import re
from pathlib import Path

import numpy as np
import pytest

from tavern_abm.courses import (
    Course,
    Leg,
    Mount,
    course_names,
    load_course,
    mounted,
    plain_course,
    read_course,
    to_array,
)
from tavern_abm.data_tables import DataError
from tavern_abm.games import race, race_sheet
from tavern_abm.patrons.competitor import Competitor
from tavern_abm.shipped import shipped

NAMES = {
    "dak-rothian-marathon": 20,
    "harbour-swim": 6,
    "quay-dash": 2,
    "shoulder-derby": 8,
    "tower-climb": 6,
    "treetop-race": 10,
}
RIVER = """
title = "the River Race"

[[leg]]
kind = "foot"
increments = 3
name = "the bank"

[[leg]]
kind = "swim"
increments = 2
dc = 12
drowns_by = 5
penalties = [0, -1]

[[leg]]
kind = "driven"
increments = 1

[[obstacle]]
at = 2
name = "the fence"
skill = "climb"
dc = 10
retry = true

[[hazard]]
at = 6
skill = "ride"
dc = 12
damage = "2d6"
damage_is = "choice"
"""


def refused(folder: Path, text: str) -> str:
    """Say how a course is refused."""
    path = folder / "river.toml"
    path.write_text(text)
    with pytest.raises(DataError) as error:
        read_course(path)
    return str(error.value).removeprefix(f"{folder}/")


def own(folder: Path, name: str, text: str = RIVER) -> Path:
    (folder / "courses").mkdir(exist_ok=True)
    path = folder / "courses" / f"{name}.toml"
    path.write_text(text)
    return path


def test_the_sample_and_five_others_ship() -> None:
    assert course_names() == list(NAMES)
    assert {name: load_course(name).n_increments for name in NAMES} == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_course_is_described_and_can_be_run(name: str) -> None:
    course = load_course(name)
    assert course.title.startswith("the ")
    assert course.about
    assert all(leg.name for leg in course.legs)
    assert all(way.name.startswith("the ") for way in course.ways)
    opening = (shipped("data") / "courses" / f"{name}.toml").read_text().split("\n\n")[0]
    assert all(line.startswith("#") for line in opening.splitlines())
    assert to_array(course).shape == (course.n_increments, race.N_COLUMNS)


def test_kinds_of_all_races_are_among_them() -> None:
    kinds = {leg.kind for name in NAMES for leg in load_course(name).legs}
    assert kinds == {"foot", "swim", "climb", "mounted"}


def test_the_sample_marathon_line_by_line() -> None:
    course = load_course("dak-rothian-marathon")
    assert [
        (leg.kind, start, leg.increments, leg.dc)
        for leg, start in zip(course.legs, course.starts, strict=True)
    ] == [
        ("foot", 1, 3, None),
        ("climb", 4, 3, 14),
        ("foot", 7, 2, None),
        ("swim", 9, 3, 15),
        ("swim", 12, 2, 15),
        ("foot", 14, 5, None),
        ("mounted", 19, 2, None),
    ]
    assert [leg.penalties for leg in course.legs if leg.kind == "swim"] == [(0, 0, 0), (-1, -2)]
    assert [leg.drowns_by for leg in course.legs] == [0, 0, 0, 5, 5, 0, 0]
    found = [
        (way.at, way.is_hazard, way.skill, way.dc, way.can_retry, way.damage, way.damage_is)
        for way in course.ways
    ]
    assert found == [
        (3, False, "jump", 15, True, "3d6", "besides"),
        (8, False, "jump", 12, False, "3d6", "instead"),
        (16, True, "balance", 12, False, "", "besides"),
        (20, False, "jump", 18, False, "4d6", "besides"),
    ]
    assert [way.hurts for way in course.ways] == ["racer", "racer", "racer", "both"]


def test_legs_and_what_stands_in_the_way(tmp_path: Path) -> None:
    course = load_course("river", own(tmp_path, "river").parent.parent)
    assert (course.name, course.title, course.starts) == ("river", "the River Race", (1, 4, 6))
    assert [course.leg_at(at).kind for at in range(1, 7)] == ["foot"] * 3 + ["swim"] * 2 + [
        "driven"
    ]
    assert course.way_at(1) is None
    fence, hazard = course.way_at(2), course.way_at(6)
    assert fence is not None
    assert hazard is not None
    assert (fence.can_retry, fence.damage, fence.hurts) == (True, "", "racer")
    assert (hazard.name, hazard.damage, hazard.hurts) == ("the hazard", "2d6", "mount")


def test_a_course_as_the_rules_have_it(tmp_path: Path) -> None:
    rows = to_array(read_course(own(tmp_path, "river")))
    assert rows.dtype == np.int64
    no = race.NO_DC
    assert rows[:, race.KIND].tolist() == [0, 0, 0, 1, 1, 4]
    assert rows[:, race.DC].tolist() == [no, no, no, 12, 12, no]
    assert rows[:, race.PENALTY].tolist() == [0, 0, 0, 0, -1, 0]
    assert rows[:, race.WAY].tolist() == [0, race.OBSTACLE, 0, 0, 0, race.HAZARD]
    assert rows[1, race.SKILL :].tolist() == [
        *(race_sheet.CLIMBING, 10, 1, 0, 0, 0, 0),
        *(race.NO_END, 0),
    ]
    assert rows[5, race.SKILL :].tolist() == [
        *(race_sheet.RIDING, 12, 0, 2, 6, race.CHOICE, 1),
        *(race.NO_END, 0),
    ]


def test_what_the_races_on_a_course_allow(tmp_path: Path) -> None:
    course = read_course(own(tmp_path, "river", f"retries = 2\nendurance_helps = true\n{RIVER}"))
    assert (course.retries, course.endurance_helps) == (2, True)
    assert (to_array(course)[:, [race.MOST_RETRIES, race.FEAT_HELPS]] == [2, 1]).all()


def test_the_table_may_allow_damage_wherever_there_are_dice() -> None:
    marathon = load_course("dak-rothian-marathon")
    damage = to_array(marathon, damage_instead=True)[:, race.DAMAGE_IS]
    assert damage[[2, 7, 15, 19]].tolist() == [race.OPEN, race.INSTEAD, 0, race.OPEN]


def test_mounts_for_those_who_bring_none(tmp_path: Path) -> None:
    pony = "[mount]\nstrength = 12\nspeed_ft = 40\nis_exempt = true\n"
    course = read_course(own(tmp_path, "river", RIVER + pony))
    assert course.mount == Mount(12, 15, 40, 7, True)
    assert load_course("dak-rothian-marathon").mount == Mount()
    ann = mounted(Competitor("Ann", strength=9), course.mount)
    assert (ann.strength, ann.mount_strength, ann.mount_is_exempt) == (9, 12, True)
    bo = Competitor("Bo", mount_jump=0)
    assert mounted(bo, course.mount) is bo


def test_plain_courses() -> None:
    assert plain_course("climb", 3).legs == (Leg("climb", 3, "", 15, (0, 0, 0)),)
    assert plain_course("swim", 2, 12).legs[0].dc == 12
    assert (plain_course().n_increments, plain_course().title) == (10, "a foot race")


def test_own_course_goes_before_the_shipped_one(tmp_path: Path) -> None:
    own(tmp_path, "quay-dash")
    assert load_course("quay-dash", tmp_path).title == "the River Race"
    assert load_course("quay-dash").title == "the Quay Dash"
    assert load_course("tower-climb", tmp_path) == load_course("tower-climb")
    assert course_names(tmp_path) == list(NAMES)


def test_a_course_by_its_path(tmp_path: Path) -> None:
    assert isinstance(load_course(str(own(tmp_path, "river"))), Course)
    with pytest.raises(DataError, match=r"nowhere\.toml: cannot be read: No such file"):
        load_course(str(tmp_path / "nowhere.toml"))


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("harbor-swim", "no course called 'harbor-swim' (did you mean 'harbour-swim'?)"),
        ("xyzzy", f"no course called 'xyzzy'; there are {', '.join(NAMES)}"),
        ("../courses/quay-dash", "no course called '../courses/quay-dash'"),
    ],
)
def test_no_such_course(tmp_path: Path, name: str, hint: str) -> None:
    with pytest.raises(DataError, match=re.escape(hint)):
        load_course(name, tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("at = 2", 'at = "2"', "at: must be a whole number, got text '2'"),
        (
            '"swim"',
            '"swimm"',
            "leg 2, from increment 4: kind: 'swimm' is none of foot, swim, climb, mounted,"
            " driven (did you mean 'swim'?)",
        ),
        ('kind = "swim"\n', "", "leg 2, from increment 4: kind: is missing; it may be foot, swim"),
        (
            "dc = 10\n",
            "",
            "the fence (obstacle at increment 2): dc: is missing; every obstacle needs a DC",
        ),
        ('skill = "ride"\ndc = 12\n', 'skill = "ride"\n', "hazard at increment 6: dc: is missing"),
        ("increments = 2\n", "", "leg 2, from increment 4: increments: is missing"),
        ("increments = 2", "increments = 0", "increments: must lie in 1 to 100 (got 0)"),
        ("penalties = [0, -1]", "penalties = [-1]", "penalties: 2 are needed, one for each"),
        ("penalties = [0, -1]", "penalties = 1", "penalties: must be a list such as [-1, -2]"),
        ("dc = 12\ndrowns_by", "drowns_by", "drowns_by: needs a dc to fail"),
        ('"swim"', '"climb"', "drowns_by: nobody drowns in 'climb'"),
        (
            '"swim"\nincrements = 2\ndc = 12\ndrowns_by = 5\n',
            '"climb"\nincrements = 2\n',
            "leg 2, from increment 4: dc: is missing; a climb needs a DC",
        ),
        ('name = "the bank"', "dc = 3", "leg 1, from increment 1: dc: 'foot' has none of its own"),
        ("at = 2", "at = 7", "obstacle at increment 7): at: the course has 6 increments"),
        ("at = 2\n", "", "the fence (obstacle): at: is missing"),
        ("at = 2", "at = 6", "increment 6: two things stand in the way"),
        ('"climb"', '"clime"', "skill: 'clime' is none of strength"),
        ('"ride"', '"balance"', "skill: a mount has no 'balance'; it may be strength"),
        ("retry = true", "retrys = true", "retrys: no such field (did you mean 'retry'?)"),
        ("retry = true", 'hurts = "both"', "hurts: there is no mount on a 'foot' leg"),
        ("retry = true", 'damage = "3x6"', "damage: '3x6' are no damage dice"),
        ("retry = true", 'damage_is = "instead"', "damage: is missing; without dice"),
        ("[[hazard]]", "[[hazards]]", "unknown key 'hazards' (did you mean 'hazard'?)"),
        ("[[hazard]]", "[mount]\nspeed = 3\n[[hazard]]", "mount: speed: no such field"),
        ('title = "the River Race"', "title = ''", "title: must be one line"),
        ('title = "the River Race"', "title = ", "river.toml:2: invalid TOML"),
    ],
)
def test_a_wrong_course_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in RIVER
    text = refused(tmp_path, RIVER.replace(old, new))
    assert text.startswith("river.toml:")
    assert message in text
    assert "\n" not in text


def test_a_retry_is_no_business_of_a_hazard(tmp_path: Path) -> None:
    text = RIVER.replace('skill = "ride"', 'skill = "ride"\nretry = true')
    assert "hazard at increment 6: retry: no such field" in refused(tmp_path, text)


def test_shapes(tmp_path: Path) -> None:
    assert "has no leg; write [[leg]]" in refused(tmp_path, 'title = "x"')
    assert "must hold tables that open with [[leg]]" in refused(tmp_path, "leg = 3")
    legs = '[[leg]]\nkind = "foot"\nincrements = 60\n' * 2
    assert "has 120 increments; there may be 100 at most" in refused(tmp_path, legs)
    (tmp_path / "river.toml").write_bytes(b"title = '\xe9'")
    with pytest.raises(DataError, match="is not UTF-8 text"):
        read_course(tmp_path / "river.toml")
