"""Wordings: whole things that people say, as they stand in ``data/wordings``, and their conditions.

One file for each kind of event, and in it a ``[[say]]`` for each thing that somebody
might say of it; ``heads.toml`` and ``tails.toml`` hold what may be said before and after.
A user's own data folder may have a folder ``wordings`` of the same shape: what stands
there is added to the shipped ones.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..data_tables import DataError, Source, document_of, load_tables, read_source, verify_folder
from ..scenario.messages import dotted, explained
from ..scenario.positions import key_lines
from ..scenario.problems import nearest
from ..shipped import shipped
from .tags import GAMES, KINDS, TAGS

FOLDER = "wordings"
HEADS, TAILS, COLORS = "heads", "tails", "colors"
ENTRY_OF = {HEADS: "head", TAILS: "tail"}
"""What the entries of a file are called, by its name; those of all others are ``say``."""
KEEPER = "keeper"
"""After ``i am``: any trade of those who keep a house."""
_ID_LENGTH = 8
LISTED = "see docs/how-to/add-a-wording.md"
OTHER_WORDS = {
    "happy": "merry",
    "cheerful": "merry",
    "sad": "sour",
    "angry": "sour",
    "grumpy": "sour",
    "scared": "fearful",
    "afraid": "fearful",
    "proud": "boastful",
    "cautious": "careful",
    "devout": "pious",
    "woman": "sex f",
    "female": "sex f",
    "man": "sex m",
    "male": "sex m",
    "killed": "dead",
    "hurt": "bruised",
    "wounded": "bruised",
    "poor": "low",
    "rich": "high",
    "family": "kin",
    "relative": "kin",
    "friend": "knows",
    "witness": "eye",
    "saw it": "eye",
    "invented": "lie",
    "liar": "lie",
    "new": "fresh",
    "last night": "fresh",
    "debtor": "owes",
    "victim": "self",
}
"""Words that people write for tags, and which tags they mean."""


class Condition(NamedTuple):
    """What must be so before something can be said: tags, and whether they must hold or not."""

    tags: tuple[tuple[str, bool], ...] = ()

    def holds(self, tags: frozenset[str]) -> bool:
        """Whether it is met where all these tags hold, and no others."""
        return all((tag in tags) is is_wanted for tag, is_wanted in self.tags)

    @property
    def wanted(self) -> frozenset[str]:
        """The tags that must hold."""
        return frozenset(tag for tag, is_wanted in self.tags if is_wanted)

    @property
    def unwanted(self) -> frozenset[str]:
        """The tags that must not."""
        return frozenset(tag for tag, is_wanted in self.tags if not is_wanted)


class Wording(NamedTuple):
    """A line of a file of wordings.

    Attributes
    ----------
    id : str
        The file's name and eight characters that follow from the words alone.
    place : {"say", "head", "tail"}
        What it is.
    kinds : tuple of str
        Kinds of event it is for; empty for any.
    text : str
        With its slots and choices.
    is_full : bool
        Carries its own speakers, so nothing may be put before or after it.
    adds : str
        What the teller puts in of his own; empty for nothing.
    adds_untrue : bool
        Whether that is untrue.
    denies : bool
        Whether it denies what is charged.
    path, line : str and int
        Where it stands.
    """

    id: str
    place: str
    kinds: tuple[str, ...]
    condition: Condition
    text: str
    is_full: bool = False
    adds: str = ""
    adds_untrue: bool = False
    denies: bool = False
    path: str = ""
    line: int = 0


@dataclass(frozen=True, eq=False)
class Wordings:
    """All wordings; compared by identity, so that what is worked out from them can be kept."""

    says: Mapping[str, tuple[Wording, ...]]
    heads: tuple[Wording, ...]
    tails: tuple[Wording, ...]

    @functools.cached_property
    def by_id(self) -> Mapping[str, Wording]:
        """Every line by its id."""
        says = (each for kind in self.says.values() for each in kind)
        return {each.id: each for each in (*says, *self.heads, *self.tails)}


class Fault(NamedTuple):
    """What is wrong with a line of a file, and what to do about it."""

    path: str
    line: int
    problem: str
    cure: str = ""

    def __str__(self) -> str:
        cure = f"; {self.cure}" if self.cure else ""
        return f"{self.path}:{self.line}: {self.problem}{cure}"


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    if_: Annotated[str, Field(alias="if")] = ""
    t: Annotated[str, Field(min_length=1)]


class _Say(_Line):
    full: bool = False
    adds: str = ""
    denies: bool = False


class _Beside(_Line):
    k: str = ""


# ------------------------------------------------------------- reading


def load_wordings(data: str | Path | None = None) -> Wordings:
    """Read the shipped wordings, and after them those of a user's own data folder.

    Parameters
    ----------
    data : str or Path, optional
        A folder of data with a folder ``wordings`` in it, if it has any.

    Raises
    ------
    DataError
        If the folder is missing, or a file is wrong; the message names file and line.
    """
    files = wording_files(shipped("data") / FOLDER)
    if data is not None:
        verify_folder(Path(data))
        files += wording_files(Path(data) / FOLDER)
    return _joined(tuple(read_source(file) for file in files))


def wording_files(folder: Path) -> list[Path]:
    """Files of wordings in a folder, by name; those of colours are others' business."""
    return [file for file in sorted(folder.glob("*.toml")) if file.stem != COLORS]


