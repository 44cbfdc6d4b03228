"""The tables of the nights that were played before a run went on, and the new ones joined to them.

What one table says of a night stands once the night has closed. So the tables that have
a row a night, a telling or an event are those of the earlier folder with the new rows below;
who people are, whom they know and what is told of whom is made of how things stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow.parquet as pq

if TYPE_CHECKING:
    from ..run_folder import RunFolder

JOINED = frozenset(
    ("nights", "games", "wealth", "evenings", "events", "trials", "tellings", "ledger", "rounds")
)
"""Tables whose rows of a night stay as they are."""


class Past:
    """What stands in the folder of a run that another goes on from.

    Parameters
    ----------
    run : RunFolder
        The folder, which must stay as it is until the new one is written.
    nights_between : int
        The suspicion network is kept for good every so many nights.

    Attributes
    ----------
    n_events : int
        Events so far: ids of new ones follow on.
    """

    def __init__(self, run: RunFolder, nights_between: int) -> None:
        self.run = run
        self._between = nights_between
        self.n_events: int = pq.read_metadata(run.path / "events.parquet").num_rows

    def joined(self, name: str, table: pd.DataFrame, last: int) -> pd.DataFrame:
        """A table of the nights since, with the rows of the nights before above them.

        Parameters
        ----------
        last : int
            The last night that `table` tells of.
        """
        if name == "suspicion":
            return self._joined_beliefs(table, last)
        if name not in JOINED:
            return table
        return _below(self.run.table(name), table)

    def _joined_beliefs(self, table: pd.DataFrame, last: int) -> pd.DataFrame:
        """The last night's network, which a run has besides, is the last one's no more."""
        before = self.run.table("suspicion", filters=[("night", "<", last)])
        return _below(before[before["night"] % self._between == 0], table)


def _below(before: pd.DataFrame, since: pd.DataFrame) -> pd.DataFrame:
    """One table below another, in the types of the new one."""
    columns = {}
    for name in since.columns:
        column = before[name]
        if len(column) and hasattr(column.iloc[0], "tolist") and column.dtype == object:
            column = pd.Series([each.tolist() for each in column], dtype=object)
        columns[name] = _typed(column.reset_index(drop=True), since[name])
    both = [pd.DataFrame(columns), since]
    return pd.concat([each for each in both if len(each)] or [since], ignore_index=True)


def _typed(column: pd.Series[Any], like: pd.Series[Any]) -> pd.Series[Any]:
    """A column in the type of another, which may have forgotten it if there is nothing in it."""
    try:
        return column.astype(like.dtype)
    except (ValueError, TypeError):
        if len(like):
            raise
        return column
