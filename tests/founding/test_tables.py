"""Settlements, districts and kinds of houses: what is shipped, and a user's own before it."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from tavern_abm.data_tables import DataError, load_tables
from tavern_abm.founding import resolved
from tavern_abm.founding.tables import FEWEST, MOST, load_founding, verify_against
from tavern_abm.scenario import Scenario
from tavern_abm.scenario.schema import Town

CAMP = """
[[settlement]]
name = "hamlet"
least = 0
household = 2.0
workers = 1.5
hands = 1.0
without = ["shoemaker"]
rest = { miner = 1 }
"""
ELF_TOWN = """
[[district]]
name = "elf town"
names = ["elf town"]
least = 1000
share = 30
houses = 2.0
quality = 5
near = ["market"]
customs = { lax = 100000 }
"""
BARE = """
[[house]]
name = "bare room"
bands = [1, 2, 3, 4, 5]
weight = 1000000000
customs = { lax = 1 }
"""


def own(folder: Path, **files: str) -> str:
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text)
    return str(folder)


def refused(folder: Path, **files: str) -> str:
    with pytest.raises(DataError) as error:
        load_founding(own(folder, **files))
    return str(error.value).removeprefix(f"{folder}/")


def test_shipped_tables_name_only_what_there_is() -> None:
    verify_against(load_founding(), load_tables(), None)


def test_a_kind_of_settlement_of_ones_own(tmp_path: Path) -> None:
    folder = own(tmp_path, settlements=CAMP)
    town = resolved(Scenario(town=Town(population=60, water="none"), data=folder), load_tables())
    assert town.population.trades == {"miner": 17.0}


def test_a_kind_of_district_of_ones_own(tmp_path: Path) -> None:
    folder = own(tmp_path, districts=ELF_TOWN)
    town = resolved(Scenario(town=Town(population=5000), data=folder), load_tables())
    district = next(each for each in town.districts if each.name == "elf town")
    assert district.near == ["market"]
    assert district.share == pytest.approx(100 * 30 / 133, rel=0.2)
    there = [tavern for tavern in town.taverns if tavern.district == "elf town"]
    assert len(there) >= 3
    assert {tavern.custom for tavern in there} == {"lax"}
    assert min(tavern.quality for tavern in there) >= 3


def test_a_kind_of_house_of_ones_own(tmp_path: Path) -> None:
    folder = own(tmp_path, houses=BARE)
    town = resolved(Scenario(town=Town(population=5000), data=folder), load_tables())
    assert all(tavern.tables == [] for tavern in town.taverns)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        (
            "districts",
            ELF_TOWN.replace('["market"]', '["markt"]'),
            "districts.toml: elf town: near: no such kind of district (got 'markt'",
        ),
        (
            "districts",
            ELF_TOWN.replace('["elf town"]', '["Harbour"]'),
            "districts.toml: elf town: names: 'Harbour' is called so once already, under 'harbour'",
        ),
        (
            "districts",
            ELF_TOWN.replace("quality = 5", "quality = 6"),
            "districts.toml:8: elf town: quality: must be at most 5 (got 6)",
        ),
        (
            "districts",
            ELF_TOWN.replace('names = ["elf town"]\n', ""),
            "districts.toml:2: elf town: names: is missing",
        ),
        (
            "houses",
            BARE + 'tables = [{ game = "rotting-teos" }]',
            "houses.toml: bare room: game: no such game (got 'rotting-teos'",
        ),
        (
            "houses",
            BARE + "tabels = []",
            "houses.toml:7: bare room: tabels: unknown field (did you mean 'tables'?)",
        ),
        (
            "settlements",
            CAMP.replace("hands = 1.0", "hands = 2.0"),
            "settlements.toml:2: hamlet: hands must be at most workers, and workers at most"
            " household (got 2, 1.5 and 2)",
        ),
        (
            "settlements",
            CAMP.replace("least = 0", "least = 50"),
            "settlements.toml: least: one settlement must begin at 20 inhabitants or fewer",
        ),
        (
            "settlements",
            CAMP.replace("{ miner = 1 }", "{ miner = 0 }"),
            "settlements.toml:2: hamlet: rest: must hold a weight above 0",
        ),
        (
            "settlements",
            CAMP.replace("{ miner = 1 }", "{}"),
            "settlements.toml:9: hamlet: rest: must have at least 1 entry (got 0)",
        ),
        (
            "settlements",
            CAMP + "goes = { poor = 0, common = 0, well-off = 0, noble = 0 }",
            "settlements.toml:2: hamlet: goes: must be above 0 for one rank at least",
        ),
        (
            "settlements",
            CAMP + "goes = { duke = 1 }",
            "settlements.toml:10: hamlet: goes.duke: must be 'poor', 'common', 'well-off' or"
            " 'noble' (got 'duke')",
        ),
        (
            "districts",
            ELF_TOWN.replace('["elf town"]', "[]"),
            "districts.toml:4: elf town: names: must have at least 1 entry (got 0)",
        ),
        (
            "districts",
            ELF_TOWN.replace('["elf town"]', '[""]'),
            "districts.toml:4: elf town: names.0: must have at least 1 character (got 0)",
        ),
        (
            "houses",
            BARE + 'tables = [{ game = "rotting-toes", count = "many" }]',
            "houses.toml:7: bare room: tables.0.count: must be a whole number or 'auto'",
        ),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, file: str, text: str, message: str) -> None:
    found = refused(tmp_path, **{file: text})
    assert found.startswith(message), found


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("settlements", CAMP.replace("miner", "minor"), "rest: no such trade (got 'minor'"),
        ("districts", ELF_TOWN.replace("lax", "lux"), "customs: no such custom (got 'lux'"),
        ("houses", BARE.replace("lax", "lux"), "customs: no such custom (got 'lux'"),
    ],
)
def test_unknown_trades_and_customs(tmp_path: Path, file: str, text: str, message: str) -> None:
    scenario = Scenario(town=Town(population=80), data=own(tmp_path, **{file: text}))
    with pytest.raises(DataError, match=rf"{file}\.toml: .*") as error:
        resolved(scenario, load_tables())
    assert message in str(error.value)


def test_a_town_has_twenty_to_five_million_inhabitants() -> None:
    Town(population=FEWEST)
    Town(population=MOST, tavern_going=0.1, taverns=1)
    for population in (FEWEST - 1, MOST + 1):
        with pytest.raises(ValidationError, match="population"):
            Town(population=population, tavern_going=0.1, taverns=1)


@pytest.mark.parametrize(
    ("kind", "bounds", "lacking"),
    [
        ("hamlet", "least = 21", "20"),
        ("hamlet", "most = 150", "151"),
        ("hamlet", 'water = "sea"', "20"),
        ("village", "least = 900\nmost = 999", "200"),
        ("village", "least = 200\nmost = 100", "200"),
        ("village", 'least = 0\nwater = "river"', "200"),
    ],
)
def test_a_town_of_any_size_has_a_district(
    tmp_path: Path, kind: str, bounds: str, lacking: str
) -> None:
    row = ELF_TOWN.replace("elf town", kind).replace("least = 1000", bounds)
    assert refused(tmp_path, districts=row) == (
        f"districts.toml: least, most: no kind without `water` fits a town of {lacking}"
        " inhabitants; one must fit each of 20 or more"
    )


@pytest.mark.parametrize(
    ("kind", "bounds"), [("hamlet", ""), ("hamlet", "least = 20"), ("village", "least = 199")]
)
def test_districts_may_overlap(tmp_path: Path, kind: str, bounds: str) -> None:
    row = ELF_TOWN.replace("elf town", kind).replace("least = 1000", bounds)
    assert load_founding(own(tmp_path, districts=row)).kinds[kind].name == kind


@pytest.mark.filterwarnings("error")
def test_a_town_from_which_nobody_would_go_out(tmp_path: Path) -> None:
    goes = CAMP.replace("miner", "peasant") + "goes = { poor = 0, common = 0, well-off = 0 }"
    scenario = Scenario(town=Town(population=60), data=own(tmp_path, settlements=goes))
    with pytest.raises(DataError) as error:
        resolved(scenario, load_tables())
    text = str(error.value).removeprefix(f"{tmp_path}/")
    expected = "settlements.toml: hamlet: goes: nobody of a town of 60 would go to taverns"
    assert text.startswith(f"{expected} (its trades: peasant")


def test_a_misspelt_file_is_found(tmp_path: Path) -> None:
    text = "distrcts.toml: no table of that name (did you mean 'districts.toml'?)"
    assert refused(tmp_path, distrcts=ELF_TOWN) == text
