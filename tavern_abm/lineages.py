"""Rumours with their lineage: every story of a run, and the tree of one, back to its witness.

Everything comes from the tables ``rumors``, ``tellings``, ``events`` and
``patrons`` of a run folder, and is returned as plain data or lines of text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pandas as pd

from .rumor_words import changes_of, claim_of, in_passing, listed
from .run_folder import RunFolder
from .stories import times

TRUTHS = ("true", "partly true", "wrong person", "false")
"""What a version can be, held against the record."""
MOST_WITNESSES = 8
"""So many are named; of the rest only the number is said."""


class NoSuchStoryError(LookupError):
    """Nothing was told of what was asked for."""


class People:
    """Names by id, and taverns by theirs."""

    def __init__(self, run: RunFolder) -> None:
        rows = run.table("patrons", ["patron_id", "name", "sex"])
        self.women = set(rows.loc[rows["sex"] == "female", "patron_id"].tolist())
        self.names = dict(zip(rows["patron_id"].tolist(), rows["name"].tolist(), strict=True))
        signs = [str(tavern["name"]) for tavern in run.scenario()["taverns"]]
        self.houses = dict(enumerate(signs, start=1))

    def who(self, patron_id: int) -> str:
        """The name of somebody by id."""
        return str(self.names.get(patron_id, "somebody"))

    def pronoun(self, patron_id: int) -> str:
        """He or she."""
        return "she" if patron_id in self.women else "he"

    def claim(self, rumor: Mapping[str, Any]) -> str:
        """What a rumour claims, as a sentence without its stop."""
        return claim_of(rumor, self.who, self.houses)


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a table as dicts."""
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]


def stories_of(run: RunFolder) -> list[dict[str, Any]]:
    """Every story of a run, the most widely heard first.

    Returns
    -------
    list of dict
        ``story_id``, ``event_id`` (0: made up), ``says`` and ``truth`` (of the
        story as it began), ``night`` it began, ``versions``, ``tellings``,
        ``heard`` (people who first learned of it by being told), ``believed``
        (of them) and ``false`` (versions that are not true in every part).
    """
    rumors, people = run.table("rumors"), People(run)
    tellings = run.table("tellings", ["rumor_id", "listener_id", "knew", "believed"])
    story = dict(zip(rumors["rumor_id"].tolist(), rumors["story_id"].tolist(), strict=True))
    tellings = tellings.assign(story=tellings["rumor_id"].map(story))
    # Who has forgotten a story may hear it anew; he is one and the same.
    new = tellings[~tellings["knew"]].drop_duplicates(["story", "listener_id"])
    told, heard = tellings["story"].value_counts(), new["story"].value_counts()
    believed = new.loc[new["believed"], "story"].value_counts()
    versions = rumors["story_id"].value_counts()
    bent = rumors.loc[rumors["truth"] != "true", "story_id"].value_counts()
    first = rumors[rumors["parent_id"] == 0]
    found = [
        {
            "story_id": (number := int(row["story_id"])),
            "event_id": int(row["event_id"]),
            "says": people.claim(row),
            "truth": str(row["truth"]),
            "night": int(row["made_night"]),
            "versions": int(versions[number]),
            "tellings": int(told.get(number, 0)),
            "heard": int(heard.get(number, 0)),
            "believed": int(believed.get(number, 0)),
            "false": int(bent.get(number, 0)),
        }
        for row in records(first)
    ]
    return sorted(found, key=lambda each: (-each["heard"], each["story_id"]))


def list_lines(found: list[dict[str, Any]], most: int) -> list[str]:
    """The list of stories as lines: a row a story, and what they come to in all."""
    lines = ["story  event  versions  heard  believed  truth         what is said"]
    for each in found[:most]:
        event = each["event_id"] or "-"
        lines.append(
            f"{each['story_id']:>5}  {event:>5}  {each['versions']:>8}  {each['heard']:>5}  "
            f"{each['believed']:>8}  {each['truth']:<12}  {each['says']}"
        )
    return [*lines, "", *_in_all(found, most)]


