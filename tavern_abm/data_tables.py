"""The tables of `data/`: trades, ancestries, customs of houses, names and kinds of gamblers.

A user's own folder goes before the shipped one: of a file that lies there, each
entry takes the place of the shipped entry of the same name or is added at the end.
"""

from __future__ import annotations

import difflib
import functools
import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from . import coins
from .shipped import shipped

SKILLS = (
    "thievery",
    "perception",
    "bluff",
    "insight",
    "climb",
    "swim",
    "jump",
    "balance",
    "tumble",
    "hide",
    "spot",
    "ride",
)
ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
Rank = Literal["poor", "common", "well-off", "noble"]
RANKS: tuple[Rank, ...] = get_args(Rank)
"""Ranks of people, from the lowest up."""
SENTENCES = ("warned", "out", "banned", "beaten", "killed")

OF_GAMES = (
    "objects.toml",
    "courses",
    "ways.toml",
    "signs.toml",
    "districts.toml",
    "houses.toml",
    "settlements.toml",
    "wordings",
)
"""What else a folder of tables may hold: the games, towns and packs that use it read it."""

# Odds written with a few decimals add up to 1 only so far.
SUM_TOLERANCE = 1e-9


class DataError(ValueError):
    """A table that cannot be used.

    Attributes
    ----------
    path : str
        The file or folder.
    entry : str
        Name of the entry in question; empty if it is the file as a whole.
    problem : str
        What is wrong and what is allowed.
    line : int or None
        Line of the file where it is known.

    Examples
    --------
    >>> print(DataError("my/customs.toml", "the odds add up to 0.9, not to 1", entry="dockside"))
    my/customs.toml: dockside: the odds add up to 0.9, not to 1
    """

    def __init__(
        self, path: str | Path, problem: str, *, entry: str = "", line: int | None = None
    ) -> None:
        self.path, self.entry, self.problem, self.line = str(path), entry, problem, line
        where = self.path if line is None else f"{self.path}:{line}"
        super().__init__(": ".join(part for part in (where, entry, problem) if part))

    def __reduce__(self) -> tuple[Any, ...]:
        # Made of keyword arguments: without this it could not come back from a worker process.
        return _data_error, (self.path, self.problem, self.entry, self.line)


def _data_error(path: str, problem: str, entry: str, line: int | None) -> DataError:
    return DataError(path, problem, entry=entry, line=line)


def _coins(value: Any) -> Any:
    return coins.parse(value) if isinstance(value, str) else value


Money = Annotated[int, BeforeValidator(_coins), Field(ge=0, le=coins.MOST_CP)]
Bonus = Annotated[int, Field(ge=-20, le=20)]
Change = Annotated[int, Field(ge=-10, le=10)]
Odds = Annotated[float, Field(ge=0, le=1)]
Weight = Annotated[float, Field(ge=0)]
Feat = Literal["Endurance", "Run", "Far Shot", "Two-Weapon Fighting", "Weapon Focus"]
# One word: so a full name comes apart in one way only.
Word = Annotated[str, Field(pattern=r"^[^\s,]+$", max_length=30)]
Words = Annotated[tuple[Word, ...], Field(strict=False)]
Epithet = Annotated[str, Field(pattern=r"^[^\s,]+( [^\s,]+)*$", max_length=30)]


