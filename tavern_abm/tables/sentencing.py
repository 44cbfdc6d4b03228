"""Sentences at a table: the warden may be bought, the condemned may run, or it is carried out.

`sentence` carries out every sentence there is, at the table and after a chase.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from .. import chance
from ..chance import roll, slot, unit
from ..checks import ability_modifier
from ..coins import clockwise
from ..compiled import rule
from ..games.race_sheet import RUN_BONUS, rate_bonus
from ..games.rotting_toes import MAX_FAILED
from ..patrons.columns import FEATS, NOBODY, Ints, Row
from ..society.judgement import (
    BANNED,
    BEATEN,
    KILLED,
    NIGHTS_HURT_FACES,
    NONE,
    OUT,
    WARNED,
    carry_out,
)
from ..society.suspicion import find, log_odds_now, memory_of
from .accounts import BRIBED, ESTATE
from .fitness import form
from .record import (
    N_BEATEN_JUST,
    N_BRIBES,
    N_BRIBES_CP,
    N_KILLED_JUST,
    N_RAN,
    N_WARNED,
    NO_SEAT,
)
from .seats import Tables, World, move_coins


class Choices(Protocol):
    """The decisions that justice asks of people; a game's own have them among others."""

    @property
    def accuses(self) -> Callable[..., bool]:
        """Accuse, or hold one's peace."""

    @property
    def offers_bribe(self) -> Callable[..., bool]:
        """Try the warden with coins, or not."""

    @property
    def flees(self) -> Callable[..., bool]:
        """Run from a sentence, or stand."""


class Penalty(NamedTuple):
    """What becomes of one who has been sentenced."""

    sentence: int
    nights: int  # of the ban, or at home; 0 where he ran
    estate: int  # cp in the purse of a man killed
    bribe: int  # cp the warden took
    ran: int  # 1: he ran, and the sentence is still to be carried out
    pursuer: int  # seat of who went after him, or NO_SEAT


ALONE = 100.0
"""The edge of one who runs with nobody after him."""
RUN_FEAT = 1 << FEATS.index("Run")


@rule
def unpunished() -> Penalty:
    """No sentence."""
    return Penalty(NONE, 0, 0, 0, 0, NO_SEAT)


@rule
def is_cheat(patron: Row) -> int:
    """1 for one of the cheating kind who has tried: the truth that all is scored against.

    So is, where honest men learn to cheat, one whom a second failed check gives away
    tonight.
    """
    is_given_away = patron.failed >= MAX_FAILED
    return 1 if (patron.is_cheat == 1 and patron.tries > 0) or is_given_away else 0


@rule
def beat(world: World, row: int, tavern: int, key: int, at: int, night: int) -> int:
    """Beat somebody; d6 nights at home, drawn with `key` at index `at`."""
    nights = roll(key, chance.NIGHTS_HURT, at, NIGHTS_HURT_FACES)
    carry_out(world.people[row], BEATEN, tavern, nights, night)
    return nights


@rule
def sentence(
    world: World,
    row: int,
    what: int,
    tavern: int,
    key: int,
    at: int,
    night: int,
    counts: Any,
    flows: Any,
) -> tuple[int, int, int]:
    """Carry a sentence out and book it; the sentence, its nights, and a dead man's purse.

    A player's character is beaten where others are killed. The seat is the caller's
    to clear.

    Parameters
    ----------
    row : int
        Of the patron.
    tavern : int
        Index of the house that sentences him.
    key, at : int
        Of the draw of his nights at home.
    """
    patron = world.people[row]
    unjust = 1 - is_cheat(patron)
    if what == KILLED and patron.is_player == 1:
        what = BEATEN
    nights = 0
    estate = 0
    if what == BEATEN:
        counts[tavern, N_BEATEN_JUST + unjust] += 1
        nights = beat(world, row, tavern, key, at, night)
    else:
        if what == BANNED:
            nights = world.houses.ban_nights[tavern]
        carry_out(patron, what, tavern, nights, night)
    if what == KILLED:
        counts[tavern, N_KILLED_JUST + unjust] += 1
        estate = patron.gold
        move_coins(patron, -estate, tavern, ESTATE, flows)
    if what <= BANNED:
        counts[tavern, N_WARNED + what - WARNED] += 1
    if what >= OUT:
        patron.streak = 0
    return what, nights, estate


