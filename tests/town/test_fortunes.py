"""Houses that fail close, houses that thrive grow, and nobody else's dice are moved by it."""

from __future__ import annotations

import pickle
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm import Scenario, TavernModel
from tavern_abm.data_tables import load_tables
from tavern_abm.patrons.decisions.general import table_stake
from tavern_abm.results import rounds_table
from tavern_abm.tables.accounts import FLOWS, GOODS, INVESTED, WOUND_UP
from tavern_abm.tables.record import COUNTS
from tavern_abm.tables.seating import NO_LIMIT, table_number
from tavern_abm.tables.seats import blank_tables, sit_down
from tavern_abm.town import setup
from tavern_abm.town.fortunes import Books, Fortunes, Turn, next_stake, turn_events
from tests.strategies import DICE_ALONE, SUSPICION_ALONE

DATA = load_tables()
RISING = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]


def counted(count: int | str = 1, stake: int | str = "auto", **more: Any) -> dict[str, Any]:
    return {"count": count, "stake": stake} | more


class Town:
    """A town's houses, without people, at the end of a night."""

    def __init__(self, taverns: list[dict[str, Any]], **rules: Any) -> None:
        named = [
            {"name": f"House {i}", "staff_cp": 100, "till_cp": 10_000} | each
            for i, each in enumerate(taverns)
        ]
        settings = {f"fortunes.{name}": value for name, value in rules.items()}
        self.scenario = Scenario().with_settings({"taverns": named} | settings)
        self.plan = setup.plan_rooms(self.scenario)
        self.rooms = setup.make_rooms(self.plan)
        self.menu = setup.make_menu(self.plan, len(named))
        self.houses = setup.make_houses(self.scenario, DATA)
        self.bills = setup.make_bills(self.scenario, DATA)
        self.tills = np.array([tavern.till_cp for tavern in self.scenario.taverns])
        self.fortunes = Fortunes(self.scenario.fortunes, self.tills, self.menu)
        self.night = 0

    def close(self, unpaid: list[int] | None = None, goods: int = 0) -> list[Turn]:
        """The end of a night with these bills unpaid."""
        n = len(self.tills)
        self.flows = np.zeros((1 + n, len(FLOWS), 2), np.int64)
        self.flows[1:, GOODS, 0] = goods
        self.night += 1
        bills = np.array(unpaid or [0] * n)
        books = Books(self.houses, self.bills, self.tills, bills, self.flows)
        return self.fortunes.turn(self.night, books, self.rooms, self.menu)

    def crowd(self, room: int, nights: int) -> None:
        """Let it have been crowded on so many nights."""
        for rooms in self.rooms.values():
            rooms.crowded[rooms.number == room] = nights

    def stakes(self) -> list[int]:
        """Of the rooms, in the order of the menu, as both menu and rooms have them."""
        at = {
            int(number): int(stake)
            for rooms in self.rooms.values()
            for number, stake in zip(rooms.number, rooms.stake, strict=True)
        }
        assert [at[number] for number in self.menu.room.tolist()] == self.menu.stake.tolist()
        return self.menu.stake.tolist()


def growing(tavern: dict[str, Any], **rules: Any) -> Town:
    """A town of one house that looks at its books every night and thrives on anything.

    It has made all that its till holds.
    """
    usual = {"growth": True, "every": 1, "thrives_at": 1.0, "table_cp": 500}
    town = Town([{"till_cp": 2000} | tavern], **usual | rules)
    town.fortunes.first_tills[:] = 0
    return town


# ---------------------------------------------------------------- failing


def test_a_house_closes_after_so_many_nights_of_unpaid_bills() -> None:
    town = Town([{}, {}], close_after=3)
    assert [town.close([1, 0]), town.close([5, 0])] == [[], []]
    assert town.close([9, 0]) == [Turn("closed", 0, 10_000, 3)]
    assert town.houses.is_open.tolist() == [0, 1]
    assert town.close() == []


def test_one_good_night_and_it_counts_from_the_beginning() -> None:
    town = Town([{}], close_after=3)
    nights = [[1], [1], [0], [1], [1], [1]]
    assert [len(town.close(unpaid)) for unpaid in nights] == [0, 0, 0, 0, 0, 1]


