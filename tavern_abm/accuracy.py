"""Belief against truth: how well suspicion tells cheats, and whether it means what it says.

Two questions, which have different answers. *Discrimination*: are cheats
believed more of than others? (`confusion`, `roc`, and `auc` of the measures.)
*Calibration*: of all beliefs at about b, does a share b turn out right?
(`reliability`, `calibration_error`, `calibration_line`.) `brier` mixes both.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from .measures import SUSPECTS, known_scores


class Confusion(NamedTuple):
    """Pairs by what is believed and what is true.

    Examples
    --------
    A town where 5 in 100 cheat and people see through 80 % of them, but take 5 %
    of the honest for cheats too: fewer than half of the suspicions are right.

    >>> town = Confusion(right=40, wrong=47.5, missed=10, unsuspected=902.5)
    >>> town.tpr, town.fpr, round(town.ppv, 3)
    (0.8, 0.05, 0.457)
    """

    right: float  # suspected, and a cheat
    wrong: float  # suspected, and none
    missed: float  # a cheat, and not suspected
    unsuspected: float  # neither

    @property
    def tpr(self) -> float:
        """True positive rate: the share of cheats who are suspected; nan without cheats."""
        return _share(self.right, self.right + self.missed)

    @property
    def fpr(self) -> float:
        """False positive rate: the share of the honest who are suspected."""
        return _share(self.wrong, self.wrong + self.unsuspected)

    @property
    def ppv(self) -> float:
        """Positive predictive value: the share of suspicions that are right."""
        return _share(self.right, self.right + self.wrong)


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole else float("nan")


def confusion(beliefs: ArrayLike, labels: ArrayLike, threshold: float = SUSPECTS) -> Confusion:
    """Count pairs by what is believed and what is true.

    Parameters
    ----------
    beliefs : array_like of float, shape (n,)
        From 0 to 1; above `threshold` is a suspicion. nan is left out.
    labels : array_like of bool, shape (n,)
        Whether each is about a cheat.

    Raises
    ------
    ValueError
        If the two differ in length.

    Examples
    --------
    >>> tuple(confusion([0.9, 0.6, 0.5, 0.1], [True, False, True, False]))
    (1, 1, 1, 1)
    """
    belief, label = known_scores(beliefs, labels)
    suspects = belief > threshold
    counts = [suspects & label, suspects & ~label, ~suspects & label, ~suspects & ~label]
    return Confusion(*(int(each.sum()) for each in counts))


def roc(
    scores: ArrayLike, labels: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """ROC curve: what share of the honest pays for each share of cheats found.

    One point for each score that occurs, from "suspect nobody" to "suspect
    everybody"; equal scores stand or fall together. The area under the broken
    line is `auc`.

    Parameters
    ----------
    scores : array_like of float, shape (n,)
        Scores; nan is left out.
    labels : array_like of bool, shape (n,)
        Whether each is marked.

    Returns
    -------
    fpr, tpr : ndarray of float, shape (k + 1,)
        Both from 0 to 1 and rising. Empty where a group is empty.
    thresholds : ndarray of float, shape (k + 1,)
        Scores from which on one is suspected; the first is infinite.

    Raises
    ------
    ValueError
        If the two differ in length.

    Examples
    --------
    >>> fpr, tpr, _ = roc([0.9, 0.4, 0.4, 0.1], [True, True, False, False])
    >>> fpr.tolist(), tpr.tolist()
    ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0])
    """
    score, label = known_scores(scores, labels)
    n_marked = int(label.sum())
    if n_marked in (0, label.size):
        return np.empty(0), np.empty(0), np.empty(0)
    order = np.argsort(-score, kind="stable")
    score, label = score[order], label[order]
    ends = np.append(np.flatnonzero(np.diff(score)), score.size - 1)
    found = np.cumsum(label)[ends]
    tpr = np.append(0.0, found / n_marked)
    fpr = np.append(0.0, (ends + 1 - found) / (label.size - n_marked))
    return fpr, tpr, np.append(np.inf, score[ends])


def brier(beliefs: ArrayLike, labels: ArrayLike) -> float:
    """Brier score: the mean squared distance of beliefs from the truth (0 or 1).

    0 for those who know; p (1 - p) if everybody believes the share p of cheats
    of everybody. nan for no pairs.

    References
    ----------
    .. [1] G. W. Brier, "Verification of forecasts expressed in terms of
       probability", Monthly Weather Review 78 (1950) 1-3. (Half of his, who adds
       up over both outcomes.)

    Examples
    --------
    >>> brier([1.0, 0.5], [True, False])
    0.125
    """
    belief, label = known_scores(beliefs, labels)
    return float(np.mean((belief - label) ** 2)) if label.size else float("nan")


def reliability(beliefs: ArrayLike, labels: ArrayLike, n_bins: int = 10) -> pd.DataFrame:
    """What became of beliefs of each strength: the share of cheats among those at about b.

    Parameters
    ----------
    beliefs : array_like of float, shape (n,)
        From 0 to 1; nan is left out.
    labels : array_like of bool, shape (n,)
        Whether each is about a cheat.
    n_bins : int, default 10
        Bins of equal width, each with its lower end; the last has 1 as well.

    Returns
    -------
    DataFrame
        One row for each bin that is not empty: ``low``, ``high``, ``pairs``,
        ``believed`` (the mean belief) and ``share`` (of cheats among them).

    Examples
    --------
    >>> reliability([0.05, 0.15, 0.17], [False, False, True])["share"].tolist()
    [0.0, 0.5]
    """
    belief, label = known_scores(beliefs, labels)
    place = np.minimum((belief * n_bins).astype(np.int64), n_bins - 1)
    pairs = np.bincount(place, minlength=n_bins)
    at = np.flatnonzero(pairs)
    return pd.DataFrame(
        {
            "low": at / n_bins,
            "high": (at + 1) / n_bins,
            "pairs": pairs[at],
            "believed": np.bincount(place, belief, n_bins)[at] / pairs[at],
            "share": np.bincount(place, label, n_bins)[at] / pairs[at],
        }
    )


def calibration_error(beliefs: ArrayLike, labels: ArrayLike, n_bins: int = 10) -> float:
    """Expected calibration error (ECE): by how much beliefs miss the share that is true.

    The mean over the bins of `reliability`, weighted by pairs, of how far the
    mean belief lies from the share of cheats. 0 is calibrated; nan for no pairs.

    Examples
    --------
    >>> round(calibration_error([0.1] * 10, [True] + [False] * 9), 12)
    0.0
    >>> round(calibration_error([0.3] * 10, [True] + [False] * 9), 12)
    0.2
    """
    table = reliability(beliefs, labels, n_bins)
    if table.empty:
        return float("nan")
    gap = (table["believed"] - table["share"]).abs()
    return float((gap * table["pairs"]).sum() / table["pairs"].sum())


class Line(NamedTuple):
    """Logistic regression of the truth on log-odds: ``logit(share) = intercept + slope L``."""

    intercept: float
    slope: float


def calibration_line(log_odds: ArrayLike, labels: ArrayLike) -> Line:
    """Fit what log-odds of belief stand for: intercept 0 and slope 1 if they are calibrated.

    A slope above 1 is timid (beliefs too near the prior), one below 1 rash; an
    intercept below 0 accuses too many.

    Parameters
    ----------
    log_odds : array_like of float, shape (n,)
        What is believed; nan is left out.
    labels : array_like of bool, shape (n,)
        Whether each is about a cheat.

    Returns
    -------
    Line
        The maximum of the likelihood, by Newton's method. Both nan where it has
        none: one group is empty, all beliefs are alike, or some threshold parts
        cheats and others without a fault.

    References
    ----------
    .. [1] D. R. Cox, "Two further applications of a model for binary
       regression", Biometrika 45 (1958) 562-565.

    Examples
    --------
    Of those believed at 1 to 3 a quarter cheat, of those at 3 to 1 three quarters.

    >>> even = np.log([1 / 3] * 4 + [3] * 4)
    >>> line = calibration_line(even, [1, 0, 0, 0, 1, 1, 1, 0])
    >>> abs(round(line.intercept, 9)), round(line.slope, 9)
    (0.0, 1.0)
    """
    x, label = known_scores(log_odds, labels)
    if not _has_a_fit(x, label):
        return Line(float("nan"), float("nan"))
    middle, spread = float(x.mean()), float(x.std())
    design = np.column_stack([np.ones(x.size), (x - middle) / spread])
    share = float(label.mean())
    at = np.array([math.log(share / (1 - share)), 0.0])
    for _ in range(MOST_NEWTON_STEPS):
        step = _newton_step(design, label, at)
        at = at + step
        if np.abs(step).max() < 1e-12:
            break
    slope = float(at[1]) / spread
    return Line(float(at[0]) - slope * middle, slope)


MOST_NEWTON_STEPS = 60


def _newton_step(design: Any, label: Any, at: Any) -> NDArray[np.float64]:
    """A step uphill; halved as often as it would lead down."""
    chance = 1 / (1 + np.exp(-design @ at))
    uphill = design.T @ (label - chance)
    bend = (design * (chance * (1 - chance))[:, None]).T @ design
    step = np.linalg.solve(bend, uphill)
    before = _log_likelihood(design, label, at)
    while _log_likelihood(design, label, at + step) < before and np.abs(step).max() > 1e-9:
        step = step / 2
    return np.asarray(step)


def _log_likelihood(design: Any, label: Any, at: Any) -> float:
    odds = design @ at
    return float(label @ odds - np.logaddexp(0.0, odds).sum())


def _has_a_fit(x: NDArray[np.float64], label: NDArray[np.bool_]) -> bool:
    """Whether cheats and others overlap in what is believed of them, on both sides."""
    if not label.any() or label.all():
        return False
    marked, others = x[label], x[~label]
    return bool(marked.min() < others.max() and others.min() < marked.max())


def auc_by(groups: ArrayLike, scores: ArrayLike, labels: ArrayLike) -> pd.Series[float]:
    """`auc` within each group, such as the beliefs of each observer.

    Parameters
    ----------
    groups : array_like of int, shape (n,)
        Whose score it is.
    scores, labels
        As in `auc`.

    Returns
    -------
    Series of float
        By group, in order; those with scores of both kinds alone, since the
        others can rank nothing.

    Examples
    --------
    >>> auc_by([7, 7, 8, 8, 9], [0.9, 0.1, 0.2, 0.2, 1], [True, False, True, False, True])
    group
    7    1.0
    8    0.5
    dtype: float64
    """
    table = pd.DataFrame(
        {
            "group": np.asarray(groups).ravel(),
            "score": np.asarray(scores, dtype=np.float64).ravel(),
            "marked": np.asarray(labels, dtype=bool).ravel(),
        }
    ).dropna()
    rank = table.groupby("group")["score"].rank()
    by = table.assign(above=rank.where(table["marked"], 0.0)).groupby("group")
    n_marked = by["marked"].sum()
    n_others = by["marked"].size() - n_marked
    area = (by["above"].sum() - n_marked * (n_marked + 1) / 2) / (n_marked * n_others)
    return area[(n_marked > 0) & (n_others > 0)].astype(float).rename(None)
