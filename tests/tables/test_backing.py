"""Onlookers' bets: what may be typed, who is refused, and what the book holds."""

from collections.abc import Mapping
from typing import Any

import pytest

from tavern_abm.asking import RefusedError, read_options
from tavern_abm.tables.backing import BACKERS, Backing, Book, bet_of, never_laid, verify_backers
from tavern_abm.tables.telling import AtTable, Deciders, Dice


def table(backers: str, players: tuple[str, ...] = ("Ann", "Bo"), **purses: int) -> AtTable:
    options: Mapping[str, Any] = read_options([BACKERS], {"backers": backers})
    dice, deciders = Dice(1, players), Deciders(1, players)
    return AtTable(players, 1, 1, 100, purses, 0, dice, deciders, options)


def test_a_sum_stands_after_a_colon() -> None:
    at = table("Zed=Ann:5 sp, Yan=Bo,Xe = Ann : 1 gp 2 cp")
    assert at.options["backers"] == {
        "Zed": Backing("Ann", 50),
        "Yan": Backing("Bo"),
        "Xe": Backing("Ann", 102),
    }
    assert [bet_of(at, who) for who in ("Zed", "Yan", "Xe", "Nobody")] == [50, 100, 102, 100]
    assert [str(each) for each in at.options["backers"].values()] == [
        "Ann:5 sp",
        "Bo",
        "Ann:1 gp 2 cp",
    ]


@pytest.mark.parametrize(
    ("backers", "message"),
    [
        ("Zed=Ann:five", "Zed: not a sum of money: 'five'; write it like '3 gp 5 sp 2 cp'"),
        ("Zed=Ann:0 cp", "'0 cp' is not a sum from 1 cp"),
        ("Zed=Ann:", "not a sum of money"),
        ("Zed=:5 sp", "must be one line that is not blank"),
        ("Zed", "'Zed' should read name=name\\[:sum\\]"),
    ],
)
def test_what_is_no_bet(backers: str, message: str) -> None:
    with pytest.raises(RefusedError, match=message):
        table(backers)


@pytest.mark.parametrize(
    ("backers", "may_wait", "message"),
    [
        ("Zed=Cy", False, "Zed cannot back Cy; they race: Ann, Bo (race)"),
        ("Ann=Bo", False, "Ann races and cannot back anybody (race)"),
        ("Ann=Ann", True, "Ann races and cannot back Ann (race)"),
        ("Ann=Bo:3 gp", True, "Ann cannot cover the bet of 3 gp with 2 gp (race)"),
    ],
)
def test_who_cannot_back(backers: str, may_wait: bool, message: str) -> None:
    with pytest.raises(RefusedError) as error:
        verify_backers(table(backers, Ann=200), ("Ann", "Bo"), "race", "race", may_wait)
    assert str(error.value) == message


def test_who_waits_may_back() -> None:
    verify_backers(table("Ann=Bo,Zed=Ann"), ("Ann", "Bo"), "race", "race", may_wait=True)


def test_a_book_takes_the_bets_on_those_who_compete() -> None:
    at = table("Zed=Ann:30,Yan=Bo,Xe=Cy", ("Ann", "Bo", "Cy"))
    book = Book()
    book.lay_backers(at, ["Bo", "Ann"])
    assert (len(book), book.on_each(2)) == (2, [100, 30])
    assert book.said("Zed", ["Bo", "Ann"]) == "Zed lays 3 sp on Ann."
    assert book.settle([0, 1], 500) == ({"Zed": 95, "Yan": -100}, 5)
    assert list(never_laid(at, book.backed, "race")) == [
        ("Xe", "Xe's bet on Cy was never laid: Cy had no race.")
    ]
