"""The scenarios that ask a question: what they set, and that too-lucky does what the law says."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tavern_abm import TavernModel
from tavern_abm.data_tables import load_tables
from tavern_abm.scenario import Scenario, builtin_scenarios

ASKING = (
    "cheats-paradise",
    "hanging-judge",
    "gossip-town",
    "silent-town",
    "too-lucky",
    "paranoid-inn",
)
P = 397 / 972  # the Hand wins


@pytest.mark.parametrize("name", ASKING)
def test_it_opens_with_its_question(name: str) -> None:
    text = Path(builtin_scenarios()[name]).read_text(encoding="utf-8")
    comment = " ".join(line.lstrip("# ") for line in text.splitlines() if line.startswith("#"))
    assert "?" in comment.partition("Watch:")[0]
    assert "?" in Scenario.load(name).description.splitlines()[0]


def test_silent_town_is_gossip_town_without_a_word() -> None:
    talking, silent = Scenario.load("gossip-town"), Scenario.load("silent-town")
    same = {"name": talking.name, "description": talking.description, "talk.contacts": 6}
    assert silent.talk.contacts == 0
    assert silent.with_settings(same) == talking


def test_the_judge_and_the_paradise_have_the_same_people() -> None:
    harsh, mild = Scenario.load("hanging-judge"), Scenario.load("cheats-paradise")
    assert harsh.population == mild.population
    assert [each.name for each in harsh.people] == [each.name for each in mild.people]
    customs = load_tables().customs
    assert customs[harsh.taverns[0].custom].odds == (0, 0, 0, 0, 1)
    assert customs[mild.taverns[0].custom].odds == (1, 0, 0, 0, 0)


def test_where_luck_is_a_crime_all_who_are_beaten_are_innocent() -> None:
    """Beatings are p of the rounds begun one win short; p^4 of those who have a fourth turn."""
    model = TavernModel("too-lucky", rng=5)
    beaten_at_four = had_four = 0
    for _ in range(400):
        n = model.n_rows
        hands, beaten = model.people.hands[:n].copy(), model.people.beaten[:n].copy()
        model.run_for(1)
        turns = model.people.hands[: model.n_rows].copy()
        bruises = model.people.beaten[: model.n_rows].copy()
        turns[:n] -= hands
        bruises[:n] -= beaten
        had_four += int((turns >= 4).sum())
        beaten_at_four += int(((turns == 4) & (bruises > 0)).sum())
    nights = model.nights.sum(numeric_only=True)
    n_beaten, n_chances = int(nights["too_lucky"]), int(nights["too_lucky_chances"])
    events = model.events
    assert n_beaten > 300
    assert int(nights["tricks_tried"]) == 0
    assert int(nights["beaten_just"] + nights["beaten_unjust"]) == 0
    for_luck = events[events["kind"] == "too_lucky"]
    assert len(for_luck) == n_beaten == int(model.people.beaten.sum())
    assert not for_luck["is_just"].any()
    assert n_beaten / n_chances == pytest.approx(P, abs=4 * math.sqrt(P * (1 - P) / n_chances))
    rate = P**4
    se = math.sqrt(rate * (1 - rate) / had_four)
    assert beaten_at_four / had_four == pytest.approx(rate, abs=4 * se)
    assert np.isclose(rate, 0.02783, atol=5e-6)
