"""Chases: the printed rules, the worked example and the exact odds."""

import json
from collections.abc import Callable
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from tavern_abm.chance import CONTEST, PLAY, roll, run_key, subkey
from tavern_abm.cli.odds import odds as odds_command
from tavern_abm.compiled import kernel
from tavern_abm.games import chase as ch
from tavern_abm.games import odds
from tavern_abm.games.chase import AWAY, CALLED_OFF, CAUGHT, RUNNING, Hazards

# Lead and modifiers: chance to be caught.
CAUGHT_PROB = {
    (5, 0, 0): 0.753297,
    (10, 0, 0): 0.632595,
    (15, 0, 0): 0.500000,
    (10, 2, 0): 0.372504,
}

# ---------------------------------------------------------------- the rules


@pytest.mark.parametrize(
    ("lead", "ended"), [(-3, CAUGHT), (0, CAUGHT), (1, RUNNING), (29, RUNNING), (30, AWAY)]
)
def test_a_chase_may_be_over_before_it_begins(lead: int, ended: int) -> None:
    assert ch.set_out(lead) == (lead, 0, ended)


@pytest.mark.parametrize(
    ("distance", "speed", "lead"), [(29, 30, 0), (30, 30, 5), (89, 30, 10), (100, 20, 25)]
)
def test_distance_counts_in_full_increments_of_the_chasers_speed(
    distance: int, speed: int, lead: int
) -> None:
    assert ch.lead_over_distance(distance, speed) == lead


def test_hiding_takes_a_lead_of_20_and_something_to_hide_behind() -> None:
    assert ch.can_hide(20, False)
    assert not ch.can_hide(19, False)
    assert not ch.can_hide(29, True)


def test_hide_must_beat_spot() -> None:
    assert ch.hides(11, 0, 10, 0)
    assert not ch.hides(10, 0, 10, 0)
    assert not ch.hides(20, 0, 1, 19)


@given(st.integers(1, 29), st.integers(0, 40), st.integers(0, 29))
def test_a_hazard_never_uses_up_the_lead(lead: int, penalty: int, base_cost: int) -> None:
    allowed = ch.can_make_hazard(lead, penalty, base_cost)
    after = ch.after_hazard(ch.set_out(lead), penalty, base_cost)
    assert allowed == (after.lead > 0) == (penalty <= ch.most_penalty(lead, base_cost))
    assert not ch.can_make_hazard(lead, -1, base_cost)


def test_the_penalty_burdens_the_roll_and_raises_the_dc() -> None:
    assert ch.makes_hazard(14, 0, 0)
    assert not ch.makes_hazard(13, 0, 0)
    assert ch.makes_hazard(16, 2, 4)
    assert not ch.makes_hazard(15, 2, 4)
    assert ch.clears_hazard(10, 0, 0)
    assert ch.clears_hazard(8, 6, 4)
    assert not ch.clears_hazard(7, 6, 4)


def test_who_gets_no_further_ends_the_chase() -> None:
    assert ch.after_forfeit(ch.set_out(12), True).ended == CAUGHT
    assert ch.after_forfeit(ch.set_out(12), False).ended == AWAY


def test_a_chase_is_called_off() -> None:
    chase = ch.set_out(15)
    for _ in range(99):
        chase = ch.after_increment(chase, 3, 3, 100)
        assert chase.ended == RUNNING
    assert ch.after_increment(chase, 3, 3, 100) == (15, 100, CALLED_OFF)
    assert ch.after_increment(chase, 3, 18, 100).ended == CAUGHT
    assert ch.after_increment(chase, 18, 3, 100).ended == AWAY


def test_the_worked_example_as_it_is_printed() -> None:
    """A lead of 12, a hazard with p = 4 that costs 4: 8 are left; 12 more, and he hides."""
    chase = ch.after_hazard(ch.set_out(12), 4, 0)
    assert chase.lead == 8
    assert ch.makes_hazard(16, 2, 4)
    assert not ch.clears_hazard(7, 6, 4)  # the guard needs 14
    chase = ch.after_increment(chase, 12, 0, 100)
    assert (chase.lead, chase.ended) == (20, RUNNING)
    assert ch.can_hide(chase.lead, False)
    assert ch.hides(12, 3, 10, 1)
    assert ch.after_hiding(chase) == (20, 2, AWAY)


def test_the_worked_example_by_the_rule() -> None:
    """The hazard costs 5 + 4: the lead falls to 3, and 12 more do not make 20."""
    assert ch.HAZARD_BASE_COST == 5
    chase = ch.after_hazard(ch.set_out(12), 4, ch.HAZARD_BASE_COST)
    assert chase.lead == 3
    chase = ch.after_increment(chase, 12, 0, 100)
    assert chase.lead == 15
    assert not ch.can_hide(chase.lead, False)


