"""Coins: ruin at even stakes, purses at rest, what a house takes, and how unequal purses are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..chance import PLAY, THROW, subkey, unit
from ..compiled import kernel
from ..games import load_game
from ..measures import gini, theil, top_share
from ..model import TavernModel
from ..patrons.columns import blank_people
from ..scenario import Scenario
from ..tables.seats import clear_seats, n_seated
from .check import Check, Finding, Trial, equal, mean, share
from .exact import people as exact_people
from .exact import walks
from .exact import wealth as exact_wealth
from .people import draw_people

SECTION = "Money"
coin_game = load_game("heads-or-tails")
payout, HEADS, TAILS = coin_game.payout, coin_game.HEADS, coin_game.TAILS


@kernel
def _ruins(
    key: int,
    n: int,
    win_prob: float,
    start: int,
    target: int,
    people: Any,
    seats: Any,
    calls: Any,
    net: Any,
    counts: Any,
) -> None:
    """One always calls heads, for a coin, until one of the two has to leave his seat."""
    for i in range(n):
        people[0].gold = start
        people[1].gold = target - start
        seats[0] = 0
        seats[1] = 1
        night_key = subkey(key, PLAY, i)
        bets = 0
        while n_seated(seats) == 2:
            coin = HEADS if unit(night_key, THROW, bets) < win_prob else TAILS
            payout(coin, 1, calls, 1, net)
            for seat in range(2):
                people[seat].gold += net[seat]
            clear_seats(people, seats, 1)
            bets += 1
        counts[0] += people[0].gold == 0
        counts[1] += bets
        counts[2] += bets * bets


_PLAYERS = ((0.49, 10, 20), (0.5, 10, 20), (0.55, 10, 20), (0.475, 20, 40))


def _ruined(trial: Trial) -> Sequence[Finding]:
    n, found = trial.n(100_000), []
    calls = np.array([HEADS, TAILS])
    for at, (win_prob, start, target) in enumerate(_PLAYERS):
        counts = np.zeros(3, np.int64)
        seats, net = np.zeros((2, 2), np.int64)
        walk = (trial.key_of(at), n, win_prob, start, target)
        _ruins(*walk, blank_people(2), seats, calls, net, counts)
        exact = walks.gamblers_ruin(win_prob, start, target)
        found += [
            share(exact.prob, int(counts[0]), n),
            mean(exact.mean_bets, int(counts[1]), int(counts[2]), n),
        ]
    return found


# ---------------------------------------------------------------- purses at rest

AT_HOME: dict[str, Any] = {
    "rounds_per_night": 0,
    "minds.go_out_prob": 0.0,
    "population.leave_prob": 0.0,
}
DAYS = 400


def _purses(trial: Trial) -> Sequence[Finding]:
    """A town whose people stay at home: only living costs and wages."""
    settings = AT_HOME | {"patrons": trial.n(120, least=5)}
    model = TavernModel(Scenario().with_settings(settings), rng=trial.seed_of(0))
    people = model.people
    before, wage = people.gold.tolist(), people.wage.tolist()
    model.run_for(1)
    tomorrow = [exact_people.purse_after(*one, 1) for one in zip(before, wage, strict=True)]
    n_off = int((people.gold != np.array(tomorrow)).sum())
    model.run_for(DAYS - 1)
    at_last = [exact_people.purse_after(*one, DAYS) for one in zip(before, wage, strict=True)]
    n_off_at_last = int((people.gold != np.array(at_last)).sum())
    over = people.gold - 25 * people.wage
    return [
        equal(0, n_off),
        equal(0, n_off_at_last),
        equal(0, int(((over < 0) | (over > 49)).sum())),
    ]


# ---------------------------------------------------------------- a house's take

RAKE_BP = 500
EVENINGS = 60


def _house(trial: Trial) -> Sequence[Finding]:
    """Games are zero-sum but for the rake; of pots in hundreds it takes whole coins."""
    tables = [{"game": "rotting-toes", "stake": 100}]
    settings = {"taverns.0.rake_bp": RAKE_BP, "taverns.0.tables": tables}
    model = TavernModel(Scenario().with_settings(settings), rng=trial.seed_of(0))
    model.run_for(trial.n(EVENINGS))
    nights = model.nights
    rake = int(nights["rake_cp"].sum())
    lost = -int(model.people.games_net[: model.n_rows].sum())
    return [
        equal(RAKE_BP / 10_000, rake / int(nights["changed_hands_cp"].sum())),
        equal(rake, lost),
    ]


# ---------------------------------------------------------------- unequal purses

N_PURSES = 100_000
N_GROUPS = 50


def _unequal(trial: Trial) -> Sequence[Finding]:
    """Purses of one trade are lognormal; a high wage keeps the rounding to coins small."""
    found: list[Finding] = []
    for sigma in _SIGMAS:
        settings = {
            "population.trades": {"merchant": 1.0},
            "economy.wages_cp": {"merchant": 100_000},
            "population.purse_sigma": sigma,
        }
        drawn, _ = draw_people(trial.key, trial.n(N_PURSES, least=20 * N_GROUPS), **settings)
        gold = np.array(drawn.gold)
        found += [
            _of_parts(exact_people.gini_of_lognormal(sigma), gini, gold),
            _of_parts(exact_wealth.theil_of_lognormal(sigma), theil, gold),
            _of_parts(exact_wealth.top_of_lognormal(sigma, 0.1), _top_tenth, gold),
        ]
    return found


def _top_tenth(gold: Any) -> float:
    return top_share(gold, 0.1)


def _of_parts(known: float, measure: Callable[[Any], float], gold: Any) -> Finding:
    """A measure of all purses; its error comes from parts of them."""
    parts = np.array([measure(gold[i::N_GROUPS]) for i in range(N_GROUPS)])
    return Finding(known, measure(gold), float(parts.std(ddof=1)) / N_GROUPS**0.5)


_SIGMAS = (0.5, 0.8, 1.0, 1.5)

CHECKS = (
    Check(
        SECTION,
        "gambler's ruin at heads or tails, a coin a toss",
        "the walk's equations, eliminated",
        [
            f"{what}, from {start} to {target}, chance {p:g}"
            for p, start, target in _PLAYERS
            for what in ("ruin", "tosses")
        ],
        _ruined,
    ),
    Check(
        SECTION,
        "purses of people who stay at home",
        "the recurrence in whole coins",
        (
            "purses that differ after a day",
            f"purses that differ after {DAYS} days",
            "purses not within 25 wages and 49 cp more",
        ),
        _purses,
    ),
    Check(
        SECTION,
        f"a house that rakes {RAKE_BP / 100:g} %",
        "the rate itself; every coin that is lost is somebody's",
        ("share of the coins that change hands", "coins that all players have lost, and it raked"),
        _house,
    ),
    Check(
        SECTION,
        "purses drawn lognormal",
        "erf(sigma / 2), sigma^2 / 2, and the normal law",
        [
            f"{what}, sigma {sigma:g}"
            for sigma in _SIGMAS
            for what in ("Gini", "Theil", "the richest 10% have")
        ],
        _unequal,
    ),
)
