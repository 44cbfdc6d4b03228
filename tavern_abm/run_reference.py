"""The reference page of run folders, made from what `run_columns` says.

``python -m tavern_abm.run_reference > docs/reference/run-folder.md`` writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .events import event_kinds
from .run_columns import FILES, INFO, STATE, TABLES, TOTALS
from .tables.record import COUNTS
from .tables_described import Table

_OPENING = """\
# The run folder

Made by `python -m tavern_abm.run_reference` from `tavern_abm/run_columns.py`; a test holds it equal
to the files that are written.

`tavern run` writes one folder a run, by default `runs/<scenario>-<seed>`. It appears whole or not
at all: it is filled under another name beside its place and moved there at the end. The same
scenario, seed and version give the same bytes in every table, on any number of threads.

Tables are Parquet, one row per observation. Money is in whole copper pieces (cp): 1 gp = 10 sp =
100 cp. Nights and rounds count from 1. Ids count from 1 as well, and 0 stands for nobody or
nowhere; a `patron_id` is one person's for good. The words *just* and *unjust* measure by the
truth: a cheat is one of the cheating kind who has tried a trick by then.

    import pandas as pd

    nights = pd.read_parquet("runs/rusty-flagon-1/nights.parquet")
    nights[["night", "guests", "tricks_tried", "gini"]]
"""


def markdown() -> str:
    """The page as text."""
    return "\n".join(
        [
            _OPENING,
            _section("Files", ("file", "what it holds"), _files()),
            *(_table(name, table) for name, table in TABLES.items()),
            _section("Kinds of event", ("kind", "meaning"), event_kinds().items()),
            _section("`run.json`", ("key", "meaning"), INFO.items()),
            _section("`totals` in `run.json`", ("key", "meaning"), _totals()),
            _section("`state.npz`", ("array", "meaning"), STATE.items(), _STATE),
        ]
    )


_STATE = """
NumPy arrays without pickle: `numpy.load(file)`. Those of `people.` and `sheet.` have an entry a
row, those of `beliefs.`, `acquaintances.` and `known.` a row of places a person, those of
`versions.` an entry a rumour (`rumor_id - 1`). Row `patron_id - 1` is that patron.

It is all that `tavern run --from` needs beside the scenario, the seed and the tables: a run that
goes on from it is the same, in every table, as one that never stopped.
"""


def _files() -> Iterator[tuple[str, str]]:
    yield from FILES.items()
    for name, table in TABLES.items():
        yield f"{name}.parquet", f"a row is {table.row}"


def _totals() -> Iterator[tuple[str, str]]:
    columns = {column.name: column for column in TABLES["nights"].columns}
    for name in COUNTS:
        yield name, f"{columns[name].meaning} (sum over nights and taverns)"
    yield from TOTALS.items()


def _section(
    title: str, head: tuple[str, ...], rows: Iterable[tuple[str, ...]], about: str = ""
) -> str:
    lines = [f"| {' | '.join((f'`{name}`', *cells))} |" for name, *cells in rows]
    rule = "|".join("---" for _ in head)
    return "\n".join([f"## {title}", about, f"| {' | '.join(head)} |", f"|{rule}|", *lines, ""])


def _table(name: str, table: Table) -> str:
    return _section(
        f"`{name}.parquet`",
        ("column", "type", "unit", "meaning"),
        table.columns,
        f"\nA row is {table.row}.\n",
    )


if __name__ == "__main__":
    print(markdown(), end="")
