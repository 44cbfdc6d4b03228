"""Where people live and which house is theirs: the law of the lots, and who moves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tavern_abm import Scenario, chance
from tavern_abm.data_tables import RANKS, load_tables
from tavern_abm.patrons.columns import COLUMNS, NOBODY, SHEET_COLUMNS, People, Sheet
from tavern_abm.patrons.homes import (
    far_apart,
    home_weights,
    homes_by_lot,
    label_of,
    labels_of,
    nearness,
    pinned_homes,
    quarters_of,
    winner,
)
from tavern_abm.patrons.traits import generate, heads_of
from tavern_abm.town.districts import places_of
from tests.uncompiled import with_and_without_numba

KEY = chance.run_key(3)
DATA = load_tables()
N = 20_000
SURE = 1e-4
DISTRICTS = [
    {"name": "hill", "share": 1.0, "trades": {"noble": 1.0, "merchant": 3.0}},
    {"name": "market", "share": 3.0, "near": ["hill"]},
    {"name": "quay", "share": 2.0, "ancestries": {"dwarf": 1.0}},
]
HOUSES = [
    {"name": "The Crown", "district": "hill", "quality": 5, "capacity": 60},
    {"name": "The Scales", "district": "market", "quality": 3, "capacity": 120},
    {"name": "The Barrow", "district": "market", "quality": 2, "capacity": 90},
    {"name": "The Eel", "district": "quay", "quality": 1, "capacity": 110},
]


def town(n: int = N, **more: Any) -> Scenario:
    town = {"patrons": n, "districts": DISTRICTS, "taverns": HOUSES, "people": []}
    return Scenario().with_settings(town | more)


def drawn(scenario: Scenario, ids: Any = None) -> tuple[People, Sheet]:
    ids = np.arange(1, scenario.patrons + 1) if ids is None else np.asarray(ids)
    return generate(ids, KEY, scenario, DATA, places_of(scenario).tolist())


PEOPLE, SHEET = drawn(town())
HEADS = np.unique(SHEET.household)


# ---------------------------------------------------------------- lots


@given(
    st.integers(0, 2**62),
    st.lists(st.sampled_from([0.0, 0.5, 1.0, 7.0, 1e9]), min_size=1, max_size=9),
)
def test_the_shortest_lot_wins(key: int, weights: list[float]) -> None:
    """The same as taking every logarithm."""
    labels = labels_of(map(str, range(len(weights))))
    lots = [math.inf] * len(weights)
    for j, weight in enumerate(weights):
        u = (chance.hash63(key, int(labels[j])) >> 10) * 2.0**-53 + 2.0**-54
        if weight:
            lots[j] = -math.log(u) / weight
    expected = int(np.argmin(lots)) if any(weights) else NOBODY
    assert winner(key, labels, np.array(weights)) == expected


def test_a_label_is_for_good() -> None:
    assert label_of("The Eel") == 1_955_535_275_341_476_079
    assert label_of("The Eel") != label_of("The Eels")
    assert 0 <= label_of("") < 2**63


def test_lots_are_the_same_compiled_and_plain() -> None:
    program = (
        "import numpy as np; from tavern_abm.patrons.homes import by_lot;"
        "w = np.array([[1.0, 0.0, 2.5, 1e-9], [0.1, 3.0, 0.0, 1.0]]);"
        "print(by_lot(np.arange(400) // 2, 7, 0, 'abcd', w, np.arange(400) // 2 % 2).tolist())"
    )
    compiled, plain = with_and_without_numba(program)
    assert compiled == plain


# ---------------------------------------------------------------- districts


def test_districts_have_their_shares() -> None:
    found = np.bincount(SHEET.quarter[HEADS], minlength=3)
    expected = np.array([1, 3, 2]) / 6 * len(HEADS)
    assert stats.chisquare(found, expected).pvalue > SURE


def test_trades_and_ancestries_are_those_of_the_district() -> None:
    trades, ancestries = list(DATA.trades), list(DATA.ancestries)
    on_hill, at_quay = SHEET.quarter == 0, SHEET.quarter == 2
    by_hand = {trades.index("noble"), trades.index("merchant")}
    assert set(PEOPLE.trade[on_hill].tolist()) == by_hand
    nobles = (PEOPLE.trade[on_hill] == trades.index("noble")).sum()
    assert stats.binomtest(int(nobles), int(on_hill.sum()), 0.25).pvalue > SURE
    assert set(SHEET.ancestry[at_quay].tolist()) == {ancestries.index("dwarf")}
    # Elsewhere they are those of the town.
    weights = np.array([each.weight for each in DATA.trades.values()])
    found = np.bincount(PEOPLE.trade[SHEET.quarter == 1], minlength=len(weights))
    some = weights > 0
    expected = weights[some] / weights.sum() * found.sum()
    assert stats.chisquare(found[some], expected).pvalue > SURE


def test_rank_follows_the_trade() -> None:
    ranks = [trade.rank for trade in DATA.trades.values()]
    expected = [RANKS.index(ranks[i]) for i in PEOPLE.trade[:500]]
    assert SHEET.rank[:500].tolist() == expected
    assert drawn(Scenario(patrons=9))[1].rank.max() <= 3


def test_a_district_that_is_added_moves_only_those_who_move_there() -> None:
    more = [*DISTRICTS[:1], {"name": "shambles", "share": 2.0}, *DISTRICTS[1:]]
    people, sheet = drawn(town(districts=more))
    before = np.array([0, 2, 3])[SHEET.quarter]
    moved = sheet.quarter != before
    assert (sheet.quarter[moved] == 1).all()
    n = int(moved[HEADS].sum())
    assert stats.binomtest(n, len(HEADS), 2 / 8).pvalue > SURE
    for name in COLUMNS:
        assert (people[name] == PEOPLE[name])[~moved].all(), name


def test_kin_live_and_drink_together() -> None:
    head = SHEET.household
    assert (head != np.arange(N)).sum() > N / 4
    for column in (SHEET.quarter, PEOPLE.home, SHEET.ancestry):
        assert (column == column[head]).all()


def test_without_districts_people_live_where_their_home_tavern_stands() -> None:
    scenario = town(districts=[])
    people, sheet = drawn(scenario)
    quarters = np.array([0, 1, 1, 2])
    assert (sheet.quarter == quarters[people.home]).all()
    assert (quarters_of(np.arange(1, 10), KEY, scenario) == 0).all()


# ---------------------------------------------------------------- how far


def test_near_and_far() -> None:
    assert far_apart(town()).astype(int).tolist() == [
        [0, 0, 0, 1],  # the hill: those of the market name it as near
        [1, 0, 0, 1],
        [1, 1, 1, 0],
    ]
    near = nearness(town(**{"minds.distance": 0.7}))
    assert near[0].tolist() == pytest.approx([1, 1, 1, math.exp(-2.1)])
    assert (nearness(town(**{"minds.distance": 0.0})) == 1).all()


def test_a_house_may_stand_where_nobody_lives() -> None:
    houses = [*HOUSES, {"name": "The Gallows", "district": "outside"}]
    scenario = town(taverns=houses)
    assert far_apart(scenario).shape == (4, 5)
    _, sheet = drawn(scenario)
    assert set(sheet.quarter.tolist()) == {0, 1, 2}


# ---------------------------------------------------------------- homes


def test_homes_have_their_weights() -> None:
    """By district and rank of the head: chi-square over all cells with 5 expected or more."""
    weights = home_weights(town(), places_of(town()))
    by_hand = 110 * math.exp(-1.5 * 0.5)  # of the quay and poor, in the poor house there
    assert weights[2, 0, 3] == pytest.approx(by_hand)
    assert weights[0, 3, 3] == pytest.approx(110 * math.exp(-1.5 * 4 - 3))
    statistic, freedom = 0.0, 0
    for quarter in range(3):
        for rank in range(4):
            here = HEADS[(SHEET.quarter[HEADS] == quarter) & (SHEET.rank[HEADS] == rank)]
            law = weights[quarter, rank] / weights[quarter, rank].sum()
            found = np.bincount(PEOPLE.home[here], minlength=4)
            some = law * len(here) >= 5
            if some.sum() > 1:
                at = law[some] / law[some].sum() * found[some].sum()
                statistic += stats.chisquare(found[some], at).statistic
                freedom += some.sum() - 1
    assert freedom > 15
    assert stats.chi2.sf(statistic, freedom) > SURE


def test_without_fit_and_distance_homes_go_by_their_places() -> None:
    scenario = town(**{"minds.home_fit": 0.0, "minds.distance": 0.0})
    people, _ = drawn(scenario)
    found = np.bincount(people.home[HEADS], minlength=4)
    expected = np.array([60, 120, 90, 110]) / 380 * len(HEADS)
    assert stats.chisquare(found, expected).pvalue > SURE


def test_a_house_that_is_added_moves_only_those_who_move_there() -> None:
    new = {"name": "The Moon", "district": "quay", "quality": 3, "capacity": 70}
    people, sheet = drawn(town(taverns=[HOUSES[0], new, *HOUSES[1:]]))
    before = np.array([0, 2, 3, 4])[PEOPLE.home]
    moved = people.home != before
    assert (people.home[moved] == 1).all()
    assert N / 50 < moved.sum() < N / 2
    for name in COLUMNS:
        if name != "home":
            assert (people[name] == PEOPLE[name]).all(), name
    for name in SHEET_COLUMNS:
        assert (sheet[name] == SHEET[name]).all(), name


def test_the_order_of_the_houses_does_not_matter() -> None:
    people, _ = drawn(town(taverns=HOUSES[::-1]))
    assert (3 - people.home == PEOPLE.home).all()


def test_a_person_is_the_same_whoever_is_drawn_beside_him() -> None:
    some = np.array([5, 6, 7, 11, 4000, 19_999])
    people, sheet = drawn(town(), some)
    assert (people.home == PEOPLE.home[some - 1]).all()
    assert (sheet.quarter == SHEET.quarter[some - 1]).all()


def test_the_places_that_count_are_those_handed_over() -> None:
    heads = heads_of(np.arange(1, N + 1), KEY, town())
    of = (SHEET.quarter[heads - 1], SHEET.rank[heads - 1])
    homes = homes_by_lot(heads, KEY, town(), [60, 0, 90, 110], *of)
    assert not (homes == 1).any()
    stays = PEOPLE.home != 1
    assert (homes == PEOPLE.home)[stays].all()
    assert set(homes[~stays].tolist()) == {0, 2, 3}


PINNED = [
    {"name": "Ada Bell", "household": "Bell", "home": "The Crown", "trade": "beggar"},
    {"name": "Bet Bell", "household": "Bell"},
    {"name": "Cob Bell", "household": "Bell", "home": "The Eel"},
    {"name": "Odo Crane"},
    {"name": "Una Moor", "household": "Moor"},
    {"name": "Wat Moor", "household": "Moor", "home": "The Eel"},
]


def test_a_pinned_home_pins_where_he_lives() -> None:
    scenario = town(people=PINNED)
    people, sheet = drawn(scenario)
    assert people.home[:3].tolist() == [0, 0, 3]
    assert sheet.quarter[:3].tolist() == [0, 0, 2]
    assert list(DATA.trades)[people.trade[0]] == "beggar"
    assert sheet.rank[0] == 0
    assert pinned_homes(scenario) == {1: "The Crown", 2: "The Crown", 3: "The Eel", 6: "The Eel"}
    # Whoever is not pinned to a house lives and drinks as he would by himself.
    alone, his = drawn(town(**{"population.kin_prob": 0.0}))
    assert (sheet.quarter[[3, 4]] == his.quarter[[3, 4]]).all()
    assert (people.home[[3, 4]] == alone.home[[3, 4]]).all()
    assert people.home[5] == 3
