"""Long runs: the laws of the game, calibrated beliefs, and a town that lasts a year."""

from __future__ import annotations

from fractions import Fraction
from math import log, sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import optimize, stats

from tavern_abm import Scenario, TavernModel
from tavern_abm.games.rotting_toes import exact_odds
from tavern_abm.results import rounds_table, totals
from tests.strategies import DICE_ALONE

pytestmark = pytest.mark.slow
SURE = 1e-4


def z_of(successes: int, n: int, p: float) -> float:
    """How many standard errors a count lies from its expectation."""
    return (successes - n * p) / sqrt(n * p * (1 - p))


# ---------------------------------------------------------------- the game


def run(nights: int, seed: int, **settings: Any) -> TavernModel:
    model = TavernModel(Scenario().with_settings(settings), rng=seed)
    model.run_for(nights)
    return model


def test_a_million_honest_rounds_of_a_town() -> None:
    honest = {"population.share_of_cheats": 1e-12, "justice.accusations": False}
    model = run(80, 101, patrons=6000, **honest)
    rounds = int(model.nights.rounds.sum())
    assert rounds > 1_000_000
    assert model.people.hands.sum() == rounds
    assert abs(z_of(int(model.people.hand_wins.sum()), rounds, 397 / 972)) < 4
    assert model.nights[["tricks_tried", "tricks_convicted"]].sum().sum() == 0


def test_throws_of_a_town() -> None:
    """P(third throw), doubles in each, faces, odd throws, by the recorded dice."""
    model = TavernModel(
        Scenario().with_settings({"patrons": 1000, "population.share_of_cheats": 1e-12}), rng=102
    )
    model.record.keep_all = True
    model.run_for(40)
    rounds = rounds_table(model)
    n = len(rounds)
    assert n > 80_000
    third = int((rounds.dice.str.len() == 9).sum())
    # A third throw follows exactly one pair of doubles in two throws: 13/18 and 4/9.
    p = Fraction(13, 18) * Fraction(5, 9) + Fraction(5, 18) * Fraction(4, 9)
    assert abs(z_of(third, n, float(p))) < 4
    faces = np.frombuffer("".join(rounds.dice).encode(), np.uint8) - ord("1")
    assert stats.chisquare(np.bincount(faces, minlength=6)).pvalue > SURE
    first = rounds.dice.str[:4].map(lambda dice: len(set(dice)) < 4)
    assert abs(z_of(int(first.sum()), n, 13 / 18)) < 4
    thrown = 2 * n + third
    odd = int(sum(int(bits).bit_count() for bits in rounds.odd))
    assert abs(z_of(odd, thrown, 0.01)) < 4


def test_always_cheats_win_and_are_caught_at_their_exact_odds() -> None:
    """In a house that lets them play again tomorrow; each first round of a night as the Hand."""
    model = TavernModel(
        Scenario().with_settings(
            {
                "patrons": 1500,
                "population.share_of_cheats": 1 - 1e-12,
                "minds.tau": 1.0,
                "minds.tau_moves": False,
                "justice.accusations": False,
                "taverns.0.custom": "lax",
            }
        ),
        rng=103,
    )
    model.people.thievery[:] = 6
    model.people.propensity[:] = 1.0
    model.record.keep_all = True
    model.run_for(25)
    people = model.people[: model.n_rows]
    rounds = rounds_table(model)
    rounds = rounds[(rounds.n_rot > 0) & (people.thievery[rounds.hand_id - 1] == 6)]
    exact = {
        failed: exact_odds(cheats=lambda toes: True, thievery=6, failed=failed) for failed in (0, 1)
    }
    assert exact[0][1] == Fraction(925, 1296)
    assert people.is_cheat.all()
    for failed, odds in exact.items():
        some = rounds[(rounds.failed_before == failed)]
        n = len(some)
        assert n > 4000
        assert abs(z_of(int((some.ended == "won").sum()), n, float(odds[1]))) < 4
        assert abs(z_of(int((some.ended == "void").sum()), n, float(odds[3]))) < 4
        assert (some.ended == "lost").sum() == 0


# ---------------------------------------------------------------- calibration


N_HOUSES, N_NIGHTS, N_PATRONS = 40, 10, 120
TWO_TYPES: dict[str, Any] = {
    "patrons": N_PATRONS,
    "population.leave_prob": 0.0,
    "population.honesty_odds_ratio": 1.0,
    "minds.tau_moves": False,
    "suspicion.attention": False,
    "suspicion.fading": 1.0,
    "suspicion.settled_fading": 1.0,
    "suspicion.sore_loser": 0.0,
    "suspicion.memory": 200,
    "justice.accusations": False,
}


