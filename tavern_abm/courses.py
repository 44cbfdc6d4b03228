"""Courses of races: read from ``data/courses/NAME.toml`` and checked.

A user's own folder goes before the shipped one: a course of the same name in
its ``courses`` takes the shipped one's place. A course may also be the path of
a file. The rules see a course as an array, see `to_array`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .asking import Flag, OneOf, Option, RefusedError, Text, Whole, near, read_table
from .data_tables import DataError, verify_folder
from .games import race, race_sheet
from .patrons.competitor import Competitor
from .shipped import shipped

FOLDER = "courses"
CLIMB_DC = 15
_DICE = re.compile(r"([1-9]\d?)d(4|6|8|10|12|20)")
DAMAGE_IS = ("besides", "instead", "choice")
HURTS = ("racer", "mount", "both")
_HURT_ON = {"mounted": "both", "driven": "mount"}


@dataclass(frozen=True)
class Leg:
    """A stretch of one kind.

    Parameters
    ----------
    kind : str
        One of `race_sheet.KINDS`.
    increments : int
        How many, at least 1.
    name : str
        As it is told: ``"the cliff"``.
    dc : int, optional
        What a climb (always) or a swim (sometimes) asks of the leg's own check.
    penalties : tuple of int
        For each increment, what is added to that check: 0 or less.
    drowns_by : int, default 0
        Failing a swim's DC by so much is drowning; 0: nobody drowns.
    """

    kind: str
    increments: int
    name: str
    dc: int | None
    penalties: tuple[int, ...]
    drowns_by: int = 0


@dataclass(frozen=True)
class Way:
    """An obstacle or a hazard.

    Parameters
    ----------
    at : int
        The increment it stands in, from 1.
    is_hazard : bool
    name : str
        As it is told: ``"the canyon"``.
    skill : str
        One of `race_sheet.SKILLS`.
    dc : int
    can_retry : bool
        Whether an obstacle may be tried again.
    n_dice, faces : int
        Damage of a failure; 0 dice: none.
    damage_is : {"besides", "instead", "choice"}
        Whether the damage comes on top of a failure, or in its place, or in its
        place if the racer so chooses.
    hurts : {"racer", "mount", "both"}
    """

    at: int
    is_hazard: bool
    name: str
    skill: str
    dc: int
    can_retry: bool = False
    n_dice: int = 0
    faces: int = 0
    damage_is: str = "besides"
    hurts: str = "racer"

    @property
    def damage(self) -> str:
        """Its damage dice, ``"3d6"``; empty for none."""
        return f"{self.n_dice}d{self.faces}" if self.n_dice else ""


@dataclass(frozen=True)
class Mount:
    """What is ridden or driven by whoever brings none: a light warhorse, by default."""

    strength: int = 16
    constitution: int = 15
    speed_ft: int = 60
    jump: int = 7
    is_exempt: bool = False


@dataclass(frozen=True)
class Course:
    """A course.

    Parameters
    ----------
    name : str
        By which it is asked for.
    title : str
        As it is told.
    about : str
        A line or two for people; may be empty.
    legs : tuple of Leg
    ways : tuple of Way
        By increment, at most one in each.
    mount : Mount
        What waits for those who bring no mount of their own.
    retries : int, optional
        How often one may try again in an increment; None: as often as one likes.
    endurance_helps : bool
        Whether the Endurance feat counts on its Constitution checks.
    """

    name: str
    title: str
    about: str
    legs: tuple[Leg, ...]
    ways: tuple[Way, ...] = ()
    mount: Mount = Mount()
    retries: int | None = None
    endurance_helps: bool = False

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The first increment of each leg, from 1."""
        return tuple(accumulate((leg.increments for leg in self.legs[:-1]), initial=1))

    @property
    def n_increments(self) -> int:
        """How long it is."""
        return sum(leg.increments for leg in self.legs)

    def leg_at(self, at: int) -> Leg:
        """The leg of an increment, from 1."""
        return self.legs[sum(start <= at for start in self.starts) - 1]

    def way_at(self, at: int) -> Way | None:
        """What stands in the way in an increment, from 1."""
        return next((way for way in self.ways if way.at == at), None)


