"""An evening's talk: who meets whom, what hearsay and rumours do, and what they may not do."""

from __future__ import annotations

import math
import pickle
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tavern_abm import chance
from tavern_abm.patrons.columns import DEAD, NOBODY
from tavern_abm.society.company import GONE, Mind, company_of, make_talk
from tavern_abm.society.rumors import N_BELIEVED, N_TOLD, N_VERSIONS
from tavern_abm.society.suspicion import find, log_odds_now, memory_of
from tavern_abm.society.talk import Choices, insert, slander
from tests.society.inn import Inn
from tests.uncompiled import with_and_without_numba

NO_EVENTS = pd.DataFrame(
    {"event_id": [], "night": [], "round": [], "tavern_id": [], "table_id": []}
    | {"kind": pd.Series([], dtype=str), "patron_id": [], "other_id": [], "amount_cp": []}
)


def belief(inn: Inn, who: int, about: int, night: int = 1) -> float | None:
    """What somebody believes of somebody, in log-odds; None where he holds no belief."""
    memory = memory_of(inn.beliefs, who)
    k = find(memory, about)
    return None if k == NOBODY else log_odds_now(memory, k, night, inn.ways)


# ---------------------------------------------------------------- who meets whom


def listeners_of(inn: Inn, nights: int) -> list[tuple[int, int, int]]:
    """Who told whom a rumour, by night: one of everybody's own, told to all he meets."""
    for night in range(1, nights + 1):
        inn.open_doors(night)
        for row in range(inn.n):
            inn.vine.spring_plain("too_lucky", night, row, witnesses=(row,), tavern=0)
        inn.talk(night)
    told = inn.vine.tellings_frame()
    columns = [told["night"], told["teller_id"] - 1, told["listener_id"] - 1]
    return list(zip(*(each.tolist() for each in columns), strict=True))


def test_four_in_five_meet_an_acquaintance_and_the_rest_anybody() -> None:
    inn = Inn(60, talk__befriend_prob=0.0, talk__tell_prob=1.0, talk__fresh_nights=1)
    circles = [set(row.tolist()) - {NOBODY} for row in inn.acquaintances.other]
    met = {(night, a, b) for night, a, b in listeners_of(inn, 40)}
    n_known = sum(b in circles[a] for _, a, b in met)
    share = np.mean([len(circle) for circle in circles]) / 59
    expected = 0.8 + 0.2 * share
    # Meeting the same one twice in a night shows once: a little more often friends.
    error = (expected * (1 - expected) / len(met)) ** 0.5
    assert n_known / len(met) == pytest.approx(expected, abs=4 * error + 0.02)
    assert all(a != b for _, a, b in met)


def test_one_who_knows_nobody_meets_everybody_alike() -> None:
    inn = Inn(12, talk__befriend_prob=0.0, talk__tell_prob=1.0, talk__contacts=1)
    inn.acquaintances.other[...] = NOBODY
    met = Counter((a, b) for _, a, b in set(listeners_of(inn, 120)))
    found = np.array([met[a, b] for a in range(12) for b in range(12) if a != b])
    expected = found.sum() / len(found)
    chi_square = ((found - expected) ** 2 / expected).sum()
    freedom = len(found) - 12
    assert chi_square < freedom + 4 * math.sqrt(2 * freedom)


def test_people_talk_only_to_those_in_the_same_house() -> None:
    inn = Inn(60, n_taverns=2)
    inn.open_doors(1, go_out=0.7)
    for row in range(60):
        inn.vine.spring_plain("too_lucky", 1, row, witnesses=(row,))
    inn.talk(1)
    told = inn.vine.tellings_frame()
    tavern = np.asarray(inn.people.tavern)
    assert len(told) > 50
    assert (tavern[told["teller_id"] - 1] == told["tavern_id"] - 1).all()
    assert (tavern[told["listener_id"] - 1] == told["tavern_id"] - 1).all()


def test_strangers_who_talk_know_each_other_from_then_on() -> None:
    met = Inn(30, talk__befriend_prob=1.0, talk__acquainted_prob=0.0)
    met.acquaintances.other[...] = NOBODY
    met.evening(1)
    known = met.acquaintances
    pairs = {(i, j) for i in range(30) for j in known.other[i].tolist() if j != NOBODY}
    assert len(pairs) > 60
    assert {(j, i) for i, j in pairs} == pairs
    assert set(known.since[known.other != NOBODY].tolist()) == {1}
    never = Inn(30, talk__befriend_prob=0.0, talk__acquainted_prob=0.0)
    never.acquaintances.other[...] = NOBODY
    never.evening(1)
    assert (never.acquaintances.other == NOBODY).all()


