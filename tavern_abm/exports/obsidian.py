"""The pack as two Obsidian vaults: linked notes for the game master, one note for the players.

Notes are plain Markdown and read well without plugins. With "Dice Roller" the table can
be rolled on, with "Fantasy Statblocks" the people have stat blocks, and with "Dataview"
the properties of the notes can be asked for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from ..pack.documents import Card, Pack, PlayersPage, Rumor, SessionHook, Sheet, players_page
from . import gm_words
from .file_names import Names
from .foundry_documents import CHALLENGE
from .gm_words import Line
from .markdown import bullets, escaped
from .own_notes import keep_own_files, marked

__all__ = ["files", "keep_own_files", "player_files"]

VAULT = "game-master"
PLAYERS_VAULT = "for-players"
_UNPRINTED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""What JSON may hold as it is and YAML may not."""
FOLDERS = {"rumors": "Rumours", "people": "People", "houses": "Houses", "hooks": "Situations"}


def files(pack: Pack) -> dict[str, bytes]:
    """Both vaults by path."""
    notes = _Vault(pack).notes()
    ours = {f"{VAULT}/{path}.md": text.encode() for path, text in notes.items()}
    return {**ours, **player_files(players_page(pack))}


def player_files(page: PlayersPage) -> dict[str, bytes]:
    """The players' vault: one note without a link, a property or a tag."""
    return {f"{PLAYERS_VAULT}/{page.title}.md": _player_note(page).encode()}


def _player_note(page: PlayersPage) -> str:
    cells = [
        f"{escaped(each.text)} *({escaped(gm_words.spoken_by(each))})*" for each in page.rumors
    ]
    return f"{_dice_table(cells)}\n"


def _dice_table(cells: list[str]) -> str:
    """A table that the dice roller rolls on: two columns, the first of them headed by a die."""
    head = [f"| dice: 1d{len(cells)} | Rumour |", "| ---: | --- |"]
    rows = [f"| {number} | {cell} |" for number, cell in enumerate(cells, start=1)]
    return "\n".join([*head, *rows, "", "^rumours"])


def front_matter(properties: Mapping[str, Any]) -> str:
    """Properties of a note as YAML, of which JSON is a part: so each value is written as JSON."""
    lines = [f"{name}: {_yaml(value)}" for name, value in properties.items()]
    return "\n".join(["---", *lines, "---"])


def _yaml(value: Any) -> str:
    """JSON in which no name is a link: Obsidian looks for them here too."""
    text = json.dumps(value, ensure_ascii=False)
    while "[[" in text:
        text = text.replace("[[", "[ [")
    return _UNPRINTED.sub(lambda each: f"\\u{ord(each[0]):04x}", text)


def statblock(card: Card) -> str:
    """A person as "Fantasy Statblocks" shows him, with the numbers of 5th edition."""
    sheet = card.sheet
    block = {
        "name": card.name,
        "size": sheet.size,
        "type": "humanoid",
        "ac": 10 + (sheet.abilities["dex"] - 10) // 2,
        "hp": sheet.hp,
        "speed": f"{sheet.speed_ft} ft.",
        "stats": [sheet.abilities[name] for name in ("str", "dex", "con", "int", "wis", "cha")],
        **_skills(sheet),
        "cr": str(Fraction(CHALLENGE.get(sheet.block, 0))),
        "traits": [{"name": line.label, "desc": line.text} for line in _traits(card)],
    }
    body = "\n".join(f"{name}: {_yaml(value)}" for name, value in block.items())
    return f"```statblock\n{body}\n```"


def _skills(sheet: Sheet) -> dict[str, Any]:
    passive = {name: at for name, at in sheet.skills_5.items() if name.startswith("passive ")}
    skills = [{name.lower(): at} for name, at in sheet.skills_5.items() if name not in passive]
    return {
        "skillsaves": skills,
        "senses": ", ".join(f"{name} {at}" for name, at in passive.items()),
    }