def test_what_its_till_held_goes_out_by_the_books() -> None:
    town = Town([{"till_cp": 70}, {"till_cp": 30}], close_after=1)
    (turn,) = town.close([0, 4])
    assert (turn.tavern, turn.amount_cp) == (1, 30)
    assert town.tills.tolist() == [70, 0]
    assert town.flows[:, WOUND_UP].sum() == town.flows[2, WOUND_UP, 0] == 30


def test_closing_can_be_switched_off() -> None:
    town = Town([{}], closing=False, close_after=1)
    assert [town.close([5]) for _ in range(9)] == [[]] * 9
    assert town.houses.is_open.tolist() == [1]


def test_all_may_close() -> None:
    town = Town([{}, {}], close_after=1)
    assert {turn.tavern for turn in town.close([1, 1])} == {0, 1}


# ---------------------------------------------------------------- thriving


def test_stakes_climb_the_ladder() -> None:
    assert all(next_stake(low, 10**6) == high for low, high in pairwise(RISING))
    assert [next_stake(3, 15), next_stake(4, 20), next_stake(30, 150)] == [5, 5, 50]


@given(st.integers(1, 10**9), st.integers(1, 10**10))
def test_no_stake_rises_above_its_limit_or_falls(stake: int, most: int) -> None:
    higher = next_stake(stake, most)
    assert stake <= higher <= max(stake, most)
    assert higher <= 5 * stake
    if higher > stake:
        assert higher == int(str(higher)[0]) * 10 ** (len(str(higher)) - 1)
        assert str(higher)[0] in "125"


def test_growth_is_off_unless_asked_for() -> None:
    town = Town([{"tables": [counted()]}], every=1, thrives_at=0.01)
    town.crowd(0, 1)
    assert town.close() == []


def test_a_crowded_room_gets_a_table() -> None:
    """The one most often crowded, for `table_cp`; every other table keeps its number."""
    town = growing({"tables": [counted(2), counted(3, seats=4), counted("auto", seats=5)]})
    town.crowd(0, 1)
    town.crowd(1, 2)
    (turn,) = town.close()
    assert (turn.kind, turn.amount_cp, turn.nights) == ("table_added", 500, 2)
    assert turn.table == 5_000_000  # apart from those of the plan
    assert town.tills.tolist() == [1500]
    assert town.flows[1, INVESTED, 0] == town.flows.sum() == 500
    sizes = {seats: rooms.n_tables.tolist() for (_, seats), rooms in town.rooms.items()}
    assert sizes == {6: [2], 4: [4], 5: [NO_LIMIT]}
    assert not any(rooms.crowded.any() for rooms in town.rooms.values())
    town.crowd(1, 1)
    assert town.close()[0].table == 5_000_001


def test_a_table_is_for_rooms_that_are_crowded_every_other_night() -> None:
    town = growing({"tables": [counted()]}, every=4)
    for crowded, kind in ((2, "table_added"), (1, "stakes_raised")):
        town.crowd(0, crowded)
        turns = [town.close() for _ in range(4)]
        assert turns[:3] == [[], [], []]
        assert [turn.kind for turn in turns[3]] == [kind]


@pytest.mark.parametrize(
    ("tavern", "rules"),
    [
        ({"tables": [counted("auto")]}, {}),  # it has as many as are needed
        ({"tables": [counted(0), counted()]}, {}),  # it wants none of these
        ({"tables": [counted()]}, {"table_cp": 2001}),  # it could not pay
    ],
)
def test_else_it_raises_its_stakes(tavern: dict[str, Any], rules: dict[str, Any]) -> None:
    town = growing(tavern, **rules)
    town.crowd(0, 1)
    assert [turn.kind for turn in town.close()] == ["stakes_raised"]
    assert town.tills.tolist() == [2000]
    assert town.houses.lift.tolist() == [150]


