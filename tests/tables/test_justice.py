"""Accusations, verdicts and sentences, as a town lives through them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import exp, sqrt
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from tavern_abm import TavernModel
from tavern_abm.patrons.columns import DEAD, HERE, NOBODY
from tavern_abm.society.judgement import BEATEN, KILLED, NONE, OUT
from tavern_abm.society.suspicion import find, log_odds_now, memory_of, place, write
from tavern_abm.tables.accounts import ESTATE
from tavern_abm.tables.justice import is_cheat, judge, note_aftermath, repay
from tavern_abm.tables.record import ACCUSED, CAUGHT, COUNTS, blank_notes
from tavern_abm.tables.rotting_toes import Choices, blank_scratch
from tavern_abm.tables.seats import World, blank_tables
from tavern_abm.tables.sentencing import sentence
from tavern_abm.town.day import living_cost
from tests.strategies import CUSTOMS, DICE_ALONE

SENTENCES = ("warned", "thrown_out", "banned", "beaten", "killed")
N_NIGHTS = 40
SURE = 1e-4
ROUGH = {
    "patrons": 80,
    "population.share_of_cheats": 0.4,
    "minds.tau": 0.8,
    "justice.accuse_prob": 0.8,
    "justice.threshold_mean": -0.5,
    # Who runs and who pays is another matter: see test_flight.
    "flight.runs": False,
    "bribes.bribe_prob": 0.0,
}


@dataclass
class Town:
    """A run, with who was out and what everybody held, night by night."""

    model: TavernModel
    out: list[np.ndarray] = field(default_factory=list)
    gold: list[np.ndarray] = field(default_factory=list)
    bruised: list[np.ndarray] = field(default_factory=list)

    def live(self, nights: int) -> None:
        for _ in range(nights):
            people = self.model.people
            self.gold.append(people.gold.copy())
            self.bruised.append(people.bruised_until.copy())
            self.model.run_for(1)
            people = self.model.people
            # Those who have gone keep the columns of their last evening.
            is_here = (people.whereabouts == HERE) | (people.gone == self.model.time)
            self.out.append(((people.tavern != NOBODY) | (people.sitting > 0)) & is_here)

    def was_out(self, row: int, night: int) -> bool:
        return bool(self.out[night - 1][row])


@pytest.fixture(scope="module", params=CUSTOMS)
def town(request: pytest.FixtureRequest) -> Town:
    town = Town(TavernModel(DICE_ALONE, rng=9, **ROUGH | {"taverns.0.custom": request.param}))
    town.live(N_NIGHTS)
    return town


def custom_of(town: Town) -> Any:
    return town.model.data.customs[town.model.scenario.taverns[0].custom]


def sentences(town: Town) -> pd.DataFrame:
    events = town.model.events
    return events[events.kind.isin(SENTENCES)]


def test_only_what_the_custom_allows(town: Town) -> None:
    allowed = {name for name, odds in zip(SENTENCES, custom_of(town).odds, strict=True) if odds}
    found = sentences(town)
    by_vote, caught = found[found.other_id > 0], found[found.other_id == 0]
    assert set(by_vote.kind) == allowed or (len(by_vote) < 60 and set(by_vote.kind) <= allowed)
    # A trick confirmed costs him the evening at the least.
    assert set(caught.kind) <= (allowed - {"warned"}) | {"thrown_out"}
    assert len(caught) > 10
    assert len(by_vote) > 10


def test_sentences_fall_at_their_odds(town: Town) -> None:
    """Those for a trick with a warning turned into the door; four customs leave a choice."""
    odds = np.array(custom_of(town).odds)
    merged = np.array([odds[0] + odds[1], *odds[2:]])
    kinds = sentences(town).kind.replace("warned", "thrown_out")
    found = np.array([(kinds == name).sum() for name in SENTENCES[1:]])
    assert not found[merged == 0].any()
    if (merged > 0).sum() > 1:
        expected = merged[merged > 0] * found.sum()
        assert stats.chisquare(found[merged > 0], expected).pvalue > SURE


def test_everybody_found_guilty_is_sentenced_and_nobody_else(town: Town) -> None:
    events = town.model.events
    where = ["night", "round", "tavern_id", "table_id", "patron_id"]
    guilty = events[events.kind.isin(("convicted", "caught"))][where].values.tolist()
    assert sentences(town)[where].values.tolist() == guilty


def test_the_thrown_out_play_no_more_tonight(town: Town) -> None:
    events = town.model.events
    away = events[events.kind.isin((*SENTENCES[1:], "too_lucky"))]
    left_at = {(e.night, e.patron_id): e.round for e in away.itertuples()}
    for event in events[events["round"] > 0].itertuples():
        present = {event.patron_id, *event.witnesses}
        for patron_id in present:
            at = left_at.get((event.night, patron_id))
            assert at is None or event.round <= at


def test_the_banned_do_not_come_back_too_soon(town: Town) -> None:
    nights = custom_of(town).ban_nights
    banned = town.model.events.query("kind == 'banned'")
    back = 0
    for event in banned.itertuples():
        row = event.patron_id - 1
        end = min(N_NIGHTS, event.night + nights)
        assert not any(town.was_out(row, n) for n in range(event.night + 1, end + 1))
        back += any(town.was_out(row, n) for n in range(end + 1, min(N_NIGHTS, end + 5) + 1))
    if nights and nights < 20 and len(banned):
        assert back > 0


def test_the_beaten_stay_at_home_and_earn_nothing(town: Town) -> None:
    people, events = town.model.people, town.model.events
    beaten = events[events.kind.isin(("beaten", "too_lucky"))]
    rests = []
    for event in beaten.itertuples():
        row, night = event.patron_id - 1, event.night
        until = town.bruised[night][row] if night < N_NIGHTS else people.bruised_until[row]
        rests.append(int(until) - night)
        for n in range(night + 1, min(N_NIGHTS, int(until)) + 1):
            assert not town.was_out(row, n)
            before = int(town.gold[n - 1][row])
            after = int(town.gold[n][row]) if n < N_NIGHTS else int(people.gold[row])
            is_here = people.whereabouts[row] == HERE
            if is_here:
                assert after == before - living_cost(before, int(people.wage[row]))
    assert Counter(rests).keys() <= {1, 2, 3, 4, 5, 6}
    if len(rests) > 60:
        assert stats.chisquare(np.bincount(rests, minlength=7)[1:]).pvalue > SURE


def test_the_killed_are_dead_and_their_purses_go_to_their_heirs(town: Town) -> None:
    model = town.model
    killed = model.events.query("kind == 'killed'")
    dead = np.flatnonzero(model.people.whereabouts == DEAD)
    assert sorted(killed.patron_id - 1) == dead.tolist()
    assert not model.people.gold[dead].any()
    ledger = model.results()["ledger"].query("reason == 'estate' and tavern_id == 1")
    assert ledger.amount_cp.sum() == killed.amount_cp.sum()
    by_night = killed[killed.amount_cp > 0].groupby("night").amount_cp.sum()
    assert ledger.groupby("night").amount_cp.sum().to_dict() == by_night.to_dict()
    for event in killed.itertuples():
        assert model.people.gone[event.patron_id - 1] == event.night
        assert not any(town.was_out(event.patron_id - 1, n) for n in range(event.night + 1, 41))
        with pytest.raises(KeyError):
            model.patron(event.patron_id)


def test_nobody_accuses_twice_a_night_nor_before_few_judges(town: Town) -> None:
    accused = town.model.events.query("kind == 'accused'")
    assert not accused.duplicated(["night", "patron_id"]).any()
    assert not accused.duplicated(["night", "round", "tavern_id", "table_id"]).any()
    assert (accused.witnesses.map(len) >= 2).all()
    assert len(accused) > 20


def test_brawlers_stay_at_home_for_a_night(town: Town) -> None:
    brawls = town.model.events.query("kind == 'brawl'")
    for event in brawls.itertuples():
        for patron_id in (event.patron_id, event.other_id):
            if event.night < N_NIGHTS:
                assert not town.was_out(patron_id - 1, event.night + 1)


def test_the_lucky_are_beaten_by_that_custom_alone(town: Town) -> None:
    lucky = town.model.events.query("kind == 'too_lucky'")
    assert (len(lucky) > 0) == (custom_of(town).lucky_wins > 0)


# ---------------------------------------------------------------- laws


def test_the_fourth_win_brings_the_beating() -> None:
    """Of Hand turns begun with a streak of 3, as many end in a beating as an honest Hand wins."""
    model = TavernModel(
        DICE_ALONE,
        rng=31,
        patrons=1200,
        **{
            "taverns.0.custom": "orc",
            "population.share_of_cheats": 1e-9,
            "justice.accusations": False,
        },
    )
    model.run_for(12)
    nights = model.nights
    chances, p = nights.too_lucky_chances.sum(), 397 / 972
    assert chances > 500
    error = sqrt(p * (1 - p) / chances)
    assert nights.too_lucky.sum() / chances == pytest.approx(p, abs=4 * error)


def test_brawls_after_acquittals_are_at_their_chance() -> None:
    settings = ROUGH | {"patrons": 600, "population.share_of_cheats": 0.05}
    model = TavernModel(DICE_ALONE, rng=31, **settings)
    model.run_for(25)
    nights = model.nights
    cleared = int(nights.cleared.sum())
    assert cleared > 200
    assert stats.binomtest(int(nights.brawls.sum()), cleared, 0.15).pvalue > SURE


def test_nobody_accuses_where_that_is_switched_off() -> None:
    model = TavernModel(DICE_ALONE, rng=9, **ROUGH | {"justice.accusations": False})
    model.run_for(10)
    nights = model.nights
    assert nights[["accusations_just", "accusations_unjust", "cleared", "brawls"]].sum().sum() == 0
    assert nights.tricks_convicted.sum() > 0


# ---------------------------------------------------------------- single rules


def a_table(*purses: int, custom: str = "orc") -> tuple[World, Any]:
    """A table of people with these purses, the first of them the Hand, in the first tavern."""
    settings = {"people": [], "taverns.0.custom": custom}
    model = TavernModel(DICE_ALONE, rng=1, **settings, patrons=len(purses))
    model.people.gold[:], model.people.tavern[:] = purses, 0
    model.people.is_cheat[:], model.people.threshold[:] = 0, 0.7
    world = model.world()
    tables = blank_tables(1, 6)
    tables.seats[0, : len(purses)] = range(len(purses))
    tables.key[0], tables.stake[0] = 12345, 10
    return world, tables


def books() -> tuple[np.ndarray, np.ndarray]:
    return np.zeros((1, len(COUNTS)), np.int64), np.zeros((2, 20, 12), np.int64)


def test_a_player_is_beaten_where_others_are_killed() -> None:
    for is_player, what in ((0, KILLED), (1, BEATEN)):
        world, _ = a_table(100, 100)
        world.people.is_player[0] = is_player
        counts, flows = books()
        found, nights, estate = sentence(world, 0, KILLED, 0, 12345, 3, 5, counts, flows)
        assert found == what
        assert (estate, int(flows[1, ESTATE].sum())) == ((0, 0) if is_player else (100, 100))
        assert (1 <= nights <= 6) == bool(is_player)
        assert (world.people.whereabouts[0] == DEAD) == (not is_player)


def test_a_convicted_hand_pays_back_what_he_can() -> None:
    for purse, back in ((1000, [-31, 11, 10, 10]), (20, [-20, 7, 7, 6]), (0, [0, 0, 0, 0])):
        world, tables = a_table(purse, 50, 50, 50, 50)
        net = np.array([31, -11, -10, -10, 0, 0])
        _, flows = books()
        before = world.people.gold.tolist()
        paid = repay(world.people, tables.seats[0], 0, 0, flows, net)
        change = [int(now) - was for now, was in zip(world.people.gold, before, strict=True)]
        assert change == [*back, 0]
        assert paid == -back[0]


def test_the_truth_is_of_the_kind_and_has_tried() -> None:
    world, _ = a_table(1, 1, 1, 1)
    world.people.is_cheat[:], world.people.tries[:] = [0, 0, 1, 1], [0, 3, 0, 2]
    assert [is_cheat(world.people[row]) for row in range(4)] == [0, 0, 0, 1]


def choices(accuses: Any) -> Any:
    """Nobody bets or cheats, pays the warden or runs; somebody may accuse."""
    never = dict.fromkeys(Choices._fields)
    return Choices(**never | {"accuses": accuses, "offers_bribe": refuses, "flees": refuses})


def refuses(*_: Any) -> bool:
    return False


def judged(world: World, tables: Any, how: str, accuses: Any, net: list[int]) -> Any:
    """The aftermath of a round that ended so, and what the counts say."""
    counts, flows = books()
    scratch = blank_scratch(6)
    scratch.net[:] = [*net, *[0] * (6 - len(net))]
    for seat in range(1, len(net)):
        scratch.places[seat] = find(memory_of(world.beliefs, seat), 0)
    ends = how == "void", how == "won", False
    after = judge(world, tables, 0, 0, *ends, choices(accuses), 5, 3, counts, flows, scratch)
    return after, counts


def test_after_a_lost_round_nobody_is_judged() -> None:
    world, tables = a_table(100, 100, 100, 100)
    never = lambda *_: pytest.fail("asked")  # noqa: E731
    after, counts = judged(world, tables, "lost", never, [0, 0, 0, 0])
    assert after.penalty.sentence == NONE
    assert not counts.any()


def test_a_trick_confirmed_costs_the_evening_in_the_laxest_house() -> None:
    world, tables = a_table(100, 100, custom="lax")
    after, _ = judged(world, tables, "void", None, [0, 0])
    assert after.penalty.sentence == OUT
    assert world.people.tavern[0] == NOBODY
    assert tables.seats[0, 0] == NOBODY


def believe(world: World, log_odds: dict[int, float]) -> None:
    """Let people hold these log-odds about the first."""
    for row, value in log_odds.items():
        memory = memory_of(world.beliefs, row)
        k = place(memory, 0, 5, world.ways)
        write(memory, k, value, 5, world.ways)


def tried(log_odds: dict[int, float], brawl_prob: float = 0.0) -> tuple[World, Any, Any]:
    """A table of five of whom the second accuses the first, who won from two of them."""
    world, tables = a_table(100, 100, 100, 100, 100, custom="lax")
    world = world._replace(justice=world.justice._replace(brawl_prob=brawl_prob))
    believe(world, log_odds)
    cell = blank_notes(1, 0).blank[0]
    cell["rows"][:5], cell["seated"], cell["night"] = range(5), 31, 5
    after, _ = judged(world, tables, "won", lambda *_: True, [30, -15, -15, 0, 0])
    cell["notable"] = ACCUSED
    note_aftermath(cell, after, world)
    return world, after, cell


SURE_OF_IT = {1: 4.0, 2: 4.0, 3: 4.0}
UNSURE = {1: 2.0, 2: -3.0, 3: -3.0}


def test_what_the_table_believed_is_written_down_after_the_accuser_has_spoken() -> None:
    world, _, cell = tried(SURE_OF_IT)
    beliefs = cell["beliefs"].tolist()
    assert beliefs[0] == -1
    assert beliefs[5:] == [-1] * 7
    for seat in range(1, 5):
        memory = memory_of(world.beliefs, seat)
        now = log_odds_now(memory, find(memory, 0), 5, world.ways)
        assert beliefs[seat] == round(10_000 / (1 + exp(-now)))
    # The last judge held nothing before, and has heard the accuser.
    assert 1000 < beliefs[4] < beliefs[3]
    assert cell["n_guilty"] == sum(each > 5000 for each in beliefs[2:5])


def test_a_brawl_leaves_the_accusers_belief_on_record() -> None:
    _, after, cell = tried(UNSURE, brawl_prob=1.0)
    assert after.brawl == 1
    assert cell["beliefs"][1] == round(10_000 / (1 + exp(-2.0)))


def test_no_beliefs_are_written_down_where_nobody_stands_trial() -> None:
    world, tables = a_table(100, 100, 100, 100)
    believe(world, {1: 2.0})
    after, _ = judged(world, tables, "lost", None, [-30, 10, 10, 10])
    for notable, found in ((0, -1), (CAUGHT, 8808)):
        cell = blank_notes(1, 0).blank[0]
        cell["rows"][:4], cell["seated"], cell["night"], cell["notable"] = range(4), 15, 5, notable
        note_aftermath(cell, after, world)
        assert cell["beliefs"][1] == found
        assert (cell["beliefs"][2:] == -1).all()


def test_who_bears_whom_a_grudge_after_a_trial() -> None:
    for log_odds, grudges in (
        # Convicted: he against his accuser, the losers against him.
        (SURE_OF_IT, [1, 0, 0, NOBODY, NOBODY]),
        # Cleared: he against his accuser, and nobody else.
        (UNSURE, [1, NOBODY, NOBODY, NOBODY, NOBODY]),
    ):
        world, _, _ = tried(log_odds)
        assert world.people.grudge.tolist() == grudges
        assert set(world.people.grudge_night[world.people.grudge != NOBODY].tolist()) == {5}
