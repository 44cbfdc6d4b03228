"""What somebody can do, for games of skill at the table: drawn, or read from a file.

An evening's people have their character sheets in columns (`columns.Sheet`);
this is the same for a handful of people at a game master's table.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..asking import Flag, OneOf, Option, RefusedError, Text, Whole, near, read_table
from ..chance import ABILITY, PERSON, roll, run_key, subkey
from ..checks import ability_modifier

if TYPE_CHECKING:
    from ..data_tables import DataError

SIZES = ("small", "medium", "large", "huge")
ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
SKILL_ABILITY = {
    "climb": "strength",
    "swim": "strength",
    "jump": "strength",
    "balance": "dexterity",
    "tumble": "dexterity",
    "hide": "dexterity",
    "spot": "wisdom",
    "ride": "dexterity",
}
"""Skills of games of skill, and the ability whose modifier an untrained one has."""
FEATS = ("Endurance", "Run", "Far Shot", "Two-Weapon Fighting", "Weapon Focus")


@dataclass(frozen=True)
class Competitor:
    """Somebody's sheet; everything has a default, so that a name is enough.

    Parameters
    ----------
    strength ... charisma : int
        Ability scores.
    climb ... ride : int, optional
        Skill modifiers; None: the modifier of the ability (see `skill`).
    level, base_attack, caster_level : int
        As in the third edition.
    size : {"small", "medium", "large", "huge"}
    speed_ft, swim_ft, climb_ft : int
        Movement rates; 0 for swim and climb: none of his own, the land speed counts.
    feats : tuple of str
        Some of `FEATS`.
    mount_strength, mount_constitution, mount_speed_ft, mount_jump : int
        His mount's, where he rides.
    mount_is_exempt : bool
        An undead or mechanical mount, which never tires.
    """

    name: str
    strength: int = 10
    dexterity: int = 10
    constitution: int = 10
    intelligence: int = 10
    wisdom: int = 10
    charisma: int = 10
    climb: int | None = None
    swim: int | None = None
    jump: int | None = None
    balance: int | None = None
    tumble: int | None = None
    hide: int | None = None
    spot: int | None = None
    ride: int | None = None
    level: int = 1
    base_attack: int = 0
    caster_level: int = 0
    size: str = "medium"
    speed_ft: int = 30
    swim_ft: int = 0
    climb_ft: int = 0
    feats: tuple[str, ...] = ()
    mount_strength: int = 16
    mount_constitution: int = 15
    mount_speed_ft: int = 60
    mount_jump: int = 7
    mount_is_exempt: bool = False

    def modifier(self, ability: str) -> int:
        """The modifier of an ability."""
        return ability_modifier(getattr(self, ability))

    def skill(self, name: str) -> int:
        """The modifier of a skill: his own, or that of its ability if he has none."""
        own = getattr(self, name)
        return self.modifier(SKILL_ABILITY[name]) if own is None else int(own)

    def has(self, feat: str) -> bool:
        """Say whether he has a feat."""
        return feat in self.feats


_SCORE, _MODIFIER, _FEET = Whole(1, 60), Whole(-10, 60), Whole(0, 300)


class _Feats:
    """A list of feats."""

    word = "feats"

    def read(self, value: Any) -> tuple[str, ...]:
        known = {feat.lower(): feat for feat in FEATS}
        given = value if isinstance(value, list | tuple) else str(value).split(",")
        wanted = [str(each).strip() for each in given]
        for feat in wanted:
            if feat.lower() not in known:
                hint = near(feat, FEATS) or f"; there are {', '.join(FEATS)}"
                raise ValueError(f"no such feat: '{feat}'{hint}")
        return tuple(known[feat.lower()] for feat in wanted)

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": {"enum": list(FEATS)}}


SHEET = (
    Option("name", Text()),
    *(Option(name, _SCORE, 10) for name in ABILITIES),
    *(Option(name, _MODIFIER) for name in SKILL_ABILITY),
    Option("level", Whole(1, 40), 1),
    Option("base_attack", Whole(0, 40), 0),
    Option("caster_level", Whole(0, 40), 0),
    Option("size", OneOf(SIZES), "medium"),
    Option("speed_ft", _FEET, 30),
    Option("swim_ft", _FEET, 0),
    Option("climb_ft", _FEET, 0),
    Option("feats", _Feats(), ()),
    Option("mount_strength", _SCORE, 16),
    Option("mount_constitution", _SCORE, 15),
    Option("mount_speed_ft", _FEET, 60),
    Option("mount_jump", _MODIFIER, 7),
    Option("mount_is_exempt", Flag(), False),
)
"""What a roster may say of somebody: the fields of `Competitor`."""
assert [option.name for option in SHEET] == [each.name for each in fields(Competitor)]


def draw_competitor(name: str, seed: int, place: int) -> Competitor:
    """Somebody nobody has described: 4d6, the lowest dropped, for each ability.

    Parameters
    ----------
    place : int
        His place among the players, from 1; names do not matter.

    Examples
    --------
    >>> ann = draw_competitor("Ann", seed=1, place=1)
    >>> 3 <= ann.strength <= 18, ann == draw_competitor("Ann", 1, 1)
    (True, True)
    """
    key = subkey(run_key(seed), PERSON, place)
    scores: dict[str, Any] = {}
    for i, ability in enumerate(ABILITIES):
        dice = [roll(key, ABILITY, 4 * i + k, 6) for k in range(4)]
        scores[ability] = sum(dice) - min(dice)
    return Competitor(name, **scores)


def load_roster(path: str | Path) -> dict[str, Competitor]:
    """The people of a roster: a TOML file with a ``[[people]]`` table for each.

    Parameters
    ----------
    path : str or Path
        Every table has a ``name``; whatever else of `Competitor` it leaves out
        has its default.

    Raises
    ------
    RefusedError
        If it cannot be read.
    DataError
        If it says something that is not allowed; it names the file, the person
        and the field.
    """
    try:
        document = tomllib.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        problem = f"{path}: {error.strerror or error}"
        raise RefusedError(problem, "roster") from None
    except UnicodeDecodeError:
        raise _wrong(path, "is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise _wrong(path, f"not a TOML file: {error}") from None
    people: dict[str, Competitor] = {}
    for number, entry in enumerate(_entries(path, document), start=1):
        person = _person(path, number, entry)
        if person.name in people:
            raise _wrong(path, f"two people are called '{person.name}'")
        people[person.name] = person
    return people


def _entries(path: str | Path, document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    entries = document.get("people", [])
    is_roster = isinstance(entries, list) and all(isinstance(each, Mapping) for each in entries)
    if not is_roster or set(document) - {"people"}:
        raise _wrong(path, "a roster has [[people]] tables and nothing else")
    if not entries:
        raise _wrong(path, "nobody is in it; write [[people]] and a name")
    return entries


def _person(path: str | Path, number: int, entry: Mapping[str, Any]) -> Competitor:
    who = entry.get("name", f"person {number}")
    try:
        values = read_table(SHEET, entry)
    except RefusedError as error:
        raise _wrong(path, f"{error.option}: {error}", str(who)) from None
    if values["name"] is None:
        raise _wrong(path, f"person {number} has no name")
    return Competitor(**values)


def _wrong(path: str | Path, problem: str, entry: str = "") -> DataError:
    from ..data_tables import DataError  # heavy, and needed only here

    return DataError(path, problem, entry=entry)


def gather_sheets(
    players: Sequence[str], seed: int, roster: Mapping[str, Competitor]
) -> dict[str, Competitor]:
    """A sheet for every player: the roster's, or one that is drawn."""
    return {
        name: roster.get(name) or draw_competitor(name, seed, place)
        for place, name in enumerate(players, start=1)
    }
