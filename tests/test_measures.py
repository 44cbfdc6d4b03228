"""Measures against their definitions, worked out the long way round."""

import math
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

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


# Inequality and mobility, worked out again in plain Python

heaps = st.one_of(
    st.lists(st.integers(0, 4), min_size=1, max_size=30),  # ties and zeros
    st.lists(st.integers(0, 10**9), min_size=1, max_size=30),
)


def plain_theil(values: list[int]) -> float:
    mean = sum(values) / len(values)
    if mean == 0:
        return 0.0
    return math.fsum(x / mean * math.log(x / mean) for x in values if x) / len(values)


def plain_top_share(values: list[int], share: float) -> float:
    """What the richest have, the last of them in part, counted from the top."""
    left, total = share * len(values), sum(values)
    if total == 0:
        return share
    heap = 0.0
    for value in sorted(values, reverse=True):
        part = min(1.0, left)
        heap += part * value
        left -= part
    return heap / total


def plain_ranks(values: list[int]) -> list[float]:
    return [sum(y < x for y in values) + (sum(y == x for y in values) + 1) / 2 for x in values]


def plain_spearman(first: list[int], second: list[int]) -> float:
    a, b = plain_ranks(first), plain_ranks(second)
    mean = (len(a) + 1) / 2
    covariance = math.fsum((x - mean) * (y - mean) for x, y in zip(a, b, strict=True))
    spread = math.fsum((x - mean) ** 2 for x in a) * math.fsum((y - mean) ** 2 for y in b)
    return covariance / math.sqrt(spread) if spread else math.nan


@given(heaps)
def test_theil_is_its_sum(values: list[int]) -> None:
    assert measures.theil(values) == pytest.approx(max(0.0, plain_theil(values)), abs=1e-9)


@given(heaps, st.sampled_from([0.0, 0.01, 0.1, 0.2, 0.5, 1.0]))
def test_top_shares_are_counted_from_the_top(values: list[int], share: float) -> None:
    assert measures.top_share(values, share) == pytest.approx(
        plain_top_share(values, share), abs=1e-9
    )


@given(heaps)
def test_hoover_is_what_the_rich_have_too_much(values: list[int]) -> None:
    mean, total = sum(values) / len(values), sum(values)
    surplus = math.fsum(x - mean for x in values if x > mean)
    expected = surplus / total if total else 0.0
    assert measures.hoover(values) == pytest.approx(expected, abs=1e-9)


@given(heaps)
def test_the_lorenz_curve_is_summed_from_the_poorest_up(values: list[int]) -> None:
    people, money = measures.lorenz(values)
    ordered, total, n = sorted(values), sum(values), len(values)
    expected = [sum(ordered[:i]) / total if total else i / n for i in range(n + 1)]
    assert money.tolist() == pytest.approx(expected, abs=1e-9)
    assert people.tolist() == pytest.approx([i / n for i in range(n + 1)], abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=30))
def test_spearman_is_the_correlation_of_ranks(pairs: list[tuple[int, int]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    expected = plain_spearman(first, second)
    assert measures.spearman(first, second) == pytest.approx(expected, abs=1e-9, nan_ok=True)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=40), st.integers(2, 6))
def test_groups_by_rank_keep_the_order_and_equals_together(values: list[int], k: int) -> None:
    groups = measures.groups_by_rank(values, k).tolist()
    ranks = plain_ranks(values)
    assert groups == [int((2 * rank - 1) * k // (2 * len(values))) for rank in ranks]
    assert all(0 <= group < k for group in groups)


@given(
    st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), min_size=1, max_size=40),
    st.integers(2, 5),
)
def test_mobility_counts_who_went_where(pairs: list[tuple[int, int]], k: int) -> None:
    before, after = [a for a, _ in pairs], [b for _, b in pairs]
    rows = measures.groups_by_rank(before, k).tolist()
    columns = measures.groups_by_rank(after, k).tolist()
    table = measures.mobility(before, after, k)
    for i in range(k):
        to = [column for row, column in zip(rows, columns, strict=True) if row == i]
        expected = [to.count(j) / len(to) if to else math.nan for j in range(k)]
        assert table[i].tolist() == pytest.approx(expected, abs=1e-12, nan_ok=True)
    trace = sum(table[i, i] for i in range(k))
    assert measures.shorrocks(table) == pytest.approx((k - trace) / (k - 1), abs=1e-9, nan_ok=True)


def test_ranks_of_any_order_are_worth_what_theory_says() -> None:
    rng = np.random.default_rng(3)
    n = 50_000
    before, after = rng.random(n), rng.random(n)
    assert abs(measures.spearman(before, after)) < 4 / math.sqrt(n - 1)
    # Each of five cells of the trace has the standard error sqrt(.2 * .8 / (n / 5)).
    se = math.sqrt(5 * 0.2 * 0.8 / (n / 5)) / 4
    assert abs(measures.shorrocks(measures.mobility(before, after)) - 1) < 4 * se
    assert measures.spearman(before, before) == pytest.approx(1, abs=1e-12)
    assert measures.shorrocks(measures.mobility(before, before)) == 0


MIDDLES = (np.arange(1_000_000) + 0.5) / 1_000_000


def test_an_exponential_law_has_its_known_inequality() -> None:
    wealth = -np.log1p(-MIDDLES)
    assert measures.gini(wealth) == pytest.approx(0.5, abs=1e-4)
    assert measures.theil(wealth) == pytest.approx(1 - np.euler_gamma, abs=1e-4)
    for share in (0.01, 0.1, 0.2):  # 5.6, 33.0 and 52.2 %
        expected = share * (1 - math.log(share))
        assert measures.top_share(wealth, share) == pytest.approx(expected, abs=1e-4)
    assert measures.hoover(wealth) == pytest.approx(math.exp(-1), abs=1e-4)


@pytest.mark.parametrize(("sigma", "gini"), [(0.5, 0.276), (1.0, 0.521), (1.5, 0.711)])
def test_a_lognormal_law_has_its_known_inequality(sigma: float, gini: float) -> None:
    wealth = np.exp(sigma * norm.ppf(MIDDLES))
    assert measures.gini(wealth) == pytest.approx(math.erf(sigma / 2), abs=1e-4)
    assert math.erf(sigma / 2) == pytest.approx(gini, abs=6e-4)
    assert measures.theil(wealth) == pytest.approx(sigma**2 / 2, abs=2e-3)


@pytest.mark.parametrize("measure", [measures.theil, measures.hoover])
def test_inequality_of_nobody_one_and_nothing(measure: Callable[[list[int]], float]) -> None:
    assert math.isnan(measure([]))
    assert measure([7]) == measure([0, 0, 0]) == 0
    with pytest.raises(ValueError, match="-3"):
        measure([5, -3])


def test_measures_refuse_what_they_cannot_measure() -> None:
    assert math.isnan(measures.top_share([], 0.1))
    assert measures.top_share([0, 0], 0.1) == pytest.approx(0.1)
    with pytest.raises(ValueError, match="-3"):
        measures.top_share([5, -3], 0.1)
    with pytest.raises(ValueError, match="share of 2"):
        measures.top_share([5], 2)
    with pytest.raises(ValueError, match="2 values beside 1"):
        measures.spearman([1, 2], [1])
    assert math.isnan(measures.spearman([1], [2]))
    assert math.isnan(measures.spearman([1, 1], [2, 3]))
