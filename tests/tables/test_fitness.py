"""What drink, weariness and wounds do to people."""

from __future__ import annotations

from typing import Any

import pytest

from tavern_abm import TavernModel
from tavern_abm.patrons.columns import NOBODY, blank_people, blank_sheet
from tavern_abm.tables.fitness import form, mend, wound
from tests.strategies import DICE_ALONE

MINDS = TavernModel(DICE_ALONE, patrons=3).minds


def somebody(constitution: int = 10, level: int = 1) -> tuple[Any, Any]:
    people, sheet = blank_people(1), blank_sheet(1)
    people.tavern[0] = 0
    sheet.constitution[0], sheet.level[0] = constitution, level
    return people[0], sheet[0]


@pytest.mark.parametrize(
    ("drinks", "weary", "expected"),
    [(0, 0, 0), (2, 0, 0), (3, 0, -1), (6, 0, -4), (20, 0, -4), (0, 1, -2), (4, 1, -4)],
)
def test_form(drinks: int, weary: int, expected: int) -> None:
    patron, _ = somebody()
    patron.drinks, patron.weary = drinks, weary
    assert form(patron, MINDS) == expected


def test_drink_need_not_matter() -> None:
    patron, _ = somebody()
    patron.drinks = 9
    assert form(patron, MINDS._replace(drink_penalty=0)) == 0


def test_wounds_below_the_constitution_score_keep_nobody_at_home() -> None:
    patron, sheet = somebody(constitution=10)
    assert not wound(patron, sheet, 9, night=5)
    assert (patron.wounds, patron.tavern) == (9, 0)
    assert patron.bruised_until < 5


def test_as_many_wounds_as_the_constitution_score_are_too_many() -> None:
    patron, sheet = somebody(constitution=10)
    assert wound(patron, sheet, 10, night=5)
    assert patron.bruised_until == 6


@pytest.mark.parametrize(("level", "nights"), [(1, 3), (2, 2), (3, 1), (5, 1)])
def test_who_is_badly_hurt_stays_at_home_until_he_is_not(level: int, nights: int) -> None:
    patron, sheet = somebody(constitution=10, level=level)
    assert wound(patron, sheet, 12, night=5)
    assert patron.tavern == NOBODY
    assert patron.bruised_until == 5 + nights
    for night in range(6, 5 + nights + 1):
        assert patron.wounds >= 10 or night == 5 + nights
        mend(patron, sheet)
    assert patron.wounds < 10
    assert patron.wounds == max(0, 12 - nights * level)


def test_a_hand_is_whole_again_with_the_last_wound() -> None:
    patron, sheet = somebody(level=2)
    wound(patron, sheet, 3, night=1)
    patron.hurt_hand = 1
    mend(patron, sheet)
    assert (patron.wounds, patron.hurt_hand) == (1, 1)
    mend(patron, sheet)
    assert (patron.wounds, patron.hurt_hand) == (0, 0)


def test_wounds_mend_by_day_in_a_model() -> None:
    model = TavernModel(DICE_ALONE, rng=1, patrons=20)
    model.people.wounds[:20], model.people.hurt_hand[:20] = 4, 1
    levels = model.sheet.level[:20].copy()
    model.run_for(1)
    assert model.people.wounds[:20].tolist() == [max(0, 4 - level) for level in levels]
    assert (model.people.hurt_hand[:20] == (model.people.wounds[:20] > 0)).all()
    states = set(model.patrons.condition[:20])
    assert "hand injured" in states
