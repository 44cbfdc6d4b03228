"""Rumours as pages: the game master's with its key, and the players' without one.

The players' pages are made of a `PlayersPage` and can hold nothing else.
"""

from __future__ import annotations

import csv
import io
import json
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ..rumor_words import in_passing
from .documents import Link, PlayerRumor, PlayersPage, Rumor

if TYPE_CHECKING:
    from ..run_folder import RunFolder

WIDTH = 88
ENDS = 2
"""So many are named at each end of a long chain."""


@dataclass(frozen=True)
class Page:
    """Rumours for the game master.

    Attributes
    ----------
    title : str
        "Rumours at the Eel Pot, night 14".
    rumors : sequence of Rumor
        In the order of their numbers.
    notes : sequence of str
        Lines under the table.
    footer : str
        Of which run it is: for the game master alone, since who knows it can play it again.
    """

    title: str
    rumors: Sequence[Rumor]
    notes: Sequence[str]
    footer: str


def page_of(
    run: RunFolder,
    rumors: Sequence[Rumor],
    notes: Sequence[str],
    night: int | None = None,
    tavern: int | None = None,
) -> Page:
    """The game master's page of a set of rumours of a run."""
    info = run.info
    return Page(title_of(run, night, tavern), rumors, notes, footer_of(info))


def title_of(run: RunFolder, night: int | None, tavern: int | None) -> str:
    """What a set is called: "Rumours at the Eel Pot, night 14"; "in" a town."""
    place = f"in {run.info['scenario']}"
    if tavern is not None:
        place = f"at {in_passing(str(run.scenario()['taverns'][tavern - 1]['name']))}"
    return f"Rumours {place}, night {night or run.info['nights']}"


def footer_of(info: Mapping[str, Any]) -> str:
    """Of which run a page is."""
    version = info.get("versions", {}).get("tavern_abm", "?")
    return (
        f"{info['scenario']}, seed {info['seed']}, replicate {info.get('replicate', 0)}, "
        f"{info['nights']} nights; tavern_abm {version}. Not for players: who knows this can "
        "play the run again."
    )


def players_of(rumors: Sequence[Rumor]) -> PlayersPage:
    """What of a set the players may see."""
    return PlayersPage(
        "What is being said",
        tuple(PlayerRumor(each.text, each.tavern, each.speaker_as_seen) for each in rumors),
    )


# ------------------------------------------------------------- as text


def text_of(page: Page) -> str:
    """The game master's page: the table with its numbers, then the key."""
    lines = [page.title, ""]
    for each in page.rumors:
        lines += [*_numbered(each.number, each.text), *_below(f"{each.teller}, {_seat_of(each)}")]
    lines += ["", *page.notes, "", "", "KEY, for the game master alone", ""]
    for each in page.rumors:
        lines += [*_key_of(each), ""]
    return "\n".join([*lines, page.footer])


def _seat_of(rumor: Rumor) -> str:
    return f"{rumor.seat or 'somewhere'}, {in_passing(rumor.tavern)}"


def _numbered(number: int, text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=f"{number:>4}  ", subsequent_indent=" " * 6)


def _below(text: str) -> list[str]:
    return textwrap.wrap(f"({text})", WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 9)


def _key_of(rumor: Rumor) -> Iterator[str]:
    yield from _numbered(rumor.number, f"{rumor.truth.upper()}. {rumor.key}")
    for name, text in key_lines(rumor):
        lead = f"{name}: "
        yield from textwrap.wrap(
            text, WIDTH, initial_indent=" " * 6 + lead, subsequent_indent=" " * 10
        )


def key_lines(rumor: Rumor) -> Iterator[tuple[str, str]]:
    """What stands in the key of a rumour below what is true, by its name."""
    yield "from", chain_of(rumor.chain)
    yield "if pressed", f"“{rumor.pressed}”"
    yield "leads to", rumor.hook
    about = f"event {rumor.event}" if rumor.event else f"made up, story {rumor.story}"
    strength = ("gossip", "a lead", "somebody needs something done")[rumor.strength - 1]
    yield "DC", f"{rumor.dc}. Strength {rumor.strength} ({strength}), {rumor.kind}, {about}."


def chain_of(chain: Sequence[Link]) -> str:
    """Through whom a rumour came, from its first to its teller.

    Of a long chain the first two and the last two are named, and how many are between. A
    house that all of it went through is named once.
    """
    links = list(map(_link, chain))
    houses = {link.tavern for link in chain if link.tavern}
    if len(houses) == 1:
        links = _named_once(links, in_passing(houses.pop()))
    between = len(links) - 2 * ENDS
    if between > 1:  # one takes no more room than the count of it
        links[ENDS:-ENDS] = [f"... ({between} more)"]
    return " > ".join(links)


def _link(link: Link) -> str:
    at = f", {in_passing(link.tavern)}" if link.tavern else ""
    pressed = "" if link.pressed in ("", "tells it") else f"; {link.pressed}"
    return f"{link.name} ({link.how}, night {link.night}{at}{pressed})"


