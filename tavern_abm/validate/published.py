"""A year of an inn beside figures that have been published, where the model has a counterpart."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..measures import gini
from ..model import TavernModel
from ..scenario import Scenario
from .check import Check, Finding, Trial, within

SECTION = "Published figures"
N_TOWNS, NIGHTS = 8, 365


def top_share(values: NDArray[np.int64], share: float) -> float:
    """What the largest of some values have of them all: of so many in a hundred, at least one."""
    n = max(1, round(share * len(values)))
    return float(np.sort(values)[-n:].sum() / values.sum())


def _figures(model: TavernModel) -> list[float]:
    net = model.people.games_net[: model.n_rows]
    losses = -net[net < 0]
    return [
        gini(losses),
        float(losses.mean() / np.median(losses)),
        top_share(losses, 0.05),
        top_share(losses, 0.10),
        float(model.nights["gini"].to_numpy()[-1]),
    ]


def _year(trial: Trial) -> Sequence[Finding]:
    """Of everybody who has lost at the games in a year, and of those who live there at its end."""
    found = []
    for i in range(trial.n(N_TOWNS, least=2)):
        model = TavernModel(Scenario(), rng=trial.seed_of(i))
        model.run_for(trial.n(NIGHTS, least=30))
        found.append(_figures(model))
    means = np.mean(found, axis=0)
    errors = np.std(found, axis=0, ddof=1) / math.sqrt(len(found))
    return [
        within(low, high, float(mean), float(error))
        for (low, high), mean, error in zip(_RANGES, means, errors, strict=True)
    ]


_NORWAY = ((0.55, 0.90), (1.37, 17.48), (0.236, 0.743), (0.379, 0.869))
"""Over fourteen games of 39,995 customers in 2019, from the least to the most concentrated."""
_BALANCED = (0.35, 0.50)
_RANGES = (*_NORWAY, _BALANCED)

CHECKS = (
    Check(
        SECTION,
        f"losses at the games, a year of {N_TOWNS} inns",
        "14 games in Norway, 2019: hdl.handle.net/11250/3163474; purses: what the defaults aim at",
        (
            "Gini of losses",
            "mean to median loss",
            "the upper 5 % of losers have",
            "the upper 10 % of losers have",
            "Gini of purses at the end",
        ),
        _year,
    ),
)
