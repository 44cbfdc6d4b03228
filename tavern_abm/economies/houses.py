"""What each house takes, owes and keeps, in all and night by night; and the districts."""

from __future__ import annotations

import numpy as np
import pandas as pd

from .entries import Cells, grid, is_from, signed
from .sources import Sources

TAKINGS = ("drinks_cp", "fees_cp", "rake_cp")
COSTS = ("goods_cp", "staff_cp", "upkeep_cp", "excise_cp")
_WAYS = {
    "drinks_cp": ("purse", "till", "drink"),
    "fees_cp": ("purse", "till", "fee"),
    "rake_cp": ("pot", "till", "rake"),
    "goods_cp": ("till", "outside", "goods"),
    "staff_cp": ("till", "outside", "staff"),
    "upkeep_cp": ("till", "outside", "upkeep"),
    "excise_cp": ("till", "treasury", "excise"),
    "invested_cp": ("till", "outside", "investment"),
    "wound_up_cp": ("till", "outside", "closure"),
    "staked_cp": ("purse", "pot", "stake"),
}


class HouseCells:
    """Money by night and house: arrays of shape (n_nights + 1, n_houses + 1), as of `grid`."""

    def __init__(self, sources: Sources) -> None:
        self.n_houses = len(sources.taverns)
        self.shape = (sources.n_nights, self.n_houses)
        entries = sources.entries
        self.of = {name: self._along(entries, *way) for name, way in _WAYS.items()}
        tills = signed(entries, "till")
        opening = np.array([0, *sources.taverns["till_cp"]], np.int64)
        self.tills = opening + np.cumsum(grid(entries, tills, *self.shape), axis=0)
        self.takings = np.sum([self.of[name] for name in TAKINGS], axis=0)
        self.costs = np.sum([self.of[name] for name in COSTS], axis=0)

    def _along(self, entries: pd.DataFrame, source: str, target: str, reason: str) -> Cells:
        some = entries[is_from(entries, source, target) & (entries["reason"] == reason)]
        return grid(some, some["amount_cp"], *self.shape)


def houses_table(sources: Sources, cells: HouseCells) -> pd.DataFrame:
    """`TownBooks.houses`."""
    taverns = sources.taverns
    table = taverns.drop(columns="till_cp").rename(columns={"name": "tavern"})
    visits = _visits(sources).reindex(table.index, fill_value=0)
    table = table.join(visits[["nights_open", "guests"]])
    table["guests_per_night"] = table["guests"] / np.maximum(table["nights_open"], 1)
    sums = {name: of.sum(axis=0)[1:] for name, of in cells.of.items()}
    for name in TAKINGS:
        table[name] = sums[name]
    table["takings_cp"] = cells.takings.sum(axis=0)[1:]
    for name in COSTS:
        table[name] = sums[name]
    table["costs_cp"] = cells.costs.sum(axis=0)[1:]
    table["profit_cp"] = table["takings_cp"] - table["costs_cp"]
    table["profit_per_night_cp"] = table["profit_cp"] / np.maximum(table["nights_open"], 1)
    table["invested_cp"] = sums["invested_cp"]
    table["wound_up_cp"] = sums["wound_up_cp"]
    table["till_start_cp"] = taverns["till_cp"]
    table["till_cp"] = cells.tills[-1, 1:]
    table["unpaid_cp"] = visits["unpaid_cp"]
    table["staked_cp"] = sums["staked_cp"]
    table["closed_night"] = _closures(sources).reindex(table.index).astype("Int64")
    return table


def _visits(sources: Sources) -> pd.DataFrame:
    """Nights open, guests and bills left unpaid, by house."""
    nights = sources.nights.assign(nights_open=sources.nights["is_open"].astype(int))
    return nights.groupby("tavern_id")[["nights_open", "guests", "unpaid_cp"]].sum()


def _closures(sources: Sources) -> pd.Series[int]:
    """The night each house closed for good, of those that did."""
    closed = sources.told[sources.told["kind"] == "closed"]
    return closed.groupby("tavern_id")["night"].last()


def house_nights_table(sources: Sources, cells: HouseCells) -> pd.DataFrame:
    """`TownBooks.house_nights`."""
    n_nights, n_houses = cells.shape
    guests = np.zeros((n_nights + 1, n_houses + 1), np.int64)
    nights = sources.nights
    guests[nights["night"].to_numpy(), nights["tavern_id"].to_numpy()] = nights["guests"]
    takings, costs = cells.takings, cells.costs
    columns = {
        "guests": guests,
        "takings_cp": takings,
        "costs_cp": costs,
        "profit_cp": takings - costs,
        "till_cp": cells.tills,
    }
    return pd.DataFrame(
        {
            "night": np.repeat(np.arange(1, n_nights + 1), n_houses),
            "tavern_id": np.tile(np.arange(1, n_houses + 1), n_nights),
            **{name: each[1:, 1:].ravel() for name, each in columns.items()},
        }
    )


def districts_table(sources: Sources, houses: pd.DataFrame) -> pd.DataFrame:
    """`TownBooks.districts`: in the order of the houses, then those where people only live."""
    people, end = sources.people, sources.purses["end"]
    days = people.groupby("district")["days"].sum()
    lived_in = [name for name in days.index if name not in set(houses["district"])]
    index = pd.Index([*dict.fromkeys(houses["district"]), *lived_in], name="district")
    in_district = houses.groupby("district")
    sums = in_district[["guests", "takings_cp", "profit_cp"]].sum()
    table = sums.reindex(index, fill_value=0)
    table.insert(0, "houses", in_district.size().reindex(index, fill_value=0))
    mean = days.reindex(index, fill_value=0) / max(1, sources.n_nights)
    table.insert(1, "people", mean)
    table["median_cp"] = end.groupby(people["district"].reindex(end.index)).median()
    return table
