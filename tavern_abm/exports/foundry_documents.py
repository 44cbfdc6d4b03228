"""Foundry's own documents: roll tables, journals and actors, in the shape of its version 12 or 13.

Each is what the server keeps and `fvtt package unpack` writes: JSON with an `_id`, and with a
`_key` under which it goes into a compendium pack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from ..pack.documents import Card, PlayerRumor, PlayersPage, Sheet
from ..pack.identity import id_of
from .foundry_pages import Page, face, line, text

Document = dict[str, Any]

VERSIONS = {12: ("12.331", "4.0.0"), 13: ("13.351", "5.3.3")}
"""Of Foundry and of its dnd5e that documents are written for, by the first number of Foundry's."""
HIDDEN = {"default": 0}
"""Nobody but a game master may open it."""
CHALLENGE = {"commoner": 0, "bandit": 0.125, "guard": 0.125, "noble": 0.125, "thug": 0.5, "spy": 1}
"""Of the blocks of the free rules; all of them leave the proficiency bonus at `PROFICIENCY`."""
PROFICIENCY = 2
SKILLS = {
    "Acrobatics": ("acr", "dex"),
    "Athletics": ("ath", "str"),
    "Deception": ("dec", "cha"),
    "Insight": ("ins", "wis"),
    "Perception": ("prc", "wis"),
    "Sleight of Hand": ("slt", "dex"),
    "Stealth": ("ste", "dex"),
}
"""Foundry's letters for each skill of the 5th edition that a card has, and for its ability."""


@dataclass(frozen=True)
class Module:
    """What all documents of one module share.

    Attributes
    ----------
    salt : str
        The run's own, from which ids come: nobody can guess them, and they stay.
    core : int
        12 or 13: the version of Foundry to write for.
    """

    salt: str
    core: int = 13

    @property
    def id(self) -> str:
        """The folder's name, the same for every evening of a run."""
        return f"tavern-{self.id_of('module').lower()[:8]}"

    def id_of(self, kind: str, *what: str | int) -> str:
        """A document's id: 16 letters and digits."""
        return id_of(self.salt, f"foundry {kind}", *what)

    def stats(self, system: bool = False) -> Document:
        """Which versions a document was written for."""
        core, dnd5e = VERSIONS[self.core]
        return {
            "coreVersion": core,
            "systemId": "dnd5e" if system else None,
            "systemVersion": dnd5e if system else None,
        }

    def link(self, pack: str, *steps: str) -> str:
        """Where a document of one of its packs is found, for a link in a text of ours."""
        return f"Compendium.{self.id}.{pack}." + ".".join(steps)


# ---------------------------------------------------------------- a table to roll on


def roll_table(module: Module, page: PlayersPage, rumor_ids: Sequence[str]) -> Document:
    """What players hear, a line for each number of the die.

    Parameters
    ----------
    page : PlayersPage
        In the order of the numbers.
    rumor_ids : sequence of str
        Of its rumours: they give the table and its lines their ids.
    """
    key = module.id_of("table", *sorted(rumor_ids))
    results = [
        _result(module, key, at, rumor, rumor_id)
        for at, (rumor, rumor_id) in enumerate(zip(page.rumors, rumor_ids, strict=True), 1)
    ]
    return {
        "_id": key,
        "name": page.title,
        "img": "icons/svg/d20-grey.svg",
        "description": "",
        "results": results,
        "formula": f"1d{len(results)}",
        "replacement": True,
        "displayRoll": True,
        "folder": None,
        "sort": 0,
        "ownership": HIDDEN,
        "flags": {},
        "_stats": module.stats(),
        "_key": f"!tables!{key}",
    }


def _result(module: Module, table: str, at: int, rumor: PlayerRumor, rumor_id: str) -> Document:
    key = module.id_of("result", rumor_id)
    return {
        "_id": key,
        "type": "text",
        "img": "icons/svg/d20-black.svg",
        **_words(module.core, heard(rumor)),
        "weight": 1,
        "range": [at, at],
        "drawn": False,
        "flags": {},
        "_key": f"!tables.results!{table}.{key}",
    }


