"""Run folders are read one table at a time, or refused in one clear line."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tavern_abm.run_folder import RunFolderError, read_run
from tests.fake_run import Fake, write_fake_run


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_fake_run(tmp_path / "run", Fake(patrons=8, nights=3))


def change(run: Path, **info: Any) -> None:
    file = run / "run.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | info))


def refusal(folder: Path) -> str:
    with pytest.raises(RunFolderError) as caught:
        read_run(folder)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(str(caught.value.path))
    return str(caught.value)


def test_reads_a_run(run: Path) -> None:
    folder = read_run(run)
    assert folder.info["seed"] == 7
    tables = (
        "acquaintances evenings events games ledger nights patrons players rumors suspicion "
        "tellings trials wealth"
    )
    assert folder.tables == tables.split()
    assert folder.scenario()["taverns"][0]["name"] == "The Rusty Flagon"
    assert len(folder.table("nights")) == 3
    assert read_run(str(run)).info == folder.info


def test_reads_only_what_is_asked_for(run: Path) -> None:
    wealth = read_run(run).table("wealth", ["patron_id", "night"], [("night", "==", 2)])
    assert list(wealth.columns) == ["patron_id", "night"]
    assert set(wealth["night"]) == {2}


def test_no_such_folder(tmp_path: Path) -> None:
    assert "no such folder" in refusal(tmp_path / "nowhere")


def test_a_file_is_no_folder(run: Path) -> None:
    assert "not a folder" in refusal(run / "run.json")


def test_not_a_run_folder(tmp_path: Path) -> None:
    assert "not a run folder (it has no run.json)" in refusal(tmp_path)


def test_unfinished_run(run: Path) -> None:
    change(run, status="running")
    assert "not finished (status 'running')" in refusal(run)


def test_json_of_something_else(run: Path) -> None:
    (run / "run.json").write_text("{}")
    assert "not a finished run of ours" in refusal(run)


def test_a_missing_table_or_column_is_found(run: Path) -> None:
    folder = read_run(run)
    folder.verify_tables()
    pd.DataFrame({"night": [1]}).to_parquet(run / "wealth.parquet")
    with pytest.raises(RunFolderError, match="has no column"):
        folder.verify_columns()
    (run / "wealth.parquet").unlink()
    with pytest.raises(RunFolderError, match=r"wealth\.parquet: this table is missing"):
        folder.verify_tables()


def test_a_folder_of_the_first_format_is_read_all_the_same(run: Path) -> None:
    change(run, format=1)
    for name in ("games", "players"):
        (run / f"{name}.parquet").unlink()
    folder = read_run(run)
    folder.verify_tables()
    (run / "wealth.parquet").unlink()
    with pytest.raises(RunFolderError, match=r"wealth\.parquet: this table is missing"):
        folder.verify_tables()


def test_another_format(run: Path) -> None:
    change(run, format=99)
    assert "format 99" in refusal(run)


def test_run_json_without_what_is_needed(run: Path) -> None:
    info = json.loads((run / "run.json").read_text())
    del info["totals"]
    (run / "run.json").write_text(json.dumps(info))
    assert "lacks totals" in refusal(run)


@pytest.mark.parametrize("text", ["{", "[1]", "\udcff"])
def test_damaged_run_json(run: Path, text: str) -> None:
    (run / "run.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert "damaged" in refusal(run)


def test_missing_table(run: Path) -> None:
    (run / "wealth.parquet").unlink()
    with pytest.raises(
        RunFolderError, match=r"no table 'wealth' \(tables: acquaintances, evenings, "
    ):
        read_run(run).table("wealth")


def test_damaged_table(run: Path) -> None:
    file = run / "events.parquet"
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(RunFolderError, match=r"events\.parquet: damaged") as caught:
        read_run(run).table("events")
    assert "\n" not in str(caught.value)


def test_missing_column(run: Path) -> None:
    with pytest.raises(RunFolderError, match="no column 'beard'"):
        read_run(run).table("patrons", ["name", "beard"])


@pytest.mark.parametrize(("content", "word"), [(None, "missing"), ("a = [", "damaged")])
def test_scenario_that_cannot_be_read(run: Path, content: str | None, word: str) -> None:
    file = run / "scenario.toml"
    file.unlink()
    if content is not None:
        file.write_text(content)
    with pytest.raises(RunFolderError, match=word):
        read_run(run).scenario()
