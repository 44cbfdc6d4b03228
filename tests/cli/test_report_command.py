"""`tavern report` writes the page of a run again."""

from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result

from tavern_abm.cli import tavern
from tests.fake_run import Fake, write_fake_run


@pytest.fixture(autouse=True)
def run_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_fake_run(Path("run"), Fake(patrons=8, nights=3))


def report(*arguments: str) -> Result:
    return CliRunner().invoke(tavern, ["report", *arguments], prog_name="tavern")


def test_writes_the_page_and_says_where() -> None:
    result = report("run")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "run/report.html\n", "")
    first = Path("run/report.html").read_bytes()
    Path("run/report.html").write_text("spoilt")
    assert report("run").exit_code == 0
    assert Path("run/report.html").read_bytes() == first


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("nowhere", "nowhere: no such folder"),
        ("run/run.json", "run/run.json: not a folder; give the folder that `tavern run` wrote"),
        (".", ".: not a run folder (it has no run.json)"),
    ],
)
def test_no_run(path: str, line: str) -> None:
    result = report(path)
    assert (result.exit_code, result.stdout, result.stderr) == (3, "", f"{line}\n")


@pytest.mark.parametrize("name", ["run.json", "events.parquet", "patrons.parquet"])
def test_a_damaged_run(name: str) -> None:
    file = Path("run", name)
    file.write_bytes(file.read_bytes()[:50])
    result = report("run")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith(f"run/{name}: damaged")
    assert result.stderr.count("\n") == 1


def test_a_table_of_other_columns() -> None:
    pd.DataFrame({"x": [1]}).to_parquet("run/nights.parquet")
    result = report("run")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith("run/nights.parquet: damaged or of another version: it has no")
    assert result.stderr.count("\n") == 1


def test_wrong_usage() -> None:
    assert report().exit_code == 2
    assert report("run", "and-another").exit_code == 2
