"""Scores of a run, from small tables whose truth is plain to see."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest

from tavern_abm import TavernModel, scores
from tavern_abm.accuracy import brier, confusion
from tavern_abm.scores import MEANINGS

PATRONS = pd.DataFrame(
    {
        "patron_id": [1, 2, 3, 4, 5],
        "is_cheat": [True, True, False, False, True],
        "whereabouts": ["here", "here", "here", "here", "dead"],
        "gone_night": pd.array([None, None, None, None, 30], dtype="Int64"),
        "hands": [10, 0, 20, 20, 10],
        "hand_wins": [6, 0, 7, 9, 5],
        "first_try_night": pd.array([2, 5, None, 3, 10], dtype="Int64"),
        "suspected_night": pd.array([6, None, None, None, 11], dtype="Int64"),
    }
)
SUSPICION = pd.DataFrame(
    [
        (7, 3, 1, 9.0, 0.99),
        (40, 3, 1, 1.0, 0.8),
        (40, 3, 4, -2.0, 0.1),
        (40, 4, 1, -0.4, 0.4),
        (40, 4, 3, 0.4, 0.6),
        (40, 1, 2, 0.8, 0.7),
        (40, 4, 5, 6.0, 0.99),
        (40, 5, 1, 6.0, 0.99),
    ],
    columns=["night", "observer_id", "subject_id", "log_odds", "belief"],
)
NIGHTS = pd.DataFrame(
    {
        "night": [39, 40, 40],
        "beaten_unjust": [1, 0, 2],
        "cheats_staked_cp": [100, 0, 100],
        "cheats_net_cp": [30, 0, -10],
        "honest_staked_cp": [1000, 500, 500],
        "honest_net_cp": [-20, -10, 0],
        "suspected_right": [0, 3, 1],
        "suspected_wrong": [0, 1, 1],
        "missed": [0, 2, 2],
        "unsuspected": [0, 5, 3],
    }
)
EVENTS = pd.DataFrame(
    {
        "kind": ["too_lucky", "too_lucky", "too_lucky", "beaten"],
        "is_just": pd.array([False, True, None, False], dtype="boolean"),
    }
)


def found(**changes: Any) -> scores.Scores:
    tables = {"nights": NIGHTS, "patrons": PATRONS, "suspicion": SUSPICION, "events": EVENTS}
    return scores.scores(**(tables | changes))


def test_only_the_last_night_and_only_those_who_live_here_are_scored() -> None:
    pairs = scores.scored_pairs(SUSPICION, PATRONS)
    assert pairs[["observer_id", "subject_id", "is_cheat"]].to_numpy().tolist() == [
        [3, 1, True],
        [3, 4, False],
        [4, 1, True],
        [4, 3, False],
        [1, 2, True],
    ]


def test_every_score_by_hand() -> None:
    got = found()
    assert list(got) == list(MEANINGS)
    assert got["tpr"] == pytest.approx(2 / 3)
    assert got["fpr"] == pytest.approx(1 / 2)
    assert got["ppv"] == pytest.approx(2 / 3)
    # One observer ranks them rightly, one the other way; the third knows only a cheat.
    assert got["auc_observer"] == 0.5
    assert got["auc_pairs"] == pytest.approx(5 / 6)
    assert got["brier"] == pytest.approx((0.04 + 0.01 + 0.36 + 0.36 + 0.09) / 5)
    assert got["ece"] == pytest.approx((0.2 + 0.1 + 0.6 + 0.6 + 0.3) / 5)
    assert got["calibration_slope"] is not None
    assert got["calibration_slope"] > 0


def test_the_wait_for_suspicion() -> None:
    got = found()
    assert (got["cheats_tried"], got["cheats_suspected"]) == (3, 2)
    assert got["nights_to_suspicion"] == (4 + 1) / 2
    # The third has been at it for 35 nights, and nobody knows.
    assert got["nights_to_suspicion_30"] == pytest.approx((4 + 1 + 30) / 3)


def test_one_who_died_unknown_waited_until_then() -> None:
    patrons = PATRONS.assign(suspected_night=pd.array([6, None, None, None, None], dtype="Int64"))
    # At risk until night 4: three of three; then one is known, one gone after 20, one goes on.
    assert found(patrons=patrons)["nights_to_suspicion_30"] == pytest.approx(4 + 26 * 2 / 3)


def test_an_honest_man_who_has_learned_to_cheat_is_none_of_the_kind() -> None:
    assert found(patrons=PATRONS.assign(is_cheat=False))["cheats_tried"] == 0


def test_luck_is_beaten_unjustly_unless_it_was_none() -> None:
    assert found()["unjust_beatings"] == 3 + 2


def test_what_cheating_earns() -> None:
    got = found()
    assert got["cheating_per_100"] == pytest.approx(10.0)
    assert got["honest_per_100"] == pytest.approx(-1.5)
    assert (got["cheats_win"], got["honest_win"]) == (0.55, 0.4)
    assert found(patrons=PATRONS.assign(hands=0, hand_wins=0))["cheats_win"] is None
    idle = NIGHTS.assign(cheats_staked_cp=0, cheats_net_cp=0)
    assert found(nights=idle)["cheating_per_100"] is None


def test_a_town_of_which_nothing_is_known() -> None:
    got = found(
        nights=NIGHTS.head(0),
        patrons=PATRONS.head(0),
        suspicion=SUSPICION.head(0),
        events=EVENTS.head(0),
    )
    numbers = {name: value for name, value in got.items() if value is not None}
    assert numbers == {"cheats_tried": 0, "cheats_suspected": 0, "unjust_beatings": 0}


def test_shares_of_a_night_are_over_all_taverns() -> None:
    table = scores.by_night(NIGHTS)
    assert table["night"].tolist() == [39, 40]
    assert table["pairs"].tolist() == [0, 18]
    first, last = table.to_dict("records")
    assert math.isnan(first["tpr"])
    assert (last["tpr"], last["fpr"], last["ppv"]) == pytest.approx((4 / 8, 2 / 10, 4 / 6))


def test_the_night_and_the_tables_agree() -> None:
    model = TavernModel("rusty-flagon", rng=11, patrons=60)
    model.run_for(6)
    last = model.nights[model.nights["night"] == 6]
    suspicion = model.suspicion.to_frame().assign(night=6)
    pairs = scores.scored_pairs(suspicion, model.patrons)
    counted = ["suspected_right", "suspected_wrong", "missed", "unsuspected"]
    assert confusion(pairs["belief"], pairs["is_cheat"]) == tuple(last[counted].sum())
    assert model.score.pairs == len(pairs) > 100
    assert model.score.brier == pytest.approx(brier(pairs["belief"], pairs["is_cheat"]), abs=1e-5)
    waits = model.patrons["suspected_night"] - model.patrons["first_try_night"]
    assert (waits.dropna() >= 0).all()
