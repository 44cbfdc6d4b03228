"""`tavern scenarios` lists the built-in ones, and the ready experiments."""

import json
from pathlib import Path

from click.testing import CliRunner

from tavern_abm.cli import tavern
from tavern_abm.scenario import builtin_scenarios, load_scenario
from tavern_abm.sweeps.designs.reading import load_design
from tavern_abm.sweeps.designs.ready import ready_designs


def test_one_line_on_each() -> None:
    result = CliRunner().invoke(tavern, ["scenarios"])
    assert result.exit_code == 0
    lines = result.stdout.partition("\n\n")[0].splitlines()
    assert [line.split()[0] for line in lines] == list(builtin_scenarios())
    for line in lines:
        name, _, about = line.partition(" ")
        assert about.strip() == load_scenario(name).description.splitlines()[0]
        assert len(line) <= 120


def test_as_json() -> None:
    result = CliRunner().invoke(tavern, ["scenarios", "--json"])
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert {card["name"]: Path(card["path"]) for card in found} == builtin_scenarios()
    assert all(card["description"] for card in found)


def test_ready_experiments_stand_at_the_end() -> None:
    head, *lines = (
        CliRunner().invoke(tavern, ["scenarios"]).stdout.partition("\n\n")[2].splitlines()
    )
    assert head == "Ready experiments over them, for tavern sweep:"
    assert [line.split()[0] for line in lines] == list(ready_designs())
    for line in lines:
        name, _, about = line.partition(" ")
        assert about.strip() == load_design(name).about
        assert len(line) <= 120
    alone = CliRunner().invoke(tavern, ["scenarios", "--sweeps"]).stdout
    assert alone.splitlines() == lines


def test_ready_experiments_as_json() -> None:
    result = CliRunner().invoke(tavern, ["scenarios", "--sweeps", "--json"])
    found = json.loads(result.stdout)
    assert {card["name"]: Path(card["path"]) for card in found} == ready_designs()
    assert all(card["description"] for card in found)