@functools.lru_cache(maxsize=8)
def _joined(sources: tuple[Source, ...]) -> Wordings:
    lines: dict[str, Wording] = {}
    for source in sources:
        found, faults = read_lines(source)
        if faults:
            first = faults[0]
            raise DataError(first.path, f"{first.problem}; {first.cure}", line=first.line)
        lines |= {each.id: each for each in found}
    return wordings_of(lines.values())


def wordings_of(lines: Iterable[Wording]) -> Wordings:
    """Lines sorted by what they are."""
    kept = list(lines)
    says = {
        kind: tuple(each for each in kept if each.place == "say" and kind in each.kinds)
        for kind in KINDS
    }
    heads, tails = (
        tuple(each for each in kept if each.place == place) for place in ("head", "tail")
    )
    return Wordings(says, heads, tails)


def read_lines(source: Source, *, is_lenient: bool = False) -> tuple[list[Wording], list[Fault]]:
    """The lines of a file that can be used, and all that is wrong with the others.

    Parameters
    ----------
    source : Source
        The file.
    is_lenient : bool, default False
        Give the others as well, as they are likely meant, so that all that is wrong with
        them can be told at once.

    Raises
    ------
    DataError
        If the file as a whole is no such file: no TOML, or of no kind we know.
    """
    name = Path(source.path).stem
    place = ENTRY_OF.get(name, "say")
    if place == "say" and name not in KINDS:
        raise DataError(source.path, f"no kind of event is called {name!r}{_of(name, KINDS)}")
    document = document_of(source)
    lines = key_lines(source.content.decode())
    opening = f"entries open with [[{place}]]"
    faults = [
        Fault(source.path, lines[(key,)], f"unknown table {key!r}", opening)
        for key in document
        if key != place
    ]
    rows = document.get(place, [])
    if not isinstance(rows, list):
        faults.append(Fault(source.path, lines[(place,)], "no list", opening))
        rows = []
    found = []
    for number, row in enumerate(rows):
        read, wrong = _read(source, name, place, row, lines[(place, number)])
        found += [read] if read and (is_lenient or not wrong) else []
        faults += wrong
    return found, faults + _twice(found)


def _read(
    source: Source, name: str, place: str, row: Any, line: int
) -> tuple[Wording | None, list[Fault]]:
    """An entry as far as it can be read, and what is wrong with it."""
    model: type[_Say | _Beside] = _Say if place == "say" else _Beside
    problems: list[tuple[str, str]] = []
    try:
        entry = model.model_validate(row)
    except ValidationError as error:
        problems = [_explained(details, model) for details in error.errors()]
        whole = _without(row, {details["loc"][:1] for details in error.errors()})
        if not whole:
            return None, [Fault(source.path, line, *each) for each in problems]
        entry = model.model_validate(whole)
    condition, unknown = read_condition(entry.if_)
    problems += unknown
    kinds: tuple[str, ...] = (name,)
    if isinstance(entry, _Beside):
        kinds = _listed(entry.k)
        problems += [
            (f"no kind of event is called {kind!r}{_of(kind, KINDS)}", LISTED)
            for kind in kinds
            if kind not in KINDS
        ]
    faults = [Fault(source.path, line, *each) for each in problems]
    adds, is_untrue = _added(entry.adds) if isinstance(entry, _Say) else ("", False)
    read = Wording(
        id=f"{name}-{hashlib.sha256(entry.t.encode()).hexdigest()[:_ID_LENGTH]}",
        place=place,
        kinds=kinds,
        condition=condition,
        text=entry.t,
        is_full=isinstance(entry, _Say) and entry.full,
        adds=adds,
        adds_untrue=is_untrue,
        denies=isinstance(entry, _Say) and entry.denies,
        path=source.path,
        line=line,
    )
    return read, faults


