"""Rumours, people and situations as CSV: a row each, for spreadsheets and importers of tables.

UTF-8 with a mark in front, by which spreadsheets know it, and a line of headings. Lists are
joined by semicolons. Words that a spreadsheet would take for a formula begin with an apostrophe.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any

from ..pack.documents import Card, Pack, PlayerRumor, Rumor, SessionHook, players_page
from ..pack.pages import HEARD
from . import gm_words

FOR_PLAYERS = "for-players/"
"""Files under it hold nothing but what players may see."""
FOR_GM = "for-gm/"
_FORMULA = ("=", "+", "-", "@")
Row = Mapping[str, Any]


RUMORS = (
    *("number", "id", "text", "teller", "speaker", "seat", "tavern", "chain", "pressed"),
    *("truth", "key", "adds", "kind", "event", "story", "hook", "strength", "dc"),
    *("form", "wording", "head", "tail"),
)
PEOPLE = (
    *("id", "patron_id", "name", "what", "sex", "tavern", "tonight", "looks", "says", "wants"),
    *("belief", "secret", "numbers_35", "numbers_4e", "numbers_5e", "fight", "rumours", "history"),
    *("kin", "hp", "block", "coins_cp"),
)
HOOKS = (
    *("id", "title", "motif", "tavern", "now", "wants", "clock", "if_nobody", "lever", "stakes"),
    *("people", "events"),
)


def files(pack: Pack, salt: str = "") -> dict[str, bytes]:
    """The files of the export by path; one with no rows has its headings.

    Its ids are those of the pack, so `salt` has no say.
    """
    heard = [_heard(at, rumor) for at, rumor in enumerate(players_page(pack).rumors, 1)]
    return {
        f"{FOR_GM}people.csv": _table(PEOPLE, map(_person, pack.cards)),
        f"{FOR_GM}rumours.csv": _table(RUMORS, map(_rumor, pack.rumors)),
        f"{FOR_GM}situations.csv": _table(HOOKS, map(_hook, pack.hooks)),
        f"{FOR_PLAYERS}talk.csv": _table(HEARD, heard),
    }


def _table(columns: tuple[str, ...], rows: Iterable[Row]) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _flat(value) for name, value in row.items()} for row in rows)
    return text.getvalue().encode("utf-8-sig")


def _flat(value: Any) -> Any:
    flat = "; ".join(map(str, value)) if isinstance(value, list | tuple) else value
    return f"'{flat}" if isinstance(flat, str) and flat.startswith(_FORMULA) else flat


def _heard(at: int, rumor: PlayerRumor) -> Row:
    return {
        "number": at,
        "text": rumor.text,
        "speaker": rumor.speaker_as_seen,
        "heard_at": rumor.heard_at,
    }


def _rumor(rumor: Rumor) -> Row:
    own = {name: getattr(rumor, name) for name in RUMORS if hasattr(rumor, name)}
    untrue = " (untrue)" if rumor.said.adds_untrue else ""
    adds = rumor.said.adds and rumor.said.adds + untrue
    return {**own, "speaker": rumor.speaker_as_seen, "chain": gm_words.chain(rumor), "adds": adds}


def _person(card: Card) -> Row:
    own = {name: getattr(card, name) for name in PEOPLE if hasattr(card, name)}
    editions = dict(zip(("numbers_35", "numbers_4e", "numbers_5e"), card.numbers, strict=True))
    sheet = {"hp": card.sheet.hp, "block": card.sheet.block, "coins_cp": card.sheet.coins_cp}
    return {**own, **editions, **sheet, "rumours": card.rumors}


def _hook(hook: SessionHook) -> Row:
    return {name: getattr(hook, name) for name in HOOKS}
