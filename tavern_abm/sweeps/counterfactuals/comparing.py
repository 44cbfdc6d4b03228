"""Two finished runs held against each other: what was different, what came of it, where they part.

One pair of runs is one throw of the dice: what is found here happened, and may be chance.
`what_if` says what of it is more than that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...run_folder import RunFolder, RunFolderError, read_run, reading
from ..measuring.quantities import verify_outputs, wanted
from . import compare_words as words
from .faring import Fates, fates_of, houses_of
from .parting import Parting, parting_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Comparison", "Setting", "Value", "compare"]

ABSENT = "(not there)"
"""What stands for a field that one of two scenarios does not have."""


class Setting(NamedTuple):
    """Something that was said differently of the two runs."""

    path: str
    one: Any
    other: Any


class Value(NamedTuple):
    """A quantity of both runs, over the nights that both have."""

    name: str
    one: float
    other: float

    @property
    def change(self) -> float:
        """The second less the first."""
        return self.other - self.one


@dataclass(frozen=True)
class Comparison:
    """What two runs have in common, and what not.

    Attributes
    ----------
    one, other : RunFolder
        The runs, called A and B in words.
    n_nights : int
        Nights that both have; all that is compared is of these.
    is_same : bool
        Whether they are the same run: the same digest.
    shares_luck : bool
        Whether they have the same seed, and so the same dice.
    settings : tuple of Setting
        Fields of the scenarios that differ.
    facts : tuple of Setting
        What else differs of how they were played: seed, nights, version, what was put in.
    values : tuple of Value
        Quantities, in order.
    parting : Parting or None
        Where they part; None where no luck is shared.
    fates : Fates
        Who fared differently.
    houses : DataFrame
        A row a house that both have: see `faring.houses_of`.
    """

    one: RunFolder
    other: RunFolder
    n_nights: int
    is_same: bool
    shares_luck: bool
    settings: tuple[Setting, ...]
    facts: tuple[Setting, ...]
    values: tuple[Value, ...]
    parting: Parting | None
    fates: Fates
    houses: pd.DataFrame

    def __str__(self) -> str:
        """The page of text that ``tavern compare`` prints."""
        from .compare_text import text_of

        return text_of(self)

    def to_frame(self) -> pd.DataFrame:
        """Every number as one tidy table: see `compare_tables.frame_of`."""
        from .compare_tables import frame_of

        return frame_of(self)


def compare(
    one: str | Path | RunFolder, other: str | Path | RunFolder, outputs: Sequence[str] = ()
) -> Comparison:
    """Hold two runs against each other.

    Parameters
    ----------
    one, other : path or RunFolder
        Folders of finished runs.
    outputs : sequence of str, optional
        Quantities, as those of a sweep; a few dozen unless some are given.

    Raises
    ------
    RunFolderError
        If one of them cannot be read.
    SweepError
        If there is no such quantity.
    """
    first, second = (
        each if isinstance(each, RunFolder) else read_run(each) for each in (one, other)
    )
    verify_outputs(outputs)
    n = min(first.info["nights"], second.info["nights"])
    shares_luck = _luck(first) == _luck(second)
    with reading(first), reading(second):
        return Comparison(
            first,
            second,
            n,
            first.info.get("digest") is not None
            and first.info.get("digest") == second.info.get("digest"),
            shares_luck,
            tuple(settings_of(first.scenario(), second.scenario())),
            tuple(_facts(first, second)),
            tuple(_values(first, second, n, outputs or words.DEFAULT)),
            parting_of(first, second, n) if shares_luck else None,
            fates_of(first, second, n, shares_luck),
            houses_of(first, second, n),
        )


def _luck(run: RunFolder) -> tuple[int, int]:
    return run.info["seed"], run.info.get("replicate", 0)


# ---------------------------------------------------------------- how they were played


def settings_of(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[Setting]:
    """Fields that differ between two scenarios, by dotted path; people and houses by name.

    Examples
    --------
    >>> one = {"patrons": 9, "taverns": [{"name": "Fox", "custom": "lax"}], "people": []}
    >>> other = {
    ...     "patrons": 9,
    ...     "taverns": [{"name": "Fox", "custom": "orc"}],
    ...     "people": [{"name": "Odo", "cheat": True}],
    ... }
    >>> for each in settings_of(one, other):
    ...     print(*each, sep=" | ")
    taverns.0.custom | lax | orc
    people: Odo | (not there) | cheat = true
    """
    leave_out = ("name", "description")
    first = {name: value for name, value in one.items() if name not in leave_out}
    second = {name: value for name, value in other.items() if name not in leave_out}
    people = _by_name(first.pop("people", [])), _by_name(second.pop("people", []))
    flat = _flat(first), _flat(second)
    paths = list(dict.fromkeys([*flat[0], *flat[1]]))
    found = [Setting(path, *(_at(each, path) for each in flat)) for path in paths]
    found += [
        Setting(f"people: {name}", *(_at(each, name) for each in people))
        for name in dict.fromkeys([*people[0], *people[1]])
    ]
    return [each for each in found if each.one != each.other]


def _at(values: Mapping[str, Any], path: str) -> Any:
    return values.get(path, ABSENT)


def _by_name(people: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """What is said of each person, as one text."""
    return {
        str(person["name"]): ", ".join(
            f"{key} = {_plain(value)}" for key, value in person.items() if key != "name"
        )
        for person in people
    }


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _flat(table: Any, prefix: str = "") -> dict[str, Any]:
    """Every value of nested tables and lists of tables by its dotted path."""
    if isinstance(table, dict):
        items: Any = table.items()
    elif isinstance(table, list) and table and all(isinstance(each, dict) for each in table):
        items = enumerate(table)
    else:
        return {prefix.removesuffix("."): table}
    found: dict[str, Any] = {}
    for key, value in items:
        found |= _flat(value, f"{prefix}{key}.")
    return found


def _facts(one: RunFolder, other: RunFolder) -> list[Setting]:
    """What else differs of how the two were played."""
    found = [
        Setting(name, one.info.get(name), other.info.get(name))
        for name in ("scenario", "nights", "seed", "replicate", "decisions", "data_digest")
    ]
    versions = [run.info.get("versions") or {} for run in (one, other)]
    found += [
        Setting(f"version of {name}", *(each.get(name) for each in versions))
        for name in dict.fromkeys([*versions[0], *versions[1]])
    ]
    found += [Setting("put in", *map(_put_in, (one, other)))]
    return [each for each in found if each.one != each.other]


def _put_in(run: RunFolder) -> str:
    """What was put into a run, in a line."""
    from ...continuing import read_interventions

    file = run.path / "interventions.toml"
    if not file.is_file():
        return "nothing"
    told = [
        f"{each.kind} {getattr(each.what, 'who', '') or getattr(each.what, 'by', '')}".strip()
        + f" (night {each.what.night})"
        for each in read_interventions(file)
    ]
    return "; ".join(told)


# ---------------------------------------------------------------- what came of it


class _FirstNights:
    """The first nights of a run, as far as quantities are of nights."""

    def __init__(self, source: Any, n_nights: int) -> None:
        self._source, self.n_nights, self.houses = source, n_nights, source.houses

    def column(self, name: str) -> Any:
        return self._source.column(name)[: self.n_nights]

    def money(self, reason: str) -> Any:
        return self._source.money(reason)[: self.n_nights]

    def unjust_luck(self) -> Any:
        return self._source.unjust_luck()[: self.n_nights]

    def purses(self, night: int) -> Any:
        return self._source.purses(night)


def _values(one: RunFolder, other: RunFolder, n: int, names: Sequence[str]) -> list[Value]:
    """Quantities of both over their first `n` nights; those that a folder lacks are left out."""
    is_whole = one.info["nights"] == other.info["nights"]
    if not is_whole:
        names = [name for name in names if wanted(name).quantity.kind != "final"]
    sides = [_collected(run, n) for run in (one, other)]
    found = []
    for name in names if n else ():
        try:
            found.append(Value(name, *(each.outcome(name) for each in sides)))
        except RunFolderError:  # a column that runs of an earlier version do not have
            continue
    return [each for each in found if np.isfinite([each.one, each.other]).any()]


def _collected(run: RunFolder, n: int) -> Any:
    from ..measuring.collecting import Collected
    from ..measuring.folder_source import FolderSource

    whole: Any = FolderSource(run)
    source: Any = whole if n == run.info["nights"] else _FirstNights(whole, n)
    return Collected(source)