def _traits(card: Card) -> list[Line]:
    lines = [Line("In a fight", card.fight), Line("Secret", card.secret)]
    return [line for line in lines if line.text]


class _Vault:
    """The game master's notes, and the names under which they are linked."""

    def __init__(self, pack: Pack) -> None:
        names = Names()
        self.pack = pack
        self.start = names.take("Start here")
        self.table = names.take("Rumours tonight")
        self.rumors = {each.number: names.take(f"Rumour {each.number:02d}") for each in pack.rumors}
        self.houses = {
            number: names.take(sign, "A house") for number, sign in sorted(pack.taverns.items())
        }
        self.people = {each.patron_id: names.take(each.name, "Somebody") for each in pack.cards}
        self.hooks = {each.id: names.take(each.title, "A situation") for each in pack.hooks}

    def notes(self) -> dict[str, str]:
        """Every note by its path, without an ending."""
        notes = {self.start: self._start(), self.table: self._table()}
        for each in self.pack.rumors:
            notes[f"{FOLDERS['rumors']}/{self.rumors[each.number]}"] = self._rumor(each)
        for card in self.pack.cards:
            notes[f"{FOLDERS['people']}/{self.people[card.patron_id]}"] = self._person(card)
        for number in self.houses:
            notes[f"{FOLDERS['houses']}/{self.houses[number]}"] = self._house(number)
        for hook in self.pack.hooks:
            notes[f"{FOLDERS['hooks']}/{self.hooks[hook.id]}"] = self._hook(hook)
        return notes

    # ------------------------------------------------------------ links

    def _person_link(self, patron_id: int, name: str = "") -> str:
        """A link to somebody's note, or his name where he has none."""
        note = self.people.get(patron_id)
        return f"[[{note}]]" if note else escaped(name)

    def _house_link(self, tavern_id: int, sign: str) -> str:
        note = self.houses.get(tavern_id)
        return f"[[{note}]]" if note else escaped(sign)

    def _rumor_links(self, numbers: Iterable[int]) -> str:
        return ", ".join(f"[[{self.rumors[each]}]]" for each in numbers if each in self.rumors)

    # ------------------------------------------------------------ notes

    def _start(self) -> str:
        pack = self.pack
        blocks = [
            f"# {escaped(pack.title)}",
            f"Roll on the table: `dice: [[{self.table}^rumours]]`, or open [[{self.table}]].",
            *map(escaped, pack.notes),
            _listed("People", [f"[[{each}]]" for each in self.people.values()]),
            _listed("Situations", [f"[[{each}]]" for each in self.hooks.values()]),
            _listed("Houses", [f"[[{each}]]" for each in self.houses.values()]),
            f"Made of: {escaped(gm_words.made_of(pack))}.",
        ]
        return _note({"tags": ["game-master"], "night": pack.night}, blocks)

    def _table(self) -> str:
        cells = [
            f"{escaped(each.text)} ([[{self.rumors[each.number]}\\|key]])"
            for each in self.pack.rumors
        ]
        return _note({"tags": ["rumours"], "night": self.pack.night}, [_dice_table(cells)])

    def _rumor(self, rumor: Rumor) -> str:
        lines = [line for line in gm_words.key_lines(rumor) if line.label not in _LINKED]
        blocks = [
            f"> {escaped(rumor.text)}",
            f"**{rumor.truth.upper()}**, DC {rumor.dc} to hear it",
            "\n".join(self._people_of(rumor)),
            bullets(lines),
        ]
        return _note(_rumor_properties(rumor), blocks)

    def _people_of(self, rumor: Rumor) -> list[str]:
        """Who says it, who is in it and who can be asked, with links to those that have notes."""
        says = self._person_link(rumor.teller_id, rumor.teller)
        house = self._house_link(rumor.tavern_id, rumor.tavern)
        return [
            f"- **Says it**: {says}, {escaped(rumor.seat)}, {house}",
            f"- **From whom**: {escaped(gm_words.chain(rumor))}",
            *self._people_line("About", rumor.about),
            *self._people_line("Can be asked", (link.patron_id for link in rumor.chain)),
        ]

    def _people_line(self, label: str, people: Iterable[int]) -> list[str]:
        """A line with the links of those that have notes, if any has."""
        notes = dict.fromkeys(self.people[each] for each in people if each in self.people)
        return [f"- **{label}**: {', '.join(f'[[{note}]]' for note in notes)}"] if notes else []

    def _person(self, card: Card) -> str:
        lines = bullets([*gm_words.card_lines(card), *gm_words.number_lines(card)])
        blocks = [
            f"*{escaped(card.what)}*",
            "\n".join([lines, *self._where_found(card)]),
            statblock(card),
            _listed("Kin", map(escaped, card.kin)),
            _listed("What the record says", map(escaped, card.history)),
        ]
        return _note(_person_properties(card), blocks)

    def _where_found(self, card: Card) -> list[str]:
        """His house, the rumours and the situations he is in, as far as there are any."""
        hooks = (each for each in self.pack.hooks if card.patron_id in each.people)
        links = {
            "house": self._house_link(card.tavern_id, card.tavern),
            "rumours": self._rumor_links(sorted(set(card.rumors))),
            "situations": ", ".join(f"[[{self.hooks[each.id]}]]" for each in hooks),
        }
        return [f"- **{label}**: {text}" for label, text in links.items() if text]

    def _house(self, tavern_id: int) -> str:
        pack = self.pack
        here = [each.number for each in pack.rumors if each.tavern_id == tavern_id]
        guests = [each.patron_id for each in pack.cards if each.tavern_id == tavern_id]
        hooks = [each for each in pack.hooks if each.tavern_id == tavern_id]
        blocks = [
            f"*{escaped(pack.taverns[tavern_id])}*",
            _listed("Here tonight", [self._person_link(each) for each in guests]),
            _listed("Said here", [f"[[{self.rumors[each]}]]" for each in here]),
            _listed("Situations", [f"[[{self.hooks[each.id]}]]" for each in hooks]),
        ]
        return _note({"tags": ["tavern"], "aliases": [pack.taverns[tavern_id]]}, blocks)

    def _hook(self, hook: SessionHook) -> str:
        place = f"- **place**: {self._house_link(hook.tavern_id, hook.tavern)}"
        linked = [place, *self._people_line("people", hook.people)]
        properties = {"tags": ["situation"], "motif": hook.motif, "id": hook.id}
        lines = bullets(gm_words.hook_lines(hook))
        return _note(properties, [f"*{escaped(hook.title)}*", lines, "\n".join(linked)])


_LINKED = ("Says it", "From whom")
"""Labels of the key that a note writes with links."""


def _rumor_properties(rumor: Rumor) -> dict[str, Any]:
    return {
        "tags": ["rumour"],
        "number": rumor.number,
        "truth": rumor.truth,
        "kind": rumor.kind,
        "dc": rumor.dc,
        "strength": rumor.strength,
        "teller": rumor.teller,
        "house": rumor.tavern,
        "event": rumor.event,
        "story": rumor.story,
        "id": rumor.id,
    }


def _person_properties(card: Card) -> dict[str, Any]:
    return {
        "tags": ["npc"],
        "aliases": [card.name],
        "what": card.what,
        "house": card.tavern,
        "coins_cp": card.sheet.coins_cp,
        "id": card.id,
    }


def _listed(title: str, lines: Iterable[str]) -> str:
    """A heading and a list, or nothing."""
    items = [f"- {line}" for line in lines]
    return "\n".join([f"## {title}", "", *items]) if items else ""


def _note(properties: Mapping[str, Any], blocks: Iterable[str]) -> str:
    return marked("\n\n".join([front_matter(properties), *filter(None, blocks)]) + "\n")
