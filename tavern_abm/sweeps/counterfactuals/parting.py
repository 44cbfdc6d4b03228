"""Where two runs with the same luck part: the first event that differs, and how it spreads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

    from ...run_folder import RunFolder

__all__ = ["Moment", "Parting", "parting_of"]

OF_EVENT = ("night", "round", "tavern_id", "table_id", "kind", "patron_id", "other_id", "amount_cp")
OF_EVENING = ("tavern_id", "table_id", "drinks", "stayed", "net_cp", "condition")


class Moment(NamedTuple):
    """An event of one of the runs.

    Attributes
    ----------
    night, round : int
        When; round 0 is by day.
    house : str
        Where; empty in no house.
    text : str
        What happened, in a sentence.
    """

    night: int
    round: int
    house: str
    text: str


class Parting(NamedTuple):
    """Where two runs part.

    Attributes
    ----------
    one, other : Moment or None
        The first event that differs, of each run; None for the run in which nothing
        happened at that moment. Both None: all events are the same.
    nights : tuple of (night, differing, people)
        For every night that both have, of how many people the evening differs (where one
        went, sat, drank, won), of how many who lived here in one of the runs.
    """

    one: Moment | None
    other: Moment | None
    nights: tuple[tuple[int, int, int], ...]


def parting_of(one: RunFolder, other: RunFolder, n_nights: int) -> Parting:
    """Find where two runs of the same seed part.

    Parameters
    ----------
    one, other : RunFolder
        The runs.
    n_nights : int
        Nights that both have.
    """
    tables = [_events(run, n_nights) for run in (one, other)]
    moments = _first_difference(*tables)
    signs = [_signs(run) for run in (one, other)]
    told = [
        None if at is None else _moment(at, sign) for at, sign in zip(moments, signs, strict=True)
    ]
    evenings = tuple(_evenings(one, other, n_nights)) if _have_evenings(one, other) else ()
    return Parting(told[0], told[1], evenings)


def _signs(run: RunFolder) -> dict[int, str]:
    taverns = run.scenario()["taverns"]
    return {number: tavern["name"] for number, tavern in enumerate(taverns, start=1)}


def _events(run: RunFolder, n_nights: int) -> pd.DataFrame:
    table = run.table("events", [*OF_EVENT, "text"])
    return table[table["night"] <= n_nights].reset_index(drop=True)


def _first_difference(one: pd.DataFrame, other: pd.DataFrame) -> tuple[Any, Any]:
    """The first row in which two tables of events differ, of each; None where it has none then."""
    n = min(len(one), len(other))
    differs = np.zeros(n, bool)
    for column in one.columns:
        differs |= (one[column][:n] != other[column][:n]).to_numpy(bool)
    at = int(differs.argmax()) if differs.any() else n
    rows = [_row(each, at) for each in (one, other)]
    if rows[0] is None or rows[1] is None:
        return rows[0], rows[1]
    when = [(int(row.night), int(row.round)) for row in rows]
    if when[0] == when[1]:
        return rows[0], rows[1]
    return (rows[0], None) if when[0] < when[1] else (None, rows[1])


def _row(table: pd.DataFrame, at: int) -> Any:
    """A row as a tuple with names; None past the last."""
    return next(table.iloc[at : at + 1].itertuples(), None)


def _moment(row: Any, signs: dict[int, str]) -> Moment:
    return Moment(int(row.night), int(row.round), signs.get(int(row.tavern_id), ""), str(row.text))


# ---------------------------------------------------------------- evenings


def _have_evenings(one: RunFolder, other: RunFolder) -> bool:
    """Whether both runs keep them: earlier versions did not."""
    return all("evenings" in run.tables for run in (one, other))


def _evenings(one: RunFolder, other: RunFolder, n_nights: int) -> Iterator[tuple[int, int, int]]:
    """Night by night, of how many people the evening differs, of how many."""
    columns = ["night", "patron_id", *OF_EVENING]
    sides = [run.table("evenings", columns, [("night", "<=", n_nights)]) for run in (one, other)]
    both = sides[0].merge(
        sides[1],
        on=["night", "patron_id"],
        how="outer",
        suffixes=("_one", "_other"),
        indicator=True,
    )
    differs = (both["_merge"] != "both").to_numpy(bool, copy=True)
    for name in OF_EVENING:
        one_side, other_side = (both[f"{name}_{side}"] for side in ("one", "other"))
        differs |= (one_side != other_side).to_numpy(bool, na_value=True)
    by_night = both.assign(differs=differs).groupby("night")["differs"].agg(["sum", "size"])
    for night, found in zip(by_night.index.tolist(), by_night.to_numpy().tolist(), strict=True):
        yield int(night), int(found[0]), int(found[1])
