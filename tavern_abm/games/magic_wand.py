"""Magic Wand.

Players   four or more, one of them with the button
Stakes    everybody antes; then poker bets in three rounds
Order     each throws a d4 unseen, a betting round, the d4s are shown; the same
          with a d6, then with a d8; all but one folded: he takes the pot
Showdown  the three dice are added; clockwise from the button whoever shows a
          combination casts its spell, once; Contingencies come last
            1 2 3  Reduce Person        2 3 4  Teleport
            3 4 5  Shield               4 5 6  Contingency
            1 1 1  Divine Intervention  2 2 2  Mirror Image
            3 3 3  Disintegration       4 4 4  Bull's Strength
Payout    the highest score takes the pot, ties split it, odd coins clockwise
          from the seat left of the button, each side pot alone
Cheating  where no referee watches: Thievery to set the die just thrown
Source    "Magic Wand", presented on a forum in 2020;
          our rulings stand in docs/games/magic-wand.md

Betting and pots are `games.betting`; here are the dice and the spells. All of it
is rules: hands in, extra dice in, hands changed in place. They draw nothing. A
showdown is a walk over steps, the same for a kernel and for a table of people::

    step = next_step(hands, 0)
    while step < last_step(hands):
        spell = spell_at(hands, step)
        swap = choose_swap(hands, step) if spell == TELEPORT else DECLINE
        # throw n_extra(spell) dice of extra_faces(spell, i) faces
        cast_spell(hands, caster_at(hands, step), spell, swap, a, b, c)
        step = next_step(hands, step + 1)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..asking import Answer, Flag, OneOf, Option, Question, Whole
from ..coins import clockwise
from ..compiled import rule

ABOUT = "Poker with three dice a seat, and eight spells at the showdown."
PLACE = "table"
MIN_SEATS, MAX_SEATS = 4, 12
N_DICE = 3
FACES = (4, 6, 8)
"""Of a seat's dice, in the order they are thrown."""

# A run is numbered by its lowest face, three alike by their face and 4.
NO_SPELL = 0
REDUCE_PERSON, TELEPORT, SHIELD, CONTINGENCY = 1, 2, 3, 4
DIVINE_INTERVENTION, MIRROR_IMAGE, DISINTEGRATION, BULLS_STRENGTH = 5, 6, 7, 8
CONTINGENCY_COMES = 9
"""What happens in the second circuit: somebody stands higher, 1d4 is added."""
SPELLS = {
    REDUCE_PERSON: "Reduce Person",
    TELEPORT: "Teleport",
    SHIELD: "Shield",
    CONTINGENCY: "Contingency",
    DIVINE_INTERVENTION: "Divine Intervention",
    MIRROR_IMAGE: "Mirror Image",
    DISINTEGRATION: "Disintegration",
    BULLS_STRENGTH: "Bull's Strength",
}
# Effects on a score, in the order they came; a positive number is added.
NO_EFFECT, HALVED, DOUBLED, TRIPLED, AFRESH = 0, -1, -2, -3, -4
DECLINE = -1
"""No swap. A swap is a number: three times the target's seat, plus the die."""
INITIAL_SCORE = 3
"""What Divine Intervention keeps: its caster's 1 1 1."""

LEAST_GAMES, DEFAULT_GAMES, MOST_GAMES = 1_200_000, 3_000_000, 50_000_000
"""Showdowns that `odds` simulates; the least keep the standard error below 0.0005."""

OPTIONS = (
    Option("limit", OneOf(("fixed", "pot", "no")), "fixed", "How high bets may go."),
    Option("max_raises", Whole(0, 20), 3, "Raises in a betting round with fixed limit."),
    Option("referee", Flag(), True, "An observer watches the secret throws: nobody cheats."),
    Option("order_matters", Flag(), False, "Only 1 2 3 on d4, d6, d8 in this order casts."),
    Option("halve_up", Flag(), False, "Reduce Person rounds up."),
)
"""How a house may want it played; the defaults are our rulings."""


