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
from .parameters import (
    MAX_NIGHTS,
    MAX_REPLICATES,
    MAX_SEED,
    Jobs,
    Kind,
    Setting,
    WholeNumber,
)

if TYPE_CHECKING:
    from ..sweeps.design import Design
    from ..sweeps.running.runner import Tally
    from ..sweeps.stores.shards import Shard
    from ..sweeps.stores.store import Store


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
    help="Processes; auto: one a processor. The tables are the same for any. 1 plays in the "
    "sweep's own process: a run that kills it (out of memory) ends the sweep. With 2 or more "
    "such a run is found out, and the others are played.",
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
def sweep(design: str, **given: Any) -> int:
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
    as_json = given["as_json"]
    made, source = _design(design, given)
    if given["dry_run"]:
        _look_ahead(made, given, as_json)
        return 0
    folder = _folder(made, given)
    if not _has_runs(made, given["shard"]):
        _say_it_is_empty(made, given, as_json)
        return 0
    store, tally = _played(design, made, source, folder, given)
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


def _folder(design: Design, given: dict[str, Any]) -> Path:
    """Where the store is or shall be; what stands there already is left alone."""
    from ..folders import is_empty
    from ..sweeps.running.sessions import default_folder, is_sweep
    from .places import verify_outside_sweeps

    folder: Path = given["out"] or default_folder(design.name, given["shard"])
    if is_sweep(folder) and not given["resume"]:
        text = f"'{folder}' holds a sweep already; --resume goes on with it, --out names another"
        raise click.BadParameter(text, param_hint="'--out'")
    if given["out"] is not None and not is_sweep(folder):
        verify_outside_sweeps(folder)
    if folder.is_file() or not (is_sweep(folder) or is_empty(folder)):
        text = f"'{folder}' is something else; --out names another folder"
        raise click.BadParameter(text, param_hint="'--out'")
    return folder


def _store(design: Design, source: Path | None, folder: Path, given: dict[str, Any]) -> Store:
    from ..sweeps.running.sessions import store_for
    from .places import writing_to

    with writing_to(folder):
        wanted = {name: given[name] for name in ("resume", "shard", "settings")}
        return store_for(folder, design, source=source, **wanted)


def _has_runs(design: Design, shard: Shard | None) -> bool:
    """Whether there is something to play: of more shards than runs some have none."""
    from ..sweeps.running.dry_run import count_runs

    return shard is None or count_runs(design, shard)[1] > 0


def _say_it_is_empty(design: Design, given: dict[str, Any], as_json: bool) -> None:
    if as_json:
        said = {"design": design.name, "out": None, "runs": 0, "done": 0, "failed": 0}
        click.echo(json.dumps(said, indent=2, ensure_ascii=False))
        return
    text = f"shard {given['shard']} has no runs: the design has fewer than there are shards"
    click.echo(f"{text}; nothing is kept of it, and the merge does not miss it", err=True)


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


def _played(
    name: str, design: Design, source: Path | None, folder: Path, given: dict[str, Any]
) -> tuple[Store, Tally]:
    """Play it. A scheduler that does not answer leaves everything as it was."""
    from ..sweeps.running.executors import reached

    is_silent = given["quiet"] or given["as_json"]
    progress = _progress(is_silent)
    with reached(given["dask"]) as workers:
        store = _store(design, source, folder, given)
        _say_if_it_compiles(design, is_silent)
        with _telling_what_is_kept(name, store, given):
            return store, _play(design, store, {**given, "dask": workers}, progress)


@contextlib.contextmanager
def _telling_what_is_kept(name: str, store: Store, given: dict[str, Any]) -> Iterator[None]:
    """Say of a disk that is full, or a folder that is gone, what is kept and how to go on."""
    from ..sweeps.errors import SweepError
    from ..sweeps.running.sessions import is_sweep
    from .errors import reason

    try:
        yield
    except (OSError, SweepError) as error:
        if not is_sweep(store.path):
            text = f"{store.path} is gone: deleted, moved or renamed while it was played"
            cure = f"what was played is in it; put it back, and {_way_on(name, store, given)}"
        elif isinstance(error, OSError):
            text = f"{store.path} cannot be written: {reason(error)}"
            cure = f"what was played before is kept; mend that, and {_way_on(name, store, given)}"
        else:
            raise
        raise FailedError(f"{text}\n{cure}") from None


def _play(design: Design, store: Store, given: dict[str, Any], progress: Any) -> Tally:
    from ..processors import n_processors
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


def _way_on(name: str, store: Store, given: dict[str, Any]) -> str:
    options = "" if given["out"] is None or Path(name) == store.path else f" --out {store.path}"
    options += f" --shard {given['shard']}" if given["shard"] else ""
    return f"go on with: tavern sweep {name}{options} --resume"


def _give_up(name: str, store: Store, given: dict[str, Any]) -> None:
    click.echo(f"interrupted; {store.tally()}\n{_way_on(name, store, given)}", err=True)
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
    from ..processors import n_processors
    from ..sweeps.running import dry_run, dry_run_words

    if not _has_runs(design, given["shard"]):
        _say_it_is_empty(design, given, as_json)
        return
    jobs = n_processors() if given["jobs"] == "auto" else given["jobs"]
    outlook = dry_run.look_ahead(design, given["shard"])
    if as_json:
        document = dry_run_words.document(design, outlook, jobs)
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return
    click.echo("\n".join(dry_run_words.prospect(design, outlook, given["shard"], jobs)))
