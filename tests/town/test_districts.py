"""Which house comes to mind where, and where people go when theirs closes."""

from __future__ import annotations

import numpy as np
import pytest

from tavern_abm import Scenario
from tavern_abm.patrons.columns import COLUMNS, SHEET_COLUMNS
from tavern_abm.town import setup
from tavern_abm.town.districts import closeness, districts_of, homes_left, places_of, rehome
from tests.patrons.test_homes import DATA, DISTRICTS, HOUSES, KEY, drawn, town


def shut(scenario: Scenario, *closed: int) -> setup.Houses:
    houses = setup.make_houses(scenario, DATA)
    houses.is_open[list(closed)] = 0
    return houses


@pytest.mark.parametrize("n", [1, 2, 3])
def test_kernels_are_handed_arrays_of_one_layout(n: int) -> None:
    """A kernel takes what it is handed at its first call for the layout of all calls."""
    for column in setup.make_houses(town(districts=DISTRICTS[:n]), DATA):
        assert column.flags.c_contiguous


def test_districts_are_those_named_and_those_of_the_houses() -> None:
    houses = [*HOUSES, {"name": "The Gallows", "district": "outside"}]
    assert districts_of(town(taverns=houses)) == ["hill", "market", "quay", "outside"]
    assert districts_of(town(districts=DISTRICTS[2:])) == ["quay", "hill", "market"]
    assert districts_of(Scenario()) == ["town"]


def test_a_house_comes_to_mind_by_its_places_and_how_near_it_is() -> None:
    houses = [*HOUSES[:3], HOUSES[3] | {"capacity": "auto"}]
    scenario = town(500, taverns=houses)
    assert places_of(scenario).tolist() == [60, 120, 90, 500]
    far = np.exp(-3.0)
    assert closeness(scenario)[1] == pytest.approx([60 * far, 120, 90, 500 * far])


@pytest.mark.parametrize("districts", [DISTRICTS, []])
@pytest.mark.parametrize("closed", [(1,), (0, 3)])
def test_who_loses_his_house_goes_where_he_would_have_gone_without_it(
    districts: list[dict], closed: tuple[int, ...]
) -> None:
    scenario = town(4000, districts=districts)
    people, sheet = drawn(scenario)
    homes = people.home.copy()
    rows = rehome(people, sheet, KEY, scenario, shut(scenario, *closed))
    assert rows.tolist() == np.flatnonzero(np.isin(homes, closed)).tolist()
    left = [i for i in range(4) if i not in closed]
    there, their_sheet = drawn(town(4000, districts=districts, taverns=[HOUSES[i] for i in left]))
    assert (np.array(left)[there.home] == people.home).all()
    names, their_names = (
        districts_of(scenario),
        districts_of(town(districts=districts, taverns=[HOUSES[i] for i in left])),
    )
    assert [names[i] for i in sheet.quarter] == [their_names[i] for i in their_sheet.quarter]
    assert all((people[name] == there[name]).all() for name in COLUMNS if name != "home")
    same = [name for name in SHEET_COLUMNS if name != "quarter"]
    assert all((sheet[name] == their_sheet[name]).all() for name in same)


def test_houses_may_close_one_after_the_other() -> None:
    scenario = town(2000)
    people, sheet = drawn(scenario)
    houses = shut(scenario)
    for closed in ((2,), (2, 0)):
        houses.is_open[list(closed)] = 0
        rehome(people, sheet, KEY, scenario, houses)
    at_once, its_sheet = drawn(scenario)
    rehome(at_once, its_sheet, KEY, scenario, shut(scenario, 0, 2))
    assert (people.home == at_once.home).all()
    assert set(people.home.tolist()) == {1, 3}


def test_nobody_thinks_of_a_closed_house() -> None:
    scenario = town(200)
    people, sheet = drawn(scenario)
    houses = shut(scenario, 1)
    rehome(people, sheet, KEY, scenario, houses)
    weights = np.diff(houses.comes_to_mind, axis=1, prepend=0.0)
    assert (weights[:, 1] == 0).all()
    assert weights[:, [0, 2, 3]] == pytest.approx(closeness(scenario)[:, [0, 2, 3]])
    assert homes_left(scenario, houses).tolist() == [60, 0, 90, 110]


def test_when_the_last_house_closes_nobody_gets_another() -> None:
    scenario = town(200)
    people, sheet = drawn(scenario)
    before = people.home.copy()
    houses = shut(scenario, 0, 1, 2, 3)
    assert not len(rehome(people, sheet, KEY, scenario, houses))
    assert (people.home == before).all()
    assert not houses.comes_to_mind.any()
    # Who is drawn from now on has a home that is closed, like everybody.
    assert set(drawn(scenario)[0].home.tolist()) == {0, 1, 2, 3}
