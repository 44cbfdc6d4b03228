"""Where a command puts what it makes, made sure of before it starts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import click

from .. import folders
from .errors import FailedError, reason


def verify_out(folder: Path, *, force: bool) -> None:
    """See that a folder can be written, in place of what is there only if `force` is set.

    Raises
    ------
    click.BadParameter
        If something is there that must stay.
    FailedError
        If nothing can be written there.
    """
    with writing_to(folder):
        folders.verify_free(folder, force=force)


def verify_out_file(file: Path, *, force: bool, run: Path) -> None:
    """The same for one file that is made of a run; it must be none of the run's own files.

    Raises
    ------
    click.BadParameter
        If something is there that must stay.
    FailedError
        If nothing can be written there.
    """
    if file.is_dir():
        raise click.BadParameter(f"'{file}' is a folder; name a file", param_hint="'--out'")
    if is_of_run(file, run):
        text = f"'{file}' is a file of the run itself; name another"
        raise click.BadParameter(text, param_hint="'--out'")
    if file.exists():
        if not force:
            raise click.BadParameter(f"'{file}' exists; --force replaces it", param_hint="'--out'")
        return
    with writing_to(file):
        folders.verify_writable(file)


def verify_outside_sweeps(place: Path, *, but: str | None = None) -> None:
    """See that what a user named does not lie within the folder of a sweep.

    Parameters
    ----------
    place : Path
        A file or a folder; the folder of a sweep itself is none that lies within one.
    but : str, optional
        How files begin that may lie right in it.

    Raises
    ------
    click.BadParameter
        If it does.
    """
    whole = place.resolve()
    for above in whole.parents:
        if not (above / "sweep.json").is_file():
            continue
        if but is None or above != whole.parent or not place.name.startswith(but):
            text = f"'{place}' lies in the folder of a sweep, '{above.name}'; name a place outside"
            raise click.BadParameter(text, param_hint="'--out'")


def verify_no_run(folder: Path) -> None:
    """See that a folder holds no run: an export would stand among its files.

    Raises
    ------
    click.BadParameter
        If it does.
    """
    if (folder / "run.json").exists():
        text = f"'{folder}' is the folder of a run; name another"
        raise click.BadParameter(text, param_hint="'--out'")


def is_of_run(file: Path, run: Path) -> bool:
    """Whether a file is one of those that a run folder may hold, under whatever name."""
    from ..run_columns import FILES, TABLES

    own = [run / name for name in (*FILES, *(f"{name}.parquet" for name in TABLES))]
    if file.exists():
        return any(each.exists() and each.samefile(file) for each in own)
    return file.resolve() in {each.resolve() for each in own}


@contextlib.contextmanager
def writing_to(place: Path) -> Iterator[None]:
    """While something is written to a place: say in one line why it cannot be.

    Raises
    ------
    click.BadParameter
        If something is there that must stay.
    FailedError
        If it cannot be written.
    """
    try:
        yield
    except folders.OccupiedError as error:
        raise click.BadParameter(error.problem, param_hint="'--out'") from None
    except OSError as error:
        text = f"cannot write to {place}: {reason(error)}; choose another --out"
        raise FailedError(text) from None


def out_of(format_: str, out: Path | None, page: str) -> Path | None:
    """Where it goes; None to stdout, but no page: megabytes that nobody reads there."""
    return Path(page) if out is None and format_ == "html" else out


def print_or_write(text: str, out: Path | None) -> None:
    """Print a text, or write it to a file and print where that is; either ends its last line."""
    text = text.removesuffix("\n") + "\n"
    if out is None:
        click.echo(text, nl=False)
        return
    with writing_to(out):
        out.parent.mkdir(parents=True, exist_ok=True)
        folders.put_file(out, text.encode())
    click.echo(out)
