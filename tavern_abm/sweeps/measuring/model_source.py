"""What quantities are worked out from, read off a model that has been played."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

    from ...model import TavernModel

type Ints = NDArray[np.int64]
FALSE_ONES = ("false", "wrong person")
"""Truths of a rumour that make its telling a false one."""
OF_THE_TOWN = {"gini": 3, "median_cp": 4, "broke": 5, "living": 6, "brier": 7}
"""Places in the record of a night."""
_HOUSES = {
    "is_open": "is_open",
    "repute": "repute",
    "unpaid_cp": "unpaid",
    "stakes_pct": "lift",
}


class ModelSource:
    """A model after its last night; see `collecting.Source`."""

    def __init__(self, model: TavernModel) -> None:
        from ...tables.record import COUNTS

        self.model, self.record = model, model.record
        self._place = {name: i for i, name in enumerate(COUNTS)}

    @property
    def n_nights(self) -> int:
        """How many were played."""
        return len(self.record.nights)

    @property
    def houses(self) -> list[str]:
        """Signs of the houses, in order."""
        return [tavern.name for tavern in self.model.scenario.taverns]

    @cached_property
    def _counts(self) -> Ints:
        """(n, k, n_counts)."""
        return np.stack([each[1] for each in self.record.nights])

    def column(self, name: str) -> NDArray[Any]:
        """A column of the table of nights: (n, k), or (n,) of the town."""
        if name in self._place:
            return self._counts[:, :, self._place[name]]
        nights = self.record.nights
        if name in OF_THE_TOWN:
            return np.array([each[OF_THE_TOWN[name]] for each in nights])
        if name == "till_cp":
            return np.stack([each[2] for each in nights])
        return np.stack([getattr(each[-1], _HOUSES[name]) for each in nights])

    @cached_property
    def _flows(self) -> Ints:
        """Coins by night, house (0: none) and kind of flow: (n, k + 1, n_flows)."""
        from ...tables.accounts import FLOWS

        shape = (self.n_nights, 1 + len(self.model.tills), len(FLOWS))
        flows = np.zeros(shape, np.int64)
        for entries in self.model.ledger.entries:
            np.add.at(flows[entries.night - 1], (entries.tavern, entries.flow), entries.amount)
        return flows

    def money(self, reason: str) -> Ints:
        """Coins that went by a reason of the ledger, (n, k)."""
        from ...tables.accounts import FLOWS

        of = [i for i, flow in enumerate(FLOWS) if flow.reason == reason]
        return self._flows[:, 1:, of].sum(axis=2)

    def unjust_luck(self) -> Ints:
        """Beatings for luck of people who had not cheated, (n, k)."""
        from ...tables.record import TOO_LUCKY

        found = np.zeros((self.n_nights, len(self.model.tills)), np.int64)
        if not self.column("too_lucky").any():
            return found
        for cells in self.record.rounds():
            some = cells[((cells["notable"] & TOO_LUCKY) != 0) & (cells["is_cheat"] == 0)]
            np.add.at(found, (some["night"] - 1, some["tavern"]), 1)
        return found

    def purses(self, night: int) -> tuple[Ints, Ints]:
        """Ids and coins of those who lived here as a night closed; night 0 is the start."""
        evenings = self.record.of_evenings[night][1]
        return evenings["row"].astype(np.int64) + 1, evenings["gold"].astype(np.int64)

    def people(self) -> pd.DataFrame:
        """Everybody who has ever lived here: the columns of ``patrons`` that scores are made of."""
        import pandas as pd

        from ...patrons.columns import DEAD, HERE

        people, n = self.model.people, self.model.n_rows
        where = people.whereabouts[:n]
        names = {HERE: "here", DEAD: "dead"}
        return pd.DataFrame(
            {
                "patron_id": np.arange(1, n + 1, dtype=np.int32),
                "is_cheat": (people.is_cheat[:n] == 1) & (people.tries[:n] > 0),
                "whereabouts": [names.get(each, "left") for each in where.tolist()],
                "arrived_night": people.arrived[:n].astype(np.int64),
                "gone_night": _night(np.where(where == HERE, 0, people.gone[:n])),
                "hands": people.hands[:n].astype(np.int64),
                "hand_wins": people.hand_wins[:n].astype(np.int64),
                "first_try_night": _night(people.first_try[:n]),
                "suspected_night": _night(people.suspected[:n]),
            }
        )

    def beliefs(self) -> pd.DataFrame:
        """All beliefs at the end, as `scores.scored_pairs` takes them."""
        import pandas as pd

        columns = self.model.suspicion.columns
        names = ("observer_id", "subject_id", "log_odds", "belief")
        return pd.DataFrame({"night": self.n_nights} | {name: columns[name] for name in names})

    def false_tellings(self) -> Ints:
        """The nights of tellings of rumours that were false."""
        vine = self.model.company.grapevine
        told = vine.tellings_frame()
        if told.empty:
            return np.zeros(0, np.int64)
        truth = vine.rumors_frame(self.model.events)["truth"]
        is_false = truth.isin(FALSE_ONES).to_numpy()[told["rumor_id"].to_numpy() - 1]
        nights: Ints = told["night"].to_numpy(np.int64)[is_false]
        return nights

    def scores(self) -> Mapping[str, float]:
        """Scores that have been worked out already: none."""
        return {}


def _night(column: Any) -> NDArray[np.float64]:
    """A night as a number, nan where it has not come."""
    return np.where(column == 0, np.nan, column.astype(np.float64))
