"""Levels of factors: exact steps, no endless ranges, no field that varies twice."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.sweeps.design import Factor
from tavern_abm.sweeps.designs.factors import (
    factors_of_columns,
    inside,
    level_of,
    levels_of,
    levels_of_range,
    overlapping,
)


@pytest.mark.parametrize(
    ("first", "last", "how", "levels"),
    [
        (0, 0.3, {"step": 0.1}, [0.0, 0.1, 0.2, 0.3]),  # 0 + 3 * 0.1 is not 0.3 in floats
        (0.05, 0.2, {"step": 0.05}, [0.05, 0.1, 0.15, 0.2]),
        (0, 10, {"step": 4}, [0, 4, 8]),
        (10, 0, {"step": -5}, [10, 5, 0]),
        (5, 5, {"step": 1}, [5]),
        (0, 1000, {"levels": 5}, [0, 250, 500, 750, 1000]),
        (0, 1, {"levels": 3}, [0.0, 0.5, 1.0]),
        (1, 0, {"levels": 2}, [1, 0]),
        (0.1, 0.7, {"levels": 3}, [0.1, 0.4, 0.7]),
        (0, 3.0, {"step": 1}, [0.0, 1.0, 2.0, 3.0]),
        (1e-9, 3e-9, {"step": 1e-9}, [1e-9, 2e-9, 3e-9]),
    ],
)
def test_ranges(first: float, last: float, how: dict[str, Any], levels: list[float]) -> None:
    found = levels_of_range(first, last, **how)
    assert found == levels
    assert [type(level) for level in found] == [type(level) for level in levels]


TENTHS = st.decimals(-100, 100, places=3, allow_nan=False)


@given(TENTHS, TENTHS, st.decimals("0.001", 10, places=3))
def test_steps_gather_no_error(first: Decimal, last: Decimal, step: Decimal) -> None:
    by = step if last >= first else -step
    if abs(last - first) / step > 1000:
        return
    found = levels_of_range(float(first), float(last), step=float(by))
    n = int(Fraction(last - first) / Fraction(by)) + 1
    assert found == [float(first + number * by) for number in range(n)]


@pytest.mark.parametrize("step", [0, 0.0, -0.1])
def test_a_range_that_never_ends(step: float) -> None:
    with pytest.raises(ValueError, match=f"never ends: from 0 to 1 by {step}; .* above 0"):
        levels_of_range(0, 1, step=step)
    with pytest.raises(ValueError, match="must be below 0"):
        levels_of_range(1, 0, step=abs(step))


def test_too_many_levels_are_counted_not_made() -> None:
    with pytest.raises(ValueError, match="makes 1,000,000,000,001 levels, more than 1,000,000"):
        levels_of_range(0, 1, step=1e-12)


def test_a_value_goes_to_all_paths_or_each_has_its_own() -> None:
    assert level_of("orc", 2) == ("orc", "orc")
    assert level_of([1, "orc"], 2) == (1, "orc")
    assert level_of([7, 13], 1) == ([7, 13],)  # a list is the value, where there is one path
    with pytest.raises(ValueError, match=r"must have 2 values, one a path \(got 3\)"):
        level_of([1, 2, 3], 2)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {"a": float("nan")}, b"x", {1}])
def test_values_that_no_table_could_hold(value: Any) -> None:
    with pytest.raises(ValueError, match="must be a finite number, text"):
        level_of(value, 1)


def test_numbers_of_a_path_are_of_one_kind() -> None:
    assert levels_of([(0,), (0.5,)]) == ((0.0,), (0.5,))
    assert [type(value) for (value,) in levels_of([(0,), (0.5,)])] == [float, float]
    assert [type(value) for (value,) in levels_of([(10,), (20.0,)])] == [int, int]
    assert levels_of([("auto",), (3,)]) == (("auto",), (3,))
    assert levels_of([(True,), (1,)]) == ((True,), (1,))  # yes is no number


def test_a_level_stands_once() -> None:
    with pytest.raises(ValueError, match=r"the same level stands twice \(0.5, 'orc'\)"):
        levels_of([(0.5, "orc"), (1, "orc"), (0.5, "orc")])


def factor(*paths: str) -> Factor:
    return Factor(paths, paths[0], ((0,) * len(paths),))


@pytest.mark.parametrize(
    ("one", "other", "is_overlap"),
    [
        ("minds.tau", "minds.tau", True),
        ("minds", "minds.tau", True),
        ("population.trades.guard", "population.trades", True),
        ("taverns.1.custom", "taverns.10.custom", False),
        ("minds.tau", "minds.tau_moves", False),
        ("taverns.0.custom", "taverns.1.custom", False),
    ],
)
def test_overlaps(one: str, other: str, is_overlap: bool) -> None:
    for pair in ((one, other), (other, one)):
        found = overlapping([factor("patrons", pair[0]), factor(pair[1])])
        assert found == ((0, 1, *pair) if is_overlap else None)


def test_a_factor_may_not_name_a_field_twice() -> None:
    assert overlapping([factor("minds.tau", "minds.tau")]) == (0, 0, "minds.tau", "minds.tau")


def test_inside() -> None:
    assert inside("minds.tau", "minds")
    assert not inside("minds", "minds.tau")


def test_factors_of_a_table() -> None:
    columns = {
        "share": [number / 100 for number in range(20)],
        "patrons": [*range(30, 50)],
        "custom": ["orc", "lax"] * 10,
        "rake": [500, 0] * 10,
        "stake": ["auto", 3] * 10,
    }
    share, patrons, custom, rake, stake = factors_of_columns(columns, {"rake": "the rake"})
    assert (share.low, share.high, share.levels, share.is_whole) == (0.0, 0.19, None, False)
    assert (patrons.low, patrons.high, patrons.is_whole) == (30, 49, True)
    assert custom.levels == (("orc",), ("lax",))
    assert (rake.label, rake.levels) == ("the rake", ((0,), (500,)))
    assert stake.levels == (("auto",), (3,))
