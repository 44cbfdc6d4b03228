"""One person's nights, gathered from the tables of a run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from ..lineages import People, records
from ..run_folder import RunFolder
from .at_table import NIGHTS
from .voice import Night
from .wordings import SIGHTS

UNTOLD = ("odd_throw",)
"""Kinds of event that a diary leaves out: an innocent throw somebody frowned at."""


def gather(
    run: RunFolder, person: dict[Any, Any], first: int, last: int, people: People
) -> list[Night]:
    """Everything the record has of somebody from one night to another, night by night."""
    me = int(person["patron_id"])
    between = [("night", ">=", first), ("night", "<=", last)]
    own = _own_events(run, me, last)
    sights = _rows(run, "events", [*between, ("kind", "in", SIGHTS)])
    seen = [e for e in sights if me in e["witnesses"]]
    trials = _rows(run, "trials", between)
    since = [("night", ">=", first - 1), ("night", "<=", last)]
    evenings = _rows(run, "evenings", [*since, ("patron_id", "==", me)])
    purses = {
        int(row["night"]): int(row["gold_cp"])
        for row in _rows(run, "wealth", [("patron_id", "==", me)])
    }
    heard, told = _talk(run, me, between)
    at = {int(row["night"]): row for row in evenings}
    keyed = {
        "events": _by_night(own),
        "seen": _by_night(seen),
        "judged": _by_night(row for row in trials if me in row["judges"] and row["accuser_id"]),
        "trials": _by_night(row for row in trials if me in (row["accuser_id"], row["accused_id"])),
        "heard": _by_night(heard),
        "told": _by_night(told),
    }
    home = next((i for i, sign in people.houses.items() if sign == person["home_tavern"]), 0)
    reasons = _Reasons(run, home, _bans(own))
    return [
        Night(
            night,
            _evening(at.get(night), home, person),
            purses.get(night - 1),
            **{name: rows.get(night, []) for name, rows in keyed.items()},
            why_home=reasons.why(night, at.get(night), at.get(night - 1), purses.get(night - 1)),
        )
        for night in range(first, last + 1)
    ]


def _own_events(run: RunFolder, me: int, last: int) -> list[dict[str, Any]]:
    """Events in which he is the doer or the other, in the order they happened."""
    before = ("night", "<=", last)
    found = [
        *_rows(run, "events", [before, ("patron_id", "==", me)]),
        *_rows(run, "events", [before, ("other_id", "==", me), ("patron_id", "!=", me)]),
    ]
    told = [event for event in found if event["kind"] not in UNTOLD]
    return sorted(told, key=lambda event: int(event["event_id"]))


def _rows(run: RunFolder, table: str, filters: list[tuple[str, str, Any]]) -> list[dict[str, Any]]:
    """Rows of a table as dicts; none if the run has no such table."""
    if table not in run.tables:
        return []
    return records(run.table(table, filters=filters))


def _by_night(rows: Iterable[dict[str, Any]]) -> dict[int, list[dict[str, Any]]]:
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        found[int(row["night"])].append(row)
    return found


def _talk(
    run: RunFolder, me: int, between: list[tuple[str, str, Any]]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Tellings that were new: to him, and from him; each with the rumour as it was told."""
    if "tellings" not in run.tables:
        return [], []
    heard = _rows(run, "tellings", [*between, ("listener_id", "==", me), ("knew", "==", False)])
    told = _rows(run, "tellings", [*between, ("teller_id", "==", me), ("knew", "==", False)])
    ids = {int(row[key]) for row in heard + told for key in ("rumor_id", "told_rumor_id")}
    rumors = {int(row["rumor_id"]): row for row in _rows(run, "rumors", [("rumor_id", "in", ids)])}
    return [_joined(row, rumors) for row in heard], [_joined(row, rumors) for row in told]


def _joined(telling: dict[str, Any], rumors: dict[int, dict[str, Any]]) -> dict[str, Any]:
    """A telling with the rumour as the listener heard it, and as the teller knew it."""
    heard, known = rumors[int(telling["rumor_id"])], rumors[int(telling["told_rumor_id"])]
    return telling | {"rumor": heard, "as_known": known}


def _evening(
    row: dict[str, Any] | None, home: int, person: dict[Any, Any]
) -> dict[str, Any] | None:
    if row is None:
        return None
    return row | {"home_id": home, "is_player": bool(person["is_player"])}


def _bans(events: list[dict[str, Any]]) -> list[tuple[int, int, int]]:
    """Bans from the record: tavern, the night after which it holds, and its last one."""
    found = []
    for event in events:
        length = NIGHTS.search(str(event["text"]))
        if event["kind"] == "banned" and length:
            night = int(event["night"])
            found.append((int(event["tavern_id"]), night, night + int(length[1])))
    return found


class _Reasons:
    """Why he stayed at home, as far as the record gives a reason."""

    def __init__(self, run: RunFolder, home: int, bans: list[tuple[int, int, int]]) -> None:
        houses = run.scenario()["taverns"]
        house = houses[max(0, home - 1)]
        self.home, self.bans = home, bans
        self.fare = int(house.get("seat_fee_cp", 2)) + 2 * int(house.get("mug_cp", 4))

    def why(
        self,
        night: int,
        evening: dict[str, Any] | None,
        before: dict[str, Any] | None,
        purse: int | None,
    ) -> str:
        """A key of `diary_words.HOME`; how he is tonight, last night's record says."""
        if evening is None or evening["tavern_id"]:
            return ""
        condition = str(before["condition"]) if before else ""
        if condition in ("bruised", "lying low"):
            return condition
        if any(at == self.home and since < night <= until for at, since, until in self.bans):
            return "banned"
        return "broke" if purse is not None and purse < self.fare else ""
