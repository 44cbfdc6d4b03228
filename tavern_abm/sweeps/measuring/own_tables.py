"""Tables of one's own that a scenario names, told so that they may lie anywhere.

A document of a sweep says nothing of the machine that it was made on: own tables are named
as they stand in the folder of the sweep, where they are kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from ...scenario.anchoring import anchor, named_anew
from ..errors import SweepError
from .own_outputs import OWN

if TYPE_CHECKING:
    from ...scenario import Scenario
    from ..outputs import Configuration

DATA = f"{OWN}/data"


def portable(tables: dict[str, Any]) -> dict[str, Any]:
    """The tables of a scenario with its own folder and files as they are named in a sweep.

    Files keep their names, below a piece of their SHA-256: two of one name differ there.

    Examples
    --------
    >>> portable({"name": "mine", "data": "/home/me/tables"})
    {'name': 'mine', 'data': 'own/data'}
    """
    made = deepcopy(tables)
    named_anew(made, folder=lambda _: DATA, file=lambda name: _kept_as(Path(name)))
    return made


def digests_of(tables: dict[str, Any]) -> dict[str, str]:
    """SHA-256 of the files that options of games name, by what they are called in a sweep."""
    files = sorted(set(_files_of(tables)))
    return {_kept_as(file): _digest(file) for file in files}


def placed(configuration: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The document of a configuration with own tables where they are in a folder.

    Parameters
    ----------
    configuration : mapping
        As its ``document()`` made it; one that plays another has that as ``played``.
    folder : Path
        Of the sweep.
    """
    made = deepcopy(dict(configuration))
    inner: Any = made
    while isinstance(inner, dict):
        if isinstance(inner.get("said"), dict):
            anchor(inner["said"], folder)
        inner = inner.get("played")
    return made


def scenario_of(configuration: Mapping[str, Any]) -> Scenario:
    """The scenario of a configuration whose own tables are `placed`.

    Raises
    ------
    SweepError
        If it cannot be had any more: own tables are missing, or others than were played.
    """
    from pydantic import ValidationError

    from ...continuing.sameness import digest_of_files
    from ...scenario import Scenario
    from ...scenario.messages import dotted, explained

    said = configuration["said"]
    try:
        scenario = Scenario.model_validate(said)
        _verify_files(said, configuration.get("files", {}))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        text = f"{dotted(first['loc'])}: {explained(first)}"
        raise SweepError(f"what this design plays cannot be had here: {text}") from None
    if digest_of_files(scenario.data) != configuration.get("data_digest"):
        _refuse_changed(scenario.data)
    return scenario


def _verify_files(said: dict[str, Any], digests: Mapping[str, str]) -> None:
    known = set(digests.values())
    for file in sorted(set(_files_of(said))):
        if not file.is_file():
            text = f"no such file (got '{file}')"
            raise SweepError(f"what this design plays cannot be had here: {text}")
        if _digest(file) not in known:
            _refuse_changed(file)


def _refuse_changed(place: Path | str | None) -> NoReturn:
    text = f"its own tables in {place} are not those that it was made with; put them back"
    raise SweepError(f"what this design plays has been changed: {text}")


def own_tables(configuration: Configuration) -> Iterator[tuple[str, bytes]]:
    """The own tables that a configuration is played with: what they are called, and what is in.

    Raises
    ------
    OSError
        If one cannot be read.
    """
    played = getattr(configuration, "played", configuration)
    if not hasattr(played, "scenario"):
        return
    tables = played.scenario.model_dump(mode="json", exclude_unset=True)
    if tables.get("data"):
        folder = Path(tables["data"])
        for file in sorted(folder.rglob("*.toml")):
            yield f"{DATA}/{file.relative_to(folder).as_posix()}", file.read_bytes()
    for file in sorted(set(_files_of(tables))):
        yield _kept_as(file), file.read_bytes()


def _files_of(tables: dict[str, Any]) -> list[Path]:
    found: list[Path] = []

    def noted(name: str) -> str:
        found.append(Path(name))
        return name

    named_anew(deepcopy(tables), folder=str, file=noted)
    return found


def _kept_as(file: Path) -> str:
    return f"{OWN}/{_digest(file)[:12]}/{file.name}"


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
