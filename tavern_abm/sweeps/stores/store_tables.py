"""The tables of a sweep, made of what its runs gave: same runs, same bytes."""

from __future__ import annotations

import contextlib
import hashlib
import re
import shlex
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..errors import SweepError
from ..runs import REPLICATIONS
from .manifest import Manifest
from .records import Index, Record
from .rows import Handful, handfuls, verify_repeated
from .store import Store
from .table_files import TableFile

TABLES = ("runs", "outcomes", "series", "failures", "timings")
SAME_BYTES = ("runs", "outcomes", "series")
"""Tables that are the same however the runs were played."""
_KEYS = [("run_id", pa.int64()), ("scenario_id", pa.int64()), ("replication_id", pa.int64())]
_TIME = ("time", pa.int64())
_OF_RUNS = [
    ("seed", pa.int64()),
    ("status", pa.string()),
    ("nights", pa.int64()),
    ("digest", pa.string()),
    ("error", pa.string()),
]
_OF_TIMINGS = [
    ("run_id", pa.int64()),
    ("seconds", pa.float64()),
    ("started", pa.timestamp("ms", tz="UTC")),
    ("host", pa.string()),
    ("pid", pa.int64()),
]

type Progress = Callable[[int], object]


class Written(NamedTuple):
    r"""What the tables of a store were made of.

    Attributes
    ----------
    runs : Index
        Which they are.
    results : str
        SHA-256 over a line ``"<run_id> <digest>\n"`` for every run that is done, by number: the
        same however the runs were played.
    """

    runs: Index
    results: str


def write_tables(
    store: Store, into: Path, shown: Path | None = None, progress: Progress | None = None
) -> Written:
    """Write all tables of a store, a handful of runs at a time.

    Parameters
    ----------
    store : Store
        Whose runs they are.
    into : Path
        A folder that is there.
    shown : Path, optional
        As which the store is named in the commands that play a run again.
    progress : callable, optional
        Told how many more runs are in the tables.

    Returns
    -------
    Written
        What they were made of.

    Raises
    ------
    SweepError
        If rows are damaged, a run is of no point of the design, or a run was done twice and
        gave two different things.
    """
    index, points = store.index(), _points(store)
    verify_points(index, len(store.points))
    verify_repeated(index)
    results = hashlib.sha256()
    with contextlib.ExitStack() as stack:
        files = {
            name: stack.enter_context(TableFile(into / f"{name}.parquet", schema))
            for name, schema in _schemas(store.manifest, points.schema).items()
        }
        for handful in handfuls(index, store.manifest):
            files["runs"].add(_runs(handful.records, points, store))
            for name, batches in handful.rows.items():
                if batches:
                    files[name].add(_rows(batches, files[name].schema))
            files["failures"].add(_failures(handful, shown or store.path))
            files["timings"].add(_timings(handful.records))
            results.update(_digests(handful.records))
            if progress is not None:
                progress(len(handful.records))
    pa.default_memory_pool().release_unused()
    return Written(index, results.hexdigest())


def _digests(records: list[Record]) -> bytes:
    done = (record for record in records if record.status == "done")
    return "".join(f"{record.run_id} {record.digest}\n" for record in done).encode()


def verify_points(index: Index, n_points: int) -> None:
    """See that all runs are of points that a design has.

    Raises
    ------
    SweepError
        With the part that tells of another, and what to do.
    """
    if not len(index) or index.run_ids[-1] < n_points * REPLICATIONS:
        return
    run_id = int(index.run_ids[-1])
    text = (
        f"damaged: it tells of run {run_id}, and the design has no point "
        f"{run_id // REPLICATIONS}; move the files of this part out of the store and resume "
        "the sweep, which plays its runs again"
    )
    raise SweepError(text, index.files[index.file[-1]])


