"""Mesa's own `batch_run` plays the model, and comes to what a sweep comes to."""

from typing import Any

import mesa
import pandas as pd
import pytest

from tavern_abm import TavernModel
from tavern_abm.sweeps.api import sweep

NIGHTS = 4
RAKES = [0, 500]
FIXED = {"scenario": "rusty-flagon", "patrons": 30}
DESIGN = {
    "scenario": "rusty-flagon",
    "nights": NIGHTS,
    "replicates": 2,
    "set": {"patrons": 30},
    "factors": [{"path": "taverns.0.rake_bp", "values": RAKES}],
    "outputs": ["gini", "guests:last", "rounds:last", "beatings:last"],
    "series": ["gini", "guests"],
}


@pytest.fixture(scope="module")
def ours() -> Any:
    return sweep(DESIGN, progress=False)


def batch(seeds: list[int], **how: Any) -> pd.DataFrame:
    parameters = FIXED | {"taverns.0.rake_bp": RAKES}
    rows = mesa.batch_run(
        TavernModel, parameters, rng=seeds, max_steps=NIGHTS, display_progress=False, **how
    )
    return pd.DataFrame(rows)


def test_a_batch_comes_to_what_a_sweep_of_the_same_seeds_does(ours: Any) -> None:
    seeds = ours.runs["seed"].drop_duplicates().tolist()
    assert len(seeds) == 2  # all points share the luck of a replication
    table = batch(seeds).rename(columns={"rng": "seed"})
    both = table.merge(ours.joined(), on=["seed", "taverns.0.rake_bp"], suffixes=("_mesa", ""))
    assert len(both) == len(table) == 4
    assert both["gini_mesa"].tolist() == both["gini"].tolist()
    for mesa_name, name in (("guests", "guests"), ("rounds", "rounds"), ("beaten", "beatings")):
        assert both[f"n_{mesa_name}"].tolist() == both[f"{name}:last"].tolist()


def test_nights_of_a_batch_are_those_of_the_series(ours: Any) -> None:
    seeds = ours.runs["seed"].drop_duplicates().tolist()
    table = batch(seeds, data_collection_period=1)
    last = table.groupby(["rng", "taverns.0.rake_bp"])["Step"].agg(["min", "max", "size"])
    assert last.values.tolist() == [[1, NIGHTS, NIGHTS]] * 4
    nightly = ours.series.merge(ours.runs[["run_id", "seed", "taverns.0.rake_bp"]], on="run_id")
    both = table.merge(
        nightly,
        left_on=["rng", "taverns.0.rake_bp", "Step"],
        right_on=["seed", "taverns.0.rake_bp", "time"],
        suffixes=("_mesa", ""),
    )
    assert len(both) == 4 * NIGHTS
    assert both["gini_mesa"].tolist() == both["gini"].tolist()
    assert both["n_guests"].tolist() == both["guests"].tolist()


def test_a_sweep_can_be_had_in_the_shape_of_a_batch(ours: Any) -> None:
    table = ours.to_batch_frame()
    assert table.columns[:3].tolist() == ["RunId", "iteration", "Step"]
    assert table["Step"].tolist() == [NIGHTS] * 4
    assert table["gini"].tolist() == ours.outcomes["gini"].tolist()


@pytest.mark.slow
def test_processes_make_no_difference() -> None:
    one, two = batch([1, 2]), batch([1, 2], number_processes=2)
    # Mesa gives rows as they come in; the numbers of the runs are fixed beforehand.
    by_run = [each.sort_values("RunId", ignore_index=True) for each in (one, two)]
    pd.testing.assert_frame_equal(*by_run)
