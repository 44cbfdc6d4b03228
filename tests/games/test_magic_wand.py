"""Magic Wand: every spell and every ruling, with given dice."""

from collections.abc import Mapping, Sequence
from itertools import product

import pytest

from tavern_abm.games import betting
from tavern_abm.games import magic_wand as mw
from tavern_abm.games.magic_wand import (
    BULLS_STRENGTH,
    CONTINGENCY,
    CONTINGENCY_COMES,
    DECLINE,
    DISINTEGRATION,
    DIVINE_INTERVENTION,
    MIRROR_IMAGE,
    NO_SPELL,
    REDUCE_PERSON,
    SHIELD,
    TELEPORT,
    Hands,
    deal_hands,
    score,
)

PLAIN = (1, 1, 2)
"""A hand that shows nothing and is worth 4."""


def cast_all(
    hands: Hands,
    extra: Mapping[int, Sequence[int]] | None = None,
    swaps: Mapping[int, int] | None = None,
) -> list[tuple[int, int]]:
    """Cast every spell in turn; what was cast, by whom.

    `extra` gives a seat's further dice, `swaps` a seat's own choice of a swap.
    """
    cast = []
    step = mw.next_step(hands, 0)
    while step < mw.last_step(hands):
        seat, spell = mw.caster_at(hands, step), mw.spell_at(hands, step)
        swap = DECLINE
        if spell == TELEPORT:
            swap = (swaps or {}).get(seat, mw.choose_swap(hands, step))
        dice = list((extra or {}).get(seat, ())) if mw.n_extra(spell) else []
        assert len(dice) == mw.n_extra(spell), f"dice for spell {spell} of seat {seat}"
        mw.cast_spell(hands, seat, spell, swap, *(dice + [0] * (3 - len(dice))))
        cast.append((seat, spell))
        step = mw.next_step(hands, step + 1)
    return cast


def scores(hands: Hands) -> list[int]:
    return [score(hands, seat) for seat in range(len(hands.live))]


def winners(hands: Hands) -> list[int]:
    ranks = [mw.rank(hands, seat) for seat in range(len(hands.live))]
    return [seat for seat, each in enumerate(ranks) if each == max(ranks)]


def swap_of(target: int, faces: int) -> int:
    return 3 * target + mw.FACES.index(faces)


# ---------------------------------------------------------------- combinations


@pytest.mark.parametrize(
    ("faces", "spell", "in_192"),
    [
        ((1, 2, 3), REDUCE_PERSON, 6),
        ((2, 3, 4), TELEPORT, 6),
        ((3, 4, 5), SHIELD, 4),
        ((4, 5, 6), CONTINGENCY, 2),
        ((1, 1, 1), DIVINE_INTERVENTION, 1),
        ((2, 2, 2), MIRROR_IMAGE, 1),
        ((3, 3, 3), DISINTEGRATION, 1),
        ((4, 4, 4), BULLS_STRENGTH, 1),
    ],
)
def test_faces_of_each_spell_in_any_order(
    faces: tuple[int, int, int], spell: int, in_192: int
) -> None:
    every = list(product(range(1, 5), range(1, 7), range(1, 9)))
    showing = [dice for dice in every if mw.combination(*dice) == spell]
    assert showing == [dice for dice in every if sorted(dice) == list(faces)]
    assert len(showing) == in_192
    strictly = [dice for dice in every if mw.combination(*dice, 1) == spell]
    assert strictly == [faces]


@pytest.mark.parametrize("dice", [(0, 1, 2), (1, 0, 3), (0, 0, 0), (4, 6, 5 + 3), (4, 5, 7)])
def test_a_discarded_die_is_part_of_no_combination(dice: tuple[int, int, int]) -> None:
    assert mw.combination(*dice) == NO_SPELL


def test_a_house_may_read_the_order_strictly() -> None:
    dice = [(3, 1, 2), (4, 6, 8), PLAIN, PLAIN]
    assert cast_all(deal_hands(dice)) == [(0, REDUCE_PERSON)]
    assert cast_all(deal_hands(dice, order_matters=True)) == []
    assert cast_all(deal_hands([(1, 2, 3), *dice[1:]], order_matters=True))
    shielded = deal_hands([(1, 2, 3), (4, 3, 5), PLAIN, PLAIN], order_matters=True)
    cast_all(shielded)
    assert score(shielded, 1) == 6


