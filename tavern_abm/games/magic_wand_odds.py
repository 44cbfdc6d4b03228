"""The odds of Magic Wand: what hands show, exactly; what a seat is worth, simulated.

A hand is one of 192 throws and is counted out. Who wins a showdown depends on
every hand at once, on the order of the spells and on further dice, which is out
of reach of enumeration; so the showdown's own rules are run over random hands.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from ..asking import Answer, Estimate, chance_lines
from ..chance import PLAY, THROW, roll, run_key, subkey
from ..compiled import kernel, rule
from . import magic_wand as mw

HANDS_IN_ALL = 4 * 6 * 8
WHOLE_POT = 27_720
"""Parts of a pot that divide evenly among 1 to 12 winners."""


# ---------------------------------------------------------------- one hand, exact


def throws_by_spell(order_matters: bool = False) -> dict[int, int]:
    """In how many of its 192 throws a hand shows each spell.

    Examples
    --------
    >>> counts = throws_by_spell()
    >>> [counts[spell] for spell in mw.SPELLS], sum(counts.values())
    ([6, 6, 4, 2, 1, 1, 1, 1], 22)
    >>> sum(throws_by_spell(order_matters=True).values())
    8
    """
    counts = dict.fromkeys(mw.SPELLS, 0)
    for dice in every_hand():
        spell = mw.combination(*dice, int(order_matters))
        if spell != mw.NO_SPELL:
            counts[spell] += 1
    return counts


def every_hand() -> list[tuple[int, int, int]]:
    """The 192 throws of d4, d6 and d8."""
    d4, d6, d8 = (range(1, faces + 1) for faces in mw.FACES)
    return list(product(d4, d6, d8))


def any_spell(n_seats: int = 1, order_matters: bool = False) -> Fraction:
    """Chance that at least one of so many hands shows a spell.

    Examples
    --------
    >>> any_spell(), f"{float(any_spell(4)):.6f}"
    (Fraction(11, 96), '0.385403')
    """
    casting = sum(throws_by_spell(order_matters).values())
    return 1 - Fraction(HANDS_IN_ALL - casting, HANDS_IN_ALL) ** n_seats


def mean_score() -> Fraction:
    """Mean of a hand's dice before any spell.

    Examples
    --------
    >>> mean_score()
    Fraction(21, 2)
    """
    return Fraction(sum(map(sum, every_hand())), HANDS_IN_ALL)


# ---------------------------------------------------------------- a table, simulated


class Showdowns(NamedTuple):
    """What many showdowns came to when nobody folded."""

    n_games: int
    share: list[Estimate]  # of the pot, by distance from the button
    share_showing: dict[int, Estimate]  # of a seat whose hand shows a spell at the reveal
    casting: Estimate  # of hands that show a spell
    any_spell: Estimate  # of games with at least one


class Tally(NamedTuple):
    """What a run of showdowns counts: arrays, filled in place.

    Shares are in parts of a pot of `WHOLE_POT`; ``squares`` of shares for their
    standard errors. ``by_seat`` goes by distance from the button, ``by_spell``
    by what a hand showed at the reveal (NO_SPELL among it).
    """

    by_seat: Any
    squares_by_seat: Any
    by_spell: Any
    squares_by_spell: Any
    shown: Any  # hands, by what they showed
    at_reveal: Any  # scratch: what each seat shows in this game
    games_with: Any  # one number: games in which any hand showed a spell


def simulate(
    n_seats: int,
    n_games: int,
    seed: int = 1,
    order_matters: bool = False,
    halve_up: bool = False,
) -> Showdowns:
    """Run the showdown over random hands: the rules of the game, compiled.

    Each game has a key of its own, so a longer run begins with the games of a
    shorter one.

    Parameters
    ----------
    n_seats : int
        4 to 12; nobody folded, the button is at seat 0.
    n_games : int
        From 1 up; a million take about a second.
    """
    hands = _empty_hands(n_seats, int(order_matters), int(halve_up))
    tally = _empty_tally(n_seats)
    _compiled_loop()(run_key(seed), n_games, hands, tally)
    by_seat = zip(tally.by_seat.tolist(), tally.squares_by_seat.tolist(), strict=True)
    by_spell = (tally.by_spell, tally.squares_by_spell, tally.shown)
    return Showdowns(
        n_games,
        [_mean(total, squares, n_games) for total, squares in by_seat],
        {spell: _mean(*(int(column[spell]) for column in by_spell)) for spell in mw.SPELLS},
        _proportion(int(tally.shown[1:].sum()), n_seats * n_games),
        _proportion(int(tally.games_with[0]), n_games),
    )


@rule
def throw_hands(hands: mw.Hands, key: int) -> None:
    """A new game: a fresh hand for everybody, from the dice of a key."""
    mw.clear(hands)
    for seat in range(len(hands.live)):
        for i in range(mw.N_DICE):
            hands.dice[seat][i] = roll(key, THROW, mw.N_DICE * seat + i, 4 + 2 * i)


@rule
def run_showdown(hands: mw.Hands, key: int) -> None:
    """Cast every spell in turn, as careful casters do, with the dice of a key."""
    step = mw.next_step(hands, 0)
    while step < mw.last_step(hands):
        spell = mw.spell_at(hands, step)
        swap = mw.choose_swap(hands, step) if spell == mw.TELEPORT else mw.DECLINE
        first = mw.N_DICE * (len(hands.live) + step)
        a = roll(key, THROW, first, mw.extra_faces(spell, 0))
        b = roll(key, THROW, first + 1, mw.extra_faces(spell, 1))
        c = roll(key, THROW, first + 2, mw.extra_faces(spell, 2))
        mw.cast_spell(hands, mw.caster_at(hands, step), spell, swap, a, b, c)
        step = mw.next_step(hands, step + 1)


@rule
def count_shown(hands: mw.Hands, tally: Tally) -> None:
    """Count what the hands show at the reveal, before any die has moved."""
    n_casting = 0
    for seat in range(len(hands.live)):
        spell = mw.shows(hands, seat)
        tally.at_reveal[seat] = spell
        tally.shown[spell] += 1
        if spell != mw.NO_SPELL:
            n_casting += 1
    if n_casting > 0:
        tally.games_with[0] += 1


@rule
def count_shares(hands: mw.Hands, tally: Tally) -> None:
    """Share a whole pot among the best and count who got what."""
    best = 0
    n_best = 0
    for seat in range(len(hands.live)):
        rank = mw.rank(hands, seat)
        if rank > best:
            best = rank
            n_best = 0
        if rank == best:
            n_best += 1
    share = WHOLE_POT // n_best
    for seat in range(len(hands.live)):
        if mw.rank(hands, seat) == best:
            spell = tally.at_reveal[seat]
            tally.by_seat[seat] += share
            tally.squares_by_seat[seat] += share * share
            tally.by_spell[spell] += share
            tally.squares_by_spell[spell] += share * share


@cache
def _compiled_loop() -> Callable[..., None]:
    """The loop over games, compiled when it is first asked for."""

    @kernel
    def showdowns(key: int, n_games: int, hands: mw.Hands, tally: Tally) -> None:
        for game in range(n_games):
            game_key = subkey(key, PLAY, game)
            throw_hands(hands, game_key)
            count_shown(hands, tally)
            run_showdown(hands, game_key)
            count_shares(hands, tally)

    return showdowns


def _empty_hands(n_seats: int, order_matters: int, halve_up: int) -> mw.Hands:
    dice, second = (np.zeros((n_seats, mw.N_DICE), np.int64) for _ in range(2))
    live, cast = np.ones(n_seats, np.int64), np.zeros(n_seats, np.int64)
    effects = np.zeros((n_seats, n_seats), np.int64)
    return mw.Hands(dice, second, live, cast, effects, 0, order_matters, halve_up)


def _empty_tally(n_seats: int) -> Tally:
    n_spells = len(mw.SPELLS) + 1
    sizes = (n_seats, n_seats, n_spells, n_spells, n_spells, n_seats, 1)
    return Tally(*(np.zeros(size, np.int64) for size in sizes))


def _mean(total: int, squares: int, n: int) -> Estimate:
    """Mean of shares summed in parts of a pot, with its standard error."""
    if n == 0:
        return Estimate(0.0, 0.0, 0)
    mean = Fraction(total, n * WHOLE_POT)
    variance = Fraction(squares, n * WHOLE_POT**2) - mean**2
    return Estimate(float(mean), math.sqrt(variance / n), n)


def _proportion(count: int, n: int) -> Estimate:
    return _mean(count * WHOLE_POT, count * WHOLE_POT**2, n)


# ---------------------------------------------------------------- the question


def answer(asked: Mapping[str, Any]) -> Answer:
    """What ``tavern odds magic-wand`` answers."""
    order = asked["order_matters"]
    counts = throws_by_spell(order)
    seats = asked["seats"]
    found = simulate(seats, asked["games"], asked["seed"], order, asked["halve_up"])
    worst = max(each.standard_error for each in found.share)
    data = {
        "seats": seats,
        "in_192": {slug(spell): number for spell, number in counts.items()},
        "spells": {slug(spell): Fraction(n, HANDS_IN_ALL) for spell, n in counts.items()},
        "any_spell": any_spell(1, order),
        "at_least_one_spell": any_spell(seats, order),
        "mean_score": mean_score(),
        "share": found.share,
        "share_showing": {slug(spell): each for spell, each in found.share_showing.items()},
        "method": "simulated",
        "standard_error": worst,
        "n": found.n_games,
        "simulated": {"any_spell": found.casting, "at_least_one_spell": found.any_spell},
    }
    return Answer(data, list(_lines(seats, counts, order, found, worst)))


def slug(spell: int) -> str:
    """A spell's name as programs have it.

    Examples
    --------
    >>> slug(mw.BULLS_STRENGTH)
    'bulls_strength'
    """
    return mw.SPELLS[spell].lower().replace("'", "").replace(" ", "_")


def _lines(
    seats: int, counts: Mapping[int, int], order: bool, found: Showdowns, worst: float
) -> Iterator[str]:
    yield "One hand: what it shows, in 192, and its seat's share of the pot (simulated)"
    for spell, name in mw.SPELLS.items():
        worth = found.share_showing[spell]
        yield f"  {name:<19} {counts[spell]:>2}   {worth.value:.3f} +- {worth.standard_error:.3f}"
    yield f"  {'any spell':<19} {sum(counts.values()):>2}"
    yield f"  mean of the dice before any spell: {float(mean_score())}"
    yield "Exact, and as the simulated games had it"
    yield from chance_lines(
        [
            ("a hand shows a spell", any_spell(1, order)),
            ("", found.casting),
            (f"at least one of {seats} does", any_spell(seats, order)),
            ("", found.any_spell),
        ]
    )
    yield f"Share of the pot at {seats} seats when nobody folds, by distance from the button"
    for distance, share in enumerate(found.share):
        yield f"  {distance:>2}   {share.value:.6f} +- {share.standard_error:.6f}"
    yield f"  simulated, {found.n_games:,} games; standard error at most {worst:.6f}"
