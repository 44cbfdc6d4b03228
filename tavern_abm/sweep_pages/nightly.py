"""Nightly columns of a sweep, summed up without ever holding all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pandas as pd


def nightly_means(parts: Iterable[pd.DataFrame], names: Sequence[str]) -> pd.DataFrame:
    """Means over the runs of each point, night by night; part by part, to spare memory.

    Parameters
    ----------
    parts : iterable of DataFrame
        ``scenario_id``, ``time`` and the series, a row a run and night.
    names : sequence of str
        The series.

    Returns
    -------
    DataFrame
        ``scenario_id``, ``time`` and a column a series.
    """
    keys, columns = ["scenario_id", "time"], list(names)
    sums: pd.DataFrame | None = None
    counts: pd.DataFrame | None = None
    for part in parts:
        groups = part.groupby(keys)[columns]
        sums = groups.sum() if sums is None else sums.add(groups.sum(), fill_value=0)
        counts = groups.count() if counts is None else counts.add(groups.count(), fill_value=0)
    if sums is None or counts is None:
        return pd.DataFrame(columns=[*keys, *columns])
    return (sums / counts.where(counts > 0)).reset_index()


def batches(file: Path) -> Iterator[pd.DataFrame]:
    """The table of nightly columns, a part at a time."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(file) as table:
        for batch in table.iter_batches():
            yield batch.to_pandas()
