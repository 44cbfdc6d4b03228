"""Each game's bare rules in a loop: no people, no seats, no books.

A `Bare` game plays any number of rounds from a seed, in compiled code, and
counts what is asked of it. `oracles.py` holds the counts against exact values,
`speed.py` the time against the clock. Rules and throws are those the evenings
run; only the loops are here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np

from tavern_abm import chance
from tavern_abm.chance import roll, slot, subkey, throw, unit
from tavern_abm.compiled import kernel
from tavern_abm.courses import plain_course, to_array
from tavern_abm.games import arm_wrestling as aw
from tavern_abm.games import chase as ch
from tavern_abm.games import heads_or_tails as ht
from tavern_abm.games import long_throw as lt
from tavern_abm.games import magic_wand as mw
from tavern_abm.games import race
from tavern_abm.games import rotting_toes as rt
from tavern_abm.games.long_throw_odds import exact_odds as exact_throws
from tavern_abm.games.magic_wand_odds import any_spell, mean_score, run_showdown, throw_hands
from tavern_abm.games.race_odds import compare, fortune
from tavern_abm.patrons.competitor import Competitor
from tavern_abm.patrons.decisions.heads_or_tails import calls_coin
from tavern_abm.tables.arm_wrestling import wrestle

SEATS = 6
WAND_SEATS = 4
N_COUNTS = 8
type Loop = Callable[[int, int, Any], None]
"""Plays so many rounds from a key and adds up what it counts."""


@dataclass(frozen=True)
class Quantity:
    """Something whose exact value is known.

    Parameters
    ----------
    name : str
    exact : Fraction or float
    at : int
        Where the loop adds it up.
    per_round : int, default 1
        How often it can happen in a round, if it is a chance.
    squares_at : int, optional
        Where the loop adds up its squares, if it is a mean and no chance.
    """

    name: str
    exact: Fraction | float
    at: int
    per_round: int = 1
    squares_at: int | None = None

    def estimate(self, counts: Sequence[int], n_rounds: int) -> tuple[float, float]:
        """What so many rounds came to, and its standard error."""
        n = n_rounds * self.per_round
        mean = counts[self.at] / n
        if self.squares_at is not None:
            return mean, sqrt((counts[self.squares_at] / n - mean**2) / n)
        exact = float(self.exact)
        return mean, sqrt(exact * (1 - exact) / n)


@dataclass(frozen=True)
class Bare:
    """A game's bare rules.

    Parameters
    ----------
    game : str
        As in `tavern_abm.games.GAMES`.
    what : str
        Who plays, and how; what a round is.
    loop : callable
    quantities : sequence of Quantity
    """

    game: str
    what: str
    loop: Loop
    quantities: Sequence[Quantity]

    def play(self, n_rounds: int, seed: int = 1) -> list[int]:
        """Play so many rounds; what was counted."""
        counts = np.zeros(N_COUNTS, np.int64)
        self.loop(chance.run_key(seed), n_rounds, counts)
        found: list[int] = counts.tolist()
        return found


# ---------------------------------------------------------------- rotting toes


@kernel
def _toes(key: int, n: int, dice: Any, bets: Any, stakes: Any, net: Any, counts: Any) -> None:
    for round_ in range(n):
        hand = round_ % len(bets)
        for seat in range(len(bets)):
            bets[seat] = rt.ROT if (seat + round_) % 3 else rt.NOT
        bets[hand] = rt.NOT
        round_key = subkey(key, chance.PLAY, round_)
        toes = rt.deal(0)
        while rt.n_dice(toes) > 0:
            thrown = dice[: rt.n_dice(toes)]
            throw(round_key, chance.THROW, slot(0, rt.MAX_DICE * toes.throws), 6, thrown)
            toes = rt.after_throw(toes, thrown)
        rt.payout(rt.result(toes), hand, bets, stakes, net)
        counts[0] += rt.result(toes) == rt.WIN
        counts[1] += toes.throws == rt.MAX_THROWS


def _play_toes(key: int, n: int, counts: Any) -> None:
    bets, net = np.zeros((2, SEATS), np.int64)
    _toes(key, n, np.zeros(rt.MAX_DICE, np.int64), bets, np.full(SEATS, 10), net, counts)


ROTTING_TOES = Bare(
    "rotting-toes",
    f"{SEATS} seats, honest",
    _play_toes,
    [Quantity("the Hand wins", Fraction(397, 972), 0), Quantity("3 throws", Fraction(85, 162), 1)],
)

# ---------------------------------------------------------------- magic wand


@kernel
def _wands(key: int, n: int, hands: Any, counts: Any) -> None:
    for game in range(n):
        game_key = subkey(key, chance.PLAY, game)
        throw_hands(hands, game_key)
        n_showing = 0
        for seat in range(len(hands.live)):
            raw = mw.score(hands, seat)
            counts[2] += raw
            counts[3] += raw * raw
            n_showing += mw.shows(hands, seat) != mw.NO_SPELL
        counts[0] += n_showing
        counts[1] += n_showing > 0
        run_showdown(hands, game_key)


def _play_wands(key: int, n: int, counts: Any) -> None:
    shape = (WAND_SEATS, mw.N_DICE)
    dice, second = np.zeros((2, *shape), np.int64)
    live, cast = np.ones(WAND_SEATS, np.int64), np.zeros(WAND_SEATS, np.int64)
    effects = np.zeros((WAND_SEATS, WAND_SEATS), np.int64)
    _wands(key, n, mw.Hands(dice, second, live, cast, effects, 0, 0, 0), counts)


MAGIC_WAND = Bare(
    "magic-wand",
    f"showdowns of {WAND_SEATS} hands",
    _play_wands,
    [
        Quantity("a hand casts", any_spell(), 0, WAND_SEATS),
        Quantity("any of 4 casts", any_spell(WAND_SEATS), 1),
        Quantity("raw score", mean_score(), 2, WAND_SEATS, squares_at=3),
    ],
)

# ---------------------------------------------------------------- arm wrestling


@kernel
def _bouts(key: int, n: int, a: Any, b: Any, counts: Any) -> None:
    for number in range(n):
        bout = wrestle(subkey(key, chance.PLAY, number), a, b, aw.TARGET)
        counts[bout.ended] += 1
        counts[4] += bout.rounds
        counts[5] += bout.rounds * bout.rounds


def _bout(edge: int, con_a: int = 10, con_b: int = 10) -> Bare:
    a, b = aw.arm(edge, con_a, 0), aw.arm(0, con_b, 0)
    exact = aw.exact_odds(a, b)
    constitutions = f", Con {con_a} and {con_b}" if (con_a, con_b) != (10, 10) else ""
    return Bare(
        "arm-wrestling",
        f"bouts, {edge:+d}{constitutions}",
        lambda key, n, counts: _bouts(key, n, a, b, counts),
        [
            Quantity("the first wins", exact.a_wins, aw.A_WINS),
            Quantity("the second wins", exact.b_wins, aw.B_WINS),
            Quantity("a draw", exact.draw, aw.DRAW),
            Quantity("mean rounds", exact.mean_rounds, 4, squares_at=5),
        ],
    )


# ---------------------------------------------------------------- long throw


@kernel
def _throws(
    key: int, n: int, a: Any, b: Any, contest: Any, results: Any, winners: Any, counts: Any
) -> None:
    for number in range(n):
        throw_key = subkey(key, chance.PLAY, number)
        results[0] = lt.degree_of_success(roll(throw_key, chance.CONTEST, 0, 20), a, contest)
        results[1] = lt.degree_of_success(roll(throw_key, chance.CONTEST, 1, 20), b, contest)
        n_winners = lt.find_best(results[:2], results[2:], winners)
        counts[0] += n_winners == 1 and winners[0] == 1
        counts[1] += n_winners == 2


def _throw(strength_a: int, strength_b: int, thing: str, weight: int, increment: int) -> Bare:
    a, b = lt.Thrower(strength_a), lt.Thrower(strength_b)
    contest = lt.Contest(lt.FAR, weight, increment)
    exact = exact_throws(a, b, contest)

    def play(key: int, n: int, counts: Any) -> None:
        results = np.ones(4, np.int64)  # the last two: both are in
        _throws(key, n, a, b, contest, results, np.zeros(2, np.int64), counts)

    return Bare(
        "long-throw",
        f"a {thing}, Strength {strength_a} and {strength_b}",
        play,
        [Quantity("the first wins", exact.a_wins, 0), Quantity("a tie", exact.tie, 1)],
    )


# ---------------------------------------------------------------- races


@kernel
def _races(
    key: int, n: int, course: Any, people: Any, racers: Any, winners: Any, counts: Any
) -> None:
    for number in range(n):
        race_key = subkey(key, chance.PLAY, number)
        racers[:] = 0
        at = 0
        for _ in range(len(course)):
            for who in range(len(people)):
                race.enter(racers[who], course, people[who])
                while racers[who, race.NEEDS] != race.NOTHING:
                    natural = roll(race_key, chance.CONTEST, at, 20)
                    race.after(racers[who], course, people[who], natural)
                    at += 1
        n_winners = race.mark_winners(racers, winners)
        counts[0] += n_winners == 1 and winners[0] == 1
        counts[1] += n_winners == 2


def _race(n_increments: int, edge: int) -> Bare:
    course = to_array(plain_course("foot", n_increments))
    fast = race.entrant(Competitor("A", strength=10 + 2 * edge))
    slow = race.entrant(Competitor("B"))
    exact = compare(fortune(course, fast), fortune(course, slow))
    people = np.array([fast, slow])

    def play(key: int, n: int, counts: Any) -> None:
        racers = np.zeros((2, race.N_RACER), np.int64)
        _races(key, n, course, people, racers, np.zeros(2, np.int64), counts)

    return Bare(
        "race",
        f"{n_increments} increments, {edge:+d} on each",
        play,
        [Quantity("the first wins", exact.a_wins, 0), Quantity("a tie", exact.tie, 1)],
    )


# ---------------------------------------------------------------- chases


@kernel
def _chases(key: int, n: int, lead: int, edge: int, counts: Any) -> None:
    for number in range(n):
        chase_key = subkey(key, chance.PLAY, number)
        chase = ch.set_out(lead)
        while chase.ended == ch.RUNNING:
            at = 2 * chase.increments
            gained = roll(chase_key, chance.CONTEST, at, 20) + edge
            lost = roll(chase_key, chance.CONTEST, at + 1, 20)
            chase = ch.after_increment(chase, gained, lost, ch.MAX_INCREMENTS)
        counts[chase.ended] += 1
        counts[4] += chase.increments
        counts[5] += chase.increments * chase.increments


def _chase(lead: int, edge: int) -> Bare:
    exact = ch.exact_odds(lead, edge, 0)
    return Bare(
        "chase",
        f"a lead of {lead}, {edge:+d}",
        lambda key, n, counts: _chases(key, n, lead, edge, counts),
        [
            Quantity("caught", exact.caught, ch.CAUGHT),
            Quantity("away", exact.away, ch.AWAY),
            Quantity("mean increments", exact.mean_increments, 4, squares_at=5),
        ],
    )


# ---------------------------------------------------------------- heads or tails


@kernel
def _tosses(key: int, n: int, calls: Any, net: Any, counts: Any) -> None:
    for toss in range(n):
        toss_key = subkey(key, chance.PLAY, toss)
        tosser = toss % len(calls)
        n_heads = 0
        n_tails = 0
        for seat in range(len(calls)):
            if seat == tosser:
                continue
            calls[seat] = calls_coin(n_heads, n_tails, unit(toss_key, chance.BET, seat))
            if calls[seat] == ht.HEADS:
                n_heads += 1
            else:
                n_tails += 1
        calls[tosser] = ht.tosser_side(n_heads, n_tails)
        coin = roll(toss_key, chance.THROW, 0, ht.FACES)
        ht.payout(coin, tosser, calls, 10, net)
        counts[0] += coin == ht.HEADS


def _play_tosses(key: int, n: int, counts: Any) -> None:
    calls, net = np.zeros((2, SEATS), np.int64)
    _tosses(key, n, calls, net, counts)


HEADS_OR_TAILS = Bare(
    "heads-or-tails", f"{SEATS} seats", _play_tosses, [Quantity("heads", Fraction(1, 2), 0)]
)

GAMES: Mapping[str, Sequence[Bare]] = {
    "rotting-toes": [ROTTING_TOES],
    "magic-wand": [MAGIC_WAND],
    "arm-wrestling": [_bout(0), _bout(1), _bout(4), _bout(2, 3, 18)],
    "long-throw": [_throw(18, 14, "log", 150, 2), _throw(12, 12, "stone", 14, 10)],
    "race": [_race(10, 1), _race(20, 2)],
    "chase": [_chase(5, 0), _chase(10, 0), _chase(15, 0), _chase(10, 2)],
    "heads-or-tails": [HEADS_OR_TAILS],
}
"""The bare games; of each game the first is the one that is timed."""
