"""What towns are founded from: ``settlements.toml``, ``districts.toml`` and ``houses.toml``.

A user's own folder goes before the shipped one: each entry of a file of that
name takes the place of the shipped entry of the same name, or is added at the end.
"""

from __future__ import annotations

import difflib
import functools
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from ..data_tables import (
    RANKS,
    DataError,
    DataTables,
    Entry,
    Rank,
    Source,
    merged,
    read_source,
    verify_folder,
)
from ..games import GAMES
from ..scenario.problems import unknown_name
from ..scenario.schema import TableOfGames, YardEvent
from ..shipped import shipped

FEWEST, MOST = 20, 5_000_000
"""Inhabitants of a town, at the least and at the most, as the schema has them."""

Weight = Annotated[float, Field(ge=0, le=1e9)]
Weights = dict[str, Weight]
Band = Annotated[int, Field(ge=1, le=5)]
Words = Annotated[tuple[str, ...], Field(strict=False)]


class Settlement(Entry):
    """A size of place: how many work there, and at what, who are masters of nothing."""

    least: Annotated[int, Field(ge=0)]
    household: Annotated[float, Field(ge=1, le=100)]
    workers: Annotated[float, Field(gt=0, le=100)]
    hands: Annotated[float, Field(ge=1, le=100)]
    rest: Annotated[Weights, Field(min_length=1)]
    river: Weights = Field(default_factory=dict)
    sea: Weights = Field(default_factory=dict)
    without: Words = ()
    goes: dict[Rank, Weight] = Field(default_factory=dict)

    def rest_by(self, water: str) -> Weights:
        """Weights of the trades of those who are masters of nothing, by such water."""
        added: Weights = {} if water == "none" else getattr(self, water)
        names = dict.fromkeys([*self.rest, *added])
        return {name: self.rest.get(name, 0.0) + added.get(name, 0.0) for name in names}

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if not any(self.rest.values()):
            raise ValueError("rest: must hold a weight above 0")
        if not any(self.goes.get(rank, 1.0) for rank in RANKS):
            raise ValueError("goes: must be above 0 for one rank at least")
        if not self.hands <= self.workers <= self.household:
            raise ValueError(
                "hands must be at most workers, and workers at most household"
                f" (got {self.hands:g}, {self.workers:g} and {self.household:g})"
            )
        return self


class DistrictKind(Entry):
    """A kind of district: who lives there, and what houses stand there."""

    names: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=60)], ...],
        Field(strict=False, min_length=1),
    ]
    least: Annotated[int, Field(ge=0)] = 0
    most: Annotated[int, Field(ge=0)] = 0
    one_per: Annotated[int, Field(ge=0)] = 0
    water: Literal["", "river", "sea"] = ""
    share: Annotated[float, Field(gt=0, le=1e9)]
    houses: Weight
    quality: Annotated[float, Field(ge=1, le=5)]
    near: Words = ()
    trades: Weights = Field(default_factory=dict)
    customs: Weights = Field(default_factory=dict)

    def number(self, population: int, water: str) -> int:
        """How many a town of that many inhabitants has.

        Examples
        --------
        >>> harbour = load_founding().kinds["harbour"]
        >>> [harbour.number(n, "sea") for n in (430, 5_000, 100_000)], harbour.number(5_000, "none")
        ([0, 1, 5], 0)
        """
        if population < self.least or 0 < self.most < population or self.water not in ("", water):
            return 0
        more = (population - self.least) // self.one_per if self.one_per else 0
        return min(1 + more, len(self.names))


class FareTable(TableOfGames):
    """Tables of one game in a kind of house: one for so many of its places."""

    places: Annotated[int, Field(ge=0, le=100_000)] = 0


class FareEvent(YardEvent):
    """A throw or a race of a kind of house, in one of the evening's sittings."""

    rounds: list[int] = Field(default_factory=list)
    sitting: Annotated[int, Field(ge=1, le=200)]


class Fare(Entry):
    """A kind of house: its games, its custom, and where such a house stands."""

    about: str = ""
    bands: Annotated[tuple[Band, ...], Field(strict=False, min_length=1)]
    kinds: Words = ()
    weight: Weight
    customs: Weights = Field(default_factory=dict)
    rake_bp: Annotated[int, Field(ge=0, le=10_000)] = 0
    least_capacity: Annotated[int, Field(ge=0)] = 0
    tables: list[FareTable] = Field(default_factory=list)
    yard: list[FareEvent] = Field(default_factory=list)

    def fits(self, kind: str, quality: int, capacity: int) -> bool:
        """Say whether a house there, of that band and size, may be such a one."""
        is_there = not self.kinds or kind in self.kinds
        return is_there and quality in self.bands and capacity >= self.least_capacity


@dataclass(frozen=True, eq=False)
class Founding:
    """The three tables, each by name and in the order of its file."""

    settlements: dict[str, Settlement]
    kinds: dict[str, DistrictKind]
    fares: dict[str, Fare]

    def settlement(self, population: int) -> Settlement:
        """The size of place that so many inhabitants make.

        Examples
        --------
        >>> [load_founding().settlement(n).name for n in (80, 430, 5_000, 100_000)]
        ['hamlet', 'village', 'town', 'city']
        """
        fitting = [each for each in self.settlements.values() if each.least <= population]
        return max(fitting, key=lambda each: each.least)


