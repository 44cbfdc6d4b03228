"""The reference of scenario files, made from the schema: JSON Schema and a page of tables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ..coins import MOST_CP
from .schema import Scenario

JsonSchema = dict[str, Any]

EXTENDS: JsonSchema = {
    "type": "string",
    "description": "the name or path of a scenario to start from; what this file says goes first",
}

_OPENING = """\
# Parameters of a scenario

Made by `tavern schema --markdown` from `tavern_abm/scenario/schema.py`; a test holds the two equal.

A scenario file is TOML. Everything has a default, so an empty file is a scenario. Unknown keys and
names are errors. `tavern new FILE` writes a commented one to start from, `tavern check FILE`
checks one, and `--set path=value` overrides a field for one run:

    tavern run inn.toml --set taverns.0.custom=orc --set population.share_of_cheats=0.2

Money is in copper pieces (cp): a whole number, or text such as `"3 gp 5 sp"`
(1 gp = 10 sp = 100 cp).

`[]` in a path stands for the entries of a list, counted from 0: `taverns.0.mug_cp` is the price of
a mug in the first tavern. In the file each entry has a header of its own, `[[taverns]]`.

A file that says `extends` starts from another: tables are merged key by key, `taverns` and the
`tables` in them by position (further entries are added), `people` are added (one of the same name
replaces), and anything else replaces what the other file says.

`data`, and a game's option that is the path of a `.toml` file, are seen from the file that names
them; in `--set` from the current folder.
"""


def json_schema() -> JsonSchema:
    """The JSON Schema of scenario files, for editors.

    Returns
    -------
    dict
        Draft 2020-12, with `extends`, which the loader deals with before
        the file becomes a `Scenario`.
    """
    schema = Scenario.model_json_schema()
    schema["properties"] = {"extends": EXTENDS} | schema["properties"]
    return for_editors(schema, "A scenario of tavern_abm")


def for_editors(schema: JsonSchema, title: str) -> JsonSchema:
    """A schema that pydantic gave, with a head of its own and without what says nothing new."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "description": schema["description"].partition("\n")[0],
    }
    return head | {key: tidy(value) for key, value in schema.items() if key not in head}


def json_text() -> str:
    """The JSON Schema as the text that is committed."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"


def markdown() -> str:
    """The reference page: a table of parameters for each part of a scenario."""
    schema = json_schema()
    sections = [_section(schema, *section) for section in _sections(schema, schema, "")]
    return "\n".join([_OPENING, *sections])


def tidy(value: Any) -> Any:
    """Drop what says nothing new: titles made from names, examples of docstrings."""
    if isinstance(value, list):
        return [tidy(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    kept = {key: tidy(entry) for key, entry in value.items()}
    if isinstance(kept.get("title"), str):
        del kept["title"]
    if isinstance(kept.get("description"), str):
        kept["description"] = kept["description"].partition("\n\n")[0]
    return kept


def _sections(
    schema: JsonSchema, table: JsonSchema, prefix: str
) -> Iterator[tuple[JsonSchema, str]]:
    """A table of the schema and all those in it, with the prefix of their paths."""
    yield table, prefix
    for name, details in table["properties"].items():
        inner, is_list = _inner_table(schema, details)
        if inner:
            yield from _sections(schema, inner, f"{prefix}{name}{'[]' if is_list else ''}.")


def _inner_table(schema: JsonSchema, details: JsonSchema) -> tuple[JsonSchema | None, bool]:
    is_list = details.get("type") == "array"
    inner = details["items"] if is_list else details
    # A table that may be left out is told apart from nothing.
    kinds = [kind for kind in inner.get("anyOf", [inner]) if kind.get("type") != "null"]
    reference = kinds[0].get("$ref", "")
    return schema["$defs"].get(reference.rpartition("/")[2]), is_list


def _section(schema: JsonSchema, table: JsonSchema, prefix: str) -> str:
    title = f"`{prefix.removesuffix('.')}`" if prefix else "The scenario itself"
    rows = [
        "| parameter | type | default | range | meaning |",
        "|---|---|---|---|---|",
        *(
            _row(f"{prefix}{name}", details, name in table.get("required", []))
            for name, details in table["properties"].items()
            if not _inner_table(schema, details)[0]
        ),
    ]
    about = table.get("description", "")
    return "\n".join([f"## {title}\n", f"{about}\n", *rows]) + "\n"


def _row(path: str, details: JsonSchema, is_required: bool) -> str:
    kinds = [kind for kind in _kinds(details) if kind.get("type") != "null"]
    default = "must be given" if is_required else _default(details.get("default"))
    cells = (
        f"`{path}`",
        " or ".join(_type(kind) for kind in kinds),
        default,
        _range(kinds[0]),
        details.get("description", ""),
    )
    return f"| {' | '.join(cells)} |"


def _kinds(details: JsonSchema) -> list[JsonSchema]:
    """What a value may be, as a flat list."""
    inner = details.get("anyOf") or details.get("oneOf")
    return [kind for each in inner for kind in _kinds(each)] if inner else [details]


def _type(kind: JsonSchema) -> str:
    if "const" in kind:
        return f'`"{kind["const"]}"`'
    if "enum" in kind:
        return " or ".join(f'`"{word}"`' for word in kind["enum"])
    if kind["type"] == "object":
        return _table_by_name([_type(each) for each in _kinds(kind["additionalProperties"])])
    if kind["type"] == "array":
        return f"list of {_type(kind['items'])}s"
    if "pattern" in kind:
        return "money as text"
    names = {"integer": "whole number", "boolean": "`true` or `false`", "string": "text"}
    return names.get(kind["type"], str(kind["type"]))


def _table_by_name(kinds: list[str]) -> str:
    """What stands in a table whose keys are names."""
    if len(kinds) == 1:
        return f"table of {kinds[0]}s by name"
    told = [kind for kind in kinds if not (kind == "whole number" and "number" in kinds)]
    return f"table by name: {', '.join(told[:-1])} or {told[-1]}"


def _range(kind: JsonSchema) -> str:
    if kind.get("type") == "object":
        return _range(_kinds(kind["additionalProperties"])[0])
    if kind.get("type") == "array":
        return _range(kind["items"])
    least, most = kind.get("minimum"), kind.get("maximum")
    above, below = kind.get("exclusiveMinimum"), kind.get("exclusiveMaximum")
    parts = [
        f"above {_number(above)}" if above is not None else "",
        _number(least) if least is not None else "",
        f"and below {_number(below)}" if below is not None else "",
        f"to {_number(most)}" if most is not None and most != MOST_CP else "",
        f"in steps of {kind['multipleOf']}" if "multipleOf" in kind else "",
        "or more" if most == MOST_CP else "",
        f"at most {kind['maxLength']} characters" if "maxLength" in kind else "",
    ]
    return " ".join(filter(None, parts))


def _number(value: float) -> str:
    return f"{value:,}".removesuffix(".0")


def _default(value: Any) -> str:
    return "none" if value is None else f"`{json.dumps(value, ensure_ascii=False)}`"