def test_one_alone_in_a_house_says_nothing() -> None:
    inn = Inn(10)
    inn.open_doors(1)
    inn.people.tavern[1:] = NOBODY
    inn.vine.spring_plain("killed", 1, 3, witnesses=(0,))
    assert inn.talk(1) == [[0, 0, 0, 0]]


def test_where_everybody_is() -> None:
    inn = Inn(30, n_taverns=2)
    inn.open_doors(1, go_out=0.6)
    inn.people.whereabouts[4] = DEAD
    inn.people.tavern[4] = NOBODY
    company = company_of(inn.people, 30, 2, here=1, contacts=3)
    assert company.where[4] == GONE
    assert sorted(company.there.tolist()) == sorted(company.tellers.tolist())
    for tavern in range(2):
        there = company.there[company.starts[tavern] : company.starts[tavern + 1]]
        assert there.tolist() == np.flatnonzero(company.where == tavern).tolist()
    luck = [chance.draw(inn.people.luck.item(row), chance.TALK_ORDER, 0) for row in company.tellers]
    assert luck == sorted(luck)


# ---------------------------------------------------------------- hearsay


def test_where_nobody_has_seen_anything_all_stays_as_it_is() -> None:
    inn = Inn(40)
    for night in range(1, 15):
        inn.people.grudge[:] = np.roll(np.arange(40), 1)  # whom nobody lies about
        inn.vine.talk = inn.vine.talk._replace(how=inn.vine.talk.how._replace(lie_prob=0.0))
        assert inn.evening(night)[0][0] == 0
    assert (inn.beliefs.subject == NOBODY).all()


def test_what_is_believed_after_talk_lies_between_what_was_believed_before() -> None:
    inn = Inn(40, suspicion__teller_memory=0)
    rng = np.random.default_rng(5)
    for who in range(40):
        for about in rng.choice(40, 6, replace=False).tolist():
            if about != who:
                inn.believe(who, about, float(rng.normal(0, 3)))
    spans: dict[int, tuple[float, float]] = {}
    for about in range(40):
        held = [belief(inn, who, about) for who in range(40)]
        known = [each for each in held if each is not None] + [inn.ways.prior]
        spans[about] = (min(known) - 1e-5, max(known) + 1e-5)
    n_told = sum(inn.evening(1)[0][0] for _ in range(20))
    assert n_told > 1000
    for who in range(40):
        for about in range(40):
            now = belief(inn, who, about)
            if now is not None:
                assert spans[about][0] <= now <= spans[about][1]


def test_the_most_extreme_beliefs_are_told_for_and_against_alike() -> None:
    shifts = {10: 4.0, 11: -3.0, 12: 2.0, 13: 1.5, 14: 0.5}
    inn = Inn(20, talk__contacts=60)
    for about, shift in shifts.items():
        inn.believe(0, about, shift)
    inn.open_doors(1)
    inn.people.tavern[2:] = NOBODY
    inn.people.is_player[1] = 1
    inn.talk(1)
    held = {about: belief(inn, 1, about) for about in shifts}
    assert [about for about, each in held.items() if each is not None] == [10, 11, 12]
    assert (held[10] or 0) > inn.ways.prior > (held[11] or 0)


def test_nobody_is_told_what_is_believed_of_himself_nor_of_the_dead() -> None:
    inn = Inn(20)
    inn.believe(0, 1, 4.0)
    inn.believe(0, 2, 4.0)
    inn.people.whereabouts[2] = DEAD
    inn.open_doors(1)
    inn.people.tavern[2:] = NOBODY
    assert inn.talk(1) == [[0, 0, 0, 0]]
    assert (inn.beliefs.subject[1] == NOBODY).all()


def test_the_strongest_come_first_and_the_first_of_equals() -> None:
    mind = Mind(*np.empty((2, 3), np.int64), np.empty(3), np.empty(3, np.int64), np.empty(3))
    n = 0
    for subject, log_odds in enumerate([1.5, -3.0, 2.0, 3.0, -1.0, 6.0]):
        n = insert(mind, n, 3, subject, log_odds, 0.0)
    assert n == 3
    assert mind.subjects.tolist() == [5, 1, 3]
    assert slander(mind, 3, 3, 1) == 3
    assert mind.log_odds.tolist() == [6.0, 4.5, 3.0]
    assert slander(mind, 1, 3, 8) == 2
    assert mind.subjects[:2].tolist() == [5, 8]


