"""Plain tables as TOML text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPED = re.compile(r'["\\\x00-\x1f\x7f]')


def to_toml(table: Mapping[str, Any]) -> str:
    """Write tables, lists, text, numbers and yes-or-no as TOML.

    Parameters
    ----------
    table : mapping
        Values may be str, bool, int, finite float, mappings, lists of these.

    Returns
    -------
    str
        Text for which ``tomllib.loads`` gives the same table back.

    Examples
    --------
    >>> print(to_toml({"patrons": 40, "taverns": [{"name": "Eel Pot", "mug_cp": 4}]}), end="")
    patrons = 40
    <BLANKLINE>
    [[taverns]]
    name = "Eel Pot"
    mug_cp = 4
    """
    return "\n".join(_table_lines(table, "")).lstrip("\n") + "\n"


def _table_lines(table: Mapping[str, Any], prefix: str) -> Iterator[str]:
    """Lines of a table's own values first, then those of the tables in it."""
    inner = {key: value for key, value in table.items() if _has_header(value)}
    for key, value in table.items():
        if key not in inner:
            yield f"{_key(key)} = {_value(value)}"
    for key, value in inner.items():
        name = prefix + _key(key)
        entries = value if isinstance(value, list) else [value]
        header = f"[[{name}]]" if isinstance(value, list) else f"[{name}]"
        for entry in entries:
            yield ""
            yield header
            yield from _table_lines(entry, f"{name}.")


def _has_header(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(entry, Mapping) for entry in value)
    return isinstance(value, Mapping)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_key(k)} = {_value(v)}' for k, v in value.items())}}}"
    return repr(value)


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    def escape(sign: re.Match[str]) -> str:
        return f"\\{sign[0]}" if sign[0] in '"\\' else f"\\u{ord(sign[0]):04x}"

    return f'"{_ESCAPED.sub(escape, text)}"'