class Entry(BaseModel):
    """An entry of a table: unknown keys are errors, and nothing is changed later."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    name: Annotated[str, Field(min_length=1, max_length=60)]


class Skilled(Entry):
    """An entry that brings bonuses on checks, beside those of the ability."""

    thievery: Bonus = 0
    perception: Bonus = 0
    bluff: Bonus = 0
    insight: Bonus = 0
    climb: Bonus = 0
    swim: Bonus = 0
    jump: Bonus = 0
    balance: Bonus = 0
    tumble: Bonus = 0
    hide: Bonus = 0
    spot: Bonus = 0
    ride: Bonus = 0


class Trade(Skilled):
    """What somebody does for a living: a daily wage in cp, a share, a rank, skills and feats.

    ``people_per`` is how many inhabitants a town has for each who is master of it; 0: none.
    ``male`` and ``female`` are what a man or a woman of it is called, where not by its name.
    """

    wage_cp: Money
    weight: Weight
    rank: Rank
    people_per: Annotated[float, Field(ge=0)] = 0.0
    feats: Annotated[tuple[Feat, ...], Field(strict=False)] = ()
    martial: bool = False
    male: Annotated[str, Field(max_length=60)] = ""
    female: Annotated[str, Field(max_length=60)] = ""


class Ancestry(Skilled):
    """A people: share of the town, size, speed in feet, changes of abilities, skills."""

    weight: Weight
    size: Literal["small", "medium"]
    speed_ft: Annotated[int, Field(ge=5, le=120)]
    strength: Change = 0
    dexterity: Change = 0
    constitution: Change = 0
    intelligence: Change = 0
    wisdom: Change = 0
    charisma: Change = 0


class Custom(Entry):
    """How a house deals with one found guilty: odds of the sentences, which add up to 1."""

    about: str = ""
    warned: Odds
    out: Odds
    banned: Odds
    beaten: Odds
    killed: Odds
    ban_nights: Annotated[int, Field(ge=0)]
    restraint: Annotated[float, Field(ge=0, le=20)]
    lucky_wins: Annotated[int, Field(ge=0)]

    @property
    def odds(self) -> tuple[float, ...]:
        """Odds of the five sentences, in the order of `SENTENCES`."""
        return (self.warned, self.out, self.banned, self.beaten, self.killed)

    @model_validator(mode="after")
    def _odds_add_up(self) -> Self:
        total = sum(self.odds)
        if abs(total - 1) > SUM_TOLERANCE:
            raise ValueError(f"the odds of {', '.join(SENTENCES)} add up to {total:g}, not to 1")
        return self


class Gambler(Entry):
    """A way to gamble: what moves somebody's bets, as against the scenario's `minds`."""

    about: str = ""
    rationality: Annotated[float, Field(ge=0, le=25)] = 1.0
    thrill: Annotated[float, Field(ge=-10, le=10)] = 0.0
    chasing: Annotated[float, Field(ge=-10, le=10)] = 0.0
    superstition: Annotated[float, Field(ge=-5, le=5)] = 0.0
    thirst: Annotated[float, Field(ge=0, le=10)] = 1.0
    cheating: Annotated[float, Field(ge=-20, le=20)] = 0.0
    boldness: Annotated[float, Field(ge=-10, le=10)] = 0.0


class Quality(Entry):
    """A band of quality of houses: what an evening costs there, and what the house costs."""

    about: str = ""
    band: Annotated[int, Field(ge=1, le=5)]
    mug_cp: Money
    seat_fee_cp: Money
    staff_cp: Money
    upkeep_cp: Money
    till_cp: Money
    places: Annotated[int, Field(ge=1, le=1_000_000)]


class People(Entry):
    """Names of one people: its own lists, or two peoples (`parents`) whose lists it mixes."""

    female: Words = ()
    male: Words = ()
    bynames: Words = ()
    parents: Annotated[tuple[str, ...], Field(strict=False)] = ()

    @model_validator(mode="after")
    def _lists_or_parents(self) -> Self:
        lists = (self.female, self.male, self.bynames)
        if self.parents and (any(lists) or len(set(self.parents)) != 2 or len(self.parents) != 2):
            raise ValueError("parents must be two different peoples, and there are no lists then")
        if not self.parents and not all(lists):
            raise ValueError("needs female, male and bynames with a name each, or two parents")
        return self


@dataclass(frozen=True, eq=False)
class Names:
    """All lists of names; compared by identity, so that what is worked out from it can be kept.

    Attributes
    ----------
    people : dict of str to People
        By ancestry.
    epithets : tuple of str
        What tells two people of one name apart.
    """

    people: dict[str, People]
    epithets: tuple[str, ...]


@dataclass(frozen=True)
class DataTables:
    """The tables, each in the order of its file."""

    trades: dict[str, Trade]
    ancestries: dict[str, Ancestry]
    customs: dict[str, Custom]
    names: Names
    gamblers: dict[str, Gambler]
    qualities: dict[str, Quality]


@dataclass(frozen=True)
class Source:
    """A file as it was read."""

    path: str
    content: bytes


# File, name of its entries, and the model of one.
_TABLES: dict[str, tuple[str, type[Entry]]] = {
    "trades.toml": ("trade", Trade),
    "ancestries.toml": ("ancestry", Ancestry),
    "customs.toml": ("custom", Custom),
    "names.toml": ("people", People),
    "gamblers.toml": ("gambler", Gambler),
    "qualities.toml": ("quality", Quality),
}


# What a file may hold beside the entries that are asked for.
_BESIDE = {"people": ("epithets",), "pattern": ("words",), "words": ("pattern",)}


def load_tables(folder: str | Path | None = None) -> DataTables:
    """Read the shipped tables, and before them those of a user's folder.

    The files are read at every call, so an edited one is never served stale;
    the tables made of them are kept and shared: do not change them.

    Parameters
    ----------
    folder : str or Path, optional
        A folder with any of ``trades.toml``, ``ancestries.toml``, ``customs.toml``,
        ``names.toml``, ``gamblers.toml`` and ``qualities.toml``. A relative one is looked for
        from the current folder.

    Raises
    ------
    DataError
        If the folder is missing or holds no table, or a table is wrong; the
        message names file, entry and what is allowed.

    Examples
    --------
    >>> tables = load_tables()
    >>> tables.trades["smith"].wage_cp, tables.customs["orc"].lucky_wins
    (110, 4)
    """
    sources = {name: [read_source(shipped("data") / name)] for name in _TABLES}
    for path in [] if folder is None else _own_tables(Path(folder)):
        sources[path.name].append(read_source(path))
    return _built(tuple(tuple(each) for each in sources.values()))


def _own_tables(folder: Path) -> list[Path]:
    """Paths of the tables in a user's folder: at least one, none misspelt."""
    verify_folder(folder)
    known = (*_TABLES, *OF_GAMES)
    for path in sorted(folder.glob("*.toml")):
        meant = difflib.get_close_matches(path.name, known, 1, 0.8)
        if path.name not in known and meant:
            raise DataError(path, f"no table of that name (did you mean {meant[0]!r}?)")
    if not any((folder / name).exists() for name in known):
        raise DataError(folder, f"no table in this folder; it may hold {', '.join(known)}")
    return [folder / name for name in _TABLES if (folder / name).exists()]