# ---------------------------------------------------------------- lies


def liars(n: int = 30, **settings: Any) -> Inn:
    """An inn where all resent the last of them, and lie about him whenever they can."""
    inn = Inn(n, talk__lie_prob=1.0, **settings)
    inn.people.grudge[: n - 1] = n - 1
    inn.people.grudge_night[: n - 1] = 1
    return inn


def test_who_bears_a_grudge_invents_a_story_and_speaks_ill() -> None:
    inn = liars(talk__exaggerate_prob=0.0, talk__misplace_prob=0.0, talk__mistake_prob=0.0)
    tally = inn.evening(1)[0]
    rumors = inn.vine.rumors_frame(NO_EVENTS)
    assert len(rumors) == tally[N_VERSIONS] == 29
    assert set(rumors["changed"]) == {"invented"}
    assert set(rumors["subject_id"]) == {30}
    assert set(rumors["claim"]) == {"cheats", "owes"}
    assert (rumors["made_by"] != 30).all()
    owed = rumors[rumors["claim"] == "owes"]
    assert (owed["other_id"] == owed["made_by"]).all()
    assert (owed["amount_cp"] >= 1).all()
    assert set(rumors["truth"]) == {"false"}
    assert all(
        belief(inn, who, 29) is not None
        for who in set(inn.vine.tellings_frame()["listener_id"] - 1) - {29}
    )
    assert max(belief(inn, who, 29) or -9 for who in range(29)) > 0


@pytest.mark.parametrize(("night", "are_told"), [(31, True), (32, False)])
def test_a_grudge_is_forgotten_in_time(night: int, are_told: bool) -> None:
    inn = liars()
    assert (inn.evening(night)[0][N_VERSIONS] > 0) == are_told


def test_nobody_lies_about_the_dead_or_where_nobody_lies() -> None:
    inn = liars()
    inn.people.whereabouts[29] = DEAD
    assert inn.evening(1) == [[0, 0, 0, 0]]
    inn = Inn(30, talk__lie_prob=0.0)
    inn.people.grudge[:29], inn.people.grudge_night[:29] = 29, 1
    assert inn.evening(1) == [[0, 0, 0, 0]]


def test_where_there_are_no_rumours_a_lie_is_told_as_a_belief_alone() -> None:
    inn = liars(talk__rumors=0)
    tally = inn.evening(1)[0]
    assert tally[0] > 0
    assert tally[1:] == [0, 0, 0]
    assert (inn.vine.n_versions, inn.vine.n_tellings) == (0, 0)


# ---------------------------------------------------------------- rumours


def busy(nights: int = 8, n: int = 50, n_taverns: int = 2, **settings: Any) -> tuple[Inn, int]:
    """Houses where every night a few things happen; and the sum of what was counted."""
    inn, counted = Inn(n, n_taverns, **settings), np.zeros(4, np.int64)
    for night in range(1, nights + 1):
        inn.open_doors(night, go_out=0.7)
        out = np.flatnonzero(inn.people.tavern >= 0).tolist()
        for i, kind in enumerate(("big_win", "caught", "brawl", "dodged")):
            saw = out[5 * i : 5 * i + 5]
            place = {"tavern": i % n_taverns, "table": 0, "round_": i + 1}
            inn.vine.spring_plain(kind, night, saw[0], saw[1], witnesses=saw, amount=50, **place)
        counted += np.array(inn.talk(night)).sum(axis=0)
    return inn, counted  # type: ignore[return-value]


def test_every_telling_goes_back_to_one_who_saw_it_or_made_it_up() -> None:
    inn, _ = busy(talk__lie_prob=1.0, talk__mistake_prob=0.2, talk__exaggerate_prob=0.2)
    told, rumors = inn.vine.tellings_frame(), inn.vine.rumors_frame(NO_EVENTS)
    assert len(told) > 300
    tellings = {each.telling_id: each for each in told.itertuples()}
    versions = {each.rumor_id: each for each in rumors.itertuples()}
    for one in tellings.values():
        heard, known = versions[one.rumor_id], versions[one.told_rumor_id]
        assert heard.story_id == known.story_id
        assert (heard is known) or (heard.parent_id == known.rumor_id and not one.knew)
        assert one.changed == ("" if heard is known else heard.changed)
        if one.told_from:
            source = tellings[one.told_from]
            assert source.telling_id < one.telling_id
            assert (source.listener_id, source.rumor_id) == (one.teller_id, one.told_rumor_id)
            assert (source.believed, source.knew) == (True, False)
        else:
            assert known.rumor_id == known.story_id


