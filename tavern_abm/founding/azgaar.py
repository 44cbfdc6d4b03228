"""Towns of a map: the burgs of a JSON export of Azgaar's Fantasy Map Generator.

Read are the exports "full" and "minimal", which hold ``settings`` and ``pack.burgs``, and
"pack cells", which holds the burgs under ``cells``. Of a burg we take its name, its people and
whether it is a port, a capital or by a river; the ground, the roads and the states are not ours.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import ValidationError

from ..data_tables import DataError
from ..scenario.messages import explained
from ..scenario.problems import nearest, shown
from ..scenario.schema import Town
from .tables import FEWEST, MOST

POPULATION_RATE = 1000.0
"""People a population point of the map stands for, where the file does not say."""
URBANIZATION = 1.0
"""By how much more of them live in burgs, where the file does not say."""

FIRST_SEED = 1000
"""Seeds of a map's towns begin here, apart from the small ones that people think of."""
_LAST_ID = 2**62 - FIRST_SEED  # for the last of all seeds

_HOW = "export the map by Export, Export to JSON, full or minimal"
_SHOWN = 5  # names in a message
_LONGEST_STEM = 60


class Burg(NamedTuple):
    """A town of a map.

    Attributes
    ----------
    id : int
        Its number on the map, from 1 up: two burgs may have one name.
    name : str
        As the map has it, on one line.
    population : int
        Inhabitants.
    is_port, is_capital, is_on_river : bool
        What the map says of it.

    Examples
    --------
    >>> Burg(3, "Eelmere", 900, is_port=True).water
    'sea'
    """

    id: int
    name: str
    population: int
    is_port: bool = False
    is_capital: bool = False
    is_on_river: bool = False

    @property
    def water(self) -> Literal["none", "river", "sea"]:
        """What it lies by, as `town.water` has it: a port by a lake counts as one by the sea."""
        if self.is_port:
            return "sea"
        return "river" if self.is_on_river else "none"


def read_burgs(path: str | Path) -> list[Burg]:
    """Read the towns of a map, the largest first.

    Parameters
    ----------
    path : str or Path
        A JSON export, full or minimal.

    Returns
    -------
    list of Burg
        Those that have been removed from the map are left out. Inhabitants are
        the burg's points times the map's ``populationRate`` times its
        ``urbanization``, rounded, as the generator itself shows them.

    Raises
    ------
    DataError
        If the file cannot be read, is no such export, or has a burg that makes no
        sense; the message says which, and how to export a map.

    References
    ----------
    .. [1] Fantasy Map Generator, wiki, "Data model": Burgs. The formula of the inhabitants is
       that of its burg editor.
    """
    document = _document(Path(path))
    rate = _number(path, document, "populationRate", POPULATION_RATE)
    urbanization = _number(path, document, "urbanization", URBANIZATION)
    rows = _rows(path, document)
    standing = [row for row in rows if _stands(row)]
    if not standing:
        raise DataError(path, _why_none(rows))
    burgs = [_burg(path, row, rate * urbanization) for row in standing]
    return sorted(burgs, key=lambda burg: (-burg.population, burg.id))


def _document(path: Path) -> dict[str, Any]:
    """The file, if it is a JSON object."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise DataError(path, f"cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise DataError(path, f"is no JSON: not UTF-8 text; {_HOW}") from error
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:  # also for a number of thousands of digits
        raise DataError(path, _no_json(path, error), line=getattr(error, "lineno", None)) from error
    if not isinstance(document, dict):
        raise DataError(path, f"is no map of the Fantasy Map Generator; {_HOW}")
    return document


def _no_json(path: Path, error: Exception) -> str:
    if path.suffix == ".map":
        return f"is a saved map, no export; {_HOW}"
    if isinstance(error, RecursionError):
        return f"is nested too deeply; {_HOW}"
    return f"is no JSON: {getattr(error, 'msg', error)}; {_HOW}"


def _number(path: str | Path, document: dict[str, Any], name: str, otherwise: float) -> float:
    """One of the map's settings: a number above 0, which older maps have as text."""
    settings = document.get("settings")
    value = settings.get(name, otherwise) if isinstance(settings, dict) else otherwise
    number = _as_number(value)
    if not number > 0:
        raise DataError(path, f"must be a number above 0 (got {value!r})", entry=f"settings.{name}")
    return number


