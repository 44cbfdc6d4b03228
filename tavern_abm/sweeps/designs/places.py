"""Where in a design something stands, and the error that names the place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from ..errors import SweepError

if TYPE_CHECKING:
    from pydantic import ValidationError

    from ...scenario import ScenarioError

type At = tuple[str | int, ...]
"""Keys and numbers that lead to a thing: ``("factors", 0, "values")``."""


@dataclass(frozen=True)
class Places:
    """A design file and the lines of its keys; neither, where a design came from Python.

    Examples
    --------
    >>> places = Places(FilePath("d.toml"), {("factors", 0): 4})
    >>> str(places.error(("factors", 0, "range"), "never ends"))
    'd.toml:4: factors.0.range: never ends'
    """

    path: FilePath | None = None
    lines: Mapping[At, int] = field(default_factory=dict)

    def line(self, at: At) -> int | None:
        """The line of a thing, or of the nearest table around it."""
        if at[-1:] == ("path",) and at not in self.lines:
            at = (*at[:-1], "paths")
        known = (self.lines.get(at[:length]) for length in range(len(at), 0, -1))
        return next((line for line in known if line is not None), None)

    def error(self, at: At, problem: str, name: str | None = None) -> SweepError:
        """What is wrong with a thing.

        Parameters
        ----------
        name : str, optional
            What to call it; its dotted path if it is not given.
        """
        label = ".".join(map(str, at)) if name is None else name
        text = ": ".join(part for part in (label, problem) if part)
        return SweepError(text, self.path, self.line(at))

    def refused(self, at: At, error: ScenarioError) -> SweepError:
        """What a scenario says of a setting that stands at a place here."""
        first = error.problems[0]
        if first.path != "settings":
            return self.error(at, str(first), "")
        return self.error(at, first.problem, first.field)


def misread(error: ValidationError, places: Places) -> SweepError:
    """Say in our words what the schema found, a line for each mistake."""
    from ...scenario.messages import untagged

    found = [
        places.error(at, text, name)
        for details in error.errors(include_url=False)
        for at, text, name in _told(untagged(details["loc"]), details)
    ]
    first = min(found, key=lambda each: each.line or 0)
    others = [each for each in found if each is not first]
    others.sort(key=lambda each: each.line or 0)
    text = "\n".join([first.problem, *map(str, others)])
    return SweepError(text, first.path, first.line)


def _told(at: At, details: Any) -> Iterator[tuple[At, str, str | None]]:
    from ...scenario.messages import explained

    if details["type"] == "extra_forbidden":
        yield at, _unknown_key(at), None
        return
    if details["type"] == "literal_error" and at == ("replicates",):
        yield at, f"must be a whole number or 'auto' (got {details['input']!r})", None
        return
    text = explained(details)
    key, colon, rest = text.partition(": ")
    if details["type"] == "value_error" and colon and key.isidentifier():
        yield (*at, key), rest, None  # a check of a whole table names the key that it blames
    else:
        yield at, text, None


def _unknown_key(at: At) -> str:
    from ...scenario.messages import dotted, field_paths
    from ...scenario.problems import nearest
    from .schema import DesignWords

    known = _keys_of(DesignWords, at[:-1])
    inner = [dotted(path) for path in field_paths() if path[:1] == at]
    if inner:  # a field of the scenario, put at the top
        return f'unknown key; fields of the scenario stand under [set], as "{inner[-1]}" = ...'
    guess = nearest(str(at[-1]), known)
    if guess:
        return f"unknown key (did you mean '{guess}'?)"
    return f"unknown key (allowed: {', '.join(known)})"


def _keys_of(words: Any, at: At) -> list[str]:
    """The keys of the table at a place."""
    from typing import get_args

    for key in at:
        if isinstance(key, int):
            continue
        kind = next((f for n, f in words.model_fields.items() if key in (n, f.alias)), None)
        words = _model_in(kind.annotation, get_args) if kind else None
        if words is None:
            return []
    return [each.alias or name for name, each in words.model_fields.items()]


def _model_in(annotation: Any, get_args: Any) -> Any:
    if hasattr(annotation, "model_fields"):
        return annotation
    return next(filter(None, (_model_in(each, get_args) for each in get_args(annotation))), None)
