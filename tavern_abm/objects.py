"""What is thrown in a long throw: the objects of ``data/objects.toml``.

A user's own folder goes before the shipped one: each object of a file of that
name takes the place of the shipped object of the same name, or is added at the end.
"""

from __future__ import annotations

import difflib
import functools
import re
from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator

from .asking import RefusedError, near
from .data_tables import DataError, Entry, Source, merged, read_source, verify_folder
from .shipped import shipped

FILE = "objects.toml"
_NAME = re.compile(r"[a-z0-9'’]+( [a-z0-9'’]+)*")


class ThrownObject(Entry):
    """Something to throw: its weight, its range increment, and what it is.

    Examples
    --------
    >>> ThrownObject(name="anvil", weight_lb=110, increment_ft=2).the
    'the anvil'
    """

    weight_lb: Annotated[int, Field(ge=1, le=1_000_000)]
    increment_ft: Annotated[int, Field(ge=1, le=1000)]
    weapon: bool = False
    person: bool = False
    about: str = ""

    @field_validator("name")
    @classmethod
    def _is_spoken(cls, name: str) -> str:
        if not _NAME.fullmatch(name):
            raise ValueError(f"must be small letters, words parted by one space (got {name!r})")
        return name

    @property
    def the(self) -> str:
        """As a sentence has it."""
        return f"the {self.name}"


def load_objects(folder: str | Path | None = None) -> dict[str, ThrownObject]:
    """Read the shipped objects, and before them those of a user's folder.

    Parameters
    ----------
    folder : str or Path, optional
        A folder that may hold an ``objects.toml`` beside other tables. A
        relative one is looked for from the current folder.

    Returns
    -------
    dict of str to ThrownObject
        By name, in the order of the files.

    Raises
    ------
    DataError
        If there is no such folder, or an object is wrong; the message names
        file, entry and what is allowed.

    Examples
    --------
    >>> log = load_objects()["log"]
    >>> log.weight_lb, log.increment_ft
    (150, 2)
    """
    sources = [read_source(shipped("data") / FILE)]
    if folder is not None:
        sources += _own_files(Path(folder))
    return dict(_built(tuple(sources)))


@functools.lru_cache(maxsize=16)
def _built(sources: tuple[Source, ...]) -> dict[str, ThrownObject]:
    return merged(sources, "object", ThrownObject)


def _own_files(folder: Path) -> list[Source]:
    """The file of a user's folder, if there is one; none that looks like it is misspelt."""
    verify_folder(folder)
    names = [path.name for path in sorted(folder.glob("*.toml"))]
    if FILE in names:
        return [read_source(folder / FILE)]
    for name in difflib.get_close_matches(FILE, names, 1, 0.8):
        raise DataError(folder / name, f"no table of that name (did you mean {FILE!r}?)")
    return []


def find_object(name: str, folder: str | Path | None = None) -> ThrownObject:
    """The object of a name; capitals and hyphens for spaces are allowed.

    Raises
    ------
    RefusedError
        If there is none; the nearest is named.
    DataError
        As `load_objects`.

    Examples
    --------
    >>> find_object("Small-Boulder").weight_lb
    56
    """
    objects = load_objects(folder)
    spoken = " ".join(name.lower().replace("-", " ").split())
    if spoken not in objects:
        there_are = near(spoken, objects) or f"; there are {', '.join(objects)}"
        raise RefusedError(f"no such object: '{name}'{there_are}", "object")
    return objects[spoken]
