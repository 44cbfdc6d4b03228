"""Settings as a design file has them: by dotted path, quoted or not, with files found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from .places import At, Places


class Setting(NamedTuple):
    """A value, and the keys that lead to it in the file."""

    value: Any
    at: At


def flattened(
    table: Mapping[str, Any], at: At = (), places: Places | None = None
) -> dict[str, Setting]:
    """Settings by dotted path, whether the path was written in quotes or not.

    ``"minds.tau" = 0.2`` and ``minds.tau = 0.2`` say the same. What is a table in the
    scenario is opened, so that what it does not say stays; a table of weights is a value.

    Parameters
    ----------
    table : mapping
        As the file has it.
    at : tuple
        Where in the file it stands.
    places : Places, optional
        Lines of the file, for errors.

    Raises
    ------
    SweepError
        If a path is set twice, once in each way of writing; it names both places.

    Examples
    --------
    >>> given = {"minds.tau": 0.2, "talk": {"lie_prob": 0.0}, "taverns": {"0": {"mug_cp": 5}}}
    >>> {path: setting.value for path, setting in flattened(given).items()}
    {'minds.tau': 0.2, 'talk.lie_prob': 0.0, 'taverns.0.mug_cp': 5}
    """
    found: dict[str, Setting] = {}
    for path, setting in _flattened(table, at, ""):
        if path in found:
            places = places or Places()
            line = places.line(found[path].at)
            where = f" (line {line})" if line else ""
            text = f"is set already{where}, written in another way; leave one out"
            raise places.error(setting.at, text, path)
        found[path] = setting
    return found


def _flattened(table: Mapping[str, Any], at: At, prefix: str) -> Iterator[tuple[str, Setting]]:
    for key, value in table.items():
        path = f"{prefix}{plain_path(key)}"
        if isinstance(value, dict) and value and _is_table(path):
            yield from _flattened(value, (*at, key), f"{path}.")
        else:
            yield path, Setting(value, (*at, key))


def plain_path(path: str) -> str:
    """A path without blanks around its parts.

    Examples
    --------
    >>> plain_path(" minds. tau")
    'minds.tau'
    """
    return ".".join(part.strip() for part in path.split("."))


def _is_table(path: str) -> bool:
    """Whether a table of fields stands at a path of a scenario, or a list of such."""
    from ...scenario.messages import part_at

    keys = tuple(int(key) if key.isdecimal() else key for key in path.split("."))
    return part_at(keys) is not None


def values_of(settings: Mapping[str, Setting], folder: Path) -> dict[str, Any]:
    """What settings say, by dotted path, with files as seen from a folder."""
    return {path: anchored(path, each.value, folder) for path, each in settings.items()}


def anchored(path: str, value: Any, folder: Path) -> Any:
    """A setting that is the path of a file or folder, as seen from the design.

    Examples
    --------
    >>> anchored("taverns.0.yard.0.options.course", "../mill.toml", Path("/a/b"))
    '/a/mill.toml'
    >>> anchored("taverns.0.custom", "orc", Path("/a/b"))
    'orc'
    """
    if not isinstance(value, str):
        return value
    is_file = ".options." in path and value.endswith(".toml")
    return str((folder / value).resolve()) if path == "data" or is_file else value


def value_at(data: Mapping[str, Any], path: str) -> Any:
    """What a scenario has at a path; None where it has nothing.

    Parameters
    ----------
    data : mapping
        A scenario as plain tables.
    """
    here: Any = data
    for key in path.split("."):
        if isinstance(here, list):
            here = here[int(key)] if key.isdecimal() and int(key) < len(here) else None
        else:
            here = here.get(key) if isinstance(here, Mapping) else None
    return here
