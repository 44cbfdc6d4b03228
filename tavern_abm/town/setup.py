"""From a scenario to what the evening's kernels are handed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..asking import OneOf, Text, read_options
from ..games import load_game
from ..patrons.decisions.general import Minds, logit
from ..society.evidence import evidence_arrays, exactly
from ..society.judgement import Justice, cumulative
from ..society.suspicion import Ways, fading, growing, horizon_of
from ..tables.houses import Houses
from ..tables.picking import Menu
from ..tables.seating import NO_LIMIT, Rooms
from ..tables.seats import N_OPTIONS
from ..tables.yards import Yards
from .closing import Bills
from .day import Days
from .districts import closeness, districts_of, far_apart
from .prices import prices_of

if TYPE_CHECKING:
    from ..data_tables import DataTables
    from ..patrons.columns import Floats
    from ..scenario.schema import Scenario


UNSET = -1
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
    prices = [prices_of(tavern, data) for tavern in taverns]
    districts = districts_of(scenario)
    return Houses(
        dc=np.array([t.thievery_dc for t in taverns], np.int64),
        rake_bp=np.array([t.rake_bp for t in taverns], np.int64),
        restraint=np.array([c.restraint for c in customs], np.float64),
        custom=np.array([cumulative(c.odds) for c in customs], np.float64),
        ban_nights=np.array([c.ban_nights for c in customs], np.int64),
        lucky_wins=np.array([c.lucky_wins for c in customs], np.int64),
        fee=np.array([each.seat_fee_cp for each in prices], np.int64),
        mug=np.array([each.mug_cp for each in prices], np.int64),
        mugs_mean=mugs,
        no_mug_prob=np.array([math.exp(-mean) for mean in mugs.tolist()]),
        goods_bp=np.array([t.goods_bp for t in taverns], np.int64),
        streaks_last=np.array([t.streaks_last for t in taverns], np.int64),
        is_open=np.ones(len(taverns), np.int64),
        quality=np.array([t.quality for t in taverns], np.int64),
        quarter=np.array([districts.index(t.district) for t in taverns], np.int64),
        repute=np.zeros(len(taverns)),
        lift=np.full(len(taverns), 100, np.int64),
        comes_to_mind=np.cumsum(closeness(scenario), axis=1),
        is_far=far_apart(scenario).astype(np.int64),
    )


class Place(NamedTuple):
    """A room for a game, or an event in the yard, as the town's plan has it."""

    tavern: int  # index
    number: int  # among all rooms of the town, or all events of the game
    game: str
    first_table: int  # number of its first table in the tavern
    is_open: bool  # takes in everybody who has no seat yet
    what: Any  # TableOfGames or YardEvent
    options: dict[str, Any]  # every one with its value
    first_added: int = 0  # number of the first table that is added to a room; 0: none ever is


def plan_rooms(scenario: Scenario) -> list[Place]:
    """The rooms of all taverns, in the order in which they fill.

    Rooms with so many tables fill before those that open as many as are needed.
    The last of a tavern's rooms takes in everybody who found no seat, if it is
    one of these or the only one.
    """
    plan: list[Place] = []
    for i, tavern in enumerate(scenario.taverns):
        first = 0
        for at, kind in enumerate(tavern.tables):
            options = read_options(load_game(kind.game).OPTIONS, kind.options)
            added = SET_APART * (len(tavern.tables) + 1 + at)
            plan.append(Place(i, len(plan), kind.game, first, False, kind, options, added))
            # Numbers are set apart so that tables of a later kind keep theirs
            # however many an earlier kind opens tonight.
            first += SET_APART if kind.count == "auto" else kind.count
    autos = {kind_of(place) for place in plan if place.what.count == "auto"}
    plan.sort(key=lambda place: (kind_of(place) in autos, place.number))
    kinds = list(dict.fromkeys(map(kind_of, plan)))
    plan.sort(key=lambda place: kinds.index(kind_of(place)))
    last = {place.tavern: place.number for place in plan}
    n_rooms = Counter(place.tavern for place in plan)
    return [
        place._replace(
            is_open=last[place.tavern] == place.number
            and (place.what.count == "auto" or n_rooms[place.tavern] == 1)
        )
        for place in plan
    ]


def kind_of(place: Place) -> tuple[str, int]:
    """Rooms of a kind fill and play in one call: the same game and seats a table."""
    return place.game, place.what.seats


def plan_events(scenario: Scenario) -> list[Place]:
    """The events in the yards of all taverns; they are numbered after all planned tables."""
    plan: list[Place] = []
    for i, tavern in enumerate(scenario.taverns):
        first = SET_APART * len(tavern.tables)
        for at, event in enumerate(tavern.yard):
            options = read_options(load_game(event.game).OPTIONS, event.options)
            number = sum(place.game == event.game for place in plan)
            plan.append(Place(i, number, event.game, first + at, False, event, options))
    return plan


def place_of(places: Iterable[Place], table_id: int) -> Place:
    """The room or event of a tavern to which a table belongs, by its number counted from 1.

    Parameters
    ----------
    places : iterable of Place
        All of the tavern's.
    """
    begins = [
        (first, place.number, place)  # a room without tables begins where the next one does
        for place in places
        for first in {place.first_table, place.first_added or place.first_table}
    ]
    return max((each for each in begins if each[0] < table_id), key=lambda each: each[:2])[-1]


