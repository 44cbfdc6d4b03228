"""Several houses: each its own dice, and people carry what they know and owe between them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from tavern_abm import Scenario, TavernModel
from tavern_abm.patrons.columns import COLUMNS, HERE, NOBODY
from tavern_abm.patrons.decisions import Policy
from tavern_abm.results import rounds_table
from tavern_abm.tables.record import COUNTS
from tavern_abm.town.reputation import renew_repute

A = {
    "name": "The Scales",
    "district": "market",
    "mug_cp": 4,
    "seat_fee_cp": 2,
    "tables": [{"game": "rotting-toes", "stake": 10}],
}
B = A | {"name": "The Eel", "district": "quay"}
DISTRICTS = [{"name": "market", "share": 2.0}, {"name": "quay"}]
LIVELY = {
    "patrons": 80,
    "people": [],
    "rounds_per_night": 12,
    "population.share_of_cheats": 0.3,
    "minds.tau": 0.9,
    "minds.loyalty": 0.5,
    "minds.distance": 0.0,
    "talk.contacts": 4,
}


def town(*houses: dict[str, Any], seed: int = 5, **settings: Any) -> TavernModel:
    scenario = Scenario().with_settings(LIVELY | {"taverns": list(houses)} | settings)
    return TavernModel(scenario, rng=seed)


def first_night(*houses: dict[str, Any], **settings: Any) -> tuple[TavernModel, pd.DataFrame]:
    model = town(*houses, **settings)
    model.record.keep_all = True
    model.run_for(1)
    table = rounds_table(model)
    return model, table.set_index(["tavern_id", "table_id", "round"]).sort_index()


# ---------------------------------------------------------------- a house more


@pytest.mark.parametrize("districts", [DISTRICTS, []])
def test_a_house_in_another_district_does_not_move_the_dice_of_the_first(
    districts: list[dict[str, Any]],
) -> None:
    alone, before = first_night(A, districts=districts)
    beside, after = first_night(A, B, districts=districts)
    both = before.join(after, how="inner", suffixes=("_alone", ""))
    assert len(both) > 30
    # A trick that comes off ends a turn early: then one side has fewer throws.
    for one, other in zip(both["dice_alone"], both["dice"], strict=True):
        assert one.startswith(other) or other.startswith(one)
    # Whose home is still the first house is the same in all he is, whoever moved.
    one, other = alone.people, beside.people
    stays = other.home == 0
    assert 10 < stays.sum() < 70
    fixed = ("trade", "is_cheat", "thievery", "threshold", "start_gold", "wage", "luck")
    assert set(fixed) <= set(COLUMNS)
    assert all((one[name] == other[name])[stays].all() for name in fixed)
    names = [alone.name_of(row) == beside.name_of(row) for row in range(80)]
    assert all(names)


def test_who_sits_in_the_first_house_as_before_plays_the_same_round() -> None:
    """With nobody going elsewhere and the same company at a table, all of it is the same."""
    still = {"minds.roaming": False, "minds.go_out_prob": 1.0, "talk.contacts": 0}
    far = {"name": "The Moon", "district": "moon", "capacity": 1}
    pinned = [{"name": f"N{i}", "home": "The Scales", "gold": 900} for i in range(8)]
    settings = still | {"people": pinned, "patrons": 8}
    _, before = first_night(A, **settings)
    _, after = first_night(A, A | far, **settings)
    pd.testing.assert_frame_equal(before, after)
    assert len(before) > 10


# ---------------------------------------------------------------- talk


@pytest.fixture(scope="module")
def told() -> dict[str, pd.DataFrame]:
    model = town(A, B, districts=DISTRICTS)
    model.run_for(12)
    return model.results()


def from_the_other_house(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Tellings in one house of what happened in the other, with where and when that was."""
    stories = tables["rumors"].set_index("rumor_id")
    events = tables["events"].set_index("event_id")
    tellings = tables["tellings"].copy()
    story = stories.story_id.reindex(tellings.told_rumor_id).to_numpy()
    event = stories.event_id.reindex(story).to_numpy()
    tellings["sprang_in"] = events.tavern_id.reindex(event).fillna(0).to_numpy(int)
    tellings["sprang_on"] = events.night.reindex(event).fillna(0).to_numpy(int)
    crossed = (tellings.sprang_in > 0) & (tellings.sprang_in != tellings.tavern_id)
    return tellings[crossed]


