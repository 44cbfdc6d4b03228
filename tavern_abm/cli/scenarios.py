"""`tavern scenarios`: the built-in ones, and the ready designs."""

import json
import tomllib
from pathlib import Path

import click

from ..shipped import shipped

_DESIGNS = "Ready experiments over them, for tavern sweep:"


@click.command()
@click.option("--sweeps", "of_sweeps", is_flag=True, help="The ready experiments alone.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document: name, description, path.")
def scenarios(of_sweeps: bool, as_json: bool) -> None:
    """List the built-in scenarios with one line on each, and the ready experiments.

    Any of them can be run by name, or be the start of one of your own:

    \b
      tavern run orc-gate --nights 60
      echo 'extends = "orc-gate"' > my-gate.toml
      tavern sweep cheating-and-custom --dry-run
    """  # noqa: D301
    designs = [_card(path, "about") for path in _files("sweeps")]
    found = designs if of_sweeps else [_card(path, "description") for path in _files(".")]
    if as_json:
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
        return
    _list(found)
    if not of_sweeps:
        click.echo(f"\n{_DESIGNS}")
        _list(designs)


def _files(folder: str) -> list[Path]:
    return sorted((shipped("scenarios") / folder).glob("*.toml"))


def _list(cards: list[dict[str, str]]) -> None:
    width = max((len(card["name"]) for card in cards), default=0)
    for card in cards:
        click.echo(f"{card['name']:{width}}  {card['description']}")


def _card(path: Path, key: str) -> dict[str, str]:
    # Read without the schema: a list need not wait for what a run needs.
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    first_line = str(table.get(key, "")).strip().partition("\n")[0]
    return {"name": path.stem, "description": first_line, "path": str(path)}
