"""`tavern report`: the report page of a run, written again."""

from pathlib import Path

import click


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
def report(run: Path) -> None:
    """Write the report page of RUN, the folder of a finished run, again.

    It is one HTML file that opens in any browser, without a network.

    \b
      tavern report runs/rusty-flagon-1
    """  # noqa: D301
    from ..crates import METADATA, write_crate
    from ..report import write_report
    from ..run_folder import RunFolderError, read_run

    try:
        page = write_report(run)
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        if not isinstance(error, RunFolderError) or error.path == run:
            read_run(run).verify_columns()  # is it a table of the run, or a fault of ours?
        raise
    if (run / METADATA).is_file():  # it names the page by its hash
        write_crate(run)
    click.echo(page)
