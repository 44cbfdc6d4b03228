"""Sentences and verdicts: the odds of each custom, and what a sentence does to a man."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tavern_abm import chance
from tavern_abm.data_tables import load_tables
from tavern_abm.patrons.columns import DEAD, NEVER, NOBODY, NOT_YET, Row, blank_people
from tavern_abm.patrons.decisions.general import may_enter
from tavern_abm.society.judgement import (
    BANNED,
    BEATEN,
    KILLED,
    NONE,
    OUT,
    WARNED,
    Justice,
    ban,
    carry_out,
    cumulative,
    get_away,
    hurt,
    is_guilty,
    resent,
    sentence_of,
)
from tests.strategies import CUSTOMS, units

SENTENCES = (WARNED, OUT, BANNED, BEATEN, KILLED)
STATED = {
    "lax": (1.0, 0.0, 0.0, 0.0, 0.0),
    "decent": (0.30, 0.45, 0.20, 0.05, 0.0),
    "guild": (0.20, 0.30, 0.45, 0.05, 0.0),
    "dockside": (0.10, 0.30, 0.20, 0.38, 0.02),
    "orc": (0.0, 0.0, 0.0, 0.30, 0.70),
}
N, SURE = 20_000, 1e-4


@pytest.mark.parametrize("custom", CUSTOMS)
def test_sentences_fall_as_the_custom_says(custom: str) -> None:
    odds = load_tables().customs[custom].odds
    assert odds == STATED[custom]
    table = cumulative(odds)
    keys = chance.subkeys(chance.run_key(5), chance.TABLE, np.arange(N))
    luck = chance.units(keys, chance.SENTENCE, 0).tolist()
    found = np.bincount([sentence_of(table, u) for u in luck], minlength=KILLED + 1)[WARNED:]
    odds = np.array(odds)
    assert not found[odds == 0].any()
    if (odds > 0).sum() > 1:
        assert stats.chisquare(found[odds > 0], odds[odds > 0] * N).pvalue > SURE


@given(st.lists(st.integers(0, 10), min_size=5, max_size=5).filter(any), units)
def test_a_sentence_has_odds_above_nothing(parts: list[int], u: float) -> None:
    odds = tuple(part / sum(parts) for part in parts)
    table = cumulative(odds)
    assert table[-1] == 1.0
    assert parts[sentence_of(table, u) - WARNED] > 0


def test_the_ends_of_the_scale() -> None:
    table = cumulative((0.30, 0.45, 0.20, 0.05, 0.0))
    at = [0.0, 0.2999, 0.3001, 0.7499, 0.7501, 0.9499, 0.9501, 1 - 2**-53]
    assert [sentence_of(table, u) for u in at] == [
        WARNED,
        WARNED,
        OUT,
        OUT,
        BANNED,
        BANNED,
        BEATEN,
        BEATEN,
    ]


@pytest.mark.parametrize(
    ("n_guilty", "n_judges", "guilty"),
    [(0, 2, False), (1, 2, False), (2, 2, True), (1, 3, False), (2, 3, True), (2, 4, False)],
)
def test_more_than_half_must_find_guilty(n_guilty: int, n_judges: int, guilty: bool) -> None:
    assert is_guilty(n_guilty, n_judges) == guilty


# ---------------------------------------------------------------- what it does


def guest() -> Row:
    """One guest of tavern 3."""
    one = blank_people(1)[0]
    one.tavern = 3
    return one


@pytest.mark.parametrize("what", [NONE, WARNED])
def test_a_warning_does_nothing(what: int) -> None:
    one, untouched = guest(), guest()
    carry_out(one, what, 3, 9, 20)
    assert one == untouched


@pytest.mark.parametrize("what", SENTENCES[1:])
def test_everything_harsher_is_remembered_and_ends_the_evening(what: int) -> None:
    one = guest()
    carry_out(one, what, 3, 4, 20)
    assert one.tavern == NOBODY
    assert one.punished == 20
    assert one.banned_from == (3 if what == BANNED else NOBODY)
    assert one.banned_until == (24 if what == BANNED else NEVER)
    assert one.bruised_until == (24 if what == BEATEN else NEVER)
    assert one.beaten == (what == BEATEN)
    assert one.whereabouts == (DEAD if what == KILLED else NOT_YET)
    assert one.gone == (20 if what == KILLED else 0)


def test_a_longer_rest_is_not_cut_short() -> None:
    one = guest()
    hurt(one, 6, 20)
    hurt(one, 1, 20)
    assert one.bruised_until == 26
    hurt(one, 2, 25)
    assert one.bruised_until == 27


JUSTICE = Justice(
    accusations=1,
    accuse_prob=0.3,
    lost_face=0.7,
    lost_face_nights=10,
    brawl_prob=0.15,
    grudge_nights=30,
    runs=1,
    lie_low_nights=7,
    bribe_prob=0.05,
    take_prob=0.5,
    bribe_days=2.0,
)


@pytest.mark.parametrize(("ban_nights", "low_nights"), [(14, 7), (2, 7), (0, 0)])
def test_who_got_away_is_barred_and_lies_low(ban_nights: int, low_nights: int) -> None:
    one = guest()
    one.tavern = NOBODY
    nights = get_away(one, 3, ban_nights, 20, JUSTICE._replace(lie_low_nights=low_nights))
    assert nights == max(ban_nights, low_nights)
    assert (one.banned_from, one.banned_until) == (3, 20 + nights)
    assert one.low_until == 20 + low_nights
    assert (one.escaped, one.beaten, one.punished) == (1, 0, 20)
    assert one.bruised_until == NEVER


def test_a_grudge_takes_the_place_of_an_older_one_unless_nobody_bears_any() -> None:
    one = guest()
    resent(one, 5, 20, JUSTICE)
    resent(one, 6, 22, JUSTICE)
    assert (one.grudge, one.grudge_night) == (6, 22)
    resent(one, 7, 25, JUSTICE._replace(grudge_nights=0))
    assert (one.grudge, one.grudge_night) == (6, 22)


def houses_shut_to(patron: Row, night: int) -> list[int]:
    return [tavern for tavern in range(5) if not may_enter(patron, tavern, night)]


def test_a_second_ban_leaves_the_first_standing() -> None:
    patron = blank_people(1)[0]
    assert houses_shut_to(patron, 1) == []
    ban(patron, 3, 14, 7)
    ban(patron, 1, 10, 8)
    assert houses_shut_to(patron, 9) == [1, 3]
    assert houses_shut_to(patron, 11) == [3]
    assert houses_shut_to(patron, 15) == []


def test_of_three_bans_the_latest_and_the_longer_of_the_others_hold() -> None:
    patron = blank_people(1)[0]
    for tavern, until in ((0, 40), (1, 20), (2, 30)):
        ban(patron, tavern, until, 7)
    assert houses_shut_to(patron, 8) == [0, 2]
    ban(patron, 0, 50, 9)  # once more from the same house
    assert houses_shut_to(patron, 10) == [0, 2]
    assert houses_shut_to(patron, 45) == [0]


def test_a_ban_that_has_run_out_makes_room() -> None:
    patron = blank_people(1)[0]
    ban(patron, 0, 10, 7)
    ban(patron, 1, 20, 11)
    ban(patron, 2, 15, 12)
    assert houses_shut_to(patron, 13) == [1, 2]
