"""`tavern merge`: the tables of a sweep, or one sweep of its shards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .errors import RUN_FAILED, FailedError
from .places import verify_outside_sweeps
from .progress import bar_of

if TYPE_CHECKING:
    from ..sweeps.stores.merging import Merged


@click.command()
@click.argument(
    "stores", metavar="STORE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="A new folder for all of it.  [default: one STORE: in it; several: sweeps/<name>]",
)
@click.option("--partial", is_flag=True, help="Runs may be missing: that is no failure.")
@click.option("--quiet", is_flag=True, help="Print only where the tables are.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def merge(
    stores: tuple[Path, ...], out: Path | None, partial: bool, quiet: bool, as_json: bool
) -> None:
    """Make the tables of a sweep: of one STORE in it, of the shards of a design in a new one.

    `tavern sweep` does this at its end; here it is for shards that were played on
    several machines, and for looking at a sweep that is still being played.

    \b
      tavern merge sweeps/cheating-and-custom
      tavern merge sweeps/tax-shard-*-of-8 --out sweeps/tax
      tavern merge sweeps/tax-shard-1-of-8 sweeps/tax-shard-2-of-8 --partial

    The tables are Parquet: runs, outcomes, series, failures and timings. The first
    three have the same bytes however, wherever and in how many goes the runs were
    played, and one digest, printed as results, stands for what all runs gave. A run
    that was played twice must have given the same both times.

    Exit code 1: runs or shards are missing, and --partial does not allow it, or nothing has
    been played. The tables of what is there are made all the same.
    """  # noqa: D301
    from ..sweeps.stores.crate import write_crate
    from ..sweeps.stores.merging import merged_of
    from ..sweeps.stores.store import Store

    is_silent = quiet or as_json
    remarks: list[str] = []
    if out is not None:
        verify_outside_sweeps(out)
    n_runs = sum(len(Store.open(each).index()) for each in stores)
    with bar_of("run", n_runs, is_silent) as bar:
        merged = merged_of(stores, out, tell=remarks.append, progress=bar.update)
    write_crate(merged.place)
    for remark in remarks:
        click.echo(remark, err=True)
    click.echo(_told(merged, as_json, quiet))
    if not merged.tally.done + merged.tally.failed:
        raise FailedError(f"{merged.place}: no run has been played; the tables are empty")
    if not (partial or merged.is_complete):
        raise click.exceptions.Exit(RUN_FAILED)


def _told(merged: Merged, as_json: bool, is_quiet: bool) -> str:
    place, tally, results = merged.place, merged.tally, merged.results
    if as_json:
        counts = {**tally._asdict(), "missing": tally.missing, "results": results}
        return json.dumps({"out": str(place), **counts}, indent=2, ensure_ascii=False)
    return str(place) if is_quiet else f"{tally}\nresults: SHA-256 {results}\n\n{place}"
