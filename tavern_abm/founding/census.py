"""Who lives in a town: from its inhabitants to heads of households, trades and tavern-goers.

Of every `people_per` inhabitants one is master of a trade, with some hands who
live by it. Who works and is neither works for others, on the land or on the water:
their trades are those of `rest`, by the size of the place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ..data_tables import DataTables
    from ..patrons.columns import Floats, Ints
    from .tables import Founding


class Calling(NamedTuple):
    """A trade in a town.

    Attributes
    ----------
    trade, rank : str
        As `data/trades` has them.
    wage_cp : int
        A day.
    n_masters : int
        Heads of households who are master of it; 0 for those who work for others.
    n_people : int
        All who live by it.
    n_patrons : int
        Those of them who go to taverns.
    """

    trade: str
    rank: str
    wage_cp: int
    n_masters: int
    n_people: int
    n_patrons: int


class Census(NamedTuple):
    """A town's people in numbers."""

    settlement: str
    population: int
    n_households: int
    callings: list[Calling]

    @property
    def n_people(self) -> int:
        """How many earn a wage."""
        return sum(each.n_people for each in self.callings)

    @property
    def n_patrons(self) -> int:
        """How many go to taverns."""
        return sum(each.n_patrons for each in self.callings)

    @property
    def weights(self) -> dict[str, float]:
        """Tavern-goers by trade, the commonest first; as a scenario has its weights."""
        commonest = sorted(self.callings, key=lambda each: -each.n_patrons)
        return {each.trade: float(each.n_patrons) for each in commonest if each.n_patrons}

    def by_rank(self) -> dict[str, int]:
        """Tavern-goers by rank, the poorest first."""
        ranks = ("poor", "common", "well-off", "noble")
        return {
            rank: sum(each.n_patrons for each in self.callings if each.rank == rank)
            for rank in ranks
        }


def census(
    population: int,
    n_patrons: int,
    data: DataTables,
    founding: Founding,
    water: str = "river",
    wages_cp: Mapping[str, int] | None = None,
) -> Census:
    """Count the people of a town of so many inhabitants.

    A trade has ``round(population / people_per)`` masters, a half rounded up, and
    `hands` people for each; so a trade of which there would be less than half a
    master is not found there, nor is one that such a place is `without`. All who earn
    a wage are ``population * workers / household``; those who are left live by the
    trades of `rest`, in proportion to its weights. Tavern-goers come from each trade in
    proportion to its people and to how readily its rank goes out. Whole people
    throughout, the largest fractions rounded up first.

    Parameters
    ----------
    population : int
        Inhabitants, children included.
    n_patrons : int
        Those who go to taverns, all trades together.
    water : {"none", "river", "sea"}
        What the town lies by.
    wages_cp : mapping, optional
        Daily wages that differ from those of the trades.

    Returns
    -------
    Census
        Its callings in the order of the trades, those that nobody follows left out.

    Examples
    --------
    >>> from tavern_abm.data_tables import load_tables
    >>> from tavern_abm.founding.tables import load_founding
    >>> town = census(5_000, 1_400, load_tables(), load_founding())
    >>> [each for each in town.callings if each.trade == "shoemaker"]
    [Calling(trade='shoemaker', rank='common', wage_cp=70, n_masters=36, n_people=72, n_patrons=46)]
    """
    place = founding.settlement(population)
    trades = list(data.trades.values())
    n_workers = max(1, round(population * place.workers / place.household))
    per = [0.0 if trade.name in place.without else trade.people_per for trade in trades]
    masters = _masters(population, per, n_workers, place.hands)
    people = np.floor(masters * place.hands + 0.5).astype(np.int64)
    weights = place.rest_by(water)
    rest = [weights.get(trade.name, 0.0) for trade in trades]
    people += apportioned(n_workers - int(people.sum()), rest)
    goes = np.array([place.goes.get(trade.rank, 1.0) for trade in trades])
    patrons = apportioned(n_patrons, people * goes)
    wages = [(wages_cp or {}).get(trade.name, trade.wage_cp) for trade in trades]
    counted = zip(trades, wages, masters.tolist(), people.tolist(), patrons.tolist(), strict=True)
    callings = [
        Calling(trade.name, trade.rank, wage, *numbers)
        for trade, wage, *numbers in counted
        if numbers[1]
    ]
    return Census(place.name, population, round(population / place.household), callings)


def _masters(population: int, people_per: Sequence[float], n_workers: int, hands: float) -> Ints:
    """Masters of each trade; fewer where they would be more than all who work."""
    each = [population / per if per else 0.0 for per in people_per]
    masters = np.floor(np.array(each) + 0.5).astype(np.int64)
    most = int(n_workers / hands)
    if masters.sum() > most:
        return apportioned(most, masters)
    return masters


def apportioned(total: int, weights: Sequence[float] | Floats | Ints) -> Ints:
    """Whole numbers in proportion to weights that add up to a total.

    Each gets its share rounded down; what is left goes to the largest fractions,
    of equal ones to the first.

    Examples
    --------
    >>> apportioned(10, [1, 1, 1]).tolist(), apportioned(3, [0.0, 0.0]).tolist()
    ([4, 3, 3], [0, 0])
    """
    parts = np.asarray(weights, np.float64)
    if total <= 0 or not parts.any():
        return np.zeros(len(parts), np.int64)
    exact = parts / parts.sum() * total
    whole = np.floor(exact).astype(np.int64)
    order = np.argsort(whole - exact, kind="stable")
    whole[order[: total - int(whole.sum())]] += 1
    return whole
