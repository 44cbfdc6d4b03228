"""Paths in a scenario, made to hold from anywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any


def anchor(data: dict[str, Any], folder: Path) -> None:
    """Make the paths in a scenario's tables absolute, as seen from a folder.

    These are ``data`` and those options of games that are text ending in
    ``.toml``, such as the course of a race. What is not of the right shape
    stays as it is, for the schema to say so.

    Parameters
    ----------
    data : dict
        Tables of a scenario file, perhaps faulty; changed in place.
    folder : Path
        Where relative paths start.

    Examples
    --------
    >>> races = [{"game": "race", "options": {"course": "/far/../mill.toml", "pacing": True}}]
    >>> anchor({"taverns": [{"yard": races}]}, Path())
    >>> races[0]["options"]
    {'course': '/mill.toml', 'pacing': True}
    """
    absolute = partial(_absolute, folder)
    named_anew(data, folder=absolute, file=absolute)


def named_anew(
    data: dict[str, Any], *, folder: Callable[[str], str], file: Callable[[str], str]
) -> None:
    """Give the folder and the files that a scenario's tables name other names.

    Parameters
    ----------
    data : dict
        Tables of a scenario file, perhaps faulty; changed in place.
    folder, file : callable
        The new name, for the one that is there.
    """
    if isinstance(data.get("data"), str):
        data["data"] = folder(data["data"])
    for options in _options(data):
        for name, value in options.items():
            if isinstance(value, str) and value.endswith(".toml"):
                options[name] = file(value)


def _absolute(folder: Path, given: str) -> str:
    try:
        return str((folder / given).resolve())
    except (OSError, ValueError, RuntimeError):
        return given  # no path at all, or links that go round in a circle


def _options(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for tavern in _tables(data.get("taverns")):
        for place in (*_tables(tavern.get("tables")), *_tables(tavern.get("yard"))):
            if isinstance(place.get("options"), dict):
                yield place["options"]


def _tables(entries: Any) -> list[dict[str, Any]]:
    """The tables in a list; none if it is no list."""
    listed = entries if isinstance(entries, list) else []
    return [entry for entry in listed if isinstance(entry, dict)]
