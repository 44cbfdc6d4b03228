"""What a patron decides at Rotting Toes: which way to bet, and whether to cheat.

How he bets, he does in a mood, which is how he came to the table; see `mood_of`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...compiled import rule
from ...games.rotting_toes import NOT, OUT, ROT, Toes
from ..columns import Row
from .general import NIGHTS_OF_FEAR, Minds, logistic
from .learning import chooses

# What everybody thinks of the game before he has watched it: Beta(20.4, 29.6),
# about fifty rounds' worth of talk, with the mean of the honest game.
TALK_WINS, TALK_ROUNDS = 20.4, 50.0
MOST_PULL = 700.0
MOST_SWAY = 50.0
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
def mood_of(patron: Row) -> float:
    """What having a bet is worth to a patron as he sits down, in stakes.

    His `thrill`; his `chasing` on top once he has lost a tenth or more, at the
    games tonight, of what he would have without.
    """
    if patron.chasing == 0.0:
        return patron.thrill
    lost = patron.net_before - patron.games_net
    if lost > 0 and 10 * lost >= patron.gold + lost:
        return patron.thrill + patron.chasing
    return patron.thrill


@rule
def swayed(win_prob: float, sway: float, streak: int) -> float:
    """An estimate that the Hand wins, moved by his wins in a row: `sway` log-odds for each.

    Above 0 he is taken to have a hot hand, below 0 his luck to be due to turn;
    the dice know nothing of either.

    Examples
    --------
    >>> round(swayed(0.408, 0.4, 2), 4), swayed(0.408, 0.4, 0)
    (0.6053, 0.408)
    """
    if sway == 0.0 or streak == 0:
        return win_prob
    shift = min(MOST_SWAY, max(-MOST_SWAY, sway * streak))
    return win_prob / (win_prob + (1.0 - win_prob) * math.exp(-shift))


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
def bets(
    patron: Row, win_prob: float, n_rot: int, n_not: int, mood: float, minds: Minds, u: float
) -> int:
    """A patron's bet: `choose_side` with his own rationality, and his mood for a thrill."""
    return choose_side(patron.rationality, mood, win_prob, n_rot, n_not, u)


@rule
def pressure(patron: Row, failed: int, stake: int, restraint: float, night: int) -> float:
    """What moves a cheat's chance of a try tonight, on the log-odds scale.

    Stakes that weigh in his purse, drink and being that kind of gambler urge him
    on; the custom of the house (`restraint`), a failed check tonight and a
    punishment in the last 30 nights hold him back.
    """
    m = patron.cheating + 0.5 * min(4.0, 10.0 * stake / max(1, patron.gold))
    m += 0.2 * max(0, patron.drinks - 2) - restraint
    if failed == 1:
        m -= AFTER_A_FAILURE
    if night - patron.punished <= NIGHTS_OF_FEAR:
        m -= 1.0
    return m


@rule
def is_tempted(
    patron: Row, failed: int, stake: int, restraint: float, night: int, minds: Minds, u: float
) -> bool:
    """Give in to the temptation to cheat, or not: what all tricks have in common.

    An honest man never does. A cheat does with chance
    ``expit(logit(tau) + pressure)``; one whose propensity is pinned, with that.
    """
    if patron.is_cheat == 0:
        return False
    if patron.propensity >= 0.0:
        return u < patron.propensity
    m = 0.0
    if minds.tau_moves == 1:
        m = pressure(patron, failed, stake, restraint, night)
    return u < logistic(minds.tau_logit + m)


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

    One who learns does at each of them if he has chosen to cheat in this turn;
    else `is_tempted` says. Asked only where there is something to gain: somebody
    has bet *rot*.
    """
    if minds.learning == 1:
        return patron.is_tricking == 1
    return is_tempted(patron, toes.failed, stake, restraint, night, minds, u)


@rule
def throws_own_dice(
    patron: Row, failed: int, stake: int, restraint: float, night: int, minds: Minds, u: float
) -> bool:
    """Throw one's weighted dice in this turn, or the house's: asked of who has some.

    Decided as a try at a trick is, once before the first throw.
    """
    if minds.learning == 1:
        return patron.is_tricking == 1
    return is_tempted(patron, failed, stake, restraint, night, minds, u)


@rule
def chooses_to_cheat(patron: Row, minds: Minds, u: float) -> bool:
    """Choose to cheat in this turn, as far as it has paid: asked where people learn."""
    return chooses(patron.q_cheat, patron.q_honest, u)


DECISIONS: dict[str, Callable[..., Any]] = {
    "bets": bets,
    "tries_to_cheat": tries_to_cheat,
    "throws_own_dice": throws_own_dice,
    "chooses_to_cheat": chooses_to_cheat,
}
