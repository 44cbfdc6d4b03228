"""What people earn, spend, win and lose: by trade, by rank, and in all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ..data_tables import RANKS
from .sources import Sources

COLUMNS = {
    ("outside", "purse", "wage"): ("income_cp", 1),
    ("purse", "outside", "living"): ("living_cp", 1),
    ("purse", "treasury", "tax"): ("tax_cp", 1),
    ("purse", "till", "fee"): ("fee_cp", 1),
    ("purse", "till", "drink"): ("drink_cp", 1),
    ("purse", "outside", "bribe"): ("bribe_cp", 1),
    ("purse", "pot", "stake"): ("staked_cp", 1),
    ("pot", "purse", "payout"): ("payout_cp", 1),
    ("purse", "pot", "repayment"): ("repaid_cp", -1),
    ("pot", "purse", "repayment"): ("repaid_cp", 1),
    ("purse", "pot", "loan"): ("lent_cp", -1),
    ("pot", "purse", "loan"): ("lent_cp", 1),
    ("purse", "pot", "payback"): ("lent_cp", -1),
    ("pot", "purse", "payback"): ("lent_cp", 1),
    ("outside", "purse", "intervention"): ("given_cp", 1),
    ("purse", "outside", "intervention"): ("given_cp", -1),
    ("outside", "purse", "arrival"): ("arrived_cp", 1),
    ("purse", "outside", "estate"): ("estate_cp", 1),
}
"""Each way of a purse's money: the column it counts in, and whether it adds to it."""
SUMS = tuple(dict.fromkeys(column for column, _ in COLUMNS.values()))
A_DAY = {
    "income": ("income_cp",),
    "living": ("living_cp",),
    "tax": ("tax_cp",),
    "drink": ("drink_cp", "fee_cp"),
    "games_net": ("games_net_cp",),
    "staked": ("staked_cp",),
}
BY_DAY = ("income", "living", "tax")
"""Those of `A_DAY` that are paid by day: a day of them is one of the ``paid_days``."""
SPENT = ("living", "drink", "fee", "tax", "games", "bribe")


def trades_table(sources: Sources) -> pd.DataFrame:
    """`TownBooks.trades`."""
    people = sources.people
    heads = _heads(people, "trade", sources)
    of_trade = people.groupby("trade")
    heads.insert(0, "rank", of_trade["rank"].first())
    heads.insert(1, "wage_cp", of_trade["wage_cp"].agg(_most))
    return _with_sums(heads, _sums_by_trade(sources))


def ranks_table(sources: Sources) -> pd.DataFrame:
    """`TownBooks.ranks`."""
    people = sources.people
    rank_of = people.groupby("trade")["rank"].first()
    sums = _sums_by_trade(sources)
    by_rank = sums.groupby(rank_of.reindex(sums.index)).sum()
    heads = _heads(people, "rank", sources)
    ordered = [rank for rank in RANKS if rank in heads.index]
    return _with_sums(heads.loc[ordered], by_rank)


def _most(values: pd.Series[Any]) -> int:
    """The most common one; of several, the lowest."""
    return int(values.mode().iloc[0])


def _heads(people: pd.DataFrame, by: str, sources: Sources) -> pd.DataFrame:
    """Head counts of a trade or rank: mean number living here, days, evenings out, mugs."""
    sums = people.groupby(by)[["days", "paid_days", "nights_out", "mugs"]].sum()
    sums = sums.rename(columns={"days": "person_days"})
    sums.insert(0, "people", sums["person_days"] / max(1, sources.n_nights))
    end = sources.purses["end"]
    purses = end.groupby(people[by].reindex(end.index))
    sums["purses_cp"] = purses.sum().reindex(sums.index, fill_value=0)
    sums["median_cp"] = purses.median()
    return sums


def _sums_by_trade(sources: Sources) -> pd.DataFrame:
    """What went into and out of the purses of each trade, by the columns of `SUMS`, in cp."""
    of_purses = sources.ways[sources.ways["trade"] != ""]
    trades = sorted(set(sources.people["trade"]))
    table = pd.DataFrame(0, index=pd.Index(trades, name="trade"), columns=list(SUMS))
    table["net_cp"] = 0
    for trade, source, target, reason, amount in of_purses.itertuples(index=False):
        column, sign = COLUMNS[source, target, reason]
        table.loc[trade, column] += sign * amount
        table.loc[trade, "net_cp"] += amount if target == "purse" else -amount
    return table


def _with_sums(heads: pd.DataFrame, sums: pd.DataFrame) -> pd.DataFrame:
    """Head counts beside sums of money, and what these are a person and day."""
    table = heads.join(sums)
    won = table["payout_cp"] - table["staked_cp"] + table["repaid_cp"]
    table.insert(list(table.columns).index("repaid_cp") + 1, "games_net_cp", won)
    for name, columns in A_DAY.items():
        days = table["paid_days" if name in BY_DAY else "person_days"]
        table[f"{name}_a_day"] = table[list(columns)].sum(axis=1) / np.maximum(days, 1)
    return table.assign(purses_cp=table.pop("purses_cp"), median_cp=table.pop("median_cp"))


def spending_table(trades: pd.DataFrame, rake_cp: int) -> pd.DataFrame:
    """`TownBooks.spending`, of the trades' table and what the houses kept of the stakes."""
    sums = {kind: int(trades[f"{kind}_cp"].sum()) for kind in SPENT if kind != "games"}
    sums["games"] = rake_cp
    index = pd.Index(SPENT, name="kind")
    table = pd.DataFrame({"amount_cp": [sums[kind] for kind in SPENT]}, index=index)
    table["share"] = table["amount_cp"] / max(1, int(table["amount_cp"].sum()))
    return table
