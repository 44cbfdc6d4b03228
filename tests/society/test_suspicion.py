"""The network of beliefs: fading, a bounded memory, what is seen, what is heard."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm import Scenario
from tavern_abm.patrons.columns import NOBODY, grown
from tavern_abm.patrons.decisions.general import logistic, logit
from tavern_abm.society.suspicion import (
    BOUND,
    FADE_NIGHTS,
    Beliefs,
    Ways,
    blank_beliefs,
    count_anew,
    edges,
    fading,
    find,
    forget_tellers,
    hear,
    heard,
    log_odds_now,
    memory_of,
    place,
    recall,
    settle,
    to_networkx,
    with_belief,
    witness,
)
from tavern_abm.town.setup import make_ways
from tests.strategies import log_odds, probs

PRIOR = logit(0.10)


def ways(**settings: Any) -> Ways:
    """How beliefs are formed by default, but for these settings of suspicion."""
    changes = {f"suspicion.{name}": value for name, value in settings.items()}
    return make_ways(Scenario().with_settings(changes))


def believe(
    beliefs: Beliefs, who: int, about: int, log_odds: float, night: int, how: Ways, own: int = 0
) -> int:
    """Let somebody believe so much, having seen `own` rounds himself; the place of it."""
    k = place(memory_of(beliefs, who), about, night, how)
    witness(
        memory_of(beliefs, who),
        k,
        log_odds - log_odds_now(memory_of(beliefs, who), k, night, how),
        night,
        how,
    )
    beliefs.held.n_own[who, k] = own
    return k


# ---------------------------------------------------------------- fading


def test_the_half_life_of_a_belief() -> None:
    half = math.log(0.5) / math.log(0.95)
    assert half == pytest.approx(13.5134, abs=1e-4)
    left = fading(0.95)
    assert left[13] > 0.5 > left[14]
    assert left[13] * 0.95 ** (half - 13) == pytest.approx(0.5, abs=1e-12)


@given(probs)
def test_fading_is_a_power(factor: float) -> None:
    left = fading(factor)
    assert left.shape == (FADE_NIGHTS,)
    assert (left[0], left[1]) == (1.0, factor)
    np.testing.assert_allclose(left[:200], factor ** np.arange(200), rtol=1e-12, atol=1e-300)


@given(log_odds, st.integers(0, 60), st.booleans())
def test_a_belief_fades_towards_the_prior_when_it_is_read(
    start: float, nights: int, is_settled: bool
) -> None:
    how, beliefs = ways(), blank_beliefs(1, 4)
    k = believe(beliefs, 0, 3, start, 5, how)
    if is_settled:
        settle(memory_of(beliefs, 0), k, 5, how)
        start = BOUND
    factor = 0.99 if is_settled else 0.95
    expected = PRIOR + (start - PRIOR) * factor**nights
    assert log_odds_now(memory_of(beliefs, 0), k, 5 + nights, how) == pytest.approx(
        expected, abs=1e-5
    )
    assert beliefs.held.moved[0, k] == 5  # reading writes nothing


def test_fading_counts_from_the_night_it_last_moved() -> None:
    how, beliefs = ways(), blank_beliefs(1, 4)
    k = believe(beliefs, 0, 3, 4.0, 1, how)
    witness(memory_of(beliefs, 0), k, 0.0, 11, how)
    witness(memory_of(beliefs, 0), k, 1.0, 11, how)
    faded = PRIOR + (4.0 - PRIOR) * 0.95**10 + 1.0
    assert log_odds_now(memory_of(beliefs, 0), k, 11, how) == pytest.approx(faded, abs=1e-5)
    later = PRIOR + (faded - PRIOR) * 0.95**5
    assert log_odds_now(memory_of(beliefs, 0), k, 16, how) == pytest.approx(later, abs=1e-5)
    assert beliefs.held.n_own[0, k] == 2.0


def test_own_rounds_fade_too() -> None:
    how, beliefs = ways(), blank_beliefs(1, 4)
    k = place(memory_of(beliefs, 0), 3, 1, how)
    for _ in range(5):
        witness(memory_of(beliefs, 0), k, 0.1, 1, how)
    witness(memory_of(beliefs, 0), k, 0.1, 8, how)
    assert beliefs.held.n_own[0, k] == pytest.approx(5 * 0.95**7 + 1, rel=1e-6)


def test_a_very_old_belief_is_as_good_as_gone() -> None:
    how, beliefs = ways(), blank_beliefs(1, 2)
    k = believe(beliefs, 0, 1, 6.0, 1, how)
    assert log_odds_now(memory_of(beliefs, 0), k, 10**6, how) == pytest.approx(PRIOR, abs=1e-9)


# ---------------------------------------------------------------- what is seen


def test_what_is_seen_adds_up_within_the_bounds() -> None:
    how, beliefs = ways(), blank_beliefs(1, 4)
    k = place(memory_of(beliefs, 0), 3, 1, how)
    witness(memory_of(beliefs, 0), k, 1.18, 1, how)
    witness(memory_of(beliefs, 0), k, -0.53, 1, how)
    assert log_odds_now(memory_of(beliefs, 0), k, 1, how) == pytest.approx(PRIOR + 0.65, abs=1e-6)
    witness(memory_of(beliefs, 0), k, 50.0, 1, how)
    assert beliefs.held.log_odds[0, k] == 6.0
    witness(memory_of(beliefs, 0), k, -50.0, 1, how)
    assert beliefs.held.log_odds[0, k] == -6.0


@given(st.lists(st.tuples(st.sampled_from(["see", "hear", "night"]), log_odds), max_size=30))
def test_nothing_moves_a_settled_belief_but_time(moves: list[tuple[str, float]]) -> None:
    how, beliefs, night = ways(teller_memory=0), blank_beliefs(1, 4), 1
    k = place(memory_of(beliefs, 0), 3, 1, how)
    settle(memory_of(beliefs, 0), k, 1, how)
    for what, amount in moves:
        if what == "see":
            witness(memory_of(beliefs, 0), k, amount, night, how)
        elif what == "hear":
            hear(memory_of(beliefs, 0), 3, 2, amount, night, how)
        else:
            night += 1
    expected = PRIOR + (6.0 - PRIOR) * 0.99 ** (night - 1)
    assert log_odds_now(memory_of(beliefs, 0), k, night, how) == pytest.approx(expected, abs=1e-4)
    assert beliefs.held.settled[0, k] == 1


# ---------------------------------------------------------------- a bounded memory


@dataclass
class PlainMemory:
    """The rule of a full memory, written down as it is told."""

    room: int
    fade: float
    settled_fade: float
    beliefs: dict[int, list[float]] = field(default_factory=dict)  # log-odds tonight, settled

    def sleep(self) -> None:
        for belief in self.beliefs.values():
            left = self.settled_fade if belief[1] else self.fade
            belief[0] = PRIOR + (belief[0] - PRIOR) * left

    def strength(self, about: int) -> tuple[float, float]:
        log_odds, is_settled = self.beliefs[about]
        return is_settled, abs(log_odds - PRIOR)

    def may_go(self, about: int) -> list[int]:
        """Who may go to make room for him: more than one where two are about as weak."""
        if about in self.beliefs or len(self.beliefs) < self.room:
            return []
        is_settled, least = min(map(self.strength, self.beliefs))
        return [
            each
            for each in self.beliefs
            if self.strength(each)[0] == is_settled and self.strength(each)[1] <= least + 1e-5
        ]


MOMENTS = st.lists(
    st.tuples(
        st.sampled_from(["see", "see", "see", "settle", "sleep", "sleep long"]),
        st.integers(1, 9),
        st.floats(-3, 3),
    ),
    max_size=60,
)


@given(
    MOMENTS,
    st.integers(1, 5),
    st.sampled_from([0.0, 1e-20, 0.5, 0.95, 1.0]),
    st.sampled_from([0.5, 0.99, 1.0]),
    st.sampled_from([1, 4000]),
)
def test_a_full_memory_loses_the_weakest_belief(
    moments: list[tuple[str, int, float]], room: int, fade: float, settled_fade: float, first: int
) -> None:
    how = ways(fading=fade, settled_fading=settled_fade)
    beliefs, plain, night = blank_beliefs(1, room), PlainMemory(room, fade, settled_fade), first
    how = count_anew(beliefs, night, how)
    for what, about, shift in moments:
        if what.startswith("sleep"):
            for _ in range(1 if what == "sleep" else 40):
                plain.sleep()
                night += 1
                how = count_anew(beliefs, night, how)
            continue
        memory, may_go = memory_of(beliefs, 0), plain.may_go(about)
        k = place(memory, about, night, how)
        left = set(memory.subject.tolist()) - {NOBODY}
        gone = set(plain.beliefs) - left
        assert gone <= set(may_go)
        assert len(gone) == (1 if may_go else 0)
        for each in gone:
            del plain.beliefs[each]
        belief = plain.beliefs.setdefault(about, [PRIOR, 0])
        assert left == set(plain.beliefs)
        witness(memory, k, shift, night, how)
        if not belief[1]:
            belief[0] = min(6.0, max(-6.0, belief[0] + shift))
        if what == "settle":
            settle(memory, k, night, how)
            belief[:] = [6.0, 1]
        for each, (expected, is_settled) in plain.beliefs.items():
            at = find(memory, each)
            assert log_odds_now(memory, at, night, how) == pytest.approx(expected, abs=1e-4)
            assert memory.held.settled[at] == is_settled


def test_the_weakest_tonight_goes_not_the_weakest_when_it_was_formed() -> None:
    how, beliefs = ways(), blank_beliefs(1, 2)
    believe(beliefs, 0, 1, PRIOR + 2.0, 1, how)
    believe(beliefs, 0, 2, PRIOR + 1.0, 31, how)  # 2 x .95^30 = 0.43 by now
    place(memory_of(beliefs, 0), 3, 31, how)
    assert sorted(beliefs.subject[0].tolist()) == [2, 3]


def test_the_settled_go_last() -> None:
    how, beliefs = ways(), blank_beliefs(1, 2)
    settle(memory_of(beliefs, 0), place(memory_of(beliefs, 0), 1, 1, how), 1, how)
    believe(beliefs, 0, 2, -6.0, 200, how)  # stronger by then than the settled one
    place(memory_of(beliefs, 0), 3, 200, how)
    assert sorted(beliefs.subject[0].tolist()) == [1, 3]
    settle(memory_of(beliefs, 0), find(memory_of(beliefs, 0), 3), 200, how)
    place(memory_of(beliefs, 0), 4, 200, how)
    assert sorted(beliefs.subject[0].tolist()) == [3, 4]


def test_a_new_belief_begins_afresh_in_the_place_of_an_old_one() -> None:
    how, beliefs = ways(), blank_beliefs(1, 1)
    k = believe(beliefs, 0, 1, 3.0, 1, how, own=7)
    beliefs.told[0, k] = 5
    settle(memory_of(beliefs, 0), k, 1, how)
    assert place(memory_of(beliefs, 0), 2, 9, how) == k
    assert log_odds_now(memory_of(beliefs, 0), k, 9, how) == pytest.approx(PRIOR, abs=1e-6)
    held = beliefs.held[0, k]
    assert (held.n_own, held.settled, held.moved) == (0.0, 0, 9)
    assert beliefs.told[0, k] == 0


@pytest.mark.parametrize(
    ("fade", "night"), [(0.0, 2), (0.5, 400), (0.9, 3000), (0.95, 5000), (0.999, 20_000)]
)
def test_however_fast_beliefs_fade_the_weakest_tonight_goes(fade: float, night: int) -> None:
    how, beliefs = ways(fading=fade), blank_beliefs(1, 2)
    was = max(1, night - math.ceil(4 / (1 - fade)))  # so that hardly anything is left of it
    for each in range(1, night + 1):
        how = count_anew(beliefs, each, how)
        if each == was:
            believe(beliefs, 0, 1, 4.0, each, how)
    believe(beliefs, 0, 2, PRIOR + 0.5, night, how)
    place(memory_of(beliefs, 0), 3, night, how)
    assert sorted(beliefs.subject[0].tolist()) == [2, 3]


def test_the_settled_go_last_however_fast_they_fade() -> None:
    how, beliefs = ways(settled_fading=0.0), blank_beliefs(1, 2)
    memory = memory_of(beliefs, 0)
    for night in (1, 2, 3):
        how = count_anew(beliefs, night, how)
        if night == 1:
            settle(memory, place(memory, 1, night, how), night, how)
    believe(beliefs, 0, 2, 1.0, 3, how)
    place(memory, 3, 3, how)
    assert sorted(beliefs.subject[0].tolist()) == [1, 3]


def test_places_are_found_and_recalling_changes_nothing() -> None:
    how, beliefs = ways(), blank_beliefs(2, 3)
    assert find(memory_of(beliefs, 1), 5) == NOBODY
    believe(beliefs, 1, 5, 1.0, 4, how)
    k = believe(beliefs, 1, 6, 1.0, 7, how)
    assert find(memory_of(beliefs, 1), 6) == k == place(memory_of(beliefs, 1), 6, 8, how)
    assert find(memory_of(beliefs, 0), 6) == NOBODY
    before = [array.copy() for array in beliefs]
    assert recall(memory_of(beliefs, 0)) == 0
    assert 0 <= recall(memory_of(beliefs, 1)) <= 7
    assert all((array == was).all() for array, was in zip(beliefs, before, strict=True))


def test_a_town_that_grows_keeps_its_beliefs() -> None:
    how, few = ways(), blank_beliefs(1, 3)
    believe(few, 0, 5, 2.0, 1, how)
    many = grown(few, blank_beliefs(2, 3))
    assert many.subject.shape == (3, 3)
    assert log_odds_now(memory_of(many, 0), find(memory_of(many, 0), 5), 1, how) == pytest.approx(
        2.0, abs=1e-6
    )
    believe(many, 2, 0, 1.0, 1, how)
    assert find(memory_of(few, 0), 0) == NOBODY


# ---------------------------------------------------------------- hearsay


@given(log_odds, st.floats(-10, 10), st.floats(0, 500), probs, probs)
def test_a_telling_never_leads_past_what_is_told(
    mine: float, told: float, n_own: float, distrust: float, hearsay: float
) -> None:
    said = min(4.5, max(-4.5, told))
    now = heard(mine, told, n_own, distrust, hearsay)
    assert min(mine, said) - 1e-9 <= now <= max(mine, said) + 1e-9
    if abs(mine) > 4.5 and mine * said > 0:
        assert now == mine
    else:
        weight = hearsay * (1 - distrust) * 8 / (8 + n_own)
        assert now == pytest.approx(mine + weight * (said - mine), abs=1e-9)


@pytest.mark.parametrize(
    ("mine", "told", "expected"),
    [
        (5.0, 4.0, 5.0),  # beyond it on the same side
        (-5.0, -4.0, -5.0),
        (5.0, 6.0, 5.0),  # which is said as 4.5
        (5.0, -1.0, 5.0 + 0.27 * -6.0),
        (5.0, 0.0, 5.0 + 0.27 * -5.0),
        (4.5, 4.0, 4.5 + 0.27 * -0.5),  # not above 4.5
        (0.0, 9.0, 0.27 * 4.5),
    ],
)
def test_worked_tellings(mine: float, told: float, expected: float) -> None:
    assert heard(mine, told, 0.0, 0.1, 0.3) == pytest.approx(expected)


@given(st.integers(1, 30), st.floats(-4.5, 4.5), log_odds)
def test_repeated_tellings_close_in_geometrically(n: int, told: float, start: float) -> None:
    """With d = L_0 - L_k between the two, n tellings leave L_k + (1 - w)^n d."""
    how, beliefs = ways(teller_memory=0), blank_beliefs(1, 4)
    k = believe(beliefs, 0, 3, start, 1, how)
    if abs(start) > 4.5 and start * told > 0:
        return
    weight = 0.3 * (1 - 0.10)
    for _ in range(n):
        assert hear(memory_of(beliefs, 0), 3, 2, told, 1, how) == k
    expected = told + (1 - weight) ** n * (start - told)
    assert log_odds_now(memory_of(beliefs, 0), k, 1, how) == pytest.approx(expected, abs=1e-4)


@given(log_odds, log_odds, st.integers(0, 50), log_odds)
def test_trust_and_eyes_weigh(mine: float, told: float, own: int, of_teller: float) -> None:
    how, beliefs = ways(), blank_beliefs(1, 4)
    k = believe(beliefs, 0, 3, mine, 6, how, own=own)
    believe(beliefs, 0, 2, of_teller, 6, how)
    hear(memory_of(beliefs, 0), 3, 2, told, 6, how)
    expected = heard(mine, told, own, logistic(of_teller), 0.3)
    assert log_odds_now(memory_of(beliefs, 0), k, 6, how) == pytest.approx(expected, abs=1e-4)
    assert beliefs.held.n_own[0, k] == own  # hearing is not seeing


def test_the_belief_about_a_teller_is_faded_before_it_counts() -> None:
    how, beliefs = ways(), blank_beliefs(1, 4)
    believe(beliefs, 0, 2, 5.0, 1, how)
    k = hear(memory_of(beliefs, 0), 3, 2, 4.0, 21, how)
    distrust = logistic(PRIOR + (5.0 - PRIOR) * 0.95**20)
    expected = heard(PRIOR, 4.0, 0.0, distrust, 0.3)
    assert log_odds_now(memory_of(beliefs, 0), k, 21, how) == pytest.approx(expected, abs=1e-4)


def test_a_teller_counts_once_until_he_is_forgotten() -> None:
    how, beliefs = ways(), blank_beliefs(1, 4)

    def after(teller: int, night: int) -> float:
        k = hear(memory_of(beliefs, 0), 3, teller, 4.0, night, how)
        return log_odds_now(memory_of(beliefs, 0), k, night, how)

    first = after(2, 14)
    assert after(2, 14) == first
    assert after(1, 14) > first  # another teller
    for night in range(15, 28):
        forget_tellers(beliefs, night, 14)
    before = log_odds_now(memory_of(beliefs, 0), find(memory_of(beliefs, 0), 3), 27, how)
    assert after(2, 27) == pytest.approx(before, abs=1e-6)
    forget_tellers(beliefs, 28, 14)
    before = log_odds_now(memory_of(beliefs, 0), find(memory_of(beliefs, 0), 3), 28, how)
    assert after(2, 28) > before + 0.1


def test_a_teller_counts_once_a_subject_not_once_at_all() -> None:
    how, beliefs = ways(), blank_beliefs(1, 4)
    hear(memory_of(beliefs, 0), 3, 2, 4.0, 1, how)
    k = hear(memory_of(beliefs, 0), 1, 2, 4.0, 1, how)
    assert log_odds_now(memory_of(beliefs, 0), k, 1, how) > PRIOR + 1


def test_tellers_are_told_apart_by_their_rows() -> None:
    """Rows that are the same but for 63 share a bit; no others do, up to the last bit."""
    how, beliefs = ways(), blank_beliefs(1, 2)
    seen = []
    for teller in range(64):
        k = hear(memory_of(beliefs, 0), 3, teller, 4.0, 1, how)
        seen.append(log_odds_now(memory_of(beliefs, 0), k, 1, how))
    assert all(earlier < later for earlier, later in pairwise(seen[:20]))
    assert beliefs.told[0, k] == 2**63 - 1
    assert seen[63] == seen[62]


def test_without_evidence_anywhere_talk_changes_nothing() -> None:
    how, beliefs = ways(teller_memory=0), blank_beliefs(4, 4)
    rng = np.random.default_rng(1)
    for _ in range(200):
        teller, listener, about = rng.permutation(4)[:3].tolist()
        at = find(memory_of(beliefs, teller), about)
        told = PRIOR if at == NOBODY else log_odds_now(memory_of(beliefs, teller), at, 1, how)
        hear(memory_of(beliefs, listener), about, teller, told, 1, how)
    taken = beliefs.subject != NOBODY
    np.testing.assert_allclose(beliefs.held.log_odds[taken], PRIOR, atol=1e-6)


# ---------------------------------------------------------------- the network


def test_edges_and_the_graph() -> None:
    how, beliefs = ways(), blank_beliefs(3, 4)
    believe(beliefs, 0, 2, 3.0, 1, how, own=4)
    settle(memory_of(beliefs, 2), place(memory_of(beliefs, 2), 0, 2, how), 2, how)
    believe(beliefs, 2, 1, -2.0, 3, how)
    network = with_belief(edges(beliefs, np.array([0, 2]), 3, how))
    pairs = zip(network["observer_id"].tolist(), network["subject_id"].tolist(), strict=True)
    assert list(pairs) == [(1, 3), (3, 1), (3, 2)]
    assert network["settled"].tolist() == [False, True, False]
    expected = [PRIOR + (3.0 - PRIOR) * 0.95**2, PRIOR + (6.0 - PRIOR) * 0.99, -2.0]
    np.testing.assert_allclose(network["log_odds"], expected, atol=1e-5)
    np.testing.assert_allclose(network["belief"], [logistic(x) for x in expected], atol=1e-5)
    assert network["n_own"][0] == pytest.approx(4 * 0.95**2, rel=1e-6)

    graph = to_networkx(network)
    assert sorted(graph.edges) == [(1, 3), (3, 1), (3, 2)]
    assert graph.edges[1, 3]["log_odds"] == pytest.approx(expected[0], abs=1e-5)
    assert graph.edges[3, 1]["settled"] is True
    assert set(graph.edges[3, 2]) == {"belief", "log_odds", "n_own", "settled"}
    assert graph.in_degree(1) == graph.out_degree(1) == 1
    assert all(isinstance(node, int) for node in graph)


def test_a_network_of_nobody() -> None:
    network = with_belief(edges(blank_beliefs(2, 3), np.array([0, 1]), 1, ways()))
    assert all(len(column) == 0 for column in network.values())
    assert to_networkx(network).number_of_nodes() == 0
