"""Nothing that only the game master may know stands in anything that players get.

Three ways of looking. A mark in every hidden field must not be found in any byte of the
players' documents, opened as far as they open. Two packs with the same words and other
secrets must give players the same bytes. And the type of what players get has no place
for a secret.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tavern_abm import TavernModel
from tavern_abm.exports import (
    bundle,
    foundry,
    gm_csv,
    leveldb,
    markdown,
    obsidian,
    printable,
    roll20,
)
from tavern_abm.exports.formats import FORMATS
from tavern_abm.pack.assembly import make_pack
from tavern_abm.pack.documents import Pack, PlayerRumor, PlayersPage, players_page
from tavern_abm.pack.identity import salt_of
from tavern_abm.run_folder import RunFolder, read_run
from tavern_abm.writing import write_run
from tests.exports.opened import everything, texts
from tests.fake_pack import CANARY, SALT, fake_pack, leaks

Files = dict[str, bytes]


def of_foundry(pack: Pack, core: int) -> Files:
    """What Foundry hands to players: the manifest, and the pack of what is said, opened."""
    made = foundry.files(pack, SALT, core=core)
    talk = {path: content for path, content in made.items() if "/talk/" in path}
    module = {path: content for path, content in made.items() if path.endswith("module.json")}
    return {**module, **talk, **_database(talk)}


def _database(files: Files) -> Files:
    """The entries of a LevelDB folder by their keys."""
    if not leveldb.is_available():
        return {}
    import tempfile

    import plyvel  # type: ignore[import-not-found, unused-ignore]

    with tempfile.TemporaryDirectory() as folder:
        for path, content in files.items():
            if "/packs/" in path:
                Path(folder, path.rpartition("/")[2]).write_bytes(content)
        database = plyvel.DB(folder)
        entries = {f"(entry) {key.decode()}": value for key, value in database}
        database.close()
    assert entries
    return entries


def _under(made: Files, start: str) -> Files:
    return {path: content for path, content in made.items() if path.startswith(start)}


PLAYERS: dict[str, Callable[[Pack], Files]] = {
    "markdown": lambda pack: _under(markdown.files(pack), "for-players"),
    "html": lambda pack: _under(printable.files(pack), "for-players"),
    "obsidian": lambda pack: _under(obsidian.files(pack), "for-players/"),
    "gm-csv": lambda pack: _under(gm_csv.files(pack), gm_csv.FOR_PLAYERS),
    "roll20": lambda pack: {name: roll20.files(pack)[name] for name in sorted(roll20.FOR_PLAYERS)},
    "foundry 12": lambda pack: of_foundry(pack, 12),
    "foundry 13": lambda pack: of_foundry(pack, 13),
    "zip": lambda pack: _under(bundle.files(pack, SALT), "for-players"),
}
"""What players get of a pack in each format."""
EVERYTHING: dict[str, Callable[[Pack], Files]] = {
    **{name: lambda pack, make=make: make(pack, SALT, 13) for name, make in FORMATS.items()},
    "zip": lambda pack: bundle.files(pack, SALT),
}


def found_in(files: Files) -> list[tuple[str, str]]:
    return [(name, leak) for name, text in everything(files) for leak in leaks(text)]


@pytest.mark.parametrize("format_", PLAYERS)
def test_no_hidden_field_is_in_any_byte(format_: str) -> None:
    files = PLAYERS[format_](fake_pack())
    assert files
    assert found_in(files) == []


@pytest.mark.parametrize("format_", EVERYTHING)
def test_the_search_finds_them_where_they_are(format_: str) -> None:
    assert len(found_in(EVERYTHING[format_](fake_pack()))) > 50


@pytest.mark.parametrize("format_", PLAYERS)
def test_other_secrets_make_the_same_bytes(format_: str) -> None:
    """Nor do truth, order, counts or lengths of what is hidden show in any way."""
    first = PLAYERS[format_](fake_pack(secret=0))
    assert [PLAYERS[format_](fake_pack(secret=secret)) for secret in (1, 2, 5)] == [first] * 3


@pytest.mark.parametrize("format_", PLAYERS)
def test_all_that_is_said_is_there(format_: str) -> None:
    """Else it were easy to leak nothing."""
    told = " ".join(text for _, text in everything(PLAYERS[format_](fake_pack())))
    assert all(f"({number})" in told for number in range(1, 21))


def test_the_type_of_what_players_get_has_no_place_for_a_secret() -> None:
    assert [each.name for each in dataclasses.fields(PlayersPage)] == ["title", "rumors"]
    names = [each.name for each in dataclasses.fields(PlayerRumor)]
    assert names == ["text", "heard_at", "speaker_as_seen"]
    assert leaks(repr(players_page(fake_pack()))) == []


@pytest.mark.parametrize(
    "hidden",
    [
        CANARY.encode(),
        CANARY.lower().encode(),
        CANARY.encode("utf-16"),
        b"WnF4Y2FuYXJ5MCBrZXkgYW5kIG1vcmU=",
        b"&#90;&#x71;xcanary",
        b"\\u005aqxcanary",
        b"%5Aqxcanary",
        b"DC 9475003",
    ],
)
def test_the_search_sees_through_other_spellings(hidden: bytes) -> None:
    assert any(leaks(text) for text in texts(b"<p title='" + hidden + b"'>"))


# ---------------------------------------------------------------- a played town

VISIBLE = {"text", "tavern", "speaker_as_seen"}
"""Fields of a rumour that players see."""
KEPT = {"id", "number", "truth", "kind", "sex", "block", "size"}
"""Hidden fields out of closed sets, and ids, which a mark cannot stand for."""


def planted(value: Any, field: str = "") -> Any:
    """A pack with a mark in place of every hidden text and a marked number for every other."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        made = {
            each.name: planted(getattr(value, each.name), each.name)
            for each in dataclasses.fields(value)
            if each.name not in (*VISIBLE, *KEPT, "taverns", "sheet")
        }
        return dataclasses.replace(value, **made)
    if isinstance(value, tuple):
        return tuple(planted(each, field) for each in value)
    if isinstance(value, dict):
        return {name: planted(each, field) for name, each in value.items()}
    if isinstance(value, str):
        return f"{CANARY} {field}"
    if isinstance(value, int) and not isinstance(value, bool) and field in ("dc", "event", "story"):
        return 9470000 + value % 10000
    return value