def test_what_happened_in_one_house_is_told_in_the_other(told: dict[str, pd.DataFrame]) -> None:
    """By somebody who was in the first that night, or who heard it from somebody."""
    crossed = from_the_other_house(told)
    assert {1, 2} == set(crossed.tavern_id)
    assert len(crossed) > 100
    was_in = told["evenings"].set_index(["night", "patron_id"]).tavern_id
    tellings = told["tellings"].set_index("telling_id")
    at_first_hand = crossed[crossed.told_from == 0]
    assert len(at_first_hand) > 10
    for each in at_first_hand.itertuples():
        assert was_in[each.sprang_on, each.teller_id] == each.sprang_in
        assert was_in[each.night, each.teller_id] == each.tavern_id
    for each in crossed[crossed.told_from > 0].itertuples():
        assert tellings.listener_id[each.told_from] == each.teller_id
        assert tellings.night[each.told_from] <= each.night


def test_where_nobody_goes_to_another_house_no_story_gets_there() -> None:
    model = town(A, B, districts=DISTRICTS, **{"minds.roaming": False})
    model.run_for(8)
    tables = model.results()
    assert len(tables["tellings"]) > 100
    assert not len(from_the_other_house(tables))


def test_what_is_believed_of_somebody_goes_with_who_believes_it(
    told: dict[str, pd.DataFrame],
) -> None:
    """Somebody of one home tavern holds one of the other for a cheat."""
    home = told["patrons"].set_index("patron_id").home_tavern
    edges = told["suspicion"].query("night == night.max() and belief > 0.5")
    across = home[edges.observer_id].to_numpy() != home[edges.subject_id].to_numpy()
    assert across.sum() > 10


def test_a_house_has_the_name_that_its_nights_have_made(told: dict[str, pd.DataFrame]) -> None:
    """Of the recorded counts, night by night; and it is recorded as it closed."""
    nights = told["nights"]
    repute = np.zeros(2)
    for _, night in nights.groupby("night"):
        counts = np.array([[night[name].iloc[i] for name in COUNTS] for i in range(2)])
        renew_repute(repute, counts)
        assert night.repute.tolist() == pytest.approx(repute.tolist())
    assert (repute < -0.2).any()


# ---------------------------------------------------------------- bans and purses


def test_a_ban_holds_in_the_house_that_spoke_it_and_nowhere_else() -> None:
    out = {"minds.go_out_prob": 1.0, "population.leave_prob": 0.0, "population.purse_days": 900.0}
    quiet = {"minds.tau": 0.0, "justice.accusations": False, "minds.home_fit": 0.0}
    model = town(A, B, districts=DISTRICTS, **(out | quiet))
    people = model.people
    mine = people.home == 0
    people.banned_from[mine], people.banned_until[mine] = 0, 2
    for night in (1, 2, 3):
        model.run_for(1)
        went = people.visited[mine & (people.whereabouts == HERE)]
        assert (went != NOBODY).all()
        assert (went == 1).all() == (night < 3)


def test_a_purse_is_the_same_in_every_house() -> None:
    model = town(A, B, districts=DISTRICTS)
    before = model.people.gold.copy()
    model.run_for(1)
    people = model.people
    was_out = people.visited != NOBODY
    assert set(people.visited[was_out].tolist()) == {0, 1}
    day = np.array(
        [
            min(g, (40 * w + max(0, g - 15 * w)) // 50)
            for g, w in zip(before.tolist(), people.wage.tolist(), strict=True)
        ]
    )
    spent = people.drinks_cp + 2 * was_out
    expected = before - day + people.wage - spent + people.games_net
    assert (people.gold == expected).all()


# ---------------------------------------------------------------- one's own decision


def to_the_better(patron, loyalty, price, quality, distance, repute):  # type: ignore[no-untyped-def]
    """Whatever it costs and however far it is."""
    return 1000.0 * quality


def test_a_users_own_taste_for_houses() -> None:
    settings = {"population.purse_days": 90.0, "districts": DISTRICTS}
    scenario = Scenario().with_settings(
        LIVELY | {"taverns": [A | {"quality": 2}, B | {"quality": 4}]} | settings
    )
    model = TavernModel(scenario, rng=1, policy=Policy(tavern_appeal=to_the_better))
    model.run_for(1)
    assert set(model.people.visited.tolist()) == {NOBODY, 1}
