"""What a report page is made from: the tables of a run, and what is drawn or told of them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import pandas as pd

from .. import analysis, stories
from ..run_folder import RunFolder
from ..scores import Scores, scored_pairs, scores

MOST_NODES = 150
MOST_EDGES = 900
EVERYBODY = 300
"""In a house of at most so many everybody's story is on the page."""

_EVENTS = ["event_id", "night", "kind", "patron_id", "other_id", "is_just", "text"]
_BELIEFS = ["observer_id", "subject_id", "belief"]
_LAST = [*_BELIEFS, "night", "log_odds"]


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
        """Everybody who ever lived here."""
        return self.run.table("patrons")

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
        return stories.notable(self.events, self.n_nights)

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

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """The beliefs at the end among those who live here, with the truth."""
        return scored_pairs(self.beliefs, self.patrons)

    @property
    def has_scores(self) -> bool:
        """Whether the run was scored night by night; older ones were not."""
        return "suspected_right" in self.nights and "first_try_night" in self.patrons

    @cached_property
    def scores(self) -> Scores:
        """How beliefs and justice did against the truth."""
        return scores(self.nights, self.patrons, self.beliefs, self.events)

    def _if_there(self, name: str) -> pd.DataFrame:
        """A table of the run; without rows and columns where an older run has none."""
        return self.run.table(name) if name in self.run.tables else pd.DataFrame()

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
        return self._if_there("tellings")

    @cached_property
    def names(self) -> dict[int, str]:
        """Names by id."""
        return dict(zip(self.patrons["patron_id"].tolist(), self.patrons["name"], strict=True))

    @cached_property
    def houses(self) -> dict[int, str]:
        """Signs of the taverns by id."""
        taverns = self.run.scenario().get("taverns") or []
        return {i: str(each.get("name", "")) for i, each in enumerate(taverns, start=1)}

    @cached_property
    def ties(self) -> dict[tuple[int, int], str]:
        """By what two people know each other: kin, trade, ..."""
        known = self._if_there("acquaintances")
        if known.empty:
            return {}
        ends = (known[name].tolist() for name in ("patron_id", "other_id", "tie"))
        return {(min(a, b), max(a, b)): str(tie) for a, b, tie in zip(*ends, strict=True)}

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
