"""Estimates against their definitions, worked out the long way round."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm import analysis

purses = st.lists(st.integers(0, 10_000), min_size=1, max_size=40)


@given(purses)
def test_gini_is_half_the_mean_difference_over_the_mean(values: list[int]) -> None:
    n, total = len(values), sum(values)
    difference = sum(abs(a - b) for a in values for b in values) / n**2
    expected = difference / (2 * total / n) if total else 0.0
    assert analysis.gini(values) == pytest.approx(expected, abs=1e-12)


@given(purses, st.integers(1, 50))
def test_gini_does_not_depend_on_the_coin(values: list[int], factor: int) -> None:
    scaled = [factor * value for value in values]
    assert analysis.gini(scaled) == pytest.approx(analysis.gini(values), abs=1e-12)


@pytest.mark.parametrize(
    ("values", "expected"),
    [([7], 0.0), ([0, 0], 0.0), ([0, 1], 0.5), ([0] * 9 + [5], 0.9), ([1, 2, 3, 4], 0.25)],
)
def test_gini_exactly(values: list[int], expected: float) -> None:
    assert analysis.gini(values) == pytest.approx(expected, abs=1e-15)


def test_gini_of_nobody_is_undefined() -> None:
    assert math.isnan(analysis.gini([]))


def test_gini_refuses_debts() -> None:
    with pytest.raises(ValueError, match="-3"):
        analysis.gini([5, -3])


@given(purses)
def test_gini_is_twice_the_area_above_the_lorenz_curve(values: list[int]) -> None:
    people, money = analysis.lorenz(values)
    area = float(((money[1:] + money[:-1]) / 2 * np.diff(people)).sum())
    assert analysis.gini(values) == pytest.approx(1 - 2 * area, abs=1e-9)


@given(st.lists(st.tuples(st.integers(0, 6), st.booleans()), max_size=40))
def test_auc_counts_pairs_and_half_the_ties(rows: list[tuple[int, bool]]) -> None:
    marked = [score for score, label in rows if label]
    others = [score for score, label in rows if not label]
    found = analysis.auc([score for score, _ in rows], [label for _, label in rows])
    if not marked or not others:
        assert math.isnan(found)
        return
    pairs = [(a > b) + 0.5 * (a == b) for a in marked for b in others]
    assert found == pytest.approx(sum(pairs) / len(pairs), abs=1e-12)


def test_auc_leaves_out_those_of_whom_nobody_thinks() -> None:
    scores = [0.9, math.nan, 0.1, math.nan]
    assert analysis.auc(scores, [True, False, False, True]) == 1.0
    assert math.isnan(analysis.auc([math.nan, 0.5], [True, False]))


def test_auc_wants_as_many_labels_as_scores() -> None:
    with pytest.raises(ValueError, match="2 scores but 1 labels"):
        analysis.auc([0.1, 0.2], [True])


def test_wealth_bands() -> None:
    wealth = pd.DataFrame(
        {"night": [1, 0, 1, 0, 1], "patron_id": [1, 1, 2, 2, 3], "gold_cp": [0, 4, 10, 8, 20]}
    )
    bands = analysis.wealth_bands(wealth)
    assert bands["night"].tolist() == [0, 1]
    assert bands["median"].tolist() == [6, 10]
    assert bands["p25"].tolist() == [5, 5]
    assert bands["people"].tolist() == [2, 3]
    assert bands["gini"].tolist() == pytest.approx([analysis.gini([4, 8]), 4 / 9])
    assert analysis.wealth_bands(wealth.head(0)).empty


BELIEFS = pd.DataFrame(
    {
        "night": [7, 7, 7, 3],
        "observer_id": [1, 2, 3, 1],
        "subject_id": [9, 9, 2, 2],
        "belief": [0.8, 0.3, 0.5, 0.9],
    }
)


def test_reputations_are_means_of_those_who_hold_a_belief() -> None:
    table = analysis.reputations(analysis.latest(BELIEFS))
    assert table.index.tolist() == [2, 9]
    assert table["reputation"].tolist() == pytest.approx([0.5, 0.55])
    assert table["notoriety"].tolist() == [0, 1]
    assert table["believers"].tolist() == [1, 2]
    assert analysis.reputations(BELIEFS.head(0)).empty


def test_only_beliefs_above_one_half_are_suspicions() -> None:
    pairs = analysis.suspects(BELIEFS)
    assert pairs["belief"].tolist() == [0.9, 0.8]


def test_the_most_concerned_are_suspects_with_those_surest_of_it() -> None:
    edges = pd.DataFrame(
        {
            "observer_id": [1, 2, 3, 4, 5],
            "subject_id": [9, 9, 9, 8, 8],
            "belief": [0.6, 0.9, 0.8, 0.99, 0.7],
        }
    )
    assert analysis.most_concerned(edges, 99, accusers=2) == [9, 2, 3, 8, 4, 5, 1]
    assert analysis.most_concerned(edges, 4, accusers=2) == [9, 2, 3, 8]
    assert analysis.most_concerned(edges.head(0), 4) == []


@pytest.mark.parametrize("n_nights", [1, 45, 46, 365, 1000, 5000])
def test_a_chart_keeps_to_a_readable_number_of_bars(n_nights: int) -> None:
    assert 1 <= n_nights / analysis.nights_per_bar(n_nights) <= 90


def test_sentences_by_night() -> None:
    events = pd.DataFrame(
        {
            "night": [1, 1, 2, 3, 3],
            "kind": ["beaten", "beaten", "trick", "too_lucky", "killed"],
            "is_just": pd.array([True, False, None, None, True], dtype="boolean"),
        }
    )
    assert analysis.sentences_by_night(events, 3).to_numpy().tolist() == [
        [1, "beaten", False, 1],
        [1, "beaten", True, 1],
        [3, "killed", True, 1],
        [3, "too_lucky", False, 1],
    ]
    assert analysis.sentences_by_night(events, 70)["night"].tolist() == [1, 1, 1, 1]
    assert analysis.sentences_by_night(events.head(0), 3).empty


def test_tricks_are_summed_over_taverns_and_weeks() -> None:
    nights = pd.DataFrame(
        {
            "night": [1, 1, 8, 50],
            "tricks_tried": [1, 2, 3, 4],
            "tricks_noticed": [1, 0, 0, 2],
            "tricks_convicted": [0, 0, 0, 1],
        }
    )
    tricks = analysis.tricks_by_night(nights)
    assert tricks["night"].tolist() == [1, 8, 50]
    assert tricks["tricks_tried"].tolist() == [3, 3, 4]


def test_fortunes_go_from_the_greatest_gain_to_the_greatest_loss() -> None:
    patrons = pd.DataFrame({"patron_id": [1, 2, 3, 4, 5], "games_net_cp": [0, -5, 30, -50, 30]})
    assert analysis.fortunes(patrons)["patron_id"].tolist() == [3, 5, 2, 4]
    assert analysis.fortunes(patrons, n=1)["patron_id"].tolist() == [3, 4]


def test_eventful_keeps_the_weightiest_and_of_equals_the_latest() -> None:
    events = pd.DataFrame(
        {"event_id": [1, 2, 3, 4], "kind": ["trick", "killed", "trick", "unheard of"]}
    )
    kept = analysis.eventful(events, {"killed": 9, "trick": 2}, 2)
    assert kept["event_id"].tolist() == [2, 3]
