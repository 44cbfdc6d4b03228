"""The page of a town's money: one file, no network, every number true to the books."""

import dataclasses
import json
import re

import numpy as np
import pandas as pd
import pytest

from tavern_abm.economies import TownBooks, books_of
from tavern_abm.economies.page import page
from tavern_abm.economies.page_headlines import headlines, small_percent
from tavern_abm.economies.page_panels import panels
from tavern_abm.economies.text import text_of
from tavern_abm.plots.houses import MOST_EACH
from tavern_abm.report.panel import Panel
from tavern_abm.run_folder import read_run
from tests.economies.tiny_town import write_tiny_town
from tests.fake_economy import AWKWARD, fake_books
from tests.test_report import Page

PANELS = [
    "money",
    "taverns",
    "supply",
    "trades",
    "houses",
    "districts",
    "owners",
    "mobility",
    "winners",
    "turns",
]
DRAWN = ["money", "taverns", "supply", "trades", "houses", "owners", "mobility"]


def without_people(books: TownBooks) -> TownBooks:
    """The same town with nobody in it."""
    wealth = books.wealth.astype(float)
    wealth.loc[:] = np.nan
    wealth["n"], wealth["total_cp"] = 0.0, 0.0
    facts = {name: None if value is None else 0 for name, value in books.facts.items()}
    nobody: dict[str, float | int | None] = dict.fromkeys(
        ("hold", "turnover", "gambling_share", "mug_cp", "tax_rate", "spearman", "shorrocks")
    )
    return dataclasses.replace(
        books,
        facts=facts | nobody,
        trades=books.trades.head(0),
        ranks=books.ranks.head(0),
        spending=books.spending.assign(amount_cp=0, share=0.0),
        houses=books.houses.head(0),
        districts=books.districts.head(0),
        flows=books.flows.head(0),
        money=books.money.head(0),
        transfers=books.transfers.head(0),
        wealth=wealth,
        lorenz=books.lorenz.head(0),
        mobility=books.mobility * np.nan,
        turns=books.turns.head(0),
    )


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> TownBooks:
    return books_of(read_run(write_tiny_town(tmp_path_factory.mktemp("tiny") / "run")))


@pytest.fixture(scope="module")
def fake_page() -> Page:
    return Page(page(fake_books()))


def panel(books: TownBooks, name: str) -> Panel:
    return next(each for each in panels(books) if each.id == name)


def cells(books: TownBooks, name: str) -> dict[str, dict[str, str]]:
    """A panel's table: by its first column, then by the names of the others."""
    found = panel(books, name)
    return {
        str(row[0]): dict(zip(found.columns[1:], map(str, row[1:]), strict=True))
        for row in found.rows
    }


def headline(books: TownBooks, name: str) -> dict[str, str]:
    return next(each for each in headlines(books) if each["name"] == name)


# ---------------------------------------------------------------- the file


