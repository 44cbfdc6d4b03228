"""`tavern economy`: the same books on stdout and in files."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tavern_abm.cli import tavern
from tests.economies.tiny_town import write_tiny_town


@pytest.fixture(autouse=True)
def run_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_tiny_town(Path("run"))


def economy(*arguments: str) -> Result:
    return CliRunner().invoke(tavern, ["economy", *arguments], prog_name="tavern")


def test_text_is_the_default() -> None:
    result = economy("run")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("The money of tiny: 3 nights, seed 1\n")
    assert "50 inhabitants, of whom 3 go to taverns; 2 houses, 1 of them closed" in result.stdout
    assert result.stdout == economy("run", "--format", "text").stdout


def test_json_is_one_object() -> None:
    document = json.loads(economy("run", "--format", "json").stdout)
    assert document["facts"]["closing_cp"] == 1935
    assert [house["profit_cp"] for house in document["houses"]] == [-76, -44]


def test_csv_goes_to_stdout_or_into_a_folder() -> None:
    lines = economy("run", "--format", "csv").stdout.splitlines()
    assert lines[0] == "figure,key,value,unit"
    assert "trades.income_cp,smith,400,cp" in lines
    result = economy("run", "--format", "csv", "--out", "tables")
    assert (result.exit_code, result.stdout) == (0, "tables\n")
    assert Path("tables/houses.csv").read_text().startswith("tavern_id,tavern,district,quality")


@pytest.mark.parametrize(
    ("format_", "begins"), [("text", "The money"), ("md", "# The money"), ("json", "{")]
)
def test_a_page_goes_to_a_file(format_: str, begins: str) -> None:
    result = economy("run", "--format", format_, "--out", "to/page")
    assert (result.exit_code, result.stdout) == (0, "to/page\n")
    written = Path("to/page").read_text(encoding="utf-8")
    assert written.startswith(begins)
    assert written == economy("run", "--format", format_).stdout


@pytest.mark.parametrize("format_", ["text", "csv"])
def test_nothing_is_written_over_unasked(format_: str) -> None:
    Path("there").mkdir()
    Path("there/mine.txt").write_text("mine")
    place = "there" if format_ == "csv" else "there/mine.txt"
    result = economy("run", "--format", format_, "--out", place)
    assert result.exit_code == 2
    assert "--force" in result.stderr
    assert Path("there/mine.txt").read_text() == "mine"
    assert economy("run", "--format", format_, "--out", place, "--force").exit_code == 0


def test_a_folder_is_no_file() -> None:
    Path("there").mkdir()
    result = economy("run", "--out", "there", "--force")
    assert result.exit_code == 2
    assert "'there' is a folder; name a file" in result.stderr


def test_what_is_no_run_is_said_in_a_line() -> None:
    result = economy("nowhere")
    assert (result.exit_code, result.stderr) == (3, "nowhere: no such folder\n")
    assert economy("run", "--format", "pdf").exit_code == 2


def test_one_house_night_by_night() -> None:
    result = economy("run", "--tavern", "the bed")
    assert result.stdout.startswith("The Bed (castle, quality 5, tiny)\n")
    assert "So it lost 4 sp 4 cp, 2 sp 2 cp a night; its till went from 5 sp to 0 cp." in (
        result.stdout
    )
    assert "It closed for good on night 2." in result.stdout
    rows = [line.split() for line in result.stdout.splitlines()[-3:]]
    assert [row[0] for row in rows] == ["Night,", "1", "2"]
    assert rows[1:] == [["1", "1", "40", "80", "-40", "10"], ["2", "0", "0", "4", "-4", "0"]]
    assert economy("run", "--tavern", "2").stdout == result.stdout
    assert economy("run", "--tavern", "2", "--format", "md").stdout.startswith("# The Bed")


def test_a_house_that_is_not_there_is_refused() -> None:
    result = economy("run", "--tavern", "The Bad")
    assert result.exit_code == 2
    assert "no house 'The Bad' in this run; did you mean 'The Bed'?" in result.stderr
    assert economy("run", "--tavern", "3").exit_code == 2
    assert "--tavern goes with" in economy("run", "--tavern", "1", "--format", "json").stderr
