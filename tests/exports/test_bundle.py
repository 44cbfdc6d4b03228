"""The two archives: everything for the game master, and what is theirs for the players."""

import io
import zipfile

import pytest

from tavern_abm.exports import bundle, foundry, markdown, obsidian, printable
from tavern_abm.pack.documents import players_page
from tests.fake_pack import SALT, fake_pack


def opened(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_game_master_gets_all_formats() -> None:
    made = opened(bundle.files(fake_pack(), SALT)["game-master.zip"])
    folders = {name.partition("/")[0] for name in made}
    assert folders == {
        *("foundry", "gm-csv", "html", "improved-initiative", "markdown", "obsidian", "roll20")
    }
    for name, format_ in (("markdown", markdown), ("obsidian", obsidian), ("html", printable)):
        for path, content in format_.files(fake_pack()).items():
            assert made[f"{name}/{path}"] == content


@pytest.mark.parametrize("core", [12, 13])
def test_the_version_of_foundry_is_handed_on(core: int) -> None:
    made = opened(bundle.files(fake_pack(), SALT, core=core)["game-master.zip"])
    for path, content in foundry.files(fake_pack(), SALT, core=core).items():
        assert made[f"foundry/{path}"] == content


def test_the_players_get_names_that_tell_nothing() -> None:
    made = opened(bundle.files(fake_pack(), SALT)["for-players.zip"])
    page = players_page(fake_pack())
    assert made == {
        **markdown.player_files(page),
        **obsidian.player_files(page),
        **printable.player_files(page),
    }
    assert list(made) == [
        "for-players.html",
        "for-players.md",
        "for-players/What is being said.md",
    ]


def test_archives_are_the_same_bytes_whenever_they_are_made() -> None:
    made = bundle.files(fake_pack(), SALT)
    assert made == bundle.files(fake_pack(), SALT)
    for content in made.values():
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
        assert {(each.date_time, each.create_system, each.extra) for each in entries} == {
            ((1980, 1, 1, 0, 0, 0), 3, b"")
        }
        names = [each.filename for each in entries]
        assert names == sorted(names)


def test_no_path_leads_out_of_the_folder() -> None:
    for content in bundle.files(fake_pack(), SALT).values():
        for name in opened(content):
            assert not name.startswith("/")
            assert ".." not in name.split("/")
            assert "\\" not in name
