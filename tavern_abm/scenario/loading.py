"""Reading scenario files: by built-in name or path, with what they extend.

A file is read in four steps: text (`read_document`), the files it extends
(`_extended`), shape and ranges (`_validated`), names (`verify_scenario`).
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ..shipped import shipped
from . import positions
from .anchoring import anchor
from .messages import Place, problems_of, untagged
from .problems import Problem, ScenarioError, nearest, shown
from .schema import Scenario
from .verifying import naming_problems

_TOML_PLACE = re.compile(
    r"\s*\(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)"
)


@dataclass
class Document:
    """What a scenario file says, before it is checked.

    Attributes
    ----------
    source : str
        The file as the user named it.
    data : dict
        Its tables, as `tomllib` gives them.
    places : dict of path to (file, line)
        Where each key was written; several files if it extends another.
    """

    source: str
    data: dict[str, Any]
    places: dict[positions.Path, Place] = field(default_factory=dict)

    def locate(self, path: positions.Path) -> Place:
        """File and line of a path, or of the nearest table around it."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.places:
                return self.places[path[:length]]
        return self.source, None

    def problem(self, path: positions.Path, text: str) -> Problem:
        """A problem at the place of a path."""
        file, line = self.locate(path)
        return Problem(file, line, ".".join(map(str, path)), text)


def load_scenario(
    source: str | Path = "rusty-flagon", settings: Mapping[str, Any] | None = None
) -> Scenario:
    """Load a scenario, checked to the last name.

    A file may start from another one: ``extends = "rusty-flagon"`` or
    ``extends = "../town.toml"`` (as seen from the file that says so). Then its
    own words go first, key by key:

    - tables are merged, however deep;
    - ``taverns``, and the ``tables`` of each, are merged by position: the first
      entry changes the first of the other file and so on, further ones are added;
    - ``people`` are added to the other file's; of two of the same name the new
      one counts alone;
    - anything else replaces what the other file says.

    Without a ``name`` a scenario is called as its file is. ``data`` is a folder
    as seen from the file that names it, and so is a game's option that is the
    path of a ``.toml`` file.

    Parameters
    ----------
    source : str or Path
        The name of a built-in scenario, or a file: a text counts as a file if it
        ends in ``.toml`` or holds a path separator, or else if there is such a file.
    settings : mapping of str to object, optional
        Values by dotted path that override the file: ``{"taverns.0.rake_bp": 500}``.
        Paths among them are seen from the current folder.

    Raises
    ------
    ScenarioError
        If anything in it cannot be used; it holds all problems, with their lines.

    Examples
    --------
    >>> load_scenario("rusty-flagon", {"patrons": 40}).patrons
    40
    """
    scenario = _validated(_extended(_find(source), ()))
    return scenario.with_settings(settings) if settings else scenario


def builtin_scenarios() -> dict[str, Path]:
    """Files of the built-in scenarios by name, in alphabetical order."""
    return {path.stem: path for path in sorted(shipped("scenarios").glob("*.toml"))}


def read_document(path: Path) -> Document:
    """Read one file as it stands, without what it extends.

    Raises
    ------
    ScenarioError
        If there is no such file, or it is not TOML in UTF-8.
    """
    source = str(path)
    text = _text(path)
    try:
        data = tomllib.loads(text)
        lines = positions.key_lines(text)
    except RecursionError:
        raise ScenarioError(Problem(source, None, "", "nested too deeply")) from None
    except ValueError as error:
        raise ScenarioError(_not_toml(source, text, str(error))) from None
    return Document(source, data, {key: (source, line) for key, line in lines.items()})


def _find(source: str | Path) -> Path:
    """The file of a name or path."""
    name = os.fspath(source)
    if isinstance(source, Path) or name.endswith(".toml") or _has_separator(name):
        return Path(source)
    known = builtin_scenarios()
    if name in known:
        return known[name]
    if Path(name).is_file():
        return Path(name)
    raise ScenarioError(Problem(name, None, "", _no_such_scenario(name, known)))


def _has_separator(name: str) -> bool:
    return any(sign in name for sign in filter(None, (os.sep, os.altsep)))


def _no_such_scenario(name: str, known: Mapping[str, Path]) -> str:
    file = f"{name}.toml"
    guess = file if Path(file).is_file() else nearest(name, known)
    hint = f"did you mean '{guess}'? " if guess else ""
    return f"no such scenario ({hint}built in: {', '.join(known)}; a file's name ends in .toml)"


def _text(path: Path) -> str:
    source = str(path)
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise ScenarioError(Problem(source, None, "", _no_such_file(path))) from None
    except IsADirectoryError:
        raise ScenarioError(Problem(source, None, "", "is a folder, not a file")) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ScenarioError(Problem(source, None, "", f"cannot be read: {reason}")) from None
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        byte = f"0x{raw[error.start]:02x}"
        text = f"not UTF-8 text (got byte {byte}); save the file as UTF-8"
        raise ScenarioError(Problem(source, line, "", text)) from None


def _no_such_file(path: Path, given: str = "") -> str:
    try:
        beside = [other.name for other in path.parent.glob("*.toml")]
    except OSError:
        beside = []
    guess = nearest(path.name, beside)
    hints = [
        f"got {shown(given)}" if given else "",
        f"did you mean '{Path(given or path).with_name(guess)}'?" if guess else "",
        f"a built-in scenario is called '{path.name}'" if path.name in builtin_scenarios() else "",
    ]
    return f"no such file ({'; '.join(filter(None, hints))})".removesuffix(" ()")


