"""`tavern run`: plays some nights and keeps the record."""

from __future__ import annotations

import itertools
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .errors import INTERRUPTED, FailedError, reason
from .parameters import MAX_NIGHTS, MAX_SEED, MAX_THREADS, Setting, Threads, WholeNumber
from .progress import bar_of

if TYPE_CHECKING:
    from ..model import TavernModel
    from ..run_folder import RunFolder
    from ..scenario import Scenario

NIGHTS_MORE = 7
"""A run that goes on does so for this many nights, unless something else is said."""
PATRONS_FOR_THREADS = 20_000
"""In smaller towns a second thread has too little to do at a time to be worth it."""


@click.command()
@click.argument("scenario", default="rusty-flagon")
@click.option(
    "--nights",
    type=WholeNumber(1, MAX_NIGHTS),
    default=30,
    help="How many to play.  [default: 30; with --from 7]",
)
@click.option("--patrons", type=WholeNumber(min=1), help="Places in the town.")
@click.option(
    "--seed",
    type=WholeNumber(0, MAX_SEED),
    default=1,
    show_default=True,
    help="Another one, other dice.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder.  [default: runs/<scenario>-<seed>, with --from <folder>-night-<last>; "
    "a run that is there is replaced]",
)
@click.option(
    "--set",
    "settings",
    type=Setting(),
    multiple=True,
    help="A field of the scenario, as often as you like.",
)
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path),
    help="Go on from where the run in this folder stopped.",
)
@click.option(
    "--interventions",
    type=click.Path(path_type=Path),
    help="A TOML file of what happens by nobody's decision in the town.",
)
@click.option(
    "--record",
    type=click.Choice(["notable", "full"]),
    default="notable",
    show_default=True,
    help="full: every round of every game, that of Rotting Toes with its dice.",
)
@click.option(
    "--threads",
    type=Threads(),
    default="auto",
    show_default=True,
    help="auto: one a processor for big towns. The results are the same for any.",
)
@click.option("--report/--no-report", default=True, help="Write the report page (default) or not.")
@click.option("--force", is_flag=True, help="Replace what is in --out; other files there are kept.")
@click.option("--quiet", is_flag=True, help="Print only where the run is.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def run(scenario: str, as_json: bool, **given: Any) -> None:
    """Play some nights of SCENARIO and keep the record in a folder.

    SCENARIO is a file, or the name of a built-in one (see: tavern scenarios).
    The same scenario, seed and version give the same results.

    \b
      tavern run
      tavern run orc-gate --nights 60 --seed 7
      tavern run inn.toml --patrons 400 --set taverns.0.custom=orc
      tavern run inn.toml --out inn-rake --set taverns.0.rake_bp=500
      tavern run inn.toml --json > totals.json
      tavern run --from runs/inn-1 --nights 7 --interventions session-3.toml
    """  # noqa: D301
    is_silent = given["quiet"] or as_json
    if given["source"] is None:
        model, folder, force, started = _begin(scenario, given, is_silent)
    else:
        model, folder, force, started = _go_on(given, is_silent)
    last = int(model.time) + given["nights"]
    _put_in(model, given["interventions"], last)
    played = 0
    try:
        _play(model, given["nights"], is_silent)
        played = int(model.time)
        how = {"started": started, "report": given["report"], "force": force}
        notes = _notes(model)
        folder = _write(model, folder, is_silent, **how)
    except KeyboardInterrupt:
        _give_up(max(1, played or int(model.time)), last)
    for note in () if is_silent else notes:
        click.echo(note, err=True)
    _tell(folder, as_json, given["quiet"])


Begun = tuple["TavernModel", Path, bool, datetime]
"""A model before its first night, where the run shall stand, whether one there is replaced."""


def _begin(scenario: str, given: dict[str, Any], is_silent: bool) -> Begun:
    """A new run."""
    from ..scenario import load_scenario

    loaded = load_scenario(scenario, _settings(given))
    folder, force = _place(given["out"] or _default(loaded.name, given["seed"]), given)
    if not is_silent:
        _say_if_it_takes_long(loaded)
    started = datetime.now(UTC)
    from ..model import TavernModel

    threads = threads_for(given["threads"], loaded.patrons)
    model = TavernModel(loaded, rng=given["seed"], threads=threads)
    model.record.keep_all = given["record"] == "full"
    return model, folder, force, started


def _go_on(given: dict[str, Any], is_silent: bool) -> Begun:
    """One that goes on from another."""
    from ..run_folder import read_run
    from ..writing import folder_beside

    given["nights"] = given["nights"] if _is_given("nights") else NIGHTS_MORE
    _verify_goes_on(given)
    run = read_run(given["source"])
    last = run.info["nights"] + given["nights"]
    target = given["out"] or folder_beside(run.path, last)
    _verify_another(target, run)
    folder, force = _place(target, given)
    started = datetime.now(UTC)
    from ..continuing import revive

    model = revive(run, threads=threads_for(given["threads"], run.info["patrons"]))
    if not is_silent:
        _say_if_of_another_version(run)
        _say_if_it_takes_long(model.scenario)
    return model, folder, force, started


def _verify_another(folder: Path, run: RunFolder) -> None:
    """Refuse to put a run in place of the one it goes on from, or, unasked, of a strange one."""
    from ..writing import came_of, holds_run

    if folder.exists() and folder.resolve() == run.path.resolve():
        text = f"'{folder}' is the run that is gone on from; name another folder"
        raise click.BadParameter(text, param_hint="'--out'")
    if _is_given("out") or _is_given("force"):
        return
    if holds_run(folder) and not came_of(folder, run):
        text = f"'{folder}' holds a run that did not come of '{run.path}'; --force replaces it"
        raise click.BadParameter(f"{text}, or name another folder", param_hint="'--out'")


def _is_given(name: str) -> bool:
    """Whether an option or argument was written on the command line."""
    source = click.get_current_context().get_parameter_source(name)
    return source is not click.core.ParameterSource.DEFAULT


def _verify_goes_on(given: dict[str, Any]) -> None:
    """Refuse what would make another run of one that goes on."""
    of_new_runs = {
        "scenario": "SCENARIO",
        "seed": "--seed",
        "patrons": "--patrons",
        "settings": "--set",
        "record": "--record",
    }
    for name, option in of_new_runs.items():
        if _is_given(name):
            text = (
                f"{option} is for a new run; with --from all of it is that of '{given['source']}'"
            )
            raise click.UsageError(text)


def _say_if_of_another_version(run: RunFolder) -> None:
    from importlib.metadata import PackageNotFoundError, version

    before = run.info.get("versions", {}).get("tavern_abm")
    try:
        now = version("tavern-abm")
    except PackageNotFoundError:  # run from a checkout that is not installed
        return
    if before != now:
        text = (
            f"{run.path} was played by version {before} and goes on with {now}: "
            "the nights to come may be others than that version's"
        )
        click.echo(text, err=True)


def _put_in(model: TavernModel, file: Path | None, last: int) -> None:
    if file is None:
        return
    from ..continuing import put_in, read_interventions

    put_in(model, read_interventions(file), last)


def _notes(model: TavernModel) -> list[str]:
    """What there is to say of what was put in."""
    return [] if model.interventions is None else model.interventions.notes


def _settings(given: dict[str, Any]) -> dict[str, Any]:
    from ..scenario import parse_setting

    settings = dict(map(parse_setting, given["settings"]))
    return settings | ({"patrons": given["patrons"]} if given["patrons"] is not None else {})


def _default(scenario: str, seed: int) -> Path:
    from ..writing import default_folder

    return default_folder(scenario, seed)


def _place(folder: Path, given: dict[str, Any]) -> tuple[Path, bool]:
    """The folder of the run, and whether a run in it is to be replaced."""
    from ..writing import holds_run
    from .places import verify_out

    force = given["force"] or (given["out"] is None and holds_run(folder))
    if given["out"] is None and not force and _is_taken(folder):
        text = f"'{folder}' holds no finished run; name another"
        raise click.BadParameter(text, param_hint="'--out'")
    verify_out(folder, force=force)
    return folder, force or given["out"] is None


def _is_taken(folder: Path) -> bool:
    from ..folders import is_empty

    try:
        return not is_empty(folder)
    except OSError:  # then it cannot be written either, which is seen next
        return False


def _say_if_it_takes_long(scenario: Scenario) -> None:
    """Name the games whose tables have not been compiled yet."""
    from ..compiled import cache_folder
    from ..games import GAMES

    folder = cache_folder()
    games = [table.game for tavern in scenario.taverns for table in tavern.tables]
    games += [event.game for tavern in scenario.taverns for event in tavern.yard]
    new = [game for game in dict.fromkeys(games) if not _is_compiled(folder, GAMES[game])]
    if new:
        once = "" if folder is None else ", once a version"
        names = ", ".join(new)
        click.echo(f"compiling {names}{once}; it takes 10 to 20 seconds a game ...", err=True)


def _is_compiled(folder: Path | None, module: str) -> bool:
    return folder is not None and any(folder.rglob(f"{module}.make_*.nbi"))


def threads_for(wanted: int | str, patrons: int) -> int:
    """Threads for a town: as many as there are processors, where there is enough to do."""
    from ..processors import n_processors

    if isinstance(wanted, int):
        return wanted
    return min(MAX_THREADS, n_processors()) if patrons >= PATRONS_FOR_THREADS else 1


def _play(model: TavernModel, nights: int, is_silent: bool) -> None:
    from ..results.events import tell
    from ..tables.record import N_ACCUSED_JUST, N_ACCUSED_UNJUST

    is_big = model.scenario.patrons >= PATRONS_FOR_THREADS
    with bar_of("night", nights, is_silent) as bar:
        n_accused = 0
        for _ in range(nights):
            model.run_for(1)
            if is_big:
                # Or the bar would stand still at the end, with all rounds in memory.
                tell(model, thin_out=not model.record.keep_all)
            n_accused += int(model.counts[:, [N_ACCUSED_JUST, N_ACCUSED_UNJUST]].sum())
            bar.set_postfix(guests=model.n_guests, accusations=n_accused, refresh=False)
            bar.update()


def _write(model: TavernModel, folder: Path, is_silent: bool, **how: Any) -> Path:
    """Write the run; beside its place, if another run has been put there meanwhile."""
    from ..writing import STEPS, write_run

    begun = itertools.count()
    with bar_of("step", STEPS, is_silent) as bar:

        def progress(name: str) -> None:
            bar.set_description(f"writing {name}", refresh=False)
            bar.update(min(1, next(begun)))  # the one before is done, if there was one
            bar.refresh()

        place = write_run(model, folder, beside=True, spent=True, progress=progress, **how)
    if place != folder:
        click.echo(
            f"'{folder}' was filled by another run meanwhile; this one is in '{place}'", err=True
        )
    return place


def _give_up(night: int, nights: int) -> None:
    click.echo(f"interrupted in night {night} of {nights}; nothing was written", err=True)
    raise click.exceptions.Exit(INTERRUPTED)


def _tell(folder: Path, as_json: bool, is_quiet: bool) -> None:
    from ..run_folder import read_run

    run = read_run(folder)
    text = _document(run) if as_json else _summary(run, is_quiet)
    try:
        click.echo(text)
    except BrokenPipeError:
        raise
    except OSError as error:
        said = f"stdout could not be written ({reason(error)}); the run is in {folder}"
        raise FailedError(said) from None


def _document(run: RunFolder) -> str:
    keys = ("scenario", "seed", "nights", "digest", "totals", "ledger")
    document = {key: run.info[key] for key in keys} | {"out": str(run.path)}
    return json.dumps(document, indent=2, ensure_ascii=False)


def _summary(run: RunFolder, is_quiet: bool) -> str:
    report = run.path / "report.html"
    last = str(report if report.is_file() else run.path)
    if is_quiet:
        return last
    from ..summary import summary

    return "\n".join([*summary(run), "", last])
