"""The books hold what was booked and no more."""

from __future__ import annotations

import numpy as np
import pytest

from tavern_abm.tables.accounts import DRINK, FLOWS, STAKE, TAKEN, TAX, WAGE
from tavern_abm.town.ledger import Ledger, LedgerError

TRADES = ["smith", "sailor"]


def books() -> Ledger:
    return Ledger(TRADES, ["The Anchor", "The Bell"], np.array([100, 50]), np.array([7, 0]))


def test_an_entry_is_a_row() -> None:
    ledger = books()
    flows = ledger.blank()
    flows[0, WAGE, 1] = 30
    flows[0, TAX, 1] = 3
    flows[2, DRINK, 0] = 4
    ledger.book(1, flows)
    ledger.intervene(2, 0, -20)
    rows = ledger.rows()
    told = [
        (
            int(night),
            int(tavern),
            ledger.accounts[a],
            ledger.accounts[b],
            FLOWS[flow].reason,
            int(cp),
        )
        for night, tavern, flow, a, b, cp in zip(*rows.values(), strict=True)
    ]
    taken = FLOWS[TAKEN]
    assert told == [
        (1, 0, "outside", "purse/sailor", "wage", 30),
        (1, 0, "purse/sailor", "treasury", "tax", 3),
        (1, 2, "purse/smith", "till/2", "drink", 4),
        (2, 0, "purse/smith", taken.target, taken.reason, 20),
    ]


def test_sums_follow_the_entries() -> None:
    ledger = books()
    flows = ledger.blank()
    flows[0, WAGE] = (10, 30)
    flows[0, TAX, 1] = 3
    ledger.book(1, flows)
    ledger.verify(1, np.array([110, 77]), np.array([7, 0]))
    assert ledger.summary() == {
        "opening_cp": 157,
        "inflow_cp": 40,
        "outflow_cp": 3,
        "treasury_cp": 3,
        "closing_cp": 194,
    }


def test_before_the_first_night_there_are_no_rows() -> None:
    assert {name: len(column) for name, column in books().rows().items()} == dict.fromkeys(
        ("night", "tavern_id", "flow", "from_account", "to_account", "amount_cp"), 0
    )


def test_coins_left_in_a_pot_are_named() -> None:
    ledger = books()
    flows = ledger.blank()
    flows[2, STAKE, 0] = 5
    with pytest.raises(LedgerError, match="night 3, The Bell: 5 cp left in the pots"):
        ledger.book(3, flows)


def test_little_is_kept_of_a_quiet_night() -> None:
    ledger = books()
    flows = ledger.blank()
    flows[1, DRINK, 1] = 2
    ledger.book(1, flows)
    assert len(ledger.entries[0].amount) == 1
