"""Walks with an end: ruin, sequential tests, streaks, and bets made in turn."""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction
from typing import NamedTuple


class Ruin(NamedTuple):
    """How a gambler fares who stakes one coin at a time."""

    prob: float  # of losing everything
    mean_bets: float


def gamblers_ruin(win_prob: float, start: int, target: int) -> Ruin:
    """The chance of ruin and the mean number of bets, by solving the walk's equations.

    Parameters
    ----------
    win_prob : float
        Chance to win a bet, between 0 and 1.
    start, target : int
        Coins at first, and coins with which he stops.

    Notes
    -----
    For a place i between 0 and the target, ``x[i] = p x[i+1] + q x[i-1] + c``, with
    c = 0 for the chance and c = 1 for the bets; solved by elimination from below.

    Examples
    --------
    >>> ruin = gamblers_ruin(0.49, 10, 20)
    >>> round(ruin.prob, 6), round(ruin.mean_bets, 4)
    (0.5987, 98.7005)
    """
    p, q = win_prob, 1.0 - win_prob
    prob = _solved(p, q, 0.0, 1.0, target)[start]
    return Ruin(prob, _solved(p, q, 1.0, 0.0, target)[start])


def _solved(p: float, q: float, each: float, at_zero: float, target: int) -> list[float]:
    """``x[i] = p x[i+1] + q x[i-1] + each`` with x[0] = `at_zero` and x[target] = 0."""
    # From below: x[i] = slope[i] x[i+1] + rest[i].
    slope, rest = [0.0], [at_zero]
    for i in range(1, target):
        share = 1.0 - q * slope[i - 1]
        slope.append(p / share)
        rest.append((q * rest[i - 1] + each) / share)
    x = [0.0] * (target + 1)
    for i in range(target - 1, -1, -1):
        x[i] = slope[i] * x[i + 1] + rest[i]
    return x


class Sequential(NamedTuple):
    """How a sequential test of two simple hypotheses goes under one of them."""

    mean_rounds: float
    accepts: float  # chance that it ends above, for the second hypothesis


def sequential_test(
    p_true: float, p_honest: float, p_cheat: float, alpha: float, beta: float
) -> Sequential:
    """Wald's sequential probability ratio test of wins, with its overshoot.

    It sums ``ln(p_cheat / p_honest)`` for a win and
    ``ln((1 - p_cheat) / (1 - p_honest))`` for anything else, and stops outside
    ``ln(beta / (1 - alpha))`` to ``ln((1 - beta) / alpha)``. The sum only depends on
    how many rounds were won of how many, so the chances of these are followed
    until fewer than 1e-15 walks are still under way.

    Examples
    --------
    >>> p0, p1 = 397 / 972, 925 / 1296
    >>> test = sequential_test(p0, p0, p1, 0.05, 0.05)
    >>> round(test.mean_rounds, 4), round(test.accepts, 5)
    (14.9442, 0.03941)
    """
    won, lost = math.log(p_cheat / p_honest), math.log((1 - p_cheat) / (1 - p_honest))
    low, high = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    on = {0: 1.0}
    rounds, mean, accepts = 0, 0.0, 0.0
    while sum(on.values()) > 1e-15:
        mean += sum(on.values())
        rounds += 1
        after: defaultdict[int, float] = defaultdict(float)
        for wins, chance in on.items():
            after[wins + 1] += chance * p_true
            after[wins] += chance * (1 - p_true)
        on = {}
        for wins, chance in after.items():
            total = wins * won + (rounds - wins) * lost
            if total >= high:
                accepts += chance
            elif total > low:
                on[wins] = chance
    return Sequential(mean, accepts)


def too_lucky_per_turn(win_prob: Fraction, lucky_wins: int) -> Fraction:
    """Beatings a turn where the `lucky_wins`-th win in a row brings one and starts anew.

    The streak is a Markov chain on 0 to ``lucky_wins - 1``; its stationary law is
    ``pi[k] = pi[0] p^k``, and a beating follows from the longest streak by a win.

    Examples
    --------
    >>> round(float(too_lucky_per_turn(Fraction(397, 972), 4)), 7)
    0.0169339
    """
    weights = [win_prob**k for k in range(lucky_wins)]
    return weights[-1] * win_prob / sum(weights, Fraction(0))


