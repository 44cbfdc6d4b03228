"""Asking, lending, paying back: the formulas, and what decides each."""

from __future__ import annotations

import math

import pytest

from tavern_abm.patrons.columns import blank_people, blank_sheet
from tavern_abm.patrons.decisions.general import logistic, logit
from tavern_abm.patrons.decisions.lending import (
    Loans,
    asks_for_loan,
    dodge_slope,
    lends,
    pays_back,
)

LOANS = Loans(
    lending=1,
    due_nights=7,
    trust=0.3,
    share_of_purse=0.1,
    dodge_logit=logit(0.1),
    honesty=dodge_slope(0.53),
    grudge_nights=30,
)


def patron(gold: int, wage: int = 100, owes: int = 0, agreeableness: float = 0.0) -> object:
    people = blank_people(1)
    people.gold[0], people.wage[0], people.owes_cp[0] = gold, wage, owes
    people.soreness[0] = logistic(-agreeableness)
    return people[0]


@pytest.mark.parametrize(
    ("gold", "cheapest", "asked"),
    [
        (0, 1, 100),
        (99, 1, 100),
        (100, 1, 0),  # a day's wage is no beggary
        (50, 150, 100),  # with it he can just cover the stake
        (50, 151, 0),  # he could not sit down even so
    ],
)
def test_who_has_less_than_a_days_wage_asks_for_one(gold: int, cheapest: int, asked: int) -> None:
    assert asks_for_loan(patron(gold), cheapest, 0.5) == asked


@pytest.mark.parametrize(
    ("gold", "belief", "grudge", "owes", "lent"),
    [
        (1000, 0.3, False, 0, True),
        (999, 0.3, False, 0, False),  # more than a tenth of his purse
        (1000, 0.31, False, 0, False),  # he takes him for a cheat
        (1000, 0.3, True, 0, False),
        (1000, 0.3, False, 1, False),  # he owes money himself
    ],
)
def test_kin_lend_what_they_can_spare(
    gold: int, belief: float, grudge: bool, owes: int, lent: bool
) -> None:
    lender = patron(gold, owes=owes)
    assert bool(lends(lender, 100, belief, True, grudge, LOANS, 0.999)) is lent


@pytest.mark.parametrize("agreeableness", [-1.0, 0.0, 2.0])
def test_others_lend_with_a_chance_that_rises_with_agreeableness(agreeableness: float) -> None:
    lender = patron(10_000, agreeableness=agreeableness)
    prob = logistic(agreeableness)
    for u, lent in ((prob - 1e-9, True), (prob + 1e-9, False)):
        assert bool(lends(lender, 100, 0.1, False, False, LOANS, u)) is lent


@pytest.mark.parametrize("honesty", [-2.0, 0.0, 1.0])
def test_the_honest_dodge_less(honesty: float) -> None:
    sheet = blank_sheet(1)
    sheet.honesty[0] = honesty
    odds = 0.1 / 0.9 * 0.53**honesty
    dodges = odds / (1 + odds)
    for u, pays in ((dodges - 1e-6, False), (dodges + 1e-6, True)):
        assert pays_back(patron(10), sheet[0], LOANS, u) is pays


@pytest.mark.parametrize(("dodge_prob", "pays"), [(0.0, True), (1.0, False)])
def test_dodging_can_be_switched_off_or_made_sure(dodge_prob: float, pays: bool) -> None:
    loans = LOANS._replace(dodge_logit=logit(dodge_prob))
    sheet = blank_sheet(1)
    for honesty in (-3.0, 0.0, 3.0):
        sheet.honesty[0] = honesty
        assert all(pays_back(patron(10), sheet[0], loans, u) is pays for u in (0.0, 0.5, 0.999))


def test_the_slope_is_the_log_of_the_odds_ratio() -> None:
    assert math.exp(dodge_slope(0.53)) == pytest.approx(0.53)