def test_dice_without_a_spell_are_added() -> None:
    hands = deal_hands([(4, 6, 8), (4, 6, 7), PLAIN, (1, 6, 1)])
    assert cast_all(hands) == []
    assert (scores(hands), winners(hands)) == ([18, 17, 4, 8], [0])


# ---------------------------------------------------------------- Reduce Person


def test_reduce_person_halves_every_other_score_rounded_down() -> None:
    hands = deal_hands([PLAIN, (2, 1, 3), (4, 6, 8), (4, 6, 1)])
    assert cast_all(hands) == [(1, REDUCE_PERSON)]
    assert scores(hands) == [2, 6, 9, 5]
    assert winners(hands) == [2]


def test_a_house_may_round_halves_up() -> None:
    hands = deal_hands([(1, 2, 3), (4, 6, 1), (4, 6, 3), PLAIN], halve_up=True)
    cast_all(hands)
    assert scores(hands) == [6, 6, 7, 2]


def test_its_caster_wins_ties() -> None:
    hands = deal_hands([(1, 2, 3), (4, 2, 6), PLAIN, PLAIN])
    cast_all(hands)
    assert scores(hands)[:2] == [6, 6]
    assert winners(hands) == [0]


def test_casters_are_immune_to_each_other_from_the_reveal_on_and_split_ties() -> None:
    hands = deal_hands([(1, 2, 3), PLAIN, (3, 2, 1), (4, 6, 3)])
    assert cast_all(hands) == [(0, REDUCE_PERSON), (2, REDUCE_PERSON)]
    assert scores(hands) == [6, 1, 6, 3]
    assert winners(hands) == [0, 2]


def test_a_caster_stays_immune_when_his_dice_have_changed() -> None:
    """Seat 1 takes the caster's 3 for his 2, seat 2 casts a second Reduce Person."""
    hands = deal_hands([(1, 2, 3), (3, 4, 2), (1, 2, 3), PLAIN])
    cast = cast_all(hands, swaps={1: swap_of(0, 8)})
    assert cast == [(0, REDUCE_PERSON), (1, TELEPORT), (2, REDUCE_PERSON)]
    assert hands.dice[0] == [1, 2, 2]
    assert score(hands, 0) == 5


def test_only_having_cast_it_wins_ties() -> None:
    """Seat 1 comes by 1 2 3 through a Teleport: immune, but it wins no tie."""
    hands = deal_hands([(2, 4, 3), (1, 2, 5), (1, 2, 3), PLAIN], button=3)
    mw.cast_spell(hands, 0, TELEPORT, swap_of(1, 8), 0, 0, 0)
    assert mw.is_immune(hands, 1)
    mw.cast_spell(hands, 2, REDUCE_PERSON, DECLINE, 0, 0, 0)
    assert scores(hands) == [5, 6, 6, 2]
    assert winners(hands) == [2]


# ---------------------------------------------------------------- the strong


@pytest.mark.parametrize(("face", "doubled"), [(1, 12), (5, 12), (6, 18)])
def test_mirror_image_doubles_and_on_a_6_triples(face: int, doubled: int) -> None:
    hands = deal_hands([(2, 2, 2), PLAIN, PLAIN, PLAIN])
    assert cast_all(hands, {0: (face,)}) == [(0, MIRROR_IMAGE)]
    assert scores(hands) == [doubled, 4, 4, 4]
    assert mw.extra_faces(MIRROR_IMAGE, 0) == 6


def test_bulls_strength_adds_a_d4() -> None:
    hands = deal_hands([(4, 4, 4), (4, 6, 4), PLAIN, PLAIN])
    assert cast_all(hands, {0: (3,)}) == [(0, BULLS_STRENGTH)]
    assert scores(hands)[:2] == [15, 14]
    assert mw.extra_faces(BULLS_STRENGTH, 0) == 4


def test_divine_intervention_keeps_3_and_throws_again() -> None:
    hands = deal_hands([(1, 1, 1), (4, 6, 8), PLAIN, PLAIN])
    assert cast_all(hands, {0: (4, 6, 7)}) == [(0, DIVINE_INTERVENTION)]
    assert scores(hands)[:2] == [20, 18]
    assert [mw.extra_faces(DIVINE_INTERVENTION, i) for i in range(3)] == [4, 6, 8]


def test_divine_intervention_starts_afresh_also_when_halved_before() -> None:
    hands = deal_hands([(1, 2, 3), (1, 1, 1), PLAIN, PLAIN])
    cast_all(hands, {1: (4, 5, 1)})
    assert hands.effects[1][:2] == [mw.HALVED, mw.AFRESH]
    assert score(hands, 1) == 13


