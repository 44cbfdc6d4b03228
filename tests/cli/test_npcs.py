"""`tavern npcs`: what it prints, and how it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result

from tavern_abm.cli import tavern
from tests.pack.little_town import write_little_town


@pytest.fixture(autouse=True)
def run_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_little_town(Path("run"))


def call(*arguments: str) -> Result:
    return CliRunner().invoke(tavern, ["npcs", *arguments], prog_name="tavern")


def test_cards_of_the_last_night() -> None:
    done = call("run", "--count", "3")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.count("  SECRET  ") == 3
    assert done.stdout.rstrip().endswith("nobody sees it.")


def test_one_house_and_fewer_than_asked_for() -> None:
    done = call("run", "--tavern", "eel pot", "--count", "9", "--size", "line")
    assert done.exit_code == 0
    assert len(done.stdout.splitlines()) == 4
    assert all("the Eel Pot" in line for line in done.stdout.splitlines())
    assert done.stderr == "only 4 of those in the Eel Pot have names that the ear tells apart\n"


def test_people_who_are_asked_for() -> None:
    done = call("run", "--who", "Osk", "--who", "Bess Harl", "--format", "json")
    found = json.loads(done.stdout)
    assert [each["name"] for each in found] == ["Osk Gannet", "Bess Harl"]
    assert found[0]["sheet"]["skills_5"]["passive Perception"] >= 5
    page = call("run", "--who", "3", "--size", "page").stdout
    assert "Osk Gannet turned a die unseen." in page


def test_an_earlier_night_and_markdown() -> None:
    done = call("run", "--night", "2", "--who", "Osk", "--format", "md")
    assert done.exit_code == 0
    assert done.stdout.startswith("### Osk Gannet, human smith\n")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--who", "Jory"), "'--who': Jory Vane is dead by night 6: nobody to meet"),
        (("--who", "Pip"), "'--who': Pip Strand is a player's character"),
        (("--who", "Tam Hurl"), "did you mean 'Tam Harl'?"),
        (("--who", "a"), "'a' fits"),
        (("--tavern", "The Eel Pit"), "'--tavern': no house is called 'The Eel Pit'; did you"),
        (("--night", "7"), "'--night': no night 7: nights 1 to 6 were played"),
        (("--night", "x"), "'x' is not a whole number"),
        (("--count", "0"), "0 is not in the range"),
        (("--who", "Osk", "--tavern", "eel pot"), "leave out --tavern"),
    ],
)
def test_wrong_usage_is_one_clear_line(arguments: tuple[str, ...], problem: str) -> None:
    done = call("run", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert problem in done.stderr.splitlines()[-1]


def test_no_run_and_a_damaged_one() -> None:
    assert "no such folder" in call("nowhere").stderr
    file = Path("run/events.parquet")
    pd.read_parquet(file).drop(columns="text").to_parquet(file)
    assert "no column 'text'" in call("run").stderr
    file.unlink()
    assert "events" in call("run").stderr
