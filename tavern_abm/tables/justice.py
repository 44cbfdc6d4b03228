"""Justice at a table, whatever it plays: accusing, judging, sentencing, paying back.

The one who stands to be judged is the seat whose turn it was: in Rotting Toes
the Hand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from .. import chance
from ..chance import roll, slot, unit
from ..coins import clockwise, share
from ..compiled import rule
from ..patrons.columns import NOBODY, Ints, People, Row
from ..society.judgement import (
    BANNED,
    BEATEN,
    KILLED,
    MIN_JUDGES,
    NIGHTS_HURT_FACES,
    NONE,
    OUT,
    WARNED,
    carry_out,
    hurt,
    is_guilty,
    sentence_of,
)
from ..society.suspicion import find, hear, log_odds_now, memory_of
from .accounts import ESTATE, REPAID, REPAYMENT
from .record import (
    CLEARED,
    CONVICTED,
    N_ACCUSED_JUST,
    N_BEATEN_JUST,
    N_BRAWLS,
    N_CAUGHT,
    N_CLEARED,
    N_CONVICTED_JUST,
    N_KILLED_JUST,
    N_TOO_LUCKY,
    N_WARNED,
    NO_SEAT,
)
from .seats import Tables, World, move_coins, n_seated


class Judged(Protocol):
    """What justice wants to know of a round: part of the scratch of a game with cheats."""

    @property
    def net(self) -> Ints:
        """What each seat has won less what it has lost, in cp."""

    @property
    def places(self) -> Ints:
        """Where each seat keeps its belief about the accused; NOBODY: it has none."""


class Aftermath(NamedTuple):
    """What became of a round at its table, as it is recorded."""

    sentence: int
    nights: int
    estate: int
    accuser: int
    verdict: int
    n_judges: int
    n_guilty: int
    repaid: int
    brawl: int
    lucky_nights: int


@rule
def is_cheat(patron: Row) -> int:
    """1 for one of the cheating kind who has tried: the truth that all is scored against."""
    return 1 if patron.is_cheat == 1 and patron.tries > 0 else 0


@rule
def find_accuser(
    world: World,
    tables: Tables,
    table: int,
    accused_seat: int,
    accuses: Callable[..., bool],
    night: int,
    round_: int,
    scratch: Judged,
) -> int:
    """The first seat clockwise from the Hand that lost to him and speaks up, or NO_SEAT."""
    people, justice = world.people, world.justice
    seats = tables.seats[table]
    if justice.accusations == 0 or n_seated(seats) < 2 + MIN_JUDGES:
        return NO_SEAT
    for step in range(1, len(seats)):
        seat = clockwise(accused_seat, step, len(seats))
        row = seats[seat]
        if row == NOBODY or scratch.net[seat] >= 0 or people[row].has_accused == 1:
            continue
        patron = people[row]
        k = scratch.places[seat]
        if k == NOBODY:
            continue
        log_odds = log_odds_now(memory_of(world.beliefs, row), k, night, world.ways)
        u = unit(patron.luck, chance.ACCUSE, slot(round_, 0))
        if accuses(patron, log_odds, night, justice.accuse_prob, justice.lost_face, u):
            return seat
    return NO_SEAT


@rule
def vote(
    world: World, tables: Tables, table: int, accused_seat: int, accuser_seat: int, night: int
) -> tuple[int, int]:
    """Each judge hears the accuser out; how many judge, and how many find guilty."""
    beliefs, ways = world.beliefs, world.ways
    seats = tables.seats[table]
    accused = seats[accused_seat]
    accuser = seats[accuser_seat]
    teller = memory_of(beliefs, accuser)
    told = log_odds_now(teller, find(teller, accused), night, ways)
    n_judges = 0
    n_guilty = 0
    for seat in range(len(seats)):
        row = seats[seat]
        if row == NOBODY or seat in (accused_seat, accuser_seat):
            continue
        judge_ = memory_of(beliefs, row)
        k = hear(judge_, accused, accuser, told, night, ways)
        n_judges += 1
        if log_odds_now(judge_, k, night, ways) > 0.0:
            n_guilty += 1
    return n_judges, n_guilty


@rule
def repay(
    people: People, seats: Ints, accused_seat: int, tavern: int, flows: Any, net: Ints
) -> int:
    """A convicted Hand gives back what he won this round to those who lost it; the sum."""
    accused = people[seats[accused_seat]]
    sum_cp = min(net[accused_seat], accused.gold)
    n_losers = 0
    for seat in range(len(seats)):
        if seats[seat] != NOBODY and net[seat] < 0:
            n_losers += 1
    if sum_cp <= 0 or n_losers == 0:
        return 0
    move_coins(accused, -sum_cp, tavern, REPAID, flows)
    accused.games_net -= sum_cp
    at = 0
    for step in range(1, len(seats)):
        seat = clockwise(accused_seat, step, len(seats))
        if seats[seat] != NOBODY and net[seat] < 0:
            back = share(sum_cp, n_losers, at)
            loser = people[seats[seat]]
            move_coins(loser, back, tavern, REPAYMENT, flows)
            loser.games_net += back
            at += 1
    return sum_cp


@rule
def custom_of(world: World, tables: Tables, table: int, round_: int) -> int:
    """The sentence the custom of the house gives this round, if it comes to one."""
    u = unit(tables.key[table], chance.SENTENCE, slot(round_, 0))
    return sentence_of(world.houses.custom[tables.tavern[table]], u)


@rule
def beat(world: World, tables: Tables, table: int, seat: int, night: int, round_: int) -> int:
    """Beat a seat; d6 nights at home."""
    nights = roll(tables.key[table], chance.NIGHTS_HURT, slot(round_, seat), NIGHTS_HURT_FACES)
    patron = world.people[tables.seats[table, seat]]
    carry_out(patron, BEATEN, nights, night)
    patron.streak = 0
    tables.seats[table, seat] = NOBODY
    return nights


@rule
def sentence(
    world: World,
    tables: Tables,
    table: int,
    seat: int,
    what: int,
    night: int,
    round_: int,
    counts: Any,
    flows: Any,
) -> tuple[int, int, int]:
    """Carry a sentence out; the sentence, its nights, and a dead man's purse.

    A player's character is beaten where others are killed.
    """
    tavern = tables.tavern[table]
    patron = world.people[tables.seats[table, seat]]
    unjust = 1 - is_cheat(patron)
    if what == KILLED and patron.is_player == 1:
        what = BEATEN
    nights = 0
    if what == BANNED:
        nights = world.houses.ban_nights[tavern]
    elif what == BEATEN:
        counts[tavern, N_BEATEN_JUST + unjust] += 1
        return what, beat(world, tables, table, seat, night, round_), 0
    elif what == KILLED:
        counts[tavern, N_KILLED_JUST + unjust] += 1
    if what <= BANNED:
        counts[tavern, N_WARNED + what - WARNED] += 1
    carry_out(patron, what, nights, night)
    estate = 0
    if what == KILLED:
        estate = patron.gold
        move_coins(patron, -estate, tavern, ESTATE, flows)
    if what >= OUT:
        tables.seats[table, seat] = NOBODY
        patron.streak = 0
    return what, nights, estate


@rule
def brawl(world: World, tables: Tables, table: int, a: int, b: int, night: int) -> None:
    """Two seats come to blows: both go home and stay there for a night."""
    for seat in (a, b):
        patron = world.people[tables.seats[table, seat]]
        hurt(patron, 1, night)
        patron.tavern = NOBODY
        patron.streak = 0
        tables.seats[table, seat] = NOBODY


@rule
def catch(
    world: World,
    tables: Tables,
    table: int,
    accused_seat: int,
    night: int,
    round_: int,
    counts: Any,
    flows: Any,
) -> Aftermath:
    """The second failed check: no vote is needed, the custom of the house follows.

    However mild the custom, he plays no more tonight.
    """
    counts[tables.tavern[table], N_CAUGHT] += 1
    what = max(OUT, custom_of(world, tables, table, round_))
    what, nights, estate = sentence(
        world, tables, table, accused_seat, what, night, round_, counts, flows
    )
    return Aftermath(what, nights, estate, NO_SEAT, 0, 0, 0, 0, 0, 0)


@rule
def try_accused(
    world: World,
    tables: Tables,
    table: int,
    accused_seat: int,
    accuser_seat: int,
    night: int,
    round_: int,
    counts: Any,
    flows: Any,
    scratch: Judged,
) -> Aftermath:
    """The table tries the Hand whom a loser has accused."""
    people, seats, tavern = world.people, tables.seats[table], tables.tavern[table]
    accused, accuser = people[seats[accused_seat]], people[seats[accuser_seat]]
    unjust = 1 - is_cheat(accused)
    accuser.has_accused = 1
    accuser.accusations += 1
    accused.accused += 1
    counts[tavern, N_ACCUSED_JUST + unjust] += 1
    n_judges, n_guilty = vote(world, tables, table, accused_seat, accuser_seat, night)
    if is_guilty(n_guilty, n_judges):
        accused.convicted += 1
        counts[tavern, N_CONVICTED_JUST + unjust] += 1
        repaid = repay(people, seats, accused_seat, tavern, flows, scratch.net)
        what = custom_of(world, tables, table, round_)
        what, nights, estate = sentence(
            world, tables, table, accused_seat, what, night, round_, counts, flows
        )
        return Aftermath(
            what, nights, estate, accuser_seat, CONVICTED, n_judges, n_guilty, repaid, 0, 0
        )
    counts[tavern, N_CLEARED] += 1
    accuser.lost_face_until = night + world.justice.lost_face_nights
    brawled = 0
    if unit(tables.key[table], chance.BRAWL, slot(round_, 0)) < world.justice.brawl_prob:
        brawled = 1
        counts[tavern, N_BRAWLS] += 1
        brawl(world, tables, table, accused_seat, accuser_seat, night)
    return Aftermath(NONE, 0, 0, accuser_seat, CLEARED, n_judges, n_guilty, 0, brawled, 0)


@rule
def judge(
    world: World,
    tables: Tables,
    table: int,
    accused_seat: int,
    is_caught: bool,
    has_won: bool,
    is_too_lucky: bool,
    accuses: Callable[..., bool],
    night: int,
    round_: int,
    counts: Any,
    flows: Any,
    scratch: Judged,
) -> Aftermath:
    """What follows a round: a trick confirmed, an accusation, or too much luck."""
    after = Aftermath(NONE, 0, 0, NO_SEAT, 0, 0, 0, 0, 0, 0)
    if is_caught:
        after = catch(world, tables, table, accused_seat, night, round_, counts, flows)
    elif has_won:
        accuser_seat = find_accuser(
            world, tables, table, accused_seat, accuses, night, round_, scratch
        )
        if accuser_seat != NO_SEAT:
            after = try_accused(
                world,
                tables,
                table,
                accused_seat,
                accuser_seat,
                night,
                round_,
                counts,
                flows,
                scratch,
            )
    if is_too_lucky and tables.seats[table, accused_seat] != NOBODY:
        counts[tables.tavern[table], N_TOO_LUCKY] += 1
        nights = beat(world, tables, table, accused_seat, night, round_)
        return Aftermath(
            after.sentence, after.nights, after.estate, after.accuser, after.verdict,
            after.n_judges, after.n_guilty, after.repaid, after.brawl, nights,
        )  # fmt: skip
    return after


@rule
def note_aftermath(cell: Any, after: Aftermath) -> None:
    """Write down what became of a round."""
    cell["accuser"] = after.accuser
    cell["verdict"] = after.verdict
    cell["n_judges"] = after.n_judges
    cell["n_guilty"] = after.n_guilty
    cell["sentence"] = after.sentence
    cell["nights"] = after.nights
    cell["repaid"] = after.repaid
    cell["estate"] = after.estate
    cell["brawl"] = after.brawl
    cell["lucky_nights"] = after.lucky_nights