def verify_folder(folder: Path) -> None:
    """Say so if a user's own folder is none.

    Raises
    ------
    DataError
        If there is no such folder, or it is a file.
    """
    if not folder.is_dir():
        problem = "is not a folder" if folder.exists() else "no such folder"
        raise DataError(folder, f"{problem}; data must be a folder of tables")


def read_source(path: Path) -> Source:
    """Read a file of tables as it stands."""
    try:
        return Source(str(path), path.read_bytes())
    except OSError as error:
        raise DataError(path, f"cannot be read: {error.strerror or error}") from error


@functools.lru_cache(maxsize=16)
def _built(sources: tuple[tuple[Source, ...], ...]) -> DataTables:
    trades, ancestries, customs, people, gamblers, qualities = (
        merged(files, *table) for files, table in zip(sources, _TABLES.values(), strict=True)
    )
    # A problem between two files is put down to the user's.
    paths = dict(zip(_TABLES, (files[-1].path for files in sources), strict=True))
    trades_path, ancestries_path, names_path = (
        paths[f"{name}.toml"] for name in ("trades", "ancestries", "names")
    )
    _verify_weights(trades_path, "trades", trades.values())
    _verify_weights(ancestries_path, "ancestries", ancestries.values())
    _verify_names(names_path, people)
    by_file = dict(zip(_TABLES, sources, strict=True))
    _verify_bands(by_file["qualities.toml"], qualities.values())
    for name in ancestries:
        if name not in people:
            problem = "no names for it; names.toml needs an entry of that name"
            raise DataError(ancestries_path, problem, entry=name)
    epithets = [each for each in map(_epithets, by_file["names.toml"]) if each]
    everybody = Names(people, epithets[-1])
    return DataTables(trades, ancestries, customs, everybody, gamblers, qualities)


