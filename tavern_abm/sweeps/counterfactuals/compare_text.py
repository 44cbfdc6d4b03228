"""Two runs held against each other, as a page of text."""

from __future__ import annotations

import math
import shlex
import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from ... import coins
from ...stories import times
from ..estimating.printing import aligned
from . import compare_words as words
from .compare_words import number, wording_of
from .comparing import ABSENT, Comparison, Setting, Value
from .faring import Fate
from .parting import Moment
from .what_if_text import in_order

__all__ = ["suggestion", "text_of"]

WIDTH = 98
TOP = 8
MOST_SETTINGS = 20
ONE_PAIR = (
    "This is one pair of runs, so nothing here has an interval: it happened, and may be chance."
)
NIGHTS_SHOWN = (1, 2, 3, 5, 7, 10, 14, 21, 30, 60, 120, 365)


def text_of(found: Comparison) -> str:
    """All of it, in lines of at most about 100 characters."""
    parts: list[Iterable[str]] = [_head(found), _differences(found)]
    if not found.is_same:
        parts += [_parting(found), _values(found), _people(found), _houses(found), _more(found)]
    listed = [list(part) for part in parts]
    return "\n\n".join("\n".join(part) for part in listed if part)


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ")


# ---------------------------------------------------------------- how they were played


def _head(found: Comparison) -> Iterator[str]:
    for letter, run in (("A", found.one), ("B", found.other)):
        info = run.info
        nights = times(info["nights"], "night")
        yield f"{letter}  {run.path}: {info['scenario']}, {nights}, seed {info['seed']}"


def _differences(found: Comparison) -> Iterator[str]:
    if found.is_same:
        yield f"They are the same run, to the last coin: {found.one.info['digest']}"
        return
    yield "What was different"
    settings = [*found.settings, *found.facts]
    if not settings:
        yield "  Nothing that the folders tell of, and yet their tables differ."
    for each in settings[:MOST_SETTINGS]:
        yield from _wrapped(setting_told(each))
    if len(settings) > MOST_SETTINGS:
        yield f"  and {times(len(settings) - MOST_SETTINGS, 'other field')}"
    yield from _wrapped(luck(found))


def setting_told(setting: Setting) -> str:
    """What was said differently of the two runs."""
    one, other = (_shown(value) for value in (setting.one, setting.other))
    return f"{setting.path}: {one} in A, {other} in B"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or value == "":
        return "none"
    if isinstance(value, list):
        value = ", ".join(map(_shown, value)) or "none"
    return textwrap.shorten(str(value), 60, placeholder=" ...")


def luck(found: Comparison) -> str:
    """Whether the two share their luck, and what that means."""
    if not found.shares_luck:
        return (
            "Their luck is not the same: other seeds are other people and other dice, and what "
            "follows is chance as much as anything. Play both with one --seed."
        )
    return (
        "Their luck is the same: the same people, as far as the scenario leaves them alone, and "
        "the same dice at a table until others sit at it."
    )


# ---------------------------------------------------------------- where they part


def _parting(found: Comparison) -> Iterator[str]:
    parting = found.parting
    if parting is None:
        return
    yield "Where they part"
    when, *sides = first_event(found)
    yield f"  {when}"
    for side in sides:
        yield from _wrapped(side, "    ")
    shown = [each for each in parting.nights if each[0] in (*NIGHTS_SHOWN, found.n_nights)]
    if any(differing for _, differing, _ in shown):
        told = [f"{differing} of {people} on night {night}" for night, differing, people in shown]
        yield from _wrapped(f"People whose evening is another: {', '.join(told)}.")


def first_event(found: Comparison) -> list[str]:
    """The first event that differs: when it was, and what happened in either run."""
    if found.parting is None:
        return []
    one, other = found.parting.one, found.parting.other
    moment: Any = one or other
    if moment is None:
        return [f"In the first {times(found.n_nights, 'night')} every event is the same."]
    when = f"Night {moment.night}, {'by day' if moment.round == 0 else f'round {moment.round}'}:"
    return [when, f"A: {_told(one)}", f"B: {_told(other)}"]


def _told(moment: Moment | None) -> str:
    if moment is None:
        return "nothing of the kind"
    return f"{moment.text} ({moment.house})" if moment.house else moment.text


# ---------------------------------------------------------------- what came of it


def _values(found: Comparison) -> list[str]:
    is_cut = found.one.info["nights"] != found.other.info["nights"]
    nights = times(found.n_nights, "night")
    title = f"What came of it, in the first {nights} of each" if is_cut else "What came of it"
    if not found.values:
        return []
    rows: list[tuple[str, ...]] = [("", "A", "B", "B less A")]
    by_group = groupby(in_order(found.values), key=lambda each: wording_of(each.name).group)
    for group, values in by_group:
        rows.append((group, "", "", ""))
        for value in values:
            name, *rest = _row(value, found.n_nights)
            rows.append((f"  {name}", *rest))
    return [title, *aligned(rows)]


def value_rows(found: Comparison) -> list[tuple[str, ...]]:
    """The table of quantities, as text: name, A, B, and B less A."""
    return [_row(value, found.n_nights) for value in in_order(found.values)]


