"""The tables of words of half-cards: complete, short, and fitting whoever they are said of."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator

import pytest

from tavern_abm.data_tables import load_tables
from tavern_abm.pack.card_words import PRONOUNS, TABLES, n_words, table_of
from tavern_abm.patrons.columns import TEMPERS
from tests.pack.little_town import TRADES

MOST = {"looks": 10, "says": 17, "wants": 16, "fights": 8}
SLOTS = {"other", "sum", "house", "night", "how"}


def lines() -> Iterator[tuple[str, str, str, str]]:
    """Every line: its table, section, entry and words."""
    for table in TABLES:
        for section, entries in table_of(table).items():
            for entry, found in entries.items():
                for line in [found] if isinstance(found, str) else found:
                    yield table, section, entry, line


@pytest.mark.parametrize("table", TABLES)
def test_lines_are_short_and_stand_once(table: str) -> None:
    own = [line for name, _, _, line in lines() if name == table]
    assert len({line.casefold() for line in own}) == len(own)
    long = [line for line in own if n_words(line) > MOST[table]]
    assert long == []


def test_lines_fit_a_man_and_a_woman() -> None:
    for table, section, entry, line in lines():
        slots = {name for _, name, _, _ in string.Formatter().parse(line) if name}
        allowed = {*PRONOUNS["male"], *(SLOTS if section == "states" else ())}
        assert slots <= allowed, (table, entry, line)
        bare = re.sub(r"\{\w+\}", "", line)
        if table in ("looks", "fights"):
            assert not re.search(r"\b(he|she|him|her|his|hers|himself|herself)\b", bare), line


def test_lines_are_clean() -> None:
    for table, _, entry, line in lines():
        assert line == " ".join(line.split()), line
        assert not re.search(r"\d|\.\.|\b(\w+) \1\b|\ba [aeiou]", line), (entry, line)
        ends = line.endswith((".", "?", "!"))
        assert ends if table == "says" else not ends, (entry, line)


def test_no_trade_and_no_temper_is_left_out() -> None:
    trades = {*load_tables().trades}
    looks, wants, fights = (table_of(name) for name in ("looks", "wants", "fights"))
    assert {*looks["see"]} == {*wants["trades"]} == {*fights["weapons"]} == trades | {"any"}
    assert min(len(each) for each in looks["see"].values()) >= 3
    for entries in (looks["hear"], table_of("says")["tempers"], fights["manners"]):
        assert [*entries] == [*TEMPERS]
    assert {*TRADES} <= trades
