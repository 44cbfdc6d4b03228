"""Who knows whom: the small world, its ties, and what becomes of it."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm import Scenario, chance
from tavern_abm.data_tables import load_tables
from tavern_abm.patrons.columns import DEAD, HERE, LEFT, NOBODY, People, Sheet, blank_people
from tavern_abm.patrons.traits import generate
from tavern_abm.society.acquaintance import (
    BY_CHANCE,
    KIN,
    MET,
    TAVERN,
    TRADE,
    KeyedRandom,
    befriend,
    blank_acquaintances,
    greet_kin,
    grown,
    knows,
    make_acquaintances,
    pairs,
    ring,
    to_networkx,
)

KEY = chance.run_key(7)
TWO_HOUSES = {"taverns.1.name": "B"}


def town(n: int, key: int = KEY, **settings: Any) -> tuple[People, Sheet]:
    scenario = Scenario().with_settings({"patrons": n, **TWO_HOUSES, **settings})
    people, sheet = generate(np.arange(1, n + 1), key, scenario, load_tables(), [1.0, 1.0])
    people.whereabouts[:] = HERE
    return people, sheet


def circles(acquaintances: Any) -> list[set[int]]:
    return [{int(a) for a in row if a != NOBODY} for row in acquaintances.other]


ALONE = {"population.kin_prob": 0.0}
NO_KIN = town(1000, **ALONE)


# ---------------------------------------------------------------- the small world


@pytest.mark.parametrize("seed", range(5))
def test_clustering_is_that_of_watts_and_strogatz(seed: int) -> None:
    """3 (k - 2) / (4 (k - 1)) of a ring, times (1 - q)^3: 0.497 for k = 12, q = 0.1."""
    key = chance.run_key(seed)
    graph = to_networkx(make_acquaintances(*NO_KIN, key, 12, 0.1), np.arange(1000))
    assert graph.number_of_edges() == 6000
    assert nx.average_clustering(graph) == pytest.approx(3 * 10 / (4 * 11) * 0.9**3, abs=0.02)


def test_it_is_the_graph_of_networkx_on_the_ring() -> None:
    order = ring(*NO_KIN, KEY)
    plain = nx.watts_strogatz_graph(
        1000, 12, 0.1, seed=KeyedRandom(chance.subkey(KEY, chance.TIE, 0))
    )
    expected = {frozenset(order[list(edge)].tolist()) for edge in plain.edges}
    graph = to_networkx(make_acquaintances(*NO_KIN, KEY, 12, 0.1), np.arange(1000))
    assert {frozenset(node - 1 for node in edge) for edge in graph.edges} == expected


def test_without_rewiring_everybody_knows_his_neighbours_in_the_ring() -> None:
    order = ring(*NO_KIN, KEY)
    known = circles(make_acquaintances(*NO_KIN, KEY, 4, 0.0))
    for at, row in enumerate(order.tolist()):
        assert known[row] == {int(order[(at + step) % 1000]) for step in (-2, -1, 1, 2)}


def test_the_share_of_rewired_ties() -> None:
    """A rewired tie ends anywhere; 4 standard errors, less the few that fall near by."""
    acquaintances = make_acquaintances(*NO_KIN, KEY, 12, 0.1)
    place = np.empty(1000, np.int64)
    place[ring(*NO_KIN, KEY)] = np.arange(1000)
    one, at = np.nonzero(acquaintances.other != NOBODY)
    apart = np.abs(place[one] - place[acquaintances.other[one, at]])
    far = np.minimum(apart, 1000 - apart) > 6
    assert far.mean() == pytest.approx(0.1, abs=4 * (0.09 / 6000) ** 0.5 + 0.1 * 12 / 1000)
    assert (acquaintances.tie[one, at][far] == BY_CHANCE).all()


@pytest.mark.parametrize("districts", [[], [{"name": "hill"}, {"name": "quay"}]])
def test_people_stand_by_tavern_then_district_then_trade_then_household(
    districts: list[dict[str, Any]],
) -> None:
    people, sheet = town(600, districts=districts)
    assert sheet.quarter.any() == bool(districts)
    order = ring(people, sheet, KEY)
    assert sorted(order.tolist()) == list(range(600))
    head = sheet.household[order]
    by = (people.home[order], sheet.quarter[order], people.trade[head])
    keys = list(zip(*(column.tolist() for column in by), strict=True))
    assert keys == sorted(keys)
    # A household stands together, its head first.
    starts = np.flatnonzero(np.append(True, head[1:] != head[:-1]))
    assert len(starts) == len(set(head.tolist()))
    assert (order[starts] == head[starts]).all()


def test_ties_say_what_joins_two_people() -> None:
    people, sheet = town(600)
    acquaintances = make_acquaintances(people, sheet, KEY, 12, 0.1)
    one, at = np.nonzero(acquaintances.other != NOBODY)
    other, tie = acquaintances.other[one, at], acquaintances.tie[one, at]
    shares_home = people.home[one] == people.home[other]
    shares_trade = people.trade[one] == people.trade[other]
    is_kin = sheet.household[one] == sheet.household[other]
    assert ((tie == KIN) == is_kin).all()
    assert (shares_home & shares_trade)[tie == TRADE].all()
    assert (shares_home & ~shares_trade)[tie == TAVERN].all()
    assert all((tie == kind).sum() > 100 for kind in (KIN, TRADE, TAVERN, BY_CHANCE))
    order = [acquaintances.tie[row][acquaintances.other[row] != NOBODY] for row in range(600)]
    assert all((np.diff(each) >= 0).all() for each in order)  # kin stand first


@pytest.mark.parametrize("k", [2, 12])
def test_kin_always_know_each_other(k: int) -> None:
    people, sheet = town(600, **{"population.kin_prob": 0.9})
    known = circles(make_acquaintances(people, sheet, KEY, k, 1.0))
    for row in range(600):
        kin = set(np.flatnonzero(sheet.household == sheet.household[row]).tolist())
        assert kin - {row} <= known[row]


@given(
    n=st.integers(1, 40),
    k=st.sampled_from([2, 4, 12, 60]),
    rewiring=st.floats(0, 1),
    luck=st.integers(0, 2**63 - 1),
)
def test_everybody_is_known_by_whom_he_knows(n: int, k: int, rewiring: float, luck: int) -> None:
    people, sheet = town(n)
    acquaintances = make_acquaintances(people, sheet, luck, k, rewiring)
    known = circles(acquaintances)
    assert all(row in known[other] for row in range(n) for other in known[row])
    assert all(row not in known[row] for row in range(n))
    if k >= n - 1:
        assert all(len(circle) == n - 1 for circle in known)
    # No one stands twice, and free places lie behind the taken ones.
    for row in acquaintances.other.tolist():
        taken = [other for other in row if other != NOBODY]
        assert len(set(taken)) == len(taken)
        assert row[: len(taken)] == taken


def test_ten_thousand_people_know_twelve_others_each() -> None:
    people, sheet = town(10_000)
    acquaintances = make_acquaintances(people, sheet, KEY, 12, 0.1)
    n_known = (acquaintances.other != NOBODY).sum(axis=1)
    assert 12.0 <= n_known.mean() < 12.2  # a few kin beyond those of the ring
    assert acquaintances.shape == (10_000, 32)


def test_it_hangs_on_the_key_alone() -> None:
    one, again, other = (make_acquaintances(*NO_KIN, key, 12, 0.1) for key in (5, 5, 6))
    assert (one == again).all()
    assert (one.other != other.other).any()


def test_keyed_draws_are_uniform_and_of_so_many_bits() -> None:
    luck = KeyedRandom(KEY)
    units = [luck.random() for _ in range(10_000)]
    assert np.mean(units) == pytest.approx(0.5, abs=4 * (1 / 12 / 10_000) ** 0.5)
    assert units[:3] == [chance.unit(KEY, chance.TIE, i) for i in range(3)]
    bits = [luck.getrandbits(5) for _ in range(2000)]
    assert set(bits) == set(range(32))


# ---------------------------------------------------------------- meeting and parting


def strangers(n: int, width: int) -> tuple[Any, People]:
    people = blank_people(n)
    people.whereabouts[:] = HERE
    return blank_acquaintances(n, width), people


def test_befriending_goes_both_ways_and_once() -> None:
    acquaintances, people = strangers(3, 2)
    assert befriend(acquaintances, 0, 2, MET, 9, people)
    assert knows(acquaintances[0], 2)
    assert knows(acquaintances[2], 0)
    assert acquaintances[2][0].tolist() == (0, 9, MET)
    assert not befriend(acquaintances, 2, 0, MET, 10, people)
    assert not befriend(acquaintances, 1, 1, MET, 10, people)
    assert circles(acquaintances) == [{2}, set(), {0}]
    assert acquaintances.since[0, 0] == 9


@pytest.mark.parametrize("gone", [LEFT, DEAD])
def test_who_has_no_room_makes_no_friends_until_one_is_gone(gone: int) -> None:
    acquaintances, people = strangers(5, 2)
    for other in (1, 2):
        befriend(acquaintances, 0, other, MET, 1, people)
    assert not befriend(acquaintances, 0, 3, MET, 2, people)
    assert not befriend(acquaintances, 3, 0, MET, 2, people)
    assert circles(acquaintances) == [{1, 2}, {0}, {0}, set(), set()]
    people.whereabouts[1] = gone
    assert befriend(acquaintances, 3, 0, MET, 3, people)
    assert circles(acquaintances)[0] == {2, 3}


def test_newcomers_know_their_kin_alone() -> None:
    people, sheet = town(64)  # the last lot of six is not full
    older, newer = np.arange(60), np.arange(60, 64)
    sheet.household[60:] = [60, 60, 60, 63]
    people.whereabouts[60:] = [HERE, LEFT, HERE, HERE]
    first = make_acquaintances(people[older], sheet[older], KEY, 12, 0.1)
    acquaintances = grown(first, 4)
    assert (acquaintances[:60] == first).all()
    greet_kin(acquaintances, np.array([62, 63]), 5, people, sheet)
    known = circles(acquaintances)
    assert [known[row] for row in newer] == [{62}, set(), {60}, set()]
    assert acquaintances[62][0].tolist() == (60, 5, KIN)


def test_the_table_has_each_pair_of_the_living_once() -> None:
    people, sheet = town(200)
    acquaintances = make_acquaintances(people, sheet, KEY, 12, 0.1)
    living = np.delete(np.arange(200), [3, 77])
    columns = pairs(acquaintances, living)
    found = list(zip(columns["patron_id"].tolist(), columns["other_id"].tolist(), strict=True))
    known = circles(acquaintances)
    expected = {
        (one + 1, other + 1)
        for one in living.tolist()
        for other in known[one]
        if one < other and other not in (3, 77)
    }
    assert len(found) == len(set(found))
    assert set(found) == expected
    assert set(columns["tie"]) <= {"kin", "trade", "tavern", "chance"}
    graph = to_networkx(acquaintances, living)
    assert set(graph.nodes) == set((living + 1).tolist())
    assert graph.number_of_edges() == len(found)
