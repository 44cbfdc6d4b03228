"""What the books are made from: the tables of a run, only as much of each as is needed."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ..patrons.decisions.general import ENTRY_MUGS
from ..run_folder import RunFolder
from ..trade_words import trades_of, trades_played
from .entries import LEDGER, entries_of

_PEOPLE = [
    "patron_id",
    "name",
    "sex",
    "trade",
    "rank",
    "wage_cp",
    "home_tavern",
    "arrived_night",
    "whereabouts",
    "start_cp",
    "end_cp",
    "games_net_cp",
]
_HOUSES = ["night", "tavern_id", "guests", "mugs"]
EVENINGS_SINCE = 3
"""Format of the run folder from which on it says who was out of an evening."""

type Counts = NDArray[np.int64]


class Sources:
    """The tables of a run, each read once."""

    def __init__(self, run: RunFolder) -> None:
        self.run = run
        self.n_nights = int(run.info["nights"])

    @cached_property
    def scenario(self) -> dict[str, Any]:
        """What was played, resolved."""
        return self.run.scenario()

    @cached_property
    def entries(self) -> pd.DataFrame:
        """The ledger; see `entries_of`."""
        return entries_of(self.run.table("ledger", LEDGER))

    @cached_property
    def ways(self) -> pd.DataFrame:
        """The entries added up over nights and houses: trade, source, target, reason, cp."""
        names = ["trade", "source", "target", "reason"]
        sums = self.entries.groupby(names, observed=True)["amount_cp"].sum()
        return sums.reset_index().astype(dict.fromkeys(names, object))

    @cached_property
    def taverns(self) -> pd.DataFrame:
        """The houses by ``tavern_id``, as the scenario has them."""
        fields = ("name", "district", "quality", "custom", "mug_cp", "seat_fee_cp", "till_cp")
        rows = [[each[field] for field in fields] for each in self.scenario["taverns"]]
        index = pd.RangeIndex(1, len(rows) + 1, name="tavern_id")
        return pd.DataFrame(rows, columns=list(fields), index=index)

    @cached_property
    def nights(self) -> pd.DataFrame:
        """Guests and mugs by night and house; whether it was open, and bills left unpaid.

        Older runs say of no house that it closed, and tell of unpaid bills as events.
        """
        there = self._columns("nights")
        named = [name for name in ("is_open", "unpaid_cp") if name in there]
        nights = self.run.table("nights", [*_HOUSES, *named])
        if "is_open" not in nights:
            nights["is_open"] = True
        if "unpaid_cp" not in nights:
            bills = self.told[self.told["kind"] == "unpaid"]
            due = bills.groupby(["night", "tavern_id"])["amount_cp"].sum()
            keys = pd.MultiIndex.from_frame(nights[["night", "tavern_id"]])
            nights["unpaid_cp"] = due.reindex(keys, fill_value=0).to_numpy()
        return nights

    @cached_property
    def tills(self) -> pd.DataFrame | None:
        """Tills by night and house as they were counted; None where the run does not say."""
        if "till_cp" not in self._columns("nights"):
            return None
        return self.run.table("nights", ["night", "tavern_id", "till_cp"])

    @cached_property
    def told(self) -> pd.DataFrame:
        """Events of houses that could not pay, and of those that closed."""
        columns = ["night", "tavern_id", "kind", "amount_cp"]
        return self.run.table("events", columns, [("kind", "in", ["unpaid", "closed"])])

    @cached_property
    def people(self) -> pd.DataFrame:
        """Everybody who ever lived here, by ``patron_id``.

        Beside the columns of ``patrons``: ``district``, where he lives (where his home tavern
        stands, in older runs); ``called``, what he is by trade, in a word; ``evening_cp``, what
        the fee and two mugs cost at home; ``days`` he lived here, ``paid_days`` on which he earned
        and paid for his living, ``nights_out`` and ``mugs``.
        """
        own = "district" in self._columns("patrons")
        people = self.run.table("patrons", [*_PEOPLE, "district"] if own else _PEOPLE)
        people = people.set_index("patron_id").sort_index()
        if not own:
            people["district"] = people["home_tavern"].map(self._by_sign("district"))
        price = self._by_sign("seat_fee_cp") + ENTRY_MUGS * self._by_sign("mug_cp")
        people["evening_cp"] = people["home_tavern"].map(price)
        people["called"] = trades_of(people["trade"], people["sex"], trades_played(self.scenario))
        people["days"] = self._days(len(people))
        people["paid_days"] = self._paid_days(people["days"])
        out, mugs = self._outings(len(people))
        return people.assign(nights_out=out, mugs=mugs)

    def _by_sign(self, column: str) -> pd.Series[Any]:
        """A column of the houses by their names."""
        return self.taverns.set_index("name")[column]

    def _days(self, n: int) -> Counts:
        """Nights of the run on which each of `n` people lived here."""
        who = self.wealth.loc[self.wealth["night"] > 0, "patron_id"]
        return np.bincount(who, minlength=n + 1)[1:]

    def _paid_days(self, days: pd.Series[Any]) -> pd.Series[Any]:
        """Days on which each was paid: he must have been here as the night before closed.

        By day wages come first, then people leave, and newcomers come last of all.
        """
        start, end = (days.index.isin(self.purses[when].index) for when in ("start", "end"))
        return days + start.astype(np.int64) - end.astype(np.int64)

    @cached_property
    def evenings(self) -> pd.DataFrame | None:
        """Evenings in a house; None in older runs."""
        if self.run.info["format"] < EVENINGS_SINCE:
            return None
        return self.run.table(
            "evenings", ["patron_id", "drinks", "net_cp"], [("tavern_id", ">", 0)]
        )

    def _outings(self, n: int) -> tuple[Counts, Counts]:
        """Evenings in a house, and mugs, of each of `n` people."""
        if self.evenings is None:
            return np.zeros(n, np.int64), np.zeros(n, np.int64)
        who = self.evenings["patron_id"].to_numpy()
        mugs = np.bincount(who, weights=self.evenings["drinks"], minlength=n + 1)
        return np.bincount(who, minlength=n + 1)[1:], np.rint(mugs).astype(np.int64)[1:]

    @cached_property
    def wealth(self) -> pd.DataFrame:
        """Purses by night and person, of those living here; night 0 is the start."""
        return self.run.table("wealth", ["night", "patron_id", "gold_cp"])

    @cached_property
    def purses(self) -> dict[str, pd.Series[Any]]:
        """Purses of those living here, by ``patron_id``: at the "start" and at the "end"."""
        ends = {"start": 0, "end": self.n_nights}
        return {when: self._purses_of(night) for when, night in ends.items()}

    def _purses_of(self, night: int) -> pd.Series[Any]:
        some = self.wealth[self.wealth["night"] == night]
        return some.set_index("patron_id")["gold_cp"].sort_index()

    def _columns(self, table: str) -> list[str]:
        """Names of the columns of a table that is there."""
        file = self.run.path / f"{table}.parquet"
        return pq.read_schema(file).names if file.is_file() else []