def _in_all(found: list[dict[str, Any]], most: int) -> Iterator[str]:
    truths = [sum(each["truth"] == truth for each in found) for truth in TRUTHS]
    parts = [f"{n:,} {truth}" for n, truth in zip(truths, TRUTHS, strict=True) if n]
    began = f"as they began: {', '.join(parts)}" if parts else "nobody told anything"
    yield f"{times(len(found), 'story', 'stories')}; {began}."
    if len(found) > most:
        yield f"The {most:,} most widely heard are shown; --top shows more."


def lineage(run: RunFolder, *, event: int = 0, story: int = 0) -> dict[str, Any]:
    """The tree of all that was told of one event, or of one story.

    Parameters
    ----------
    run : RunFolder
        The run.
    event : int, optional
        Id of an event: all stories that spring from it.
    story : int, optional
        Id of a story, such as one that was made up and has no event.

    Returns
    -------
    dict
        ``event`` (``event_id``, ``night``, ``text``, ``witnesses``; None for an
        invention) and ``stories``: each with ``versions`` and ``roots``, the
        people who told it without having been told. A root has ``who``, ``how``
        (witness or inventor), ``knew`` (how many of those he told knew it) and
        ``told``: tellings with ``listener``, ``night``, ``believed``, ``says``
        and ``change`` (where it was changed in that telling), and again ``knew``
        and ``told``: what the listener made of it.

    Raises
    ------
    NoSuchStoryError
        If there is no such story, or none springs from that event.
    """
    rumors, people = run.table("rumors"), People(run)
    column, wanted = ("story_id", story) if story else ("event_id", event)
    chosen = rumors[rumors[column] == wanted] if wanted > 0 else rumors[:0]
    if chosen.empty:
        what = f"no story {story}" if story else f"no rumour springs from event {event}"
        raise NoSuchStoryError(f"{what}; without it, all stories are listed")
    ids = chosen["rumor_id"].tolist()
    tellings = run.table("tellings")
    tellings = tellings[tellings["rumor_id"].isin(ids) | tellings["told_rumor_id"].isin(ids)]
    source = int(chosen["event_id"].iloc[0])
    return {
        "event": _event(run, source, people) if source else None,
        "stories": [
            _story(rows, tellings, people) for _, rows in chosen.groupby("story_id", sort=True)
        ],
    }


def _event(run: RunFolder, event: int, people: People) -> dict[str, Any] | None:
    rows = records(run.table("events", filters=[("event_id", "==", event)]))
    if not rows:
        return None
    row = rows[0]
    return {
        "event_id": event,
        "night": int(row["night"]),
        "round": int(row["round"]),
        "tavern": people.houses.get(int(row["tavern_id"]), ""),
        "text": str(row["text"]),
        "witnesses": [people.who(int(each)) for each in row["witnesses"]],
    }


def _story(rows: pd.DataFrame, tellings: pd.DataFrame, people: People) -> dict[str, Any]:
    versions = [_version(row, people) for row in records(rows)]
    by_id = {version["rumor_id"]: version for version in versions}
    own = tellings[tellings["told_rumor_id"].isin(by_id)].sort_values("telling_id")
    children: dict[int, list[dict[str, Any]]] = defaultdict(list)
    tellers: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in records(own):
        if row["told_from"]:
            children[int(row["told_from"])].append(row)
        else:
            tellers[int(row["teller_id"])].append(row)
    how = "inventor" if rows["event_id"].iloc[0] == 0 else "witness"
    return {
        "story_id": int(rows["story_id"].iloc[0]),
        "says": versions[0]["says"],
        "truth": versions[0]["truth"],
        "versions": versions,
        "tellings": len(own),
        "news": int((~own["knew"]).sum()),
        "heard": int(own.loc[~own["knew"], "listener_id"].nunique()),
        "believed": int(own.loc[own["believed"] & ~own["knew"], "listener_id"].nunique()),
        "roots": [
            {"who": people.who(teller), "how": how} | _branches(first, children, by_id, people)
            for teller, first in tellers.items()
        ],
    }


