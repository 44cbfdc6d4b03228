"""`tavern merge`: tables of a store, one store of shards, and what cannot be merged."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tavern_abm.cli import tavern
from tavern_abm.sweeps.design import Auto
from tavern_abm.sweeps.stores.merging import results_of
from tavern_abm.sweeps.stores.store import Store
from tests.sweeps.quick_sweep import FAILS, content, play, played, quick_design, runs_of


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def merge(*arguments: str) -> Result:
    return CliRunner().invoke(tavern, ["merge", *arguments], prog_name="tavern")


def test_one_store() -> None:
    played(Path("s"), fails=FAILS)
    result = merge("s")
    assert (result.exit_code, result.stderr) == (0, "")
    results = results_of(Path("s"))
    assert result.stdout == f"12 of 12 runs (1 failed)\nresults: SHA-256 {results}\n\ns\n"
    assert Path("s/runs.parquet").is_file()
    crate = json.loads(Path("s/ro-crate-metadata.json").read_text())
    assert "runs.parquet" in [entity["@id"] for entity in crate["@graph"]]


def test_shards_into_one() -> None:
    design = quick_design()
    runs = runs_of(design)
    for number in (1, 2):
        store = Store.create(f"s-{number}", design, shard=(number, 2))
        mine = [run for run in runs if (run.scenario_id + run.replication_id) % 2 == number - 1]
        play(store, design, mine)
    result = merge("s-1", "s-2", "--out", "all", "--quiet")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "all\n", "")
    played(Path("one"))
    merge("one")
    assert content(Path("all")) == content(Path("one"))


def test_one_json_document() -> None:
    played(Path("s"))
    document = json.loads(merge("s", "--json").stdout)
    results = document.pop("results")
    assert results == results_of(Path("s"))
    assert document == {"out": "s", "done": 12, "failed": 0, "planned": 12, "missing": 0}


def test_what_is_missing_goes_to_stderr() -> None:
    design = quick_design()
    play(Store.create("s", design), design, runs_of(design)[:5])
    text = "s: 5 of 12 runs; 7 are missing; tavern sweep --resume plays them\n"
    for options, code in (([], 1), (["--partial"], 0)):
        result = merge("s", *options)
        assert (result.exit_code, result.stderr) == (code, text)
        assert result.stdout.endswith("\n\ns\n")


def test_shards_that_are_missing_are_no_success() -> None:
    """Even where nobody knows how many runs there will be."""
    design = quick_design(replications=Auto("a", half_width=1.0, at_least=2, step=2))
    runs = [design.run(point, replication) for point in (0, 2) for replication in range(2)]
    play(Store.create("s-1", design, shard=(1, 2)), design, runs)
    result = merge("s-1", "--out", "all")
    assert result.exit_code == 1
    assert result.stderr == "all: not among the stores: shard 2\n"
    assert merge("s-1", "--out", "some", "--partial").exit_code == 0


def test_a_place_within_a_sweep() -> None:
    played(Path("s"))
    result = merge("s", "--out", "s/parts/inner")
    assert result.exit_code == 2
    assert "'s/parts/inner' lies in the folder of a sweep, 's'; name a place" in result.stderr
    assert not Path("s/parts/inner").exists()


def test_a_sweep_of_which_nothing_was_played_is_no_success() -> None:
    Store.create("s", quick_design())
    result = merge("s")
    assert result.exit_code == 1
    assert result.stderr.endswith("s: no run has been played; the tables are empty\n")


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        ([], 2, "Missing argument 'STORE...'"),
        (["gone"], 3, "gone: no such folder"),
        ([".", "--out", "x"], 3, ".: not a sweep (it has no sweep.json)"),
        (["s", "t", "--out", "u"], 3, "u: something is there already; name another --out"),
        (["s", "other", "--out", "x"], 3, "other: a sweep of another design than s (seed: 1 in s"),
    ],
    ids=str,
)
def test_what_cannot_be_merged(arguments: list[str], code: int, text: str) -> None:
    for name, design in (("s", quick_design()), ("t", quick_design())):
        Store.create(name, design)
    Store.create("other", quick_design(seed=2))
    Path("u").mkdir()
    Path("u/thesis.txt").touch()
    done = CliRunner().invoke(
        tavern, ["merge", *arguments], prog_name="tavern", standalone_mode=True
    )
    assert done.exit_code == code
    assert text in done.stderr
    assert "Traceback" not in done.stderr


def test_help_teaches() -> None:
    assert "tavern merge sweeps/tax-shard-*-of-8 --out sweeps/tax" in merge("--help").stdout