def _named_once(links: Sequence[str], house: str) -> list[str]:
    """Links in which a house is named where it comes first, and nowhere else."""
    naming = re.compile(rf", (?:at )?{re.escape(house)}(?= \(|[;)])")
    found = []
    is_named = False
    for link in links:
        first = naming.search(link)
        kept = first.end() if first and not is_named else 0
        is_named |= first is not None
        found.append(link[:kept] + naming.sub("", link[kept:]))
    return found


def players_text(page: PlayersPage) -> str:
    """The players' page."""
    lines = [page.title, ""]
    for number, each in enumerate(page.rumors, start=1):
        lines += [*_numbered(number, each.text), *_below(_seen(each)), ""]
    return "\n".join(lines).rstrip("\n")


def _seen(rumor: PlayerRumor) -> str:
    return f"{rumor.speaker_as_seen}; {in_passing(rumor.heard_at)}"


# ------------------------------------------------------------- as Markdown


def markdown_of(page: Page) -> str:
    """The game master's page in Markdown."""
    n = len(page.rumors)
    rows = [
        f"| {each.number} | {_cell(each.text)} | {_cell(f'{each.teller}, {_seat_of(each)}')} |"
        for each in page.rumors
    ]
    lines = [f"# {_plain(page.title)}", "", f"| d{n} | What is said | By whom |", "|--:|---|---|"]
    lines += [*rows, "", *map(_plain, page.notes), "", "## Key", "", "For the game master alone."]
    for each in page.rumors:
        lines += ["", f"**{each.number}. {each.truth.capitalize()}.** {_plain(each.key)}", ""]
        lines += [f"- {name}: {_plain(text)}" for name, text in key_lines(each)]
    return "\n".join([*lines, "", _plain(page.footer)])


def players_markdown(page: PlayersPage) -> str:
    """The players' page in Markdown."""
    rows = [
        f"| {number} | {_cell(each.text)} | {_cell(_seen(each))} |"
        for number, each in enumerate(page.rumors, start=1)
    ]
    head = [f"# {page.title}", "", f"| d{len(rows)} | What is said | By whom |", "|--:|---|---|"]
    return "\n".join([*head, *rows])


def _plain(text: str) -> str:
    r"""Text in which Markdown finds nothing of its own.

    Examples
    --------
    >>> print(_plain("Tam [Red] *Harl* <b>"))
    Tam \[Red\] \*Harl\* \<b>
    """
    return "".join(f"\\{sign}" if sign in "\\`*_[]<#|" else sign for sign in text)


def _cell(text: str) -> str:
    return _plain(" ".join(text.split()))


# ------------------------------------------------------------- as data


def json_of(page: Page) -> str:
    """The game master's page as a JSON list of objects: all that a `Rumor` holds."""
    return _json([asdict(each) for each in page.rumors])


def players_json(page: PlayersPage) -> str:
    """The players' page as a JSON list of objects."""
    return _json([asdict(each) for each in page.rumors])


def _json(document: object) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False)


MARK = "\ufeff"
"""In front of a table, by which spreadsheets know that it is UTF-8."""
HEARD = ("number", "text", "speaker", "heard_at")
"""Columns of what players may see, here and in `tavern export --to gm-csv`."""
CSV_COLUMNS = (
    *("number", "id", "text", "teller", "speaker", "seat", "tavern", "chain", "pressed"),
    *("truth", "key", "kind", "event", "story", "hook", "strength", "dc", "form", "wording"),
)


def csv_of(page: Page) -> str:
    """The game master's page as a table, a row a rumour."""
    rows = [
        asdict(each) | {"chain": chain_of(each.chain), "speaker": each.speaker_as_seen}
        for each in page.rumors
    ]
    return _csv(CSV_COLUMNS, [[row[name] for name in CSV_COLUMNS] for row in rows])


def players_csv(page: PlayersPage) -> str:
    """The players' page as a table, a row a rumour."""
    rows = [
        [number, each.text, each.speaker_as_seen, each.heard_at]
        for number, each in enumerate(page.rumors, start=1)
    ]
    return _csv(HEARD, rows)


def _csv(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_harmless(cell) for cell in row] for row in rows)
    return MARK + file.getvalue().removesuffix("\n")


def _harmless(cell: Any) -> Any:
    """A cell that no spreadsheet takes for a formula."""
    is_formula = isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t")
    return f"'{cell}" if is_formula else cell


FOR_MASTER: Mapping[str, Callable[[Page], str]] = {
    "text": text_of,
    "md": markdown_of,
    "json": json_of,
    "csv": csv_of,
}
"""What makes the game master's page in each format."""
FOR_PLAYERS: Mapping[str, Callable[[PlayersPage], str]] = {
    "text": players_text,
    "md": players_markdown,
    "json": players_json,
    "csv": players_csv,
}
"""What makes the players' page."""
