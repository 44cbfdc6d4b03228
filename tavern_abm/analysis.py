"""Estimates from the tables of a run: pure functions of arrays and data frames.

Nothing here reads a file or asks the model. Money is in copper pieces (cp).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

BANDS = {"p10": 0.10, "p25": 0.25, "median": 0.50, "p75": 0.75, "p90": 0.90}
SENTENCES = ("warned", "thrown_out", "banned", "beaten", "killed", "too_lucky")
"""Kinds of event that are sentences, from the mildest on; the last is no trial's."""
TRICKS = ("tricks_tried", "tricks_noticed", "tricks_convicted")
SUSPECTS = 0.5
"""Belief above which somebody suspects another: a cheat rather than not."""


def gini(values: ArrayLike) -> float:
    """Gini coefficient of sums of money: 0 all alike, towards 1 one has everything.

    Half the mean difference between two people, drawn with replacement, over
    the mean.

    Parameters
    ----------
    values : array_like of number, shape (n,)
        What each person has, each >= 0.

    Returns
    -------
    float
        In 0 to (n - 1) / n. 0 if nobody has anything; nan for no people.

    Raises
    ------
    ValueError
        If a value is negative: the coefficient is then no longer bounded.

    Notes
    -----
    This is the coefficient of the people given. As an estimate for a larger
    population of which they are a sample it is too small, by a factor of about
    (n - 1) / n: multiply by n / (n - 1) for that. In a house of 120 this is
    less than 1 %; for ten people it is 11 %.

    References
    ----------
    .. [1] G. Deltas, "The small-sample bias of the Gini coefficient", Review of
       Economics and Statistics 85 (2003) 226-234.

    Examples
    --------
    >>> gini([5, 5, 5]), gini([0, 0, 0, 8]), gini([1, 3])
    (0.0, 0.75, 0.25)
    """
    ordered = np.sort(np.asarray(values, dtype=np.float64).ravel())
    if ordered.size == 0:
        return float("nan")
    if ordered[0] < 0:
        raise ValueError(f"gini of a negative sum: {ordered[0]:g}; every value must be >= 0")
    total = float(ordered.sum())
    if total == 0:
        return 0.0
    n = ordered.size
    ranks = 2.0 * np.arange(1, n + 1) - n - 1
    return float(ranks @ ordered / (n * total))


def gini_of_sorted(purses: NDArray[np.int64]) -> float:
    """`gini` of whole coins that are sorted already, in whole numbers up to the last division.

    So it comes out the same on every machine, and quickly: a night asks for it.

    Examples
    --------
    >>> gini_of_sorted(np.array([1, 3]))
    0.25
    """
    n = len(purses)
    total = int(purses.sum()) if n else 0
    if total == 0:
        return 0.0 if n else float("nan")
    ranks = np.arange(1 - n, n, 2)
    if n * total < 2**62:
        weighted = int((ranks * purses).sum())
    else:
        weighted = sum(a * b for a, b in zip(ranks.tolist(), purses.tolist(), strict=True))
    return weighted / (n * total)


