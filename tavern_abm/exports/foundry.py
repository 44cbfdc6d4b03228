"""A module for Foundry VTT: a table of what players hear, and all else for the game master.

The folder of the module has the compendium packs; the JSON they are made of lies beside it
and not inside, as Foundry hands any file of a module to any player who knows its address.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from ..pack.documents import Card, Pack, players_page
from . import foundry_pages as pages
from . import leveldb
from .foundry_documents import VERSIONS, Document, Module, actor, journal, roll_table

PACKS = {"talk": "RollTable", "notes": "JournalEntry", "people": "Actor"}
"""What each compendium pack holds."""
FOR_PLAYERS = frozenset({"talk"})
"""Packs that hold nothing but what players may see."""
_EMBEDDED = ("results", "pages", "items")
"""Where a document holds others, which a pack keeps apart."""


def files(pack: Pack, salt: str, *, core: int = 13) -> dict[str, bytes]:
    """The files of the export by their path.

    Parameters
    ----------
    pack : Pack
        The game master's.
    salt : str
        The run's: see `pack.identity.salt_of`. Ids come from it and from what a thing is, so
        that a second export takes the place of the first.
    core : {13, 12}
        Foundry's version. What is written for 12 opens in 13 as well.

    Returns
    -------
    dict of str to bytes
        ``READ-ME.txt``; ``sources/PACK/ID.json`` for each document; ``MODULE/module.json``,
        and ``MODULE/packs/PACK/...`` where plyvel is installed.

    Raises
    ------
    ValueError
        If `core` is another number.
    """
    if core not in VERSIONS:
        raise ValueError(f"no shape for Foundry {core}; there are 12 and 13")
    module = Module(salt, core)
    made = documents(pack, module)
    found = {
        f"sources/{name}/{each['_id']}.json": _source(each)
        for name, documents_ in made.items()
        for each in documents_
    }
    found[f"{module.id}/module.json"] = _source(_manifest(module, made))
    if leveldb.is_available():
        for name, documents_ in made.items():
            for file, content in leveldb.packed(dict(_entries(documents_))).items():
                found[f"{module.id}/packs/{name}/{file}"] = content
    found["READ-ME.txt"] = read_me(module, made).encode()
    return dict(sorted(found.items()))


def remark() -> str:
    """What somebody should know whose packs were not written; empty if they were."""
    if leveldb.is_available():
        return ""
    return (
        "without plyvel there are only the sources of the packs: install tavern-abm[foundry] and "
        "export again, or see READ-ME.txt"
    )


def documents(pack: Pack, module: Module) -> dict[str, list[Document]]:
    """The documents of each compendium pack that has any."""
    people = _people_key(pack, module)
    links = {
        card.patron_id: _page_link(module, people, module.id_of("person", card.id))
        for card in pack.cards
    }
    made = {
        "talk": [_table(pack, module)] if pack.rumors else [],
        "notes": list(_journals(pack, module, links)),
        "people": [actor(module, card, links[card.patron_id]) for card in pack.cards],
    }
    return {name: found for name, found in made.items() if found}


def _table(pack: Pack, module: Module) -> Document:
    return roll_table(module, players_page(pack), [told.id for told in pack.rumors])


def _evening(pack: Pack) -> tuple[int, ...]:
    return pack.night, *sorted(pack.taverns)


def _people_key(pack: Pack, module: Module) -> str:
    return module.id_of("journal of people", *_evening(pack))


def _page_link(module: Module, journal_key: str, page_key: str) -> str:
    return module.link("notes", "JournalEntry", journal_key, "JournalEntryPage", page_key)


def _journals(pack: Pack, module: Module, links: pages.Links) -> Iterator[Document]:
    evening = _evening(pack)
    if pack.rumors:
        told = [pages.overview(module.id_of("overview", *evening), pack)]
        told += [
            pages.rumor(module.id_of("rumour", each.id), each, pack, links) for each in pack.rumors
        ]
        yield journal(module, module.id_of("journal of talk", *evening), "Notes: talk", told)
    if pack.cards:
        faces = [_person(module, card) for card in pack.cards]
        yield journal(module, _people_key(pack, module), "Notes: people", faces)
    if pack.hooks:
        tonight = [
            pages.situation(module.id_of("situation", hook.id), at, hook, pack, links)
            for at, hook in enumerate(pack.hooks, 1)
        ]
        yield journal(module, module.id_of("journal of hooks", *evening), "Notes: tonight", tonight)


def _person(module: Module, card: Card) -> pages.Page:
    sheet = module.link("people", "Actor", module.id_of("actor", card.id))
    return pages.person(module.id_of("person", card.id), card, sheet)


# ---------------------------------------------------------------- files


def _manifest(module: Module, made: Mapping[str, list[Document]]) -> Document:
    return {
        "id": module.id,
        "title": "Tavern talk",
        "description": "An evening in town, for the game master.",
        "version": "1.0.0",
        "compatibility": {"minimum": str(module.core), "verified": str(module.core)},
        "authors": [{"name": "tavern_abm"}],
        "packs": [_pack_entry(name) for name in made],
    }


def _pack_entry(name: str) -> Document:
    entry = {
        "name": name,
        "label": f"Tavern {name}",
        "path": f"packs/{name}",
        "type": PACKS[name],
        "ownership": {"PLAYER": "NONE", "TRUSTED": "NONE", "ASSISTANT": "OWNER"},
    }
    # The other packs open under any rules, so the module itself asks for none.
    return {**entry, "system": "dnd5e"} if PACKS[name] == "Actor" else entry


def _source(document: Document) -> bytes:
    """As `fvtt package unpack` writes it, to the byte."""
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()


def _entries(made: list[Document]) -> Iterator[tuple[str, bytes]]:
    """What a pack keeps of documents, by key; those inside others apart, by their ids."""
    for document in made:
        inside = {name: document[name] for name in _EMBEDDED if name in document}
        for each in inside.values():
            yield from _entries(each)
        ids = {name: [each["_id"] for each in found] for name, found in inside.items()}
        value = {name: value for name, value in {**document, **ids}.items() if name != "_key"}
        yield document["_key"], json.dumps(value, ensure_ascii=False).encode()


def read_me(module: Module, made: Mapping[str, list[Document]]) -> str:
    """What to do with the files."""
    lines = ["For the game master: players must see nothing of this folder.", ""]
    if not leveldb.is_available():
        lines += ["First make the packs, which could not be written here. With Node.js, in this"]
        lines += ["folder:", "", "    npm install @foundryvtt/foundryvtt-cli"]
        lines += [*_commands(module, made), "", "Then:", ""]
    lines += [
        f"1. Copy the folder {module.id} into Data/modules of your Foundry.",
        "2. Start Foundry, open your world, switch on the module 'Tavern talk'.",
        "3. Its compendium packs are hidden from players. Roll on the table in 'Tavern talk'",
        "   from there, or import it. Leave the notes in their pack and read them there.",
        "",
        "The folder 'sources' holds the same as JSON, a document a file. Never copy it into Data:",
        "what lies there may be fetched by anybody who reaches your Foundry and knows its address.",
        f"That goes for the files inside {module.id} as well: the name of that folder cannot be",
        "guessed, but the browsers of players are told which modules are on. If yours look into",
        "such things, leave the module out: import the one document of sources/talk as a table,",
        "and read the rest on paper.",
        "",
        "To import a document, make a new table, journal or actor, right-click it, choose 'Import",
        "Data' and give its file.",
    ]
    return "\n".join(lines) + "\n"


def _commands(module: Module, made: Mapping[str, list[Document]]) -> list[str]:
    return [
        f"    npx fvtt package pack -n {name} --in sources/{name} --out {module.id}/packs"
        for name in made
    ]
