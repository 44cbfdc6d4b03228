"""Whether beliefs are worth what they say: of all believed at b, a share b are cheats.

Houses of two types of people, a tenth of them cheats who try with one chance at
every throw without doubles. Observers know what such a cheat is like, follow
every round and forget nothing; nobody talks, accuses, leaves or is banned, and
whoever is caught is out for tonight. Pairs of an observer and somebody he has
seen as the Hand are scored, unless a trick has settled the question.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..accuracy import calibration_error, calibration_line
from ..model import TavernModel
from ..scenario import Scenario
from .check import Check, Finding, Trial, within

SECTION = "Calibration of beliefs"
N_HOUSES, N_NIGHTS, N_PATRONS = 48, 10, 120
FEWEST_PAIRS = 100_000
THIEVERY = 6
N_BINS = 10
N_GROUPS = 24
TWO_TYPES: dict[str, Any] = {
    "patrons": N_PATRONS,
    "population.leave_prob": 0.0,
    "population.honesty_odds_ratio": 1.0,
    "minds.tau_moves": False,
    "suspicion.attention": False,
    "suspicion.fading": 1.0,
    "suspicion.settled_fading": 1.0,
    "suspicion.sore_loser": 0.0,
    "suspicion.assumed_thievery": THIEVERY,
    "suspicion.memory": 200,
    "justice.accusations": False,
    "flight.runs": False,
    "bribes.bribe_prob": 0.0,
    "loans.lending": False,
    "talk.contacts": 0,
}
ONE_SITTING = {"rounds_per_sitting": 24}
"""Nobody takes failed checks along to a table where they have not been seen."""


class Pairs(NamedTuple):
    """What observers believe, and the truth."""

    log_odds: NDArray[np.float64]
    is_cheat: NDArray[np.int64]
    group: NDArray[np.int64]  # of houses, for the standard errors


def play_house(seed: int, soreness: float | None, settings: dict[str, Any]) -> Pairs:
    """Ten nights of a house in which exactly one in ten is a cheat."""
    model = TavernModel(Scenario().with_settings(TWO_TYPES | settings), rng=seed)
    lot = np.random.default_rng(seed).permutation(N_PATRONS)
    people = model.people
    people.is_cheat[:] = 0
    people.is_cheat[lot[: N_PATRONS // 10]] = 1
    people.thievery[:] = THIEVERY
    if soreness is not None:
        people.soreness[:] = soreness
    model.run_for(N_NIGHTS)
    seen = model.suspicion.to_frame()
    seen = seen[(seen["n_own"] > 0) & ~seen["settled"]]
    truth = people.is_cheat[seen["subject_id"].to_numpy() - 1]
    log_odds = seen["log_odds"].to_numpy(np.float64)
    return Pairs(log_odds, truth, np.zeros(len(truth), np.int64))


def play_houses(trial: Trial, soreness: float | None = None, **settings: Any) -> Pairs:
    """The pairs of all houses."""
    n = trial.n(N_HOUSES, least=N_GROUPS)
    houses = [play_house(trial.seed_of(i), soreness, settings) for i in range(n)]
    group = [np.full(len(house.is_cheat), i % N_GROUPS) for i, house in enumerate(houses)]
    return Pairs(
        np.concatenate([house.log_odds for house in houses]),
        np.concatenate([house.is_cheat for house in houses]),
        np.concatenate(group),
    )


def line_of(pairs: Pairs) -> tuple[float, float]:
    """Intercept and slope of the truth on the log-odds."""
    return calibration_line(pairs.log_odds, pairs.is_cheat)


def error_of(pairs: Pairs) -> float:
    """The expected calibration error."""
    return calibration_error(1 / (1 + np.exp(-pairs.log_odds)), pairs.is_cheat, N_BINS)


def jackknifed(
    pairs: Pairs, measure: Callable[[Pairs], tuple[float, float] | float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A measure and its standard error, by leaving out one group of houses after the other.

    Pairs of a house share their subjects, so they cannot be counted one by one.
    """
    without = [measure(_without(pairs, i)) for i in range(N_GROUPS)]
    spread = np.array(without).var(axis=0) * (N_GROUPS - 1)
    return np.asarray(measure(pairs)), np.sqrt(spread)


def _tables_change(trial: Trial) -> Sequence[Finding]:
    pairs = play_houses(trial)
    error, error_se = jackknifed(pairs, error_of)
    line, line_se = jackknifed(pairs, line_of)
    return [
        within(trial.n(FEWEST_PAIRS), inf, len(pairs.is_cheat)),
        within(0.0, 0.01, float(error), float(error_se)),
        within(0.9, 1.1, float(line[1]), float(line_se[1])),
    ]


PARANOIA = 0.7


def _tables_stay(trial: Trial) -> Sequence[Finding]:
    """Likelihoods are as good as exact here; paranoia shifts them by what it says."""
    fair = play_houses(trial, **ONE_SITTING)
    feared = play_houses(trial, **ONE_SITTING, **{"suspicion.paranoia": PARANOIA})
    line, line_se = jackknifed(fair, line_of)
    intercepts = [
        (line_of(_without(fair, i))[0], line_of(_without(feared, i))[0]) for i in range(N_GROUPS)
    ]
    shifts = np.diff(intercepts, axis=1)
    shift_se = math.sqrt(float(shifts.var()) * (N_GROUPS - 1))
    shift = line_of(feared)[0] - float(line[0])
    return [
        within(-0.2, 0.2, float(line[0]), float(line_se[0])),
        within(0.9, 1.1, float(line[1]), float(line_se[1])),
        Finding(-PARANOIA, shift, shift_se),
    ]


def _without(pairs: Pairs, group: int) -> Pairs:
    kept = pairs.group != group
    return Pairs(*(column[kept] for column in pairs))


def _sore(trial: Trial) -> Sequence[Finding]:
    settings = {"suspicion.sore_loser": 0.5}
    whole, whole_se = jackknifed(play_houses(trial, 1.0, **settings), line_of)
    drawn, drawn_se = jackknifed(play_houses(trial, **settings), line_of)
    return [
        within(-inf, -0.5, float(whole[0]), float(whole_se[0])),
        within(float(whole[0]), -0.3, float(drawn[0]), float(drawn_se[0])),
    ]


CHECKS = (
    Check(
        SECTION,
        f"{N_HOUSES} houses of {N_PATRONS}, {N_NIGHTS} nights",
        "what calibration means; standard errors from the houses",
        (
            "pairs scored",
            f"expected calibration error, {N_BINS} bins",
            "slope of truth on log-odds",
        ),
        _tables_change,
    ),
    Check(
        SECTION,
        "where nobody changes tables, and likelihoods are exact",
        "Bayes' rule; standard errors from the houses",
        ("intercept", "slope", f"what paranoia {PARANOIA} adds to the intercept"),
        _tables_stay,
    ),
    Check(
        SECTION,
        "sore losers overrate what incriminates, sore_loser 0.5",
        "the direction and size of the bias",
        ("intercept where all are as sore as can be", "intercept with tempers as drawn"),
        _sore,
    ),
)
