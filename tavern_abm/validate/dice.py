"""The Hand's turn at Rotting Toes, as a table plays it, and the streaks of Hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ..chance import BET, PATRON, PLAY, subkey, unit
from ..compiled import kernel, rule
from ..games import rotting_toes as rt
from ..model import TavernModel
from ..patrons.columns import Row
from ..patrons.decisions import shipped_decisions
from ..patrons.decisions.rotting_toes import choose_side
from ..scenario import Scenario
from ..tables.record import NO_SEAT, n_bits
from ..tables.rotting_toes import Own, blank_scratch, make_own, take_turn
from ..tables.seats import World, blank_tables
from .check import Check, Finding, Trial, equal, mean, share
from .exact import toes, walks

SECTION = "Rotting Toes"
DC = 19
FALSE_ALARM = Fraction(1, 100)
N_COUNTS = 8
_THIRD, _ODD, _ODD_SQUARED, _NOTICED = 4, 5, 6, 7


class Chooses(NamedTuple):
    """The decisions a Hand's turn asks for."""

    tries_to_cheat: Callable[..., bool]
    throws_own_dice: Callable[..., bool]


@rule
def never(
    patron: Row, what: Any, stake: int, restraint: float, night: int, minds: Any, u: float
) -> bool:
    """Let it be: in place of a decision to cheat."""
    return False


@cache
def _make_turns(choices: Chooses) -> Callable[..., None]:
    tries_to_cheat, throws_own_dice = choices

    @kernel(defaults=shipped_decisions())
    def turns(
        key: int, n: int, world: World, own: Own, tables: Any, scratch: Any, counts: Any
    ) -> None:
        choose: Any = Chooses(tries_to_cheat, throws_own_dice)
        people: Any = world.people
        for i in range(n):
            turn_key = subkey(key, PLAY, i)
            for row in range(len(people)):
                people[row].luck = subkey(turn_key, PATRON, row)
            tables.key[0] = turn_key
            turn = take_turn(world, own, tables, 0, 0, True, choose, 1, 1, scratch)
            n_odd = n_bits(turn.odd)
            counts[rt.result(turn.toes)] += 1
            counts[4] += turn.toes.throws == rt.MAX_THROWS
            counts[5] += n_odd
            counts[6] += n_odd * n_odd
            counts[7] += turn.noticed_by != NO_SEAT

    return turns


class Player(NamedTuple):
    """A Hand, every turn of whose is his first tonight, and those who sit with him."""

    tau: float = 0.0  # chance of a try at a throw
    thievery: int = 0
    failed: int = 0
    weighted: int = 0  # 1: he throws weighted dice, and tries nothing else
    onlookers: int = 0
    perception: int = 0  # of each of them


def play_turns(key: int, n: int, who: Player = Player()) -> list[int]:  # noqa: B008 - immutable
    """Counts of so many turns: by how they ended, and the places named above."""
    settings = {
        "patrons": 1 + who.onlookers,
        "taverns.0.thievery_dc": DC,
        "taverns.0.own_dice": True,
        "suspicion.false_alarm": float(FALSE_ALARM),
    }
    scenario = Scenario().with_settings(settings)
    model = TavernModel(scenario, rng=0)
    model.people.perception[:] = who.perception
    hand = model.people[0]
    hand.is_cheat, hand.propensity = int(who.tau > 0 or who.weighted), who.tau
    hand.thievery, hand.failed, hand.weighted = who.thievery, who.failed, who.weighted
    tables = blank_tables(1, 1 + who.onlookers)
    tables.seats[0] = np.arange(1 + who.onlookers)
    ours = shipped_decisions()
    choices = Chooses(ours["tries_to_cheat"], never)
    if who.weighted:
        hand.propensity = 1.0
        choices = Chooses(never, ours["throws_own_dice"])
    counts = np.zeros(N_COUNTS, np.int64)
    room = blank_scratch(1 + who.onlookers)
    turns = _make_turns(choices)
    turns(key, n, model.world(), make_own([], scenario), tables, room, counts)
    found: list[int] = counts.tolist()
    return found


def _honest(trial: Trial) -> Sequence[Finding]:
    n = trial.n(4_000_000)
    counts = play_turns(trial.key, n)
    odd = toes.odd_throws(FALSE_ALARM)
    return [
        share(toes.chance_of(toes.Cheat(), toes.WON), counts[rt.WIN], n),
        share(toes.third_throw_prob(), counts[_THIRD], n),
        mean(odd, counts[_ODD], counts[_ODD_SQUARED], n),
    ]


def _always_cheats(trial: Trial) -> Sequence[Finding]:
    n = trial.n(1_000_000)
    found = []
    for at, (thievery, failed) in enumerate(_ALWAYS):
        exact = toes.chance_of(toes.Cheat(Fraction(1), thievery, DC, failed), toes.WON)
        counts = play_turns(trial.key_of(at), n, Player(1.0, thievery, failed))
        found.append(share(exact, counts[rt.WIN], n))
    return found