def test_planting_marks_every_hidden_text() -> None:
    pack = planted(dataclasses.replace(fake_pack(5), title="a", notes=("b",)))
    assert pack.title == f"{CANARY} title"
    assert pack.notes == (f"{CANARY} notes",)
    assert players_page(pack) == players_page(fake_pack(5))
    assert {rumor.key for rumor in pack.rumors} == {f"{CANARY} key"}
    assert {link.name for rumor in pack.rumors for link in rumor.chain} == {f"{CANARY} name"}


@pytest.fixture(scope="module", params=range(1, 11))
def played(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[RunFolder, Pack]:
    """A town of its own for each of ten seeds, and a pack of its last evening."""
    model = TavernModel("gossip-town", rng=request.param)
    model.run_for(10)
    run = read_run(write_run(model, tmp_path_factory.mktemp("run") / "played", report=False))
    return run, make_pack(run, count="d12")


@pytest.mark.slow
@pytest.mark.parametrize("format_", PLAYERS)
def test_no_secret_of_a_played_town_is_in_any_byte(
    format_: str, played: tuple[RunFolder, Pack]
) -> None:
    _, pack = played
    files = PLAYERS[format_](planted(pack))
    assert found_in(files) == []
    assert files == PLAYERS[format_](pack)


@pytest.mark.slow
@pytest.mark.parametrize("format_", PLAYERS)
def test_nobody_is_named_who_was_not_spoken_of(
    format_: str, played: tuple[RunFolder, Pack]
) -> None:
    run, pack = played
    heard = players_page(pack).rumors
    spoken = " ".join(f"{each.text} {each.heard_at} {each.speaker_as_seen}" for each in heard)
    names = [name for name in run.table("patrons", ["name"])["name"] if name not in spoken]
    hidden = [*names, run.info["scenario"], salt_of(run), run.info["digest"]]
    hidden += [each.key for each in pack.rumors] + [each.secret for each in pack.cards]
    for name, text in everything(PLAYERS[format_](pack)):
        assert [each for each in hidden if each in text] == [], name
