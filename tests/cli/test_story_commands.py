"""`tavern story`, and the trees of `tavern rumors`: what they print, and how they refuse."""

import json
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result

from tavern_abm.cli import tavern
from tests.fake_life import write_life


@pytest.fixture(autouse=True)
def run_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_life(Path("run"))


def call(*arguments: str) -> Result:
    return CliRunner().invoke(tavern, arguments, prog_name="tavern")


def test_a_story_as_text_markdown_and_json() -> None:
    text = call("story", "run", "--patron", "flint")
    assert (text.exit_code, text.stderr) == (0, "")
    assert text.stdout.startswith("Ned Flint\n\n")
    assert call("story", "run", "--patron", "1", "--format", "md").stdout.startswith(
        "# Ned Flint\n"
    )
    found = json.loads(call("story", "run", "--patron", "Ned Flint", "--format", "json").stdout)
    assert (found["patron_id"], found["name"]) == (1, "Ned Flint")


@pytest.mark.parametrize(
    ("nights", "first", "last"), [("3", 3, 3), ("3-6", 3, 6), ("6-", 6, 9), ("1-99", 1, 9)]
)
def test_some_nights(nights: str, first: int, last: int) -> None:
    done = call("story", "run", "--patron", "1", "--nights", nights, "--format", "json")
    entries = json.loads(done.stdout)["entries"]
    assert (entries[0]["first"], entries[-1]["last"]) == (first, last)


@pytest.mark.parametrize("nights", ["", "x", "0", "5-3", "-4", "3--4", "1.5"])
def test_no_range_of_nights(nights: str) -> None:
    done = call("story", "run", "--patron", "1", "--nights", nights)
    assert done.exit_code == 2
    assert "'--nights'" in done.stderr


def test_nobody_is_called_so() -> None:
    done = call("story", "run", "--patron", "Cora Dum")
    assert done.exit_code == 2
    assert "did you mean 'Cora Dunn'?" in done.stderr
    assert call("story", "run").exit_code == 2


def test_rumours_listed_and_traced() -> None:
    listed = call("rumors", "run", "--stories")
    assert (listed.exit_code, listed.stderr) == (0, "")
    assert "Ned Flint cheats at Rotting Toes" in listed.stdout
    assert len(json.loads(call("rumors", "run", "--stories", "--json").stdout)) == 3
    tree = call("rumors", "run", "--event", "5")
    assert "└─ Old Tam, night 3: did not believe it" in tree.stdout
    found = json.loads(call("rumors", "run", "--story", "4", "--json").stdout)
    assert found["stories"][0]["roots"][0]["how"] == "inventor"


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("--event", "1"), "'--event': no rumour springs from event 1"),
        (("--story", "77"), "'--story': no story 77"),
        (("--event", "5", "--story", "2"), "give one"),
        (("--stories", "--story", "2"), "give one"),
        (("--event", "x"), "'x' is not a whole number"),
    ],
)
def test_rumours_refused(arguments: tuple[str, ...], hint: str) -> None:
    done = call("rumors", "run", *arguments)
    assert done.exit_code == 2
    assert hint in done.stderr


@pytest.mark.parametrize("command", [("story", "--patron", "1"), ("rumors", "--stories")])
def test_no_run_and_a_run_of_before_there_was_talk(command: tuple[str, ...]) -> None:
    name, *rest = command
    done = call(name, "nowhere", *rest)
    assert (done.exit_code, done.stderr) == (3, "nowhere: no such folder\n")
    Path("run/rumors.parquet").unlink()
    Path("run/tellings.parquet").unlink()
    done = call(name, "run", *rest)
    if name == "rumors":
        assert done.exit_code == 3
        assert "this run has no table 'rumors'" in done.stderr
    else:
        assert done.exit_code == 0


@pytest.mark.parametrize(
    "command",
    [
        ("story", "run", "--patron", "1"),
        ("rumors", "run", "--stories"),
        ("rumors", "run", "--story", "1"),
    ],
)
@pytest.mark.parametrize("hurt", ["no rumours", "a circle", "no truth"])
def test_tables_that_do_not_fit_together_are_told_in_one_line(
    command: tuple[str, ...], hurt: str
) -> None:
    rumors, tellings = Path("run/rumors.parquet"), Path("run/tellings.parquet")
    if hurt == "no rumours":
        pd.read_parquet(rumors).iloc[:0].to_parquet(rumors)
    elif hurt == "no truth":
        pd.read_parquet(rumors).drop(columns="truth").to_parquet(rumors)
    else:
        table = pd.read_parquet(tellings)
        table.assign(told_from=table["telling_id"]).to_parquet(tellings)
    done = call(*command)
    assert done.exit_code in (0, 2, 3)  # 2: there is no such story any more
    if done.exit_code == 3:
        assert "damaged" in done.stderr
        assert done.stderr.count("\n") == 1


def test_a_table_without_its_truth_is_refused() -> None:
    table = pd.read_parquet("run/rumors.parquet")
    table.drop(columns="truth").to_parquet("run/rumors.parquet")
    assert call("rumors", "run", "--stories").exit_code == 3
