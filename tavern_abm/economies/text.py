"""The page of a town as plain text and as Markdown."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator

from .books import TownBooks
from .told import Grid, Section, sections_of

WIDTH = 98
_WITHIN_A_SUM = re.compile(
    r"(?<=\d) (?=(?:gp|sp|cp|h|min)\b)|(?<=gp|sp) (?=\d+ (?:sp|cp)\b)|(?<= h) (?=\d+ min\b)"
)
_SHUT = re.compile(r" \(shut \d+\)$")


def text_of(books: TownBooks) -> str:
    """The town on one page of text, in lines of at most about 100 characters."""
    return as_text(sections_of(books))


def as_text(sections: Iterable[Section]) -> str:
    """Sections one below the other, as plain text."""
    return "\n\n".join("\n".join(_block(section)) for section in sections)


def _block(section: Section) -> Iterator[str]:
    if section.title:
        yield section.title
    for line in section.lines:
        yield from _wrapped(line)
    if section.grid:
        indent = "  " if section.title else ""
        yield from (f"{indent}{line}" for line in aligned(section.grid))


def _wrapped(line: str) -> Iterator[str]:
    """A line broken where it is too long, but never within a sum of money or a time."""
    whole = _WITHIN_A_SUM.sub("\N{NO-BREAK SPACE}", line)
    for part in textwrap.wrap(whole, WIDTH, initial_indent="  ", subsequent_indent="    "):
        yield part.replace("\N{NO-BREAK SPACE}", " ")


def aligned(grid: Grid) -> list[str]:
    """A table as lines, words to the left and numbers to the right.

    Examples
    --------
    >>> aligned(Grid(["house", "till"], [["The Fox", "9"], ["The Hen", "120"]]))
    ['house    till', 'The Fox     9', 'The Hen   120']
    """
    rows = [grid.heads, *([*_cut(row, grid.most)] for row in grid.rows)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(grid.heads))]
    return ["  ".join(_cells(row, widths, grid.n_words)).rstrip() for row in rows]


def _cut(row: list[str], most: tuple[int, ...]) -> Iterator[str]:
    """Shorten the words of a row, but never the night a house was shut.

    Examples
    --------
    >>> list(_cut(["The Golden Goose (shut 7)", "harbour", "9,000"], (17, 6)))
    ['The Gol… (shut 7)', 'harbo…', '9,000']
    """
    for i, cell in enumerate(row):
        if i >= len(most) or len(cell) <= most[i]:
            yield cell
            continue
        shut = _SHUT.search(cell)
        tail = shut[0] if shut else ""
        yield f"{cell[: most[i] - len(tail) - 1].rstrip()}…{tail}"


def _cells(row: list[str], widths: list[int], n_words: int) -> Iterator[str]:
    for i, (cell, width) in enumerate(zip(row, widths, strict=True)):
        yield cell.ljust(width) if i < n_words else cell.rjust(width)


def markdown_of(books: TownBooks) -> str:
    """The same as Markdown: headings, lists and tables."""
    return as_markdown(sections_of(books))


def as_markdown(sections: Iterable[Section]) -> str:
    """Sections one below the other, as Markdown; the first title is that of the page."""
    blocks: list[str] = []
    for section in sections:
        title = section.title or (section.grid.heads[0] if section.grid else "")
        blocks.append(f"{'##' if blocks else '#'} {_escaped(title)}")
        if section.lines:
            blocks.append("\n".join(f"- {_escaped(line)}" for line in section.lines))
        if section.grid:
            heads = section.grid.heads if section.title else ["", *section.grid.heads[1:]]
            blocks.append("\n".join(_table(section.grid._replace(heads=heads))))
    return "\n\n".join(blocks)


def _table(grid: Grid) -> Iterator[str]:
    rule = [":--" if i < grid.n_words else "--:" for i in range(len(grid.heads))]
    for row in (grid.heads, rule, *grid.rows):
        cells = row if row is rule else map(_escaped, row)
        yield f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    r"""Text in which Markdown finds no marks of its own.

    Examples
    --------
    >>> print(_escaped("The *Fox* | <b>"))
    The \*Fox\* \| \<b\>
    """
    for mark in "\\`*_|<>[]":
        text = text.replace(mark, f"\\{mark}")
    return text
