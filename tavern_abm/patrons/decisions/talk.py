"""What a patron decides when people talk: what to tell, what to believe, whether to lie."""

from __future__ import annotations

import math
from collections.abc import Callable

from ...compiled import rule
from ..columns import Row

CLAIMS = (
    "cheats",
    "thrown_out",
    "banned",
    "beaten",
    "killed",
    "too_lucky",
    "won",
    "broke",
    "brawl",
    "ran",
    "run_down",
    "owes",
    "bribed",
)
"""What a rumour can claim about somebody."""
(
    CHEATS,
    THROWN_OUT,
    BANNED_HIM,
    BEATEN_UP,
    KILLED_HIM,
    TOO_LUCKY_FOR_THEM,
    WON,
    WENT_BROKE,
    CAME_TO_BLOWS,
    GOT_AWAY,
    RUN_DOWN,
    OWES,
    BRIBED_HIM,
) = range(len(CLAIMS))
INTEREST = (1.2, 0.7, 0.8, 1.2, 2.0, 1.0, 0.5, 0.3, 1.0, 1.4, 1.2, 0.6, 1.1)
"""How much more than the average claim each is worth telling; their mean is 1."""
IS_SHAMEFUL = (1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1)
"""1: nobody tells it of himself."""


@rule
def tells(teller: Row, claim: int, is_own: bool, tell_prob: float, u: float) -> bool:
    """Tell a rumour to the one he is talking to, or let it be.

    With chance ``min(1, tell_prob * INTEREST[claim])``; never what shames himself.

    Parameters
    ----------
    claim : int
        Index into `CLAIMS`.
    is_own : bool
        The rumour is about the teller himself.
    tell_prob : float
        ``talk.tell_prob``: the chance for a claim of average interest.

    Examples
    --------
    A killing is told whenever tell_prob is a half; one's own debts never are.

    >>> tells(None, KILLED_HIM, False, 0.5, 0.999), tells(None, OWES, True, 1.0, 0.0)
    (True, False)
    """
    if is_own and IS_SHAMEFUL[claim] == 1:
        return False
    return u < tell_prob * INTEREST[claim]


@rule
def believes(
    listener: Row, distrust: float, prior_distrust: float, believe_prob: float, u: float
) -> bool:
    """Believe what one is told, or not: by how far one trusts the teller.

    With chance ``min(1, believe_prob * (1 - b) / (1 - b0))``, where b is what the
    listener believes about the teller, and b0 about a stranger.

    Parameters
    ----------
    distrust, prior_distrust : float
        b and b0: the probability that the teller, or a stranger, is a cheat.
    believe_prob : float
        ``talk.believe_prob``: the chance where the teller is trusted as a stranger is.

    Examples
    --------
    >>> believes(None, 0.1, 0.1, 0.7, 0.69), believes(None, 0.55, 0.1, 0.7, 0.36)
    (True, False)
    """
    return u * (1.0 - prior_distrust) < believe_prob * (1.0 - distrust)


@rule
def lies(liar: Row, honesty: float, slope: float, lie_prob: float, u: float) -> bool:
    """Invent a story tonight about the one he bears a grudge against, or not.

    With the chance whose odds are ``lie_prob / (1 - lie_prob) * exp(slope * H)``,
    H his honesty-humility: the less honest, the likelier, by the odds ratio that
    cheating has (Heck, Thielmann, Moshagen and Hilbig 2018). That slander has the
    same is a guess of ours.

    Parameters
    ----------
    honesty : float
        H, a z-score.
    slope : float
        Log of ``population.honesty_odds_ratio``.
    lie_prob : float
        ``talk.lie_prob``: the chance for one of average honesty.

    Examples
    --------
    Of average honesty, one standard deviation above it, and where nobody lies:

    >>> slope = math.log(0.53)
    >>> lies(None, 0.0, slope, 0.05, 0.04), lies(None, 1.0, slope, 0.05, 0.04)
    (True, False)
    >>> lies(None, -9.0, slope, 0.0, 0.0)
    False
    """
    weight = lie_prob * math.exp(slope * honesty)
    return u * (1.0 - lie_prob + weight) < weight


DECISIONS: dict[str, Callable[..., bool]] = {
    "tells": tells,
    "believes": believes,
    "lies": lies,
}
