"""The books of a run made by hand, sum by sum; and those of a real one against a plain recount."""

import json
from collections import defaultdict
from pathlib import Path

import pandas as pd
import pytest

from tavern_abm import TavernModel
from tavern_abm.economies import TownBooks, books_of
from tavern_abm.economies.books import FACTS
from tavern_abm.economies.sources import Sources
from tavern_abm.run_folder import RunFolder, RunFolderError, read_run
from tavern_abm.scenario import Scenario
from tavern_abm.writing import write_run
from tests.economies.tiny_town import LEDGER, write_tiny_town


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> TownBooks:
    return books_of(read_run(write_tiny_town(tmp_path_factory.mktemp("tiny") / "run")))


def of_row(table: pd.DataFrame, row: object, *columns: str) -> list[object]:
    return [table.loc[row, column] for column in columns]


def test_facts_of_the_town(tiny: TownBooks) -> None:
    assert set(tiny.facts) == set(FACTS)
    books = ["opening_cp", "inflow_cp", "outflow_cp", "closing_cp"]
    assert [tiny.facts[name] for name in books] == [4210, 1243, 3518, 1935]
    there = ["purses_cp", "tills_cp", "treasury_cp"]
    assert [tiny.facts[name] for name in there] == [1914, 21, 21]
    assert tiny.facts["people"] == 3  # 3 + 3 + 3 over three nights
    assert (tiny.facts["houses"], tiny.facts["houses_open"]) == (2, 1)
    assert (tiny.facts["staked_cp"], tiny.facts["rake_cp"]) == (150, 2)
    assert tiny.facts["hold"] == pytest.approx(2 / 150, abs=1e-12)
    assert tiny.facts["turnover"] == pytest.approx((40 / 4359 + 110 / 1752) / 3, abs=1e-12)
    assert tiny.facts["lost_cp"] == 20
    assert tiny.facts["gambling_share"] == pytest.approx(20 / (20 + 92 + 60 + 2 + 20), abs=1e-12)
    assert tiny.facts["tax_rate"] == pytest.approx(20 / 728, abs=1e-12)
    assert (tiny.facts["mugs"], tiny.facts["mug_cp"]) == (12, 5.0)
    assert tiny.inhabitants == 50
    assert tiny.facts["quality_takings"] == 1  # 8 cp a night at quality 2, 20 at 5
    assert tiny.facts["district_takings"] is None  # nobody is left in the castle


def test_what_a_trade_earned_and_spent(tiny: TownBooks) -> None:
    sums = of_row(tiny.trades, "smith", "income_cp", "living_cp", "tax_cp", "fee_cp", "drink_cp")
    assert sums == [400, 80, 5, 2, 12]
    games = of_row(tiny.trades, "smith", "staked_cp", "payout_cp", "repaid_cp", "games_net_cp")
    assert games == [70, 118, -6, 42]
    rest = of_row(tiny.trades, "smith", "lent_cp", "arrived_cp", "bribe_cp", "net_cp")
    assert rest == [-5, 500, 7, 831]
    assert tiny.trades.loc["peasant", "given_cp"] == 15 - 5
    assert of_row(tiny.trades, "noble", "repaid_cp", "games_net_cp") == [6, -44]
    assert tiny.trades.loc["smith", "drink_a_day"] == (12 + 2) / 5
    assert tiny.trades.loc["noble", "estate_cp"] == 3201
    assert tiny.trades.loc["smith", "person_days"] == 5
    assert tiny.trades.loc["smith", "wage_cp"] == 100  # of most; of two alike the lower
    # Ann is paid on three days; Dee, who came on the second, on the third: 400 cp in four days.
    assert tiny.trades["paid_days"].to_dict() == {"noble": 2, "peasant": 3, "smith": 4}
    assert tiny.trades.loc["smith", "income_a_day"] == 100
    assert tiny.trades.loc["noble", "tax_a_day"] == 7.5
    assert tiny.trades.loc["peasant", "living_a_day"] == 4
    assert tiny.trades.loc["smith", "purses_cp"] == 1831
    assert of_row(tiny.trades, "peasant", "nights_out", "mugs") == [2, 4]