def _version(row: Mapping[str, Any], people: People) -> dict[str, Any]:
    return {
        "rumor_id": int(row["rumor_id"]),
        "parent_id": int(row["parent_id"]),
        "says": people.claim(row),
        "change": changes_of(row),
        "truth": str(row["truth"]),
        "made_by": people.who(int(row["made_by"])) if row["made_by"] else "",
        "made_night": int(row["made_night"]),
    }


def _branches(
    rows: Iterable[dict[str, Any]],
    children: Mapping[int, list[dict[str, Any]]],
    versions: Mapping[int, dict[str, Any]],
    people: People,
) -> dict[str, Any]:
    """What one teller did with a story: those it was new to, and how many knew it."""
    rows = list(rows)
    return {
        "knew": sum(bool(row["knew"]) for row in rows),
        "told": [
            _told(row, versions, people)
            | _branches(children.get(int(row["telling_id"]), ()), children, versions, people)
            for row in rows
            if not row["knew"]
        ],
    }


def _told(
    row: dict[str, Any], versions: Mapping[int, dict[str, Any]], people: People
) -> dict[str, Any]:
    version = versions.get(int(row["rumor_id"]))
    is_changed = row["rumor_id"] != row["told_rumor_id"] and version is not None
    return {
        "telling_id": int(row["telling_id"]),
        "rumor_id": int(row["rumor_id"]),
        "listener": people.who(int(row["listener_id"])),
        "night": int(row["night"]),
        "tavern": people.houses.get(int(row["tavern_id"]), ""),
        "believed": bool(row["believed"]),
        "change": version["change"] if version and is_changed else "",
        "says": version["says"] if version and is_changed else "",
        "truth": version["truth"] if version else "",
    }


# ---------------------------------------------------------------- as text


def tree_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """The tree of an event or a story as lines of text."""
    event = found["event"]
    if event:
        yield f"Event {event['event_id']}, night {event['night']}{_at(event['tavern'])}:"
        yield f"  {event['text']}"
        yield f"  {_witnesses(event['witnesses'])}"
    for story in found["stories"]:
        yield ""
        yield f"Story {story['story_id']}: {story['says']}. [{story['truth']}]"
        yield f"  {_reach(story)}"
        for root in story["roots"]:
            yield ""
            yield f"  {root['who']}, {_how(root, event)}{_in_vain(root)}"
            yield from _twigs(root["told"], "  ")


def _twigs(told: list[dict[str, Any]], margin: str) -> Iterator[str]:
    for i, telling in enumerate(told):
        is_last = i == len(told) - 1
        belief = "believed it" if telling["believed"] else "did not believe it"
        yield (
            f"{margin}{'└─' if is_last else '├─'} {telling['listener']}, night {telling['night']}: "
            f"{belief}"
        )
        below = margin + ("   " if is_last else "│  ")
        if telling["says"]:
            change = telling["change"] or "told otherwise"
            yield f"{below}   {change}: “{telling['says']}” [{telling['truth']}]"
        yield from _twigs(telling["told"], below)


def _how(root: Mapping[str, Any], event: Mapping[str, Any] | None) -> str:
    if root["how"] == "inventor":
        return "who made it up"
    is_bystander = event is not None and root["who"] in event["witnesses"]
    return "who saw it" if is_bystander else "who was there"


def _in_vain(root: Mapping[str, Any]) -> str:
    return "" if root["told"] else ", and told none to whom it was new"


def _reach(story: Mapping[str, Any]) -> str:
    if not story["tellings"]:
        return "Nobody told it."
    knew = story["tellings"] - story["news"]
    return (
        f"Told {times(story['tellings'])}: new to {times(story['heard'], 'person', 'people')}, of "
        f"whom {story['believed']:,} believed it; {knew:,} knew it already. "
        f"{times(len(story['versions']), 'version')}."
    )


def _witnesses(names: list[str]) -> str:
    if not names:
        return "Nobody else saw it."
    rest = len(names) - MOST_WITNESSES
    named = names[:MOST_WITNESSES] + ([times(rest, "other")] if rest > 0 else [])
    return f"Seen by {listed(named)}."


def _at(sign: str) -> str:
    return f", at {in_passing(sign)}" if sign else ""
