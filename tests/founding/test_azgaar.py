"""Towns of a map: which burgs are read, how many live there, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from tavern_abm.data_tables import DataError
from tavern_abm.founding.azgaar import Burg, file_stems, find_burg, read_burgs, town_of

BURGS: list[Any] = [
    {},
    {"i": 1, "name": "Eelmere", "population": 2.5, "capital": 1, "port": 4, "type": "Naval"},
    {"i": 2, "name": "Oxney", "population": 0.3, "capital": 0, "port": 0, "type": "River"},
    {"i": 3, "name": "Gone", "population": 9.0, "removed": True},
    {"i": 4, "name": "Oxney", "population": 0.07, "capital": False, "port": 0, "type": "Generic"},
]
SETTINGS = {"populationRate": 1000, "urbanization": 1.2, "mapName": "Reedland"}


def written(folder: Path, document: Any, name: str = "map.json") -> Path:
    path = folder / name
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return path


def a_map(folder: Path, **changes: Any) -> Path:
    document = {"info": {}, "settings": SETTINGS, "pack": {"features": [], "burgs": BURGS}}
    return written(folder, document | changes)


def problem(path: Path) -> str:
    with pytest.raises(DataError) as error:
        read_burgs(path)
    return str(error.value).removeprefix(f"{path.parent}/")


def test_towns_are_read_the_largest_first(tmp_path: Path) -> None:
    assert read_burgs(a_map(tmp_path)) == [
        Burg(1, "Eelmere", 3000, is_port=True, is_capital=True),
        Burg(2, "Oxney", 360, is_on_river=True),
        Burg(4, "Oxney", 84),
    ]


def test_of_towns_of_a_size_the_one_of_the_lower_number_comes_first(tmp_path: Path) -> None:
    sizes = {1: 1.0, 2: 3.0, 3: 1.0}
    burgs = [{"i": i, "name": "Oxney", "population": size} for i, size in sizes.items()]
    found = read_burgs(a_map(tmp_path, pack={"burgs": burgs[::-1]}))
    assert [burg.id for burg in found] == [2, 1, 3]


def test_older_maps_have_numbers_as_text_and_a_nought_for_no_burg(tmp_path: Path) -> None:
    settings = {"populationRate": "2000", "urbanization": "1"}
    burgs = read_burgs(a_map(tmp_path, settings=settings, pack={"burgs": [0, *BURGS[1:]]}))
    assert [burg.population for burg in burgs] == [5000, 600, 140]


def test_a_map_without_settings_has_those_of_a_new_map(tmp_path: Path) -> None:
    assert read_burgs(written(tmp_path, {"pack": {"burgs": BURGS}}))[0].population == 2500


def test_the_cells_export_is_read_too(tmp_path: Path) -> None:
    path = written(tmp_path, {"info": {}, "cells": {"cells": [], "burgs": BURGS}})
    assert [burg.name for burg in read_burgs(path)] == ["Eelmere", "Oxney", "Oxney"]


def test_a_mark_at_the_start_of_the_file_is_no_trouble(tmp_path: Path) -> None:
    text = "\ufeff" + json.dumps({"settings": SETTINGS, "pack": {"burgs": BURGS}})
    assert len(read_burgs(written(tmp_path, text))) == 3


def test_names_come_on_one_line(tmp_path: Path) -> None:
    burg = {"i": 1, "name": "Eel\n\u202emere  Bay ", "population": 1}
    assert read_burgs(a_map(tmp_path, pack={"burgs": [burg]}))[0].name == "Eel mere Bay"


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("{\n  oops", "map.json:2: is no JSON: Expecting property name"),
        ("[1, 2]", "map.json: is no map of the Fantasy Map Generator"),
        ('{"type": "FeatureCollection"}', "map.json: is a GeoJSON file, in which no burgs are"),
        ('{"grid": {}}', "map.json: holds no burgs (pack.burgs)"),
        ('{"pack": {"burgs": {}}}', "map.json: holds no burgs (pack.burgs)"),
        ('{"pack": 3}', "map.json: holds no burgs (pack.burgs)"),
        ("[" * 100_000, "map.json: is nested too deeply"),
        ("1" * 5_000, "map.json: is no JSON: "),
    ],
)
def test_what_is_no_map_is_refused(tmp_path: Path, document: str, expected: str) -> None:
    text = problem(written(tmp_path, document))
    assert text.startswith(expected)
    assert text.endswith("export the map by Export, Export to JSON, full or minimal")


def test_other_files_are_refused(tmp_path: Path) -> None:
    saved = written(tmp_path, "1.99|File can be loaded in azgaar.github.io", "reedland.map")
    assert problem(saved).startswith("reedland.map:1: is a saved map, no export; export")
    assert problem(tmp_path / "none.json") == "none.json: cannot be read: No such file or directory"
    picture = tmp_path / "map.png"
    picture.write_bytes(b"\x89PNG\xff")
    assert problem(picture).startswith("map.png: is no JSON: not UTF-8 text")


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"populationRate": 0}, "settings.populationRate: must be a number above 0 (got 0)"),
        ({"urbanization": "much"}, "settings.urbanization: must be a number above 0 (got 'much')"),
        ({"urbanization": True}, "settings.urbanization: must be a number above 0 (got True)"),
        ({"populationRate": 1e999}, "settings.populationRate: must be a number above 0 (got inf)"),
    ],
)
def test_settings_that_make_no_sense(tmp_path: Path, settings: Any, expected: str) -> None:
    assert problem(a_map(tmp_path, settings=settings)) == f"map.json: {expected}"


@pytest.mark.parametrize(
    ("burg", "expected"),
    [
        ({"i": 1, "name": "Oxney"}, "population: must be at least 0 (got None)"),
        ({"i": 1, "name": "Oxney", "population": -1}, "population: must be at least 0 (got -1)"),
        ({"name": "Oxney", "population": 1}, "i: must be its number (got None)"),
        ({"i": -1, "name": "Oxney", "population": 1}, "i: must be its number (got -1)"),
        (
            {"i": 2**62, "name": "Oxney", "population": 1},
            f"i: must be its number, at most {2**62 - 1000:,} (got {2**62})",
        ),
    ],
)
def test_burgs_that_make_no_sense(tmp_path: Path, burg: Any, expected: str) -> None:
    assert problem(a_map(tmp_path, pack={"burgs": [burg]})) == f"map.json: burg 'Oxney': {expected}"


@pytest.mark.parametrize(
    ("burgs", "expected"),
    [
        ([], "there is no burg on this map"),
        ([{}, 0], "there is no burg on this map"),
        ([1, 2], "burgs: must each be an object with i, name, population (got 1)"),
        ([{}, {"i": 1, "name": "", "population": 5}], "no burg of this map has a name"),
        ([{}, {"i": 1, "population": 5}], "no burg of this map has a name"),
        ([BURGS[3]], "all burgs have been removed from this map"),
    ],
)
def test_it_is_said_why_a_map_has_no_burg(tmp_path: Path, burgs: Any, expected: str) -> None:
    assert problem(a_map(tmp_path, pack={"burgs": burgs})) == f"map.json: {expected}"


def test_a_burg_is_found_by_name_or_number(tmp_path: Path) -> None:
    burgs = read_burgs(a_map(tmp_path))
    assert find_burg(burgs, " eelmere").id == find_burg(burgs, "1").id == 1
    assert find_burg([Burg(1, "7", 90), Burg(7, "Seven", 80)], "7").id == 1


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (
            "Oxney",
            "more than one burg of that name: give its number, 2 (360 people), 4 (84 people)",
        ),
        ("Elmere", "no such burg (did you mean 'Eelmere'?)"),
        ("Xyz", "no such burg (there are Eelmere, Oxney, Oxney)"),
    ],
)
def test_a_burg_that_is_not_found(tmp_path: Path, wanted: str, expected: str) -> None:
    path = a_map(tmp_path)
    with pytest.raises(DataError) as error:
        find_burg(read_burgs(path), wanted, path)
    assert str(error.value) == f"{path}: {wanted}: {expected}"


def test_a_message_names_few_of_many_burgs() -> None:
    many = [Burg(number, f"Place {number}", 900) for number in range(1, 9)]
    with pytest.raises(DataError, match=r"there are Place 1, .*, Place 5 and 3 more"):
        find_burg(many, "Xyzzy")
    with pytest.raises(DataError, match="there are none"):
        find_burg([], "Oxney")


def test_a_town_has_the_people_the_water_and_a_seed_of_its_own() -> None:
    port, river, inland = (
        town_of(burg)
        for burg in (
            Burg(1, "a", 3000, is_port=True, is_on_river=True),
            Burg(2, "b", 360, is_on_river=True),
            Burg(4, "c", 84),
        )
    )
    assert (port.population, river.population, inland.population) == (3000, 360, 84)
    assert (port.water, river.water, inland.water) == ("sea", "river", "none")
    assert (port.seed, river.seed, inland.seed) == (1001, 1002, 1004)


@pytest.mark.parametrize(
    ("population", "expected"),
    [
        (7, "7 people: a town has 20 to 5,000,000"),
        (9_000_000, "9,000,000 people: a town has 20 to 5,000,000"),
        (
            4_500_000,
            "4,500,000 people: tavern_going of its population must be 1 to 1,000,000 patrons"
            " (got 1,260,000)",
        ),
    ],
)
def test_a_farm_is_no_town_nor_is_half_a_country(population: int, expected: str) -> None:
    with pytest.raises(DataError) as error:
        town_of(Burg(1, "Oxney", population))
    assert str(error.value) == f"the map: burg 'Oxney': {expected}"


def test_the_last_number_of_a_burg_gives_the_last_seed(tmp_path: Path) -> None:
    burg = {"i": str(2**62 - 1024), "name": "Oxney", "population": 1}
    (found,) = read_burgs(a_map(tmp_path, pack={"burgs": [burg]}))
    assert town_of(found).seed == 2**62 - 24


def test_every_burg_has_a_file_of_its_own() -> None:
    names = ["Oxney", "Oxney 9", "Oxney", "Þ", "Ålmöte!"]
    ids = [1, 2, 9, 4, 5]
    stems = file_stems([Burg(i, name, 90) for i, name in zip(ids, names, strict=True)])
    assert stems == ["oxney", "oxney-9", "oxney-9-9", "burg-4", "almote"]


def test_a_long_name_makes_a_file_name_that_can_be_written() -> None:
    name = f"{'n' * 59} {'n' * 400}"
    stems = file_stems([Burg(1, name, 90), Burg(2, name, 90)])
    assert stems == ["n" * 59, f"{'n' * 59}-2"]
