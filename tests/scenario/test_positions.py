"""Every key is found on the line where it was written."""

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.scenario.positions import Path, key_lines
from tavern_abm.scenario.writing import to_toml

TRICKY = '''\
# a comment with [brackets] and a = 1
"quoted key" = "a # no comment"
'a.b' = 1   # = 2
text = """
[not.a.table]
key = 1 \\""" "" """
raw = \'\'\'
x = 1 ''\'\'\'
dotted . "inner key".x = 3
list = [ 1, [2,
  3], # ]
  { a = 1, b = { c = "}" } },
]
date = 1979-05-27 07:32:00
empty = []
none = {}

[table.inner] # ]]
k = true
[[houses]]
[[houses.tables]]
game = 'x'
[[houses.tables]]
[houses.bar]
beer = 4
[[houses]]
name="B"
[houses.bar.kitchen]
soup = """"hot""""
[table]
late = 1.5e3
'''

LINES: dict[Path, int] = {
    ("quoted key",): 2,
    ("a.b",): 3,
    ("text",): 4,
    ("raw",): 7,
    ("dotted", "inner key", "x"): 9,
    ("list",): 10,
    ("list", 1): 10,
    ("list", 1, 1): 11,
    ("list", 2): 12,
    ("list", 2, "b", "c"): 12,
    ("date",): 14,
    ("empty",): 15,
    ("none",): 16,
    ("table", "inner"): 18,
    ("table", "inner", "k"): 19,
    ("houses",): 20,
    ("houses", 0): 20,
    ("houses", 0, "tables", 0, "game"): 22,
    ("houses", 0, "tables", 1): 23,
    ("houses", 0, "bar"): 24,
    ("houses", 0, "bar", "beer"): 25,
    ("houses", 1): 26,
    ("houses", 1, "name"): 27,
    ("houses", 1, "bar", "kitchen", "soup"): 29,
    ("table",): 30,
    ("table", "late"): 31,
}


def paths_in(value: Any, at: Path = ()) -> list[Path]:
    if isinstance(value, dict):
        return [p for key, v in value.items() for p in [(*at, key), *paths_in(v, (*at, key))]]
    if isinstance(value, list):
        return [p for i, v in enumerate(value) for p in [(*at, i), *paths_in(v, (*at, i))]]
    return []


@pytest.mark.parametrize(("path", "line"), LINES.items(), ids=str)
def test_tricky_file(path: Path, line: int) -> None:
    assert key_lines(TRICKY)[path] == line


def test_tricky_file_has_exactly_the_paths_of_tomllib() -> None:
    assert set(key_lines(TRICKY)) == set(paths_in(tomllib.loads(TRICKY)))


@pytest.mark.parametrize("text", ["", "\n", "# only a comment", "  # and blanks \n\n"])
def test_nothing_in_it(text: str) -> None:
    assert key_lines(text) == {}


KEYS = st.text(st.characters(codec="utf-8", exclude_characters="\r"), min_size=1, max_size=4)
VALUES = st.recursive(
    st.integers(-9, 9) | st.booleans() | st.text(max_size=8) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(KEYS, VALUES, max_size=4))
def test_written_tables_come_back_with_a_line_for_every_path(table: dict[str, Any]) -> None:
    text = to_toml(table)
    assert tomllib.loads(text) == table
    lines = key_lines(text)
    assert set(lines) == set(paths_in(table))
    assert all(1 <= line <= text.count("\n") for line in lines.values())