def mounted(sheet: Competitor, mount: Mount) -> Competitor:
    """The sheet with this mount, unless he has one of his own.

    A mount of one's own is one that differs from that of a sheet that says
    nothing of mounts.

    Examples
    --------
    >>> pony = Mount(strength=13, speed_ft=40)
    >>> mounted(Competitor("Ann"), pony).mount_speed_ft
    40
    >>> mounted(Competitor("Bo", mount_strength=20), pony).mount_speed_ft
    60
    """
    names = [f"mount_{each.name}" for each in fields(Mount)]
    standard = Competitor("")
    if any(getattr(sheet, name) != getattr(standard, name) for name in names):
        return sheet
    return replace(sheet, **{f"mount_{name}": value for name, value in vars(mount).items()})


def plain_course(
    kind: str = "foot", increments: int = race.TYPICAL, dc: int | None = None
) -> Course:
    """A course with nothing in the way.

    Examples
    --------
    >>> plain_course("swim", 2).n_increments
    2
    """
    if kind == "climb" and dc is None:
        dc = CLIMB_DC
    leg = Leg(kind, increments, "", dc, (0,) * increments)
    return Course("", _PLAIN_TITLES[kind], "", (leg,))


_PLAIN_TITLES = {
    "foot": "a foot race",
    "swim": "a swimming race",
    "climb": "a climbing race",
    "mounted": "a mounted race",
    "driven": "a race of drivers",
}


def to_array(course: Course, damage_instead: bool = False) -> NDArray[np.int64]:
    """The course as the rules have it.

    Parameters
    ----------
    damage_instead : bool
        The table allows damage instead of a failure wherever there are damage dice.
        Where they come on top of a failure they are thrown first, whatever he chooses.

    Returns
    -------
    ndarray of int64, shape (n_increments, race.N_COLUMNS)
    """
    rows = np.zeros((course.n_increments, race.N_COLUMNS), np.int64)
    rows[:, race.WHO_IS_HURT] = race.RACER_HURT
    rows[:, race.MOST_RETRIES] = race.NO_END if course.retries is None else course.retries
    rows[:, race.FEAT_HELPS] = course.endurance_helps
    for leg, start in zip(course.legs, course.starts, strict=True):
        part = rows[start - 1 : start - 1 + leg.increments]
        part[:, race.KIND] = race_sheet.KINDS.index(leg.kind)
        part[:, race.DC] = race.NO_DC if leg.dc is None else leg.dc
        part[:, race.PENALTY] = leg.penalties
        part[:, race.DROWNS_BY] = leg.drowns_by
    for way in course.ways:
        row = rows[way.at - 1]
        row[race.WAY] = race.HAZARD if way.is_hazard else race.OBSTACLE
        row[race.SKILL] = race_sheet.SKILLS.index(way.skill)
        row[race.WAY_DC] = way.dc
        row[race.CAN_RETRY] = way.can_retry
        row[race.N_DICE], row[race.FACES] = way.n_dice, way.faces
        is_open = damage_instead and way.n_dice and way.damage_is == "besides"
        row[race.DAMAGE_IS] = race.OPEN if is_open else DAMAGE_IS.index(way.damage_is)
        row[race.WHO_IS_HURT] = HURTS.index(way.hurts)
    return rows


# ---------------------------------------------------------------- reading


def course_names(folder: str | Path | None = None) -> list[str]:
    """Every course that can be asked for by name.

    Examples
    --------
    >>> "dak-rothian-marathon" in course_names()
    True
    """
    return sorted({path.stem for place in _places(folder) for path in place.glob("*.toml")})


def load_course(name: str, folder: str | Path | None = None) -> Course:
    """A course by its name, or by the path of its file.

    Parameters
    ----------
    name : str
        The name of a file in ``courses`` without its ending; or a path that ends in
        ``.toml``, from the current folder.
    folder : str or Path, optional
        A user's own data folder; its ``courses`` goes before the shipped one.

    Raises
    ------
    DataError
        If there is none, or it is wrong; the message names the file, the leg or
        the increment, what was given and what is allowed.

    Examples
    --------
    >>> load_course("dak-rothian-marathon").n_increments
    20
    """
    if name.endswith(".toml"):
        return read_course(Path(name))
    try:
        return read_course(course_file(name, folder))
    except FileNotFoundError as error:
        raise DataError(_places(folder)[0], str(error)) from None


def course_file(name: str, folder: str | Path | None = None) -> Path:
    """The file of a course, asked for as in `load_course`.

    Raises
    ------
    FileNotFoundError
        If there is none; the message says which there are.
    DataError
        If there is no such folder.
    """
    places = _places(folder)
    if name.endswith(".toml"):
        if Path(name).exists():
            return Path(name)
        raise FileNotFoundError(f"{name}: no such file")
    for place in places:
        path = place / f"{name}.toml"
        if "/" not in name and "\\" not in name and path.is_file():
            return path
    known = course_names(folder)
    hint = near(name, known) or f"; there are {', '.join(known)}"
    raise FileNotFoundError(f"no course called '{name}'{hint}")


