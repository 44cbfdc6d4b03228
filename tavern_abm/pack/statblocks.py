"""What a stat block of the free rules needs of a person, and how he fights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..checks import ability_modifier
from .conversion import skills_4th, skills_5th, skills_35
from .documents import Sheet

SHORT = {
    "strength": "str",
    "dexterity": "dex",
    "constitution": "con",
    "intelligence": "int",
    "wisdom": "wis",
    "charisma": "cha",
}
BLOCKS = ("commoner", "bandit", "guard", "thug", "spy", "noble")
"""Of the free rules; nobody in a tavern is more than that."""
SMALL = ("gnome", "halfling")
STRONG = 15
"""Strength from which somebody of a rough trade is a thug."""
ROUGH = (
    *("butcher", "tanner", "labourer", "smith", "mason", "cooper", "brewer"),
    *("sailor", "fisher", "carter", "miner"),
)


def sheet_of(person: Mapping[str, Any], coins_cp: int | None = None) -> Sheet:
    """The sheet of somebody.

    Parameters
    ----------
    person : mapping
        A row of the table of patrons.
    coins_cp : int, optional
        What he has on him; by default his purse at the end of the run.

    Returns
    -------
    Sheet
        Hit points are those of the 5th edition: half a die and a half for each level (a
        d6 for small people, a d8 for others), rounded down, and the modifier of
        Constitution; at least one a level.
    """
    level = int(person["level"])
    size = "Small" if str(person["ancestry"]) in SMALL else "Medium"
    halves = 7 if size == "Small" else 9
    toughness = ability_modifier(int(person["constitution"]))
    return Sheet(
        abilities={short: int(person[name]) for name, short in SHORT.items()},
        hp=max(level, level * halves // 2 + level * toughness),
        level=level,
        size=size,
        speed_ft=int(person["speed_ft"]),
        block=block_of(person),
        skills_35=skills_35(person),
        skills_4=skills_4th(person),
        skills_5=skills_5th(person),
        coins_cp=int(person["end_cp"]) if coins_cp is None else coins_cp,
    )


def block_of(person: Mapping[str, Any]) -> str:
    """Which block of the free rules stands for somebody, by what anybody can see of him.

    Never by whether he cheats: a block is printed where players may look over a shoulder.

    Examples
    --------
    >>> butcher = {"trade": "butcher", "rank": "common", "strength": 16}
    >>> block_of(butcher), block_of(butcher | {"strength": 11})
    ('thug', 'commoner')
    """
    trade = str(person["trade"])
    if str(person["rank"]) == "noble":
        return "noble"
    if trade == "guard":
        return "guard"
    if trade in ("gambler", "minstrel"):
        return "spy"
    if trade in ROUGH and int(person["strength"]) >= STRONG:
        return "thug"
    return "bandit" if trade in ("thief", "sailor") else "commoner"


def numbers_of(sheet: Sheet) -> tuple[str, str, str]:
    """The three numbers that matter at a gaming table, in 3.5, 4th and 5th edition."""
    third, fourth, fifth = sheet.skills_35, sheet.skills_4, sheet.skills_5
    return (
        f"3.5 Sleight {third['Sleight of Hand']:+d} Spot {third['Spot']:+d} "
        f"Bluff {third['Bluff']:+d}",
        f"4e Thievery {fourth['Thievery']:+d} Perc {fourth['Perception']:+d} "
        f"Bluff {fourth['Bluff']:+d}",
        f"5e Sleight {fifth['Sleight of Hand']:+d} pPerc {fifth['passive Perception']} "
        f"Decept {fifth['Deception']:+d}",
    )
