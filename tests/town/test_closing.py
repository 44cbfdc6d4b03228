"""Closing time: the order of the bills, and that a till pays what it holds and no more."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm import Scenario, TavernModel
from tavern_abm.data_tables import load_tables
from tavern_abm.tables.accounts import DRINK, EXCISE, FEE, FLOWS, GOODS, RAKE, STAFF, UPKEEP
from tavern_abm.town import setup
from tavern_abm.town.closing import make_close_houses
from tests.strategies import DICE_ALONE

DATA = load_tables()
N_TRADES = 3


class House:
    """One house at closing time, and what it took and paid."""

    def __init__(self, till: int, excise_bp: int = 0, is_open: bool = True, **tavern: Any) -> None:
        settings = {f"taverns.0.{name}": value for name, value in tavern.items()}
        scenario = Scenario().with_settings(settings | {"economy.excise_bp": excise_bp})
        self.houses = setup.make_houses(scenario, DATA)
        self.houses.is_open[:] = is_open
        self.bills = setup.make_bills(scenario, DATA)
        self.tills = np.array([till])
        self.unpaid = np.array([-1])
        self.flows = np.zeros((2, len(FLOWS), N_TRADES), np.int64)

    def close(self, drink: tuple[int, ...] = (0, 0, 0), fees: int = 0, rake: int = 0) -> House:
        self.flows[1, DRINK], self.flows[1, FEE, 1], self.flows[1, RAKE, 0] = drink, fees, rake
        make_close_houses()(self.houses, self.bills, self.tills, self.unpaid, self.flows)
        return self

    @property
    def paid(self) -> dict[int, int]:
        return {flow: int(self.flows[1, flow].sum()) for flow in (GOODS, EXCISE, STAFF, UPKEEP)}


def test_a_night_that_pays() -> None:
    """300 cp of drink: 150 to the brewer, 30 to the treasury; then the staff and the roof."""
    house = House(1000, 1000, goods_bp=5000, staff_cp=410, upkeep_cp=25)
    house.close((100, 0, 200), fees=60, rake=7)
    assert house.paid == {GOODS: 150, EXCISE: 30, STAFF: 410, UPKEEP: 25}
    assert house.tills.tolist() == [1000 + 367 - 615]
    assert house.unpaid.tolist() == [0]


@pytest.mark.parametrize(
    ("till", "paid", "unpaid"),
    [
        (0, {GOODS: 100, EXCISE: 0, STAFF: 0, UPKEEP: 0}, 20 + 400 + 50),  # all it took
        (15, {GOODS: 100, EXCISE: 15, STAFF: 0, UPKEEP: 0}, 5 + 400 + 50),
        (120, {GOODS: 100, EXCISE: 20, STAFF: 100, UPKEEP: 0}, 300 + 50),
        (460, {GOODS: 100, EXCISE: 20, STAFF: 400, UPKEEP: 40}, 10),
        (470, {GOODS: 100, EXCISE: 20, STAFF: 400, UPKEEP: 50}, 0),
    ],
)
def test_bills_are_paid_in_their_order(till: int, paid: dict[int, int], unpaid: int) -> None:
    house = House(till, 2000, goods_bp=10_000, staff_cp=400, upkeep_cp=50)
    house.close((40, 60, 0))
    assert house.paid == paid
    assert house.unpaid.tolist() == [unpaid]


def test_parts_of_a_coin_stay_with_the_house() -> None:
    house = House(0, 999, goods_bp=5000, staff_cp=0, upkeep_cp=0).close((9, 0, 0))
    assert house.paid == {GOODS: 4, EXCISE: 0, STAFF: 0, UPKEEP: 0}
    assert house.tills.tolist() == [5]


def test_a_closed_house_takes_and_owes_nothing() -> None:
    house = House(0, 1000, is_open=False, staff_cp=400, upkeep_cp=50).close()
    assert not house.flows.any()
    assert house.tills.tolist() == house.unpaid.tolist() == [0]


coins = st.integers(0, 10**6)
points = st.integers(0, 10_000)


@given(coins, st.tuples(coins, coins, coins), coins, coins, points, points, coins, coins)
def test_what_is_owed_is_paid_or_left_unpaid(
    till: int,
    drink: tuple[int, ...],
    fees: int,
    rake: int,
    goods_bp: int,
    excise_bp: int,
    staff: int,
    upkeep: int,
) -> None:
    house = House(till, excise_bp, goods_bp=goods_bp, staff_cp=staff, upkeep_cp=upkeep)
    house.close(drink, fees, rake)
    sales = sum(drink)
    owed = sales * goods_bp // 10_000 + sales * excise_bp // 10_000 + staff + upkeep
    paid = sum(house.paid.values())
    assert paid + house.unpaid.item() == owed
    assert house.tills.item() == till + sales + fees + rake - paid >= 0
    assert house.unpaid.item() == 0 or house.tills.item() == 0


def test_excise_goes_to_the_treasury_and_leaves_guests_alone() -> None:
    """The house pays it out of its till: nobody else notices."""
    free, taxed = (
        TavernModel(DICE_ALONE, rng=3, patrons=40, **{"economy.excise_bp": bp}) for bp in (0, 1000)
    )
    free.run_for(5)
    taxed.run_for(5)
    sold = taxed.nights["drinks_cp"]
    assert sold.tolist() == free.nights["drinks_cp"].tolist()
    due = sum(int(night) * 1000 // 10_000 for night in sold)
    assert taxed.ledger.summary()["treasury_cp"] == due > 0
    assert free.ledger.summary()["treasury_cp"] == 0
    assert free.tills.sum() - taxed.tills.sum() == due
    rows = taxed.results()["ledger"].query("reason == 'excise'")
    assert set(rows["from_account"]) == {"till/1"}
    assert set(rows["to_account"]) == {"treasury"}
    assert rows["amount_cp"].sum() == due