def read_course(path: Path) -> Course:
    """Read and check one file."""
    try:
        document = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise DataError(path, f"cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise DataError(path, "is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        number = int(line[1]) if line else None
        raise DataError(path, f"invalid TOML: {error}", line=number) from None
    return _course(path, document)


def _places(folder: str | Path | None) -> list[Path]:
    """Where courses are looked for, first the user's own; there must be such a folder."""
    shipped_ones = shipped("data") / FOLDER
    if folder is None:
        return [shipped_ones]
    verify_folder(Path(folder))
    return [Path(folder) / FOLDER, shipped_ones]


class _Penalties:
    """One number for each increment of a leg."""

    word = "numbers"

    def read(self, value: Any) -> tuple[int, ...]:
        kind = Whole(-20, 0)
        if not isinstance(value, list):
            raise ValueError(f"must be a list such as [-1, -2] (got {value!r})")
        return tuple(kind.read(each) for each in value)

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": Whole(-20, 0).schema()}


class _Damage:
    """Damage dice."""

    word = "3d6"

    def read(self, value: Any) -> tuple[int, int]:
        dice = _DICE.fullmatch(str(value).strip().lower())
        if not dice:
            raise ValueError(f"'{value}' are no damage dice; write them like '3d6'")
        return int(dice[1]), int(dice[2])

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "pattern": _DICE.pattern}


_DC = Whole(0, 60)
TOP = (
    Option("title", Text(), None, "As it is told, such as 'the Quay Dash'."),
    Option("about", Text(), "", "A line or two for people."),
    Option("retries", Whole(0, 50), None, "At most so many in an increment."),
    race.ENDURANCE_OPTION,
)
LEG = (
    Option("kind", OneOf(race_sheet.KINDS), None, "How it is raced."),
    Option("increments", Whole(1, race.MOST_INCREMENTS), None, "How many."),
    Option("name", Text(), "", "As it is told, such as 'the cliff'."),
    Option("dc", _DC, None, "Of the leg's own check: a climb's always, a swim's if it has one."),
    Option("penalties", _Penalties(), None, "For each increment, added to that check."),
    Option("drowns_by", Whole(0, 20), 0, "Failing a swim's DC by so much is drowning."),
)
HAZARD = (
    Option("at", Whole(1, race.MOST_INCREMENTS), None, "The increment it stands in."),
    Option("name", Text(), "", "As it is told, such as 'the marsh'."),
    Option("skill", OneOf(race_sheet.SKILLS), None, "What it asks for."),
    Option("dc", _DC, None, "And how much of it."),
    Option("damage", _Damage(), (0, 0), "Damage of a failure, such as '3d6'."),
    Option("damage_is", OneOf(DAMAGE_IS), "besides", "On top of a failure, or in its place."),
    Option("hurts", OneOf(HURTS), None, "Whom; both a mount and its rider, if he rides."),
)
MOUNT = (
    Option("strength", Whole(1, 60), Mount.strength, "Score."),
    Option("constitution", Whole(1, 60), Mount.constitution, "Score."),
    Option("speed_ft", Whole(0, 300), Mount.speed_ft, "Movement rate."),
    Option("jump", Whole(-10, 60), Mount.jump, "Modifier."),
    Option("is_exempt", Flag(), Mount.is_exempt, "Undead or mechanical: it never tires."),
)
OBSTACLE = (*HAZARD, Option("retry", Flag(), False, "Whether it may be tried again."))


def _course(path: Path, document: Mapping[str, Any]) -> Course:
    tables = ("leg", "obstacle", "hazard", "mount")
    for key in document:
        if key not in (*tables, *(option.name for option in TOP)):
            known = (*tables, *(option.name for option in TOP))
            raise DataError(path, f"unknown key '{key}'{near(key, known)}")
    top = _read(path, "", TOP, {k: v for k, v in document.items() if k not in tables})
    legs = tuple(_legs(path, _rows(path, document, "leg")))
    if not legs:
        raise DataError(path, "has no leg; write [[leg]] with a kind and its increments")
    mount = document.get("mount", {})
    if not isinstance(mount, dict):
        raise DataError(path, "a mount is one table that opens with [mount]")
    mount = Mount(**_read(path, "mount", MOUNT, mount))
    course = Course(
        path.stem,
        top["title"] or path.stem,
        top["about"],
        legs,
        mount=mount,
        retries=top["retries"],
        endurance_helps=top["endurance_helps"],
    )
    if course.n_increments > race.MOST_INCREMENTS:
        most = race.MOST_INCREMENTS
        raise DataError(path, f"has {course.n_increments} increments; there may be {most} at most")
    ways = [
        _way(path, course, row, what)
        for what in ("obstacle", "hazard")
        for row in _rows(path, document, what)
    ]
    ways.sort(key=lambda way: way.at)
    for first, second in pairwise(ways):
        if first.at == second.at:
            problem = "two things stand in the way; there may be one in an increment"
            raise DataError(path, problem, entry=f"increment {first.at}")
    return replace(course, ways=tuple(ways))


