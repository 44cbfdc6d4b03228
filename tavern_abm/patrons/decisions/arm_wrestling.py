"""What people decide at arm wrestling: to take up a challenge, and whom to back."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...compiled import rule
from ...games.contests import NO_BET
from ..columns import Floats, People, Sheet
from .general import logistic
from .rotting_toes import MOST_PULL

# Log-odds of a win for each point by which one's check is better: the exact
# odds at Constitution 10 give 0.54 a point at +1 and 0.59 at +4.
FELT = 0.56
# The same for one who only sees them sit there: sleeves hide half of an arm.
SEEN = 0.35
PURSE_WEIGHT = 10.0
MEAN_STRENGTH, SD_STRENGTH = 10.5, 3.0


def talent(people: People, sheet: Sheet) -> Floats:
    """How good people are at it, in standard deviations: by their Strength."""
    return (sheet.strength.astype(np.float64) - MEAN_STRENGTH) / SD_STRENGTH


@rule
def nerve(extraversion: float, emotionality: float, wounds: int, hurts: int) -> float:
    """How bold somebody is, on the log-odds scale of `wrestles`; 0 for an ordinary man.

    Half a point for each standard deviation of extraversion, a quarter less for
    each wound; where bouts hurt, half a point less, and half a point more of
    that for each standard deviation of emotionality.

    Parameters
    ----------
    extraversion, emotionality : float
        Traits, as z-scores.
    wounds : int
        Points of damage that have not healed.
    hurts : int
        1 where the loser is hurt.

    Examples
    --------
    >>> nerve(1.0, 0.0, 0, 0), nerve(0.0, 1.0, 2, 1)
    (0.5, -1.5)
    """
    bold = 0.5 * extraversion - 0.25 * wounds
    return bold - 0.5 * (1.0 + emotionality) if hurts else bold


@rule
def wrestles(
    edge: int, stake: int, purse: int, rationality: float, thrill: float, boldness: float, u: float
) -> bool:
    """Take up a challenge, or let it pass: a logit choice by expected gain in stakes.

    With ``p = expit(0.56 edge)``, one's own chance of winning, it is taken with

        expit(rationality (2 p - 1 + thrill) + boldness - 10 stake / purse)

    and never by one whose purse does not cover the stake.

    Parameters
    ----------
    edge : int
        One's own modifier less the challenger's, as far as one knows.
    stake, purse : int
        In cp.
    rationality : float
        Precision of the choice, per stake; at 0 the chances do not count.
    thrill : float
        Utility of a bout in itself, in stakes.
    boldness : float
        On the log-odds scale; 0 for an ordinary man.
    u : float
        A uniform number in [0, 1).

    Examples
    --------
    A fair bout for a fiftieth of one's purse is taken by two in three.

    >>> [wrestles(0, 20, 1000, 4.0, 0.25, 0.0, u) for u in (0.6, 0.65, 0.7)]
    [True, True, False]
    """
    if stake > purse:
        return False
    gain = 2.0 * logistic(FELT * edge) - 1.0
    m = rationality * (gain + thrill) + boldness - PURSE_WEIGHT * stake / max(1, purse)
    return u < logistic(m)


@rule
def backs_wrestler(
    edge: int, n_first: int, n_second: int, rationality: float, thrill: float, u: float
) -> int:
    """Whom an onlooker backs: 0 the first, 1 the second, NO_BET neither.

    He sees how much stronger the first looks, ``p = expit(0.35 edge)``, and
    what lies in the book. He reckons that it will be one bet more on either
    side, his own among them:

        EV_first  = p (1 + n_second) / (1 + n_first) - (1 - p)
        EV_second = (1 - p) (1 + n_first) / (1 + n_second) - p
        EV_neither = 0

    and each is chosen with a chance in proportion to
    ``exp(rationality (EV + thrill))``, the thrill only where there is a bet;
    what one man sees and another does not is in that chance.

    Parameters
    ----------
    edge : int
        Modifier of the first less that of the second.
    n_first, n_second : int
        Bets on each so far, all alike.
    rationality : float
        Precision of the choice, per stake; at 0 the three are alike.
    thrill : float
        Utility of having a bet at all, in stakes.
    u : float
        A uniform number in [0, 1).

    Examples
    --------
    The stronger is the favourite, until the book on him is full.

    >>> backs_wrestler(3, 0, 0, 4.0, 0.25, u=0.5), backs_wrestler(3, 5, 0, 4.0, 0.25, u=0.5)
    (0, 1)
    """
    p = logistic(SEEN * edge)
    odds_first = (1.0 + n_second) / (1.0 + n_first)
    gain_first = p * odds_first - (1.0 - p)
    gain_second = (1.0 - p) / odds_first - p
    # Capped so that no power overflows; at 1e304 to 1 there is no doubt left anyway.
    weight_first = math.exp(min(MOST_PULL, rationality * (gain_first + thrill)))
    weight_second = math.exp(min(MOST_PULL, rationality * (gain_second + thrill)))
    at = u * (weight_first + weight_second + 1.0)
    if at < weight_first:
        return 0
    return 1 if at < weight_first + weight_second else NO_BET


DECISIONS: dict[str, Callable[..., Any]] = {
    "wrestles": wrestles,
    "backs_wrestler": backs_wrestler,
}
