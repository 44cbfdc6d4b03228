"""From a scenario to what the evening's kernels are handed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ..patrons.decisions.general import Minds, logit
from ..society.evidence import evidence_arrays, exactly
from ..society.judgement import Justice, cumulative
from ..society.suspicion import Ways, fading, growing, horizon_of
from ..tables.houses import Houses
from ..tables.seating import NO_LIMIT, Rooms
from .closing import Bills
from .day import Days

if TYPE_CHECKING:
    from ..data_tables import DataTables
    from ..patrons.columns import Floats
    from ..scenario.schema import Scenario


SET_APART = 1_000_000
"""Numbers kept for the tables of a room that opens as many as there are guests for."""


def n_sittings(scenario: Scenario) -> int:
    """How many sittings an evening has; the last may be shorter."""
    return -(-scenario.rounds_per_night // scenario.rounds_per_sitting)


def mugs_per_sitting(scenario: Scenario) -> Floats:
    """Mean mugs a guest has in one sitting, by tavern."""
    sittings = max(1, n_sittings(scenario))
    return np.array([tavern.mugs_mean / sittings for tavern in scenario.taverns])


def make_houses(scenario: Scenario, data: DataTables) -> Houses:
    """The columns of the taverns."""
    taverns = scenario.taverns
    customs = [data.customs[tavern.custom] for tavern in taverns]
    mugs = mugs_per_sitting(scenario)
    return Houses(
        dc=np.array([t.thievery_dc for t in taverns], np.int64),
        rake_bp=np.array([t.rake_bp for t in taverns], np.int64),
        restraint=np.array([c.restraint for c in customs], np.float64),
        custom=np.array([cumulative(c.odds) for c in customs], np.float64),
        ban_nights=np.array([c.ban_nights for c in customs], np.int64),
        lucky_wins=np.array([c.lucky_wins for c in customs], np.int64),
        fee=np.array([t.seat_fee_cp for t in taverns], np.int64),
        mug=np.array([t.mug_cp for t in taverns], np.int64),
        mugs_mean=mugs,
        no_mug_prob=np.array([math.exp(-mean) for mean in mugs.tolist()]),
        goods_bp=np.array([t.goods_bp for t in taverns], np.int64),
    )


def make_rooms(scenario: Scenario) -> dict[tuple[str, int], Rooms]:
    """The rooms of all taverns, by game and seats a table."""
    kinds: dict[tuple[str, int], list[tuple[int, int, int, int]]] = {}
    for i, tavern in enumerate(scenario.taverns):
        first = 0
        for kind in tavern.tables:
            n_tables = NO_LIMIT if kind.count == "auto" else kind.count
            stake = 0 if kind.stake == "auto" else kind.stake
            kinds.setdefault((kind.game, kind.seats), []).append((i, n_tables, stake, first))
            # Numbers are set apart so that tables of a later kind keep theirs
            # however many an earlier kind opens tonight.
            first += SET_APART if n_tables == NO_LIMIT else n_tables
    return {kind: Rooms(*np.array(rooms, np.int64).T.copy()) for kind, rooms in kinds.items()}


def most_tables(n_seats: int, rooms: Rooms, n_guests: int) -> int:
    """How many tables rooms of a kind open at the most for so many guests."""
    return -(-n_guests // n_seats) + len(rooms.tavern)


def make_minds(scenario: Scenario) -> Minds:
    """How people think."""
    minds = scenario.minds
    return Minds(
        tau_logit=logit(minds.tau),
        tau_moves=int(minds.tau_moves),
        thrill=minds.thrill,
        ride_the_cheat=int(minds.ride_the_cheat),
        go_out_prob=minds.go_out_prob,
    )


def make_ways(scenario: Scenario) -> Ways:
    """How beliefs are formed; the evidence of each house follows from its DC."""
    beliefs = scenario.suspicion
    evidence = [
        evidence_arrays(
            tau=beliefs.assumed_tau,
            thievery=beliefs.assumed_thievery,
            dc=tavern.thievery_dc,
            false_alarm=beliefs.false_alarm,
        )
        for tavern in scenario.taverns
    ]
    cheat = np.stack([each.cheat for each in evidence])
    fade, settled_fade = fading(beliefs.fading), fading(beliefs.settled_fading)
    return Ways(
        prior=logit(scenario.population.share_of_cheats) + beliefs.paranoia,
        fade=fade,
        settled_fade=settled_fade,
        growth=growing(fade),
        settled_growth=growing(settled_fade),
        epoch=0,
        horizon=horizon_of(fade, settled_fade),
        false_alarm=float(exactly(beliefs.false_alarm)),
        attention=int(beliefs.attention),
        sore_loser=beliefs.sore_loser,
        hearsay=beliefs.hearsay,
        teller_memory=beliefs.teller_memory,
        assumed_win=float(cheat[0, 0, 0].sum()),
        cheat_evidence=cheat,
        honest_evidence=np.array(evidence[0].honest),
    )


def make_justice(scenario: Scenario) -> Justice:
    """How accusations go."""
    justice = scenario.justice
    return Justice(
        accusations=int(justice.accusations),
        accuse_prob=justice.accuse_prob,
        lost_face=justice.lost_face,
        lost_face_nights=justice.lost_face_nights,
        brawl_prob=justice.brawl_prob,
    )


def make_bills(scenario: Scenario) -> Bills:
    """What the houses owe a night beside their goods."""
    return Bills(
        staff=np.array([tavern.staff_cp for tavern in scenario.taverns], np.int64),
        upkeep=np.array([tavern.upkeep_cp for tavern in scenario.taverns], np.int64),
    )


def make_days(scenario: Scenario) -> Days:
    """How days pass."""
    return Days(
        wages=int(scenario.economy.wages),
        living=int(scenario.economy.living),
        leave_prob=scenario.population.leave_prob,
    )
