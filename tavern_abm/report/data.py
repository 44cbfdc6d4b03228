"""What a report page is made from: the tables of a run, and what is drawn or told of them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from .. import analysis, stories
from ..economies.houses import HouseCells, house_nights_table, houses_table
from ..economies.sources import Sources
from ..run_folder import RunFolder
from ..scores import MEANINGS, Scores, scored_pairs, scores
from ..trade_words import trades_of, trades_played

MOST_NODES = 150
MOST_EDGES = 900
MOST_EVENTS_OF_A_TOWN = 1000
EVERYBODY = 300
"""In a house of at most so many everybody's story is on the page."""

_EVENTS = ["event_id", "night", "kind", "patron_id", "other_id", "is_just", "text"]
_BELIEFS = ["observer_id", "subject_id", "belief"]
_TIES = ["patron_id", "other_id", "tie"]
_TELLINGS = [
    "telling_id",
    "rumor_id",
    "told_rumor_id",
    "teller_id",
    "listener_id",
    "night",
    "knew",
    "believed",
    "told_from",
]
_LAST = [*_BELIEFS, "night", "log_odds"]


def pair_id(one: Any, other: Any) -> Any:
    """A number of its own for any two people, or for columns of them, the same either way.

    Examples
    --------
    >>> bool(pair_id(3, 5) == pair_id(5, 3) != pair_id(3, 6))
    True
    """
    a, b = np.asarray(one, np.int64), np.asarray(other, np.int64)
    return np.minimum(a, b) << 32 | np.maximum(a, b)


