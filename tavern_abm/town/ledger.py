"""Double entry: every coin leaves one account and enters another.

Accounts are ``purse/<trade>``, ``pot``, ``till/<tavern>``, ``treasury`` and ``outside``. What
the treasury takes in has left the purses and tills as what goes outside has. The
books are the nights' flows (arrays as `tables.accounts` describes them) and
the balances they come to; the rows of the ledger are written out from them.
"""

from __future__ import annotations

from typing import Any

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
        self.nights: list[tuple[int, Flows]] = []

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
        self.nights.append((night, flows))
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
        from_outside = np.array([f.source == "outside" for f in FLOWS], np.int64)
        to_outside = np.array([f.target in ("outside", "treasury") for f in FLOWS], np.int64)
        by_flow = sum((flows.sum(axis=(0, 2)) for _, flows in self.nights), np.zeros_like(_POT))
        return {
            "opening_cp": self.opening_cp,
            "inflow_cp": int(by_flow @ from_outside),
            "outflow_cp": int(by_flow @ to_outside),
            "treasury_cp": self.treasury_cp,
            "closing_cp": self.closing_cp,
        }

    def rows(self) -> dict[str, list[Any]]:
        """The ledger as columns: night, tavern_id, from_account, to_account, reason, amount_cp."""
        out: dict[str, list[Any]] = {
            name: []
            for name in ("night", "tavern_id", "from_account", "to_account", "reason", "amount_cp")
        }
        for night, flows in self.nights:
            for tavern, flow, trade in np.argwhere(flows).tolist():
                source, target, reason = FLOWS[flow]
                out["night"].append(night)
                out["tavern_id"].append(tavern)
                out["from_account"].append(self._account(source, tavern, trade))
                out["to_account"].append(self._account(target, tavern, trade))
                out["reason"].append(reason)
                out["amount_cp"].append(int(flows[tavern, flow, trade]))
        return out

    def _account(self, kind: str, tavern: int, trade: int) -> str:
        if kind == "purse":
            return f"purse/{self.trades[trade]}"
        return f"till/{tavern}" if kind == "till" else kind
