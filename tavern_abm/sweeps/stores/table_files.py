"""Parquet files that are filled row by row in a fixed way: same rows, same bytes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

ROWS_OF_A_GROUP = 65_536
"""A row group has so many, the last one what is left."""


class TableFile:
    """A Parquet file that grows by groups of rows.

    What its bytes are depends on the rows that are added, in their order, and on nothing
    else: not on how many come at a time.

    Parameters
    ----------
    file : Path
        To write.
    schema : pyarrow.Schema
        Its columns.
    """

    def __init__(self, file: Path, schema: pa.Schema) -> None:
        self.file, self.schema, self.n_rows = file, schema, 0
        texts = [field.name for field in schema if pa.types.is_string(field.type)]
        self._writer = pq.ParquetWriter(
            file, schema, compression="zstd", use_dictionary=texts or False
        )
        self._waiting: list[pa.Table] = []
        self._n_waiting = 0

    def add(self, table: pa.Table) -> None:
        """Add rows."""
        self._waiting.append(table.cast(self.schema))
        self._n_waiting += table.num_rows
        self.n_rows += table.num_rows
        if self._n_waiting >= ROWS_OF_A_GROUP:
            self._write(self._n_waiting // ROWS_OF_A_GROUP * ROWS_OF_A_GROUP)

    def _write(self, n_rows: int) -> None:
        """Write so many of the waiting rows."""
        rows = pa.concat_tables(self._waiting).combine_chunks()  # pages would end at each chunk
        self._writer.write_table(rows.slice(0, n_rows), row_group_size=ROWS_OF_A_GROUP)
        self._n_waiting -= n_rows
        self._waiting = [rows.slice(n_rows)]

    def __enter__(self) -> Self:
        """The file, to be closed at the end."""
        return self

    def __exit__(self, kind: Any, *_: object) -> None:
        """Write what is left, unless something went wrong; all of it is on the disk then."""
        if kind is None and self._n_waiting:
            self._write(self._n_waiting)
        self._writer.close()
        with self.file.open("rb") as content:
            os.fsync(content.fileno())