class RunData:
    """What the page is made from; each table is read once, and only what is needed of it."""

    def __init__(self, run: RunFolder) -> None:
        self.run = run
        self.n_nights = int(run.info["nights"])
        self.totals: dict[str, Any] = run.info["totals"]

    @cached_property
    def nights(self) -> pd.DataFrame:
        """Sums by night and tavern."""
        return self.run.table("nights")

    @cached_property
    def patrons(self) -> pd.DataFrame:
        """Everybody who ever lived here, with what he or she is called by trade as ``trade``."""
        people = self.run.table("patrons")
        called = trades_of(people["trade"], people["sex"], trades_played(self.scenario))
        return people.assign(trade=called)

    @cached_property
    def wealth(self) -> pd.DataFrame:
        """Every purse, night by night."""
        return self.run.table("wealth", ["night", "patron_id", "gold_cp"])

    @cached_property
    def bands(self) -> pd.DataFrame:
        """Quantiles of purses by night."""
        return analysis.wealth_bands(self.wealth)

    @property
    def has_games(self) -> bool:
        """Whether the run says what each game brought; older ones do not."""
        return {"games", "players"} <= {*self.run.tables}

    @cached_property
    def games(self) -> pd.DataFrame:
        """Sums by night, tavern and game."""
        return self.run.table("games", ["night", "game", *analysis.GAME_SUMS])

    @cached_property
    def games_in_all(self) -> pd.DataFrame:
        """Sums by game."""
        return analysis.games_in_all(self.games)

    @property
    def game_order(self) -> list[str]:
        """The games, the one with most at stake first."""
        return [str(game) for game in self.games_in_all["game"]]

    @cached_property
    def livings(self) -> pd.DataFrame:
        """What each game brought each person, against his wage."""
        players = self.run.table("players", ["patron_id", "game", "sittings", "net_cp"])
        return analysis.livings(players, self.patrons, self.n_nights)

    @cached_property
    def events(self) -> pd.DataFrame:
        """What happened, without its machine columns."""
        return self.run.table("events", _EVENTS)

    @cached_property
    def notable(self) -> pd.DataFrame:
        """Events that have room on the page."""
        most = MOST_EVENTS_OF_A_TOWN if self.has_town else stories.MOST_EVENTS
        return stories.notable(self.events, self.n_nights, most)

    @cached_property
    def beliefs(self) -> pd.DataFrame:
        """What people believe of each other at the end."""
        night = self.run.table("suspicion", ["night"])["night"]
        if night.empty:
            return self.run.table("suspicion", _LAST)
        last = [("night", "==", int(night.max()))]
        return self.run.table("suspicion", _LAST, last)

    @cached_property
    def suspicions(self) -> pd.DataFrame:
        """Who suspects whom at the end."""
        return analysis.suspects(self.beliefs[_BELIEFS])

    def one_in(self, kind: str) -> int:
        """Of how many one is written down: of the "observer" or the "story"; 1 is all."""
        return int(self.run.info.get("extent", {}).get(f"one_{kind}_in", 1))

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """The beliefs at the end among those who live here, with the truth.

        In a big town those of the observers of whom all beliefs are written down.
        """
        is_in_full = self.beliefs["observer_id"] % self.one_in("observer") == 0
        return scored_pairs(self.beliefs[is_in_full], self.patrons)

    @property
    def has_scores(self) -> bool:
        """Whether the run was scored night by night; older ones were not."""
        return "suspected_right" in self.nights and "first_try_night" in self.patrons

    @cached_property
    def scores(self) -> Scores:
        """How beliefs and justice did against the truth, of everybody."""
        if self.one_in("observer") > 1:
            return {name: self.totals[name] for name in MEANINGS}
        return scores(self.nights, self.patrons, self.beliefs, self.events)

    def _if_there(self, name: str, columns: list[str] | None = None) -> pd.DataFrame:
        """A table of the run; without rows and columns where an older run has none."""
        return self.run.table(name, columns) if name in self.run.tables else pd.DataFrame()

    @cached_property
    def trials(self) -> pd.DataFrame:
        """Accusations and catches, with what the judges believed."""
        trials = self._if_there("trials")
        return analysis.judged(trials) if len(trials) else trials

    @cached_property
    def rumors(self) -> pd.DataFrame:
        """Every version of every story."""
        return self._if_there("rumors")

    @cached_property
    def tellings(self) -> pd.DataFrame:
        """Who told whom what."""
        return self._if_there("tellings", _TELLINGS)

    @cached_property
    def names(self) -> dict[int, str]:
        """Names by id."""
        return dict(zip(self.patrons["patron_id"].tolist(), self.patrons["name"], strict=True))

    @cached_property
    def houses(self) -> dict[int, str]:
        """Signs of the taverns by id."""
        taverns = self.scenario.get("taverns") or []
        return {i: str(each.get("name", "")) for i, each in enumerate(taverns, start=1)}

    @property
    def has_town(self) -> bool:
        """Whether there is more than one house."""
        return len(self.houses) > 1

    @cached_property
    def scenario(self) -> dict[str, Any]:
        """What was played."""
        return self.run.scenario()

    @cached_property
    def _of_houses(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """What houses came to, in all and by night; the ledger of a city is let go of again."""
        sources = Sources(self.run)
        cells = HouseCells(sources)
        return houses_table(sources, cells), house_nights_table(sources, cells)

    @property
    def house_sums(self) -> pd.DataFrame:
        """What each house came to, as `TownBooks.houses`."""
        return self._of_houses[0]

    @cached_property
    def takings(self) -> pd.DataFrame:
        """What houses took and whom they saw, by ``night`` and ``tavern_id``, with ``district``."""
        table = self._of_houses[1]
        return table.assign(district=table["tavern_id"].map(self.house_sums["district"]))

    @cached_property
    def district_sums(self) -> pd.DataFrame:
        """What the houses of each district came to, the one that took most first."""
        sums = self.takings.groupby("district", as_index=False).agg(
            houses=("tavern_id", "nunique"),
            guests=("guests", "sum"),
            takings_cp=("takings_cp", "sum"),
        )
        return sums.sort_values("takings_cp", ascending=False, kind="stable")

    @cached_property
    def ties(self) -> pd.Series:
        """By what two people know each other (kin, trade, ...), by the `pair_id` of the two."""
        known = self._if_there("acquaintances", _TIES)
        if known.empty:
            return pd.Series(dtype=str)
        return pd.Series(known["tie"].array, index=pair_id(known["patron_id"], known["other_id"]))

    @cached_property
    def concerned(self) -> list[int]:
        """Ids of those whom suspicion concerns most."""
        return analysis.most_concerned(self.suspicions, MOST_NODES)

    @cached_property
    def edges(self) -> pd.DataFrame:
        """Suspicions among those most concerned, the strongest."""
        among = self.suspicions["observer_id"].isin(self.concerned)
        among &= self.suspicions["subject_id"].isin(self.concerned)
        return self.suspicions[among].head(MOST_EDGES)

    @cached_property
    def nodes(self) -> pd.DataFrame:
        """People of the network that is drawn."""
        drawn = {*self.edges["observer_id"], *self.edges["subject_id"]}
        return self.patrons[self.patrons["patron_id"].isin(drawn)]

    @cached_property
    def told(self) -> list[int]:
        """Ids of the people whose stories are on the page."""
        if len(self.patrons) <= EVERYBODY:
            return [int(each) for each in self.patrons["patron_id"]]
        players = self.patrons.loc[self.patrons["is_player"], "patron_id"]
        top = analysis.fortunes(self.patrons)["patron_id"]
        return sorted({*self.nodes["patron_id"], *top, *players.head(MOST_NODES)})
