"""What a patron decides at Rotting Toes: which way to bet, and whether to cheat."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...compiled import rule
from ...games.rotting_toes import NOT, OUT, ROT, Toes
from ..columns import Row
from .general import NIGHTS_OF_FEAR, Minds, logistic

# What everybody thinks of the game before he has watched it: Beta(20.4, 29.6),
# about fifty rounds' worth of talk, with the mean of the honest game.
TALK_WINS, TALK_ROUNDS = 20.4, 50.0
MOST_PULL = 700.0
AFTER_A_FAILURE = 1.5


@rule
def hand_wins_prob(seen_wins: int, seen_rounds: int) -> float:
    """A patron's own estimate that a Hand wins, from the rounds he has followed.

    Examples
    --------
    >>> hand_wins_prob(0, 0)
    0.408
    """
    return (TALK_WINS + seen_wins) / (TALK_ROUNDS + seen_rounds)


@rule
def choose_side(
    rationality: float, thrill: float, win_prob: float, n_rot: int, n_not: int, u: float
) -> int:
    """OUT, ROT or NOT: a logit choice by expected gain in stakes.

    With ``p = win_prob`` and one's own bet counted among those placed so far,

        EV_not = p n_rot / (2 + n_not) - (1 - p)    (0 while nobody bets rot)
        EV_rot = (1 - p) (1 + n_not) / (n_rot + 1) - p
        EV_out = 0

    and each is chosen with a chance in proportion to
    ``exp(rationality (EV + thrill))``, the thrill only where there is a bet.

    Parameters
    ----------
    rationality : float
        Precision of the choice, per stake; at 0 the three are alike.
    thrill : float
        Utility of having a bet at all, in stakes.
    win_prob : float
        The bettor's own estimate that the Hand wins, 0 to 1.
    n_rot, n_not : int
        Bets so far beside the Hand's own.
    u : float
        A uniform number in [0, 1).
    """
    gain_not = 0.0
    if n_rot > 0:
        gain_not = win_prob * n_rot / (2.0 + n_not) - (1.0 - win_prob)
    gain_rot = (1.0 - win_prob) * (1.0 + n_not) / (n_rot + 1.0) - win_prob
    # Capped so that no power overflows; at 1e304 to 1 there is no doubt left anyway.
    weight_rot = math.exp(min(MOST_PULL, rationality * (gain_rot + thrill)))
    weight_not = math.exp(min(MOST_PULL, rationality * (gain_not + thrill)))
    at = u * (weight_rot + weight_not + 1.0)
    if at < weight_rot:
        return ROT
    return NOT if at < weight_rot + weight_not else OUT


@rule
def bets(patron: Row, win_prob: float, n_rot: int, n_not: int, minds: Minds, u: float) -> int:
    """A patron's bet: `choose_side` with his own rationality."""
    return choose_side(patron.rationality, minds.thrill, win_prob, n_rot, n_not, u)


@rule
def pressure(patron: Row, failed: int, stake: int, restraint: float, night: int) -> float:
    """What moves a cheat's chance of a try tonight, on the log-odds scale.

    Stakes that weigh in his purse and drink urge him on; the custom of the
    house (`restraint`), a failed check tonight and a punishment in the last
    30 nights hold him back.
    """
    m = 0.5 * min(4.0, 10.0 * stake / max(1, patron.gold))
    m += 0.2 * max(0, patron.drinks - 2) - restraint
    if failed == 1:
        m -= AFTER_A_FAILURE
    if night - patron.punished <= NIGHTS_OF_FEAR:
        m -= 1.0
    return m


@rule
def tries_to_cheat(
    patron: Row,
    toes: Toes,
    stake: int,
    restraint: float,
    night: int,
    minds: Minds,
    u: float,
) -> bool:
    """Try to turn a die after a throw without doubles, or leave it.

    An honest man never does. A cheat does with chance
    ``expit(logit(tau) + pressure)``; one whose propensity is pinned, with that.
    Asked only where there is something to gain: somebody has bet *rot*.
    """
    if patron.is_cheat == 0:
        return False
    if patron.propensity >= 0.0:
        return u < patron.propensity
    m = 0.0
    if minds.tau_moves == 1:
        m = pressure(patron, toes.failed, stake, restraint, night)
    return u < logistic(minds.tau_logit + m)


DECISIONS: dict[str, Callable[..., Any]] = {"bets": bets, "tries_to_cheat": tries_to_cheat}
