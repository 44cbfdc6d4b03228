"""Half-cards as pages, in three sizes: a line in a list, the half-card, a page of its own."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ..coins import show
from .documents import Card

SIZES = ("line", "card", "page")
WIDTH = 96
LABEL = 10
EDITIONS = (("3.5", "skills_35"), ("4e", "skills_4"), ("5e", "skills_5"))


def to_text(cards: Sequence[Card], size: str = "card") -> str:
    """Cards as plain text.

    Parameters
    ----------
    cards : sequence of Card
        In this order.
    size : {"line", "card", "page"}
        How much of each.
    """
    if size == "line":
        return "\n".join(map(line_of, cards))
    return "\n\n".join("\n".join(_text(card, size)) for card in cards)


def line_of(card: Card) -> str:
    """A card in one line of a list."""
    numbers = " | ".join(_short(each) for each in card.numbers)
    parts = [f"{card.name.upper()}, {card.what}: {card.tonight}", f"wants {card.wants}"]
    return " | ".join([*parts, f"SECRET {card.secret}", numbers])


def _short(numbers: str) -> str:
    """Three numbers without what they are of: "3.5 +0/+5/+9"."""
    edition, *words = numbers.split()
    return f"{edition} {'/'.join(word for word in words if word.lstrip('+-').isdigit())}"


def _text(card: Card, size: str) -> Iterator[str]:
    head = f"{card.name.upper()}  {card.what}"
    if card.rumors:
        numbers = f"{_plural(card.rumors)} {', '.join(map(str, card.rumors))}"
        head = f"{head}{numbers:>{max(len(numbers) + 2, WIDTH - len(head))}}"
    yield head
    for label, line in lines_of(card):
        yield from _labelled(label, line)
    yield f"  {' | '.join(card.numbers)}"
    yield from _wrapped(card.fight)
    if size == "page":
        for label, lines in more_of(card):
            yield f"  {label}"
            for line in lines:
                yield from _wrapped(line, 4)


def _plural(numbers: Sequence[int]) -> str:
    return "rumour" if len(numbers) == 1 else "rumours"


def lines_of(card: Card) -> list[tuple[str, str]]:
    """The six lines of words, each with its label; the secret's is in capitals."""
    return [
        ("tonight", card.tonight),
        ("see/hear", card.looks),
        ("says", card.says),
        ("wants", card.wants),
        ("belief", card.belief),
        ("SECRET", card.secret),
    ]


def more_of(card: Card) -> Iterator[tuple[str, list[str]]]:
    """What a page has beside the half-card: sections with their lines."""
    sheet = card.sheet
    abilities = "  ".join(f"{name} {score}" for name, score in sheet.abilities.items())
    body = f"level {sheet.level}, {sheet.hp} hp, {sheet.speed_ft} ft., {show(sheet.coins_cp)}"
    skills = [f"{edition}: {_listed(getattr(sheet, field))}" for edition, field in EDITIONS]
    yield "numbers", [f"{abilities}  ({body}; free rules: {sheet.block})", *skills]
    if card.kin:
        yield "kin", list(card.kin)
    yield "record", list(card.history) or ["nothing notable so far"]


def _listed(skills: Mapping[str, int]) -> str:
    return ", ".join(
        f"{name} {value if name.startswith('passive') else format(value, '+d')}"
        for name, value in skills.items()
    )


def _labelled(label: str, line: str) -> list[str]:
    return textwrap.wrap(
        line,
        WIDTH,
        initial_indent=f"  {label:<{LABEL}}",
        subsequent_indent=" " * (LABEL + 2),
        break_on_hyphens=False,
    )


def _wrapped(line: str, indent: int = 2) -> list[str]:
    return textwrap.wrap(
        line,
        WIDTH,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + 2),
        break_on_hyphens=False,
    )


def to_markdown(cards: Sequence[Card], size: str = "card") -> str:
    """Cards as Markdown, of the same three sizes."""
    if size == "line":
        return "\n".join(f"- {_escaped(line_of(card))}" for card in cards)
    return "\n\n".join("\n".join(_marked(card, size)) for card in cards)


def _marked(card: Card, size: str) -> Iterator[str]:
    yield f"### {_escaped(card.name)}, {_escaped(card.what)}"
    yield ""
    for label, line in lines_of(card):
        yield f"- **{label}** {_escaped(line)}"
    yield f"- {_escaped(' | '.join(card.numbers))}"
    yield f"- {_escaped(card.fight)}"
    if card.rumors:
        yield f"- {_plural(card.rumors)} {', '.join(map(str, card.rumors))}"
    if size == "page":
        for label, lines in more_of(card):
            yield from ["", f"**{label}**", ""]
            yield from (f"- {_escaped(line)}" for line in lines)


def _escaped(text: str) -> str:
    """Text in which nothing is mark-up, whatever somebody is called."""
    for sign in "\\`*_[]<>|#":
        text = text.replace(sign, f"\\{sign}")
    return text


def to_json(cards: Sequence[Card]) -> str:
    """Cards with all they have, as one JSON document: a list of objects."""
    return json.dumps([_plain(card) for card in cards], indent=2, ensure_ascii=False)


def _plain(card: Card) -> dict[str, Any]:
    return asdict(card)
