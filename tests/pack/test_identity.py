"""Ids and orders that hang on a salt."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tavern_abm.pack import identity
from tavern_abm.pack.identity import LETTERS, id_of, luck_of, salt_of, shuffled
from tavern_abm.run_folder import RunFolder, RunFolderError, read_run

SALT = "0f" * 16


def _unsalted(run: RunFolder, above: Path) -> Path:
    """A copy of a run, as one was that was played before there were salts."""
    folder = shutil.copytree(run.path, above / "run")
    info = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    del info["salt"]
    (folder / "run.json").write_text(json.dumps(info), encoding="utf-8")
    return folder


def test_a_run_keeps_the_salt_it_gets(little_town: RunFolder, tmp_path: Path) -> None:
    folder = _unsalted(little_town, tmp_path)
    before = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    salt = salt_of(read_run(folder))
    assert len(salt) == 32
    assert salt_of(read_run(folder)) == salt
    after = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert after == before | {"salt": salt}
    assert [each.name for each in folder.iterdir() if each.name.startswith(".")] == []


def test_a_run_that_has_one_is_left_as_it_is(little_town: RunFolder) -> None:
    run = RunFolder(little_town.path, little_town.info | {"salt": SALT})
    before = (run.path / "run.json").read_bytes()
    assert salt_of(run) == SALT
    assert (run.path / "run.json").read_bytes() == before


@pytest.mark.parametrize("salt", ["", "0F" * 16, "0f" * 15, 7, "0f" * 16 + "\n"])
def test_a_damaged_salt_is_one_line(little_town: RunFolder, salt: Any) -> None:
    run = RunFolder(little_town.path, little_town.info | {"salt": salt})
    with pytest.raises(RunFolderError, match=r"run\.json: damaged: its salt is not 32 digits"):
        salt_of(run)


def test_a_salt_that_cannot_be_kept_is_one_line(
    little_town: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise PermissionError(13, "Permission denied")

    folder = _unsalted(little_town, tmp_path)
    monkeypatch.setattr(identity, "put_file", fail)
    with pytest.raises(RunFolderError, match=r"cannot be written \(Permission denied\)") as caught:
        salt_of(read_run(folder))
    assert "\n" not in str(caught.value)
    assert "salt" not in json.loads((folder / "run.json").read_text(encoding="utf-8"))


def test_ids_hang_on_salt_kind_and_thing() -> None:
    ids = {
        id_of(SALT, "rumor", 1, 23),
        id_of(SALT, "rumor", 12, 3),
        id_of(SALT, "card", 1, 23),
        id_of("f0" * 16, "rumor", 1, 23),
    }
    assert len(ids) == 4
    assert all(len(each) == 16 and set(each) <= set(LETTERS) for each in ids)


def test_every_letter_comes_up_as_often_as_any() -> None:
    text = "".join(id_of(SALT, "rumor", n) for n in range(2000))
    expected = len(text) / len(LETTERS)
    chi_square = sum((text.count(each) - expected) ** 2 / expected for each in LETTERS)
    assert chi_square < 61 + 4 * (2 * 61) ** 0.5  # 61 degrees of freedom, four deviations


def test_an_order_tells_nothing_and_stays_when_one_is_added() -> None:
    things = [f"thing {n}" for n in range(50)]
    order = shuffled(SALT, things, str)
    assert sorted(order) == sorted(things)
    assert order != things
    assert order == shuffled(SALT, reversed(things), str)
    assert order != shuffled("f0" * 16, things, str)
    more = shuffled(SALT, [*things, "one more"], str)
    assert [each for each in more if each != "one more"] == order


def test_luck_is_that_of_the_whole_key() -> None:
    assert luck_of("a", "b") != luck_of("ab") != luck_of("b", "a")
    assert 0 <= luck_of("seat", 1) < 2**63
