"""The money of contests: stakes, the onlookers' book, and what both must keep."""

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.coins import rake
from tavern_abm.compiled import kernel
from tavern_abm.games.contests import NO_BET, backing, settle_book, settle_stakes

rakes = st.integers(0, 10_000)


def stakes_of(
    winners: Sequence[int], stakes: Sequence[int], rake_bp: int = 0
) -> tuple[int, list[int]]:
    net = [-999] * len(winners)
    return settle_stakes(winners, stakes, net, rake_bp), net


def book(
    backed: Sequence[int], bets: Sequence[int], winners: Sequence[int], rake_bp: int = 0
) -> tuple[int, list[int]]:
    net = [-999] * len(backed)
    return settle_book(backed, bets, winners, net, rake_bp), net


@st.composite
def contests(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Winners and the equal stakes they put up."""
    winners = draw(st.lists(st.integers(0, 1), min_size=1, max_size=12))
    return winners, [draw(st.integers(1, 10**6))] * len(winners)


@st.composite
def books(draw: st.DrawFn) -> tuple[list[int], list[int], list[int]]:
    """Backed, bets and winners."""
    winners = draw(st.lists(st.integers(0, 1), min_size=1, max_size=8))
    n = draw(st.integers(0, 15))
    ones = st.integers(NO_BET, len(winners) - 1)
    backed = draw(st.lists(ones, min_size=n, max_size=n))
    bets = draw(st.lists(st.integers(0, 10**6), min_size=n, max_size=n))
    return backed, bets, winners


# ---------------------------------------------------------------- stakes


def test_the_winner_takes_all() -> None:
    assert stakes_of([0, 1], [50, 50]) == (50, [-50, 50])
    assert stakes_of([0, 0, 1, 0], [7, 7, 7, 7], 1000) == (21, [-7, -7, 19, -7])


def test_tied_winners_share_and_the_odd_coin_goes_to_the_lowest_seat() -> None:
    assert stakes_of([0, 1, 1, 0, 0], [5] * 5) == (15, [-5, 8, 7, -5, -5])


def test_a_draw_or_a_tie_of_all_gives_the_stakes_back() -> None:
    assert stakes_of([0, 0], [50, 50], 500) == (0, [0, 0])
    assert stakes_of([1, 1, 1], [50, 50, 50], 500) == (0, [0, 0, 0])


@given(contests(), rakes)
def test_stakes_make_or_lose_no_coin(contest: tuple[list[int], list[int]], rake_bp: int) -> None:
    winners, stakes = contest
    pool, net = stakes_of(winners, stakes, rake_bp)
    assert sum(net) == -rake(pool, rake_bp)
    for won, stake, each in zip(winners, stakes, net, strict=True):
        assert each >= 0 if won or not any(winners) else each == -stake


@given(contests(), st.randoms(use_true_random=False))
def test_seats_matter_only_for_odd_coins(
    contest: tuple[list[int], list[int]], random: random.Random
) -> None:
    winners, stakes = contest
    order = list(range(len(winners)))
    random.shuffle(order)
    _, net = stakes_of(winners, stakes)
    _, after = stakes_of([winners[i] for i in order], stakes)
    for seat, i in enumerate(order):
        assert abs(after[seat] - net[i]) <= winners[i]


# ---------------------------------------------------------------- the book


def test_the_book_pays_in_proportion() -> None:
    assert book([0, 0, 1], [10, 30, 40], [1, 0]) == (0, [10, 30, -40])
    assert book([0, 0, 1], [10, 30, 41], [1, 0]) == (1, [10, 30, -41])


def test_the_rake_is_of_losing_bets_alone() -> None:
    assert book([0, 0, 1], [100, 300, 40], [1, 0], 1000) == (4, [9, 27, -40])
    assert book([0, 0], [100, 300], [1, 0], 1000) == (0, [0, 0])


def test_tied_winners_backers_have_an_equal_part() -> None:
    """90 cp lost on contestant 2: 45 for the one backer of 0, 45 for the two of 1."""
    assert book([0, 1, 1, 2], [10, 10, 20, 90], [1, 1, 0]) == (0, [45, 15, 30, -90])


def test_a_tied_winner_nobody_backed_has_no_part() -> None:
    assert book([0, 2], [10, 90], [1, 1, 0]) == (0, [90, -90])
    assert book([0, 1, 2], [10, 0, 90], [1, 1, 0]) == (0, [90, 0, -90])


def test_bets_go_back_where_nobody_backed_a_winner_or_there_is_none() -> None:
    assert book([1, 1], [10, 90], [1, 0], 1000) == (0, [0, 0])
    assert book([0, 1], [10, 90], [0, 0], 1000) == (0, [0, 0])


def test_who_backs_nobody_is_left_out() -> None:
    assert book([NO_BET, 0, 1], [77, 5, 5], [1, 0]) == (0, [0, 5, -5])
    assert book([], [], [1, 0]) == (0, [])


@given(books(), rakes)
def test_the_book_makes_or_loses_no_coin(
    written: tuple[list[int], list[int], list[int]], rake_bp: int
) -> None:
    backed, bets, winners = written
    house, net = book(backed, bets, winners, rake_bp)
    assert sum(net) + house == 0
    for on, bet, each in zip(backed, bets, net, strict=True):
        if on == NO_BET:
            assert each == 0
        else:
            assert each >= 0 if winners[on] else each in (0, -bet)


@given(books(), rakes)
def test_the_house_has_its_rake_and_less_than_a_coin_a_backer(
    written: tuple[list[int], list[int], list[int]], rake_bp: int
) -> None:
    backed, bets, winners = written
    house, net = book(backed, bets, winners, rake_bp)
    lost = -sum(each for each in net if each < 0)
    odd = house - rake(lost, rake_bp)
    assert 0 <= odd <= len(backed)
    if house:
        assert any(winners[on] for on in backed if on != NO_BET)


@given(books(), rakes, st.randoms(use_true_random=False))
def test_the_order_of_the_onlookers_does_not_matter(
    written: tuple[list[int], list[int], list[int]], rake_bp: int, random: random.Random
) -> None:
    backed, bets, winners = written
    order = list(range(len(backed)))
    random.shuffle(order)
    house, net = book(backed, bets, winners, rake_bp)
    again = book([backed[i] for i in order], [bets[i] for i in order], winners, rake_bp)
    assert again == (house, [net[i] for i in order])


@given(books(), rakes)
def test_the_book_agrees_with_one_written_out_plainly(
    written: tuple[list[int], list[int], list[int]], rake_bp: int
) -> None:
    backed, bets, winners = written
    assert book(backed, bets, winners, rake_bp) == plain_book(backed, bets, winners, rake_bp)


def plain_book(
    backed: Sequence[int], bets: Sequence[int], winners: Sequence[int], rake_bp: int
) -> tuple[int, list[int]]:
    on = {w: sum(b for c, b in zip(backed, bets, strict=True) if c == w) for w in set(backed)}
    paid = [w for w, total in on.items() if w != NO_BET and winners[w] and total]
    if not paid:
        return 0, [0] * len(backed)
    lost = sum(total for w, total in on.items() if w != NO_BET and not winners[w])
    part = (lost - lost * rake_bp // 10_000) // len(paid)
    net = []
    for w, bet in zip(backed, bets, strict=True):
        won = part * bet // on[w] if w in paid else 0
        net.append(-bet if w != NO_BET and not winners[w] else won)
    return -sum(net), net


def test_what_is_laid_on_one() -> None:
    assert backing([0, 1, 0, NO_BET], [1, 2, 4, 8], 0) == 5


# ---------------------------------------------------------------- compiled


@kernel
def settle_both(
    backed: np.ndarray, bets: np.ndarray, winners: np.ndarray, stakes: np.ndarray, net: np.ndarray
) -> int:
    pool = settle_stakes(winners, stakes, net[0 : len(winners)], 500)
    return pool + settle_book(backed, bets, winners, net[len(winners) :], 500)


@pytest.mark.parametrize("seed", range(20))
def test_compiled_it_is_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = 9, 4
    backed, bets = rng.integers(-1, k, n), rng.integers(0, 1000, n)
    winners, stakes = rng.integers(0, 2, k), np.full(k, 37)
    net = np.zeros(n + k, np.int64)
    taken = settle_both(backed, bets, winners, stakes, net)
    pool, first = stakes_of(winners.tolist(), stakes.tolist(), 500)
    house, rest = book(backed.tolist(), bets.tolist(), winners.tolist(), 500)
    assert (taken, net.tolist()) == (pool + house, first + rest)
