"""Designs from Python, and designs as documents: nothing is lost on the way."""

import json
import os
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tavern_abm import Scenario
from tavern_abm.sweeps.design import Auto, Design, Factor
from tavern_abm.sweeps.designs.making import design_from, design_of
from tavern_abm.sweeps.designs.reading import load_design
from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.runs import seed_of


def product_of(settings: dict[str, Any], seed: int) -> dict[str, float]:
    """A model that is a function."""
    return {"y": float(settings["a"] * settings.get("b", 1)), "luck": float(seed % 7)}


def all_of(design: Design) -> list[dict[str, Any]]:
    return [design.points[number] for number in range(len(design.points))]


def grid(**changes: Any) -> Design:
    return design_of(product_of, factors={"a": [1, 2], "b": [3, 4]}, outputs=["y"], **changes)


KINDS = {
    "function": lambda: grid(replications=3),
    "ready": lambda: load_design("cheating-and-custom"),
    "auto": lambda: design_of(nights=3, outputs=["gini"], replications=Auto("gini", relative=0.1)),
    "sample": lambda: design_of(
        product_of,
        factors={"a": {"between": [0, 1]}, "b": [3, 4]},
        sampling={"method": "latin-hypercube", "points": 9},
        outputs=["y"],
    ),
    "points": lambda: design_from(
        {"points": [{"patrons": 30}, {"population.trades": {"smith": 1}}]}
    ),
    "table": lambda: Design.from_dataframe({"taverns.0.custom": ["orc", "lax"]}, luck="own"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_document_is_all_of_it(kind: str) -> None:
    design = KINDS[kind]()
    again = Design.from_document(json.loads(json.dumps(design.document())))
    assert all_of(again) == all_of(design)
    assert (again.factors, again.replications) == (design.factors, design.replications)
    assert (again.method, again.problem, again.luck) == (design.method, design.problem, design.luck)
    assert again.digest() == design.digest()
    assert again.document() == design.document()
    last = len(design.points) - 1
    assert again.run(last, 2) == design.run(last, 2)


def test_morris_and_saltelli_keep_what_salib_needs() -> None:
    pytest.importorskip("SALib")
    space = {"a": {"between": [0, 1]}, "b": {"between": [2, 4]}}
    sampling = {"method": "saltelli", "points": 4, "second_order": False}
    design = design_of(product_of, factors=space, sampling=sampling, outputs=["y"])
    again = Design.from_document(json.loads(json.dumps(design.document())))
    assert again.problem == design.problem
    assert design.problem is not None
    assert design.problem["bounds"] == [[0.0, 1.0], [2.0, 4.0]]


def test_what_makes_another_design_and_what_does_not() -> None:
    design = grid()
    same = [
        replace(design, name="other", about="other", replications=99),
        design_of(product_of, factors={"a": [1, 2], "b": [3, 4]}, outputs=("y",)),
    ]
    others = [
        grid(rng=2),
        grid(luck="own"),
        grid(fixed={"c": 1}),
        design_of(product_of, factors={"b": [3, 4], "a": [1, 2]}, outputs=["y"]),
        design_of(product_of, factors={"a": [1, 2], "b": [3, 5]}, outputs=["y"]),
        design_of(product_of, factors={"a": [1, 2], "b": [3, 4]}, outputs=["y", "luck"]),
    ]
    assert {each.digest() for each in same} == {design.digest()}
    assert len({design.digest(), *(each.digest() for each in others)}) == 1 + len(others)


def test_what_factors_are_called_makes_no_other_design() -> None:
    def morris(label: str) -> Design:
        return design_of(
            product_of,
            factors=[{"path": "a", "label": label, "between": [0, 1]}],
            sampling={"method": "morris", "trajectories": 2},
            outputs=["y"],
        )

    assert morris("one").problem != morris("other").problem
    assert morris("one").digest() == morris("other").digest()
    assert morris("one").document()["factors"][0]["label"] == "one"


def test_a_row_of_a_table_stands_once() -> None:
    with pytest.raises(SweepError, match=r"^row 2: sets the same as row 0; leave one out"):
        Design.from_dataframe({"patrons": [30, 40, 30], "minds.tau": [0.1, 0.1, 0.1]})


def test_nights_and_the_scenario_count() -> None:
    digests = {
        design_of(outputs=["gini"], **how).digest()  # type: ignore[arg-type]
        for how in ({}, {"nights": 31}, {"warm_up": 3}, {"fixed": {"patrons": 50}})
    }
    assert len(digests) == 4


PROGRAM = """
from tavern_abm.sweeps.designs.making import design_from
design = design_from({
    "luck": "own",
    "points": [{"population.trades": {"guard": 1, "smith": 2}}, {"patrons": 50}],
})
print(design.digest(), [design.run(k, 3).seed for k in range(2)])
"""


def test_digest_and_seeds_are_the_same_in_any_process(
    capsys: pytest.CaptureFixture[str],
) -> None:
    exec(PROGRAM, {})  # under the hash seed of this process, which is another one
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=os.environ | {"PYTHONHASHSEED": "17"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == capsys.readouterr().out


def test_shared_luck_is_of_the_replicate_alone() -> None:
    design = grid(rng=5)
    assert {design.run(point, 2).seed for point in range(4)} == {seed_of(5, 2)}
    assert len({design.run(0, number).seed for number in range(50)}) == 50
    own = grid(rng=5, luck="own")
    assert len({own.run(point, 2).seed for point in range(4)}) == 4


def test_runs_come_replication_by_replication() -> None:
    runs = [*grid().runs(3, first=1)]
    assert [run.replication_id for run in runs] == [1] * 4 + [2] * 4
    assert [run.scenario_id for run in runs] == [0, 1, 2, 3] * 2
    assert runs[3].settings == {"a": 2, "b": 4}


def test_what_goes_to_a_worker_is_small_and_whole() -> None:
    design = load_design("cheating-and-custom")
    sent = pickle.dumps(design.configuration)
    assert len(sent) < 20_000
    run = pickle.loads(pickle.dumps(design.run(3, 1)))
    assert run == design.run(3, 1)


def test_a_function_is_played_with_what_is_fixed() -> None:
    design = grid(fixed={"c": 5}, rng=3)
    run = design.run(3, 1)
    assert design.configuration(run).outcomes == {"y": 8.0}
    assert design.configuration.outputs == ("y",)


@pytest.mark.parametrize(
    ("factors", "told"),
    [
        ({"a": []}, "factors.0.values: must have at least 1 entry"),
        ({"a": [1, 1]}, "the same level stands twice"),
        ({"a": {"between": [2, 1]}}, "the lower bound comes first"),
        ({"a": {"betwen": [2, 1]}}, "did you mean 'between'"),
        ({"a": [1], "a.b": [2]}, "a.b: overlaps with a; each field"),
        ({"": [1]}, "must be a dotted path"),
    ],
)
def test_faults_from_python_name_the_key(factors: dict[str, Any], told: str) -> None:
    with pytest.raises(SweepError, match=told):
        design_of(product_of, factors=factors, outputs=["y"])


def test_factors_may_be_factors() -> None:
    tired = Factor(("a", "b"), "tired", ((1, 2), (3, 4)))
    dice = Factor(("c",), "dice", None, 1, 6, is_whole=True)
    sampling = {"method": "random", "points": 5}
    design = design_of(product_of, factors=[tired, dice], sampling=sampling, outputs=["y"])
    assert design.factors == (tired, dice)
    assert {(point["a"], point["b"]) for point in all_of(design)} <= {(1, 2), (3, 4)}
    assert all(type(point["c"]) is int for point in all_of(design))


def test_from_dataframe() -> None:
    samples = pd.DataFrame(
        {"population.share_of_cheats": [0.05, 0.2], "taverns.0.custom": ["orc", "lax"]}
    )
    design = Design.from_dataframe(
        samples, scenario="plain-dice", nights=5, rng=3, outputs=["gini"], settings={"patrons": 40}
    )
    assert (design.replications, design.seed, design.method) == (10, 3, "table")
    assert all_of(design) == samples.to_dict("records")
    assert design.configuration.scenario.patrons == 40  # type: ignore[attr-defined]
    assert [factor.label for factor in design.factors] == list(samples)


@pytest.mark.parametrize("kind", ["Int64", "float32", "category", "string", "object"])
def test_columns_of_any_kind_give_plain_values(kind: str) -> None:
    values = ["orc", "lax"] if kind in ("category", "string", "object") else [40, 80]
    path = "taverns.0.custom" if isinstance(values[0], str) else "population.purse_days"
    design = Design.from_dataframe(pd.DataFrame({path: pd.Series(values, dtype=kind)}))
    assert [point[path] for point in all_of(design)] == values
    assert type(design.points[0][path]) in (str, int, float)


@pytest.mark.parametrize(
    ("samples", "told"),
    [
        ({"minds.tua": [0.1]}, r"column minds.tua: unknown field \(did you mean 'tau'\?\)"),
        ({"minds.tau": [0.1, 3.0]}, r"row 1: minds.tau: must be at most 1 \(got 3"),
        ({"minds.tau": [0.1, None]}, r"row 1: minds.tau: the cell is empty"),
        ({"minds.tau": [np.nan]}, r"row 0: minds.tau: the cell is empty"),
        ({"minds.tau": [0.1], "minds": [{}]}, "minds: overlaps with minds.tau"),
        ({"minds.tau": []}, "there is no point in it"),
        ({}, "there is no point in it"),
        ({"patrons": [pd.Timestamp(2020, 1, 1)]}, "row 0: patrons: must be a finite number"),
    ],
)
def test_faults_of_dataframes_name_row_and_column(samples: dict[str, Any], told: str) -> None:
    with pytest.raises(SweepError, match=told):
        Design.from_dataframe(pd.DataFrame(samples))


def test_columns_of_the_same_name() -> None:
    samples = pd.DataFrame([[0.1, 0.2]], columns=["minds.tau", "minds.tau"])
    with pytest.raises(SweepError, match="the same name"):
        Design.from_dataframe(samples)


def test_a_scenario_may_be_one_that_is_there_already(tmp_path: Path) -> None:
    inn = Scenario(patrons=33)
    by_object = design_of(scenario=inn, factors={"minds.tau": [0.1]}, outputs=["gini"])
    assert by_object.configuration.scenario is inn  # type: ignore[attr-defined]
    by_name = design_of(scenario="plain-dice", factors={"minds.tau": [0.1]}, outputs=["gini"])
    assert by_name.configuration.scenario.name == "plain-dice"  # type: ignore[attr-defined]


def test_a_later_format_is_refused() -> None:
    document = grid().document() | {"format": 2}
    with pytest.raises(SweepError, match="is of format 2, and this version reads 1"):
        Design.from_document(document)
