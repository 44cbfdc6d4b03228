"""The page of a town: short, plain, and the same figures as the books."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from tavern_abm.economies.one_house import house_sections
from tavern_abm.economies.text import as_text, markdown_of, text_of
from tavern_abm.economies.told import Section, everyman_of, sections_of
from tests.fake_economy import AWKWARD, fake_books

MOST_LINES = 60
WIDTH = 100


@pytest.mark.parametrize("n_houses", [1, 3, 12, 16, 17, 831])
def test_a_town_of_any_size_is_one_page(n_houses: int) -> None:
    notes = ("Something to mind.", "And more. " * 12, "And that is all.")
    books = dataclasses.replace(fake_books(n_houses=n_houses), notes=notes)
    lines = text_of(books).splitlines()
    assert len(lines) <= MOST_LINES
    assert max(map(len, lines)) <= WIDTH
    assert "nan" not in text_of(books).lower()
    assert "None" not in text_of(books)


def test_a_trade_more_or_less_is_summed_up() -> None:
    books = fake_books()
    many = pd.concat([books.trades.rename(index=lambda name, i=i: f"{name} {i}") for i in range(9)])
    text = text_of(dataclasses.replace(books, trades=many))
    table = text.split("\n\n")[2].splitlines()
    assert [line.split()[0] for line in table[1:8]] == ["smith"] * 7  # the most numerous
    # 2 kinds of smith, 9 of labourer and 9 of noble: (264,000 + 75,600 + 162,000) cp of wages
    # and (516 - 2,970 + 540) cp of games in 8,340 days.
    assert table[8].startswith("20 other trades ")
    assert (table[8].split()[4], table[8].split()[-1]) == ("60.1", "-0.2")
    assert len(text.splitlines()) <= MOST_LINES


def test_of_many_houses_the_best_and_the_worst_are_shown() -> None:
    books = fake_books(n_houses=831)
    ordered = books.houses.sort_values("profit_per_night_cp", kind="stable")
    text = text_of(books)
    for sign in (*ordered["tavern"].head(5), *ordered["tavern"].tail(5)):
        assert str(sign) in text
    assert "815 between, on average" in text


def test_of_a_few_houses_all_are_shown_with_what_they_make() -> None:
    text = text_of(fake_books())
    for sign in AWKWARD:
        assert sign in text
    line = next(line for line in text.splitlines() if line.startswith("The Short Rope"))
    assert " -38 " in line  # (3,959 - 4,338) cp over ten nights


def test_the_labourer_speaks_for_the_town() -> None:
    text = text_of(fake_books())
    assert "A labourer, a day" in text
    assert "Earns 1 sp 4 cp (wage 1 sp 4 cp), pays 0.7 cp of it in tax" in text
    assert "A mug costs 4.2 cp, 3 h 39 min of work." in text  # 4.25 of 14 cp, of twelve hours


def test_without_labourers_somebody_else_does() -> None:
    people = pd.DataFrame({"people": [2.0, 5.0, 0.0]}, index=["noble", "innkeeper", "peasant"])
    assert everyman_of(people) == "innkeeper"
    assert everyman_of(people.iloc[:0]) == ""


def test_between_ranks_counts_what_is_left_when_both_ways_are_set_off() -> None:
    rows = [
        ("rank", "common", "poor", 5000.0),
        ("rank", "poor", "common", 4950.0),
        ("rank", "noble", "common", 120.0),
        ("rank", "noble", "the house", 900.0),
        ("trade", "smith", "noble", 7000.0),
    ]
    transfers = pd.DataFrame(rows, columns=["by", "loser", "winner", "amount_cp"])
    text = text_of(dataclasses.replace(fake_books(), transfers=transfers))
    assert "Between ranks, 1 gp 2 sp went from the noble to the common." in text
    assert "What losers lost is 1% of all that people spend." in text


def test_taxes_are_named_where_there_are_any() -> None:
    books = fake_books()
    assert "The treasury took 79 gp 2 sp of wages (5.0%) and 9 gp excise." in text_of(books)
    spending = books.spending.copy()
    spending.loc["tax", "amount_cp"] = 0
    houses = books.houses.assign(excise_cp=0)
    untaxed = dataclasses.replace(books, spending=spending)
    assert "The treasury took 9 gp excise." in text_of(untaxed)
    assert "No taxes." in text_of(dataclasses.replace(untaxed, houses=houses))


def test_what_is_nothing_is_not_told() -> None:
    books = fake_books()
    text = " ".join(text_of(books).split())
    assert "Who left took 52 gp away; the dead left 6 gp 4 sp to heirs elsewhere." in text
    books.estates.loc["left", "amount_cp"] = 0
    assert "excise. The dead left 6 gp 4 sp to heirs elsewhere." in " ".join(text_of(books).split())
    books.estates.loc["died", "amount_cp"] = 0
    assert text_of(books).endswith("9 gp excise.\n\nMind\n  " + books.notes[0])
    free = dataclasses.replace(books, facts=books.facts | {"rake_cp": 0, "hold": 0.0})
    assert "the houses kept nothing." in text_of(free)


def test_a_few_are_not_said_to_be_nobody() -> None:
    books = fake_books()
    books.ranks.loc["noble", "people"] = 0.5
    line = next(each for each in text_of(books).splitlines() if each.startswith("  noble"))
    assert line.split()[1:3] == ["0.5", "<1%"]


def test_vacant_places_are_told_where_there_are_any() -> None:
    books = fake_books()
    assert "3 houses; 4 of 190 places stand vacant\n" in text_of(books)
    full = dataclasses.replace(books, facts=books.facts | {"places": 186})
    assert "places" not in text_of(full)
    one = dataclasses.replace(books, facts=books.facts | {"places": 187})
    assert "3 houses; 1 of 187 places stands vacant\n" in text_of(one)


@pytest.mark.parametrize(
    ("inhabitants", "patrons", "told"),
    [
        (None, 1.0, "1 patron; 3 houses"),
        (300, 1.0, "300 inhabitants, of whom 1 goes to taverns; 3 houses"),
        (300, 83.6, "300 inhabitants, of whom 84 go to taverns; 3 houses"),
        (300, 300.0, "300 inhabitants, of whom 300 go to taverns; 3 houses"),
        (300, 1_301.0, "300 inhabitants and 1,301 patrons; 3 houses"),
    ],
)
def test_who_lives_here_and_who_of_them_goes_out(
    inhabitants: int | None, patrons: float, told: str
) -> None:
    books = fake_books()
    facts = books.facts | {"people": patrons, "places": 0}
    text = text_of(dataclasses.replace(books, inhabitants=inhabitants, facts=facts))
    assert text.splitlines()[1].strip() == told


def test_the_made_rich_are_called_by_their_word() -> None:
    assert "Made rich: Alda Brook, potman (9 gp -> 26 gp)" in text_of(fake_books())


def test_a_town_that_does_not_play_has_nobody_who_won() -> None:
    books = fake_books()
    facts = books.facts | {"staked_cp": 0, "hold": None, "turnover": 0.0, "lost_cp": 0}
    text = text_of(dataclasses.replace(books, facts=facts))
    assert "Who won it" not in text


def test_a_town_that_died_out_has_a_page() -> None:
    books = fake_books()
    wealth = books.wealth.astype(float)
    wealth.loc["end"] = np.nan
    wealth.loc["end", ["n", "total_cp"]] = 0
    ranks = books.ranks.assign(median_cp=np.nan, purses_cp=0)
    facts = books.facts | dict.fromkeys(
        ("coins_a_head_cp", "mug_cp", "spearman", "shorrocks", "lost_cp")
    )
    gone = dataclasses.replace(books, wealth=wealth, ranks=ranks, facts=facts)
    assert "nan" not in text_of(gone).lower()


def test_a_house_that_closed_says_when() -> None:
    books = fake_books()
    houses = books.houses.copy()
    houses.loc[3, "closed_night"] = 7
    facts = books.facts | {"houses_open": 2}
    text = text_of(dataclasses.replace(books, houses=houses, facts=facts))
    assert "The Short Rope (shut 7)" in text
    assert "3 houses, 1 of them closed for good" in text


def test_markdown_has_the_same_sections_and_no_marks_of_a_users_own() -> None:
    books = fake_books()
    text = markdown_of(books)
    assert text.startswith("# The money of fake-town: 10 nights, seed 1")
    assert text.count("\n## ") == len(sections_of(books)) - 1
    assert "\\<b\\>Bold\\</b\\>" in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {row.replace("\\|", "").count("|") for row in rows} <= {9, 10, 8}


def test_markdown_has_room_for_whole_names() -> None:
    books = fake_books()
    sign, district = "The Unlikely Return of the Margrave's Glove", "craftsmen's quarter"
    books.houses.loc[3, ["tavern", "district", "closed_night"]] = [sign, district, 7]
    assert f"| {sign} (shut 7) | {district} |" in markdown_of(books)
    text = text_of(books)
    assert "The Unlikely Retur… (shut 7)  craftsmen's…" in text
    assert max(map(len, text.splitlines())) <= WIDTH


def test_a_house_tells_of_no_sum_that_is_nothing() -> None:
    books = fake_books()
    books.houses.loc[3, ["rake_cp", "upkeep_cp", "excise_cp"]] = 0
    text = as_text(house_sections(books, "The Short Rope"))
    assert "Took 39 gp 6 sp: drink 31 gp 6 sp, fees 7 gp 9 sp.\n" in text
    assert "staff 25 gp.\n" in text


@pytest.mark.parametrize(("closed", "rows"), [(6, 6), (None, 10)])
def test_a_house_that_closed_has_no_more_nights(closed: int | None, rows: int) -> None:
    books = fake_books()
    books.houses["closed_night"] = pd.array([None, None, closed], dtype="Int64")
    about, by_night = house_sections(books, "The Short Rope")
    assert by_night.grid is not None
    assert len(by_night.grid.rows) == rows
    assert ("It closed for good on night 6." in about.lines) == (closed == 6)


@pytest.mark.parametrize(("n_nights", "rows"), [(45, 45), (46, 7)])
def test_a_house_is_told_by_nights_or_by_weeks(n_nights: int, rows: int) -> None:
    books = fake_books(n_nights=n_nights)
    grid = house_sections(books, "The Short Rope")[1].grid
    assert grid is not None
    assert len(grid.rows) == rows
    made = [int(row[4].replace(",", "")) for row in grid.rows]
    mine = books.house_nights[books.house_nights["tavern_id"] == 3]
    assert sum(made) == mine["profit_cp"].sum()
    assert grid.rows[-1][5] == f"{mine['till_cp'].iloc[-1]:,}"


def test_no_line_breaks_within_a_sum_of_money() -> None:
    sums = Section("", ["word " * n + "then 12 gp 5 sp and 3 h 26 min of it" for n in range(1, 30)])
    for line in as_text([sums]).splitlines():
        assert not line.rstrip().endswith(("12", "12 gp", " 5", " 3", "3 h", "26"))
        assert len(line) <= WIDTH
