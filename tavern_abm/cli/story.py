"""`tavern story`: one person's nights as a diary."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click

from .parameters import Kind


class Nights(Kind):
    """One night, or a range of them: ``7``, ``5-9``, ``5-``."""

    name = "nights"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the first and the last night; the last is None where it is left open."""
        found = re.fullmatch(r"(\d{1,7})(-(\d{1,7})?)?", str(value).strip())
        if not found or int(found[1]) < 1:
            self.fail(f"'{value}' is no range of nights; write it like 5-9, 5- or 7", param, ctx)
        first = int(found[1])
        last = None if found[2] == "-" else int(found[3] or first)
        if last is not None and last < first:
            self.fail(f"'{value}' ends before it begins", param, ctx)
        return first, last


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--patron", required=True, help="Whose: a name, a part of one, or an id.")
@click.option("--nights", type=Nights(), help="Only these: 5-9, 5- or 7.  [default: all]")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "md", "json"]),
    default="text",
    show_default=True,
    help="Plain text, Markdown or JSON.",
)
def story(run: Path, patron: str, nights: tuple[int, int | None] | None, format_: str) -> None:
    """Tell one person's nights in RUN, the folder of a finished run, as a diary.

    Where he went and why not, what he won and lost, who called whom a cheat, what he was
    told, whether he believed it, and what he told on. It knows the truth, so it is for
    the game master's eyes.

    \b
      tavern story runs/rusty-flagon-1 --patron "Wymar Irons"
      tavern story runs/rusty-flagon-1 --patron odo --nights 5-12 --format md > odo.md
    """  # noqa: D301
    from .. import diaries
    from ..run_folder import read_run, reading

    found = read_run(run)
    try:
        with reading(found, diaries.NobodyError):
            patron_id = diaries.find_patron(found, patron)
    except diaries.NobodyError as error:
        raise click.BadParameter(str(error), param_hint="'--patron'") from None
    first, last = nights or (1, None)
    with reading(found):
        diary = diaries.diary_of(found, patron_id, first, last)
    if format_ == "json":
        click.echo(json.dumps(diaries.to_json(diary), indent=2, ensure_ascii=False))
    else:
        click.echo(diaries.to_text(diary) if format_ == "text" else diaries.to_markdown(diary))
