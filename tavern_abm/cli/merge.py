"""`tavern merge`: the tables of a sweep, or one sweep of its shards."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .errors import FailedError

if TYPE_CHECKING:
    from ..sweeps.stores.store import StoreTally


@click.command()
@click.argument(
    "stores", metavar="STORE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="A new folder for all of it.  [default: one STORE: in it; several: sweeps/<name>]",
)
@click.option("--quiet", is_flag=True, help="Print only where the tables are.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def merge(stores: tuple[Path, ...], out: Path | None, quiet: bool, as_json: bool) -> None:
    """Make the tables of a sweep: of one STORE in it, of the shards of a design in a new one.

    `tavern sweep` does this at its end; here it is for shards that were played on
    several machines, and for looking at a sweep that is still being played.

    \b
      tavern merge sweeps/cheating-and-custom
      tavern merge sweeps/tax-shard-*-of-8 --out sweeps/tax
      tavern merge sweeps/tax-shard-1-of-8 sweeps/tax-shard-2-of-8

    The tables are Parquet: runs, outcomes, series, failures and timings. The first
    three have the same bytes however, wherever and in how many goes the runs were
    played. A run that was played twice must have given the same both times.
    """  # noqa: D301
    from ..crates import write_crate
    from ..sweeps.stores.merging import merge as merged
    from ..sweeps.stores.store import Store

    is_silent = quiet or as_json
    remarks: list[str] = []
    with _bar(sum(len(Store.open(each).index()) for each in stores), is_silent) as bar:
        place = merged(stores, out, tell=remarks.append, progress=bar.update)
    write_crate(place)
    for remark in remarks:
        click.echo(remark, err=True)
    tally = Store.open(place).tally()
    click.echo(_told(place, tally, as_json, quiet))
    if not tally.done + tally.failed:
        raise FailedError(f"{place}: no run has been played; the tables are empty")


def _bar(total: int, is_silent: bool) -> Any:
    from tqdm import tqdm

    is_hidden = is_silent or sys.stderr is None or not sys.stderr.isatty()
    return tqdm(total=total, unit="run", file=sys.stderr, leave=False, disable=is_hidden)


def _told(place: Path, tally: StoreTally, as_json: bool, is_quiet: bool) -> str:
    if as_json:
        counts = {**tally._asdict(), "missing": tally.missing}
        return json.dumps({"out": str(place), **counts}, indent=2, ensure_ascii=False)
    return str(place) if is_quiet else f"{tally}\n\n{place}"
