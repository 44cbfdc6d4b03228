"""The other games: each played in a bare loop by its own rules and keyed dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..chance import CONTEST, PLAY, roll, subkey
from ..checks import HARD_DC, opposed, passes
from ..compiled import kernel
from ..courses import plain_course, to_array
from ..games import arm_wrestling as aw
from ..games import chase as ch
from ..games import long_throw as lt
from ..games import magic_wand as mw
from ..games import race
from ..games.magic_wand_odds import throw_hands
from ..patrons.competitor import Competitor
from ..tables.arm_wrestling_bouts import wrestle
from .check import Check, Finding, Trial, equal, mean, share
from .exact import contests, toes

SECTION = "The other games"
N_ROUNDS = 1_000_000
N_COUNTS = 8
_LENGTH, _LENGTH_SQUARED = 4, 5

type Loop = Callable[..., None]
"""Plays so many rounds from a key and adds up what it counts."""


def _played(loop: Loop, key: int, n: int, *rest: Any) -> list[int]:
    counts = np.zeros(N_COUNTS, np.int64)
    loop(key, n, *rest, counts)
    found: list[int] = counts.tolist()
    return found


# ---------------------------------------------------------------- checks

_EDGES = (0, 2, 5, 10)
_MODIFIERS = (0, 6, 12)


def _checks(trial: Trial) -> Sequence[Finding]:
    d20 = range(1, 21)
    found = []
    for edge in _EDGES:
        gaps = [opposed(a, edge, b, 0) for a in d20 for b in d20]
        exact = contests.opposed(edge)
        found.append(equal(exact[0], sum(gap > 0 for gap in gaps) / 400))
        found.append(equal(exact[1], sum(gap == 0 for gap in gaps) / 400))
    for modifier in _MODIFIERS:
        n = sum(passes(natural, modifier, HARD_DC) for natural in d20)
        found.append(equal(toes.check_prob(modifier, HARD_DC), n / 20))
    return found


# ---------------------------------------------------------------- arms


@kernel
def _bouts(key: int, n: int, a: Any, b: Any, counts: Any) -> None:
    for number in range(n):
        bout = wrestle(subkey(key, PLAY, number), a, b, aw.TARGET)
        counts[bout.ended] += 1
        counts[4] += bout.rounds
        counts[5] += bout.rounds * bout.rounds


_PAIRS = ((0, (10, 10)), (1, (10, 10)), (4, (10, 10)), (2, (3, 18)))


def _arms(trial: Trial) -> Sequence[Finding]:
    n, found = trial.n(N_ROUNDS), []
    for at, (edge, constitutions) in enumerate(_PAIRS):
        a, b = (aw.arm(pull, con, 0) for pull, con in zip((edge, 0), constitutions, strict=True))
        exact = contests.arm_wrestling(edge, constitutions)
        counts = _played(_bouts, trial.key_of(at), n, a, b)
        found += [
            share(exact.first, counts[aw.A_WINS], n),
            share(exact.neither, counts[aw.DRAW], n),
            mean(exact.mean_length, counts[_LENGTH], counts[_LENGTH_SQUARED], n),
        ]
    return found


# ---------------------------------------------------------------- chases


@kernel
def _chases(key: int, n: int, lead: int, edge: int, counts: Any) -> None:
    for number in range(n):
        chase_key = subkey(key, PLAY, number)
        chase = ch.set_out(lead)
        while chase.ended == ch.RUNNING:
            at = 2 * chase.increments
            gained = roll(chase_key, CONTEST, at, 20) + edge
            lost = roll(chase_key, CONTEST, at + 1, 20)
            chase = ch.after_increment(chase, gained, lost, ch.MAX_INCREMENTS)
        counts[chase.ended] += 1
        counts[4] += chase.increments
        counts[5] += chase.increments * chase.increments


_RUNS = ((5, 0), (10, 0), (15, 0), (10, 2))


def _chased(trial: Trial) -> Sequence[Finding]:
    n, found = trial.n(N_ROUNDS), []
    for at, (lead, edge) in enumerate(_RUNS):
        exact = contests.chase(lead, edge)
        counts = _played(_chases, trial.key_of(at), n, lead, edge)
        found += [
            share(exact.first, counts[ch.CAUGHT], n),
            mean(exact.mean_length, counts[_LENGTH], counts[_LENGTH_SQUARED], n),
        ]
    return found


# ---------------------------------------------------------------- races


@kernel
def _races(
    key: int, n: int, course: Any, people: Any, racers: Any, winners: Any, counts: Any
) -> None:
    for number in range(n):
        race_key = subkey(key, PLAY, number)
        racers[:] = 0
        at = 0
        for _ in range(len(course)):
            for who in range(len(people)):
                race.enter(racers[who], course, people[who])
                while racers[who, race.NEEDS] != race.NOTHING:
                    race.after(racers[who], course, people[who], roll(race_key, CONTEST, at, 20))
                    at += 1
        n_winners = race.mark_winners(racers, winners)
        counts[0] += n_winners == 1 and winners[0] == 1
        counts[1] += n_winners == 2


_COURSES = ((10, 1), (20, 2))


def _raced(trial: Trial) -> Sequence[Finding]:
    n, found = trial.n(N_ROUNDS // 2), []
    for at, (n_increments, edge) in enumerate(_COURSES):
        course = to_array(plain_course("foot", n_increments))
        runners = (Competitor("A", strength=10 + 2 * edge), Competitor("B"))
        people = np.array([race.entrant(each) for each in runners])
        room = np.zeros((2, race.N_RACER), np.int64), np.zeros(2, np.int64)
        counts = _played(_races, trial.key_of(at), n, course, people, *room)
        exact = contests.race(n_increments, edge)
        found += [share(exact.first, counts[0], n), share(exact.neither, counts[1], n)]
    return found


# ---------------------------------------------------------------- throws


@kernel
def _throws(
    key: int, n: int, a: Any, b: Any, contest: Any, results: Any, winners: Any, counts: Any
) -> None:
    for number in range(n):
        throw_key = subkey(key, PLAY, number)
        results[0] = lt.degree_of_success(roll(throw_key, CONTEST, 0, 20), a, contest)
        results[1] = lt.degree_of_success(roll(throw_key, CONTEST, 1, 20), b, contest)
        n_winners = lt.find_best(results[:2], results[2:], winners)
        counts[0] += n_winners == 1 and winners[0] == 1
        counts[1] += n_winners == 2


_THROWN = ((18, 14, "log", 150, 2), (12, 12, "stone", 14, 10))


def _thrown(trial: Trial) -> Sequence[Finding]:
    n, found = trial.n(N_ROUNDS), []
    for at, (strength_a, strength_b, _, weight, increment) in enumerate(_THROWN):
        both = lt.Thrower(strength_a), lt.Thrower(strength_b)
        contest = lt.Contest(lt.FAR, weight, increment)
        room = np.ones(4, np.int64), np.zeros(2, np.int64)  # ones: both are in
        counts = _played(_throws, trial.key_of(at), n, *both, contest, *room)
        exact = contests.long_throw(strength_a, strength_b, weight)
        found += [share(exact.first, counts[0], n), share(exact.neither, counts[1], n)]
    return found


# ---------------------------------------------------------------- wands

WAND_SEATS = 4


@kernel
def _wands(key: int, n: int, hands: Any, counts: Any) -> None:
    for game in range(n):
        throw_hands(hands, subkey(key, PLAY, game))
        n_showing = 0
        for seat in range(len(hands.live)):
            raw = mw.score(hands, seat)
            counts[2] += raw
            counts[3] += raw * raw
            n_showing += mw.shows(hands, seat) != mw.NO_SPELL
        counts[0] += n_showing
        counts[1] += n_showing > 0


def _waved(trial: Trial) -> Sequence[Finding]:
    n = trial.n(N_ROUNDS)
    dice, second = np.zeros((2, WAND_SEATS, mw.N_DICE), np.int64)
    live, cast = np.ones(WAND_SEATS, np.int64), np.zeros(WAND_SEATS, np.int64)
    effects = np.zeros((WAND_SEATS, WAND_SEATS), np.int64)
    hands = mw.Hands(dice, second, live, cast, effects, 0, 0, 0)
    counts = _played(_wands, trial.key, n, hands)
    return [
        share(contests.casts(), counts[0], n * WAND_SEATS),
        share(contests.casts(WAND_SEATS), counts[1], n),
        mean(contests.mean_hand(), counts[2], counts[3], n * WAND_SEATS),
    ]


CHECKS = (
    Check(
        SECTION,
        "checks on a d20",
        "counted in closed form",
        [
            f"{who}, {edge:+d}"
            for edge in _EDGES
            for who in ("the better of two wins", "the two are level")
        ]
        + [f"a check of {modifier:+d} against DC {HARD_DC}" for modifier in _MODIFIERS],
        _checks,
    ),
    Check(
        SECTION,
        "arm wrestling",
        "a Markov chain of leads",
        [
            f"{what}, {edge:+d}, Constitution {con[0]} and {con[1]}"
            for edge, con in _PAIRS
            for what in ("the first wins", "a draw", "rounds")
        ],
        _arms,
    ),
    Check(
        SECTION,
        "a chase",
        "a Markov chain of leads",
        [
            f"{what}, lead {lead}, {edge:+d}"
            for lead, edge in _RUNS
            for what in ("caught", "increments")
        ],
        _chased,
    ),
    Check(
        SECTION,
        "a race of two",
        "sums of dice, counted",
        [
            f"{what}, {n} increments, {edge:+d} on each"
            for n, edge in _COURSES
            for what in ("the faster wins", "a tie")
        ],
        _raced,
    ),
    Check(
        SECTION,
        "a long throw of two",
        "every pair of throws",
        [
            f"{what}, a {thing}, Strength {a} and {b}"
            for a, b, thing, _, _ in _THROWN
            for what in ("the first wins", "a tie")
        ],
        _thrown,
    ),
    Check(
        SECTION,
        "Magic Wand",
        "every hand counted",
        ("a hand shows a spell", f"one of {WAND_SEATS} hands does", "the sum of a hand"),
        _waved,
    ),
)
