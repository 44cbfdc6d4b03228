"""What is thrown: the six of the rules, a user's own before them, and what is refused."""

import re
from pathlib import Path

import pytest

from tavern_abm.asking import RefusedError
from tavern_abm.data_tables import DataError
from tavern_abm.objects import ThrownObject, find_object, load_objects

# weight in lb, range increment in ft
OBJECTS = {
    "javelin": (2, 30),
    "discus": (5, 20),
    "stone": (14, 10),
    "halfling": (30, 5),
    "small boulder": (56, 5),
    "log": (150, 2),
}
ANVIL = """
[[object]]
name = "anvil"
weight_lb = 110
increment_ft = 2
"""


def own(folder: Path, text: str) -> Path:
    (folder / "objects.toml").write_text(text)
    return folder


def problem(folder: Path, text: str) -> str:
    with pytest.raises(DataError) as error:
        load_objects(own(folder, text))
    return str(error.value).removeprefix(f"{folder}/")


def test_the_six_of_the_rules() -> None:
    objects = load_objects()
    assert {name: (o.weight_lb, o.increment_ft) for name, o in objects.items()} == OBJECTS
    assert [name for name, each in objects.items() if each.weapon] == ["javelin"]
    assert [name for name, each in objects.items() if each.person] == ["halfling"]


def test_own_objects_go_before_the_shipped_ones(tmp_path: Path) -> None:
    lighter = ANVIL.replace("anvil", "log")
    objects = load_objects(own(tmp_path, ANVIL + lighter))
    assert list(objects) == [*OBJECTS, "anvil"]
    assert objects["log"].weight_lb == objects["anvil"].weight_lb == 110
    assert load_objects()["log"].weight_lb == 150


def test_an_edited_file_is_never_served_stale(tmp_path: Path) -> None:
    assert load_objects(own(tmp_path, ANVIL))["anvil"].weight_lb == 110
    assert load_objects(own(tmp_path, ANVIL.replace("110", "120")))["anvil"].weight_lb == 120


def test_what_is_loaded_may_be_changed_by_the_caller() -> None:
    load_objects().clear()
    assert load_objects()


def test_a_folder_of_other_tables(tmp_path: Path) -> None:
    (tmp_path / "customs.toml").write_text("")
    assert list(load_objects(tmp_path)) == list(OBJECTS)


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such folder; data must be a folder"):
        load_objects(tmp_path / "nowhere")
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="is not a folder"):
        load_objects(tmp_path / "file")


def test_a_misspelt_file(tmp_path: Path) -> None:
    (tmp_path / "object.toml").write_text(ANVIL)
    with pytest.raises(DataError, match=r"object\.toml: no table of that name \(did you mean"):
        load_objects(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("weight_lb = 110", "", "weight_lb: is missing"),
        ("110", "0", "weight_lb: must be at least 1 (got 0)"),
        ("110", "1.5", "weight_lb: must be"),
        ("= 2", "= 2000", "increment_ft: must be at most 1000 (got 2000)"),
        ("= 2", "= 2\nwepon = true", "wepon: unknown field (did you mean 'weapon'?)"),
        ("= 2", "= 2\nweapon = 1", "weapon: must be true or false (got 1)"),
    ],
)
def test_a_wrong_object(tmp_path: Path, old: str, new: str, message: str) -> None:
    refused = problem(tmp_path, ANVIL.replace(old, new))
    assert re.search(rf"objects\.toml:\d: anvil: {re.escape(message)}", refused)


@pytest.mark.parametrize("name", ["Anvil", "small-anvil", "an  anvil", " anvil"])
def test_names_are_as_they_are_spoken(tmp_path: Path, name: str) -> None:
    text = problem(tmp_path, ANVIL.replace("anvil", name))
    assert "name: must be small letters, words parted by one space" in text


def test_an_object_twice(tmp_path: Path) -> None:
    assert problem(tmp_path, ANVIL * 2) == "objects.toml:8: anvil: stands here twice"


def test_bad_toml_gives_the_line(tmp_path: Path) -> None:
    assert problem(tmp_path, "\n[[object]]\nname = x\n").startswith("objects.toml:3: invalid TOML")


@pytest.mark.parametrize("name", ["small boulder", "Small-Boulder", "  small   boulder "])
def test_an_object_is_found_however_it_is_written(name: str) -> None:
    assert find_object(name).weight_lb == 56


def test_no_such_object(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match=r"no such object: 'lgo' \(did you mean 'log'\?\)") as no:
        find_object("lgo")
    assert no.value.option == "object"
    with pytest.raises(RefusedError, match=r"there are javelin, discus, .*, log, anvil"):
        find_object("xyz", own(tmp_path, ANVIL))


def test_as_a_sentence_has_it() -> None:
    assert ThrownObject(name="log", weight_lb=1, increment_ft=1).the == "the log"
