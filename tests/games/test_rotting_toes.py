"""Rotting Toes: the printed rules, the exact odds and what payouts must keep."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.chance import PLAY, THIEVERY, THROW, roll, run_key, subkey, throw
from tavern_abm.coins import rake
from tavern_abm.compiled import kernel
from tavern_abm.games import GAMES, load_game, odds
from tavern_abm.games import rotting_toes as rt
from tavern_abm.games.rotting_toes import LOSE, NOT, OUT, PLAYING, ROT, VOID, WIN, Toes

HONEST = Fraction(397, 972)
# Thievery: wins without and with an earlier failed check, against DC 19.
ALWAYS_CHEATS = {
    0: (Fraction(197, 432), Fraction(26, 81)),
    3: (Fraction(3059, 5184), Fraction(1045, 2592)),
    6: (Fraction(925, 1296), Fraction(319, 648)),
    9: (Fraction(355, 432), Fraction(1525, 2592)),
    12: (Fraction(589, 648), Fraction(56, 81)),
}
DOUBLES, PLAIN = (
    {4: [2, 5, 5, 1], 3: [1, 4, 4], 2: [3, 3]},
    {4: [1, 2, 5, 6], 3: [1, 2, 3], 2: [1, 2]},
)


def play(pattern: Sequence[bool], failed: int = 0) -> Toes:
    """Throw with and without doubles as told, until the round is over."""
    toes = rt.deal(failed)
    for doubles in pattern:
        n = rt.n_dice(toes)
        if n == 0:
            break
        toes = rt.after_throw(toes, (DOUBLES if doubles else PLAIN)[n])
    return toes


# ---------------------------------------------------------------- the round


@pytest.mark.parametrize(
    ("dice", "doubles"),
    [
        ([4, 4, 2, 1], True),
        ([6, 5, 2, 1], False),
        ([3, 1, 3], True),
        ([3, 3, 3, 3], True),
        ([5, 5], True),
    ],
)
def test_doubles_are_any_two_alike(dice: list[int], doubles: bool) -> None:
    assert rt.has_doubles(dice) is doubles
    assert rt.has_doubles(tuple(reversed(dice))) is doubles


@pytest.mark.parametrize(
    ("pattern", "ended", "throws"),
    [
        ((True, True), WIN, 2),
        ((False, False), LOSE, 2),
        ((True, False, True), WIN, 3),
        ((False, True, True), WIN, 3),
        ((True, False, False), LOSE, 3),
        ((False, True, False), LOSE, 3),
    ],
)
def test_the_order_of_play(pattern: tuple[bool, ...], ended: int, throws: int) -> None:
    toes = play(pattern)
    assert (rt.result(toes), toes.throws) == (ended, throws)
    assert rt.n_dice(toes) == 0


def test_one_die_fewer_each_throw() -> None:
    assert rt.n_dice(rt.deal(0)) == 4
    assert rt.n_dice(play([True])) == 3
    assert rt.n_dice(play([True, False])) == 2
    assert rt.result(play([True, False])) == PLAYING


def test_only_a_throw_without_doubles_can_be_changed() -> None:
    assert not rt.can_cheat(rt.deal(0))
    assert not rt.can_cheat(play([True]))
    assert rt.can_cheat(play([False]))
    assert not rt.can_cheat(rt.after_check(play([False]), 1, 0, 19))


def test_a_die_turned_in_time_saves_a_round_that_looks_lost() -> None:
    lost = play([False, False])
    assert rt.result(lost) == LOSE
    saved = rt.after_check(lost, 20, 0, 19)
    assert rt.result(saved) == PLAYING
    assert rt.n_dice(saved) == 2


def test_a_failed_check_raises_the_dc_and_the_second_voids() -> None:
    once = rt.after_check(play([False]), 18, 0, 19)
    assert (once.failed, once.doubles, rt.result(once)) == (1, 0, PLAYING)
    assert (rt.cheat_dc(play([False]), 19), rt.cheat_dc(once, 19)) == (19, 21)
    again = rt.after_throw(once, PLAIN[3])
    assert rt.result(rt.after_check(again, 20, 0, 19)) == VOID
    assert rt.result(rt.after_check(again, 20, 1, 19)) == PLAYING


def test_failed_checks_of_earlier_rounds_count() -> None:
    toes = play([False], failed=1)
    assert rt.cheat_dc(toes, 19) == 21
    assert rt.result(rt.after_check(toes, 14, 6, 19)) == VOID
    assert rt.after_check(toes, 15, 6, 19).doubles == 1


def test_noticed_dice_count_as_a_failed_check() -> None:
    noticed = rt.after_notice(play([False]))
    assert (noticed.failed, rt.can_cheat(noticed), rt.result(noticed)) == (1, True, PLAYING)
    assert rt.result(rt.after_notice(play([True], failed=1))) == VOID


# ---------------------------------------------------------------- exact odds


@pytest.mark.parametrize(("n", "prob"), [(4, (13, 18)), (3, (4, 9)), (2, (1, 6))])
def test_doubles_with_so_many_dice(n: int, prob: tuple[int, int]) -> None:
    found = odds.gather((rt.has_doubles(dice), p) for dice, p in odds.throws(n, rt.FAIR_D6))
    assert found[True] == Fraction(*prob)


def test_honest_odds() -> None:
    assert rt.exact_odds() == {WIN: HONEST, LOSE: 1 - HONEST, VOID: 0}
    assert float(HONEST) == pytest.approx(0.408436, abs=5e-7)
    assert float(HONEST**4) == pytest.approx(0.027829, abs=5e-7)


def test_a_third_throw_is_needed() -> None:
    four, three = Fraction(13, 18), Fraction(4, 9)
    ends = odds.solve(
        rt.deal(0),
        lambda toes: (
            [(rt.after_throw(toes, d), p) for d, p in odds.throws(rt.n_dice(toes), rt.FAIR_D6)]
            if rt.n_dice(toes)
            else None
        ),
        lambda toes: toes.throws,
    )
    assert ends[3] == four * (1 - three) + (1 - four) * three == Fraction(85, 162)


@pytest.mark.parametrize("thievery", ALWAYS_CHEATS)
def test_odds_of_one_who_always_tries(thievery: int) -> None:
    wins, wins_after_one = ALWAYS_CHEATS[thievery]
    assert rt.exact_odds(cheats=rt.Always, thievery=thievery) == {
        WIN: wins,
        LOSE: 0,
        VOID: 1 - wins,
    }
    later = rt.exact_odds(cheats=rt.Always, thievery=thievery, failed=1)
    assert later == {WIN: wins_after_one, LOSE: 0, VOID: 1 - wins_after_one}


@pytest.mark.parametrize("failed", [0, 1])
@pytest.mark.parametrize("dc", [5, 19, 40])
@pytest.mark.parametrize("thievery", range(-5, 31, 5))
def test_odds_add_up_and_follow_the_formula(thievery: int, dc: int, failed: int) -> None:
    ends = rt.exact_odds(cheats=rt.Always, thievery=thievery, dc=dc, failed=failed)
    assert sum(ends.values()) == 1
    assert ends[WIN] == _win_by_hand(thievery, dc, failed)


def _win_by_hand(thievery: int, dc: int, failed: int) -> Fraction:
    """He wins unless two checks fail tonight; at most one throw of a won round counts none."""
    first, second = (_success(thievery, dc + 2 * f) for f in (0, 1))
    a, b, c = Fraction(13, 18), Fraction(4, 9), Fraction(1, 6)

    def doubles(natural: Fraction, success: Fraction) -> Fraction:
        return natural + (1 - natural) * success

    if failed:
        return doubles(a, second) * doubles(b, second)
    slip_a, slip_b = (1 - a) * (1 - first), (1 - b) * (1 - first)
    return (
        doubles(a, first) * doubles(b, first)
        + doubles(a, first) * slip_b * doubles(c, second)
        + slip_a * doubles(b, second) * doubles(c, second)
    )


def _success(thievery: int, dc: int) -> Fraction:
    return Fraction(min(20, max(0, 21 - dc + thievery)), 20)


def test_weighted_dice() -> None:
    loaded = odds.weighted_die(6, 6, Fraction(1, 3))
    assert rt.exact_odds(die=loaded)[WIN] == Fraction(205747, 421875)
    low = odds.weighted_die(6, 1, Fraction(1, 3))
    assert rt.exact_odds(die=low)[WIN] == Fraction(205747, 421875)


def test_one_weighted_die_changes_nothing() -> None:
    """Among fair dice it makes doubles no likelier, whatever it shows."""
    loaded = odds.weighted_die(6, 6, Fraction(1, 3))
    for n in (4, 3, 2):
        mixed = odds.gather(
            (rt.has_doubles((first, *rest)), p * q)
            for first, p in loaded.items()
            for rest, q in odds.throws(n - 1, rt.FAIR_D6)
        )
        fair = odds.gather((rt.has_doubles(dice), p) for dice, p in odds.throws(n, rt.FAIR_D6))
        assert mixed == fair


def test_both_bets_are_fair_at_397_to_575() -> None:
    """397 *rot* gain from 575 on the other side: (1 + n_not)/n_rot turned about."""
    gains = rt.expected_gains(rt.exact_odds(), n_rot=575, n_not=396, stake=100)
    assert gains == {"hand": 0, "not": 0, "rot": 0}
    crowded = rt.expected_gains(rt.exact_odds(), n_rot=3, n_not=1, stake=100)
    assert crowded["rot"] < 0 < crowded["not"]


@given(st.integers(0, 8), st.integers(0, 8), st.integers(1, 1000))
def test_expected_gains_sum_to_nothing(n_rot: int, n_not: int, stake: int) -> None:
    gains = rt.expected_gains(rt.exact_odds(), n_rot, n_not, stake)
    total = gains["hand"] + n_not * gains.get("not", 0) + n_rot * gains.get("rot", 0)
    assert total == 0


# ---------------------------------------------------------------- payouts


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, list[int], list[int]]:
    """A Hand's seat, bets and stakes."""
    n_seats = draw(st.integers(2, 12))
    hand_seat = draw(st.integers(0, n_seats - 1))
    bets = draw(st.lists(st.sampled_from([OUT, ROT, NOT]), min_size=n_seats, max_size=n_seats))
    stakes = draw(st.lists(st.integers(1, 10**6), min_size=n_seats, max_size=n_seats))
    bets[hand_seat] = NOT
    return hand_seat, bets, stakes


