"""What is wrong with a scenario or a data file, said in one line a problem."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

_SHOWN = 60


@dataclass(frozen=True)
class Problem:
    """One thing wrong, and where.

    Attributes
    ----------
    path : str
        The file as the user named it, or ``"settings"``.
    line : int or None
        Line in it, from 1; None where no line can be named.
    field : str
        Dotted path of the field, such as ``taverns.0.capacity``; may be empty.
    problem : str
        What is wrong: what was given, what is allowed, the nearest known word.
    """

    path: str
    line: int | None
    field: str
    problem: str

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return ": ".join(part for part in (place, self.field, self.problem) if part)


class ScenarioError(ValueError):
    """A scenario, a setting or a data table that cannot be used.

    `path`, `line`, `field` and `problem` are those of the first problem; all of
    them are in `problems`, and the text has a line for each.

    Parameters
    ----------
    *problems : Problem
        At least one, in the order in which to show them.

    Examples
    --------
    >>> print(ScenarioError(Problem("inn.toml", 6, "patrons", "must be at least 1 (got 0)")))
    inn.toml:6: patrons: must be at least 1 (got 0)
    """

    def __init__(self, *problems: Problem) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems
        first = problems[0]
        self.path, self.line = first.path, first.line
        self.field, self.problem = first.field, first.problem

    def __reduce__(self) -> tuple[type[ScenarioError], tuple[Problem, ...]]:
        return type(self), self.problems


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that a mistyped one most likely means, or None.

    Examples
    --------
    >>> nearest("capcity", ["capacity", "custom"]), nearest("x", ["capacity"])
    ('capacity', None)
    """
    by_folded = {name.casefold(): name for name in known}
    close = get_close_matches(word.casefold(), by_folded, n=1, cutoff=0.6)
    return by_folded[close[0]] if close else None


def shown(value: Any) -> str:
    """A value as the user would have written it, short.

    Examples
    --------
    >>> shown(True), shown("dead"), shown({"a": 1})
    ('true', "'dead'", 'a table')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list | tuple):
        return "a list"
    text = repr(value) if isinstance(value, str | int | float) else str(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 4] + " ..."


MOST_NAMED = 50
"""So many of the names that are allowed are told: a city has hundreds of taverns."""


def unknown_name(kind: str, given: str, known: Iterable[str]) -> str:
    """Say that a name is none of those known.

    Examples
    --------
    >>> unknown_name("custom", "decnt", ["lax", "decent"])
    "no such custom (got 'decnt'; allowed lax, decent; did you mean 'decent'?)"
    """
    names = list(known)
    guess = nearest(given, names)
    hint = f"; did you mean '{guess}'?" if guess else ""
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    allowed = f"{', '.join(names[:MOST_NAMED])}{more}" if names else "none"
    return f"no such {kind} (got {shown(given)}; allowed {allowed}{hint})"