def encoded(place: Place) -> list[int]:
    """The options of a room as numbers, in the order of the game's `OPTIONS`.

    A word stands as its place among those allowed. What is unset is -1, and so is
    any text: a game makes arrays of what it names (its `make_own`).
    """
    numbers = [UNSET] * N_OPTIONS
    for i, option in enumerate(load_game(place.game).OPTIONS):
        value = place.options[option.name]
        if isinstance(option.kind, OneOf) and value is not None:
            value = option.kind.words.index(value)
        if value is not None and not isinstance(option.kind, Text):
            numbers[i] = int(value)
    return numbers


def make_rooms(plan: Sequence[Place]) -> dict[tuple[str, int], Rooms]:
    """The rooms of all taverns, by game and seats a table."""
    kinds: dict[tuple[str, int], list[Place]] = {}
    for place in plan:
        kinds.setdefault(kind_of(place), []).append(place)
    return {kind: _rooms_of(kind[0], places) for kind, places in kinds.items()}


def _rooms_of(game: str, places: Sequence[Place]) -> Rooms:
    n = len(places)
    return Rooms(
        tavern=np.array([place.tavern for place in places], np.int64),
        n_tables=np.array([_number(place.what.count, NO_LIMIT) for place in places], np.int64),
        stake=np.array([_number(place.what.stake, 0) for place in places], np.int64),
        first_table=np.array([place.first_table for place in places], np.int64),
        number=np.array([place.number for place in places], np.int64),
        min_seats=np.full(n, load_game(game).MIN_SEATS, np.int64),
        is_open=np.array([place.is_open for place in places], np.int64),
        skips=np.zeros(n, np.int64),
        options=np.array([encoded(place) for place in places], np.int64),
        opened=np.zeros(n, np.int64),
        able=np.zeros(n, np.int64),
        n_planned=np.array([_number(place.what.count, NO_LIMIT) for place in places], np.int64),
        first_added=np.array([place.first_added for place in places], np.int64),
        crowded=np.zeros(n, np.int64),
    )


def _number(value: int | str, auto: int) -> int:
    return auto if isinstance(value, str) else value


def make_yards(plan: Sequence[Place]) -> dict[str, Yards]:
    """The events of all yards, by game."""
    games = dict.fromkeys(place.game for place in plan)
    return {game: _yards_of([place for place in plan if place.game == game]) for game in games}


def _yards_of(places: Sequence[Place]) -> Yards:
    n = len(places)
    return Yards(
        tavern=np.array([place.tavern for place in places], np.int64),
        number=np.array([place.first_table for place in places], np.int64),
        entrants=np.array([place.what.entrants for place in places], np.int64),
        stake=np.array([_number(place.what.stake, 0) for place in places], np.int64),
        options=np.array([encoded(place) for place in places], np.int64),
        held=np.zeros(n, np.int64),
        able=np.zeros(n, np.int64),
    )


def make_menu(plan: Sequence[Place], n_taverns: int) -> Menu:
    """What there is to play in each tavern."""
    games = list(dict.fromkeys(place.game for place in plan))
    by_tavern = sorted(plan, key=lambda place: (place.tavern, place.number))
    tavern = [place.tavern for place in by_tavern]
    return Menu(
        starts=np.searchsorted(tavern, np.arange(n_taverns + 1)).astype(np.int64),
        room=np.array([place.number for place in by_tavern], np.int64),
        game=np.array([games.index(place.game) for place in by_tavern], np.int64),
        stake=np.array([_number(place.what.stake, 0) for place in by_tavern], np.int64),
    )


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
        drink_penalty=minds.drink_penalty,
        learning=int(minds.learning == "reinforcement"),
    )


ASSUMED_SHARE = 0.10
"""What people take the share of cheats for where there are none."""


def assumed_share(scenario: Scenario) -> float:
    """The share of cheats that people start from."""
    assumed = scenario.suspicion.assumed_share
    return assumed or scenario.population.share_of_cheats or ASSUMED_SHARE


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
        prior=logit(assumed_share(scenario)) + beliefs.paranoia,
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
    """How accusations and sentences go."""
    justice, flight, bribes = scenario.justice, scenario.flight, scenario.bribes
    return Justice(
        accusations=int(justice.accusations),
        accuse_prob=justice.accuse_prob,
        lost_face=justice.lost_face,
        lost_face_nights=justice.lost_face_nights,
        brawl_prob=justice.brawl_prob,
        grudge_nights=justice.grudge_nights,
        runs=int(flight.runs),
        lie_low_nights=flight.lie_low_nights,
        bribe_prob=bribes.bribe_prob,
        take_prob=bribes.take_prob,
        bribe_days=bribes.bribe_days,
    )


def make_bills(scenario: Scenario, data: DataTables) -> Bills:
    """What the houses owe a night beside their goods."""
    prices = [prices_of(tavern, data) for tavern in scenario.taverns]
    return Bills(
        staff=np.array([each.staff_cp for each in prices], np.int64),
        upkeep=np.array([each.upkeep_cp for each in prices], np.int64),
        excise_bp=scenario.economy.excise_bp,
    )


def make_days(scenario: Scenario) -> Days:
    """How days pass."""
    return Days(
        wages=int(scenario.economy.wages),
        living=int(scenario.economy.living),
        leave_prob=scenario.population.leave_prob,
        roaming=int(scenario.minds.roaming and len(scenario.taverns) > 1),
        loyalty=scenario.minds.loyalty,
        quality_taste=scenario.minds.quality_taste,
        distance=scenario.minds.distance,
        repute=scenario.minds.repute,
        tax_bp=scenario.economy.tax_bp,
    )
