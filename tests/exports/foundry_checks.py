"""What every document of Foundry must keep, as checks for tests: keys, ids, ranges, types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

Document = dict[str, Any]

COMMON = {"_id", "_key", "_stats", "flags", "folder", "name", "ownership", "sort"}
TABLE = COMMON | {"description", "displayRoll", "formula", "img", "replacement", "results"}
JOURNAL = COMMON | {"categories", "pages"}
ACTOR = COMMON | {"effects", "img", "items", "prototypeToken", "system", "type"}
RESULT = {"_id", "_key", "drawn", "flags", "img", "range", "type", "weight"}
RESULT_WORDS = {12: {"text", "documentCollection", "documentId"}, 13: {"name", "description"}}
PAGE = {"_id", "_key", "flags", "name", "ownership", "sort", "text", "title", "type"}
INSIDE = {"tables": "results", "journal": "pages", "actors": "items"}
VOID = {"br", "hr", "img"}


def verify(document: Document, core: int) -> None:
    """See that a document is one that Foundry of this version takes in."""
    collection = document["_key"].split("!")[1]
    keys = {"tables": TABLE, "journal": JOURNAL, "actors": ACTOR}[collection]
    assert set(document) == keys
    assert document["_key"] == f"!{collection}!{document['_id']}"
    assert document["ownership"] == {"default": 0}
    assert document["_stats"]["coreVersion"].startswith(f"{core}.")
    assert document["name"]
    for each in (document, *document[INSIDE[collection]]):
        assert re.fullmatch(r"[A-Za-z0-9]{16}", each["_id"])
        assert each["flags"] == {}
        assert list(each)[-1] == "_key"
    {"tables": verify_table, "journal": verify_journal, "actors": verify_actor}[collection](
        document, core
    )


def verify_table(table: Document, core: int) -> None:
    """A table whose lines cover its die, each number once."""
    sides = int(re.fullmatch(r"1d([1-9]\d*)", table["formula"])[1])
    covered = [
        number
        for result in table["results"]
        for number in range(result["range"][0], result["range"][1] + 1)
    ]
    assert covered == list(range(1, sides + 1))
    for result in table["results"]:
        assert set(result) == RESULT | RESULT_WORDS[core]
        assert result["type"] == "text"
        assert result["weight"] == result["range"][1] - result["range"][0] + 1
        assert result["_key"] == f"!tables.results!{table['_id']}.{result['_id']}"
        assert well_formed(result["text" if core == 12 else "description"])


def verify_journal(journal: Document, core: int) -> None:
    """Pages in order, in HTML, and only for whoever may open the journal."""
    sorts = [page["sort"] for page in journal["pages"]]
    assert sorts == sorted(set(sorts))
    for page in journal["pages"]:
        assert set(page) == PAGE
        assert page["name"]
        assert (page["type"], page["text"]["format"]) == ("text", 1)
        assert page["ownership"] == {"default": -1}
        assert page["_key"] == f"!journal.pages!{journal['_id']}.{page['_id']}"
        assert well_formed(page["text"]["content"])


def verify_actor(actor: Document, core: int) -> None:
    """A character of dnd5e."""
    system = actor["system"]
    assert actor["type"] == "npc"
    assert actor["_stats"]["systemId"] == "dnd5e"
    assert set(system["abilities"]) == {"str", "dex", "con", "int", "wis", "cha"}
    assert system["attributes"]["hp"]["value"] == system["attributes"]["hp"]["max"] >= 1
    assert system["traits"]["size"] in ("sm", "med")
    assert isinstance(system["attributes"]["movement"]["walk"], int if core == 12 else str)
    assert well_formed(system["details"]["biography"]["value"])


class Reader(HTMLParser):
    """Runs of text of a piece of HTML, each with the elements and classes around it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[str] = []
        self.runs: list[tuple[str, frozenset[str]]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        if tag not in VOID:
            self.open.append(dict(attrs).get("class") or tag)

    def handle_endtag(self, tag: str) -> None:
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.runs.append((data, frozenset(self.open)))

    def text(self, *, without: str = "") -> str:
        """All of the text, without what stands inside some class."""
        return "".join(run for run, around in self.runs if without not in around)


def well_formed(html: str) -> bool:
    """Whether every element is closed and none of them does anything."""
    reader = Reader(html)
    allowed = {"p", "em", "strong", "span", "section", "blockquote", "h2", "ul", "li"}
    allowed |= {"table", "tbody", "tr", "th", "td"}
    return not reader.open and set(reader.elements) <= allowed


def html_of(document: Document) -> Iterator[str]:
    """Every piece of HTML in a document."""
    for result in document.get("results", ()):
        yield result.get("text") or result["description"]
    for page in document.get("pages", ()):
        yield page["text"]["content"]
    if "system" in document:
        yield from document["system"]["details"]["biography"].values()
