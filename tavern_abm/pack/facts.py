"""What is so by a night of a run, as far as a rumour can be held against it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..lineages import People
from ..run_folder import RunFolder, reading
from ..society.truth import BETWEEN_TWO, KIND_OF, TRICKS
from .firsthand import OWN_KINDS
from .seats import Games

CHEATS = "cheats"
HAPPENS_AS = KIND_OF | {told: kind for kind, (told, _) in OWN_KINDS.items()}
"""The kind of event that makes each claim true, but for ``cheats``."""
CHASES = {"got_away", "run_down", "ran"}
"""Kinds of event that are games of their own, whatever is played at the table."""
ACCUSING = ("accused", "convicted", "cleared")
INVOLVING = (*ACCUSING, "ran", "run_down", "got_away")
"""Kinds that name who brought about the sentence that follows in the same round."""
PARTS = {
    "accuser": "{who} had accused {him}",
    "pursuer": "{who} ran after {him}",
    "player": "it was {who}'s turn",
}
"""What somebody may have had to do with it."""
_PART_OF = (
    dict.fromkeys((*ACCUSING, "warned", "thrown_out", "banned", "beaten", "killed"), "accuser")
    | dict.fromkeys(("ran", "run_down", "got_away"), "pursuer")
    | {"big_win": "player"}
)
_COLUMNS = (
    *("event_id", "night", "round", "tavern_id", "table_id", "kind", "patron_id", "other_id"),
    *("amount_cp", "text"),
)


class Fact(NamedTuple):
    """An event that makes a claim true of `subject`.

    Attributes
    ----------
    parts : dict of int to str
        Whoever brought it about or had a part in it, by patron_id, and which: a key of `PARTS`.
    games : frozenset of str
        At which it may be said to have been: what was played, and the chase.
    """

    event_id: int
    kind: str
    subject: int
    parts: dict[int, str]
    games: frozenset[str]
    amount_cp: int
    night: int
    tavern: int
    text: str


@dataclass(frozen=True)
class Facts:
    """The record of a run up to a night.

    Attributes
    ----------
    night : int
        What came later is not looked at.
    by_id : dict of int to Fact
        Every event but odd throws, by event_id.
    happened : dict of (str, int) to list of Fact
        What makes each claim true of each subject; of ``cheats``, his tries.
    accusers : dict of int to frozenset of int
        Who has called somebody a cheat to his face.
    people : People
        Their names, and the signs of the houses.
    """

    night: int
    by_id: dict[int, Fact]
    happened: dict[tuple[str, int], list[Fact]]
    accusers: dict[int, frozenset[int]]
    people: People

    @classmethod
    def of(cls, run: RunFolder, night: int | None = None) -> Facts:
        """The record up to a night; left out: all of it.

        Raises
        ------
        RunFolderError
            If the run lacks a table that is needed, or they do not fit together.
        """
        until = int(run.info["nights"]) if night is None else night
        with reading(run):
            rows = _rows(run, until)
            by_id = _facts(rows, Games(run.scenario()), _games_told(run))
            return cls(until, by_id, _by_claim(by_id.values()), _accusers(rows), People(run))

    def that(self, kind: str, subject: int) -> Sequence[Fact]:
        """What makes a claim true of somebody, in order of time; of ``cheats``, his tries."""
        return self.happened.get((kind, subject), ())


def _rows(run: RunFolder, until: int) -> list[dict[str, Any]]:
    """The events but for odd throws, in order of time."""
    filters = [("night", "<=", until), ("kind", "!=", "odd_throw")]
    table = run.table("events", _COLUMNS, filters).sort_values("event_id")
    return [{str(key): row[key] for key in row} for row in table.to_dict("records")]


def _games_told(run: RunFolder) -> dict[int, str]:
    """The game that the stories of an event name, which no retelling changes."""
    table = run.table("rumors", ["event_id", "parent_id", "game"], [("parent_id", "==", 0)])
    return dict(zip(table["event_id"].tolist(), table["game"].tolist(), strict=True))


def _facts(
    rows: Sequence[Mapping[str, Any]], games: Games, told: Mapping[int, str]
) -> dict[int, Fact]:
    involved = _involved(rows)
    return {int(row["event_id"]): _fact(row, games, told, involved) for row in rows}


def _fact(
    row: Mapping[str, Any],
    games: Games,
    told: Mapping[int, str],
    involved: Mapping[tuple[int, ...], dict[int, str]],
) -> Fact:
    number, kind = int(row["event_id"]), str(row["kind"])
    subject, tavern = int(row["patron_id"]), int(row["tavern_id"])
    played = {games.at(tavern, int(row["table_id"])), told.get(number, "")}
    parts = {int(row["other_id"]): _PART_OF.get(kind, "")} | involved.get(_place(row, subject), {})
    return Fact(
        event_id=number,
        kind=kind,
        subject=subject,
        parts={each: part for each, part in parts.items() if each not in (0, subject)},
        games=frozenset((played | {"chase"} if kind in CHASES else played) - {""}),
        amount_cp=int(row["amount_cp"]),
        night=int(row["night"]),
        tavern=tavern,
        text=str(row["text"]),
    )


def _place(row: Mapping[str, Any], subject: int) -> tuple[int, ...]:
    return int(row["night"]), int(row["round"]), int(row["tavern_id"]), subject


def _involved(rows: Sequence[Mapping[str, Any]]) -> dict[tuple[int, ...], dict[int, str]]:
    """Who accused or ran after somebody in a round."""
    found: defaultdict[tuple[int, ...], dict[int, str]] = defaultdict(dict)
    for row in rows:
        if row["kind"] in INVOLVING:
            one, other = int(row["patron_id"]), int(row["other_id"])
            who, whom = (one, other) if row["kind"] == "accused" else (other, one)
            found[_place(row, whom)][who] = _PART_OF[str(row["kind"])]
    return found


def _by_claim(facts: Iterable[Fact]) -> dict[tuple[str, int], list[Fact]]:
    claims = {kind: claim for claim, kind in HAPPENS_AS.items()}
    claims |= dict.fromkeys(TRICKS, CHEATS)
    found: defaultdict[tuple[str, int], list[Fact]] = defaultdict(list)
    for fact in facts:
        claim = claims.get(fact.kind)
        if claim is None:
            continue
        found[claim, fact.subject].append(fact)
        if claim in BETWEEN_TWO:
            for other in fact.parts:
                found[claim, other].append(_seen_from(fact, other))
    return dict(found)


def _seen_from(fact: Fact, other: int) -> Fact:
    """What happened between two, told of the other one."""
    return fact._replace(subject=other, parts={fact.subject: ""})


def _accusers(rows: Sequence[Mapping[str, Any]]) -> dict[int, frozenset[int]]:
    found: defaultdict[int, set[int]] = defaultdict(set)
    for row in rows:
        if row["kind"] in ACCUSING:
            one, other = int(row["patron_id"]), int(row["other_id"])
            accuser, accused = (one, other) if row["kind"] == "accused" else (other, one)
            found[accused].add(accuser)
    return {accused: frozenset(who) for accused, who in found.items()}
