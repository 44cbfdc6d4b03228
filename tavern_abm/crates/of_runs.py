"""The entities of a run's folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..run_columns import FILES, TABLES
from .entities import (
    COMPLETED,
    METADATA,
    Entity,
    Publisher,
    file_entity,
    profile,
    programs,
    rights,
    to,
    value,
)

INPUTS = ("scenario.toml", "interventions.toml")
"""Files that the run was made from; all others came of it."""


def entities_of_run(folder: Path, info: dict[str, Any], publisher: Publisher) -> list[Entity]:
    """The root of a run's crate, and all that it leads to.

    Parameters
    ----------
    folder : pathlib.Path
        With every file of the run, ``run.json`` perhaps not yet.
    info : dict
        What ``run.json`` says.
    """
    files = [_file(folder, name) for name in _names(folder)]
    values = _values(info)
    software = programs(info.get("versions", {}))
    action = _action(info, software[0], files, values)
    digest = value("digest", "digest", info.get("digest"), _DIGEST)
    said, entities = rights(publisher)
    if "author" in said:
        action["agent"] = said["author"]
    root = {
        "@id": "./",
        "@type": "Dataset",
        "conformsTo": to(profile()),
        "name": f"{info['scenario']}, seed {info['seed']}, {info['nights']} nights",
        "description": _about(info),
        "datePublished": info.get("ended"),
        "identifier": to(digest),
        **said,
        "hasPart": [to(file) for file in files],
        "mentions": to(action),
    }
    return [root, profile(), action, *values, digest, *files, *software, *entities]


_DIGEST = (
    "SHA-256 over the names and values of the result tables. The same scenario, seed and "
    "version give the same: `tavern rerun` of this folder says whether they do"
)


def _about(info: dict[str, Any]) -> str:
    """In a sentence, what was played."""
    return (
        f"One run of the agent-based tavern model tavern_abm: scenario {info['scenario']} with "
        f"{info['patrons']} places, played for {info['nights']} nights with the seed "
        f"{info['seed']}. A table a file, a row an observation."
    )


def _names(folder: Path) -> list[str]:
    """The files of a run that are there, in the order of the reference; ``run.json`` is to come."""
    known = [*FILES, *(f"{name}.parquet" for name in TABLES)]
    others = [name for name in known if name not in (METADATA, "run.json")]
    return ["run.json", *(name for name in others if (folder / name).is_file())]


def _file(folder: Path, name: str) -> Entity:
    """A file with what it holds. The hash of ``run.json`` would hang on what is written last."""
    stem = name.removesuffix(".parquet")
    what = FILES[name] if name in FILES else f"A row is {TABLES[stem].row}"
    return file_entity(folder, name, what, is_hashed=name != "run.json")


def _values(info: dict[str, Any]) -> list[Entity]:
    """What went into the run beside its files."""
    values = [
        value("seed", "seed", info["seed"], "of the run"),
        value("replicate", "replicate", info.get("replicate", 0), "another run of the same seed"),
        value("nights", "nights", info["nights"], "played"),
    ]
    if info.get("decisions"):
        own = ", ".join(info["decisions"])
        values.append(value("decisions", "decisions", own, "that were a user's own code"))
    if info.get("data_digest"):
        what = "SHA-256 over the files of the scenario's own data folder"
        values.append(value("data-digest", "data_digest", info["data_digest"], what))
    source = info.get("continued_from")
    if source:
        what = f"digest of the run of {source['nights']} nights that this one goes on from"
        values.append(value("continued-from", "continued_from", source["digest"], what))
    return values


def _action(
    info: dict[str, Any], program: Entity, files: list[Entity], values: list[Entity]
) -> Entity:
    """The act that turned the scenario and the seed into tables."""
    inputs = [file for file in files if file["@id"] in INPUTS]
    results = [file for file in files if file["@id"] not in INPUTS]
    return {
        "@id": "#run",
        "@type": "CreateAction",
        "name": f"{info['nights']} nights of {info['scenario']}",
        "description": _command(info),
        "instrument": to(program),
        "object": [to(each) for each in (*inputs, *values)],
        "result": [to(file) for file in results],
        "startTime": info.get("started"),
        "endTime": info.get("ended"),
        "actionStatus": COMPLETED,
    }


def _command(info: dict[str, Any]) -> str:
    """What plays the same again."""
    if info.get("continued_from") or info.get("decisions") or info.get("replicate"):
        return "tavern rerun ."
    return f"tavern run scenario.toml --seed {info['seed']} --nights {info['nights']}"