def _sometimes_cheats(trial: Trial) -> Sequence[Finding]:
    n = trial.n(1_000_000)
    who = toes.Cheat(Fraction(1, 4), 6, DC)
    counts = play_turns(trial.key, n, Player(0.25, 6))
    ends = {rt.WIN: toes.WON, rt.LOSE: toes.LOST, rt.VOID: toes.VOID}
    return [share(toes.chance_of(who, how), counts[end], n) for end, how in ends.items()]


ONLOOKERS, PERCEPTION, THIEVERY = 5, 2, 6


def _weighted(trial: Trial) -> Sequence[Finding]:
    n = trial.n(1_000_000)
    bias = Scenario().dice.bias
    wins = toes.chance_of(toes.Cheat(favoured=Fraction(bias).limit_denominator(1000)), toes.WON)
    alone = play_turns(trial.key_of(0), n, Player(weighted=1))
    watched = Player(0.0, THIEVERY, 0, 1, ONLOOKERS, PERCEPTION)
    unseen = 1 - toes.check_prob(PERCEPTION, NOTICE_DC + THIEVERY)
    return [
        share(wins, alone[rt.WIN], n),
        share(1 - unseen**ONLOOKERS, play_turns(trial.key_of(1), n, watched)[_NOTICED], n),
    ]


NOTICE_DC = 10
_ALWAYS = ((3, 0), (6, 0), (9, 0), (12, 0), (6, 1))

# ---------------------------------------------------------------- bets

HONEST_WINS = float(toes.chance_of(toes.Cheat(), toes.WON))
RATIONALITY = 4.0
NO_WAY_OUT = 100.0
"""A thrill so great that nobody sits out; it weighs on both sides alike."""


@kernel
def _rounds_of_bets(
    key: int, n: int, n_bettors: int, rationality: float, win_prob: float, counts: Any
) -> None:
    for i in range(n):
        round_key = subkey(key, PLAY, i)
        n_rot = 0
        n_not = 0
        for seat in range(n_bettors):
            u = unit(round_key, BET, seat)
            bet = choose_side(rationality, NO_WAY_OUT, win_prob, n_rot, n_not, u)
            n_rot += bet == rt.ROT
            n_not += bet == rt.NOT
        counts[0] += n_not
        counts[1] += n_not * n_not
        counts[2] += n_bettors - n_rot - n_not


_TABLES = (5, 19)


def _bets(trial: Trial) -> Sequence[Finding]:
    n = trial.n(100_000)
    found = []
    for at, n_bettors in enumerate(_TABLES):
        counts = np.zeros(3, np.int64)
        _rounds_of_bets(trial.key_of(at), n, n_bettors, RATIONALITY, HONEST_WINS, counts)
        exact = walks.mean_bets_on_not(n_bettors, RATIONALITY, HONEST_WINS)
        found.append(mean(exact, int(counts[0]), int(counts[1]), n))
    return found


_CROWDS = (5, 19, 99)
_SURE, _KEEN = 600.0, 0.5
_LIKELIER = 0.5
"""A uniform number that picks whatever has more than half of the chances."""


def _limit(trial: Trial) -> Sequence[Finding]:
    found = []
    win_prob = toes.chance_of(toes.Cheat(), toes.WON)
    for n_bettors in _CROWDS:
        n_not, n_rot = walks.best_replies(n_bettors, win_prob)
        bets = [0, 0, 0]
        for _ in range(n_bettors):
            choice = choose_side(_SURE, _KEEN, HONEST_WINS, bets[rt.ROT], bets[rt.NOT], _LIKELIER)
            bets[choice] += 1
        found += [equal(n_not, bets[rt.NOT]), equal(n_rot, bets[rt.ROT])]
    return found


CHECKS = (
    Check(
        SECTION,
        "an honest Hand's turn",
        "every throw enumerated",
        ("he wins", "a third throw is needed", "throws that look odd"),
        _honest,
    ),
    Check(
        SECTION,
        "a Hand who always tries wins",
        "every throw and check enumerated",
        [
            f"Thievery {thievery:+d} against DC {DC}" + (", one failed check" if failed else "")
            for thievery, failed in _ALWAYS
        ],
        _always_cheats,
    ),
    Check(
        SECTION,
        "a Hand of Thievery +6 who tries with chance 1/4",
        "every throw and check enumerated",
        ("he wins", "he loses", "he is caught"),
        _sometimes_cheats,
    ),
    Check(
        SECTION,
        "weighted dice",
        "every throw enumerated, each with its chance",
        (
            "their owner wins",
            f"one of {ONLOOKERS} of Perception {PERCEPTION:+d} notices, Thievery {THIEVERY:+d}",
        ),
        _weighted,
    ),
    Check(
        SECTION,
        "bets in turn, nobody sitting out",
        "chances followed bet by bet",
        [f"bets on not of {n}, rationality {RATIONALITY:g}" for n in _TABLES],
        _bets,
    ),
    Check(
        SECTION,
        "bets in turn, each the better one",
        "best replies, one by one",
        [f"bets on {side} of {n}" for n in _CROWDS for side in ("not", "rot")],
        _limit,
    ),
)