def _row(value: Value, n_nights: int) -> tuple[str, ...]:
    wording = wording_of(value.name)
    factor = words.scale(wording, n_nights)
    unit = words.unit_told(wording)
    one, other, change = (each * factor for each in (value.one, value.other, value.change))
    digits = _digits(value, factor)
    told = "the same" if change == 0 else number(change, digits, sign=True)
    name = f"{wording.title}{f', {unit}' if unit else ''}"
    return name, number(one, digits), number(other, digits), told


def _digits(value: Value, factor: float) -> int:
    """Three figures of the greater of both, and none of what is counted in whole numbers."""
    sides = [abs(each) for each in (value.one, value.other) if math.isfinite(each)]
    if factor == 1 and all(each == int(each) for each in sides):
        return 0
    most = max(sides, default=0.0) * factor
    return 0 if most >= 1000 else 1 if most >= 10 else 2 if most >= 1 else 3


# ---------------------------------------------------------------- people and houses


def _people(found: Comparison) -> Iterator[str]:
    fates = found.fates
    yield "People"
    if not fates.is_whole:
        yield "  The runs stop on different nights, so nobody's end is held against his other end."
        return
    if not fates.n_matched:
        yield "  Nobody is in both."
        return
    yield f"  {times(fates.n_matched, 'person is', 'people are')} in both."
    gone = [gone_told(each) for each in fates.gone]
    for line in gone[:TOP]:
        yield from _wrapped(line)
    if len(gone) > TOP:
        yield f"  and {times(len(gone) - TOP, 'other')} who went in one of them or otherwise"
    if fates.purses:
        yield "  Purses at the end that differ most:"
    names = [each.name for each in fates.purses[:TOP]]
    width = max(map(len, names), default=0)
    for each in fates.purses[:TOP]:
        way = "richer" if each.change_cp > 0 else "poorer"
        purse = f"{coins.show(each.one_cp)} in A, {coins.show(each.other_cp)} in B"
        yield f"    {each.name:<{width}}  {coins.show(abs(each.change_cp))} {way} in B ({purse})"
    if len(fates.purses) > TOP:
        yield f"    and {times(len(fates.purses) - TOP, 'other')}"


def gone_told(fate: Fate) -> str:
    """What became of somebody in either run."""
    one, other = _end(fate.one, fate.one_night), _end(fate.other, fate.other_night)
    return f"{fate.name}: {one} in A, {other} in B"


def _end(whereabouts: str, night: int | None) -> str:
    words_for = {"here": "lives here", "left": "left town", "dead": "dead"}
    told = words_for.get(whereabouts, whereabouts)
    return told if night is None else f"{told} (night {night})"


def _houses(found: Comparison) -> list[str]:
    if not len(found.houses):
        return []
    title = "Houses (A / B)" if len(found.houses) > 1 else "The house (A / B)"
    return [title, *aligned(house_rows(found))]


def house_rows(found: Comparison) -> list[tuple[str, ...]]:
    """The table of houses, as text, its heading first."""
    head = ("", "guests", "staked, cp", "drinks, cp", "till, cp", "nights open")
    houses = found.houses.to_dict("records")
    return [head, *((f"  {row['tavern']}", *map(_both(row), _COLUMNS)) for row in houses)]


_COLUMNS = ("guests", "staked_cp", "drinks_cp", "till_cp", "nights_open")


def _both(row: dict[Any, Any]) -> Any:
    return lambda name: f"{row[f'{name}_one']:,} / {row[f'{name}_other']:,}"


# ---------------------------------------------------------------- what to do next


def _more(found: Comparison) -> Iterator[str]:
    """One pair has no interval; how to get some."""
    yield from _wrapped(ONE_PAIR, "")
    command = suggestion(found)
    if command:
        yield "What of it is more than chance, over fifty pairs with the same luck:"
        yield f"  {command}"


def suggestion(found: Comparison) -> str:
    """The command that asks the same of many pairs; empty where there is none.

    Only for what `tavern whatif` can change: fields that both scenarios have, or somebody
    who has left.
    """
    if not found.shares_luck or any(each.path in ("nights", "data_digest") for each in found.facts):
        return ""
    parts = [_option(each) for each in found.settings] + _departures(found)
    if not parts or not all(parts):
        return ""
    return " ".join(["tavern whatif", shlex.quote(str(found.one.path)), *parts])


def _option(setting: Setting) -> str:
    """``--set`` for a field; empty for one that it cannot set to this."""
    if ABSENT in (setting.one, setting.other) or ":" in setting.path:
        return ""
    value = setting.other
    if isinstance(value, list | dict):
        return ""
    return f"--set {shlex.quote(f'{setting.path}={_toml(value)}')}"


def _toml(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _departures(found: Comparison) -> list[str]:
    """``--without`` for those who leave on the first morning in the second run alone."""
    put_in = next((each for each in found.facts if each.path == "put in"), None)
    if put_in is None:
        return []
    others = put_in.other.split("; ") if put_in.one == "nothing" else [""]
    names = [
        each.removeprefix("left ").removesuffix(" (night 1)")
        if each.startswith("left ") and each.endswith(" (night 1)")
        else ""
        for each in others
    ]
    return [f"--without {shlex.quote(name)}" if name else "" for name in names]
