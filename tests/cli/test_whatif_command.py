"""`tavern whatif`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tavern_abm import TavernModel
from tavern_abm.cli import tavern
from tavern_abm.sweeps.counterfactuals.counterfactual import Counterfactual

INN = """
extends = "plain-dice"
name = "inn"
patrons = 16

[[people]]
name = "Bess Tunn"
"""
QUICK = ("--nights", "2", "--replicates", "4", "--jobs", "1")


@pytest.fixture(autouse=True)
def inn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("inn.toml").write_text(INN)


def whatif(*arguments: str, quick: tuple[str, ...] = QUICK) -> Result:
    return CliRunner().invoke(tavern, ["whatif", *arguments, *quick], prog_name="tavern")


def test_text_is_the_default_and_the_same_each_time() -> None:
    result = whatif("inn.toml", "--without", "bess tunn")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[:2] == [
        "inn without Bess Tunn",
        "2 nights, 4 pairs of runs with the same luck, seed 1",
    ]
    assert "Bess Tunn leaves town for good on the morning of night 1" in result.stdout
    assert "the others are drawn anew" in " ".join(result.stdout.split())
    assert result.stdout == whatif("inn.toml", "--without", "Bess Tunn").stdout


def test_one_town_and_one_person() -> None:
    name = TavernModel("inn.toml", rng=3).name_of(7)
    result = whatif("inn.toml", "--set", "minds.tau=0.9", "--patron", name, "--seed", "3")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "All pairs are of one town, that of seed 3" in " ".join(result.stdout.split())
    assert f"\n{name}\n" in result.stdout
    assert "\nWhose purse it changes" in result.stdout


@pytest.mark.parametrize(("format_", "begins"), [("json", "{"), ("csv", "about,")])
def test_other_formats_go_to_stdout_or_a_file(format_: str, begins: str) -> None:
    asked = ("inn.toml", "--set", "taverns.0.rake_bp=500", "--format", format_)
    result = whatif(*asked)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(begins)
    assert whatif(*asked, "--out", "to/file").exit_code == 0
    assert Path("to/file").read_text(encoding="utf-8") == result.stdout


def test_a_page_is_a_file_and_no_output() -> None:
    asked = ("inn.toml", "--set", "taverns.0.rake_bp=500", "--format", "html")
    result = whatif(*asked)
    assert (result.exit_code, result.stdout) == (0, "whatif.html\n")
    assert Path("whatif.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    refused = whatif(*asked)
    assert refused.exit_code == 2
    assert "'whatif.html' exists; --force replaces it" in refused.stderr
    assert whatif(*asked, "--out", "to/page.html").stdout == "to/page.html\n"


@pytest.mark.slow
def test_processes_make_no_difference() -> None:
    asked = ("inn.toml", "--set", "taverns.0.rake_bp=500", "--format", "csv")
    one = whatif(*asked)
    two = whatif(*asked, quick=("--nights", "2", "--replicates", "4", "--jobs", "2"))
    assert one.stdout == two.stdout


def test_what_is_wanted_alone() -> None:
    asked = ("inn.toml", "--set", "taverns.0.rake_bp=500", "--format", "json")
    document = json.loads(whatif(*asked, "--output", "rake_cp", "--output", "gini:max").stdout)
    assert [each["quantity"] for each in document["effects"]] == ["rake_cp", "gini:max"]
    assert document["changes"] == {"taverns.0.rake_bp": 500}


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["inn.toml"], 2, "nothing is changed: say what with --without NAME or --set"),
        (["inn.toml", "--without", "Bes Tunn"], 2, "did you mean 'Bess Tunn'?"),
        (["inn.toml", "--without", "plain dice"], 2, "no house and no game"),
        (["inn.toml", "--set", "patrons"], 2, "is no setting"),
        (["inn.toml", "--set", "patrons=16"], 2, "changes nothing"),
        (["inn.toml", "--set", "patrons=0"], 3, "patrons"),
        (["inn.toml", "--set", "patrns=9"], 3, "did you mean 'patrons'?"),
        (["inn.toml", "--set", "patrons=9", "--output", "ginny"], 2, "did you mean 'gini'?"),
        (["inn.toml", "--set", "patrons=9", "--confidence", "95"], 2, "no confidence"),
        (["inn.toml", "--set", "patrons=9", "--patron", "Nobody"], 2, "--patron: nobody"),
        (["nowhere.toml", "--set", "patrons=9"], 3, "no such file"),
    ],
)
def test_what_cannot_be_asked_is_told_in_a_line(arguments: list[str], code: int, said: str) -> None:
    result = whatif(*arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert said in result.stderr
    assert "Traceback" not in result.stderr


def test_nothing_is_replaced_unasked() -> None:
    Path("there.txt").write_text("mine")
    result = whatif("inn.toml", "--set", "patrons=9", "--out", "there.txt")
    assert result.exit_code == 2
    assert Path("there.txt").read_text() == "mine"


def test_runs_that_fail_end_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(self: Counterfactual, model: TavernModel) -> dict[str, float]:
        raise RuntimeError("the roof fell in")

    monkeypatch.setattr(Counterfactual, "_of_people", breaks)
    result = whatif("inn.toml", "--set", "minds.tau=0.9")
    assert result.exit_code == 1
    assert "no pair of runs came to its end" in result.stderr
    assert "the roof fell in" in result.stderr