def test_nothing_comes_from_elsewhere(fake_page: Page) -> None:
    for tag, attrs in fake_page.tags:
        assert tag not in ("link", "iframe", "base", "object")
        assert "src" not in attrs
        assert not (attrs.get("href") or "#").startswith(("http", "//"))
    policy = next(a for _, a in fake_page.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert str(policy["content"]).startswith("default-src 'none';")


def test_the_same_books_give_the_same_bytes() -> None:
    assert page(fake_books()) == page(fake_books())


@pytest.mark.parametrize("n_houses", [1, 12, 831])
def test_it_stays_small_however_large_the_town(n_houses: int) -> None:
    text = page(fake_books(n_houses=n_houses, awkward=False))
    assert len(text.encode()) < 6_000_000
    assert text.count("<tr>") < 200


def test_every_part_has_a_finding_and_numbers(fake_page: Page) -> None:
    assert [a["id"] for t, a in fake_page.tags if t == "figure"] == PANELS
    assert list(fake_page.data("figures")) == DRAWN
    plots = [a for t, a in fake_page.tags if a.get("role") == "img"]
    assert [a["id"] for a in plots] == [f"{name}-plot" for name in DRAWN]
    tags = [t for t, _ in fake_page.tags]
    assert tags.count("figcaption") == tags.count("table") == len(PANELS)
    assert len(fake_page.ids()) == len(set(fake_page.ids()))
    linked = [str(a["href"])[1:] for t, a in fake_page.tags if t == "a"]
    assert set(linked) <= set(fake_page.ids())


def test_names_stay_text(fake_page: Page) -> None:
    for name in (*AWKWARD, "<script>alert('boo')</script>"):
        assert name in fake_page.text
    assert sum(t == "script" for t, _ in fake_page.tags) == 3


def test_notes_stand_on_the_page(fake_page: Page) -> None:
    assert fake_books().notes[0] in fake_page.text


# ---------------------------------------------------------------- true to the books


def test_the_flows_as_a_table_are_those_of_the_ledger(tiny: TownBooks) -> None:
    rows = panel(tiny, "money").rows
    assert len(rows) == len(tiny.flows)
    assert ["tills", "outside", "goods", "2 sp 4 cp", "8 cp"] in rows
    assert ["nobles", "outside", "estate", "32 gp", "10 gp 7 sp"] in rows


def test_houses_in_numbers(tiny: TownBooks) -> None:
    houses = cells(tiny, "houses")
    assert list(houses) == ["The Bed", "The Ale"]
    assert houses["The Bed"]["A mug"] == "2 sp"
    assert houses["The Bed"]["District"] == "castle"
    # 24 cp in three nights; 100 for goods, staff, rent and excise.
    assert houses["The Ale"]["Takes"] == "8 cp"
    assert houses["The Ale"]["Makes"] == "-2 sp 5 cp"
    assert "The Ale loses 2 sp 5 cp a night" in panel(tiny, "houses").finding


def test_trades_in_numbers(tiny: TownBooks) -> None:
    trades = cells(tiny, "trades")
    row = tiny.trades.loc["smith"]
    assert trades["smith"]["Living"] == f"{row['living_cp'] / row['paid_days']:.1f} cp"
    assert trades["noble"]["Games"] == f"{-44 / tiny.trades.loc['noble', 'person_days']:.1f} cp"


def test_owners_in_numbers() -> None:
    owners = cells(fake_books(), "owners")
    assert owners["Gini coefficient"]["purses at the end"] == "0.460"
    assert owners["The richest tenth"]["purses at the start"] == "31\xa0%"
    assert "0.430 to 0.460" in panel(fake_books(), "owners").finding


def test_a_small_sample_says_so() -> None:
    books = fake_books()
    books.wealth.loc["end", "n"] = 21
    assert "n/(n−1), here 1.050" in panel(books, "owners").caption
    books.wealth.loc["end", "n"] = 500
    assert "here" not in panel(books, "owners").caption


def test_who_won_whose_money_is_a_matrix() -> None:
    won = cells(fake_books(), "winners")
    assert won["the poor"] == {
        "won by common people": "3 gp 1 sp 1 cp",
        "won by nobles": "2 sp",
        "won by the house": "–",
    }
    finding = panel(fake_books(), "winners").finding
    assert finding == (
        "On balance, in 10 nights, most went, between ranks from the poor to common people: "
        "3 gp 1 sp 1 cp, and between trades from labourers to smiths: 3 gp 1 sp 1 cp."
    )


def test_what_nothing_was_spent_on_is_left_out() -> None:
    assert "bribes" not in cells(fake_books(), "taverns")
    assert "living" in cells(fake_books(), "taverns")


def test_a_labourer_and_his_mug() -> None:
    books = fake_books()
    assert headline(books, "A labourer's wage a day")["value"] == "1 sp 4 cp"
    mug = headline(books, "A mug, on average")
    assert mug["value"] == "4.2 cp"
    assert "a labourer works 30\xa0% of a day" in mug["meaning"]
    no_labourers = dataclasses.replace(books, trades=books.trades.drop(index="labourer"))
    assert headline(no_labourers, "A smith's wage a day")["value"] == "1 gp 1 sp"


def test_the_page_tells_of_the_same_trade_as_the_text() -> None:
    books = fake_books()
    peasants = dataclasses.replace(books, trades=books.trades.rename({"labourer": "peasant"}))
    assert "A peasant, a day" in text_of(peasants)
    assert headline(peasants, "A peasant's wage a day")["value"] == "1 sp 4 cp"
    assert panel(peasants, "trades").finding.startswith("A peasant earns")


def test_what_is_lived_on_may_be_more_than_the_wage() -> None:
    meaning = headline(fake_books(), "A labourer's wage a day")["meaning"]
    # (0.5 evenings x 2 cp + 1.2 mugs x 4 cp) a day.
    assert meaning == (
        "Lives on 1 sp 1 cp, pays 5.8 cp for drink and fees, and loses 0.6 cp at the tables, on "
        "an average day."
    )
    assert "Drink and fees" in panel(fake_books(), "trades").columns


def test_of_many_trades_the_games_are_told_of_those_with_most_people() -> None:
    books = fake_books()
    many = pd.concat([books.trades.rename(index=lambda name, i=i: f"{name} {i}") for i in range(9)])
    finding = panel(dataclasses.replace(books, trades=many), "trades").finding
    assert "Of the 20 trades with most people the games cost" in finding
    assert "The games cost a labourer most, 0.6 cp a day" in panel(books, "trades").finding


def test_what_passed_between_ranks_is_told_net_as_in_the_text() -> None:
    rows = [
        ("rank", "common", "poor", 5000.0),
        ("rank", "poor", "common", 4950.0),
        ("rank", "noble", "common", 120.0),
        ("trade", "smith", "noble", 7000.0),
        ("trade", "smith", "the house", 9000.0),
    ]
    transfers = pd.DataFrame(rows, columns=["by", "loser", "winner", "amount_cp"])
    found = panel(dataclasses.replace(fake_books(), transfers=transfers), "winners").finding
    assert "between ranks from nobles to common people: 1 gp 2 sp" in found
    assert "between trades from smiths to nobles: 70 gp" in found
    nobody = dataclasses.replace(fake_books(), transfers=transfers.head(0))
    assert panel(nobody, "winners").finding == "No rank or trade won anything from another."


def test_where_too_few_stayed_nothing_is_said_of_rising(tiny: TownBooks) -> None:
    assert tiny.facts["shorrocks"] is None
    assert "mobility" not in [each.id for each in panels(tiny)]
    assert "poorest fifth" not in text_of(tiny)


def test_two_shares_of_what_is_spent_say_of_what() -> None:
    books = fake_books()
    facts = books.facts | {"lost_cp": 4_500, "gambling_share": 0.21}
    finding = panel(dataclasses.replace(books, facts=facts), "taverns").finding
    assert "of what left people's purses for good." in finding
    assert "was 45 gp: counted as spent, it is 21\xa0% of all that people spend." in finding


def test_a_till_is_rounded_as_in_the_text() -> None:
    books = fake_books()
    books.houses.loc[3, "till_cp"] = 6225
    assert cells(books, "houses")[AWKWARD[2]]["Till"] == "62 gp 3 sp"
    line = next(each for each in text_of(books).splitlines() if each.startswith(AWKWARD[2]))
    assert line.endswith("62 gp 3 sp")


def test_the_richest_and_the_poorest_district_are_named() -> None:
    books = fake_books()
    books.districts["median_cp"] = [800.0, 95.5, np.nan]
    first, second = books.districts.index[:2]
    assert panel(books, "districts").finding == (
        f"There are 3 districts. By the median purse {first} is the richest, with 8 gp, and "
        f"{second} the poorest, with 9 sp 6 cp."
    )
    books.districts["median_cp"] = np.nan
    assert panel(books, "districts").finding == "There are 3 districts."


def test_vacant_places_are_told(fake_page: Page) -> None:
    assert re.search(r"Places that stand vacant\s*4 of 190", fake_page.text)
    full = dataclasses.replace(fake_books(), facts=fake_books().facts | {"places": 186})
    assert "stand vacant" not in Page(page(full)).text


def test_a_trade_is_called_by_its_word() -> None:
    assert cells(fake_books(), "turns")["Alda Brook"]["Trade"] == "potman"


def test_closed_houses_are_counted_and_marked() -> None:
    books = fake_books()
    books.houses["closed_night"] = pd.array([pd.NA, 7, pd.NA], dtype="Int64")
    assert "1 house closed" in headline(books, "Houses that pay")["meaning"]
    assert cells(books, "houses")[AWKWARD[1]]["Closed"] == "night 7"
    assert "Closed" not in panel(fake_books(), "houses").columns


def test_a_town_without_taxes_says_nothing_of_a_treasury() -> None:
    books = fake_books()
    assert any(each["name"] == "To the treasury" for each in headlines(books))
    books.facts["treasury_cp"] = 0
    assert not any(each["name"] == "To the treasury" for each in headlines(books))


def test_of_many_houses_the_best_and_the_worst_are_told() -> None:
    books = fake_books(n_houses=831, awkward=False)
    found = panel(books, "houses")
    assert len(found.rows) == 2 * MOST_EACH
    assert found.is_open
    assert "Of 831 houses" in found.caption
    best = books.houses.sort_values("profit_per_night_cp")["tavern"].iloc[-1]
    assert found.rows[0][0] == best


def test_how_much_money_there_is() -> None:
    found = panel(fake_books(), "supply")
    assert found.n_rows == 11
    assert found.rows[10][1:4] == ["2,030 gp", "309 gp", "2,339 gp"]
    assert found.finding == (
        "At the end there is 2,339 gp. That is 39 gp, 1.7\xa0%, more than at the start. "
        "On a usual night 0.4\xa0% of it is staked."
    )


# ---------------------------------------------------------------- odd towns


@pytest.mark.parametrize("n_nights", [0, 3])
def test_a_town_of_nobody_has_a_page_all_the_same(n_nights: int) -> None:
    empty = dataclasses.replace(without_people(fake_books()), n_nights=n_nights)
    found = Page(page(empty))
    assert found.data("figures") == {}
    assert not re.search(r"\bnan\b|\bNone\b|\binf\b", found.text)
    assert "Nobody was left to compare" in found.text


def test_no_number_is_lost_between_the_books_and_the_page(tiny: TownBooks) -> None:
    found = Page(page(tiny))
    assert not re.search(r"\bnan\b|\bNone\b|\binf\b|<NA>", found.text)
    json.dumps(found.data("figures"), allow_nan=False)


@pytest.mark.parametrize(
    ("share", "text"), [(0, "0 %"), (0.0001, "under 0.1 %"), (0.0312, "3.1 %"), (0.4, "40 %")]
)
def test_small_shares(share: float, text: str) -> None:
    assert small_percent(share).replace("\xa0", " ") == text