@pytest.mark.parametrize("which", ["trades", "ranks"])
def test_what_came_in_and_went_out_is_what_is_left(tiny: TownBooks, which: str) -> None:
    table = getattr(tiny, which)
    came = ["income_cp", "payout_cp", "repaid_cp", "lent_cp", "given_cp", "arrived_cp"]
    went = ["living_cp", "tax_cp", "fee_cp", "drink_cp", "bribe_cp", "staked_cp", "estate_cp"]
    net = table[came].sum(axis=1) - table[went].sum(axis=1)
    assert net.tolist() == table["net_cp"].tolist()


def test_ranks_are_sums_of_their_trades(tiny: TownBooks) -> None:
    assert list(tiny.ranks.index) == ["poor", "common", "noble"]
    names = [name for name in tiny.trades if str(name).endswith("_cp") and name != "wage_cp"]
    for name in set(names) - {"median_cp"}:
        assert tiny.ranks[name].sum() == tiny.trades[name].sum(), name


def test_the_books_of_a_house(tiny: TownBooks) -> None:
    ale = of_row(tiny.houses, 1, "drinks_cp", "fees_cp", "rake_cp", "takings_cp")
    assert ale == [20, 2, 2, 24]
    costs = of_row(tiny.houses, 1, "goods_cp", "staff_cp", "upkeep_cp", "excise_cp", "costs_cp")
    assert costs == [4, 90, 5, 1, 100]
    assert of_row(tiny.houses, 1, "profit_cp", "invested_cp", "till_cp") == [-76, 3, 21]
    assert of_row(tiny.houses, 1, "nights_open", "guests_per_night") == [3, 2.0]


def test_a_house_that_closed(tiny: TownBooks) -> None:
    bed = of_row(tiny.houses, 2, "nights_open", "closed_night", "wound_up_cp", "unpaid_cp")
    assert bed == [2, 2, 6, 56]
    assert of_row(tiny.houses, 2, "profit_cp", "profit_per_night_cp", "till_cp") == [-44, -22.0, 0]
    assert pd.isna(tiny.houses.loc[1, "closed_night"])


def test_a_till_is_what_it_was_and_what_came_and_went(tiny: TownBooks) -> None:
    tills = tiny.house_nights.pivot(index="night", columns="tavern_id", values="till_cp")
    assert tills.to_numpy().tolist() == [[17, 10], [14, 0], [21, 0]]


def test_money_by_night(tiny: TownBooks) -> None:
    assert tiny.money["purses_cp"].tolist() == [4070, 4332, 1738, 1914]  # night 0 with the gift
    assert tiny.money["tills_cp"].tolist() == [150, 27, 14, 21]
    assert tiny.money["inflow_cp"].tolist() == [15, 414, 614, 200]
    assert tiny.money["outflow_cp"].tolist() == [5, 275, 3221, 17]
    assert tiny.money["treasury_cp"].tolist() == [0, 21, 21, 21]


def test_losers_pay_winners_night_by_night(tiny: TownBooks) -> None:
    trades = tiny.transfers[tiny.transfers["by"] == "trade"]
    rows = trades[["loser", "winner", "amount_cp"]].to_numpy().tolist()
    assert rows == [
        ["noble", "peasant", 20.0],
        ["noble", "smith", 24.0],
        ["peasant", "smith", 18.0],
        ["peasant", "the house", 2.0],
    ]


def test_districts_count_who_lives_there_and_what_stands_there(tiny: TownBooks) -> None:
    assert list(tiny.districts.index) == ["market", "castle", "harbour"]
    assert tiny.districts["houses"].tolist() == [1, 1, 0]
    assert tiny.districts["people"].tolist() == pytest.approx([5 / 3, 1 / 3, 1])
    assert tiny.districts["takings_cp"].tolist() == [24, 40, 0]


def test_spending_is_what_purses_do_not_get_back(tiny: TownBooks) -> None:
    assert tiny.spending["amount_cp"].to_dict() == {
        "living": 92,
        "drink": 60,
        "fee": 2,
        "tax": 20,
        "games": 2,
        "bribe": 7,
    }
    assert tiny.spending["share"].sum() == pytest.approx(1)


