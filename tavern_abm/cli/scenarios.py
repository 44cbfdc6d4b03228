"""`tavern scenarios`: the built-in ones."""

import json
import tomllib
from pathlib import Path

import click

from ..shipped import shipped


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON document: name, description, path.")
def scenarios(as_json: bool) -> None:
    """List the built-in scenarios with one line on each.

    Any of them can be run by name, or be the start of one of your own:

    \b
      tavern run orc-gate --nights 60
      echo 'extends = "orc-gate"' > my-gate.toml
    """  # noqa: D301
    found = [_card(path) for path in sorted(shipped("scenarios").glob("*.toml"))]
    if as_json:
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
        return
    width = max((len(card["name"]) for card in found), default=0)
    for card in found:
        click.echo(f"{card['name']:{width}}  {card['description']}")


def _card(path: Path) -> dict[str, str]:
    # Read without the schema: a list need not wait for what a run needs.
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    first_line = str(table.get("description", "")).strip().partition("\n")[0]
    return {"name": path.stem, "description": first_line, "path": str(path)}
