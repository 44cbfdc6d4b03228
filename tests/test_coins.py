"""Whole coins: read, printed and shared without losing one."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.coins import parse, rake, share, show

sums = st.integers(-(10**15), 10**15)


@given(sums)
def test_what_is_printed_is_read_back(amount_cp: int) -> None:
    assert parse(show(amount_cp)) == amount_cp
    assert parse(str(amount_cp)) == amount_cp
    assert parse(f"{amount_cp:,}") == amount_cp


@pytest.mark.parametrize(
    ("text", "amount_cp"),
    [
        ("3 gp 5 sp 2 cp", 352),
        ("3gp2cp", 302),
        ("  1,200 GP ", 120_000),
        ("12 sp", 120),
        ("15 cp", 15),
        ("-7 sp", -70),
        ("+7", 7),
        ("1 gp, 2 sp", 120),
        (12, 12),
        (-3, -3),
    ],
)
def test_sums_that_can_be_read(text: str | int, amount_cp: int) -> None:
    assert parse(text) == amount_cp


@pytest.mark.parametrize(
    "text",
    [
        "",
        "gp",
        "3.5 gp",
        "3 gp 2 gp",
        "2 cp 3 gp",
        "3 pp",
        "--3 cp",
        "3 gp -2 sp",
        "3 gp and 2",
        "x",
    ],
)
def test_no_sum_of_money(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"not a sum of money: {text!r}")):
        parse(text)


def test_no_coin_is_named_that_is_not_there() -> None:
    assert [show(each) for each in (0, 1, 10, 100, 101, -110)] == [
        "0 cp",
        "1 cp",
        "1 sp",
        "1 gp",
        "1 gp 1 cp",
        "-1 gp 1 sp",
    ]


@given(st.integers(0, 10**12), st.integers(1, 12))
def test_shares_add_up_and_odd_coins_go_to_the_first(pool: int, n_winners: int) -> None:
    shares = [share(pool, n_winners, place) for place in range(n_winners)]
    assert sum(shares) == pool
    assert shares == sorted(shares, reverse=True)
    assert shares[0] - shares[-1] <= 1


@given(st.integers(0, 10**9), st.integers(0, 10**9), st.integers(1, 12), st.integers(0, 11))
def test_a_larger_pool_never_gives_a_smaller_share(
    pool: int, more: int, n_winners: int, place: int
) -> None:
    assert share(pool + more, n_winners, place) >= share(pool, n_winners, place)


@given(st.integers(0, 10**12), st.integers(0, 10_000))
def test_the_rake_is_rounded_down(pool: int, rake_bp: int) -> None:
    taken = rake(pool, rake_bp)
    assert 0 <= taken <= pool
    assert 10_000 * taken <= pool * rake_bp < 10_000 * (taken + 1)
