"""Who has how much: inequality, who rose and who fell, and what was left behind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from ..measures import gini, hoover, lorenz, mobility, shorrocks, spearman, theil, top_share
from .books import QUINTILES
from .sources import Sources

CURVE_POINTS = 201
TOPS = {"top_1": 0.01, "top_10": 0.10, "top_20": 0.20}
WORTH_LOSING = 5
"""Days' wages from which somebody has something to lose."""
WORTH_WINNING = 25
"""Days' wages that make somebody rich: there a purse comes to rest without games."""

type Sums = pd.Series[Any]


def losses_of(people: pd.DataFrame) -> Sums:
    """What those have lost at the tables, on balance, who have lost."""
    return -people.loc[people["games_net_cp"] < 0, "games_net_cp"]


def wealth_table(heaps: Mapping[str, Sums]) -> pd.DataFrame:
    """`TownBooks.wealth`, a row for each heap of sums of money."""
    rows = [_spread_of(values.to_numpy()) for values in heaps.values()]
    return pd.DataFrame(rows, index=pd.Index(list(heaps), name="when"))


def _spread_of(values: Any) -> dict[str, float]:
    """How sums of money are spread."""
    n = len(values)
    found = gini(values)
    return {
        "n": n,
        "total_cp": int(values.sum()),
        "mean_cp": float(values.mean()) if n else float("nan"),
        "median_cp": float(np.median(values)) if n else float("nan"),
        "gini": found,
        "gini_small_sample": found * n / (n - 1) if n > 1 else float("nan"),
        "theil": theil(values),
        "hoover": hoover(values),
        **{name: top_share(values, share) for name, share in TOPS.items()},
    }


def lorenz_table(heaps: Mapping[str, Sums]) -> pd.DataFrame:
    """`TownBooks.lorenz`: a curve for each heap of sums of money, at `CURVE_POINTS` at the most."""
    curves = [_curve(name, values) for name, values in heaps.items() if len(values)]
    if not curves:
        return pd.DataFrame({"of": [], "share_of_people": [], "share_of_wealth": []})
    return pd.concat(curves, ignore_index=True)


def _curve(name: str, values: Sums) -> pd.DataFrame:
    people, wealth = lorenz(values)
    if len(people) > CURVE_POINTS:
        at = np.linspace(0.0, 1.0, CURVE_POINTS)
        people, wealth = at, np.interp(at, people, wealth)
    return pd.DataFrame({"of": name, "share_of_people": people, "share_of_wealth": wealth})


def moves(purses: Mapping[str, Sums]) -> tuple[pd.DataFrame, float, float]:
    """`TownBooks.mobility`, with the rank correlation of the purses and Shorrocks' index."""
    both = pd.concat([purses["start"], purses["end"]], axis=1, join="inner", keys=["start", "end"])
    table = mobility(both["start"], both["end"], QUINTILES)
    fifths = range(1, QUINTILES + 1)
    frame = pd.DataFrame(table, index=pd.Index(fifths, name="start"), columns=list(fifths))
    return frame, spearman(both["start"], both["end"]), shorrocks(table)


def turns_table(people: pd.DataFrame) -> pd.DataFrame:
    """`TownBooks.turns`."""
    here = people[people["whereabouts"] == "here"]
    had = here["start_cp"] >= WORTH_LOSING * here["wage_cp"]
    could = had & (here["start_cp"] >= here["evening_cp"])
    ruined = here[could & (here["end_cp"] < here["evening_cp"])].assign(turn="ruined")
    has_won = (here["games_net_cp"] > 0) & (here["games_net_cp"] >= WORTH_WINNING * here["wage_cp"])
    enriched = here[has_won & (here["end_cp"] >= 2 * here["start_cp"])].assign(turn="enriched")
    table = pd.concat(
        [
            ruined.sort_values("games_net_cp", kind="stable"),
            enriched.sort_values("games_net_cp", ascending=False, kind="stable"),
        ]
    ).reset_index()
    who = ["patron_id", "name", "trade", "called", "rank"]
    return table[[*who, "turn", "start_cp", "end_cp", "games_net_cp"]]


def estates_table(sources: Sources) -> pd.DataFrame:
    """`TownBooks.estates`: who leaves does so by day, in no house; who dies does so in one."""
    entries, people = sources.entries, sources.people
    left_behind = entries[entries["reason"] == "estate"]
    of_dead = left_behind["tavern_id"] > 0
    sums = {
        how: int(left_behind.loc[of_dead == is_dead, "amount_cp"].sum())
        for how, is_dead in (("left", False), ("died", True))
    }
    number = people["whereabouts"].value_counts()
    heads = [int(number.get(word, 0)) for word in ("left", "dead")]
    index = pd.Index(list(sums), name="how")
    return pd.DataFrame({"people": heads, "amount_cp": list(sums.values())}, index=index)