def test_estates_of_the_dead_and_the_gone(tiny: TownBooks) -> None:
    assert tiny.estates.to_dict("index") == {
        "left": {"people": 0, "amount_cp": 0},
        "died": {"people": 1, "amount_cp": 3201},
    }


def test_only_those_here_both_times_can_move(tiny: TownBooks) -> None:
    assert tiny.mobility.loc[2].tolist() == [0, 1, 0, 0, 0]
    assert tiny.mobility.loc[[1, 3, 5]].isna().all(axis=None)
    assert tiny.facts["shorrocks"] is None
    assert tiny.facts["spearman"] == 1


def test_notes_say_what_a_figure_is_worth(tiny: TownBooks) -> None:
    few, short, bills, closed = tiny.notes
    assert "3/2" in few
    assert short.startswith("In 3 nights")
    assert (bills, closed) == (
        "One house could not pay all the bills on some night.",
        "One house closed for good.",
    )


def test_an_evening_at_home_is_the_fee_and_two_mugs(tmp_path: Path) -> None:
    people = Sources(read_run(write_tiny_town(tmp_path / "run"))).people
    assert people["evening_cp"].tolist() == [2 + 2 * 2, 0 + 2 * 20, 2 + 2 * 2, 2 + 2 * 2]


@pytest.mark.parametrize("version", [2, 3])
def test_older_runs_have_books_as_well(tmp_path: Path, version: int) -> None:
    books = books_of(read_run(write_tiny_town(tmp_path / "run", version=version)))
    assert books.houses["unpaid_cp"].tolist() == [0, 56]  # by the events
    assert books.houses["nights_open"].tolist() == [3, 3]
    assert books.districts["houses"].tolist() == [1, 1]  # where their home taverns stand
    is_known = version >= 3
    assert (books.facts["lost_cp"] is not None) == is_known
    assert any("older version" in note for note in books.notes) != is_known


def test_a_ledger_that_lacks_a_row_is_refused(tmp_path: Path) -> None:
    cut = "\n".join(LEDGER.strip().splitlines()[:-1])
    run = read_run(write_tiny_town(tmp_path / "run", ledger=cut))
    with pytest.raises(RunFolderError, match="its ledger comes to 1940 cp"):
        books_of(run)


def test_a_table_that_is_missing_is_named(tmp_path: Path) -> None:
    folder = write_tiny_town(tmp_path / "run")
    (folder / "evenings.parquet").unlink()
    with pytest.raises(RunFolderError, match="evenings"):
        books_of(read_run(folder))


def changed(folder: Path, table: str, column: str, row: int, value: object) -> None:
    """Change one value of a table that was written."""
    file = folder / f"{table}.parquet"
    frame = pd.read_parquet(file)
    values = frame[column].tolist()
    values[row] = value
    frame.assign(**{column: values}).to_parquet(file)


VALUES = {
    "a purse of the last night": ("wealth", "gold_cp", -1, 5_000_650, "the purses of night 3 hold"),
    "a purse of the start": ("wealth", "gold_cp", 1, 3_016, "hold 4076 cp, by the opening"),
    "somebody's who is nobody": (
        "wealth",
        "patron_id",
        3,
        99,
        r"patron_id must be 1 to 4 \(got 99",
    ),
    "a till": ("nights", "till_cp", 2, 13, "tavern 1 on night 2 is 13, by the ledger 14"),
    "a night that was doubled": ("nights", "night", 2, 1, "two rows of night 1, tavern_id 1"),
    "a night too many": ("evenings", "night", 0, 4, r"night must be 1 to 3 \(got 4"),
    "a rank": ("patrons", "rank", 0, "duke", r"unknown rank 'duke' \(ranks: poor, common"),
    "a person who was doubled": ("patrons", "patron_id", 2, 1, "two rows of patron_id 1"),
    "no amount": ("ledger", "amount_cp", 4, None, "amount_cp must be whole numbers"),
    "half a coin": ("ledger", "amount_cp", 4, 14.5, "amount_cp must be whole numbers"),
    "less than nothing": ("ledger", "amount_cp", 4, -14, r"at least 1 \(got -14"),
    "an odd house": ("ledger", "tavern_id", 8, 3, r"tavern_id must be 0 to 2 \(got 3"),
}


