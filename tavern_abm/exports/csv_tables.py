"""Every table of a run as CSV, for spreadsheets and whatever reads no Parquet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from ..run_columns import TABLES
from ..run_folder import RunFolder

FILES = frozenset(f"{name}.csv" for name in TABLES)
"""Names of the files it may write."""


def files(run: RunFolder) -> Iterator[tuple[str, bytes]]:
    """The files of the export, one at a time.

    UTF-8 with a header line. Nothing stands for null, and lists are joined
    by semicolons.

    Yields
    ------
    (str, bytes)
        Name and content.
    """
    for name in run.tables:
        table = run.table(name)
        flat = table.apply(_flat)
        yield f"{name}.csv", flat.to_csv(index=False, lineterminator="\n").encode()


def _flat(column: pd.Series[Any]) -> pd.Series[Any]:
    return column.map(_joined) if column.dtype == object else column


def _joined(value: Any) -> Any:
    is_list = isinstance(value, list | np.ndarray)
    return ";".join(map(str, value)) if is_list else value
