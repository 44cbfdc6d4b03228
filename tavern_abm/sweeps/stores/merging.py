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

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ... import folders
from ..errors import SweepError
from ..measuring.own_outputs import OWN
from . import locking
from .differing import differences
from .manifest import Manifest
from .parts import FOLDER
from .records import RECORDS, STREAMS, Header, Index, beside, line_of, read_index
from .rows import Reader, verify_repeated
from .shards import Shard
from .store import DESIGN, WRITTEN, Store, StoreTally, tally_of
from .store_tables import TABLES, Progress, verify_points, write_tables
from .streams import Stream, head_of, schema_of

MERGED = "merged.json"
MOST_TOLD = 10

type Tell = Callable[[str], None]


class LostError(SweepError):
    """The tables of a store hold runs that its parts have no more."""


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
        If stores are of different designs or versions, `out` is taken, rows are damaged, a
        run was done twice and gave two different things, or the tables that are there hold
        runs that the parts have no more.
    """
    return merged_of(stores, out, tell, progress).place


def merged_of(
    stores: Sequence[str | Path],
    out: str | Path | None = None,
    tell: Tell | None = None,
    progress: Progress | None = None,
) -> Merged:
    """The same, and what came of it: see `merge`."""
    if not stores:
        raise SweepError("there is nothing to merge; name a store")
    found = [Store.open(each) for each in _each_once(stores)]
    if len(found) == 1 and (out is None or _is_same(found[0].path, Path(out))):
        merged = _in_place(found[0], progress)
    else:
        merged = _into_one(found, out, progress)
    for text in _remarks(merged):
        (tell or _silent)(text)
    return merged


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
    results : str
        Digest of the results of all runs that are done: see `store_tables.Written`.
    absent : tuple of int
        Shards that have runs and were not among the stores.
    """

    place: Path
    tally: StoreTally
    n_damaged: int
    results: str
    absent: tuple[int, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether no run is missing, as far as anybody knows."""
        return not self.tally.missing and not self.absent


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


def results_of(folder: Path) -> str | None:
    """Digest of the results that the tables in a folder hold; None where it was not noted."""
    found = _merged(folder).get("results")
    return found if isinstance(found, str) else None


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
            _verify_no_folders(store.path)
            index, results = write_tables(store, aside, progress=progress)
            _verify_none_lost(store.path, index)
            for name in TABLES:
                (aside / f"{name}.parquet").replace(store.path / f"{name}.parquet")
            tally = tally_of(index, store.manifest.planned)
            _write_mark(store.path, mark, tally, results)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    return Merged(store.path, tally, index.n_damaged, results)


def _verify_no_folders(folder: Path) -> None:
    for name in TABLES:
        if (folder / f"{name}.parquet").is_dir():
            text = "a folder stands where this table goes; move it out of the store"
            raise SweepError(text, folder / f"{name}.parquet")


def _verify_none_lost(folder: Path, index: Index) -> None:
    """See that no run of the tables that are there would be gone from them."""
    held, is_done = _held(folder)
    lost = ~np.isin(held, index.run_ids)
    lost |= is_done & ~np.isin(held, index.run_ids[index.is_done])
    n = int(lost.sum())
    if n:
        runs = "1 run" if n == 1 else f"{n:,} runs"
        text = (
            f"its parts have lost {runs} that its tables hold, so these stay as they are; put "
            f"back what was in {FOLDER}/, or resume the sweep, which plays the lost runs again"
        )
        raise LostError(text, folder)


def _held(folder: Path) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Runs that the table in a folder holds, and whether each is done; none if it is damaged."""
    try:
        table = pq.read_table(folder / "runs.parquet", columns=["run_id", "status"])
    except (OSError, pa.ArrowException):
        return np.empty(0, np.int64), np.empty(0, np.bool_)
    return table["run_id"].to_numpy(), table["status"].to_numpy() == "done"


def _write_mark(folder: Path, mark: str, tally: StoreTally, results: str) -> None:
    said = {"parts": mark, **tally._asdict(), "missing": tally.missing, "results": results}
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
    verify_points(index, manifest.points)
    verify_repeated(index)
    try:
        with folders.filled_aside(place, force=False) as aside:
            _copy_design(first.path, aside)
            (aside / FOLDER).mkdir()
            _copy_runs(index, manifest, aside / FOLDER)
            tally = tally_of(index, manifest.planned)
            status = "stopped" if tally.missing else "finished"
            manifest.with_(status=status).write(aside)
            results = write_tables(Store.open(aside), aside, place, progress).results
            _write_mark(aside, fingerprint(aside / FOLDER), tally, results)
    except folders.OccupiedError as error:
        raise SweepError(f"{error.problem}; name another --out") from None
    return Merged(place, tally, index.n_damaged, results, _absent(stores, manifest))


def _verify_alike(stores: list[Store]) -> None:
    """See that all stores are of one design and one version."""
    first = stores[0]
    for store in stores[1:]:
        if store.manifest.design != first.manifest.design:
            told = next(differences(_document(first), _document(store)), "it differs")
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


def _document(store: Store) -> dict[str, Any]:
    from ..design import unlabelled

    return unlabelled(store.document)


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


def _absent(stores: list[Store], joint: Manifest) -> tuple[int, ...]:
    """Numbers of the shards that are not among the stores, if all are shards of one division.

    A shard that has no runs is none of them: there is no store of it.
    """
    shards = [store.manifest.shard for store in stores]
    counts = {shard[1] for shard in shards if shard is not None}
    if None in shards or len(counts) != 1:
        return ()
    there = {shard[0] for shard in shards if shard is not None}
    (count,) = counts
    others = (Shard(number, count) for number in range(1, count + 1) if number not in there)
    return tuple(shard.number for shard in others if _n_runs(shard, joint))


def _n_runs(shard: Shard, joint: Manifest) -> int:
    """How many runs are a shard's; where nobody knows yet, how many points."""
    if joint.replications is None:
        return shard.n_points(joint.points)
    return shard.count_of(joint.points, joint.replications)


def _remarks(merged: Merged) -> Iterator[str]:
    place, tally = merged.place, merged.tally
    if merged.absent:
        numbers = ", ".join(map(str, merged.absent[:MOST_TOLD]))
        more = f" and {len(merged.absent) - MOST_TOLD} more" * (len(merged.absent) > MOST_TOLD)
        yield f"{place}: not among the stores: shard {numbers}{more}"
    if tally.missing:
        them = "it" if tally.missing == 1 else "them"
        yield f"{place}: {tally}; tavern sweep --resume plays {them}"
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
