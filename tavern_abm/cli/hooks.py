"""`tavern hooks`: situations to walk into tonight."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .packs import told_plainly
from .parameters import WholeNumber
from .progress import bar_of

if TYPE_CHECKING:
    from ..pack.ahead import Ahead
    from ..run_folder import RunFolder

MAX_ID = 2**31 - 1
MOST_AHEAD = 365
MOST_HOOKS = 100


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--tavern", "house", help="Only those in this house: its name or number.")
@click.option("--night", type=WholeNumber(1, MAX_ID), help="Of which night.  [default: the last]")
@click.option(
    "--count", type=WholeNumber(1, MOST_HOOKS), default=5, show_default=True, help="How many."
)
@click.option(
    "--ahead",
    type=WholeNumber(1, MOST_AHEAD),
    default=7,
    show_default=True,
    help="Nights to look ahead for what happens if nobody acts.",
)
@click.option("--no-ahead", is_flag=True, help="Do not look ahead; that line stays open.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "md", "json"]),
    default="text",
    show_default=True,
    help="Plain text, Markdown, or a JSON list of objects.",
)
def hooks(run: Path, format_: str, **given: Any) -> None:
    """Give situations to walk into tonight in RUN, the folder of a finished run.

    Each with what the players find, who wants what, the clock, what happens if nobody
    acts, a lever and the stakes, found in the record. What happens comes from the run's
    own later nights, or else from playing on from where it stopped; nothing is written.
    They know the truth, so they are for the game master's eyes.

    \b
      tavern hooks runs/river-town-4
      tavern hooks runs/river-town-4 --tavern "Drowned Bell" --count 3
      tavern hooks runs/river-town-4 --night 7 --ahead 5 --format md
    """  # noqa: D301
    from ..pack.evening import evening_of
    from ..pack.hook_pages import PAGES
    from ..pack.hooks import hooks_of
    from ..run_folder import read_run, reading

    found = read_run(run)
    with told_plainly(given), reading(found, LookupError):
        house = _house(found, given["house"])
        evening = evening_of(found, given["night"])
    with reading(found):
        ahead = None if given["no_ahead"] else _ahead(found, evening.night, given["ahead"])
        made = hooks_of(found, evening, tavern=house, count=given["count"], ahead=ahead)
    click.echo(PAGES[format_](made))


def _house(run: RunFolder, house: str | None) -> int | None:
    from ..pack.assembly import tavern_of

    return None if house is None else tavern_of(run, house)


def _ahead(run: RunFolder, night: int, nights: int) -> Ahead:
    """What happened later, with a bar while the run is played on."""
    from ..pack.ahead import ahead_of, nights_to_play

    n_more = nights_to_play(run, night, nights)
    with bar_of("night", n_more, is_silent=not n_more) as bar:
        bar.set_description("playing on", refresh=False)
        return ahead_of(run, night, nights, progress=bar.update)
