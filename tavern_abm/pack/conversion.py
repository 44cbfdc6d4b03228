"""Numbers of a person in three editions: d20 3.5, in which the model thinks, 4th and 5th.

With r the ranks (modifier less ability modifier), m the ability modifier and L the
level, of which 3.5 allows L + 3 ranks at most:

- 3.5: m + r
- 4th: m + L // 2, and 5 if r is at least half of the most ranks
- 5th: m, and 2 if r is at least half of the most, 4 if it is the most or more

What a people or a trade adds counts as ranks. See docs/explanation/editions.md.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ..checks import ability_modifier

TRAINED = 5
"""Bonus of a trained skill in the 4th edition."""
PROFICIENT, EXPERT = 2, 4
"""Proficiency bonus in the 5th edition of everybody below level 5, and twice of it."""
PASSIVE = 10


class Skill(NamedTuple):
    """A skill as the later editions have it, and what it was before."""

    columns: tuple[str, ...]  # of the table of patrons
    ability: str
    fourth: str
    fifth: str


NAMES_35 = {
    "thievery": "Sleight of Hand",
    "spot": "Spot",
    "insight": "Sense Motive",
    "bluff": "Bluff",
    "climb": "Climb",
    "swim": "Swim",
    "jump": "Jump",
    "balance": "Balance",
    "tumble": "Tumble",
    "hide": "Hide",
    "ride": "Ride",
}
"""Skills of 3.5 by the column that holds their modifier."""
ABILITY_OF = {
    "thievery": "dexterity",
    "spot": "wisdom",
    "insight": "wisdom",
    "bluff": "charisma",
    "climb": "strength",
    "swim": "strength",
    "jump": "strength",
    "balance": "dexterity",
    "tumble": "dexterity",
    "hide": "dexterity",
    "ride": "dexterity",
}
SKILLS = (
    Skill(("thievery",), "dexterity", "Thievery", "Sleight of Hand"),
    Skill(("spot",), "wisdom", "Perception", "Perception"),
    Skill(("insight",), "wisdom", "Insight", "Insight"),
    Skill(("bluff",), "charisma", "Bluff", "Deception"),
    Skill(("climb", "swim", "jump"), "strength", "Athletics", "Athletics"),
    Skill(("balance", "tumble"), "dexterity", "Acrobatics", "Acrobatics"),
    Skill(("hide",), "dexterity", "Stealth", "Stealth"),
)
"""Of several skills that became one, the best counts. Ride has no heir."""


def modifier_of(person: Mapping[str, Any], column: str) -> int:
    """A modifier as the model rolls it.

    Spot is the better of ``spot``, with which he runs and races, and ``perception``,
    with which he watches a table: the same ability, ancestry and trade are in both.
    """
    if column == "spot":
        return max(int(person["spot"]), int(person["perception"]))
    return int(person[column])


def ranks_of(person: Mapping[str, Any], column: str) -> int:
    """What training, trade and ancestry add to the ability.

    Examples
    --------
    >>> ranks_of({"bluff": 6, "charisma": 14}, "bluff")
    4
    """
    return modifier_of(person, column) - ability_modifier(int(person[ABILITY_OF[column]]))


def to_35(modifier: int, ranks: int) -> int:
    """A modifier of 3.5: of the ability, and the ranks."""
    return modifier + ranks


def to_4th(modifier: int, ranks: int, level: int) -> int:
    """A modifier of the 4th edition.

    Examples
    --------
    Five ranks of five allowed at level 2, then one of them.

    >>> to_4th(3, 5, 2), to_4th(3, 1, 2)
    (9, 4)
    """
    return modifier + level // 2 + (TRAINED if _is_trained(ranks, level) else 0)


def to_5th(modifier: int, ranks: int, level: int) -> int:
    """A modifier of the 5th edition.

    Examples
    --------
    >>> [to_5th(3, ranks, 2) for ranks in (5, 3, 2)]
    [7, 5, 3]
    """
    if ranks >= _most_ranks(level):
        return modifier + EXPERT
    return modifier + (PROFICIENT if _is_trained(ranks, level) else 0)


def _most_ranks(level: int) -> int:
    return level + 3


def _is_trained(ranks: int, level: int) -> bool:
    return 2 * ranks >= _most_ranks(level)


def skills_35(person: Mapping[str, Any]) -> dict[str, int]:
    """Every skill of 3.5, by its name there.

    Parameters
    ----------
    person : mapping
        A row of the table of patrons.
    """
    return {name: modifier_of(person, column) for column, name in NAMES_35.items()}


def skills_4th(person: Mapping[str, Any]) -> dict[str, int]:
    """Every skill of the 4th edition that one of 3.5 became."""
    level = int(person["level"])
    return {
        skill.fourth: to_4th(_ability(person, skill), _best_ranks(person, skill), level)
        for skill in SKILLS
    }


def skills_5th(person: Mapping[str, Any]) -> dict[str, int]:
    """The same of the 5th edition, and passive Perception."""
    level = int(person["level"])
    found = {
        skill.fifth: to_5th(_ability(person, skill), _best_ranks(person, skill), level)
        for skill in SKILLS
    }
    return found | {"passive Perception": PASSIVE + found["Perception"]}


def _ability(person: Mapping[str, Any], skill: Skill) -> int:
    return ability_modifier(int(person[skill.ability]))


def _best_ranks(person: Mapping[str, Any], skill: Skill) -> int:
    return max(ranks_of(person, column) for column in skill.columns)


class Typical(NamedTuple):
    """What those who hold a skill add to their d20, on average."""

    in_35: float
    in_4th: float
    in_5th: float


def typical_thief(people: Iterable[Mapping[str, Any]]) -> Typical | None:
    """What the cheats of a town add to a check of theirs; None if there are none.

    Parameters
    ----------
    people : iterable of mapping
        Rows of the table of patrons.
    """
    found = [
        (modifier_of(each, "thievery"), skills_4th(each), skills_5th(each))
        for each in people
        if each["is_cheat_kind"]
    ]
    if not found:
        return None
    return Typical(
        statistics.fmean(third for third, _, _ in found),
        statistics.fmean(fourth["Thievery"] for _, fourth, _ in found),
        statistics.fmean(fifth["Sleight of Hand"] for _, _, fifth in found),
    )


def dc_in(dc: int, before: float, after: float) -> int:
    """A DC that leaves the typical holder of a skill the chance he had.

    Parameters
    ----------
    dc : int
        As the model has it.
    before, after : float
        What the town's typical holder adds to his d20 in 3.5, and in the other edition.

    Examples
    --------
    A cheat with +8 against DC 19 needs an 11; with +6 he still does.

    >>> dc_in(19, 8, 6)
    17
    """
    return math.floor(dc - before + after + 0.5)