def test_later_effects_apply_to_the_second_throw() -> None:
    hands = deal_hands([(1, 1, 1), (1, 2, 3), PLAIN, PLAIN])
    cast_all(hands, {0: (4, 5, 1)})
    assert score(hands, 0) == 13 // 2


def test_the_second_throw_makes_no_combination() -> None:
    """4 4 4 in the second throw casts nothing; nor does 1 2 3 make its seat immune."""
    hands = deal_hands([(1, 1, 1), (2, 1, 3), PLAIN, PLAIN])
    assert cast_all(hands, {0: (1, 2, 3)}) == [(0, DIVINE_INTERVENTION), (1, REDUCE_PERSON)]
    assert score(hands, 0) == 9 // 2


def test_the_second_throw_cannot_be_teleported() -> None:
    """Seat 1 may have any die of the hand 1 1 1, and the new score does not heed it."""
    hands = deal_hands([(1, 1, 1), (2, 3, 4), PLAIN, PLAIN])
    cast_all(hands, {0: (4, 6, 8)}, swaps={1: swap_of(0, 8)})
    assert (hands.dice[0], hands.second[0]) == ([1, 1, 4], [4, 6, 8])
    assert scores(hands)[:2] == [21, 6]


def test_effects_apply_in_the_order_cast() -> None:
    bull_first = deal_hands([(4, 4, 4), (1, 2, 3), PLAIN, PLAIN])
    cast_all(bull_first, {0: (3,)})
    bull_last = deal_hands([(1, 2, 3), (4, 4, 4), PLAIN, PLAIN])
    cast_all(bull_last, {1: (3,)})
    assert (score(bull_first, 0), score(bull_last, 1)) == (7, 9)


# ---------------------------------------------------------------- Disintegration


def test_disintegration_discards_every_3_of_the_others() -> None:
    hands = deal_hands([(3, 3, 3), (3, 6, 8), (3, 3, 4), PLAIN])
    assert cast_all(hands) == [(0, DISINTEGRATION)]
    assert hands.dice == [[3, 3, 3], [0, 6, 8], [0, 0, 4], [1, 1, 2]]
    assert scores(hands) == [9, 14, 4, 4]


def test_it_breaks_combinations_and_with_them_immunity() -> None:
    hands = deal_hands([(3, 3, 3), (1, 2, 3), (3, 3, 3), (2, 3, 4)])
    assert cast_all(hands) == [(0, DISINTEGRATION)]
    assert not mw.is_immune(hands, 1)
    assert scores(hands) == [9, 3, 0, 6]


def test_it_takes_3s_of_the_second_throw_but_not_of_other_extra_dice() -> None:
    dice = [(1, 1, 1), (4, 4, 4), (2, 2, 2), (3, 3, 3)]
    hands = deal_hands(dice)
    cast_all(hands, {0: (3, 3, 8), 1: (3,), 2: (3,)})
    assert hands.second[0] == [0, 0, 8]
    assert scores(hands) == [11, 15, 12, 9]


def test_a_second_throw_after_it_keeps_its_3s() -> None:
    hands = deal_hands([(3, 3, 3), (1, 1, 1), PLAIN, PLAIN])
    cast_all(hands, {1: (3, 3, 3)})
    assert score(hands, 1) == 12


def test_a_discarded_die_cannot_be_swapped() -> None:
    hands = deal_hands([(3, 3, 3), (1, 6, 3), (4, 2, 4), PLAIN])
    cast_all(hands)
    assert not mw.can_swap(hands, 2, 1, 2)
    assert mw.can_swap(hands, 2, 1, 1)
    assert mw.can_swap(hands, 2, 0, 2)


# ---------------------------------------------------------------- Shield


def test_a_shield_blocks_reduce_person() -> None:
    hands = deal_hands([(1, 2, 3), (3, 4, 5), (4, 6, 8), PLAIN])
    assert cast_all(hands) == [(0, REDUCE_PERSON)]
    assert scores(hands) == [6, 12, 9, 2]


def test_a_shield_blocks_teleport() -> None:
    hands = deal_hands([(2, 3, 4), (3, 4, 5), PLAIN, PLAIN])
    assert not any(mw.can_swap(hands, 0, 1, die) for die in range(3))
    assert mw.choose_swap(hands, 0) == DECLINE


