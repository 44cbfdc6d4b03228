"""Hypothesis generators that several test files share."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tavern_abm import Scenario
from tavern_abm.patrons.columns import Row, blank_people

seeds = st.integers(0, 2**63 - 1)
units = st.floats(0, 1, exclude_max=True)
probs = st.floats(0, 1)
purses = st.integers(0, 10**12)
wages = st.integers(0, 10**9)
log_odds = st.floats(-6, 6)
SUSPICION_ALONE = {
    "flight.runs": False,
    "bribes.bribe_prob": 0.0,
    "loans.lending": False,
    "talk.contacts": 0,
}
"""Switches off what society does around the tables."""
DICE_ALONE = Scenario.load(
    "rusty-flagon", {"taverns.0.tables": [{"game": "rotting-toes"}]} | SUSPICION_ALONE
)
"""The Rusty Flagon with nothing but Rotting Toes and what is seen of it."""
CUSTOMS = ("lax", "decent", "guild", "dockside", "orc")


@st.composite
def patrons(draw: st.DrawFn) -> Row:
    """Somebody: purse, wage, mugs, mind and scars of any size a scenario allows."""
    one = blank_people(1)[0]
    one.gold = draw(purses)
    one.wage = draw(wages)
    one.drinks = draw(st.integers(0, 200))
    one.rationality = draw(st.floats(0, 100))
    one.threshold = draw(st.floats(-60, 60))
    one.punished = draw(st.integers(-1_000_000, 1000))
    one.lost_face_until = draw(st.integers(-1_000_000, 1000))
    one.is_cheat = draw(st.integers(0, 1))
    return one


@st.composite
def taverns(draw: st.DrawFn, number: int) -> dict[str, Any]:
    """A house with all that can go wrong with coins: rake, fees, empty tills, narrow doors."""
    stake = st.just("auto") | st.integers(1, 300)
    count = st.just("auto") | st.integers(0, 3)
    tables = st.builds(
        lambda stake, count, seats: {"stake": stake, "count": count, "seats": seats},
        stake,
        count,
        st.integers(2, 8),
    )
    return {
        "name": f"House {number}",
        "capacity": draw(st.just("auto") | st.integers(1, 20)),
        "custom": draw(st.sampled_from(CUSTOMS)),
        "streaks_last": draw(st.booleans()),
        "thievery_dc": draw(st.sampled_from([10, 19, 25])),
        "rake_bp": draw(st.sampled_from([0, 1, 500, 3333, 10_000])),
        "seat_fee_cp": draw(st.integers(0, 9)),
        "mug_cp": draw(st.integers(0, 9)),
        "mugs_mean": draw(st.floats(0, 20)),
        "goods_bp": draw(st.integers(0, 10_000)),
        "staff_cp": draw(st.integers(0, 500)),
        "upkeep_cp": draw(st.integers(0, 100)),
        "till_cp": draw(st.integers(0, 500)),
        "tables": draw(st.lists(tables, max_size=2)),
    }


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    """Small towns of one to three houses, with everything switched this way or that."""
    n_taverns = draw(st.integers(1, 3))
    settings = {
        "patrons": draw(st.integers(1, 40)),
        "rounds_per_night": draw(st.integers(0, 8)),
        "rounds_per_sitting": draw(st.integers(1, 5)),
        "population.share_of_cheats": draw(st.floats(0.01, 0.9)),
        "population.leave_prob": draw(st.sampled_from([0.0, 0.1, 1.0])),
        "population.arrive_prob": draw(st.sampled_from([0.0, 0.5, 1.0])),
        "population.purse_days": draw(st.sampled_from([0.01, 1.0, 15.0])),
        "population.purse_sigma": draw(st.sampled_from([0.0, 0.8, 2.0])),
        "economy.wages": draw(st.booleans()),
        "economy.living": draw(st.booleans()),
        "minds.tau": draw(probs),
        "minds.go_out_prob": draw(st.sampled_from([0.6, 1.0])),
        "minds.thrill": draw(st.floats(-1, 3)),
        "suspicion.memory": draw(st.integers(1, 40)),
        "suspicion.false_alarm": draw(st.sampled_from([0.01, 0.2])),
        "justice.accuse_prob": draw(probs),
        "justice.threshold_mean": draw(st.floats(-3, 1)),
        "justice.brawl_prob": draw(probs),
        "population.kin_prob": draw(st.sampled_from([0.0, 0.4, 1.0])),
        "population.newcomers_share_of_cheats": draw(st.none() | st.floats(0, 0.9)),
        "population.hold_prevalence": draw(st.booleans()),
        "minds.learning": draw(st.sampled_from(["none", "reinforcement"])),
        "minds.roaming": draw(st.booleans()),
        "flight.runs": draw(st.booleans()),
        "bribes.bribe_prob": draw(st.sampled_from([0.0, 0.5, 1.0])),
        "loans.lending": draw(st.booleans()),
        "loans.due_nights": draw(st.integers(1, 5)),
        "loans.dodge_prob": draw(probs),
        "talk.contacts": draw(st.integers(0, 5)),
        "talk.rumor_memory": draw(st.integers(1, 8)),
        "talk.lie_prob": draw(probs),
        "talk.mistake_prob": draw(probs),
        "talk.exaggerate_prob": draw(probs),
        "talk.misplace_prob": draw(probs),
        "taverns": [draw(taverns(number)) for number in range(1, n_taverns + 1)],
    }
    return Scenario().with_settings(settings)
