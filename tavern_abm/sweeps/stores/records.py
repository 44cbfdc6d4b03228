"""The records of a sweep: one line for every run that has ended, and finding them again.

A line is written after the rows that it speaks of, in one go. So a run either has its
line, and then all its rows are there, or it was in flight and is played again.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import SweepError

RECORDS = ".records.jsonl"
STREAMS = {"outcomes": ".outcomes.arrows", "series": ".series.arrows", "traceback": ".tracebacks"}
"""Endings of the files of a part, by what they hold."""

type Status = Literal["done", "failed"]


class Span(NamedTuple):
    """Where some bytes are in a file of a part, and their CRC-32."""

    start: int
    size: int
    crc: int


class Record(NamedTuple):
    """What is kept of every run that has ended.

    Attributes
    ----------
    run_id, seed : int
        Which run it is, and its seed.
    status : "done" or "failed"
        How it ended.
    digest : str or None
        Of what it gave, if it is done.
    seconds : float
        How long it took.
    started : str
        When it began, in UTC.
    host, pid : str, int
        Who played it.
    error : str or None
        What went wrong, in one line.
    nights : int or None
        How many were played, if it is done and has nights.
    outcomes, series, traceback : Span or None
        Where its rows and its traceback are.
    """

    run_id: int
    seed: int
    status: Status
    digest: str | None
    seconds: float
    started: str
    host: str
    pid: int
    error: str | None = None
    nights: int | None = None
    outcomes: Span | None = None
    series: Span | None = None
    traceback: Span | None = None


class Header(NamedTuple):
    """The first line of a file of records: whose part it is.

    Attributes
    ----------
    design, source : str
        Digests of the design, and of the program that played.
    version : str or None
        Of the program.
    host, pid : str, int
        Who writes it.
    part : int
        Format of the line.
    """

    design: str
    source: str
    version: str | None
    host: str
    pid: int
    part: int = 1


def line_of(record: Record | Header) -> bytes:
    """A record as its line: compact JSON, without what there is nothing of.

    Examples
    --------
    >>> record = Record(3000017, 5, "done", "ab", 0.07, "2026-01-01T00:00:00Z", "inn", 9)
    >>> record_of(line_of(record)) == record
    True
    """
    fields = {name: value for name, value in record._asdict().items() if value is not None}
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"


def record_of(line: bytes) -> Record | None:
    """The record that a line holds; None if it is torn, damaged, or no record."""
    fields = _fields_of(line)
    if fields is None or "run_id" not in fields:
        return None
    try:
        spans = {name: Span(*map(int, fields[name])) for name in STREAMS if name in fields}
        texts = {name: _clean(fields.get(name)) for name in ("digest", "error")}
        record = Record(**{**fields, **texts, **spans})
    except (AttributeError, TypeError, ValueError):
        return None
    return record if _is_sound(record) else None


def _clean(text: str | None) -> str | None:
    return None if text is None else clean(text)


def clean(text: str) -> str:
    r"""A text that any table can hold: halves of a character are written out.

    Examples
    --------
    >>> print(clean("no coin \ud800"))
    no coin \ud800
    """
    return text.encode("utf-8", "backslashreplace").decode()


def _is_sound(record: Record) -> bool:
    numbers = (record.run_id, record.seed, record.pid)
    return (
        all(type(number) is int and 0 <= number < 2**63 for number in numbers)
        and record.status in ("done", "failed")
        and isinstance(record.seconds, int | float)
        and isinstance(record.started, str)
        and isinstance(record.host, str)
    )


def header_of(line: bytes) -> Header | None:
    """The header that a line holds; None if it is torn, damaged, or none."""
    fields = _fields_of(line)
    try:
        return None if fields is None else Header(**fields)
    except TypeError:
        return None


def _fields_of(line: bytes) -> dict[str, Any] | None:
    if not line.endswith(b"\n"):
        return None
    try:
        fields = json.loads(line)
    except ValueError:
        return None
    return fields if isinstance(fields, dict) else None


def beside(records: Path, stream: str) -> Path:
    """The file of a part that holds its outcomes, series or tracebacks."""
    return records.with_name(records.name.removesuffix(RECORDS) + STREAMS[stream])


class Index(NamedTuple):
    """Which record counts for every run, and where it is: about 30 bytes a run.

    Attributes
    ----------
    files : tuple of Path
        The files of records.
    run_ids : array of int64, shape (n_runs,)
        In ascending order, each once.
    is_done : array of bool, shape (n_runs,)
        Whether the run is done; else it has failed.
    file, start, size : arrays of int, shape (n_runs,)
        Its line: number of the file, place in it, and length.
    doubles : dict of int to list of (int, int, int)
        The lines of runs that were done more than once, as far as there are any.
    n_damaged : int
        Whole lines that cannot be read, or whose rows are not there.
    """

    files: tuple[Path, ...]
    run_ids: NDArray[np.int64]
    is_done: NDArray[np.bool_]
    file: NDArray[np.int32]
    start: NDArray[np.int64]
    size: NDArray[np.int32]
    doubles: dict[int, list[tuple[int, int, int]]]
    n_damaged: int

    @property
    def n_done(self) -> int:
        """How many runs are done."""
        return int(self.is_done.sum())

    def __len__(self) -> int:
        """How many runs have a record."""
        return len(self.run_ids)


def read_index(folders: Iterable[Path], design: str, source: str) -> Index:
    """Find the record that counts for every run.

    A run that is done counts as done, whatever else is told of it; of several failures
    the last one counts.

    Parameters
    ----------
    folders : iterable of Path
        The folders of parts.
    design, source : str
        Digests of the design and of the program that all parts must be of.

    Raises
    ------
    SweepError
        If a part is of another design or program.
    """
    files = tuple(sorted(file for folder in folders for file in folder.glob(f"*{RECORDS}")))
    found = _Found()
    for number, file in enumerate(files):
        found.read(number, file, design, source)
    return found.index(files)


class _Found:
    """Columns of all records that were found, one after the other."""

    def __init__(self) -> None:
        self.run_ids, self.starts, self.ends = array("q"), array("q"), array("d")
        self.files, self.sizes, self.dones = array("i"), array("i"), array("b")
        self.n_damaged = 0

    def read(self, number: int, file: Path, design: str, source: str) -> None:
        sizes, at = _sizes(file), 0
        with file.open("rb") as lines:
            for line in lines:
                if not line.endswith(b"\n"):
                    break  # it is being written, or its process was killed: a run in flight
                record = record_of(line)
                if record is not None and not _is_whole(record, sizes):
                    sizes = _sizes(file)  # of a sweep that is playing, more may have come in
                if at == 0 and record is None:
                    _verify_header(file, line, design, source)
                elif record is not None and _is_whole(record, sizes):
                    self._add(record, number, at, len(line))
                else:
                    self.n_damaged += 1
                at += len(line)

    def _add(self, record: Record, number: int, at: int, size: int) -> None:
        self.run_ids.append(record.run_id)
        self.dones.append(record.status == "done")
        self.ends.append(_seconds_of(record.started) + record.seconds)
        self.files.append(number)
        self.starts.append(at)
        self.sizes.append(size)

    def index(self, files: tuple[Path, ...]) -> Index:
        run_ids, is_done = np.array(self.run_ids, np.int64), np.array(self.dones, np.bool_)
        file, start = np.array(self.files, np.int32), np.array(self.starts, np.int64)
        size = np.array(self.sizes, np.int32)
        order = np.lexsort((start, file, np.array(self.ends), is_done, run_ids))
        ids = run_ids[order]
        kept = order[np.append(ids[1:] != ids[:-1], True)[: len(ids)]]
        places = (file, start, size)
        doubles = _doubles(ids, is_done[order], *(each[order] for each in places))
        columns = (each[kept] for each in (run_ids, is_done, file, start, size))
        return Index(files, *columns, doubles, self.n_damaged)  # type: ignore[call-arg]


def _doubles(
    run_ids: NDArray[np.int64],
    is_done: NDArray[np.bool_],
    *places: NDArray[Any],
) -> dict[int, list[tuple[int, int, int]]]:
    """The lines of runs that were done more than once."""
    again = np.flatnonzero((run_ids[1:] == run_ids[:-1]) & is_done[:-1] & is_done[1:])
    doubles: dict[int, list[tuple[int, int, int]]] = {}
    for row in sorted({*again.tolist(), *(again + 1).tolist()}):
        file, start, size = (int(column[row]) for column in places)
        doubles.setdefault(int(run_ids[row]), []).append((file, start, size))
    return doubles


def _seconds_of(started: str) -> float:
    """A time in seconds since 1970; 0 for what is none, as damage leaves it.

    Examples
    --------
    >>> _seconds_of("1970-01-01T00:01:00.500Z")
    60.5
    """
    try:
        return datetime.fromisoformat(started).timestamp()
    except ValueError:
        return 0.0


def _sizes(records: Path) -> dict[str, int]:
    """How large the files beside some records are."""
    return {stream: _size(beside(records, stream)) for stream in STREAMS}


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


def _is_whole(record: Record, sizes: dict[str, int]) -> bool:
    """Whether the rows that a record speaks of are there."""
    spans = ((stream, getattr(record, stream)) for stream in STREAMS)
    return all(span is None or span.start + span.size <= sizes[stream] for stream, span in spans)


def _verify_header(file: Path, line: bytes, design: str, source: str) -> None:
    """See whose part it is; one whose process was killed at its very start does not say."""
    header = header_of(line)
    if header is None:
        return
    if header.design != design:
        text = "this part is of a sweep of another design; move it out of the folder"
        raise SweepError(text, file)
    if header.source != source:
        text = f"this part was played by another tavern-abm ({header.version}); move it out"
        raise SweepError(text, file)
