"""The ways a chase may take: read from a file, and put on offer a few at a time."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..asking import Flag, OneOf, Option, RefusedError, Text, Whole, read_table
from ..chance import CHOICE, draw
from ..games.race_sheet import KINDS, MOUNTED, MOUNTED_SKILLS, SKILLS
from ..shipped import shipped

if TYPE_CHECKING:
    from ..data_tables import DataError

WAYS_FILE = "ways.toml"
FAILING = ("forfeit", "retry", "slowed")
HURT = "hurt"
INSTEAD, CHOICE_OF = "instead", "choice"
MOST_DICE = 20
ON_OFFER = 3
"""So many ways are on offer at a time, unless something else is said."""
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
    kind : {"foot", "swim", "climb", "mounted", "driven"}
        What the increment is run with, as in a race.
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
        Number and faces of the dice of damage; (0, 0) for none. Where failing brings
        something else, who fails may choose the damage in its place.
    districts : tuple of str
        The parts of a town where it is; empty: everywhere.
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
    districts: tuple[str, ...] = ()

    @property
    def is_mounted(self) -> bool:
        """Say whether the mount, or the cart, does the running."""
        return is_mounted(self.kind)

    @property
    def can_choose(self) -> bool:
        """Say whether who fails may choose damage instead."""
        return self.damage[0] > 0 and self.failing != HURT


def is_mounted(kind: str) -> bool:
    """Say whether on such a way the mount does the running.

    Examples
    --------
    >>> is_mounted("driven"), is_mounted("foot")
    (True, False)
    """
    return KINDS.index(kind) >= MOUNTED


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


class _Districts:
    """A list of parts of a town."""

    word = "districts"

    def read(self, value: Any) -> tuple[str, ...]:
        names = value if isinstance(value, list | tuple) else [value]
        return tuple(Text().read(name).lower() for name in names)

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": {"type": "string"}}


FIELDS = (
    Option("name", Text()),
    Option("path", Text()),
    Option("kind", OneOf(KINDS), "foot"),
    Option("open", Flag(), False),
    Option("obstacle", Text()),
    Option("check", OneOf(SKILLS)),
    Option("dc", Whole(1, 60)),
    Option("failing", OneOf(FAILING)),
    Option("damage", _Damage()),
    Option("damage_is", OneOf((INSTEAD, CHOICE_OF))),
    Option("districts", _Districts(), ()),
)
"""What a file may say of a way."""


def load_ways(path: str | Path) -> list[Way]:
    """The ways in a TOML file with a ``[[ways]]`` table for each.

    Raises
    ------
    RefusedError
        If there is no such file, or it cannot be read.
    DataError
        If it says something that is not allowed; it names the file, the way and
        the field.
    """
    try:
        text = Path(path).read_bytes().decode()
        document = tomllib.loads(text)
    except OSError as error:
        raise RefusedError(f"{path}: {error.strerror} (chase)", "ways") from None
    except UnicodeDecodeError:
        raise _wrong(path, "is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise _wrong(path, f"not a TOML file: {error}") from None
    entries = document.get("ways")
    if not isinstance(entries, list) or not entries or set(document) - {"ways"}:
        raise _wrong(path, "write [[ways]] tables and nothing else")
    ways = list(_read(path, entries))
    names = [way.name.lower() for way in ways]
    for name in names:
        if names.count(name) > 1:
            raise _wrong(path, f"two ways are called '{name}'")
    return ways


def _wrong(path: str | Path, problem: str, entry: str = "") -> DataError:
    # Not imported above: the tables take longer to import than --help may take.
    from ..data_tables import DataError

    return DataError(path, f"{problem} (chase)", entry=entry)


@cache
def shipped_ways() -> Sequence[Way]:
    """The ways that come with the program: a quarter of an old town by the river.

    Examples
    --------
    >>> sorted({way.kind for way in shipped_ways()})
    ['climb', 'driven', 'foot', 'mounted', 'swim']
    """
    return load_ways(shipped("data") / "ways.toml")


def ways_by_house(data: str | Path | None, districts: Sequence[str]) -> list[list[Way]]:
    """The ways that lead from each of some houses, by its district.

    They are those of ``ways.toml`` in the user's own folder `data`, if there is one,
    or the shipped ones.

    Raises
    ------
    DataError
        If the file says something that is not allowed.
    """
    own = Path(data, WAYS_FILE) if data else None
    ways = load_ways(own) if own is not None and own.is_file() else shipped_ways()
    return [ways_of(ways, district) for district in districts]


def ways_of(ways: Sequence[Way], district: str, n: int = ON_OFFER) -> list[Way]:
    """The ways that lead through a district, in their order.

    Those that name it, and those that name none. Where these are not more than `n`,
    all the ways there are.

    Examples
    --------
    >>> alley, quay = Way("alley", "down an alley"), Way("quay", "along it", districts=("harbour",))
    >>> [way.name for way in ways_of([alley, quay], "Harbour", n=1)]
    ['alley', 'quay']
    >>> [way.name for way in ways_of([alley, alley, quay], "Market", n=1)]
    ['alley', 'alley']
    """
    here = [way for way in ways if not way.districts or district.lower() in way.districts]
    return here if len(here) > n else list(ways)


def on_offer(
    ways: Sequence[Way],
    n: int,
    key: int,
    index: int,
    before: Sequence[Sequence[Way]] = (),
    taken: Sequence[Way] = (),
) -> list[Way]:
    """Some `n` of the ways, or all there are, for the `index`-th time of asking.

    Parameters
    ----------
    before : sequence of sequences of Way
        What was on offer earlier. The last two offers are left out as long as `n` other
        ways are left, then the last one; then only what was
    taken : sequence of Way
        in the last two increments, or in the last.
    """
    left, offered = _fresh(ways, n, before, taken), []
    for i in range(min(n, len(left))):
        offered.append(left.pop(draw(key, CHOICE, index * len(ways) + i) % len(left)))
    return offered


def _fresh(
    ways: Sequence[Way], n: int, before: Sequence[Sequence[Way]], taken: Sequence[Way]
) -> list[Way]:
    """The ways left once as many of the latest are left out as can be."""
    stale = ([*before[-2:]], [*before[-1:]], [taken[-2:]], [taken[-1:]])
    for groups in stale:
        out = {way.name for group in groups for way in group}
        left = [way for way in ways if way.name not in out]
        if len(left) >= n:
            return left
    return list(ways)


def _read(path: str | Path, entries: Sequence[Any]) -> Iterator[Way]:
    for number, entry in enumerate(entries, start=1):
        where = f"way {number}"
        if not isinstance(entry, Mapping):
            raise _wrong(path, "write it as a [[ways]] table", where)
        if isinstance(entry.get("name"), str):
            where += f", '{entry['name']}'"
        try:
            yield _way(read_table(FIELDS, entry))
        except RefusedError as error:
            field = f"{error.option}: " if error.option else ""
            raise _wrong(path, f"{field}{error}", where) from None


def _way(said: Mapping[str, Any]) -> Way:
    """A way from the fields of its table."""
    climbs = said["kind"] == "climb"
    has_check = climbs or said["check"] is not None or said["obstacle"] is not None
    _verify_check(said, climbs, has_check)
    _verify_damage(said)
    is_instead = said["damage"] is not None and said["damage_is"] != CHOICE_OF
    return Way(
        name=said["name"],
        path=said["path"] or said["name"],
        kind=said["kind"],
        is_open=said["open"],
        obstacle=said["obstacle"],
        check="climb" if climbs else said["check"],
        dc=said["dc"] or 0,
        failing=HURT if is_instead else said["failing"] or ("retry" if climbs else "forfeit"),
        damage=said["damage"] or (0, 0),
        districts=said["districts"],
    )


def _verify_check(said: Mapping[str, Any], climbs: bool, has_check: bool) -> None:
    if said["name"] is None:
        raise RefusedError("it needs a name")
    if climbs and said["check"] not in (None, "climb"):
        raise RefusedError("a climb is an obstacle itself: its check is Climb", "check")
    if has_check and said["dc"] is None:
        raise RefusedError("an obstacle or a climb needs a DC", "dc")
    if not has_check and any(said[name] is not None for name in ("dc", "failing", "damage")):
        raise RefusedError("nothing stands in the way here; name an obstacle and its check")
    if has_check and not climbs and said["check"] is None:
        raise RefusedError("an obstacle needs the skill or ability it is passed with", "check")
    if has_check and is_mounted(said["kind"]) and said["check"] not in MOUNTED_SKILLS:
        allowed = ", ".join(MOUNTED_SKILLS)
        problem = f"'{said['check']}' cannot be asked of a rider; there are {allowed}"
        raise RefusedError(problem, "check")


def _verify_damage(said: Mapping[str, Any]) -> None:
    if said["damage"] is None and said["damage_is"] is not None:
        raise RefusedError("there is no damage here; give its dice", "damage")
    is_instead = said["damage"] is not None and said["damage_is"] != CHOICE_OF
    if is_instead and said["failing"] is not None:
        problem = "damage is taken in place of anything else; damage_is = 'choice' gives both"
        raise RefusedError(problem, "failing")
