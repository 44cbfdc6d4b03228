"""What a user puts into a run from outside, as his file has it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from .. import coins
from ..data_tables import DataError
from ..games import GAMES
from ..patrons.decisions.talk import CLAIMS
from ..scenario.messages import dotted, explained
from ..scenario.positions import key_lines
from ..scenario.problems import nearest
from ..scenario.writing import to_toml
from ..society.truth import BETWEEN_TWO, WITH_SUM

OUTSIDE = "outside"
"""Who pays or is paid, if it is nobody of the town."""
STRANGERS = "strangers"
"""Who kills, if it is nobody of the town."""
MOST_SAID = 300
_BARE = re.compile(r"[-+]?\d[\d,_]*")
_UNQUOTED = re.compile(r"\s*(\w+)\s*=\s*([^\W\d_][^\"'\[\]{}#=]*?)\s*")
"""A line whose value is text without quotes around it."""


def _sentence(text: str) -> str:
    if not text.isprintable() or not text.strip():
        raise ValueError("must be a sentence without line breaks")
    return text


def _plainly(name: Any) -> Any:
    """A name without blanks around it, and with one where there are several."""
    return " ".join(name.split()) if isinstance(name, str) else name


def _coins(value: Any) -> Any:
    """A sum with its coins: 50 of what is not for us to guess."""
    bare = str(value).strip()
    if not isinstance(value, bool) and _BARE.fullmatch(bare):
        raise ValueError(f'which coins? write "{bare} cp", or sp, or gp')
    return coins.parse(value) if isinstance(value, str) else value


Name = Annotated[str, BeforeValidator(_plainly), Field(min_length=1, max_length=100)]
Money = Annotated[int, BeforeValidator(_coins), Field(ge=1, le=coins.MOST_CP)]
Sentence = Annotated[str, Field(min_length=1, max_length=MOST_SAID), AfterValidator(_sentence)]
Night = Annotated[int, Field(ge=1, le=1_000_000)]


class Intervention(BaseModel):
    """What happens in the morning of a night, by nobody's decision in the town.

    Attributes
    ----------
    night : int, optional
        Of which night; None: of the first that is played.
    text : str, optional
        The sentence that the record has of it; None: one of ours.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=True)

    night: Night | None = None
    text: Sentence | None = None


class Died(Intervention):
    """Somebody died; `by` whom, if he was killed (a person, or "strangers")."""

    who: Name
    by: Name | None = None
    seen_by: Annotated[tuple[Name, ...], Field(strict=False)] = ()


class Left(Intervention):
    """Somebody left town for good, with his purse."""

    who: Name


class Paid(Intervention):
    """Coins changed hands; one of the two may be "outside"."""

    amount: Money
    who: Name = OUTSIDE
    from_: Annotated[Name, Field(alias="from")] = OUTSIDE


class Accused(Intervention):
    """Somebody was called a cheat, by one whose house heard it."""

    who: Name
    by: Name


class Rumor(Intervention):
    """A tale was put into somebody's mouth: the night, place and sum are those it claims."""

    by: Name
    about: Name
    claim: Literal[CLAIMS]  # type: ignore[valid-type]
    other: Name | None = None
    amount: Money | None = None
    tavern: Name | None = None
    game: Literal[tuple(GAMES)] | None = None  # type: ignore[valid-type]
    happened: Night | None = None


KINDS: dict[str, type[Intervention]] = {
    "died": Died,
    "left": Left,
    "paid": Paid,
    "accused": Accused,
    "rumor": Rumor,
}
"""What can be put in, by the name its entries open with."""


class Entry(NamedTuple):
    """An intervention and where it stands."""

    what: Any  # one of `KINDS`
    kind: str
    number: int  # among those of its kind in the file, from 1
    path: str
    line: int | None

    def error(self, problem: str) -> DataError:
        """What is wrong with it, with its place."""
        return DataError(self.path, problem, entry=f"{self.kind} {self.number}", line=self.line)


def read_interventions(file: str | Path) -> list[Entry]:
    """Read a file of interventions, in the order in which they stand there.

    Raises
    ------
    DataError
        Naming file, line and entry, what is wrong and what is allowed.
    """
    path = Path(file)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(path, f"cannot be read: {error.strerror or error}") from error
    return interventions_of(content, path)


def interventions_of(content: bytes, path: Path) -> list[Entry]:
    """Interventions of the content of a file; `path` is what errors call it.

    Raises
    ------
    DataError
        As `read_interventions` does.
    """
    document, text = _document(path, content)
    lines = key_lines(text)
    entries = [
        entry for kind, rows in document.items() for entry in _entries(path, kind, rows, lines)
    ]
    return sorted(entries, key=lambda entry: entry.line or 0)


