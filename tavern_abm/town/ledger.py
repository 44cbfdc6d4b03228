"""Double entry: every coin leaves one account and enters another.

Accounts are ``purse/<trade>``, ``pot``, ``till/<tavern>``, ``treasury`` and ``outside``. What
the treasury takes in has left the purses and tills as what goes outside has. The
books are the nights' flows (arrays as `tables.accounts` describes them) and
the balances they come to; the rows of the ledger are written out from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..tables.accounts import FLOWS, GIVEN, TAKEN

type Flows = NDArray[np.int64]


def _signs(account: str) -> NDArray[np.int64]:
    """+1 for each flow into a kind of account, -1 for each out of it."""
    return np.array([(f.target == account) - (f.source == account) for f in FLOWS], np.int64)


_PURSE, _TILL, _POT, _TREASURY, _OUTSIDE = (
    _signs(name) for name in ("purse", "till", "pot", "treasury", "outside")
)


_INFLOW = np.array([f.source == "outside" for f in FLOWS], np.int64)
_OUTFLOW = np.array([f.target in ("outside", "treasury") for f in FLOWS], np.int64)


_SHARED = ("pot", "treasury", "outside")
"""Accounts of which there is one."""
SUMS = ("opening_cp", "outside_cp", "treasury_cp", "inflow_cp", "outflow_cp")
BALANCES = (*SUMS, "purses", "tills")
"""What the entries so far have come to."""


class Entries(NamedTuple):
    """What was booked at once: the coins that went, a place in the flows each; all (n,)."""

    night: int
    tavern: NDArray[np.int16]  # 0 in no tavern
    flow: NDArray[np.int16]  # index into FLOWS
    trade: NDArray[np.int16]
    amount: NDArray[np.int64]  # cp, never 0


class LedgerError(RuntimeError):
    """The coins do not add up: a fault of the program, never of the user."""


class Ledger:
    """The books of a run.

    Parameters
    ----------
    trades : sequence of str
        Names for the accounts ``purse/<trade>``.
    tavern_names : sequence of str
        For messages; taverns are numbered from 1.
    purses : ndarray of int, shape (n_trades,)
        Coins in purses at the start, by trade.
    tills : ndarray of int, shape (n_taverns,)
        Coins in tills at the start.
    """

    def __init__(
        self, trades: list[str], tavern_names: list[str], purses: Flows, tills: Flows
    ) -> None:
        self.trades = trades
        self.tavern_names = tavern_names
        self.purses = purses.astype(np.int64)
        self.tills = tills.astype(np.int64)
        self.opening_cp = int(purses.sum() + tills.sum())
        self.outside_cp = 0  # what came to stand outside since, less what came from there
        self.treasury_cp = 0  # taxes and excise paid so far
        self.inflow_cp = self.outflow_cp = 0
        self.entries: list[Entries] = []

    def blank(self) -> Flows:
        """A night's flows with nothing in them yet."""
        shape = (1 + len(self.tavern_names), len(FLOWS), len(self.trades))
        return np.zeros(shape, np.int64)

    def book(self, night: int, flows: Flows) -> None:
        """Enter flows and move the balances by them; pots must come out empty.

        Raises
        ------
        LedgerError
            Naming the night and the tavern with coins left in its pots.
        """
        by_trade = flows.sum(axis=0)
        by_tavern = flows.sum(axis=2)
        self.purses += _PURSE @ by_trade
        self.tills += (by_tavern @ _TILL)[1:]
        self.outside_cp += int((by_tavern @ _OUTSIDE).sum())
        self.treasury_cp += int((by_tavern @ _TREASURY).sum())
        by_flow = by_tavern.sum(axis=0)
        self.inflow_cp += int(by_flow @ _INFLOW)
        self.outflow_cp += int(by_flow @ _OUTFLOW)
        self.entries.append(_entries(night, flows))
        pots = by_tavern @ _POT
        if pots.any():
            i = int(np.flatnonzero(pots)[0])
            where = self.tavern_names[i - 1] if i else "no tavern"
            raise LedgerError(f"night {night}, {where}: {pots[i]} cp left in the pots")

    def intervene(self, night: int, trade: int, amount_cp: int) -> None:
        """Enter coins that a user gave to a patron (or took, if negative)."""
        flows = self.blank()
        flows[0, GIVEN if amount_cp > 0 else TAKEN, trade] = abs(amount_cp)
        self.book(night, flows)

    def balances(self) -> dict[str, Any]:
        """What the entries have come to: enough to go on from without them. See `BALANCES`."""
        return {name: getattr(self, name) for name in BALANCES}

    def carry_over(self, balances: Mapping[str, Any]) -> None:
        """Go on from the `balances` of an earlier book, whose entries stay there."""
        for name in SUMS:
            setattr(self, name, int(balances[name]))
        self.purses[:] = balances["purses"]
        self.tills[:] = balances["tills"]

    @property
    def closing_cp(self) -> int:
        """Coins in purses and tills by the books."""
        return int(self.purses.sum() + self.tills.sum())

    def verify(self, night: int, purses: Flows, tills: Flows) -> None:
        """Hold the books against the coins that are there.

        Raises
        ------
        LedgerError
            Naming the night, and the tavern or the trade.
        """
        if (tills != self.tills).any():
            i = int(np.flatnonzero(tills != self.tills)[0])
            raise LedgerError(
                f"night {night}, {self.tavern_names[i]}: the till holds {tills[i]} cp, "
                f"the books say {self.tills[i]}"
            )
        if (purses != self.purses).any():
            i = int(np.flatnonzero(purses != self.purses)[0])
            raise LedgerError(
                f"night {night}, all taverns: the purses of trade {self.trades[i]} hold "
                f"{purses[i]} cp, the books say {self.purses[i]}"
            )
        if self.opening_cp - self.outside_cp - self.treasury_cp != self.closing_cp:
            raise LedgerError(f"night {night}, all taverns: the books do not balance")

    def summary(self) -> dict[str, int]:
        """Opening, inflow, outflow and closing, in cp, and the treasury's part of the outflow.

        ``opening_cp + inflow_cp - outflow_cp == closing_cp``.
        """
        return {
            "opening_cp": self.opening_cp,
            "inflow_cp": self.inflow_cp,
            "outflow_cp": self.outflow_cp,
            "treasury_cp": self.treasury_cp,
            "closing_cp": self.closing_cp,
        }

    @cached_property
    def accounts(self) -> list[str]:
        """The names of all accounts: purses by trade, tills by tavern, and those of all."""
        purses = [f"purse/{trade}" for trade in self.trades]
        tills = [f"till/{number}" for number in range(1, 1 + len(self.tavern_names))]
        return [*purses, *tills, *_SHARED]

    def rows(self) -> dict[str, NDArray[Any]]:
        """The ledger as columns of numbers, in the order of nights, taverns, flows and trades.

        Returns
        -------
        dict of ndarray, each of shape (n,)
            ``night``, ``tavern_id``, ``flow`` (index into `FLOWS`), ``from_account`` and
            ``to_account`` (indices into `accounts`), ``amount_cp``.
        """
        tavern, flow, trade, amount = (
            np.concatenate([some[at] for some in self.entries] or [np.zeros(0, np.int64)])
            for at in range(1, 5)
        )
        nights = [np.full(len(some.tavern), some.night) for some in self.entries]
        return {
            "night": np.concatenate([*nights, np.zeros(0, np.int64)]).astype(np.int32),
            "tavern_id": tavern.astype(np.int16),
            "flow": flow,
            "from_account": self._accounts([f.source for f in FLOWS], flow, tavern, trade),
            "to_account": self._accounts([f.target for f in FLOWS], flow, tavern, trade),
            "amount_cp": amount,
        }

    def _accounts(
        self, kinds: list[str], flow: NDArray[Any], tavern: NDArray[Any], trade: NDArray[Any]
    ) -> NDArray[np.int64]:
        """Index into `accounts` of one end of each entry; `kinds` are those of the flows."""
        n_trades = len(self.trades)
        first = {"purse": 0, "till": n_trades - 1}  # taverns count from 1
        n_own = n_trades + len(self.tavern_names)
        first |= {name: n_own + i for i, name in enumerate(_SHARED)}
        at = np.array([first[kind] for kind in kinds])[flow]
        is_purse = np.array([kind == "purse" for kind in kinds])[flow]
        is_till = np.array([kind == "till" for kind in kinds])[flow]
        return at + np.where(is_purse, trade, 0) + np.where(is_till, tavern, 0)


def _entries(night: int, flows: Flows) -> Entries:
    at = np.nonzero(flows)
    tavern, flow, trade = (each.astype(np.int16) for each in at)
    return Entries(night, tavern, flow, trade, flows[at])
