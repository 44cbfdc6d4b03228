"""The measures themselves, on people whose truth and verdicts are drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from scipy.special import ndtri

from ..accuracy import confusion
from ..chance import BELIEVE, CHOICE, PERSON, subkeys, units
from ..measures import auc
from .check import Check, Finding, Trial, share
from .exact import people as exact

SECTION = "Scores"
N_PEOPLE = 1_000_000
FOUND, FALSE_ALARMS = Fraction(4, 5), Fraction(1, 20)
_PREVALENCES = tuple(Fraction(percent, 100) for percent in (1, 5, 10, 20))


def _hits(trial: Trial) -> Sequence[Finding]:
    n, found = trial.n(N_PEOPLE), []
    for at, prevalence in enumerate(_PREVALENCES):
        keys = subkeys(trial.key_of(at), PERSON, np.arange(n))
        is_cheat = units(keys, CHOICE, 0) < float(prevalence)
        chance = np.where(is_cheat, float(FOUND), float(FALSE_ALARMS))
        suspects = units(keys, BELIEVE, 0) < chance
        table = confusion(np.where(suspects, 0.9, 0.1), is_cheat)
        n_suspected = int(suspects.sum())
        exactly = exact.hit_share(prevalence, FOUND, FALSE_ALARMS)
        found.append(share(exactly, round(table.ppv * n_suspected), n_suspected))
    return found


_DISTANCES = (0.5, 1.0, 2.0)
N_GROUPS = 50


def _areas(trial: Trial) -> Sequence[Finding]:
    """The error comes from groups: an area is no mean over people."""
    n, found = trial.n(N_PEOPLE // 5, least=20 * N_GROUPS), []
    for at, distance in enumerate(_DISTANCES):
        keys = subkeys(trial.key_of(at), PERSON, np.arange(n))
        is_cheat = units(keys, CHOICE, 0) < 0.5
        scores = ndtri(units(keys, BELIEVE, 0) + 2.0**-54) + distance * is_cheat
        areas = [auc(scores[i::N_GROUPS], is_cheat[i::N_GROUPS]) for i in range(N_GROUPS)]
        error = float(np.std(areas, ddof=1)) / math.sqrt(N_GROUPS)
        found.append(Finding(exact.auc_of_normals(distance), auc(scores, is_cheat), error))
    return found


CHECKS = (
    Check(
        SECTION,
        f"suspicions that are right (PPV), {float(FOUND):.0%} of cheats"
        f" and {float(FALSE_ALARMS):.0%} of others suspected",
        "Bayes' rule",
        [f"of {float(p):.0%} cheats" for p in _PREVALENCES],
        _hits,
    ),
    Check(
        SECTION,
        "area under the ROC curve of two normal laws",
        "the normal law of their difference",
        [f"{d:g} standard deviations apart" for d in _DISTANCES],
        _areas,
    ),
)
