"""The record of a run: what happened, night by night, as compact as it comes.

The tables of the run folder are made of it by `results`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .coins import show
from .events import Event, Round, plain_event
from .extent import WHOLE, Extent, kept_of
from .games import load_game
from .patrons.columns import Floats, Ints
from .tables.record import ACCUSED, CAUGHT, Notes, blank_notes
from .town.fortunes import Turn

if TYPE_CHECKING:
    from .results.past import Past
    from .town.setup import Place


class HousesTonight(NamedTuple):
    """How the houses stood tonight: arrays of shape (n_taverns,)."""

    is_open: Ints  # 1: opened its doors
    lift: Ints  # of the stakes its tables agreed on, in hundredths of what is usual
    unpaid: Ints  # bills, cp
    repute: Floats  # as the night closed


NOTES_AT_LEAST, NOTES_AT_MOST = 1024, 16_384
"""Rounds there is room for before notes are filed; more only if a sitting has more."""


class Record:
    """What happened, night by night.

    Parameters
    ----------
    n_taverns : int
        Taverns of the town.
    games : sequence of str
        The games that are played there.
    keep_all : bool, default False
        Keep every round, not only the notable ones.
    """

    def __init__(self, n_taverns: int, games: Sequence[str], keep_all: bool = False) -> None:
        self.n_taverns, self.games = n_taverns, list(games)
        self.keep_all = keep_all
        self.extent: Extent = WHOLE
        self.past: Past | None = None  # the tables of the nights before, if others played them
        self.nights: list[tuple[Any, ...]] = []
        self.scores: list[Any] = []
        self.of_evenings: list[tuple[int, Any]] = []  # arrays of EVENING
        self.arrived: list[tuple[int, Ints]] = []
        self.departed: list[tuple[int, Ints]] = []
        self.unpaid: list[tuple[int, int, int]] = []
        self.turns: list[tuple[int, list[Turn]]] = []
        self.games_of_nights: list[Any] = []
        self.idle: list[Event] = []
        self.of_players: list[Event] = []  # what was put in from outside
        self.debts: list[Any] = []  # arrays of DEBT
        self.networks: dict[int, dict[str, Any]] = {}
        self.told: list[Any] = []  # what `results.events` has made of rounds so far
        self.n_told = 0  # of the arrays of rounds
        self._rounds: list[Any] = []  # arrays of CELL
        self._notes = blank_notes(0, 0)
        self._n_filed = 0
        self._n_before_tonight = 0

    # ------------------------------------------------------------- taking notes

    def room_for(self, n_rounds: int) -> Notes:
        """The notes that kernels write rounds into, with room for so many more."""
        keep_all = int(self.keep_all)
        is_full = len(self._notes.cells) - int(self._notes.n[0]) < n_rounds
        if is_full or self._notes.keep_all != keep_all:
            self._file()
            room = max(NOTES_AT_LEAST, min(4 * n_rounds, NOTES_AT_MOST), n_rounds)
            self._notes = blank_notes(room, keep_all)
            self._n_filed = 0
        return self._notes

    def take_over(self, notes: Notes) -> None:
        """File notes that were taken elsewhere."""
        if notes.n[0]:
            self._rounds.append(notes.cells[: notes.n[0]].copy())

    def rounds(self) -> list[Any]:
        """Every kept round, as arrays of CELL in the order they were taken."""
        self._file()
        return self._rounds

    def thin_out(self, first: int) -> None:
        """Of the rounds from the array `first` on, keep only those that came to a trial."""
        for i, cells in enumerate(self._rounds[first:], start=first):
            self._rounds[i] = cells[(cells["notable"] & (ACCUSED | CAUGHT)) != 0]

    def let_go(self, table: str) -> None:
        """Forget what served only the result tables up to this one, once it has been made."""
        if table == "events":
            self.told.clear()
        elif table == "trials" and not self.keep_all:
            self._rounds.clear()
            self._notes = blank_notes(0, 0)
        elif table == "wealth":
            self.of_evenings.clear()

    def night_begins(self) -> None:
        """From here on, rounds are tonight's."""
        self._n_before_tonight = len(self._rounds)

    def rounds_of(self, night: int) -> Any:
        """The rounds kept tonight, as one array of CELL, in the order they were taken.

        `night` is tonight: among what is filed meanwhile may be rounds of nights before.
        """
        parts = [part for part in self.rounds()[self._n_before_tonight :] if len(part)]
        cells = parts[0] if len(parts) == 1 else self._joined(parts)
        return (
            cells[cells["night"] == night] if len(cells) and cells["night"][0] != night else cells
        )

    def _joined(self, parts: Sequence[Any]) -> Any:
        """Arrays of CELL as one."""
        cells = np.zeros(sum(map(len, parts)), self._notes.cells.dtype)
        at = 0
        for part in parts:  # np.concatenate looks at every field of a record for each part
            cells[at : at + len(part)] = part
            at += len(part)
        return cells

    def _file(self) -> None:
        """File the notes taken since the last time."""
        n = int(self._notes.n[0])
        if n > self._n_filed:
            self._rounds.append(self._notes.cells[self._n_filed : n].copy())
        self._n_filed = n

    def arrivals(self, night: int, rows: Ints) -> None:
        """Newcomers of the day."""
        self.arrived.append((night, rows))

    def departures(self, night: int, leavers: Ints) -> None:
        """Those who left for good: rows and purses, shape (n, 2)."""
        if len(leavers):
            self.departed.append((night, leavers.copy()))

    def night(
        self,
        night: int,
        counts: Any,
        tills: Ints,
        purses: Ints,
        gini: float,
        broke: int,
        brier: float,
        houses: HousesTonight,
        turns: list[Turn],
    ) -> None:
        """The sums of a night, by tavern; how the houses stood, and what became of them.

        `purses` are sorted.
        """
        n = len(purses)
        median = int(purses[n // 2]) if n else 0
        self.nights.append((night, counts, tills.copy(), gini, median, broke, n, brier, houses))
        if turns:
            self.turns.append((night, turns))
        unpaid = houses.unpaid
        if unpaid.any():
            self.unpaid += [(night, i, int(unpaid[i])) for i in np.flatnonzero(unpaid).tolist()]

    def by_game(self, counts: Any) -> None:
        """The sums of a night by game, tavern and kind of count, shape (n_games, n_taverns, k)."""
        self.games_of_nights.append(counts)

    def unopened(
        self,
        night: int,
        place: Place,
        title: str,
        needed: int,
        able: int,
        richest: int,
        problem: str,
    ) -> None:
        """A room or an event that found too few people all night.

        Parameters
        ----------
        title : str
            What it is, to begin a sentence with.
        needed, able : int
            How many it takes, and the most there were who would and could.
        richest : int
            The largest purse among the guests of the house that night, in cp.
        problem : str
            What the game itself says stood in the way; empty if nothing.
        """
        stake = place.what.stake
        if stake != "auto" and richest < stake:
            why = f"nobody could cover a stake of {show(stake)}"
        elif problem:
            why = problem
        else:
            some = {0: "nobody would and could", 1: "only one would and could"}
            why = f"it takes {needed}, and {some.get(able, f'only {able} would and could')}"
        verb = "played" if load_game(place.game).PLACE == "table" else "held"
        text = f"{title} was not {verb} tonight: {why}."
        event = plain_event(night, "not_opened", text, tavern=place.tavern)
        self.idle.append(event._replace(table_id=place.first_table + 1))

    def evenings(self, night: int, evenings: Any) -> None:
        """How the night closed for everybody who lives here, as an array of EVENING."""
        self.of_evenings.append((night, evenings))

    def debts_are(self, log: Any) -> None:
        """What happened to debts, as an array of DEBT."""
        if len(log):
            self.debts.append(log.copy())

    def network(self, night: int, columns: dict[str, Any]) -> None:
        """The suspicion network, or what is written down of it."""
        self.networks[night] = kept_of(columns, self.extent)


def unpacked(cells: Any) -> list[Round]:
    """Kept rounds one by one, as plain Python values."""
    fields = cells.dtype.names
    rounds = []
    for values in cells.tolist():
        cell = dict(zip(fields, values, strict=True))
        for name in ("rows", "facts", "beliefs"):
            cell[name] = cell[name].tolist()
        where = (cell["night"], cell["round"], cell["tavern"], cell["table"] + 1)
        rounds.append(Round(*where, cell["rows"], cell))
    return rounds
