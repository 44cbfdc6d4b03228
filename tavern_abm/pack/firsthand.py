"""Who was there: what happened, or was made up, as those tell it who have it from nobody."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import pandas as pd

from ..run_folder import RunFolder
from .evening import Evening
from .matter import Claim
from .tagging import DID_IT, LIVED_IT, MADE_IT_UP, SAW_IT

HALF = 0.5
"""A belief above it is a suspicion."""
OWN_KINDS = {
    "bout": ("bout", "arm-wrestling"),
    "race_won": ("race", "race"),
    "throw_won": ("throw", "long-throw"),
    "lent": ("lent", ""),
    "cleared": ("accused", ""),
    "arrived": ("arrived", ""),
    "left": ("left", ""),
}
"""Kinds of event that are told of, but are no rumours: what that is called, and the game."""
TIES = ("race_won", "throw_won")
"""Kinds in which another one has won as well."""
NOT_TOLD = ("arrived", "left")
"""Kinds whose sum nobody knows: what somebody has in his purse."""
_EVENTS = (
    *("event_id", "night", "round", "tavern_id", "kind", "patron_id", "other_id"),
    *("amount_cp", "witnesses"),
)


class Version(NamedTuple):
    """A row of the table of rumours."""

    rumor_id: int
    story_id: int
    parent_id: int
    event_id: int
    claim: Claim
    made_by: int
    made_night: int


class Happening(NamedTuple):
    """What happened, or what somebody made up.

    Attributes
    ----------
    rumor_id, story_id : int
        Of its first version; 0 if it is no rumour.
    event_id : int
        0 if it was made up.
    claim : Claim
        As who was there tells it.
    night, tavern : int
        On which and where one came to know of it: of what was made up, when that was.
    knowers : dict of int to str
        Who has it from nobody, and how: "saw it", "did it", "lived it" or "made it up".
    """

    rumor_id: int
    story_id: int
    event_id: int
    claim: Claim
    night: int
    tavern: int
    knowers: dict[int, str]


def happenings_of(run: RunFolder, evening: Evening, versions: Iterable[Version]) -> list[Happening]:
    """All there is to tell by tonight: stories as they began, and events that are no rumours.

    Parameters
    ----------
    run : RunFolder
        The run.
    evening : Evening
        Tonight.
    versions : iterable of Version
        Those that there are by tonight.
    """
    roots = [version for version in versions if not version.parent_id]
    events = _events(run, evening.night)
    minds = _Minds(run, evening.night)
    found = [_story(root, events, minds) for root in roots]
    games = {root.event_id: root.claim.game for root in roots}
    company = _company(run, evening, events.values())
    for event in events.values():
        if event["kind"] in OWN_KINDS and _is_tellable(event, evening):
            found.append(_own(event, games, company))
    return found


def _events(run: RunFolder, night: int) -> dict[int, dict[str, Any]]:
    """The events by tonight, by event_id."""
    table = run.table("events", _EVENTS, [("night", "<=", night), ("kind", "not in", _UNTOLD)])
    rows = table.sort_values("event_id").to_dict("records")
    return {int(row["event_id"]): {str(key): row[key] for key in row} for row in rows}


_UNTOLD = ["odd_throw", "trick", "failed_trick", "weighted_dice", "dice_noticed", "spell"]


def _story(root: Version, events: Mapping[int, Mapping[str, Any]], minds: _Minds) -> Happening:
    """A story as it began."""
    claim = root.claim
    if not root.event_id:
        knowers, tavern = {root.made_by: MADE_IT_UP}, 0
    else:
        event = events[root.event_id]
        watching = minds.against(event) if event["kind"] == "cleared" else _seen_by(event)
        knowers, tavern = _knowers(claim, watching), claim.tavern
        if event["kind"] == "cleared":
            knowers.pop(claim.subject, None)
    return Happening(
        root.rumor_id, root.story_id, root.event_id, claim, root.made_night, tavern, knowers
    )


def _knowers(claim: Claim, watching: Iterable[int]) -> dict[int, str]:
    """Who was there, and as what."""
    knowers = dict.fromkeys(watching, SAW_IT)
    if claim.other:
        knowers[claim.other] = DID_IT
    return knowers | {claim.subject: LIVED_IT}


def _seen_by(event: Mapping[str, Any]) -> list[int]:
    return [int(each) for each in event["witnesses"]]


def _is_tellable(event: Mapping[str, Any], evening: Evening) -> bool:
    """Whether the people of an event are there, and one of them has won it alone."""
    is_tie = event["kind"] in TIES and event["other_id"] > 0
    return not is_tie and int(event["patron_id"]) in evening.people


def _own(
    event: Mapping[str, Any], games: Mapping[int, str], company: Mapping[int, list[int]]
) -> Happening:
    """An event that is no rumour."""
    number, night, tavern = (int(event[key]) for key in ("event_id", "night", "tavern_id"))
    kind, game = OWN_KINDS[event["kind"]]
    amount = 0 if kind in (*NOT_TOLD, "accused") else int(event["amount_cp"])
    people = int(event["patron_id"]), int(event["other_id"])
    claim = Claim(kind, game or games.get(number, ""), *people, amount, night, tavern)
    watching = [*_seen_by(event), *company.get(number, ())]
    return Happening(0, 0, number, claim, night, tavern, _knowers(claim, watching))


class _Minds:
    """Who held the accused for a cheat at each trial, by what the judges believed."""

    def __init__(self, run: RunFolder, night: int) -> None:
        columns = ["night", "round", "tavern_id", "accused_id", "judges", "beliefs"]
        table = run.table("trials", columns, [("night", "<=", night)])
        self._against: dict[tuple[int, ...], list[int]] = {}
        for row in table.to_dict("records"):
            at = (row["night"], row["round"], row["tavern_id"], row["accused_id"])
            pairs = zip(row["judges"], row["beliefs"], strict=True)
            own = [int(who) for who, belief in pairs if belief is not None and belief > HALF]
            self._against[tuple(map(int, at))] = own

    def against(self, event: Mapping[str, Any]) -> list[int]:
        """The judges of a trial that held the accused for a cheat, and were overruled."""
        at = (event["night"], event["round"], event["tavern_id"], event["patron_id"])
        return self._against.get(tuple(map(int, at)), [])


# ------------------------------------------------------------- who saw people come and go


def _company(
    run: RunFolder, evening: Evening, events: Iterable[Mapping[str, Any]]
) -> dict[int, list[int]]:
    """Who knows of it first hand that somebody came or left: his kin and his last company.

    Of one who left those at his table on his last evening out, of a newcomer those at
    his table on his first; by event_id.
    """
    movers = [event for event in events if event["kind"] in NOT_TOLD]
    if not movers:
        return {}
    evenings = _evenings_of(run, evening.night, {int(event["patron_id"]) for event in movers})
    tables = {int(event["event_id"]): _table_of(event, evenings) for event in movers}
    seated = _seated(run, [at for at in tables.values() if at is not None])
    kin = _kin_of(evening)
    found = {}
    for event in movers:
        number, who = int(event["event_id"]), int(event["patron_id"])
        at = tables[number]
        both = [*kin.get(who, ()), *(seated.get(at, ()) if at else ())]
        found[number] = [each for each in dict.fromkeys(both) if each != who]
    return found


def _evenings_of(run: RunFolder, night: int, who: set[int]) -> pd.DataFrame:
    columns = ["night", "patron_id", "tavern_id", "table_id"]
    filters = [("night", "<=", night), ("patron_id", "in", sorted(who)), ("table_id", ">", 0)]
    return run.table("evenings", columns, filters).sort_values("night")


def _table_of(event: Mapping[str, Any], evenings: pd.DataFrame) -> tuple[int, ...] | None:
    """Night, tavern and table of his last evening out before he left, or of his first."""
    own = evenings[evenings["patron_id"] == event["patron_id"]]
    rows = own[own["night"] < event["night"]].tail(1) if event["kind"] == "left" else own.head(1)
    if rows.empty:
        return None
    return tuple(int(rows[name].iloc[0]) for name in ("night", "tavern_id", "table_id"))


def _seated(run: RunFolder, tables: Iterable[tuple[int, ...]]) -> dict[tuple[int, ...], list[int]]:
    """Who sat at each of some tables."""
    wanted = set(tables)
    if not wanted:
        return {}
    columns = ["night", "tavern_id", "table_id", "patron_id"]
    filters = [("night", "in", sorted({at[0] for at in wanted})), ("table_id", ">", 0)]
    table = run.table("evenings", columns, filters)
    found: dict[tuple[int, ...], list[int]] = {}
    for *at, who in _rows(table):
        if tuple(at) in wanted:
            found.setdefault(tuple(at), []).append(who)
    return found


def _rows(table: pd.DataFrame) -> Iterator[tuple[int, ...]]:
    yield from zip(*(table[name].tolist() for name in table.columns), strict=True)


def _kin_of(evening: Evening) -> dict[int, list[int]]:
    """Who else is of somebody's household."""
    households: dict[int, list[int]] = {}
    for each in evening.people.values():
        households.setdefault(each.household, []).append(each.patron_id)
    return {each: own for own in households.values() if len(own) > 1 for each in own}
