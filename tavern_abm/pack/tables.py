"""The tables of data that a finished run was played with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..data_tables import DataError, DataTables, load_tables


def tables_of(scenario: Mapping[str, Any]) -> DataTables:
    """Find them by what the run's scenario says.

    Its own tables may be gone by now, or damaged: then these are the shipped ones.

    Examples
    --------
    >>> tables_of({"data": "gone/since"}).customs["dockside"].ban_nights
    14
    """
    try:
        return load_tables(scenario.get("data"))
    except DataError:
        return load_tables()