def merged(sources: Sequence[Source], kind: str, model: type[Entry]) -> dict[str, Any]:
    """Entries of all files, by name; of two of the same name the later file's is taken."""
    merged: dict[str, Any] = {}
    for source in sources:
        merged |= _entries(source, kind, model)
    return merged


def _entries(source: Source, kind: str, model: type[Entry]) -> dict[str, Entry]:
    """Check the entries of one file."""
    document = document_of(source)
    allowed = (kind, *_BESIDE.get(kind, ()))
    for key in document:
        if key not in allowed:
            raise DataError(source.path, f"unknown table {key!r}{_nearest(key, allowed)}")
    found: dict[str, Entry] = {}
    rows = document.get(kind, [])
    if not isinstance(rows, list):
        raise DataError(source.path, f"must hold entries that open with [[{kind}]]")
    for number, row in enumerate(rows, start=1):
        at = (kind, number - 1)
        entry = _entry(source, at, row, model)
        if entry.name in found:
            line = _line_of(source, (*at, "name"))
            raise DataError(source.path, "stands here twice", entry=entry.name, line=line)
        found[entry.name] = entry
    return found


def document_of(source: Source) -> dict[str, Any]:
    """A file as TOML has it.

    Raises
    ------
    DataError
        With the line, if it is none.
    """
    try:
        return tomllib.loads(source.content.decode())
    except UnicodeDecodeError as error:
        line = source.content.count(b"\n", 0, error.start) + 1
        raise DataError(source.path, "is not UTF-8 text", line=line) from error
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"line (\d+)", str(error))
        line = int(at[1]) if at else source.content.rstrip().count(b"\n") + 1
        raise DataError(source.path, f"invalid TOML: {error}", line=line) from error


def _entry(source: Source, at: tuple[str, int], row: Any, model: type[Entry]) -> Entry:
    """Check one entry; it is called by its name in messages, or by its number if it has none.

    `at` is the list that it stands in and its place there, from 0.
    """
    name = row.get("name") if isinstance(row, dict) else None
    label = name if isinstance(name, str) and name else f"{at[0]} {at[1] + 1}"
    try:
        return model.model_validate(row)
    except ValidationError as error:
        found = [each for each in error.errors() if not _follows(each)]
        problem = "; ".join(_problem(each, model) for each in found)
        line = _line_of(source, (*at, *found[0]["loc"]))
        raise DataError(source.path, problem, entry=label, line=line) from error


def _line_of(source: Source, path: tuple[str | int, ...]) -> int | None:
    """The line of a key, or where it is missing, that of the innermost thing it belongs to."""
    # Upstairs, and wanted only where something is wrong.
    from .scenario.positions import key_lines

    lines = key_lines(source.content.decode())
    return next((lines[path[:n]] for n in range(len(path), 0, -1) if path[:n] in lines), None)


def _follows(error: Any) -> bool:
    """Say whether a list counts as too short only because an entry of it is refused already."""
    return bool(error["type"] == "too_short" and len(error["input"]) >= error["ctx"]["min_length"])


