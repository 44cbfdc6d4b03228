"""The tables of a run, made from its record when asked for."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ..measures import auc
from ..scores import scores
from ..tables.record import COUNTS
from .evenings import (
    DICE_FIELDS,
    evenings_table,
    games_table,
    ledger_table,
    nights_table,
    players_table,
    rounds_table,
    typed_rounds,
    wealth_table,
)
from .events import events_table, trials_table
from .people import acquaintances_table, patrons_table, suspicion_table

if TYPE_CHECKING:
    from ..model import TavernModel

__all__ = [
    "Making",
    "all_rounds",
    "digest",
    "events_table",
    "nights_table",
    "patrons_table",
    "result_tables",
    "rounds_table",
    "totals",
]

_LATER = {
    "events": "event_id night round tavern_id table_id kind patron_id other_id amount_cp is_just",
    "nights": " ".join(["night", "broke", *COUNTS]),
    "patrons": "patron_id is_cheat whereabouts arrived_night gone_night hands hand_wins "
    "first_try_night suspected_night reputation",
}
"""Columns that rumours and totals are made from."""
ROWS_AT_ONCE = 65_536
_MAKERS = {
    "nights": nights_table,
    "patrons": patrons_table,
    "games": games_table,
    "players": players_table,
    "wealth": wealth_table,
    "evenings": evenings_table,
    "events": events_table,
    "trials": trials_table,
    "rumors": None,  # made from the events
    "tellings": lambda model: model.company.grapevine.tellings_frame(),
    "suspicion": suspicion_table,
    "acquaintances": acquaintances_table,
    "ledger": ledger_table,
}


class Making:
    """The result tables of a run, made one after the other, and what is made of all of them.

    Nothing is kept of a table that has been handed out but the columns that a later
    table and the totals need: a big town's tables do not fit into memory together.

    Parameters
    ----------
    model : TavernModel
        After its last night.
    spent : bool, default False
        The model is needed no more: it is emptied by and by, of what no later table is
        made from. What it believes is left.

    Examples
    --------
    >>> from tavern_abm import TavernModel
    >>> making = Making(TavernModel("plain-dice", rng=1, patrons=12))
    >>> [name for name, table in making.tables() if len(table)]
    ['wealth', 'patrons']
    >>> len(making.digest())
    64
    """

    names = (
        *("events", "trials", "rumors", "tellings", "acquaintances", "evenings", "wealth"),
        *("ledger", "games", "players", "nights", "suspicion", "patrons"),
    )
    """The tables in the order in which they are made: those that free most memory first."""

    def __init__(self, model: TavernModel, *, spent: bool = False) -> None:
        self.model, self.spent = model, spent
        self._digests: dict[str, str] = {}
        self._kept: dict[str, pd.DataFrame] = {}

    def tables(self) -> Iterator[tuple[str, pd.DataFrame]]:
        """Each table with its name, in the order of `names`."""
        for name in self.names:
            table = self._make(name)
            if self.spent:
                self._let_go(name)
            self._digests[name] = _digest_of(table)
            if name in _LATER:
                self._kept[name] = table[_LATER[name].split()].copy()
            yield name, table
            del table  # before the next is made

    def _make(self, name: str) -> pd.DataFrame:
        make, past = _MAKERS[name], self.model.record.past
        if make is None:
            return self.model.company.grapevine.rumors_frame(self._kept["events"])
        table = make(self.model)
        return table if past is None else past.joined(name, table, int(self.model.time))

    def _let_go(self, name: str) -> None:
        """Empty the model of what served only the tables up to this one."""
        self.model.record.let_go(name)
        owner = {"acquaintances": "company", "players": "playing"}.get(name)
        if owner:
            delattr(self.model, owner)

    def digest(self) -> str:
        """SHA-256 over the tables, once `tables` is through."""
        return _joined(self._digests)

    def totals(self) -> dict[str, Any]:
        """The sums of the run and its scores, once `tables` is through."""
        return totals(self.model, self._kept)


def result_tables(model: TavernModel) -> dict[str, pd.DataFrame]:
    """The result tables of the run folder, by name."""
    made = dict(Making(model).tables())
    return {name: made[name] for name in _MAKERS}


def totals(model: TavernModel, tables: Mapping[str, pd.DataFrame] | None = None) -> dict[str, Any]:
    """The sums of a run and its scores against the truth, as ``run.json`` has them.

    `tables` are ``nights``, ``patrons`` and ``events``, if they are there already.
    """
    given = result_tables(model) if tables is None else tables
    nights, patrons = given["nights"], given["patrons"]
    sums: dict[str, Any] = {name: int(nights[name].sum()) for name in COUNTS}
    known = patrons[patrons["reputation"].notna()]
    score = auc(known["reputation"], known["is_cheat"])
    everybody = patrons["whereabouts"]
    return (
        sums
        | {
            "arrived": int((patrons["arrived_night"] > 0).sum()),
            "left": int((everybody == "left").sum()),
            "died": int((everybody == "dead").sum()),
            "broke": int(nights["broke"].iloc[-1]) if len(nights) else 0,
            "living": int((everybody == "here").sum()),
            "gini": float(model.gini),
            "auc_reputation": None if np.isnan(score) else float(score),
            "till_cp": int(model.tills.sum()),
        }
        | scores(nights, patrons, _all_beliefs(model), given["events"])
    )


def _all_beliefs(model: TavernModel) -> pd.DataFrame:
    """What everybody believes at the end, whatever is written down of it."""
    beliefs = model.suspicion.columns
    names = ("observer_id", "subject_id", "log_odds", "belief")
    night = np.full(len(beliefs["belief"]), int(model.time), np.int32)
    return pd.DataFrame({"night": night} | {name: beliefs[name] for name in names})


def digest(tables: Mapping[str, pd.DataFrame]) -> str:
    """SHA-256 over names and values of the columns of the tables.

    It does not depend on how a table is stored, nor on the order of tables; lists and
    text count by value.

    Examples
    --------
    >>> table = pd.DataFrame({"drinks": [1, 2]})
    >>> digest({"evenings": table}) == digest({"evenings": table.astype("int16")})
    True
    """
    return _joined({name: _digest_of(table) for name, table in tables.items()})


def _joined(digests: Mapping[str, str]) -> str:
    """One digest of those of tables by name."""
    lines = "".join(f"{name} {digests[name]}\n" for name in sorted(digests))
    return hashlib.sha256(lines.encode()).hexdigest()


def _digest_of(table: pd.DataFrame) -> str:
    sha = hashlib.sha256()
    for column in table.columns:
        sha.update(f"column {column}\n".encode())
        for piece in _pieces(table[column]):
            sha.update(piece)
    return sha.hexdigest()


def _pieces(column: pd.Series[Any]) -> Iterator[bytes]:
    """A column as bytes, so many rows at a time: text takes ten times its room as objects."""
    for first in range(0, len(column), ROWS_AT_ONCE):
        yield _bytes_of(column.iloc[first : first + ROWS_AT_ONCE])


def _bytes_of(column: pd.Series[Any]) -> bytes:
    if column.dtype.kind in "iufb" and isinstance(column.dtype, np.dtype):
        values = column.to_numpy()
        wide = values.astype(np.float64 if column.dtype.kind == "f" else np.int64)
        return wide.astype(wide.dtype.newbyteorder("<"), copy=False).tobytes()
    return repr([None if each is pd.NA else each for each in column.tolist()]).encode()


def all_rounds(model: TavernModel) -> pd.DataFrame:
    """Every round of a run that kept them all, those of the nights before it went on as well."""
    table, past = rounds_table(model), model.record.past
    if past is None:
        return table
    dice = dict.fromkeys(DICE_FIELDS if len(table) else (), "Int64")  # either may lack some
    return typed_rounds(past.joined("rounds", table.astype(dice), int(model.time)))
