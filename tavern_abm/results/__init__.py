"""The tables of a run, made from its record when asked for."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ..measures import auc
from ..scores import scores
from ..tables.record import COUNTS
from .evenings import (
    evenings_table,
    games_table,
    ledger_table,
    nights_table,
    players_table,
    rounds_table,
    wealth_table,
)
from .events import events_table, trials_table
from .people import acquaintances_table, patrons_table, suspicion_table

if TYPE_CHECKING:
    from ..model import TavernModel

__all__ = [
    "digest",
    "events_table",
    "nights_table",
    "patrons_table",
    "result_tables",
    "rounds_table",
    "totals",
]


def result_tables(model: TavernModel) -> dict[str, pd.DataFrame]:
    """The result tables of the run folder, by name."""
    events = events_table(model)
    return {
        "nights": nights_table(model),
        "patrons": patrons_table(model),
        "games": games_table(model),
        "players": players_table(model),
        "wealth": wealth_table(model),
        "evenings": evenings_table(model),
        "events": events,
        "trials": trials_table(model),
        "rumors": model.company.grapevine.rumors_frame(events),
        "tellings": model.company.grapevine.tellings_frame(),
        "suspicion": suspicion_table(model),
        "acquaintances": acquaintances_table(model),
        "ledger": ledger_table(model),
    }


def totals(model: TavernModel, tables: Mapping[str, pd.DataFrame] | None = None) -> dict[str, Any]:
    """The sums of a run and its scores against the truth, as ``run.json`` has them.

    `tables` are the `result_tables`, if they are there already.
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
        | scores(nights, patrons, given["suspicion"], given["events"])
    )


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
