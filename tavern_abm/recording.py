"""Keeping the record of a run, its result tables and its folder."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from .coins import show
from .events import Event, Person, Round, events_of_round, plain_event
from .games import GAMES, load_game
from .measures import auc, reputations
from .patrons.columns import (
    ABILITIES,
    COLUMNS,
    DEAD,
    FEATS,
    HERE,
    SEXES,
    SKILLS,
    TRAITS,
    Ints,
)
from .society.suspicion import with_belief
from .tables.record import COUNTS, GAME_COUNTS, NO_SEAT, Notes, blank_notes

if TYPE_CHECKING:
    from .model import TavernModel
    from .town.setup import Place

WHEREABOUTS = {HERE: "here", DEAD: "dead"}


NOTES_AT_LEAST = 1024
"""Rounds there is room for before notes are filed."""


class Record:
    """What happened, night by night, as compact as it comes; tables are made when asked for.

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
        self._nights: list[tuple[Any, ...]] = []
        self._wealth: list[tuple[int, Ints, Ints]] = []
        self._rounds: list[Any] = []  # arrays of CELL
        self._notes = blank_notes(0, 0)
        self._n_filed = 0
        self._arrivals: list[tuple[int, Ints]] = []
        self._departures: list[tuple[int, Ints]] = []
        self._unpaid: list[tuple[int, int, int]] = []
        self._by_game: list[Any] = []
        self._unopened: list[Event] = []
        self._networks: dict[int, dict[str, Any]] = {}
        self._events: list[Event] = []
        self._n_told = 0

    # ------------------------------------------------------------- taking notes

    def room_for(self, n_rounds: int) -> Notes:
        """The notes that kernels write rounds into, with room for so many more."""
        keep_all = int(self.keep_all)
        is_full = len(self._notes.cells) - int(self._notes.n[0]) < n_rounds
        if is_full or self._notes.keep_all != keep_all:
            self._file()
            self._notes = blank_notes(max(NOTES_AT_LEAST, 4 * n_rounds), keep_all)
            self._n_filed = 0
        return self._notes

    def take_over(self, notes: Notes) -> None:
        """File notes that were taken elsewhere."""
        if notes.n[0]:
            self._rounds.append(notes.cells[: notes.n[0]].copy())

    def _file(self) -> None:
        """File the notes taken since the last time."""
        n = int(self._notes.n[0])
        if n > self._n_filed:
            self._rounds.append(self._notes.cells[self._n_filed : n].copy())
        self._n_filed = n

    def arrivals(self, night: int, rows: Ints) -> None:
        """Newcomers of the day."""
        self._arrivals.append((night, rows))

    def departures(self, night: int, leavers: Ints) -> None:
        """Those who left for good: rows and purses, shape (n, 2)."""
        if len(leavers):
            self._departures.append((night, leavers.copy()))

    def night(
        self,
        night: int,
        counts: Any,
        tills: Ints,
        purses: Ints,
        gini: float,
        broke: int,
        unpaid: Ints,
    ) -> None:
        """The sums of a night, by tavern, and the bills a house could not pay.

        `purses` are sorted.
        """
        n = len(purses)
        median = int(purses[n // 2]) if n else 0
        self._nights.append((night, counts, tills.copy(), gini, median, broke, n))
        if unpaid.any():
            self._unpaid += [(night, i, int(unpaid[i])) for i in np.flatnonzero(unpaid).tolist()]

    def by_game(self, counts: Any) -> None:
        """The sums of a night by game, tavern and kind of count, shape (n_games, n_taverns, k)."""
        self._by_game.append(counts)

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
        self._unopened.append(event._replace(table_id=place.first_table + 1))

    def wealth(self, night: int, rows: Ints, gold: Ints) -> None:
        """The purses of those who live here, as the night closed."""
        self._wealth.append((night, rows, gold))

    def network(self, night: int, columns: dict[str, Any]) -> None:
        """The suspicion network."""
        self._networks[night] = columns

    # ------------------------------------------------------------- tables

    def nights_table(self, model: TavernModel) -> pd.DataFrame:
        """A row a night and tavern."""
        names = [tavern.name for tavern in model.scenario.taverns]
        n, k = len(self._nights), self.n_taverns
        table: dict[str, Any] = {
            "night": np.repeat(np.array([each[0] for each in self._nights], np.int32), k),
            "tavern_id": np.tile(np.arange(1, k + 1, dtype=np.int16), n),
            "tavern": names * n,
        }
        counts = [each[1] for each in self._nights]
        sums = np.concatenate(counts) if counts else np.zeros((0, len(COUNTS)), np.int64)
        table |= {name: sums[:, i] for i, name in enumerate(COUNTS)}
        tills = [each[2] for each in self._nights]
        table["till_cp"] = np.concatenate(tills) if tills else np.zeros(0, np.int64)
        for i, (name, kind) in enumerate(
            (("gini", float), ("median_cp", np.int64), ("broke", np.int64), ("living", np.int64)),
            start=3,
        ):
            table[name] = np.repeat(np.array([each[i] for each in self._nights], kind), k)
        return pd.DataFrame(table)

    def events_table(self, model: TavernModel) -> pd.DataFrame:
        """Notable events, one a row, in the order they happened."""
        events = sorted(self._tell(model), key=_when)
        columns = list(zip(*events, strict=True)) or [()] * len(Event._fields)
        table: dict[str, Any] = {"event_id": np.arange(1, len(events) + 1, dtype=np.int32)}
        for name, values in zip(Event._fields, columns, strict=True):
            kind = _EVENT_TYPES.get(name)
            table[name] = pd.Series(list(values), dtype=kind) if kind else list(values)
        return pd.DataFrame(table)

    def _tell(self, model: TavernModel) -> list[Event]:
        """Tell what has been kept since the last time; the rest is told already."""
        people: dict[int, Person] = {}

        def who(row: int) -> Person:
            if row not in people:
                female = SEXES[model.sheet.sex.item(row)] == "female"
                thievery = model.people.thievery.item(row)
                people[row] = Person(model.name_of(row), thievery, female)
            return people[row]

        taverns = model.scenario.taverns
        self._file()
        for cells in self._rounds[self._n_told :]:
            for one in _unpacked(cells):
                house, options = taverns[one.tavern], model.playing.options_at(one.tavern, one.table_id)
                if one.cell["notable"]:  # others are kept only for the table of rounds
                    told = events_of_round(one, who, house.name, house.thievery_dc, options)
                    self._events += told
        self._n_told = len(self._rounds)
        closing = model.scenario.rounds_per_night + 1
        idle = [event._replace(round=closing) for event in self._unopened]
        return self._events + self._days(model, who) + idle

    def _days(self, model: TavernModel, who: Any) -> list[Event]:
        events = []
        for night, rows in self._arrivals:
            for row in rows.tolist():
                purse = model.people.start_gold.item(row)
                text = f"{who(row).name} came to town with {show(purse)}."
                events.append(plain_event(night, "arrived", text, row=row, amount=purse))
        for night, leavers in self._departures:
            for row, purse in leavers.tolist():
                text = f"{who(row).name} left town for good with {show(purse)}."
                events.append(plain_event(night, "left", text, row=row, amount=purse))
        for night, tavern, amount in self._unpaid:
            name = model.scenario.taverns[tavern].name
            text = f"{name} could not pay {show(amount)} of its bills."
            closing = model.scenario.rounds_per_night + 1
            event = plain_event(night, "unpaid", text, tavern=tavern, amount=amount)
            events.append(event._replace(round=closing))
        return events

    def rounds_table(self) -> pd.DataFrame:
        """Every round kept (all of them under ``--record full``), whatever was played.

        What only Rotting Toes has (its bets, dice and tries) is missing for other games.
        """
        self._file()
        rows = [one for cells in self._rounds for one in _unpacked(cells)]
        rows.sort(key=lambda one: (one.night, one.round, one.tavern, one.table_id))
        table = pd.DataFrame([_round_row(one) for one in rows])
        is_mixed = len(table) > 0 and (table["game"] != "rotting-toes").any()
        return table.astype(dict.fromkeys(_DICE_FIELDS, "Int64")) if is_mixed else table

    def wealth_table(self) -> pd.DataFrame:
        """A row a night and living patron; night 0 is the start."""
        nights = [np.full(len(rows), night, np.int32) for night, rows, _ in self._wealth]
        return pd.DataFrame(
            {
                "night": np.concatenate(nights),
                "patron_id": np.concatenate([rows + 1 for _, rows, _ in self._wealth]).astype(
                    np.int32
                ),
                "gold_cp": np.concatenate([gold for _, _, gold in self._wealth]),
            }
        )

    def suspicion_table(self, model: TavernModel) -> pd.DataFrame:
        """Edges of the suspicion network, every seventh night and the last."""
        networks = {night: with_belief(columns) for night, columns in self._networks.items()}
        networks[int(model.time)] = model.suspicion.columns
        parts = [
            pd.DataFrame({"night": np.full(len(net["belief"]), night, np.int32)} | net)
            for night, net in networks.items()
        ]
        return pd.concat(parts, ignore_index=True)

    def patrons_table(self, model: TavernModel) -> pd.DataFrame:
        """Everybody who has ever lived here, with his record and what others think of him."""
        n, people, sheet = model.n_rows, model.people, model.sheet
        trades = list(model.data.trades.values())
        taverns = [tavern.name for tavern in model.scenario.taverns]
        pick = {name: getattr(people, name)[:n] for name in COLUMNS}
        here = pick["whereabouts"] == HERE
        table: dict[str, Any] = {
            "patron_id": np.arange(1, n + 1, dtype=np.int32),
            "name": [model.name_of(row) for row in range(n)],
            "ancestry": [model.ancestries[i] for i in sheet.ancestry[:n].tolist()],
            "sex": [SEXES[i] for i in sheet.sex[:n].tolist()],
            "trade": [trades[i].name for i in pick["trade"].tolist()],
            "rank": [trades[i].rank for i in pick["trade"].tolist()],
            "home_tavern": [taverns[i] for i in pick["home"].tolist()],
            "is_player": pick["is_player"] == 1,
            "is_cheat_kind": pick["is_cheat"] == 1,
            "has_tried": pick["tries"] > 0,
            "is_cheat": (pick["is_cheat"] == 1) & (pick["tries"] > 0),
            "level": sheet.level[:n],
            **{name: getattr(sheet, name)[:n] for name in ABILITIES},
            "thievery": pick["thievery"],
            "perception": pick["perception"],
            **{name: getattr(sheet, name)[:n] for name in SKILLS},
            "speed_ft": sheet.speed_ft[:n],
            "feats": [_feats(bits) for bits in sheet.feats[:n].tolist()],
            **{name: getattr(sheet, name)[:n] for name in TRAITS},
            "wage_cp": pick["wage"],
            "arrived_night": pick["arrived"],
            "gone_night": pd.array(np.where(here, 0, pick["gone"]), "Int64"),
            "whereabouts": [WHEREABOUTS.get(i, "left") for i in pick["whereabouts"].tolist()],
            "condition": _conditions(pick, int(model.time)),
            "wounds": pick["wounds"],
            "start_cp": pick["start_gold"],
            "end_cp": pick["gold"],
            "games_net_cp": pick["games_net"],
            "drinks_cp": pick["drinks_cp"],
            "hands": pick["hands"],
            "hand_wins": pick["hand_wins"],
            "tries": pick["tries"],
            "failed_checks": pick["failed_ever"],
            "convicted": pick["convicted"],
            "beaten": pick["beaten"],
            "accused_others": pick["accusations"],
            "was_accused": pick["accused"],
        }
        table["gone_night"][here] = pd.NA
        believed = reputations(model.suspicion.to_frame()).reindex(range(1, n + 1))
        table["reputation"] = believed["reputation"].to_numpy(np.float64)
        for name in ("notoriety", "believers"):
            table[name] = believed[name].fillna(0).to_numpy(np.int64)
        return pd.DataFrame(table)

    def games_table(self, model: TavernModel) -> pd.DataFrame:
        """A row a night, tavern and game that is played there."""
        shape = (len(self._nights), len(self.games), self.n_taverns, len(GAME_COUNTS))
        one_game = [each[1][:, GAME_COUNTS] for each in self._nights]
        by_game = one_game if len(self.games) == 1 else self._by_game
        sums = np.array(by_game, np.int64).reshape(shape)
        places = [*model.playing.room_plan, *model.playing.event_plan]
        is_played = np.zeros((len(self.games), self.n_taverns), bool)
        for place in places:
            is_played[self.games.index(place.game), place.tavern] = True
        every_night = np.broadcast_to(is_played.T, (len(sums), *is_played.T.shape))
        night, tavern, game = np.nonzero(every_night)
        nights = np.array([each[0] for each in self._nights], np.int32)
        picked = sums[night, game, tavern]
        table = {
            "night": nights[night].astype(np.int32),
            "tavern_id": (tavern + 1).astype(np.int16),
            "game": [self.games[i] for i in game.tolist()],
        }
        names = ["tables", *(COUNTS[i] for i in GAME_COUNTS[1:])]
        return pd.DataFrame(table | {name: picked[:, i] for i, name in enumerate(names)})

    def players_table(self, model: TavernModel) -> pd.DataFrame:
        """A row a person and game he has had a seat at, or taken part in."""
        won, sat = model.by_game()
        row, game = np.nonzero((sat != 0) | (won != 0))
        return pd.DataFrame(
            {
                "patron_id": (row + 1).astype(np.int32),
                "game": [self.games[i] for i in game.tolist()],
                "sittings": sat[row, game],
                "net_cp": won[row, game],
            }
        )

    def ledger_table(self, model: TavernModel) -> pd.DataFrame:
        """The ledger, a row a night, tavern, pair of accounts and reason."""
        rows = pd.DataFrame(model.ledger.rows())
        return rows.astype({"night": "int32", "tavern_id": "int16", "amount_cp": "int64"})

    def tables(self, model: TavernModel) -> dict[str, pd.DataFrame]:
        """The result tables of the run folder, by name."""
        return {
            "nights": self.nights_table(model),
            "patrons": self.patrons_table(model),
            "games": self.games_table(model),
            "players": self.players_table(model),
            "wealth": self.wealth_table(),
            "events": self.events_table(model),
            "suspicion": self.suspicion_table(model),
            "ledger": self.ledger_table(model),
        }


_EVENT_TYPES = {
    "night": "int32",
    "round": "int16",
    "tavern_id": "int16",
    "table_id": "int32",
    "patron_id": "int32",
    "other_id": "int32",
    "amount_cp": "int64",
    "is_just": "boolean",
    "natural": "int8",
    "dc": "int8",
    "modifier": "float64",
}
_DICE_FIELDS = ("n_rot", "n_not", "plain", "tried", "failed", "odd", "failed_before")


def _round_row(one: Round) -> dict[str, Any]:
    """A kept round as a row of the table of rounds."""
    cell, game = one.cell, list(GAMES)[one.cell["game"]]
    is_dice = game == "rotting-toes"
    winner = cell["winner"]
    return {
        "night": one.night,
        "round": one.round,
        "tavern_id": one.tavern + 1,
        "table_id": one.table_id,
        "game": game,
        "hand_id": one.seats[cell["hand"]] + 1,
        "winner_id": 0 if winner == NO_SEAT else one.seats[winner] + 1,
        "winner_net": cell["winner_net"],
        "stake": cell["stake"],
        "pool": cell["pool"],
        "ended": ("", "won", "lost", "void")[cell["ended"]] if is_dice else "",
        "dice": _faces(cell["dice"]) if is_dice else "",
        **{name: cell[name] if is_dice else None for name in _DICE_FIELDS},
        "modifier": cell["modifier"] if is_dice else None,
    }


def _when(event: Event) -> tuple[int, int, int, int]:
    return event.night, event.round, event.tavern_id, event.table_id


def _unpacked(cells: Any) -> list[Round]:
    """Kept rounds one by one, as plain Python values."""
    fields = cells.dtype.names
    rounds = []
    for values in cells.tolist():
        cell = dict(zip(fields, values, strict=True))
        for name in ("rows", "facts"):
            cell[name] = cell[name].tolist()
        where = (cell["night"], cell["round"], cell["tavern"], cell["table"] + 1)
        rounds.append(Round(*where, cell["rows"], cell))
    return rounds


def _faces(packed: int) -> str:
    """Dice packed in base 7, as ``"4421 355"`` would read without the gaps."""
    faces = ""
    while packed:
        packed, face = divmod(packed, 7)
        faces = str(face) + faces
    return faces


def _conditions(pick: dict[str, Any], night: int) -> list[str]:
    """How everybody is, in a word or two: the worst of it."""
    state = np.select(
        [pick["bruised_until"] > night, pick["hurt_hand"] == 1, pick["wounds"] > 0],
        ["bruised", "hand injured", "wounded"],
        "healthy",
    )
    return [str(each) for each in state.tolist()]


def _feats(bits: int) -> list[str]:
    return [feat for i, feat in enumerate(FEATS) if bits >> i & 1]


def totals(model: TavernModel) -> dict[str, Any]:
    """The sums of a run, as ``run.json`` has them."""
    nights = model.nights
    sums: dict[str, Any] = {name: int(nights[name].sum()) for name in COUNTS}
    patrons = model.patrons
    known = patrons[patrons["reputation"].notna()]
    score = auc(known["reputation"], known["is_cheat"])
    everybody = patrons["whereabouts"]
    return sums | {
        "arrived": int((patrons["arrived_night"] > 0).sum()),
        "left": int((everybody == "left").sum()),
        "died": int((everybody == "dead").sum()),
        "broke": int(nights["broke"].iloc[-1]) if len(nights) else 0,
        "living": int((everybody == "here").sum()),
        "gini": float(model.gini),
        "auc_reputation": None if np.isnan(score) else float(score),
        "till_cp": int(model.tills.sum()),
    }


def digest(tables: dict[str, pd.DataFrame]) -> str:
    """SHA-256 over names and values of the columns of the tables.

    It does not depend on how a table is stored, and lists and text count by
    value.
    """
    sha = hashlib.sha256()
    for name in sorted(tables):
        sha.update(f"table {name}\n".encode())
        for column in tables[name].columns:
            sha.update(f"column {column}\n".encode())
            sha.update(_bytes_of(tables[name][column]))
    return sha.hexdigest()


def _bytes_of(column: pd.Series[Any]) -> bytes:
    if column.dtype.kind in "iufb" and isinstance(column.dtype, np.dtype):
        values = column.to_numpy()
        wide = values.astype(np.float64 if column.dtype.kind == "f" else np.int64)
        return wide.astype(wide.dtype.newbyteorder("<")).tobytes()
    return repr([None if each is pd.NA else each for each in column.tolist()]).encode()
