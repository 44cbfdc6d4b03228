"""`tavern new` writes a scenario that is sound, whichever of its lines are taken in."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tavern_abm.cli import tavern
from tavern_abm.cli.new import SCENARIO
from tavern_abm.scenario import Scenario, load_scenario

OFFERED = re.compile(r"^#(?=[a-z\[])", re.MULTILINE)


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(tavern, list(arguments))


def test_what_it_writes_passes_the_check() -> None:
    result = run("new", "inn.toml")
    assert result.exit_code == 0
    assert result.stdout == "wrote inn.toml; next: tavern check inn.toml\n"
    assert Path("inn.toml").read_text(encoding="utf-8") == SCENARIO
    assert SCENARIO.startswith("#:schema ")
    checked = run("check", "inn.toml")
    assert (checked.exit_code, checked.stderr) == (0, "")


def test_the_values_it_explains_are_the_defaults() -> None:
    Path("inn.toml").write_text(SCENARIO, encoding="utf-8")
    written, default = load_scenario("inn.toml"), Scenario()
    for part in ("patrons", "rounds_per_night", "population", "minds", "suspicion", "justice"):
        assert getattr(written, part) == getattr(default, part)


def test_the_lines_it_offers_can_be_taken_in() -> None:
    assert len(OFFERED.findall(SCENARIO)) == 19
    Path("inn.toml").write_text(OFFERED.sub("", SCENARIO), encoding="utf-8")
    scenario = load_scenario("inn.toml")
    assert scenario.taverns[0].rake_bp == 500
    assert scenario.population.trades["sailor"] == 1
    assert [table.game for table in scenario.taverns[0].tables] == ["rotting-toes", "magic-wand"]
    assert scenario.taverns[0].yard[0].options == {"course": "harbour-swim"}
    assert [person.player for person in scenario.people][-1]


def test_the_ending_is_added() -> None:
    assert run("new", "inn").exit_code == 0
    assert Path("inn.toml").is_file()


def test_an_existing_file_is_kept_unless_forced() -> None:
    Path("inn.toml").write_text("patrons = 3", encoding="utf-8")
    result = run("new", "inn.toml")
    assert result.exit_code == 2
    assert "'inn.toml' exists already; --force replaces it" in result.stderr
    assert Path("inn.toml").read_text(encoding="utf-8") == "patrons = 3"
    assert run("new", "inn.toml", "--force").exit_code == 0
    assert Path("inn.toml").read_text(encoding="utf-8") == SCENARIO


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("inn.json", "a scenario's name ends in .toml (got 'inn.json')"),
        ("", "give the name of a file"),
        ("..", "give the name of a file"),
        ("town/inn.toml", "there is no folder 'town'"),
        ("folder.toml", "'folder.toml' is a folder"),
    ],
)
def test_places_where_none_can_be_written(name: str, text: str) -> None:
    Path("folder.toml").mkdir()
    result = run("new", name)
    assert result.exit_code == 2
    assert text in result.stderr
    assert sorted(path.name for path in Path().iterdir()) == ["folder.toml"]
