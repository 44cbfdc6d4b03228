"""How patrons play Magic Wand: exact chances, worked choices, monotony, the trick."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm import TavernModel
from tavern_abm.compiled import kernel
from tavern_abm.games.betting import (
    ALL_IN,
    CALL,
    FIXED,
    FOLD,
    FOLDED,
    LIVE,
    NO_LIMIT,
    RAISE,
    Chips,
    act,
    lay_out,
    open_round,
    post_antes,
    table_limits,
)
from tavern_abm.patrons.columns import Row, blank_people, blank_sheet
from tavern_abm.patrons.decisions.general import Minds, logistic, logit
from tavern_abm.patrons.decisions.magic_wand import (
    BELOW,
    DECISIONS,
    N_HANDS,
    WORTHS,
    Spot,
    best_face,
    bluff_prob_of,
    boldness_of,
    choose_bet,
    choose_raise_to,
    doubted,
    hand_key,
    spot_of,
    talent,
    wand_bet,
    wand_cheat,
    wand_raise_to,
    win_prob,
    winnable,
    with_die,
    worths,
)
from tavern_abm.patrons.decisions.rotting_toes import pressure
from tests.strategies import DICE_ALONE, patrons, probs, units

MINDS = Minds(
    tau_logit=logit(0.25),
    tau_moves=1,
    thrill=0.25,
    ride_the_cheat=1,
    go_out_prob=0.6,
    drink_penalty=0,
)
NIGHT = 40
RANK = {FOLD: 0, CALL: 1, RAISE: 2}
type Hand = tuple[int, int, int]
hands = st.tuples(st.integers(1, 4), st.integers(1, 6), st.integers(1, 8))


def all_hands(d4: int = 0, d6: int = 0, d8: int = 0) -> Iterator[Hand]:
    """Every whole hand with these dice; 0 is a die not seen."""
    faces = [[seen] if seen else range(1, n + 1) for seen, n in zip((d4, d6, d8), (4, 6, 8))]  # noqa: B905
    yield from product(*faces)  # type: ignore[misc]


def plain_worths(hand: Hand) -> dict[int, Fraction]:
    """Twice a score and its chances, the spells written out once more."""
    shown = "".join(map(str, sorted(hand)))
    total = sum(hand)
    if shown == "123":  # beats a 13, halved to 6; a 14 makes 7
        return {27: Fraction(1)}
    if shown == "222":
        return {24: Fraction(5, 6), 36: Fraction(1, 6)}
    if shown in ("444", "456"):
        return {2 * (total + face): Fraction(1, 4) for face in (1, 2, 3, 4)}
    if shown == "111":
        again = [2 * (3 + sum(each)) for each in all_hands()]
        return {worth: Fraction(again.count(worth), 192) for worth in again}
    if shown == "234":  # an 8 for its own d8, and a little more
        return {2 * (total + 8 - hand[2]) + 1: Fraction(1)}
    return {22 if shown == "333" else 2 * total: Fraction(1)}


def enumerated(own: Hand, opens: list[Hand]) -> Fraction:
    """The share of the pot over every way the hidden dice and the spells may fall."""
    mine, *others = [of_seen(seen) for seen in (own, *opens)]
    share = Fraction(0)
    for outcome in product(mine.items(), *(other.items() for other in others)):
        (worth, chance), *rest = outcome
        if all(other <= worth for other, _ in rest):
            tied = 1 + sum(other == worth for other, _ in rest)
            share += math.prod((p for _, p in rest), start=chance) / tied
    return share


def of_seen(seen: Hand) -> dict[int, Fraction]:
    whole = list(all_hands(*seen))
    found: dict[int, Fraction] = {}
    for hand in whole:
        for worth, chance in plain_worths(hand).items():
            found[worth] = found.get(worth, Fraction(0)) + chance / len(whole)
    return found


def chance_of(own: Hand, opens: list[Hand]) -> float:
    keys = [0, *(hand_key(*each) for each in opens)]
    return win_prob(0, hand_key(*own), keys, [LIVE] * len(keys))


def somebody(**columns: float) -> Row:
    one = blank_people(1)[0]
    one.rationality = 4.0
    for name, value in columns.items():
        setattr(one, name, value)
    return one


# ---------------------------------------------------------------- what hands are worth


def test_every_hand_has_a_number_of_its_own() -> None:
    keys = {hand_key(*hand) for hand in product(range(5), range(7), range(9))}
    assert keys == set(range(5 * 7 * 9))


@given(hands)
def test_a_hand_grows_die_by_die(hand: Hand) -> None:
    key = 0
    for die, face in enumerate(hand):
        key = with_die(key, die, face)
    assert key == hand_key(*hand)


@given(hands)
def test_worths_agree_with_the_spells_written_out(hand: Hand) -> None:
    assert {w: Fraction(n, N_HANDS) for w, n in worths(*hand).items()} == plain_worths(hand)


def test_a_plain_hand_is_worth_its_sum() -> None:
    plain = [hand for hand in all_hands() if worths(*hand) == {2 * sum(hand): N_HANDS}]
    shields = [hand for hand in all_hands() if sorted(hand) == [3, 4, 5]]
    assert len(plain) == 192 - 22 + len(shields)


def test_the_tables_count_every_throw() -> None:
    assert BELOW[0, WORTHS] == 192 * 192
    assert BELOW[hand_key(3, 0, 0), WORTHS] == 48 * 192
    assert BELOW[hand_key(3, 2, 0), WORTHS] == 8 * 192
    assert BELOW[hand_key(3, 2, 8), WORTHS] == 192
    assert (np.diff(BELOW, axis=1) >= 0).all()
    assert (BELOW[:, 0] == 0).all()


# ---------------------------------------------------------------- chances


def test_a_worked_chance() -> None:
    """15 against an open 9 (4 5): 6 makes Contingency, 16 to 19; else 10 to 14, 16 and 17.

    A 3 shows 3 4 5, a Shield: 12. So 1 to 5 lose (10 to 14) and 6, 7, 8 win.
    """
    assert chance_of((1, 6, 8), [(4, 5, 0)]) == pytest.approx(5 / 8, abs=1e-15)


def test_a_tie_is_half_a_pot() -> None:
    """14 against 7 (1 6) and a hidden d8: seven throws lose, 7 ties, 8 wins."""
    assert chance_of((1, 6, 7), [(1, 6, 0)]) == pytest.approx(6.5 / 8, abs=1e-15)


@given(hands, hands)
def test_the_last_round_against_one(own: Hand, other: Hand) -> None:
    opens = [(other[0], other[1], 0)]
    assert chance_of(own, opens) == pytest.approx(float(enumerated(own, opens)), abs=1e-12)


@given(hands, st.lists(hands, min_size=2, max_size=3))
def test_the_last_round_against_several(own: Hand, others: list[Hand]) -> None:
    opens = [(d4, d6, 0) for d4, d6, _ in others]
    assert chance_of(own, opens) == pytest.approx(float(enumerated(own, opens)), abs=1e-12)


@given(hands, st.lists(hands, min_size=1, max_size=2))
def test_the_second_round(own: Hand, others: list[Hand]) -> None:
    mine, opens = (own[0], own[1], 0), [(d4, 0, 0) for d4, _, _ in others]
    assert chance_of(mine, opens) == pytest.approx(float(enumerated(mine, opens)), abs=1e-12)


@pytest.mark.parametrize("d4", [1, 2, 3, 4])
def test_the_first_round(d4: int) -> None:
    exact = float(enumerated((d4, 0, 0), [(0, 0, 0)] * 2))
    assert chance_of((d4, 0, 0), [(0, 0, 0)] * 2) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("n_others", [1, 3, 5, 7, 11])
def test_before_anything_is_thrown_all_are_alike(n_others: int) -> None:
    """The six Gauss points share out a twelve-way tie exactly."""
    even = 1 / (n_others + 1)
    assert chance_of((0, 0, 0), [(0, 0, 0)] * n_others) == pytest.approx(even, abs=1e-13)
    best = chance_of((4, 6, 8), [(4, 6, 8)] * n_others)
    assert best == pytest.approx(even, abs=1e-13)


@given(hands, st.lists(hands, min_size=2, max_size=5))
def test_one_who_folded_is_left_out_and_one_all_in_is_not(own: Hand, others: list[Hand]) -> None:
    keys = [0, *(hand_key(d4, d6, 0) for d4, d6, _ in others)]
    status = [LIVE] * len(keys)
    among_all = win_prob(0, hand_key(*own), keys, status)
    status[1] = ALL_IN
    assert win_prob(0, hand_key(*own), keys, status) == among_all
    status[1] = FOLDED
    without = win_prob(0, hand_key(*own), keys, status)
    assert without >= among_all - 1e-12
    assert without == win_prob(0, hand_key(*own), keys[:1] + keys[2:], [LIVE] * (len(keys) - 1))


def test_a_last_die_that_makes_more_makes_the_chance_larger() -> None:
    """Over the plain sums of 1 and 6."""
    opens = [(3, 3, 0), (4, 2, 0)]
    row = [chance_of((1, 6, d8), opens) for d8 in range(1, 9)]
    assert row == sorted(row)


# ---------------------------------------------------------------- what a seat faces


def test_one_wins_from_each_no_more_than_one_puts_in() -> None:
    """All-in with a call of 5 to 8 in all: 8 of 20, 8 of 30, the folded one's 3, his own 3."""
    chips = Chips([5, 9, 9, 9], [0] * 4, [3, 20, 30, 3], [LIVE, LIVE, LIVE, FOLDED], [0] * 4)
    assert winnable(chips, 0, 5) == 3 + 8 + 8 + 3


