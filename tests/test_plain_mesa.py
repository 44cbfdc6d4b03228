"""The compiled evening and a plain Mesa model of it, written apart, come to the same.

Both are run on the same seeds, which gives them the same people and nothing
else in common. So the difference of a measure on one seed is one independent
replicate of it, and the mean over the seeds must lie within 4 standard errors
of nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from benchmarks.plain_mesa import L0, PlainTavern
from tavern_abm import Scenario, TavernModel
from tavern_abm.tables.record import COUNTS

MOST_STANDARD_ERRORS = 4.0
type Measures = dict[str, float]


def of_nights(nights: pd.DataFrame) -> Measures:
    """Means a night of all that is counted, and where the evenings end."""
    means = nights[list(COUNTS)].mean()
    return {
        **means.to_dict(),
        "tries a round": means.tricks_tried / means.rounds,
        "failures a try": means.tricks_noticed / max(means.tricks_tried, 1e-9),
        "caught a failure": means.tricks_convicted / max(means.tricks_noticed, 1e-9),
        "living": nights.living.mean(),
        "gini": nights.gini.iloc[-1],
        "till": nights.till_cp.iloc[-1],
    }


def of_people(people: pd.DataFrame, tomorrow: int) -> Measures:
    """How the living stand in the end."""
    purse = people.purse
    return {
        "mean purse": purse.mean(),
        "median purse": purse.median(),
        "rich purse": purse.quantile(0.9),
        "cheats": people.is_cheat.sum(),
        "tries": people.tries.sum(),
        "rounds followed": people.seen_rounds.mean(),
        "wins followed": people.seen_wins.sum() / people.seen_rounds.sum(),
        "hurt": (people.bruised_until >= tomorrow).sum(),
        "banned": (people.banned_until >= tomorrow).sum(),
        "ever punished": (people.punished > 0).sum(),
        "ever lost face": (people.lost_face_until > 0).sum(),
    }


def of_beliefs(beliefs: pd.DataFrame, n_people: int) -> Measures:
    """What the living believe in the end, about whomever."""
    open_minded = beliefs[~beliefs.settled]
    of_kind = open_minded.groupby("is_cheat").log_odds
    return {
        "beliefs each": len(beliefs) / n_people,
        "settled each": beliefs.settled.sum() / n_people,
        "suspects each": (beliefs.log_odds > 0).sum() / n_people,
        "distance from the prior": (beliefs.log_odds - L0).abs().mean(),
        "own rounds": beliefs.n_own.mean(),
        "log-odds of the honest": of_kind.mean().get(False, L0),
        "spread about the honest": of_kind.std().get(False, 0.0),
        "log-odds of cheats": of_kind.mean().get(True, L0),
    }


def plain_measures(custom: str, patrons: int, nights: int, seed: int) -> Measures:
    model = PlainTavern(patrons, custom, rng=seed)
    model.run_for(nights)
    guests = list(model.agents)
    people = pd.DataFrame([vars(guest) for guest in guests])
    held = [
        (belief.log_odds, belief.n_own, belief.settled, subject.is_cheat)
        for guest in guests
        for subject, belief in guest.beliefs.items()
    ]
    beliefs = pd.DataFrame(held, columns=["log_odds", "n_own", "settled", "is_cheat"])
    won = sum(night["hand_wins"] for night in model.nights)
    played = sum(night["rounds"] for night in model.nights)
    return {
        **of_nights(pd.DataFrame(model.nights)),
        **of_people(people, nights + 1),
        **of_beliefs(beliefs, len(guests)),
        "hand wins": won / played,
    }


def our_measures(custom: str, patrons: int, nights: int, seed: int) -> Measures:
    scenario = Scenario(patrons=patrons).with_settings({"taverns.0.custom": custom})
    model = TavernModel(scenario, rng=seed)
    model.run_for(nights)
    columns, living = model.people, model.living()
    names = ("is_cheat", "tries", "seen_rounds", "seen_wins", "bruised_until", "banned_until")
    names = (*names, "punished", "lost_face_until")
    people = pd.DataFrame({name: getattr(columns, name)[living] for name in names})
    people["purse"] = columns.gold[living]
    beliefs = model.suspicion.to_frame()
    beliefs = beliefs[np.isin(beliefs.observer_id - 1, living)]
    beliefs = beliefs.assign(is_cheat=columns.is_cheat[beliefs.subject_id - 1] == 1)
    return {
        **of_nights(model.nights),
        **of_people(people, nights + 1),
        **of_beliefs(beliefs, len(living)),
        "hand wins": columns.hand_wins.sum() / columns.hands.sum(),
    }


def compared(custom: str, patrons: int, nights: int, seeds: Iterable[int]) -> pd.DataFrame:
    """Both models' measures by seed, under "plain" and "ours"."""
    plain = [plain_measures(custom, patrons, nights, seed) for seed in seeds]
    ours = [our_measures(custom, patrons, nights, seed) for seed in seeds]
    return pd.concat({"plain": pd.DataFrame(plain), "ours": pd.DataFrame(ours)}, axis=1)


def disagreements(measures: pd.DataFrame) -> list[str]:
    """Each measure whose mean difference is more than 4 of its standard errors."""
    plain, ours = measures["plain"], measures["ours"]
    difference = ours - plain
    standard_error = difference.sem()
    off = difference.mean().abs() > MOST_STANDARD_ERRORS * standard_error + 1e-9
    return [
        f"{name}: plain {plain[name].mean():.5g}, ours {ours[name].mean():.5g},"
        f" standard error {standard_error[name]:.2g}"
        for name in off.index[off]
    ]


def assert_agree(custom: str, patrons: int, nights: int, seeds: Sequence[int]) -> None:
    measures = compared(custom, patrons, nights, seeds)
    assert set(measures["plain"]) == set(measures["ours"])
    found = disagreements(measures)
    assert not found, "\n".join(found)


def test_a_small_inn_goes_as_in_the_plain_model() -> None:
    assert_agree("decent", patrons=60, nights=20, seeds=range(24))


@pytest.mark.slow
@pytest.mark.parametrize("custom", ["decent", "orc", "lax"])
def test_sixty_nights_go_as_in_the_plain_model(custom: str) -> None:
    # POWER
    # what is staked, 8 % in tricks, 12 % in accusations, 30 % in convictions.
    assert_agree(custom, patrons=120, nights=60, seeds=range(100, 160))


@pytest.mark.slow
def test_a_crowd_with_full_memories_goes_as_in_the_plain_model() -> None:
    assert_agree("dockside", patrons=400, nights=40, seeds=range(200, 224))


def test_a_difference_of_more_than_four_standard_errors_is_reported() -> None:
    same: NDArray[Any] = np.random.default_rng(1).normal(10, 1, 50)
    measures = pd.concat(
        {
            "plain": pd.DataFrame({"good": same, "bad": same, "none": 0.0}),
            "ours": pd.DataFrame({"good": same[::-1], "bad": same[::-1] + 1.5, "none": 0.0}),
        },
        axis=1,
    )
    assert [line.split(":")[0] for line in disagreements(measures)] == ["bad"]


@pytest.mark.parametrize("custom", ["lax", "decent", "guild", "dockside", "orc"])
def test_the_plain_model_repeats_itself(custom: str) -> None:
    runs = []
    for _ in range(2):
        model = PlainTavern(30, custom, rng=5)
        model.run_for(10)
        runs.append(model.nights)
    assert runs[0] == runs[1]
