"""`tavern compare`: two runs held against each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .parameters import printed

if TYPE_CHECKING:
    from ..sweeps.counterfactuals.comparing import Comparison

PAGE = "compare.html"


@click.command()
@click.argument("one", metavar="RUN", type=click.Path(path_type=Path))
@click.argument("other", metavar="RUN", type=click.Path(path_type=Path))
@click.option(
    "--output",
    "outputs",
    multiple=True,
    metavar="QUANTITY",
    help="Look at this alone, as often as you like (see docs/reference/outcomes.md).",
)
@printed(PAGE)
def compare(
    one: Path, other: Path, outputs: tuple[str, ...], format_: str, out: Path | None, force: bool
) -> None:
    """Hold two finished runs against each other.

    What was different of them, whether their luck was the same, the first event in
    which they part, what came of it for the town, and who fared differently. Two runs
    are one pair: what is told happened, and may be chance; `tavern whatif` asks it of
    many pairs.

    \b
      tavern run rusty-flagon --seed 7
      tavern run rusty-flagon --seed 7 --set taverns.0.custom=orc --out runs/orcs-7
      tavern compare runs/rusty-flagon-7 runs/orcs-7
      tavern compare runs/rusty-flagon-7 runs/orcs-7 --format csv > orcs.csv
    """  # noqa: D301
    from ..sweeps.counterfactuals.comparing import compare as hold
    from .places import out_of, print_or_write, verify_out_file

    out = out_of(format_, out, PAGE)
    if out is not None:
        for run in (one, other):
            verify_out_file(out, force=force, run=run)
    print_or_write(_printer(format_)(_compared(hold, one, other, outputs)), out)


def _compared(hold: Any, one: Path, other: Path, outputs: tuple[str, ...]) -> Comparison:
    from ..sweeps.errors import SweepError

    try:
        found: Comparison = hold(one, other, outputs)
    except SweepError as error:
        raise click.BadParameter(str(error), param_hint="'--output'") from None
    return found


def _printer(format_: str) -> Any:
    if format_ == "html":
        from ..sweep_pages.compare_page import page

        return page
    from ..sweeps.counterfactuals import compare_tables, compare_text

    printers = {
        "text": compare_text.text_of,
        "json": compare_tables.json_of,
        "csv": compare_tables.csv_of,
    }
    return printers[format_]
