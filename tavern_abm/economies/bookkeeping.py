"""The books of a run, made up from its tables."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from .. import measures
from ..run_folder import RunFolder, reading
from .books import TownBooks
from .fitting import verify_money, verify_tables
from .houses import HouseCells, districts_table, house_nights_table, houses_table
from .money import flows_table, money_table, transfers_table
from .people import ranks_table, spending_table, trades_table
from .riches import estates_table, lorenz_table, losses_of, moves, turns_table, wealth_table
from .sources import Sources

FEW_PEOPLE = 100
FEW_NIGHTS = 7

type Facts = dict[str, float | int | None]


def books_of(run: RunFolder) -> TownBooks:
    """Make up the books of a finished run.

    Raises
    ------
    RunFolderError
        If a table is missing or damaged, or the ledger does not come to what ``run.json``
        and the other tables say.
    """
    with reading(run):
        return _books_of(Sources(run))


def _books_of(sources: Sources) -> TownBooks:
    verify_tables(sources)
    cells = HouseCells(sources)
    money = money_table(sources, cells)
    verify_money(sources, cells, money)
    trades, houses = trades_table(sources), houses_table(sources, cells)
    turns = turns_table(sources.people)
    heaps = {**sources.purses, "losses": losses_of(sources.people)}
    districts = districts_table(sources, houses)
    mobility, spearman, shorrocks = moves(sources.purses)
    wealth = wealth_table(heaps)
    moved = {"spearman": _or_none(spearman), "shorrocks": _or_none(shorrocks)}
    facts: Facts = {"places": int(sources.run.info["patrons"])}
    facts |= _sums(trades, houses, money) | _rates(sources, trades, houses, money) | moved
    facts |= _what_pays(houses, districts)
    facts |= {turn: int((turns["turn"] == turn).sum()) for turn in ("ruined", "enriched")}
    return TownBooks(
        scenario=str(sources.run.info["scenario"]),
        seed=int(sources.run.info["seed"]),
        n_nights=sources.n_nights,
        inhabitants=(sources.scenario.get("town") or {}).get("population"),
        facts=facts,
        trades=trades,
        ranks=ranks_table(sources),
        spending=spending_table(trades, int(houses["rake_cp"].sum())),
        houses=houses,
        house_nights=house_nights_table(sources, cells),
        districts=districts,
        money=money,
        flows=flows_table(sources),
        transfers=transfers_table(sources, cells),
        wealth=wealth,
        lorenz=lorenz_table(heaps),
        mobility=mobility,
        turns=turns,
        estates=estates_table(sources),
        notes=_notes(sources, houses),
    )


def _sums(trades: pd.DataFrame, houses: pd.DataFrame, money: pd.DataFrame) -> Facts:
    """The facts that are sums of money or numbers of people and houses."""
    # Column by column: a row of whole and broken numbers would be one of floats.
    last = {name: int(money[name].iloc[-1]) for name in money.columns.drop("turnover")}
    inflow, outflow = int(money["inflow_cp"].sum()), int(money["outflow_cp"].sum())
    return {
        "opening_cp": last["supply_cp"] - inflow + outflow,
        "inflow_cp": inflow,
        "outflow_cp": outflow,
        "closing_cp": last["supply_cp"],
        "purses_cp": last["purses_cp"],
        "tills_cp": last["tills_cp"],
        "treasury_cp": last["treasury_cp"],
        "people": float(trades["people"].sum()),
        "houses": len(houses),
        "houses_open": int(houses["closed_night"].isna().sum()),
        "wages_cp": int(trades["income_cp"].sum()),
        "staked_cp": int(money["staked_cp"].sum()),
        "rake_cp": int(houses["rake_cp"].sum()),
        "takings_cp": int(houses["takings_cp"].sum()),
        "profit_cp": int(houses["profit_cp"].sum()),
    }


def _rates(
    sources: Sources, trades: pd.DataFrame, houses: pd.DataFrame, money: pd.DataFrame
) -> Facts:
    """The facts that are one sum over another."""
    end, evenings = sources.purses["end"], sources.evenings
    mugs = int(sources.nights["mugs"].sum())
    spent = int(trades[["living_cp", "drink_cp", "fee_cp", "tax_cp"]].to_numpy().sum())
    lost = None if evenings is None else int(-np.minimum(evenings["net_cp"], 0).sum())
    turnover = float(money["turnover"].iloc[1:].mean())
    return {
        "coins_a_head_cp": _ratio(int(end.sum()), len(end)),
        "hold": _ratio(int(houses["rake_cp"].sum()), int(money["staked_cp"].sum())),
        "lost_cp": lost,
        "turnover": _or_none(turnover),
        "gambling_share": None if lost is None else _ratio(lost, lost + spent),
        "mugs": mugs,
        "mug_cp": _ratio(int(houses["drinks_cp"].sum()), mugs),
        "tax_rate": _ratio(int(trades["tax_cp"].sum()), int(trades["income_cp"].sum())),
    }


def _what_pays(houses: pd.DataFrame, districts: pd.DataFrame) -> Facts:
    """How the takings of a house go with its quality, and with the purses of its district."""
    takings = houses["takings_cp"].div(houses["nights_open"].clip(lower=1))
    purses = houses["district"].map(districts["median_cp"])
    lived = purses.notna()
    return {
        "quality_takings": _or_none(measures.spearman(houses["quality"], takings)),
        "district_takings": _or_none(measures.spearman(purses[lived], takings[lived])),
    }


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value


def _notes(sources: Sources, houses: pd.DataFrame) -> tuple[str, ...]:
    """What a reader should know before he believes a figure."""
    return tuple(
        note
        for note in (
            _few_people(len(sources.purses["end"])),
            _few_nights(sources.n_nights),
            _bills(houses),
            _closed(houses),
            _older(sources),
        )
        if note
    )


def _few_people(n: int) -> str:
    if n >= FEW_PEOPLE or n < 2:
        return ""
    return (
        f"Of only {n} people the Gini is low by the factor (n - 1)/n: as an estimate for a larger "
        f"town of the kind take {n}/{n - 1} of it."
    )


def _few_nights(n: int) -> str:
    if n >= FEW_NIGHTS:
        return ""
    return f"In {n} night{'s' * (n != 1)} luck says more than the trade: play some weeks."


def _bills(houses: pd.DataFrame) -> str:
    owing = houses[houses["unpaid_cp"] > 0]
    if owing.empty:
        return ""
    return f"{_houses(len(owing))} could not pay all the bills on some night."


def _closed(houses: pd.DataFrame) -> str:
    n = int(houses["closed_night"].notna().sum())
    return f"{_houses(n)} closed for good." if n else ""


def _houses(n: int) -> str:
    return "One house" if n == 1 else f"{n} houses"


def _older(sources: Sources) -> str:
    if sources.evenings is not None:
        return ""
    return "This run is of an older version: it does not say who was out of an evening."
