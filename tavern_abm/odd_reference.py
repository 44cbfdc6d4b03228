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
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

from .data_tables import SENTENCES, DataTables, load_tables
from .odd_constants import CONSTANTS
from .patrons.columns import Row, SheetRow
from .patrons.decisions import shipped_decisions
from .run_columns import STATE
from .scenario import reference

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "odd.md"
END = "<!-- made end -->"
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
    """The state variables of a kind, as the arrays of ``state.npz`` name them."""
    prefix = f"{of}."
    types = _TYPES.get(of, {})
    rows = []
    for name, meaning in STATE.items():
        if name.startswith(prefix):
            variable = name.removeprefix(prefix)
            kind = types.get(variable)
            cells = [f"`{variable}`", *([kind.__name__] if kind else []), meaning]
            rows.append(cells)
    return table(("variable", *(["type"] if types else []), "meaning"), rows)


_TYPES = {"people": get_type_hints(Row), "sheet": get_type_hints(SheetRow)}


# ---------------------------------------------------------------- from docstrings


def _order(_: str) -> str:
    """The order of the night, as the model's docstring has it."""
    from .model import TavernModel

    text = inspect.getdoc(TavernModel) or ""
    found = re.search(r"^1\. .*?(?=\n\n)", text, flags=re.M | re.S)
    assert found, "the docstring of TavernModel has no numbered list"
    return found[0]


def _decisions(_: str) -> str:
    """Every decision, what it is in a sentence, and where it stands."""
    rows = []
    for name, decision in shipped_decisions().items():
        first = (inspect.getdoc(decision) or "").partition("\n\n")[0]
        module = _module_of(decision).removeprefix("tavern_abm.")
        rows.append((f"`{name}`", " ".join(first.split()), f"`{module}`"))
    return table(("decision", "what is decided", "module"), rows)


def _module_of(decision: Callable[..., Any]) -> str:
    """Where a function is written: a compiled one knows of its plain twin."""
    return str(getattr(decision, "__module__", ""))


# ---------------------------------------------------------------- constants


def _constants(of: str) -> str:
    """Numbers that are fixed in the code, with where they stand."""
    rows = [
        (f"`{name}`", _said(getattr(import_module(f"tavern_abm.{module}"), name)), meaning, module)
        for module, name, meaning in CONSTANTS[of]
    ]
    return table(
        ("constant", "value", "meaning", "module"),
        [(name, value, meaning, f"`{module}`") for name, value, meaning, module in rows],
    )


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
            yield each.name, each.wage_cp, f"{each.weight:g}", each.rank


def _ancestries(data: DataTables) -> Iterator[Sequence[object]]:
    for each in data.ancestries.values():
        if each.weight:
            changes = {name: getattr(each, name) for name in _ABILITIES if getattr(each, name)}
            said = ", ".join(f"{name} {change:+d}" for name, change in changes.items())
            yield each.name, f"{each.weight:g}", each.size, each.speed_ft, said or "–"


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
    "trades": (("trade", "wage (cp a day)", "weight", "rank"), _trades),
    "ancestries": (("ancestry", "weight", "size", "speed (ft)", "abilities"), _ancestries),
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


MAKERS: dict[str, Callable[[str], str]] = {
    "checks": _checks,
    "constants": _constants,
    "data": _data,
    "decisions": _decisions,
    "order": _order,
    "parameters": _parameters,
    "repute": _repute,
    "state": _state,
}
"""What makes each kind of block."""


if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