def pay(
    ended: int, hand: int, bets: list[int], stakes: list[int], rake_bp: int = 0
) -> tuple[int, list[int]]:
    net = [-999] * len(bets)
    return rt.payout(ended, hand, bets, stakes, net, rake_bp), net


@given(st.sampled_from([WIN, LOSE, VOID]), tables(), st.integers(0, 10_000))
def test_not_a_coin_is_made_or_lost(
    ended: int, table: tuple[int, list[int], list[int]], rake_bp: int
) -> None:
    _, bets, stakes = table
    pool, net = pay(ended, *table, rake_bp)
    assert sum(net) == -rake(pool, rake_bp)
    for seat, bet in enumerate(bets):
        assert net[seat] >= (0 if bet == OUT else -stakes[seat])
        if bet == OUT:
            assert net[seat] == 0


@given(tables())
def test_a_void_round_gives_every_stake_back(table: tuple[int, list[int], list[int]]) -> None:
    assert pay(VOID, *table) == (0, [0] * len(table[1]))


@given(tables())
def test_nobody_on_rot_and_stakes_go_back(table: tuple[int, list[int], list[int]]) -> None:
    hand_seat, bets, stakes = table
    bets = [OUT if bet == ROT else bet for bet in bets]
    assert pay(LOSE, hand_seat, bets, stakes) == (0, [0] * len(bets))
    assert pay(WIN, hand_seat, bets, stakes) == (0, [0] * len(bets))


