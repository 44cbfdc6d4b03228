"""Betting rounds and pots: worked hands for each limit, side pots by hand, and always."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.compiled import kernel
from tavern_abm.games.betting import (
    ALL_IN,
    CALL,
    FIXED,
    FOLD,
    FOLDED,
    LIVE,
    NO_LIMIT,
    NO_SEAT,
    POT,
    RAISE,
    Betting,
    Chips,
    Limits,
    act,
    all_in_to,
    can_raise,
    is_round_over,
    lay_out,
    legal,
    max_raise_to,
    min_raise_to,
    n_in,
    n_live,
    next_level,
    open_round,
    pay_out,
    post_antes,
    pot,
    pot_between,
    table_limits,
    to_call,
)

F, C = (FOLD, 0), (CALL, 0)


def to(amount: int) -> tuple[int, int]:
    return RAISE, amount


def run(
    limits: Limits, chips: Chips, moves: list[tuple[int, int]], button: int = 0
) -> tuple[Betting, list[int]]:
    """A betting round by these moves, all of them legal: how it stands, and who moved."""
    betting = open_round(limits, chips, button)
    seats = []
    for move, amount in moves:
        assert legal(limits, betting, chips, betting.turn, move, amount)
        seats.append(betting.turn)
        betting = act(limits, betting, chips, move, amount)
    return betting, seats


def paid(
    totals: list[int], status: list[int], scores: list[int], button: int = 0, rake_bp: int = 0
) -> tuple[list[int], int, int]:
    """What pots pay: net of each seat, the coins that changed hands, the rake."""
    net = [99] * len(totals)
    pool, taken = pay_out(scores, Chips([], [], totals, status, []), button, net, rake_bp)
    return net, pool, taken


# ---------------------------------------------------------------- the order


def test_all_check() -> None:
    betting, seats = run(table_limits(FIXED, 1), lay_out([9] * 4), [C] * 4, button=2)
    assert seats == [2, 3, 0, 1]
    assert is_round_over(betting)
    assert betting == Betting(0, 1, 0, NO_SEAT)


def test_a_bet_brings_the_turn_round_to_those_who_checked() -> None:
    chips = lay_out([9] * 4)
    betting, seats = run(table_limits(FIXED, 1), chips, [C, C, to(1), C, F, C])
    assert seats == [0, 1, 2, 3, 0, 1]
    assert is_round_over(betting)
    assert (chips.put_in, chips.status) == ([0, 1, 1, 1], [FOLDED, LIVE, LIVE, LIVE])


def test_the_bettor_has_no_option_once_he_is_called() -> None:
    betting, _ = run(table_limits(NO_LIMIT, 1), lay_out([9, 9]), [to(3), C])
    assert is_round_over(betting)


def test_if_the_button_has_folded_the_next_live_seat_opens() -> None:
    chips = lay_out([9] * 4)
    chips.status[2] = FOLDED
    chips.status[3] = ALL_IN
    assert open_round(table_limits(FIXED, 1), chips, 2).turn == 0


def test_all_but_one_fold() -> None:
    betting, seats = run(table_limits(FIXED, 1), lay_out([9] * 4), [F, to(1), F, F])
    assert seats == [0, 1, 2, 3]
    assert is_round_over(betting)


def test_no_round_where_fewer_than_two_can_bet() -> None:
    chips = lay_out([9] * 3)
    chips.status[0] = chips.status[2] = ALL_IN
    assert is_round_over(open_round(table_limits(FIXED, 1), chips, 0))


def test_a_new_round_starts_from_nothing() -> None:
    limits, chips = table_limits(FIXED, 2), lay_out([9] * 3)
    run(limits, chips, [to(2), C, C])
    betting, _ = run(limits, chips, [C, to(2), C, C], button=1)
    assert is_round_over(betting)
    assert (chips.put_in, chips.total, chips.stack) == ([2] * 3, [4] * 3, [5] * 3)


def test_antes_are_no_bets_and_one_short_of_it_is_all_in() -> None:
    chips = lay_out([9, 2, 3, 0])
    post_antes(chips, 3)
    assert chips == Chips(
        [6, 0, 0, 0], [0] * 4, [3, 2, 3, 0], [LIVE, ALL_IN, ALL_IN, FOLDED], [0] * 4
    )


# ---------------------------------------------------------------- fixed limit


def test_one_bet_and_three_raises() -> None:
    limits, chips = table_limits(FIXED, 10), lay_out([100] * 3)
    betting, _ = run(limits, chips, [to(10), to(20), to(30), to(40)])
    assert betting == Betting(40, 10, 4, 1)
    assert not can_raise(limits, betting, chips, 1)
    assert not legal(limits, betting, chips, 1, RAISE, 50)
    betting = act(limits, betting, chips, RAISE, 50)
    assert chips.put_in == [40, 40, 30]  # it is a call


def test_a_fixed_limit_leaves_no_choice() -> None:
    limits, chips = table_limits(FIXED, 10), lay_out([100] * 3)
    betting, _ = run(limits, chips, [to(10)])
    assert min_raise_to(limits, betting, chips, 1) == 20
    assert max_raise_to(limits, betting, chips, 1) == 20
    act(limits, betting, chips, RAISE, 1000)
    assert chips.put_in == [10, 20, 0]


def test_a_short_all_in_is_completed_to_the_next_bet() -> None:
    limits, chips = table_limits(FIXED, 10), lay_out([100, 14, 100])
    betting, _ = run(limits, chips, [to(10), to(14)])
    assert betting == Betting(14, 10, 1, 2)
    assert min_raise_to(limits, betting, chips, 2) == 20
    betting = act(limits, betting, chips, RAISE, 20)
    assert betting == Betting(20, 10, 2, 0)
    assert can_raise(limits, betting, chips, 0)


def test_a_house_may_allow_other_numbers_of_raises() -> None:
    limits = Limits(FIXED, 10, 1)
    chips = lay_out([100] * 3)
    betting, _ = run(limits, chips, [to(10)])
    assert not can_raise(limits, betting, chips, 1)


# ---------------------------------------------------------------- no limit


def test_a_raise_is_at_least_the_last_one() -> None:
    limits, chips = table_limits(NO_LIMIT, 2), lay_out([1000] * 3)
    betting, _ = run(limits, chips, [to(10), to(30)])
    assert betting == Betting(30, 20, 2, 2)
    assert min_raise_to(limits, betting, chips, 2) == 50
    assert max_raise_to(limits, betting, chips, 2) == 1000
    assert not legal(limits, betting, chips, 2, RAISE, 49)
    act(limits, betting, chips, RAISE, 49)
    assert chips.put_in[2] == 50


def test_a_short_all_in_does_not_reopen_the_raising() -> None:
    """Seat 0 bets 10, seat 1 is all-in with 15, seat 2 has not acted and may raise to 25."""
    limits, chips = table_limits(NO_LIMIT, 10), lay_out([100, 15, 100])
    betting, _ = run(limits, chips, [to(10), to(15)])
    assert min_raise_to(limits, betting, chips, 2) == 25
    betting = act(limits, betting, chips, CALL, 0)
    assert betting.turn == 0
    assert to_call(betting, chips, 0) == 5
    assert not can_raise(limits, betting, chips, 0)
    assert not legal(limits, betting, chips, 0, RAISE, 30)
    assert is_round_over(act(limits, betting, chips, CALL, 0))


def test_several_short_all_ins_may_add_up_to_a_full_raise() -> None:
    limits, chips = table_limits(NO_LIMIT, 10), lay_out([100, 15, 21, 100])
    betting, _ = run(limits, chips, [to(10), to(15), to(21), C])
    assert betting == Betting(21, 10, 1, 0)
    assert can_raise(limits, betting, chips, 0)
    assert min_raise_to(limits, betting, chips, 0) == 31


def test_nobody_raises_those_who_cannot_answer() -> None:
    limits, chips = table_limits(NO_LIMIT, 10), lay_out([100, 15, 100])
    betting, _ = run(limits, chips, [C, to(15), F])
    assert betting.turn == 0
    assert not can_raise(limits, betting, chips, 0)
    assert is_round_over(act(limits, betting, chips, CALL, 0))


def test_a_call_for_less() -> None:
    limits, chips = table_limits(NO_LIMIT, 1), lay_out([100, 30])
    betting, _ = run(limits, chips, [to(50), C])
    assert is_round_over(betting)
    assert (chips.put_in, chips.status) == ([50, 30], [LIVE, ALL_IN])
    net = [0, 0]
    assert pay_out([1, 2], chips, 0, net) == (30, 0)
    assert net == [-30, 30]


# ---------------------------------------------------------------- pot limit


def test_a_pot_limit_raise() -> None:
    """Three antes of 10: the first may bet 30; then 30 + 30 and a call of 30 allow 30 + 90."""
    limits, chips = table_limits(POT, 10), lay_out([1000] * 3)
    post_antes(chips, 10)
    betting = open_round(limits, chips, 0)
    assert min_raise_to(limits, betting, chips, 0) == 10
    assert max_raise_to(limits, betting, chips, 0) == 30
    betting = act(limits, betting, chips, RAISE, 30)
    assert max_raise_to(limits, betting, chips, 1) == 120
    assert not legal(limits, betting, chips, 1, RAISE, 121)
    betting = act(limits, betting, chips, RAISE, 500)
    assert chips.put_in == [30, 120, 0]
    assert min_raise_to(limits, betting, chips, 2) == 210
    assert max_raise_to(limits, betting, chips, 2) == 120 + 180 + 120


def test_a_pot_smaller_than_the_bet_still_allows_the_bet() -> None:
    limits, chips = table_limits(POT, 10), lay_out([1000] * 3)
    post_antes(chips, 1)
    assert max_raise_to(limits, open_round(limits, chips, 0), chips, 0) == 10


def test_short_of_the_pot_all_in_is_the_most() -> None:
    limits, chips = table_limits(POT, 10), lay_out([25, 1000])
    post_antes(chips, 20)
    betting = open_round(limits, chips, 0)
    assert min_raise_to(limits, betting, chips, 0) == max_raise_to(limits, betting, chips, 0) == 5


# ---------------------------------------------------------------- pots by hand


def test_the_last_one_in_takes_it_all_and_gets_his_uncalled_bet_back() -> None:
    assert paid([5, 5, 12], [FOLDED, FOLDED, LIVE], [9, 9, 0]) == ([-5, -5, 10], 10, 0)


def test_three_way_side_pots() -> None:
    """All-in with 10, 25 and 40, and one who called 40: a main pot and two side pots.

    The shortest has the best hand, then the next: 40 to seat 0, 45 to seat 1,
    30 to the better of the others.
    """
    totals, status = [10, 25, 40, 40], [ALL_IN, ALL_IN, ALL_IN, LIVE]
    assert paid(totals, status, [9, 8, 7, 6]) == ([30, 20, -10, -40], 30 + 30 + 15, 0)
    assert paid(totals, status, [6, 7, 8, 9]) == ([-10, -25, -40, 75], 75, 0)
    assert paid(totals, status, [9, 7, 8, 8]) == ([30, -25, -2, -3], 30 + 15, 0)


def test_odd_coins_go_clockwise_in_each_side_pot_alone() -> None:
    """Button 0. Main pot 3 * 4 + 1: seats 1, 2, 3 tie; side pot 2 * 5 + 1 between 2 and 3."""
    totals, status = [1, 4, 9, 9, 5], [FOLDED, ALL_IN, LIVE, LIVE, FOLDED]
    net, pool, _ = paid(totals, status, [0, 7, 7, 7, 0])
    assert pool == 1 + 4 + 1
    assert net == [-1, 2, 2 + 1, 1, -5]
    net, _, _ = paid(totals, status, [0, 7, 7, 7, 0], button=2)
    assert net == [-1, 2, 1, 2 + 1, -5]


def test_five_tied_seats_and_an_odd_pot() -> None:
    """13 cp of two who folded among five: 3 3 3 2 2 from the button's left."""
    totals, status = [6, 10, 10, 10, 7, 10, 10], [FOLDED, *[LIVE] * 3, FOLDED, LIVE, LIVE]
    net, pool, _ = paid(totals, status, [0, 8, 8, 8, 0, 8, 8], button=2)
    assert (net, pool) == ([-6, 2, 2, 3, -7, 3, 3], 13)
    net, _, _ = paid(totals, status, [0, 8, 8, 8, 0, 8, 8], button=6)
    assert net == [-6, 3, 3, 3, -7, 2, 2]


