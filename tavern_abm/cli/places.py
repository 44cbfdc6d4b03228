"""Where a command puts what it makes, made sure of before it starts."""

from __future__ import annotations

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
    try:
        folders.verify_free(folder, force=force)
    except folders.OccupiedError as error:
        raise click.BadParameter(error.problem, param_hint="'--out'") from None
    except OSError as error:
        text = f"cannot write to {folder}: {reason(error)}; choose another --out"
        raise FailedError(text) from None
