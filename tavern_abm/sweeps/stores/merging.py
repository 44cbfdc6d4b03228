"""From the streams of workers to tables: sorted by run, each run once, the same bytes always.

What is read is a handful of runs at a time, wherever they lie in the streams, so memory
does not grow with the number of runs.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ... import folders
from ..errors import SweepError
from . import locking
from .manifest import Manifest, differences
from .parts import FOLDER
from .records import RECORDS, STREAMS, Header, Index, beside, line_of, read_index
from .rows import Reader, verify_repeated
from .store import DESIGN, OWN, WRITTEN, Store, StoreTally, tally_of
from .store_tables import TABLES, Progress, write_tables
from .streams import Stream, head_of, schema_of

MERGED = "merged.json"
MOST_TOLD = 10

type Tell = Callable[[str], None]


def merge(
    stores: Sequence[str | Path],
    out: str | Path | None = None,
    tell: Tell | None = None,
    progress: Progress | None = None,
) -> Path:
    """Make the tables of a sweep, or one sweep of its shards.

    Parameters
    ----------
    stores : sequence of path
        One store, whose tables are put into it; or the shards of a design.
    out : path, optional
        A new store for all of it. Of several stores it is ``sweeps/<name>`` if nothing is said.
    tell : callable, optional
        Told in one line what is missing or was left out.
    progress : callable, optional
        Told how many more runs have been read.

    Returns
    -------
    Path
        The store that has the tables.

    Raises
    ------
    SweepError
        If stores are of different designs or versions, `out` is taken, rows are damaged, or
        a run was done twice and gave two different things.
    """
    if not stores:
        raise SweepError("there is nothing to merge; name a store")
    found = [Store.open(each) for each in _each_once(stores)]
    if len(found) == 1 and (out is None or _is_same(found[0].path, Path(out))):
        merged = _in_place(found[0], progress)
    else:
        merged = _into_one(found, out, progress)
    for text in _remarks(merged):
        (tell or _silent)(text)
    return merged.place


class Merged(NamedTuple):
    """What came of it.

    Attributes
    ----------
    place : Path
        The store with the tables.
    tally : StoreTally
        What is in them.
    n_damaged : int
        Records that were left out.
    absent : tuple of int
        Shards that were not among the stores.
    """

    place: Path
    tally: StoreTally
    n_damaged: int
    absent: tuple[int, ...] = ()


def is_current(store: Store) -> bool:
    """Whether the tables of a store have all that workers have written."""
    if not all((store.path / f"{name}.parquet").is_file() for name in TABLES):
        return False
    return bool(_merged(store.path).get("parts") == fingerprint(store.parts))


def fingerprint(parts: Path) -> str:
    """What a folder of parts holds, by names and sizes of its records."""
    files = sorted(parts.glob(f"*{RECORDS}"))
    text = "".join(f"{file.name} {file.stat().st_size}\n" for file in files)
    return hashlib.sha256(text.encode()).hexdigest()


def _merged(folder: Path) -> dict[str, Any]:
    try:
        said = json.loads((folder / MERGED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}


# ------------------------------------------------------------------- one store


def _in_place(store: Store, progress: Progress | None) -> Merged:
    with locking.merging(store.path) as is_alone:
        if is_alone:
            for left in store.path.glob(".merging-*"):
                shutil.rmtree(left, ignore_errors=True)
        aside = Path(tempfile.mkdtemp(prefix=".merging-", dir=store.path))
        try:
            mark = fingerprint(store.parts)  # what comes in from now on may not be in the tables
            index = write_tables(store, aside, progress=progress)
            for name in TABLES:
                (aside / f"{name}.parquet").replace(store.path / f"{name}.parquet")
            tally = tally_of(index, store.manifest.planned)
            _write_mark(store.path, mark, tally)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    return Merged(store.path, tally, index.n_damaged)


def _write_mark(folder: Path, mark: str, tally: StoreTally) -> None:
    said = {"parts": mark, **tally._asdict(), "missing": tally.missing}
    folders.put_file(folder / MERGED, (json.dumps(said, indent=2) + "\n").encode())


# ----------------------------------------------------------------- many stores


def _into_one(stores: list[Store], out: str | Path | None, progress: Progress | None) -> Merged:
    _verify_alike(stores)
    first = max(stores, key=lambda store: store.manifest.replications or 0)
    place = Path(out) if out is not None else Path("sweeps", first.manifest.name)
    if not folders.is_empty(place):
        raise SweepError("something is there already; name another --out", place)
    manifest = _joint(stores, first.manifest)
    parts = [store.parts for store in stores]
    index = read_index(parts, manifest.design, manifest.source)
    verify_repeated(index)
    try:
        with folders.filled_aside(place, force=False) as aside:
            _copy_design(first.path, aside)
            (aside / FOLDER).mkdir()
            _copy_runs(index, manifest, aside / FOLDER)
            tally = tally_of(index, manifest.planned)
            status = "stopped" if tally.missing else "finished"
            manifest.with_(status=status).write(aside)
            write_tables(Store.open(aside), aside, place, progress)
            _write_mark(aside, fingerprint(aside / FOLDER), tally)
    except folders.OccupiedError as error:
        raise SweepError(f"{error.problem}; name another --out") from None
    return Merged(place, tally, index.n_damaged, _absent(stores))


def _verify_alike(stores: list[Store]) -> None:
    """See that all stores are of one design and one version."""
    first = stores[0]
    for store in stores[1:]:
        if store.manifest.design != first.manifest.design:
            told = next(differences(first.document, store.document), "it differs")
            told = told.replace(" there,", f" in {first.path},").replace(" here", " in this one")
            raise SweepError(f"a sweep of another design than {first.path} ({told})", store.path)
        if store.manifest.source != first.manifest.source:
            its, others = (each.manifest.versions.get("tavern_abm") for each in (store, first))
            text = (
                f"played by another tavern-abm than {first.path} (version {its}, source "
                f"{store.manifest.source[:12]}; there {others}, "
                f"{first.manifest.source[:12]}): results would mix"
            )
            raise SweepError(text, store.path)


def _joint(stores: list[Store], first: Manifest) -> Manifest:
    return first.with_(shard=None, merged_from=tuple(store.path.name for store in stores))


def _copy_design(source: Path, into: Path) -> None:
    for name in (DESIGN, WRITTEN):
        if (source / name).is_file():
            folders.write_file(into / name, (source / name).read_bytes())
    if (source / OWN).is_dir():
        shutil.copytree(source / OWN, into / OWN)


def _copy_runs(index: Index, manifest: Manifest, parts: Path) -> None:
    """Copy the runs that count into one part, in the order of their numbers."""
    target = parts / f"merged{RECORDS}"
    version = manifest.versions.get("tavern_abm")
    header = line_of(Header(manifest.design, manifest.source, version, "merged", 0))
    with Reader(index) as reader, contextlib.ExitStack() as stack:
        copies = {"records": stack.enter_context(Stream(target, header))}
        for file, record in reader.records():
            spans: dict[str, Any] = {}
            for name in STREAMS:
                content = reader.content(file, name, record)
                if content is None:
                    continue
                if name not in copies:
                    copy = Stream(beside(target, name), _head(name, manifest))
                    copies[name] = stack.enter_context(copy)
                spans[name] = copies[name].append(content)
            copies["records"].append(line_of(record._replace(**spans)))


def _head(stream: str, manifest: Manifest) -> bytes:
    columns = {"outcomes": manifest.outputs, "series": manifest.series}
    return head_of(schema_of(stream, columns[stream]) if stream in columns else None)


# ---------------------------------------------------------------------- remarks


def _absent(stores: list[Store]) -> tuple[int, ...]:
    """Numbers of the shards that are not among the stores, if all are shards of one division."""
    shards = [store.manifest.shard for store in stores]
    counts = {shard[1] for shard in shards if shard is not None}
    if None in shards or len(counts) != 1:
        return ()
    there = {shard[0] for shard in shards if shard is not None}
    return tuple(number for number in range(1, counts.pop() + 1) if number not in there)


def _remarks(merged: Merged) -> Iterator[str]:
    place, tally = merged.place, merged.tally
    if merged.absent:
        numbers = ", ".join(map(str, merged.absent[:MOST_TOLD]))
        more = f" and {len(merged.absent) - MOST_TOLD} more" * (len(merged.absent) > MOST_TOLD)
        yield f"{place}: not among the stores: shard {numbers}{more}"
    if tally.missing:
        yield f"{place}: {tally}; tavern sweep --resume plays them"
    if merged.n_damaged:
        records = "1 record is" if merged.n_damaged == 1 else f"{merged.n_damaged} records are"
        yield (
            f"{place}: {records} torn, as a process that is killed leaves them; "
            "what they were of counts as not played"
        )


def _each_once(stores: Sequence[str | Path]) -> list[Path]:
    """Folders without those that are named twice."""
    return list({Path(each).resolve(): Path(each) for each in stores}.values())


def _is_same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()


def _silent(_: str) -> None:
    """Tell nobody."""
