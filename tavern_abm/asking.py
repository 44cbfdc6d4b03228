"""What may be asked of a game: the options of a command or of a table, and the answers.

A game says what it can be asked (`Option`, `Question`) without knowing the
command line or scenario files, and what it answers without knowing how that is
printed. So a new game brings its own options and no other file changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

from .coins import parse

MAX_SUM_CP = 10**12
MAX_NAME = 40
_NUMBER = re.compile(r"\d{1,12}(/\d{1,12}|\.\d{0,12})?|\.\d{1,12}")
_WHOLE = re.compile(r"[+-]?\d{1,20}")


class RefusedError(ValueError):
    """A question, or a game to play, that makes no sense as it was put.

    Attributes
    ----------
    problem : str
        What is wrong and what is allowed, in one line.
    option : str or None
        Name of the option that is at fault (``"strength_a"``), if it is one.
    """

    def __init__(self, problem: str, option: str | None = None) -> None:
        self.problem, self.option = problem, option
        super().__init__(problem)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problem, self.option)


class Kind(Protocol):
    """A kind of value."""

    @property
    def word(self) -> str:
        """What stands for it in a help text."""

    def read(self, value: Any) -> Any:
        """The value, from text or from what TOML gives.

        Raises
        ------
        ValueError
            Saying in plain words what was given and what is allowed.
        """

    def schema(self) -> dict[str, Any]:
        """The kind as JSON Schema has it."""


@dataclass(frozen=True)
class Whole:
    """A whole number from `low` to `high`."""

    low: int
    high: int
    word: str = "number"

    def read(self, value: Any) -> int:
        """Read it."""
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if not is_number and not (isinstance(value, str) and _WHOLE.fullmatch(value.strip())):
            raise ValueError(f"{value!r} is not a whole number")
        number = int(value)
        if not self.low <= number <= self.high:
            raise ValueError(f"must lie in {self.low} to {self.high} (got {number})")
        return number

    def schema(self) -> dict[str, Any]:
        """As JSON Schema."""
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True)
class Chance:
    """A chance from 0 to 1, read exactly: ``1/4`` or ``0.25``."""

    word: str = "chance"

    def read(self, value: Any) -> Fraction:
        """Read it."""
        chance = _fraction(value)
        if chance is None or not 0 <= chance <= 1:
            raise ValueError(f"'{value}' is not a chance from 0 to 1, such as 1/4 or 0.25")
        return chance

    def schema(self) -> dict[str, Any]:
        """As JSON Schema."""
        return {"type": "number", "minimum": 0, "maximum": 1}


def _fraction(value: Any) -> Fraction | None:
    """A number exactly as it is written, or None if it is none."""
    if isinstance(value, Fraction):
        return value
    if isinstance(value, str) and not _NUMBER.fullmatch(value.strip()):
        return None  # such as 1e-99999999, which would take for ever
    if isinstance(value, bool):
        return None
    try:
        return Fraction(str(value).strip())
    except (ValueError, ZeroDivisionError):
        return None


@dataclass(frozen=True)
class Sum:
    """A sum of money in whole copper pieces, at least `least`: ``3 gp 5 sp``."""

    least: int = 1
    word: str = "sum"

    def read(self, value: Any) -> int:
        """Read it as copper pieces."""
        if not isinstance(value, str | int) or isinstance(value, bool):
            raise ValueError(f"not a sum of money: {value!r}; write it like '3 gp 5 sp 2 cp'")
        sum_cp = parse(value)
        if not self.least <= sum_cp <= MAX_SUM_CP:
            raise ValueError(f"'{value}' is not a sum from {self.least} cp to {MAX_SUM_CP:,} cp")
        return sum_cp

    def schema(self) -> dict[str, Any]:
        """As JSON Schema."""
        number = {"type": "integer", "minimum": self.least, "maximum": MAX_SUM_CP}
        return {"anyOf": [number, {"type": "string", "pattern": r"\d"}]}


@dataclass(frozen=True)
class OneOf:
    """One of some words; `nearest` the one that was meant is named if it is none of them."""

    words: tuple[str, ...]

    @property
    def word(self) -> str:
        """The words themselves."""
        return "|".join(self.words)

    def read(self, value: Any) -> str:
        """Read it."""
        text = str(value).strip().lower()
        if text not in self.words:
            raise ValueError(
                f"'{value}' is none of {', '.join(self.words)}{near(text, self.words)}"
            )
        return text

    def schema(self) -> dict[str, Any]:
        """As JSON Schema."""
        return {"enum": list(self.words)}


@dataclass(frozen=True)
class Flag:
    """Yes or no."""

    word: str = ""

    def read(self, value: Any) -> bool:
        """Read it."""
        if not isinstance(value, bool):
            raise ValueError(f"must be true or false (got {value!r})")
        return value

    def schema(self) -> dict[str, Any]:
        """As JSON Schema."""
        return {"type": "boolean"}


@dataclass(frozen=True)
class Text:
    """One line of text: a name, a path."""

    word: str = "text"

    def read(self, value: Any) -> str:
        """Read it."""
        text = str(value).strip()
        if not (text and text.isprintable()):
            raise ValueError(f"must be one line that is not blank (got {value!r})")
        return text

    def schema(self) -> dict[str, Any]:
        """As JSON Schema."""
        return {"type": "string", "minLength": 1}


@dataclass(frozen=True)
class Names:
    """From `low` to `high` different names, parted by commas.

    Where they are the seats of a game, `game` is its name, for the messages.
    """

    low: int
    high: int
    word: str = "names"
    game: str = ""

    def read(self, value: Any) -> tuple[str, ...]:
        """Read them; each seat needs one of its own."""
        given = value if isinstance(value, list | tuple) else str(value).split(",")
        names = tuple(str(name).strip() for name in given)
        if not any(names):
            raise ValueError(f"{self._allowed(0)} (no names given)")
        if not self.low <= len(names) <= self.high:
            raise ValueError(f"{self._allowed(len(names))} (got {len(names)})")
        for name in names:
            if not (name and name.isprintable() and len(name) <= MAX_NAME):
                raise ValueError(f"a name has 1 to {MAX_NAME} printable characters (got {name!r})")
            if "=" in name or "," in name:
                raise ValueError(f"a name has no '=' and no ',' (got {name!r})")
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise ValueError(f"two seats are called '{twice[0]}'")
        return names

    def _allowed(self, n: int) -> str:
        if not self.game:
            n_allowed = f"{self.low} to {self.high}" if self.low < self.high else f"{self.low}"
            return f"give {n_allowed} names, parted by commas"
        if self.low == self.high:
            return f"{self.game} needs {self.low} seats, their names parted by commas"
        if n < self.low:
            return f"{self.game} needs {self.low} or more seats, their names parted by commas"
        return f"{self.game} has {self.high} seats at the most"

    def schema(self) -> dict[str, Any]:
        """As JSON Schema."""
        return {"type": "string"}


@dataclass(frozen=True)
class ByName:
    """A value for each of some names: ``East=rot,South=not``.

    With `default` a bare name stands for that value.
    """

    kind: Kind
    default: Any = None

    @property
    def word(self) -> str:
        """As it is written."""
        return f"name={self.kind.word}"

    def read(self, value: Any) -> dict[str, Any]:
        """Read the pairs; whether the names are at the table is seen later."""
        if isinstance(value, Mapping):
            return {str(name): self._read_one(str(name), each) for name, each in value.items()}
        pairs: dict[str, Any] = {}
        for each in str(value).split(","):
            name, sign, given = (part.strip() for part in each.partition("="))
            if not name or (not sign and self.default is None):
                raise ValueError(f"'{each.strip()}' should read {self.word}")
            if name in pairs:
                raise ValueError(f"'{name}' is named twice")
            pairs[name] = self._read_one(name, given) if sign else self.default
        return pairs

    def _read_one(self, name: str, given: Any) -> Any:
        try:
            return self.kind.read(given)
        except ValueError as error:
            shown = f" ({name}={given})" if isinstance(given, str) else ""
            raise ValueError(f"{name}: {error}{shown}") from None

    def schema(self) -> dict[str, Any]:
        """As JSON Schema."""
        return {"type": "object", "additionalProperties": self.kind.schema()}


@dataclass(frozen=True)
class Faces:
    """Faces of dice in the order they fell: ``4 6 3``."""

    word: str = "4 6 3"

    def read(self, value: Any) -> tuple[int, ...]:
        """Read them; which die each belongs to is seen when it is thrown."""
        given = value if isinstance(value, list | tuple) else str(value).split()
        words = [str(each) for each in given]
        if not words or not all(_WHOLE.fullmatch(word) for word in words):
            raise ValueError(f"'{value}' should be faces of dice, such as '4 6 3'")
        return tuple(int(word) for word in words)

    def schema(self) -> dict[str, Any]:
        """As JSON Schema."""
        return {"type": "string"}


@dataclass(frozen=True)
class Option:
    """Something that may be said about a game.

    Parameters
    ----------
    name : str
        As in Python: ``"strength_a"``; on the command line ``--strength-a``.
    kind : Kind
        What it is.
    default : object
        Its value if nothing is said; None: no such thing.
    help : str
        A line for people.
    group : str
        The heading it stands under in a help text; empty: among the game's own.
    """

    name: str
    kind: Kind
    default: Any = None
    help: str = ""
    group: str = ""

    @property
    def flag(self) -> str:
        """As the command line has it."""
        return "--" + self.name.replace("_", "-")


def read_options(
    options: Sequence[Option], given: Mapping[str, Any], what: str = "option"
) -> dict[str, Any]:
    """The value of every option, given or default.

    Raises
    ------
    RefusedError
        If there is no such option (the nearest is named) or a value is not allowed.

    Examples
    --------
    >>> read_options([Option("seats", Whole(2, 8), 6)], {})
    {'seats': 6}
    """
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            allowed = f"; there are {', '.join(known)}" if known else "; there are none"
            raise RefusedError(f"no such {what}{near(name, known) or allowed}", name)
    values = {name: option.default for name, option in known.items()}
    for name, value in given.items():
        try:
            values[name] = known[name].kind.read(value)
        except ValueError as error:
            raise RefusedError(str(error), name) from None
    return values


def read_table(options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """As `read_options`, of the fields of a table in a TOML file: there text is no number.

    Raises
    ------
    RefusedError
        If there is no such field, or a value is not allowed.
    """
    for option in options:
        value = given.get(option.name)
        if isinstance(option.kind, Whole) and isinstance(value, str):
            raise RefusedError(f"must be a whole number, got text {value!r}", option.name)
    return read_options(options, given, "field")


def verify_of_use(
    options: Sequence[Option], values: Mapping[str, Any], problems: Mapping[str, str]
) -> None:
    """Refuse what is said and would be of no use.

    Parameters
    ----------
    values : mapping
        The value of every option; one at its default counts as not said.
    problems : mapping
        By name of an option that is of no use now, what it goes with.

    Raises
    ------
    RefusedError
        Naming the first of them.

    Examples
    --------
    >>> spot = Option("spot", Whole(-30, 60), 0)
    >>> verify_of_use([spot], {"spot": 0}, {"spot": "it goes with --hide"})
    """
    for option in options:
        if option.name in problems and values[option.name] != option.default:
            raise RefusedError(problems[option.name], option.name)


def near(word: str, known: Sequence[str] | Mapping[str, Any]) -> str:
    """`` (did you mean 'rot'?)``, or nothing where no known word is near.

    Examples
    --------
    >>> near("refere", ["referee", "limit"])
    " (did you mean 'referee'?)"
    """
    close = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f" (did you mean '{close[0]}'?)" if close else ""


class Estimate(NamedTuple):
    """What a simulation found, where exact is out of reach."""

    value: float
    standard_error: float
    n: int


@dataclass(frozen=True)
class Answer:
    """What a game answers.

    Parameters
    ----------
    data : mapping
        For programs; nested mappings whose leaves are Fraction (exact), `Estimate`
        (simulated), float, int, str, bool or None.
    lines : sequence of str
        The same for people.
    """

    data: Mapping[str, Any]
    lines: Sequence[str]


@dataclass(frozen=True)
class Question:
    """What can be asked about a game's odds.

    Parameters
    ----------
    options : sequence of Option
        What may be said.
    answer : callable
        From a mapping with the value of every option to an `Answer`. It raises
        `RefusedError` for what makes no sense. ``asked["given"]`` is the set of
        names that were said and not left at their default.
    help : str
        What ``tavern odds GAME --help`` says; a paragraph after a backspace
        character on a line of its own keeps its lines.
    """

    options: Sequence[Option]
    answer: Callable[[Mapping[str, Any]], Answer]
    help: str


def to_json(leaf: Any) -> Any:
    """An answer's data as JSON: a probability is ``{"exact": "p/q" or null, "value": x}``.

    Examples
    --------
    >>> to_json({"hand_wins": Fraction(1, 4)})
    {'hand_wins': {'exact': '1/4', 'value': 0.25}}
    """
    if isinstance(leaf, Mapping):
        return {key: to_json(value) for key, value in leaf.items()}
    if isinstance(leaf, Estimate):
        return {
            "exact": None,
            "value": leaf.value,
            "standard_error": leaf.standard_error,
            "n": leaf.n,
            "method": "simulated",
        }
    if isinstance(leaf, Fraction):
        return {"exact": str(leaf), "value": float(leaf)}
    if isinstance(leaf, list | tuple):
        return [to_json(each) for each in leaf]
    return leaf


def chance_lines(rows: Sequence[tuple[str, Fraction | Estimate | float]]) -> list[str]:
    """A line for each chance: its name, its value, and the fraction if that is short.

    Examples
    --------
    >>> for line in chance_lines([("a wins", Fraction(1, 4)), ("a draw", Fraction(1, 2))]):
    ...     print(line)
      a wins   0.250000   1/4
      a draw   0.500000   1/2
    """
    width = max((len(label) for label, _ in rows), default=0)
    return [f"  {label:<{width}}   {_shown(value)}" for label, value in rows]


def _shown(value: Fraction | Estimate | float) -> str:
    if isinstance(value, Estimate):
        return f"{value.value:.6f}   +- {value.standard_error:.6f} (simulated, {value.n:,} times)"
    if isinstance(value, Fraction) and len(str(value)) <= 24:
        return f"{float(value):.6f}   {value}"
    return f"{float(value):.6f}"