def lorenz(values: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lorenz curve: what share of all money the poorest share of people has.

    Parameters
    ----------
    values : array_like of number, shape (n,)
        What each person has, each >= 0.

    Returns
    -------
    people, money : ndarray of float, shape (n + 1,)
        Both from 0 to 1 and rising. If nobody has anything, the diagonal.

    Examples
    --------
    >>> [share.tolist() for share in lorenz([3, 1])]
    [[0.0, 0.5, 1.0], [0.0, 0.25, 1.0]]
    """
    ordered = np.sort(np.asarray(values, dtype=np.float64).ravel())
    people = np.linspace(0.0, 1.0, ordered.size + 1)
    heap = np.concatenate(([0.0], np.cumsum(ordered)))
    return people, heap / heap[-1] if heap[-1] > 0 else people.copy()


def auc(scores: ArrayLike, labels: ArrayLike) -> float:
    """Area under the ROC curve: how well scores tell the marked from the others.

    The chance that a marked one drawn at random scores higher than another one
    drawn at random; a tie counts half. It is computed from ranks (Mann-Whitney).

    Parameters
    ----------
    scores : array_like of float, shape (n,)
        Scores; an entry of nan (nobody holds an opinion) is left out.
    labels : array_like of bool, shape (n,)
        Whether each is marked.

    Returns
    -------
    float
        In 0 to 1, 0.5 for scores that say nothing; nan where one of the two
        groups is empty.

    Raises
    ------
    ValueError
        If the two differ in length.

    Examples
    --------
    >>> auc([0.9, 0.4, 0.4, 0.1], [True, True, False, False])
    0.875
    """
    score = np.asarray(scores, dtype=np.float64).ravel()
    label = np.asarray(labels, dtype=bool).ravel()
    if score.size != label.size:
        raise ValueError(f"{score.size} scores but {label.size} labels; give one for each")
    known = ~np.isnan(score)
    score, label = score[known], label[known]
    n_marked = int(label.sum())
    n_other = label.size - n_marked
    if n_marked == 0 or n_other == 0:
        return float("nan")
    above = float(_mid_ranks(score)[label].sum()) - n_marked * (n_marked + 1) / 2
    return above / (n_marked * n_other)


def _mid_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks from 1 up; equal values share the mean of their ranks."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: NDArray[np.float64] = (last - (counts - 1) / 2)[place]
    return ranks


def wealth_bands(wealth: pd.DataFrame) -> pd.DataFrame:
    """Quantiles of purses and their Gini coefficient, night by night.

    Parameters
    ----------
    wealth : DataFrame
        Columns ``night`` and ``gold_cp``, one row per night and living person.

    Returns
    -------
    DataFrame
        One row per night in order: ``night``, the quantiles of `BANDS` in cp,
        ``gini`` and ``people``.
    """
    ordered = wealth.sort_values("night", kind="stable")
    nights, starts = np.unique(ordered["night"].to_numpy(), return_index=True)
    purses = np.split(ordered["gold_cp"].to_numpy(), starts[1:]) if nights.size else []
    rows = [
        [night, *np.quantile(purse, list(BANDS.values())), gini(purse), purse.size]
        for night, purse in zip(nights.tolist(), purses, strict=True)
    ]
    bands = pd.DataFrame(rows, columns=["night", *BANDS, "gini", "people"])
    return bands.astype({"night": int, "people": int})


def latest(suspicion: pd.DataFrame) -> pd.DataFrame:
    """Keep what was believed on the last recorded night."""
    if suspicion.empty:
        return suspicion
    is_last = suspicion["night"].eq(suspicion["night"].max())
    return suspicion.loc[is_last]


def reputations(suspicion: pd.DataFrame) -> pd.DataFrame:
    """What people make of each other, summed up by the person it is about.

    Parameters
    ----------
    suspicion : DataFrame
        Beliefs of one night: ``subject_id`` and ``belief`` (0 to 1), one row
        for each pair of an observer and the one he holds a belief about.

    Returns
    -------
    DataFrame
        Indexed by ``subject_id`` in order: ``reputation``, the mean belief of
        those who hold one; ``notoriety``, how many believe above `SUSPECTS`;
        ``believers``, how many hold a belief. Nobody else is in it.
    """
    belief = suspicion["belief"].astype(float)
    table = pd.DataFrame(
        {"subject_id": suspicion["subject_id"], "belief": belief, "sure": belief > SUSPECTS}
    ).groupby("subject_id")
    return pd.DataFrame(
        {
            "reputation": table["belief"].mean(),
            "notoriety": table["sure"].sum().astype(int),
            "believers": table["belief"].size().astype(int),
        }
    ).sort_index()


def nights_per_bar(n_nights: int) -> int:
    """How many nights one bar covers, so that a chart keeps to about 60 bars.

    Examples
    --------
    >>> [nights_per_bar(n) for n in (1, 45, 60, 365, 3650)]
    [1, 1, 7, 7, 63]
    """
    if n_nights <= 45:
        return 1
    return 7 * max(1, round(n_nights / 420))


def _bars(nights: pd.Series[Any], width: int) -> pd.Series[Any]:
    """First night of the bar that each night falls into."""
    return (nights - 1) // width * width + 1


def sentences_by_night(events: pd.DataFrame, n_nights: int) -> pd.DataFrame:
    """Count the sentences carried out, by night (or by weeks in a long run).

    Parameters
    ----------
    events : DataFrame
        Columns ``night``, ``kind`` and ``is_just`` (true, false or missing).
    n_nights : int
        Nights of the run.

    Returns
    -------
    DataFrame
        One row for each bar, kind of `SENTENCES` and justice that occurred:
        ``night`` (first of the bar), ``kind``, ``is_just``, ``number``. A
        beating for luck of which nobody knows better counts as unjust.
    """
    sentences = events[events["kind"].isin(SENTENCES)]
    table = pd.DataFrame(
        {
            "night": _bars(sentences["night"].astype(int), nights_per_bar(n_nights)),
            "kind": sentences["kind"].astype(str),
            "is_just": sentences["is_just"].astype("boolean").fillna(False).astype(bool),
        }
    )
    return table.groupby(["night", "kind", "is_just"]).size().reset_index(name="number")


def tricks_by_night(nights: pd.DataFrame) -> pd.DataFrame:
    """Sum the tricks of all taverns, by night (or by weeks in a long run).

    Parameters
    ----------
    nights : DataFrame
        Columns ``night`` and those of `TRICKS`, one row per night and tavern.

    Returns
    -------
    DataFrame
        ``night`` (first of the bar) and the columns of `TRICKS`.
    """
    width = nights_per_bar(int(nights["night"].max()) if len(nights) else 1)
    bars = _bars(nights["night"].astype(int), width)
    return nights[list(TRICKS)].groupby(bars).sum().reset_index()


def fortunes(patrons: pd.DataFrame, n: int = 10) -> pd.DataFrame:
    """Those who won and those who lost most at the tables.

    Parameters
    ----------
    patrons : DataFrame
        One row per person with ``patron_id`` and ``games_net_cp``.
    n : int, default 10
        How many of each.

    Returns
    -------
    DataFrame
        Rows of `patrons` from the greatest gain to the greatest loss, at most
        `n` winners and `n` losers; who came out even is not among them.
    """
    ordered = patrons.sort_values(
        ["games_net_cp", "patron_id"], ascending=[False, True], kind="stable"
    )
    winners = ordered[ordered["games_net_cp"] > 0].head(n)
    losers = ordered[ordered["games_net_cp"] < 0].tail(n)
    return pd.concat([winners, losers])


def suspects(suspicion: pd.DataFrame, threshold: float = SUSPECTS) -> pd.DataFrame:
    """Who suspects whom: the pairs with a belief above `threshold`, strongest first."""
    pairs = suspicion[suspicion["belief"] > threshold]
    return pairs.sort_values(
        ["belief", "subject_id", "observer_id"], ascending=[False, True, True], kind="stable"
    )


def most_concerned(edges: pd.DataFrame, n: int, accusers: int = 12) -> list[int]:
    """Choose the people whom suspicion concerns most.

    Those most suspected come first (by the sum of the beliefs of all who suspect
    them), each together with the few who are surest of it, so that a choice from
    a large house still shows who suspects whom. If there is room, then everybody
    else who suspects or is suspected.

    Parameters
    ----------
    edges : DataFrame
        ``observer_id``, ``subject_id``, ``belief``.
    n : int
        At most so many people.
    accusers : int, default 12
        How many come with each suspect at first.

    Returns
    -------
    list of int
        Their ids, each once.
    """
    ordered = suspects(edges, threshold=-1.0)
    ids = ordered["subject_id"]
    weight = ordered["belief"].astype(float).groupby(ids).sum().round(9)
    most = weight.sort_values(ascending=False, kind="stable").index[:n]
    near = ordered[ids.isin(most)].groupby("subject_id").head(accusers)
    surest = near.groupby("subject_id")["observer_id"].agg(list)
    circles = [[subject, *surest[subject]] for subject in most]
    everybody = [ordered["subject_id"].tolist(), ordered["observer_id"].tolist()]
    people = dict.fromkeys(int(each) for circle in circles + everybody for each in circle)
    return list(people)[:n]


def eventful(events: pd.DataFrame, weights: dict[str, int], n: int) -> pd.DataFrame:
    """Keep the `n` events of most weight; among equals the later ones, in order of time."""
    weight = events["kind"].map(weights).fillna(0).to_numpy(dtype=np.int64)
    order = np.lexsort((-events["event_id"].to_numpy(dtype=np.int64), -weight))
    return events.iloc[np.sort(order[:n])]
