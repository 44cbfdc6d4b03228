"""`tavern economy`: the same books on stdout and in files."""

import errno
import json
import os
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result

from tavern_abm import folders
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


@pytest.mark.parametrize("format_", ["text", "csv", "html"])
def test_what_cannot_be_written_is_said_in_one_way(format_: str) -> None:
    Path("afile").write_text("mine")
    result = economy("run", "--format", format_, "--out", "afile/b")
    assert result.exit_code == 1
    assert result.stderr == ("cannot write to afile/b: Not a directory; choose another --out\n")


def test_a_page_that_cannot_be_written_names_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_path: Path, _content: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(folders, "write_file", full)
    for format_ in ("text", "csv"):
        result = economy("run", "--format", format_, "--out", "there")
        assert result.exit_code == 1
        assert result.stderr == ("cannot write to there: the disk is full; choose another --out\n")


@pytest.mark.parametrize("name", ["nights.parquet", "run.json", "rounds.parquet", "report.html"])
def test_no_file_of_the_run_is_written_over(name: str) -> None:
    before = {file.name: file.read_bytes() for file in Path("run").iterdir()}
    Path("beside").symlink_to("run")
    for folder in ("run", "beside"):
        result = economy("run", "--format", "html", "--out", f"{folder}/{name}", "--force")
        assert result.exit_code == 2
        assert f"'{folder}/{name}' is a file of the run itself" in result.stderr
    assert {file.name: file.read_bytes() for file in Path("run").iterdir()} == before
    assert economy("run", "--out", "run/economy.txt").exit_code == 0


def test_a_page_may_go_to_a_device() -> None:
    result = economy("run", "--out", os.devnull, "--force")
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_damaged_run_is_said_in_a_line() -> None:
    nights = pd.read_parquet("run/nights.parquet")
    nights.head(3).to_parquet("run/nights.parquet")
    result = economy("run")
    assert result.stderr == (
        "run/nights.parquet: damaged: it has 3 rows for 3 nights (run.json) "
        "of 2 houses (scenario.toml)\n"
    )
    assert (result.exit_code, result.stdout) == (3, "")


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


def named(*signs: str) -> None:
    """Hang other signs on the two houses."""
    file = Path("run/scenario.toml")
    text = file.read_text()
    for old, new in zip(("The Ale", "The Bed"), signs, strict=True):
        text = text.replace(f'name = "{old}"', f'name = "{new}"')
    file.write_text(text)
    people = pd.read_parquet("run/patrons.parquet")
    people = people.replace({"home_tavern": dict(zip(("The Ale", "The Bed"), signs, strict=True))})
    people.to_parquet("run/patrons.parquet")


def test_a_sign_as_it_is_written_comes_before_one_that_sounds_like_it() -> None:
    named("A", "a")
    for name, sign in (("A", "A"), ("a", "a"), ("1", "A"), ("2", "a")):
        assert economy("run", "--tavern", name).stdout.startswith(f"{sign} (")
    result = economy("run", "--tavern", " a ")
    assert result.exit_code == 2
    assert "' a ' may be house 1 ('A') or 2 ('a'); give its number" in result.stderr


def test_a_sign_comes_before_a_number() -> None:
    named("2", "The Hen")
    assert economy("run", "--tavern", "2").stdout.startswith("2 (market")
    assert economy("run", "--tavern", "1").stdout.startswith("2 (market")
    assert economy("run", "--tavern", "the  hen").stdout.startswith("The Hen (castle")
    assert economy("run", "--tavern", "9" * 5000).exit_code == 2