class Hands(NamedTuple):
    """The hands on the table at the showdown: a row a seat, filled in place.

    Parameters
    ----------
    dice : array of int, shape (n_seats, 3)
        d4, d6 and d8; 0 for a die that was discarded.
    second : array of int, shape (n_seats, 3)
        The throw of Divine Intervention; zeros before it and for the others.
    live : array of int, shape (n_seats,)
        1 for a seat that has not folded, 0 for one that has or is empty.
    cast : array of int, shape (n_seats,)
        The spell a seat has cast. A Shield is held and never cast.
    effects : array of int, shape (n_seats, n_seats)
        What befell a seat's score, in order; NO_EFFECT after the last.
    button : int
        The seat with the button.
    order_matters, halve_up : int
        1 where a house plays it so.
    """

    dice: Any
    second: Any
    live: Any
    cast: Any
    effects: Any
    button: int
    order_matters: int
    halve_up: int


def deal_hands(
    dice: Any, live: Any = None, button: int = 0, order_matters: int = 0, halve_up: int = 0
) -> Hands:
    """Hands as they are revealed, in lists; a kernel fills arrays of its own.

    Parameters
    ----------
    dice : sequence of sequences of int, shape (n_seats, 3)
        They are copied.
    live : sequence of int, optional
        Everybody, if it is not given.

    Examples
    --------
    >>> hands = deal_hands([(1, 2, 3), (4, 6, 8), (4, 4, 4), (1, 1, 2)])
    >>> spell_at(hands, next_step(hands, 0)), [score(hands, seat) for seat in range(4)]
    (1, [6, 18, 12, 4])
    """
    n_seats = len(dice)
    return Hands(
        [list(each) for each in dice],
        [[0] * N_DICE for _ in range(n_seats)],
        list(live) if live is not None else [1] * n_seats,
        [NO_SPELL] * n_seats,
        [[NO_EFFECT] * n_seats for _ in range(n_seats)],
        button,
        int(order_matters),
        int(halve_up),
    )


@rule
def clear(hands: Hands) -> None:
    """Wipe what an earlier game left behind: spells, effects and second throws."""
    for seat in range(len(hands.cast)):
        hands.cast[seat] = NO_SPELL
        for i in range(N_DICE):
            hands.second[seat][i] = 0
        for i in range(len(hands.cast)):
            hands.effects[seat][i] = NO_EFFECT


# ---------------------------------------------------------------- what dice show


@rule
def combination(d4: int, d6: int, d8: int, order_matters: int = 0) -> int:
    """The spell three dice show, or NO_SPELL. A discarded die (0) is part of none.

    Examples
    --------
    >>> combination(3, 1, 2) == REDUCE_PERSON, combination(3, 1, 2, order_matters=1)
    (True, 0)
    """
    low = min(d4, d6, d8)
    high = max(d4, d6, d8)
    if low == 0:
        return NO_SPELL
    if low == high:
        return low + CONTINGENCY
    middle = d4 + d6 + d8 - low - high
    if middle != low + 1 or high != low + 2 or low > CONTINGENCY:
        return NO_SPELL
    if order_matters == 1 and (d4 != low or d6 != middle):
        return NO_SPELL
    return low


@rule
def shows(hands: Hands, seat: int) -> int:
    """The spell a seat's dice show as they lie now, whether or not it may still be cast."""
    dice = hands.dice[seat]
    return combination(dice[0], dice[1], dice[2], hands.order_matters)


@rule
def is_shielded(hands: Hands, seat: int) -> bool:
    """Say whether nothing of another's can touch a seat: 3 4 5, and no spell cast."""
    return hands.cast[seat] == NO_SPELL and shows(hands, seat) == SHIELD


