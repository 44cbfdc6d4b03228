"""From inhabitants to trades: held to counts made by hand, and to sums that must come out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.data_tables import load_tables
from tavern_abm.founding.census import Census, apportioned, census
from tavern_abm.founding.tables import load_founding


def counted(population: int, n_patrons: int | None = None, water: str = "river") -> Census:
    patrons = round(0.28 * population) if n_patrons is None else n_patrons
    return census(population, patrons, load_tables(), load_founding(), water)


def masters(town: Census) -> dict[str, int]:
    return {each.trade: each.n_masters for each in town.callings if each.n_masters}


def test_masters_are_the_population_over_people_per() -> None:
    paris = masters(counted(50_000))
    assert {name: paris[name] for name in ("shoemaker", "tailor", "baker", "innkeeper")} == {
        "shoemaker": 365,  # 50,000 / 137; 366 stand on the roll
        "tailor": 197,
        "baker": 62,
        "innkeeper": 24,
    }


def test_everybody_at_work_and_every_patron_is_counted_once() -> None:
    for population in (20, 80, 430, 5_000, 100_000):
        town = counted(population)
        assert town.n_people == round(population / 2)
        assert town.n_patrons == round(0.28 * population)
        assert town.n_households == round(population / 4.5)
        assert sum(town.weights.values()) == town.n_patrons
        assert sum(town.by_rank().values()) == town.n_patrons


def test_a_hamlet_has_peasants_and_no_banker() -> None:
    hamlet = counted(80)
    assert hamlet.settlement == "hamlet"
    assert set(masters(hamlet)) == {"shoemaker"}
    assert {"peasant", "farmer"} == set(list(hamlet.weights)[:2])
    assert hamlet.by_rank()["noble"] == hamlet.by_rank()["well-off"] == 0


def test_a_city_has_everybody() -> None:
    city = counted(100_000, water="sea")
    assert city.settlement == "city"
    trades = {each.trade for each in city.callings}
    assert trades == set(load_tables().trades) - {"miner"}
    assert masters(city)["banker"] == 8
    assert 0 < city.by_rank()["noble"] < city.by_rank()["well-off"] < city.by_rank()["poor"]


def test_those_who_are_masters_of_nothing_share_what_is_left() -> None:
    town = counted(5_000, water="none")
    place = load_founding().settlements["town"]
    people = {each.trade: each.n_people for each in town.callings}
    left = town.n_people - sum(2 * n for n in masters(town).values())
    total = sum(place.rest.values())
    for trade, weight in place.rest.items():
        assert people[trade] == pytest.approx(left * weight / total, abs=1)


def test_ships_bring_sailors() -> None:
    sailors = {
        water: counted(5_000, water=water).weights.get("sailor", 0)
        for water in ("none", "river", "sea")
    }
    assert 0 == sailors["none"] < sailors["river"] < sailors["sea"] / 2


def test_the_poor_and_the_noble_go_out_less() -> None:
    town = counted(100_000)
    rates = {each.rank: each.n_patrons / each.n_people for each in town.callings}
    assert rates["poor"] / rates["common"] == pytest.approx(0.7, abs=0.02)
    assert rates["noble"] / rates["common"] == pytest.approx(0.4, abs=0.02)


def test_own_wages_are_those_that_are_counted() -> None:
    found = census(5_000, 1_400, load_tables(), load_founding(), wages_cp={"carter": 7})
    assert next(each.wage_cp for each in found.callings if each.trade == "carter") == 7


@given(st.integers(20, 400_000), st.integers(1, 100_000), st.sampled_from(["none", "river", "sea"]))
def test_sums_come_out_for_any_town(population: int, n_patrons: int, water: str) -> None:
    town = counted(population, n_patrons, water)
    assert town.n_patrons == n_patrons
    assert town.n_people == max(1, round(population * 2.25 / 4.5))
    assert all(each.n_people >= each.n_masters for each in town.callings)


@given(st.integers(0, 10_000), st.lists(st.floats(0, 1e6), min_size=1, max_size=50))
def test_apportioned_numbers_are_within_one_of_their_shares(
    total: int, weights: list[float]
) -> None:
    found = apportioned(total, weights)
    if not any(weights):
        assert not found.any()
        return
    assert found.sum() == total
    exact = np.array(weights) / sum(weights) * total
    assert (np.abs(found - exact) < 1 + 1e-6).all()


def test_who_keeps_a_house_earns_more_than_whom_he_employs() -> None:
    wages = {name: trade.wage_cp for name, trade in load_tables().trades.items()}
    servants = max(wages[name] for name in ("bartender", "barmaid", "cook", "servant"))
    assert wages["innkeeper"] > wages["vintner"] > servants
