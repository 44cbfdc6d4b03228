"""Streaks: who wins too often in a row, and what the too-lucky custom makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..chance import PLAY, THROW, slot, subkey, throw
from ..compiled import kernel
from ..games import rotting_toes as rt
from ..model import TavernModel
from ..scenario import Scenario
from .check import Check, Finding, Trial, mean, share
from .exact import toes, walks

SECTION = "Too lucky"
LUCKY_WINS = 4
TURNS_OF_EVENING = 4
WIN_PROB = toes.chance_of(toes.Cheat(), toes.WON)


@kernel
def _turns(key: int, n: int, evening: int, streak: int, dice: Any, counts: Any) -> int:
    """Honest turns of one Hand, one evening of so many after the other; his streak at last.

    Where `evening` is 0 it never ends. Counts turns begun a win short of a beating,
    beatings, and the squares of beatings an evening.
    """
    beatings = 0
    for i in range(n):
        if evening > 0 and i % evening == 0:
            counts[2] += beatings * beatings
            streak = beatings = 0
        toes_ = rt.deal(0)
        turn_key = subkey(key, PLAY, i)
        while rt.n_dice(toes_) > 0:
            thrown = dice[: rt.n_dice(toes_)]
            throw(turn_key, THROW, slot(0, rt.MAX_DICE * toes_.throws), 6, thrown)
            toes_ = rt.after_throw(toes_, thrown)
        counts[0] += rt.is_too_lucky(streak + 1, LUCKY_WINS)
        streak = rt.next_streak(streak, rt.result(toes_))
        if rt.is_too_lucky(streak, LUCKY_WINS):
            beatings += 1
            counts[1] += 1
            streak = 0
    counts[2] += beatings * beatings
    return streak


def _play(key: int, n: int, evening: int) -> list[int]:
    counts = np.zeros(3, np.int64)
    _turns(key, n, evening, 0, np.zeros(rt.MAX_DICE, np.int64), counts)
    found: list[int] = counts.tolist()
    return found


BATCHES = 100


def _lasting(trial: Trial) -> Sequence[Finding]:
    """Turns hang together through the streak, so the error comes from batches of them."""
    n = trial.n(10_000)
    beatings = np.array([_play(trial.key_of(i), n, 0)[1] for i in range(BATCHES)])
    exact = walks.too_lucky_per_turn(WIN_PROB, LUCKY_WINS)
    error = float(beatings.std(ddof=1)) / n / BATCHES**0.5
    return [Finding(exact, float(beatings.mean()) / n, error)]


def _evenings(trial: Trial) -> Sequence[Finding]:
    n = trial.n(400_000)
    _, beatings, squares = _play(trial.key, n * TURNS_OF_EVENING, TURNS_OF_EVENING)
    exact = walks.too_lucky_of_evening(WIN_PROB, LUCKY_WINS, TURNS_OF_EVENING)
    return [mean(exact, beatings, squares, n)]


def _town(trial: Trial) -> Sequence[Finding]:
    """A town of honest people whose custom beats the lucky: of turns that might bring it."""
    model = _honest_town(trial, streaks_last=False)
    sums = model.nights[["too_lucky", "too_lucky_chances"]].sum()
    return [share(WIN_PROB, int(sums["too_lucky"]), int(sums["too_lucky_chances"]))]


def _lasting_town(trial: Trial) -> Sequence[Finding]:
    """The same where streaks last beyond the evening: of all turns.

    Somebody on a streak when it ends is nearer to a beating than at first, and how
    near is known; without that, a beating that keeps him at home would bias it.
    """
    people = _honest_town(trial, streaks_last=True).people
    exact = walks.too_lucky_per_turn(WIN_PROB, LUCKY_WINS)
    nearer = np.array(walks.nearer_to_a_beating(WIN_PROB, LUCKY_WINS), float)
    due = people.beaten + nearer[people.streak]
    groups = np.arange(len(due)) % BATCHES
    beatings, turns = np.bincount(groups, due), np.bincount(groups, people.hands)
    off = beatings - beatings.sum() / turns.sum() * turns
    error = float(np.sqrt((off**2).sum() * BATCHES / (BATCHES - 1)) / turns.sum())
    return [Finding(exact, float(beatings.sum() / turns.sum()), error)]


def _honest_town(trial: Trial, streaks_last: bool) -> TavernModel:
    settings = HONEST_TOWN | {"taverns.0.streaks_last": streaks_last}
    model = TavernModel(Scenario().with_settings(settings), rng=trial.seed_of(0))
    model.run_for(trial.n(40))
    return model


HONEST_TOWN: dict[str, Any] = {
    "patrons": 2000,
    "population.share_of_cheats": 0.0,
    "justice.accusations": False,
    "taverns.0.custom": "orc",
    "talk.contacts": 0,
}

CHECKS = (
    Check(
        SECTION,
        "beatings a turn, a streak lasting until a loss",
        "a Markov chain of streaks",
        (f"{LUCKY_WINS} wins in a row",),
        _lasting,
    ),
    Check(
        SECTION,
        "beatings an evening",
        "a Markov chain of streaks",
        (f"{TURNS_OF_EVENING} turns as the Hand",),
        _evenings,
    ),
    Check(
        SECTION,
        "in a town of honest people",
        "every throw enumerated",
        ("turns begun a win short of a beating that end in one",),
        _town,
    ),
    Check(
        SECTION,
        "in a town of honest people where streaks last beyond the evening",
        "a Markov chain of streaks",
        ("beatings a turn",),
        _lasting_town,
    ),
)
