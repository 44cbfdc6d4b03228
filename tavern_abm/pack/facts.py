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
SPEAKING_OUT = ("accused", "denounced")
"""Kinds of event that patron_id did to other_id: he called him a cheat, at a table or by day."""
INVOLVING = (*ACCUSING, "ran", "run_down", "got_away")
"""Kinds that name who brought about the sentence that follows in the same round."""
PARTS = {
    "accuser": "{who} had accused {him}",
    "killer": "{who} did it",
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
    paid : int
        Of a debt: the night on which it was paid back since; 0 if it was not.
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
    paid: int = 0


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
    charges : dict of int to dict of int to list of Fact
        How often, when and where somebody was called a cheat, and by whom: of him, by them.
    people : People
        Their names, and the signs of the houses.
    """

    night: int
    by_id: dict[int, Fact]
    happened: dict[tuple[str, int], list[Fact]]
    charges: dict[int, dict[int, list[Fact]]]
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
            return cls(until, by_id, _by_claim(by_id.values()), _charges(rows, by_id), People(run))

    def that(self, kind: str, subject: int) -> Sequence[Fact]:
        """What makes a claim true of somebody, in order of time; of ``cheats``, his tries."""
        return self.happened.get((kind, subject), ())

    def accusers(self, subject: int) -> Sequence[int]:
        """Who has called somebody a cheat, in order of time."""
        return tuple(self.charges.get(subject, ()))

    def said_by(self, accuser: int, subject: int) -> Sequence[Fact]:
        """When and where one called the other a cheat, in order of time."""
        return self.charges.get(subject, {}).get(accuser, ())


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
    involved, paid = _involved(rows), _paid(rows)
    facts = (_fact(row, games, told, involved) for row in rows)
    return {each.event_id: each._replace(paid=paid.get(each.event_id, 0)) for each in facts}


def _fact(
    row: Mapping[str, Any],
    games: Games,
    told: Mapping[int, str],
    involved: Mapping[tuple[int, ...], dict[int, str]],
) -> Fact:
    number, kind = int(row["event_id"]), str(row["kind"])
    subject, tavern = int(row["patron_id"]), int(row["tavern_id"])
    played = {games.at(tavern, int(row["table_id"])), told.get(number, "")}
    part = "killer" if kind == "killed" and not tavern else _PART_OF.get(kind, "")
    parts = {int(row["other_id"]): part} | involved.get(_place(row, subject), {})
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


def _charges(
    rows: Sequence[Mapping[str, Any]], by_id: Mapping[int, Fact]
) -> dict[int, dict[int, list[Fact]]]:
    """Who called whom a cheat, each with what came of it, told of whom it was said."""
    found: defaultdict[int, dict[int, list[Fact]]] = defaultdict(dict)
    for row in rows:
        kind, one, other = str(row["kind"]), int(row["patron_id"]), int(row["other_id"])
        if other and kind in (*ACCUSING, *SPEAKING_OUT):
            accuser, accused = (one, other) if kind in SPEAKING_OUT else (other, one)
            fact = by_id[int(row["event_id"])]
            charge = fact._replace(subject=accused, parts={accuser: "accuser"})
            found[accused].setdefault(accuser, []).append(charge)
    return dict(found)


def _paid(rows: Sequence[Mapping[str, Any]]) -> dict[int, int]:
    """On which night a debt was paid after all, by event_id of when it was not."""
    found: dict[int, int] = {}
    open_debts: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for row in rows:
        pair = int(row["patron_id"]), int(row["other_id"])
        if row["kind"] == "dodged":
            open_debts[pair].append(int(row["event_id"]))
        elif row["kind"] == "paid_back":
            found |= dict.fromkeys(open_debts.pop(pair, ()), int(row["night"]))
    return found
