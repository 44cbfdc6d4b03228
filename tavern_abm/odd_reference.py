"""The tables of the ODD page, made from the code: they stand between markers in its text.

``python -m tavern_abm.odd_reference`` writes ``docs/explanation/odd.md`` anew. What the page
says in words is written by hand; tables of parameters, state variables, decisions, constants
and shipped data are not. A marker names what stands between it and the next ``made end``:

    <!-- made: parameters talk -->
    ...
    <!-- made end -->
"""

from __future__ import annotations

import inspect
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from .data_tables import SENTENCES, DataTables, load_tables
from .odd_constants import BY_RULE, CONSTANTS, DERIVED, OURS, origin_of
from .odd_decisions import IN_WORDS, SUBMODELS
from .odd_state import VARIABLES, name_in_state
from .patrons.decisions import shipped_decisions
from .patrons.traits import SKILL_ABILITY
from .run_columns import STATE
from .scenario import reference

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "odd.md"
PROJECT = PAGE.parents[2] / "pyproject.toml"
_BLOCK = re.compile(r"(<!-- made: ([\w-]+) ?([\w.\[\] -]*) -->\n).*?(?=<!-- made end -->)", re.S)


def filled(page: str) -> str:
    """The page with every block made anew.

    Raises
    ------
    KeyError
        If a marker names what nobody can make.
    """

    def made(block: re.Match[str]) -> str:
        opening, kind, what = block.groups()
        return f"{opening}\n{MAKERS[kind](what)}\n\n"

    return _BLOCK.sub(made, page)


def blocks(page: str) -> list[tuple[str, str]]:
    r"""What the markers of a page name: kind and what of it, in order.

    Examples
    --------
    >>> blocks("<!-- made: parameters talk -->\n\n<!-- made end -->")
    [('parameters', 'talk')]
    """
    return [(block[2], block[3]) for block in _BLOCK.finditer(page)]


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows as a table of the page.

    Examples
    --------
    >>> print(table(("name", "cp"), [("ale", 4)]))
    | name | cp |
    |---|---|
    | ale | 4 |
    """
    lines = [f"| {' | '.join(map(str, cells))} |" for cells in rows]
    return "\n".join([f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *lines])


# ---------------------------------------------------------------- from the scenario's schema


def parameters_by_section() -> dict[str, str]:
    """The table of each part of a scenario, as the reference of parameters has it."""
    sections = re.split(r"^## ", reference.markdown(), flags=re.M)[1:]
    found = {}
    for section in sections:
        title, _, rest = section.partition("\n")
        rows = [line for line in rest.splitlines() if line.startswith("|")]
        found[title.strip("`")] = "\n".join(rows)
    return found


def _parameters(part: str) -> str:
    return parameters_by_section()[part or "The scenario itself"]


# ---------------------------------------------------------------- from the columns of people


def _state(of: str) -> str:
    """The state variables of a kind of entity: those of the arrays of ``state.npz``."""
    rows = []
    for variable, about in VARIABLES[of].items():
        name = name_in_state(of, variable)
        cells = (about.unit, _array_types()[name], about.range, about.changes, STATE[name])
        rows.append((f"`{variable}`", *cells))
    return table(("variable", "unit", "type", "range", "changes", "meaning"), rows)


@cache
def _array_types() -> dict[str, str]:
    """The type of each array of a model's state."""
    from .continuing.standing import state
    from .model import TavernModel

    found = state(TavernModel("rusty-flagon", rng=1, patrons=6))
    return {name: str(np.asarray(array).dtype) for name, array in found.items()}


# ---------------------------------------------------------------- from docstrings


def _order(_: str) -> str:
    """The order of the night, as the model's docstring has it."""
    from .model import TavernModel

    text = inspect.getdoc(TavernModel) or ""
    found = re.search(r"^1\. .*?(?=\n\n)", text, flags=re.M | re.S)
    assert found, "the docstring of TavernModel has no numbered list"
    return found[0]


def _decisions(_: str) -> str:
    """Every decision, what it is in a sentence, and the submodel that describes it."""
    rows = []
    for name, decision in shipped_decisions().items():
        first = (inspect.getdoc(decision) or "").partition("\n\n")[0]
        said = IN_WORDS.get(name, " ".join(first.split()))
        rows.append((f"`{name}`", said, SUBMODELS[name], f"`{_module_of(decision)}`"))
    return table(("decision", "what is decided", "submodel", "module"), rows)


def _module_of(decision: Callable[..., Any]) -> str:
    """Where a function is written: a compiled one knows of its plain twin."""
    return str(getattr(decision, "__module__", "")).removeprefix("tavern_abm.")


# ---------------------------------------------------------------- constants


def _constants(of: str) -> str:
    """Numbers that are fixed in the code, with where they come from and where they stand."""
    rows = []
    for module, name, meaning in CONSTANTS[of]:
        value = _said(getattr(import_module(f"tavern_abm.{module}"), name))
        rows.append((f"`{name}`", value, meaning, origin_of(module, name), f"`{module}`"))
    return table(("constant", "value", "meaning", "origin", "module"), rows)


