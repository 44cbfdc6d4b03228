"""The truth of rumours, against a second way to work it out from the same events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavern_abm.patrons.decisions.talk import CLAIMS
from tavern_abm.society.truth import FALSE, PARTLY, TRICKS, TRUE, WRONG_PERSON, label

EVENT = ("event_id", "night", "tavern_id", "kind", "patron_id", "other_id", "amount_cp")
RUMOR = ("event_id", "claim", "subject_id", "amount_cp", "night", "tavern_id", "made_night")


def events(*rows: tuple[Any, ...]) -> pd.DataFrame:
    """A table of events, numbered from 1."""
    return pd.DataFrame([(i, *row) for i, row in enumerate(rows, 1)], columns=list(EVENT))


def truth_of(rumor: tuple[Any, ...], record: pd.DataFrame) -> str:
    """The label of one rumour."""
    told = (*rumor, 9) if len(rumor) < len(RUMOR) else rumor  # it came up when all was over
    return str(label(pd.DataFrame([told], columns=list(RUMOR)), record).iloc[0])


# Ann (1) tried a trick on night 2 and was caught on night 3, both in house 1; Bo (2) was
# accused there on night 3 and cleared; Cyn (3) won 120 cp in house 2 on night 4, and came
# to blows with Dag (4) on night 5.
RECORD = events(
    (2, 1, "trick", 1, 0, 20),
    (3, 1, "failed_trick", 1, 0, 20),
    (3, 1, "caught", 1, 0, 20),
    (3, 1, "cleared", 2, 1, 0),
    (4, 2, "big_win", 3, 1, 120),
    (5, 2, "brawl", 3, 4, 0),
    (6, 0, "dodged", 4, 3, 50),
)


@pytest.mark.parametrize(
    ("rumor", "truth"),
    [
        ((3, "cheats", 1, 0, 3, 1), TRUE),
        ((3, "cheats", 1, 0, 2, 1), TRUE),  # another night, but he tried then too
        ((3, "cheats", 1, 0, 1, 1), PARTLY),  # before he ever tried
        ((3, "cheats", 1, 0, 3, 2), PARTLY),  # another house
        ((4, "cheats", 2, 0, 3, 1), FALSE),  # cleared, and rightly
        ((3, "cheats", 5, 0, 3, 1), WRONG_PERSON),
        ((4, "cheats", 5, 0, 3, 1), FALSE),  # of neither is it true
        ((4, "cheats", 1, 0, 3, 1), TRUE),  # of the wrong one, by mistake, it is
        ((0, "cheats", 1, 0, 9, 2), TRUE),  # made up, and right
        ((0, "cheats", 2, 0, 9, 2), FALSE),
        ((0, "cheats", 1, 0, 1, 1), PARTLY),
        ((5, "won", 3, 120, 4, 2), TRUE),
        ((5, "won", 3, 200, 4, 2), PARTLY),
        ((5, "won", 3, 120, 3, 2), PARTLY),
        ((5, "won", 3, 120, 4, 1), PARTLY),
        ((5, "won", 4, 120, 4, 2), WRONG_PERSON),
        ((6, "brawl", 3, 0, 5, 2), TRUE),
        ((6, "brawl", 4, 0, 5, 2), TRUE),
        ((7, "owes", 4, 50, 6, 0), TRUE),
        ((7, "owes", 4, 90, 6, 0), PARTLY),
        ((0, "owes", 2, 90, 6, 1), FALSE),
        ((0, "beaten", 1, 0, 3, 1), FALSE),
        ((0, "cheats", 1, 0, 1, 1, 1), FALSE),  # he had not tried yet when it was made up
        ((0, "owes", 4, 50, 6, 0, 5), FALSE),
        ((0, "owes", 4, 50, 6, 0, 6), TRUE),
    ],
)
def test_examples(rumor: tuple[Any, ...], truth: str) -> None:
    assert truth_of(rumor, RECORD) == truth


# ---------------------------------------------------------------- a second way

MADE_TRUE_BY: dict[str, Callable[[Any, Any], bool]] = {
    "thrown_out": lambda e, who: e.kind == "thrown_out" and e.patron_id == who,
    "banned": lambda e, who: e.kind == "banned" and e.patron_id == who,
    "beaten": lambda e, who: e.kind == "beaten" and e.patron_id == who,
    "killed": lambda e, who: e.kind == "killed" and e.patron_id == who,
    "too_lucky": lambda e, who: e.kind == "too_lucky" and e.patron_id == who,
    "won": lambda e, who: e.kind == "big_win" and e.patron_id == who,
    "broke": lambda e, who: e.kind == "broke" and e.patron_id == who,
    "brawl": lambda e, who: e.kind == "brawl" and who in (e.patron_id, e.other_id),
    "ran": lambda e, who: e.kind == "got_away" and e.patron_id == who,
    "run_down": lambda e, who: e.kind == "run_down" and e.patron_id == who,
    "owes": lambda e, who: e.kind == "dodged" and e.patron_id == who,
    "bribed": lambda e, who: e.kind == "bribed" and e.patron_id == who,
}
TRIES = {"trick", "failed_trick", "weighted_dice", "dice_noticed"}


def told_again(rumor: Any, record: list[Any]) -> str:
    """The truth of one rumour, read off the events one by one."""
    record = [e for e in record if e.night <= rumor.made_night]
    if rumor.claim == "cheats":
        return cheats_again(rumor, record)
    of_him = [e for e in record if MADE_TRUE_BY[rumor.claim](e, rumor.subject_id)]
    names_sum = rumor.claim in ("won", "owes", "bribed")
    for e in of_him:
        right_place = e.night == rumor.night and e.tavern_id == rumor.tavern_id
        if right_place and (not names_sum or e.amount_cp == rumor.amount_cp):
            return "true"
    if of_him:
        return "partly true"
    return "wrong person" if rumor.event_id else "false"


def cheats_again(rumor: Any, record: list[Any]) -> str:
    """The same for one that calls somebody a cheat."""

    def tries(who: int) -> list[Any]:
        return [e for e in record if e.kind in TRIES and e.patron_id == who]

    source = next((e for e in record if e.event_id == rumor.event_id), None)
    if not tries(rumor.subject_id):
        if source is None or source.patron_id == rumor.subject_id:
            return "false"
        return "wrong person" if tries(source.patron_id) else "false"
    if all(e.night > rumor.night for e in tries(rumor.subject_id)):
        return "partly true"
    places = [(e.night, e.tavern_id) for e in tries(rumor.subject_id)]
    if source is not None:
        places.append((source.night, source.tavern_id))
    is_placed = source is None or (rumor.night, rumor.tavern_id) in places
    return "true" if is_placed else "partly true"


def come_up(rumor: tuple[Any, ...], happened: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    """The same, come up no sooner than its event, and than the night it names."""
    event_id, *_, night, _, made = rumor
    return (*rumor[:-1], max(made, night, happened[event_id - 1][0] if event_id else 0))


KINDS = [*sorted(TRIES), "caught", "cleared", "big_win", "brawl", "got_away", "ran", "dodged"]
NIGHTS, HOUSES, IDS, SUMS = (st.integers(*span) for span in ((1, 4), (0, 2), (1, 4), (1, 3)))


@settings(max_examples=200)
@given(
    st.lists(st.tuples(NIGHTS, HOUSES, st.sampled_from(KINDS), IDS, IDS, SUMS), max_size=8),
    st.lists(
        st.tuples(st.integers(0, 8), st.sampled_from(CLAIMS), IDS, SUMS, NIGHTS, HOUSES, NIGHTS),
        max_size=12,
    ),
)
def test_both_ways_come_to_the_same(
    happened: list[tuple[Any, ...]], told: list[tuple[Any, ...]]
) -> None:
    record = events(*happened)
    known = [each for each in told if each[0] <= len(happened)]
    rumors = pd.DataFrame([come_up(each, happened) for each in known], columns=list(RUMOR))
    rumors.index = rumors.index + 10
    found = label(rumors, record)
    assert found.index.equals(rumors.index)
    rows = list(record.itertuples(index=False))
    assert found.tolist() == [told_again(each, rows) for each in rumors.itertuples()]


def test_no_try_is_left_out() -> None:
    assert set(TRICKS) == TRIES
