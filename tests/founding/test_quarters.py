"""Districts: how many, who lives there, how close they lie."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tavern_abm.data_tables import load_tables
from tavern_abm.founding.census import census
from tavern_abm.founding.quarters import SHARE_SPREAD, districts_from, fitted, plan_quarters
from tavern_abm.founding.tables import load_founding
from tavern_abm.scenario.schema import District


def names(population: int, water: str = "river") -> list[str]:
    return [each.name for each in plan_quarters(population, water, 1, load_founding())]


def districts(population: int, water: str = "river", seed: int = 1) -> list[District]:
    founding = load_founding()
    plan = plan_quarters(population, water, seed, founding)
    people = census(population, round(0.28 * population), load_tables(), founding, water)
    return districts_from(plan, people.weights)


def test_small_places_are_of_one_piece() -> None:
    assert names(80) == ["hamlet"]
    assert names(430, "sea") == ["village"]


def test_water_brings_its_own_district_and_size_the_castle() -> None:
    assert "castle" not in names(3_999)
    assert "castle" in names(4_000)
    assert "river" in names(5_000)
    assert "harbour" not in names(5_000)
    assert "harbour" in names(5_000, "sea")
    assert not {"river", "harbour"} & set(names(5_000, "none"))


def test_a_city_has_several_of_a_kind_under_names_of_their_own() -> None:
    found = names(100_000, "sea")
    assert len(found) == len(set(found)) > 30
    assert {"market", "horse market", "fish quay", "old docks"} <= set(found)
    assert names(1_000_000, "sea") == names(3_000_000, "sea")


def test_a_growing_town_keeps_the_districts_that_it_has() -> None:
    before: set[str] = set()
    for population in (1_000, 3_000, 9_000, 30_000, 100_000):
        assert before <= set(names(population))
        before = set(names(population))


def test_shares_add_up_and_differ_by_luck_no_more_than_is_said() -> None:
    for seed in range(5):
        found = districts(100_000, "sea", seed)
        assert sum(each.share for each in found) == pytest.approx(100, abs=0.005 * len(found))
        quays = [each.share for each in found if "quay" in each.name or "dock" in each.name]
        assert max(quays) / min(quays) <= np.exp(2 * SHARE_SPREAD) + 0.01
    assert districts(100_000, "sea", 1) != districts(100_000, "sea", 2)


def test_all_districts_together_have_the_trades_of_the_town() -> None:
    people = census(100_000, 28_000, load_tables(), load_founding(), "sea")
    found = districts(100_000, "sea")
    shares = sum(each.share for each in found)
    for trade, n in people.weights.items():
        together = sum(each.share / shares * each.trades.get(trade, 0.0) for each in found)
        assert together == pytest.approx(100 * n / people.n_patrons, abs=0.01), trade


def test_sailors_live_by_the_harbour_and_nobles_by_the_castle() -> None:
    found = {each.name: each.trades for each in districts(20_000, "sea")}
    for trade, place in (("sailor", "harbour"), ("noble", "castle"), ("peasant", "meadow")):
        assert max(found, key=lambda name: found[name].get(trade, 0.0)) == place


def test_near_goes_both_ways_and_names_only_what_there_is() -> None:
    for population in (1_000, 5_000, 100_000, 357_143):
        near = {each.name: each.near for each in districts(population, "sea")}
        for name, others in near.items():
            assert others
            assert name not in others
            assert all(name in near[other] for other in others)


def test_each_lies_near_one_of_every_kind_that_is_near_its_own() -> None:
    plan = plan_quarters(100_000, "sea", 1, load_founding())
    kinds = {each.name: each.kind for each in plan}
    for district in districts(100_000, "sea"):
        there = {kinds[name].name for name in district.near}
        named = {
            name
            for name in kinds[district.name].near
            if any(k.name == name for k in kinds.values())
        }
        assert named <= there, district.name


def test_all_of_a_kind_share_the_people_of_the_kind() -> None:
    found = {each.name: each.share for each in districts(100_000, "sea")}
    total = sum(
        kind.share for kind in load_founding().kinds.values() if kind.number(100_000, "sea")
    )
    for kind in load_founding().kinds.values():
        there = [found[name] for name in kind.names[: kind.number(100_000, "sea")]]
        if there:
            assert sum(there) == pytest.approx(100 * kind.share / total, rel=2 * SHARE_SPREAD)


def test_near_is_not_everywhere() -> None:
    found = districts(100_000, "sea")
    assert max(len(each.near) for each in found) < len(found) / 4


def test_one_district_has_the_trades_of_the_population() -> None:
    assert districts(80)[0].trades == {}


@given(
    arrays(float, (4, 6), elements=st.floats(0.01, 20)),
    st.lists(st.floats(1, 50), min_size=6, max_size=6),
)
def test_fitting_keeps_both_sums_and_every_odds_ratio(
    odds: np.ndarray, weights: list[float]
) -> None:
    shares = np.array([0.4, 0.3, 0.2, 0.1])
    found = fitted(odds, shares, np.array(weights))
    town = np.array(weights) / sum(weights)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    np.testing.assert_allclose(shares @ found, town, rtol=1e-6)
    ratio = found[0, 0] * found[1, 1] / (found[0, 1] * found[1, 0])
    wanted = odds[0, 0] * odds[1, 1] / (odds[0, 1] * odds[1, 0])
    assert ratio == pytest.approx(wanted, rel=1e-6)