def test_a_shield_blocks_disintegration() -> None:
    hands = deal_hands([(3, 3, 3), (3, 4, 5), (3, 4, 6), PLAIN])
    cast_all(hands)
    assert (hands.dice[1], hands.dice[2]) == ([3, 4, 5], [0, 4, 6])


def test_shields_work_from_the_reveal_on_and_after_their_turn() -> None:
    for button in range(4):
        hands = deal_hands([(1, 2, 3), (4, 3, 5), (3, 3, 3), PLAIN], button=button)
        cast_all(hands)
        assert score(hands, 1) == 12


def test_a_shield_gained_by_anothers_teleport_works() -> None:
    """A careful caster would not give it; this one does."""
    hands = deal_hands([(2, 4, 3), (4, 5, 6), (1, 2, 3), PLAIN])
    cast = cast_all(hands, swaps={0: swap_of(1, 8)})
    assert hands.dice[1] == [4, 5, 3]
    assert cast == [(0, TELEPORT), (2, REDUCE_PERSON)]
    assert score(hands, 1) == 12


def test_a_shield_gained_by_ones_own_teleport_does_not_work() -> None:
    hands = deal_hands([(3, 4, 2), (1, 2, 5), (1, 2, 3), PLAIN])
    assert cast_all(hands, swaps={0: swap_of(1, 8)})[0] == (0, TELEPORT)
    assert hands.dice[0] == [3, 4, 5]
    assert not mw.is_shielded(hands, 0)
    assert score(hands, 0) == 6


def test_one_who_has_cast_another_spell_holds_no_shield() -> None:
    hands = deal_hands([(4, 5, 6), (2, 4, 3), (1, 2, 3), PLAIN])
    cast = cast_all(hands, {0: (1,)}, swaps={1: swap_of(0, 8)})
    assert hands.dice[0] == [4, 5, 3]
    assert cast == [
        (0, CONTINGENCY),
        (1, TELEPORT),
        (2, REDUCE_PERSON),
    ]
    assert score(hands, 0) == 6


def test_a_declined_teleport_is_no_spell_cast() -> None:
    """So a Shield that another's Teleport makes of the same dice works."""
    hands = deal_hands([(2, 4, 3), (4, 5, 4), (3, 4, 2), PLAIN])
    cast_all(hands, swaps={0: DECLINE, 2: DECLINE})
    assert hands.cast == [NO_SPELL] * 4
    hands.dice[0][0], hands.dice[0][2] = 3, 5
    assert mw.is_shielded(hands, 0)


# ---------------------------------------------------------------- Teleport


def test_teleport_takes_what_leads_by_most() -> None:
    """The 8 of seat 2: 14 against 8; seat 1's 6 would leave 12 against 13."""
    hands = deal_hands([(2, 4, 3), (1, 6, 1), (1, 4, 8), PLAIN])
    assert cast_all(hands) == [(0, TELEPORT)]
    assert hands.dice[0] == [2, 4, 8]
    assert hands.dice[2] == [1, 4, 3]


def test_a_harmful_swap_is_declined() -> None:
    hands = deal_hands([(4, 3, 2), (1, 1, 2), (1, 2, 2), (1, 2, 1)])
    assert mw.choose_swap(hands, 0) == DECLINE
    assert cast_all(hands) == [(0, TELEPORT)]
    assert hands.cast[0] == NO_SPELL


def test_between_equals_declining_comes_first() -> None:
    """The 4s for the 4 change nothing."""
    hands = deal_hands([(2, 3, 4), (2, 1, 4), (2, 1, 4), (2, 1, 4)])
    assert mw.choose_swap(hands, 0) == DECLINE


def test_then_the_nearest_target_clockwise_and_then_the_largest_die() -> None:
    hands = deal_hands([PLAIN, (2, 3, 4), (1, 5, 6), (1, 5, 6)])
    margins = [mw.margin_after(hands, 1, target, die) for target in (2, 3) for die in (1, 2)]
    assert margins == [-1, -1, -1, -1]
    assert mw.choose_swap(hands, 1) == swap_of(2, 8)
    round_the_table = deal_hands([(1, 5, 6), (1, 5, 6), (2, 3, 4), PLAIN])
    assert mw.choose_swap(round_the_table, 2) == swap_of(0, 8)


