"""Measures that need nothing but numbers: inequality, ranking, waiting, reputation.

A night asks for some of them, so they stand on the ground floor.
"""

from __future__ import annotations

import math

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


def theil(values: ArrayLike) -> float:
    """Theil index T of sums of money: 0 all alike, ln n one has everything.

    The mean of (x/m) ln(x/m), m the mean; somebody with nothing adds 0 to it.

    Parameters
    ----------
    values : array_like of number, shape (n,)
        What each person has, each >= 0.

    Returns
    -------
    float
        In 0 to ln n. 0 if nobody has anything; nan for no people.

    Raises
    ------
    ValueError
        If a value is negative.

    Notes
    -----
    Sums of an exponential law come to 1 - 0.57722 = 0.42278 (Euler's constant), lognormal ones to
    sigma**2 / 2.

    References
    ----------
    .. [1] H. Theil, "Economics and Information Theory", North-Holland 1967, ch. 4.

    Examples
    --------
    >>> theil([5, 5, 5]), round(theil([0, 0, 0, 8]) / math.log(4), 9)
    (0.0, 1.0)
    """
    wealth = _sums_of("theil", values)
    if wealth.size == 0:
        return float("nan")
    parts = wealth[wealth > 0] / max(float(wealth.mean()), 1e-300)
    return max(0.0, float((parts * np.log(parts)).sum()) / wealth.size)


def hoover(values: ArrayLike) -> float:
    """Hoover index: the share of all money that would have to change hands to make all alike.

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
        If a value is negative.

    Examples
    --------
    >>> hoover([5, 5, 5]), hoover([0, 0, 0, 8]), hoover([1, 3])
    (0.0, 0.75, 0.25)
    """
    wealth = _sums_of("hoover", values)
    if wealth.size == 0:
        return float("nan")
    total = float(wealth.sum())
    return float(np.abs(wealth - wealth.mean()).sum()) / (2 * total) if total else 0.0


def top_share(values: ArrayLike, share: float) -> float:
    """What share of all money the richest `share` of people have.

    Where that is not a whole number of people, the last of them counts in part, so
    it is 1 less the Lorenz curve at 1 - `share`.

    Parameters
    ----------
    values : array_like of number, shape (n,)
        What each person has, each >= 0.
    share : float
        Of the people, 0 to 1.

    Returns
    -------
    float
        In `share` to 1; `share` if nobody has anything; nan for no people.

    Raises
    ------
    ValueError
        If a value is negative, or `share` outside 0 to 1.

    Examples
    --------
    The richest of four, and the richest and half of the next one.

    >>> round(top_share([1, 2, 3, 4], 0.25), 9), round(top_share([1, 2, 3, 4], 0.375), 9)
    (0.4, 0.55)
    """
    if not 0 <= share <= 1:
        raise ValueError(f"top_share of a share of {share!r} of the people; it must be 0 to 1")
    wealth = _sums_of("top_share", values)
    if wealth.size == 0:
        return float("nan")
    people, money = lorenz(wealth)
    return 1.0 - float(np.interp(1.0 - share, people, money))


def spearman(first: ArrayLike, second: ArrayLike) -> float:
    """Rank correlation of two columns: 1 the same order, -1 the reverse, 0 none.

    Pearson's correlation of the ranks; equal values share the mean of theirs.

    Parameters
    ----------
    first, second : array_like of number, shape (n,)
        Two figures for each, without nan.

    Returns
    -------
    float
        In -1 to 1; nan for fewer than two, or where one of the two columns is constant.

    Raises
    ------
    ValueError
        If the two differ in length.

    Examples
    --------
    >>> round(spearman([1, 2, 3], [10, 20, 20]), 9) == round(math.sqrt(3 / 4), 9)
    True
    """
    a, b = (np.asarray(each, dtype=np.float64).ravel() for each in (first, second))
    if a.size != b.size:
        raise ValueError(f"{a.size} values beside {b.size}; give two for each")
    if a.size < 2:
        return float("nan")
    x, y = (_mid_ranks(each) - (each.size + 1) / 2 for each in (a, b))
    spread = math.sqrt(float(x @ x) * float(y @ y))
    return float(x @ y) / spread if spread else float("nan")


def groups_by_rank(values: ArrayLike, n_groups: int = 5) -> NDArray[np.int64]:
    """Into which of equal groups each value falls, 0 the lowest (0 to 4: quintiles).

    By rank; equal values share the mean of theirs, and so a group.

    Examples
    --------
    >>> groups_by_rank([30, 10, 10, 50, 40]).tolist()
    [2, 1, 1, 4, 3]
    """
    value = np.asarray(values, dtype=np.float64).ravel()
    if value.size == 0:
        return np.zeros(0, np.int64)
    doubled = np.rint(2 * _mid_ranks(value)).astype(np.int64) - 1
    return doubled * n_groups // (2 * value.size)


def mobility(before: ArrayLike, after: ArrayLike, n_groups: int = 5) -> NDArray[np.float64]:
    """Of those in each group by rank before, the share in each group after.

    Parameters
    ----------
    before, after : array_like of number, shape (n,)
        What each person had, and has.
    n_groups : int, default 5
        Equal groups, from the poorest up; see `groups_by_rank`.

    Returns
    -------
    ndarray of float, shape (n_groups, n_groups)
        Row: before; column: after. Rows add up to 1; a row of nobody is nan.

    Examples
    --------
    >>> mobility([1, 2, 3, 4], [1, 2, 4, 3], n_groups=2).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    counts = np.zeros((n_groups, n_groups))
    np.add.at(counts, (groups_by_rank(before, n_groups), groups_by_rank(after, n_groups)), 1)
    people = counts.sum(axis=1, keepdims=True)
    return np.divide(counts, people, out=np.full_like(counts, np.nan), where=people > 0)


def shorrocks(moves: ArrayLike) -> float:
    """Shorrocks' index of a table of `mobility`: (k - trace) / (k - 1).

    0 if nobody leaves his group; 1 if where one was says nothing about where one
    is; up to k / (k - 1) if nobody stays.

    Parameters
    ----------
    moves : array_like of float, shape (k, k)
        Rows add up to 1.

    Returns
    -------
    float
        nan where a row is nan.

    References
    ----------
    .. [1] A. F. Shorrocks, "The measurement of mobility", Econometrica 46 (1978) 1013-1024.

    Examples
    --------
    >>> shorrocks([[1, 0], [0, 1]]), shorrocks([[0.5, 0.5], [0.5, 0.5]])
    (0.0, 1.0)
    """
    table = np.asarray(moves, dtype=np.float64)
    n_groups = len(table)
    return (n_groups - float(np.trace(table))) / (n_groups - 1)


def _sums_of(measure: str, values: ArrayLike) -> NDArray[np.float64]:
    """Sums of money as floats, none of them below 0."""
    wealth = np.asarray(values, dtype=np.float64).ravel()
    if wealth.size and float(wealth.min()) < 0:
        raise ValueError(f"{measure} of a negative sum: {wealth.min():g}; every value must be >= 0")
    return wealth


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