# ---------------------------------------------------------------- exact odds


@pytest.mark.parametrize("asked", CAUGHT_PROB)
def test_exact_odds(asked: tuple[int, int, int]) -> None:
    found = ch.exact_odds(*asked)
    assert float(found.caught) == pytest.approx(CAUGHT_PROB[asked], abs=5e-7)
    assert found.caught + found.away + found.called_off == 1
    assert found.hidden == 0


def test_from_the_middle_it_is_even() -> None:
    found = ch.exact_odds(15)
    assert found.caught == found.away
    assert 0 < found.called_off < Fraction(1, 10**9)


@settings(max_examples=30)
@given(st.integers(1, 29), st.integers(-10, 10), st.integers(1, 30))
def test_the_chase_seen_from_the_other_end(lead: int, edge: int, limit: int) -> None:
    one = ch.exact_odds(lead, edge, 0, max_increments=limit)
    other = ch.exact_odds(30 - lead, 0, edge, max_increments=limit)
    assert (one.caught, one.away, one.mean_increments) == (
        other.away,
        other.caught,
        other.mean_increments,
    )


@pytest.mark.parametrize("edge", [-5, -1, 0, 2, 5])
def test_odds_are_those_of_the_linear_system(edge: int) -> None:
    """Without a limit the chances solve x = r + Q x; with 100 increments almost so."""
    steps = np.zeros((31, 31))
    for lead in range(1, 30):
        for a in range(1, 21):
            for b in range(1, 21):
                steps[lead, min(30, max(0, lead + edge + a - b))] += 1 / 400
    inner = np.eye(29) - steps[1:30, 1:30]
    caught = np.linalg.solve(inner, steps[1:30, 0])
    mean = np.linalg.solve(inner, np.ones(29))
    for lead in range(1, 30):
        found = ch.exact_odds(lead, edge, 0)
        assert float(found.caught) == pytest.approx(caught[lead - 1], abs=1e-9)
        assert float(found.mean_increments) == pytest.approx(mean[lead - 1], abs=1e-7)


@pytest.mark.parametrize(("lead", "ended"), [(0, 0), (-8, 0), (30, 1), (45, 1)])
def test_a_start_that_decides_it(lead: int, ended: int) -> None:
    found = ch.exact_odds(lead)
    assert found[ended] == 1
    assert found.mean_increments == 0


def test_an_initiative_check_is_the_mean_of_its_leads() -> None:
    by_hand = sum(ch.exact_odds(natural + 3, 1, 0).caught for natural in range(1, 21))
    assert ch.exact_odds(ch.initiative_leads(3), 1, 0).caught == by_hand / 20


class _Walk:
    """A chase with tactics, followed throw by throw."""

    def __init__(self, hide_over_spot: int | None, hazards: Hazards | None, limit: int) -> None:
        self.hide_over_spot, self.hazards, self.limit = hide_over_spot, hazards, limit

    def branches(self, at: tuple[int, int, int]) -> odds.Branches[tuple[int, int, int]] | None:
        chase = ch.Chase(*at)
        if chase.ended != RUNNING:
            return None
        if self.hide_over_spot is not None and chase.lead >= 20:
            return self.hiding(chase)
        if self.hazards is not None and chase.lead > self.hazards.penalty + self.hazards.base_cost:
            return self.hampering(chase, self.hazards)
        return [
            (ch.after_increment(chase, a, b, self.limit), p * q)
            for a, p in ch.D20.items()
            for b, q in ch.D20.items()
        ]

    def hiding(self, chase: ch.Chase) -> odds.Branches[tuple[int, int, int]]:
        assert self.hide_over_spot is not None
        found: list[tuple[tuple[int, int, int], Fraction]] = []
        for a, p in ch.D20.items():
            for b, q in ch.D20.items():
                if a + self.hide_over_spot > b:
                    found.append((ch.after_hiding(chase), p * q))
                    continue
                for c, r in ch.D20.items():
                    found.append((ch.after_increment(chase, 0, c, self.limit), p * q * r))
        return found

    def hampering(self, chase: ch.Chase, hazards: Hazards) -> Any:
        paid = ch.after_hazard(chase, hazards.penalty, hazards.base_cost)
        made = Fraction(min(20, max(0, 7 + hazards.dexterity - hazards.penalty)), 20)
        cleared = Fraction(min(20, max(0, 11 + hazards.balance - hazards.penalty)), 20)
        stopped = made * (1 - cleared)
        for a, p in ch.D20.items():
            yield ch.after_increment(paid, a, 0, self.limit), p * stopped
            for b, q in ch.D20.items():
                yield ch.after_increment(paid, a, b, self.limit), p * q * (1 - stopped)


