"""The reference of design files, made from the schema: JSON Schema and a page of tables.

``tavern schema --sweep`` prints the first, with ``--markdown`` the second.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ...scenario.reference import for_editors
from .ready import ready_designs
from .schema import AutoWords, DesignWords, FactorWords, RangeWords, SamplingWords, Words

type JsonSchema = dict[str, Any]

SECTIONS: dict[str, tuple[str, type[Words]]] = {
    "The design itself": ("", DesignWords),
    "`[[factors]]`": ("factors[].", FactorWords),
    "`range`": ("factors[].range.", RangeWords),
    "`[sampling]`": ("sampling.", SamplingWords),
    "`[auto]`": ("auto.", AutoWords),
}
"""Headings of the page, the prefix of paths under each, and the table."""

_OPENING = """\
# Design files

Made by `tavern schema --sweep --markdown` from `tavern_abm/sweeps/designs/schema.py`; a test
holds the two equal.

A design is a TOML file that says what `tavern sweep` plays: a scenario, what varies, how often each
point is played, and what is wanted of each run. Everything has a default; unknown keys, paths and
outputs are errors, and every level is tried before the first run. `tavern new FILE --sweep` writes
a commented design to start from. [How to design an experiment](../how-to/design-an-experiment.md)
shows each kind.

    about = "Does a custom change how many cheat?"
    scenario = "rusty-flagon"
    nights = 30
    replicates = 20
    outputs = ["cheating_rate", "unjust_beatings"]

    [[factors]]
    path = "taverns.0.custom"
    values = ["decent", "dockside", "orc"]

**Points.** Without `[sampling]` every mix of levels is a point; the last factor goes round fastest.
Points are numbered from 0 (`scenario_id`), and so are their replicates (`replication_id`). At most
1,000,000 points and 20,000,000 runs: more are refused before any is made. Of points that are
listed, or come as a table, each may stand there once. Levels are tried one by
one, the other factors being at their first; a mix that the scenario refuses all the same makes
failed runs.

**Luck.** The seed of a run comes from the master seed and the number of the replicate alone, so
that all points have the same luck in a replicate; with `luck = "own"` also from what the point
sets. It never depends on the order of running, nor on a point's number.

**Paths** are those of `--set`: see [parameters](parameters.md). In `[set]` and `[[points]]` they
may be written with quotes or without: `"minds.tau" = 0.2` is `minds.tau = 0.2`. A number may be
given wherever the scenario takes one, a sum of money also as text (`"5 sp"`), and a whole table
replaces a whole table.

**Files** (`scenario`, `sampling.file`, own outputs such as `"mine.py:delay"`, `data`) are seen from
the design.
"""

_READY = """
## Ready designs

They come with the program and are called by name, `tavern sweep cheating-and-custom`:
"""


def json_schema() -> JsonSchema:
    """The JSON Schema of design files (draft 2020-12), for editors."""
    schema = DesignWords.model_json_schema(by_alias=True)
    return for_editors(schema, "A design of tavern_abm")


def json_text() -> str:
    """The JSON Schema as the text that is committed."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"


def markdown() -> str:
    """The reference page: a table of keys for each part of a design."""
    schema = json_schema()
    sections = [_section(schema, title, *each) for title, each in SECTIONS.items()]
    return "\n".join([_OPENING, *sections]) + _READY + "\n" + "\n".join(_ready()) + "\n"


def _ready() -> Iterator[str]:
    from .reading import load_design

    for name in ready_designs():
        design = load_design(name)
        runs = len(design.points) * int(design.replications)  # type: ignore[arg-type]
        yield f"- `{name}` ({runs:,} runs): {design.about}"


def _section(schema: JsonSchema, title: str, prefix: str, words: type[Words]) -> str:
    table = schema["$defs"].get(words.__name__, schema)
    required = table.get("required", [])
    rows = [
        _row(schema, f"{prefix}{name}", details, name in required)
        for name, details in table["properties"].items()
    ]
    about = (words.__doc__ or "").strip()
    head = ["| key | type | default | range | meaning |", "|---|---|---|---|---|"]
    return "\n".join([f"## {title}\n", f"{about}\n", *head, *rows]) + "\n"


def _row(schema: JsonSchema, path: str, details: JsonSchema, is_required: bool) -> str:
    kinds = [kind for kind in _kinds(details) if kind.get("type") != "null"]
    cells = (
        f"`{path}`",
        " or ".join(dict.fromkeys(_type(schema, kind) for kind in kinds)),
        "must be given" if is_required else _default(details.get("default")),
        _range(kinds[0]),
        details.get("description", ""),
    )
    return f"| {' | '.join(cells)} |"


def _kinds(details: JsonSchema) -> list[JsonSchema]:
    """What a value may be, as a flat list."""
    inner = details.get("anyOf") or details.get("oneOf")
    return [kind for each in inner for kind in _kinds(each)] if inner else [details]


_TYPES = {
    "integer": "whole number",
    "number": "number",
    "boolean": "`true` or `false`",
    "string": "text",
    "object": "table",
}


def _type(schema: JsonSchema, kind: JsonSchema) -> str:
    if "$ref" in kind:
        return "table, see below"
    words = kind.get("enum", [kind["const"]] if "const" in kind else [])
    if words:
        return " or ".join(f'`"{word}"`' for word in words)
    if kind.get("type") == "array":
        return _list(schema, kind)
    return _TYPES.get(kind.get("type", ""), "any value")


def _list(schema: JsonSchema, kind: JsonSchema) -> str:
    item = kind.get("items", {})
    if "$ref" in item:
        return "list of tables, see below"
    if kind.get("maxItems") == kind.get("minItems") is not None:
        return f"list of {kind['maxItems']} numbers"
    return f"list of {_type(schema, item).removesuffix(' value')}" + (
        " values" if not item else "s"
    )


def _range(kind: JsonSchema) -> str:
    least, most = kind.get("minimum"), kind.get("maximum")
    above, below = kind.get("exclusiveMinimum"), kind.get("exclusiveMaximum")
    parts = [
        f"above {_number(above)}" if above is not None else "",
        _number(least) if least is not None else "",
        "or more" if least is not None and most is None and below is None else "",
        f"and below {_number(below)}" if below is not None else "",
        f"to {_number(most)}" if most is not None else "",
        f"at most {kind['maxLength']} characters" if "maxLength" in kind else "",
    ]
    return " ".join(filter(None, parts))


def _number(value: float) -> str:
    return "2^63 - 1" if value == 2**63 - 1 else f"{value:,}".removesuffix(".0")


def _default(value: Any) -> str:
    if value is None or value == [] or isinstance(value, dict):
        return "none"
    return f"`{json.dumps(value, ensure_ascii=False)}`"
