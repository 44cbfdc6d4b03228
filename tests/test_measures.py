"""Measures against their definitions, worked out the long way round."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm import measures

purses = st.lists(st.integers(0, 10_000), min_size=1, max_size=40)


@given(purses)
def test_gini_is_half_the_mean_difference_over_the_mean(values: list[int]) -> None:
    n, total = len(values), sum(values)
    difference = sum(abs(a - b) for a in values for b in values) / n**2
    expected = difference / (2 * total / n) if total else 0.0
    assert measures.gini(values) == pytest.approx(expected, abs=1e-12)


@given(purses, st.integers(1, 50))
def test_gini_does_not_depend_on_the_coin(values: list[int], factor: int) -> None:
    scaled = [factor * value for value in values]
    assert measures.gini(scaled) == pytest.approx(measures.gini(values), abs=1e-12)


@pytest.mark.parametrize(
    ("values", "expected"),
    [([7], 0.0), ([0, 0], 0.0), ([0, 1], 0.5), ([0] * 9 + [5], 0.9), ([1, 2, 3, 4], 0.25)],
)
def test_gini_exactly(values: list[int], expected: float) -> None:
    assert measures.gini(values) == pytest.approx(expected, abs=1e-15)


def test_gini_of_nobody_is_undefined() -> None:
    assert math.isnan(measures.gini([]))


def test_gini_refuses_debts() -> None:
    with pytest.raises(ValueError, match="-3"):
        measures.gini([5, -3])


@given(purses)
def test_gini_is_twice_the_area_above_the_lorenz_curve(values: list[int]) -> None:
    people, money = measures.lorenz(values)
    area = float(((money[1:] + money[:-1]) / 2 * np.diff(people)).sum())
    assert measures.gini(values) == pytest.approx(1 - 2 * area, abs=1e-9)


@given(st.lists(st.tuples(st.integers(0, 6), st.booleans()), max_size=40))
def test_auc_counts_pairs_and_half_the_ties(rows: list[tuple[int, bool]]) -> None:
    marked = [score for score, label in rows if label]
    others = [score for score, label in rows if not label]
    found = measures.auc([score for score, _ in rows], [label for _, label in rows])
    if not marked or not others:
        assert math.isnan(found)
        return
    pairs = [(a > b) + 0.5 * (a == b) for a in marked for b in others]
    assert found == pytest.approx(sum(pairs) / len(pairs), abs=1e-12)


def test_auc_leaves_out_those_of_whom_nobody_thinks() -> None:
    scores = [0.9, math.nan, 0.1, math.nan]
    assert measures.auc(scores, [True, False, False, True]) == 1.0
    assert math.isnan(measures.auc([math.nan, 0.5], [True, False]))


def test_auc_wants_as_many_labels_as_scores() -> None:
    with pytest.raises(ValueError, match="2 scores but 1 labels"):
        measures.auc([0.1, 0.2], [True])


BELIEFS = pd.DataFrame(
    {
        "night": [7, 7, 7, 3],
        "observer_id": [1, 2, 3, 1],
        "subject_id": [9, 9, 2, 2],
        "belief": [0.8, 0.3, 0.5, 0.9],
    }
)


def test_reputations_are_means_of_those_who_hold_a_belief() -> None:
    table = measures.reputations(BELIEFS[BELIEFS["night"] == BELIEFS["night"].max()])
    assert table.index.tolist() == [2, 9]
    assert table["reputation"].tolist() == pytest.approx([0.5, 0.55])
    assert table["notoriety"].tolist() == [0, 1]
    assert table["believers"].tolist() == [1, 2]
    assert measures.reputations(BELIEFS.head(0)).empty


@given(purses)
def test_gini_of_whole_coins_is_the_same(values: list[int]) -> None:
    ordered = np.sort(np.array(values, np.int64))
    assert measures.gini_of_sorted(ordered) == pytest.approx(measures.gini(values), abs=1e-12)


def test_gini_of_more_coins_than_a_word_holds() -> None:
    ordered = np.array([10**17, 3 * 10**17] * 10, np.int64)
    ordered.sort()
    assert measures.gini_of_sorted(ordered) == pytest.approx(0.25)


# ---------------------------------------------------------------- waiting


@given(st.lists(st.integers(0, 30), min_size=1, max_size=30))
def test_with_nobody_left_waiting_it_is_the_mean(times: list[int]) -> None:
    expected = sum(min(each, 20) for each in times) / len(times)
    found = measures.restricted_mean(times, [True] * len(times), horizon=20)
    assert found == pytest.approx(expected, abs=1e-9)


def test_those_still_waiting_are_not_left_out() -> None:
    rng = np.random.default_rng(5)
    n, rate = 40_000, 0.1
    waits = rng.exponential(1 / rate, n)
    watched = rng.uniform(0, 25, n)
    seen = waits <= watched
    times = np.where(seen, waits, watched)
    exact = (1 - math.exp(-rate * 15)) / rate
    # min(T, 15) has a standard deviation of 5.3; 2 in 5 are watched for 15 nights.
    assert measures.restricted_mean(times, seen, 15) == pytest.approx(
        exact, abs=4 * 5.3 / (n / 4) ** 0.5
    )
    assert times[seen].mean() < exact - 1


def test_a_wait_nobody_watched_to_the_end_is_unknown() -> None:
    assert math.isnan(measures.restricted_mean([3, 4], [True, False], horizon=10))
    assert math.isnan(measures.restricted_mean([], [], horizon=10))
    assert measures.restricted_mean([3, 4], [True, True], horizon=10) == 3.5
