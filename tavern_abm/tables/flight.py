"""Chases of the condemned: once a sitting is over, what became of those who ran.

One chase, in this order:

1. Whoever ran has his initiative check as his lead; the fastest who was angry with
   him is after him, over ways of the tavern's district (`flight_run`).
2. Caught, the sentence he ran from is carried out. Away, he is barred from the house
   and lies low at home.
3. Both carry home what the ways have cost them.

Tables write down who ran; this is played after them, so that it costs an evening
without a flight nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .. import chance
from ..chance import draw, slot, subkey
from ..compiled import kernel, rule
from ..games import chase, game_number, race_sheet
from ..patrons.columns import DEAD, NOBODY, Ints
from ..patrons.competitor import Competitor
from ..patrons.decisions import shipped_decisions
from ..society.judgement import NONE, get_away, resent
from .chase_ways import Way, ways_by_house
from .fitness import form, wound
from .flight_run import (
    CHASER,
    ESCAPEE,
    Choices,
    Run,
    Scratch,
    blank_scratch,
    encoded,
    run_chase,
)
from .flight_told import (
    HARM,
    HOW,
    HURT_HANDS,
    INCREMENTS,
    LEAD,
    LOW_NIGHTS,
    OFF,
    SEED,
    SENTENCED,
    START,
)
from .record import DECIDED, N_AWAY, N_HURT, NO_SEAT, Notes, next_cell
from .runners import fill_runner
from .seating import Sitting
from .seats import World
from .sentencing import sentence

__all__ = ["GAME", "Choices", "Flights", "Streets", "make_run_chases", "make_streets", "runners"]

GAME = game_number("chase")
ACCUSER = 2
"""Where a cell's `rows` hold the accuser, after the two who run."""
_RIDER = Competitor("anybody")
HORSE_STRENGTH, HORSE_JUMP = _RIDER.mount_strength, _RIDER.mount_jump
HORSE_SPEED_FT = _RIDER.mount_speed_ft


class Streets(NamedTuple):
    """The ways that lead from each tavern, one tavern after the other."""

    ways: Ints  # (n, N_WAY): see `flight_run.encoded`
    starts: Ints  # (n_taverns + 1,): those of tavern t lie from starts[t] to starts[t + 1]


def make_streets(plan: Sequence[Sequence[Way]]) -> Streets:
    """What kernels know of the `ways_by_house`."""
    ends = np.cumsum([len(ways) for ways in plan])
    return Streets(encoded([way for ways in plan for way in ways]), np.array([0, *ends], np.int64))


def runners(cells: Any) -> Any:
    """The rounds among these after which somebody ran: a copy, in the order of rounds and tables.

    Parameters
    ----------
    cells : array of CELL
        Of one sitting, in any order.
    """
    ran = cells[cells["ran"] == 1]
    return ran[np.lexsort((ran["table"], ran["tavern"], ran["round"]))]


# ---------------------------------------------------------------- one chase


@rule
def fill_chase_sheet(world: World, row: int, who: Ints) -> None:
    """What somebody brings to a chase tonight: his sheet, and a hired horse where there is one."""
    sheet = world.sheet[row]
    fill_runner(world.people[row], sheet, world.minds, who)
    ride = who[race_sheet.OWN + race_sheet.RIDING]
    race_sheet.set_mount(who, HORSE_STRENGTH, HORSE_JUMP, HORSE_SPEED_FT, ride)
    race_sheet.set_effort(who, race_sheet.STEADY, False, sheet.constitution, 0, True)


@rule
def table_key(cell: Any, when: Sitting) -> int:
    """The key of tonight's draws at the table of a round."""
    house = subkey(when.night_key, chance.TAVERN, cell["tavern"] + 1)
    return subkey(house, chance.TABLE, cell["table"])


@rule
def go_after(
    world: World,
    streets: Streets,
    tavern: int,
    escapee: int,
    pursuer: int,
    seed: int,
    choose: Choices,
    scratch: Scratch,
) -> Run:
    """Run the chase; with nobody after him he is away at once."""
    if pursuer == NOBODY:
        scratch.harm[ESCAPEE] = 0
        scratch.harm[CHASER] = 0
        return Run(chase.Chase(0, 0, chase.AWAY), 0, 0)
    fill_chase_sheet(world, escapee, scratch.who[ESCAPEE])
    fill_chase_sheet(world, pursuer, scratch.who[CHASER])
    ways = streets.ways[streets.starts[tavern] : streets.starts[tavern + 1]]
    return run_chase(seed, ways, choose, scratch)


@rule
def carry_home(world: World, row: int, points: int, tavern: int, night: int, counts: Any) -> None:
    """The damage that somebody has taken on the way; the dead feel none."""
    patron = world.people[row]
    if points > 0 and patron.whereabouts != DEAD:
        counts[tavern, N_HURT] += 1
        wound(patron, world.sheet[row], points, night)


