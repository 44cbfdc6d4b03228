"""`tavern rerun`: plays a kept run again and holds it against what was kept."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import folders
from .errors import RUN_FAILED, FailedError
from .parameters import Threads, WholeNumber
from .places import verify_out, verify_outside_sweeps, writing_to
from .progress import bar_of
from .run import threads_for

if TYPE_CHECKING:
    from ..model import TavernModel
    from ..rerunning import Rerun
    from ..run_folder import RunFolder
    from ..sweeps.running.run_again import PlayedAgain
    from ..sweeps.stores.store import Store


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--run", "run_id", type=WholeNumber(min=0), help="Which run of a sweep, by number.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Write the run as it is now into this folder."
)
@click.option(
    "--threads",
    type=Threads(),
    default="auto",
    show_default=True,
    help="auto: one a processor for big towns. The results are the same for any.",
)
@click.option(
    "--debug", is_flag=True, help="Where the run of a sweep fails: open Python's debugger there."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def rerun(folder: Path, run_id: int | None, as_json: bool, **given: Any) -> None:
    """Play a run again and say whether it comes to the same.

    FOLDER is that of a run: its scenario, seed, nights and what was put in from outside are
    played once more, and every table is compared. Or it is that of a sweep: then --run names
    the run by its number, and outcomes and digest are compared. A run that failed in the sweep
    fails again, with the place in the program at which it does.

    Exit code 0: the same. 1: not the same (the first difference is printed), or it failed.

    \b
      tavern rerun runs/rusty-flagon-1
      tavern rerun runs/river-town-4-night-21 --json
      tavern rerun sweeps/custom --run 3000017
      tavern rerun sweeps/custom --run 3000017 --out runs/odd-one    its whole run folder
      tavern rerun sweeps/custom --run 3000017 --debug
    """  # noqa: D301
    is_sweep = (folder / "sweep.json").exists()
    _verify_folder(folder, is_sweep)
    _verify_usage(folder, is_sweep, run_id, given)
    if given["out"] is not None:
        _verify_free(given["out"])
    if is_sweep:
        _of_sweep(folder, run_id or 0, as_json, given)
    else:
        _of_folder(folder, as_json, given)


def _verify_free(out: Path) -> None:
    """See that a folder can be written, and that nothing is in it: here nothing is replaced."""
    verify_outside_sweeps(out)
    verify_out(out, force=True)
    if not folders.is_empty(out):
        raise click.BadParameter(f"'{out}' is not empty; name another", param_hint="'--out'")


def _verify_folder(folder: Path, is_sweep: bool) -> None:
    if folder.is_dir() and not is_sweep and not (folder / "run.json").exists():
        from ..run_folder import RunFolderError

        raise RunFolderError(folder, "neither a run nor a sweep (no run.json, no sweep.json)")


def _verify_usage(folder: Path, is_sweep: bool, run_id: int | None, given: dict[str, Any]) -> None:
    """Refuse options that are of the other kind of folder."""
    if is_sweep and run_id is None:
        text = "which run of the sweep? Name it by --run: see run_id in runs or failures.parquet"
        raise click.UsageError(text)
    if not is_sweep and (folder / "run.json").exists():
        for name, is_there in (("--run", run_id is not None), ("--debug", given["debug"])):
            if is_there:
                raise click.UsageError(f"{name} is for sweeps, and '{folder}' is one run")


# ------------------------------------------------------------- run folders


def _of_folder(folder: Path, as_json: bool, given: dict[str, Any]) -> None:
    from .. import rerunning
    from ..run_folder import read_run

    run = read_run(folder)
    threads = threads_for(given["threads"], run.info["patrons"])
    with bar_of("night", run.info["nights"], as_json) as bar:
        found = rerunning.rerun(run, threads=threads, progress=bar.update)
    notes = _notes(run, found)
    for note in notes:
        click.echo(note, err=True)
    if as_json:
        click.echo(json.dumps(_document(run, found), indent=2, ensure_ascii=False))
    else:
        click.echo("\n".join(rerunning.verdict(found)))
    _write(found.model, given["out"])
    if not found.is_same:
        raise click.exceptions.Exit(RUN_FAILED)


def _notes(run: RunFolder, found: Rerun) -> list[str]:
    """What may be the reason of a difference."""
    notes = []
    if found.versions:
        told = ", ".join(f"{name} {then} (now {now})" for name, (then, now) in _pairs(found))
        notes.append(f"{run.path} was played with {told}")
    source = run.info.get("continued_from")
    before = source.get("version") if isinstance(source, dict) else None
    then = run.info.get("versions", {}).get("tavern_abm")
    if isinstance(source, dict) and before != then:
        nights = source.get("nights")
        notes.append(
            f"its nights 1 to {nights} were played by tavern-abm {before}, later ones by {then}"
        )
    return notes


def _pairs(found: Rerun) -> list[tuple[str, tuple[str | None, str | None]]]:
    return list(found.versions.items())


def _document(run: RunFolder, found: Rerun) -> dict[str, Any]:
    return {
        "run": str(run.path),
        "same": found.is_same,
        "digest_then": found.then,
        "digest_now": found.now,
        "differences": [each._asdict() for each in found.differing],
        "versions": {name: {"then": a, "now": b} for name, (a, b) in found.versions.items()},
    }


# ------------------------------------------------------------- runs of sweeps


def _of_sweep(folder: Path, run_id: int, as_json: bool, given: dict[str, Any]) -> None:
    from ..sweeps.running import run_again
    from ..sweeps.stores.store import Store

    store = Store.open(folder)
    note = run_again.other_programs(store)
    if note:
        click.echo(note, err=True)
    found = run_again.play_again(store, run_id)
    if as_json:
        document = _document_of_run(found, store, run_id)
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        click.echo("\n".join(run_again.told(found)))
    if found.error is not None:
        _show_failure(found.error, given["debug"])
    _write_of_sweep(found, given["out"])
    if found.error is not None or found.differing:
        raise click.exceptions.Exit(RUN_FAILED)


def _show_failure(error: BaseException, debug: bool) -> None:
    from ..sweeps.running.run_again import traceback_of

    click.echo(traceback_of(error), err=True, nl=False)
    if debug:
        import pdb

        pdb.post_mortem(error.__traceback__)


def _document_of_run(found: PlayedAgain, store: Store, run_id: int) -> dict[str, Any]:
    from ..sweeps.running.run_again import traceback_of

    kept = None
    if found.kept is not None:
        record = found.kept.record
        kept = {
            "status": record.status,
            "digest": record.digest,
            "error": record.error,
            "outcomes": _finite(found.kept.outcomes),
        }
    return {
        "store": str(store.path),
        "run_id": run_id,
        "scenario_id": found.run.scenario_id,
        "replication_id": found.run.replication_id,
        "seed": found.run.seed,
        "settings": dict(found.run.settings),
        "same": found.is_same,
        "status": "failed" if found.output is None else "done",
        "digest": None if found.output is None else found.output.digest,
        "outcomes": {} if found.output is None else _finite(found.output.outcomes),
        "differing": list(found.differing),
        "traceback": None if found.error is None else traceback_of(found.error),
        "sweep": kept,
    }


def _finite(outcomes: Any) -> dict[str, float | None]:
    return {name: value if math.isfinite(value) else None for name, value in outcomes.items()}


def _write_of_sweep(found: PlayedAgain, out: Path | None) -> None:
    if out is None:
        return
    if found.error is not None:
        raise FailedError(f"it failed, so no run was written to {out}")
    if found.model is None:
        raise FailedError("this sweep is not of a scenario alone: there is no run folder of it")
    _write(found.model, out)


def _write(model: TavernModel | None, out: Path | None) -> None:
    """Write the folder of a run that was played again."""
    if out is None or model is None:
        return
    from ..writing import write_run

    with writing_to(out):
        place = write_run(model, out)
    click.echo(f"the run as it is now: {place}", err=True)
