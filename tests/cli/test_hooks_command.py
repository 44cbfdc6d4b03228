"""`tavern hooks`: what it prints, and how it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tavern_abm.cli import tavern
from tests.pack.little_town import write_little_town


@pytest.fixture(autouse=True)
def run_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_little_town(Path("run"))


def call(*arguments: str) -> Result:
    return CliRunner().invoke(tavern, ["hooks", *arguments], prog_name="tavern")


def test_the_last_night_without_looking_ahead() -> None:
    done = call("run", "--no-ahead")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("1. ")
    assert "Wilkin" in done.stdout
    assert "Not known: the run was not played on." in done.stdout


def test_an_earlier_night_looks_ahead_in_the_record() -> None:
    done = call("run", "--night", "4", "--ahead", "2", "--format", "json")
    assert (done.exit_code, done.stderr) == (0, "")
    found = {hook["motif"]: hook for hook in json.loads(done.stdout)}
    assert found["debt"]["if_nobody"] == "Night 6: Wilkin does not pay Cora."


def test_markdown_and_one_house() -> None:
    done = call("run", "--no-ahead", "--tavern", "eel pot", "--format", "md", "--count", "1")
    assert done.exit_code == 0
    assert done.stdout.startswith("## ")
    assert "\n*the Eel Pot*\n" in done.stdout
    assert done.stdout.count("## ") == 1


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (("--tavern", "Ell Pot"), 2, "did you mean 'The Eel Pot'?"),
        (("--night", "9"), 2, "'--night': no night 9: nights 1 to 6 were played"),
        (("--count", "0"), 2, "'--count'"),
        (("--ahead", "many"), 2, "'many' is not a whole number"),
        ((), 3, "--no-ahead"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(
    arguments: tuple[str, ...], code: int, problem: str
) -> None:
    Path("run/state.npz").unlink(missing_ok=True)
    done = call("run", *arguments)
    assert (done.exit_code, done.stdout) == (code, "")
    assert problem in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()[-1:]) == 1


@pytest.mark.parametrize("name", ["events", "suspicion", "trials", "evenings"])
def test_a_damaged_folder_is_one_line(name: str) -> None:
    Path(f"run/{name}.parquet").write_bytes(b"no table")
    done = call("run", "--no-ahead")
    assert (done.exit_code, done.stdout) == (3, "")
    assert f"{name}.parquet" in done.stderr
    assert done.stderr.count("\n") == 1


def test_no_such_folder() -> None:
    done = call("nowhere")
    assert (done.exit_code, done.stderr) == (3, "nowhere: no such folder\n")