def _schemas(manifest: Manifest, points: pa.Schema) -> dict[str, pa.Schema]:
    text = [(name, pa.string()) for name in ("error", "traceback", "command")]
    return {
        "runs": pa.schema([*_KEYS, *_OF_RUNS, *((field.name, field.type) for field in points)]),
        "outcomes": pa.schema([*_KEYS, *((name, pa.float64()) for name in manifest.outputs)]),
        "series": pa.schema([*_KEYS, _TIME, *((name, pa.float64()) for name in manifest.series)]),
        "failures": pa.schema([*_KEYS, ("seed", pa.int64()), *text]),
        "timings": pa.schema(_OF_TIMINGS),
    }


def _points(store: Store) -> pa.Table:
    """What the design points set, a column a path."""
    frame = store.points.frame().drop(columns="scenario_id")
    table = pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata(None)
    texts = [
        pa.field(field.name, pa.string()) if _is_text(field.type) else field
        for field in table.schema
    ]
    return table.cast(pa.schema(texts))


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_large_string(kind) or pa.types.is_null(kind))


def _keys(run_ids: Iterable[int]) -> dict[str, Any]:
    ids = np.fromiter(run_ids, np.int64)
    scenarios, replications = np.divmod(ids, REPLICATIONS)
    return {"run_id": ids, "scenario_id": scenarios, "replication_id": replications}


def _runs(records: list[Record], points: pa.Table, store: Store) -> pa.Table:
    columns = _keys(record.run_id for record in records)
    columns |= {
        "seed": pa.array((record.seed for record in records), pa.int64()),
        "status": pa.array((record.status for record in records), pa.string()),
        "nights": pa.array(map(partial(_nights, store.manifest), records), pa.int64()),
        "digest": pa.array((record.digest for record in records), pa.string()),
        "error": pa.array((_first_line(record.error) for record in records), pa.string()),
    }
    settings = points.take(pa.array(columns["scenario_id"]))
    return pa.table(columns | {name: settings[name] for name in points.column_names})


def _nights(manifest: Manifest, record: Record) -> int | None:
    """Nights that a run had; of one that says nothing of them, those that it was to have."""
    return manifest.nights if record.nights is None else record.nights


def _first_line(error: str | None) -> str | None:
    """What went wrong, without what differs from process to process.

    Examples
    --------
    >>> _first_line("TypeError: <object at 0x7f3a52> is no coin")
    'TypeError: <object at 0x...> is no coin'
    """
    if error is None:
        return None
    return re.sub(r"\b0x[0-9a-fA-F]+", "0x...", error.strip().partition("\n")[0])


def _rows(batches: list[pa.RecordBatch], schema: pa.Schema) -> pa.Table:
    """Rows of a stream with all keys, and null for what is not defined."""
    table = pa.Table.from_batches(batches).combine_chunks()
    columns: dict[str, Any] = _keys(table["run_id"].to_numpy())
    for name in schema.names[3:]:
        column = table[name]
        is_number = pa.types.is_floating(column.type)
        columns[name] = _without_nan(column) if is_number else column
    return pa.table(columns)


def _without_nan(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.if_else(pc.is_nan(column), pa.scalar(None, pa.float64()), column)


def _failures(handful: Handful, place: Path) -> pa.Table:
    failed = [record for record in handful.records if record.status == "failed"]
    rerun = f"tavern rerun {shlex.quote(str(place))} --run"
    columns = _keys(record.run_id for record in failed) | {
        "seed": pa.array((record.seed for record in failed), pa.int64()),
        "error": pa.array((record.error for record in failed), pa.string()),
        "traceback": pa.array(handful.tracebacks, pa.string()),
        "command": pa.array((f"{rerun} {record.run_id}" for record in failed), pa.string()),
    }
    return pa.table(columns)


def _timings(records: list[Record]) -> pa.Table:
    starts = np.array([record.started.removesuffix("Z") for record in records], "datetime64[ms]")
    columns = {
        "run_id": pa.array((record.run_id for record in records), pa.int64()),
        "seconds": pa.array((record.seconds for record in records), pa.float64()),
        "started": pa.array(starts).cast(pa.timestamp("ms", tz="UTC")),
        "host": pa.array((record.host for record in records), pa.string()),
        "pid": pa.array((record.pid for record in records), pa.int64()),
    }
    return pa.table(columns)
