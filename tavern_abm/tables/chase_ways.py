"""The ways a chase may take: read from a file, and put on offer a few at a time."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..asking import Flag, OneOf, Option, RefusedError, Text, Whole, read_options
from ..chance import CHOICE, draw
from ..patrons.competitor import ABILITIES, SKILL_ABILITY
from ..shipped import shipped

KINDS = ("foot", "climb", "swim")
FAILING = ("forfeit", "retry", "slowed")
HURT = "hurt"
MOST_DICE = 20
_DAMAGE = re.compile(r"([1-9]\d?)d(4|6|8|10|12|20)")


@dataclass(frozen=True)
class Way:
    """One way to go for an increment.

    Parameters
    ----------
    name : str
        A word to pick it by.
    path : str
        Where one goes: ``"over the roofs of Candle Row"``.
    kind : {"foot", "climb", "swim"}
        What the increment is run with: a Strength, Climb or Swim check.
    is_open : bool
        Open ground, where nobody can hide.
    obstacle : str or None
        What stands in the way.
    check : str or None
        The skill or ability it takes; Climb where one climbs.
    dc : int
        Of that check; 0 where there is none.
    failing : {"forfeit", "retry", "slowed", "hurt"}
        What it brings to fail it.
    damage : tuple of int
        Number and faces of the dice of damage; (0, 0) for none.
    """

    name: str
    path: str
    kind: str = "foot"
    is_open: bool = False
    obstacle: str | None = None
    check: str | None = None
    dc: int = 0
    failing: str = "forfeit"
    damage: tuple[int, int] = (0, 0)


class _Damage:
    """Dice of damage."""

    word = "2d6"

    def read(self, value: Any) -> tuple[int, int]:
        found = _DAMAGE.fullmatch(str(value).strip())
        if found is None or int(found[1]) > MOST_DICE:
            raise ValueError(f"'{value}' is no damage; write it like '2d6'")
        return int(found[1]), int(found[2])

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "pattern": _DAMAGE.pattern}


FIELDS = (
    Option("name", Text()),
    Option("path", Text()),
    Option("kind", OneOf(KINDS), "foot"),
    Option("open", Flag(), False),
    Option("obstacle", Text()),
    Option("check", OneOf((*SKILL_ABILITY, *ABILITIES))),
    Option("dc", Whole(1, 60)),
    Option("failing", OneOf(FAILING)),
    Option("damage", _Damage()),
)
"""What a file may say of a way."""


def load_ways(path: str | Path) -> list[Way]:
    """The ways in a TOML file with a ``[[ways]]`` table for each.

    Raises
    ------
    RefusedError
        If it cannot be read or says something that is not allowed; it names the
        file, the way and the field.
    """
    try:
        document = tomllib.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise RefusedError(f"{path}: {error.strerror} (chase)", "ways") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RefusedError(f"{path}: not a TOML file: {error} (chase)", "ways") from None
    entries = document.get("ways")
    if not isinstance(entries, list) or not entries or set(document) - {"ways"}:
        raise RefusedError(f"{path}: write [[ways]] tables and nothing else (chase)", "ways")
    ways = list(_read(path, entries))
    names = [way.name.lower() for way in ways]
    for name in names:
        if names.count(name) > 1:
            raise RefusedError(f"{path}: two ways are called '{name}' (chase)", "ways")
    return ways


@cache
def shipped_ways() -> Sequence[Way]:
    """The ways that come with the program: a quarter of an old town by the river.

    Examples
    --------
    >>> sorted({way.kind for way in shipped_ways()})
    ['climb', 'foot', 'swim']
    """
    return load_ways(shipped("data") / "ways.toml")


def on_offer(ways: Sequence[Way], n: int, key: int, index: int) -> list[Way]:
    """Some `n` of the ways, or all there are, for the `index`-th time of asking."""
    left, offered = list(ways), []
    for i in range(min(n, len(left))):
        offered.append(left.pop(draw(key, CHOICE, index * len(ways) + i) % len(left)))
    return offered


def _read(path: str | Path, entries: Sequence[Any]) -> Iterator[Way]:
    for number, entry in enumerate(entries, start=1):
        where = f"{path}: way {number}"
        if not isinstance(entry, Mapping):
            raise RefusedError(f"{where}: write it as a [[ways]] table (chase)", "ways")
        if isinstance(entry.get("name"), str):
            where += f", '{entry['name']}'"
        try:
            yield _way(read_options(FIELDS, entry, "field"))
        except RefusedError as error:
            field = f"{error.option}: " if error.option else ""
            raise RefusedError(f"{where}: {field}{error} (chase)", "ways") from None


def _way(said: Mapping[str, Any]) -> Way:
    """A way from the fields of its table."""
    if said["name"] is None:
        raise RefusedError("it needs a name")
    climbs = said["kind"] == "climb"
    if climbs and said["check"] not in (None, "climb"):
        raise RefusedError("a climb is an obstacle itself: its check is Climb", "check")
    has_check = climbs or said["check"] is not None or said["obstacle"] is not None
    if has_check and said["dc"] is None:
        raise RefusedError("an obstacle or a climb needs a DC", "dc")
    if not has_check and any(said[name] is not None for name in ("dc", "failing", "damage")):
        raise RefusedError("nothing stands in the way here; name an obstacle and its check")
    if has_check and not climbs and said["check"] is None:
        raise RefusedError("an obstacle needs the skill or ability it is passed with", "check")
    if said["damage"] is not None and said["failing"] is not None:
        raise RefusedError("damage is taken in place of anything else", "failing")
    return Way(
        name=said["name"],
        path=said["path"] or said["name"],
        kind=said["kind"],
        is_open=said["open"],
        obstacle=said["obstacle"],
        check="climb" if climbs else said["check"],
        dc=said["dc"] or 0,
        failing=HURT if said["damage"] else said["failing"] or ("retry" if climbs else "forfeit"),
        damage=said["damage"] or (0, 0),
    )
