"""What a patron decides about races: to enter, whom to back, at what pace, when to give up."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...compiled import rule
from ...games.race import (
    FACES,
    KIND,
    LOSE_GROUND,
    N_DICE,
    RETRY_COST,
    TRY_AGAIN,
    can_choose,
    completed,
    needed_dc,
    needed_modifier,
)
from ...games.race_sheet import PACING, SPRINTING, STEADY, check_modifier, skill_of
from ..columns import Floats, People, Sheet
from .contests import backs_contestant, enters_contest
from .general import logistic

MEAN_D20 = 10.5
VAR_D20 = 33.25
FORM = 1.6
HOPELESS = 3.0
"""Standard deviations behind at which giving up is as likely as going on."""
STUBBORN = 4.0
PACE_PRECISION = 0.2
DAMAGE_PRECISION = 0.1
DS_PER_DAMAGE = 3.0
FORFEIT_DS = 100.0
MOST_PULL = 300.0


@rule
def racing_form(modifier: float, n_increments: int) -> float:
    """How people rate a racer, as a log weight: chances are in proportion to its exponential.

    A total's spread grows with the root of the increments, and each standard
    deviation by which one racer's expected total lies ahead of another's
    multiplies the odds between the two by about 5.

    Parameters
    ----------
    modifier : float
        The racer's mean modifier on the course.
    n_increments : int

    Examples
    --------
    Between two, +1 in ten increments: exactly it is 0.650, ties shared.

    >>> round(logistic(racing_form(1, 10) - racing_form(0, 10)), 3)
    0.65
    """
    return FORM * modifier * n_increments / math.sqrt(2.0 * VAR_D20 * n_increments)


@rule
def enters_race(
    win_prob: float,
    n_racers: int,
    stake: int,
    purse: int,
    wounds: int,
    rationality: float,
    thrill: float,
    u: float,
) -> bool:
    """Enter a race, or look on: see `contests.enters_contest`."""
    return enters_contest(win_prob, n_racers, stake, purse, wounds, rationality, thrill, u)


@rule
def backs_racer(
    forms: Any, bets: Any, stake: int, rationality: float, thrill: float, u: float
) -> int:
    """Whom an onlooker backs with one stake, an index or NO_BET: see `contests.backs_contestant`.

    People rate a racer as `racing_form` says.
    """
    return backs_contestant(forms, bets, stake, rationality, thrill, u, MOST_PULL)


@rule
def gives_up(lead: int, n_left: int, u: float) -> bool:
    """Give up at an obstacle that has been failed, or try again for 10 DS.

    He looks at how far behind the best of the others he will be then, against the
    spread of what is still to come; at `HOPELESS` standard deviations behind he
    gives up as likely as not.

    Parameters
    ----------
    lead : int
        His DS less the best other's that is still in the race.
    n_left : int
        Increments left after this one.
    u : float
        A uniform number in [0, 1).
    """
    spread = math.sqrt(2.0 * VAR_D20 * (n_left + 1.0))
    return u < logistic(STUBBORN * ((RETRY_COST - lead) / spread - HOPELESS))


@rule
def expected_harm(racer: Any, course: Any) -> float:
    """The damage to be expected where he is, as `takes_damage` is told it."""
    at = completed(racer)
    return 0.5 * course[at, N_DICE] * (course[at, FACES] + 1.0)


@rule
def expected_loss(racer: Any, course: Any, who: Any) -> float:
    """The DS that a failure here costs who may take damage instead.

    The increment, where he loses it or tries again; 10 DS for each try he will
    need; `FORFEIT_DS` where the race is lost with it.
    """
    kind = course[completed(racer), KIND]
    gain = MEAN_D20 + check_modifier(who, kind, skill_of(kind))
    if can_choose(racer, course, who, LOSE_GROUND):
        return gain
    if not can_choose(racer, course, who, TRY_AGAIN):
        return FORFEIT_DS
    needed = needed_dc(racer, course) - needed_modifier(racer, course, who)
    return gain + RETRY_COST * 20.0 / max(1, min(20, 21 - needed))


@rule
def takes_damage(harm: float, loss: float, u: float) -> bool:
    """Take damage in place of a failure, or the failure: a point of damage weighs 3 DS.

    Parameters
    ----------
    harm : float
        The damage to be expected.
    loss : float
        The DS that the failure is expected to cost.
    u : float
        A uniform number in [0, 1).
    """
    return u < logistic(DAMAGE_PRECISION * (loss - DS_PER_DAMAGE * harm))


@rule
def chooses_pace(modifier: int, constitution: int, n_increments: int, u: float) -> int:
    """PACING, STEADY or SPRINTING: a logit choice by the total one may hope for.

    Who has run as many increments as his Constitution score gains next to
    nothing from then on; so a pace is worth ``(10.5 + modifier + pace)`` in each of
    the increments before.

    Parameters
    ----------
    modifier : int
        On most of the race's checks.
    constitution : int
        Score.
    n_increments : int
        That he has to run himself, or his mount.
    u : float
        A uniform number in [0, 1).
    """
    slow = _worth(PACING, modifier, constitution, n_increments)
    even = _worth(STEADY, modifier, constitution, n_increments)
    fast = _worth(SPRINTING, modifier, constitution, n_increments)
    best = max(slow, even, fast)
    weight_slow = math.exp(max(-MOST_PULL, PACE_PRECISION * (slow - best)))
    weight_even = math.exp(max(-MOST_PULL, PACE_PRECISION * (even - best)))
    weight_fast = math.exp(max(-MOST_PULL, PACE_PRECISION * (fast - best)))
    at = u * (weight_slow + weight_even + weight_fast)
    if at < weight_slow:
        return PACING
    return STEADY if at < weight_slow + weight_even else SPRINTING


@rule
def _worth(pace: int, modifier: int, constitution: int, n_increments: int) -> float:
    lasts = min(n_increments, max(0, constitution - pace))
    return (MEAN_D20 + modifier + pace) * lasts


def talent(people: People, sheet: Sheet) -> Floats:
    """How good people are at it, in standard deviations: strong, tough and fast; shape (n,)."""
    body = (sheet.strength - 10.5) / 3.0 + (sheet.constitution - 10.5) / 3.0
    return np.asarray(body / math.sqrt(2.0) + (sheet.speed_ft - 30.0) / 10.0, np.float64)


DECISIONS: dict[str, Callable[..., Any]] = {
    "enters_race": enters_race,
    "backs_racer": backs_racer,
    "gives_up": gives_up,
    "takes_damage": takes_damage,
    "chooses_pace": chooses_pace,
}
