"""Points: in order, lazily, the same from whichever side one looks."""

import json
import random
import tracemalloc
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.sweeps.design import Factor
from tavern_abm.sweeps.designs.points import Grid, Listed, hash_of, points_from, typed

RAKE = Factor(("rake",), "rake", ((0,), (250,), (500,)))
TEMPER = Factor(("sore", "paranoid"), "temper", ((0.0, "no"), (1.5, "yes")))
WHERE = Factor(("where",), "where", (("hall",), ("yard",), ("cellar",), ("loft",)))


def all_of(points: Grid | Listed) -> list[dict[str, Any]]:
    return [points[number] for number in range(len(points))]


def test_every_mix_of_levels_once_the_last_factor_fastest() -> None:
    expected = [
        {"rake": rake, "sore": sore, "paranoid": paranoid, "where": where}
        for rake, (sore, paranoid), where in product(
            (0, 250, 500), ((0.0, "no"), (1.5, "yes")), ("hall", "yard", "cellar", "loft")
        )
    ]
    assert all_of(Grid([RAKE, TEMPER, WHERE])) == expected


def test_the_frame_holds_what_the_points_say() -> None:
    grid = Grid([RAKE, TEMPER, WHERE])
    frame = grid.frame()
    assert list(frame) == ["scenario_id", *grid.paths]
    assert frame["scenario_id"].tolist() == [*range(24)]
    assert frame[[*grid.paths]].to_dict("records") == all_of(grid)
    assert frame.dtypes.astype(str).tolist()[:3] == ["int64", "int64", "float64"]


def test_a_million_points_cost_no_memory() -> None:
    factors = [
        Factor((name,), name, tuple((level,) for level in range(100))) for name in ("a", "b", "c")
    ]
    tracemalloc.start()
    grid = Grid(factors)
    assert len(grid) == 1_000_000
    assert grid[987_654] == {"a": 98, "b": 76, "c": 54}
    assert tracemalloc.get_traced_memory()[1] < 100_000
    tracemalloc.stop()


def test_without_factors_there_is_one_point_which_sets_nothing() -> None:
    grid = Grid([])
    assert (len(grid), grid[0], grid.paths) == (1, {}, ())
    assert grid.frame().to_dict("list") == {"scenario_id": [0]}


@pytest.mark.parametrize("points", [Grid([RAKE]), Listed({"rake": [0, 250, 500]})])
@pytest.mark.parametrize("number", [-1, 3])
def test_there_are_no_others(points: Grid | Listed, number: int) -> None:
    with pytest.raises(IndexError, match=f"no such point: {number} of 3"):
        points[number]


def test_columns_of_numbers_are_kept_as_such_and_given_as_plain_values() -> None:
    columns = {"a": [1, 2.5], "b": np.array([3, 4], np.int32), "c": [True, False], "d": ["x", 1]}
    points = Listed(columns)
    assert [type(points.columns[path]) for path in "abcd"] == [np.ndarray] * 3 + [list]
    assert points[0] == {"a": 1.0, "b": 3, "c": True, "d": "x"}
    assert [type(value) for value in points[0].values()] == [float, int, bool, str]


@pytest.mark.parametrize(
    ("values", "kind", "listed"),
    [
        ([1, 2], "int64", [1, 2]),
        ([1, 2.5], "float64", [1.0, 2.5]),
        ([1, 2.0], "int64", [1, 2]),
        ([1.0, 2.0], "float64", [1.0, 2.0]),
        ([True, False], "bool", [True, False]),
        (["b", "a"], "object", ["b", "a"]),
        (["auto", 3], "object", ['"auto"', "3"]),
        ([{"guard": 3}, {"sailor": 1}], "object", ['{"guard": 3}', '{"sailor": 1}']),
        ([1, True], "object", ["1", "true"]),
        ([None, "x"], "object", [None, "x"]),
        ([2**70, 1], "object", None),
    ],
    ids=str,
)
def test_types_of_columns(values: list[Any], kind: str, listed: list[Any] | None) -> None:
    if listed is None:  # too large for any column of whole numbers
        assert typed(values).dtype.kind in "fO"
        return
    assert (str(typed(values).dtype), typed(values).tolist()) == (kind, listed)


def test_numbers_of_which_some_are_missing() -> None:
    column = typed([None, 2])
    assert np.isnan(column[0])
    assert column[1] == 2


SETTINGS = st.dictionaries(
    st.text(min_size=1),
    st.one_of(
        st.booleans(), st.integers(-(2**53), 2**53), st.floats(allow_nan=False), st.text()
    ).filter(lambda value: value not in (float("inf"), float("-inf"))),
)


@given(SETTINGS, st.randoms())
def test_the_hash_is_of_the_content_alone(settings: dict[str, Any], rng: random.Random) -> None:
    items = [*settings.items()]
    rng.shuffle(items)
    assert hash_of(dict(items)) == hash_of(settings) == hash_of(json.loads(json.dumps(settings)))
    assert 0 <= hash_of(settings) < 2**63


def test_whole_numbers_have_one_hash_however_they_are_written() -> None:
    assert hash_of({"a": 1}) == hash_of({"a": 1.0}) == hash_of({"a": np.float64(1)})
    assert hash_of({"a": [2, {"b": 3}]}) == hash_of({"a": [2.0, {"b": 3.0}]})
    assert len({hash_of({"a": value}) for value in (1, True, "1", [1], 1.5)}) == 5


def test_the_hash_does_not_depend_on_a_points_place() -> None:
    forth = Grid([RAKE, WHERE])
    back = Grid([WHERE, RAKE])
    assert {forth.hash_of(n) for n in range(12)} == {back.hash_of(n) for n in range(12)}
    assert len({forth.hash_of(n) for n in range(12)}) == 12


def test_hashes_are_these() -> None:
    # Seeds of sweeps with luck = "own" hang on them: a change makes old sweeps unrepeatable.
    assert hash_of({}) == 2452693583222387653
    assert hash_of({"taverns.0.custom": "orc", "minds.tau": 0.25}) == 3089737378028829087


@pytest.mark.parametrize(
    "points",
    [Grid([RAKE, TEMPER]), Listed({"a": [1, 2], "b": ["x", None]}), Listed({}, 3), Grid([])],
)
def test_documents_come_back(points: Grid | Listed) -> None:
    factors = points.factors if isinstance(points, Grid) else ()
    again = points_from(json.loads(json.dumps(points.document())), factors)
    assert all_of(again) == all_of(points)
    pd.testing.assert_frame_equal(again.frame(), points.frame())
