"""`tavern rumors`: what was told in a run, and how it came about."""

from __future__ import annotations

import json
from pathlib import Path

import click

from .parameters import WholeNumber

MAX_ID = 2**31 - 1


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--event", type=WholeNumber(1, MAX_ID), help="The tree of what was told of this event."
)
@click.option("--story", type=WholeNumber(1, MAX_ID), help="The tree of this story.")
@click.option(
    "--top", type=WholeNumber(1, MAX_ID), default=30, show_default=True, help="How many to list."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def rumors(run: Path, event: int | None, story: int | None, top: int, as_json: bool) -> None:
    """List the stories told in RUN, the folder of a finished run, with their truth.

    With --event or --story, one of them in full: who saw it or made it up, who told
    whom, who believed it, and what the retelling made of it.

    \b
      tavern rumors runs/gossip-town-1
      tavern rumors runs/gossip-town-1 --event 40
      tavern rumors runs/gossip-town-1 --story 17 --json
    """  # noqa: D301
    from ..lineages import NoSuchStoryError, lineage, list_lines, stories_of, tree_lines
    from ..run_folder import read_run, reading

    if event and story:
        raise click.UsageError("--event and --story ask for two trees; give one of them")
    found = read_run(run)
    if not event and not story:
        with reading(found):
            told = stories_of(found)
            lines = list_lines(told, top)
        click.echo(_json(told) if as_json else "\n".join(lines))
        return
    try:
        with reading(found, NoSuchStoryError):
            tree = lineage(found, event=event or 0, story=story or 0)
    except NoSuchStoryError as error:
        hint = "'--event'" if event else "'--story'"
        raise click.BadParameter(str(error), param_hint=hint) from None
    click.echo(_json(tree) if as_json else "\n".join(tree_lines(tree)))


def _json(document: object) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False)
