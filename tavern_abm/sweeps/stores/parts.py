"""What a worker writes: streams of rows that only ever grow, and a record for every run.

Every process writes files of its own, so that nobody waits for anybody. Rows are batches
of Arrow's streaming format, handed to the system in one piece each, and the record of a
run comes last: a process that is killed loses the run that it was playing and no other.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import socket
import threading
import time
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ...versions import versions
from ..errors import SweepError
from ..outputs import Configuration, Output
from ..runs import Run
from . import locking
from .manifest import FILE, Manifest, read_manifest, source_digest
from .records import RECORDS, STREAMS, Header, Record, clean, line_of
from .streams import Stream, head_of, message_of, schema_of

FOLDER = "parts"
SYNC_SECONDS = 10.0
"""How often what was written is forced onto the disk: more than that a power cut cannot cost."""

_parts: dict[Path, Part] = {}
_opening = threading.Lock()
_close_at_the_end: set[int] = set()
"""Processes that will close what they have open as they end."""


def part_of(store: Path, configuration: Configuration) -> Part:
    """The part of this process in a store: opened at its first use, the same ever after.

    Raises
    ------
    SweepError
        If this process cannot see the store, it is one of other outputs, or it was made by
        another version of the program than runs here.
    """
    place = Path(store).resolve()
    with _opening:
        part = _parts.get(place)
        if part is None or not part.is_there():
            with contextlib.suppress(OSError):  # of what nobody writes to any more
                _close_one(place)
            part = _parts[place] = _new_part(place, configuration)
    return part


def close_parts(store: Path) -> None:
    """Close what this process has open in a store."""
    with _opening:
        _close_one(Path(store).resolve())


def close_all() -> None:
    """Close what this process has open in any store: it is about to end."""
    with _opening:
        for place in list(_parts):
            with contextlib.suppress(OSError):  # a disk that is full, or gone
                _close_one(place)


def _close_one(place: Path) -> None:
    part = _parts.pop(place, None)
    if part is not None:
        part.close()


def _new_part(store: Path, configuration: Configuration) -> Part:
    if not (store / FILE).is_file():
        text = f"no sweep is seen here by a worker on {socket.gethostname()}"
        raise SweepError(f"{text}; put it on a disk that all workers share", store)
    manifest = read_manifest(store)
    _verify_worker(store, manifest, configuration)
    if os.getpid() not in _close_at_the_end:
        _close_at_the_end.add(os.getpid())
        Finalize(None, close_all, exitpriority=10)  # workers of pools do without atexit
    return Part(store, manifest)


def _verify_worker(store: Path, manifest: Manifest, configuration: Configuration) -> None:
    """See that what is played here is what the store is for."""
    there = (*manifest.outputs, *manifest.series)
    if (*configuration.outputs, *configuration.series) != there:
        raise SweepError(f"the store is for other outputs: {', '.join(there)}", store)
    mine, its = versions()["tavern_abm"], manifest.versions.get("tavern_abm")
    if source_digest() != manifest.source:
        text = (
            f"the worker on {socket.gethostname()} has another tavern-abm than the sweep "
            f"(version {mine}, source {source_digest()[:12]}; the sweep: version {its}, "
            f"source {manifest.source[:12]}); install the same on all machines"
        )
        raise SweepError(text, store)


class Part:
    """The files that one process writes into a store. Threads may share it.

    Attributes
    ----------
    store : Path
        The folder of the sweep.
    name : str
        With which its files begin; no other process has the same.
    """

    def __init__(
        self, store: Path, manifest: Manifest, *, sync_seconds: float | None = SYNC_SECONDS
    ) -> None:
        self.store = store
        self.host, self.pid = socket.gethostname(), os.getpid()
        self.name = _name(self.host, self.pid)
        self._columns = {"outcomes": manifest.outputs, "series": manifest.series}
        self._schemas = {name: schema_of(name, each) for name, each in self._columns.items()}
        self._lock = threading.Lock()
        self._sync_seconds, self._synced = sync_seconds, time.monotonic()
        self._streams: dict[str, Stream] = {}
        version = manifest.versions.get("tavern_abm")
        header = Header(manifest.design, manifest.source, version, self.host, self.pid)
        self._records = Stream(self._file(RECORDS), line_of(header))

    def playing(self) -> AbstractContextManager[None]:
        """While runs are played: a sweep that takes over waits for whoever does."""
        return locking.playing(self.store)

    def rows_of(self, run: Run, output: Output) -> dict[str, bytes]:
        """What a run gave, as it will stand in the streams.

        Raises
        ------
        ValueError
            If an outcome or a series is missing, or is no number or of another length.
        """
        try:
            rows = {"outcomes": self._outcomes(run, output)}
            if self._columns["series"] and len(output.times):
                rows["series"] = self._series(run, output)
        except (LookupError, TypeError, ValueError, pa.ArrowException) as error:
            names = ", ".join((*self._columns["outcomes"], *self._columns["series"]))
            what = f"{type(error).__name__}: {error}"
            raise ValueError(f"the run must give a number for each of {names} ({what})") from error
        return rows

    def done(
        self, run: Run, output: Output, seconds: float, rows: dict[str, bytes] | None = None
    ) -> None:
        """Keep what a run gave.

        Parameters
        ----------
        run : Run
            The run.
        output : Output
            What it gave; all that the store is for must be in it.
        seconds : float
            How long it took.
        rows : dict of str to bytes, optional
            Its `rows_of`, where they have been made already.

        Raises
        ------
        ValueError
            If something is missing. Nothing of it is kept then.
        OSError
            If it cannot be written, as on a full disk. The run then counts as not played.
        """
        rows = self.rows_of(run, output) if rows is None else rows
        record = self._record(run, "done", seconds, output.digest)
        self._append(record._replace(nights=output.nights), rows)

    def failed(self, run: Run, error: str, traceback: str, seconds: float) -> None:
        """Keep that a run failed, and how.

        Parameters
        ----------
        run : Run
            The run.
        error : str
            What went wrong; its first line goes into the table of runs.
        traceback : str
            Where it did.
        seconds : float
            How long it took until then.
        """
        record = self._record(run, "failed", seconds, None)._replace(error=clean(error))
        self._append(record, {"traceback": clean(traceback).encode()})

    def is_there(self) -> bool:
        """Whether it can be written to: it is open, ours, and its files are still there."""
        return self.pid == os.getpid() and self._records.is_there()

    def close(self) -> None:
        """Force what was written onto the disk and close the files."""
        with self._lock:
            self._close()

    def _outcomes(self, run: Run, output: Output) -> bytes:
        values = [output.outcomes[name] for name in self._columns["outcomes"]]
        columns = [pa.array([run.run_id], pa.int64())]
        columns += [pa.array(np.array([value], np.float64)) for value in values]
        return message_of(columns, self._schemas["outcomes"])

    def _series(self, run: Run, output: Output) -> bytes:
        times = np.asarray(output.times, np.int64)
        columns = [pa.array(np.full(len(times), run.run_id)), pa.array(times)]
        columns += [
            pa.array(np.asarray(output.series[name], np.float64))
            for name in self._columns["series"]
        ]
        return message_of(columns, self._schemas["series"])

    def _record(self, run: Run, status: Any, seconds: float, digest: str | None) -> Record:
        began = datetime.now(UTC) - timedelta(seconds=seconds)
        started = began.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        about = (digest, round(seconds, 6), started, self.host, self.pid)
        return Record(run.run_id, int(run.seed), status, *about)

    def _append(self, record: Record, rows: dict[str, bytes]) -> None:
        """Write rows, and then the record of them."""
        with self._lock:
            self._verify_open()
            try:
                self._records.append(line_of(self._with_rows(record, rows)))
                self._sync()
            except BaseException:
                # What is torn stays so: whatever comes next goes into new files.
                with contextlib.suppress(OSError):
                    self._close()
                raise

    def _with_rows(self, record: Record, rows: dict[str, bytes]) -> Record:
        spans: dict[str, Any] = {}
        for name, content in rows.items():
            spans[name] = self._stream(name).append(content)
        return record._replace(**spans)

    def _stream(self, name: str) -> Stream:
        if name not in self._streams:
            head = head_of(self._schemas.get(name))
            self._streams[name] = Stream(self._file(STREAMS[name]), head)
        return self._streams[name]

    def _file(self, ending: str) -> Path:
        return self.store / FOLDER / f"{self.name}{ending}"

    def _verify_open(self) -> None:
        if not self._records.is_open:
            raise SweepError("the part of this process was closed; ask for another", self.store)

    def _sync(self) -> None:
        now = time.monotonic()
        if self._sync_seconds is not None and now - self._synced >= self._sync_seconds:
            self._force()
            self._synced = now

    def _force(self) -> None:
        for stream in (*self._streams.values(), self._records):  # rows before their records
            stream.force()

    def _close(self) -> None:
        try:
            self._force()
        finally:
            for stream in (*self._streams.values(), self._records):
                stream.close()


def _name(host: str, pid: int) -> str:
    short = re.sub(r"[^A-Za-z0-9]+", "-", host.partition(".")[0])[:40].strip("-") or "host"
    return f"{short}-{pid}-{secrets.token_hex(4)}"


def _forget() -> None:
    """A process that was forked opens files of its own."""
    global _opening
    for part in _parts.values():
        for stream in (*part._streams.values(), part._records):
            with contextlib.suppress(OSError):
                stream.close()
    _parts.clear()
    _opening = threading.Lock()


os.register_at_fork(after_in_child=_forget)