def test_a_worked_spot() -> None:
    limits, chips = table_limits(FIXED, 10), lay_out([100] * 4)
    post_antes(chips, 10)
    betting = act(limits, open_round(limits, chips, 0), chips, RAISE, 10)
    assert spot_of(limits, betting, chips, 1) == Spot(50, 10, 10, 3, 10)


def test_a_spot_without_a_raise() -> None:
    limits, chips = table_limits(NO_LIMIT, 10), lay_out([100, 25, 40])
    post_antes(chips, 10)
    betting = act(limits, open_round(limits, chips, 0), chips, RAISE, 50)
    assert spot_of(limits, betting, chips, 1) == Spot(25 + 10 + 10, 15, 0, 2, 10)


# ---------------------------------------------------------------- fold, call or raise

spots = st.builds(
    Spot,
    pot=st.integers(0, 10**9),
    to_call=st.integers(0, 10**6),
    raise_by=st.integers(0, 10**6),
    n_others=st.integers(1, 11),
    stake=st.integers(1, 10**4),
)
boldnesses = st.floats(-3, 3)


def chosen(chance: float, spot: Spot, u: float, bluff_prob: float = 0.0, bold: float = 0.0) -> int:
    return choose_bet(chance, spot, bold, 0.25, 4.0, bluff_prob, u)