@rule
def note_chase(
    note: Any, cell: Any, pursuer: int, run: Run, seed: int, world: World, scratch: Scratch
) -> None:
    """Write down who ran, who was after him, how it went, and how both were tonight."""
    people, escapee = world.people, cell["rows"][cell["hand"]]
    note["game"] = GAME
    note["night"] = cell["night"]
    note["round"] = cell["round"]
    note["tavern"] = cell["tavern"]
    note["table"] = cell["table"]
    note["stake"] = cell["stake"]
    note["is_cheat"] = cell["is_cheat"]
    note["hand"] = 0
    note["rows"][0] = escapee
    note["seated"] = 1
    note["notable"] = DECIDED
    note["ended"] = run.state.ended
    facts = note["facts"]
    facts[SENTENCED] = cell["sentence"]
    facts[START] = run.start
    facts[INCREMENTS] = run.state.increments
    facts[LEAD] = run.state.lead
    facts[HOW] = run.how
    facts[SEED] = seed
    facts[OFF] = form(people[escapee], world.minds)
    facts[HURT_HANDS] = people[escapee].hurt_hand
    facts[HARM] = scratch.harm[ESCAPEE]
    if cell["accuser"] != NO_SEAT:
        note["rows"][ACCUSER] = cell["rows"][cell["accuser"]]
        note["accuser"] = ACCUSER
    if pursuer != NOBODY:
        note["rows"][1] = pursuer
        note["seated"] = 3
        note["pursuer"] = 1
        facts[OFF + 1] = form(people[pursuer], world.minds)
        facts[HURT_HANDS + 1] = people[pursuer].hurt_hand
        facts[HARM + 1] = scratch.harm[CHASER]


@rule
def pursue(
    cell: Any,
    when: Sitting,
    world: World,
    streets: Streets,
    choose: Choices,
    notes: Notes,
    counts: Any,
    flows: Any,
    scratch: Scratch,
) -> None:
    """One chase, from the door to what came of it."""
    people, tavern, night = world.people, cell["tavern"], cell["night"]
    seat = cell["hand"]
    escapee = cell["rows"][seat]
    pursuer = NOBODY
    if cell["pursuer"] != NO_SEAT:
        pursuer = cell["rows"][cell["pursuer"]]
    key = table_key(cell, when)
    seed = draw(key, chance.CHASE, cell["round"])
    run = go_after(world, streets, tavern, escapee, pursuer, seed, choose, scratch)
    note = next_cell(notes)
    note_chase(note, cell, pursuer, run, seed, world, scratch)
    patron = people[escapee]
    if run.state.ended == chase.CAUGHT:
        at = slot(cell["round"], seat)
        what, nights, estate = sentence(
            world, escapee, cell["sentence"], tavern, key, at, night, counts, flows
        )
        note["sentence"] = what
        note["nights"] = nights
        note["estate"] = estate
        if patron.grudge_night != night:
            resent(patron, pursuer, night, world.justice)
    else:
        counts[tavern, N_AWAY] += 1
        note["sentence"] = NONE
        note["facts"][LOW_NIGHTS] = world.justice.lie_low_nights
        ban_nights = world.houses.ban_nights[tavern]
        note["nights"] = get_away(patron, tavern, ban_nights, night, world.justice)
    carry_home(world, escapee, scratch.harm[ESCAPEE], tavern, night, counts)
    if pursuer != NOBODY:
        carry_home(world, pursuer, scratch.harm[CHASER], tavern, night, counts)


@cache
def make_run_chases(choices: Choices) -> Callable[..., None]:
    """The kernel that runs the chases of a sitting, with these decisions.

    `cells` are the `runners` of the sitting; `notes` has room for as many more.
    """
    chooses_way, chooses_tactic, hazard_penalty, presses_on, rather_hurt = choices

    @kernel(defaults=shipped_decisions())
    def run_chases(
        cells: Any,
        when: Sitting,
        world: World,
        streets: Streets,
        notes: Notes,
        counts: Any,
        flows: Any,
        scratch: Scratch,
    ) -> None:
        choose = Choices(chooses_way, chooses_tactic, hazard_penalty, presses_on, rather_hurt)
        for i in range(len(cells)):
            pursue(cells[i], when, world, streets, choose, notes, counts, flows, scratch)

    return run_chases


class Flights:
    """The chases of a town: its streets, and how people run there.

    Parameters
    ----------
    scenario : Scenario
        The town.
    policy : Policy
        The decisions of its people.

    Raises
    ------
    DataError
        If the scenario's own ``ways.toml`` says something that is not allowed.
    """

    def __init__(self, scenario: Any, policy: Any) -> None:
        self._policy = policy
        districts = [tavern.district for tavern in scenario.taverns]
        self._plan = ways_by_house(scenario.data, districts)
        self._streets = make_streets(self._plan)
        self._scratch = blank_scratch(int(np.diff(self._streets.starts).max()))

    def run(
        self, cells: Any, when: Sitting, world: World, notes: Notes, counts: Any, flows: Any
    ) -> None:
        """Run the chases of a sitting, one after the other.

        Parameters
        ----------
        cells : array of CELL
            Of those who ran: see `runners`.
        notes : Notes
            With room for as many more rounds.
        """
        run_chases = make_run_chases(self._policy.choices(Choices))
        run_chases(cells, when, world, self._streets, notes, counts, flows, self._scratch)

    def options_at(self, tavern: int) -> dict[str, Any]:
        """What the teller of a chase from this tavern is handed as its options."""
        decide = {name: self._policy[name] for name in Choices._fields}
        return {"ways": self._plan[tavern], "decide": decide}
