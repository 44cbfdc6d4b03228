"""Who is where tonight, and in what state."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest

from tavern_abm.pack.evening import Evening, NoSuchNightError, evening_of
from tavern_abm.pack.seats import Games, deal_seats, load_seats
from tavern_abm.run_folder import RunFolder, RunFolderError, read_run
from tests.pack import little_town as town


def test_everybody_stands_where_the_night_left_him(evening: Evening) -> None:
    houses = {each: evening.people[each].tavern for each in evening.people}
    assert houses == dict.fromkeys(range(1, 13), 0) | town.LAST
    assert [each.patron_id for each in evening.guests(town.EEL_POT)] == [
        *(town.BESS, town.NAN, town.WILKIN, town.GIL)
    ]


def test_a_person_is_called_by_his_trade_and_ancestry(evening: Evening) -> None:
    assert evening.people[town.MORZA].what == "half-orc butcher"
    assert evening.people[town.GIL].trade_word == "potman"  # a man; his trade is "barmaid"
    assert evening.people[town.NAN].given == "Nan"


def test_states_of_the_last_night(evening: Evening) -> None:
    states = {each.patron_id: each.state for each in evening.people.values() if each.state}
    assert states == {
        town.TAM: {"broke"},  # 6 cp do not pay the fee of 1 and two mugs at 3
        town.OSK: {"broke"},  # 11 cp at the Three Keys, where that is 12; Bess has 7, and 7 it is
        town.HOB: {"banned"},
        town.WILKIN: {"owes"},
        town.JORY: {"dead"},
        town.YLVA: {"gone"},
    }


@pytest.mark.parametrize(
    ("night", "wilkin", "hob", "ylva"),
    [(3, set(), set(), set()), (4, {"owes"}, set(), set()), (5, {"owes"}, {"banned"}, {"gone"})],
)
def test_states_of_earlier_nights_follow_from_events(
    little_town: RunFolder, night: int, wilkin: set[str], hob: set[str], ylva: set[str]
) -> None:
    people = evening_of(little_town, night).people
    states = [people[each].state for each in (town.WILKIN, town.HOB, town.YLVA)]
    assert states == [wilkin, hob, ylva]


def test_a_debt_ends_when_it_is_paid_or_the_lender_is_gone(
    little_town: RunFolder, tmp_path: Path
) -> None:
    copy = _copied(little_town, tmp_path)
    file = copy.path / "events.parquet"
    table = pd.read_parquet(file)
    is_bout = table["event_id"] == 15
    table.loc[is_bout, ["kind", "patron_id", "other_id", "night"]] = [
        *("paid_back", town.WILKIN, town.CORA, 5)
    ]
    table.to_parquet(file, index=False)
    states = [evening_of(copy, night).people[town.WILKIN].state for night in (4, 5)]
    assert states == [{"owes"}, set()]
    table.loc[is_bout, "kind"] = "bout"
    table.loc[table["kind"] == "lent", "other_id"] = town.YLVA
    table.to_parquet(file, index=False)
    states = [evening_of(copy, night).people[town.WILKIN].state for night in (4, 5)]
    assert states == [{"owes"}, set()]  # Ylva leaves on night 5


def test_bans_worked_out_from_events_are_those_of_the_last_night(little_town: RunFolder) -> None:
    from tavern_abm.pack.states import _banned

    scenario = little_town.scenario()
    assert _banned(little_town, 6, scenario) == [town.HOB]
    assert _banned(little_town, 11, scenario) == [town.HOB]
    assert _banned(little_town, 12, scenario) == []  # of night 5, for seven nights


def test_who_got_away_is_banned_as_long_as_he_lies_low(
    little_town: RunFolder, tmp_path: Path
) -> None:
    from tavern_abm.pack.states import _banned

    copy = _copied(little_town, tmp_path)
    file = copy.path / "events.parquet"
    table = pd.read_parquet(file)
    table.loc[table["event_id"] == 5, ["kind", "tavern_id"]] = ["got_away", town.THREE_KEYS]
    table.to_parquet(file, index=False)
    scenario = copy.scenario()  # the custom of the Three Keys bans for seven nights
    found = [town.OSK in _banned(copy, night, scenario) for night in (1, 2, 8, 9)]
    assert found == [False, True, True, False]
    longer = scenario | {"justice": {"lie_low_nights": 9}}
    assert [town.OSK in _banned(copy, night, longer) for night in (10, 11)] == [True, False]


def test_who_has_not_come_yet_is_not_there(little_town: RunFolder) -> None:
    assert town.GIL not in evening_of(little_town, 3).people


def test_who_was_put_out_or_hurt_is_in_no_tavern(little_town: RunFolder, tmp_path: Path) -> None:
    copy = _copied(little_town, tmp_path)
    file = copy.path / "evenings.parquet"
    table = pd.read_parquet(file)
    last = table["night"] == town.NIGHTS
    table.loc[last & (table["patron_id"] == town.HOB), "stayed"] = False
    table.loc[last & (table["patron_id"] == town.OSK), "condition"] = "bruised"
    table.loc[last & (table["patron_id"] == town.CORA), "condition"] = "lying low"
    table.to_parquet(file, index=False)
    people = evening_of(copy).people
    assert [people[each].tavern for each in (town.HOB, town.OSK, town.CORA)] == [0, 0, 0]
    assert "bruised" in people[town.OSK].state
    assert "hiding" in people[town.CORA].state
    assert people[town.HOB].seat == ""


def test_ties_are_those_of_tonight(little_town: RunFolder, evening: Evening) -> None:
    assert evening.knows(town.GIL, town.NAN)
    assert not evening_of(little_town, 5).knows(town.GIL, town.NAN)  # they met on night 6
    assert evening.are_kin(town.TAM, town.BESS)
    assert not evening.are_kin(town.TAM, town.TAM)


@pytest.mark.parametrize(
    ("night", "problem"),
    [(7, "no night 7: nights 1 to 6 were played"), (0, "no night 0: nights 1 to 6 were played")],
)
def test_a_night_that_was_not_played(little_town: RunFolder, night: int, problem: str) -> None:
    with pytest.raises(NoSuchNightError, match=problem):
        evening_of(little_town, night)


def test_a_run_of_no_nights(little_town: RunFolder) -> None:
    run = RunFolder(little_town.path, little_town.info | {"nights": 0})
    with pytest.raises(NoSuchNightError, match="no night of this run was played"):
        evening_of(run)


def test_a_missing_table_is_one_line(little_town: RunFolder, tmp_path: Path) -> None:
    copy = _copied(little_town, tmp_path)
    (copy.path / "evenings.parquet").unlink()
    with pytest.raises(RunFolderError, match="no table 'evenings'"):
        evening_of(copy)


def test_tables_that_do_not_fit_are_one_line(little_town: RunFolder, tmp_path: Path) -> None:
    copy = _copied(little_town, tmp_path)
    file = copy.path / "evenings.parquet"
    pd.read_parquet(file).assign(tavern_id="somewhere").to_parquet(file, index=False)
    with pytest.raises(RunFolderError, match="damaged: its tables do not fit together"):
        evening_of(copy)


# ---------------------------------------------------------------- seats


def test_every_guest_has_a_seat_and_no_two_share_one_but_at_a_game(evening: Evening) -> None:
    at_games = {seat.name for seat in load_seats() if seat.at}
    for house in evening.houses:
        seats = Counter(each.seat for each in evening.guests(house))
        assert "" not in seats
        assert all(n == 1 for seat, n in seats.items() if seat not in at_games)
    assert all(not each.seat for each in evening.people.values() if not each.tavern)


def test_a_full_house_shares_its_seats_evenly(little_town: RunFolder) -> None:
    n_seats = sum(not seat.at for seat in load_seats())
    where = dict.fromkeys(range(1, 2 * n_seats + 11), (town.EEL_POT, 0))
    seats = deal_seats(little_town, 6, little_town.scenario(), where)
    assert Counter(Counter(seats.values()).values()) == {2: n_seats - 10, 3: 10}


def test_only_who_sat_at_a_game_sits_at_its_table(little_town: RunFolder, tmp_path: Path) -> None:
    copy = _copied(little_town, tmp_path)
    file = copy.path / "evenings.parquet"
    table = pd.read_parquet(file)
    table.assign(table_id=0).to_parquet(file, index=False)
    at_games = {seat.name for seat in load_seats() if seat.at}
    seats = {each.seat for each in evening_of(copy).people.values()}
    assert not seats & at_games


def test_seats_at_a_game_are_those_of_that_game(little_town: RunFolder) -> None:
    where = dict.fromkeys(range(1, 61), (town.THREE_KEYS, 1_000_001))
    names = set(deal_seats(little_town, 6, little_town.scenario(), where).values())
    at = {seat.name: seat.at for seat in load_seats()}
    assert {game for name in names for game in at[name]} == {"arm-wrestling"}
    assert any(not at[name] for name in names)  # not everybody is still at the table


def test_the_same_evening_has_the_same_seats(little_town: RunFolder, evening: Evening) -> None:
    assert evening_of(little_town) == evening
    earlier = evening_of(little_town, 5).people
    assert any(earlier[each].seat != evening.people[each].seat for each in town.LAST)


def test_what_is_played_at_a_table(little_town: RunFolder) -> None:
    games = Games(little_town.scenario())
    at = {0: "", 1: "rotting-toes", 2: "rotting-toes", 3: "arm-wrestling", 40: "arm-wrestling"}
    assert {table: games.at(1, table) for table in at} == at
    assert games.at(1, 2_000_001) == "race"  # in the yard, after the tables of two rooms
    assert games.at(9, 1) == ""


def _copied(run: RunFolder, folder: Path) -> RunFolder:
    return read_run(shutil.copytree(run.path, folder / "copy"))
