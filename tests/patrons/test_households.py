"""Kin, tempers, weighted dice, and newcomers of a kind."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit

from tavern_abm import Scenario, chance
from tavern_abm.data_tables import load_tables
from tavern_abm.patrons.columns import COLUMNS, SHEET_COLUMNS, TEMPERS, TRAITS, People, Sheet
from tavern_abm.patrons.prevalence import kinds_to_come, recast
from tavern_abm.patrons.traits import cheat_intercept, generate, heads_of, tempers

N = 12_000
KEY = chance.run_key(1)
TWO_HOUSES = {"taverns.1.name": "B", "people": []}


def drawn(ids: Any = None, **settings: Any) -> tuple[People, Sheet]:
    scenario = Scenario().with_settings({"patrons": N, **TWO_HOUSES, **settings})
    ids = np.arange(1, N + 1) if ids is None else np.asarray(ids)
    return generate(ids, KEY, scenario, load_tables(), [1.0, 1.0])


PEOPLE, SHEET = drawn()


# ---------------------------------------------------------------- households


def test_each_joins_the_one_before_him_with_the_chance_of_the_scenario() -> None:
    head = SHEET.household
    slot = np.arange(N) % 6
    joined = head != np.arange(N)
    assert not joined[slot == 0].any()
    assert stats.binomtest(int(joined.sum()), N * 5 // 6, 0.4).pvalue > 1e-4
    before = np.roll(head, 1)
    assert (head[joined] == before[joined]).all()
    assert set(np.bincount(head)[np.unique(head)].tolist()) == {1, 2, 3, 4, 5, 6}


def test_kin_share_home_and_ancestry_with_the_head() -> None:
    head = SHEET.household
    assert (PEOPLE.home == PEOPLE.home[head]).all()
    assert (SHEET.ancestry == SHEET.ancestry[head]).all()
    joined = head != np.arange(N)
    for column in (PEOPLE.trade, SHEET.sex, SHEET.level):
        assert (column[joined] != column[head][joined]).any()


def test_nobody_else_changes_when_there_are_households() -> None:
    alone_people, alone = drawn(**{"population.kin_prob": 0.0})
    assert (alone.household == np.arange(N)).all()
    for name in COLUMNS:
        if name not in ("home", "thievery", "perception"):
            assert (PEOPLE[name] == alone_people[name]).all(), name
    is_head = SHEET.household == np.arange(N)
    same_people = SHEET.ancestry == alone.ancestry
    assert (PEOPLE.home == alone_people.home)[is_head].all()
    assert same_people[is_head].all()
    for name in SHEET_COLUMNS:
        if name not in ("household", "ancestry"):
            found = SHEET[name] == alone[name]
            assert found[same_people].all(), name


def test_a_household_does_not_hang_on_who_is_drawn_with_it() -> None:
    some = np.array([5, 6, 7, 8, 4000, 11, 12])
    people, sheet = drawn(some)
    assert (sheet.household == SHEET.household[some - 1]).all()
    assert (people.home == PEOPLE.home[some - 1]).all()
    assert (sheet.ancestry == SHEET.ancestry[some - 1]).all()


PINNED = [
    {"name": "Ada Bell", "household": "Bell", "ancestry": "dwarf", "home": "B"},
    {"name": "Odo Crane"},
    {"name": "Bet Bell", "household": "Bell"},
    {"name": "Cob Bell", "household": "Bell", "ancestry": "elf"},
]


def test_pinned_people_are_kin_of_whom_the_scenario_says() -> None:
    people, sheet = drawn(people=PINNED, **{"population.kin_prob": 1.0})
    assert sheet.household[:4].tolist() == [0, 1, 0, 0]
    # The first who is not pinned begins a household; all others follow him here.
    assert sheet.household[4:8].tolist() == [4, 4, 6, 6]
    names = list(load_tables().ancestries)
    assert [names[sheet.ancestry[row]] for row in (0, 2, 3)] == ["dwarf", "dwarf", "elf"]
    assert people.home[[0, 2, 3]].tolist() == [1, 1, 1]
    scenario = Scenario().with_settings({**TWO_HOUSES, "people": PINNED})
    assert heads_of(np.array([3]), KEY, scenario).tolist() == [1]


# ---------------------------------------------------------------- tempers


def test_temper_is_what_stands_out_most() -> None:
    _, sheet = drawn(np.arange(1, 7))
    for name in TRAITS:
        sheet[name] = 0.0
    sheet.agreeableness[0], sheet.extraversion[1], sheet.emotionality[2] = -1, 1, 1
    sheet.honesty[3], sheet.conscientiousness[4], sheet.openness[5] = -1, 1, -1
    found = [TEMPERS[i] for i in tempers(sheet)]
    assert found == ["sour", "merry", "fearful", "boastful", "careful", "pious"]


def test_every_temper_is_common() -> None:
    assert min(np.bincount(SHEET.temper, minlength=len(TEMPERS))) > N / 10
    sour = SHEET.agreeableness[SHEET.temper == TEMPERS.index("sour")]
    assert sour.mean() < -1


def test_a_pinned_temper_stands() -> None:
    for temper in TEMPERS:
        _, sheet = drawn([1], people=[{"name": "Ada Bell", "temper": temper}])
        assert TEMPERS[sheet.temper[0]] == temper


# ---------------------------------------------------------------- kinds


def test_weighted_dice_are_in_the_pockets_of_some_cheats() -> None:
    cheats = PEOPLE.is_cheat == 1
    assert not PEOPLE.weighted[~cheats].any()
    assert stats.binomtest(int(PEOPLE.weighted.sum()), int(cheats.sum()), 0.3).pvalue > 1e-4
    assert not drawn(**{"dice.owners": 0.0})[0].weighted.any()
    for has_some in (True, False):
        person = {"name": "Ada Bell", "weighted_dice": has_some}
        assert drawn([1], people=[person])[0].weighted[0] == has_some


def test_newcomers_may_have_another_share_of_cheats() -> None:
    settings = {"patrons": N // 2, "population.newcomers_share_of_cheats": 0.4}
    people, _ = drawn(**settings)
    half = N // 2
    assert (people.is_cheat[:half] == PEOPLE.is_cheat[:half]).all()
    assert people.is_cheat[half:].mean() == pytest.approx(0.4, abs=4 * math.sqrt(0.24 / half))


def test_there_may_be_no_cheats_at_all() -> None:
    assert not drawn(**{"population.share_of_cheats": 0.0})[0].is_cheat.any()
    assert cheat_intercept(0.0, 0.53) == -math.inf


def test_who_is_lacking_comes() -> None:
    people, _ = drawn()
    cheats = np.flatnonzero(people.is_cheat == 1)
    living = np.setdiff1d(np.arange(N), [*cheats[:3], 1, 2, 3, 4])
    gone = N - len(living)
    kinds = kinds_to_come(people, living, N, int(people.is_cheat.sum()))
    assert len(kinds) == gone
    assert people.is_cheat[living].sum() + kinds.sum() == len(cheats)
    assert kinds_to_come(people, np.arange(N), N, len(cheats)).tolist() == []
    # More are gone than there are places for: all that come are cheats, or none.
    assert kinds_to_come(people, living, N, N).tolist() == [1] * gone
    assert kinds_to_come(people, living, N, 0).tolist() == [0] * gone


def test_who_is_made_of_the_other_kind_has_its_honesty_and_keeps_the_rest() -> None:
    """Honesty given the kind: means by the law of the whole, 4 standard errors."""
    scenario = Scenario().with_settings({"patrons": N, **TWO_HOUSES})
    people, sheet = drawn()
    before_people, before = people.copy(), sheet.copy()
    rows = np.arange(4000)
    kinds = 1 - people.is_cheat[rows]
    recast(people, sheet, rows, kinds, KEY, scenario)
    assert (people.is_cheat[rows] == kinds).all()
    x = np.linspace(-8, 8, 16_001)
    of_kind = stats.norm.pdf(x) * expit(cheat_intercept(0.1, 0.53) + math.log(0.53) * x)
    mean = np.sum(x * of_kind) / np.sum(of_kind)
    made = rows[kinds == 1]
    assert sheet.honesty[made].mean() == pytest.approx(mean, abs=4 / math.sqrt(len(made)))
    change = people.thievery[rows] - before_people.thievery[rows]
    assert set(zip(kinds.tolist(), change.tolist(), strict=True)) == {(1, 5), (0, -5)}
    assert (sheet.temper == tempers(sheet)).all()
    assert not people.weighted[people.is_cheat == 0].any()
    assert 0.2 < people.weighted[made].mean() < 0.4
    changed = {"is_cheat", "thievery", "weighted", "q_cheat", "q_honest"}
    assert (
        Counter(name for name in COLUMNS if (people[name] != before_people[name]).any()).keys()
        <= changed
    )
    same = [name for name in SHEET_COLUMNS if name not in ("honesty", "temper")]
    assert all((sheet[name] == before[name]).all() for name in same)


def test_who_is_of_the_right_kind_already_stays_as_he_is() -> None:
    scenario = Scenario().with_settings({"patrons": N, **TWO_HOUSES})
    people, sheet = drawn()
    recast(people, sheet, np.arange(500), PEOPLE.is_cheat[:500], KEY, scenario)
    assert (people == PEOPLE).all()
    assert (sheet == SHEET).all()
