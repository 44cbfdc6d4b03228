"""Rumours by descent, laid out for a picture: who learned it from whom.

Every telling names the telling by which the teller had learned it himself
(``told_from``, 0 for a witness or an inventor). Followed back, it ends at
whoever saw it, or made it up.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

MOST_PEOPLE = 120
"""People of a tree that is drawn; the earliest, with all who passed it on to them."""


def origin(rumors: pd.DataFrame) -> pd.Series[int]:
    """What each version goes back to: its event's id, or less than 0 for an invention.

    All versions of one event have the same, whatever story of it they tell.
    """
    event, story = rumors["event_id"].astype(int), rumors["story_id"].astype(int)
    return event.where(event > 0, -story)


def most_told(rumors: pd.DataFrame, tellings: pd.DataFrame, n: int) -> list[int]:
    """The origins most people came to know of by talk; among equals the earlier ones.

    Parameters
    ----------
    rumors, tellings : DataFrame
        Tables of a run.
    n : int
        At most so many.
    """
    from_version = dict(zip(rumors["rumor_id"].tolist(), origin(rumors).tolist(), strict=True))
    news = tellings.loc[~tellings["knew"].astype(bool), "rumor_id"].map(from_version)
    counts = news.value_counts()
    return sorted((int(each) for each in counts.index), key=lambda o: (-counts[o], abs(o)))[:n]


def family(
    rumors: pd.DataFrame, tellings: pd.DataFrame, root: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """All versions that go back to one origin, and all tellings of them, in order.

    Parameters
    ----------
    rumors, tellings : DataFrame
        Tables of a run.
    root : int
        As `origin` gives it.
    """
    versions = rumors[origin(rumors) == root].sort_values("rumor_id", ignore_index=True)
    is_told = tellings["rumor_id"].isin(versions["rumor_id"])
    return versions, tellings[is_told].sort_values("telling_id", ignore_index=True)


def tree(versions: pd.DataFrame, tellings: pd.DataFrame, most: int = MOST_PEOPLE) -> pd.DataFrame:
    """Lay out who learned it from whom.

    Parameters
    ----------
    versions, tellings : DataFrame
        As `family` gives them.
    most : int
        At most so many people; the earliest.

    Returns
    -------
    DataFrame
        One row for everybody who saw it and told of it or made it up, then one
        for each telling that was news to the listener, in order (somebody who
        has forgotten a story may learn it anew):
        ``telling_id`` (0 for a source), ``person_id``, ``parent`` (row of who
        told him; -1 for a source), ``rumor_id`` (as he knows it), ``night``,
        ``believed``, ``y`` (from 0 up: leaves a unit apart, those of two sources
        two; everybody else amid his listeners).
    """
    news = tellings[~tellings["knew"].astype(bool)]
    sources = _sources(versions, tellings)
    heard = pd.DataFrame(
        {
            "telling_id": news["telling_id"],
            "person_id": news["listener_id"],
            "rumor_id": news["rumor_id"],
            "night": news["night"],
            "believed": news["believed"].astype(bool),
        }
    )
    nodes = pd.concat([sources, heard], ignore_index=True)
    nodes["parent"] = _parents(nodes, sources, news)
    nodes = nodes.head(max(most, len(sources)))
    return nodes.assign(y=_heights(nodes["parent"].to_numpy()))


def _sources(versions: pd.DataFrame, tellings: pd.DataFrame) -> pd.DataFrame:
    """Witnesses and inventors who told of it, with the night they came to know."""
    first = tellings[tellings["told_from"] == 0].drop_duplicates(["teller_id", "told_rumor_id"])
    made = versions.set_index("rumor_id")["made_night"]
    return pd.DataFrame(
        {
            "telling_id": 0,
            "person_id": first["teller_id"],
            "rumor_id": first["told_rumor_id"],
            "night": first["told_rumor_id"].map(made),
            "believed": True,
        }
    )


def _parents(nodes: pd.DataFrame, sources: pd.DataFrame, news: pd.DataFrame) -> list[int]:
    """The row from which each came: a telling, or the teller himself where he was a source."""
    of_telling = {each: row for row, each in enumerate(nodes["telling_id"].tolist()) if each}
    pairs = zip(sources["person_id"].tolist(), sources["rumor_id"].tolist(), strict=True)
    of_source = {pair: row for row, pair in enumerate(pairs)}
    parents = [-1] * len(sources)
    columns = (news[name].tolist() for name in ("told_from", "teller_id", "told_rumor_id"))
    for told_from, teller, version in zip(*columns, strict=True):
        row = of_telling[told_from] if told_from else of_source[teller, version]
        parents.append(row)
    return parents


def _heights(parents: np.ndarray) -> list[float]:
    """Leaves a unit apart, sources one more, no branches crossing; parents come first."""
    n = len(parents)
    leaves = [0] * n
    for row in range(n - 1, -1, -1):
        leaves[row] = max(1, leaves[row])
        if parents[row] >= 0:
            leaves[parents[row]] += leaves[row]
    low, free = [0.0] * n, 0.0
    heights = []
    taken = [0.0] * n
    for row in range(n):
        if parents[row] < 0:
            low[row], free = free, free + leaves[row] + 1
        else:
            low[row] = low[parents[row]] + taken[parents[row]]
            taken[parents[row]] += leaves[row]
        heights.append(low[row] + (leaves[row] - 1) / 2)
    return heights
