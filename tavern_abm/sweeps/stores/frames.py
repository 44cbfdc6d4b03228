"""The tables of a sweep as DataFrames."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ..errors import SweepError
from . import merging
from .store import RUN_COLUMNS, Store
from .store_tables import write_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

KEYS = ["run_id", "scenario_id", "replication_id"]


@dataclass(frozen=True)
class Frames:
    """The tables of a sweep.

    Attributes
    ----------
    runs : DataFrame
        A row a run: its keys, seed, status, nights, digest and error, and a column for each
        path that the design varies.
    outcomes : DataFrame
        A row a run that is done, a column an output; NaN where it is not defined.
    series : DataFrame
        A row a run and night, a column a series.
    failures : DataFrame
        A row a run that failed: error, traceback and the command that plays it again.
    remark : str
        Why these tables are not all that there could be; empty if they are.
    """

    runs: pd.DataFrame
    outcomes: pd.DataFrame
    series: pd.DataFrame = field(default_factory=pd.DataFrame)
    failures: pd.DataFrame = field(default_factory=pd.DataFrame)
    remark: str = ""

    @property
    def paths(self) -> list[str]:
        """What the design varies: columns of `runs`."""
        return [name for name in self.runs.columns if name not in RUN_COLUMNS]

    @property
    def outputs(self) -> list[str]:
        """Names of the outcomes."""
        return [name for name in self.outcomes.columns if name not in KEYS]

    def joined(self) -> pd.DataFrame:
        """Runs with their outcomes beside them; NaN for those that failed.

        An outcome that is called like a column of `runs` has ``_outcome`` added to its name.
        """
        return self.runs.merge(
            self.outcomes, on=KEYS, how="left", validate="one_to_one", suffixes=("", "_outcome")
        )

    def to_batch_frame(self, *, nightly: bool = False) -> pd.DataFrame:
        """The runs that are done, with the names that Mesa's ``batch_run`` gave its columns.

        Parameters
        ----------
        nightly : bool, default False
            A row a night, with the series in place of the outcomes.

        Returns
        -------
        DataFrame
            ``RunId``, ``iteration`` (the replication), ``Step`` (the night), then what is
            varied, then what was measured.
        """
        done = self.runs.loc[self.runs["status"] == "done"]
        values = self.series if nightly else self.outcomes
        frame = done[[*KEYS, "nights", *self.paths]].merge(
            values.drop(columns=["scenario_id", "replication_id"]),
            on="run_id",
            suffixes=("", "_outcome"),
        )
        step = frame.pop("time") if nightly else frame["nights"]
        frame = frame.drop(columns=["scenario_id", "nights"])
        frame = frame.rename(columns={"run_id": "RunId", "replication_id": "iteration"})
        frame.insert(2, "Step", step)
        return frame


def read(store: str | Path, *, series: bool = True) -> Frames:
    """Read the tables of a sweep.

    Where they are not up to date they are made first: in the store, or, if nothing can be
    written there, aside. Where the parts have lost runs that the tables hold, these are read
    as they are, and `Frames.remark` says so.

    Parameters
    ----------
    store : str or Path
        Its folder; the sweep may still be playing.
    series : bool, default True
        Read the nightly columns, too, which may be large.

    Raises
    ------
    SweepError
        If it is no sweep, or damaged.
    """
    found = Store.open(store)
    if not merging.is_current(found):
        try:
            merging.merge([found.path])
        except merging.LostError as error:
            return replace(_read(found.path, with_series=series), remark=str(error))
        except OSError:  # of another user, or on a disk that cannot be written
            with tempfile.TemporaryDirectory() as aside:
                write_tables(found, Path(aside))
                return _read(Path(aside), with_series=series)
    return _read(found.path, with_series=series)


def _read(folder: Path, *, with_series: bool) -> Frames:
    series = table(folder, "series") if with_series else pd.DataFrame()
    return Frames(
        table(folder, "runs"), table(folder, "outcomes"), series, table(folder, "failures")
    )


def table(folder: Path, name: str, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Read one table that is in a folder.

    Raises
    ------
    SweepError
        If it cannot be read.
    """
    file = folder / f"{name}.parquet"
    try:
        wanted = None if columns is None else list(columns)
        found: pd.DataFrame = pq.read_table(file, columns=wanted).to_pandas()
    except (OSError, pa.ArrowException) as error:
        raise SweepError(f"damaged or not a table: {error}", file) from error
    return found