_FILES: dict[str, tuple[str, type[Entry]]] = {
    "settlements.toml": ("settlement", Settlement),
    "districts.toml": ("district", DistrictKind),
    "houses.toml": ("house", Fare),
}


def load_founding(folder: str | Path | None = None) -> Founding:
    """Read the shipped tables of settlements, districts and houses, then a user's.

    Parameters
    ----------
    folder : str or Path, optional
        A folder that may hold any of the three files beside other tables. A
        relative one is looked for from the current folder.

    Raises
    ------
    DataError
        If there is no such folder, or an entry is wrong; the message names
        file, entry and what is allowed.

    Examples
    --------
    >>> load_founding().kinds["harbour"].names[:2]
    ('harbour', 'fish quay')
    """
    sources = {name: [read_source(shipped("data") / name)] for name in _FILES}
    for path in [] if folder is None else _own_files(Path(folder)):
        sources[path.name].append(read_source(path))
    return _built(tuple(tuple(each) for each in sources.values()))


def _own_files(folder: Path) -> list[Path]:
    """Those of the files that a user's folder holds; none that looks like one is misspelt."""
    verify_folder(folder)
    names = [path.name for path in sorted(folder.glob("*.toml"))]
    for missing in _FILES.keys() - set(names):
        for name in difflib.get_close_matches(missing, names, 1, 0.8):
            raise DataError(folder / name, f"no table of that name (did you mean {missing!r}?)")
    return [folder / name for name in _FILES if name in names]


@functools.lru_cache(maxsize=16)
def _built(sources: tuple[tuple[Source, ...], ...]) -> Founding:
    settlements, kinds, fares = (
        merged(files, *what) for files, what in zip(sources, _FILES.values(), strict=True)
    )
    # A problem between two files is put down to the user's.
    paths = [files[-1].path for files in sources]
    if not any(each.least <= FEWEST for each in settlements.values()):
        text = f"least: one settlement must begin at {FEWEST} inhabitants or fewer"
        raise DataError(paths[0], text)
    _verify_kinds(paths[1], kinds)
    _verify_fares(paths[2], fares, kinds)
    return Founding(settlements, kinds, fares)


def _verify_kinds(path: str, kinds: dict[str, DistrictKind]) -> None:
    called: dict[str, str] = {}
    for kind in kinds.values():
        _verify_names(path, kind.name, "near", "kind of district", kind.near, kinds)
        for name in kind.names:
            other = called.setdefault(name.casefold(), kind.name)
            if other != kind.name or kind.names.count(name) > 1:
                problem = f"names: {name!r} is called so once already, under {other!r}"
                raise DataError(path, problem, entry=kind.name)
    lacking = _without_district(kinds.values())
    if lacking is not None:
        problem = f"least, most: no kind without `water` fits a town of {lacking:,} inhabitants"
        raise DataError(path, f"{problem}; one must fit each of {FEWEST} or more")


def _without_district(kinds: Iterable[DistrictKind]) -> int | None:
    """The smallest town that no kind of district fits, whatever it lies by; None if all have one.

    Examples
    --------
    >>> village = load_founding().kinds["village"]
    >>> village.least, village.most, _without_district([village])
    (200, 999, 20)
    """
    reached = FEWEST
    for kind in sorted(kinds, key=lambda each: each.least):
        if kind.least > reached:
            break
        if kind.number(reached, "none"):
            reached = kind.most + 1 if kind.most else MOST + 1
    return reached if reached <= MOST else None


def _verify_fares(path: str, fares: dict[str, Fare], kinds: dict[str, DistrictKind]) -> None:
    for fare in fares.values():
        _verify_names(path, fare.name, "kinds", "kind of district", fare.kinds, kinds)
        games = [*(each.game for each in fare.tables), *(each.game for each in fare.yard)]
        _verify_names(path, fare.name, "game", "game", games, GAMES)
    if not any(fare.weight > 0 and not fare.kinds for fare in fares.values()):
        raise DataError(path, "kinds: one house must fit anywhere, with a weight above 0")


def verify_against(founding: Founding, data: DataTables, folder: str | None) -> None:
    """Make sure that trades and customs in the tables are known.

    Raises
    ------
    DataError
        For the first that is not; of the shipped tables it is a user's table of
        trades or customs that lacks nothing shipped, so it names the user's folder.
    """
    base = Path(folder) if folder else shipped("data")
    for settlement in founding.settlements.values():
        path = base / "settlements.toml"
        named = [*settlement.rest, *settlement.river, *settlement.sea]
        _verify_names(path, settlement.name, "rest", "trade", named, data.trades)
        _verify_names(path, settlement.name, "without", "trade", settlement.without, data.trades)
    for kind in founding.kinds.values():
        path = base / "districts.toml"
        _verify_names(path, kind.name, "trades", "trade", kind.trades, data.trades)
        _verify_names(path, kind.name, "customs", "custom", kind.customs, data.customs)
    for fare in founding.fares.values():
        path = base / "houses.toml"
        _verify_names(path, fare.name, "customs", "custom", fare.customs, data.customs)


def _verify_names(
    path: str | Path, entry: str, field: str, kind: str, given: Iterable[str], known: Iterable[Any]
) -> None:
    for name in given:
        if name not in known:
            problem = f"{field}: {unknown_name(kind, name, list(known))}"
            raise DataError(path, problem, entry=entry)
