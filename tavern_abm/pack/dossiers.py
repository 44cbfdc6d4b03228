"""What the record has of people by tonight: read once a run, handed out a person at a time."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd

from ..run_folder import RunFolder
from ..society.truth import TRICKS
from .evening import Evening

EVENT_COLUMNS = (
    *("event_id", "night", "tavern_id", "kind", "patron_id", "other_id", "amount_cp"),
    *("is_just", "text"),
)
RUMOR_COLUMNS = (
    *("rumor_id", "parent_id", "event_id", "claim", "game", "subject_id", "other_id"),
    *("amount_cp", "night", "tavern_id", "changed", "made_by", "made_night", "truth"),
)
SUSPICION = 0.5
"""Belief above which somebody holds another for a cheat."""
_DUE = re.compile(r"night (\d+)")
_NOTHING = ("odd_throw", "spell", "not_opened")
"""Kinds of event of which nobody would make a note."""


class Belief(NamedTuple):
    """What one person believes of another."""

    patron_id: int  # the other end of it
    belief: float  # 0 to 1: that he cheats


class Debt(NamedTuple):
    """A debt of his, or one to him."""

    other: int  # patron_id of the other one
    amount_cp: int
    due: int  # night; 0 if the record does not say
    is_late: bool  # has not been paid when it was due


@dataclass(frozen=True)
class Dossier:
    """All that the record has of one person by tonight.

    Attributes
    ----------
    row : dict
        His row of the table of patrons; what counts up in it stands as at the end
        of the run, so only what never changes is taken from it.
    events : list of dict
        In which he is the doer or the other, newest first.
    suspects, suspected_by : list of Belief
        Strongest first, as of `believed_on`.
    made : list of dict
        Versions of rumours that he invented or bent.
    net_cp : int
        Won less lost at the tables so far.
    purse_cp : int
        As tonight closes.
    """

    patron_id: int
    row: dict[str, Any]
    events: list[dict[str, Any]]
    suspects: list[Belief]
    suspected_by: list[Belief]
    believed_on: int
    made: list[dict[str, Any]]
    owes: Debt | None
    lent: list[Debt]
    net_cp: int
    purse_cp: int

    def of_kind(self, *kinds: str) -> list[dict[str, Any]]:
        """Events of some kinds that he did or that befell him, newest first."""
        return [
            each
            for each in self.events
            if each["kind"] in kinds and each["patron_id"] == self.patron_id
        ]

    @property
    def tries(self) -> int:
        """At a trick, as far as the record goes."""
        return len(self.of_kind("trick", "failed_trick", "weighted_dice"))

    @property
    def is_cheat(self) -> bool:
        """Whether he has tried a trick, or was caught at one."""
        return bool(self.of_kind(*TRICKS, "caught"))


class Records:
    """The tables of a run up to a night, ready to be asked about people.

    Parameters
    ----------
    run : RunFolder
        The run.
    evening : Evening
        Tonight: what comes after it is not read.
    """

    def __init__(self, run: RunFolder, evening: Evening) -> None:
        self.evening, night = evening, evening.night
        patrons = run.table("patrons")
        self._rows = dict(zip(patrons["patron_id"].tolist(), _records(patrons), strict=True))
        by_then = [("night", "<=", night)]
        self._events = _by_person(run.table("events", EVENT_COLUMNS, by_then))
        self._debts = _debts(self._events)
        self._lent = _lent(self._debts)
        self._made = _made(run, night)
        self._net = _sums(run.table("evenings", ["patron_id", "night", "net_cp"], by_then))
        purses = run.table("wealth", ["patron_id", "gold_cp"], [("night", "==", night)])
        self._purses = purses.set_index("patron_id")["gold_cp"].to_dict()
        self._cheats = {each for each in self._events if self._has_tricked(each)}
        self.believed_on, self._holds, self._about = _beliefs(run, night)

    def dossier(self, patron_id: int) -> Dossier:
        """All that there is of one person."""
        return Dossier(
            patron_id,
            self._rows[patron_id],
            self._events.get(patron_id, []),
            self._holds.get(patron_id, []),
            self._about.get(patron_id, []),
            self.believed_on,
            self._made.get(patron_id, []),
            self._debts.get(patron_id),
            self._lent.get(patron_id, []),
            int(self._net.get(patron_id, 0)),
            int(self._purses.get(patron_id, 0)),
        )

    def is_cheat(self, patron_id: int) -> bool:
        """Whether somebody has tried a trick by tonight."""
        return patron_id in self._cheats

    def kinds_of(self, patron_id: int) -> set[str]:
        """Kinds of event that somebody did or that befell him."""
        own = self._events.get(patron_id, [])
        return {str(each["kind"]) for each in own if each["patron_id"] == patron_id}

    def _has_tricked(self, patron_id: int) -> bool:
        return bool(self.kinds_of(patron_id) & {*TRICKS, "caught"})


def _records(table: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]


def _by_person(events: pd.DataFrame) -> dict[int, list[dict[str, Any]]]:
    """Events of each person, newest first."""
    told = events[~events["kind"].isin(_NOTHING)]
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for each in reversed(_records(told.sort_values("event_id"))):
        for patron_id in sorted({each["patron_id"], each["other_id"]} - {0}):
            found[patron_id].append(each)
    return dict(found)


def _debts(events: dict[int, list[dict[str, Any]]]) -> dict[int, Debt]:
    """Who owes, by the newest event about a debt of his."""
    found: dict[int, Debt] = {}
    for patron_id, own in events.items():
        for each in own:
            if each["patron_id"] != patron_id or each["kind"] not in (
                "lent",
                "paid_back",
                "dodged",
            ):
                continue
            if each["kind"] != "paid_back":
                due = _DUE.search(str(each["text"]))
                number = int(due[1]) if due else 0
                is_late = each["kind"] == "dodged"
                found[patron_id] = Debt(
                    int(each["other_id"]), int(each["amount_cp"]), number, is_late
                )
            break
    return found


def _lent(debts: Mapping[int, Debt]) -> dict[int, list[Debt]]:
    """The same debts by creditor, those to one of them in the order of the debtors' ids."""
    found: dict[int, list[Debt]] = defaultdict(list)
    for debtor, debt in sorted(debts.items()):
        found[debt.other].append(debt._replace(other=debtor))
    return dict(found)