def heard(rumor: PlayerRumor) -> str:
    """A rumour as it comes up in the chat."""
    seen = f"{rumor.speaker_as_seen} · {rumor.heard_at}"
    return str(Markup("<p>{}</p><p><em>{}</em></p>").format(text(rumor.text), text(seen)))


def _words(core: int, html: str) -> Document:
    if core == 12:
        return {"text": html, "documentCollection": "", "documentId": None}
    return {"name": "", "description": html}


# ---------------------------------------------------------------- journals


def journal(module: Module, key: str, name: str, pages: Sequence[Page]) -> Document:
    """A journal that only game masters may open, with a page for each of `pages`."""
    return {
        "_id": key,
        "name": name,
        "pages": [_page(key, at, page) for at, page in enumerate(pages, 1)],
        "categories": [],
        "folder": None,
        "sort": 0,
        "ownership": HIDDEN,
        "flags": {},
        "_stats": module.stats(),
        "_key": f"!journal!{key}",
    }


def _page(journal_key: str, at: int, page: Page) -> Document:
    return {
        "_id": page.key,
        "name": page.name,
        "type": "text",
        "title": {"show": True, "level": 1},
        "text": {"format": 1, "content": str(page.html)},
        "sort": 100_000 * at,
        "ownership": {"default": -1},
        "flags": {},
        "_key": f"!journal.pages!{journal_key}.{page.key}",
    }


# ---------------------------------------------------------------- people


def actor(module: Module, card: Card, notes: str) -> Document:
    """A person as a character of the 5th edition.

    What it tells of him is what anybody sees who looks at him: so it may be shown to players.

    Parameters
    ----------
    notes : str
        Where his page of the journal is: see `Module.link`.
    """
    key = module.id_of("actor", card.id)
    return {
        "_id": key,
        "name": card.name,
        "type": "npc",
        "img": "icons/svg/mystery-man.svg",
        "system": _system(module.core, card, notes),
        "prototypeToken": {
            "name": card.name,
            "displayName": 0,
            "actorLink": True,
            "disposition": 0,
        },
        "items": [],
        "effects": [],
        "folder": None,
        "sort": 0,
        "ownership": HIDDEN,
        "flags": {},
        "_stats": module.stats(system=True),
        "_key": f"!actors!{key}",
    }


def _system(core: int, card: Card, notes: str) -> Document:
    sheet = card.sheet
    return {
        "abilities": {name: {"value": score} for name, score in sheet.abilities.items()},
        "attributes": {
            "ac": {"calc": "default", "flat": None},
            "hp": {"value": sheet.hp, "max": sheet.hp, "formula": ""},
            "movement": {
                "walk": sheet.speed_ft if core == 12 else str(sheet.speed_ft),
                "units": "ft",
            },
        },
        "details": {
            "alignment": "",
            "biography": {
                "value": str(face(card) + line("Notes", Markup(f"@UUID[{notes}]{{open}}"))),
                "public": str(face(card)),
            },
            "cr": CHALLENGE.get(sheet.block, 0),
            "type": {"value": "humanoid", "subtype": "", "custom": ""},
        },
        "traits": {
            "size": "sm" if sheet.size == "Small" else "med",
            "languages": {"value": ["common"], "custom": ""},
        },
        "currency": _purse(sheet.coins_cp),
        "skills": _skills(sheet),
    }


def _purse(coins_cp: int) -> dict[str, int]:
    gold, left = divmod(max(coins_cp, 0), 100)
    silver, copper = divmod(left, 10)
    return {"pp": 0, "gp": gold, "ep": 0, "sp": silver, "cp": copper}


def _skills(sheet: Sheet) -> Document:
    modifiers = {
        name.removeprefix("passive "): number - 10 * name.startswith("passive ")
        for name, number in sheet.skills_5.items()
    }
    return {
        letters: _skill(modifiers[name] - (sheet.abilities[ability] // 2 - 5))
        for name, (letters, ability) in SKILLS.items()
        if name in modifiers
    }


def _skill(above: int) -> Document:
    """A skill of a modifier that lies some points above the ability's own."""
    level = min(max(above // PROFICIENCY, 0), 2)
    left = above - level * PROFICIENCY
    return {"value": level, "bonuses": {"check": f"{left:+d}" if left else "", "passive": ""}}