def _rows(path: Path, document: Mapping[str, Any], what: str) -> Sequence[Mapping[str, Any]]:
    rows = document.get(what, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise DataError(path, f"must hold tables that open with [[{what}]]")
    return rows


def _read(
    path: Path, entry: str, options: Sequence[Option], row: Mapping[str, Any]
) -> dict[str, Any]:
    try:
        return read_table(options, row)
    except RefusedError as error:
        problem = f"{error.option}: {error.problem}" if error.option else error.problem
        raise DataError(path, problem, entry=entry) from None


def _legs(path: Path, rows: Sequence[Mapping[str, Any]]) -> Iterator[Leg]:
    start = 1
    for number, row in enumerate(rows, start=1):
        leg = _leg(path, f"leg {number}, from increment {start}", row)
        yield leg
        start += leg.increments


def _leg(path: Path, entry: str, row: Mapping[str, Any]) -> Leg:
    values = _read(path, entry, LEG, row)
    kind, n, dc = values["kind"], values["increments"], values["dc"]
    problems = [
        (kind is None, f"kind: is missing; it may be {', '.join(race_sheet.KINDS)}"),
        (n is None, "increments: is missing; say how many"),
        (kind == "climb" and dc is None, "dc: is missing; a climb needs a DC"),
        (kind not in ("climb", "swim") and dc is not None, f"dc: '{kind}' has none of its own"),
        (kind != "swim" and values["drowns_by"], f"drowns_by: nobody drowns in '{kind}'"),
        (values["drowns_by"] and dc is None, "drowns_by: needs a dc to fail"),
    ]
    for is_wrong, problem in problems:
        if is_wrong:
            raise DataError(path, problem, entry=entry)
    penalties = values["penalties"] or (0,) * n
    if len(penalties) != n:
        problem = f"penalties: {n} are needed, one for each increment (got {len(penalties)})"
        raise DataError(path, problem, entry=entry)
    return Leg(kind, n, values["name"], dc, penalties, values["drowns_by"])


def _way(path: Path, course: Course, row: Mapping[str, Any], what: str) -> Way:
    entry = f"{what} at increment {row['at']}" if "at" in row else what
    if row.get("name"):
        entry = f"{row['name']} ({entry})"
    values = _read(path, entry, OBSTACLE if what == "obstacle" else HAZARD, row)
    at, skill, dc = values["at"], values["skill"], values["dc"]
    problems = [
        (at is None, "at: is missing; say which increment it stands in"),
        (at and at > course.n_increments, f"at: the course has {course.n_increments} increments"),
        (skill is None, f"skill: is missing; it may be {', '.join(race_sheet.SKILLS)}"),
        (dc is None, f"dc: is missing; every {what} needs a DC"),
    ]
    for is_wrong, problem in problems:
        if is_wrong:
            raise DataError(path, problem, entry=entry)
    kind = course.leg_at(at).kind
    can_ride = kind in _HURT_ON
    if can_ride and skill not in race_sheet.MOUNTED_SKILLS:
        allowed = ", ".join(race_sheet.MOUNTED_SKILLS)
        raise DataError(path, f"skill: a mount has no '{skill}'; it may be {allowed}", entry=entry)
    hurts = values["hurts"] or _HURT_ON.get(kind, "racer")
    if hurts != "racer" and not can_ride:
        raise DataError(path, f"hurts: there is no mount on a '{kind}' leg", entry=entry)
    n_dice, faces = values["damage"]
    if not n_dice and values["damage_is"] != "besides":
        problem = f"damage: is missing; without dice it cannot be '{values['damage_is']}'"
        raise DataError(path, problem, entry=entry)
    name, retry = values["name"] or f"the {what}", values.get("retry", False)
    is_hazard = what == "hazard"
    return Way(at, is_hazard, name, skill, dc, retry, n_dice, faces, values["damage_is"], hurts)