def _problem(error: Any, model: type[BaseModel]) -> str:
    """Say in our words what pydantic found."""
    # Upstairs, and wanted only where something is wrong.
    from .scenario.messages import dotted, explained, untagged

    field = dotted(untagged(error["loc"]))
    kind = error["type"]
    if kind == "extra_forbidden":
        return f"{field}: unknown field{_nearest(field, model.model_fields)}"
    if kind == "missing":
        return f"{field}: is missing"
    if kind == "string_pattern_mismatch":
        return f"{field}: must be one word without spaces or commas (got {error['input']!r})"
    return ": ".join(part for part in (field, explained(error)) if part)


def _nearest(word: str, allowed: Iterable[str]) -> str:
    """The end of a message about an unknown word: the known one that is most like it."""
    known = list(allowed)
    meant = difflib.get_close_matches(word, known, 1)
    return f" (did you mean {meant[0]!r}?)" if meant else f" (known: {', '.join(known)})"


class _Epithets(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    epithets: Annotated[tuple[Epithet, ...], Field(strict=False)] = ()

    @model_validator(mode="after")
    def _differ(self) -> Self:
        if len({each.casefold() for each in self.epithets}) < len(self.epithets):
            raise ValueError("epithets: none may stand twice")
        return self


def _epithets(source: Source) -> tuple[str, ...]:
    """Epithets of one file of names; none if it leaves them as they are."""
    try:
        return _Epithets.model_validate(document_of(source)).epithets
    except ValidationError as error:
        (found, *_) = error.errors()
        line = _line_of(source, tuple(found["loc"]) or ("epithets",))
        raise DataError(source.path, _problem(found, _Epithets), line=line) from error


def _verify_bands(sources: Sequence[Source], qualities: Iterable[Quality]) -> None:
    """Each band of quality stands once, so that none is missing: the shipped table has all five."""
    named: dict[int, str] = {}
    for each in qualities:
        if each.band in named:
            pair = (named[each.band], each.name)
            raise _two_of_a_band(sources[-1], each.band, pair)
        named[each.band] = each.name


def _two_of_a_band(source: Source, band: int, names: tuple[str, str]) -> DataError:
    """What is wrong with a file (that of the user) after which two qualities are of one band."""
    rows = [row["name"] for row in document_of(source)["quality"]]
    name = next(each for each in reversed(names) if each in rows)
    (other,) = (each for each in names if each != name)
    problem = f"band: {band} is that of {other!r} already; each of 1 to 5 must stand once"
    line = _line_of(source, ("quality", rows.index(name), "band"))
    return DataError(source.path, problem, entry=name, line=line)


def _verify_weights(path: str, table: str, entries: Iterable[Trade | Ancestry]) -> None:
    if not sum(entry.weight for entry in entries) > 0:
        raise DataError(path, f"the weights of all {table} together must be more than 0")


def _verify_names(path: str, people: dict[str, People]) -> None:
    """Check what makes full names unique: see `tavern_abm.patrons.names.name_of`."""
    where: dict[str, str] = {}
    pairs: dict[frozenset[str], str] = {}
    for each in people.values():
        for word in (*each.female, *each.male, *each.bynames):
            if word.casefold() in where:
                problem = f"{word!r} stands under {where[word.casefold()]!r} already"
                raise DataError(path, f"{problem}; a name may stand once only", entry=each.name)
            where[word.casefold()] = each.name
        if each.parents:
            _verify_parents(path, each, people, pairs)


def _verify_parents(
    path: str, child: People, people: dict[str, People], pairs: dict[frozenset[str], str]
) -> None:
    """Check that both parents have lists of their own, and no other child."""
    for parent in child.parents:
        if parent not in people or people[parent].parents:
            problem = f"parents: {parent!r} is no people with names of its own"
            raise DataError(path, problem, entry=child.name)
    other = pairs.setdefault(frozenset(child.parents), child.name)
    if other != child.name:
        problem = f"parents: {other!r} has the same two; their names would not differ"
        raise DataError(path, problem, entry=child.name)
