"""`tavern export`: a run, or one evening of it, as files for other programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .parameters import WholeNumber
from .rumors import Kinds, Mix

if TYPE_CHECKING:
    from ..pack.documents import Pack
    from ..run_folder import RunFolder

TABLES = "csv"
NETWORKS = ("gexf", "graphml")
"""Formats of the suspicion network: as in `exports.networks`, which is not imported for help."""
EVENING = (
    *("foundry", "obsidian", "improved-initiative", "roll20"),
    *("markdown", "html", "gm-csv", "zip"),
)
"""Formats of one evening: as in `exports.formats`, which is not imported to show the help."""
OF_FOUNDRY = ("foundry", "zip")
"""Formats that a version of Foundry makes a difference to."""
DICE = ("d6", "d8", "d12", "d20", "d100")
MAX_ID = 2**31 - 1
DEFAULTS = {"mix": (60, 25, 15), "kinds": (), "draw": 0, "people": 12, "situations": 5}
"""Of the options of one evening; None beforehand, so that it shows which were given."""

Content = Iterable[tuple[str, bytes]]


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--to",
    "format_",
    type=click.Choice((TABLES, *NETWORKS, *EVENING)),
    required=True,
    help="csv: every table of the run; gexf, graphml: who suspects whom; all others: rumours, "
    "people and situations of an evening.",
)
@click.option("--die", type=click.Choice(DICE), help="How many rumours.  [default: d20]")
@click.option("--count", type=WholeNumber(1, 1000), help="So many rumours, in place of a die.")
@click.option("--tavern", help="Only what is told in this house: its name or number.")
@click.option("--night", type=WholeNumber(1, MAX_ID), help="Which evening.  [default: the last]")
@click.option("--mix", type=Mix(), help="True, partly true and false rumours.  [default: 60,25,15]")
@click.option("--kind", "kinds", type=Kinds(), help="Rumours of these kinds only: owes,brawl.")
@click.option("--strength", type=WholeNumber(1, 3), help="Rumours that lead at least so far.")
@click.option("--draw", type=WholeNumber(0, MAX_ID), help="Another number, another set.")
@click.option(
    "--seen",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File that remembers what was told; the set that it ends with is exported again.",
)
@click.option("--people", type=WholeNumber(0, 200), help="How many people.  [default: 12]")
@click.option("--situations", type=WholeNumber(0, 50), help="How many.  [default: 5]")
@click.option(
    "--no-ahead", is_flag=True, help="Do not play on to see what comes of the situations."
)
@click.option(
    "--foundry", "core", type=click.Choice(["12", "13"]), help="Version of Foundry.  [default: 13]"
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder.  [default: RUN-FORMAT, beside the run]",
)
@click.option("--force", is_flag=True, help="Replace an export that is there already.")
def export(
    run: Path, format_: str, out: Path | None, force: bool, core: str | None, **evening: Any
) -> None:
    """Turn RUN, the folder of a finished run, into files for other programs.

    With --to csv each table becomes a file with a header line; lists in a cell
    are joined by semicolons. With --to gexf (Gephi) or graphml (igraph, yEd) the
    suspicion network of one night becomes one file. All other formats are the game
    master's pack of one evening: what is for players is always in files of its own.

    \b
      tavern export runs/river-town-4 --to html
      tavern export runs/river-town-4 --to foundry --tavern "The Drowned Bell" --die d12
      tavern export runs/river-town-4 --to zip --seen told.json --out for-friday
      tavern export runs/rusty-flagon-1 --to csv
      tavern export runs/rusty-flagon-1 --to gexf --night 14
    """  # noqa: D301
    from ..run_folder import read_run
    from .places import verify_no_run, verify_out

    asked = {
        name: value for name, value in evening.items() if value is not None and value is not False
    }
    _verify_options(format_, asked, core)
    found = read_run(run)
    found.verify_tables()
    place = out or run.resolve().with_name(f"{run.resolve().name}-{format_}")
    verify_out(place, force=force)
    verify_no_run(place)
    if format_ == TABLES:
        from ..exports import csv_tables

        _write(place, csv_tables.files(found), owned=csv_tables.FILES)
    elif format_ in NETWORKS:
        from ..exports import networks

        _write(place, networks.files(found, format_, evening["night"]).items())
    else:
        _export_evening(found, format_, place, {**evening, **DEFAULTS, **asked}, int(core or 13))
    click.echo(place)


def _verify_options(format_: str, given: dict[str, Any], core: str | None) -> None:
    """See that what was asked for goes with the format."""
    wrong = [name for name in given if name != "night" or format_ == TABLES]
    if format_ in (TABLES, *NETWORKS) and wrong:
        option = wrong[0].replace("kinds", "kind").replace("_", "-")
        writes = "all that was recorded" if format_ == TABLES else "the whole network of a night"
        raise click.UsageError(f"--{option} is about one evening; --to {format_} writes {writes}")
    if "die" in given and "count" in given:
        raise click.UsageError("--die and --count both say how many; give one of them")
    if core is not None and format_ not in OF_FOUNDRY:
        raise click.UsageError(f"--foundry goes with --to {' and '.join(OF_FOUNDRY)}")


def _export_evening(
    run: RunFolder, format_: str, place: Path, options: dict[str, Any], core: int
) -> None:
    """Write the pack of an evening in one format, then remember its rumours."""
    from ..exports import foundry, obsidian
    from ..pack.identity import salt_of
    from .packs import pack_of, remember

    told = pack_of(run, options)
    made = _maker(format_)(told.pack, salt_of(run), core)
    keeps = obsidian.keep_own_files if format_ == "obsidian" else None
    _write(place, sorted(made.items()), keeps=keeps)
    if told.memory is not None:
        remember(options["seen"], told.memory)
    if format_ in OF_FOUNDRY and (remark := foundry.remark()):
        click.echo(remark, err=True)


def _maker(format_: str) -> Callable[[Pack, str, int], dict[str, bytes]]:
    """What makes the files of a format, of a pack, a salt and a version of Foundry."""
    from ..exports import bundle
    from ..exports.formats import FORMATS

    return bundle.files if format_ == "zip" else FORMATS[format_]


def _write(
    place: Path,
    content: Content,
    *,
    owned: frozenset[str] = frozenset(),
    keeps: Callable[[Path, Path], None] | None = None,
) -> None:
    """Write files by path into a folder that appears whole or not at all.

    Parameters
    ----------
    owned : frozenset of str
        Names of files that go where they stood there before.
    keeps : callable, optional
        Takes over from the folder that stood there, into the new one, what is the user's.
    """
    from .. import folders

    with folders.filled_aside(place, owned) as aside:
        for name, text in content:
            (aside / name).parent.mkdir(parents=True, exist_ok=True)
            folders.write_file(aside / name, text)
        if keeps is not None and place.is_dir():
            keeps(place, aside)
