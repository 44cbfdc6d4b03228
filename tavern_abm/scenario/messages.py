"""From pydantic's errors to lines that name file, line, field and what is allowed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from .fields import AUTO_TAG, NUMBER_TAG, Part
from .positions import Path
from .problems import Problem, nearest, shown
from .schema import Scenario

Place = tuple[str, int | None]
"""A file and a line in it."""

Explain = Callable[[ErrorDetails], str]

_KEY_TAG = "[key]"  # stands behind a key that is wrong itself


def problems_of(error: ValidationError, locate: Callable[[Path], Place]) -> list[Problem]:
    """Say in our words what pydantic found, one problem a mistake.

    Parameters
    ----------
    error : ValidationError
        Of a validation by `Scenario`.
    locate : callable
        Gives file and line of a path of keys and numbers.
    """
    return [_problem(details, locate) for details in error.errors(include_url=False)]


def explained(details: ErrorDetails) -> str:
    """Say in our words what is wrong with a field of any table, a scenario's or another's."""
    return _COMMON.get(details["type"], _as_pydantic_says)(details)


def untagged(location: tuple[str | int, ...]) -> Path:
    """The path of a field, without the marks of the kinds it may be of."""
    return tuple(key for key in location if key not in (AUTO_TAG, NUMBER_TAG, _KEY_TAG))


def dotted(path: Path) -> str:
    """A path as users write it: ``taverns.0.capacity``."""
    return ".".join(map(str, path))


def part_at(path: Path) -> type[Part] | None:
    """The class that describes the table at a path; None if no table stands there."""
    part: type[Part] | None = Scenario
    for key in path:
        if isinstance(key, str):
            field = part.model_fields.get(key) if part else None
            part = part_in(field.annotation) if field else None
    return part


def part_in(annotation: Any) -> type[Part] | None:
    """The class of tables that an annotation such as ``list[Tavern]`` holds, if any."""
    if isinstance(annotation, type) and issubclass(annotation, Part):
        return annotation
    return next(filter(None, map(part_in, get_args(annotation))), None)


def field_paths(part: type[Part] = Scenario, prefix: Path = ()) -> Iterator[Path]:
    """Every field there is, in order; lists are shown by their first entry."""
    for name, field in part.model_fields.items():
        yield (*prefix, name)
        inner = part_in(field.annotation)
        if inner:
            number = (0,) if "list[" in str(field.annotation) else ()
            yield from field_paths(inner, (*prefix, name, *number))


def _problem(details: ErrorDetails, locate: Callable[[Path], Place]) -> Problem:
    path = untagged(details["loc"])
    file, line = locate(path)
    explain = _OF_SCENARIOS.get(details["type"], explained)
    return Problem(file, line, dotted(path), explain(details))


def _must(what: str, details: ErrorDetails) -> str:
    return f"must be {what} (got {shown(details['input'])})"


def _bound(words: str, limit: str) -> Explain:
    def explain(details: ErrorDetails) -> str:
        bound = str(details["ctx"][limit]).removesuffix(".0")
        return _must(f"{words} {bound}", details)

    return explain


def _kind(words: str) -> Explain:
    return lambda details: _must(words, details)


def _length(limit: str) -> Explain:
    words = "at least" if limit.startswith("min") else "at most"

    def explain(details: ErrorDetails) -> str:
        number, given = details["ctx"][limit], details["input"]
        one, more = ("character", "characters") if isinstance(given, str) else ("entry", "entries")
        return f"must have {words} {number} {one if number == 1 else more} (got {len(given)})"

    return explain


def _unknown_field(details: ErrorDetails) -> str:
    *table, name = untagged(details["loc"])
    part = part_at(tuple(table))
    known = list(part.model_fields) if part else []
    guess = nearest(str(name), known) or _same_name_elsewhere(str(name))
    if guess:
        return f"unknown field (did you mean '{guess}'?)"
    return f"unknown field (allowed: {', '.join(known)})"


def _same_name_elsewhere(name: str) -> str | None:
    return next((dotted(path) for path in field_paths() if path[-1] == name), None)


def _whole_number(details: ErrorDetails) -> str:
    given = details["input"]
    if NUMBER_TAG not in details["loc"]:
        return _must("a whole number", details)
    guess = nearest(given, ["auto"]) if isinstance(given, str) else None
    hint = f"; did you mean '{guess}'?" if guess else ""
    return f"must be a whole number or 'auto' (got {shown(given)}{hint})"


def _list(details: ErrorDetails) -> str:
    path = untagged(details["loc"])
    if part_at(path) is None:  # the only other lists are of rounds
        return _must("a list of whole numbers, such as [7]", details)
    header = ".".join(key for key in path if isinstance(key, str))
    return _must(f"a list of tables, each under [[{header}]]", details)


def _one_table(details: ErrorDetails) -> str:
    path = untagged(details["loc"])
    is_entry = bool(path) and isinstance(path[-1], int)
    return _must("a table" if is_entry else f"one table, under [{dotted(path)}]", details)


def _one_of(details: ErrorDetails) -> str:
    allowed = details["ctx"]["expected"]
    names = [word.strip("'") for word in allowed.replace(" or ", ", ").split(", ")]
    given = details["input"]
    guess = nearest(given, names) if isinstance(given, str) else None
    hint = f"; did you mean '{guess}'?" if guess else ""
    return f"must be {allowed} (got {shown(given)}{hint})"


def _own_words(details: ErrorDetails) -> str:
    """The text of a `ValueError` of the schema, with what was given if it lacks that."""
    text = str(details["ctx"]["error"])
    given = details["input"]
    says_it = isinstance(given, dict | list) or "got" in text or shown(given) in text
    return text if says_it else f"{text} (got {shown(given)})"


def _as_pydantic_says(details: ErrorDetails) -> str:
    text = details["msg"].removeprefix("Input should be ")
    return _must(text[:1].lower() + text[1:], details)


_COMMON: Mapping[str, Explain] = MappingProxyType(
    {
        "missing": lambda details: "must be given",
        "greater_than": _bound("greater than", "gt"),
        "greater_than_equal": _bound("at least", "ge"),
        "less_than": _bound("less than", "lt"),
        "less_than_equal": _bound("at most", "le"),
        "int_type": _whole_number,
        "int_from_float": _whole_number,
        "float_type": _kind("a number"),
        "finite_number": _kind("a finite number"),
        "bool_type": _kind("true or false"),
        "string_type": _kind("text in quotes"),
        "string_too_short": _length("min_length"),
        "string_too_long": _length("max_length"),
        "too_short": _length("min_length"),
        "too_long": _length("max_length"),
        "list_type": _kind("a list"),
        "tuple_type": _kind("a list"),
        "dict_type": _kind("a table"),
        "model_type": _kind("a table"),
        "literal_error": _one_of,
        "value_error": _own_words,
    }
)
_OF_SCENARIOS: Mapping[str, Explain] = MappingProxyType(
    {
        "extra_forbidden": _unknown_field,
        "list_type": _list,
        "dict_type": _one_table,
        "model_type": _one_table,
    }
)
