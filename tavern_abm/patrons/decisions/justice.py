"""What a condemned man decides: to try the warden with coins, and to run or to stand."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...checks import ability_modifier
from ...compiled import rule
from ..columns import Row, SheetRow
from .chase import MEAN_ROLL, escape_prob
from .general import logistic

DREAD = (0.0, 0.0, 0.0, 0.5, 1.5, 4.0)
"""How much each sentence is dreaded: none, warned, out, banned, beaten, killed."""
FLIGHT_SENSE = 2.0
FRIGHT = 0.3
LOG_HONESTY_RATIO = math.log(0.53)
"""Of the odds of doing something dishonest, per standard deviation of honesty-humility."""


@rule
def flees(patron: Row, sheet: SheetRow, what: int, edge: float, justice: Any, u: float) -> bool:
    """Run from a sentence, or stand and take it.

    With chance ``expit(2 (dread p - 1) + 0.3 emotionality)``: p is about his chance
    to get away, from the lead that his Dexterity gives him on average.

    Parameters
    ----------
    what : int
        The sentence: 3 banned, 4 beaten, 5 killed. They are dreaded by 0.5, 1.5 and 4.
    edge : float
        By how much his running is better than that of whoever would go after him;
        100 where nobody would.
    justice : Justice
        ``runs`` is 0 where nobody runs.
    u : float
        A uniform number in [0, 1).

    Examples
    --------
    >>> from types import SimpleNamespace as Some
    >>> sheet, justice = Some(dexterity=10, emotionality=0.0), Some(runs=1)
    >>> [flees(None, sheet, what, 0.0, justice, 0.5) for what in (3, 4, 5)]
    [False, False, True]
    """
    if justice.runs == 0:
        return False
    lead = MEAN_ROLL + ability_modifier(sheet.dexterity)
    away = escape_prob(lead, edge)
    pull = FLIGHT_SENSE * (DREAD[what] * away - 1.0) + FRIGHT * float(sheet.emotionality)
    return u < logistic(pull)


@rule
def offers_bribe(
    patron: Row, sheet: SheetRow, what: int, sum_cp: int, justice: Any, u: float
) -> bool:
    """Slip the warden some coins, or not.

    At average honesty-humility with chance ``bribe_prob``; the odds of it fall by the
    factor 0.53 with every standard deviation. Nobody pays with all he has.

    Parameters
    ----------
    what : int
        The sentence: 2 out for tonight, 3 banned, 4 beaten, 5 killed.
    sum_cp : int
        What the warden expects.
    justice : Justice
        ``bribe_prob`` is 0 where nobody tries.
    u : float
        A uniform number in [0, 1).

    Examples
    --------
    >>> from types import SimpleNamespace as Some
    >>> rich, justice = Some(gold=500), Some(bribe_prob=0.2)
    >>> [offers_bribe(rich, Some(honesty=H), 4, 200, justice, 0.25) for H in (-2.0, 0.0)]
    [True, False]
    """
    if sum_cp <= 0 or patron.gold <= sum_cp:
        return False
    weight = justice.bribe_prob * math.exp(LOG_HONESTY_RATIO * float(sheet.honesty))
    return u * (1.0 - justice.bribe_prob + weight) < weight


DECISIONS: dict[str, Callable[..., Any]] = {"flees": flees, "offers_bribe": offers_bribe}
