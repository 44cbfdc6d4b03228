"""The ways money goes, each from one kind of account to another for a reason.

A night's money is added up in an array of shape
(1 + n_taverns, len(FLOWS), n_trades), in cp: first axis 0 for what happens in
no tavern, then the taverns; last axis the trade of the purse concerned (0
where there is none). The town's ledger keeps its books from these.
"""

from __future__ import annotations

from typing import NamedTuple


class Flow(NamedTuple):
    """A way money goes: from one kind of account to another, and why."""

    source: str
    target: str
    reason: str


FLOWS = (
    Flow("outside", "purse", "wage"),
    Flow("purse", "outside", "living"),
    Flow("purse", "till", "fee"),
    Flow("purse", "till", "drink"),
    Flow("purse", "pot", "stake"),
    Flow("pot", "purse", "payout"),
    Flow("pot", "till", "rake"),
    Flow("purse", "pot", "repayment"),
    Flow("pot", "purse", "repayment"),
    Flow("purse", "outside", "estate"),
    Flow("outside", "purse", "arrival"),
    Flow("outside", "purse", "intervention"),
    Flow("purse", "outside", "intervention"),
    Flow("till", "outside", "goods"),
    Flow("till", "outside", "staff"),
    Flow("till", "outside", "upkeep"),
    Flow("purse", "pot", "loan"),
    Flow("pot", "purse", "loan"),
    Flow("purse", "pot", "payback"),
    Flow("pot", "purse", "payback"),
    Flow("purse", "outside", "bribe"),
    Flow("purse", "treasury", "tax"),
    Flow("till", "treasury", "excise"),
    Flow("till", "outside", "investment"),
    Flow("till", "outside", "closure"),
)
(
    WAGE,
    LIVING,
    FEE,
    DRINK,
    STAKE,
    PAYOUT,
    RAKE,
    REPAID,
    REPAYMENT,
    ESTATE,
    ARRIVAL,
    GIVEN,
    TAKEN,
    GOODS,
    STAFF,
    UPKEEP,
    LENT,
    BORROWED,
    PAID_BACK,
    GOT_BACK,
    BRIBED,
    TAX,
    EXCISE,
    INVESTED,
    WOUND_UP,
) = range(len(FLOWS))
