"""Single fields set by dotted path, as ``--set taverns.0.rake_bp=500`` does."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path as FilePath
from typing import Any

from pydantic import ValidationError

from .anchoring import anchor
from .messages import Place, problems_of
from .positions import Path
from .problems import Problem, ScenarioError, shown
from .schema import Scenario
from .verifying import naming_problems

SOURCE = "settings"
"""What stands in place of a file's name in messages about settings."""


def parse_setting(text: str) -> tuple[str, Any]:
    """Read ``path=value``.

    The value is read as TOML writes it (``500``, ``0.1``, ``true``, ``"text"``,
    ``{guard = 3}``); anything that is no TOML value is text as it stands.

    Raises
    ------
    ValueError
        If there is no ``=`` with a path before it.

    Examples
    --------
    >>> parse_setting("taverns.0.rake_bp=500"), parse_setting("taverns.0.custom=orc")
    (('taverns.0.rake_bp', 500), ('taverns.0.custom', 'orc'))
    """
    path, equals, value = text.partition("=")
    if not equals or not path.strip():
        raise ValueError(f"not a setting: {text!r}; write it like taverns.0.rake_bp=500")
    return path.strip(), _value(value.strip())


def with_settings(scenario: Scenario, settings: Mapping[str, Any]) -> Scenario:
    """See `Scenario.with_settings`."""
    data = scenario.model_dump(exclude_none=True)
    for path, value in settings.items():
        _put(data, path, _plain(deepcopy(value)))
    # What nobody has said stays unsaid: a town is filled up around what is said.
    said = scenario.model_fields_set | {path.partition(".")[0] for path in settings}
    data = {name: value for name, value in data.items() if name in said}
    anchor(data, FilePath.cwd())
    try:
        changed = Scenario.model_validate(data)
    except ValidationError as error:
        raise ScenarioError(*problems_of(error, _locate)) from None
    problems = naming_problems(changed, _locate)
    if problems:
        raise ScenarioError(*problems)
    return changed


def _value(text: str) -> Any:
    try:
        table = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    # A line break in the text could smuggle in further keys.
    return table["value"] if set(table) == {"value"} else text


def _plain(value: Any) -> Any:
    """A Python number for one of NumPy's, which strict types refuse."""
    return value.item() if hasattr(value, "item") and not isinstance(value, dict) else value


def _put(data: dict[str, Any], path: str, value: Any) -> None:
    *outer, last = path.split(".")
    table: Any = data
    for depth, key in enumerate(outer, start=1):
        table = _inner(table, key, path, outer[: depth - 1])
    if isinstance(table, list):
        number = _number(table, last, path, outer)
        table[number : number + 1] = [value]
    elif not isinstance(table, dict):
        raise _error(path, f"{'.'.join(outer)} is no table (it is {shown(table)})")
    elif value is None:
        table.pop(last, None)
    else:
        table[last] = value


def _inner(table: Any, key: str, path: str, outer: list[str]) -> Any:
    """The table or list under a key, made if it is not there."""
    if isinstance(table, list):
        number = _number(table, key, path, outer)
        if number == len(table):
            table.append({})
        return table[number]
    if not isinstance(table, dict):
        raise _error(path, f"{'.'.join(outer)} is no table (it is {shown(table)})")
    return table.setdefault(key, {})


def _number(entries: list[Any], key: str, path: str, outer: list[str]) -> int:
    name = ".".join(outer)
    if not key.isdecimal():
        raise _error(path, f"{name} is a list: a number must follow, as in {name}.0 (got '{key}')")
    if int(key) > len(entries):
        known = f"it has {len(entries)}, and {name}.{len(entries)} adds one"
        raise _error(path, f"no such entry of {name} (got {key}; {known})")
    return int(key)


def _error(path: str, text: str) -> ScenarioError:
    return ScenarioError(Problem(SOURCE, None, path, text))


def _locate(path: Path) -> Place:
    return SOURCE, None