def test_all_tied_lose_nothing_and_nothing_is_raked() -> None:
    assert paid([10] * 4, [LIVE] * 4, [8] * 4, rake_bp=1000) == ([0] * 4, 0, 0)


def test_the_rake_is_rounded_down_pot_by_pot() -> None:
    """10 % of 57 and of 19 is 5 and 1, where of 76 it would be 7; the uncalled 5 stay whole."""
    totals, status = [19, 19, 38, 43], [ALL_IN, FOLDED, ALL_IN, LIVE]
    net, pool, taken = paid(totals, status, [1, 0, 3, 2], rake_bp=1000)
    assert (pool, taken) == (57 + 19, 5 + 1)
    assert net == [-19, -19, 57 - 5 + 19 - 1, -38]


def test_coins_of_one_who_folded_beyond_what_anybody_called_go_back() -> None:
    assert paid([30, 10, 8], [FOLDED, ALL_IN, ALL_IN], [0, 1, 2]) == ([-10, -6, 16], 18, 0)


def test_scores_may_be_below_nothing() -> None:
    assert paid([5, 5, 5], [LIVE, LIVE, FOLDED], [-7, -9, 99])[0] == [10, -5, -5]


# ---------------------------------------------------------------- always


def plain_pots(
    totals: list[int], folded: list[bool], scores: list[int], rake_bp: int
) -> tuple[list[Fraction], int]:
    """Coin by coin: each of the n-th coins put in goes to the best of those still in for it."""
    net = [Fraction(-total) for total in totals]
    raked: dict[tuple[int, ...], list[int]] = {}
    for n in range(1, max(totals) + 1):
        payers = [i for i, total in enumerate(totals) if total >= n]
        able = tuple(i for i in payers if not folded[i])
        if not able:
            for i in payers:
                net[i] += 1
            continue
        best = max(scores[i] for i in able)
        raked.setdefault(able, [0])[0] += sum(1 for i in payers if i not in able)
        raked[able][0] += sum(1 for i in able if scores[i] < best)
        for i in able:
            if scores[i] == best:
                net[i] += Fraction(len(payers), sum(scores[j] == best for j in able))
    taken = sum(pool * rake_bp // 10_000 for (pool,) in raked.values())
    return net, taken


seat_kinds = st.tuples(
    st.integers(0, 60), st.sampled_from([LIVE, FOLDED, ALL_IN]), st.integers(0, 4)
)
tables = st.lists(seat_kinds, min_size=2, max_size=8)


@given(tables, st.integers(0, 7))
def test_pots_agree_with_a_plain_calculator(seats: list[tuple[int, int, int]], button: int) -> None:
    totals, status, scores = (list(column) for column in zip(*seats, strict=True))
    net, pool, taken = paid(totals, status, scores, button % len(seats))
    expected, _ = plain_pots(totals, [s == FOLDED for s in status], scores, 0)
    assert sum(net) == 0
    assert taken == 0
    n_pots = len({total for total, s in zip(totals, status, strict=True) if s != FOLDED})
    for got, exact in zip(net, expected, strict=True):
        assert abs(got - exact) < max(1, n_pots)
    assert pool >= sum(gain for gain in net if gain > 0)
    assert all(gain >= -total for gain, total in zip(net, totals, strict=True))


@given(tables, st.integers(0, 7), st.integers(0, 10_000))
def test_the_rake_agrees_with_a_plain_calculator(
    seats: list[tuple[int, int, int]], button: int, rake_bp: int
) -> None:
    totals, status, scores = (list(column) for column in zip(*seats, strict=True))
    net, pool, taken = paid(totals, status, scores, button % len(seats), rake_bp)
    _, expected = plain_pots(totals, [s == FOLDED for s in status], scores, rake_bp)
    assert taken == expected
    assert sum(net) == -taken
    assert 0 <= taken <= pool


@given(tables, st.integers(0, 7), st.integers(1, 7))
def test_moving_everybody_round_moves_the_coins_with_them(
    seats: list[tuple[int, int, int]], button: int, turn: int
) -> None:
    n = len(seats)
    button, turn = button % n, turn % n
    totals, status, scores = (list(column) for column in zip(*seats, strict=True))
    moved = [column[-turn:] + column[:-turn] for column in (totals, status, scores)]
    net, pool, _ = paid(totals, status, scores, button)
    net_moved, pool_moved, _ = paid(*moved, (button + turn) % n)
    assert pool == pool_moved
    assert net_moved == net[-turn:] + net[:-turn]


@given(tables)
def test_pots_hold_every_coin(seats: list[tuple[int, int, int]]) -> None:
    totals, status, _ = (list(column) for column in zip(*seats, strict=True))
    chips = Chips([], [], totals, status, [])
    levels = [0]
    while next_level(chips, levels[-1]) > levels[-1]:
        levels.append(next_level(chips, levels[-1]))
    assert levels == sorted(
        {0, *(total for total, s in zip(totals, status, strict=True) if s != FOLDED)}
    )
    in_pots = sum(pot_between(chips, low, high) for low, high in pairwise(levels))
    assert in_pots == pot(chips) - pot_between(chips, levels[-1], 10**9)


stacks = st.lists(st.integers(0, 120), min_size=2, max_size=9)
any_limits = st.builds(
    Limits, st.sampled_from([FIXED, POT, NO_LIMIT]), st.integers(1, 12), st.sampled_from([0, 1, 4])
)
moves = st.tuples(st.sampled_from([FOLD, CALL, CALL, CALL, RAISE, RAISE, 7]), st.integers(-5, 200))


def check_turn(limits: Limits, betting: Betting, chips: Chips) -> None:
    """What always holds of the seat to act."""
    seat = betting.turn
    assert chips.status[seat] == LIVE
    assert n_in(chips) > 1
    cost = to_call(betting, chips, seat)
    assert 0 <= cost <= chips.stack[seat]
    assert legal(limits, betting, chips, seat, FOLD, 0)
    assert legal(limits, betting, chips, seat, CALL, 0)
    if can_raise(limits, betting, chips, seat):
        least = min_raise_to(limits, betting, chips, seat)
        most = max_raise_to(limits, betting, chips, seat)
        assert betting.high < least <= most <= all_in_to(chips, seat)
        assert not legal(limits, betting, chips, seat, RAISE, least - 1)
        assert not legal(limits, betting, chips, seat, RAISE, most + 1)


@given(stacks, any_limits, st.integers(0, 8), st.integers(0, 20), st.data())
def test_games_end_and_keep_every_coin(
    purses: list[int], limits: Limits, button: int, ante: int, data: st.DataObject
) -> None:
    button %= len(purses)
    chips = lay_out(purses)
    post_antes(chips, ante)
    for _ in range(3):
        betting = open_round(limits, chips, button)
        n_moves = 0
        while not is_round_over(betting):
            check_turn(limits, betting, chips)
            before = betting
            betting = act(limits, betting, chips, *data.draw(moves))
            assert betting.turn != before.turn
            assert betting.high >= before.high
            assert limits.max_bets == 0 or betting.n_bets <= limits.max_bets
            n_moves += 1
            assert n_moves <= 400
        live = [i for i, status in enumerate(chips.status) if status == LIVE]
        assert n_live(chips) == len(live)
        assert n_in(chips) < 2 or all(chips.put_in[i] == betting.high for i in live)
        for i, purse in enumerate(purses):
            assert chips.stack[i] >= 0
            assert chips.stack[i] + chips.total[i] == purse
            assert (chips.status[i] == ALL_IN) <= (chips.stack[i] == 0)
    scores = data.draw(
        st.lists(st.integers(0, 3), min_size=len(purses), max_size=len(purses)), label="scores"
    )
    net = [0] * len(purses)
    _, taken = pay_out(scores, chips, button, net, 500)
    assert sum(net) == -taken
    assert all(purse + gain >= 0 for purse, gain in zip(purses, net, strict=True))


# ---------------------------------------------------------------- compiled


@pytest.fixture(scope="module")
def play() -> Callable[..., None]:
    @kernel
    def play_games(limits: Limits, chips: Chips, script: Any, scores: Any, net: Any) -> None:
        post_antes(chips, 3)
        at = 0
        for _ in range(3):
            betting = open_round(limits, chips, 1)
            while betting.turn != NO_SEAT:
                betting = act(limits, betting, chips, script[at, 0], script[at, 1])
                at += 1
        pool, taken = pay_out(scores, chips, 1, net, 500)
        script[0, 0] = pool
        script[0, 1] = taken

    return play_games


@pytest.mark.parametrize("kind", [FIXED, POT, NO_LIMIT])
def test_compiled_and_plain_are_the_same(play: Callable[..., None], kind: int) -> None:
    rng = np.random.default_rng(kind)
    limits = Limits(kind, 3, 4)
    for _ in range(50):
        script = np.stack([rng.integers(0, 3, 500), rng.integers(0, 90, 500)], axis=1)
        purses, scores = rng.integers(3, 90, 6), rng.integers(0, 4, 6)
        plain = lay_out(purses.tolist())
        chips = Chips(*(np.array(column, np.int64) for column in plain))
        net, plain_net, plain_script = np.zeros(6, np.int64), [0] * 6, script.copy()
        play(limits, chips, script, scores, net)
        play.py_func(limits, plain, plain_script, scores.tolist(), plain_net)  # type: ignore[attr-defined]
        assert [column.tolist() for column in chips] == list(plain)
        assert net.tolist() == plain_net
        assert script[0].tolist() == plain_script[0].tolist()
