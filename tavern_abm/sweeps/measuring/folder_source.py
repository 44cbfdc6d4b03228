"""What quantities are worked out from, read from the folder of a finished run."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .model_source import FALSE_ONES, OF_THE_TOWN

if TYPE_CHECKING:
    import pandas as pd

    from ...run_folder import RunFolder

type Ints = NDArray[np.int64]


class FolderSource:
    """A run folder; see `collecting.Source`.

    Numbers are those that the model would have given. Of towns of more than 20,000 people
    a folder holds the beliefs of some: there the scores of ``run.json`` stand for all.

    Parameters
    ----------
    run : RunFolder
        As `run_folder.read_run` gives it.
    """

    def __init__(self, run: RunFolder) -> None:
        self.run = run

    @property
    def n_nights(self) -> int:
        """How many were played."""
        return int(self.run.info["nights"])

    @cached_property
    def houses(self) -> list[str]:
        """Signs of the houses, in order."""
        scenario = self.run.scenario()
        return [tavern["name"] for tavern in scenario["taverns"]]

    def column(self, name: str) -> NDArray[Any]:
        """A column of the table of nights: (n, k), or (n,) of the town."""
        values = self.run.table("nights", [name])[name].to_numpy()
        by_house = values.reshape(self.n_nights, len(self.houses))
        return by_house[:, 0] if name in OF_THE_TOWN else by_house

    @cached_property
    def _flows(self) -> dict[str, Ints]:
        """Coins by reason, each (n, k)."""
        columns = ["night", "tavern_id", "reason", "amount_cp"]
        ledger = self.run.table("ledger", columns, [("tavern_id", ">", 0)])
        return {
            str(reason): self._grid(some, some["amount_cp"])
            for reason, some in ledger.groupby("reason")
        }

    def _grid(self, rows: pd.DataFrame, amounts: Any) -> Ints:
        """Amounts by night and house, added up."""
        grid = np.zeros((self.n_nights, len(self.houses)), np.int64)
        at = (rows["night"].to_numpy() - 1, rows["tavern_id"].to_numpy() - 1)
        np.add.at(grid, at, amounts)
        return grid

    def money(self, reason: str) -> Ints:
        """Coins that went by a reason of the ledger, (n, k)."""
        none = np.zeros((self.n_nights, len(self.houses)), np.int64)
        return self._flows.get(reason, none)

    def unjust_luck(self) -> Ints:
        """Beatings for luck of people who had not cheated, (n, k)."""
        columns = ["night", "tavern_id", "is_just"]
        events = self.run.table("events", columns, [("kind", "==", "too_lucky")])
        is_just = events["is_just"].astype("boolean").fillna(False)
        return self._grid(events[~is_just.to_numpy(bool)], 1)

    def purses(self, night: int) -> tuple[Ints, Ints]:
        """Ids and coins of those who lived here as a night closed; night 0 is the start."""
        wealth = self.run.table("wealth", ["patron_id", "gold_cp"], [("night", "==", night)])
        ids, coins = (wealth[name].to_numpy(np.int64) for name in ("patron_id", "gold_cp"))
        return ids, coins

    def people(self) -> pd.DataFrame:
        """Everybody who has ever lived here: the columns of ``patrons`` that scores are made of."""
        return self.run.table(
            "patrons",
            [
                *("patron_id", "is_cheat", "whereabouts", "arrived_night", "gone_night", "hands"),
                *("hand_wins", "first_try_night", "suspected_night"),
            ],
        )

    def beliefs(self) -> pd.DataFrame:
        """All beliefs at the end that are written down, as `scores.scored_pairs` takes them."""
        columns = ["night", "observer_id", "subject_id", "log_odds", "belief"]
        return self.run.table("suspicion", columns, [("night", "==", self.n_nights)])

    def false_tellings(self) -> Ints:
        """The nights of tellings of rumours that were false."""
        truth = self.run.table("rumors", ["rumor_id", "truth"])
        told = self.run.table("tellings", ["rumor_id", "night"])
        false = truth.loc[truth["truth"].isin(FALSE_ONES), "rumor_id"]
        nights: Ints = told.loc[told["rumor_id"].isin(false), "night"].to_numpy(np.int64)
        return nights

    def scores(self) -> Mapping[str, float]:
        """Scores that have been worked out already."""
        totals = self.run.info["totals"]
        names = [name for name, value in totals.items() if not isinstance(value, int)]
        return {name: _number(totals[name]) for name in names}


def _number(value: Any) -> float:
    return float("nan") if value is None else float(value)