@rule
def warden_takes(
    world: World,
    tables: Tables,
    table: int,
    seat: int,
    what: int,
    choose: Choices,
    round_: int,
    counts: Any,
    flows: Any,
) -> int:
    """What the warden takes to look away, in cp; 0 where he is not tried or does not.

    A player's character is not decided for.
    """
    row, tavern, justice = tables.seats[table, seat], tables.tavern[table], world.justice
    patron = world.people[row]
    sum_cp = int(justice.bribe_days * patron.wage)
    u = unit(patron.luck, chance.BRIBE, slot(round_, 0))
    if patron.is_player == 1 or not choose.offers_bribe(
        patron, world.sheet[row], what, sum_cp, justice, u
    ):
        return 0
    takes = unit(tables.key[table], chance.BRIBE, slot(round_, 0)) < justice.take_prob
    if not takes or sum_cp > patron.gold:
        return 0
    move_coins(patron, -sum_cp, tavern, BRIBED, flows)
    counts[tavern, N_BRIBES] += 1
    counts[tavern, N_BRIBES_CP] += sum_cp
    return sum_cp


@rule
def running(world: World, row: int) -> int:
    """What somebody adds tonight to the check that he runs with."""
    sheet = world.sheet[row]
    bonus = rate_bonus(sheet.speed_ft) + (RUN_BONUS if sheet.feats & RUN_FEAT > 0 else 0)
    return ability_modifier(sheet.strength) + form(world.people[row], world.minds) + bonus


@rule
def is_angry(world: World, row: int, accused: int, has_lost: bool, night: int) -> bool:
    """Say whether somebody would go after the condemned: he lost to him, or thinks him a cheat."""
    if has_lost:
        return True
    memory = memory_of(world.beliefs, row)
    k = find(memory, accused)
    return k != NOBODY and log_odds_now(memory, k, night, world.ways) > 0.0


@rule
def find_pursuer(
    world: World, tables: Tables, table: int, accused_seat: int, night: int, net: Ints
) -> int:
    """The seat of the fastest who would go after the condemned, or NO_SEAT.

    Of several the first clockwise from him. A player's character is not decided for.
    """
    seats = tables.seats[table]
    pursuer = NO_SEAT
    best = 0
    for step in range(1, len(seats)):
        seat = clockwise(accused_seat, step, len(seats))
        row = seats[seat]
        if row == NOBODY or world.people[row].is_player == 1:
            continue
        if is_angry(world, row, seats[accused_seat], net[seat] < 0, night):
            speed = running(world, row)
            if pursuer == NO_SEAT or speed > best:
                pursuer, best = seat, speed
    return pursuer


@rule
def runs(
    world: World,
    tables: Tables,
    table: int,
    seat: int,
    pursuer: int,
    what: int,
    choose: Choices,
    round_: int,
) -> bool:
    """Ask the condemned whether he runs, with this one after him."""
    row = tables.seats[table, seat]
    patron = world.people[row]
    if patron.is_player == 1:
        return False
    edge = ALONE
    if pursuer != NO_SEAT:
        edge = float(running(world, row) - running(world, tables.seats[table, pursuer]))
    u = unit(patron.luck, chance.FLEE, slot(round_, 0))
    return choose.flees(patron, world.sheet[row], what, edge, world.justice, u)


@rule
def leave_running(
    world: World, tables: Tables, table: int, seat: int, pursuer: int, counts: Any
) -> None:
    """He is out of the door, and so is whoever is after him, until the next sitting."""
    patron = world.people[tables.seats[table, seat]]
    patron.tavern = NOBODY
    patron.streak = 0
    counts[tables.tavern[table], N_RAN] += 1
    tables.seats[table, seat] = NOBODY
    if pursuer != NO_SEAT:
        tables.seats[table, pursuer] = NOBODY


@rule
def condemn(
    world: World,
    tables: Tables,
    table: int,
    seat: int,
    what: int,
    mildest: int,
    choose: Choices,
    night: int,
    round_: int,
    counts: Any,
    flows: Any,
    net: Ints,
) -> Penalty:
    """Sentence a seat: the warden may be bought, the man may run, or it is carried out.

    Parameters
    ----------
    what : int
        The custom's sentence.
    mildest : int
        What it drops to where the warden takes the coins.
    """
    bribe = 0
    if world.justice.bribe_prob > 0.0 and what > mildest:
        bribe = warden_takes(world, tables, table, seat, what, choose, round_, counts, flows)
        if bribe > 0:
            what = mildest
    if world.justice.runs == 1 and what >= BANNED:
        pursuer = find_pursuer(world, tables, table, seat, night, net)
        if runs(world, tables, table, seat, pursuer, what, choose, round_):
            leave_running(world, tables, table, seat, pursuer, counts)
            return Penalty(what, 0, 0, bribe, 1, pursuer)
    row, key = tables.seats[table, seat], tables.key[table]
    what, nights, estate = sentence(
        world, row, what, tables.tavern[table], key, slot(round_, seat), night, counts, flows
    )
    if what >= OUT:
        tables.seats[table, seat] = NOBODY
    return Penalty(what, nights, estate, bribe, 0, NO_SEAT)
