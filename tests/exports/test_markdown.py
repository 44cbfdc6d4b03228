"""The pack as Markdown: all of it for the game master, and little for the players."""

import re

import pytest

from tavern_abm.exports import markdown
from tavern_abm.exports.gm_words import spoken_by
from tavern_abm.exports.markdown import escaped
from tavern_abm.pack.documents import players_page
from tests.fake_pack import WORDS, fake_pack, leaks


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("He owes her nine gold & more.", "He owes her nine gold & more."),
        ("**Boo** <b>", "\\*\\*Boo\\*\\* \\<b>"),
        ("a | b", "a \\| b"),
        ("# Tam", "\\# Tam"),
        ("- Tam", "\\- Tam"),
        ("> Tam", "\\> Tam"),
        ("12. Tam", "12\\. Tam"),
        ("a_b and _c_", "a_b and \\_c\\_"),
        ("==x== %%y%% 5 % = 5", "\\=\\=x\\=\\= \\%\\%y\\%\\% 5 % = 5"),
        ("&lt; &#60; & so", "\\&lt; \\&#60; & so".replace("&#", "&\\#")),
        ("two\nlines\r\n and  a\ttab", "two lines and a tab"),
        ("back\\slash", "back\\\\slash"),
        ("", ""),
    ],
)
def test_signs_of_markdown_stand_for_themselves(text: str, written: str) -> None:
    assert escaped(text) == written


def test_the_table_has_a_row_for_each_number_and_three_cells_in_each() -> None:
    text = markdown.game_master(fake_pack(20))
    rows = [line for line in text.splitlines() if re.match(r"\| \d+ \|", line)]
    assert [int(row.split("|")[1]) for row in rows] == list(range(1, 21))
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {4}
    assert "| d20 | Rumour |" in text


def test_the_game_master_gets_every_secret() -> None:
    pack = fake_pack(5)
    text = markdown.game_master(pack)
    for rumor in pack.rumors:
        entry = text.split(f"### {rumor.number}. ")[1].split("###")[0]
        assert entry.startswith(f"{rumor.truth.upper()} (DC {rumor.dc})")
        for secret in (rumor.key, rumor.said.adds, rumor.pressed, rumor.hook):
            assert secret in entry
        for link in rumor.chain:
            assert escaped(f"{link.name} ({link.how}") in entry
    for card in pack.cards:
        for secret in (card.looks, card.says, card.wants, card.belief, card.secret, *card.numbers):
            assert secret in text
    for hook in pack.hooks:
        for secret in (hook.now, *hook.wants, hook.clock, hook.if_nobody, hook.lever, hook.stakes):
            assert secret in text


def test_what_a_teller_adds_is_marked_and_told_once() -> None:
    pack = fake_pack(2, secret=1)
    adds = [rumor.said.adds for rumor in pack.rumors]
    text = markdown.game_master(pack)
    assert f"**The teller adds**: {adds[0]}: untrue\n" in text
    assert f"**The teller adds**: {adds[1]}\n" in text


def test_the_players_get_the_words_the_house_and_whom_they_see() -> None:
    page = players_page(fake_pack(7))
    text = markdown.players(page)
    assert [line for line in text.splitlines() if re.match(r"\d+\. ", line)] == [
        f"{at}. {escaped(f'{words} ({at})')}" for at, words in enumerate(WORDS, start=1)
    ]
    for rumor in page.rumors:
        assert f"*{escaped(spoken_by(rumor))}*" in text
    assert leaks(text) == []


def test_a_pack_of_rumours_alone() -> None:
    from dataclasses import replace

    text = markdown.game_master(replace(fake_pack(3), cards=(), hooks=()))
    assert "## People" not in text
    assert "## Situations" not in text


def test_two_files() -> None:
    pack = fake_pack(3)
    assert markdown.files(pack) == {
        "game-master.md": markdown.game_master(pack).encode(),
        "for-players.md": markdown.players(players_page(pack)).encode(),
    }
