"""Every coin of every town is accounted for, every night: purses, tills, pots and what goes out.

Towns of one to five houses with all the games, taxes, failing and thriving
houses, deaths, bans, loans and bribes, and somebody who hands out coins or takes
them between two nights. The books are read back from the rows of the ledger and
held against coins that are counted where they lie.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tavern_abm import Scenario, TavernModel
from tavern_abm.patrons.columns import DEAD, HERE, LEFT
from tests.strategies import CUSTOMS, probs, seeds

N_NIGHTS = 6
QUARTERS = ("market", "harbour", "hill")
STAKES = st.just("auto") | st.integers(1, 200)
ALL_IN = {"limit": "no", "max_raises": 4}


@st.composite
def tables(draw: st.DrawFn) -> dict[str, Any]:
    """A room for one of the games, with the options at which most coins can go astray."""
    game = draw(st.sampled_from(["rotting-toes", "magic-wand", "arm-wrestling", "heads-or-tails"]))
    return {
        "game": game,
        "count": draw(st.just("auto") | st.integers(0, 2)),
        "seats": draw(st.integers(4 if game == "magic-wand" else 2, 8)),
        "stake": draw(STAKES),
        "options": ALL_IN if game == "magic-wand" and draw(st.booleans()) else {},
    }


@st.composite
def houses(draw: st.DrawFn, number: int) -> dict[str, Any]:
    """A house with whatever can go wrong: rake, fees, empty tills, bills beyond its means."""
    price = st.just("auto") | st.integers(0, 12)
    yard = st.builds(
        lambda game, stake: {"game": game, "rounds": [1], "stake": stake},
        st.sampled_from(["race", "long-throw"]),
        STAKES,
    )
    return {
        "name": f"House {number}",
        "district": draw(st.sampled_from(QUARTERS)),
        "quality": draw(st.integers(1, 5)),
        "capacity": draw(st.just("auto") | st.integers(1, 30)),
        "custom": draw(st.sampled_from(CUSTOMS)),
        "rake_bp": draw(st.sampled_from([0, 500, 3333, 10_000])),
        "seat_fee_cp": draw(price),
        "mug_cp": draw(price),
        "mugs_mean": draw(st.floats(0, 20)),
        "goods_bp": draw(st.integers(0, 10_000)),
        "staff_cp": draw(st.just("auto") | st.integers(0, 900)),
        "upkeep_cp": draw(st.just("auto") | st.integers(0, 50)),
        "till_cp": draw(st.just("auto") | st.integers(0, 600)),
        "tables": draw(st.lists(tables(), max_size=3)),
        "yard": draw(st.lists(yard, max_size=1)),
    }


@st.composite
def towns(draw: st.DrawFn) -> Scenario:
    """A small town, rich or poor, in which somebody or other is always about to be ruined."""
    n = draw(st.integers(1, 5))
    quarters = [
        {"name": name, "share": share, "near": near}
        for name, share, near in zip(
            QUARTERS, draw(st.tuples(*[st.integers(1, 9)] * 3)), ([], ["market"], []), strict=True
        )
    ]
    named = {
        "patrons": st.integers(1, 60),
        "rounds_per_night": st.integers(1, 8),
        "rounds_per_sitting": st.integers(2, 6),
        "population.share_of_cheats": st.floats(0.01, 0.9),
        "population.leave_prob": st.sampled_from([0.0, 0.1, 1.0]),
        "population.arrive_prob": st.sampled_from([0.0, 0.5, 1.0]),
        "population.purse_days": st.sampled_from([0.01, 1.0, 15.0]),
        "economy.wages": st.booleans(),
        "economy.living": st.booleans(),
        "economy.tax_bp": st.sampled_from([0, 777, 10_000]),
        "economy.excise_bp": st.sampled_from([0, 333, 10_000]),
        "economy.wages_cp": st.sampled_from([{}, {"farmer": 0, "smith": 1, "guard": 3}]),
        "fortunes.closing": st.booleans(),
        "fortunes.close_after": st.integers(1, 3),
        "fortunes.growth": st.booleans(),
        "fortunes.every": st.integers(1, 3),
        "fortunes.thrives_at": st.sampled_from([0.01, 1.0]),
        "fortunes.table_cp": st.integers(0, 300),
        "minds.tau": probs,
        "minds.go_out_prob": st.sampled_from([0.6, 1.0]),
        "minds.roaming": st.booleans(),
        "justice.accuse_prob": probs,
        "justice.threshold_mean": st.floats(-3, 1),
        "flight.runs": st.booleans(),
        "bribes.bribe_prob": st.sampled_from([0.0, 0.5, 1.0]),
        "loans.lending": st.booleans(),
        "loans.dodge_prob": probs,
        "districts": st.sampled_from([[], quarters]),
    }
    chosen = {name: draw(values) for name, values in named.items()}
    taverns = [draw(houses(number)) for number in range(1, n + 1)]
    return Scenario().with_settings(chosen | {"taverns": taverns})


gifts = st.lists(st.tuples(st.integers(0, 10**6), st.integers(-500, 500)), max_size=3)


class Watched:
    """A run whose coins are counted after every night and every gift.

    Attributes
    ----------
    purses, tills : list of int
        Coins counted as each night closed, from night 0 on.
    """

    def __init__(self, scenario: Scenario, seed: int) -> None:
        self.model = TavernModel(scenario, rng=seed)
        self.purses: list[int] = []
        self.tills: list[Any] = []
        self.count()

    def count(self) -> None:
        model = self.model
        people, n = model.people, model.n_rows
        assert people.gold[:n].min() >= 0
        assert model.tills.min() >= 0
        gone = people.whereabouts[:n] != HERE
        assert set(people.whereabouts[:n][gone].tolist()) <= {DEAD, LEFT}
        assert not people.gold[:n][gone].any()
        self.purses.append(int(people.gold[:n].sum()))
        self.tills.append(model.tills.copy())
        self.look_at_houses()

    def look_at_houses(self) -> None:
        """A closed house has nothing, and nobody calls it his own while another is open."""
        model = self.model
        is_open = model.houses.is_open == 1
        assert not model.tills[~is_open].any()
        if is_open.any():
            assert is_open[model.people.home].all()

    def play(self, gifts_by_night: list[list[tuple[int, int]]]) -> Watched:
        for some in gifts_by_night:
            self.model.run_for(1)
            for pick, amount in some:
                self.give(pick, amount)
            self.count()
        return self

    def give(self, pick: int, amount: int) -> None:
        living = self.model.living()
        if len(living):
            row = int(living[pick % len(living)])
            self.model.intervene(row, max(amount, -int(self.model.people.gold[row])))


def by_account(ledger: pd.DataFrame, n_taverns: int) -> pd.DataFrame:
    """What each account took in less what it gave out, by night, from the rows of the ledger."""
    sides = [
        ledger.assign(account=ledger[side], amount_cp=sign * ledger["amount_cp"])
        for side, sign in (("to_account", 1), ("from_account", -1))
    ]
    rows = pd.concat(sides)
    rows["account"] = [
        "purses" if str(account).startswith("purse/") else account for account in rows["account"]
    ]
    names = ["purses", "pot", "treasury", "outside", *(f"till/{i + 1}" for i in range(n_taverns))]
    table = rows.pivot_table("amount_cp", "night", "account", "sum", fill_value=0)
    return table.reindex(index=range(1, N_NIGHTS + 1), columns=names, fill_value=0)


def hold_books_against_coins(run: Watched) -> None:
    """Purses, tills and pots as counted are what the rows of the ledger make of them."""
    model = run.model
    n = len(run.tills[0])
    ledger = model.results()["ledger"]
    assert (ledger["amount_cp"] > 0).all()
    moved = by_account(ledger, n)
    assert moved["purses"].tolist() == np.diff(run.purses).tolist()
    for i in range(n):
        assert moved[f"till/{i + 1}"].tolist() == np.diff([each[i] for each in run.tills]).tolist()
    assert not moved["pot"].any()
    in_pots = ledger[(ledger["from_account"] == "pot") | (ledger["to_account"] == "pot")]
    sign = np.where(in_pots["to_account"] == "pot", 1, -1)
    by_house = (in_pots["amount_cp"] * sign).groupby([in_pots["night"], in_pots["tavern_id"]])
    assert not by_house.sum().any()
    start = run.purses[0] + int(run.tills[0].sum())
    out = moved["outside"].sum() + moved["treasury"].sum()
    assert run.purses[-1] + run.tills[-1].sum() == start - out
    summary = model.ledger.summary()
    assert summary["opening_cp"] == start
    assert summary["closing_cp"] == start + summary["inflow_cp"] - summary["outflow_cp"]
    assert summary["closing_cp"] == run.purses[-1] + run.tills[-1].sum()
    assert summary["treasury_cp"] == moved["treasury"].sum()


def hold_events_against_books(run: Watched) -> None:
    """Estates, investments and closures are in the books as the sentences say."""
    results = run.model.results()
    events, ledger = results["events"], results["ledger"]
    booked = ledger.groupby("reason")["amount_cp"].sum()
    told = events.groupby("kind")["amount_cp"].sum()

    def at(sums: pd.Series[int], *names: str) -> int:
        return int(sum(sums.get(name, 0) for name in names))

    assert at(told, "killed", "left") == at(booked, "estate")
    assert at(told, "arrived") == at(booked, "arrival")
    assert at(told, "table_added") == at(booked, "investment")
    assert at(told, "closed") == at(booked, "closure")
    killed = events.query("kind == 'killed'")
    assert all("went to the heirs" in text for text in killed["text"])
    for event in events.query("kind == 'closed'").itertuples():
        own = ledger[ledger["tavern_id"] == event.tavern_id]
        assert not (own["night"] > event.night).any()
    nights = results["nights"]
    assert (nights["unpaid_cp"] >= 0).all()
    assert not nights.loc[~nights["is_open"], ["guests", "rounds", "unpaid_cp"]].to_numpy().any()
    unpaid = events.query("kind == 'unpaid'")
    assert unpaid["amount_cp"].sum() == nights["unpaid_cp"].sum()


def verify_town(scenario: Scenario, seed: int, gifts_by_night: list[list[tuple[int, int]]]) -> None:
    run = Watched(scenario, seed).play(gifts_by_night)
    hold_books_against_coins(run)
    hold_events_against_books(run)


nights = st.lists(gifts, min_size=N_NIGHTS, max_size=N_NIGHTS)
HEAVY = [HealthCheck.too_slow, HealthCheck.data_too_large]


@settings(max_examples=15, suppress_health_check=HEAVY)
@given(towns(), seeds, nights)
def test_every_coin_is_accounted_for(
    scenario: Scenario, seed: int, gifts_by_night: list[list[tuple[int, int]]]
) -> None:
    verify_town(scenario, seed, gifts_by_night)


@pytest.mark.slow
@settings(max_examples=400, suppress_health_check=HEAVY)
@given(towns(), seeds, nights)
def test_every_coin_is_accounted_for_in_many_towns(
    scenario: Scenario, seed: int, gifts_by_night: list[list[tuple[int, int]]]
) -> None:
    verify_town(scenario, seed, gifts_by_night)


# ---------------------------------------------------------------- what must happen in some town

BLOODY = {
    "patrons": 80,
    "population.share_of_cheats": 0.5,
    "minds.tau": 0.9,
    "justice.threshold_mean": -2.0,
    "justice.accuse_prob": 1.0,
    "bribes.bribe_prob": 0.3,
    "economy.tax_bp": 500,
    "economy.excise_bp": 500,
    "fortunes.close_after": 2,
    "fortunes.growth": True,
    "fortunes.every": 2,
    "fortunes.thrives_at": 0.5,
    "fortunes.table_cp": 150,
    "taverns": [
        {
            "name": "The Knife",
            "custom": "orc",
            "rake_bp": 500,
            "staff_cp": 10,
            "till_cp": 500,
            "tables": [
                {"game": "rotting-toes", "count": 1},
                {"game": "magic-wand", "options": ALL_IN},
            ],
        },
        {"name": "The Sieve", "custom": "decent", "staff_cp": 3000, "till_cp": 900},
    ],
}
"""Men are killed, a house fails, another thrives, and taxes are paid."""


@pytest.fixture(scope="module")
def bloody() -> Watched:
    hand_outs = [[(7 * night, 40), (night, -40)] for night in range(N_NIGHTS)]
    return Watched(Scenario().with_settings(BLOODY), 5).play(hand_outs)


def test_a_bloody_town_balances(bloody: Watched) -> None:
    hold_books_against_coins(bloody)
    hold_events_against_books(bloody)


def test_all_that_can_happen_to_coins_does_happen_there(bloody: Watched) -> None:
    results = bloody.model.results()
    reasons = {"tax", "excise", "estate", "intervention", "investment", "rake", "bribe"}
    assert set(results["ledger"]["reason"]) >= reasons
    events = results["events"]
    assert {"killed", "closed", "table_added"} <= set(events["kind"])
    killed = events.query("kind == 'killed'")["text"]
    assert killed.str.contains("cut down at the table").any()
    assert killed.str.contains("cut down in the street").any()


def test_the_estate_of_a_man_is_the_purse_he_died_with(bloody: Watched) -> None:
    """By the sentence, by the books and by his trade."""
    results = bloody.model.results()
    events = results["events"].query("kind == 'killed'")
    trades = results["patrons"].set_index("patron_id")["trade"]
    told = events.groupby([events["night"], events["patron_id"].map(trades)])["amount_cp"].sum()
    at_table = results["ledger"].query("reason == 'estate' and tavern_id > 0")
    trade = at_table["from_account"].str.removeprefix("purse/")
    booked = at_table.groupby([at_table["night"], trade])["amount_cp"].sum()
    told.index.names = booked.index.names = ["night", "trade"]
    pd.testing.assert_series_equal(told[told > 0], booked, check_names=False)


def test_nobody_drinks_more_than_a_tenth_of_what_he_owned() -> None:
    """Where there is nothing to win, what he came with bounds what he drinks."""
    scenario = Scenario().with_settings(
        {
            "patrons": 200,
            "population.purse_days": 1.0,
            "population.leave_prob": 0.0,
            "loans.lending": False,
            "taverns": [{"tables": [], "mugs_mean": 20.0, "quality": quality, "name": f"{quality}"}
                        for quality in range(1, 6)],
        }
    )  # fmt: skip
    model = TavernModel(scenario, rng=2)
    people = model.people
    for _ in range(5):
        before = people.drinks_cp.copy()
        model.run_for(1)
        drunk = people.drinks_cp - before
        assert drunk.sum() > 0
        assert (10 * drunk <= people.gold + drunk).all()
