"""Who may write into the folder of a sweep: one sweep at a time, and no leftover of another.

Locks are those of the system (``flock``): they are gone with the process that held them,
however it ended. Where there are none, as on some network disks, everybody goes on, and is
told so.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ... import folders
from ..errors import SweepError

SWEEPING = ".lock"
"""Held by the sweep."""
PLAYING = ".playing"
"""Shared by everybody who plays a run."""
MERGING = ".merging"
"""Held while tables are written."""
PATIENCE = 60.0
"""Seconds for which a sweep waits for workers of another one that was killed."""
_STEP = 0.2
_TAKEN = (errno.EWOULDBLOCK, errno.EACCES, errno.EAGAIN)

_NO_LOCKS = (
    "this disk knows no locks: see to it that no other sweep plays in this folder, and that "
    "nobody else makes its tables"
)

_open: set[int] = set()

type Tell = Callable[[str], None]


@contextlib.contextmanager
def sweeping(folder: Path, tell: Tell | None = None, patience: float = PATIENCE) -> Iterator[None]:
    """Be the only sweep in a folder, once all workers of a former one have ended.

    Parameters
    ----------
    folder : Path
        Of the sweep.
    tell : callable, optional
        Told if there is something to wait for, or if the disk has no locks. Without it, that
        is said on stderr.
    patience : float, default 60
        Seconds to wait for the workers of a sweep that was killed.

    Raises
    ------
    SweepError
        If another sweep is in the folder, or workers of a former one do not end.
    """
    wait = _Waiting(folder, tell or _say, patience)
    with _opened(folder / SWEEPING) as lock:
        while (is_ours := _locked(lock)) is False:
            owner = _owner(lock)
            if not _is_gone(owner):
                raise SweepError(_taken(owner), folder)
            wait.a_little()
        if is_ours is None:
            wait.tell(f"{folder}: {_NO_LOCKS}")
        _sign(lock)
        with _opened(folder / PLAYING) as players:
            while _locked(players) is False:
                wait.a_little()
        yield


@contextlib.contextmanager
def playing(folder: Path) -> Iterator[None]:
    """Play runs of the sweep in a folder: who does is waited for by the next sweep."""
    with _opened(folder / PLAYING) as lock:
        _locked(lock, is_shared=True, waits=True)
        yield


@contextlib.contextmanager
def merging(folder: Path) -> Iterator[bool]:
    """Be the only one who writes the tables of a folder; whether that is sure."""
    with _opened(folder / MERGING) as lock:
        yield _locked(lock, waits=True) is True


class _Waiting:
    """Patience with the workers of a sweep that was killed."""

    def __init__(self, folder: Path, tell: Tell, patience: float) -> None:
        self.folder, self.tell, self.patience = folder, tell, patience
        self.until: float | None = None

    def a_little(self) -> None:
        now = time.monotonic()
        if self.until is None:
            self.until = now + self.patience
            text = f"waiting up to {self.patience:.0f} s for workers of a sweep that was killed"
            self.tell(f"{self.folder}: {text} ...")
        if now >= self.until:
            text = "workers of a sweep that was killed still play in it; end them, then go on"
            raise SweepError(text, self.folder)
        time.sleep(_STEP)


def _say(text: str) -> None:
    print(text, file=sys.stderr)


@contextlib.contextmanager
def _opened(file: Path) -> Iterator[int]:
    handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    _open.add(handle)
    try:
        yield handle
    finally:
        if handle in _open:
            _open.discard(handle)
            os.close(handle)


def _locked(handle: int, *, is_shared: bool = False, waits: bool = False) -> bool | None:
    """Try to lock a file: whether it is ours now; None where files cannot be locked."""
    how = (fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX) | (0 if waits else fcntl.LOCK_NB)
    try:
        fcntl.flock(handle, how)
    except OSError as error:
        return False if error.errno in _TAKEN else None
    return True


def _sign(handle: int) -> None:
    """Write into a lock whose it is."""
    owner = {
        "pid": os.getpid(),
        "host": socket.gethostname(),
        "since": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    os.ftruncate(handle, 0)
    os.pwrite(handle, json.dumps(owner).encode() + b"\n", 0)


def _owner(handle: int) -> dict[str, Any]:
    try:
        owner = json.loads(os.pread(handle, 4096, 0))
    except (OSError, ValueError):
        return {}
    return owner if isinstance(owner, dict) else {}


def _is_gone(owner: dict[str, Any]) -> bool:
    """Whether the process that signed a lock is no more; its children may still hold it."""
    pid = owner.get("pid")
    if owner.get("host") != socket.gethostname() or not isinstance(pid, int):
        return False
    return not folders.is_running(pid)


def _taken(owner: dict[str, Any]) -> str:
    who = "another sweep is playing in this folder"
    if owner:
        pid, host, since = (owner.get(key, "?") for key in ("pid", "host", "since"))
        who += f" (process {pid} on {host}, since {since})"
    return f"{who}; wait for it, or name another --out"


def _leave_to_parent() -> None:
    """Close, in a process that was forked, what its parent has locked."""
    for handle in list(_open):
        with contextlib.suppress(OSError):
            os.close(handle)
    _open.clear()


os.register_at_fork(after_in_child=_leave_to_parent)
