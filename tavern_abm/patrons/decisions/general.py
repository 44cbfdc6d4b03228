"""What a patron decides away from any one game.

Each decision is a plain function of the patron's row and one uniform number
`u`, draws nothing and changes nothing. A user may put his own in its place.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from ...compiled import rule
from ..columns import HOUSES, NOBODY, Row

NIGHTS_OF_FEAR = 30
ENTRY_MUGS = 2
STAKES = (100, 50, 20, 10, 5, 2, 1)


class Minds(NamedTuple):
    """How people think, as the kernels are handed it."""

    tau_logit: float  # log-odds that a cheat tries at a throw, all else neutral
    tau_moves: int  # 0: nothing moves that chance
    thrill: float  # utility of having a bet, in stakes
    ride_the_cheat: int  # 1: bettors reckon with a suspected Hand's chances
    go_out_prob: float
    drink_penalty: int  # what each mug above two takes off a check of skill or strength
    learning: int = 0  # 1: people learn to cheat, or not to, by what it brings them


@rule
def logistic(x: float) -> float:
    """The probability whose log-odds are `x`; no x overflows."""
    if x >= 0.0:
        return 1.0 / (1.0 + math.exp(-x))
    e = math.exp(x)
    return e / (1.0 + e)


def logit(p: float) -> float:
    """The log-odds of a probability; infinite at 0 and 1.

    Examples
    --------
    >>> round(logit(0.25), 6), logit(1.0)
    (-1.098612, inf)
    """
    if p in (0.0, 1.0):
        return math.copysign(math.inf, p - 0.5)
    return math.log(p / (1.0 - p))


@rule
def can_pay_entry(gold: int, fee: int, mug: int) -> bool:
    """Say whether a purse covers the fee at the door and two mugs."""
    return gold >= fee + ENTRY_MUGS * mug


@rule
def goes_out(patron: Row, minds: Minds, night: int, u: float) -> bool:
    """Go out tonight, or stay at home.

    With chance ``go_out_prob * min(1, purse / (5 wage))``: people with less
    than five days' wages think twice.
    """
    ease = 1.0
    if patron.wage > 0:
        ease = min(1.0, patron.gold / (5.0 * patron.wage))
    return u < minds.go_out_prob * ease


@rule
def tavern_appeal(
    patron: Row, loyalty: float, price: int, quality: float, distance: float, repute: float
) -> float:
    """How much a house draws a patron tonight, as a utility.

    Of his own house and another that came to his mind he goes to either with a
    chance in proportion to ``exp(tavern_appeal)``. A good house is dear as a rule:
    what it is worth is the same to all, but the price counts against the purse, so
    it draws those who can pay.

    Parameters
    ----------
    loyalty : float
        ``minds.loyalty`` for his home tavern, 0 for any other.
    price : int
        The fee at the door and two mugs, in cp.
    quality : float
        ``minds.quality_taste`` for each band that it is better than a decent house
        (band 3), and less for each that it is worse.
    distance : float
        ``minds.distance`` where it stands far from where he lives, else 0.
    repute : float
        Its name in the town (0 as any, below 0 ill) times ``minds.repute``.

    Examples
    --------
    A fine house, 44 cp an evening, beside a decent one, 10 cp: to a man with 30 gp and
    to one with 1 gp.

    >>> from tavern_abm.patrons.columns import blank_people
    >>> rich, poor = blank_people(2)
    >>> rich.gold, poor.gold = 3000, 100
    >>> for who in (rich, poor):
    ...     fine = tavern_appeal(who, 0.0, 44, 1.0, 0.0, 0.0)
    ...     print(f"{fine - tavern_appeal(who, 0.0, 10, 0.0, 0.0, 0.0):.2f}")
    0.89
    -2.40
    """
    return loyalty - 10.0 * price / max(1, patron.gold) + quality - distance + repute


@rule
def game_appeal(patron: Row, inclination: float, stake: int) -> float:
    """How much a room of a game draws a patron in this sitting, as a utility.

    He plays room k with a chance in proportion to ``exp(game_appeal)``: the more
    the better he likes the game and the more it suits him, the less the more of
    his purse one stake is.

    Parameters
    ----------
    inclination : float
        His taste for the game and what he is good for in it; see `traits.inclinations`.
    stake : int
        The room's stake in cp; 0 where the table will agree on one that suits it.
    """
    return inclination - 10.0 * stake / max(1, patron.gold)


@rule
def table_stake(median_purse: int) -> int:
    """The stake a table agrees on: a round sum of at most 2 % of its median purse.

    The largest of 1, 2, 5, 10, 20, 50 and 100 cp; 1 where none is.

    Examples
    --------
    >>> table_stake(1000), table_stake(2499), table_stake(10), table_stake(10**6)
    (20, 20, 1, 100)
    """
    for stake in STAKES:
        if stake * 50 <= median_purse:
            return stake
    return 1


@rule
def accuses(
    patron: Row,
    log_odds: float,
    night: int,
    accuse_prob: float,
    lost_face: float,
    u: float,
) -> bool:
    """Accuse the Hand one has just lost to, or hold one's peace.

    With chance `accuse_prob` if the log-odds of his being a cheat are above
    one's own threshold, which stands `lost_face` higher while a false
    accusation is remembered and 0.1 lower for each mug above two.
    """
    threshold = patron.threshold - 0.1 * max(0, patron.drinks - 2)
    if night <= patron.lost_face_until:
        threshold += lost_face
    return log_odds > threshold and u < accuse_prob


@rule
def may_enter(patron: Row, tavern: int, night: int) -> bool:
    """Say whether a patron is up and about, and not banned from there."""
    if patron.bruised_until >= night or patron.low_until >= night:
        return False
    is_banned = patron.banned_from == tavern and patron.banned_until >= night
    if patron.also_banned // HOUSES >= night and patron.also_banned % HOUSES == tavern:
        is_banned = True
    return tavern != NOBODY and not is_banned


DECISIONS: dict[str, Callable[..., Any]] = {
    "goes_out": goes_out,
    "tavern_appeal": tavern_appeal,
    "game_appeal": game_appeal,
    "table_stake": table_stake,
    "accuses": accuses,
}
