"""`tavern npcs`: people of an evening on half-cards."""

from __future__ import annotations

import contextlib
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..rumor_words import in_passing
from .parameters import WholeNumber

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..pack.documents import Card
    from ..pack.evening import Evening
    from ..run_folder import RunFolder

MOST_NIGHTS = 1_000_000
MOST_CARDS = 200
WIDTH = 88


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--tavern", help="Only people who are there: its sign, or a part of it.")
@click.option(
    "--who", multiple=True, help="These people, wherever they are: a name, a part of one, or an id."
)
@click.option(
    "--count",
    type=WholeNumber(1, MOST_CARDS),
    default=6,
    show_default=True,
    help="How many cards, without --who.",
)
@click.option(
    "--night", type=WholeNumber(1, MOST_NIGHTS), help="Of which night.  [default: the last]"
)
@click.option(
    "--size",
    type=click.Choice(["line", "card", "page"]),
    default="card",
    show_default=True,
    help="A line each, the half-card, or all there is.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "md", "json"]),
    default="text",
    show_default=True,
    help="Plain text, Markdown, or JSON with all there is.",
)
def npcs(
    run: Path,
    tavern: str | None,
    who: tuple[str, ...],
    count: int,
    night: int | None,
    size: str,
    format_: str,
) -> None:
    """Give the people worth meeting tonight in RUN, the folder of a finished run.

    Seven lines each: where he is tonight, what is seen and heard of him, what he says,
    wants and believes, his secret, and three numbers in three editions. All of it comes
    from the record; it is for the game master's eyes.

    \b
      tavern npcs runs/river-town-4
      tavern npcs runs/river-town-4 --tavern "Drowned Bell" --count 4
      tavern npcs runs/river-town-4 --who "Hawise Fenn" --size page
    """  # noqa: D301
    from ..pack.assembly import tavern_of
    from ..pack.cards import cards_of
    from ..pack.own_words import says_of
    from ..pack.rumors import of_run
    from ..run_folder import read_run, reading

    if who and tavern:
        raise click.UsageError("--who asks for people wherever they are; leave out --tavern")
    found = read_run(run)
    with _told_plainly(who, tavern), reading(found, LookupError):
        house = tavern_of(found, tavern) if tavern else None
        of = of_run(found, night, house)
        cards = cards_of(
            found, of.evening, tavern=house, who=who or None, count=count, says=says_of(of)
        )
    with reading(found):
        click.echo(_page(cards, size, format_, found))
    if not who:
        _say_if_fewer(cards, count, of.evening, house)


def _page(cards: Sequence[Card], size: str, format_: str, run: RunFolder) -> str:
    """Cards in a format; under text and Markdown, unless it is a list, the DC of a trick."""
    from ..pack.card_pages import to_json, to_markdown, to_text
    from ..pack.house_dcs import dc_lines

    if format_ == "json":
        return to_json(cards)
    page = (to_text if format_ == "text" else to_markdown)(cards, size)
    if size == "line":
        return page
    lines = dc_lines(run, (each.tavern_id for each in cards))
    return "\n\n".join([page, *(textwrap.fill(line, WIDTH) for line in lines)])


@contextlib.contextmanager
def _told_plainly(who: Sequence[str], tavern: str | None) -> Iterator[None]:
    """Say in one line, and with the option at fault, why there are no cards.

    Raises
    ------
    click.BadParameter
        In place of what the pack raises.
    """
    from ..pack.assembly import NoSuchTavernError
    from ..pack.cards import NoCardError
    from ..pack.evening import NoSuchNightError

    try:
        yield
    except (NoCardError, NoSuchNightError, NoSuchTavernError) as error:
        hint = "--who" if who else "--tavern" if tavern else "--night"
        hint = "--night" if isinstance(error, NoSuchNightError) else hint
        raise click.BadParameter(str(error), param_hint=f"'{hint}'") from None


def _say_if_fewer(cards: Sequence[Card], count: int, evening: Evening, house: int | None) -> None:
    """Say why there are fewer cards than were asked for."""
    if len(cards) < count:
        where = in_passing(evening.houses[house]) if house else "the taverns"
        text = f"only {len(cards)} of those in {where} have names that the ear tells apart"
        click.echo(text, err=True)
