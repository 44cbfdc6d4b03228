"""What people decide about money lent among friends: asking, lending, paying back."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from ...compiled import rule
from ..columns import Row, SheetRow
from .general import logistic


class Loans(NamedTuple):
    """How loans go, as the kernels are handed it."""

    lending: int  # 0: nobody lends
    due_nights: int
    trust: float  # belief that one is a cheat above which nobody lends to him
    share_of_purse: float
    dodge_logit: float  # log-odds that one of average honesty does not pay when he could
    honesty: float  # what a standard deviation of honesty adds to them
    grudge_nights: int  # for which one who was not paid resents it


@rule
def asks_for_loan(patron: Row, cheapest: int, u: float) -> int:
    """Ask one's friends for money, or go without: how much, in cp; 0 for going without.

    A day's wage, if less than that is left in the purse and with what is lent he
    could cover the stake of the cheapest room in the house.

    Parameters
    ----------
    cheapest : int
        That stake in cp; 1 where a table agrees on its own.
    u : float
        Uniform; the shipped decision has no use for it.
    """
    is_broke = patron.gold < patron.wage
    return patron.wage if is_broke and patron.gold + patron.wage >= cheapest else 0


@rule
def lends(
    lender: Row, asked: int, belief: float, is_kin: bool, bears_grudge: bool, loans: Loans, u: float
) -> bool:
    """Lend somebody what he asks for, or not.

    Kin do, others with a chance that rises with their agreeableness A,
    ``expit(A)``; but nobody lends to one he would call a cheat or resents, who
    owes money himself, or more than a share of his purse.

    Parameters
    ----------
    asked : int
        cp.
    belief : float
        The lender's that the other is a cheat, 0 to 1.
    """
    is_ready = is_kin or u < 1.0 - lender.soreness  # soreness is expit(-A)
    has_plenty = asked <= loans.share_of_purse * lender.gold and lender.owes_cp == 0
    return is_ready and has_plenty and belief <= loans.trust and not bears_grudge


@rule
def pays_back(patron: Row, sheet: SheetRow, loans: Loans, u: float) -> bool:
    """Pay a debt that is due, or not, when one has the money.

    He does not with chance ``expit(logit(dodge_prob) + ln(odds_ratio) H)``: the
    less honest, the likelier, by the odds ratio that cheating has.
    """
    return u >= logistic(loans.dodge_logit + loans.honesty * float(sheet.honesty))


def dodge_slope(odds_ratio: float) -> float:
    """What a standard deviation of honesty-humility adds to the log-odds of dodging.

    Examples
    --------
    >>> round(dodge_slope(0.53), 6)
    -0.634878
    """
    return math.log(odds_ratio)


DECISIONS: dict[str, Callable[..., Any]] = {
    "asks_for_loan": asks_for_loan,
    "lends": lends,
    "pays_back": pays_back,
}
