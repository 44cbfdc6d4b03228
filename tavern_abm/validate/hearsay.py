"""What others say: a telling moves a belief towards the teller's, and never adds to it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..chance import BELIEVE, PATRON, PLAY, draw, subkey, subkeys, unit
from ..compiled import kernel
from ..model import TavernModel
from ..scenario import Scenario
from ..society.acquaintance import blank_acquaintances
from ..society.company import make_talk
from ..society.grapevine import Grapevine
from ..society.rumors import HEARSAY
from ..society.suspicion import (
    Beliefs,
    Ways,
    blank_beliefs,
    forget_tellers,
    hear,
    log_odds_now,
    memory_of,
    place,
    settle,
    write,
)
from ..society.talk import Choices
from .check import Check, Finding, Trial, equal, within
from .exact import talk
from .suspicion import ways_with

SECTION = "Hearsay"
SUBJECT, TELLER = 1, 2
NIGHT = 1
FLOAT32 = 2e-6
"""Beliefs are kept in 32 bits."""


def told(
    own: float,
    teller_says: float,
    n_tellings: int,
    *,
    n_own: float = 0.0,
    trust: float | None = None,
    is_settled: bool = False,
    teller_memory: int = 0,
) -> float:
    """A listener's log-odds about somebody after one teller has told him so many times.

    Parameters
    ----------
    own, teller_says : float
        What the two believe at first.
    n_own : float
        Rounds of that Hand which the listener has seen himself.
    trust : float, optional
        His log-odds that the teller is a cheat; left out, he is a stranger.
    is_settled : bool
        Whether a trick has settled what the listener believes.
    teller_memory : int
        Nights in which a teller counts once; 0: every telling does.
    """
    ways = ways_with(**PINNED | {"suspicion.teller_memory": teller_memory})
    memory = memory_of(blank_beliefs(1, 4), 0)
    k = place(memory, SUBJECT, NIGHT, ways)
    write(memory, k, own, NIGHT, ways)
    memory.held[k].n_own = n_own
    if is_settled:
        settle(memory, k, NIGHT, ways)
    if trust is not None:
        write(memory, place(memory, TELLER, NIGHT, ways), trust, NIGHT, ways)
    for _ in range(n_tellings):
        hear(memory, SUBJECT, TELLER, teller_says, NIGHT, ways)
    return float(log_odds_now(memory, k, NIGHT, ways))


# ---------------------------------------------------------------- how far

WEIGHT = 0.3
STRANGER = 0.1
"""Share of cheats that people assume: what a stranger is trusted by."""
PINNED = {
    "suspicion.assumed_share": STRANGER,
    "suspicion.hearsay": WEIGHT / (1 - STRANGER),
}
"""A stranger moves a belief just WEIGHT of the way."""
OWN, THEIRS = 2.0, -1.0
_TELLINGS = (1, 5, 20)


def _moves(trial: Trial) -> Sequence[Finding]:
    found = []
    for n in _TELLINGS:
        exact = talk.convinced(OWN, THEIRS, WEIGHT, n)
        found.append(equal(exact, told(OWN, THEIRS, n), FLOAT32))
    return found


SEEN = 8.0
AT_MOST = 4.5


def _weights(trial: Trial) -> Sequence[Finding]:
    """Half the way with eight rounds seen oneself; less from one who is distrusted; no more."""
    distrust = 1.5
    kept = WEIGHT / (1 - STRANGER) / (1 + math.exp(distrust))
    told_and_exact = (
        (told(OWN, THEIRS, 1, n_own=SEEN), talk.convinced(OWN, THEIRS, WEIGHT / 2, 1)),
        (told(OWN, THEIRS, 1, trust=distrust), talk.convinced(OWN, THEIRS, kept, 1)),
        (told(OWN, 6.0, 1), talk.convinced(OWN, AT_MOST, WEIGHT, 1)),
        (told(5.5, 6.0, 1), 5.5),
        (told(0.0, -4.0, 9, is_settled=True), 6.0),
        (told(OWN, THEIRS, 9, teller_memory=14), talk.convinced(OWN, THEIRS, WEIGHT, 1)),
    )
    return [equal(exact, estimate, FLOAT32) for estimate, exact in told_and_exact]


# ---------------------------------------------------------------- never past it

WIDEST = 6.0


@kernel
def _tellings(key: int, n: int, beliefs: Beliefs, ways: Ways, counts: Any) -> None:
    """Tellings among people who believe anything; how many end outside the two beliefs."""
    memory = memory_of(beliefs, 0)
    for i in range(n):
        telling = subkey(key, PLAY, i)
        for k in range(len(memory.subject)):
            memory.subject[k] = -1
            memory.strength[k] = -1.0
        k = place(memory, SUBJECT, NIGHT, ways)
        write(memory, k, WIDEST * (2.0 * unit(telling, BELIEVE, 0) - 1.0), NIGHT, ways)
        memory.held[k].n_own = 40.0 * unit(telling, BELIEVE, 1)
        of_teller = WIDEST * (2.0 * unit(telling, BELIEVE, 2) - 1.0)
        write(memory, place(memory, TELLER, NIGHT, ways), of_teller, NIGHT, ways)
        theirs = WIDEST * (2.0 * unit(telling, BELIEVE, 3) - 1.0)
        before = log_odds_now(memory, k, NIGHT, ways)
        hear(memory, SUBJECT, TELLER, theirs, NIGHT, ways)
        after = log_odds_now(memory, k, NIGHT, ways)
        counts[0] += after < min(before, theirs) - FLOAT32
        counts[0] += after > max(before, theirs) + FLOAT32
        counts[1] += abs(after - before) > FLOAT32


def _bounded(trial: Trial) -> Sequence[Finding]:
    n = trial.n(100_000)
    counts = np.zeros(2, np.int64)
    ways = ways_with(**{"suspicion.hearsay": 1.0, "suspicion.teller_memory": 0})
    _tellings(trial.key, n, blank_beliefs(1, 4), ways, counts)
    return [equal(0, int(counts[0])), Finding(None, counts[1] / n, within=(0.5, 1.0))]


# ---------------------------------------------------------------- evenings of talk

N_PEOPLE, N_EVENINGS = 120, 100
N_HELD = 20
"""Beliefs each of them holds at first."""
TALK: dict[str, Any] = {
    "patrons": N_PEOPLE,
    "suspicion.memory": N_PEOPLE,
    "suspicion.fading": 1.0,
    "talk.extreme": 0.0,
    "talk.rumors": 0,
    "talk.lie_prob": 0.0,
}


def _crowd(model: TavernModel, key: int) -> None:
    """Put everybody in the house, believing anything at all of some of the others."""
    model.people.tavern[:] = 0
    for row in range(N_PEOPLE):
        memory = memory_of(model.beliefs, row)
        for i in range(N_HELD):
            about = draw(subkey(key, PATRON, row), BELIEVE, 2 * i) % N_PEOPLE
            if about != row:
                u = unit(subkey(key, PATRON, row), BELIEVE, 2 * i + 1)
                k = place(memory, about, NIGHT, model.ways)
                write(memory, k, WIDEST * (2.0 * u - 1.0), NIGHT, model.ways)


def _held(model: TavernModel) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Whom every belief is about, and its log-odds."""
    network = model.suspicion.to_frame()
    return network["subject_id"].to_numpy(np.int64), network["log_odds"].to_numpy(np.float64)


