"""Pages of Foundry's journals, for the game master alone, in HTML.

What players may see of a page stands first; all else is in a secret block, which Foundry
leaves out for players even where a page is shown to them. Text that came from outside
can do nothing in a page: `text` says how.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from ..pack.documents import Card, Pack, Rumor, SessionHook
from . import gm_words
from .gm_words import Line

STRENGTHS = {1: "gossip", 2: "a lead", 3: "somebody needs something done"}
"""Of what a rumour leads to."""
Links = Mapping[int, str]
"""Where a person's page is found, by patron_id: see `foundry_documents.Module.link`."""


@dataclass(frozen=True)
class Page:
    """A page of a journal."""

    key: str
    name: str
    html: Markup


def text(words: str) -> Markup:
    """Words as HTML.

    Each opening bracket is an element of its own, as Foundry looks for ``[[/roll 1d6]]`` and
    ``@UUID[...]`` in one run of text at a time, also in the name of somebody's tavern.

    Examples
    --------
    >>> print(text("<b>Zoë</b> [[x]]"))
    &lt;b&gt;Zoë&lt;/b&gt; <span>[</span><span>[</span>x]]
    """
    return Markup(str(escape(words)).replace("[", "<span>[</span>"))


def plain(words: str) -> Markup:
    """A paragraph; nothing if there are no words."""
    return Markup("<p>{}</p>").format(text(words)) if words else Markup("")


def line(label: str, words: str | Markup) -> Markup:
    """A paragraph that begins with what it is; nothing if there are no words."""
    if not words:
        return Markup("")
    body = words if isinstance(words, Markup) else text(words)
    return Markup("<p><strong>{}</strong> {}</p>").format(label, body)


def _listed(label: str, words: Sequence[str]) -> Markup:
    rows = Markup("").join(Markup("<li>{}</li>").format(text(each)) for each in words)
    return line(label, Markup("&nbsp;")) + Markup("<ul>{}</ul>").format(rows) if rows else rows


def _secret(key: str, *lines: Markup) -> Markup:
    body = Markup("").join(lines)
    return Markup('<section class="secret" id="secret-{}">{}</section>').format(key, body)


def _lines(words: Iterable[Line]) -> Markup:
    return Markup("").join(line(each.label, each.text) for each in words)


def _pages(people: Iterable[int], pack: Pack, links: Links) -> Markup:
    """The ways to the pages of those of some people who have one."""
    asked = frozenset(people)
    found = [card for card in pack.cards if card.patron_id in asked]
    return Markup(", ").join(
        text(card.name) + Markup(f" @UUID[{links[card.patron_id]}]{{open}}") for card in found
    )


# ---------------------------------------------------------------- rumours


def rumor(key: str, told: Rumor, pack: Pack, links: Links) -> Page:
    """The page of a rumour: its words, and the key to it."""
    words = Markup("<blockquote><p>{}</p></blockquote>").format(text(told.text))
    seen = Markup("<p><em>{}</em></p>").format(text(f"{told.speaker_as_seen} · {told.tavern}"))
    hidden = _secret(
        key,
        line("It is", f"{told.truth}; {STRENGTHS.get(told.strength, '')}; DC {told.dc} to hear it"),
        _lines(gm_words.key_lines(told)),
        line("Pages", _pages((told.teller_id, *told.about), pack, links)),
    )
    return Page(key, str(told.number), words + seen + hidden)


def overview(key: str, pack: Pack) -> Page:
    """All rumours on one page with what they are worth, and which run they come from."""
    columns = (gm_words.die(pack), "What is said", "It is, and who says it", "DC")
    head = Markup("").join(Markup("<th>{}</th>").format(column) for column in columns)
    rows = Markup("").join(
        Markup("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>").format(
            told.number, text(told.text), text(f"{told.truth}: {told.teller}"), told.dc
        )
        for told in pack.rumors
    )
    table = Markup("<table><tbody><tr>{}</tr>{}</tbody></table>").format(head, rows)
    notes = Markup("").join(plain(note) for note in pack.notes)
    body = plain(pack.title) + table + notes + line("Made of", gm_words.made_of(pack))
    return Page(key, "All", _secret(key, body))


# ---------------------------------------------------------------- people and situations


def face(card: Card) -> Markup:
    """What anybody sees who looks at a person."""
    return line("Looks", card.looks) + line("Tonight", card.tonight)


def person(key: str, card: Card, sheet: str) -> Page:
    """The page of a person; `sheet` is where his numbers are found."""
    hidden = _secret(
        key,
        plain(card.what),
        _lines(gm_words.card_lines(card)[2:]),
        _lines(gm_words.number_lines(card)),
        plain(gm_words.rumors_of(card)),
        _listed("Kin", card.kin),
        _listed("So far", card.history),
        line("Sheet", Markup(f"@UUID[{sheet}]{{open}}")),
    )
    return Page(key, card.name, face(card) + hidden)


def situation(key: str, at: int, hook: SessionHook, pack: Pack, links: Links) -> Page:
    """The page of a situation; its name says nothing."""
    hidden = _secret(
        key,
        Markup("<h2>{}</h2>").format(text(hook.title)),
        plain(hook.tavern),
        _lines(gm_words.hook_lines(hook)),
        line("Pages", _pages(hook.people, pack, links)),
    )
    return Page(key, f"Situation {at}", hidden)