def test_a_worked_choice() -> None:
    """w = .3, pot 4, call 1, raise 1: doubted by 3 * 1/4 for the call, 3 * 2/6 for the raise."""
    spot = Spot(40, 10, 10, 2, 10)
    w_call = 0.3 / (0.3 + 0.7 * math.exp(0.75))
    w_raise = 0.3 / (0.3 + 0.7 * math.exp(1))
    ev_call = 4 * w_call - (1 - w_call) + 0.25
    ev_raise = ev_call + 2 * w_raise - 1 + 0.1
    call, rise = math.exp(4 * ev_call), math.exp(4 * ev_raise)
    total = 1 + call + rise
    assert chosen(0.3, spot, rise / total - 1e-9, bold=0.1) == RAISE
    assert chosen(0.3, spot, rise / total + 1e-9, bold=0.1) == CALL
    assert chosen(0.3, spot, (rise + call) / total - 1e-9, bold=0.1) == CALL
    assert chosen(0.3, spot, (rise + call) / total + 1e-9, bold=0.1) == FOLD


@given(probs, st.floats(0, 1), st.floats(0, 1))
def test_doubt_grows_with_the_bet(chance: float, weight: float, other: float) -> None:
    light, heavy = sorted((weight, other))
    assert 0 <= doubted(chance, heavy) <= doubted(chance, light) <= 1
    assert doubted(chance, 0.0) == pytest.approx(chance)


def test_the_bold_and_the_honest() -> None:
    sheet = blank_sheet(3)
    sheet.extraversion[:] = 0.0, 1.0, -2.0
    sheet.honesty[:] = 0.0, 2.0, -20.0
    assert [boldness_of(one) for one in sheet] == pytest.approx([0.0, 0.2, -0.4])
    assert [bluff_prob_of(one) for one in sheet] == pytest.approx([0.05, 0.05 / math.e, 0.25])


def test_talent_is_about_standardised() -> None:
    model = TavernModel(DICE_ALONE, rng=2, patrons=600)
    gift = talent(model.people[:600], model.sheet[:600])
    assert abs(gift.mean()) < 0.4
    assert 0.7 < gift.std() < 1.3


def test_a_bluff_comes_first() -> None:
    """With a hopeless hand nobody raises but for the bluff."""
    spot = Spot(40, 10, 200, 3, 10)
    assert chosen(0.0, spot, 0.0499, bluff_prob=0.05) == RAISE
    assert chosen(0.0, spot, 0.0501, bluff_prob=0.05) != RAISE
    assert chosen(0.0, spot._replace(raise_by=0), 0.01, bluff_prob=0.05) != RAISE
    assert chosen(0.0, spot, 0.999, bluff_prob=1.0) == RAISE