def _made(run: RunFolder, night: int) -> dict[int, list[dict[str, Any]]]:
    """Versions of rumours by who invented or bent them, with the claim they were bent from."""
    rumors = run.table("rumors", RUMOR_COLUMNS, [("made_night", "<=", night)])
    rows = _records(rumors)
    by_id = {each["rumor_id"]: each for each in rows}
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for each in rows:
        if each["made_by"]:
            found[each["made_by"]].append(each | {"parent": by_id.get(each["parent_id"])})
    return dict(found)


def _sums(evenings: pd.DataFrame) -> dict[int, int]:
    return {
        int(str(who)): int(net)
        for who, net in evenings.groupby("patron_id")["net_cp"].sum().items()
    }


def _beliefs(
    run: RunFolder, night: int
) -> tuple[int, dict[int, list[Belief]], dict[int, list[Belief]]]:
    """The newest night by then of which beliefs are kept; by who holds them, and about whom."""
    nights = run.table("suspicion", ["night"])["night"]
    latest = int(nights[nights <= night].max()) if (nights <= night).any() else 0
    columns = ["observer_id", "subject_id", "belief"]
    rows = run.table("suspicion", columns, [("night", "==", latest)])
    rows = rows.sort_values(
        ["belief", "observer_id", "subject_id"], ascending=[False, True, True], kind="stable"
    )
    holds: dict[int, list[Belief]] = defaultdict(list)
    about: dict[int, list[Belief]] = defaultdict(list)
    for observer, subject, belief in _triples(rows):
        holds[observer].append(Belief(subject, belief))
        about[subject].append(Belief(observer, belief))
    return latest, dict(holds), dict(about)


def _triples(rows: pd.DataFrame) -> Iterable[tuple[int, int, float]]:
    columns = (rows[name].tolist() for name in ("observer_id", "subject_id", "belief"))
    return zip(*columns, strict=True)
