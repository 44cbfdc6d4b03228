"""Estimates: their values by hand, and their intervals by how often they hold the truth."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tavern_abm.sweeps.estimating import estimates, resampling
from tavern_abm.sweeps.estimating.estimates import Estimate, mean_t, paired, welch
from tavern_abm.sweeps.estimating.ratios import ratio, ratio_difference
from tavern_abm.sweeps.estimating.resampling import bootstrap, bootstrap_bounds
from tavern_abm.sweeps.estimating.simultaneous import bonferroni, holm

NAN = float("nan")
values = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30)


def holds(estimate: Estimate, truth: float) -> bool:
    return estimate.low <= truth <= estimate.high


# ---------------------------------------------------------------- means


def test_the_mean_has_students_interval() -> None:
    found = mean_t([1.0, 2.0, 4.0])
    assert found.value == pytest.approx(7 / 3)
    assert found.sd == pytest.approx(math.sqrt(7 / 3))
    # t(0.975, 2) = 4.302653
    assert found.half == pytest.approx(4.302653 * math.sqrt(7 / 3) / math.sqrt(3), rel=1e-6)
    assert (found.n, found.confidence) == (3, 0.95)


@given(values, st.floats(0.5, 0.999))
def test_it_is_the_interval_of_scipy(sample: list[float], confidence: float) -> None:
    if np.ptp(sample) < 1e-3:
        return
    found = mean_t(sample, confidence)
    low, high = stats.ttest_1samp(sample, 0).confidence_interval(confidence)
    scale = 1e-9 * max(1.0, *np.abs(sample))
    assert found.low == pytest.approx(low, rel=1e-9, abs=scale)
    assert found.high == pytest.approx(high, rel=1e-9, abs=scale)


@pytest.mark.parametrize("n", [5, 10, 20, 100])
def test_t_intervals_cover_a_known_mean_in_93_to_97_of_100_experiments(n: int) -> None:
    rng = np.random.default_rng([1, n])
    hits = sum(holds(mean_t(rng.normal(0.4, 0.03, n)), 0.4) for _ in range(1_000))
    assert 930 <= hits <= 970


def test_other_confidences_cover_as_often_as_they_say() -> None:
    rng = np.random.default_rng(2)
    samples = [rng.normal(0, 1, 8) for _ in range(1_000)]
    for confidence in (0.5, 0.8, 0.99):
        hits = sum(holds(mean_t(sample, confidence), 0) for sample in samples)
        error = math.sqrt(confidence * (1 - confidence) * 1_000)
        assert abs(hits - 1_000 * confidence) < 4 * error


def test_what_is_not_defined_is_left_out_and_not_counted() -> None:
    assert mean_t([1.0, NAN, 2.0, math.inf, 4.0]) == mean_t([1.0, 2.0, 4.0])
    assert mean_t([1.0, NAN]).n == 1
    assert bootstrap([NAN, *range(60)]) == bootstrap(range(60))
    assert estimates.quantiles([1, NAN, 3], [0.5]) == [2.0]


def test_one_value_has_no_interval_and_none_has_no_mean() -> None:
    one, none = mean_t([3.0]), mean_t([])
    assert (one.value, one.n, one.has_interval, one.is_clear) == (3.0, 1, False, False)
    assert (math.isnan(none.value), none.n, none.has_interval) == (True, 0, False)
    assert math.isnan(estimates.quantiles([], [0.5])[0])


def test_equal_values_are_exactly_their_mean() -> None:
    # The sum of seven times 0.1 is not seven times 0.1, nor is its deviation quite nothing.
    for found in (mean_t([0.1] * 7), bootstrap([0.1] * 60)):
        assert (found.value, found.low, found.high, found.sd) == (0.1, 0.1, 0.1, 0.0)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0, NAN])
def test_a_confidence_is_a_share(confidence: float) -> None:
    for estimate in (mean_t, bootstrap):
        with pytest.raises(ValueError, match="between 0 and 1"):
            estimate([1.0, 2.0], confidence)


@pytest.mark.parametrize(
    ("estimate", "spec", "text"),
    [
        (Estimate(0.5, 0.4, 0.6, 9, 0.1), ".2f", "0.50 (0.40 to 0.60)"),
        (Estimate(12.3456, 10, 14.6912, 9, 0.1), "", "12.35 (10 to 14.69)"),
        (Estimate(0.5, 0.4, 0.6, 9, 0.1), "+.1f", "+0.5 (+0.4 to +0.6)"),
        (Estimate(0.5, NAN, NAN, 1, NAN), ".1f", "0.5 (one run: no interval)"),
        (Estimate(0.5, NAN, NAN, 20, 0.1), ".1f", "0.5 (no interval)"),
        (Estimate(NAN, NAN, NAN, 0, NAN), ".1f", "none"),
    ],
)
def test_it_says_an_estimate_with_its_interval(estimate: Estimate, spec: str, text: str) -> None:
    assert format(estimate, spec) == text


# ---------------------------------------------------------------- bootstrap


def test_bootstrap_intervals_are_offered_from_50_values_on() -> None:
    sample = np.random.default_rng(3).exponential(3, 50)
    assert bootstrap(sample).has_interval
    assert not bootstrap(sample[:49]).has_interval
    assert bootstrap(sample[:49]).value == mean_t(sample[:49]).value


def test_a_bootstrap_interval_leans_with_the_quantity() -> None:
    sample = np.random.default_rng(4).exponential(3, 60)
    found, plain = bootstrap(sample), mean_t(sample)
    assert found.high - found.value > 1.1 * (found.value - found.low)
    assert found.half == pytest.approx(plain.half, rel=0.15)


def test_a_bootstrap_interval_depends_on_its_values_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(5).exponential(3, (7, 55))
    rows[2] = 1.0
    low, high = bootstrap_bounds(rows)
    for row, *ends in zip(rows, low, high, strict=True):
        found = bootstrap(row)
        assert [found.low, found.high] == ends
    monkeypatch.setattr(resampling, "_CELLS", 1)  # a row at a time, a sample at a time
    assert bootstrap_bounds(rows[:1])[0] == low[0]


def test_bootstrap_intervals_cover_about_as_often_as_stated() -> None:
    # benchmarks/interval_coverage.py prints these of 1,000 experiments;
    # the error of 400 is 1.1 points.
    rng = np.random.default_rng(6)
    normal, skewed = rng.normal(0, 1, (400, 50)), rng.exponential(1, (400, 50))
    for rows, mean, stated in ((normal, 0.0, 0.945), (skewed, 1.0, 0.932)):
        low, high = bootstrap_bounds(rows)
        share = ((low <= mean) & (mean <= high)).mean()
        assert abs(share - stated) < 4 * math.sqrt(stated * (1 - stated) / 400)


# ---------------------------------------------------------------- differences


def test_common_luck_cancels_in_a_difference() -> None:
    rng = np.random.default_rng(4)
    luck = rng.normal(10, 5, 40)
    found = paired(luck + 1 + rng.normal(0, 0.1, 40), luck)
    assert found.change.value == pytest.approx(1, abs=4 * 0.1 / math.sqrt(40))
    assert found.change.half < mean_t(luck).half / 10
    # Two variances of 25 against one of 0.01; the log of such a ratio has an error of 0.32.
    assert abs(math.log(found.narrowed / (50 / 0.01))) < 4 * 0.32
    assert found.replications_saved == pytest.approx(40 * (found.narrowed - 1))


def test_the_same_twice_is_no_difference() -> None:
    found = paired([1.0, 2.0, 5.0], [1.0, 2.0, 5.0])
    assert (found.change.value, found.change.half, found.p) == (0.0, 0.0, 1.0)
    assert found.narrowed == math.inf
    assert math.isnan(paired([2.0, 3.0, 6.0], [1.0, 2.0, 5.0]).p)
    assert paired([1.0, 1.0], [1.0, 1.0]).narrowed == 1.0


def test_rounding_is_no_difference_between_pairs() -> None:
    luck = np.random.default_rng(4).normal(0.1, 3, 40)
    found = paired(luck + 0.7, luck)
    assert np.ptp((luck + 0.7) - luck) > 0
    assert (found.change.sd, found.narrowed) == (0.0, math.inf)
    assert math.isnan(found.p)
    assert found.change.value == pytest.approx(0.7)


def test_pairs_count_where_both_are_defined() -> None:
    found = paired([1.0, NAN, 3.0, 9.0], [0.0, 5.0, NAN, 2.0])
    assert found.change == mean_t([1.0, 7.0])
    with pytest.raises(ValueError, match="as many"):
        paired([1.0, 2.0], [1.0])


@given(values.flatmap(lambda one: st.tuples(st.just(one), values)))
def test_unlike_luck_is_compared_as_scipy_does(samples: tuple[list[float], list[float]]) -> None:
    one, other = samples
    if np.ptp(one) < 1e-3 or np.ptp(other) < 1e-3:
        return
    found, known = welch(one, other), stats.ttest_ind(one, other, equal_var=False)
    low, high = known.confidence_interval(0.95)
    scale = 1e-7 * max(1.0, *np.abs(one), *np.abs(other))
    assert found.change.low == pytest.approx(low, rel=1e-6, abs=scale)
    assert found.change.high == pytest.approx(high, rel=1e-6, abs=scale)
    assert found.p == pytest.approx(known.pvalue, abs=1e-6)
    assert (found.way, found.narrowed, found.change.n) == ("welch", 1.0, min(map(len, samples)))


def test_a_paired_difference_is_tested_as_scipy_does() -> None:
    rng = np.random.default_rng(7)
    one, other = rng.normal(0.5, 1, 25), rng.normal(0, 1, 25)
    assert paired(one, other).p == pytest.approx(stats.ttest_rel(one, other).pvalue)


def test_too_few_have_no_difference_to_speak_of() -> None:
    for found in (welch([1.0], [3.0, 4.0]), paired([1.0], [3.0]), paired([], [])):
        assert not found.change.has_interval
        assert math.isnan(found.p)


def test_two_samples_without_deviation_differ_exactly() -> None:
    found = welch([2.0, 2.0], [1.0, 1.0, 1.0])
    assert (found.change.low, found.change.high) == (1.0, 1.0)
    assert math.isnan(found.p)


def test_alike_differences_of_few_pairs_are_no_proof() -> None:
    """Of 28 counts that nothing moves, two pairs of some differ alike in nearly every table."""
    rng = np.random.default_rng(9)
    alike = 0
    for _ in range(200):
        one, other = rng.poisson(0.7, (2, 28, 2))
        found = [paired(*each) for each in zip(one, other, strict=True)]
        alike += any(each.change.sd == 0 and each.change.value for each in found)
        assert not any(each.change.is_clear for each in found if each.change.sd == 0)
        adjusted = holm([each.p for each in found])
        assert not (adjusted < 0.05).any()
    assert alike > 150


@pytest.mark.parametrize(("compare", "shared"), [(paired, 3.0), (welch, 0.0)])
def test_intervals_of_differences_cover(
    compare: Callable[..., estimates.Difference], shared: float
) -> None:
    rng = np.random.default_rng(8)
    hits = 0
    for _ in range(1_000):
        luck = rng.normal(0, shared, 12) if shared else 0.0
        one, other = luck + rng.normal(2, 1, 12), luck + rng.normal(0, 2, 12)
        hits += holds(compare(one, other).change, 2.0)
    assert abs(hits - 950) < 4 * math.sqrt(1_000 * 0.95 * 0.05)


# ---------------------------------------------------------------- ratios of sums


def test_a_ratio_is_over_all_cases_and_not_over_runs() -> None:
    assert ratio([1, 0, 9], [2, 8, 10]).value == pytest.approx(0.5)
    assert ratio([2, 3, 5], [4, 6, 10]).half == 0.0
    assert ratio([1, 2, 7], [3, 6, 21]).half == 0.0  # a third of each, but for rounding


def test_intervals_of_a_ratio_cover_it() -> None:
    # 400 studies of 30 runs: the share that covers has a standard error of 0.011.
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(400):
        bottom = rng.poisson(40, 30) + 1
        hits += holds(ratio(rng.binomial(bottom, 0.3), bottom), 0.3)
    assert abs(hits / 400 - 0.95) < 4 * 0.011


def test_common_luck_cancels_in_a_difference_of_ratios() -> None:
    rng = np.random.default_rng(4)
    luck, ones = rng.normal(10, 5, 40), np.ones(40)
    other = (luck + 1 + rng.normal(0, 0.1, 40), ones)
    found = ratio_difference(other, (luck, ones))
    assert found.value == pytest.approx(1, abs=4 * 0.1 / math.sqrt(40))
    assert found.half == pytest.approx(paired(other[0], luck).change.half)
    same = ratio_difference((luck, ones), (luck, ones))
    assert (same.value, same.half) == (0.0, 0.0)


def test_nothing_counted_is_no_ratio() -> None:
    found = ratio([0, 0], [0, 0])
    assert math.isnan(found.value)
    assert math.isnan(found.half)
    assert str(found) == "none"


# ---------------------------------------------------------------- how many


@pytest.mark.parametrize("half_width", [0.5, 0.1, 0.02])
def test_so_many_replications_are_just_enough(half_width: float) -> None:
    n = estimates.replications_needed(Estimate(0.0, -1.0, 1.0, 20, 1.0), half_width)

    def half(n: int) -> float:
        return estimates.t_quantile(0.95, n - 1) / math.sqrt(n)

    assert half(n + 1) <= half_width < half(n - 2)


def test_how_many_is_asked_of_something() -> None:
    with pytest.raises(ValueError, match="above 0"):
        estimates.replications_needed(mean_t([1, 2, 3]), 0.0)
    with pytest.raises(ValueError, match="fewer than 2"):
        estimates.replications_needed(mean_t([1]), 0.1)
    assert estimates.replications_needed(mean_t([1, 1, 1]), 0.1) == 2


# ---------------------------------------------------------------- several at once


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_rejects_no_more_than_bonferroni_would_at_its_own_step(p: list[float]) -> None:
    found = holm(p)
    order = np.argsort(p, kind="stable")
    adjusted = 0.0
    for step, at in enumerate(order):  # as Holm wrote it down
        adjusted = max(adjusted, min(1.0, (len(p) - step) * p[at]))
        assert found[at] == pytest.approx(adjusted)


def test_a_test_that_was_none_counts_for_nothing() -> None:
    found = holm([0.02, NAN, 0.03])
    assert found[[0, 2]].tolist() == pytest.approx([0.04, 0.04])
    assert math.isnan(found[1])
    assert holm([]).tolist() == []


def test_intervals_that_hold_together() -> None:
    rng = np.random.default_rng(9)
    each = bonferroni(0.95, 20)
    hits = sum(
        all(holds(mean_t(sample, each), 0.0) for sample in rng.normal(0, 1, (20, 15)))
        for _ in range(400)
    )
    # 0.9975^20 = 0.951 of independent ones
    assert abs(hits / 400 - 0.951) < 4 * 0.011
