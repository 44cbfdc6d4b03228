"""The books: every coin leaves one account and enters another, and they hold to the coin."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavern_abm import Scenario, TavernModel
from tavern_abm.patrons.columns import HERE
from tavern_abm.tables.accounts import (
    DRINK,
    ESTATE,
    FLOWS,
    PAYOUT,
    RAKE,
    STAFF,
    STAKE,
    WAGE,
)
from tavern_abm.town.ledger import Ledger, LedgerError
from tests.strategies import DICE_ALONE, scenarios, seeds

REASONS = {
    "wage",
    "living",
    "fee",
    "drink",
    "stake",
    "payout",
    "rake",
    "repayment",
    "estate",
    "arrival",
    "intervention",
    "goods",
    "staff",
    "upkeep",
}


def balances(start: Mapping[str, int], rows: Iterable[Any]) -> dict[str, int]:
    """What each account holds after these rows, added up plainly."""
    found: dict[str, int] = defaultdict(int, start)
    for row in rows:
        assert row.amount_cp > 0
        found[row.from_account] -= row.amount_cp
        found[row.to_account] += row.amount_cp
    return found


def coins(model: TavernModel) -> dict[str, int]:
    """The coins where they lie, by account; rows drawn ahead are nobody's yet."""
    found: dict[str, int] = defaultdict(int)
    people = model.people[: model.n_rows]
    for trade, gold in zip(people.trade.tolist(), people.gold.tolist(), strict=True):
        found[f"purse/{model.trades[trade]}"] += gold
    return found | {f"till/{i}": till for i, till in enumerate(model.tills.tolist(), start=1)}


def small_books() -> Ledger:
    return Ledger(["smith", "noble"], ["Flagon", "Gate"], np.array([50, 100]), np.array([7, 8]))


# ---------------------------------------------------------------- by hand


def test_reasons_and_kinds_of_account() -> None:
    assert {flow.reason for flow in FLOWS} == REASONS
    for flow in FLOWS:
        assert flow.source != flow.target
        assert {flow.source, flow.target} <= {"purse", "till", "pot", "outside"}


def test_a_night_by_hand() -> None:
    books = small_books()
    assert books.opening_cp == books.closing_cp == 165
    flows = books.blank()
    flows[0, WAGE, 0] = 10
    flows[0, ESTATE, 1] = 30
    flows[1, DRINK, 1] = 8
    flows[2, STAKE, 0], flows[2, STAKE, 1] = 20, 20
    flows[2, PAYOUT, 1], flows[2, RAKE, 0] = 38, 2
    flows[2, STAFF, 0] = 5
    books.book(1, flows)
    assert books.purses.tolist() == [50 + 10 - 20, 100 - 30 - 8 - 20 + 38]
    assert books.tills.tolist() == [7 + 8, 8 + 2 - 5]
    books.verify(1, np.array([40, 80]), np.array([15, 5]))
    assert books.summary() == {
        "opening_cp": 165,
        "inflow_cp": 10,
        "outflow_cp": 35,
        "closing_cp": 140,
    }
    rows = pd.DataFrame(books.rows())
    assert rows.values.tolist() == [
        [1, 0, "outside", "purse/smith", "wage", 10],
        [1, 0, "purse/noble", "outside", "estate", 30],
        [1, 1, "purse/noble", "till/1", "drink", 8],
        [1, 2, "purse/smith", "pot", "stake", 20],
        [1, 2, "purse/noble", "pot", "stake", 20],
        [1, 2, "pot", "purse/noble", "payout", 38],
        [1, 2, "pot", "till/2", "rake", 2],
        [1, 2, "till/2", "outside", "staff", 5],
    ]


def test_gifts_and_what_is_taken() -> None:
    books = small_books()
    books.intervene(3, 0, 25)
    books.intervene(3, 1, -100)
    assert books.purses.tolist() == [75, 0]
    assert books.summary()["closing_cp"] == 165 + 25 - 100
    assert books.rows()["reason"] == ["intervention"] * 2
    assert books.rows()["amount_cp"] == [25, 100]


def test_coins_left_in_a_pot_name_the_night_and_the_tavern() -> None:
    books = small_books()
    flows = books.blank()
    flows[2, STAKE, 0], flows[2, PAYOUT, 0] = 5, 4
    with pytest.raises(LedgerError, match="night 9, Gate: 1 cp left in the pots"):
        books.book(9, flows)


def test_pots_of_two_taverns_do_not_make_up_for_each_other() -> None:
    books = small_books()
    flows = books.blank()
    flows[1, STAKE, 0], flows[2, PAYOUT, 0] = 5, 5
    with pytest.raises(LedgerError, match="night 9, Flagon"):
        books.book(9, flows)


def test_a_purse_and_a_till_that_do_not_match_are_named() -> None:
    books = small_books()
    with pytest.raises(LedgerError, match="night 4, Gate: the till holds 9 cp, the books say 8"):
        books.verify(4, np.array([50, 100]), np.array([7, 9]))
    with pytest.raises(LedgerError, match=r"night 4, .*noble hold 99 cp, the books say 100"):
        books.verify(4, np.array([50, 99]), np.array([7, 8]))


# ---------------------------------------------------------------- a run


def test_a_coin_planted_in_a_purse_stops_the_run() -> None:
    model = TavernModel(DICE_ALONE, rng=5, patrons=30)
    model.run_for(3)
    model.people.gold[7] += 1
    trade = model.trades[model.people.trade[7]]
    with pytest.raises(LedgerError, match=f"night 4, all taverns: the purses of trade {trade}"):
        model.run_for(1)