@pytest.mark.parametrize(("table", "column", "row", "value", "says"), VALUES.values(), ids=VALUES)
def test_a_value_that_does_not_fit_the_ledger_is_refused(
    tmp_path: Path, table: str, column: str, row: int, value: object, says: str
) -> None:
    folder = write_tiny_town(tmp_path / "run")
    changed(folder, table, column, row, value)
    with pytest.raises(RunFolderError, match=rf"{table}\.parquet: damaged: .*{says}") as error:
        books_of(read_run(folder))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("part", [0, 0.5, 2])
@pytest.mark.parametrize("table", ["wealth", "evenings", "nights"])
def test_rows_that_are_lacking_or_doubled_are_refused(
    tmp_path: Path, table: str, part: float
) -> None:
    folder = write_tiny_town(tmp_path / "run")
    file = folder / f"{table}.parquet"
    rows = pd.read_parquet(file)
    pd.concat([rows, rows]).head(int(part * len(rows))).to_parquet(file)
    with pytest.raises(RunFolderError, match=rf"{table}\.parquet: damaged: "):
        books_of(read_run(folder))


@pytest.mark.parametrize("nights", [0, 2, 4])
def test_nights_that_were_not_played_are_refused(tmp_path: Path, nights: int) -> None:
    folder = write_tiny_town(tmp_path / "run")
    info = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps(info | {"nights": nights}))
    with pytest.raises(RunFolderError, match=r"has 6 rows for \d nights? \(run\.json\)"):
        books_of(read_run(folder))


def test_a_run_that_tells_of_no_tills_has_books(tmp_path: Path) -> None:
    folder = write_tiny_town(tmp_path / "run")
    file = folder / "nights.parquet"
    pd.read_parquet(file).drop(columns="till_cp").to_parquet(file)
    assert books_of(read_run(folder)).facts["tills_cp"] == 21


def test_the_richest_town_is_counted_to_the_coin(tmp_path: Path) -> None:
    """Sums of which a float would lose the last digits."""
    times = 10**14 + 1
    folder = write_tiny_town(tmp_path / "run")
    for table in ("ledger", "wealth", "nights", "patrons"):
        file = folder / f"{table}.parquet"
        rows = pd.read_parquet(file)
        sums = {"amount_cp", "gold_cp", "till_cp", "start_cp", "end_cp", "games_net_cp"}
        rows.assign(**{name: rows[name] * times for name in sums & {*rows}}).to_parquet(file)
    info = json.loads((folder / "run.json").read_text())
    info["ledger"] = {name: sum_cp * times for name, sum_cp in info["ledger"].items()}
    (folder / "run.json").write_text(json.dumps(info))
    scenario = (folder / "scenario.toml").read_text()
    for till in (100, 50):
        scenario = scenario.replace(f"till_cp = {till}\n", f"till_cp = {till * times}\n")
    (folder / "scenario.toml").write_text(scenario)
    books = books_of(read_run(folder))
    names = ["opening_cp", "inflow_cp", "closing_cp", "purses_cp", "tills_cp", "treasury_cp"]
    sums_cp = [4210, 1243, 1935, 1914, 21, 21]
    assert [books.facts[name] for name in names] == [sum_cp * times for sum_cp in sums_cp]
    for table in (books.trades, books.ranks):
        assert sorted(table["purses_cp"]) == [0, 83 * times, 1831 * times]
    assert books.houses["profit_cp"].tolist() == [-76 * times, -44 * times]


def test_of_two_names_of_a_trade_the_fitting_one_is_told(tmp_path: Path) -> None:
    folder = write_tiny_town(tmp_path / "run")
    file = folder / "patrons.parquet"
    patrons = pd.read_parquet(file).assign(trade=["barmaid", "barmaid", "laundress", "smith"])
    patrons.to_parquet(file)
    people = Sources(read_run(folder)).people
    assert people["called"].tolist() == ["barmaid", "potman", "launderer", "smith"]
    assert people["trade"].tolist() == ["barmaid", "barmaid", "laundress", "smith"]


# A town that was played