def _document(path: Path, content: bytes) -> tuple[dict[str, Any], str]:
    try:
        text = content.decode("utf-8-sig")
        return tomllib.loads(text), text
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataError(path, "is not UTF-8 text", line=line) from error
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"line (\d+)", str(error))
        line = int(at[1]) if at else content.rstrip().count(b"\n") + 1
        problem = f"invalid TOML: {_unquoted(text, line) or error}"
        raise DataError(path, problem, line=line) from error


def _unquoted(text: str, line: int) -> str:
    r"""What is wrong with a line, if it is that its text lacks quotes; else nothing.

    Examples
    --------
    >>> _unquoted("[[died]]\nwho = Hob Merrow", 2)
    'names and other texts go in quotes: who = "Hob Merrow"'
    >>> _unquoted('who = "Hob', 1)
    ''
    """
    lines = text.splitlines()
    found = _UNQUOTED.fullmatch(lines[line - 1]) if line <= len(lines) else None
    return f'names and other texts go in quotes: {found[1]} = "{found[2]}"' if found else ""


def _entries(path: Path, kind: str, rows: Any, lines: dict[Any, int]) -> Iterator[Entry]:
    if kind not in KINDS:
        meant = nearest(kind, KINDS)
        hint = f"did you mean [[{meant}]]?" if meant else f"there are {_headers()}"
        raise DataError(path, f"no such intervention: {kind!r} ({hint})", line=lines.get((kind,)))
    if not isinstance(rows, list):
        text = f"write it with two brackets, [[{kind}]]: there may be several"
        raise DataError(path, text, entry=kind, line=lines.get((kind,)))
    for at, row in enumerate(rows):
        where = Entry(None, kind, at + 1, str(path), lines.get((kind, at)))
        yield where._replace(what=_checked(where, row, (kind, at), lines))


def _headers() -> str:
    return ", ".join(f"[[{kind}]]" for kind in KINDS)


def _checked(where: Entry, row: Any, at: tuple[str, int], lines: dict[Any, int]) -> Intervention:
    try:
        what = KINDS[where.kind].model_validate(row)
    except ValidationError as error:
        found = error.errors()
        line = lines.get((*at, *found[0]["loc"]), where.line)
        problem = "; ".join(_problem(each, KINDS[where.kind]) for each in found)
        raise where._replace(line=line).error(problem) from error
    problem = _contradiction(what)
    if problem:
        raise where.error(problem)
    return what


def _problem(error: Any, model: type[Intervention]) -> str:
    """What pydantic found, in our words."""
    field = dotted(error["loc"])
    known = [each.alias or name for name, each in model.model_fields.items()]
    if error["type"] == "extra_forbidden":
        meant = nearest(field, known)
        return (
            f"{field}: unknown field ({f'did you mean {meant!r}?' if meant else ', '.join(known)})"
        )
    if error["type"] == "missing":
        return f"{field}: is missing"
    return ": ".join(part for part in (field, explained(error)) if part)


def _contradiction(what: Intervention) -> str:
    """What does not go together within an entry; empty if all does."""
    if isinstance(what, Paid) and what.who.casefold() == what.from_.casefold():
        return "who and from: name two, of whom one may be left out: those outside the town"
    if isinstance(what, Accused) and what.who.casefold() == what.by.casefold():
        return "by: nobody accuses himself"
    if isinstance(what, Died) and what.by and what.who.casefold() == what.by.casefold():
        return "by: leave it out, unless another killed him"
    if isinstance(what, Rumor) and what.claim in WITH_SUM and what.amount is None:
        return f'amount: the claim {what.claim!r} names a sum, such as "2 gp"'
    if isinstance(what, Rumor) and what.claim not in WITH_SUM and what.amount is not None:
        return f"amount: the claim {what.claim!r} names no sum; leave it out"
    if isinstance(what, Rumor) and what.claim in BETWEEN_TWO and what.other is None:
        return f"other: the claim {what.claim!r} is of two; name the other one"
    return ""


def written(entries: Iterable[Entry]) -> str:
    """Interventions as a file that `read_interventions` reads back, in the same order.

    Examples
    --------
    >>> print(written([Entry(Left(who="Ned Flint", night=15), "left", 1, "", None)]), end="")
    [[left]]
    night = 15
    who = "Ned Flint"
    """
    return "\n".join(to_toml({entry.kind: [_plain(entry.what)]}) for entry in entries)


def _plain(what: Intervention) -> dict[str, Any]:
    values = what.model_dump(by_alias=True, exclude_none=True, exclude_defaults=True)
    if "amount" in values:
        values["amount"] = coins.show(values["amount"])
    return {key: list(each) if isinstance(each, tuple) else each for key, each in values.items()}