def test_a_careful_caster_never_completes_what_its_target_could_still_cast() -> None:
    """4 for 7 would win by most, and give seat 1 its 4 4 4."""
    hands = deal_hands([(2, 3, 4), (4, 4, 7), PLAIN, PLAIN])
    assert mw.is_gift(hands, 0, 0, 1, 2)
    assert mw.choose_swap(hands, 0) == swap_of(1, 4)
    past = deal_hands([(2, 3, 4), (4, 4, 7), PLAIN, PLAIN], button=1)
    assert mw.choose_swap(past, 3) == swap_of(1, 8)


def test_nor_a_shield_even_when_the_targets_turn_is_past() -> None:
    hands = deal_hands([(2, 4, 3), (4, 5, 8), PLAIN, PLAIN], button=1)
    assert mw.is_gift(hands, 3, 0, 1, 2)
    assert mw.choose_swap(hands, 3) != swap_of(1, 8)


def test_a_teleport_that_makes_a_later_combination() -> None:
    hands = deal_hands([(2, 3, 4), (4, 4, 7), PLAIN, PLAIN])
    cast = cast_all(hands, {1: (2,)}, swaps={0: swap_of(1, 8)})
    assert cast == [(0, TELEPORT), (1, BULLS_STRENGTH)]
    assert scores(hands)[:2] == [12, 14]


def test_a_teleport_that_breaks_a_later_combination() -> None:
    hands = deal_hands([(2, 3, 4), (4, 5, 6), PLAIN, PLAIN])
    assert cast_all(hands) == [(0, TELEPORT)]
    assert hands.dice[1] != [4, 5, 6]
    assert hands.cast[1] == NO_SPELL


def test_nobody_casts_twice() -> None:
    """What his own Teleport makes of his dice casts nothing; nor what comes too late."""
    hands = deal_hands([(4, 3, 2), (1, 1, 5), (1, 1, 6), PLAIN])
    assert cast_all(hands, swaps={0: swap_of(1, 8)}) == [(0, TELEPORT)]
    late = deal_hands([(2, 3, 4), (4, 4, 7), PLAIN, PLAIN], button=1)
    assert cast_all(late, swaps={0: swap_of(1, 8)}) == [(0, TELEPORT)]
    assert late.dice[1] == [4, 4, 4]


def test_a_halved_score_whose_dice_change_is_half_of_the_new_sum() -> None:
    hands = deal_hands([(1, 2, 3), (4, 6, 1), (2, 3, 4), PLAIN])
    cast_all(hands, swaps={2: swap_of(1, 8)})
    assert hands.dice[1] == [4, 6, 4]
    assert score(hands, 1) == 14 // 2
    assert score(hands, 2) == (2 + 3 + 1) // 2


def test_no_swap_with_a_folded_seat() -> None:
    hands = deal_hands([(2, 3, 4), (4, 6, 8), PLAIN, PLAIN], live=[1, 0, 1, 1])
    assert not any(mw.can_swap(hands, 0, 1, die) for die in range(3))
    assert mw.choose_swap(hands, 0) == DECLINE


# ---------------------------------------------------------------- Contingency


def test_contingency_adds_a_d4_only_if_somebody_stands_higher() -> None:
    behind = deal_hands([(4, 5, 6), (4, 6, 6), PLAIN, PLAIN])
    assert cast_all(behind, {0: (4,)}) == [(0, CONTINGENCY), (0, CONTINGENCY_COMES)]
    assert (scores(behind)[:2], winners(behind)) == ([19, 16], [0])
    level = deal_hands([(4, 5, 6), (4, 5, 6), (3, 6, 6), PLAIN])
    assert cast_all(level) == [(0, CONTINGENCY), (1, CONTINGENCY)]
    assert winners(level) == [0, 1, 2]


def test_it_comes_after_every_other_spell() -> None:
    hands = deal_hands([(4, 5, 6), (4, 4, 4), PLAIN, PLAIN])
    cast = cast_all(hands, {0: (1,), 1: (4,)})
    assert cast == [(0, CONTINGENCY), (1, BULLS_STRENGTH), (0, CONTINGENCY_COMES)]
    assert scores(hands)[:2] == [16, 16]


def test_it_is_fixed_at_its_casters_turn() -> None:
    hands = deal_hands([(4, 5, 6), (2, 3, 4), (4, 4, 1), PLAIN])
    cast = cast_all(hands, {0: (2,)}, swaps={1: swap_of(0, 8)})
    assert hands.dice[0] == [4, 5, 4]
    assert cast == [(0, CONTINGENCY), (1, TELEPORT)]
    lower = deal_hands([(4, 5, 6), (2, 3, 4), (4, 6, 8), PLAIN])
    cast = cast_all(lower, {0: (2,)}, swaps={1: swap_of(0, 8)})
    assert cast[-1] == (0, CONTINGENCY_COMES)
    assert score(lower, 0) == 4 + 5 + 4 + 2


