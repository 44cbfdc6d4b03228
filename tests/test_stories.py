"""Sentences about people and nights."""

from typing import Any

import pandas as pd
import pytest

from tavern_abm import stories
from tavern_abm.events import event_kinds

PERSON: dict[str, Any] = {
    "is_player": False,
    "is_cheat": False,
    "is_cheat_kind": False,
    "tries": 1,
    "failed_checks": 0,
    "arrived_night": 0,
    "gone_night": pd.NA,
    "whereabouts": "here",
    "condition": "healthy",
    "believers": 0,
    "notoriety": 0,
    "reputation": float("nan"),
    "games_net_cp": -120,
    "hands": 1,
    "hand_wins": 0,
    "was_accused": 0,
    "convicted": 0,
    "beaten": 0,
    "accused_others": 0,
}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "In truth honest."),
        ({"is_cheat_kind": True}, "In truth of the cheating kind, but has not tried yet."),
        (
            {"is_cheat_kind": True, "is_cheat": True},
            "In truth a cheat: 1 trick tried, 0 failed checks.",
        ),
        ({"is_player": True}, "A player's character: sits down at no table by itself."),
    ],
)
def test_truth(changes: dict[str, Any], told: str) -> None:
    assert stories.truth(PERSON | changes) == told


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, ""),
        ({"condition": "bruised"}, "Bruised."),
        ({"whereabouts": "dead", "gone_night": 4}, "Died on night 4."),
        (
            {"whereabouts": "left", "gone_night": 9, "arrived_night": 3},
            "Came to town on night 3. Left for good on night 9.",
        ),
    ],
)
def test_fate(changes: dict[str, Any], told: str) -> None:
    assert stories.fate(PERSON | changes) == told


def test_standing() -> None:
    assert stories.standing(PERSON) == "Nobody holds an opinion."
    known = PERSON | {"believers": 4, "notoriety": 1, "reputation": 0.314}
    told = "4 people hold an opinion; 1 of them suspects a cheat. Mean belief in a cheat: 31\xa0%."
    assert stories.standing(known) == told


def test_record() -> None:
    blameless = stories.record(PERSON)
    assert "lost 1 gp 2 sp in all. Never accused and never accused anybody." in blameless
    accused = stories.record(PERSON | {"was_accused": 3, "convicted": 1, "beaten": 2})
    assert accused.endswith("Accused 3 times, convicted once, beaten twice; accused others never.")


def events(*kinds: str, a_night: int = 1000) -> pd.DataFrame:
    ids = range(1, len(kinds) + 1)
    return pd.DataFrame(
        {
            "event_id": ids,
            "night": [1 + (each - 1) // a_night for each in ids],
            "kind": kinds,
            "is_just": pd.array([None] * len(kinds), dtype="boolean"),
            "text": [f"No. {each}." for each in ids],
        }
    )


def test_odd_throws_are_not_told() -> None:
    assert stories.notable(events("odd_throw", "trick"), 1)["kind"].tolist() == ["trick"]


def test_a_crowded_night_keeps_its_weightiest_events_in_order() -> None:
    crowded = events(*["trick"] * 100, "killed", *["arrived"] * 100)
    kept = stories.notable(crowded, 1)
    assert len(kept) == stories.MOST_A_NIGHT
    assert kept["event_id"].is_monotonic_increasing
    assert (kept["kind"] == "killed").sum() == 1
    assert "arrived" not in set(kept["kind"])


def test_a_long_run_keeps_to_the_limit_and_its_last_nights() -> None:
    long = events(*["trick"] * 900, "killed", *["trick"] * 99, a_night=10)
    kept = stories.notable(long, 100, most=50)
    assert len(kept) == 50
    assert "killed" in set(kept["kind"])
    assert kept["night"].max() == 100


def test_the_last_and_the_most_eventful_nights_are_open() -> None:
    kinds = ["trick", "killed", "trick", "trick", "trick"]
    nights = stories.by_night(events(*kinds, a_night=1), n_open=2)
    assert [night["night"] for night in nights if night["is_open"]] == [2, 5]
    assert stories.by_night(events()) == []


def test_a_night_is_summed_up_by_its_weightiest_kinds() -> None:
    (night,) = stories.by_night(events("big_win", "trick", "killed", "big_win", "thrown_out"))
    assert night["summary"] == "1 killed, 1 thrown out, 2 big wins"
    (night,) = stories.by_night(events("accused", "cleared", "broke", "accused", "killed"))
    assert night["summary"] == "1 killed, 2 accused, 1 cleared"
    assert stories.label("broke", 2) == "left the table"


def test_a_life_of_a_long_run_has_a_thinned_purse() -> None:
    nights = range(1001)
    wealth = pd.DataFrame({"night": nights, "patron_id": 1, "gold_cp": nights})
    told, purse = stories._purses(wealth, [1])[1]
    assert len(told) <= stories.MOST_PURSES + 2
    assert (told[0], told[-1], purse[-1]) == (0, 1000, 10.0)


def test_what_a_game_tells_of_has_a_group_of_its_own() -> None:
    events = pd.DataFrame(
        {
            "event_id": [1, 2, 3],
            "night": 1,
            "kind": ["pelted", "killed", "not_opened"],
            "text": "Something happened.",
            "is_just": pd.array([None, True, None], dtype="boolean"),
        }
    )
    (night,) = stories.by_night(events)
    assert [each["group"] for each in night["events"]] == ["games", "justice", "games"]
    assert night["summary"] == "1 killed, 1 pelted, 1 not played"
    assert "games" in stories.GROUPS
    assert stories.notable(events, 1, most=2)["kind"].tolist() == ["pelted", "killed"]


def test_who_never_threw_the_dice_is_told_so() -> None:
    person = {
        "hands": 0,
        "hand_wins": 0,
        "games_net_cp": 120,
        "was_accused": 0,
        "convicted": 0,
        "beaten": 0,
        "accused_others": 0,
    }
    assert stories.record(person).startswith("Never threw the dice as the Hand; won 1 gp 2 sp in")


@pytest.mark.parametrize(
    ("condition", "words"),
    [("healthy", ""), ("bruised", "Bruised."), ("hand injured", "Hand injured.")],
)
def test_what_somebody_suffers_from(condition: str, words: str) -> None:
    person = {
        "arrived_night": 0,
        "gone_night": pd.NA,
        "whereabouts": "here",
        "condition": condition,
    }
    assert stories.fate(person) == words


def test_every_kind_of_event_has_its_group_and_its_words() -> None:
    known = {"trick", "failed_trick", "odd_throw", "caught", "dice_noticed"}
    happened = events(*sorted(event_kinds()), a_night=1000)
    (night,) = stories.by_night(happened)
    groups = {event["kind"]: event["group"] for event in night["events"]}
    assert {kind for kind, group in groups.items() if group == "tricks"} == known
    for kind in ("lent", "paid_back", "dodged", "broke", "unpaid", "big_win"):
        assert groups[kind] == "money"
    for kind in ("ran", "got_away", "run_down", "bribed", "accused", "killed"):
        assert groups[kind] == "justice"
    assert stories.label("ran") == "ran from a sentence"
    assert stories.label("lent", 2) == "loans"
