"""MSER-5: how many nights at the beginning are no good."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tavern_abm.sweeps.api import sweep
from tavern_abm.sweeps.measuring.warm_up import (
    BATCH,
    WarmUp,
    main,
    mser5,
    mser_curve,
    suggest_warm_up,
    warm_up_of,
)


def falling(rng: np.random.Generator, start: float, scale: float, nights: int) -> np.ndarray:
    """A series with noise that begins too high and comes down exponentially."""
    return start * np.exp(-np.arange(nights) / scale) + rng.normal(size=nights)


def test_the_curve_is_the_squared_standard_error_of_what_is_left() -> None:
    values = np.random.default_rng(3).normal(size=62)
    curve = mser_curve(values)
    means = [values[i : i + BATCH].mean() for i in range(0, 60, BATCH)]
    for cut, found in enumerate(curve):
        rest = means[cut:]
        plain = sum((each - np.mean(rest)) ** 2 for each in rest) / len(rest) ** 2
        assert found == pytest.approx(plain)
    assert len(curve) == 12 - 4


def test_a_start_that_is_cut_off() -> None:
    rng = np.random.default_rng(1)
    found = [warm_up_of(falling(rng, 30, 6, 200)) for _ in range(40)]
    assert sum(each.is_settled for each in found) >= 38  # 399 of 400 are, on the long run
    nights = [each.nights for each in found]
    # After 20 nights a start of 30 is down to 1.1, a standard deviation of the noise.
    assert 15 <= np.median(nights) <= 35


def test_nothing_is_cut_off_where_there_is_no_start() -> None:
    assert warm_up_of(np.full(60, 7.3)) == WarmUp(0, True)
    rng = np.random.default_rng(2)
    nights = [mser5(rng.normal(size=200)) for _ in range(200)]
    assert np.median(nights) <= 10


def test_what_never_comes_to_rest_is_told() -> None:
    rising = np.arange(100) + np.random.default_rng(4).normal(size=100)
    assert warm_up_of(rising) == WarmUp(50, is_settled=False)
    assert mser5(rising) == 50


def test_too_short_to_tell() -> None:
    with pytest.raises(ValueError, match="49 nights are too few to tell; play 50 or more"):
        warm_up_of(np.arange(49.0))
    with pytest.raises(ValueError, match="without nan"):
        mser_curve([1.0, np.nan] * 30)


def test_a_sweep_is_looked_at_point_by_point() -> None:
    rng = np.random.default_rng(5)
    runs = []
    for scenario, start in enumerate((0.0, 40.0)):
        for replication in range(20):
            keys = {
                "run_id": scenario * 1_000_000 + replication,
                "scenario_id": scenario,
                "replication_id": replication,
                "time": np.arange(11, 131),
            }
            series = {"guests": falling(rng, start, 8, 120), "share": np.nan}
            runs.append(pd.DataFrame(keys | series))
    table = suggest_warm_up(pd.concat(runs))
    assert table[["scenario_id", "series"]].values.tolist() == [
        [0, "guests"],
        [0, "share"],
        [1, "guests"],
        [1, "share"],
    ]
    assert table["n"].tolist() == [20] * 4
    assert table["nights"].tolist() == [120] * 4
    without, _, start, gaps = table["warm_up"]
    assert 10 <= without < start  # the first ten nights had been left out before
    # Of 20 runs' mean the noise is 0.22: the start is above it for 42 nights.
    assert 40 <= start <= 70
    assert gaps is pd.NA
    assert table["is_settled"].tolist() == [True, False, True, False]


def test_a_sweep_that_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    design = {
        "scenario": "plain-dice",
        "nights": 50,
        "replicates": 2,
        "set": {"patrons": 12},
        "outputs": ["gini"],
        "series": ["gini", "rounds"],
    }
    sweep(design, store=tmp_path / "long", progress=False)
    main([str(tmp_path / "long")])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines] == ["series", "gini", "rounds"]
    sweep(design | {"series": []}, store=tmp_path / "none", progress=False)
    with pytest.raises(SystemExit) as end:
        main([str(tmp_path / "none")])
    assert end.value.code == 3
    assert "it keeps no series" in capsys.readouterr().err
