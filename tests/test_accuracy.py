"""Belief against truth: measures against their definitions and against published values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from tavern_abm import accuracy, measures
from tavern_abm.accuracy import Confusion

graded = st.lists(st.tuples(st.integers(0, 20), st.booleans()), max_size=50)


def parted(rows: list[tuple[int, bool]]) -> tuple[list[float], list[bool]]:
    return [score / 20 for score, _ in rows], [label for _, label in rows]


# ---------------------------------------------------------------- confusion


@pytest.mark.parametrize(
    ("prevalence", "ppv"), [(0.01, 0.1391), (0.05, 0.4571), (0.10, 0.6400), (0.20, 0.8000)]
)
def test_the_rarer_cheats_are_the_fewer_suspicions_are_right(prevalence: float, ppv: float) -> None:
    cheats, honest = 1000 * prevalence, 1000 * (1 - prevalence)
    town = Confusion(0.8 * cheats, 0.05 * honest, 0.2 * cheats, 0.95 * honest)
    assert (town.tpr, town.fpr) == pytest.approx((0.8, 0.05))
    assert town.ppv == pytest.approx(ppv, abs=5e-5)


@given(graded)
def test_confusion_counts_pairs(rows: list[tuple[int, bool]]) -> None:
    beliefs, labels = parted(rows)
    pairs = list(zip(beliefs, labels, strict=True))
    assert accuracy.confusion(beliefs, labels) == (
        sum(b > 0.5 and c for b, c in pairs),
        sum(b > 0.5 and not c for b, c in pairs),
        sum(b <= 0.5 and c for b, c in pairs),
        sum(b <= 0.5 and not c for b, c in pairs),
    )


def test_shares_of_nobody_are_undefined() -> None:
    nobody = accuracy.confusion([], [])
    assert all(map(math.isnan, (nobody.tpr, nobody.fpr, nobody.ppv)))


@pytest.mark.parametrize(
    "measure",
    [
        accuracy.confusion,
        accuracy.roc,
        accuracy.brier,
        accuracy.reliability,
        accuracy.calibration_line,
    ],
)
def test_as_many_labels_as_scores(measure: object) -> None:
    with pytest.raises(ValueError, match="2 scores but 1 labels"):
        measure([0.1, 0.2], [True])


# ---------------------------------------------------------------- the curve


@given(graded)
def test_the_area_under_the_curve_is_the_auc(rows: list[tuple[int, bool]]) -> None:
    beliefs, labels = parted(rows)
    fpr, tpr, thresholds = accuracy.roc(beliefs, labels)
    area = measures.auc(beliefs, labels)
    if math.isnan(area):
        assert fpr.size == tpr.size == thresholds.size == 0
        return
    assert np.trapezoid(tpr, fpr) == pytest.approx(area, abs=1e-12)
    assert (fpr[0], tpr[0], fpr[-1], tpr[-1]) == (0, 0, 1, 1)
    for at in range(len(thresholds)):
        table = accuracy.confusion(beliefs, labels, threshold=thresholds[at] - 1e-9)
        assert (table.fpr, table.tpr) == pytest.approx((fpr[at], tpr[at]))


@pytest.mark.parametrize(
    ("apart", "area"), [(0.5, 0.638), (1.0, 0.760), (1.5, 0.856), (2.0, 0.921)]
)
def test_two_bells_so_far_apart(apart: float, area: float) -> None:
    n = 40_000
    rng = np.random.default_rng(11)
    scores = np.concatenate([rng.normal(apart, 1, n), rng.normal(0, 1, n)])
    labels = np.arange(2 * n) < n
    # The standard error of an area is at most sqrt(1 / (4 n)).
    assert measures.auc(scores, labels) == pytest.approx(area, abs=0.0005 + 4 * 0.5 / n**0.5)


def test_each_ranks_for_himself() -> None:
    rng = np.random.default_rng(3)
    observer = rng.integers(0, 30, 400)
    belief = rng.integers(0, 8, 400) / 8
    label = rng.random(400) < 0.15
    areas = accuracy.auc_by(observer, belief, label)
    alone = {
        each: measures.auc(belief[observer == each], label[observer == each]) for each in range(30)
    }
    assert areas.to_dict() == pytest.approx(
        {each: area for each, area in alone.items() if not math.isnan(area)}
    )
    assert 0 < len(areas) < 30
    assert accuracy.auc_by([], [], []).empty


# ---------------------------------------------------------------- calibration


def test_brier_parts() -> None:
    assert accuracy.brier([0.1] * 10, [True] + [False] * 9) == pytest.approx(0.1 * 0.9)
    assert accuracy.brier([1, 0], [True, False]) == 0
    assert math.isnan(accuracy.brier([], []))


@given(graded)
def test_calibration_error_by_hand(rows: list[tuple[int, bool]]) -> None:
    beliefs, labels = parted(rows)
    bins: dict[int, list[tuple[float, bool]]] = {}
    for belief, label in zip(beliefs, labels, strict=True):
        bins.setdefault(min(9, int(belief * 10)), []).append((belief, label))
    found = accuracy.calibration_error(beliefs, labels)
    if not rows:
        assert math.isnan(found)
        return
    gaps = [abs(sum(b for b, _ in each) - sum(c for _, c in each)) for each in bins.values()]
    assert found == pytest.approx(sum(gaps) / len(rows), abs=1e-12)
    assert accuracy.reliability(beliefs, labels)["pairs"].tolist() == [
        len(bins[place]) for place in sorted(bins)
    ]


@pytest.mark.parametrize(("intercept", "slope"), [(0.0, 1.0), (-1.0, 1.0), (0.3, 1.8), (0.0, 0.5)])
def test_the_line_is_the_maximum_of_the_likelihood(intercept: float, slope: float) -> None:
    rng = np.random.default_rng(8)
    x = rng.normal(-1.5, 1.5, 5000)
    chance = 1 / (1 + np.exp(-(intercept + slope * x)))
    label = rng.random(5000) < chance
    line = accuracy.calibration_line(x, label)

    def loss(at: np.ndarray) -> float:
        odds = at[0] + at[1] * x
        return float((np.logaddexp(0, odds) - label * odds).sum())

    best = minimize(loss, [0.0, 1.0], tol=1e-12).x
    assert tuple(line) == pytest.approx(tuple(best), abs=1e-4)
    weight = chance * (1 - chance)
    information = np.array([[weight.sum(), (weight * x).sum()], [0, (weight * x * x).sum()]])
    information[1, 0] = information[0, 1]
    se = np.sqrt(np.diag(np.linalg.inv(information)))
    assert np.abs(np.array(line) - [intercept, slope]).max() < 4 * se.max()


@pytest.mark.parametrize(
    ("odds", "labels"),
    [
        ([], []),
        ([1, 2, 3], [True, True, True]),
        ([1, 1, 1], [True, False, True]),
        ([1, 2, 3], [False, False, True]),
        ([1, 2, 2], [False, False, True]),
    ],
)
def test_where_no_line_fits_best(odds: list[float], labels: list[bool]) -> None:
    assert all(map(math.isnan, accuracy.calibration_line(odds, labels)))


def test_a_line_far_off_is_found_all_the_same() -> None:
    odds = np.array([-6.0] * 1000 + [6.0] * 1000)
    labels = np.arange(2000) % 1000 < np.where(odds < 0, 1, 999)
    line = accuracy.calibration_line(odds, labels)
    assert line.slope == pytest.approx(math.log(999) / 6)
    assert line.intercept == pytest.approx(0, abs=1e-9)