@rule
def is_immune(hands: Hands, seat: int) -> bool:
    """Say whether others' Reduce Person leaves a seat alone: 1 2 3, or its caster."""
    return hands.cast[seat] == REDUCE_PERSON or shows(hands, seat) == REDUCE_PERSON


# ---------------------------------------------------------------- scores


@rule
def after_effect(total: int, effect: int, second: int, halve_up: int) -> int:
    """A score after one effect; `second` is the sum of Divine Intervention's throw."""
    if effect == HALVED:
        return (total + halve_up) // 2
    if effect == DOUBLED:
        return 2 * total
    if effect == TRIPLED:
        return 3 * total
    if effect == AFRESH:
        return INITIAL_SCORE + second
    return total + effect


@rule
def score(hands: Hands, seat: int) -> int:
    """A seat's score: the sum of its dice and the effects in the order they came."""
    dice, second = hands.dice[seat], hands.second[seat]
    total: int = dice[0] + dice[1] + dice[2]
    thrown_again = second[0] + second[1] + second[2]
    for i in range(len(hands.live)):
        effect = hands.effects[seat][i]
        if effect == NO_EFFECT:
            break
        total = after_effect(total, effect, thrown_again, hands.halve_up)
    return total


@rule
def rank(hands: Hands, seat: int) -> int:
    """What decides who wins: the score, and between equals having cast Reduce Person.

    The highest rank among those who may win a pot takes it; equal ranks split
    it. -1 for a seat that has folded.
    """
    if hands.live[seat] == 0:
        return -1
    return 2 * score(hands, seat) + (1 if hands.cast[seat] == REDUCE_PERSON else 0)


@rule
def best_other(hands: Hands, seat: int) -> int:
    """The highest score among the other live seats; 0 if there is none."""
    best = 0
    for other in range(len(hands.live)):
        if other != seat and hands.live[other] == 1:
            best = max(best, score(hands, other))
    return best


@rule
def add_effect(hands: Hands, seat: int, effect: int) -> None:
    """Note what befell a seat's score."""
    at = 0
    while hands.effects[seat][at] != NO_EFFECT:
        at += 1
    hands.effects[seat][at] = effect


# ---------------------------------------------------------------- whose turn


@rule
def last_step(hands: Hands) -> int:
    """The step after the last: a circuit of spells and one of Contingencies."""
    return 2 * len(hands.live)


@rule
def caster_at(hands: Hands, step: int) -> int:
    """Whose turn a step is: clockwise from the button, and then round again."""
    n_seats = len(hands.live)
    return clockwise(hands.button, step if step < n_seats else step - n_seats, n_seats)


@rule
def spell_at(hands: Hands, step: int) -> int:
    """What happens at a step as the dice lie now; NO_SPELL if nothing does.

    A Shield needs no turn. A Contingency is fixed at its caster's turn and
    comes in the second circuit (CONTINGENCY_COMES) if anybody stands higher.
    """
    seat = caster_at(hands, step)
    if hands.live[seat] == 0:
        return NO_SPELL
    if step < len(hands.live):
        spell = shows(hands, seat)
        return NO_SPELL if spell == SHIELD else spell
    if hands.cast[seat] == CONTINGENCY and best_other(hands, seat) > score(hands, seat):
        return CONTINGENCY_COMES
    return NO_SPELL


@rule
def next_step(hands: Hands, step: int) -> int:
    """The first step from `step` on at which something happens, or `last_step`."""
    while step < last_step(hands) and spell_at(hands, step) == NO_SPELL:
        step += 1
    return step


@rule
def n_extra(spell: int) -> int:
    """How many dice a spell asks its caster to throw: 0, 1 or 3."""
    if spell == DIVINE_INTERVENTION:
        return N_DICE
    return 1 if spell in (MIRROR_IMAGE, BULLS_STRENGTH, CONTINGENCY_COMES) else 0


@rule
def extra_faces(spell: int, i: int) -> int:
    """Faces of the `i`-th die a spell asks for."""
    if spell == MIRROR_IMAGE:
        return 6
    return 4 + 2 * i


