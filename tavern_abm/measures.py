"""Measures that need nothing but numbers: inequality, ranking, waiting, reputation.

A night asks for some of them, so they stand on the ground floor.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

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
    score, label = known_scores(scores, labels)
    n_marked = int(label.sum())
    n_other = label.size - n_marked
    if n_marked == 0 or n_other == 0:
        return float("nan")
    above = float(_mid_ranks(score)[label].sum()) - n_marked * (n_marked + 1) / 2
    return above / (n_marked * n_other)


def known_scores(
    scores: ArrayLike, labels: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The scores that are numbers, and their labels.

    Raises
    ------
    ValueError
        If the two differ in length.
    """
    score = np.asarray(scores, dtype=np.float64).ravel()
    label = np.asarray(labels, dtype=bool).ravel()
    if score.size != label.size:
        raise ValueError(f"{score.size} scores but {label.size} labels; give one for each")
    known = ~np.isnan(score)
    return score[known], label[known]


def _mid_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks from 1 up; equal values share the mean of their ranks."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: NDArray[np.float64] = (last - (counts - 1) / 2)[place]
    return ranks


def restricted_mean(times: ArrayLike, is_over: ArrayLike, horizon: float) -> float:
    """Mean time until something happens, of the first `horizon`, when some still wait.

    The area under the Kaplan-Meier curve up to `horizon`: somebody to whom it has
    not happened when the record ends counts for as long as he was watched.
    A plain mean over those to whom it has happened would be too short, the more
    so the fewer they are.

    Parameters
    ----------
    times : array_like of float, shape (n,)
        Until it happened or the record ended, each >= 0.
    is_over : array_like of bool, shape (n,)
        Whether it happened.
    horizon : float
        Above 0. Whoever waits longer counts with this.

    Returns
    -------
    float
        In 0 to `horizon`; nan where nobody is left to be watched before `horizon`.

    References
    ----------
    .. [1] P. Royston and M. K. B. Parmar, "Restricted mean survival time",
       BMC Medical Research Methodology 13 (2013) 152.

    Examples
    --------
    Two found out after 2 and 4 nights, one of whom nobody knows after 10.

    >>> round(restricted_mean([2, 4, 10], [True, True, False], horizon=10), 9)
    5.333333333
    """
    time = np.asarray(times, dtype=np.float64).ravel()
    over = np.asarray(is_over, dtype=bool).ravel()
    waits, area, last = 1.0, 0.0, 0.0
    for at in np.unique(time[over & (time < horizon)]).tolist():
        area += waits * (at - last)
        waits *= 1 - float((over & (time == at)).sum()) / float((time >= at).sum())
        last = at
    is_watched = waits == 0 or bool((time >= horizon).any())
    return area + waits * (horizon - last) if is_watched else float("nan")


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
