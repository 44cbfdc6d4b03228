"""Files that only grow, and the batches of Arrow's streaming format that they are made of."""

from __future__ import annotations

import contextlib
import os
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import pyarrow as pa

from .records import Span


class Stream:
    """A new file that only grows, handed to the system piece by piece.

    Parameters
    ----------
    file : Path
        Where nothing is yet.
    head : bytes
        What it begins with.

    Raises
    ------
    OSError
        If it is there already, or cannot be written.
    """

    def __init__(self, file: Path, head: bytes = b"") -> None:
        self.file = file
        how = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND
        self._handle = os.open(file, how | os.O_CLOEXEC, 0o666)
        self.is_open, self._at = True, 0
        self._is_forced = False
        if head:
            self.append(head)

    def append(self, content: bytes) -> Span:
        """Hand over some bytes; where they are."""
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(self._handle, rest) :]
        span = Span(self._at, len(content), zlib.crc32(content))
        self._at += len(content)
        return span

    def is_there(self) -> bool:
        """Whether it can be written to, and is still where it was made."""
        return self.is_open and self.file.exists()

    def force(self) -> None:
        """Have all of it on the disk itself, and its name, too."""
        if not self.is_open:
            return
        os.fsync(self._handle)
        if not self._is_forced:
            self._is_forced = True
            _force_names(self.file.parent)

    def close(self) -> None:
        """Let go of it."""
        if self.is_open:
            self.is_open = False
            os.close(self._handle)

    def __enter__(self) -> Self:
        """The stream, to be closed at the end."""
        return self

    def __exit__(self, *_: object) -> None:
        """Have all of it on the disk, and close it."""
        try:
            self.force()
        finally:
            self.close()


def _force_names(folder: Path) -> None:
    """Have what stands in a folder on the disk itself, where folders can be forced."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def schema_of(stream: str, columns: Sequence[str]) -> pa.Schema:
    """Columns of a stream of ``"outcomes"`` or of ``"series"``."""
    keys = ["run_id"] if stream == "outcomes" else ["run_id", "time"]
    fields = [(name, pa.int64()) for name in keys]
    return pa.schema(fields + [(name, pa.float64()) for name in columns])


def head_of(schema: pa.Schema | None) -> bytes:
    """What a stream of some columns begins with; one without columns with nothing."""
    return b"" if schema is None else bytes(schema.serialize().to_pybytes())


def message_of(columns: list[pa.Array], schema: pa.Schema) -> bytes:
    """Columns as one batch, as it stands in a stream."""
    return bytes(pa.RecordBatch.from_arrays(columns, schema=schema).serialize().to_pybytes())