TOWN = {
    "patrons": 90,
    "economy": {"tax_bp": 700, "excise_bp": 400},
    "taverns": [
        {
            "name": "The Anchor",
            "district": "harbour",
            "quality": 1,
            "custom": "dockside",
            "rake_bp": 300,
            "capacity": 40,
            "tables": [{"game": "rotting-toes"}, {"game": "heads-or-tails"}],
        },
        {"name": "The Crown", "district": "castle", "quality": 4, "custom": "decent"},
        {"name": "The Tusk", "district": "gate", "custom": "orc", "till_cp": 100, "capacity": 20},
    ],
}
NIGHTS = 9


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    model = TavernModel(Scenario.model_validate(TOWN), rng=5)
    model.run_for(4)
    model.intervene(3, 70)
    model.run_for(NIGHTS - 4)
    return read_run(write_run(model, tmp_path_factory.mktemp("town") / "run", report=False))


def test_what_is_given_between_nights_fits_the_ledger(tmp_path: Path) -> None:
    model = TavernModel(Scenario.model_validate({"patrons": 30}), rng=3)
    model.patron(1).gold += 300
    for _ in range(3):
        model.run_for(1)
        model.patron(1).gold += 500
        model.patron(2).gold //= 2
    model.run_for(1)
    model.patron(1).gold //= 2  # nothing but taken
    model.run_for(1)
    folder = write_run(model, tmp_path / "run", report=False)
    assert books_of(read_run(folder)).trades["given_cp"].sum() != 0
    wealth = pd.read_parquet(folder / "wealth.parquet", columns=["gold_cp"])
    changed(folder, "wealth", "gold_cp", -1, int(wealth["gold_cp"].iloc[-1]) + 1)
    with pytest.raises(RunFolderError, match="the purses of night 5 hold"):
        books_of(read_run(folder))


class Almoner(TavernModel):
    """Gives to somebody as the day begins: it is booked, and then counted, on the same night."""

    def step(self) -> None:
        self.patron(1).gold += 40
        super().step()


def test_what_is_given_by_day_fits_the_ledger(tmp_path: Path) -> None:
    model = Almoner(Scenario.model_validate({"patrons": 30}), rng=3)
    model.run_for(2)
    books = books_of(read_run(write_run(model, tmp_path / "run", report=False)))
    assert books.trades["given_cp"].sum() == 80


def test_nobody_earns_more_than_a_wage_where_people_come_and_go(tmp_path: Path) -> None:
    """Travellers stay three nights: who comes earns nothing that day, who leaves still does."""
    stay = {"leave_prob": 0.33, "arrive_prob": 0.67}
    scenario = Scenario.model_validate({"patrons": 40, "population": stay})
    model = TavernModel(scenario, rng=3)
    model.run_for(NIGHTS)
    trades = books_of(read_run(write_run(model, tmp_path / "run", report=False))).trades
    assert len(trades) > 4
    assert (trades["income_a_day"] <= trades["wage_cp"]).all()
    assert (trades["paid_days"] != trades["person_days"]).any()
    paid = trades[trades["income_cp"] > 0]
    assert (paid["income_cp"] > paid["wage_cp"] * paid["person_days"]).any()


@pytest.fixture(scope="module")
def town(played: RunFolder) -> TownBooks:
    return books_of(played)


def test_every_night_comes_to_the_coins_that_were_counted(
    played: RunFolder, town: TownBooks
) -> None:
    counted = played.table("wealth").groupby("night")["gold_cp"].sum()
    booked = town.money["purses_cp"].copy()
    booked.loc[4] -= 70  # given when that night had been counted
    assert booked.tolist() == counted.tolist()
    tills = played.table("nights").pivot(index="night", columns="tavern_id", values="till_cp")
    mine = town.house_nights.pivot(index="night", columns="tavern_id", values="till_cp")
    assert mine.to_numpy().tolist() == tills.to_numpy().tolist()
    assert town.facts["closing_cp"] == played.info["ledger"]["closing_cp"]
    assert town.facts["treasury_cp"] == played.info["ledger"]["treasury_cp"] > 0


