"""Tables of what the nights came to: houses, games, purses, evenings, rounds and the ledger."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ..events import Round
from ..games import GAMES
from ..patrons.columns import NOBODY
from ..recording import HousesTonight, unpacked
from ..tables.accounts import FLOWS
from ..tables.record import COUNTS, GAME_COUNTS, NO_SEAT
from ..texts import named
from ..town.closing import CONDITIONS

if TYPE_CHECKING:
    from ..model import TavernModel

OF_THE_TOWN = (
    ("gini", float),
    ("median_cp", np.int64),
    ("broke", np.int64),
    ("living", np.int64),
    ("brier", float),
)
"""Columns of a night that are the same for all its taverns."""


def nights_table(model: TavernModel) -> pd.DataFrame:
    """A row a night and tavern."""
    names = [tavern.name for tavern in model.scenario.taverns]
    nights = model.record.nights
    n, k = len(nights), len(names)
    table: dict[str, Any] = {
        "night": np.repeat(np.array([each[0] for each in nights], np.int32), k),
        "tavern_id": np.tile(np.arange(1, k + 1, dtype=np.int16), n),
        "tavern": names * n,
    }
    counts = [each[1] for each in nights]
    sums = np.concatenate(counts) if counts else np.zeros((0, len(COUNTS)), np.int64)
    table |= {name: sums[:, i] for i, name in enumerate(COUNTS)}
    tills = [each[2] for each in nights]
    table["till_cp"] = np.concatenate(tills) if tills else np.zeros(0, np.int64)
    for i, (name, kind) in enumerate(OF_THE_TOWN, start=3):
        table[name] = np.repeat(np.array([each[i] for each in nights], kind), k)
    return pd.DataFrame(table | _houses_of([each[-1] for each in nights]))


def _houses_of(nights: list[HousesTonight]) -> dict[str, Any]:
    """How the houses stood, night by night, as columns of the nights."""
    is_open, lift, unpaid, repute = (
        np.concatenate(columns) if nights else np.zeros(0)
        for columns in (zip(*nights, strict=True) if nights else [()] * 4)
    )
    return {
        "is_open": is_open == 1,
        "repute": repute,
        "unpaid_cp": unpaid.astype(np.int64),
        "stakes_pct": lift.astype(np.int64),
    }


def games_table(model: TavernModel) -> pd.DataFrame:
    """A row a night, tavern and game that is played there."""
    playing, nights = model.playing, model.record.nights
    games, n_taverns = playing.games, len(model.scenario.taverns)
    shape = (len(nights), len(games), n_taverns, len(GAME_COUNTS))
    one_game = [each[1][:, GAME_COUNTS] for each in nights]
    by_game = one_game if len(games) == 1 else model.record.games_of_nights
    sums = np.array(by_game, np.int64).reshape(shape)
    is_played = np.zeros((len(games), n_taverns), bool)
    for place in [*playing.room_plan, *playing.event_plan]:
        is_played[games.index(place.game), place.tavern] = True
    every_night = np.broadcast_to(is_played.T, (len(sums), *is_played.T.shape))
    night, tavern, game = np.nonzero(every_night)
    numbers = np.array([each[0] for each in nights], np.int32)
    picked = sums[night, game, tavern]
    table = {
        "night": numbers[night].astype(np.int32),
        "tavern_id": (tavern + 1).astype(np.int16),
        "game": [games[i] for i in game.tolist()],
    }
    names = ["tables", *(COUNTS[i] for i in GAME_COUNTS[1:])]
    return pd.DataFrame(table | {name: picked[:, i] for i, name in enumerate(names)})


def players_table(model: TavernModel) -> pd.DataFrame:
    """A row a person and game he has had a seat at, or taken part in."""
    won, sat = model.by_game()
    row, game = np.nonzero((sat != 0) | (won != 0))
    return pd.DataFrame(
        {
            "patron_id": (row + 1).astype(np.int32),
            "game": [model.playing.games[i] for i in game.tolist()],
            "sittings": sat[row, game],
            "net_cp": won[row, game],
        }
    )


def wealth_table(model: TavernModel) -> pd.DataFrame:
    """A row a night and living patron; night 0 is the start."""
    night, column = _all_evenings(model, first=0)
    return pd.DataFrame(
        {"night": night, "patron_id": column("row") + np.int32(1), "gold_cp": column("gold")}
    )


def evenings_table(model: TavernModel) -> pd.DataFrame:
    """A row a night and living patron: where he was, and how he left it."""
    night, column = _all_evenings(model, first=1)
    table = column("table")
    return pd.DataFrame(
        {
            "night": night,
            "patron_id": column("row") + np.int32(1),
            "tavern_id": column("tavern") + np.int16(1),
            "table_id": np.where(table == NOBODY, 0, table + 1).astype(np.int32),
            "drinks": column("drinks").astype(np.int16),
            "stayed": column("stayed") == 1,
            "net_cp": column("net"),
            "condition": named(CONDITIONS, column("condition")),
        }
    )


def _all_evenings(model: TavernModel, first: int) -> tuple[Any, Callable[[str], Any]]:
    """Nights from `first` on, and what gives a field of their evenings, one below the other."""
    parts = [(night, some) for night, some in model.record.of_evenings if night >= first]
    nights = [np.full(len(some), night, np.int32) for night, some in parts]
    evenings = [some for _, some in parts] or [model.record.of_evenings[0][1][:0]]

    def column(name: str) -> Any:
        return np.concatenate([some[name] for some in evenings])

    return np.concatenate([*nights, np.zeros(0, np.int32)]), column


def ledger_table(model: TavernModel) -> pd.DataFrame:
    """The ledger, a row a night, tavern, pair of accounts and reason."""
    rows, accounts = model.ledger.rows(), model.ledger.accounts
    reasons = [flow.reason for flow in FLOWS]
    return pd.DataFrame(
        {
            "night": rows["night"],
            "tavern_id": rows["tavern_id"],
            "from_account": named(accounts, rows["from_account"]),
            "to_account": named(accounts, rows["to_account"]),
            "reason": named(reasons, rows["flow"]),
            "amount_cp": rows["amount_cp"],
        }
    )


def rounds_table(model: TavernModel) -> pd.DataFrame:
    """Every round kept (all of them under ``--record full``), whatever was played.

    What only Rotting Toes has (its bets, dice and tries) is missing for other games.
    """
    rows = [one for cells in model.record.rounds() for one in unpacked(cells)]
    rows.sort(key=lambda one: (one.night, one.round, one.tavern, one.table_id))
    return typed_rounds(pd.DataFrame([_round_row(one) for one in rows]))


def typed_rounds(table: pd.DataFrame) -> pd.DataFrame:
    """Rounds in the types they are written in: those of several games lack some values."""
    if table.empty:
        return table
    is_mixed = (table["game"] != "rotting-toes").any()
    types = dict.fromkeys(DICE_FIELDS, "Int64" if is_mixed else "int64")
    if table["modifier"].notna().any():
        types["modifier"] = "float64"
    return table.astype(types)


DICE_FIELDS = ("n_rot", "n_not", "plain", "tried", "failed", "odd", "failed_before")


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
        **{name: cell[name] if is_dice else None for name in DICE_FIELDS},
        "modifier": cell["modifier"] if is_dice else None,
    }


def _faces(packed: int) -> str:
    """Dice packed in base 7, as ``"4421 355"`` would read without the gaps."""
    faces = ""
    while packed:
        packed, face = divmod(packed, 7)
        faces = str(face) + faces
    return faces
