"""Learning what pays: Roth and Erev's reinforcement, for cheating against honest play.

A patron keeps two propensities, one to cheat in his turn as the Hand and one to
play it honestly, and chooses in proportion to them. What the turn has brought
him, as against what he has come to expect, strengthens or weakens them.

References
----------
.. [1] A. E. Roth and I. Erev (1995), "Learning in extensive-form games",
   Games and Economic Behavior 8:164-212.
.. [2] I. Erev and A. E. Roth (1998), "Predicting how people play games",
   American Economic Review 88:848-881.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...compiled import rule
from ..columns import People, Row

if TYPE_CHECKING:
    from ...scenario.schema import Minds as MindsPart

STRENGTH = 10.0
"""What the two propensities add up to at first, in stakes."""
KEPT = 0.98
"""Of a propensity, from turn to turn; the rest is forgotten."""
SPILL = 0.05
"""Of a reinforcement, that strengthens what was not chosen."""
LEAST = 0.01
"""No propensity falls below it, so that nothing is ever given up for good."""
DRIFT = 0.05
"""Weight of the last turn in what he has come to expect."""

# What a sentence costs in stakes, beside coins.
OUT_COST, BAN_COST_A_NIGHT, BEATING_COST = 1.0, 0.5, 8.0


@rule
def reinforced(
    propensity: float, reward: float, is_chosen: bool, kept: float, spill: float, least: float
) -> float:
    """A propensity after a turn: ``max(least, kept q + R (1 - spill if chosen, else spill))``.

    With nothing forgotten and nothing spilt, a reward of 1 each turn makes it
    Polya's urn: draw a ball, put it back with one more of its colour.

    Parameters
    ----------
    propensity : float
        Before the turn, above 0.
    reward : float
        What the turn brought beyond what was expected, in stakes.
    is_chosen : bool
        Whether this is what was done in the turn.
    kept : float
        Share of a propensity that is kept from turn to turn, 0 to 1.
    spill : float
        Share of the reward that goes to what was not chosen, 0 to 1.
    least : float
        The lowest a propensity can fall.

    Examples
    --------
    He cheated and won two stakes more than he was used to.

    >>> round(reinforced(5.0, 2.0, True, 0.98, 0.05, 0.01), 9)
    6.8
    >>> reinforced(5.0, 2.0, False, 0.98, 0.05, 0.01)
    5.0

    A beating, from propensities of 1, leaves next to nothing.

    >>> reinforced(1.0, -8.0, True, 0.98, 0.05, 0.01)
    0.01
    """
    share = 1.0 - spill if is_chosen else spill
    return max(least, kept * propensity + reward * share)


@rule
def chooses(q_cheat: float, q_honest: float, u: float) -> bool:
    """Choose to cheat in this turn, with chance ``q_cheat / (q_cheat + q_honest)``.

    Examples
    --------
    >>> [chooses(1.0, 9.0, u) for u in (0.09, 0.11)]
    [True, False]
    """
    return u * (q_cheat + q_honest) < q_cheat


@rule
def cost_of(was_out: bool, nights_banned: int, was_beaten: bool) -> float:
    """What a sentence costs, in stakes: out 1, a ban 0.5 a night, a beating 8; a warning 0."""
    cost = OUT_COST if was_out else 0.0
    cost += BAN_COST_A_NIGHT * nights_banned
    return cost + BEATING_COST if was_beaten else cost


@rule
def learn(patron: Row, x: float) -> None:
    """Take in what a turn as the Hand has brought, in stakes: both propensities, then the hope.

    With R = x - rho, each ``q <- max(0.01, 0.98 q + R (0.95 if chosen, else 0.05))``
    and then ``rho <- 0.95 rho + 0.05 x``.
    """
    reward = x - patron.reference
    cheated = patron.is_tricking == 1
    patron.q_cheat = reinforced(patron.q_cheat, reward, cheated, KEPT, SPILL, LEAST)
    patron.q_honest = reinforced(patron.q_honest, reward, not cheated, KEPT, SPILL, LEAST)
    patron.reference = (1.0 - DRIFT) * patron.reference + DRIFT * x


def set_out(people: People, minds: MindsPart) -> None:
    """Give people the propensities they begin with, which add up to 10.

    One of the cheating kind begins with a share of `minds.tau` for cheating, or
    with his own propensity where that is pinned; an honest man with
    `minds.start_honest`.
    """
    pinned = people.propensity >= 0.0
    kind = np.where(pinned, people.propensity, minds.tau)
    share = np.where(people.is_cheat == 1, kind, minds.start_honest)
    people.q_cheat[:] = np.maximum(LEAST, STRENGTH * share)
    people.q_honest[:] = np.maximum(LEAST, STRENGTH * (1.0 - share))