def nearer_to_a_beating(win_prob: Fraction, lucky_wins: int) -> list[Fraction]:
    """How many more beatings somebody has before him than one without a streak, by streak.

    Beatings so far, and this for the streak at which somebody stops, come on
    average to `too_lucky_per_turn` a turn, whenever he stops.

    Examples
    --------
    >>> [str(more) for more in nearer_to_a_beating(Fraction(1, 2), 2)]
    ['0', '1/3']
    """
    rate = too_lucky_per_turn(win_prob, lucky_wins)
    more = [win_prob - rate]
    for _ in range(lucky_wins - 1):
        more.append(win_prob * more[-1] - rate)
    return more[::-1]


def too_lucky_of_evening(win_prob: Fraction, lucky_wins: int, turns: int) -> Fraction:
    """Beatings an evening of so many turns, each evening begun without a streak.

    Examples
    --------
    >>> str(too_lucky_of_evening(Fraction(1, 2), 2, 2))
    '1/4'
    """
    streaks = {0: Fraction(1)}
    beatings = Fraction(0)
    for _ in range(turns):
        after: defaultdict[int, Fraction] = defaultdict(Fraction)
        for streak, chance in streaks.items():
            after[0] += chance * (1 - win_prob)
            if streak + 1 == lucky_wins:
                beatings += chance * win_prob
                after[0] += chance * win_prob
            else:
                after[streak + 1] += chance * win_prob
        streaks = dict(after)
    return beatings


def mean_bets_on_not(n_bettors: int, rationality: float, win_prob: float) -> float:
    """Bets on *not* when so many bet in turn, each on *rot* or *not*, by a logit choice.

    Each counts his own bet among those before him. In stakes, *not* is worth
    ``p n_rot / (2 + n_not) - (1 - p)``, or nothing while nobody has bet *rot*;
    *rot* is worth ``(1 - p) (1 + n_not) / (n_rot + 1) - p``.

    Examples
    --------
    >>> round(mean_bets_on_not(19, 4.0, 397 / 972), 4)
    7.452
    """
    bets = {0: 1.0}  # how many of the bets so far are on not -> chance
    for n in range(n_bettors):
        after: defaultdict[int, float] = defaultdict(float)
        for n_not, chance in bets.items():
            edge = _worth_of_not(n - n_not, n_not, win_prob) - _worth_of_rot(
                n - n_not, n_not, win_prob
            )
            p = 1.0 / (1.0 + math.exp(-rationality * edge))
            after[n_not + 1] += chance * p
            after[n_not] += chance * (1.0 - p)
        bets = dict(after)
    return sum(n_not * chance for n_not, chance in bets.items())


def best_replies(n_bettors: int, win_prob: Fraction) -> tuple[int, int]:
    """Bets on *not* and on *rot* when each in turn takes what is worth more to him.

    Examples
    --------
    >>> [best_replies(n, Fraction(397, 972)) for n in (5, 19, 99)]
    [(1, 4), (7, 12), (40, 59)]
    """
    n_not = n_rot = 0
    for _ in range(n_bettors):
        if _worth_of_not(n_rot, n_not, win_prob) > _worth_of_rot(n_rot, n_not, win_prob):
            n_not += 1
        else:
            n_rot += 1
    return n_not, n_rot


def _worth_of_not[T: (float, Fraction)](n_rot: int, n_not: int, p: T) -> T:
    return p * n_rot / (2 + n_not) - (1 - p) if n_rot else 0 * p


def _worth_of_rot[T: (float, Fraction)](n_rot: int, n_not: int, p: T) -> T:
    return (1 - p) * (1 + n_not) / (n_rot + 1) - p