@given(probs, spots, units, st.floats(0, 0.9))
def test_what_is_left_of_u_after_the_bluffs_decides_as_before(
    chance: float, spot: Spot, u: float, bluff_prob: float
) -> None:
    spot = spot._replace(raise_by=max(1, spot.raise_by))
    later = bluff_prob + (1 - bluff_prob) * u
    left = (later - bluff_prob) / (1 - bluff_prob)
    if bluff_prob <= later < 1.0 and left < 1.0:
        assert chosen(chance, spot, later, bluff_prob) == chosen(chance, spot, left)


@given(probs, spots, boldnesses, probs, units)
def test_nobody_does_what_he_may_not(
    chance: float, spot: Spot, bold: float, bluff: float, u: float
) -> None:
    move = chosen(chance, spot, u, bluff, bold)
    assert move in (FOLD, CALL, RAISE)
    assert move != RAISE or spot.raise_by > 0
    assert move != FOLD or spot.to_call > 0


@given(probs, probs, spots, boldnesses, probs, units)
def test_better_chances_never_make_him_meeker(
    chance: float, other: float, spot: Spot, bold: float, bluff: float, u: float
) -> None:
    low, high = sorted((chance, other))
    meek, keen = (chosen(w, spot, u, bluff, bold) for w in (low, high))
    assert RANK[meek] <= RANK[keen]


@given(probs, spots, st.integers(1, 10**6), units)
def test_a_dearer_call_never_keeps_him_in(chance: float, spot: Spot, more: int, u: float) -> None:
    spot = spot._replace(to_call=max(1, spot.to_call))
    if chosen(chance, spot, u) == FOLD:
        assert chosen(chance, spot._replace(to_call=spot.to_call + more), u) == FOLD


@given(probs, spots, st.integers(1, 10**9), units)
def test_a_larger_pot_never_drives_him_out(chance: float, spot: Spot, more: int, u: float) -> None:
    if chosen(chance, spot, u) != FOLD:
        assert chosen(chance, spot._replace(pot=spot.pot + more), u) != FOLD


@given(probs, spots, boldnesses, st.floats(0, 3), probs, units)
def test_the_bold_raise_whenever_the_shy_do(
    chance: float, spot: Spot, bold: float, bolder: float, bluff: float, u: float
) -> None:
    if chosen(chance, spot, u, bluff, bold) == RAISE:
        assert chosen(chance, spot, u, bluff, bold + bolder) == RAISE


def test_one_without_reason_picks_at_random() -> None:
    spot = Spot(40, 10, 10, 3, 10)
    picks = [choose_bet(0.9, spot, 0.0, 0.25, 0.0, 0.0, u) for u in (0.33, 0.34, 0.66, 0.67)]
    assert picks == [RAISE, CALL, CALL, FOLD]


@given(patrons(), probs, spots, boldnesses, probs, units)
def test_a_patron_bets_by_his_own_reason_and_his_mugs(
    one: Row, chance: float, spot: Spot, bold: float, bluff: float, u: float
) -> None:
    one.thrill, one.boldness, one.chasing = 0.3, -0.2, 0.5
    bolder = bold - 0.2 + 0.1 * max(0, one.drinks - 2)
    lost = one.net_before - one.games_net
    mood = 0.8 if lost > 0 and 10 * lost >= one.gold + lost else 0.3
    expected = choose_bet(chance, spot, bolder, mood, one.rationality, bluff, u)
    assert wand_bet(one, chance, spot, bold, bluff, MINDS, u) == expected


@given(probs, spots, st.integers(1, 10**9), st.integers(0, 10**9), units)
def test_a_raise_lies_between_the_least_and_the_most(
    chance: float, spot: Spot, least: int, more: int, u: float
) -> None:
    sum_cp = choose_raise_to(chance, spot, least, least + more, u)
    assert least <= sum_cp <= least + min(more, spot.pot)
    assert wand_raise_to(somebody(), chance, spot, least, least + more, u) == sum_cp
    assert choose_raise_to(1.0, spot, least, least + more, u) >= sum_cp


def test_worked_raises() -> None:
    """Against 3 an edge of (4 * .7 - 1) / 3 = .6: half of .6 and half of u, of a pot of 100."""
    spot = Spot(100, 0, 10, 3, 10)
    assert choose_raise_to(0.7, spot, 10, 1000, 0.5) == 10 + 55
    assert choose_raise_to(0.1, spot, 10, 1000, 0.0) == 10
    assert choose_raise_to(0.7, spot, 10, 50, 0.5) == 10 + 22


