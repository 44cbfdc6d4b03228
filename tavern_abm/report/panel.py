"""A figure of a report page, in words and numbers as well."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

MOST_ROWS = 250


@dataclass
class Panel:
    """A figure of the page, in words and numbers as well.

    Attributes
    ----------
    id : str
        Id of its element; part of the page's addresses.
    title, caption : str
        Heading, and how to read it.
    finding : str
        What it shows, in a sentence or two.
    figure : Figure or None
        None where there is nothing to draw; the finding then says so.
    columns, rows : list
        The same as a table, of which the first `MOST_ROWS` rows are kept.
    is_open : bool
        Whether the table is open at first: where it says more than the figure.
    n_rows : int
        Rows there would be in all, if not as many as `rows`.
    """

    id: str
    title: str
    caption: str
    finding: str
    figure: go.Figure | None
    columns: list[str]
    rows: list[list[Any]]
    is_open: bool = False
    n_rows: int = 0

    def __post_init__(self) -> None:
        self.n_rows = max(self.n_rows, len(self.rows))
        self.rows = self.rows[:MOST_ROWS]
