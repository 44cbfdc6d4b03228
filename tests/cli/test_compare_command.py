"""`tavern compare`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tavern_abm.cli import tavern
from tests.sweeps.test_comparing import write


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("compared")
    write(folder / "a", nights=2)
    write(folder / "b", nights=2, **{"taverns.0.custom": "orc"})
    return folder


@pytest.fixture(autouse=True)
def here(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)


def compare(*arguments: str) -> Result:
    return CliRunner().invoke(tavern, ["compare", *arguments], prog_name="tavern")


def test_text_is_the_default() -> None:
    result = compare("a", "b")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("A  a: rusty-flagon, 2 nights, seed 2\nB  b: ")
    assert result.stdout.endswith("  tavern whatif a --set taverns.0.custom=orc\n")


def test_a_run_is_itself() -> None:
    result = compare("a", "a")
    assert result.exit_code == 0
    assert "They are the same run" in result.stdout


@pytest.mark.parametrize(("format_", "begins"), [("json", "{"), ("csv", "about,")])
def test_other_formats_go_to_stdout_or_a_file(format_: str, begins: str, tmp_path: Path) -> None:
    result = compare("a", "b", "--format", format_)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(begins)
    out = tmp_path / "to" / "file"
    assert compare("a", "b", "--format", format_, "--out", str(out)).exit_code == 0
    assert out.read_text(encoding="utf-8") == result.stdout


def test_a_page_is_a_file_and_no_output(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    runs = str(place / "a"), str(place / "b")
    result = compare(*runs, "--format", "html")
    assert (result.exit_code, result.stdout) == (0, "compare.html\n")
    assert Path("compare.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert "--force replaces it" in compare(*runs, "--format", "html").stderr
    assert compare(*runs, "--format", "html", "--force").exit_code == 0


def test_one_quantity_alone() -> None:
    document = json.loads(compare("a", "b", "--output", "gini:mean", "--format", "json").stdout)
    town = [row["quantity"] for row in document["values"] if row["about"] == "town"]
    assert town == ["gini:mean"]


def test_nothing_is_replaced_unasked(tmp_path: Path) -> None:
    out = tmp_path / "there.txt"
    out.write_text("mine")
    refused = compare("a", "b", "--out", str(out))
    assert refused.exit_code == 2
    assert "--force replaces it" in refused.stderr
    assert out.read_text() == "mine"
    assert compare("a", "b", "--out", str(out), "--force").exit_code == 0
    own = compare("a", "b", "--out", "b/run.json", "--force")
    assert own.exit_code == 2
    assert "a file of the run itself" in own.stderr


def test_what_cannot_be_compared_is_told_in_a_line() -> None:
    result = compare("a", "nowhere")
    assert (result.exit_code, result.stderr) == (3, "nowhere: no such folder\n")
    result = compare("a", "b", "--output", "ginny")
    assert result.exit_code == 2
    assert "'--output': unknown output 'ginny'; did you mean 'gini'?" in result.stderr
