"""`tavern economy`: the money of a run's town, on one page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ..economies import TownBooks


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "md", "csv", "json", "html"]),
    default="text",
    show_default=True,
    help="md: Markdown; csv: one tidy table; json: one object; html: a page to print.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="File to write; with csv a folder, a file a table.  [default: stdout]",
)
@click.option("--tavern", "house", help="One house by its name or number, night by night.")
@click.option("--force", is_flag=True, help="Replace what is there already.")
def economy(run: Path, format_: str, out: Path | None, house: str | None, force: bool) -> None:
    """Show the money of the town in RUN, the folder of a finished run.

    What a labourer earns, drinks and loses; what a mug costs; what each house
    makes; who owns the money and who won it; taxes. All of it is from the ledger.

    \b
      tavern economy runs/rusty-flagon-1
      tavern economy runs/rusty-flagon-1 --tavern "The Rusty Flagon"
      tavern economy runs/rusty-flagon-1 --format html --out town.html
      tavern economy runs/rusty-flagon-1 --format csv --out town-tables
    """  # noqa: D301
    from ..economies import books_of
    from ..run_folder import read_run

    if house is not None and format_ not in ("text", "md"):
        raise click.UsageError("--tavern goes with --format text and md")
    found = read_run(run)
    if out is not None:
        _verify_free(out, run, is_folder=format_ == "csv", force=force)
    books = books_of(found)
    if out is not None and format_ == "csv":
        _write_folder(books, out)
        click.echo(out)
        return
    page = _printer(format_)(books) if house is None else _page_of(books, house, format_)
    if out is None:
        click.echo(page.removesuffix("\n"))
        return
    _write_file(page, out)
    click.echo(out)


def _printer(format_: str) -> Callable[[TownBooks], str]:
    """What makes a page of one format, of the books."""
    from ..economies import text, tidy

    if format_ == "html":
        from ..economies.page import page

        return page
    printers = {
        "text": text.text_of,
        "md": text.markdown_of,
        "csv": tidy.csv_of,
        "json": tidy.json_of,
    }
    return printers[format_]


def _page_of(books: TownBooks, house: str, format_: str) -> str:
    """The page of one house."""
    from ..economies.one_house import NoSuchHouseError, house_sections
    from ..economies.text import as_markdown, as_text

    try:
        sections = house_sections(books, house)
    except NoSuchHouseError as error:
        raise click.BadParameter(str(error), param_hint="'--tavern'") from None
    return as_text(sections) if format_ == "text" else as_markdown(sections)


def _verify_free(out: Path, run: Path, *, is_folder: bool, force: bool) -> None:
    """See, before the work, that something can be written there."""
    from .places import verify_out, verify_out_file

    if is_folder:
        verify_out(out, force=force)
    else:
        verify_out_file(out, force=force, run=run)


def _write_folder(books: TownBooks, out: Path) -> None:
    from .. import folders
    from ..economies import tidy
    from .places import writing_to

    with writing_to(out), folders.filled_aside(out, tidy.FILES) as aside:
        for name, content in tidy.csv_files(books):
            folders.write_file(aside / name, content)


def _write_file(page: str, out: Path) -> None:
    from .. import folders
    from .places import writing_to

    with writing_to(out):
        out.parent.mkdir(parents=True, exist_ok=True)
        folders.put_file(out, (page.removesuffix("\n") + "\n").encode())
