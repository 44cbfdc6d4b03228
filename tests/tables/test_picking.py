"""Which room everybody picks, and what becomes of rooms that find nobody."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tavern_abm import Policy, TavernModel, chance
from tavern_abm.games import game_number
from tavern_abm.patrons.columns import NOBODY
from tavern_abm.results import rounds_table
from tavern_abm.tables.seating import Crowd, Sitting
from tests.strategies import DICE_ALONE

TWO_ROOMS = [
    {"game": "rotting-toes", "stake": 5},
    {"game": "rotting-toes", "seats": 4, "stake": 50},
]


def town(tables: list[dict[str, Any]], patrons: int = 200, **settings: Any) -> TavernModel:
    settings = {"taverns.0.tables": tables, "people": []} | settings
    return TavernModel(DICE_ALONE, rng=3, patrons=patrons, **settings)


def wishes(model: TavernModel, sitting: int = 1) -> np.ndarray:
    """Let everybody who lives here pick a room, all of them being in the tavern."""
    n = model.n_rows
    people = model.people
    people.tavern[:n] = 0
    people.luck[:n] = chance.subkeys(5, chance.PATRON, np.arange(n))
    crowd = Crowd(np.arange(n), np.array([0, n]), *np.empty((3, n), np.int64))
    model.playing.pick_rooms(Sitting(1, sitting, 1, 6, 9), crowd, people)
    return people.wish[:n].copy()


def test_rooms_are_picked_in_proportion_to_their_appeal() -> None:
    model = town(TWO_ROOMS, patrons=4000, **{"minds.taste_sd": 0.0, "minds.talent": 0.0})
    model.people.gold[:] = 1000
    weights = [math.exp(-10 * 5 / 1000), math.exp(-10 * 50 / 1000)]
    expected = weights[1] / sum(weights)
    share = float((wishes(model) == 1).mean())
    assert abs(share - expected) < 4 * math.sqrt(expected * (1 - expected) / 4000)


def test_a_stake_one_cannot_cover_is_never_picked() -> None:
    model = town(TWO_ROOMS)
    model.people.gold[:100], model.people.gold[100:] = 49, 4
    found = wishes(model)
    assert set(found[:100]) == {0}
    assert set(found[100:]) == {NOBODY}


def test_tastes_last_for_life_and_belong_to_the_game() -> None:
    tables = [{"game": "rotting-toes"}, {"game": "heads-or-tails", "seats": 4}]
    model, other = town(tables), town(tables[::-1])
    assert (model.playing.inclinations == other.playing.inclinations[:, ::-1]).all()
    keys = chance.subkeys(model.run_key, chance.PERSON, np.arange(1, 201))
    u = chance.units(keys, chance.TASTE, game_number("rotting-toes"))
    at = model.playing.games.index("rotting-toes")
    assert np.corrcoef(u, model.playing.inclinations[:200, at])[0, 1] > 0.9
    quiet = town(tables, **{"minds.taste_sd": 0.0, "minds.talent": 0.0})
    assert not quiet.playing.inclinations.any()


def test_one_room_alone_needs_no_choice() -> None:
    assert set(wishes(town(TWO_ROOMS[:1]))) == {NOBODY}


def test_ones_own_appeal_decides() -> None:
    policy = Policy(game_appeal=lambda patron, inclination, stake: 1.0 * stake)
    settings = {"taverns.0.tables": TWO_ROOMS, "people": []}
    model = TavernModel(DICE_ALONE, rng=3, patrons=50, policy=policy, **settings)
    model.people.gold[:] = 1000
    assert set(wishes(model)) == {1}


def test_everybody_finds_a_seat_where_the_last_room_opens_tables_as_needed() -> None:
    tables = [{"game": "heads-or-tails", "seats": 4, "count": 1}, {"game": "rotting-toes"}]
    model = town(tables, patrons=120)
    model.run_for(3)
    games = model.results()["games"].set_index(["night", "game"])
    assert (games.loc[(slice(None), "heads-or-tails"), "tables"] == 4).all()
    players = model.results()["players"]
    net = players.groupby("patron_id").net_cp.sum()
    patrons = model.patrons.set_index("patron_id").games_net_cp
    assert net.to_dict() == patrons[patrons.index.isin(net.index)].to_dict()
    assert (patrons[~patrons.index.isin(net.index)] == 0).all()


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ({"game": "magic-wand", "seats": 6, "stake": 10**9}, "nobody could cover a stake of"),
        ({"game": "magic-wand", "seats": 6, "count": 1}, "it takes 4, and"),
    ],
)
def test_a_table_nobody_can_play_at_is_not_opened_and_the_record_says_why(
    table: dict[str, Any], reason: str
) -> None:
    model = town([table], patrons=4, **{"minds.go_out_prob": 0.7})
    model.run_for(2)
    events = model.events
    texts = events[events.kind == "not_opened"].text
    assert len(texts) >= 1
    assert texts.str.contains(reason).any(), texts.tolist()
    assert texts.str.startswith("Magic wand was not played tonight: ").all()


def test_tables_stand_idle_while_everybody_is_in_the_yard() -> None:
    settings = {
        "taverns.0.yard": [{"game": "race", "rounds": [7]}],
        "taverns.1.name": "The Other",
        "taverns.1.tables": [{"game": "rotting-toes"}],
    }
    model = town([{"game": "rotting-toes"}], patrons=80, **settings)
    model.record.keep_all = True
    model.run_for(2)
    rounds = rounds_table(model)
    dice = rounds[rounds.game == "rotting-toes"]
    played = dice.groupby("tavern_id")["round"].agg(set).to_dict()
    assert played == {1: set(range(1, 25)) - {7}, 2: set(range(1, 25))}
    races = rounds[rounds.game == "race"]
    assert races[["night", "round", "tavern_id"]].values.tolist() == [[1, 7, 1], [2, 7, 1]]
