"""Presets of gamblers: what is shipped, how they are handed out, what they do to people."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tavern_abm import Scenario
from tavern_abm.data_tables import load_tables
from tavern_abm.patrons.columns import People, Sheet, blank_people
from tavern_abm.patrons.decisions.magic_wand import Spot, wand_bet
from tavern_abm.patrons.decisions.rotting_toes import mood_of, pressure, swayed
from tavern_abm.patrons.gamblers import PLAIN
from tavern_abm.patrons.traits import generate

DATA = load_tables()
NAMES = list(DATA.gamblers)
FIELDS = ("rationality", "thrill", "chasing", "superstition", "thirst", "cheating", "boldness")
RUN_KEY = 77


def people_of(n: int = 4000, **settings: object) -> tuple[People, Sheet]:
    scenario = Scenario(patrons=n).with_settings(settings)
    return generate(np.arange(1, n + 1), RUN_KEY, scenario, DATA, [1.0])


def test_the_gamblers_of_the_literature_are_shipped() -> None:
    assert NAMES == [
        "plain",
        "careful",
        "bold",
        "loss-chaser",
        "streak-superstitious",
        "sharper",
        "drunk",
    ]
    assert all(each.about for each in DATA.gamblers.values())
    plain = DATA.gamblers[PLAIN]
    assert [getattr(plain, name) for name in FIELDS] == [1.0, 0, 0, 0, 1.0, 0, 0]


def test_they_differ_as_their_names_say() -> None:
    of = DATA.gamblers
    assert of["careful"].thrill < 0 < of["bold"].thrill
    assert [name for name in NAMES if of[name].chasing] == ["loss-chaser"]
    assert [name for name in NAMES if of[name].superstition] == ["streak-superstitious"]
    assert [name for name in NAMES if of[name].cheating] == ["sharper"]
    assert max(NAMES, key=lambda name: of[name].thirst) == "drunk"
    assert max(NAMES, key=lambda name: of[name].rationality) == "sharper"
    assert len({each.model_dump_json(exclude={"name", "about"}) for each in of.values()}) == 7


def test_without_weights_everybody_is_plain() -> None:
    people, sheet = people_of(**{"minds.thrill": 0.4, "minds.rationality": 3.0})
    assert (sheet.gambler == NAMES.index(PLAIN)).all()
    assert (people.thrill == 0.4).all()
    assert (people.rationality == 3.0).all()
    assert (people.thirst == 1.0).all()
    for name in ("chasing", "superstition", "cheating", "boldness"):
        assert not getattr(people, name).any()


def test_they_are_dealt_out_by_weight() -> None:
    weights = {"plain": 5.0, "drunk": 2.0, "sharper": 1.0}
    _, sheet = people_of(**{"population.gamblers": weights})
    n, total = len(sheet.gambler), sum(weights.values())
    found = np.bincount(sheet.gambler, minlength=len(NAMES)) / n
    for i, name in enumerate(NAMES):
        share = weights.get(name, 0.0) / total
        assert found[i] == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / n))


def test_a_preset_is_numbers_in_ones_columns() -> None:
    people, sheet = people_of(**{"population.gamblers": dict.fromkeys(NAMES, 1.0)})
    for i, name in enumerate(NAMES):
        preset, here = DATA.gamblers[name], sheet.gambler == i
        assert here.any()
        assert people.rationality[here] == pytest.approx(4.0 * preset.rationality)
        assert people.thrill[here] == pytest.approx(0.25 + preset.thrill)
        for field in ("chasing", "superstition", "thirst", "cheating", "boldness"):
            assert (getattr(people, field)[here] == getattr(preset, field)).all()


def test_handing_them_out_changes_nothing_else_of_anybody() -> None:
    plain, plain_sheet = people_of(400)
    mixed, mixed_sheet = people_of(400, **{"population.gamblers": dict.fromkeys(NAMES, 1.0)})
    touched = {*FIELDS, "gambler"}
    for before, after in ((plain, mixed), (plain_sheet, mixed_sheet)):
        for name in set(before.dtype.names) - touched:  # type: ignore[union-attr]
            assert (getattr(before, name) == getattr(after, name)).all(), name


def test_a_person_may_be_pinned_and_his_own_rationality_stands() -> None:
    pinned = [
        {"name": "Ada", "gambler": "drunk"},
        {"name": "Bram", "gambler": "sharper", "rationality": 1.0},
    ]
    scenario = Scenario.model_validate({"patrons": 5, "people": pinned})
    people, sheet = generate(np.arange(1, 6), RUN_KEY, scenario, DATA, [1.0])
    assert [NAMES[i] for i in sheet.gambler] == ["drunk", "sharper", *["plain"] * 3]
    assert people.rationality[:2].tolist() == [2.0, 1.0]
    assert people.thirst[:2].tolist() == [2.5, 0.25]


# ---------------------------------------------------------------- what it does to decisions


@pytest.mark.parametrize(
    ("gold", "net", "mood"),
    [(900, -100, 1.25), (901, -100, 0.25), (0, -1, 1.25), (500, 0, 0.25), (500, 100, 0.25)],
)
def test_who_is_down_a_tenth_of_his_purse_chases(gold: int, net: int, mood: float) -> None:
    one = blank_people(1)[0]
    one.thrill, one.chasing, one.gold = 0.25, 1.0, gold
    one.net_before, one.games_net = 40, 40 + net
    assert mood_of(one) == mood
    one.chasing = 0.0
    assert mood_of(one) == 0.25


def test_wins_in_a_row_sway_the_superstitious_alone() -> None:
    assert swayed(0.4, 0.0, 9) == swayed(0.4, 0.7, 0) == 0.4
    odds = 0.4 / 0.6 * math.exp(0.4 * 3)
    assert swayed(0.4, 0.4, 3) == pytest.approx(odds / (1 + odds))
    assert swayed(0.4, -0.4, 3) < 0.4 < swayed(0.4, 0.4, 3)
    assert 0.4 < swayed(0.4, 5.0, 10**9) <= 1.0
    assert 0.0 <= swayed(0.4, -5.0, 10**9) < 1e-9


def test_a_sharper_is_readier_to_turn_a_die() -> None:
    one = blank_people(1)[0]
    one.gold = 1000
    before = pressure(one, 0, 10, 0.5, 40)
    one.cheating = 1.0
    assert pressure(one, 0, 10, 0.5, 40) == pytest.approx(before + 1.0)


def test_the_bold_raise_at_the_wand() -> None:
    from tests.patrons.test_decisions_rotting_toes import MINDS

    one, spot = blank_people(1)[0], Spot(8, 1, 1, 3, 1)
    one.rationality = 4.0
    moves = []
    for boldness in (-2.0, 2.0):
        one.boldness = boldness
        us = [(i + 0.5) / 200 for i in range(200)]
        moves.append(sum(wand_bet(one, 0.3, spot, 0.0, 0.05, MINDS, u) == 2 for u in us))
    assert moves[0] < 20 < 150 < moves[1]
