"""Days: the exact recurrence of purses, who comes and goes, who goes out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tavern_abm import TavernModel, chance
from tavern_abm.data_tables import load_tables
from tavern_abm.patrons.columns import HERE, LEFT, NOBODY, blank_people
from tavern_abm.patrons.decisions.general import tavern_appeal
from tavern_abm.town import setup
from tavern_abm.town.day import another_tavern, begin_evening, living_cost, pick_tavern
from tests.strategies import DICE_ALONE, purses, wages

NO_EVENINGS = {"rounds_per_night": 0, "minds.go_out_prob": 0.0}
NOBODY_MOVES = {"population.leave_prob": 0.0, "population.arrive_prob": 0.0}


def town(patrons: int = 60, seed: int = 11, **settings: Any) -> TavernModel:
    return TavernModel(DICE_ALONE, rng=seed, patrons=patrons, **settings)


# ---------------------------------------------------------------- living


@pytest.mark.parametrize(
    ("purse", "wage", "cost"),
    [
        (0, 100, 0),
        (30, 100, 30),  # all he has
        (80, 100, 80),
        (1500, 100, 80),  # the savings of 15 days cost nothing
        (2500, 100, 100),
        (2549, 100, 100),
        (2550, 100, 101),
        (10**12, 10, 20_000_000_005),
        (7, 0, 0),
    ],
)
def test_worked_costs(purse: int, wage: int, cost: int) -> None:
    assert living_cost(purse, wage) == cost


@given(purses, wages)
def test_nobody_pays_more_than_he_has(purse: int, wage: int) -> None:
    cost = living_cost(purse, wage)
    assert 0 <= cost <= purse
    assert living_cost(purse + 1, wage) >= cost


@given(purses, st.integers(1, 10**6))
def test_every_purse_comes_to_rest(purse: int, wage: int) -> None:
    """Where a day leaves it as it was, it holds 25 wages to 49 cp more."""
    rests = living_cost(purse, wage) == wage
    assert rests == (25 * wage <= purse <= 25 * wage + 49)


def test_purses_follow_the_recurrence_to_the_coin() -> None:
    model = town(**NO_EVENINGS, **NOBODY_MOVES)
    wage = model.people.wage.tolist()
    purse = model.people.gold.tolist()
    for _ in range(600):
        model.run_for(1)
        for i, coins in enumerate(purse):
            cost = (40 * wage[i] + max(0, coins - 15 * wage[i])) // 50
            purse[i] = coins - min(coins, cost) + wage[i]
        assert model.people.gold.tolist() == purse
    for coins, daily in zip(purse, wage, strict=True):
        assert 25 * daily <= coins <= 25 * daily + 49


def test_both_can_be_switched_off() -> None:
    model = town(**NO_EVENINGS, **NOBODY_MOVES, **{"economy.wages": False, "economy.living": False})
    before = model.people.gold.tolist()
    model.run_for(5)
    assert model.people.gold.tolist() == before
    model = town(**NO_EVENINGS, **NOBODY_MOVES, **{"economy.living": False})
    model.run_for(5)
    assert model.people.gold.tolist() == [
        gold + 5 * wage for gold, wage in zip(before, model.people.wage.tolist(), strict=True)
    ]


def test_the_hurt_pay_and_earn_nothing() -> None:
    model = town(**NO_EVENINGS, **NOBODY_MOVES)
    model.people.bruised_until[0] = 2
    gold, wage = int(model.people.gold[0]), int(model.people.wage[0])
    for night in (1, 2, 3):
        model.run_for(1)
        gold += (wage if night > 2 else 0) - living_cost(gold, wage)
        assert model.people.gold[0] == gold


# ---------------------------------------------------------------- taxes


@pytest.mark.parametrize("tax_bp", [0, 1, 333, 10_000])
def test_a_tax_of_the_wage_goes_to_the_treasury(tax_bp: int) -> None:
    model = town(**NO_EVENINGS, **NOBODY_MOVES, **{"economy.tax_bp": tax_bp})
    wage, purse = model.people.wage.tolist(), model.people.gold.tolist()
    tax = [each * tax_bp // 10_000 for each in wage]
    model.people.bruised_until[0] = 2  # earns nothing, and owes nothing
    for night in (1, 2, 3):
        model.run_for(1)
        for i, coins in enumerate(purse):
            earned = wage[i] - tax[i] if i or night == 3 else 0
            purse[i] = coins - living_cost(coins, wage[i]) + earned
        assert model.people.gold.tolist() == purse
    assert model.ledger.summary()["treasury_cp"] == 3 * sum(tax) - 2 * tax[0]
    rows = model.results()["ledger"].query("reason == 'tax'")
    assert rows.amount_cp.sum() == 3 * sum(tax) - 2 * tax[0]


# ---------------------------------------------------------------- coming and going


def test_vacant_places() -> None:
    """A share .005 / .335 of places stands vacant: a chain of two states at each place.

    Such a chain forgets a share .335 a night, so that n nights are worth
    n .335 / 1.665 independent ones.
    """
    places, burn_in, nights = 3000, 30, 300
    model = town(places, **NO_EVENINGS)
    vacant = []
    for night in range(burn_in + nights):
        model.run_for(1)
        if night >= burn_in:
            vacant.append(1 - len(model.living()) / places)
    share = 0.005 / 0.335
    worth = places * nights * 0.335 / 1.665
    assert np.mean(vacant) == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / worth))


@pytest.mark.slow
def test_vacant_places_in_a_small_town_over_a_lifetime() -> None:
    """The same for 120 places over 30,000 nights, its error from the means of 100 batches."""
    model = town(120, **NO_EVENINGS)
    model.run_for(100)
    nights = model.nights.living
    model.run_for(30_000)
    nights = model.nights.living.to_numpy()[100:]
    batches = 1 - nights.reshape(100, 300).mean(axis=1) / 120
    error = batches.std(ddof=1) / 10
    assert batches.mean() == pytest.approx(0.005 / 0.335, abs=4 * error)
    assert error < 3e-4


def test_a_newcomer_lives_nothing_on_his_first_day() -> None:
    model = town(200, **NO_EVENINGS, **{"population.leave_prob": 0.2})
    seen = 0
    for night in range(1, 8):
        before = model.n_rows
        model.run_for(1)
        people = model.people
        for row in range(before, model.n_rows):
            seen += 1
            assert people.arrived[row] == night
            assert people.gold[row] == people.start_gold[row]
            assert people.whereabouts[row] == HERE  # nor does he leave on it
            assert (model.beliefs.subject != row).all()
    assert seen > 50


def test_a_newcomer_may_go_out_on_his_first_night() -> None:
    model = town(200, **{"population.leave_prob": 0.2})
    model.run_for(5)
    new = model.people.arrived == 5
    assert (model.people.tavern[new] != -1).any()


def test_the_first_vacancy_is_filled_the_day_after_at_the_earliest() -> None:
    model = town(50, **NO_EVENINGS, **{"population.leave_prob": 1.0, "population.arrive_prob": 1.0})
    living = []
    for _ in range(4):
        model.run_for(1)
        living.append(len(model.living()))
    # Three are pinned by name and stay; newcomers do not leave on their first day.
    assert living == [3, 50, 3, 50]


def test_who_leaves_takes_his_purse() -> None:
    model = town(100, **NO_EVENINGS, **{"population.leave_prob": 0.3})
    model.run_for(1)
    gone = model.people.whereabouts == LEFT
    assert gone.sum() > 10
    assert not model.people.gold[gone].any()
    assert (model.people.gone[gone] == 1).all()
    estates = model.results()["ledger"].query("reason == 'estate'").amount_cp.sum()
    left = model.events.query("kind == 'left'")
    assert estates == left.amount_cp.sum() > 0
    assert set(left.patron_id) == set((np.flatnonzero(gone) + 1).tolist())


def test_arrivals_and_departures_are_at_their_rates() -> None:
    model = town(2000, **NO_EVENINGS, **{"population.leave_prob": 0.1})
    model.run_for(30)
    left = (model.people.whereabouts[: model.n_rows] == LEFT).sum()
    living = model.nights.living.to_numpy()
    # Newcomers do not leave on their first day: those at risk are the last night's.
    at_risk = 2000 - 3 + living[:-1].sum() - 3 * 29
    assert left == pytest.approx(0.1 * at_risk, abs=4 * math.sqrt(0.09 * at_risk))
    vacant = (2000 - living[:-1]).sum()
    arrived = model.n_rows - 2000
    assert arrived == pytest.approx(0.33 * vacant, abs=4 * math.sqrt(0.33 * 0.67 * vacant))


# ---------------------------------------------------------------- going out


def test_how_many_go_out() -> None:
    settings = {"rounds_per_night": 0, "population.leave_prob": 0.0}
    model = town(2000, **settings)
    expected = variance = guests = 0.0
    for _ in range(10):
        model.run_for(1)
        people = model.people
        # Doors open after the day: purses are those of the night, before the fee.
        purse = people.gold + 2 * (people.tavern == 0)
        prob = 0.6 * np.minimum(1, purse / (5 * people.wage)) * (purse >= 10)
        expected += prob.sum()
        variance += (prob * (1 - prob)).sum()
        guests += model.nights.guests.iloc[-1]
    assert guests == pytest.approx(expected, abs=4 * math.sqrt(variance))


def test_players_live_apart_from_the_town() -> None:
    model = town(
        10,
        **{
            "people": [{"name": "Vex", "player": True, "gold": 777}],
            "population.leave_prob": 0.5,
        },
    )
    model.run_for(20)
    vex = model.patron("Vex")
    assert vex.gold == 777
    assert vex.hands == 0
    assert 1 not in set(model.suspicion.to_frame().subject_id)
    assert (model.people.tavern[0], model.people.table[0]) == (-1, -1)


# ---------------------------------------------------------------- where to


TWO_HOUSES = {
    "taverns.1.name": "B",
    "taverns.1.district": "market",
    "people": [],
    "rounds_per_night": 0,
}


def picked(
    n: int = 4000,
    gold: int = 10**6,
    closed: tuple[int, ...] = (),
    repute: float = 0.0,
    **settings: Any,
) -> tuple[Any, Any]:
    """Homes of a town's people, and where they would go tonight; they live in the first district.

    ``repute`` is that of the second house.
    """
    scenario = DICE_ALONE.with_settings(TWO_HOUSES | settings)
    houses, days = setup.make_houses(scenario, load_tables()), setup.make_days(scenario)
    houses.is_open[list(closed)] = 0
    houses.repute[1] = repute
    people = blank_people(n)
    people.home[:] = np.arange(n) % len(scenario.taverns)
    people.gold[:] = gold
    people.luck[:] = chance.subkeys(5, chance.PATRON, np.arange(n))
    where = [pick_tavern(people[row], 0, 1, houses, days, tavern_appeal) for row in range(n)]
    return people.home, np.array(where)


def close_to(share: float, expected: float, n: int) -> bool:
    """Within 4 standard errors."""
    return share == pytest.approx(expected, abs=4 * math.sqrt(expected * (1 - expected) / n))


def test_loyalty_is_worth_the_same_in_a_town_of_any_size() -> None:
    """Home against one other house that comes to mind: expit(2) stay; 4 standard errors."""
    stays = 1 / (1 + math.exp(-2))
    others = {
        f"taverns.{i}.{key}": value
        for i in range(2, 9)
        for key, value in {"name": f"House {i}", "district": "market"}.items()
    }
    for more in ({}, others):
        home, where = picked(**more)
        share = (where == home).mean()
        assert share == pytest.approx(stays, abs=4 * math.sqrt(stays * (1 - stays) / 4000))
        if more:
            away = where[where != home] - home[where != home]
            found = np.bincount(away % 9, minlength=9)[1:]
            assert stats.chisquare(found).pvalue > 1e-4


def test_a_dear_house_draws_the_poor_less() -> None:
    _, where = picked(gold=400, **{"minds.loyalty": 0.0, "taverns.1.mug_cp": 24})
    # An evening costs 10 cp in the one house and 50 in the other.
    cheap = 1 / (1 + math.exp(-10 * 40 / 400))
    share = (where == 0).mean()
    assert share == pytest.approx(cheap, abs=4 * math.sqrt(cheap * (1 - cheap) / 4000))
    assert set(picked(50, gold=49, **{"taverns.1.mug_cp": 24})[1]) == {0}


FREE = {"minds.loyalty": 0.0, "taverns.1.mug_cp": 4, "taverns.1.seat_fee_cp": 2}
"""Two houses that cost the same, and nobody loyal to either."""


@pytest.mark.parametrize(
    ("settings", "utility"),
    [
        ({"taverns.1.quality": 5}, 2 * 0.5),
        ({"taverns.1.quality": 1, "minds.quality_taste": 1.5}, -2 * 1.5),
        ({"taverns.1.quality": 5, "minds.quality_taste": 0.0}, 0.0),
        ({"taverns.1.district": "quay"}, -1.0),
        ({"taverns.1.district": "quay", "minds.distance": 0.0}, 0.0),
        ({"repute": -1.5}, -0.75),
        ({"repute": -1.5, "minds.repute": 0.0}, 0.0),
    ],
)
def test_what_quality_distance_and_a_name_are_worth(
    settings: dict[str, Any], utility: float
) -> None:
    _, where = picked(2000, gold=10**9, **(FREE | settings))
    assert close_to((where == 1).mean(), 1 / (1 + math.exp(-utility)), 2000)


def test_a_better_house_draws_those_who_can_pay() -> None:
    fine = FREE | {"taverns.1.quality": 5, "taverns.1.mug_cp": 16, "taverns.1.seat_fee_cp": 12}
    rich, poor = (picked(2000, gold=gold, **fine)[1] for gold in (3000, 100))
    # 34 cp more for two bands: 1 - 340 / purse.
    assert close_to((rich == 1).mean(), 1 / (1 + math.exp(-(1 - 340 / 3000))), 2000)
    assert close_to((poor == 1).mean(), 1 / (1 + math.exp(-(1 - 340 / 100))), 2000)


def test_houses_near_by_and_large_ones_come_to_mind() -> None:
    """The home is that of nobody here; the others by places, and by e^-3 where they are far."""
    rooms = {1: ("market", 30), 2: ("market", 90), 3: ("quay", 60)}
    settings = {
        f"taverns.{i}.{key}": value
        for i, (district, room) in rooms.items()
        for key, value in {"name": f"House {i}", "district": district, "capacity": room}.items()
    }
    scenario = DICE_ALONE.with_settings(TWO_HOUSES | settings)
    houses = setup.make_houses(scenario, load_tables())
    n = 4000
    people = blank_people(n)
    people.luck[:] = chance.subkeys(5, chance.PATRON, np.arange(n))
    for home in range(4):
        people.home[:] = home
        for quarter, far in ((0, (0, 0, 0, 1)), (1, (1, 1, 1, 0))):
            law = np.array([scenario.patrons, 30, 90, 60]) * np.exp(-3.0 * np.array(far))
            law[home] = 0
            found = [another_tavern(people[row], quarter, houses) for row in range(n)]
            counted = np.bincount(found, minlength=4)
            assert counted[home] == 0
            some = law > 0
            expected = law[some] / law[some].sum() * n
            assert stats.chisquare(counted[some], expected).pvalue > 1e-4


@pytest.mark.parametrize("weights", [[3.0, 0.0], [0.0, 3.0], [0.0, 0.0]])
def test_nothing_comes_to_mind_where_there_is_no_other_house(weights: list[float]) -> None:
    houses = setup.make_houses(DICE_ALONE.with_settings(TWO_HOUSES), load_tables())
    houses.comes_to_mind[0] = np.cumsum(weights)
    patron = blank_people(1)[0]
    patron.home = int(np.argmax(weights))
    assert another_tavern(patron, 0, houses) == NOBODY


@given(
    st.lists(st.sampled_from([0.0, 1e-9, 0.1, 1.0, 3.0, 1e9]), min_size=2, max_size=7),
    st.data(),
    st.integers(0, 2**60),
)
def test_what_comes_to_mind_is_another_house_that_is_open(
    weights: list[float], data: st.DataObject, luck: int
) -> None:
    some = setup.make_houses(DICE_ALONE.with_settings(TWO_HOUSES), load_tables())
    houses = some._replace(
        fee=np.zeros(len(weights), np.int64), comes_to_mind=np.cumsum(weights)[None]
    )
    patron = blank_people(1)[0]
    patron.home, patron.luck = data.draw(st.integers(0, len(weights) - 1)), luck
    other = another_tavern(patron, 0, houses)
    assert other != patron.home
    if other != NOBODY:
        assert weights[other] > 0 or max(weights) == 1e9  # so small beside it that it is lost


def test_nobody_goes_to_a_closed_house() -> None:
    home, where = picked(500, closed=(1,))
    assert (where == 0).all()
    assert set(home.tolist()) == {0, 1}
    assert set(picked(50, closed=(0, 1))[1].tolist()) == {NOBODY}
    _, where = picked(500, closed=(1,), **{"minds.roaming": False})
    assert set(where.tolist()) == {0, NOBODY}


def test_without_roaming_everybody_goes_to_his_own() -> None:
    home, where = picked(500, **{"minds.roaming": False})
    assert (where == home).all()
    _, there = picked(500, gold=9, **{"minds.roaming": False})
    assert set(there) == {NOBODY}  # he cannot pay two mugs


def test_who_is_banned_from_his_house_goes_to_another_or_nowhere() -> None:
    scenario = DICE_ALONE.with_settings(TWO_HOUSES)
    houses = setup.make_houses(scenario, load_tables())
    for roaming, instead in ((1, 1), (0, NOBODY)):
        days = setup.make_days(scenario)._replace(roaming=roaming)
        people = blank_people(1)
        people.gold[0], people.banned_from[0], people.banned_until[0] = 1000, 0, 6
        patron = people[0]
        assert pick_tavern(patron, 0, 6, houses, days, tavern_appeal) == instead
        people.banned_from[0] = 1
        assert pick_tavern(patron, 0, 6, houses, days, tavern_appeal) == 0


def test_roaming_moves_nobody_who_would_have_stayed_at_home() -> None:
    """Who goes out is the same with and without it; only where to differs."""
    settings = TWO_HOUSES | {"minds.go_out_prob": 0.5}
    roaming, settled = town(300, **settings), town(300, **settings, **{"minds.roaming": False})
    for model in (roaming, settled):
        model.run_for(1)
    out = [model.people.visited != NOBODY for model in (roaming, settled)]
    assert (out[0] == out[1]).all()
    assert (settled.people.visited == settled.people.home)[out[1]].all()
    elsewhere = (roaming.people.visited != roaming.people.home)[out[0]]
    assert 5 < elsewhere.sum() < out[0].sum() / 2


def test_who_lies_low_stays_at_home_and_earns_nothing() -> None:
    rich = {"people": [], "population.purse_sigma": 0.0, "minds.go_out_prob": 1.0}
    model = town(**NOBODY_MOVES, **rich, rounds_per_night=0)
    model.people.low_until[:] = 2
    gold = model.people.gold.copy()
    for night in (1, 2, 3):
        model.run_for(1)
        is_out = model.people.visited != NOBODY
        assert is_out.all() == is_out.any() == (night == 3)
        if night < 3:
            gold -= [living_cost(*each) for each in zip(gold, model.people.wage, strict=True)]
            assert (model.people.gold == gold).all()


@pytest.mark.parametrize(("lasts", "streak"), [(True, 3), (False, 0)])
def test_a_streak_lasts_where_that_is_the_custom(lasts: bool, streak: int) -> None:
    people = blank_people(1)
    people.streak[0], people.games_net[0], people.is_tricking[0] = 3, 70, 1
    begin_evening(people[0], 1, 9, int(lasts))
    assert people.streak[0] == streak
    assert (people.net_before[0], people.is_tricking[0]) == (70, 0)
    scenario = DICE_ALONE.with_settings({"taverns.0.streaks_last": lasts})
    assert setup.make_houses(scenario, load_tables()).streaks_last.tolist() == [int(lasts)]


def test_where_prevalence_is_held_cheats_stay_as_many() -> None:
    moving = {"population.leave_prob": 0.3, "population.arrive_prob": 1.0}
    held = town(200, **moving, rounds_per_night=0, **{"population.hold_prevalence": True})
    free = town(200, **moving, rounds_per_night=0)
    cheats = int(held.people.is_cheat.sum())
    as_it_comes = set()
    for night in range(1, 9):
        held.run_for(1)
        free.run_for(1)
        people = held.people[: held.n_rows]
        was_here = (people.whereabouts == HERE) | (people.gone == night)
        assert was_here.sum() == 200
        assert people.is_cheat[was_here].sum() == cheats
        as_it_comes.add(int(free.people.is_cheat[free.living()].sum()))
    assert held.n_rows > 500
    assert len(as_it_comes) > 1


def test_where_prevalence_is_held_every_place_is_filled_the_next_morning() -> None:
    never = {"population.leave_prob": 0.3, "population.arrive_prob": 0.0}
    held = town(200, **never, rounds_per_night=0, **{"population.hold_prevalence": True})
    held.run_for(4)
    assert (held.people.arrived[: held.n_rows] == 4).sum() > 30
