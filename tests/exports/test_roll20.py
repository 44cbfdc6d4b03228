"""Lines for Roll20: no sign in a name does anything, and the whole of it comes out again."""

import html
import re

import pytest

from tavern_abm.exports import roll20
from tests.fake_pack import SALT, fake_pack, leaks

COMMANDS = re.compile(r"\[\[|\]\]|[@%?]\{|\|")
"""What Roll20 acts on inside a box of its template, once ours are gone."""


def lines(name: str, n_rumors: int = 20) -> list[str]:
    return roll20.files(fake_pack(n_rumors), SALT)[name].decode().splitlines()


def test_nothing_of_the_key_is_in_what_is_printed_for_all() -> None:
    files = roll20.files(fake_pack(), SALT)
    for name in roll20.FOR_PLAYERS:
        assert leaks(files[name]) == []
    assert files["notes.txt"].decode().count("Zqxcanary0 key") == 20


def test_other_secrets_leave_what_is_printed_for_all_as_it_was() -> None:
    ours, theirs = (roll20.files(fake_pack(secret=secret), SALT) for secret in (0, 1))
    assert all(ours[name] == theirs[name] for name in roll20.FOR_PLAYERS)


def test_each_rumour_has_a_line_that_says_it() -> None:
    pack = fake_pack()
    for rumor, line in zip(pack.rumors, lines("talk.txt")[1:], strict=True):
        box = re.fullmatch(r"&\{template:default\} \{\{name=(.*?)\}\} \{\{(.*?)=(.*)\}\}", line)
        said = [html.unescape(each) for each in box.groups()]
        assert said == [rumor.tavern, rumor.speaker_as_seen, rumor.text]


@pytest.mark.parametrize("name", ["talk.txt", "notes.txt"])
def test_signs_of_roll20_come_only_from_us(name: str) -> None:
    for line in lines(name)[name == "talk.txt" :]:
        assert not COMMANDS.search(line)
        fields = line[line.index("&{template:default}") :].removeprefix("&{template:default}")
        assert re.fullmatch(r"( \{\{[^{}]*\}\})+", fields)


@pytest.mark.parametrize("sides", [6, 20, 100])
def test_the_macro_throws_the_die_and_asks_for_a_number(sides: int) -> None:
    macro = lines("talk.txt", sides)[0]
    assert f"{{{{d{sides}=[[1d{sides}]]}}}}" in macro
    query = re.search(r"\?\{Number\|([^}]*)\}", macro)[1]
    options = [option.split(",") for option in query.split("|")]
    assert [number for number, _ in options] == [str(at + 1) for at in range(sides)]
    assert [html.unescape(words) for _, words in options] == [
        rumor.text for rumor in fake_pack(sides).rumors
    ]


def test_a_table_is_made_of_one_command_an_item() -> None:
    pack = fake_pack()
    first, *items, macro = lines("table.txt")
    assert first == "!import-table --Tavern-talk --hide"
    for rumor, item in zip(pack.rumors, items, strict=True):
        parts = re.split(r"\s+--", item)
        assert parts[0] == "!import-table-item"
        assert (parts[1], parts[3:]) == ("Tavern-talk", ["1", ""])
        assert html.unescape(parts[2]) == rumor.text
    assert "[[1t[Tavern-talk]]]" in macro


def test_two_dashes_do_not_end_an_item() -> None:
    assert "--" not in roll20._item("She paid -- or so he says -- in full.")


def test_notes_are_whispered() -> None:
    assert all(line.startswith("/w gm &{template:default}") for line in lines("notes.txt"))
