"""The reference: every field in it, with range and meaning, and the committed copies equal."""

import json
from pathlib import Path
from typing import Any

import pytest

from tavern_abm.scenario import reference
from tavern_abm.scenario.messages import dotted, field_paths, part_at

DOCS = Path(__file__).resolve().parents[2] / "docs" / "reference"


@pytest.mark.parametrize(
    ("name", "text", "command"),
    [
        ("scenario.schema.json", reference.json_text(), "tavern schema"),
        ("parameters.md", reference.markdown(), "tavern schema --markdown"),
    ],
)
def test_committed_copy_is_what_the_schema_says(name: str, text: str, command: str) -> None:
    committed = (DOCS / name).read_text(encoding="utf-8")
    assert committed == text, f"out of date: {command} > docs/reference/{name}"


@pytest.mark.parametrize("path", [*field_paths()], ids=dotted)
def test_every_field_says_what_it_means(path: tuple[str | int, ...]) -> None:
    if part_at(path):
        assert (part_at(path).__doc__ or "").strip()  # the table says it itself
        return
    name = dotted(path).replace(".0.", "[].")
    (row,) = [
        line for line in reference.markdown().splitlines() if line.startswith(f"| `{name}` |")
    ]
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert len(cells) == 5
    assert cells[1]
    assert cells[2]
    assert cells[4]


def test_numbers_have_a_range() -> None:
    rows = [line.split("|") for line in reference.markdown().splitlines() if "number" in line]
    cells = [[cell.strip() for cell in row] for row in rows if len(row) == 7]
    assert len(cells) > 50
    assert {row[1].rpartition(".")[2] for row in cells if not row[4]} == {
        "options`"
    }  # each its own


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("taverns[].tables[].options", "table by name: `true` or `false`, number or text"),
        ("taverns[].yard[].options", "table by name: `true` or `false`, number or text"),
        ("taverns[].yard[].rounds", "list of whole numbers"),
        ("economy.wages_cp", "table by name: whole number or money as text"),
        ("population.trades", "table of numbers by name"),
    ],
)
def test_types_of_what_lists_and_tables_hold(name: str, told: str) -> None:
    assert f"| `{name}` | {told} |" in reference.markdown()


def tables_of(schema: dict[str, Any]) -> list[dict[str, Any]]:
    return [schema, *schema["$defs"].values()]


def test_schema_refuses_unknown_keys_and_knows_extends() -> None:
    schema = json.loads(reference.json_text())
    assert all(table["additionalProperties"] is False for table in tables_of(schema))
    assert schema["properties"]["extends"]["type"] == "string"


def test_schema_lets_money_be_text_and_auto_be_said() -> None:
    stake = reference.json_schema()["$defs"]["TableOfGames"]["properties"]["stake"]
    kinds = json.dumps(stake)
    assert '"const": "auto"' in kinds
    assert '"minimum": 1' in kinds
    assert '"type": "string"' in kinds


def test_schema_refers_only_to_what_it_holds() -> None:
    schema = reference.json_schema()
    text = json.dumps(schema)
    for name in schema["$defs"]:
        assert f'"#/$defs/{name}"' in text
    assert text.count('"$ref"') >= len(schema["$defs"])