# ---------------------------------------------------------------- spells


@rule
def cast_spell(hands: Hands, seat: int, spell: int, swap: int, a: int, b: int, c: int) -> None:
    """Cast what `spell_at` says; the hands are changed in place.

    Parameters
    ----------
    seat : int
        The caster.
    swap : int
        Of a Teleport: DECLINE, or three times the target's seat plus the die.
        A Teleport that is declined is no spell cast.
    a, b, c : int
        The dice the spell asks for (`n_extra`), 0 where it asks for fewer.

    Examples
    --------
    The second seat's 18 is halved; the last shows 3 4 5 and is shielded.

    >>> hands = deal_hands([(1, 2, 3), (4, 6, 8), (2, 6, 7), (3, 4, 5)])
    >>> cast_spell(hands, 0, REDUCE_PERSON, DECLINE, 0, 0, 0)
    >>> [score(hands, seat) for seat in range(4)]
    [6, 9, 7, 12]
    """
    if spell == TELEPORT and swap == DECLINE:
        return
    if spell != CONTINGENCY_COMES:
        hands.cast[seat] = spell
    if spell == REDUCE_PERSON:
        reduce_others(hands, seat)
    elif spell == TELEPORT:
        swap_dice(hands, seat, swap // N_DICE, swap % N_DICE)
    elif spell == DISINTEGRATION:
        discard_threes(hands, seat)
    elif spell == DIVINE_INTERVENTION:
        hands.second[seat][0], hands.second[seat][1], hands.second[seat][2] = a, b, c
        add_effect(hands, seat, AFRESH)
    elif spell == MIRROR_IMAGE:
        add_effect(hands, seat, TRIPLED if a == 6 else DOUBLED)
    elif spell in (BULLS_STRENGTH, CONTINGENCY_COMES):
        add_effect(hands, seat, a)


@rule
def can_reduce(hands: Hands, seat: int, target: int) -> bool:
    """Say whether a seat's Reduce Person halves the score of another."""
    if target == seat or hands.live[target] == 0:
        return False
    return not (is_shielded(hands, target) or is_immune(hands, target))


@rule
def reduce_others(hands: Hands, seat: int) -> None:
    """Halve every other score."""
    for target in range(len(hands.live)):
        if can_reduce(hands, seat, target):
            add_effect(hands, target, HALVED)


@rule
def can_disintegrate(hands: Hands, seat: int, target: int) -> bool:
    """Say whether a seat's Disintegration takes the 3s of another, if it has any."""
    return target != seat and hands.live[target] == 1 and not is_shielded(hands, target)


@rule
def discard_threes(hands: Hands, seat: int) -> None:
    """Take every 3 of the others: hand dice and Divine Intervention's throw."""
    for target in range(len(hands.live)):
        if can_disintegrate(hands, seat, target):
            for i in range(N_DICE):
                if hands.dice[target][i] == 3:
                    hands.dice[target][i] = 0
                if hands.second[target][i] == 3:
                    hands.second[target][i] = 0


# ---------------------------------------------------------------- Teleport


@rule
def can_swap(hands: Hands, seat: int, target: int, die: int) -> bool:
    """Say whether a Teleport may swap this die (0 to 2) with that of another seat."""
    if target == seat or hands.live[target] == 0 or is_shielded(hands, target):
        return False
    return bool(hands.dice[seat][die] != 0 and hands.dice[target][die] != 0)


@rule
def swap_dice(hands: Hands, seat: int, target: int, die: int) -> None:
    """Swap a die with another seat's of the same size; done twice, it is undone."""
    mine = hands.dice[seat][die]
    hands.dice[seat][die] = hands.dice[target][die]
    hands.dice[target][die] = mine


@rule
def is_to_come(hands: Hands, step: int, seat: int) -> bool:
    """Say whether a seat's turn to cast comes after a step."""
    n_seats = len(hands.live)
    after = seat - hands.button if seat >= hands.button else seat - hands.button + n_seats
    return after > step


@rule
def could_use(hands: Hands, step: int, seat: int) -> bool:
    """Say whether a seat could still use what its dice show: cast it, or hold a Shield."""
    spell = shows(hands, seat)
    if spell == NO_SPELL:
        return False
    if spell == SHIELD:
        return is_shielded(hands, seat)
    return is_to_come(hands, step, seat)


@rule
def margin_after(hands: Hands, seat: int, target: int, die: int) -> int:
    """By how much a seat would lead (or trail, below 0) right after a swap."""
    swap_dice(hands, seat, target, die)
    margin = score(hands, seat) - best_other(hands, seat)
    swap_dice(hands, seat, target, die)
    return margin


@rule
def is_gift(hands: Hands, step: int, seat: int, target: int, die: int) -> bool:
    """Say whether a swap would complete a combination that its target could still use."""
    swap_dice(hands, seat, target, die)
    gift = could_use(hands, step, target)
    swap_dice(hands, seat, target, die)
    return gift


@rule
def choose_swap(hands: Hands, step: int) -> int:
    """The swap a careful caster makes at his step, or DECLINE.

    He never completes a combination that its target could still use. Among the
    other swaps and declining he takes what leaves him the largest margin over
    the best other score; between equals he declines, or takes the target
    nearest clockwise, and of its dice the largest.

    Examples
    --------
    The first seat shows 2 3 4 and takes the 8 for his 4.

    >>> hands = deal_hands([(2, 3, 4), (1, 1, 8), (1, 1, 5), (1, 1, 5)])
    >>> divmod(choose_swap(hands, 0), 3)
    (1, 2)
    """
    seat = caster_at(hands, step)
    n_seats = len(hands.live)
    best = DECLINE
    most = score(hands, seat) - best_other(hands, seat)
    for steps in range(1, n_seats):
        target = clockwise(seat, steps, n_seats)
        for back in range(N_DICE):
            die = N_DICE - 1 - back
            if can_swap(hands, seat, target, die):
                margin = margin_after(hands, seat, target, die)
                if margin > most and not is_gift(hands, step, seat, target, die):
                    most = margin
                    best = N_DICE * target + die
    return best


# ---------------------------------------------------------------- what may be asked


class _Seats:
    """How many sit at a table; too few or too many are refused in the game's words."""

    word = "number"

    def read(self, value: Any) -> int:
        n = Whole(-(10**20), 10**20).read(value)
        if n < MIN_SEATS:
            raise ValueError(f"magic-wand needs {MIN_SEATS} or more seats (got {n})")
        if n > MAX_SEATS:
            raise ValueError(f"magic-wand has {MAX_SEATS} seats at the most (got {n})")
        return n

    def schema(self) -> dict[str, Any]:
        return Whole(MIN_SEATS, MAX_SEATS).schema()


def _answer(asked: Mapping[str, Any]) -> Answer:
    from .magic_wand_odds import answer

    return answer(asked)


ODDS = Question(
    options=(
        Option("seats", _Seats(), MIN_SEATS, "Seats that play to the end, 4 to 12."),
        *(option for option in OPTIONS if option.name in ("order_matters", "halve_up")),
        Option("games", Whole(LEAST_GAMES, MOST_GAMES), DEFAULT_GAMES, "How many to simulate."),
        Option("seed", Whole(0, 2**63 - 1), 1, "Another one, other games."),
    ),
    answer=_answer,
    help="""Give the odds of Magic Wand.

    What a hand shows is exact, counted over its 192 throws. What a seat is worth
    at the showdown is simulated: the rules are run over random hands, and the
    standard error is given.

    \b
      tavern odds magic-wand
      tavern odds magic-wand --seats 6 --json
      tavern odds magic-wand --order-matters
    """,
)