def _without(row: Any, wrong: set[tuple[Any, ...]]) -> dict[str, Any]:
    """An entry without the fields that are wrong; empty if it says nothing then."""
    fields = row.items() if isinstance(row, dict) else ()
    kept = {key: value for key, value in fields if (key,) not in wrong}
    return kept if "t" in kept else {}


def _explained(details: Any, model: type[BaseModel]) -> tuple[str, str]:
    """Problem and cure, of what pydantic found."""
    fields = [field.alias or name for name, field in model.model_fields.items()]
    field = dotted(details["loc"])
    if details["type"] == "extra_forbidden":
        return f"unknown field {field!r}{_of(field, fields)}", f"there are {', '.join(fields)}"
    if details["type"] == "missing":
        return "no text", 'write t = "what is said"'
    return ": ".join(part for part in (field, explained(details)) if part), "see the docs"


def _twice(found: list[Wording]) -> list[Fault]:
    """The same words on two lines: they would be one wording."""
    first: dict[str, Wording] = {}
    faults = []
    for each in found:
        if first.setdefault(each.id, each) is not each:
            problem = f"the same words stand on line {first[each.id].line}"
            faults.append(Fault(each.path, each.line, problem, "leave one out"))
    return faults


def _added(text: str) -> tuple[str, bool]:
    """What a teller adds, and whether it is untrue.

    Examples
    --------
    >>> _added("poisoned spikes: untrue"), _added("a broken stool: true")
    (('poisoned spikes', True), ('a broken stool', False))
    """
    what, colon, verdict = text.rpartition(":")
    if colon and verdict.strip() in ("true", "untrue"):
        return what.strip(), verdict.strip() == "untrue"
    return text.strip(), False


# ------------------------------------------------------------- conditions


def read_condition(text: str) -> tuple[Condition, list[tuple[str, str]]]:
    """A condition as it is written, and problem and cure of each tag that is none.

    Examples
    --------
    >>> condition, problems = read_condition("knows, not self, trade baker")
    >>> condition.tags, problems
    ((('knows', True), ('self', False), ('trade baker', True)), [])
    >>> read_condition("stanger")[1]
    [("unknown tag 'stanger' (did you mean 'stranger'?)", 'see docs/how-to/add-a-wording.md')]
    """
    tags = []
    problems = []
    for part in _listed(text):
        is_wanted = not part.startswith("not ")
        tag = part.removeprefix("not ").strip()
        if not is_tag(tag):
            meant = meant_by(tag)
            hint = f" (did you mean {meant!r}?)" if meant else ""
            problems.append((f"unknown tag {tag!r}{hint}", LISTED))
            tag = meant or ""
        tags += [(tag, is_wanted)] if tag else []
    return Condition(tuple(tags)), problems


def is_tag(tag: str) -> bool:
    """Whether there is such a tag."""
    return tag in _known_tags()


@functools.cache
def _known_tags() -> dict[str, None]:
    trades = load_tables().trades
    own = (*(f"trade {each}" for each in trades), *(f"i am {each}" for each in trades))
    games = (f"game {each}" for each in GAMES)
    return dict.fromkeys((*sorted(TAGS), *own, f"i am {KEEPER}", *games))


def meant_by(word: str) -> str | None:
    """The tag that a word most likely stands for, misspelt or not as we call it; None if none.

    Examples
    --------
    >>> meant_by("knwos"), meant_by("hapy"), meant_by("female"), meant_by("xyzzy")
    ('knows', 'merry', 'sex f', None)
    """
    close = nearest(word, (*_known_tags(), *OTHER_WORDS))
    return OTHER_WORDS.get(close, close) if close else None


def _listed(text: str) -> tuple[str, ...]:
    """Parts between commas, each with single spaces."""
    parts = (" ".join(part.split()) for part in text.split(","))
    return tuple(part for part in parts if part)


def _of(word: str, known: Iterable[str]) -> str:
    """The known word that is most like one, in brackets."""
    meant = nearest(word, known)
    return f" (did you mean {meant!r}?)" if meant else ""
