"""RO-Crates: what makes the folder of a run tell machines what it is.

A folder gets one file, ``ro-crate-metadata.json``: JSON-LD that names every file with what
it holds and its SHA-256, and the act that made them: with which software, which seed, from
when to when. It keeps to RO-Crate 1.1 and to the Process Run Crate profile, which
repositories such as WorkflowHub and Zenodo's importers read. What a sweep tells of itself is
made of the same entities: see `sweeps.stores.crate`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ..folders import put_file
from .entities import METADATA, Entity, Publisher, crate_bytes, publisher_in
from .of_runs import entities_of_run

__all__ = ["METADATA", "Publisher", "crate_of_run", "put_crate", "write_crate"]


def write_crate(folder: Path, publisher: Publisher | None = None) -> None:
    """Write the metadata of a run's folder that is complete otherwise, or write them anew.

    Parameters
    ----------
    folder : pathlib.Path
        Of a finished run.
    publisher : Publisher, optional
        Who publishes it, and under which licence. Left out: as the metadata that are there
        say; where there are none, that no licence has been stated.

    Raises
    ------
    FileNotFoundError
        If it holds none.
    ValueError
        If what it holds is damaged.
    OSError
        If the file cannot be written.
    """
    info = _json_in(folder / "run.json")
    put_crate(folder, publisher, lambda publisher: entities_of_run(folder, info, publisher))


def put_crate(
    folder: Path, publisher: Publisher | None, make: Callable[[Publisher], Iterable[Entity]]
) -> None:
    """Put the metadata into a folder.

    Parameters
    ----------
    folder : pathlib.Path
        Of a run or a sweep.
    publisher : Publisher or None
        Who publishes it; None: whoever the metadata that are there name.
    make : callable
        Gives the entities of the folder for a publisher.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    made = make(publisher or _publisher_so_far(folder))
    put_file(folder / METADATA, crate_bytes(made))


def crate_of_run(folder: Path, info: dict[str, Any]) -> bytes:
    """The metadata of a run's folder in which all is but ``run.json``, which says `info`."""
    return crate_bytes(entities_of_run(folder, info, Publisher()))


def _publisher_so_far(folder: Path) -> Publisher:
    """Whoever has put his name to a folder; nobody if there are no metadata to be read."""
    try:
        return publisher_in(_json_in(folder / METADATA))
    except (OSError, ValueError, LookupError, TypeError):
        return Publisher()


def _json_in(file: Path) -> dict[str, Any]:
    """A JSON object from a file."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        text = f"{file.parent}: not a run (it has no {file.name})"
        raise FileNotFoundError(text) from None
    except ValueError as error:
        raise ValueError(f"{file}: damaged: {error}") from error
    if not isinstance(found, dict):
        raise ValueError(f"{file}: damaged: not a JSON object")
    return found
