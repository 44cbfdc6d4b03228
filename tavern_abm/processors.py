"""How many processors there are to compute with."""

from __future__ import annotations

import os


def n_processors() -> int:
    """Processors that this process may use, at least 1."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS does not tell
        return os.cpu_count() or 1
