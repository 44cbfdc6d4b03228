"""The folder of a sweep as an RO-Crate: what it tells machines of itself.

The folder of a sweep that is not merged yet, or of a shard, gets its metadata as well.
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

from ...crates import Publisher, put_crate
from ...crates.entities import (
    ACTIVE,
    COMPLETED,
    Entity,
    file_entity,
    profile,
    programs,
    rights,
    to,
    value,
)
from ..measuring.own_outputs import OWN
from .again import command_for
from .frames import table
from .manifest import FILE, Manifest
from .merging import MERGED
from .parts import FOLDER
from .store import DESIGN, WRITTEN, Store
from .store_tables import TABLES

INPUTS = (DESIGN, WRITTEN, f"{OWN}/")
FILES = {
    FILE: "what was played, with what, and how far it has come",
    DESIGN: "the whole design: all that it takes to play the sweep again",
    WRITTEN: "the design as it was written; what was asked for besides is not in it",
    MERGED: "of how many runs the tables were merged, how many are missing, and one digest of all",
}
"""What may be in such a folder beside its tables, in this order."""
OF_OWN = {
    ".py": "code of outputs that are a user's own",
    ".toml": "a table of a user's own that the scenario names",
}
"""What is a user's own, by the ending of its file."""
ROWS = {
    "runs": "a row a run: its numbers, seed, status, digest, and what its design point sets",
    "outcomes": "a row a finished run, a column an output",
    "series": "a row a finished run and night, a column a series",
    "failures": "a row a failed run: seed, error, and the command that plays it again",
    "timings": "a row a run: when, where and how long it was played",
}
"""What the tables hold."""


def write_crate(store: str | Path, publisher: Publisher | None = None) -> None:
    """Write the metadata of a sweep's folder, or write them anew.

    Parameters
    ----------
    store : str or Path
        Of a sweep, merged or not.
    publisher : Publisher, optional
        Who publishes it, and under which licence. Left out: as the metadata that are there
        say; where there are none, that no licence has been stated.

    Raises
    ------
    SweepError
        If it is no sweep, or damaged.
    OSError
        If the file cannot be written.
    """
    found = Store.open(store)
    put_crate(found.path, publisher, lambda publisher: entities_of_sweep(found, publisher))


def entities_of_sweep(store: Store, publisher: Publisher) -> list[Entity]:
    """The root of a sweep's crate, and all that it leads to."""
    folder, info, design = store.path, store.manifest, store.document
    files, parts = list(_files(folder)), list(_parts(folder))
    values, outputs = list(_values(info, design)), list(_outputs(info))
    software = programs(info.versions)
    action = _action(folder, info, software[0], files, values)
    said, entities = rights(publisher)
    if "author" in said:
        action["agent"] = said["author"]
    root = {
        "@id": "./",
        "@type": "Dataset",
        "conformsTo": to(profile()),
        "name": f"sweep {info.name}",
        "description": _about(folder, design),
        "datePublished": action["endTime"],
        **said,
        "hasPart": [to(each) for each in (*files, *parts)],
        "mentions": to(action),
        **({"variableMeasured": [to(each) for each in outputs]} if outputs else {}),
    }
    made = [*values, *outputs, *files, *parts, *software, *entities]
    return [root, profile(), action, *made]


def _about(folder: Path, design: dict[str, Any]) -> str:
    """What was asked, and how many runs answer it."""
    asked = str(design.get("about") or "").strip()
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
    for name, what in (FILES | {f"{each}.parquet": ROWS[each] for each in TABLES}).items():
        if (folder / name).is_file():
            yield file_entity(folder, name, what, is_hashed=name != FILE)
    for file in sorted(folder.glob("summary.*")):
        yield file_entity(folder, file.name, "the summary: means and intervals a design point")
    for ending, what in OF_OWN.items():
        for file in sorted((folder / OWN).rglob(f"*{ending}")):
            yield file_entity(folder, file.relative_to(folder).as_posix(), what)


def _parts(folder: Path) -> Iterator[Entity]:
    """The streams of the workers, as one."""
    if (folder / FOLDER).is_dir():
        yield {
            "@id": f"{FOLDER}/",
            "@type": "Dataset",
            "name": FOLDER,
            "description": "the streams that the workers wrote, of which the tables are merged",
        }


def _values(info: Manifest, design: dict[str, Any]) -> Iterator[Entity]:
    """What went into the sweep beside its files."""
    for said, names in ((design, OF_DESIGN), (vars(info), OF_MANIFEST)):
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


def _outputs(info: Manifest) -> Iterator[Entity]:
    """What is measured of each run."""
    for name in info.outputs:
        yield {
            "@id": f"#output-{quote(name, safe='')}",
            "@type": "PropertyValue",
            "name": name,
            "description": "column of outcomes.parquet",
        }


def _action(
    folder: Path,
    info: Manifest,
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
        "name": f"playing the runs of {info.name}",
        "description": command_for(info.options, info.shard),
        "instrument": to(program),
        "object": [to(each) for each in (*inputs, *values)],
        "result": [to(file) for file in results],
        "startTime": info.created,
        "endTime": _ended(folder),
        "actionStatus": COMPLETED if info.status == "finished" else ACTIVE,
    }


def _ended(folder: Path) -> str:
    """When the last run was over, by the merged tables; now, where there are none yet."""
    ends = datetime.now(UTC)
    if (folder / "timings.parquet").is_file():
        timings = table(folder, "timings", ["started", "seconds"])
        if len(timings):
            spans = pd.to_timedelta(timings["seconds"], unit="s")
            ends = (timings["started"] + spans).max().floor("us").to_pydatetime()
    return ends.isoformat(timespec="seconds")
