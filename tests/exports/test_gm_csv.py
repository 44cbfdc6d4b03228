"""CSV of an evening: every field comes back, and the players' file has four columns."""

import csv
import io
from dataclasses import replace

import pytest

from tavern_abm.exports import gm_csv
from tests.fake_pack import SALT, fake_pack, leaks

FILES = ("for-gm/people.csv", "for-gm/rumours.csv", "for-gm/situations.csv")
PLAYERS = "for-players/talk.csv"


def rows(name: str) -> list[dict[str, str]]:
    text = gm_csv.files(fake_pack(), SALT)[name].decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def test_players_get_what_they_may_see() -> None:
    files = gm_csv.files(fake_pack(), SALT)
    assert [name for name in files if name.startswith(gm_csv.FOR_PLAYERS)] == [PLAYERS]
    assert leaks(files[PLAYERS]) == []
    assert set(rows(PLAYERS)[0]) == {"number", "text", "speaker", "heard_at"}
    assert gm_csv.files(fake_pack(secret=1), SALT)[PLAYERS] == files[PLAYERS]


def test_rumours_come_back() -> None:
    pack = fake_pack()
    for rumor, row in zip(pack.rumors, rows("for-gm/rumours.csv"), strict=True):
        for name in ("id", "teller", "truth", "key", "hook", "pressed", "wording"):
            assert row[name].removeprefix("'") == getattr(rumor, name)
        assert (row["number"], row["dc"]) == (str(rumor.number), str(rumor.dc))
        assert all(link.name in row["chain"] for link in rumor.chain)
        assert row["adds"] == rumor.said.adds + " (untrue)" * rumor.said.adds_untrue


def test_people_and_situations_come_back() -> None:
    pack = fake_pack()
    for card, row in zip(pack.cards, rows("for-gm/people.csv"), strict=True):
        assert row["name"].removeprefix("'") == card.name
        assert (row["secret"], row["numbers_4e"]) == (card.secret, card.numbers[1])
        assert row["rumours"] == "; ".join(map(str, card.rumors))
    for hook, row in zip(pack.hooks, rows("for-gm/situations.csv"), strict=True):
        assert (row["title"], row["if_nobody"]) == (hook.title, hook.if_nobody)
        assert row["wants"] == "; ".join(hook.wants)


def test_no_cell_is_a_formula() -> None:
    cells = [cell for name in (*FILES, PLAYERS) for row in rows(name) for cell in row.values()]
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)
    texts = [row["text"] for row in rows(PLAYERS)]
    assert (
        "'=1+1 is what she owes, he says, “and an egg”; Zoë had it from the ferryman. (7)" in texts
    )


@pytest.mark.parametrize("name", [*FILES, PLAYERS])
def test_an_empty_evening_has_headings(name: str) -> None:
    pack = replace(fake_pack(), rumors=(), cards=(), hooks=())
    text = gm_csv.files(pack, SALT)[name].decode("utf-8-sig")
    assert text.count("\n") == 1
    assert text.startswith(("id,", "number,"))