def _as_number(value: Any) -> float:
    """A finite number, also one written as text; nan for all else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return math.nan
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return math.nan
    return number if math.isfinite(number) else math.nan


def _rows(path: str | Path, document: dict[str, Any]) -> list[Any]:
    """The list of burgs, wherever this kind of export has it."""
    if document.get("type") == "FeatureCollection":
        raise DataError(path, f"is a GeoJSON file, in which no burgs are; {_HOW}")
    for place in ("pack", "cells"):
        part = document.get(place)
        if isinstance(part, dict) and isinstance(part.get("burgs"), list):
            return list(part["burgs"])
    raise DataError(path, f"holds no burgs (pack.burgs); {_HOW}")


def _stands(row: Any) -> bool:
    """Say whether there is a town: the first place of the list is empty, and some are removed."""
    return isinstance(row, dict) and bool(row.get("name")) and not row.get("removed")


def _why_none(rows: Sequence[Any]) -> str:
    """What is the matter with a list of burgs of which none is a town."""
    filled = [row for row in rows if row]
    burgs = [row for row in filled if isinstance(row, dict)]
    if not filled:
        return "there is no burg on this map"
    if not burgs:
        return f"burgs: must each be an object with i, name, population (got {shown(filled[0])})"
    if all(row.get("removed") for row in burgs):
        return "all burgs have been removed from this map"
    return "no burg of this map has a name"


def _burg(path: str | Path, row: dict[str, Any], people_a_point: float) -> Burg:
    name = _one_line(str(row["name"]))
    number = _as_number(row.get("i"))
    entry = f"burg {name!r}"
    if not 0 <= number <= _LAST_ID:
        limit = "" if math.isnan(number) or number < 0 else f", at most {_LAST_ID:,}"
        problem = f"i: must be its number{limit} (got {row.get('i')!r})"
        raise DataError(path, problem, entry=entry)
    points = _as_number(row.get("population"))
    if not points >= 0:
        problem = f"population: must be at least 0 (got {row.get('population')!r})"
        raise DataError(path, problem, entry=entry)
    return Burg(
        int(number),
        name,
        round(points * people_a_point),
        is_port=bool(row.get("port")),
        is_capital=bool(row.get("capital")),
        is_on_river=row.get("type") == "River",
    )


def _one_line(name: str) -> str:
    """A name without line breaks and marks that cannot be seen."""
    seen = "".join(" " if unicodedata.category(sign)[0] == "C" else sign for sign in name)
    return " ".join(seen.split()) or "nameless"


def find_burg(burgs: Sequence[Burg], wanted: str, path: str | Path = "the map") -> Burg:
    """The burg of a name, or of a number; capitals do not matter.

    Raises
    ------
    DataError
        If there is none (the nearest is named), or more than one of that name
        (their numbers are named).

    Examples
    --------
    >>> find_burg([Burg(3, "Eelmere", 900), Burg(7, "Oxney", 80)], "oxney").population
    80
    >>> find_burg([Burg(3, "Eelmere", 900), Burg(7, "Oxney", 80)], "3").name
    'Eelmere'
    """
    named = [burg for burg in burgs if burg.name.casefold() == wanted.strip().casefold()]
    found = named or [burg for burg in burgs if str(burg.id) == wanted.strip()]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(f"{burg.id} ({burg.population:,} people)" for burg in found)
        raise DataError(
            path, f"more than one burg of that name: give its number, {ids}", entry=wanted
        )
    raise DataError(path, f"no such burg{_there_are(burgs, wanted)}", entry=wanted)


def _there_are(burgs: Sequence[Burg], wanted: str) -> str:
    """The end of a message: the burg that was meant, or some that there are."""
    meant = nearest(wanted, [burg.name for burg in burgs])
    if meant:
        return f" (did you mean {meant!r}?)"
    shown = ", ".join(burg.name for burg in burgs[:_SHOWN])
    more = f" and {len(burgs) - _SHOWN} more" if len(burgs) > _SHOWN else ""
    return f" (there are {shown}{more})" if burgs else " (there are none)"


def town_of(burg: Burg, path: str | Path = "the map") -> Town:
    """The town to be founded there; its seed is `FIRST_SEED` and the burg's number.

    Raises
    ------
    DataError
        If it has too few or too many people for a town.

    Examples
    --------
    >>> town = town_of(Burg(3, "Eelmere", 900, is_port=True))
    >>> town.population, town.water, town.seed
    (900, 'sea', 1003)
    """
    entry, people = f"burg {burg.name!r}", f"{burg.population:,} people"
    if not FEWEST <= burg.population <= MOST:
        raise DataError(path, f"{people}: a town has {FEWEST} to {MOST:,}", entry=entry)
    try:
        return Town(population=burg.population, water=burg.water, seed=FIRST_SEED + burg.id)
    except ValidationError as error:
        problem = explained(error.errors()[0])
        raise DataError(path, f"{people}: {problem}", entry=entry) from error


def file_stems(burgs: Sequence[Burg]) -> list[str]:
    """A file name, without its ending, for each burg: small letters, not too long, no two alike.

    Examples
    --------
    >>> file_stems([Burg(1, "Ålmöte by the Sea", 900), Burg(2, "Oxney", 80), Burg(9, "Oxney", 20)])
    ['almote-by-the-sea', 'oxney', 'oxney-9']
    """
    stems: list[str] = []
    taken: set[str] = set()
    for burg in burgs:
        stem = _slug(burg.name) or f"burg-{burg.id}"
        while stem in taken:
            stem = f"{stem}-{burg.id}"
        taken.add(stem)
        stems.append(stem)
    return stems


def _slug(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:_LONGEST_STEM].rstrip("-")
