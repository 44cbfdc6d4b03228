"""`tavern check` says what is in a scenario, or all that is wrong with it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tavern_abm.cli import tavern

BROKEN = "patrons = 0\n\n[[taverns]]\ncapcity = 3\n"
LINES = (
    "inn.toml:1: patrons: must be at least 1 (got 0)\n"
    "inn.toml:4: taverns.0.capcity: unknown field (did you mean 'capacity'?)\n"
)


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(tavern, list(arguments))


def test_what_is_in_it() -> None:
    text = """
    description = '''An inn.
    More of it.'''
    patrons = 1234
    [population]
    share_of_cheats = 0.2
    [[taverns]]
    name = "Eel Pot"
    district = "harbour"
    capacity = 40
    custom = "dockside"
    tables = [{ count = 2, stake = 5 }, { seats = 4 }]
    [[taverns]]
    name = "Three Keys"
    tables = []
    [[people]]
    name = "Hob Reed"
    """
    Path("inn.toml").write_text(text, encoding="utf-8")
    result = run("check", "inn.toml")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "inn: a sound scenario",
        "  An inn.",
        "  1,234 patrons, 20% of the cheating kind; 24 rounds a night, 6 a sitting",
        "  Eel Pot (harbour), room for 40: custom dockside; 2 tables of rotting-toes with 6 seats, "
        "stake 5 cp, tables of rotting-toes with 4 seats, stakes by purse",
        "  Three Keys (town): custom decent; no tables",
        "  pinned: Hob Reed",
    ]


def test_one_of_a_kind() -> None:
    text = "patrons = 1\nrounds_per_night = 1\n[[taverns]]\ntables = [{ count = 1 }]"
    Path("inn.toml").write_text(text, encoding="utf-8")
    lines = run("check", "inn.toml").stdout
    assert "  1 patron, " in lines
    assert "; 1 round a night, " in lines
    assert ": custom decent; 1 table of " in lines


def test_the_yard() -> None:
    text = """
    [[taverns]]
    tables = []
    [[taverns.yard]]
    rounds = [1, 7]
    [[taverns.yard]]
    game = "chase"
    rounds = 13
    """
    Path("inn.toml").write_text(text, encoding="utf-8")
    told = "must be a list of whole numbers, such as [7] (got 13)"
    assert run("check", "inn.toml").stderr == f"inn.toml:8: taverns.0.yard.1.rounds: {told}\n"
    Path("inn.toml").write_text(text.replace("13", "[7]"), encoding="utf-8")
    assert run("check", "inn.toml").stderr == (
        "inn.toml:7: taverns.0.yard.1.game: "
        "chase is played with `tavern play chase` alone, not in an evening\n"
        "inn.toml:8: taverns.0.yard.1.rounds.0: taverns.0.yard.0 is held in this round, "
        "and nobody can be in both (got 7)\n"
    )
    Path("inn.toml").write_text(text.replace("13", "[13]").replace("chase", "race"))
    assert "; race in rounds 1, 7 with up to 6, " in run("check", "inn.toml").stdout


@pytest.mark.parametrize("name", ["rusty-flagon", "orc-gate", "harbour-games", "dak-marathon"])
def test_builtin_scenarios(name: str) -> None:
    result = run("check", name)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"{name}: a sound scenario\n")


def test_all_that_is_wrong() -> None:
    Path("inn.toml").write_text(BROKEN, encoding="utf-8")
    result = run("check", "inn.toml")
    assert (result.exit_code, result.stdout, result.stderr) == (3, "", LINES)


@pytest.mark.parametrize("name", ["inn.toml", "rusty-flagn", "."])
def test_what_is_not_there(name: str) -> None:
    result = run("check", name)
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith(f"{name}: ")
    assert result.stderr.count("\n") == 1


def test_sound_one_as_json() -> None:
    result = run("check", "orc-gate", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    assert found["is_valid"] is True
    assert found["problems"] == []
    assert (found["name"], found["taverns"]) == ("orc-gate", ["The River Gate"])
    assert found["games"] == ["rotting-toes"]
    assert found["people"] == ["Gorzu", "Muzga", "Tibbot Reed"]


def test_problems_as_json() -> None:
    Path("inn.toml").write_text(BROKEN, encoding="utf-8")
    result = run("check", "inn.toml", "--json")
    assert (result.exit_code, result.stderr) == (3, "")
    found = json.loads(result.stdout)
    assert found["is_valid"] is False
    assert found["problems"][1] == {
        "path": "inn.toml",
        "line": 4,
        "field": "taverns.0.capcity",
        "problem": "unknown field (did you mean 'capacity'?)",
    }
