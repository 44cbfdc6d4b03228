"""Whole towns: what is written out stays, the rest is founded around it."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavern_abm import chance
from tavern_abm.data_tables import load_tables
from tavern_abm.founding import resolved
from tavern_abm.founding.houses import SEATS_PER_PATRON, SIZES, sites_of
from tavern_abm.founding.tables import load_founding
from tavern_abm.patrons.traits import generate
from tavern_abm.scenario import (
    Person,
    Scenario,
    ScenarioError,
    TableOfGames,
    Tavern,
    load_scenario,
    verify_scenario,
)
from tavern_abm.scenario.schema import District, Economy, Population, Town

DATA = load_tables()


def town(population: int, /, *, scenario: dict[str, Any] | None = None, **fields: Any) -> Scenario:
    said = Town(population=population, **fields)
    return resolved(Scenario(town=said, **(scenario or {})), DATA)


@pytest.mark.parametrize(
    ("population", "n_patrons", "n_houses"),
    [(20, 6, 1), (80, 22, 1), (430, 120, 1), (5_000, 1_400, 12), (100_000, 28_000, 233)],
)
def test_patrons_and_houses_of_a_town(population: int, n_patrons: int, n_houses: int) -> None:
    found = town(population)
    assert (found.patrons, len(found.taverns)) == (n_patrons, n_houses)


@pytest.mark.parametrize("population", [20, 80, 430, 999, 1_000, 5_000, 26_000])
@pytest.mark.parametrize("water", ["none", "river", "sea"])
def test_every_town_is_a_sound_scenario_and_resolving_again_changes_nothing(
    population: int, water: str
) -> None:
    found = town(population, water=water, seed=7)
    again = Scenario.model_validate(found.model_dump(exclude_none=True))
    assert again == found
    verify_scenario(found, DATA)
    assert resolved(found, DATA) == found
    assert resolved(again, DATA) == found


def test_the_largest_town_is_sound_and_quickly_founded() -> None:
    town(20)  # reads the tables
    began = time.process_time()
    found = town(357_143, water="sea")
    assert time.process_time() - began < 2
    assert (found.patrons, len(found.taverns)) == (100_000, 831)
    verify_scenario(found, DATA)
    assert Scenario.model_validate(found.model_dump(exclude_none=True)) == found
    names = [tavern.name for tavern in found.taverns]
    assert len(set(names)) == len(names)


def test_seats_are_about_what_the_patrons_need() -> None:
    found = town(357_143, water="sea")
    usual = sum(
        SEATS_PER_PATRON * 100_000 / 831 * SIZES[tavern.quality] for tavern in found.taverns
    )
    seats = sum(int(tavern.capacity) for tavern in found.taverns)
    assert seats == pytest.approx(usual, rel=0.03)  # 831 log-normal sizes: 4 x 0.25 / sqrt(831)
    assert 1 < seats / found.patrons < 1.25
    for population in (80, 430, 1_000, 5_000):
        found = town(population)
        assert sum(int(tavern.capacity) for tavern in found.taverns) > 0.7 * found.patrons


def test_more_houses_leave_the_first_ones_as_they_are() -> None:
    ten = town(5_000, taverns=10).taverns
    assert town(5_000, taverns=11).taverns[:10] == ten
    assert town(5_000, taverns=40).taverns[:10] == ten
    assert town(5_000).taverns[:10] == ten


def test_another_seed_is_another_town() -> None:
    names = [{tavern.name for tavern in town(5_000, seed=seed).taverns} for seed in (1, 2)]
    assert len(names[0] & names[1]) < 3


def test_districts_get_houses_by_their_custom() -> None:
    found = town(357_143, water="sea")
    counts = Counter(tavern.district for tavern in found.taverns)
    assert counts["harbour"] > counts["craftsmen's quarter"] > 0
    # By shares and thickness: no district is off by more than luck and rounding may do.
    sites = sites_of(found, load_founding())
    total = sum(site.custom for site in sites)
    for site in sites:
        assert counts[site.name] == pytest.approx(831 * site.custom / total, abs=1.5)


def test_quality_goes_by_the_district() -> None:
    found = town(357_143, water="sea")
    bands: dict[str, list[int]] = {}
    for tavern in found.taverns:
        bands.setdefault(tavern.district, []).append(tavern.quality)
    poor, fine = np.mean(bands["lanes"]), np.mean(bands["castle"])
    assert poor < 2 < np.mean(bands["market"]) < 4 < fine
    assert set(range(1, 6)) == {tavern.quality for tavern in found.taverns}


@pytest.mark.parametrize(("population", "water"), [(20_000, "river"), (100_000, "sea")])
def test_a_city_has_a_fine_house_and_the_others_stay_as_they_are(
    population: int, water: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    lucky = []
    for seed in range(1, 13):
        with monkeypatch.context() as patch:
            patch.setattr("tavern_abm.founding.houses.FINE_FROM", 10**9)
            drawn = town(population, water=water, seed=seed).taverns
        found = town(population, water=water, seed=seed).taverns
        changed = [number for number, house in enumerate(found) if house != drawn[number]]
        lucky.append(any(house.quality == 5 for house in drawn))
        assert len(changed) == (not lucky[-1])
        assert any(house.quality == 5 for house in found)
        for number in changed:
            fine, before = found[number], drawn[number]
            assert (fine.name, fine.district) == (before.name, before.district)
            assert fine.mug_cp == DATA.qualities["fine"].mug_cp
            more = town(population, water=water, seed=seed, taverns=len(found) + 40).taverns
            assert more[: len(found)] == found
            fewer = town(population, water=water, seed=seed, taverns=len(found) - 9).taverns
            assert fewer == found[:-9]
    assert not all(lucky)


def test_a_fine_house_that_is_written_out_is_fine_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = {"taverns": [Tavern(name="The Crab", district="market", quality=5)]}
    seeds = range(1, 9)
    found = [town(20_000, seed=seed, scenario=mine).taverns for seed in seeds]
    monkeypatch.setattr("tavern_abm.founding.houses.FINE_FROM", 10**9)
    assert found == [town(20_000, seed=seed, scenario=mine).taverns for seed in seeds]


def test_games_and_customs_fit_the_house() -> None:
    found = town(357_143, water="sea")
    by_band: dict[int, Counter[str]] = {band: Counter() for band in range(1, 6)}
    for tavern in found.taverns:
        by_band[tavern.quality].update({table.game for table in tavern.tables})
    assert by_band[1]["heads-or-tails"] > 0 == by_band[5]["heads-or-tails"]
    assert by_band[5]["magic-wand"] == sum(tavern.quality == 5 for tavern in found.taverns)
    customs = Counter((tavern.district, tavern.custom) for tavern in found.taverns)
    assert customs["harbour", "dockside"] > customs["harbour", "decent"]
    assert not customs["castle", "dockside"]
    yards = [tavern for tavern in found.taverns if tavern.yard]
    assert yards
    assert all(int(tavern.capacity) >= 70 for tavern in yards)


def test_a_short_evening_has_no_race_after_its_end() -> None:
    scenario = {"rounds_per_night": 0}
    assert not any(tavern.yard for tavern in town(100_000, water="sea", scenario=scenario).taverns)


# ------------------------------------------------- what is written out


def test_written_houses_come_first_and_stay_as_they_are() -> None:
    mine = [
        Tavern(name="The Crab", district="harbour", capacity=70, quality=5, tables=[]),
        Tavern(name="Mother Hubb's", district="castle", capacity=9, rake_bp=100),
    ]
    found = town(5_000, water="sea", scenario={"taverns": mine})
    assert len(found.taverns) == 12
    for wanted, tavern in zip(mine, found.taverns, strict=False):
        given = wanted.model_dump(exclude_unset=True)
        assert {name: tavern.model_dump()[name] for name in given} == given
    assert found.taverns[0].mug_cp == DATA.qualities["fine"].mug_cp


def test_a_written_house_leaves_size_and_place_to_the_town() -> None:
    found = town(5_000, scenario={"taverns": [Tavern(name="The Crab")]})
    crab = found.taverns[0]
    assert crab.district in [district.name for district in found.districts]
    assert crab.capacity == round(SEATS_PER_PATRON * 1_400 / 12)


def test_a_house_written_out_does_not_change_what_the_others_are() -> None:
    before = town(5_000).taverns
    mine = [before[0].model_copy(update={"name": "The Crab"})]
    after = town(5_000, scenario={"taverns": mine}).taverns
    assert after[0].name == "The Crab"
    same = [
        (one.district, one.quality, one.capacity) == (two.district, two.quality, two.capacity)
        for one, two in zip(before[1:], after[1:], strict=True)
    ]
    assert all(same)


def test_more_houses_than_the_town_has_are_kept_and_none_is_added() -> None:
    mine = [Tavern(name=f"House {i}", district="village") for i in range(5)]
    found = town(430, scenario={"taverns": mine})
    assert [tavern.name for tavern in found.taverns] == [tavern.name for tavern in mine]


def test_a_generated_sign_gives_way_to_a_written_one() -> None:
    name = town(5_000).taverns[5].name
    mine = [Tavern(name=name.upper(), district="market")]
    names = [tavern.name for tavern in town(5_000, scenario={"taverns": mine}).taverns]
    assert names[0] == name.upper()
    assert name not in names
    assert len({each.casefold() for each in names}) == 12


def test_written_districts_trades_and_patrons_stay() -> None:
    said = {
        "patrons": 300,
        "districts": [District(name="elf town", share=2), District(name="harbour")],
        "population": Population(trades={"guard": 3.0, "sailor": 1.0}),
    }
    found = town(5_000, scenario=said)
    assert found.patrons == 300
    assert found.districts == said["districts"]
    assert found.population == said["population"]
    districts = Counter(tavern.district for tavern in found.taverns)
    assert set(districts) == {"elf town", "harbour"}


def test_the_trades_somebody_names_are_spread_over_the_districts() -> None:
    said = {"population": Population(trades={"guard": 3.0, "sailor": 1.0})}
    found = town(5_000, scenario=said)
    by_name = {district.name: district.trades for district in found.districts}
    assert set(by_name["river"]) == {"guard", "sailor"}
    assert by_name["river"]["sailor"] > 50 > by_name["castle"]["sailor"]


@pytest.mark.parametrize(("wrong", "said"), [("moonbase", ""), ("harbour", ""), ("rver", "river")])
def test_a_house_in_a_district_that_the_town_has_not(tmp_path: Path, wrong: str, said: str) -> None:
    file = tmp_path / "t.toml"
    text = (
        '[town]\npopulation = 5000\n[[taverns]]\nname = "A"\n[[taverns]]\nname = "B"\ndistrict = '
    )
    file.write_text(f"{text}'{wrong}'")
    with pytest.raises(ScenarioError) as error:
        load_scenario(file)
    allowed = "market, craftsmen's quarter, lanes, gate, river, temple, castle, meadow"
    hint = f"; did you mean '{said}'?" if said else ""
    problem = f"no such district (got '{wrong}'; allowed {allowed}{hint})"
    assert str(error.value) == f"{file}:7: taverns.1.district: {problem}"
    file.write_text(f"{text}'castle'")
    assert load_scenario(file).taverns[1].district == "castle"
    with pytest.raises(ScenarioError, match=r"settings: taverns\.0\.district: no such district"):
        load_scenario(file).with_settings({"taverns.0.district": wrong})


def test_districts_of_a_town_that_are_written_out_are_all_there_are(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    districts = "[[districts]]\nname = 'elf town'\n[[taverns]]\ndistrict = "
    file.write_text(f"[town]\npopulation = 5000\n{districts}'elf town'")
    assert load_scenario(file).taverns[0].district == "elf town"
    file.write_text(f"[town]\npopulation = 5000\n{districts}'market'")
    with pytest.raises(ScenarioError, match=r"\(got 'market'; allowed elf town\)"):
        load_scenario(file)
    file.write_text(f"{districts}'moonbase'")  # where no town is founded, one of its own
    assert load_scenario(file).taverns[0].district == "moonbase"


def test_pinned_people_have_room() -> None:
    people = [Person(name=f"Hob {i}") for i in range(30)]
    found = town(80, scenario={"people": people})
    assert found.patrons == 30
    assert found.people == people


def test_own_wages_stay() -> None:
    economy = Economy(wages_cp={"carter": 7})
    assert town(5_000, scenario={"economy": economy}).economy == economy


def test_settings_leave_to_the_town_what_was_left_to_it() -> None:
    changed = Scenario(town=Town(population=5_000)).with_settings({"minds.tau": 0.1})
    found = resolved(changed, DATA)
    assert (found.patrons, len(found.taverns)) == (1_400, 12)
    pinned = Scenario().with_settings({"town.population": 5_000, "taverns.0.rake_bp": 100})
    found = resolved(pinned, DATA)
    assert [tavern.rake_bp for tavern in found.taverns if tavern.name == "The Rusty Flagon"] == [
        100
    ]
    assert len(found.taverns) == 12


def test_without_a_town_nothing_is_founded() -> None:
    mine = [Tavern(name="The Crab", tables=[TableOfGames(count=2)])]
    found = resolved(Scenario(patrons=5, taverns=mine), DATA)
    assert (found.patrons, len(found.taverns), found.districts) == (5, 1, [])
    assert found.taverns[0].capacity == "auto"


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"population": 5_000_000}, "1 to 1,000,000 patrons (got 1,400,000)"),
        ({"population": 20, "tavern_going": 0.001}, "1 to 1,000,000 patrons (got 0)"),
        ({"population": 100_000, "people_per_tavern": 2.0}, "10,000 houses at the most"),
        ({"population": 5_000, "taverns": 10_001}, "10,000 houses at the most (got 10,001)"),
    ],
)
def test_towns_that_cannot_be_played(fields: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match="Value error") as error:
        Town(**fields)
    assert text in str(error.value)


@settings(max_examples=25)
@given(
    st.integers(20, 60_000),
    st.sampled_from(["none", "river", "sea"]),
    st.integers(0, 2**62),
    st.integers(0, 5),
    st.one_of(st.just("auto"), st.integers(1, 30)),
)
def test_any_town_is_sound(
    population: int, water: Any, seed: int, n_written: int, taverns: Any
) -> None:
    mine = {"taverns": [Tavern(name=f"House {i}") for i in range(n_written)]} if n_written else {}
    found = town(population, water=water, seed=seed, taverns=taverns, scenario=mine)
    verify_scenario(found, DATA)
    assert resolved(found, DATA) == found
    places = {district.name for district in found.districts}
    assert all(tavern.district in places for tavern in found.taverns)
    assert len({tavern.name.casefold() for tavern in found.taverns}) == len(found.taverns)


def test_the_people_of_an_inn_are_not_moved_by_the_trades_of_towns() -> None:
    inn = load_scenario("rusty-flagon")
    nine = dict(list(DATA.trades.items())[:9])
    assert list(nine)[-1] == "noble"
    ids, key = np.arange(1, 501), chance.run_key(7)
    people, sheet = generate(ids, key, inn, DATA, [1.0])
    before, sheet_before = generate(ids, key, inn, replace(DATA, trades=nine), [1.0])
    assert (people == before).all()
    assert (sheet == sheet_before).all()
    assert people["trade"].max() == 8


def test_people_may_be_at_home_in_a_house_that_is_founded(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    sign = town(5_000).taverns[-1].name
    file.write_text(f'[town]\npopulation = 5000\n[[people]]\nname = "Hob"\nhome = "{sign}"')
    assert load_scenario(file).people[0].home == sign
    file.write_text(file.read_text().replace(sign, "The Rusty Flagon"))
    with pytest.raises(ScenarioError, match=r"home: no such tavern \(got 'The Rusty Flagon'; .*"):
        load_scenario(file)


def test_a_town_has_room_for_as_many_pinned_people_as_it_has_patrons(tmp_path: Path) -> None:
    people = "".join(f"[[people]]\nname = 'Hob {i}'\n" for i in range(130))
    (tmp_path / "t.toml").write_text(f"[town]\npopulation = 5000\n{people}")
    assert len(load_scenario(tmp_path / "t.toml").people) == 130
