"""`tavern scenarios` lists the built-in ones."""

import json
from pathlib import Path

from click.testing import CliRunner

from tavern_abm.cli import tavern
from tavern_abm.scenario import builtin_scenarios, load_scenario


def test_one_line_on_each() -> None:
    result = CliRunner().invoke(tavern, ["scenarios"])
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
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
