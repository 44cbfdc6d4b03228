"""What people know, how a story springs, travels and changes; the limits that are known exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm import chance
from tavern_abm.patrons.columns import NOBODY, aligned
from tavern_abm.patrons.decisions.talk import CHEATS, CLAIMS, OWES
from tavern_abm.society.rumor_limits import maki_thompson, never_hears, retell, untroubled
from tavern_abm.society.rumors import (
    AN_INVENTION,
    DISBELIEVED,
    INVENTED,
    KINDS,
    NIGHT,
    NO_GAME,
    PERSON,
    PLACE,
    STOPPED,
    SUM,
    TELLING,
    TOLD,
    Vine,
    about_another,
    blank_store,
    blank_versions,
    change_of,
    grown_sum,
    invent,
    learn,
    misplaced,
    pass_on,
    place_of,
    speakable,
    spring,
    with_sum,
)
from tests.strategies import probs

UNITS = st.floats(0.0, 1.0, exclude_max=True)


def vine(n: int = 4, memory: int = 3, room: int = 40) -> Vine:
    """`n` people who have heard nothing, with room for so many stories."""
    tellings = aligned(0, TOLD).view(np.recarray)
    return Vine(blank_store(n, memory), blank_versions(room), tellings, np.zeros(2, np.int64), 0)


def story(of: Vine, kind: str = "big_win", **where: int) -> int:
    """A story sprung on night 5 in house 1; its number."""
    place = {"night": 5, "round_": 3, "tavern": 1, "table": 2} | where
    amount = place.pop("amount", 120)
    return spring(of, list(KINDS).index(kind), 0, 7, 8, amount, *place.values())


# ---------------------------------------------------------------- what people know


def test_people_remember_the_stories_they_heard_last() -> None:
    of = vine(memory=3)
    for number in range(5):
        learn(of, 0, story(of), TELLING, NOBODY, number)
    assert sorted(of.store.story[0].tolist()) == [2, 3, 4]
    assert place_of(of.store, 0, 1) == NOBODY
    assert of.store.known[0, place_of(of.store, 0, 4)].heard == 4


def test_the_teller_stops_where_the_listener_knew_it_and_nobody_else_does() -> None:
    of = vine()
    for who in (0, 1):
        learn(of, who, story(of) if who == 0 else 0, TELLING, NOBODY, 1)
    pass_on(of, 0, 0, 1, True, 0, 0, 1, True, True)
    assert of.store.known[0, 0].status == STOPPED
    assert of.store.known[1, 0].status == TELLING


def test_a_teller_who_is_not_stifled_goes_on() -> None:
    of = vine()
    at = story(of)
    learn(of, 0, at, TELLING, NOBODY, 1)
    learn(of, 1, at, TELLING, NOBODY, 1)
    pass_on(of, 0, 0, 1, True, at, 0, 1, True, False)
    assert of.store.known[0, 0].status == TELLING


@pytest.mark.parametrize(("is_believed", "status"), [(True, TELLING), (False, DISBELIEVED)])
def test_one_who_hears_it_first_tells_it_on_if_he_believes_it(
    is_believed: bool, status: int
) -> None:
    of = vine()
    at = story(of)
    learn(of, 0, at, TELLING, NOBODY, 1)
    heard = about_another(of, at, 0, 2, 9)
    assert place_of(of.store, 1, at) == NOBODY
    pass_on(of, 0, 0, 1, False, heard, 33, 2, is_believed, True)
    known = of.store.known[1, place_of(of.store, 1, at)]
    assert (known.status, known.rumor, known.told_from, known.heard) == (status, heard, 33, 2)
    assert (known.subject, known.claim) == (9, CLAIMS.index("won"))
    assert of.store.known[0, 0].status == TELLING


def test_knowing_any_version_is_knowing_the_story() -> None:
    of = vine()
    at = story(of)
    other = with_sum(of, at, 0, 2, 500)
    learn(of, 1, other, TELLING, 0, 2)
    assert place_of(of.store, 1, at) == 0


# ---------------------------------------------------------------- how stories spring


@pytest.mark.parametrize("kind", KINDS)
def test_a_story_claims_what_its_kind_of_event_does(kind: str) -> None:
    of = vine()
    version = of.versions[story(of, kind)]
    assert version.claim == KINDS[kind]
    assert (version.story, version.parent, version.changed) == (0, NOBODY, 0)
    assert (version.night, version.made_night, version.in_round, version.table) == (5, 5, 3, 2)


@pytest.mark.parametrize(("claim", "other"), [(CHEATS, NOBODY), (OWES, 2)])
def test_an_invention_has_no_event_and_its_inventor_tells_it(claim: int, other: int) -> None:
    of = vine()
    at = invent(of, 2, claim, NO_GAME, 3, 60, 4, 0)
    version = of.versions[at]
    assert (version.kind, version.changed, version.made_by) == (AN_INVENTION, INVENTED, 2)
    assert (version.subject, version.other, version.amount) == (3, other, 60)
    assert of.store.known[2, 0].status == TELLING


# ---------------------------------------------------------------- how stories change


@given(st.integers(1, 10**12), UNITS)
def test_a_sum_grows_by_a_fifth_to_the_double_as_one_would_say_it(cp: int, u: float) -> None:
    grown = grown_sum(cp, u)
    assert grown > cp
    # Rounding to two figures moves a sum by at most one in twenty, or a coin.
    assert 1.2 * cp * 0.95 - 1 <= grown <= 2 * cp * 1.05 + 1
    assert grown == cp + 1 or speakable(grown) == grown


@given(st.integers(0, 10**15))
def test_what_is_said_of_a_sum_has_two_figures(cp: int) -> None:
    said = speakable(cp)
    assert len(str(said).rstrip("0")) <= 2 or said < 100
    assert abs(said - cp) <= cp / 20


@given(probs, probs, probs, UNITS)
def test_a_telling_changes_one_thing_at_most(a: float, b: float, c: float, u: float) -> None:
    how = untroubled(exaggerate_prob=a, misplace_prob=b, mistake_prob=c)
    of = vine()
    change = change_of(of.versions[story(of)], how, u)
    cuts = [(a, SUM), (a + b, NIGHT), (a + b + c, PERSON)]
    assert change == next((what for cut, what in cuts if u < cut), 0)


def test_no_sum_grows_where_none_is_told() -> None:
    of = vine()
    assert change_of(of.versions[story(of, "beaten", amount=0)], untroubled(), 0.0) == 0
    how = untroubled(exaggerate_prob=1.0)
    assert change_of(of.versions[story(of, "beaten", amount=0)], how, 0.5) == 0


@given(st.integers(1, 30), st.integers(1, 4), st.integers(0, 3), UNITS, UNITS)
def test_another_night_is_of_the_week_before_and_another_house_is_another(
    night: int, n_taverns: int, tavern: int, u: float, v: float
) -> None:
    of, tavern = vine(), min(tavern, n_taverns - 1)
    at = story(of, night=night, tavern=tavern)
    new = misplaced(of, at, 2, night, n_taverns, u, v)
    if new == at:
        assert n_taverns == 1
        assert night == 1
        return
    version = of.versions[new]
    assert (version.parent, version.story, version.made_by) == (at, at, 2)
    if version.changed == PLACE:
        assert version.tavern != tavern
        assert 0 <= version.tavern < n_taverns
        assert version.night == night
    else:
        assert version.changed == NIGHT
        assert max(1, night - 7) <= version.night < night
        assert version.tavern == tavern


def test_any_other_house_and_any_night_of_the_week_can_be_named() -> None:
    of = vine(room=400)
    at = story(of, night=20, tavern=1)
    grid = [(i + 0.5) / 70 for i in range(70)]
    houses = [of.versions[misplaced(of, at, 2, 20, 4, 0.0, v)].tavern for v in grid]
    nights = [of.versions[misplaced(of, at, 2, 20, 4, 0.9, v)].night for v in grid]
    assert sorted(set(houses)) == [0, 2, 3]
    assert {nights.count(night) for night in range(13, 20)} == {10}


def test_a_changed_version_keeps_the_rest() -> None:
    of = vine()
    at = story(of)
    new = with_sum(of, at, 3, 9, 200)
    first, second = of.versions[at], of.versions[new]
    changed = {
        name: second[name].item() for name in first.dtype.names if first[name] != second[name]
    }
    expected: dict[str, Any] = {"parent": at, "changed": SUM, "made_by": 3, "made_night": 9}
    assert changed == expected | {"amount": 200}


# ---------------------------------------------------------------- known exactly


def test_how_many_never_hear_is_known_for_every_number_of_people() -> None:
    assert never_hears(120) == pytest.approx(0.202580, abs=1e-6)
    assert never_hears(1000) == pytest.approx(0.203103, abs=1e-6)
    # The limit solves x = exp(-2 (1 - x)); what is left falls as 1/n.
    limit = 0.203188
    assert never_hears(1000) < limit
    assert (limit - never_hears(500)) / (limit - never_hears(1000)) == pytest.approx(2, abs=0.05)


def test_two_people_both_hear_it_and_of_three_one_may_not() -> None:
    assert never_hears(2) == 0.0
    # The second asks the first again, or the third: half and half, thrice at the most.
    assert 0.0 < never_hears(3) < 1 / 3


@pytest.mark.parametrize("contacts", [1, 3])
def test_the_share_that_never_hears_is_that_of_maki_and_thompson(contacts: int) -> None:
    n_runs = 3000
    never = maki_thompson(120, n_runs, chance.run_key(11), contacts)
    error = never.std(ddof=1) / n_runs**0.5
    assert error < 0.0010
    assert never.mean() == pytest.approx(never_hears(120), abs=4 * error)


@pytest.mark.parametrize("n", [1, 3, 5, 10])
def test_truth_after_so_many_tellings(n: int) -> None:
    e, n_runs = 0.1, 40_000
    exact = (1 + (1 - 2 * e) ** n) / 2
    error = (exact * (1 - exact) / n_runs) ** 0.5
    assert retell(n, e, n_runs, chance.run_key(n)) == pytest.approx(exact, abs=4 * error)
