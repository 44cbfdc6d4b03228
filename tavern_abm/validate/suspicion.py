"""What a round proves, how beliefs fade, and how long a test of a Hand takes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ..chance import PLAY, THIEVERY, THROW, roll, slot, subkey, throw
from ..checks import HARD_DC
from ..compiled import kernel
from ..games import rotting_toes as rt
from ..patrons.columns import blank_people
from ..patrons.decisions.general import logit
from ..scenario import Scenario
from ..society.suspicion import (
    Beliefs,
    Memory,
    Ways,
    blank_beliefs,
    log_odds_now,
    memory_of,
    place,
    settle,
    witness,
)
from ..tables.rotting_toes import weigh
from ..town.setup import make_ways
from .check import Check, Finding, Trial, equal, mean, share
from .exact import toes, walks

SECTION = "Suspicion"


class Assumed(NamedTuple):
    """What people assume of a cheat."""

    tau: Fraction
    thievery: int
    dc: int
    false_alarm: Fraction

    def cheat(self) -> toes.Cheat:
        """As the enumeration has him."""
        return toes.Cheat(self.tau, self.thievery, self.dc)

    def ways(self) -> Ways:
        """As the kernels are handed it."""
        return ways_with(
            **{
                "suspicion.assumed_tau": float(self.tau),
                "suspicion.assumed_thievery": self.thievery,
                "suspicion.false_alarm": float(self.false_alarm),
                "taverns.0.thievery_dc": self.dc,
            }
        )


USUAL = Assumed(Fraction(1, 4), 6, HARD_DC, Fraction(1, 100))
OTHERS = (
    Assumed(Fraction(3, 5), 9, 21, Fraction(1, 20)),
    Assumed(Fraction(1, 10), 2, 15, Fraction(1, 1000)),
)
_ENDED = {toes.WON: rt.WIN, toes.LOST: rt.LOSE}
_VIEWS = [(how, odd) for how in (toes.WON, toes.LOST) for odd in range(4)]


def ways_with(**settings: Any) -> Ways:
    """How beliefs are formed in a scenario that is plain but for these fields."""
    return make_ways(Scenario().with_settings(settings))


def weighed(views: Sequence[toes.View], failed: float, ways: Ways) -> float:
    """What the tables make of some rounds of a Hand in a row: the log likelihood ratio."""
    hand = blank_people(1)[0]
    hand.filter = failed
    return sum(float(weigh(hand, ways, 0, _ENDED[how], odd)) for how, odd in views)


def exactly_weighed(views: Sequence[toes.View], failed: int, assumed: Assumed) -> float:
    """The same by enumeration."""
    reckoned, log_ratio = Fraction(failed), 0.0
    for view in views:
        ratio, reckoned = toes.likelihood_ratio(
            view, reckoned, assumed.cheat(), assumed.false_alarm
        )
        log_ratio += math.log(ratio)
    return log_ratio


def _table(trial: Trial) -> Sequence[Finding]:
    ways = USUAL.ways()
    return [
        equal(exactly_weighed([view], failed, USUAL), weighed([view], failed, ways))
        for failed in (0, 1)
        for view in _VIEWS
    ]


def _rows(trial: Trial) -> Sequence[Finding]:
    found = []
    for assumed in (USUAL, *OTHERS):
        ways = assumed.ways()
        off = (
            weighed(views, 0, ways) - exactly_weighed(views, 0, assumed)
            for views in itertools.product(_VIEWS, repeat=2)
        )
        found.append(equal(0, max(map(abs, off))))
    return found


def _normalised(trial: Trial) -> Sequence[Finding]:
    found = []
    for assumed in (USUAL, *OTHERS):
        ways = assumed.ways()
        honest = toes.views(toes.Cheat(), assumed.false_alarm)
        mean_ratio = sum(
            float(p) * math.exp(weighed([(how, odd)], 0, ways))
            for (how, odd, _), p in honest.items()
        )
        found.append(equal(1 - toes.chance_of(assumed.cheat(), toes.VOID), mean_ratio))
    return found


# ---------------------------------------------------------------- a test of a Hand

ALPHA = BETA = 0.05
CHEAT = toes.Cheat(Fraction(1), 6, HARD_DC)


@kernel
def _tests(
    key: int,
    n: int,
    cheats: bool,
    low: float,
    high: float,
    won: float,
    lost: float,
    beliefs: Beliefs,
    ways: Ways,
    dice: Any,
    counts: Any,
) -> None:
    """Watch a Hand, as if every round were his first tonight, until one is sure of him."""
    memory = memory_of(beliefs, 0)
    for i in range(n):
        memory.subject[0] = -1
        memory.strength[0] = -1.0
        k = place(memory, 1, 1, ways)
        test_key = subkey(key, PLAY, i)
        belief = log_odds_now(memory, k, 1, ways)
        rounds = 0
        while low < belief < high:
            toes_ = rt.deal(0)
            while rt.n_dice(toes_) > 0:
                at = toes_.throws
                thrown = dice[: rt.n_dice(toes_)]
                throw(test_key, THROW, slot(rounds, rt.MAX_DICE * at), 6, thrown)
                toes_ = rt.after_throw(toes_, thrown)
                if cheats and rt.can_cheat(toes_):
                    natural = roll(test_key, THIEVERY, slot(rounds, at), 20)
                    toes_ = rt.after_check(toes_, natural, 6, HARD_DC)
            witness(memory, k, won if rt.result(toes_) == rt.WIN else lost, 1, ways)
            belief = log_odds_now(memory, k, 1, ways)
            rounds += 1
        counts[0] += belief >= high
        counts[1] += rounds
        counts[2] += rounds * rounds


def _sequential(trial: Trial) -> Sequence[Finding]:
    n = trial.n(200_000)
    # The size of the steps is what the package makes of its rules.
    p0, p1 = (
        float(rt.exact_odds(cheats=cheats, thievery=CHEAT.thievery, dc=CHEAT.dc)[rt.WIN])
        for cheats in (rt.Never, rt.Always)
    )
    steps = math.log(p1 / p0), math.log((1 - p1) / (1 - p0))
    bounds = logit(BETA), logit(1 - ALPHA)
    ways = ways_with(**{"suspicion.assumed_share": 0.5})
    found: dict[bool, tuple[Finding, Finding]] = {}
    for cheats in (False, True):
        counts = np.zeros(3, np.int64)
        dice = np.zeros(rt.MAX_DICE, np.int64)
        key = trial.key_of(cheats)
        _tests(key, n, cheats, *bounds, *steps, blank_beliefs(1, 1), ways, dice, counts)
        exact = walks.sequential_test(*_win_probs(cheats), ALPHA, BETA)
        wrong = n - int(counts[0]) if cheats else int(counts[0])
        error = 1 - exact.accepts if cheats else exact.accepts
        rounds = mean(exact.mean_rounds, int(counts[1]), int(counts[2]), n)
        found[cheats] = rounds, share(error, wrong, n)
    return [*found[False], *found[True]]


def _win_probs(cheats: bool) -> tuple[float, float, float]:
    """Chances that this Hand wins, that an honest one does, and that a cheat does."""
    p0, p1 = (float(toes.chance_of(who, toes.WON)) for who in (toes.Cheat(), CHEAT))
    return (p1 if cheats else p0), p0, p1


# ---------------------------------------------------------------- fading

NIGHTS = 60
ROUNDS_A_NIGHT = 24
FLOAT32 = 2e-6
"""Beliefs are kept in 32 bits, and written anew every night here."""


def _faded(ways: Ways, is_settled: bool) -> Iterator[float]:
    """What is left of a belief on each night, if he is seen in rounds that prove nothing."""
    memory: Memory = memory_of(blank_beliefs(1, 1), 0)
    k = place(memory, 1, 0, ways)
    witness(memory, k, 3.0, 0, ways)
    if is_settled:
        settle(memory, k, 0, ways)
    at_first = log_odds_now(memory, k, 0, ways) - ways.prior
    for night in range(1, NIGHTS + 1):
        for _ in range(ROUNDS_A_NIGHT):
            witness(memory, k, 0.0, night, ways)
        yield (log_odds_now(memory, k, night, ways) - ways.prior) / at_first


def _fading(trial: Trial) -> Sequence[Finding]:
    ways = ways_with()
    suspicion = Scenario().suspicion
    left = list(_faded(ways, is_settled=False))
    settled = list(_faded(ways, is_settled=True))
    nights = range(1, NIGHTS + 1)
    half_life = NIGHTS * math.log(0.5) / math.log(left[-1]) if 0 < left[-1] < 1 else math.nan
    off = max(abs(left[i - 1] - suspicion.fading**i) for i in nights)
    off_settled = max(abs(settled[i - 1] - suspicion.settled_fading**i) for i in nights)
    return [
        equal(math.log(0.5) / math.log(suspicion.fading), half_life, 1e-4),
        equal(0, off, FLOAT32),
        equal(0, off_settled, FLOAT32),
    ]


_BY_ENUMERATION = "throws, checks and odd throws enumerated"
_OF_ASSUMED = [
    f"Thievery {each.thievery:+d}, DC {each.dc}, tries {each.tau}, alarms {each.false_alarm}"
    for each in (USUAL, *OTHERS)
]

CHECKS = (
    Check(
        SECTION,
        "log likelihood ratio of a round, cheat to honest",
        _BY_ENUMERATION,
        [
            f"{how}, {odd} odd throws, {failed} failed before"
            for failed in (0, 1)
            for how, odd in _VIEWS
        ],
        _table,
    ),
    Check(
        SECTION,
        "log likelihood ratio of two rounds in a row, 64 ways: largest error",
        _BY_ENUMERATION,
        _OF_ASSUMED,
        _rows,
    ),
    Check(
        SECTION,
        "an honest Hand's mean likelihood ratio",
        "1 less a cheat's chance to be caught, enumerated",
        _OF_ASSUMED,
        _normalised,
    ),
    Check(
        SECTION,
        f"sequential test at {ALPHA:.0%} of a Hand who tries always, Thievery +6",
        "chances followed round by round, with the overshoot (Wald 1945 leaves it out)",
        (
            "rounds to know an honest one",
            "an honest one is condemned",
            "rounds to know a cheat",
            "a cheat is cleared",
        ),
        _sequential,
    ),
    Check(
        SECTION,
        "fading, seen every round in a night",
        "powers of what is left a night",
        (
            "half-life of a belief, nights",
            f"largest error in {NIGHTS} nights",
            "the same of a settled one",
        ),
        _fading,
    ),
)
