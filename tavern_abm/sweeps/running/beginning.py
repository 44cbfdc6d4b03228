"""How a worker process of our own begins: before it has imported what it needs to play."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from multiprocessing.connection import wait
from typing import Any


def begin_worker(end_of_pipe: Any) -> None:
    """Let a worker leave Ctrl-C to the parent, stop once the pipe is closed, end with it.

    What a run prints goes to stderr: stdout is what the sweep itself says.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    sys.stdout = sys.stderr
    from . import working

    working.stop_when(end_of_pipe.poll)


def _die_with_parent() -> None:
    """Wait for the parent to be gone, killed perhaps: it could not have told us.

    What is being written is whole or is not read: that is the store's promise.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
