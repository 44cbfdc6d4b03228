"""Who lives here: who cheats, who comes and goes, who knows whom, and what people learn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from ..chance import LEARN, PLAY, subkey, unit
from ..compiled import kernel
from ..data_tables import load_tables
from ..model import TavernModel
from ..patrons.columns import HERE, People, Sheet
from ..patrons.decisions.learning import chooses, reinforced
from ..patrons.traits import cheat_intercept, generate
from ..scenario import Scenario
from ..society.acquaintance import make_acquaintances, to_networkx
from .check import Check, Finding, Trial, equal, share
from .exact import people as exact

SECTION = "People"
N_PEOPLE = 200_000


def draw_people(key: int, n: int, **settings: Any) -> tuple[People, Sheet]:
    """So many people of a scenario that is plain but for these fields."""
    scenario = Scenario().with_settings({"patrons": n} | settings)
    return generate(np.arange(1, n + 1), key, scenario, load_tables(scenario.data), [1.0])


# ---------------------------------------------------------------- who cheats


def slope_on(x: NDArray[np.float64], y: NDArray[np.int64]) -> tuple[float, float]:
    """Slope of the logistic regression of `y` on `x`, and its standard error."""

    def loss(at: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        z = at[0] + at[1] * x
        off = 1 / (1 + np.exp(-z)) - y
        return float(np.mean(np.logaddexp(0.0, z) - y * z)), np.array(
            [off.mean(), (off * x).mean()]
        )

    at = minimize(loss, np.zeros(2), jac=True).x
    p = 1 / (1 + np.exp(-at[0] - at[1] * x))
    weight = p * (1 - p)
    moments = [float((weight * x**k).sum()) for k in range(3)]
    variance = moments[0] / (moments[0] * moments[2] - moments[1] ** 2)
    return float(at[1]), math.sqrt(variance)


def _cheats(trial: Trial) -> Sequence[Finding]:
    people, sheet = draw_people(trial.key, trial.n(N_PEOPLE, least=1000))
    slope, error = slope_on(sheet.honesty.astype(np.float64), people.is_cheat)
    return [Finding(math.log(Scenario().population.honesty_odds_ratio), slope, error)]


_SHARES = (0.05, 0.10, 0.20)


def _shares(trial: Trial) -> Sequence[Finding]:
    odds_ratio = Scenario().population.honesty_odds_ratio
    n = trial.n(N_PEOPLE, least=1000)
    found = []
    for at, mean_share in enumerate(_SHARES):
        settings = {"population.share_of_cheats": mean_share}
        people, _ = draw_people(trial.key_of(at), n, **settings)
        cheats = int(people.is_cheat.sum())
        intercept = exact.intercept_for(mean_share, odds_ratio)
        found += [
            equal(intercept, cheat_intercept(mean_share, odds_ratio), 1e-8),
            share(mean_share, cheats, n),
        ]
    return found


# ---------------------------------------------------------------- coming and going

PLACES = 12_000
NIGHTS_LEFT_OUT = 40
BATCHES, NIGHTS_A_BATCH = 10, 30


def _places(trial: Trial) -> Sequence[Finding]:
    """Places stand vacant independently of each other: their error comes from stretches of nights.

    A stretch is many times longer than a place stands vacant.
    """
    population = Scenario().population
    places = trial.n(PLACES, least=100)
    settings = {"patrons": places, "rounds_per_night": 0, "minds.go_out_prob": 0.0}
    model = TavernModel(Scenario().with_settings(settings), rng=trial.seed_of(0))
    model.run_for(NIGHTS_LEFT_OUT)
    vacant = np.zeros((BATCHES, NIGHTS_A_BATCH))
    for batch in range(BATCHES):
        for night in range(NIGHTS_A_BATCH):
            model.run_for(1)
            vacant[batch, night] = 1 - len(model.living()) / places
    means = vacant.mean(axis=1)
    error = float(means.std(ddof=1)) / math.sqrt(BATCHES)
    known = exact.vacant_share(
        Fraction(str(population.leave_prob)), Fraction(str(population.arrive_prob))
    )
    return [Finding(known, float(means.mean()), error)]


# ---------------------------------------------------------------- who knows whom

N_KNOWN, REWIRING = 12, 0.1
N_NODES, N_NETWORKS = 1000, 5


def _circles(trial: Trial) -> Sequence[Finding]:
    """Networks of people without kin; what is known of them holds but roughly."""
    found = []
    for at in range(N_NETWORKS):
        key = trial.key_of(at)
        people, sheet = draw_people(key, N_NODES, **{"population.kin_prob": 0.0})
        people.whereabouts[:] = HERE
        acquaintances = make_acquaintances(people, sheet, key, N_KNOWN, REWIRING)
        graph = to_networkx(acquaintances, np.arange(N_NODES))
        found.append((nx.average_clustering(graph), 2 * graph.number_of_edges() / N_NODES))
    clustering, degree = np.array(found).mean(axis=0)
    error = np.array(found).std(axis=0, ddof=1) / math.sqrt(N_NETWORKS)
    known = exact.small_world_clustering(N_KNOWN, REWIRING)
    within = known - ROUGHLY, known + ROUGHLY
    return [
        Finding(known, float(clustering), float(error[0]), within),
        equal(N_KNOWN, float(degree)),
    ]


ROUGHLY = 0.02

# ---------------------------------------------------------------- learning

MARKED, OTHERS, DRAWS = 1, 9, 100


@kernel
def _urns(key: int, n: int, shares: Any) -> None:
    """Propensities to cheat and not, each turn worth a stake, nothing forgotten or spilt."""
    for i in range(n):
        q_cheat = float(MARKED)
        q_honest = float(OTHERS)
        urn_key = subkey(key, PLAY, i)
        for turn in range(DRAWS):
            cheats = chooses(q_cheat, q_honest, unit(urn_key, LEARN, turn))
            # What was not chosen gets a share of 0, and nothing is kept back.
            q_cheat = reinforced(q_cheat, 1.0, cheats, 1.0, 0.0, 0.0)
            q_honest = reinforced(q_honest, 1.0, not cheats, 1.0, 0.0, 0.0)
        shares[i] = q_cheat / (q_cheat + q_honest)


def _learned(trial: Trial) -> Sequence[Finding]:
    n = trial.n(100_000)
    shares = np.empty(n)
    _urns(trial.key, n, shares)
    mean, variance = exact.urn_after(MARKED, OTHERS, DRAWS)
    off = (shares - float(mean)) ** 2
    return [
        Finding(mean, float(shares.mean()), math.sqrt(float(variance) / n)),
        Finding(variance, float(off.mean()), float(off.std()) / math.sqrt(n)),
    ]


CHECKS = (
    Check(
        SECTION,
        "who is of the cheating kind, by honesty-humility",
        "odds ratio 0.53 a standard deviation: Heck et al. 2018, 16 studies, N = 5,002",
        ("log odds ratio",),
        _cheats,
    ),
    Check(
        SECTION,
        "the mean share of the cheating kind",
        "the intercept found by bisection, the mean by Simpson's rule",
        [
            f"{what} {share:.0%}"
            for share in _SHARES
            for what in ("intercept for", "share drawn, asked for")
        ],
        _shares,
    ),
    Check(
        SECTION,
        "places that stand vacant",
        "leave / (leave + arrive), in the long run",
        ("share of all places",),
        _places,
    ),
    Check(
        SECTION,
        f"acquaintances, {N_KNOWN} each, {REWIRING:.0%} rewired",
        "small world, clustering as of Barrat and Weigt 2000 (roughly)",
        (f"clustering, within {ROUGHLY}", "acquaintances each"),
        _circles,
    ),
    Check(
        SECTION,
        f"learning as Polya's urn, {MARKED} to {OTHERS}, after {DRAWS} turns",
        "the law of the urn, draw by draw",
        ("mean share of cheating", "its variance"),
        _learned,
    ),
)