def _not_toml(source: str, text: str, message: str) -> Problem:
    place = _TOML_PLACE.search(message)
    reason = _TOML_PLACE.sub("", message)
    if place is None:
        return Problem(source, None, "", f"not valid TOML: {reason}")
    if place["line"] is None:
        line = text.rstrip().count("\n") + 1
        return Problem(source, line, "", f"not valid TOML: {reason} at the end of the file")
    column = place["column"]
    return Problem(source, int(place["line"]), "", f"not valid TOML: {reason} (column {column})")


def _extended(path: Path, chain: tuple[Path, ...]) -> Document:
    """A file laid over those it extends. `chain` holds the files that led here."""
    document = read_document(path)
    document.data.setdefault("name", _name_of(path))
    anchor(document.data, path.parent)
    if "extends" not in document.data:
        return document
    base = _base_path(document, path, (*chain, path))
    del document.data["extends"]
    return _merged(_extended(base, (*chain, path)), document)


def _name_of(path: Path) -> str:
    return path.stem.lstrip(".")[:60] or "scenario"


def _base_path(document: Document, path: Path, chain: tuple[Path, ...]) -> Path:
    """The file that a file extends, made sure to be there and not to come round again."""
    given = document.data["extends"]
    if not isinstance(given, str) or not given:
        text = f"must be the name or path of a scenario (got {shown(given)})"
        raise ScenarioError(document.problem(("extends",), text))
    is_path = given.endswith(".toml") or _has_separator(given)
    known = builtin_scenarios()
    is_path = is_path or (given not in known and (path.parent / given).is_file())
    if not is_path and given not in known:
        text = f"{_no_such_scenario(given, known)[:-1]}; got {shown(given)})"
        raise ScenarioError(document.problem(("extends",), text))
    base = path.parent / given if is_path else known[given]
    if not base.is_file():
        text = f"is a folder (got {shown(given)})" if base.is_dir() else _no_such_file(base, given)
        raise ScenarioError(document.problem(("extends",), text))
    if base.resolve() in [link.resolve() for link in chain]:
        names = " -> ".join(link.name for link in (*chain, base))
        raise ScenarioError(document.problem(("extends",), f"goes round in a circle ({names})"))
    return base


def _merged(base: Document, child: Document) -> Document:
    """Lay one document over another; see `load_scenario` for the rules."""
    data = deepcopy(base.data)
    numbers = _merge_people(data, child.data.pop("people", []))
    _merge(data, child.data)
    places = dict(base.places)
    for path, place in child.places.items():
        if path[:1] == ("people",) and len(path) > 1 and path[1] in numbers:
            path = ("people", numbers[path[1]], *path[2:])
        places[path] = place
    return Document(child.source, data, places)


def _merge(base: dict[str, Any], child: Mapping[str, Any]) -> None:
    for key, value in child.items():
        old = base.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            _merge(old, value)
        elif key in ("taverns", "tables") and _are_tables(old) and _are_tables(value):
            for mine, other in zip(old or [], value, strict=False):
                _merge(mine, other)
            base[key] = (old or []) + value[len(old or []) :]
        else:
            base[key] = value


def _are_tables(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, dict) for entry in value)


def _merge_people(base: dict[str, Any], people: Any) -> dict[str | int, int]:
    """Add people to a scenario; says which number each of the new ones got."""
    if not _are_tables(people) or not _are_tables(base.get("people", [])):
        base["people"] = people  # not what it should be: for the schema to say so
        return {}
    known: list[dict[str, Any]] = base.setdefault("people", [])
    places = {str(person.get("name")): number for number, person in enumerate(known)}
    numbers: dict[str | int, int] = {}
    for number, person in enumerate(people):
        numbers[number] = places.get(str(person.get("name")), len(known))
        known[numbers[number] : numbers[number] + 1] = [person]
    return numbers


def _validated(document: Document) -> Scenario:
    """Check shape, ranges and names, and raise all problems at once."""
    try:
        scenario = Scenario.model_validate(document.data)
    except ValidationError as error:
        problems = problems_of(error, document.locate)
        faulty = [untagged(each["loc"]) for each in error.errors() if each["loc"]]
        problems += _problems_of_the_rest(document, faulty)
        raise ScenarioError(*sorted(problems, key=_place)) from None
    problems = naming_problems(scenario, document.locate)
    if problems:
        raise ScenarioError(*sorted(problems, key=_place))
    return scenario


def _place(problem: Problem) -> tuple[str, int]:
    return problem.path, problem.line or 0


def _mended(data: dict[str, Any], paths: list[positions.Path]) -> dict[str, Any]:
    """The data without the faulty entries; a missing one gets something to stand in."""
    rest = deepcopy(data)
    for *outer, last in paths:
        table: Any = rest
        for key in outer:
            table = table[key] if isinstance(key, int) else table.get(key, {})
        if isinstance(table, dict) and last in table:
            del table[last]
        elif isinstance(table, dict):
            table[last] = ".".join(map(str, (*outer, last)))
    return rest


def _problems_of_the_rest(document: Document, faulty: list[positions.Path]) -> list[Problem]:
    """Wrong names in a file that has other faults, as far as it can be read."""
    try:
        scenario = Scenario.model_validate(_mended(document.data, faulty))
    except ValidationError:
        return []
    problems = naming_problems(scenario, document.locate)
    if any(path[0] == "taverns" and path[-1] in ("taverns", "name") for path in faulty):
        # Of a tavern without its name nobody can tell who lives there.
        problems = [problem for problem in problems if not problem.field.endswith(".home")]
    return problems
