"""The money of the town: how much there is, which ways it goes, and who wins it from whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..data_tables import RANKS
from .books import OUTSIDE, TABLES, THE_HOUSE, TILLS, TREASURY
from .entries import Cells, grid, is_from, signed
from .houses import HouseCells
from .sources import Sources

_NODES = {"outside": OUTSIDE, "pot": TABLES, "till": TILLS, "treasury": TREASURY}
_AT_TABLES = ("stake", "payout", "repayment")


def money_table(sources: Sources, cells: HouseCells) -> pd.DataFrame:
    """`TownBooks.money`."""
    entries = sources.entries
    tills = cells.tills[:, 1:].sum(axis=1)
    start = int(sources.run.info["ledger"]["opening_cp"]) - int(sources.taverns["till_cp"].sum())
    purses = start + np.cumsum(_nightly(entries, signed(entries, "purse"), cells))
    leaves = entries["target"].isin(["outside", "treasury"])
    staked = cells.of["staked_cp"].sum(axis=1)
    return pd.DataFrame(
        {
            "purses_cp": purses,
            "tills_cp": tills,
            "supply_cp": purses + tills,
            "inflow_cp": _nightly(entries, entries["amount_cp"] * is_from(entries, OUTSIDE), cells),
            "outflow_cp": _nightly(entries, entries["amount_cp"] * leaves, cells),
            "treasury_cp": np.cumsum(_nightly(entries, signed(entries, TREASURY), cells)),
            "staked_cp": staked,
            "turnover": staked / np.maximum(purses + tills, 1),
        },
        index=pd.RangeIndex(len(purses), name="night"),
    )


def _nightly(entries: pd.DataFrame, amounts: pd.Series[Any], cells: HouseCells) -> Cells:
    by_night: Cells = grid(entries, amounts, *cells.shape).sum(axis=1)
    return by_night


def flows_table(sources: Sources) -> pd.DataFrame:
    """`TownBooks.flows`."""
    rank_of = sources.people.groupby("trade")["rank"].first().to_dict()
    ranks = sources.ways["trade"].map(rank_of).fillna("")
    table = sources.ways.drop(columns="trade").assign(rank=ranks)
    for end in ("source", "target"):
        nodes = table[end].map(_NODES)
        table[end] = nodes.where(table[end] != "purse", "purses/" + table["rank"])
    order = table.pop("rank").map({rank: i for i, rank in enumerate([*RANKS, ""])})
    sums = table.assign(order=order).groupby(["order", "source", "target", "reason"])
    return sums["amount_cp"].sum().reset_index().drop(columns="order")


def transfers_table(sources: Sources, cells: HouseCells) -> pd.DataFrame:
    """`TownBooks.transfers`."""
    rank_of = sources.people.groupby("trade")["rank"].first()
    trades = sorted(rank_of.index)
    by_trade = _nets(sources, cells, trades)
    ranks = [rank for rank in RANKS if rank in set(rank_of)]
    of_rank = np.array([[rank_of[trade] == rank for rank in ranks] for trade in trades], np.int64)
    rake = cells.of["rake_cp"].ravel()
    tables = [
        _shared_out(by_trade, rake, trades).assign(by="trade"),
        _shared_out(by_trade @ of_rank.reshape(len(trades), -1), rake, ranks).assign(by="rank"),
    ]
    return pd.concat(tables, ignore_index=True)[["by", "loser", "winner", "amount_cp"]]


def _nets(sources: Sources, cells: HouseCells, trades: list[str]) -> Cells:
    """Won less lost at the tables by night and house (rows) and by trade (columns), in cp."""
    entries = sources.entries
    some = entries[entries["reason"].isin(_AT_TABLES) & (entries["trade"] != "")]
    n_nights, n_houses = cells.shape
    n_cells = (n_nights + 1) * (n_houses + 1)
    places = {trade: i for i, trade in enumerate(trades)}
    at = some["night"].to_numpy().astype(np.int64) * (n_houses + 1) + some["tavern_id"].to_numpy()
    nets: Cells = np.zeros((n_cells, len(trades)), np.int64)
    trade = some["trade"].map(places).to_numpy().astype(np.int64)
    np.add.at(nets, (at, trade), signed(some, "purse").to_numpy())
    return nets


def _shared_out(nets: Cells, rake: Cells, groups: Sequence[str]) -> pd.DataFrame:
    """Losses of each group handed to the winners, in proportion, cell by cell and added up.

    Examples
    --------
    >>> _shared_out(np.array([[-30, 20, 8]]), np.array([2]), ["a", "b", "c"]).values.tolist()
    [['a', 'b', 20.0], ['a', 'c', 8.0], ['a', 'the house', 2.0]]
    """
    lost = np.maximum(-nets, 0)
    won = np.column_stack([np.maximum(nets, 0), rake])
    shares = won / np.maximum(won.sum(axis=1, keepdims=True), 1)
    sums = lost.T @ shares
    loser, winner = np.nonzero(sums)
    names = np.array([*groups, THE_HOUSE], object)
    return pd.DataFrame(
        {"loser": names[loser], "winner": names[winner], "amount_cp": sums[loser, winner]}
    )
