"""LevelDB folders: what was put in is found again, and the bytes are always the same."""

from pathlib import Path

import pytest

from tavern_abm.exports import leveldb

plyvel = pytest.importorskip("plyvel")

ENTRIES = {
    "!tables!b": b'{"name":"Zo\xc3\xab"}',
    "!tables!a": b"{}",
    "!journal!c": b"x" * 200_000,
}


def written(folder: Path, content: dict[str, bytes]) -> Path:
    folder.mkdir()
    for name, data in content.items():
        (folder / name).write_bytes(data)
    return folder


def test_every_entry_is_found_again(tmp_path: Path) -> None:
    folder = written(tmp_path / "pack", leveldb.packed(ENTRIES))
    with plyvel.DB(str(folder)) as database:
        assert {key.decode(): value for key, value in database} == ENTRIES


def test_the_bytes_do_not_depend_on_the_order_or_the_hour() -> None:
    back_to_front = dict(reversed(ENTRIES.items()))
    assert leveldb.packed(ENTRIES) == leveldb.packed(back_to_front)


def test_it_leaves_out_what_leveldb_writes_for_itself() -> None:
    names = {name.split("-")[0] for name in leveldb.packed(ENTRIES)}
    assert names == {"CURRENT", "MANIFEST", "000003.log"}
