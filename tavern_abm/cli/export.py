"""`tavern export`: a run as files for other programs."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click

EXPORTS = {"csv": "csv_tables"}
"""The module in `exports` for each format."""


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--to",
    "format_",
    type=click.Choice(list(EXPORTS)),
    required=True,
    help="csv: every table, for spreadsheets.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Folder.  [default: RUN-csv, beside the run]"
)
@click.option("--force", is_flag=True, help="Replace an export that is there already.")
def export(run: Path, format_: str, out: Path | None, force: bool) -> None:
    """Turn RUN, the folder of a finished run, into files for other programs.

    With --to csv each table becomes a file with a header line; lists in a cell
    are joined by semicolons.

    \b
      tavern export runs/rusty-flagon-1 --to csv
      tavern export runs/rusty-flagon-1 --to csv --out for-the-spreadsheet
    """  # noqa: D301
    from .. import folders
    from ..run_folder import read_run
    from .places import verify_out

    found = read_run(run)
    found.verify_tables()
    place = out or run.resolve().with_name(f"{run.resolve().name}-{format_}")
    exporter = import_module(f"tavern_abm.exports.{EXPORTS[format_]}")
    verify_out(place, force=force)
    with folders.filled_aside(place, exporter.FILES) as aside:
        for name, content in exporter.files(found):
            folders.write_file(aside / name, content)
    click.echo(place)
