"""The entities that every crate is made of: files, programs, values, the act that made them.

An entity is a dict with ``@id`` and ``@type``; others point at it by ``{"@id": ...}``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

METADATA = "ro-crate-metadata.json"
RO_CRATE = "https://w3id.org/ro/crate/1.1"
PROCESS_RUN = "https://w3id.org/ro/wfrun/process/0.5"
CONTEXT = [f"{RO_CRATE}/context", {"sha256": "http://schema.org/sha256"}]
"""The terms of RO-Crate 1.1, and one that schema.org took up after it."""
MEDIA_TYPES = {
    ".csv": "text/csv",
    ".html": "text/html",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".npz": "application/zip",
    ".parquet": "application/vnd.apache.parquet",
    ".py": "text/x-python",
    ".toml": "application/toml",
    ".txt": "text/plain",
}
COMPLETED = "http://schema.org/CompletedActionStatus"
ACTIVE = "http://schema.org/ActiveActionStatus"
NO_LICENCE, NO_ORCID = "#licence-of-the-data", "#author"
"""Ids of what has no address of its own."""
MIT = "https://spdx.org/licenses/MIT"
HOMES = {
    "mesa": "https://mesa.readthedocs.io",
    "numba": "https://numba.pydata.org",
    "numpy": "https://numpy.org",
    "pandas": "https://pandas.pydata.org",
    "pyarrow": "https://arrow.apache.org",
    "python": "https://www.python.org",
    "scipy": "https://scipy.org",
}
"""Pages of the programs that ours stands on."""

type Entity = dict[str, Any]


@dataclass(frozen=True)
class Publisher:
    """Who publishes a folder.

    Attributes
    ----------
    author : str, optional
        Name of a person.
    orcid : str, optional
        Such as ``https://orcid.org/0000-0002-1825-0097``.
    affiliation : str, optional
        Name of the organization where the author works, which publishes it.
    license : str, optional
        Address of the licence of the data, such as
        ``https://creativecommons.org/licenses/by/4.0/``.
    """

    author: str | None = None
    orcid: str | None = None
    affiliation: str | None = None
    license: str | None = None


def crate_bytes(entities: Iterable[Entity]) -> bytes:
    """The JSON-LD document of the entities."""
    document = {"@context": CONTEXT, "@graph": [_descriptor(), *entities]}
    return (json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _descriptor() -> Entity:
    """The metadata file's own entity, by which a reader finds the root."""
    return {
        "@id": METADATA,
        "@type": "CreativeWork",
        "conformsTo": {"@id": RO_CRATE},
        "about": {"@id": "./"},
    }


def to(*entities: Entity) -> Any:
    """References to entities: one alone, or a list of them."""
    references = [{"@id": entity["@id"]} for entity in entities]
    return references[0] if len(references) == 1 else references


def profile() -> Entity:
    """The profile that the crates conform to."""
    return {
        "@id": PROCESS_RUN,
        "@type": "CreativeWork",
        "name": "Process Run Crate",
        "version": "0.5",
    }


def file_entity(folder: Path, name: str, description: str, *, is_hashed: bool = True) -> Entity:
    """A file of the folder, with its size and SHA-256 unless it is to change yet."""
    file = folder / name
    entity = {
        "@id": quote(name),
        "@type": "File",
        "name": name,
        "description": description,
        "encodingFormat": MEDIA_TYPES.get(file.suffix, "application/octet-stream"),
    }
    if not is_hashed:
        return entity
    with file.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    return entity | {"contentSize": str(file.stat().st_size), "sha256": digest}


def value(id_: str, name: str, what: Any, description: str) -> Entity:
    """A value that went into the act, or that the whole is known by."""
    return {
        "@id": f"#{id_}",
        "@type": "PropertyValue",
        "name": name,
        "value": what,
        "description": description,
    }


def programs(versions: Mapping[str, str | None]) -> list[Entity]:
    """The package and what it stood on, the package first.

    Parameters
    ----------
    versions : mapping of str to str
        As ``run.json`` has them; None where a version is not known.
    """
    known = {name: version for name, version in versions.items() if version is not None}
    others = [_program(name, known[name]) for name in known if name != "tavern_abm"]
    ours = _program("tavern_abm", known.get("tavern_abm", "unknown"))
    licence = {"@id": MIT, "@type": "CreativeWork", "name": "MIT License", "url": MIT}
    ours |= {
        "description": "Agent-based simulation of taverns",
        "license": to(licence),
        **({"softwareRequirements": to(*others)} if others else {}),
    }
    return [ours, *others, licence]


def _program(name: str, version: str) -> Entity:
    home = HOMES.get(name)
    return {
        "@id": home or f"#{name}-{quote(version)}",
        "@type": "SoftwareApplication",
        "name": name,
        "softwareVersion": version,
        **({"url": home} if home else {}),
    }


def rights(publisher: Publisher) -> tuple[Entity, list[Entity]]:
    """What a root says of its author and licence, and the entities that this points at."""
    licence = _licence(publisher.license)
    said: Entity = {"license": to(licence)}
    if publisher.author is None:
        return said, [licence]
    person: Entity = {
        "@id": publisher.orcid or NO_ORCID,
        "@type": "Person",
        "name": publisher.author,
    }
    said["author"] = to(person)
    if publisher.affiliation is None:
        return said, [licence, person]
    place = {"@id": "#affiliation", "@type": "Organization", "name": publisher.affiliation}
    person["affiliation"] = to(place)
    return said | {"publisher": to(place)}, [licence, person, place]


def publisher_in(document: Entity) -> Publisher:
    """Who published a folder, by its metadata.

    Raises
    ------
    LookupError, TypeError
        If the document is no crate of ours.
    """
    graph = {entity["@id"]: entity for entity in document["@graph"]}
    root = graph["./"]
    licence = root["license"]["@id"]
    stated = None if licence == NO_LICENCE else str(licence)
    if "author" not in root:
        return Publisher(license=stated)
    person = graph[root["author"]["@id"]]
    orcid = None if person["@id"] == NO_ORCID else str(person["@id"])
    place = graph.get(person.get("affiliation", {}).get("@id"), {})
    return Publisher(person["name"], orcid, place.get("name"), stated)


def _licence(address: str | None) -> Entity:
    if address is not None:
        return {"@id": address, "@type": "CreativeWork", "name": address, "url": address}
    return {
        "@id": NO_LICENCE,
        "@type": "CreativeWork",
        "name": "no licence stated",
        "description": "Whoever publishes this folder states the licence of the data. The "
        "program that made them is under the MIT License.",
    }
