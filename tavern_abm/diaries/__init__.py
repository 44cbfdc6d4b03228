"""A person's nights as a readable diary, gathered from the record of a run.

Nights on which nothing befell him are folded together. What is said comes from
the tables ``events``, ``evenings``, ``wealth``, ``trials``, ``rumors`` and
``tellings`` alone; a run that lacks some of them has a diary that says less.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd

from ..lineages import People
from ..rumor_words import spelled
from ..run_folder import RunFolder
from ..trade_words import trade_of, trades_played
from .gathering import gather
from .paragraphs import paragraph, quiet_text
from .people import NobodyError, closing, find_patron, opening
from .voice import Night, Voice

__all__ = [
    "Diary",
    "Entry",
    "NobodyError",
    "diary_of",
    "find_patron",
    "to_json",
    "to_markdown",
    "to_text",
]

WIDTH = 88


class Entry(NamedTuple):
    """A paragraph of a diary: a night, or some quiet ones in a row."""

    first: int
    last: int
    heading: str
    text: str
    event_ids: list[int]
    telling_ids: list[int]


class Diary(NamedTuple):
    """A life as the record has it."""

    patron_id: int
    name: str
    opening: str
    entries: list[Entry]
    closing: str


def diary_of(run: RunFolder, patron_id: int, first: int = 1, last: int | None = None) -> Diary:
    """Tell somebody's nights.

    Parameters
    ----------
    run : RunFolder
        The run.
    patron_id : int
        Whose.
    first, last : int, optional
        From which night to which; left out: all that he lived here.

    Returns
    -------
    Diary
        Opening, paragraphs in order of time, and a closing line.
    """
    person = run.table("patrons", filters=[("patron_id", "==", patron_id)]).to_dict("records")[0]
    trades = trades_played(run.scenario())
    person["trade"] = trade_of(str(person["trade"]), str(person["sex"]), trades)
    people = People(run)
    name, is_female = str(person["name"]), person["sex"] == "female"
    voice = Voice(patron_id, name, is_female, people.who, people.houses, people.pronoun)
    end = min(last or run.info["nights"], _last_night(person, run.info["nights"]))
    start = max(first, int(person["arrived_night"]), 1)
    nights = gather(run, person, start, end, people)
    entries = list(_entries(voice, nights, int(person["wage_cp"])))
    return Diary(
        patron_id, name, opening(dict(person), voice), entries, closing(dict(person), voice)
    )


def _last_night(person: dict[Any, Any], nights: int) -> int:
    gone = person["gone_night"]
    return nights if pd.isna(gone) or not gone else int(gone)


def _entries(voice: Voice, nights: list[Night], wage: int) -> Iterator[Entry]:
    """Paragraphs; quiet nights in a row are one, or the beginning of the next."""
    quiet: list[Night] = []
    for night in nights:
        if _is_quiet(night, wage):
            if quiet and quiet[-1].why_home != night.why_home:
                yield _folded(voice, quiet)
                quiet = []
            quiet.append(night)
            continue
        if quiet and not _is_at_home(quiet):
            yield _folded(voice, quiet)
            quiet = []
        yield _entry(voice, night, quiet)
        quiet = []
    if quiet:
        yield _folded(voice, quiet)


def _is_quiet(night: Night, wage: int) -> bool:
    """Whether there is nothing to tell but where he was and a little money."""
    happened = night.events or night.judged or night.heard or night.told
    net = night.net_cp
    return not happened and (net is None or abs(net) < 2 * wage)


def _is_at_home(nights: list[Night]) -> bool:
    """Whether he simply stayed at home all the while."""
    return all(n.evening is not None and not n.is_out and not n.why_home for n in nights)


def _entry(voice: Voice, night: Night, before: list[Night]) -> Entry:
    """One night, and the nights at home that went before it."""
    text = paragraph(voice, night)
    if before and night.is_out:
        n = len(before)
        nights = "a night" if n == 1 else f"{spelled(n)} nights"
        text = f"After {nights} at home {uncapitalised(text)}"
    first = before[0].night if before else night.night
    heading = f"Night {night.night}" if night.is_out or not before else _heading(first, night.night)
    events = [int(event["event_id"]) for event in night.events]
    tellings = [int(row["telling_id"]) for row in night.heard + night.told]
    return Entry(first, night.night, heading, text, events, tellings)


def _folded(voice: Voice, nights: list[Night]) -> Entry:
    """Quiet nights in a row: how often he went out, and what it came to."""
    if len(nights) == 1:
        return _entry(voice, nights[0], [])
    first, last = nights[0].night, nights[-1].night
    return Entry(first, last, _heading(first, last), quiet_text(voice, nights), [], [])


def _heading(first: int, last: int) -> str:
    """What a paragraph is headed.

    Examples
    --------
    >>> _heading(3, 3), _heading(3, 4), _heading(3, 9)
    ('Night 3', 'Nights 3 and 4', 'Nights 3 to 9')
    """
    if first == last:
        return f"Night {first}"
    return f"Nights {first} {'and' if last == first + 1 else 'to'} {last}"


def uncapitalised(text: str) -> str:
    """A sentence as it goes on after some words, unless it begins with a name.

    Examples
    --------
    >>> uncapitalised("He had two mugs."), uncapitalised("Bo called him a cheat.")
    ('he had two mugs.', 'Bo called him a cheat.')
    """
    first = text.split(" ", 1)[0]
    return text[:1].lower() + text[1:] if first in ("He", "She", "The", "His", "Her") else text


# ---------------------------------------------------------------- as text


def to_text(diary: Diary) -> str:
    """A diary as plain text, in lines of at most `WIDTH` signs."""
    parts = [diary.name, "", *textwrap.wrap(diary.opening, WIDTH)]
    for entry in diary.entries:
        parts += ["", *textwrap.wrap(f"{entry.heading}. {entry.text}", WIDTH)]
    return "\n".join([*parts, "", *textwrap.wrap(diary.closing, WIDTH)])


def to_markdown(diary: Diary) -> str:
    """A diary as Markdown: a heading, and a paragraph a night."""
    parts = [f"# {diary.name}", diary.opening]
    parts += [f"**{entry.heading}.** {entry.text}" for entry in diary.entries]
    return "\n\n".join([*parts, diary.closing])


def to_json(diary: Diary) -> dict[str, Any]:
    """A diary as plain data."""
    document = diary._asdict()
    document["entries"] = [entry._asdict() for entry in diary.entries]
    return document
