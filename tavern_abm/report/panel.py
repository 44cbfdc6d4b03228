"""A figure of a report page, in words and numbers as well."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import plotly.graph_objects as go

MOST_ROWS = 400


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
        The same as a table.
    is_open : bool
        Whether the table is open at first: where it says more than the figure.
    """

    id: str
    title: str
    caption: str
    finding: str
    figure: go.Figure | None
    columns: list[str]
    rows: list[list[Any]]
    is_open: bool = False
    n_rows: int = field(init=False)

    def __post_init__(self) -> None:
        self.n_rows = len(self.rows)
        self.rows = self.rows[:MOST_ROWS]
