"""The entities of a sweep's folder.

Plain JSON and file names are all that is looked at: the folder of a sweep of another
version, or of a shard that is not merged yet, gets its metadata as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pandas as pd
import pyarrow.parquet as pq

from .entities import (
    ACTIVE,
    COMPLETED,
    Entity,
    Publisher,
    file_entity,
    profile,
    programs,
    rights,
    to,
    value,
)

MANIFEST = "sweep.json"
PARTS = "parts"
KEYS = ("run_id", "scenario_id", "replication_id")
INPUTS = ("design.json", "design.toml", "own/")
FILES = {
    "sweep.json": "what was played, with what, and how far it has come",
    "design.json": "the whole design: all that it takes to play the sweep again",
    "design.toml": "the design as it was written",
    "runs.parquet": "a row a run: its numbers, seed, status, digest, and what its design point "
    "sets",
    "outcomes.parquet": "a row a finished run, a column an output",
    "series.parquet": "a row a finished run and night, a column a series",
    "failures.parquet": "a row a failed run: seed, error, and the command that plays it again",
    "timings.parquet": "a row a run: when, where and how long it was played",
    "merged.json": "of how many runs the tables were merged, and how many are missing",
}
"""What may be in such a folder, in this order."""


def entities_of_sweep(folder: Path, info: dict[str, Any], publisher: Publisher) -> list[Entity]:
    """The root of a sweep's crate, and all that it leads to.

    Parameters
    ----------
    folder : pathlib.Path
        Of the sweep, merged or not.
    info : dict
        What ``sweep.json`` says.
    """
    design = _design(folder)
    files, parts = list(_files(folder)), list(_parts(folder))
    values, outputs = list(_values(info, design)), list(_outputs(folder))
    software = programs(info.get("versions") or {})
    action = _action(folder, info, software[0], files, values)
    said, entities = rights(publisher)
    if "author" in said:
        action["agent"] = said["author"]
    root = {
        "@id": "./",
        "@type": "Dataset",
        "conformsTo": to(profile()),
        "name": f"sweep {_name(folder, info, design)}",
        "description": _about(folder, info, design),
        "datePublished": action["endTime"],
        **said,
        "hasPart": [to(each) for each in (*files, *parts)],
        "mentions": to(action),
        **({"variableMeasured": [to(each) for each in outputs]} if outputs else {}),
    }
    made = [*values, *outputs, *files, *parts, *software, *entities]
    return [root, profile(), action, *made]


def _design(folder: Path) -> dict[str, Any]:
    """The design as plain data; nothing if it cannot be read."""
    try:
        found = json.loads((folder / "design.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _name(folder: Path, info: dict[str, Any], design: dict[str, Any]) -> str:
    return str(info.get("name") or design.get("name") or folder.resolve().name)


def _about(folder: Path, info: dict[str, Any], design: dict[str, Any]) -> str:
    """What was asked, and how many runs answer it."""
    asked = str(design.get("about") or info.get("about") or "").strip()
    n_runs, n_failed = _n_rows(folder, "runs"), _n_rows(folder, "failures")
    counted = (
        "Runs of the agent-based tavern model tavern_abm, not merged yet."
        if n_runs is None
        else f"{n_runs} runs of the agent-based tavern model tavern_abm, "
        f"{n_failed or 0} of them failed."
    )
    return f"{asked} {counted}".strip()


def _n_rows(folder: Path, table: str) -> int | None:
    """Rows of a merged table, by its footer alone."""
    file = folder / f"{table}.parquet"
    return int(pq.read_metadata(file).num_rows) if file.is_file() else None


def _files(folder: Path) -> Iterator[Entity]:
    """The files that are there, those known first. The manifest changes when a sweep goes on."""
    for name, what in FILES.items():
        if (folder / name).is_file():
            yield file_entity(folder, name, what, is_hashed=name != MANIFEST)
    for file in sorted(folder.glob("summary.*")):
        yield file_entity(folder, file.name, "the summary: means and intervals a design point")
    for file in sorted((folder / "own").rglob("*.py")):
        name = file.relative_to(folder).as_posix()
        yield file_entity(folder, name, "code of outputs that are a user's own")


def _parts(folder: Path) -> Iterator[Entity]:
    """The streams of the workers, as one."""
    if (folder / PARTS).is_dir():
        yield {
            "@id": f"{PARTS}/",
            "@type": "Dataset",
            "name": PARTS,
            "description": "the streams that the workers wrote, of which the tables are merged",
        }


def _values(info: dict[str, Any], design: dict[str, Any]) -> Iterator[Entity]:
    """What went into the sweep beside its files."""
    for said, names in ((design, OF_DESIGN), (info, OF_MANIFEST)):
        for name, what in names.items():
            found = said.get(name)
            if found is not None:
                plain = found if isinstance(found, str | int | float) else json.dumps(found)
                yield value(f"{name}-of-the-sweep", name, plain, what)


OF_DESIGN = {
    "seed": "master seed, from which the seed of each run follows",
    "luck": "shared: all design points share the luck of a replication; own: each has its own",
    "replications": "runs of each design point, or when there are enough",
    "method": "how the design points were made",
}
"""What a design says of itself that tells its runs."""
OF_MANIFEST = {
    "points": "design points",
    "nights": "of every run",
    "shard": "which part of the sweep this is, and of how many",
    "design": "SHA-256 of the design",
    "source": "SHA-256 over the files of the program",
}
"""What the manifest adds."""


def _outputs(folder: Path) -> Iterator[Entity]:
    """What was measured of each run."""
    file = folder / "outcomes.parquet"
    names = pq.read_schema(file).names if file.is_file() else []
    for name in names:
        if name not in KEYS:
            yield {
                "@id": f"#output-{quote(name, safe='')}",
                "@type": "PropertyValue",
                "name": name,
                "description": "column of outcomes.parquet",
            }


def _action(
    folder: Path,
    info: dict[str, Any],
    program: Entity,
    files: list[Entity],
    values: list[Entity],
) -> Entity:
    """The act that turned the design into tables."""
    inputs = [file for file in files if file["@id"].startswith(INPUTS)]
    results = [file for file in files if not file["@id"].startswith(INPUTS)]
    return {
        "@id": "#sweep",
        "@type": "CreateAction",
        "name": f"playing the runs of {folder.resolve().name}",
        "description": _command(folder),
        "instrument": to(program),
        "object": [to(each) for each in (*inputs, *values)],
        "result": [to(file) for file in results],
        "startTime": info.get("created"),
        "endTime": _ended(folder),
        "actionStatus": COMPLETED if info.get("status") == "finished" else ACTIVE,
    }


def _command(folder: Path) -> str:
    """What plays the same again."""
    written = (folder / "design.toml").is_file()
    return "tavern sweep design.toml" if written else "tavern_abm.sweep(design)"


def _ended(folder: Path) -> str:
    """When the last run was over, by the merged tables; now, where there are none yet."""
    file = folder / "timings.parquet"
    ends = datetime.now(UTC)
    if file.is_file():
        timings = pq.read_table(file, columns=["started", "seconds"]).to_pandas()
        if len(timings):
            spans = pd.to_timedelta(timings["seconds"], unit="s")
            ends = (timings["started"] + spans).max().floor("us").to_pydatetime()
    return ends.isoformat(timespec="seconds")
