"""What a store has of runs already: which of them count as played, and what they gave."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from ..stores.rows import Reader
from ..stores.streams import schema_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..stores.records import Index
    from ..stores.store import Store


def played(
    index: Index, run_ids: Iterable[int] | None = None, *, retry_failed: bool = False
) -> dict[int, str]:
    """How runs that need not be played ended, "done" or "failed", by their numbers.

    Parameters
    ----------
    index : Index
        Of the records.
    run_ids : iterable of int, optional
        Only these runs.
    retry_failed : bool, default False
        A run that has failed does not count as played.
    """
    places = np.arange(len(index)) if run_ids is None else _places(index, run_ids)
    if retry_failed:
        places = places[index.is_done[places]]
    ids, is_done = index.run_ids[places].tolist(), index.is_done[places].tolist()
    return {run_id: "done" if done else "failed" for run_id, done in zip(ids, is_done, strict=True)}


def values_of(store: Store, index: Index, output: str, run_ids: Iterable[int]) -> dict[int, float]:
    """What runs that are done gave for an output, read from the streams; NaN if undefined.

    Parameters
    ----------
    store : Store
        In which they are.
    index : Index
        Of its records.
    output : str
        One of the outputs of the store.
    run_ids : iterable of int
        Runs. Those that are not done are left out.

    Raises
    ------
    SweepError
        If what one of them gave is damaged.
    """
    places = _places(index, run_ids)
    places = places[index.is_done[places]]
    places = places[np.lexsort((index.start[places], index.file[places]))]
    schema = schema_of("outcomes", store.manifest.outputs)
    values: dict[int, float] = {}
    with Reader(index) as reader:
        for place in places.tolist():
            file = int(index.file[place])
            record = reader.record(file, int(index.start[place]), int(index.size[place]))
            content = reader.content(index.files[file], "outcomes", record)
            if content is not None:
                values[record.run_id] = _value(content, schema, output)
    return values


def _value(content: bytes, schema: pa.Schema, output: str) -> float:
    value = pa.ipc.read_record_batch(pa.py_buffer(content), schema)[output][0].as_py()
    return math.nan if value is None else float(value)


def _places(index: Index, run_ids: Iterable[int]) -> NDArray[np.intp]:
    """Where in an index these runs are, as far as they are in it."""
    wanted = np.fromiter(run_ids, np.int64)
    places = np.searchsorted(index.run_ids, wanted)
    is_there = places < len(index)
    is_there[is_there] = index.run_ids[places[is_there]] == wanted[is_there]
    return places[is_there]
