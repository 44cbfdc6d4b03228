"""What had happened by an evening: the tables of a run as its motifs look through them."""

from __future__ import annotations

import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...data_tables import Custom, DataError, load_tables
from ...run_folder import RunFolder, RunFolderError
from ...society.truth import TRICKS

BULK = ("odd_throw", "spell", "not_opened")
"""Kinds of event that no motif asks for, and of which there are most."""
COLUMNS = (
    *("event_id", "night", "round", "tavern_id", "table_id", "kind", "patron_id", "other_id"),
    *("amount_cp", "is_just", "witnesses", "text"),
)
DUE_AGAIN = 7
"""Nights after which a debt falls due again, where the scenario does not say."""
_DAMAGE = (OSError, ValueError, TypeError, EOFError, KeyError, zipfile.BadZipFile, zlib.error)
"""What reading a state raises that something was done to."""
HALF = 0.5
"""A belief above it is a suspicion."""


class Happening(NamedTuple):
    """A row of the table of events."""

    event_id: int
    night: int
    round: int
    tavern_id: int
    table_id: int
    kind: str
    patron_id: int
    other_id: int
    amount_cp: int
    is_just: bool | None
    witnesses: tuple[int, ...]
    text: str


class Trial(NamedTuple):
    """A row of the table of trials, as far as motifs ask for it."""

    night: int
    round: int
    tavern_id: int
    accuser_id: int
    accused_id: int
    verdict: str
    is_cheat: bool
    tricked: bool
    sentence: str
    guilty: tuple[int, ...]  # the judges whose belief was above one half


