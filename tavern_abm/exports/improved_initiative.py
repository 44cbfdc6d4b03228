"""People as stat blocks for Improved Initiative, in the file that its settings take in.

That is the item "Import characters, statblocks, encounters and spells from a JSON file",
which adds to what is there; the one above it replaces everything.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from ..pack.documents import Card, Pack
from . import gm_words
from .foundry_documents import CHALLENGE

FILE = "improved-initiative.json"
_NOTHING = (
    *("DamageVulnerabilities", "DamageResistances", "DamageImmunities", "ConditionImmunities"),
    *("Saves", "Actions", "Reactions", "LegendaryActions"),
)


def files(pack: Pack, salt: str = "") -> dict[str, bytes]:
    """The one file of the export: a stat block for each person, for the game master.

    Its ids are those of the pack, so `salt` has no say; a second file of a run takes the place
    of the first.
    """
    path = f"Tavern, night {pack.night}"
    blocks = [stat_block(card, path) for card in pack.cards]
    library: dict[str, Any] = {"Creatures": [block["Id"] for block in blocks]}
    library |= {f"Creatures.{block['Id']}": block for block in blocks}
    return {FILE: (json.dumps(library, ensure_ascii=False, indent=2) + "\n").encode()}


def stat_block(card: Card, path: str) -> dict[str, Any]:
    """A person as Improved Initiative keeps him, in a folder of its library."""
    sheet = card.sheet
    quickness = _modifier(sheet.abilities["dex"])
    return {
        "Id": card.id,
        "Name": card.name,
        "Path": path,
        "Source": "tavern_abm",
        "Type": f"{sheet.size} humanoid",
        "HP": {"Value": sheet.hp, "Notes": ""},
        "AC": {"Value": 10 + quickness, "Notes": ""},
        "InitiativeModifier": quickness,
        "InitiativeAdvantage": False,
        "Speed": [f"{sheet.speed_ft} ft."],
        "Abilities": {name.capitalize(): score for name, score in sheet.abilities.items()},
        **{name: [] for name in _NOTHING},
        "Skills": [
            {"Name": name, "Modifier": number}
            for name, number in sheet.skills_5.items()
            if not name.startswith("passive ")
        ],
        "Senses": [
            f"{name} {number}"
            for name, number in sheet.skills_5.items()
            if name.startswith("passive ")
        ],
        "Languages": ["Common"],
        "Challenge": str(Fraction(CHALLENGE.get(sheet.block, 0))),
        "Traits": [{"Name": each.label, "Content": each.text} for each in _lines(card)],
        "Description": card.what,
        "Player": "",
        "Version": "0.1.0",
        "ImageURL": "",
    }


def _lines(card: Card) -> list[gm_words.Line]:
    return [*gm_words.card_lines(card), gm_words.Line("fight", card.fight)]


def _modifier(score: int) -> int:
    return score // 2 - 5