def _origins(_: str) -> str:
    """How many constants come from where."""
    found = [origin_of(module, name) for each in CONSTANTS.values() for module, name, _ in each]
    rules, derived, ours = (found.count(each) for each in (BY_RULE, DERIVED, OURS))
    return f"Of {len(found)} constants {rules} are rules, {derived} derived and {ours} ours."


def _said(value: Any) -> str:
    """A constant as it is read."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {_said(each)}" for name, each in value.items())
    if isinstance(value, tuple | list):
        return ", ".join(map(_said, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _repute(_: str) -> str:
    """What each thing that happens in a house does to its name."""
    from .tables.record import COUNTS
    from .town.reputation import WEIGHTS

    rows = [(f"`{COUNTS[count]}`", f"{weight:g}") for count, weight in WEIGHTS.items()]
    return table(("count of the night", "weight"), rows)


# ---------------------------------------------------------------- data tables and checks


def _customs(data: DataTables) -> Iterator[Sequence[object]]:
    for each in data.customs.values():
        odds = (f"{chance:g}" for chance in each.odds)
        yield each.name, *odds, each.ban_nights, f"{each.restraint:g}", each.lucky_wins or "–"


def _qualities(data: DataTables) -> Iterator[Sequence[object]]:
    for each in data.qualities.values():
        prices = (each.mug_cp, each.seat_fee_cp, each.staff_cp, each.upkeep_cp, each.till_cp)
        yield each.band, each.name, *prices, each.places


def _trades(data: DataTables) -> Iterator[Sequence[object]]:
    for each in data.trades.values():
        if each.weight:
            attack = "level" if each.martial else "level // 2"
            what = (_bonuses(each), ", ".join(each.feats) or "–", attack)
            yield each.name, each.wage_cp, f"{each.weight:g}", each.rank, *what


def _bonuses(of: Any) -> str:
    """What a trade or an ancestry adds to skills."""
    return ", ".join(f"{s} {getattr(of, s):+d}" for s in SKILL_ABILITY if getattr(of, s)) or "–"


def _skills(_: DataTables) -> Iterator[Sequence[object]]:
    for ability in _ABILITIES:
        skills = [skill for skill, of in SKILL_ABILITY.items() if of == ability]
        if skills:
            yield ability, ", ".join(skills)


def _ancestries(data: DataTables) -> Iterator[Sequence[object]]:
    for each in data.ancestries.values():
        if each.weight:
            changes = {name: getattr(each, name) for name in _ABILITIES if getattr(each, name)}
            said = ", ".join(f"{name} {change:+d}" for name, change in changes.items())
            what = (each.size, each.speed_ft, said or "–", _bonuses(each))
            yield each.name, f"{each.weight:g}", *what


def _gamblers(data: DataTables) -> Iterator[Sequence[object]]:
    for each in data.gamblers.values():
        yield each.name, *(f"{getattr(each, name):g}" for name in _PRESET)


_ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
_PRESET = ("rationality", "thrill", "chasing", "superstition", "thirst", "cheating", "boldness")
_DATA: dict[str, tuple[Sequence[str], Callable[[DataTables], Iterator[Sequence[object]]]]] = {
    "customs": (("custom", *SENTENCES, "nights of a ban", "restraint", "lucky wins"), _customs),
    "qualities": (
        ("band", "quality", "mug", "seat fee", "staff", "upkeep", "first till", "places"),
        _qualities,
    ),
    "skills": (("ability", "skills"), _skills),
    "trades": (
        ("trade", "wage (cp a day)", "weight", "rank", "skills", "feats", "base attack"),
        _trades,
    ),
    "ancestries": (
        ("ancestry", "weight", "size", "speed (ft)", "abilities", "skills"),
        _ancestries,
    ),
    "gamblers": (("preset", *_PRESET), _gamblers),
}


def _data(of: str) -> str:
    head, rows = _DATA[of]
    return table(head, rows(load_tables()))


def _checks(_: str) -> str:
    """What `tavern validate` holds the model against, by section."""
    from .validate import CHECKS

    rows = [(each.section, each.title, len(each.lines), each.source) for each in CHECKS]
    return table(("field", "pattern or law", "lines", "known by"), rows)


def _version(_: str) -> str:
    """The version of the program that the page describes, and by whom it is."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    authors = ", ".join(author["name"] for author in project["authors"])
    return f"Version {project['version']} of tavern_abm, by {authors}."


MAKERS: dict[str, Callable[[str], str]] = {
    "checks": _checks,
    "constants": _constants,
    "data": _data,
    "decisions": _decisions,
    "order": _order,
    "origins": _origins,
    "parameters": _parameters,
    "repute": _repute,
    "state": _state,
    "version": _version,
}
"""What makes each kind of block."""


if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
