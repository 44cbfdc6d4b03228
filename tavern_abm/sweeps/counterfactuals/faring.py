"""Who fared differently in two runs, and which houses did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

if TYPE_CHECKING:
    from ...run_folder import RunFolder

__all__ = ["Fate", "Fates", "fates_of", "houses_of"]

_OF_PEOPLE = (
    *("patron_id", "name", "trade", "sex", "whereabouts", "gone_night"),
    *("end_cp", "games_net_cp", "convicted", "beaten"),
)
_OF_HOUSES = ("guests", "rounds", "staked_cp", "rake_cp", "drinks_cp")


class Fate(NamedTuple):
    """Somebody in both runs.

    Attributes
    ----------
    name : str
        In full.
    one, other : str
        Whereabouts at the end of each: here, left or dead.
    one_night, other_night : int or None
        The night on which he went, if he has.
    one_cp, other_cp : int
        His purse at the end of each run, in cp.
    """

    name: str
    one: str
    other: str
    one_night: int | None
    other_night: int | None
    one_cp: int
    other_cp: int

    @property
    def change_cp(self) -> int:
        """What he holds more in the second run."""
        return self.other_cp - self.one_cp


class Fates(NamedTuple):
    """How the people of two runs fared.

    Attributes
    ----------
    n_matched : int
        People who are in both.
    n_one, n_other : int
        Who are only in one.
    is_whole : bool
        Whether both runs stop on the same night: else purses and whereabouts are of
        different nights, and nobody is named.
    gone : tuple of Fate
        Those who died or left in one run alone, or otherwise, in order of their ids.
    purses : tuple of Fate
        Those who live here at the end of both, the greatest difference first.
    """

    n_matched: int
    n_one: int
    n_other: int
    is_whole: bool
    gone: tuple[Fate, ...]
    purses: tuple[Fate, ...]


def fates_of(one: RunFolder, other: RunFolder, n_nights: int, shares_luck: bool) -> Fates:
    """Hold people against themselves.

    People of runs with the same seed are matched by id and name; of runs with different
    ones only those whom both scenarios name are the same person.

    Parameters
    ----------
    one, other : RunFolder
        The runs.
    n_nights : int
        Nights that both have.
    shares_luck : bool
        Whether they have the same seed.
    """
    sides = [_people(run, shares_luck) for run in (one, other)]
    keys = ["patron_id", "name"] if shares_luck else ["name"]
    both = sides[0].merge(sides[1], on=keys, suffixes=("_one", "_other"), sort=False)
    counts = len(both), len(sides[0]) - len(both), len(sides[1]) - len(both)
    if not one.info["nights"] == other.info["nights"] == n_nights:
        return Fates(*counts, False, (), ())
    found = [_fate(row) for row in both.to_dict("records")]
    gone = tuple(each for each in found if each.one != each.other)
    stayed = [each for each in found if each.one == each.other == "here" and each.change_cp]
    stayed.sort(key=lambda each: (-abs(each.change_cp), each.name))
    return Fates(*counts, True, gone, tuple(stayed))


def _people(run: RunFolder, shares_luck: bool) -> pd.DataFrame:
    table = run.table("patrons", _OF_PEOPLE)
    if shares_luck:
        return table
    named = {person["name"] for person in run.scenario().get("people", [])}
    return table[table["name"].isin(named)]


def _fate(row: dict[Any, Any]) -> Fate:
    return Fate(
        str(row["name"]),
        str(row["whereabouts_one"]),
        str(row["whereabouts_other"]),
        _night(row["gone_night_one"]),
        _night(row["gone_night_other"]),
        int(row["end_cp_one"]),
        int(row["end_cp_other"]),
    )


def _night(value: Any) -> int | None:
    return None if pd.isna(value) else int(value)


def houses_of(one: RunFolder, other: RunFolder, n_nights: int) -> pd.DataFrame:
    """How the houses that both towns have fared in their first `n_nights`.

    Returns
    -------
    DataFrame
        A row a house, in order: ``tavern``, and of each run, with ``_one`` and ``_other``,
        ``guests``, ``rounds``, ``staked_cp``, ``rake_cp``, ``drinks_cp`` (sums), ``till_cp``
        (at the end) and ``nights_open``.
    """
    sides = [_houses(run, n_nights) for run in (one, other)]
    both = sides[0].merge(sides[1], on="tavern", suffixes=("_one", "_other"), sort=False)
    return both.reset_index()


def _houses(run: RunFolder, n_nights: int) -> pd.DataFrame:
    has_doors = run.info["format"] >= 4
    more = ["is_open"] if has_doors else []
    nights = run.table("nights", ["night", "tavern", *_OF_HOUSES, "till_cp", *more])
    nights = nights[nights["night"] <= n_nights]
    by_house = nights.groupby("tavern", sort=False)
    table = by_house[list(_OF_HOUSES)].sum()
    table["till_cp"] = by_house["till_cp"].last()
    table["nights_open"] = by_house["is_open"].sum() if has_doors else n_nights
    return table