def test_a_listener_takes_a_story_in_once() -> None:
    inn, _ = busy(talk__rumor_memory=64)
    told = inn.vine.tellings_frame()
    rumors = inn.vine.rumors_frame(NO_EVENTS).set_index("rumor_id")
    new = told[~told["knew"]]
    story = rumors["story_id"].reindex(new["rumor_id"]).to_numpy()
    assert not pd.Series(list(zip(new["listener_id"], story, strict=True))).duplicated().any()
    assert not (told["knew"] & told["believed"]).any()


def test_nobody_is_told_a_story_about_himself() -> None:
    inn, _ = busy()
    told = inn.vine.tellings_frame()
    subject = inn.vine.rumors_frame(NO_EVENTS).set_index("rumor_id")["subject_id"]
    assert (subject.reindex(told["told_rumor_id"]).to_numpy() != told["listener_id"]).all()


def test_what_is_counted_is_what_is_written_down() -> None:
    inn, counted = busy(talk__lie_prob=0.5)
    told = inn.vine.tellings_frame()
    assert counted[N_TOLD] == len(told) == inn.vine.n_tellings
    assert counted[N_BELIEVED] == told["believed"].sum()
    sprung = 4 * 8
    assert counted[N_VERSIONS] == inn.vine.n_versions - sprung


def test_a_story_is_told_for_so_many_nights_after_one_heard_it() -> None:
    inn = Inn(40, talk__fresh_nights=3, talk__stifle_prob=0.0)
    inn.open_doors(1)
    inn.vine.spring_plain("killed", 1, 0, witnesses=range(5), tavern=0)
    for night in range(1, 12):
        inn.evening(night)
    told = inn.vine.tellings_frame()
    first = told[~told["knew"]].set_index("listener_id")["night"]
    since = told["night"] - first.reindex(told["teller_id"]).fillna(1).to_numpy()
    assert since.max() == 2


def test_disbelievers_do_not_tell_it_on() -> None:
    nobody = Choices(believes=lambda listener, distrust, prior, prob, u: False)
    inn = Inn(30, talk__tell_prob=1.0)
    inn.open_doors(1)
    inn.vine.spring_plain("killed", 1, 0, witnesses=(0, 1), tavern=0)
    for night in range(1, 6):
        inn.open_doors(night)
        inn.talk(night, nobody)
    told = inn.vine.tellings_frame()
    assert len(told) > 2
    assert set(told["teller_id"]) <= {1, 2}
    assert not told["believed"].any()


def test_no_more_are_told_to_each_than_the_scenario_says() -> None:
    inn = Inn(30, talk__contacts=1, talk__rumors=2, talk__tell_prob=1.0)
    inn.open_doors(1)
    for row in range(20):
        inn.vine.spring_plain("killed", 1, row, witnesses=range(30), tavern=0)
    inn.talk(1)
    told = inn.vine.tellings_frame()
    assert set(told.groupby("teller_id").size()) == {2}


def test_a_players_character_listens_and_says_nothing_by_himself() -> None:
    inn = Inn(20, talk__tell_prob=1.0)
    inn.people.is_player[3] = 1
    for night in range(1, 6):
        inn.open_doors(night)
        inn.vine.spring_plain("killed", night, 0, witnesses=(3, 4), tavern=0)
        inn.talk(night)
    told = inn.vine.tellings_frame()
    assert 4 not in set(told["teller_id"])
    assert 4 in set(told["listener_id"])


# ---------------------------------------------------------------- switched off, and on


