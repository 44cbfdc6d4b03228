"""Reading a design: a file of the user's, or a ready one by its name."""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...data_tables import DataError, Source, document_of, read_source
from ...scenario.positions import key_lines
from ...scenario.problems import nearest
from ..design import Design
from ..errors import SweepError
from .making import scenario_design, words_of
from .places import Places
from .ready import ready_designs


def load_design(
    source: str | Path,
    settings: Mapping[str, Any] | None = None,
    *,
    nights: int | None = None,
    replications: int | None = None,
    seed: int | None = None,
) -> Design:
    """Load a design, checked to the last level of its factors.

    Parameters
    ----------
    source : str or Path
        A file, or the name of a ready design: a text counts as a file if it ends in
        ``.toml`` or holds a path separator, or else if there is such a file.
    settings : mapping, optional
        Fields of the scenario set on top of what the design sets, by dotted path.
    nights, replications, seed : int, optional
        In place of what the design says. A number of replications takes the place of
        ``"auto"`` too.

    Raises
    ------
    SweepError
        If anything in the design cannot be used, with file and line.
    ScenarioError
        If the scenario that it names cannot, with that file and line.

    Examples
    --------
    >>> design = load_design("cheating-and-custom", replications=5)
    >>> design.name, design.replications
    ('cheating-and-custom', 5)
    """
    path = find_design(source)
    data, places = _read(path)
    if not data:
        cure = "name a scenario, factors or outputs; `tavern new FILE --sweep` writes a start"
        raise SweepError(f"says nothing of what is to be played: {cure}", path)
    _override(data, {"nights": nights, "replicates": replications, "seed": seed})
    data.setdefault("name", path.stem.lstrip(".")[:60] or "design")
    return scenario_design(words_of(data, places), places, path.parent, settings)


def find_design(source: str | Path) -> Path:
    """The file of a design, by path or by the name of a ready one.

    Raises
    ------
    SweepError
        If there is none; it offers the nearest name.
    """
    name = os.fspath(source)
    known = ready_designs()
    if not isinstance(source, Path) and name in known and not name.endswith(".toml"):
        return known[name]
    path = Path(source)
    if path.is_file():
        return path
    if path.is_dir():
        raise SweepError("is a folder; a design is a TOML file", path)
    raise SweepError(_no_such_design(name, known), path)


def _no_such_design(name: str, known: Mapping[str, Path]) -> str:
    from ...scenario import builtin_scenarios

    if name in builtin_scenarios():
        cure = f'a design names it: scenario = "{name}"; to start one: tavern new FILE --sweep'
        return f"is a scenario, not a design; {cure}"
    guess = nearest(Path(name).stem, known)
    hint = f"did you mean '{guess}'? " if guess else ""
    return f"no such design ({hint}ready are {', '.join(known)}; a file's name ends in .toml)"


def _read(path: Path) -> tuple[dict[str, Any], Places]:
    """What a file says, and on which line."""
    try:
        source = read_source(path)
        source = Source(source.path, source.content.removeprefix(BOM_UTF8))
        data = document_of(source)
    except DataError as error:
        raise SweepError(error.problem, path, error.line) from None
    return data, Places(path, key_lines(source.content.decode()))


def _override(data: dict[str, Any], given: Mapping[str, Any]) -> None:
    data |= {key: value for key, value in given.items() if value is not None}
    if given["replicates"] is not None:
        data.pop("auto", None)
