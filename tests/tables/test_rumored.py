"""Which rounds make a story, and who knows it: what their events say, and nobody else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tavern_abm.events import events_of_round
from tavern_abm.games import chase, game_number
from tavern_abm.patrons.columns import DEAD, NOBODY
from tavern_abm.patrons.decisions.talk import CLAIMS
from tavern_abm.society.judgement import BANNED, BEATEN, KILLED, NONE, OUT, WARNED
from tavern_abm.society.rumors import KINDS, N_VERSIONS
from tavern_abm.tables.happenings import Person, Round
from tavern_abm.tables.record import (
    ACCUSED,
    BIG_WIN,
    BRIBED_OFF,
    BROKE,
    CAUGHT,
    CLEARED,
    CONVICTED,
    DECIDED,
    TOO_LUCKY,
    blank_notes,
    next_cell,
)
from tavern_abm.tables.rumored import spring_all
from tests.society.inn import Inn

HAND, ACCUSER, WINNER, BYSTANDER = 10, 11, 12, 13
AT_TABLE = (HAND, ACCUSER, WINNER, BYSTANDER)


def cells(*rounds: dict[str, Any]) -> Any:
    """Kept rounds of night 1 at one table of four; fields as given."""
    notes = blank_notes(len(rounds), 0)
    for at, fields in enumerate(rounds):
        cell = next_cell(notes)
        for name, value in {"night": 1, "round": at + 1, "seated": 0b1111, "table": 2}.items():
            cell[name] = value
        cell["rows"][:4] = AT_TABLE
        cell["dice"] = 1
        for name, value in fields.items():
            cell[name] = value
    return notes.cells


def sprung(*rounds: dict[str, Any]) -> tuple[list[tuple[str, int, int, int]], Inn]:
    """The stories these rounds make: kind of event, subject, other, sum; and the inn."""
    inn = Inn(20)
    tally = spring_all(inn.vine, cells(*rounds), inn.people)
    of = inn.vine.room_for(0).versions[: inn.vine.n_versions]
    assert tally[0, N_VERSIONS] == len(of)
    assert tally.sum() == len(of)
    kinds = list(KINDS)
    return [(kinds[v.kind], int(v.subject), int(v.other), int(v.amount)) for v in of], inn


def trial(verdict: int, sentence: int = NONE, **more: Any) -> dict[str, Any]:
    """A round after which the Hand was accused."""
    return {"notable": ACCUSED, "accuser": 1, "verdict": verdict, "sentence": sentence} | more


@pytest.mark.parametrize(
    ("one", "stories"),
    [
        ({"notable": CAUGHT, "sentence": OUT}, ["caught", "thrown_out"]),
        (trial(CONVICTED, WARNED), ["convicted"]),
        (trial(CONVICTED, BANNED, nights=7), ["convicted", "banned"]),
        (trial(CONVICTED, BEATEN, nights=3), ["convicted", "beaten"]),
        (trial(CONVICTED, KILLED), ["convicted", "killed"]),
        (trial(CLEARED), ["cleared"]),
        (trial(CLEARED, brawl=1), ["cleared", "brawl"]),
        ({"notable": TOO_LUCKY, "lucky_nights": 2}, ["too_lucky"]),
        ({"notable": 0}, []),
        ({"notable": DECIDED}, []),
    ],
)
def test_the_stories_of_a_round_are_of_its_events(one: dict[str, Any], stories: list[str]) -> None:
    found, _ = sprung(one)
    assert [kind for kind, *_ in found] == stories
    assert {subject for _, subject, *_ in found} <= {HAND}


def test_a_win_and_empty_purses() -> None:
    wage = int(Inn(20).people.wage[WINNER])
    won = {"notable": BIG_WIN | BROKE, "winner": 2, "broke": 0b1001, "stake": 5}
    found, _ = sprung(won | {"winner_net": wage - 1})
    assert [kind for kind, *_ in found] == ["broke", "broke"]  # less than a day's wage is no news
    found, _ = sprung(won | {"winner_net": wage})
    assert found == [
        ("big_win", WINNER, HAND, wage),
        ("broke", HAND, NOBODY, 0),
        ("broke", BYSTANDER, NOBODY, 0),
    ]


def test_of_one_who_was_cleared_they_tell_who_think_so_all_the_same() -> None:
    _, inn = sprung(trial(CLEARED) | {"beliefs": [-1, 7_000, 5_001, 5_000] + 8 * [-1]})
    assert {row for row in range(20) if inn.knows(row)} == {ACCUSER, WINNER}
    _, inn = sprung(trial(CLEARED))
    assert {row for row in range(20) if inn.knows(row)} == {ACCUSER}


def test_who_sat_there_knows_it_but_for_the_dead() -> None:
    inn = Inn(20)
    inn.people.whereabouts[HAND] = DEAD
    one = trial(CONVICTED, KILLED) | {"seated": 0b0111}
    spring_all(inn.vine, cells(one), inn.people)
    knowing = {row for row in range(20) if inn.knows(row)}
    assert knowing == {ACCUSER, WINNER}
    assert inn.knows(ACCUSER) == [0, 1]


@pytest.mark.parametrize(
    ("ended", "sentence", "stories"),
    [
        (chase.CAUGHT, BEATEN, ["convicted", "run_down", "beaten"]),
        (chase.AWAY, NONE, ["convicted", "ran"]),
    ],
)
def test_one_who_ran_from_a_sentence(ended: int, sentence: int, stories: list[str]) -> None:
    ran = trial(CONVICTED, BEATEN, ran=1, pursuer=2, round=1)
    rows = np.full(12, NOBODY)
    rows[:2] = HAND, WINNER
    hunt = {"round": 1, "game": game_number("chase"), "notable": DECIDED, "ended": ended}
    hunt |= {"rows": rows, "hand": 0, "seated": 0b11, "pursuer": 1, "sentence": sentence}
    found, inn = sprung(hunt, ran)  # whatever the order they are kept in
    assert [kind for kind, *_ in found] == stories
    assert found[1][1:3] == (HAND, WINNER)
    last = inn.vine.n_versions - 1
    knowing = {row for row in range(20) if last in inn.knows(row)}
    assert knowing == ({HAND, WINNER} if ended == chase.CAUGHT else set(AT_TABLE))


def test_a_bribe_is_known_to_him_who_paid_it() -> None:
    one = trial(CONVICTED, WARNED) | {"notable": ACCUSED | BRIBED_OFF, "bribe": 60}
    found, inn = sprung(one)
    assert found == [("convicted", HAND, ACCUSER, 0), ("bribed", HAND, NOBODY, 60)]
    assert [row for row in range(20) if 1 in inn.knows(row)] == [HAND]


@pytest.mark.parametrize(
    "one",
    [
        {"notable": CAUGHT, "sentence": OUT},
        trial(CONVICTED, BANNED, nights=7),
        trial(CLEARED, brawl=1),
        {"notable": TOO_LUCKY | BROKE, "lucky_nights": 2, "broke": 0b10},
        {"notable": BIG_WIN, "winner": 2, "winner_net": 80},
    ],
)
def test_whoever_knows_a_story_was_there_as_its_event_has_it(one: dict[str, Any]) -> None:
    inn, kept = Inn(20), cells(one)
    spring_all(inn.vine, kept, inn.people)
    cell = dict(zip(kept.dtype.names, kept.tolist()[0], strict=True))
    cell |= {name: cell[name].tolist() for name in ("rows", "facts", "beliefs")}
    played = Round(1, 1, 0, 3, cell["rows"], cell)
    people = {row: Person(f"P{row}", 0, False) for row in AT_TABLE}
    events = list(events_of_round(played, people.__getitem__, "Inn", 15))
    for at, version in enumerate(inn.vine.room_for(0).versions[: inn.vine.n_versions]):
        kind = list(KINDS)[version.kind]
        (event,) = [e for e in events if (e.kind, e.patron_id - 1) == (kind, version.subject)]
        assert CLAIMS[version.claim] == CLAIMS[KINDS[event.kind]]
        there = {each - 1 for each in [event.patron_id, event.other_id, *event.witnesses]}
        assert {row for row in range(20) if at in inn.knows(row)} <= there
        assert event.table_id == version.table + 1


def test_where_there_are_no_rumours_no_round_makes_one() -> None:
    inn = Inn(20, talk__rumors=0)
    assert spring_all(inn.vine, cells(trial(CLEARED)), inn.people).sum() == 0
    assert inn.vine.n_versions == 0
