"""`tavern new FILE --sweep` writes a design that is sound, whichever of its lines are taken in."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tavern_abm.cli import tavern
from tavern_abm.cli.new_sweeps import DESIGN
from tavern_abm.sweeps.design import Auto
from tavern_abm.sweeps.designs import design_reference
from tavern_abm.sweeps.designs.reading import load_design

OFFERED = re.compile(r"^#(?=[a-z\"\[])", re.MULTILINE)


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(tavern, list(arguments))


def test_what_it_writes_can_be_played() -> None:
    result = run("new", "study", "--sweep")
    assert result.exit_code == 0
    assert result.stdout == "wrote study.toml; next: tavern sweep study.toml --dry-run\n"
    assert Path("study.toml").read_text(encoding="utf-8") == DESIGN
    design = load_design("study.toml")
    assert (design.name, len(design.points), design.replications) == ("study", 12, 10)


def test_the_lines_it_offers_can_be_taken_in() -> None:
    assert len(OFFERED.findall(DESIGN)) == 19
    text = OFFERED.sub("", DESIGN).replace("replicates = 10", 'replicates = "auto"')
    Path("study.toml").write_text(text, encoding="utf-8")
    design = load_design("study.toml")
    assert design.replications == Auto("cheating_rate", half_width=0.002, at_most=100)
    assert (design.method, len(design.points), design.luck) == ("latin-hypercube", 64, "own")
    assert len(design.factors) == 4
    assert design.configuration.series == ("tricks_tried",)


def test_the_scenario_to_play_is_seen_from_the_design() -> None:
    Path("inns").mkdir()
    Path("studies").mkdir()
    assert run("new", "inns/eel.toml").exit_code == 0
    assert run("new", "studies/rake.toml", "--sweep", "--from", "inns/eel.toml").exit_code == 0
    assert load_design("studies/rake.toml").configuration.scenario.name == "eel"  # type: ignore[attr-defined]
    assert run("new", "gate", "--sweep", "--from", "orc-gate").exit_code == 0
    assert load_design("gate.toml").configuration.scenario.name == "orc-gate"  # type: ignore[attr-defined]


def test_an_existing_file_is_kept_unless_forced() -> None:
    Path("study.toml").write_text("nights = 3", encoding="utf-8")
    result = run("new", "study.toml", "--sweep")
    assert result.exit_code == 2
    assert "'study.toml' exists already; --force replaces it" in result.stderr
    assert Path("study.toml").read_text(encoding="utf-8") == "nights = 3"
    assert run("new", "study.toml", "--sweep", "--force").exit_code == 0


def test_the_ending_and_what_is_said_of_towns() -> None:
    result = run("new", "study.json", "--sweep")
    assert result.exit_code == 2
    assert "a design's name ends in .toml (got 'study.json')" in result.stderr
    for option in (("--town", "500"), ("--water", "sea"), ("--seed", "3"), ("--all",)):
        result = run("new", "study.toml", "--sweep", *option)
        assert result.exit_code == 2
        assert f"{option[0]} is said of a town, and --sweep writes a design" in result.stderr
    assert not Path("study.toml").exists()


def test_the_schema_of_designs() -> None:
    assert run("schema", "--sweep").stdout == design_reference.json_text()
    assert run("schema", "--sweep", "--markdown").stdout == design_reference.markdown()
    assert json.loads(run("schema").stdout)["title"] == "A scenario of tavern_abm"
