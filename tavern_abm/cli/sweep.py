"""`tavern sweep`: plays a design into a store, and says what came of it."""

from __future__ import annotations

import contextlib
import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .errors import INTERRUPTED, RUN_FAILED, FailedError
from .parameters import Kind, WholeNumber
from .run import MAX_NIGHTS, MAX_SEED, Setting

if TYPE_CHECKING:
    from ..sweeps.design import Design
    from ..sweeps.running.runner import Tally
    from ..sweeps.stores.shards import Shard
    from ..sweeps.stores.store import Store

MAX_JOBS = 1024
MAX_REPLICATES = 1_000_000


class Jobs(WholeNumber):
    """How many processes: a number, or ``auto``."""

    name = "auto|number"

    def __init__(self) -> None:
        super().__init__(1, MAX_JOBS)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the number, if it is one."""
        return value if value == "auto" else super().convert(value, param, ctx)


class ShardOption(Kind):
    """A part of the runs: ``3/8``."""

    name = "i/n"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the two numbers."""
        from ..sweeps.errors import SweepError
        from ..sweeps.stores.shards import Shard

        try:
            return value if isinstance(value, Shard) else Shard.from_text(str(value))
        except SweepError as error:
            self.fail(str(error), param, ctx)


@click.command()
@click.argument("design", type=click.Path())
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The store: a folder.  [default: sweeps/<name>, with --shard <name>-shard-<i>-of-<n>]",
)
@click.option(
    "--jobs",
    type=Jobs(),
    default="auto",
    show_default=True,
    help="Processes; auto: one a processor. The tables are the same for any.",
)
@click.option("--dry-run", is_flag=True, help="Say what it will take, from a timed sample.")
@click.option("--resume", is_flag=True, help="Go on with the store: play what is left, no more.")
@click.option("--retry-failed", is_flag=True, help="With --resume: runs that failed, once more.")
@click.option("--shard", type=ShardOption(), help="Only a part of the runs: 3/8, for array jobs.")
@click.option("--dask", metavar="ADDRESS", help="Let the workers of this Dask scheduler play.")
@click.option(
    "--replicates",
    type=WholeNumber(1, MAX_REPLICATES),
    help="Runs of each point, in place of the design's.",
)
@click.option(
    "--nights", type=WholeNumber(1, MAX_NIGHTS), help="Of each run, in place of the design's."
)
@click.option("--seed", type=WholeNumber(0, MAX_SEED), help="The master seed, in its place.")
@click.option(
    "--set",
    "settings",
    type=Setting(),
    multiple=True,
    help="A field of the scenario in all points, as often as you like.",
)
@click.option(
    "--merge/--no-merge", "merges", default=True, help="Make the tables (default) or not."
)
@click.option("--quiet", is_flag=True, help="Print only where the store is.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def sweep(design: str, as_json: bool, **given: Any) -> int:
    """Play the experiment that DESIGN describes, and keep it in a store.

    DESIGN is a file (see: tavern new FILE --sweep), the name of a ready design (see:
    tavern scenarios), or, with --resume, the folder of a sweep.
    Every run is kept as it ends: whatever happens, --resume does the rest. Runs that
    fail are told at the end, with the command that plays them again.

    \b
      tavern sweep cheating-and-custom --dry-run
      tavern sweep cheating-and-custom --jobs 4
      tavern sweep tax.toml --replicates 5 --out quick-look
      tavern sweep tax.toml --resume --replicates 100     some more of each point
      tavern sweep tax.toml --shard 3/8                   on one machine of eight
      tavern merge sweeps/tax-shard-*-of-8 --out sweeps/tax
      tavern sweep tax.toml --dask tcp://10.0.0.5:8786
      tavern summary sweeps/tax
    """  # noqa: D301
    _verify_usage(given)
    made, source = _design(design, given)
    if given["dry_run"]:
        _look_ahead(made, given, as_json)
        return 0
    store = _store(made, source, design, given)
    progress = _progress(given["quiet"] or as_json)
    _say_if_it_compiles(made, given["quiet"] or as_json)
    tally = _play(made, store, given, progress)
    if tally.is_interrupted:
        _give_up(design, store, given)
    return _tell(made, store, tally, given, as_json)


def _verify_usage(given: dict[str, Any]) -> None:
    """Refuse what does not go together."""
    if given["retry_failed"] and not given["resume"]:
        raise click.UsageError("--retry-failed goes with --resume")
    if given["dask"] is not None and given["jobs"] != "auto":
        raise click.UsageError("--dask and --jobs: either a cluster plays or processes here")
    if given["dry_run"] and given["resume"]:
        raise click.UsageError("--dry-run is for a sweep that begins; leave --resume out")


# ------------------------------------------------------------- the design and its store


def _design(name: str, given: dict[str, Any]) -> tuple[Design, Path | None]:
    """The design, and its file."""
    from ..sweeps.running.sessions import is_sweep

    if is_sweep(Path(name)):
        return _design_of_store(Path(name), given), None
    from ..scenario import parse_setting
    from ..sweeps.designs.reading import find_design, load_design

    settings = dict(map(parse_setting, given["settings"]))
    made = load_design(
        name,
        settings,
        nights=given["nights"],
        replications=given["replicates"],
        seed=given["seed"],
    )
    return made, find_design(name)


def _design_of_store(folder: Path, given: dict[str, Any]) -> Design:
    """What is played in a store: it can be given more replications, and nothing else."""
    from dataclasses import replace

    from ..sweeps.running.sessions import shard_of
    from ..sweeps.stores.store import Store

    others = {"nights": "--nights", "seed": "--seed", "settings": "--set", "out": "--out"}
    asked = [option for name, option in others.items() if given[name] not in (None, ())]
    if asked:
        raise click.UsageError(f"{asked[0]} is for a new sweep; '{folder}' is one already")
    if not given["resume"]:
        raise click.UsageError(f"'{folder}' is a sweep already; --resume goes on with it")
    store = Store.open(folder)
    given["out"] = folder
    given["shard"] = given["shard"] or shard_of(store)
    design = store.design
    if given["replicates"] is not None:
        design = replace(design, replications=given["replicates"])
    return design


def _store(design: Design, source: Path | None, name: str, given: dict[str, Any]) -> Store:
    """The store; what stands in its place already is left alone."""
    from ..folders import is_empty
    from ..sweeps.running.sessions import default_folder, is_sweep, store_for
    from .places import writing_to

    folder = given["out"] or default_folder(design.name, given["shard"])
    if is_sweep(folder) and not given["resume"]:
        text = f"'{folder}' holds a sweep already; --resume goes on with it, --out names another"
        raise click.BadParameter(text, param_hint="'--out'")
    if folder.is_file() or not (is_sweep(folder) or is_empty(folder)):
        text = f"'{folder}' is something else; --out names another folder"
        raise click.BadParameter(text, param_hint="'--out'")
    _verify_shard(design, given["shard"])
    with writing_to(folder):
        return store_for(
            folder, design, resume=given["resume"], shard=given["shard"], source=source
        )


def _verify_shard(design: Design, shard: Shard | None) -> None:
    from ..sweeps.running.dry_run import count_runs

    if shard is not None and count_runs(design, shard)[1] == 0:
        text = f"shard {shard} has no runs: the design has only {count_runs(design)[1]}"
        raise click.BadParameter(text, param_hint="'--shard'")


# ------------------------------------------------------------- playing


def _progress(is_silent: bool) -> Any:
    from ..sweeps.running.progress import Silent, progress_for

    return Silent() if is_silent else progress_for()


def _say_if_it_compiles(design: Design, is_silent: bool) -> None:
    from ..sweeps.running.kernels import games_to_compile

    games = games_to_compile(design.configuration)
    if games and not is_silent:
        text = f"compiling {', '.join(games)}, once a version; it takes 10 to 20 seconds a game ..."
        click.echo(text, err=True)


def _play(design: Design, store: Store, given: dict[str, Any], progress: Any) -> Tally:
    from ..sweeps.running.executors import n_processors
    from ..sweeps.running.sessions import play_session

    jobs = n_processors() if given["jobs"] == "auto" else given["jobs"]
    with _stopping_at_sigterm():
        return play_session(
            design,
            store,
            executor=given["dask"],
            jobs=jobs,
            retry_failed=given["retry_failed"],
            progress=progress,
            merge=given["merges"],
        )


@contextlib.contextmanager
def _stopping_at_sigterm() -> Iterator[None]:
    """Stop as with Ctrl-C: so batch systems end a job that has used up its time."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _give_up(name: str, store: Store, given: dict[str, Any]) -> None:
    options = "" if given["out"] is None or Path(name) == store.path else f" --out {store.path}"
    options += f" --shard {given['shard']}" if given["shard"] else ""
    text = f"interrupted; {store.tally()}\ngo on with: tavern sweep {name}{options} --resume"
    click.echo(text, err=True)
    raise click.exceptions.Exit(INTERRUPTED)


# ------------------------------------------------------------- what came of it


def _tell(design: Design, store: Store, tally: Tally, given: dict[str, Any], as_json: bool) -> int:
    from ..sweeps.running import sweep_words

    if as_json:
        document = sweep_words.document(store, tally)
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
    elif given["quiet"]:
        click.echo(store.path)
    else:
        lines = sweep_words.report(design, store, tally, is_merged=given["merges"])
        click.echo("\n".join(lines))
    found = store.tally()
    if not found.done + found.failed:
        raise FailedError(f"{store.path}: no run has been played")
    return RUN_FAILED if found.failed else 0


def _look_ahead(design: Design, given: dict[str, Any], as_json: bool) -> None:
    from ..sweeps.running import dry_run, dry_run_words
    from ..sweeps.running.executors import n_processors

    _verify_shard(design, given["shard"])
    jobs = n_processors() if given["jobs"] == "auto" else given["jobs"]
    outlook = dry_run.look_ahead(design, given["shard"])
    if as_json:
        document = dry_run_words.document(design, outlook, jobs)
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return
    click.echo("\n".join(dry_run_words.prospect(design, outlook, given["shard"], jobs)))
