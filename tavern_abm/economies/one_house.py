"""One house on a page: its books in all, and night by night."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

import pandas as pd

from ..stories import times
from .books import TownBooks
from .told import Grid, Section, rough

MOST_NIGHTS = 45
"""A longer run is told by weeks."""
WEEK = 7
_TAKEN_FOR = {"drinks_cp": "drink", "fees_cp": "fees", "rake_cp": "from the tables"}
_PAID_FOR = {
    "goods_cp": "the brewer",
    "staff_cp": "staff",
    "upkeep_cp": "upkeep",
    "excise_cp": "excise",
}


class NoSuchHouseError(LookupError):
    """No house of that name, or more than one."""


def house_sections(books: TownBooks, name: str) -> list[Section]:
    """The page of a house.

    Parameters
    ----------
    books : TownBooks
        Of its town.
    name : str
        Its sign, in capitals or not, or its number; see `find_house`.

    Raises
    ------
    NoSuchHouseError
        If there is none, when the message names the nearest; or if it is the name of several,
        when it gives their numbers.
    """
    tavern_id = find_house(books.houses["tavern"], name)
    house: Any = books.houses.loc[tavern_id]
    title = f"{house['tavern']} ({house['district']}, quality {house['quality']}, {books.scenario})"
    nights = books.house_nights[books.house_nights["tavern_id"] == tavern_id]
    if not pd.isna(house["closed_night"]):
        nights = nights[nights["night"] <= house["closed_night"]]
    return [Section(title, list(_in_all(house))), Section("", [], _by_night(nights))]


def find_house(signs: pd.Series[Any], name: str) -> int:
    """The number of the house of a name.

    A sign as it is written comes first, then a number, then a sign but for capitals and blanks.

    Examples
    --------
    >>> signs = pd.Series({1: "The Fox", 2: "The Hen", 3: "2"})
    >>> find_house(signs, "the hen"), find_house(signs, "1"), find_house(signs, "2")
    (2, 1, 3)
    """
    written = {str(sign): number for number, sign in enumerate(signs, start=1)}
    numbers = {str(number): number for number in written.values()}
    if name in written or name in numbers:
        return written.get(name) or numbers[name]
    spoken: dict[str, list[int]] = {}
    for sign, number in written.items():
        spoken.setdefault(_spoken(sign), []).append(number)
    found = spoken.get(_spoken(name), [])
    if len(found) == 1:
        return found[0]
    if found:
        which = " or ".join(f"{number} ({signs.iloc[number - 1]!r})" for number in found)
        raise NoSuchHouseError(f"{name!r} may be house {which}; give its number")
    close = get_close_matches(_spoken(name), spoken, n=1, cutoff=0.5)
    hint = f"; did you mean {signs.iloc[spoken[close[0]][0] - 1]!r}?" if close else ""
    raise NoSuchHouseError(f"no house {name!r} in this run{hint}")


def _spoken(name: str) -> str:
    """A name without what cannot be heard of it."""
    return " ".join(name.split()).casefold()


def _in_all(house: Any) -> Iterator[str]:
    nights = times(int(house["nights_open"]), "night")
    yield (
        f"{times(int(house['guests']), 'guest')} in {nights}; a mug is {house['mug_cp']} cp, "
        f"the fee at the door {house['seat_fee_cp']} cp."
    )
    yield _made_up("Took", house, "takings_cp", _TAKEN_FOR)
    yield _made_up("Paid", house, "costs_cp", _PAID_FOR)
    verb = "lost" if house["profit_cp"] < 0 else "made"
    made = f"So it {verb} {rough(abs(house['profit_cp']))}"
    each = f"{rough(abs(house['profit_per_night_cp']))} a night"
    till = f"its till went from {rough(house['till_start_cp'])} to {rough(house['till_cp'])}"
    yield f"{made}, {each}; {till}."
    if house["invested_cp"]:
        yield f"It put {rough(house['invested_cp'])} into tables."
    if house["unpaid_cp"]:
        yield f"Bills of {rough(house['unpaid_cp'])} it could not pay."
    if not pd.isna(house["closed_night"]):
        yield f"It closed for good on night {house['closed_night']}."


def _made_up(verb: str, house: Any, total: str, names: dict[str, str]) -> str:
    """A sum and what it is made up of, but for what is nothing."""
    parts = [f"{name} {rough(house[column])}" for column, name in names.items() if house[column]]
    return f"{verb} {rough(house[total])}{': ' if parts else ''}{', '.join(parts)}."


def _by_night(nights: pd.DataFrame) -> Grid:
    """Guests, takings, costs and profit by night, or by week where there are many."""
    width = WEEK if len(nights) > MOST_NIGHTS else 1
    first = (nights["night"] - 1) // width * width + 1
    by = nights.groupby(first)
    sums = by[["guests", "takings_cp", "costs_cp", "profit_cp"]].sum()
    table = sums.assign(till_cp=by["till_cp"].last(), last=by["night"].last())
    heads = ["guests", "takes", "pays", "makes", "till"]
    rows = [_period(*row) for row in table.reset_index().to_numpy().tolist()]
    return Grid([f"{'Nights' if width > 1 else 'Night'}, cp", *heads], rows)


def _period(
    first: int, guests: int, takings: int, costs: int, profit: int, till: int, last: int
) -> list[str]:
    """A night, or the nights from the first to the last, as a row of text."""
    when = f"{first}" if first == last else f"{first}-{last}"
    made = f"{profit:+,}" if profit else "0"
    return [when, f"{guests:,}", f"{takings:,}", f"{costs:,}", made, f"{till:,}"]