@pytest.mark.parametrize("hide_over_spot", [None, -3, 4])
@pytest.mark.parametrize("hazards", [None, Hazards(0, 2, 1), Hazards(4, 3, 6, 0)])
@pytest.mark.parametrize("lead", [4, 12, 22])
def test_odds_with_tactics_follow_the_throws(
    lead: int, hazards: Hazards | None, hide_over_spot: int | None
) -> None:
    walk = _Walk(hide_over_spot, hazards, 3)
    ends = odds.solve(ch.set_out(lead), walk.branches, lambda at: at[2])
    found = ch.exact_odds(lead, hide_over_spot=hide_over_spot, hazards=hazards, max_increments=3)
    assert (found.caught, found.away, found.called_off) == (
        ends[CAUGHT],
        ends[AWAY],
        ends[CALLED_OFF],
    )


# ---------------------------------------------------------------- tavern odds chase


def ask(*args: str) -> dict[str, Any]:
    result = CliRunner().invoke(odds_command, ["chase", *args, "--json"])
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_the_command_gives_exact_chances() -> None:
    found = ask("--lead", "10", "--modifier-escapee", "2", "--modifier-chaser", "0")
    assert list(found) == ["game", "caught", "away", "called_off", "mean_increments"]
    assert found["caught"]["value"] == pytest.approx(0.372504, abs=5e-7)
    exact = ch.exact_odds(10, 2, 0)
    assert Fraction(found["caught"]["exact"]) == exact.caught
    assert Fraction(found["mean_increments"]["exact"]) == exact.mean_increments


def test_the_command_knows_all_starts_and_tactics() -> None:
    assert ask("--distance-ft", "75", "--chaser-speed-ft", "30") == ask("--lead", "10")
    assert ask() == ask("--initiative", "0")
    found = ask("--lead", "20", "--hide", "4", "--spot", "1", "--penalty", "2", "--dexterity", "3")
    exact = ch.exact_odds(20, hide_over_spot=3, hazards=Hazards(2, 3, 0))
    assert Fraction(found["hidden"]["exact"]) == exact.hidden
    assert Fraction(found["caught"]["exact"]) == exact.caught


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--lead", "10", "--distance-ft", "40"], ["--lead or --distance-ft", "--distance-ft"]),
        (["--penalty", "24"], ["--penalty", "costs 29", "chase"]),
        (["--lead", "x"], ["--lead"]),
        (["--spot", "3"], ["--spot", "it goes with --hide; give that too (chase)"]),
        (["--hide", "3", "--dexterity", "3"], ["--dexterity", "it goes with --penalty"]),
        (["--balance", "3"], ["--balance", "it goes with --penalty"]),
        (["--hazard-base-cost", "0"], ["--hazard-base-cost", "it goes with --penalty"]),
        (["--lead", "9", "--chaser-speed-ft", "40"], ["it goes with --distance-ft"]),
    ],
)
def test_nonsense_is_refused(args: list[str], words: list[str]) -> None:
    result = CliRunner().invoke(odds_command, ["chase", *args])
    assert result.exit_code == 2
    assert all(word in result.stderr for word in words), result.stderr


def test_the_dearest_hazard_that_can_be_paid() -> None:
    assert ask("--penalty", "23")["caught"]["exact"]


# ---------------------------------------------------------------- simulated


@kernel
def count_ends(key: int, n: int, lead: int, edge: int, counts: np.ndarray) -> None:
    for number in range(n):
        chase_key = subkey(key, PLAY, number)
        chase = ch.set_out(lead)
        while chase.ended == RUNNING:
            own = roll(chase_key, CONTEST, 2 * chase.increments, 20) + edge
            theirs = roll(chase_key, CONTEST, 2 * chase.increments + 1, 20)
            chase = ch.after_increment(chase, own, theirs, 100)
        counts[chase.ended] += 1


def simulate(loop: Callable[..., None], n: int, lead: int, edge: int) -> list[int]:
    counts = np.zeros(4, np.int64)
    loop(run_key(77), n, lead, edge, counts)
    return counts.tolist()


@pytest.mark.parametrize(("lead", "edge"), [(10, 2), (15, 0)])
def test_a_million_chases_come_out_as_the_exact_odds(lead: int, edge: int) -> None:
    n = 1_000_000
    counts = simulate(count_ends, n, lead, edge)
    exact = float(ch.exact_odds(lead, edge, 0).caught)
    assert abs(counts[CAUGHT] / n - exact) <= 4 * sqrt(exact * (1 - exact) / n)


def test_kernel_and_plain_python_run_the_same() -> None:
    plain = getattr(count_ends, "py_func", count_ends)
    assert simulate(count_ends, 2000, 12, 1) == simulate(plain, 2000, 12, 1)