def test_stakes_rise_to_five_times_what_they_were() -> None:
    tables = [counted(stake=1), counted(stake=30), counted(stake=100), counted()]
    town = growing({"tables": tables})
    assert town.stakes() == [1, 30, 100, 0]
    turns = [town.close() for _ in range(10)]
    assert town.stakes() == [5, 100, 500, 0]
    assert town.houses.lift.tolist() == [500]
    first, second = turns[0][0], turns[1][0]
    assert first.stakes == tuple(("rotting-toes", stake) for stake in (2, 50, 200))
    assert (first.amount_cp, first.lift, second.lift) == (200, 150, 200)
    assert [len(each) for each in turns] == [1] * 8 + [0, 0]


@pytest.mark.parametrize(("lift", "stake"), [(100, 20), (150, 20), (250, 50), (500, 100)])
def test_tables_agree_on_higher_stakes(lift: int, stake: int) -> None:
    """On 2 % of a median purse of 10 gp as a rule, on 3, 5 and 10 % where stakes were raised."""
    model = TavernModel(DICE_ALONE, rng=1, patrons=6)
    model.people.gold[:] = [10, 20, 1000, 1000, 1000, 10**6]
    model.houses.lift[:] = lift
    tables = blank_tables(1, 6)
    tables.seats[0] = range(6)
    counts = np.zeros((1, len(COUNTS)), np.int64)
    sit_down(model.world(), tables, 0, 2, table_stake, counts, np.empty(6, np.int64))
    assert tables.stake.tolist() == [stake]


@pytest.mark.parametrize(
    ("till", "goods", "grows"),
    [(1999, 0, False), (2000, 0, True), (2000, 1, False), (2020, 1, True)],
)
def test_it_thrives_on_so_many_nights_of_its_costs(till: int, goods: int, grows: bool) -> None:
    """Of staff, upkeep and, on average, goods: 80 + 20 + 0 or 1, twenty times."""
    tavern = {"till_cp": till, "staff_cp": 80, "upkeep_cp": 20, "tables": [counted()]}
    town = growing(tavern, thrives_at=20.0, every=2)
    town.close(goods=0)
    assert bool(town.close(goods=2 * goods)) == grows


def test_a_house_that_loses_money_does_not_thrive() -> None:
    town = growing({"tables": [counted()]})
    town.tills -= 1
    assert town.close() == []
    assert len(town.close()) == 1  # since then it has lost none


@pytest.mark.parametrize(("made", "grows"), [(-1, False), (0, False), (1, True)])
def test_a_house_thrives_only_on_what_it_has_made(made: int, grows: bool) -> None:
    """However much its till held on the first morning."""
    town = growing({"tables": [counted()]})
    town.fortunes.first_tills[:] = 2000
    town.tills += made - 1
    assert town.close() == []  # less than at first
    town.tills += 1
    assert bool(town.close()) == grows


def test_a_closed_house_does_not_grow() -> None:
    town = growing({"tables": [counted()]}, close_after=1)
    assert [turn.kind for turn in town.close([1])] == ["closed"]
    assert town.close() == []


# ---------------------------------------------------------------- numbers of tables

plans = st.lists(
    st.tuples(st.sampled_from(["rotting-toes", "magic-wand"]), st.just("auto") | st.integers(0, 9)),
    min_size=1,
    max_size=5,
)


@given(plans, st.integers(1, 30), st.booleans())
def test_no_two_tables_have_one_number(
    kinds: list[tuple[str, int | str]], n_added: int, has_yard: bool
) -> None:
    """Of a tavern, however many are added; and each is known by its number."""
    tables = [{"game": game, "count": count} for game, count in kinds]
    yard = [{"game": "race", "rounds": [1]}, {"game": "long-throw", "rounds": [7]}]
    tavern = {"tables": tables, "yard": yard if has_yard else []}
    scenario = Scenario().with_settings({"taverns": [tavern]})
    places = [*setup.plan_rooms(scenario), *setup.plan_events(scenario)]
    rooms_of = setup.make_rooms(setup.plan_rooms(scenario))
    numbers: list[tuple[int, int]] = []
    for rooms in rooms_of.values():
        for at, n_planned in enumerate(rooms.n_planned.tolist()):
            if n_planned != NO_LIMIT:
                rooms.n_tables[at] += n_added
            n = 40 if n_planned == NO_LIMIT else n_planned + n_added
            numbers += [(table_number(rooms, at, t), int(rooms.number[at])) for t in range(n)]
    events = setup.plan_events(scenario)
    assert len({number for number, _ in numbers} | {event.first_table for event in events}) == len(
        numbers
    ) + len(events)
    for number, room in numbers:
        place = setup.place_of(places, int(number) + 1)
        assert (place.number, place.what.game in ("rotting-toes", "magic-wand")) == (room, True)
    for event in events:
        assert setup.place_of(places, event.first_table + 1) == event