@given(st.sampled_from([WIN, LOSE]), tables(), st.integers(0, 11))
def test_turning_the_table_turns_the_net(
    ended: int, table: tuple[int, list[int], list[int]], turn: int
) -> None:
    hand_seat, bets, stakes = table
    n_seats = len(bets)

    def turned(column: list[int]) -> list[int]:
        return [column[(seat - turn) % n_seats] for seat in range(n_seats)]

    _, net = pay(ended, hand_seat, bets, stakes)
    _, after = pay(ended, (hand_seat + turn) % n_seats, turned(bets), turned(stakes))
    assert after == turned(net)


@given(st.sampled_from([WIN, LOSE]), tables(), st.randoms())
def test_who_sits_where_matters_only_for_odd_coins(
    ended: int, table: tuple[int, list[int], list[int]], random: object
) -> None:
    hand_seat, bets, stakes = table
    order = list(range(len(bets)))
    random.shuffle(order)  # type: ignore[attr-defined]
    _, net = pay(ended, hand_seat, bets, stakes)
    _, after = pay(
        ended, order.index(hand_seat), [bets[i] for i in order], [stakes[i] for i in order]
    )
    for seat, i in enumerate(order):
        assert abs(after[seat] - net[i]) <= (net[i] > 0 or after[seat] > 0)


