"""Stat blocks for Improved Initiative: the file that its import adds to a library."""

import json

from tavern_abm.exports import improved_initiative
from tests.fake_pack import SALT, fake_pack

LISTS = {
    *("DamageVulnerabilities", "DamageResistances", "DamageImmunities", "ConditionImmunities"),
    *("Saves", "Skills", "Senses", "Languages", "Traits", "Actions", "Reactions"),
    *("LegendaryActions", "Speed"),
}
TEXTS = {"Id", "Name", "Path", "Source", "Type", "Challenge", "Description", "Player", "Version"}
REST = {"HP", "AC", "InitiativeModifier", "InitiativeAdvantage", "Abilities", "ImageURL"}


def library() -> dict:
    files = improved_initiative.files(fake_pack(), SALT)
    assert list(files) == ["improved-initiative.json"]
    return json.loads(files["improved-initiative.json"])


def test_each_person_is_listed_and_has_a_block() -> None:
    made = library()
    names = [made[f"Creatures.{key}"]["Name"] for key in made["Creatures"]]
    assert names == [card.name for card in fake_pack().cards]
    assert len(made) == 1 + len(names)


def test_a_block_has_every_field_of_its_type() -> None:
    made = library()
    for key in made["Creatures"]:
        block = made[f"Creatures.{key}"]
        assert set(block) == LISTS | TEXTS | REST
        assert all(isinstance(block[name], list) for name in LISTS)
        assert all(isinstance(block[name], str) for name in TEXTS)
        assert set(block["Abilities"]) == {"Str", "Dex", "Con", "Int", "Wis", "Cha"}
        assert block["Player"] == ""  # else it is taken for a player's character
        assert block["Id"] == key


def test_numbers_are_those_of_the_card() -> None:
    made = library()
    for card, key in zip(fake_pack().cards, made["Creatures"], strict=True):
        block = made[f"Creatures.{key}"]
        assert (block["HP"]["Value"], block["AC"]["Value"]) == (card.sheet.hp, 11)
        skills = {skill["Name"]: skill["Modifier"] for skill in block["Skills"]}
        assert {**skills, "passive Perception": 13} == card.sheet.skills_5
        assert block["Senses"] == ["passive Perception 13"]
    challenges = [made[f"Creatures.{key}"]["Challenge"] for key in made["Creatures"][:6]]
    assert challenges == ["0", "1/8", "1/8", "1/2", "1", "1/8"]


def test_ids_are_those_of_the_pack() -> None:
    assert library()["Creatures"] == [card.id for card in fake_pack().cards]