# ---------------------------------------------------------------- the trick


@given(hands, st.lists(hands, min_size=1, max_size=4), st.integers(0, 2))
def test_no_face_is_better_than_the_best(own: Hand, others: list[Hand], die: int) -> None:
    keys = [0, *(hand_key(d4 * (die > 0), d6 * (die > 1), 0) for d4, d6, _ in others)]
    status = [LIVE] * len(keys)
    before = hand_key(own[0] * (die > 0), own[1] * (die > 1), 0)
    best = best_face(0, before, die, keys, status)
    chances = {
        face: win_prob(0, with_die(before, die, face), keys, status)
        for face in range(1, 2 * die + 5)
    }
    assert chances[best] == max(chances.values())
    assert all(chance < chances[best] for face, chance in chances.items() if face > best)


@pytest.mark.parametrize(
    ("dice", "face"),
    [((4, 5, 0), 6), ((1, 1, 0), 1), ((2, 3, 0), 4), ((4, 6, 0), 8), ((1, 6, 0), 8)],
)
def test_faces_a_cheat_likes_best(dice: Hand, face: int) -> None:
    """Contingency beats 17; Divine Intervention, 10; Teleport, 13; nothing beats 18."""
    opens = [0, hand_key(4, 5, 0), hand_key(3, 5, 0)]
    assert best_face(0, hand_key(*dice), 2, opens, [LIVE] * 3) == face


def test_a_worked_chance_of_a_try() -> None:
    one = somebody(is_cheat=1, gold=1000, drinks=5)
    prob = 1 / (1 + math.exp(-(math.log(1 / 3) + 0.15)))
    assert wand_cheat(one, 10, 0.5, NIGHT, MINDS, prob - 1e-9)
    assert not wand_cheat(one, 10, 0.5, NIGHT, MINDS, prob + 1e-9)


@given(patrons(), st.integers(0, 1), st.integers(1, 10**12), st.floats(0, 20), units)
def test_a_try_goes_by_tau_and_what_moves_it(
    one: Row, failed: int, stake: int, restraint: float, u: float
) -> None:
    one.is_cheat, one.failed = 1, failed
    m = pressure(one, failed, stake, restraint, NIGHT)
    assert wand_cheat(one, stake, restraint, NIGHT, MINDS, u) == (u < logistic(logit(0.25) + m))
    still = MINDS._replace(tau_moves=0)
    assert wand_cheat(one, stake, restraint, NIGHT, still, u) == (u < logistic(logit(0.25)))
    one.propensity = 0.5
    assert wand_cheat(one, stake, restraint, NIGHT, MINDS, u) == (u < 0.5)
    one.is_cheat = 0
    assert not wand_cheat(one, stake, restraint, NIGHT, MINDS, u)


# ---------------------------------------------------------------- compiled


@pytest.fixture(scope="module")
def decide() -> Callable[..., None]:
    bets, raises, cheats = (DECISIONS[name] for name in ("wand_bet", "wand_raise_to", "wand_cheat"))

    @kernel
    def decide(people: Any, keys: Any, status: Any, u: Any, minds: Minds, out: Any) -> None:
        for i in range(len(people)):
            chance = win_prob(0, keys[i, 0], keys[i], status)
            spot = Spot(40, 10, 10, 3, 10)
            out[i, 0] = chance
            out[i, 1] = bets(people[i], chance, spot, 0.1, 0.05, minds, u[i])
            out[i, 2] = raises(people[i], chance, spot, 10, 90, u[i])
            out[i, 3] = best_face(0, keys[i, 1], 2, keys[i], status)
            out[i, 4] = 1 if cheats(people[i], 10, 0.5, 40, minds, u[i]) else 0

    return decide


def test_compiled_and_plain_are_the_same(decide: Callable[..., None]) -> None:
    rng = np.random.default_rng(4)
    n = 60
    people = blank_people(n)
    people.is_cheat[:], people.rationality[:] = 1, rng.random(n) * 6
    faces = np.stack([rng.integers(1, top + 1, (n, 5)) for top in (4, 6, 8)])
    keys = (faces[0] * 7 + faces[1]) * 9
    keys[:, 0] += faces[2, :, 0]
    out, plain, status = np.zeros((n, 5)), np.zeros((n, 5)), np.array([0, 0, 1, 2, 0])
    u = rng.random(n)
    decide(people, keys, status, u, MINDS, out)
    decide.py_func(people, keys, status, u, MINDS, plain)  # type: ignore[attr-defined]
    np.testing.assert_allclose(out, plain, rtol=1e-13)
