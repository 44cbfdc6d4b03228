"""Writing a run folder, from the model that was played."""

from __future__ import annotations

import io
import json
import math
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from . import folders
from .results import digest, rounds_table, totals
from .run_columns import FILES, TABLES
from .run_folder import FINISHED, FORMAT, RunFolder

if TYPE_CHECKING:
    import pandas as pd

    from .model import TavernModel

PACKAGES = ("tavern-abm", "mesa", "numba", "numpy", "pandas", "pyarrow", "scipy")
"""Those that have a say in the results, or in the bytes of the tables."""
RUN_FILES = frozenset(FILES) | {f"{name}.parquet" for name in TABLES}
"""Names of all that a run folder may hold of ours."""
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


def holds_run(folder: Path) -> bool:
    """Whether a finished run of ours is in a folder, of this format or another."""
    try:
        info = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(info, dict) and info.get("status") == FINISHED and "format" in info


def write_run(
    model: TavernModel,
    folder: str | Path,
    *,
    started: datetime | None = None,
    report: bool = True,
    force: bool = False,
) -> Path:
    """Write the folder of a run that has been played.

    It appears whole or not at all. A model whose ``record.keep_all`` was set
    before the first night gives the table of all rounds as well.

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
    place = Path(folder)
    folders.verify_free(place, force=force)
    tables = model.results()
    info = run_info(model, tables, started or ended, ended)
    with folders.filled_aside(place, RUN_FILES, force=force) as aside:
        for name, content in _files(model, tables):
            folders.write_file(aside / name, content)
        if report:
            folders.write_file(aside / "report.html", _report(RunFolder(aside, info)))
        folders.write_file(aside / "run.json", _json(info))
    return place


def _files(model: TavernModel, tables: dict[str, pd.DataFrame]) -> Iterator[tuple[str, bytes]]:
    """The files of a run but for its report and ``run.json``, one at a time."""
    for name, table in tables.items():
        yield f"{name}.parquet", parquet(name, table)
    if model.record.keep_all:
        yield "rounds.parquet", parquet("rounds", rounds_table(model))
    yield "scenario.toml", model.scenario.to_toml().encode()
    yield "state.npz", _npz(state(model))


def parquet(name: str, table: pd.DataFrame) -> bytes:
    """A table as the bytes of its Parquet file: the same for the same table."""
    columns = TABLES[name].columns
    schema = pa.schema([(column.name, _ARROW[column.type]) for column in columns])
    if len(table):
        assert list(table.columns) == schema.names, f"table {name}: run_columns.py says otherwise"
        arrow = pa.Table.from_pandas(table, schema=schema, preserve_index=False)
    else:  # an empty column has forgotten what it would have held
        arrow = schema.empty_table()
    content = io.BytesIO()
    pq.write_table(arrow, content, compression="zstd")
    return content.getvalue()


def state(model: TavernModel) -> dict[str, Any]:
    """How things stand, as plain arrays; with scenario and seed, enough to go on from."""
    ledger = model.ledger
    return {
        "night": np.int64(model.time),
        "n_rows": np.int64(model.n_rows),
        "tills": model.tills,
        "ledger.opening_cp": np.int64(ledger.opening_cp),
        "ledger.outside_cp": np.int64(ledger.outside_cp),
        "ledger.purses": ledger.purses,
        "ledger.tills": ledger.tills,
        **_columns("people", np.asarray(model.people)),
        **_columns("sheet", np.asarray(model.sheet)),
        "beliefs.subject": model.beliefs.subject,
        "beliefs.strength": model.beliefs.strength,
        "beliefs.told": model.beliefs.told,
        **_columns("beliefs", np.asarray(model.beliefs.held)),
        **_columns("acquaintances", np.asarray(model.company.acquaintances)),
        "known.story": model.company.grapevine.store.story,
        **_columns("known", np.asarray(model.company.grapevine.store.known)),
        "known.n_heard": model.company.grapevine.store.n_heard,
    }


def _columns(prefix: str, records: Any) -> dict[str, Any]:
    """The fields of a record array, each as an array of its own."""
    return {f"{prefix}.{name}": np.ascontiguousarray(records[name]) for name in records.dtype.names}


def _npz(arrays: dict[str, Any]) -> bytes:
    content = io.BytesIO()
    np.savez_compressed(content, allow_pickle=False, **arrays)
    return content.getvalue()


def run_info(
    model: TavernModel, tables: dict[str, pd.DataFrame], started: datetime, ended: datetime
) -> dict[str, Any]:
    """What ``run.json`` says of a run with these result tables."""
    return {
        "format": FORMAT,
        "status": FINISHED,
        "scenario": model.scenario.name,
        "seed": model.seed,
        "replicate": model.replicate,
        "nights": int(model.time),
        "patrons": model.scenario.patrons,
        "record": "full" if model.record.keep_all else "notable",
        "digest": digest(tables),
        "versions": {"python": sys.version.split()[0]}
        | {name.replace("-", "_"): _version(name) for name in PACKAGES},
        "started": started.isoformat(timespec="seconds"),
        "ended": ended.isoformat(timespec="seconds"),
        "seconds": round((ended - started).total_seconds(), 3),
        "totals": {name: _finite(value) for name, value in totals(model, tables).items()},
        "ledger": model.ledger.summary(),
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:  # run from a checkout that is not installed
        return None


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _json(info: dict[str, Any]) -> bytes:
    return (json.dumps(info, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _report(run: RunFolder) -> bytes:
    # Not imported above: drawing takes long to import, and not every run wants it.
    from .report import render

    return render(run).encode()