def _evenings(trial: Trial) -> Sequence[Finding]:
    """Whatever anybody says, nobody believes more of a man than somebody did at first."""
    model = TavernModel(Scenario().with_settings(TALK), rng=trial.seed_of(0))
    _crowd(model, trial.key)
    subjects, log_odds = _held(model)
    lowest, highest = np.full((2, N_PEOPLE + 1), model.ways.prior)
    np.minimum.at(lowest, subjects, log_odds)
    np.maximum.at(highest, subjects, log_odds)
    vine = Grapevine(make_talk(model.scenario), 1, 1)
    vine.grow(N_PEOPLE)
    known = blank_acquaintances(N_PEOPLE, N_PEOPLE)
    n_told = 0
    for evening in range(trial.n(N_EVENINGS)):
        forget_tellers(model.beliefs, evening, model.ways.teller_memory)
        model.people.luck[:] = subkeys(trial.key_of(evening), PATRON, np.arange(N_PEOPLE))
        world = (model.people, model.sheet, known, model.beliefs, model.ways)
        n_told += int(vine.gossip(NIGHT, N_PEOPLE, *world, Choices())[0, HEARSAY])
    subjects, log_odds = _held(model)
    beyond = (log_odds < lowest[subjects] - FLOAT32) | (log_odds > highest[subjects] + FLOAT32)
    return [
        within(trial.n(100_000), math.inf, n_told),
        equal(0, int(beyond.sum())),
    ]


CHECKS = (
    Check(
        SECTION,
        f"told {THEIRS:+g} by one teller, having believed {OWN:+g}, in log-odds",
        f"L + (1 - {WEIGHT:g})^n (L0 - L), step by step",
        [f"after {n} telling{'' if n == 1 else 's'}" for n in _TELLINGS],
        _moves,
    ),
    Check(
        SECTION,
        "what weighs against a telling",
        "one step of the same rule",
        (
            f"{SEEN:g} rounds seen oneself: half the way",
            "a teller who is thought a cheat",
            f"more than {AT_MOST:g} cannot be put into words",
            "one who is surer already stays so",
            "a trick confirmed in public stays settled",
            "nine tellings by one teller within his memory: one",
        ),
        _weights,
    ),
    Check(
        SECTION,
        "tellings at random, the strongest hearsay",
        "no belief leaves the two it lies between",
        ("tellings that overshoot", "share of tellings that move a belief"),
        _bounded,
    ),
    Check(
        SECTION,
        f"{N_EVENINGS} evenings of talk among {N_PEOPLE} people who believe anything",
        "no belief leaves the range of those held at first",
        ("beliefs told", "beliefs beyond what anybody believed"),
        _evenings,
    ),
)
