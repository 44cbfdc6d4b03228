"""`tavern schema` prints the reference as it is committed."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tavern_abm.cli import tavern

DOCS = Path(__file__).resolve().parents[2] / "docs" / "reference"


@pytest.mark.parametrize(
    ("arguments", "name"),
    [(["schema"], "scenario.schema.json"), (["schema", "--markdown"], "parameters.md")],
)
def test_prints_the_committed_page(arguments: list[str], name: str) -> None:
    result = CliRunner().invoke(tavern, arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (DOCS / name).read_text(encoding="utf-8")


def test_json_is_one_document() -> None:
    schema = json.loads(CliRunner().invoke(tavern, ["schema"]).stdout)
    assert schema["$schema"].startswith("https://json-schema.org/")
    assert "taverns" in schema["properties"]