def test_a_coin_taken_from_a_till_stops_the_run() -> None:
    model = TavernModel(DICE_ALONE, rng=5, patrons=30)
    model.run_for(1)
    model.tills[0] -= 1
    with pytest.raises(LedgerError, match="night 2, The Rusty Flagon: the till holds"):
        model.run_for(1)


def test_a_coin_that_moves_between_trades_is_missed_too() -> None:
    model = TavernModel(DICE_ALONE, rng=5, patrons=30)
    trade = model.people.trade
    other = int(np.flatnonzero(trade != trade[0])[0])
    model.people.gold[0] -= 1
    model.people.gold[other] += 1
    with pytest.raises(LedgerError, match="night 1"):
        model.run_for(1)


def test_all_ways_of_money_are_used_and_balance() -> None:
    """Sixty nights of two houses, one with a rake, that leaves nothing out."""
    taverns = {
        "taverns.0.custom": "orc",
        "taverns.0.rake_bp": 500,
        "taverns.0.upkeep_cp": 20,
        "taverns.0.capacity": 30,
        "taverns.1.name": "The Other",
        "taverns.1.custom": "dockside",
    }
    model = TavernModel(DICE_ALONE, rng=5, patrons=80, **taverns)
    start = coins(model)
    for _ in range(60):
        model.run_for(1)
        model.patron(1).gold += 3
    ledger = model.results()["ledger"]
    assert set(ledger.reason) == REASONS
    assert set(ledger.tavern_id) == {0, 1, 2}
    after = balances(start, ledger.itertuples())
    assert after.pop("outside") == -(
        ledger[ledger.from_account == "outside"].amount_cp.sum()
        - ledger[ledger.to_account == "outside"].amount_cp.sum()
    )
    assert after.pop("pot") == 0
    assert after == coins(model)


def test_the_house_lives_off_what_the_ledger_says() -> None:
    model = TavernModel(DICE_ALONE, rng=5, patrons=80, **{"taverns.0.rake_bp": 1000})
    model.run_for(20)
    ledger, nights = model.results()["ledger"], model.nights
    by_reason = ledger.groupby("reason").amount_cp.sum()
    assert by_reason["rake"] == nights.rake_cp.sum() > 0
    assert by_reason["fee"] == 2 * nights.guests.sum()
    assert by_reason["drink"] == nights.drinks_cp.sum()
    assert by_reason["stake"] == nights.staked_cp.sum()
    assert by_reason["payout"] == nights.staked_cp.sum() - nights.rake_cp.sum()
    assert by_reason["staff"] == 410 * 20
    assert by_reason["goods"] == (nights.drinks_cp // 2).sum()
    till = 10_000 + (nights.rake_cp + 2 * nights.guests + nights.drinks_cp).cumsum()
    till -= (nights.drinks_cp // 2 + 410).cumsum()
    assert till.tolist() == nights.till_cp.tolist()


def test_a_house_pays_as_far_as_its_till_goes() -> None:
    model = TavernModel(
        "rusty-flagon",
        rng=5,
        patrons=20,
        **{"taverns.0.till_cp": 0, "taverns.0.staff_cp": 300, "taverns.0.upkeep_cp": 50},
    )
    model.run_for(4)
    nights, ledger = model.nights, model.results()["ledger"]
    paid = ledger.pivot_table("amount_cp", "night", "reason", "sum").reindex(
        columns=["goods", "staff", "upkeep"], fill_value=0
    )
    unpaid = model.events.query("kind == 'unpaid'").set_index("night").amount_cp
    for night in nights.itertuples():
        income = 2 * night.guests + night.drinks_cp
        goods, staff, upkeep = paid.fillna(0).loc[night.night].astype(int).tolist()
        assert goods == min(income, night.drinks_cp // 2)
        assert staff == min(300, income - goods)
        assert upkeep == min(50, income - goods - staff)
        assert night.till_cp == income - goods - staff - upkeep
        assert unpaid[night.night] == night.drinks_cp // 2 + 350 - goods - staff - upkeep
    assert (unpaid > 0).all()


@settings(max_examples=60)
@given(scenarios(), seeds, st.integers(1, 2))
def test_every_night_of_any_town_balances(scenario: Scenario, seed: int, threads: int) -> None:
    """Account by account, held against the coins themselves and against plain sums."""
    model = TavernModel(scenario, rng=seed, threads=threads)
    start = coins(model)
    for _ in range(4):
        model.run_for(1)
        after = balances(start, model.results()["ledger"].itertuples())
        assert after.pop("pot", 0) == 0
        outside = after.pop("outside", 0)
        found = coins(model)
        assert {name: sum_ for name, sum_ in after.items() if sum_} == {
            name: sum_ for name, sum_ in found.items() if sum_
        }
        summary = model.ledger.summary()
        assert summary["opening_cp"] == sum(start.values())
        assert summary["closing_cp"] == sum(found.values()) == sum(start.values()) - outside
        assert summary["inflow_cp"] - summary["outflow_cp"] == -outside
        assert (model.people.gold >= 0).all()
        assert (model.tills >= 0).all()
        gone = model.people.whereabouts != HERE
        arrived = model.people.gone > 0
        assert not model.people.gold[gone & arrived].any()
