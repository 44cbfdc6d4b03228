"""Rumours in the classical limit: whom they never reach, and what is left of the truth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ..chance import PATRON, subkeys
from ..model import TavernModel
from ..patrons.columns import NOBODY
from ..scenario import Scenario
from ..society.acquaintance import blank_acquaintances
from ..society.company import Talk, make_talk
from ..society.grapevine import Grapevine
from ..society.rumor_limits import maki_thompson, retell
from ..society.rumors import TELLING
from ..society.talk import Choices
from .check import Check, Finding, Trial, share
from .exact import talk as exact

SECTION = "Rumours"
_CROWDS = (120, 1000)


def _estimated(n_people: int, never: Sequence[float]) -> Finding:
    """The mean of so many runs, beside the exact one."""
    error = float(np.std(never, ddof=1)) / math.sqrt(len(never))
    return Finding(exact.never_hear(n_people), float(np.mean(never)), error)


def _bare(trial: Trial) -> Sequence[Finding]:
    """The rules of telling alone."""
    n_runs = trial.n(3000, least=10)
    return [_estimated(n, maki_thompson(n, n_runs, trial.key_of(n)).tolist()) for n in _CROWDS]


# ---------------------------------------------------------------- in an evening

EVENINGS_OF = 120
MOST_NIGHTS = 60
"""By then nobody tells any more, if those stop who should."""
LIMIT: dict[str, Any] = {
    "patrons": EVENINGS_OF + 1,
    "talk.acquainted_prob": 0.0,
    "talk.befriend_prob": 0.0,
    "talk.beliefs": 0,
    "talk.fresh_nights": MOST_NIGHTS + 1,
    "talk.tell_prob": 1.0,
    "talk.believe_prob": 1.0,
    "talk.stifle_prob": 1.0,
    "talk.exaggerate_prob": 0.0,
    "talk.misplace_prob": 0.0,
    "talk.mistake_prob": 0.0,
    "talk.lie_prob": 0.0,
}


class House(NamedTuple):
    """People who are all in one house every night; the last row is he of whom they talk."""

    model: TavernModel
    talk: Talk


def _tell_of_him(house: House, key: int) -> float:
    """Let one of them see a man killed, and all talk until nobody tells it; who never hears."""
    model, n = house.model, EVENINGS_OF
    vine = Grapevine(house.talk, 1, 1)
    vine.grow(n + 1)
    vine.spring_plain("killed", 1, n, witnesses=[0])
    known = blank_acquaintances(n + 1, 1)
    nights = subkeys(key, PATRON, np.arange(MOST_NIGHTS))
    for i, night_key in enumerate(nights.tolist()):
        model.people.luck[:] = subkeys(night_key, PATRON, np.arange(n + 1))
        world = (model.people, model.sheet, known, model.beliefs, model.ways)
        vine.gossip(1 + i, n + 1, *world, Choices())
        knows = vine.store.story[:n, 0] != NOBODY
        if not (vine.store.known.status[:n, 0] == TELLING)[knows].any():
            break
    return 1.0 - float(knows.mean())


def _evenings(trial: Trial) -> Sequence[Finding]:
    """The evening's own talk, with everything off but telling and stopping."""
    scenario = Scenario().with_settings(LIMIT)
    model = TavernModel(scenario, rng=trial.seed_of(0))
    model.people.tavern[:] = 0
    model.people.tavern[EVENINGS_OF] = NOBODY
    house = House(model, make_talk(scenario))
    runs = range(trial.n(600, least=10))
    return [_estimated(EVENINGS_OF, [_tell_of_him(house, trial.key_of(i)) for i in runs])]


# ---------------------------------------------------------------- from mouth to mouth

MISTAKE = Fraction(1, 10)
_TELLINGS = (1, 3, 5, 10)


def _retold(trial: Trial) -> Sequence[Finding]:
    n, found = trial.n(400_000), []
    for n_tellings in _TELLINGS:
        right = retell(n_tellings, float(MISTAKE), n, trial.key_of(n_tellings))
        found.append(share(exact.still_true(MISTAKE, n_tellings), round(right * n), n))
    return found


CHECKS = (
    Check(
        SECTION,
        "who never hears, everybody meeting anybody",
        "Maki and Thompson 1973, solved for so many people (0.203188 of very many: Sudbury 1985)",
        [f"share of {n:,} people" for n in _CROWDS],
        _bare,
    ),
    Check(
        SECTION,
        "who never hears, in evenings of talk",
        "Maki and Thompson 1973, solved for so many people",
        (f"share of {EVENINGS_OF} people",),
        _evenings,
    ),
    Check(
        SECTION,
        f"two that are mistaken for each other, {float(MISTAKE):g} a telling",
        "a chain of two states",
        [f"told right after {n} telling{'' if n == 1 else 's'}" for n in _TELLINGS],
        _retold,
    ),
)
