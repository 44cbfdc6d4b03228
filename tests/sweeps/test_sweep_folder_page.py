"""The page about the folder of a sweep, held against what is written."""

import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tavern_abm.sweeps.stores.merging import merge
from tavern_abm.sweeps.stores.records import RECORDS, STREAMS, Record
from tavern_abm.sweeps.stores.store_tables import TABLES
from tests.sweeps.quick_sweep import FAILS, POINTS, played

PAGE = (Path(__file__).parents[2] / "docs/reference/sweep-folder.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("page") / "s"
    return merge([played(source, fails=FAILS).path])


def rows_of(title: str) -> list[list[str]]:
    """The table under a title of the page, or under a head that begins with it."""
    lines = PAGE.splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith((f"## {title}", title)))
    start = next(k for k in range(start, len(lines)) if lines[k].startswith("|---"))
    rows = []
    for line in lines[start + 1 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


@pytest.mark.parametrize("name", TABLES)
def test_columns(store: Path, name: str) -> None:
    schema = pq.read_schema(store / f"{name}.parquet")
    own = {*POINTS, "a", "b", "s"}
    written = [(f"`{field.name}`", str(field.type)) for field in schema if field.name not in own]
    told = [(row[0], row[1]) for row in rows_of(f"`{name}.parquet`") if row[0] != "..."]
    assert told == written


def test_files(store: Path) -> None:
    named = {row[0].strip("`/") for row in rows_of("Files")}
    there = {path.name for path in store.iterdir() if not path.name.startswith(".")}
    others = {"design.toml", "own", "summary.*", "ro-crate-metadata.json"}
    assert named == there | others
    locks = {path.name for path in store.iterdir() if path.name.startswith(".")}
    assert locks == set(re.findall(r"`(\.(?:lock|playing|merging))`", PAGE))


def test_parts(store: Path) -> None:
    endings = {row[0].strip("`") for row in rows_of("Parts")}
    assert endings == {RECORDS, *STREAMS.values()}
    written = {path.name.partition(".")[2] for path in (store / "parts").iterdir()}
    assert {ending.removeprefix(".") for ending in endings} == written


def test_records() -> None:
    assert [row[0].strip("`") for row in rows_of("| key of a record")] == list(Record._fields)
