"""A person's numbers in three editions, and the DC that leaves the chance as it was."""

from __future__ import annotations

from typing import Any

import pytest

from tavern_abm.pack.conversion import (
    ABILITY_OF,
    dc_in,
    ranks_of,
    skills_4th,
    skills_5th,
    skills_35,
    typical_thief,
)
from tavern_abm.pack.statblocks import BLOCKS, block_of, numbers_of, sheet_of

TEN = dict.fromkeys(
    ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"), 10
)
NOBODY: dict[str, Any] = (
    TEN
    | dict.fromkeys((*ABILITY_OF, "perception"), 0)
    | {"level": 1, "ancestry": "human", "trade": "smith", "rank": "common", "speed_ft": 30}
    | {"end_cp": 352, "is_cheat_kind": False}
)


def somebody(**fields: Any) -> dict[str, Any]:
    return NOBODY | fields


@pytest.mark.parametrize(
    ("level", "ability", "modifier", "fourth", "fifth"),
    [
        (1, 10, 0, 0, 0),  # no ranks
        (1, 10, 1, 0, 0),  # one of four is less than half
        (1, 10, 2, 5, 2),  # half of them
        (1, 10, 4, 5, 4),  # all of them
        (2, 16, 8, 9, 7),  # five of five, and three of the ability
        (2, 12, 3, 2, 1),  # two of five is less than half
        (2, 12, 4, 7, 3),  # three is not
        (4, 14, 9, 9, 6),  # seven of seven
        (4, 8, 5, 6, 1),  # six of seven on a poor ability
        (5, 10, -4, 2, 0),  # worse than untrained
    ],
)
def test_bluff_by_ranks_and_level(
    level: int, ability: int, modifier: int, fourth: int, fifth: int
) -> None:
    person = somebody(level=level, charisma=ability, bluff=modifier)
    assert skills_35(person)["Bluff"] == modifier
    assert skills_4th(person)["Bluff"] == fourth
    assert skills_5th(person)["Deception"] == fifth


def test_every_skill_hangs_on_its_own_ability_and_column() -> None:
    third = {
        **{"thievery": "Sleight of Hand", "spot": "Spot", "insight": "Sense Motive"},
        **{
            column: column.capitalize()
            for column in ABILITY_OF
            if column not in ("thievery", "spot", "insight")
        },
    }
    heirs = {
        "thievery": ("Thievery", "Sleight of Hand"),
        "spot": ("Perception", "Perception"),
        "insight": ("Insight", "Insight"),
        "bluff": ("Bluff", "Deception"),
        **dict.fromkeys(("climb", "swim", "jump"), ("Athletics", "Athletics")),
        **dict.fromkeys(("balance", "tumble"), ("Acrobatics", "Acrobatics")),
        "hide": ("Stealth", "Stealth"),
        "ride": ("", ""),
    }
    for column in ABILITY_OF:
        person = somebody(**{column: 4})
        raised = [name for name, value in skills_35(person).items() if value]
        assert raised == [third[column]]
        fourth, fifth = heirs[column]
        assert [name for name, value in skills_4th(person).items() if value] == [fourth][
            : bool(fourth)
        ]
        found = {name for name, value in skills_5th(person).items() if value not in (0, 10)}
        assert found == {fifth, *(["passive Perception"] if column == "spot" else [])} - {""}
        assert ranks_of(somebody(**{ABILITY_OF[column]: 14, column: 4}), column) == 2


def test_the_best_of_several_skills_is_inherited() -> None:
    person = somebody(strength=14, climb=2, swim=5, jump=3)  # three ranks in swimming alone
    assert skills_4th(person)["Athletics"] == 7
    assert skills_5th(person)["Athletics"] == 4


def test_who_watches_a_table_spots() -> None:
    person = somebody(wisdom=12, perception=5, spot=1)
    assert skills_35(person)["Spot"] == 5
    assert skills_5th(person)["passive Perception"] == 10 + 1 + 4
    assert skills_35(somebody(perception=-1, spot=2))["Spot"] == 2


@pytest.mark.parametrize("dc", [10, 19, 25])
@pytest.mark.parametrize(("before", "after"), [(8, 6), (3, 9), (-2, 4), (5, 5)])
def test_a_converted_dc_leaves_the_chance(dc: int, before: int, after: int) -> None:
    converted = dc_in(dc, before, after)
    for natural in range(1, 21):
        assert (natural + before >= dc) is (natural + after >= converted)


def test_the_typical_thief_is_the_mean_cheat() -> None:
    people = [
        somebody(is_cheat_kind=True, dexterity=14, thievery=7),  # +7, +7, +6
        somebody(is_cheat_kind=True, dexterity=10, thievery=1),  # +1, +0, +0
        somebody(dexterity=18, thievery=4),
    ]
    typical = typical_thief(people)
    assert typical is not None
    assert tuple(typical) == (4.0, 3.5, 3.0)
    assert dc_in(19, typical.in_35, typical.in_5th) == 18
    assert typical_thief(people[2:]) is None


def test_a_sheet_has_the_body_of_a_person() -> None:
    sheet = sheet_of(somebody(level=3, constitution=14, ancestry="dwarf", speed_ft=20))
    assert (sheet.hp, sheet.size, sheet.speed_ft, sheet.coins_cp) == (19, "Medium", 20, 352)
    small = sheet_of(somebody(constitution=3, ancestry="gnome", dexterity=15), coins_cp=7)
    assert (small.hp, small.size, small.coins_cp) == (1, "Small", 7)
    assert list(small.abilities.items())[:2] == [("str", 10), ("dex", 15)]


def test_a_block_goes_by_what_can_be_seen() -> None:
    found = {
        block_of(somebody(**fields))
        for fields in (
            {"rank": "noble", "trade": "noble"},
            {"trade": "guard"},
            {"trade": "minstrel"},
            {"trade": "thief"},
            {"trade": "butcher", "strength": 15},
            {"trade": "butcher", "strength": 14},
        )
    }
    assert found == {*BLOCKS}
    honest = somebody(trade="clerk", thievery=0, is_cheat_kind=False)
    assert block_of(honest) == block_of(honest | {"is_cheat_kind": True, "thievery": 9})


def test_three_numbers_in_a_line_each() -> None:
    person = somebody(level=2, dexterity=16, thievery=8, wisdom=14, spot=5, charisma=12, bluff=6)
    assert numbers_of(sheet_of(person)) == (
        "3.5 Sleight +8 Spot +5 Bluff +6",
        "4e Thievery +9 Perc +8 Bluff +7",
        "5e Sleight +7 pPerc 14 Decept +5",
    )