# ---------------------------------------------------------------- told


@pytest.mark.parametrize(
    ("turn", "text"),
    [
        (
            Turn("closed", 0, 0, 7),
            "The Ox could not pay its bills for 7 nights running and closed its doors for good.",
        ),
        (
            Turn("closed", 0, 12, 1),
            "The Ox could not pay its bills tonight and closed its doors for good; the last "
            "1 sp 2 cp in its till went to whom it owed.",
        ),
        (
            Turn("table_added", 0, 500, 5, 4, "rotting-toes"),
            "The Ox had no seat left at rotting toes on 5 nights and put up one more table for "
            "5 gp.",
        ),
        (
            Turn("stakes_raised", 0, 20, stakes=(("rotting-toes", 20), ("magic-wand", 5))),
            "The Ox does well and raised its stakes: rotting toes for 2 sp, magic wand for 5 cp.",
        ),
        (
            Turn("stakes_raised", 0, 0, lift=150),
            "The Ox does well and raised its stakes: up to 3 % of the middle purse where the "
            "table agrees on its stake.",
        ),
    ],
)
def test_sentences(turn: Turn, text: str) -> None:
    (event,) = turn_events(3, [turn], ["The Ox"])
    assert event.text == text
    assert (event.night, event.tavern_id, event.amount_cp) == (3, 1, turn.amount_cp)
    assert event.table_id == turn.table + 1


# ---------------------------------------------------------------- whole runs

TWO = {
    "patrons": 60,
    "taverns": [
        {"name": "The Ox", "tables": [counted(1, 5), counted()], "staff_cp": 50},
        {"name": "The Ant", "staff_cp": 5000, "till_cp": 100},
    ],
} | SUSPICION_ALONE
GROWTH = {
    "fortunes.growth": True,
    "fortunes.every": 3,
    "fortunes.thrives_at": 1.0,
    "fortunes.table_cp": 1000,
    "taverns.0.till_cp": 400,  # so it has to make most of that first
}


def played(nights: int, keep_all: bool = False, **changes: Any) -> TavernModel:
    model = TavernModel(Scenario().with_settings(TWO | changes), rng=1)
    model.record.keep_all = keep_all
    model.run_for(nights)
    return model


@pytest.fixture(scope="module")
def failing() -> TavernModel:
    return played(20)


@pytest.fixture(scope="module")
def thriving() -> TavernModel:
    return played(20, True, **GROWTH)


def test_a_house_that_has_closed(failing: TavernModel) -> None:
    (event,) = failing.events.query("kind == 'closed'").itertuples()
    assert (event.night, event.tavern_id, event.round) == (7, 2, 25)
    last = failing.events.query("night == 7")
    assert event.event_id == last["event_id"].max()  # after the bills it could not pay
    ant = failing.nights.query("tavern_id == 2").set_index("night")
    assert ant["is_open"].tolist() == [True] * 7 + [False] * 13
    assert (ant["unpaid_cp"] > 0).tolist() == [True] * 7 + [False] * 13
    assert not ant.loc[8:, ["guests", "games", "drinks_cp", "till_cp"]].to_numpy().any()
    ledger = failing.results()["ledger"].query("tavern_id == 2")
    assert ledger["night"].max() == 7
    idle = failing.events.query("kind == 'not_opened' and tavern_id == 2")
    assert not (idle["night"] > 7).any()


