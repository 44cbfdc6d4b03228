"""Whether the tables of a run fit together, seen to before books are made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..data_tables import RANKS
from ..run_folder import RunFolderError
from ..stories import times
from .entries import is_from
from .houses import HouseCells
from .sources import EVENINGS_SINCE, Counts, Sources


def verify_tables(sources: Sources) -> None:
    """See that nothing is lacking, doubled or unknown in the tables.

    Raises
    ------
    RunFolderError
        With the file that does not fit, and what in it.
    """
    nights, houses = (0, sources.n_nights), (0, len(sources.taverns))
    _verify_nights(sources)
    ranges = {"night": nights, "tavern_id": houses, "amount_cp": (1, None)}
    _verify_whole(sources, "ledger", sources.entries, ranges)
    _verify_patrons(sources)


def verify_money(sources: Sources, cells: HouseCells, money: pd.DataFrame) -> None:
    """See that the ledger comes to what was counted: in all, in each till, and in the purses.

    And that there are as many evenings as purses.

    Parameters
    ----------
    sources : Sources
        The tables.
    cells : HouseCells
        The tills by the ledger.
    money : DataFrame
        `TownBooks.money`, by the ledger.

    Raises
    ------
    RunFolderError
        With what does not fit.
    """
    booked, said = int(money["supply_cp"].iloc[-1]), sources.run.info["ledger"]["closing_cp"]
    if booked != said:
        problem = f"damaged: its ledger comes to {booked} cp, run.json says {said}"
        raise RunFolderError(sources.run.path, problem)
    _verify_tills(sources, cells)
    _verify_purses(sources, money)
    _verify_evenings(sources)


def _damaged(sources: Sources, table: str, problem: str) -> RunFolderError:
    return RunFolderError(sources.run.path / f"{table}.parquet", f"damaged: {problem}")


def _verify_whole(
    sources: Sources,
    name: str,
    table: pd.DataFrame,
    ranges: Mapping[str, tuple[int, int | None]],
) -> None:
    """See that columns hold whole numbers within ranges, the ends of which are allowed."""
    for column, (low, high) in ranges.items():
        values = table[column]
        if not pd.api.types.is_integer_dtype(values.dtype) or values.hasnans:
            raise _damaged(sources, name, f"{column} must be whole numbers, with none left out")
        odd = values[(values < low) | (values > (values if high is None else high))]
        if len(odd):
            within = f"at least {low}" if high is None else f"{low} to {high}"
            text = f"{column} must be {within} (got {odd.iloc[0]})"
            raise _damaged(sources, name, text)


def _verify_nights(sources: Sources) -> None:
    """One row a night and house."""
    n_nights, n_houses = sources.n_nights, len(sources.taverns)
    nights = sources.nights
    ranges = {"night": (1, n_nights), "tavern_id": (1, n_houses)}
    if len(nights) != n_nights * n_houses:
        said = f"{times(n_nights, 'night')} (run.json) of {times(n_houses, 'house')}"
        text = f"it has {times(len(nights), 'row')} for {said} (scenario.toml)"
        raise _damaged(sources, "nights", text)
    least = dict.fromkeys(("guests", "mugs", "unpaid_cp"), (0, None))
    _verify_whole(sources, "nights", nights, {**ranges, **least})
    _verify_single(sources, "nights", nights, ["night", "tavern_id"])


def _verify_patrons(sources: Sources) -> None:
    """Ranks that there are, everybody once, and purses of nobody else."""
    people = sources.run.table("patrons", ["patron_id", "rank"])
    unknown = people.loc[~people["rank"].isin(RANKS), "rank"]
    if len(unknown):
        known = ", ".join(RANKS)
        text = f"unknown rank {unknown.iloc[0]!r} (ranks: {known})"
        raise _damaged(sources, "patrons", text)
    _verify_whole(sources, "patrons", people, {"patron_id": (1, len(people))})
    _verify_single(sources, "patrons", people, ["patron_id"])
    ranges = {"night": (0, sources.n_nights), "patron_id": (1, len(people))}
    _verify_whole(sources, "wealth", sources.wealth, {**ranges, "gold_cp": (0, None)})


def _verify_single(
    sources: Sources, name: str, table: pd.DataFrame, columns: Sequence[str]
) -> None:
    """See that no row is there twice."""
    doubled = table.duplicated(list(columns))
    if doubled.any():
        row = table.loc[doubled, list(columns)].iloc[0]
        what = ", ".join(f"{column} {value}" for column, value in row.items())
        raise _damaged(sources, name, f"two rows of {what}")


def _verify_evenings(sources: Sources) -> None:
    """As many evenings every night as purses were counted: both are of all who live here."""
    if sources.run.info["format"] < EVENINGS_SINCE:
        return
    evenings = sources.run.table("evenings", ["night"])
    _verify_whole(sources, "evenings", evenings, {"night": (1, sources.n_nights)})
    spent, counted = (
        np.bincount(table["night"], minlength=sources.n_nights + 1)
        for table in (evenings, sources.wealth)
    )
    for night in np.flatnonzero(spent[1:] != counted[1:])[:1] + 1:
        text = f"{spent[night]:,} evenings of night {night}, {counted[night]:,} people in wealth"
        raise _damaged(sources, "evenings", text)


def _verify_tills(sources: Sources, cells: HouseCells) -> None:
    """Each till every night, where the run tells of them."""
    counted = sources.tills
    if counted is None:
        return
    night, house = (counted[name].to_numpy() for name in ("night", "tavern_id"))
    booked = cells.tills[night, house]
    for i in np.flatnonzero(counted["till_cp"].to_numpy() != booked)[:1]:
        when = f"till_cp of tavern {house[i]} on night {night[i]}"
        text = f"{when} is {counted['till_cp'].iloc[i]}, by the ledger {booked[i]}"
        raise _damaged(sources, "nights", text)


def _verify_purses(sources: Sources, money: pd.DataFrame) -> None:
    """All purses together every night, and at the start those of the opening.

    What somebody gave or took between two nights is booked on the first of them; that night's
    purses may have been counted before it, or after.
    """
    counted = sources.wealth.groupby("night")["gold_cp"].sum()
    counted = counted.reindex(money.index, fill_value=0)
    by_hand = sources.entries[sources.entries["reason"] == "intervention"]
    is_given = is_from(by_hand, "outside")
    given, taken = (_by_night(by_hand[some], money.index) for some in (is_given, ~is_given))
    later = (money["purses_cp"] - counted).to_numpy()
    for night in np.flatnonzero((later > given) | (later < -taken))[:1]:
        booked = int(money["purses_cp"].iloc[night] - given[night] + taken[night])
        by = "the ledger" if night else "the opening in run.json and the tills in scenario.toml"
        text = f"the purses of night {night} hold {counted.iloc[night]} cp, by {by} {booked}"
        raise _damaged(sources, "wealth", text)


def _by_night(entries: pd.DataFrame, nights: pd.Index[Any]) -> Counts:
    """Amounts added up by night."""
    sums = entries.groupby("night")["amount_cp"].sum().reindex(nights, fill_value=0)
    return sums.to_numpy()