def test_odd_coins_go_clockwise_from_the_hand() -> None:
    assert pay(WIN, 2, [NOT, ROT, NOT, NOT], [10, 11, 10, 10]) == (11, [3, -11, 4, 4])
    assert pay(LOSE, 1, [ROT, NOT, OUT, ROT], [10, 11, 10, 10]) == (11, [5, -11, 0, 6])


def test_the_split_is_even_whatever_was_staked() -> None:
    assert pay(WIN, 0, [NOT, NOT, ROT], [1, 1000, 50]) == (50, [25, 25, -50])


# ---------------------------------------------------------------- luck


def test_streaks() -> None:
    assert rt.next_streak(2, WIN) == 3
    assert rt.next_streak(3, LOSE) == 0
    assert rt.next_streak(3, VOID) == 3


def test_the_fourth_win_is_too_many() -> None:
    assert [rt.is_too_lucky(streak, 4) for streak in range(6)] == [False] * 4 + [True] * 2
    assert not rt.is_too_lucky(99, 0)


# ---------------------------------------------------------------- simulated


@kernel
def count_ends(
    key: int, n_rounds: int, cheats: bool, thievery: int, dice: np.ndarray, counts: np.ndarray
) -> None:
    for number in range(n_rounds):
        round_key = subkey(key, PLAY, number)
        toes = rt.deal(0)
        while rt.n_dice(toes) > 0:
            thrown = dice[: rt.n_dice(toes)]
            throw(round_key, THROW, 4 * toes.throws, 6, thrown)
            toes = rt.after_throw(toes, thrown)
            if cheats and rt.can_cheat(toes):
                natural = roll(round_key, THIEVERY, toes.throws, 20)
                toes = rt.after_check(toes, natural, thievery, 19)
        counts[rt.result(toes)] += 1


def simulate(loop: Callable[..., None], n_rounds: int, cheats: bool) -> list[int]:
    counts = np.zeros(4, np.int64)
    loop(run_key(2024), n_rounds, cheats, 6, np.zeros(4, np.int64), counts)
    return counts.tolist()


@pytest.mark.parametrize(
    ("cheats", "exact"),
    [
        (False, {WIN: HONEST, LOSE: 1 - HONEST, VOID: Fraction(0)}),
        (True, {WIN: Fraction(925, 1296), LOSE: Fraction(0), VOID: Fraction(371, 1296)}),
    ],
)
def test_a_million_rounds_come_out_as_the_exact_odds(
    cheats: bool, exact: dict[int, Fraction]
) -> None:
    n_rounds = 1_000_000
    counts = simulate(count_ends, n_rounds, cheats)
    assert sum(counts) == n_rounds
    for ended, prob in exact.items():
        standard_error = sqrt(prob * (1 - prob) / n_rounds)
        assert abs(counts[ended] / n_rounds - prob) <= 4 * standard_error


@pytest.mark.parametrize("cheats", [False, True])
def test_kernel_and_plain_python_throw_the_same(cheats: bool) -> None:
    plain = getattr(count_ends, "py_func", count_ends)
    assert simulate(count_ends, 2000, cheats) == simulate(plain, 2000, cheats)


# ---------------------------------------------------------------- the registry


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_its_rules(name: str) -> None:
    assert load_game(name).__doc__


def test_no_such_game() -> None:
    with pytest.raises(ValueError, match="no such game: 'chess'; there are rotting-toes"):
        load_game("chess")
