"""How unequal money is: our measures on towns and laws whose inequality is known."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..chance import PLAY, draws, subkeys, units
from ..data_tables import load_tables
from ..founding.census import census
from ..founding.tables import load_founding
from ..measures import gini, mobility, shorrocks, spearman, theil, top_share
from ..scenario.schema import Town
from .check import Check, Finding, Trial, equal
from .exact import wealth as exact

SECTION = "Inequality"
Towns = NDArray[np.int64]
Measure = Callable[[NDArray[np.float64] | Towns], float]


def _over(known: float, measure: Measure, rows: NDArray[np.float64] | Towns) -> Finding:
    """The mean of a measure over independent rows; its error comes from them."""
    found = np.array([measure(row) for row in rows])
    return Finding(known, float(found.mean()), float(found.std(ddof=1)) / math.sqrt(len(found)))


def _top(share: float) -> Measure:
    return lambda values: top_share(values, share)


# ---------------------------------------------------------------- towns that exchange coins

N_TOWNS = 1000
N_PEOPLE = 100
COINS_EACH = 10_000
MEETINGS_EACH = 30
_SHARES = (0.01, 0.10, 0.20)


def _pair(keys: Towns, step: int, n_people: int) -> tuple[Towns, Towns]:
    """Two different people of each town."""
    one = draws(keys, PLAY, 3 * step) % n_people
    other = (one + 1 + draws(keys, PLAY, 3 * step + 1) % (n_people - 1)) % n_people
    return one, other


def _shared_out(trial: Trial) -> Sequence[Finding]:
    """Two meet, put together what they have and divide it anew: a flat law over all divisions.

    All begin alike. After 30 meetings each, nothing of that is left.
    """
    n = trial.n(N_TOWNS, least=50)
    keys, towns = subkeys(trial.key, PLAY, np.arange(n)), np.arange(n)
    purses = np.full((n, N_PEOPLE), COINS_EACH, np.int64)
    for step in range(MEETINGS_EACH * N_PEOPLE // 2):
        one, other = _pair(keys, step, N_PEOPLE)
        both = purses[towns, one] + purses[towns, other]
        purses[towns, one] = draws(keys, PLAY, 3 * step + 2) % (both + 1)
        purses[towns, other] = both - purses[towns, one]
    tops = [round(share * N_PEOPLE) for share in _SHARES]
    return [
        _over(float(exact.gini_shared_out(N_PEOPLE)), gini, purses),
        _over(exact.theil_shared_out(N_PEOPLE), theil, purses),
        *(
            _over(exact.top_shared_out(N_PEOPLE, top), _top(share), purses)
            for top, share in zip(tops, _SHARES, strict=True)
        ),
    ]


N_GIVERS = 40
_MEANS = (1, 5)
RELAXATIONS = 12


def _coin_by_coin(trial: Trial) -> Sequence[Finding]:
    """One gives another a coin, if he has one: a flat law over all divisions of whole coins."""
    found = []
    for at, coins in enumerate(_MEANS):
        n = trial.n(N_TOWNS, least=50)
        keys, towns = subkeys(trial.key_of(at), PLAY, np.arange(n)), np.arange(n)
        purses = np.full((n, N_GIVERS), coins, np.int64)
        # How one began is forgotten after some (1 + m)^2 gifts by each.
        for step in range(RELAXATIONS * (1 + coins) ** 2 * N_GIVERS):
            giver, other = _pair(keys, step, N_GIVERS)
            gives = (purses[towns, giver] > 0).astype(np.int64)
            purses[towns, giver] -= gives
            purses[towns, other] += gives
        everything = N_GIVERS * coins
        found += [
            _over(float(exact.gini_of_coins(N_GIVERS, everything)), gini, purses),
            _over(
                float(exact.without_coins(N_GIVERS, everything)),
                lambda row: float((row == 0).mean()),
                purses,
            ),
        ]
    return found


# ---------------------------------------------------------------- a large town, and a sample of it

N_SUMS = 200_000
N_GROUPS = 50
TEN = 10


def _exponential(trial: Trial) -> Sequence[Finding]:
    """What people have follows an exponential law; errors come from parts of the town."""
    n = trial.n(N_SUMS, least=20 * N_GROUPS) // N_GROUPS * N_GROUPS
    sums = -np.log1p(-units(subkeys(trial.key, PLAY, np.arange(n)), PLAY, 0))
    wanted: list[tuple[float, Measure]] = [
        (0.5, gini),
        (exact.theil_of_exponential(), theil),
        *((exact.top_of_exponential(share), _top(share)) for share in _SHARES),
    ]
    parts = sums.reshape(N_GROUPS, -1)
    found = []
    for known, measure in wanted:
        error = _over(known, measure, parts).standard_error
        found.append(Finding(known, measure(sums), error))
    tens = sums.reshape(-1, TEN)
    in_full = _over(0.5, lambda row: gini(row) * TEN / (TEN - 1), tens)
    return [*found, _over(float(exact.gini_shared_out(TEN)), gini, tens), in_full]


# ---------------------------------------------------------------- who moves up and down

N_MOVERS = 100_000
QUINTILES = 5
_CORRELATIONS = (0.0, 0.6)


def _movers(trial: Trial) -> Sequence[Finding]:
    """Two years of two normal laws that hang together; errors come from parts of the town."""
    n = trial.n(N_MOVERS, least=20 * N_GROUPS) // N_GROUPS * N_GROUPS
    keys = subkeys(trial.key, PLAY, np.arange(n))
    radius = np.sqrt(-2 * np.log1p(-units(keys, PLAY, 0)))
    angle = 2 * math.pi * units(keys, PLAY, 1)
    before, fresh = radius * np.cos(angle), radius * np.sin(angle)
    found = []
    for correlation in _CORRELATIONS:
        after = correlation * before + math.sqrt(1 - correlation**2) * fresh
        years = np.stack([before, after], axis=1).reshape(N_GROUPS, -1, 2)
        found += [
            _over(exact.spearman_of_normals(correlation), _rank_correlation, years),
            _over(exact.shorrocks_of_normals(correlation, QUINTILES), _moving, years),
        ]
    return found


def _rank_correlation(years: NDArray[np.float64] | Towns) -> float:
    return spearman(years[:, 0], years[:, 1])


def _moving(years: NDArray[np.float64] | Towns) -> float:
    return shorrocks(mobility(years[:, 0], years[:, 1], QUINTILES))


# ---------------------------------------------------------------- the tax roll of Paris

PARIS = 50_000
ON_THE_ROLL = {"shoemaker": 366, "cook": 130, "vintner": 56, "brewer": 37, "innkeeper": 24}
DRINK = ("vintner", "brewer", "innkeeper")


def _paris(_: Trial) -> Sequence[Finding]:
    """A town of as many people has as many masters, but for one that rounding makes or unmakes."""
    callings = census(PARIS, PARIS // 4, load_tables(), load_founding()).callings
    masters = {each.trade: each.n_masters for each in callings}
    a_house = PARIS / sum(ON_THE_ROLL[trade] for trade in DRINK)
    return [
        *(equal(n, masters[trade], tolerance=1) for trade, n in ON_THE_ROLL.items()),
        equal(a_house, Town(population=PARIS).people_per_tavern, tolerance=5),
    ]


_TOPS = [f"the richest {share:.0%} have" for share in _SHARES]

CHECKS = (
    Check(
        SECTION,
        f"{N_TOWNS} towns of {N_PEOPLE}, where two that meet divide what they have anew",
        "all divisions as likely (Dragulescu and Yakovenko 2000), summed for so few people",
        ("Gini", "Theil", *_TOPS),
        _shared_out,
    ),
    Check(
        SECTION,
        f"{N_TOWNS} towns of {N_GIVERS}, where one gives another a coin at a time",
        "all divisions of the coins as likely, counted",
        [f"{what}, {mean} each" for mean in _MEANS for what in ("Gini", "people without a coin")],
        _coin_by_coin,
    ),
    Check(
        SECTION,
        "sums of an exponential law",
        "integrals over its law; of ten people, (n - 1) / n of the Gini of all",
        ("Gini", "Theil", *_TOPS, f"Gini of {TEN}", f"Gini of {TEN}, times n / (n - 1)"),
        _exponential,
    ),
    Check(
        SECTION,
        "ranks of people a year apart, two normal laws",
        "6/pi asin(r/2); chances to stay in a fifth by Simpson's rule",
        [
            f"{what}, correlation {r:g}"
            for r in _CORRELATIONS
            for what in ("Spearman", "Shorrocks of fifths")
        ],
        _movers,
    ),
    Check(
        SECTION,
        f"masters of trades in a town of {PARIS:,}",
        "the tax roll of Paris, 1292, of some 50,000 people; a house by the three drink trades",
        [*ON_THE_ROLL, "people a house"],
        _paris,
    ),
)
