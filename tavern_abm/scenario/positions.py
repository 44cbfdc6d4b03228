"""On which line of a TOML text a key stands.

`tomllib` tells values but not where they were written. This second, smaller
reader walks over a text that `tomllib` has already accepted, so it need not
check anything: it only has to tell keys, strings and brackets apart.
"""

from __future__ import annotations

import re
import tomllib

Path = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACES = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
# Longest first: a multi-line string may hold quotes, and may end in up to two of them.
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_PLAIN_VALUE = re.compile(r"[^,\]}#\n]*")


def key_lines(text: str) -> dict[Path, int]:
    r"""Find the line of every key, table and list entry of a TOML text.

    Parameters
    ----------
    text : str
        A text that ``tomllib.loads`` accepts.

    Returns
    -------
    dict of tuple to int
        Lines, from 1, by path. Entries of lists are counted from 0. A table that
        has no header of its own stands where its first key does.

    Examples
    --------
    >>> key_lines("patrons = 40\n[[taverns]]\nmug_cp = 4")[("taverns", 0, "mug_cp")]
    3
    """
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Path, int] = {}
        self.entries: dict[Path, int] = {}
        self._line, self._counted_to = 1, 0

    def read(self) -> dict[Path, int]:
        table: Path = ()
        self._skip(_BLANK)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip(_BLANK)
        return self.lines

    def _header(self) -> Path:
        is_entry = self.text.startswith("[[", self.at)
        line = self._line_here()
        self.at += 2 if is_entry else 1
        *outer, last = self._dotted_key()
        self.at += 2 if is_entry else 1
        table: Path = ()
        for key in outer:
            table = self._current((*table, key), line)
        table = (*table, last)
        if not is_entry:
            self.lines[table] = line
            return table
        self.lines.setdefault(table, line)
        number = self.entries[table] = self.entries.get(table, -1) + 1
        self.lines[(*table, number)] = line
        return (*table, number)

    def _current(self, table: Path, line: int) -> Path:
        """The table itself, or the entry of a list of tables that was opened last."""
        self.lines.setdefault(table, line)
        return (*table, self.entries[table]) if table in self.entries else table

    def _pair(self, table: Path) -> None:
        line = self._line_here()
        path = table
        for key in self._dotted_key():
            path = (*path, key)
            self.lines.setdefault(path, line)
        self.at += 1  # the equals sign
        self._skip(_SPACES)
        self._value(path)

    def _value(self, path: Path) -> None:
        sign = self.text[self.at]
        if sign == "[":
            self._list(path)
        elif sign == "{":
            self._inline_table(path)
        elif sign in "\"'":
            self._skip(_STRING)
        else:
            self._skip(_PLAIN_VALUE)

    def _list(self, path: Path) -> None:
        self.at += 1
        number = 0
        while self._next_sign() != "]":
            self.lines[(*path, number)] = self._line_here()
            self._value((*path, number))
            number += 1
        self.at += 1

    def _inline_table(self, path: Path) -> None:
        self.at += 1
        while self._next_sign() != "}":
            self._pair(path)
        self.at += 1

    def _next_sign(self) -> str:
        """The next sign that is no blank, comment or comma between entries."""
        self._skip(_BLANK)
        if self.text[self.at] == ",":
            self.at += 1
            self._skip(_BLANK)
        return self.text[self.at]

    def _dotted_key(self) -> list[str]:
        keys = []
        while True:
            self._skip(_SPACES)
            if self.text[self.at] in "\"'":
                keys.append(str(tomllib.loads(f"key = {self._skip(_STRING)}")["key"]))
            else:
                keys.append(self._skip(_BARE_KEY))
            self._skip(_SPACES)
            if self.text[self.at] != ".":
                return keys
            self.at += 1

    def _skip(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        assert found is not None, f"not TOML at offset {self.at}"
        self.at = found.end()
        return found[0]

    def _line_here(self) -> int:
        self._line += self.text.count("\n", self._counted_to, self.at)
        self._counted_to = self.at
        return self._line