def test_trades_add_up_to_the_rows_of_the_ledger(played: RunFolder, town: TownBooks) -> None:
    sums: dict[tuple[str, str], int] = defaultdict(int)
    for row in played.table("ledger").itertuples():
        for account, sign in ((row.to_account, 1), (row.from_account, -1)):
            if str(account).startswith("purse/"):
                sums[str(account)[6:], str(row.reason)] += sign * int(row.amount_cp)
    for trade, row in town.trades.iterrows():
        of_trade = {reason: cp for (name, reason), cp in sums.items() if name == trade}
        assert row["net_cp"] == sum(of_trade.values())
        assert row["income_cp"] == of_trade["wage"]
        assert -row["drink_cp"] == of_trade.get("drink", 0)
        won = sum(of_trade.get(reason, 0) for reason in ("stake", "payout", "repayment"))
        assert row["games_net_cp"] == won


def test_games_bring_a_trade_what_they_brought_its_people(
    played: RunFolder, town: TownBooks
) -> None:
    people = played.table("patrons", ["trade", "games_net_cp"])
    by_trade = people.groupby("trade")["games_net_cp"].sum()
    assert town.trades["games_net_cp"].to_dict() == by_trade.to_dict()


def test_houses_take_what_the_nights_say(played: RunFolder, town: TownBooks) -> None:
    nights = played.table("nights").groupby("tavern_id")
    assert town.houses["drinks_cp"].tolist() == nights["drinks_cp"].sum().tolist()
    assert town.houses["rake_cp"].tolist() == nights["rake_cp"].sum().tolist()
    assert town.houses["guests"].tolist() == nights["guests"].sum().tolist()
    moved = town.houses["till_cp"] - town.houses["till_start_cp"]
    out = town.houses["invested_cp"] + town.houses["wound_up_cp"]
    assert (town.houses["profit_cp"] - out).tolist() == moved.tolist()


def test_every_account_of_the_flows_is_balanced(town: TownBooks) -> None:
    into = town.flows.groupby("target")["amount_cp"].sum()
    out = town.flows.groupby("source")["amount_cp"].sum()
    assert into["tables"] == out["tables"]
    assert into["treasury"] == town.facts["treasury_cp"]
    assert out["outside"] == town.facts["inflow_cp"]
    assert into["outside"] + into["treasury"] == town.facts["outflow_cp"]
    tills = town.houses["till_cp"].sum() - town.houses["till_start_cp"].sum()
    assert into["tills"] - out["tills"] == tills


def test_transfers_come_to_what_each_group_won_and_lost(town: TownBooks) -> None:
    for by, table in (("trade", town.trades), ("rank", town.ranks)):
        some = town.transfers[town.transfers["by"] == by]
        won = some.groupby("winner")["amount_cp"].sum()
        lost = some.groupby("loser")["amount_cp"].sum()
        nets = won.reindex(table.index, fill_value=0) - lost.reindex(table.index, fill_value=0)
        assert nets.tolist() == pytest.approx(table["games_net_cp"].tolist(), abs=1e-6)
        assert won["the house"] == pytest.approx(town.facts["rake_cp"], abs=1e-6)


def test_no_figure_is_negative_that_cannot_be(town: TownBooks) -> None:
    may_be = {"profit_cp", "net_cp", "games_net_cp", "repaid_cp", "lent_cp", "given_cp"}
    for table in (town.trades, town.ranks, town.houses, town.house_nights, town.money, town.flows):
        for name in table.select_dtypes("number"):
            if name not in may_be and not str(name).startswith(("profit_per", "games_net_a")):
                assert (table[name].dropna() >= 0).all(), name


def test_nobody_drank_more_than_he_owned(played: RunFolder, town: TownBooks) -> None:
    owned = town.trades["income_cp"] + town.trades["arrived_cp"] + town.trades["given_cp"]
    start = played.table("patrons", ["trade", "start_cp", "arrived_night"])
    start = start[start["arrived_night"] == 0].groupby("trade")["start_cp"].sum()
    won = town.trades["games_net_cp"].clip(lower=0)
    drunk = town.trades["drink_cp"] + town.trades["fee_cp"]
    assert (drunk <= owned + start.reindex(town.trades.index, fill_value=0) + won).all()