def house(
    seed: int, soreness: float | None = None, **settings: Any
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Beliefs and truths of all pairs with an observed round, in a house of two types."""
    model = TavernModel(Scenario.load("plain-dice", TWO_TYPES | settings), rng=seed)
    # The share of cheats is stratified: every house has one in ten.
    lot = np.random.default_rng(seed).permutation(N_PATRONS)
    model.people.is_cheat[:] = 0
    model.people.is_cheat[lot[: N_PATRONS // 10]] = 1
    model.people.thievery[:] = 6
    if soreness is not None:
        model.people.soreness[:] = soreness
    model.run_for(N_NIGHTS)
    pairs = model.suspicion.to_frame()
    pairs = pairs[(pairs.n_own > 0) & ~pairs.settled]
    return pairs.log_odds.to_numpy(float), model.people.is_cheat[pairs.subject_id - 1]


def calibration(log_odds: NDArray[np.float64], truth: NDArray[np.int64]) -> tuple[float, float]:
    """Intercept and slope of the logistic regression of the truth on the log-odds."""

    def loss(at: NDArray[np.float64]) -> float:
        z = at[0] + at[1] * log_odds
        return float(np.mean(np.logaddexp(0.0, z) - truth * z))

    found = optimize.minimize(loss, np.array([0.0, 1.0]), method="BFGS")
    return float(found.x[0]), float(found.x[1])


def expected_error(log_odds: NDArray[np.float64], truth: NDArray[np.int64]) -> float:
    """Mean distance of belief and truth over ten bins of belief, weighted by their pairs."""
    belief = 1 / (1 + np.exp(-log_odds))
    bins = np.minimum((belief * 10).astype(int), 9)
    n = np.bincount(bins, minlength=10)
    gap = np.bincount(bins, belief, 10) - np.bincount(bins, truth, 10)
    return float(np.abs(gap).sum() / n.sum())


def houses(**kwargs: Any) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    found = [house(1000 + i, **kwargs) for i in range(N_HOUSES)]
    log_odds, truth = (np.concatenate(columns) for columns in zip(*found, strict=True))
    return log_odds, truth


@pytest.fixture(scope="module")
def fair() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    return houses()


def test_of_all_believed_at_b_a_share_b_are_cheats(
    fair: tuple[NDArray[np.float64], NDArray[np.int64]],
) -> None:
    log_odds, truth = fair
    assert len(truth) > 80_000
    intercept, slope = calibration(log_odds, truth)
    assert expected_error(log_odds, truth) < 0.01
    assert slope == pytest.approx(1.0, abs=0.10)
    # Not nothing: who moves to another table takes his failed checks with him unseen.
    assert intercept == pytest.approx(0.0, abs=0.3)
    assert log_odds.max() > 2  # it is not that nobody believes anything


def test_where_nobody_changes_tables_beliefs_are_exact() -> None:
    log_odds, truth = houses(rounds_per_sitting=24)
    intercept, slope = calibration(log_odds, truth)
    assert expected_error(log_odds, truth) < 0.005
    assert slope == pytest.approx(1.0, abs=0.05)
    assert intercept == pytest.approx(0.0, abs=0.12)


def test_sore_losers_believe_too_much() -> None:
    """With the whole weight of 0.5, and less so with tempers as they are drawn."""
    settings = {"suspicion.sore_loser": 0.5}
    whole, _ = calibration(*houses(soreness=1.0, **settings))
    drawn, _ = calibration(*houses(**settings))
    assert whole < -0.5
    assert whole < drawn < -0.3


def test_the_yardstick_can_tell(fair: tuple[NDArray[np.float64], NDArray[np.int64]]) -> None:
    log_odds, truth = fair
    blurred = log_odds + np.random.default_rng(1).normal(0.0, 1.0, len(log_odds))
    assert expected_error(blurred, truth) > 0.02
    assert calibration(blurred, truth)[1] < 0.9
    intercept, _ = calibration(log_odds, truth)
    shifted, _ = calibration(log_odds + log(2), truth)
    assert shifted < intercept - 0.5


# ---------------------------------------------------------------- the flagon


def test_reputations_find_the_cheats() -> None:
    model = TavernModel(DICE_ALONE, rng=7)
    model.run_for(60)
    assert totals(model)["auc_reputation"] >= 0.90


@pytest.mark.parametrize("seed", [7, 1, 2])
def test_a_year_at_the_rusty_flagon(seed: int) -> None:
    """Wealth neither dries up nor runs away, and the house lives."""
    model = TavernModel(DICE_ALONE, rng=seed)
    model.run_for(365)
    nights = model.nights
    assert 0.35 < nights.gini.iloc[-1] < 0.5
    assert 0.35 < nights.gini[60:].mean() < 0.5
    assert nights.gini.max() < 0.65
    assert nights.broke.iloc[-1] < 0.05 * nights.living.iloc[-1]
    assert (nights.broke / nights.living).max() < 0.05
    # Half the town holds what lets it go out whenever it likes: five days' wages.
    assert nights.median_cp[60:].min() > 500
    assert nights.till_cp.iloc[-1] > 10_000
    assert nights.till_cp.min() > 5_000
    assert not (model.events.kind == "unpaid").any()
    assert nights.guests.mean() == pytest.approx(65, abs=10)
    assert 15 < (nights.till_cp.iloc[-1] - 10_000) / 365 < 60  # some 25 to 45 a night