@dataclass(frozen=True)
class Past:
    """What had happened by the end of a night.

    Each table is read when it is first asked for, and no later night of it.

    Attributes
    ----------
    run : RunFolder
        The run.
    night : int
        The last night that counts.
    """

    run: RunFolder
    night: int

    @cached_property
    def happenings(self) -> list[Happening]:
        """The events so far, in the order they happened, without those of `BULK`."""
        filters = [("night", "<=", self.night), ("kind", "not in", BULK)]
        return happenings_of(self.run.table("events", COLUMNS, filters))

    @cached_property
    def by_kind(self) -> dict[str, list[Happening]]:
        """The events so far by kind."""
        found: defaultdict[str, list[Happening]] = defaultdict(list)
        for each in self.happenings:
            found[each.kind].append(each)
        return found

    def of(self, *kinds: str, since: int = 0) -> list[Happening]:
        """The events of some kinds from a night on, in the order they happened."""
        found = [each for kind in kinds for each in self.by_kind[kind] if each.night >= since]
        return sorted(found)

    @cached_property
    def cheats(self) -> dict[int, list[Happening]]:
        """The tries at a trick so far, by who tried."""
        tries: defaultdict[int, list[Happening]] = defaultdict(list)
        for each in self.of(*TRICKS):
            tries[each.patron_id].append(each)
        return dict(tries)

    @cached_property
    def trials(self) -> list[Trial]:
        """The trials so far."""
        table = self.run.table("trials", filters=[("night", "<=", self.night)])
        return [_trial(row) for row in table.to_dict("records")]

    @cached_property
    def suspicions(self) -> dict[int, dict[int, float]]:
        """By whom they are about: who holds somebody for a cheat, and how strongly, 0.5 to 1.

        As of the last night on which beliefs were recorded; empty before the first.
        """
        at = self._night_of_beliefs()
        filters = [("night", "==", at), ("belief", ">", HALF)]
        columns = ("observer_id", "subject_id", "belief")
        table = self.run.table("suspicion", columns, filters)
        found: defaultdict[int, dict[int, float]] = defaultdict(dict)
        for observer, subject, belief in table.itertuples(index=False, name=None):
            found[int(subject)][int(observer)] = float(belief)
        return dict(found)

    def _night_of_beliefs(self) -> int:
        nights = self.run.table("suspicion", ("night",))["night"].unique()
        return max((int(night) for night in nights if night <= self.night), default=0)

    @cached_property
    def purses(self) -> dict[int, int]:
        """The coins everybody has as the night closes, in cp."""
        table = self.run.table("wealth", ("patron_id", "gold_cp"), [("night", "==", self.night)])
        return _pairs(table)

    @cached_property
    def won_tonight(self) -> dict[int, int]:
        """What everybody won less what he lost tonight, in cp."""
        table = self.run.table("evenings", ("patron_id", "net_cp"), [("night", "==", self.night)])
        return _pairs(table)

    @cached_property
    def wages(self) -> dict[int, int]:
        """What everybody earns a day, in cp."""
        return _pairs(self.run.table("patrons", ("patron_id", "wage_cp")))

    @cached_property
    def houses(self) -> dict[int, list[dict[Any, Any]]]:
        """The nights of each house so far, by tavern_id."""
        columns = ("night", "tavern_id", "guests", "till_cp", "unpaid_cp", "is_open")
        table = self.run.table("nights", columns, [("night", "<=", self.night)])
        found: defaultdict[int, list[dict[Any, Any]]] = defaultdict(list)
        for row in table.to_dict("records"):
            found[int(row["tavern_id"])].append(row)
        return dict(found)

    @cached_property
    def customs(self) -> dict[int, Custom]:
        """How each house deals with who was found guilty, by tavern_id."""
        scenario = self.run.scenario()
        try:
            known = load_tables(scenario.get("data")).customs
        except DataError:  # a folder of the user's that is gone by now
            known = load_tables().customs
        signs = enumerate(scenario.get("taverns", ()), start=1)
        plain = known["decent"]
        return {at: known.get(tavern.get("custom", ""), plain) for at, tavern in signs}

    @cached_property
    def districts(self) -> dict[int, str]:
        """The part of town in which each house stands, by tavern_id."""
        signs = enumerate(self.run.scenario().get("taverns", ()), start=1)
        return {at: str(tavern.get("district", "")) for at, tavern in signs}

    @cached_property
    def lasting(self) -> frozenset[int]:
        """Houses in which a streak of wins lasts beyond the evening, by tavern_id."""
        signs = enumerate(self.run.scenario().get("taverns", ()), start=1)
        return frozenset(at for at, tavern in signs if tavern.get("streaks_last"))

    @cached_property
    def due_nights(self) -> int:
        """Nights after which a debt that was not paid falls due again."""
        return int(self.run.scenario().get("loans", {}).get("due_nights", DUE_AGAIN))

    @cached_property
    def inventions(self) -> list[dict[Any, Any]]:
        """The stories that somebody made up and that are false: their first versions."""
        filters = [
            ("changed", "==", "invented"),
            ("made_night", "<=", self.night),
            ("truth", "==", "false"),
        ]
        return list(self.run.table("rumors", filters=filters).to_dict("records"))

    def believers(self, story_id: int) -> dict[int, int]:
        """Who believes a story, in the order they heard it, and from whom each has it."""
        rumors = self.run.table("rumors", ("rumor_id",), [("story_id", "==", story_id)])
        filters = [
            ("rumor_id", "in", rumors["rumor_id"].tolist()),
            ("night", "<=", self.night),
            ("believed", "==", True),
        ]
        told = self.run.table("tellings", ("listener_id", "teller_id"), filters)
        return _pairs(told)

    def held(self, since: int, ids: Iterable[int]) -> list[dict[Any, Any]]:
        """The versions of what happened that some people have come to believe since a night.

        Rows of the table of rumours with a ``listener_id``: one for each person and story.
        """
        filters = [("night", ">=", since), ("night", "<=", self.night), ("believed", "==", True)]
        told = self.run.table("tellings", ("rumor_id", "listener_id"), filters)
        rumors = self.run.table("rumors", filters=[("event_id", ">", 0)])
        of = told[told["listener_id"].isin(list(ids))].merge(rumors, on="rumor_id")
        return list(of.drop_duplicates(["story_id", "listener_id"]).to_dict("records"))

    @cached_property
    def streaks(self) -> dict[int, int]:
        """Wins in a row as the Hand, of those who have any; empty but for the last night."""
        file = self.run.path / "state.npz"
        if self.night != self.run.info["nights"] or not file.is_file():
            return {}
        try:
            with file.open("rb") as content, np.load(content, allow_pickle=False) as state:
                streak = state["people.streak"][: int(state["n_rows"])]
        except _DAMAGE as error:
            raise RunFolderError(file, f"damaged: {error}") from error
        return {int(row) + 1: int(streak[row]) for row in np.flatnonzero(streak)}


def happenings_of(table: Any) -> list[Happening]:
    """Rows of a table of events, as plain data."""
    columns = [table[name].tolist() for name in COLUMNS]
    return [_happening(row) for row in zip(*columns, strict=True)]


def _happening(row: tuple[Any, ...]) -> Happening:
    *front, is_just, witnesses, text = row
    just = is_just if isinstance(is_just, bool) else None
    return Happening._make((*front, just, tuple(int(each) for each in witnesses), text))


def _trial(row: Mapping[Any, Any]) -> Trial:
    beliefs = zip(row["judges"], row["beliefs"], strict=True)
    guilty = tuple(int(judge) for judge, belief in beliefs if _is_suspicion(belief))
    own = {name: row[name] for name in Trial._fields if name != "guilty"}
    return Trial(**own, guilty=guilty)


def _is_suspicion(belief: float | None) -> bool:
    return belief is not None and belief > HALF


def _pairs(table: Any) -> dict[int, int]:
    rows: Iterable[tuple[Any, Any]] = table.itertuples(index=False, name=None)
    return {int(who): int(amount) for who, amount in rows}