def test_rumours_move_neither_beliefs_nor_meetings() -> None:
    def told(**settings: Any) -> Inn:
        inn = Inn(40, **settings)
        for night in range(1, 4):
            inn.open_doors(night)
            for who in range(40):
                inn.believe(who, (who + night) % 40, 3.0, night)
            inn.vine.spring_plain("caught", night, 3, witnesses=range(6), tavern=0)
            inn.talk(night)
        return inn

    both, beliefs, rumors = told(), told(talk__rumors=0), told(talk__beliefs=0)
    assert (beliefs.vine.n_versions, beliefs.vine.n_tellings) == (0, 0)
    np.testing.assert_array_equal(both.beliefs.held.log_odds, beliefs.beliefs.held.log_odds)
    np.testing.assert_array_equal(both.acquaintances.other, beliefs.acquaintances.other)
    np.testing.assert_array_equal(both.acquaintances.other, rumors.acquaintances.other)
    first = rumors.vine.tellings_frame().query("night == 1")
    pd.testing.assert_frame_equal(
        both.vine.tellings_frame().query("night == 1")[["teller_id", "listener_id"]],
        first[["teller_id", "listener_id"]],
    )


@pytest.mark.parametrize("setting", ["talk__contacts", "talk__rumors"])
def test_where_nobody_tells_rumours_none_springs(setting: str) -> None:
    inn, counted = busy(3, **{setting: 0})
    assert counted[1:].tolist() == [0, 0, 0]  # type: ignore[index]
    assert (inn.vine.n_versions, inn.vine.n_tellings) == (0, 0)
    assert len(inn.vine.rumors_frame(NO_EVENTS)) == len(inn.vine.tellings_frame()) == 0


def test_a_pickled_grapevine_goes_on_as_it_would_have() -> None:
    inn, _ = busy(4)
    inn.vine = pickle.loads(pickle.dumps(inn.vine))
    again, _ = busy(4)
    for one in (inn, again):
        for night in (5, 6):
            one.evening(night, 0.7)
    pd.testing.assert_frame_equal(inn.vine.tellings_frame(), again.vine.tellings_frame())


def test_newcomers_have_heard_nothing_yet() -> None:
    inn, _ = busy(3)
    before = inn.vine.store.story.copy()
    inn.vine.grow(70)
    assert inn.vine.store.story.shape[0] == len(inn.vine.store.n_heard) == 70
    np.testing.assert_array_equal(inn.vine.store.story[:50], before)
    assert (inn.vine.store.story[50:] == NOBODY).all()


def test_settings_arrive() -> None:
    inn = Inn(
        4, talk__stifle_prob=0.25, justice__grudge_nights=9, population__honesty_odds_ratio=0.5
    )
    talk = make_talk(inn.scenario)
    assert (talk.contacts, talk.acquainted_prob, talk.n_beliefs, talk.extreme) == (3, 0.8, 3, 1.0)
    how = talk.how
    assert (how.stifle_prob, how.grudge_nights, how.fresh_nights) == (0.25, 9, 7)
    assert how.honesty == pytest.approx(math.log(0.5))


PROGRAM = """
import hashlib
from tests.society.test_talk import busy
inn, counted = busy(4, talk__lie_prob=0.5, talk__mistake_prob=0.2)
told = inn.vine.tellings_frame().to_csv() + str(counted)
held = inn.beliefs.held.tobytes() + inn.acquaintances.tobytes() + inn.vine.store.known.tobytes()
print(hashlib.sha256(told.encode() + held).hexdigest())
"""


@pytest.mark.slow
def test_compiled_and_plain_talk_are_the_same() -> None:
    compiled, plain = with_and_without_numba(PROGRAM)
    assert compiled == plain


# The share of a house that knows a story five saw, after so many nights: from a first
# simulation of the same model, good to two digits.
REACH = {3: 0.24, 5: 0.36, 7: 0.45, 10: 0.52}


@pytest.mark.slow
def test_how_far_a_story_gets() -> None:
    shares = []
    for seed in range(150):
        inn = Inn(120, seed=seed)
        by_night = {}
        for night in range(1, 11):
            inn.open_doors(night, go_out=0.6)
            if night == 1:
                table = np.flatnonzero(inn.people.tavern == 0)[:5].tolist()
                inn.vine.spring_plain("too_lucky", 1, table[0], witnesses=table, tavern=0)
            inn.talk(night)
            by_night[night] = (inn.vine.store.story == 0).any(axis=1).mean()
        shares.append([by_night[night] for night in REACH])
    mean, error = np.mean(shares, axis=0), np.std(shares, axis=0, ddof=1) / len(shares) ** 0.5
    for i, published in enumerate(REACH.values()):
        # Half a digit is what the published figure leaves open.
        assert mean[i] == pytest.approx(published, abs=4 * error[i] + 0.005)
