"""Writing a run folder, from the model that was played."""

from __future__ import annotations

import contextlib
import ctypes
import io
import json
import math
import re
import secrets
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from . import crates, folders
from .continuing.interventions import written
from .continuing.sameness import digest_of_files, own_decisions
from .continuing.standing import state
from .results import Making, all_rounds
from .run_columns import FILES, TABLES
from .run_folder import FINISHED, FORMAT, RunFolder
from .versions import versions

if TYPE_CHECKING:
    import pandas as pd

    from .model import TavernModel
    from .results.past import Past

RUN_FILES = frozenset(FILES) | {f"{name}.parquet" for name in TABLES}
"""Names of all that a run folder may hold of ours."""
ASCENDING = {
    "acquaintances": "patron_id",
    "evenings": "patron_id",
    "events": "event_id",
    "patrons": "patron_id",
    "players": "patron_id",
    "rumors": "rumor_id",
    "tellings": "telling_id",
    "wealth": "patron_id",
}
"""Columns that climb from row to row: what is stored of them is by how much."""
STEPS = len(Making.names) + 3
"""Steps of writing a run: how things stand, the tables, the totals and the report page."""
_ARROW = {
    "bool": pa.bool_(),
    "int8": pa.int8(),
    "int16": pa.int16(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "float32": pa.float32(),
    "float64": pa.float64(),
    "text": pa.string(),
    "list of int32": pa.list_(pa.int32()),
    "list of float64": pa.list_(pa.float64()),
    "list of text": pa.list_(pa.string()),
}


def default_folder(scenario: str, seed: int) -> Path:
    """Where a run goes if nothing else is said.

    Examples
    --------
    >>> default_folder("rusty-flagon", 7).as_posix()
    'runs/rusty-flagon-7'
    """
    return Path("runs", f"{scenario}-{seed}")


def folder_beside(run: Path, nights: int) -> Path:
    """Where a run goes that goes on from another up to some night, if nothing else is said.

    Examples
    --------
    >>> folder_beside(Path("runs/river-town-4"), 21).as_posix()
    'runs/river-town-4-night-21'
    >>> folder_beside(Path("runs/river-town-4-night-21"), 28).as_posix()
    'runs/river-town-4-night-28'
    """
    place = run.resolve() if run.name in ("", "..") else run
    return place.with_name(f"{re.sub(r'-night-[0-9]+$', '', place.name)}-night-{nights}")


def holds_run(folder: Path) -> bool:
    """Whether a finished run of ours is in a folder, of this format or another."""
    info = _info_in(folder)
    return info.get("status") == FINISHED and "format" in info


def came_of(folder: Path, run: RunFolder) -> bool:
    """Whether the run in a folder is one that went on from another."""
    source = _info_in(folder).get("continued_from")
    return isinstance(source, dict) and source.get("digest") == run.info.get("digest")


def _info_in(folder: Path) -> dict[str, Any]:
    """What the ``run.json`` of a folder says; nothing if it cannot be read."""
    try:
        info = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return info if isinstance(info, dict) else {}


def write_run(
    model: TavernModel,
    folder: str | Path,
    *,
    started: datetime | None = None,
    report: bool = True,
    force: bool = False,
    beside: bool = False,
    spent: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Path:
    """Write the folder of a run that has been played.

    It appears whole or not at all. A model whose ``record.keep_all`` was set
    before the first night gives the table of all rounds as well. Tables are made,
    written and let go of one after the other.

    Parameters
    ----------
    model : TavernModel
        After its last night.
    folder : str or pathlib.Path
        Where the run shall stand.
    started : datetime, optional
        When the run began.
    report : bool, default True
        Whether to write the report page as well.
    force : bool, default False
        Replace the run that is there. Files that are no run's are kept.
    beside : bool, default False
        Without `force`, stand beside a run that was put there meanwhile.
    spent : bool, default False
        The model is needed no more: it is emptied once its tables are written, so that
        a big town and its report need not fit into memory together.
    progress : callable, optional
        Told what is written next, `STEPS` times in all.

    Returns
    -------
    pathlib.Path
        The folder.

    Raises
    ------
    OccupiedError
        If the folder is not empty and `force` is not set.
    OSError
        If it cannot be written.
    """
    ended = datetime.now(UTC)
    place, tell = Path(folder), progress or _silent

    def elsewhere() -> Path:
        nonlocal place
        place = folders.free_beside(place)
        return place

    folders.verify_free(place, force=force)
    other = elsewhere if beside else None
    with folders.filled_aside(place, RUN_FILES, force=force, elsewhere=other) as aside:
        if spent:
            _give_back()
        making = Making(model, spent=spent)
        for name, content in _files(model, making, tell):
            folders.write_file(aside / name, content)
        info = run_info(model, making, started or ended, ended)
        if spent:
            model.__dict__.clear()
            _give_back()
        tell("report")
        if report:
            folders.write_file(aside / "report.html", _report(RunFolder(aside, info)))
        folders.write_file(aside / crates.METADATA, crates.crate_of_run(aside, info))
        folders.write_file(aside / "run.json", _json(info))
    return place


def _give_back() -> None:
    """Give memory that is free back to the system, where the C library can.

    A big town leaves a tenth of its memory in holes, which the tables would come on top of.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _silent(_: str) -> None:
    """Tell nobody."""


def _files(
    model: TavernModel, making: Making, tell: Callable[[str], None]
) -> Iterator[tuple[str, bytes]]:
    """The files of a run but for its report and ``run.json``, one at a time."""
    yield "scenario.toml", model.scenario.to_toml().encode()
    tell("state")
    if model.record.keep_all or model.record.extent.has_state:
        yield "state.npz", _npz(state(model))
    if model.interventions is not None and model.interventions.done:
        yield "interventions.toml", written(model.interventions.done).encode()
    tell(making.names[0])
    for at, (name, table) in enumerate(making.tables(), start=1):
        yield f"{name}.parquet", parquet(name, table)
        del table  # before the next is made
        tell([*making.names, "totals"][at])
    if model.record.keep_all:
        yield "rounds.parquet", parquet("rounds", all_rounds(model))


def arrow(name: str, table: pd.DataFrame) -> pa.Table:
    """A table in the types that `run_columns` says."""
    columns = TABLES[name].columns
    schema = pa.schema([(column.name, _ARROW[column.type]) for column in columns])
    if not len(table):  # an empty column has forgotten what it would have held
        return schema.empty_table()
    assert list(table.columns) == schema.names, f"table {name}: run_columns.py says otherwise"
    return pa.Table.from_pandas(table, schema=schema, preserve_index=False)


def parquet(name: str, table: pd.DataFrame) -> bytes:
    """A table as the bytes of its Parquet file: the same for the same table."""
    made = arrow(name, table)
    content = io.BytesIO()
    pq.write_table(made, content, compression="zstd", **_encodings(name, made.schema))
    del made
    pa.default_memory_pool().release_unused()
    return content.getvalue()


def _encodings(name: str, schema: pa.Schema) -> dict[str, Any]:
    """How the columns of a table are stored, as far as it is not the usual way."""
    if name not in ASCENDING:
        return {}
    others = [
        f"{field.name}.list.element" if pa.types.is_list(field.type) else field.name
        for field in schema
        if field.name != ASCENDING[name]
    ]
    return {"use_dictionary": others, "column_encoding": {ASCENDING[name]: "DELTA_BINARY_PACKED"}}


def _npz(arrays: dict[str, Any]) -> bytes:
    content = io.BytesIO()
    np.savez_compressed(content, allow_pickle=False, **arrays)
    return content.getvalue()


def run_info(
    model: TavernModel, making: Making, started: datetime, ended: datetime
) -> dict[str, Any]:
    """What ``run.json`` says of a run whose tables have been made."""
    return {
        "format": FORMAT,
        "status": FINISHED,
        "scenario": model.scenario.name,
        "seed": model.seed,
        "replicate": model.replicate,
        "nights": int(model.time),
        "patrons": model.scenario.patrons,
        "record": "full" if model.record.keep_all else "notable",
        "extent": model.record.extent._asdict(),
        "digest": making.digest(),
        "versions": versions(),
        "decisions": own_decisions(model.policy),
        "data_digest": digest_of_files(model.scenario.data),
        "salt": salt_of(model.record.past),
        "continued_from": _source(model.record.past),
        "started": started.isoformat(timespec="seconds"),
        "ended": ended.isoformat(timespec="seconds"),
        "seconds": round((ended - started).total_seconds(), 3),
        "totals": {name: _finite(value) for name, value in making.totals().items()},
        "ledger": model.ledger.summary(),
    }


def salt_of(past: Past | None) -> str:
    """Random digits that nobody can guess; those of the run that was gone on from."""
    known = None if past is None else past.run.info.get("salt")
    return known if isinstance(known, str) and known else secrets.token_hex(16)


def _source(past: Past | None) -> dict[str, Any] | None:
    if past is None:
        return None
    info = past.run.info
    version = info.get("versions", {}).get("tavern_abm")
    return {"nights": info["nights"], "digest": info.get("digest"), "version": version}


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _json(info: dict[str, Any]) -> bytes:
    return (json.dumps(info, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _report(run: RunFolder) -> bytes:
    # Not imported above: drawing takes long to import, and not every run wants it.
    from .report import render

    return render(run).encode()
