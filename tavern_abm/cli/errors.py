"""From what went wrong to one clear line on stderr and an exit code.

0 done, 1 a run failed, 2 wrong usage, 3 invalid scenario or data,
130 interrupted. A programming error keeps its traceback and exits with 1.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Callable
from typing import IO, Any, NoReturn, TextIO

import click

DONE = 0
RUN_FAILED = 1
WRONG_USAGE = 2
INVALID_SCENARIO = 3
INTERRUPTED = 130

_DISK_FULL = (errno.ENOSPC, errno.EDQUOT)


class FailedError(click.ClickException):
    """What kept a command from its end although it was called rightly."""

    exit_code = RUN_FAILED

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message as it stands."""
        click.echo(self.message, file=file, err=True)


def exit_with(command: Callable[[], object]) -> NoReturn:
    """Run a command to its end and leave the program with the right code.

    Parameters
    ----------
    command : callable
        Raises what went wrong; a whole number it returns is its exit code.
    """
    sys.exit(_code_of(command))


def _code_of(command: Callable[[], object]) -> int:
    try:
        code = command()
        if sys.stdout is None:  # it was closed before we began
            return RUN_FAILED
        sys.stdout.flush()
    except click.ClickException as error:
        _give_up(sys.stdout)
        _show(error)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        _say("interrupted")
        return INTERRUPTED
    except OSError as error:
        _give_up(sys.stdout)
        if not isinstance(error, BrokenPipeError):
            _say(_about_files(error))
        return RUN_FAILED
    except ValueError as error:
        if not _is_about_input(error):
            raise
        _say(str(error))
        return INVALID_SCENARIO
    except RuntimeError as error:
        if not _is_about_books(error):
            raise
        _say(f"the run failed: {error}")
        return RUN_FAILED
    return code if isinstance(code, int) else DONE


def _say(text: str) -> None:
    _show(FailedError(text))


def _show(error: click.ClickException) -> None:
    """Print what went wrong; the exit code must do where stderr takes nothing."""
    try:
        error.show()
    except OSError:
        _give_up(sys.stderr)


def _about_files(error: OSError) -> str:
    name = f": {os.fsdecode(error.filename)}" if error.filename else ""
    return f"{reason(error)}{name}"


def reason(error: OSError) -> str:
    """Say in a few words why something could not be read or written."""
    return "the disk is full" if error.errno in _DISK_FULL else error.strerror or str(error)


def _is_about_input(error: ValueError) -> bool:
    # Not imported above: the schema takes longer to import than --help may take.
    from ..data_tables import DataError
    from ..run_folder import RunFolderError
    from ..scenario import ScenarioError
    from ..sweeps.errors import SweepError

    return isinstance(error, ScenarioError | DataError | RunFolderError | SweepError)


def _is_about_books(error: RuntimeError) -> bool:
    from ..town.ledger import LedgerError

    return isinstance(error, LedgerError)


def _give_up(stream: TextIO | None) -> None:
    """Keep Python from complaining, as it exits, of a stream that takes nothing any more."""
    if stream is None:
        return
    try:
        stream.flush()
    except OSError:
        with contextlib.suppress(OSError):  # a stand-in for a stream has no number
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
