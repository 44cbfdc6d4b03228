"""`tavern whatif`: one thing changed, the luck kept, and what that does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .errors import RUN_FAILED, FailedError
from .parameters import (
    MAX_JOBS,
    MAX_NIGHTS,
    MAX_REPLICATES,
    MAX_SEED,
    Confidence,
    Setting,
    WholeNumber,
    printed,
)
from .progress import is_shown

if TYPE_CHECKING:
    from ..sweeps.counterfactuals.questions import Question
    from ..sweeps.counterfactuals.what_if import WhatIf

PAGE = "whatif.html"


@click.command()
@click.argument("scenario", default="rusty-flagon")
@click.option(
    "--without",
    multiple=True,
    metavar="NAME",
    help="A person, a house or a game that is not there, as often as you like.",
)
@click.option(
    "--set",
    "settings",
    type=Setting(),
    multiple=True,
    help="A field of the scenario that is changed, as often as you like.",
)
@click.option(
    "--nights",
    type=WholeNumber(1, MAX_NIGHTS),
    help="Of each run.  [default: 30; of a run folder, those of the run]",
)
@click.option(
    "--replicates",
    type=WholeNumber(1, MAX_REPLICATES),
    default=50,
    show_default=True,
    help="Pairs of runs. Four times as many make an interval half as wide.",
)
@click.option(
    "--seed",
    type=WholeNumber(0, MAX_SEED),
    help="Of the luck.  [default: 1; of a run folder, that of the run]",
)
@click.option(
    "--same-people",
    is_flag=True,
    help="Ask it of the one town of --seed, and throw other dice in it from pair to pair, "
    "instead of a new town in every pair.",
)
@click.option("--patron", metavar="NAME", help="Tell, too, how somebody fares.")
@click.option(
    "--output",
    "outputs",
    multiple=True,
    metavar="QUANTITY",
    help="Look at this alone, as often as you like (see docs/reference/outcomes.md).",
)
@click.option(
    "--confidence", type=Confidence(), default="0.95", show_default=True, help="Of the intervals."
)
@click.option(
    "--jobs",
    type=WholeNumber(1, MAX_JOBS),
    help="Processes.  [default: one a processor]",
)
@printed(PAGE)
@click.option("--quiet", is_flag=True, help="Show no progress.")
def whatif(scenario: str, format_: str, out: Path | None, force: bool, **given: Any) -> None:
    """Ask what one change does to SCENARIO while its luck stays as it is.

    SCENARIO is a built-in one, a file, or the folder of a run: then it is asked of that
    very town. It is played in pairs, as it is and changed, both with the same people and
    dice; the differences are told with their intervals over all pairs.

    \b
      tavern whatif rusty-flagon --without "Wymar Irons"
      tavern whatif rusty-flagon --without magic-wand --nights 60
      tavern whatif river-town --without "The Honest Ounce" --replicates 20
      tavern whatif inn.toml --set taverns.0.custom=orc --patron "Odo Atwater"
      tavern whatif runs/rusty-flagon-1 --without "Lettice Vye" --same-people
      tavern whatif gossip-town --set talk.contacts=0 --format csv --out talk.csv
    """  # noqa: D301
    from .places import out_of, print_or_write, verify_out_file

    out = out_of(format_, out, PAGE)
    if out is not None:
        verify_out_file(out, force=force, run=Path(scenario))
    question = _asked(scenario, given)
    found = _answered(question, given)
    print_or_write(_printer(format_)(found), out)
    if len(found.failures):
        raise click.exceptions.Exit(RUN_FAILED)


def _asked(scenario: str, given: dict[str, Any]) -> Question:
    """The question, before anything is played."""
    from ..scenario import parse_setting
    from ..sweeps.counterfactuals.questions import ask
    from ..sweeps.errors import SweepError

    if not given["without"] and not given["settings"]:
        raise click.UsageError("nothing is changed: say what with --without NAME or --set")
    names = ("without", "nights", "replicates", "seed", "same_people", "patron", "outputs")
    try:
        return ask(
            scenario,
            changes=dict(map(parse_setting, given["settings"])),
            **{name: given[name] for name in names},
        )
    except SweepError as error:
        if error.path is None:  # it is about what was written on the command line
            raise click.UsageError(str(error)) from None
        raise


def _answered(question: Question, given: dict[str, Any]) -> WhatIf:
    from ..sweeps.counterfactuals.what_if import answer

    jobs = given["jobs"] or _n_processors(question)
    found = answer(
        question, confidence=given["confidence"], jobs=jobs, progress=is_shown(given["quiet"])
    )
    if not found.n:
        failed = found.failures
        why = f": {failed['error'].iloc[0]}" if len(failed) else ""
        raise FailedError(f"no pair of runs came to its end{why}")
    return found


def _n_processors(question: Question) -> int:
    """A processor each, but no more than there are runs to play."""
    from ..processors import n_processors

    return min(n_processors(), 2 * question.replicates)


def _printer(format_: str) -> Any:
    if format_ == "text":
        from ..sweeps.counterfactuals.what_if_text import text_of

        return text_of
    if format_ == "html":
        from ..sweep_pages.what_if_page import page

        return page
    from ..sweeps.counterfactuals import what_if_tables as tables

    return {"json": tables.json_of, "csv": tables.csv_of}[format_]
