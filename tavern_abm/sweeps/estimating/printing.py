"""Tables in print: columns below their headings, within the width of a line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

WIDTH = 100
"""Characters of a line."""


class Column(NamedTuple):
    """A column in print.

    Attributes
    ----------
    heading : str
        Above it.
    cells : sequence of str
        One a row.
    is_text : bool
        Set to the left; numbers are set to the right.
    rank : int
        Where the line gets too long, the columns of the highest rank go first; those of
        rank 0 never do.
    """

    heading: str
    cells: Sequence[str]
    is_text: bool = False
    rank: int = 0

    @property
    def width(self) -> int:
        """Characters of its longest cell."""
        return max(map(len, (self.heading, *self.cells)))

    def line(self, cell: str) -> str:
        """A cell in its place."""
        return cell.ljust(self.width) if self.is_text else cell.rjust(self.width)


def printed(columns: Sequence[Column], indent: str = "  ") -> list[str]:
    """Columns side by side under their headings; what does not fit is left out, whole columns.

    Examples
    --------
    >>> for line in printed([Column("who", ["Odo"], is_text=True), Column("cp", ["12"])]):
    ...     print(line)
      who  cp
      Odo  12
    """
    kept = list(columns)
    while _wide(kept) + len(indent) > WIDTH and any(each.rank for each in kept):
        last = max(each.rank for each in kept)
        kept = [each for each in kept if each.rank < last]
    rows = zip(*([each.heading, *each.cells] for each in kept), strict=True)
    return [
        (indent + "  ".join(map(Column.line, kept, row))).rstrip()
        for row in rows  # the headings are the first
    ]


def aligned(rows: Sequence[Sequence[str]], n_words: int = 1, indent: str = "") -> list[str]:
    """Rows below each other, the headings first: words to the left, numbers to the right.

    Parameters
    ----------
    rows : sequence of sequence of str
        As many cells in each.
    n_words : int, default 1
        How many columns are words: the first ones.
    indent : str, default ""
        Before each line.

    Examples
    --------
    >>> aligned([("", "n"), ("people", "120")])
    ['          n', 'people  120']
    """
    columns = zip(*rows, strict=True)
    return printed(
        [Column(head, cells, at < n_words) for at, (head, *cells) in enumerate(columns)], indent
    )


def _wide(columns: Sequence[Column]) -> int:
    return sum(each.width + 2 for each in columns) - 2


def percent(confidence: float) -> str:
    """A confidence in per cent, with as many digits as tell it from certainty.

    Examples
    --------
    >>> percent(0.95), percent(0.9992187)
    ('95 %', '99.922 %')
    """
    digits = max(0, math.ceil(-math.log10(1 - confidence)) - 1)
    return f"{100 * confidence:.{digits}f}".rstrip("0" if digits else "").rstrip(".") + " %"