def test_several_resolve_clockwise_from_the_button_as_scores_stand_then() -> None:
    """Seat 2 goes first and reaches 19; now seat 1 stands lower and adds, too."""
    dice = [PLAIN, (4, 6, 5), (4, 5, 6), (4, 6, 6)]
    hands = deal_hands(dice, button=2)
    cast = cast_all(hands, {1: (1,), 2: (4,)})
    assert cast[-2:] == [(2, CONTINGENCY_COMES), (1, CONTINGENCY_COMES)]
    assert scores(hands) == [4, 16, 19, 16]
    first_enough = deal_hands([PLAIN, (4, 6, 5), (4, 5, 6), PLAIN], button=1)
    mw.add_effect(first_enough, 2, 1)
    cast = cast_all(first_enough, {1: (1,)})
    assert cast[-1] == (1, CONTINGENCY_COMES)
    assert winners(first_enough) == [1, 2]


# ---------------------------------------------------------------- who plays


def test_folded_seats_neither_cast_nor_are_touched() -> None:
    hands = deal_hands([(1, 2, 3), (4, 6, 8), (1, 2, 3), PLAIN], live=[0, 1, 1, 0])
    assert cast_all(hands) == [(2, REDUCE_PERSON)]
    assert scores(hands) == [6, 9, 6, 4]
    assert mw.rank(hands, 0) == mw.rank(hands, 3) == -1


def test_a_folded_seat_is_nobody_to_stand_higher() -> None:
    hands = deal_hands([(4, 5, 6), (4, 6, 8), PLAIN, PLAIN], live=[1, 0, 1, 1])
    assert cast_all(hands) == [(0, CONTINGENCY)]


def test_if_the_button_has_folded_the_next_live_seat_casts_first() -> None:
    dice = [(2, 2, 2), (2, 2, 2), (4, 4, 4), (4, 4, 4)]
    hands = deal_hands(dice, live=[1, 0, 1, 1], button=1)
    cast = cast_all(hands, dict.fromkeys(range(4), (1,)))
    assert cast == [(2, BULLS_STRENGTH), (3, BULLS_STRENGTH), (0, MIRROR_IMAGE)]


@pytest.mark.parametrize("button", range(5))
def test_one_circuit_from_the_button(button: int) -> None:
    hands = deal_hands([(4, 4, 4)] * 5, button=button)
    cast = cast_all(hands, dict.fromkeys(range(5), (1,)))
    assert [seat for seat, _ in cast] == [(button + i) % 5 for i in range(5)]


# ---------------------------------------------------------------- with the pots


def chips_of(totals: Sequence[int], all_in: Sequence[int] = ()) -> betting.Chips:
    chips = betting.lay_out([1000] * len(totals))
    for seat, total in enumerate(totals):
        chips.total[seat] = total
        if seat in all_in:
            chips.status[seat] = betting.ALL_IN
    return chips


def pay(hands: Hands, chips: betting.Chips) -> list[int]:
    net = [0] * len(hands.live)
    ranks = [mw.rank(hands, seat) for seat in range(len(net))]
    betting.pay_out(ranks, chips, hands.button, net)
    assert sum(net) == 0
    return net


def test_five_tied_seats_and_an_odd_pot() -> None:
    """Twelve odd coins of a sixth seat: two each, and one more for the first two."""
    hands = deal_hands([(4, 3, 1)] * 5 + [PLAIN], button=3)
    assert winners(hands) == [0, 1, 2, 3, 4]
    assert pay(hands, chips_of([12] * 6)) == [3, 2, 2, 2, 3, -12]


def test_side_pots_go_by_score_and_the_tie_break_of_reduce_person() -> None:
    hands = deal_hands([(1, 2, 3), (4, 2, 6), (4, 6, 1), PLAIN])
    cast_all(hands)
    assert scores(hands) == [6, 6, 5, 2]
    # 12 cp to the caster, 18 to seat 1, and 22 to seat 2, each their own coins among them.
    net = pay(hands, chips_of([3, 9, 20, 20], all_in=[0, 1]))
    assert net == [12 - 3, 18 - 9, 22 - 20, -20]
