"""A pack of one evening as a command asks for it: options in, one line out where it cannot be."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from .progress import bar_of

if TYPE_CHECKING:
    from ..pack.ahead import Ahead
    from ..pack.documents import Pack
    from ..pack.memory import Memory, Session
    from ..run_folder import RunFolder


ROOM = 64 * 1024
"""Bytes for which there must be room where a memory is written, besides what it holds."""


class Told(NamedTuple):
    """A pack, and the memory that holds its rumours; None if it holds them already."""

    pack: Pack
    memory: Memory | None


def pack_of(run: RunFolder, options: Mapping[str, Any]) -> Told:
    """Make a pack of what the options of a command ask for.

    If the last set that the file ``seen`` remembers was asked for with the same options,
    it is that set once more: so what was read out can be printed afterwards, in as many
    formats as one likes.

    Parameters
    ----------
    options : mapping
        ``die``, ``count``, ``tavern``, ``night``, ``mix``, ``kinds``, ``strength``,
        ``draw``, ``seen``, ``people``, ``situations`` and ``no_ahead``.
    """
    from ..pack.assembly import make_pack, tavern_of
    from ..pack.identity import salt_of
    from ..pack.memory import Memory, read_memory
    from ..pack.rumors import run_id
    from ..run_folder import reading

    verify_seen(options["seen"])
    with told_plainly(options), reading(run, LookupError, ValueError):
        house = options["tavern"] and tavern_of(run, options["tavern"])
        asked = _asked(options, house)
        mine = run_id(salt_of(run))
        told = read_memory(options["seen"]) if options["seen"] else Memory()
        before = told.before_last(mine, asked) if options["seen"] else None
        if before is None:
            verify_room(options["seen"])
        wanted = {name: asked[name] for name in asked if name != "event"}
        pack = make_pack(
            run,
            **wanted,
            seen=told if before is None else before,
            people=options["people"],
            situations=options["situations"],
            ahead=_ahead(run, options),
        )
    if before is not None or not options["seen"]:
        return Told(pack, None)
    return Told(pack, told.and_then(_session(run, mine, pack, asked)))


def _session(run: RunFolder, mine: str, pack: Pack, asked: Mapping[str, Any]) -> Session:
    from ..pack.memory import session_of
    from ..pack.rumors import told_of

    told = told_of(pack.rumors)
    return session_of(mine, pack.night, asked, told, str(run.info["scenario"]))


def _asked(options: Mapping[str, Any], house: int | None) -> dict[str, Any]:
    """What is asked for, as `tavern rumors` writes it into its memory."""
    return {
        "night": options["night"],
        "tavern": house,
        "count": options["die"] or options["count"],
        "mix": list(options["mix"]),
        "kinds": list(options["kinds"]),
        "strength": options["strength"],
        "event": None,
        "draw": options["draw"],
    }


def _ahead(run: RunFolder, options: Mapping[str, Any]) -> Ahead | None:
    """What comes of the evening if nobody acts; a run that cannot be played on goes without."""
    from ..run_folder import RunFolderError

    last = int(run.info["nights"])
    night = options["night"] or last
    if options["no_ahead"] or options["situations"] < 1 or night > last:
        return None
    try:
        return _looked_ahead(run, night)
    except RunFolderError as error:
        state = run.path / "state.npz"
        is_damaged = error.path == state and state.exists()
        if is_damaged or error.path.suffix in (".parquet", ".toml"):  # the pack needs it as well
            raise
        click.echo(f"{error}\nso no situation says what comes of it (--no-ahead)", err=True)
        return None


def _looked_ahead(run: RunFolder, night: int) -> Ahead:
    """Look ahead, with a bar for the nights that must be played for it."""
    from ..pack.ahead import ahead_of, nights_to_play

    n_more = nights_to_play(run, night)
    with bar_of("night", n_more, is_silent=not n_more) as bar:
        bar.set_description("playing on", refresh=False)
        return ahead_of(run, night, progress=bar.update)


def verify_seen(file: Path | None) -> None:
    """See that a file that remembers is one, or can become one.

    Raises
    ------
    click.BadParameter
        If it is a device or a pipe, or its folder is not there.
    """
    if file is None:
        return
    if file.exists() and not file.is_file():
        text = f"'{file}' is no file that can remember anything; name a file"
        raise click.BadParameter(text, param_hint="'--seen'")
    above = file.resolve().parent
    if not above.is_dir():
        text = f"there is no folder '{above}' for '{file.name}'; make it, or name another file"
        raise click.BadParameter(text, param_hint="'--seen'")


def verify_room(file: Path | None) -> None:
    """See, before anything is printed, that what is told can be written down.

    Raises
    ------
    FailedError
        If it cannot be.
    """
    from .. import folders
    from .errors import FailedError, reason

    if file is None:
        return
    try:
        folders.verify_room(file, ROOM)
    except OSError as error:
        text = f"cannot write to {file}: {reason(error)}; choose another --seen"
        raise FailedError(text) from None


def remember(file: Path, memory: Memory) -> None:
    """Write down what was told.

    Raises
    ------
    FailedError
        If it cannot be written.
    """
    from ..pack.memory import write_memory
    from .errors import FailedError, reason

    try:
        write_memory(file, memory)
    except OSError as error:
        text = f"cannot write to {file}: {reason(error)}; choose another --seen"
        raise FailedError(text) from None


@contextlib.contextmanager
def told_plainly(options: Mapping[str, Any]) -> Iterator[None]:
    """Say in one line, and with the option at fault, why there is no pack, or no part of one.

    Raises
    ------
    click.UsageError
        In place of what `make_pack` and what it is made of raise.
    """
    from ..pack.assembly import PACK_ERRORS
    from ..pack.memory import NoMemoryError

    try:
        yield
    except (*PACK_ERRORS, NoMemoryError) as error:
        hint = _at_fault(error, options)
        if hint is None:
            raise click.UsageError(str(error)) from None
        raise click.BadParameter(str(error), param_hint=f"'--{hint}'") from None


def _at_fault(error: Exception, options: Mapping[str, Any]) -> str | None:
    """The option that asks for something there is not."""
    from ..pack.assembly import NoSuchTavernError
    from ..pack.evening import NoSuchNightError
    from ..pack.memory import NoMemoryError
    from ..pack.rumors import TooFewError

    options_at_fault = {
        NoSuchNightError: "night",
        NoSuchTavernError: "tavern",
        NoMemoryError: "seen",
        TooFewError: "count" if options.get("count") else "die",
    }
    return options_at_fault.get(type(error))
