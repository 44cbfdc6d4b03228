"""The progress bars of commands."""

from __future__ import annotations

import sys
from typing import Any


def bar_of(unit: str, total: int, is_silent: bool) -> Any:
    """A progress bar on stderr, which nobody sees where that is no terminal."""
    from tqdm import tqdm

    is_hidden = not is_shown(is_silent)
    return tqdm(total=total, unit=unit, file=sys.stderr, leave=False, disable=is_hidden)


def is_shown(is_silent: bool) -> bool:
    """Whether somebody sees how far it is: a terminal, and nobody who wants quiet."""
    return not is_silent and sys.stderr is not None and sys.stderr.isatty()
