"""What the records of a sweep speak of, read run by run wherever it lies in the streams."""

from __future__ import annotations

import os
import zlib
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Self

import pyarrow as pa

from ..errors import SweepError
from .manifest import Manifest
from .records import Index, Record, Span, beside, record_of
from .streams import schema_of

HANDFUL = 256
"""Runs that are in memory at a time, at most."""
HANDFUL_BYTES = 16_000_000
"""No more runs are taken once their rows are so large."""
OPEN_FILES = 64


class Handful(NamedTuple):
    """Some runs with what they gave.

    Attributes
    ----------
    records : list of Record
        In the order of their numbers.
    rows : dict of str to list of RecordBatch
        Outcomes and series of those that are done.
    tracebacks : list of str
        Of those that failed.
    """

    records: list[Record]
    rows: dict[str, list[pa.RecordBatch]]
    tracebacks: list[str]


class Reader:
    """Records and rows of an index, from files of which only so many are open at a time."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._open: OrderedDict[Path, int] = OrderedDict()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for handle in self._open.values():
            os.close(handle)
        self._open.clear()

    def records(self) -> Iterator[tuple[Path, Record]]:
        """The record of every run with the file that it is in, by the number of the run."""
        index = self.index
        for file, start, size in zip(index.file, index.start, index.size, strict=True):
            yield index.files[file], self.record(int(file), int(start), int(size))

    def record(self, file: int, start: int, size: int) -> Record:
        """The record whose line is at some place of a file of the index."""
        path = self.index.files[file]
        record = record_of(self._read(path, start, size))
        if record is None:
            raise SweepError("a record was changed while it was read", path)
        return record

    def content(self, records: Path, stream: str, record: Record) -> bytes | None:
        """The bytes of a stream that a record speaks of, checked; None if there are none."""
        span: Span | None = getattr(record, stream)
        if span is None:
            return None
        file = beside(records, stream)
        content = self._read(file, span.start, span.size)
        if zlib.crc32(content) != span.crc:
            text = (
                f"damaged: what run {record.run_id} gave is not what was written; move the files "
                f"of this part out of the store and resume the sweep, which plays its runs again"
            )
            raise SweepError(text, file)
        return content

    def _read(self, file: Path, start: int, size: int) -> bytes:
        handle = self._open.get(file)
        if handle is None:
            if len(self._open) >= OPEN_FILES:
                os.close(self._open.popitem(last=False)[1])
            handle = self._open[file] = os.open(file, os.O_RDONLY)
        self._open.move_to_end(file)
        return os.pread(handle, size, start)


def verify_repeated(index: Index) -> None:
    """See that runs that were done more than once gave the same each time."""
    with Reader(index) as reader:
        for run_id, places in index.doubles.items():
            first, *others = [reader.record(*place) for place in places]
            for other in others:
                if (first.digest, _sums(first)) != (other.digest, _sums(other)):
                    _complain(run_id, first, other, index.files[places[0][0]])


def _sums(record: Record) -> tuple[int | None, ...]:
    spans = (record.outcomes, record.series)
    return tuple(None if span is None else span.crc for span in spans)


def _complain(run_id: int, first: Record, other: Record, file: Path) -> None:
    what = "digests" if first.digest != other.digest else "outcomes"
    text = (
        f"run {run_id} is not reproducible: it was played twice, by process {first.pid} on "
        f"{first.host} and process {other.pid} on {other.host}, and gave two different {what}"
    )
    if what == "digests":
        text += f" ({str(first.digest)[:12]} and {str(other.digest)[:12]})"
    raise SweepError(text, file.parent.parent)


def handfuls(index: Index, manifest: Manifest) -> Iterator[Handful]:
    """All runs that have a record, by number, some at a time.

    Raises
    ------
    SweepError
        If what a run gave is damaged.
    """
    columns = {"outcomes": manifest.outputs, "series": manifest.series}
    schemas = {name: schema_of(name, each) for name, each in columns.items()}
    with Reader(index) as reader:
        for some in _some(reader.records()):
            handful = Handful([], {name: [] for name in schemas}, [])
            for file, record in some:
                handful.records.append(record)
                for name, schema in schemas.items():
                    content = reader.content(file, name, record)
                    if content is not None:
                        handful.rows[name].append(_batch(content, schema, beside(file, name)))
                if record.status == "failed":
                    text = reader.content(file, "traceback", record) or b""
                    handful.tracebacks.append(text.decode(errors="replace"))
            yield handful


def _some(records: Iterator[tuple[Path, Record]]) -> Iterator[list[tuple[Path, Record]]]:
    """Records by the handful: fewer of runs that gave much."""
    some, size = [], 0
    for file, record in records:
        some.append((file, record))
        size += sum(span.size for span in (record.outcomes, record.series) if span is not None)
        if len(some) >= HANDFUL or size >= HANDFUL_BYTES:
            yield some
            some, size = [], 0
    if some:
        yield some


def _batch(content: bytes, schema: pa.Schema, file: Path) -> pa.RecordBatch:
    try:
        return pa.ipc.read_record_batch(pa.py_buffer(content), schema)
    except (pa.ArrowException, OSError) as error:
        raise SweepError(f"damaged: {error}", file) from error
