"""Judging and sentencing: what a table decides and what the custom of the house does."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compiled import rule
from ..patrons.columns import DEAD, HOUSES, NOBODY, Row

NONE, WARNED, OUT, BANNED, BEATEN, KILLED = range(6)
"""Sentences, from mildest to harshest. OUT: thrown out for tonight."""
MIN_JUDGES = 2
NIGHTS_HURT_FACES = 6


class Justice(NamedTuple):
    """How accusations and sentences go, as the kernels are handed it. Customs are the houses'."""

    accusations: int  # 0: nobody accuses
    accuse_prob: float
    lost_face: float
    lost_face_nights: int
    brawl_prob: float
    grudge_nights: int  # 0: nobody bears a grudge
    runs: int  # 1: the condemned may run
    lie_low_nights: int
    bribe_prob: float
    take_prob: float
    bribe_days: float  # what a bribe comes to, in days' wages


def cumulative(chances: tuple[float, ...]) -> NDArray[np.float64]:
    """The custom's chances of WARNED to KILLED, added up; the last is exactly 1."""
    total = np.cumsum(np.array(chances, np.float64))
    last = int(np.flatnonzero(np.array(chances) > 0)[-1])
    total[last:] = 1.0
    return total


@rule
def sentence_of(custom: Any, u: float) -> int:
    """The sentence that the custom's chances (`cumulative`) give for a uniform number."""
    what = WARNED
    for i in range(len(custom)):
        if u >= custom[i]:
            what = WARNED + i + 1
    return what


@rule
def is_guilty(n_guilty: int, n_judges: int) -> bool:
    """More than half of the judges; a tie acquits."""
    return 2 * n_guilty > n_judges


@rule
def hurt(patron: Row, nights: int, night: int) -> None:
    """Nights at home from tomorrow on; a longer rest already due is not cut short."""
    patron.bruised_until = max(patron.bruised_until, night + nights)


@rule
def resent(patron: Row, whom: int, night: int, justice: Justice) -> None:
    """Bear a grudge against whoever stands in row `whom`; it takes the place of an older one."""
    if justice.grudge_nights > 0:
        patron.grudge = whom
        patron.grudge_night = night


@rule
def ban(patron: Row, tavern: int, until: int, night: int) -> None:
    """Bar a patron from a house; a ban that holds elsewhere goes on.

    Two bans are remembered: of three, the latest and the longer of the others.
    """
    if patron.banned_from != tavern and patron.banned_until >= night:
        earlier = patron.banned_until * HOUSES + patron.banned_from
        if patron.also_banned % HOUSES == tavern or earlier > patron.also_banned:
            patron.also_banned = earlier
    patron.banned_from = tavern
    patron.banned_until = until


@rule
def carry_out(patron: Row, what: int, tavern: int, nights: int, night: int) -> None:
    """Do to a patron what he is sentenced to.

    Everyone but the warned leaves the house for tonight. A dead man's purse is
    the caller's to settle.

    Parameters
    ----------
    what : int
        NONE to KILLED.
    tavern : int
        Index of the house that sentences him.
    nights : int
        Of the ban, or at home.
    """
    if what <= WARNED:
        return
    patron.tavern = NOBODY
    patron.punished = night
    if what == BANNED:
        ban(patron, tavern, night + nights, night)
    elif what == BEATEN:
        hurt(patron, nights, night)
        patron.beaten += 1
    elif what == KILLED:
        patron.whereabouts = DEAD
        patron.gone = night


@rule
def get_away(patron: Row, tavern: int, ban_nights: int, night: int, justice: Justice) -> int:
    """Have run from a sentence, and for good: barred from the house, one lies low at home.

    Returns
    -------
    int
        Nights of the ban: the custom's, and no fewer than he lies low.
    """
    nights = max(ban_nights, justice.lie_low_nights)
    carry_out(patron, BANNED, tavern, nights, night)
    patron.low_until = night + justice.lie_low_nights
    patron.escaped += 1
    return nights
