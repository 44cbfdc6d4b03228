"""What people decide in a chase: which way to run, and what to try on the way."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...compiled import rule
from ...games.chase import AWAY_LEAD, HAZARD, HAZARD_BASE_DC, HAZARD_DC, HIDE, RUN

# Variance of the difference of two d20s, and how far a walk with such steps leaps
# over its end on average (Siegmund 1985: 0.583 standard deviations).
VARIANCE = 66.5
OVERSHOOT = 4.75
MEAN_ROLL = 10.5
FACES = 20
TACTIC_SENSE = 12.0
WAY_SENSE = 0.5
MOST_PULL = 700.0
HARM_WEIGHT = 1.5
HARM_SPREAD = 3.0


@rule
def escape_prob(lead: float, edge: float) -> float:
    """About the chance to get away from a lead by running alone.

    The chance of a Brownian motion to reach 30 before 0, both moved out by what
    a walk with d20 steps leaps over them; within 0.05 of the exact odds for any lead
    and an edge of at most 6.

    Parameters
    ----------
    lead : float
        The lead now; 0 or less is caught, 30 or more away.
    edge : float
        By how much the escapee's modifier is above the chaser's.

    Examples
    --------
    >>> round(escape_prob(5, 0), 3), round(escape_prob(10, 2), 3), escape_prob(30, -9)
    (0.247, 0.648, 1.0)
    """
    if lead <= 0.0:
        return 0.0
    if lead >= AWAY_LEAD:
        return 1.0
    at, width = lead + OVERSHOOT, AWAY_LEAD + 2.0 * OVERSHOOT
    pull = 2.0 * edge / VARIANCE
    if abs(pull * width) < 1e-6:
        return at / width
    if pull < 0.0:
        # Seen from the other end, so that no power overflows.
        down = math.expm1(max(-MOST_PULL, pull * (width - at)))
        return 1.0 - down / math.expm1(max(-MOST_PULL, pull * width))
    up = math.expm1(max(-MOST_PULL, -pull * at))
    return up / math.expm1(max(-MOST_PULL, -pull * width))


@rule
def pass_prob(modifier: int, dc: int) -> float:
    """Chance of a check."""
    return min(FACES, max(0, FACES + 1 + modifier - dc)) / FACES


@rule
def hide_chance(hide_over_spot: int) -> float:
    """Chance that a Hide check beats a Spot check, from the difference of the modifiers.

    Examples
    --------
    >>> hide_chance(0), hide_chance(19), hide_chance(-19)
    (0.475, 0.9975, 0.0)
    """
    n_beaten = 0
    for natural in range(1, FACES + 1):
        n_beaten += min(FACES, max(0, natural + hide_over_spot - 1))
    return n_beaten / (FACES * FACES)


@rule
def hide_worth(lead: int, edge: float, chaser_modifier: int, hide_over_spot: int) -> float:
    """About the chance to get away for one who tries to hide now, and runs if he is seen.

    Parameters
    ----------
    edge : float
        By how much the escapee's modifier on the way is above the chaser's.
    chaser_modifier : int
        The chaser's own, there.
    """
    gone = hide_chance(hide_over_spot)
    return gone + (1.0 - gone) * escape_prob(lead - MEAN_ROLL - chaser_modifier, edge)


@rule
def hazard_worth(
    lead: int, edge: float, own_modifier: int, penalty: int, cost: int, dexterity: int, balance: int
) -> float:
    """About the chance to get away for one who makes a hazard now and then runs.

    Parameters
    ----------
    edge : float
        By how much the escapee's modifier on the way is above the chaser's.
    own_modifier : int
        The escapee's own, there.
    penalty, cost : int
        The penalty he takes and what the hazard costs in all.
    dexterity, balance : int
        His modifier to make it and the chaser's to clear it.
    """
    left = lead - cost
    made = pass_prob(dexterity - penalty, HAZARD_DC)
    stopped = made * (1.0 - pass_prob(balance, HAZARD_BASE_DC + penalty))
    alone = escape_prob(left + MEAN_ROLL + own_modifier, edge)
    return stopped * alone + (1.0 - stopped) * escape_prob(left, edge)


@rule
def hazard_penalty(
    lead: int,
    edge: float,
    own_modifier: int,
    most: int,
    base_cost: int,
    dexterity: int,
    balance: int,
    u: float,
) -> int:
    """The penalty that makes a hazard worth most, 0 to `most`; the smallest of equals.

    Against somebody as fast a penalty is seldom worth its price; against a much
    faster one it is.

    Examples
    --------
    >>> [hazard_penalty(20, edge, 10, 14, 5, 12, 0, 0.5) for edge in (0.0, -10.0)]
    [0, 5]
    """
    best, best_worth = 0, -1.0
    for penalty in range(most + 1):
        cost = base_cost + penalty
        worth = hazard_worth(lead, edge, own_modifier, penalty, cost, dexterity, balance)
        if worth > best_worth + 1e-9:
            best, best_worth = penalty, worth
    return best


@rule
def chooses_tactic(running: float, hiding: float, hampering: float, u: float) -> int:
    """RUN, HIDE or HAZARD: a logit choice by about what each does for getting away.

    Each is chosen with a chance in proportion to ``exp(12 worth)``.

    Parameters
    ----------
    running, hiding, hampering : float
        The chance to get away with each, 0 to 1; negative: it is not allowed.
    u : float
        A uniform number in [0, 1).
    """
    weight_run = math.exp(TACTIC_SENSE * running)
    weight_hide = math.exp(TACTIC_SENSE * hiding) if hiding >= 0.0 else 0.0
    weight_hazard = math.exp(TACTIC_SENSE * hampering) if hampering >= 0.0 else 0.0
    at = u * (weight_run + weight_hide + weight_hazard)
    if at < weight_hide:
        return HIDE
    return HAZARD if at < weight_hide + weight_hazard else RUN


@rule
def chooses_way(edges: Any, u: float) -> int:
    """Which of the ways on offer the escapee takes: a logit choice by his edge there.

    Parameters
    ----------
    edges : array of float, shape (n_ways,)
        By how much he expects to gain on the chaser on each, in points of the lead.
    u : float
        A uniform number in [0, 1).

    Returns
    -------
    int
        0 to n_ways - 1; each with a chance in proportion to ``exp(edge / 2)``.

    Examples
    --------
    >>> [chooses_way([0.0, 4.0], u) for u in (0.1, 0.2, 0.9)]
    [0, 1, 1]
    """
    most = edges[0]
    for edge in edges:
        most = max(most, edge)
    total = 0.0
    for edge in edges:
        total += math.exp(WAY_SENSE * (edge - most))
    at = u * total
    for way in range(len(edges)):
        at -= math.exp(WAY_SENSE * (edges[way] - most))
        if at < 0.0:
            return way
    return len(edges) - 1


@rule
def presses_on(lead: int, is_escapee: bool, u: float) -> bool:
    """Try an obstacle again, or give up.

    As long as there is hope: the chaser while the lead is below 30, the escapee
    while the chaser is less than 30 ahead.
    """
    return lead > -AWAY_LEAD if is_escapee else lead < AWAY_LEAD


@rule
def rather_hurt(saved: float, harm: float, u: float) -> bool:
    """Take damage so as not to be stopped: a logit choice.

    A point of damage weighs as much as 1.5 points of the lead.

    Parameters
    ----------
    saved : float
        What taking it saves, in points of the lead.
    harm : float
        The damage to expect.
    u : float
        A uniform number in [0, 1).

    Examples
    --------
    >>> rather_hurt(18, 7, 0.5), rather_hurt(18, 21, 0.5)
    (True, False)
    """
    pull = (saved - HARM_WEIGHT * harm) / HARM_SPREAD
    return u < 1.0 / (1.0 + math.exp(-min(MOST_PULL, max(-MOST_PULL, pull))))


DECISIONS: dict[str, Callable[..., Any]] = {
    "chooses_way": chooses_way,
    "chooses_tactic": chooses_tactic,
    "hazard_penalty": hazard_penalty,
    "presses_on": presses_on,
    "rather_hurt": rather_hurt,
}