def test_its_people_go_elsewhere(failing: TavernModel) -> None:
    before = played(7)
    assert set(before.people.home.tolist()) == {0}  # as soon as it has closed
    assert set(played(6).people.home.tolist()) == {0, 1}
    assert set(failing.people.home.tolist()) == {0}
    guests = failing.nights.query("tavern_id == 1").set_index("night")["guests"]
    assert guests.loc[8:].mean() > 1.3 * guests.loc[:7].mean()


def test_where_the_last_house_closes_people_stay_at_home() -> None:
    ruined = {"taverns.0.staff_cp": 5000, "taverns.0.till_cp": 0}
    model = played(12, **ruined | {"fortunes.close_after": 2})
    nights = model.nights.set_index("night")
    assert not nights["is_open"].loc[3:].any()
    assert not nights["guests"].loc[3:].any()
    assert nights["guests"].loc[:2].sum() > 0
    assert model.events.query("kind == 'closed'")["night"].tolist() == [2, 2]
    living = model.living()
    assert (model.people.gold[living] > 0).any()  # wages come in, nothing is drunk


def test_a_house_that_never_closes_owes_on() -> None:
    model = played(20, **{"fortunes.closing": False})
    assert model.nights["is_open"].all()
    assert (model.nights.query("tavern_id == 2")["unpaid_cp"] > 0).all()
    assert "closed" not in set(model.events["kind"])


def test_houses_grow(thriving: TavernModel) -> None:
    events = thriving.events
    added = events.query("kind == 'table_added'")
    assert len(added) > 0
    raised = events.query("kind == 'stakes_raised'")
    assert len(raised) > 0
    assert set(added["night"] % 3) == set(raised["night"] % 3) == {0}
    ledger = thriving.results()["ledger"].query("reason == 'investment'")
    assert ledger["amount_cp"].tolist() == [1000] * len(added)
    lift = thriving.nights.query("tavern_id == 1").set_index("night")["stakes_pct"]
    assert lift.is_monotonic_increasing
    nights = raised["night"][raised["text"].str.contains("%")].tolist()
    assert [night for night in range(1, 20) if lift[night + 1] > lift[night]] == [
        night for night in nights if night < 20
    ]


def test_at_a_table_that_was_added_people_play(thriving: TavernModel) -> None:
    rounds = rounds_table(thriving)
    for event in thriving.events.query("kind == 'table_added' and night < 19").itertuples():
        own = rounds[(rounds["tavern_id"] == 1) & (rounds["table_id"] == event.table_id)]
        assert own["night"].min() > event.night
    there = rounds.query("table_id > 1_000_001")
    assert len(there) > 0
    assert (there["stake"] > 0).all()


def test_growth_moves_nobodys_dice(thriving: TavernModel) -> None:
    plain = played(20, True)
    at = ["night", "round", "tavern_id", "table_id"]
    throws = [
        rounds_table(model).set_index(at)["dice"].astype(str).str[:4] for model in (plain, thriving)
    ]
    both = pd.concat(throws, axis=1, join="inner", keys=["plain", "thriving"])
    assert len(both) > 500
    assert (both["plain"] == both["thriving"]).all()


def test_who_never_fails_is_not_touched_by_the_rule() -> None:
    safe = {"taverns.1.staff_cp": 10}
    closing, never = played(8, **safe), played(8, **safe | {"fortunes.closing": False})
    assert closing.digest() == never.digest()


def test_a_pickled_run_goes_on_to_the_same_end(thriving: TavernModel) -> None:
    model = played(5, True, **GROWTH)  # two nights short of a closing, in the midst of a look
    copy = pickle.loads(pickle.dumps(model))
    copy.run_for(15)
    assert copy.digest() == thriving.digest()


def test_turns_are_written_in_the_columns_of_events(thriving: TavernModel) -> None:
    kinds = ("closed", "table_added", "stakes_raised")
    turns = thriving.events[thriving.events["kind"].isin(kinds)]
    assert set(turns["kind"]) == {*kinds}
    assert (turns["patron_id"] == 0).all()
    assert (turns["round"] == 25).all()
    assert turns["text"].str.fullmatch(r"The (Ox|Ant) .*[.]").all()
