"""What the page says of the books in text and in HTML alike: one rule for both."""

from __future__ import annotations

import pandas as pd

from .books import THE_HOUSE, TownBooks


def everyman_of(trades: pd.DataFrame) -> str:
    """The trade that stands for the common lot: labourer, else peasant, else the most numerous.

    Examples
    --------
    >>> everyman_of(pd.DataFrame({"people": [3.0, 9.0]}, index=["noble", "smith"]))
    'smith'
    """
    lived = trades[trades["people"] > 0]
    for trade in ("labourer", "peasant"):
        if trade in lived.index:
            return trade
    return str(lived["people"].idxmax()) if len(lived) else ""


def greatest_gap(transfers: pd.DataFrame, by: str) -> tuple[str, str, float] | None:
    """Between which two ranks or trades most money passed on balance: loser, winner, how much.

    Parameters
    ----------
    transfers : DataFrame
        As `TownBooks.transfers`.
    by : {"rank", "trade"}
        Between what.

    Examples
    --------
    >>> rows = [("rank", "poor", "common", 9.0), ("rank", "common", "poor", 7.0)]
    >>> table = pd.DataFrame(rows, columns=["by", "loser", "winner", "amount_cp"])
    >>> greatest_gap(table, "rank"), greatest_gap(table, "trade")
    (('poor', 'common', 2.0), None)
    """
    some = transfers[(transfers["by"] == by) & (transfers["winner"] != THE_HOUSE)]
    names = ("loser", "winner", "amount_cp")
    losers, winners, amounts = (some[name].tolist() for name in names)
    sums = dict(zip(zip(losers, winners, strict=True), amounts, strict=True))
    nets = {pair: amount - sums.get(pair[::-1], 0.0) for pair, amount in sums.items()}
    pair = max(nets, key=lambda each: nets[each], default=None)
    return None if pair is None or nets[pair] <= 0 else (*pair, nets[pair])


def can_tell_moves(books: TownBooks) -> bool:
    """Whether enough people stayed to say who rose and who fell."""
    return books.facts["shorrocks"] is not None and books.facts["spearman"] is not None


def vacant_places(books: TownBooks) -> tuple[int, int]:
    """How many places stand vacant on an average night, and of how many."""
    filled, places = round(books.facts["people"] or 0), int(books.facts["places"] or 0)
    return max(0, places - filled), places
