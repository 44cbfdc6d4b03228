"""Justice at a table, whatever it plays: accusing, judging, sentencing, paying back.

The one who stands to be judged is the seat whose turn it was: in Rotting Toes
the Hand. Before a sentence is carried out he may try the warden with coins, and
he may run: then a chase after the sitting (`flight`) says what becomes of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from .. import chance
from ..chance import slot, unit
from ..coins import clockwise, share
from ..compiled import rule
from ..patrons.columns import NOBODY, Ints, People
from ..patrons.decisions.general import logistic
from ..society.judgement import (
    MIN_JUDGES,
    OUT,
    WARNED,
    hurt,
    is_guilty,
    resent,
    sentence_of,
)
from ..society.suspicion import find, hear, log_odds_now, memory_of
from .accounts import REPAID, REPAYMENT
from .record import (
    ACCUSED,
    BRIBED_OFF,
    CAUGHT,
    CLEARED,
    CONVICTED,
    N_ACCUSED_JUST,
    N_BRAWLS,
    N_CAUGHT,
    N_CLEARED,
    N_CONVICTED_JUST,
    N_TOO_LUCKY,
    NO_SEAT,
)
from .seats import Tables, World, move_coins, n_seated
from .sentencing import Choices, Penalty, beat, condemn, is_cheat, unpunished

__all__ = ["Aftermath", "Choices", "is_cheat", "judge", "no_aftermath", "note_aftermath"]


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

    penalty: Penalty
    accuser: int
    verdict: int
    n_judges: int
    n_guilty: int
    repaid: int
    brawl: int
    lucky_nights: int


CERTAIN = 10_000
"""A probability of 1, as a cell's `beliefs` have it."""


@rule
def no_aftermath() -> Aftermath:
    """Nothing came of the round."""
    return Aftermath(unpunished(), NO_SEAT, 0, 0, 0, 0, 0, 0)


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
    choose: Choices,
    night: int,
    round_: int,
    counts: Any,
    flows: Any,
    net: Ints,
) -> Aftermath:
    """The second failed check: no vote is needed, the custom of the house follows.

    However mild the custom, he plays no more tonight.
    """
    counts[tables.tavern[table], N_CAUGHT] += 1
    what = max(OUT, custom_of(world, tables, table, round_))
    penalty = condemn(
        world, tables, table, accused_seat, what, OUT, choose, night, round_, counts, flows, net
    )
    return Aftermath(penalty, NO_SEAT, 0, 0, 0, 0, 0, 0)


@rule
def resent_all(
    world: World, seats: Ints, accused_seat: int, accuser_seat: int, night: int, net: Ints
) -> None:
    """Grudges after a conviction: the condemned against his accuser, the losers against him."""
    people, justice = world.people, world.justice
    accused = seats[accused_seat]
    resent(people[accused], seats[accuser_seat], night, justice)
    for seat in range(len(seats)):
        if seats[seat] != NOBODY and seat != accused_seat and net[seat] < 0:
            resent(people[seats[seat]], accused, night, justice)


@rule
def clear(
    world: World,
    tables: Tables,
    table: int,
    accused_seat: int,
    accuser_seat: int,
    night: int,
    round_: int,
    counts: Any,
) -> int:
    """The accused is cleared; the accuser loses face. 1 if they come to blows."""
    tavern, seats, justice = tables.tavern[table], tables.seats[table], world.justice
    counts[tavern, N_CLEARED] += 1
    world.people[seats[accuser_seat]].lost_face_until = night + justice.lost_face_nights
    resent(world.people[seats[accused_seat]], seats[accuser_seat], night, justice)
    if unit(tables.key[table], chance.BRAWL, slot(round_, 0)) >= justice.brawl_prob:
        return 0
    counts[tavern, N_BRAWLS] += 1
    brawl(world, tables, table, accused_seat, accuser_seat, night)
    return 1


@rule
def try_accused(
    world: World,
    tables: Tables,
    table: int,
    accused_seat: int,
    accuser_seat: int,
    choose: Choices,
    night: int,
    round_: int,
    counts: Any,
    flows: Any,
    net: Ints,
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
    if not is_guilty(n_guilty, n_judges):
        brawled = clear(world, tables, table, accused_seat, accuser_seat, night, round_, counts)
        return Aftermath(unpunished(), accuser_seat, CLEARED, n_judges, n_guilty, 0, brawled, 0)
    accused.convicted += 1
    counts[tavern, N_CONVICTED_JUST + unjust] += 1
    repaid = repay(people, seats, accused_seat, tavern, flows, net)
    resent_all(world, seats, accused_seat, accuser_seat, night, net)
    what = custom_of(world, tables, table, round_)
    penalty = condemn(
        world, tables, table, accused_seat, what, WARNED, choose, night, round_, counts, flows, net
    )
    return Aftermath(penalty, accuser_seat, CONVICTED, n_judges, n_guilty, repaid, 0, 0)


@rule
def judge(
    world: World,
    tables: Tables,
    table: int,
    accused_seat: int,
    is_caught: bool,
    has_won: bool,
    is_too_lucky: bool,
    choose: Choices,
    night: int,
    round_: int,
    counts: Any,
    flows: Any,
    scratch: Judged,
) -> Aftermath:
    """What follows a round: a trick confirmed, an accusation, or too much luck."""
    after = no_aftermath()
    if is_caught:
        after = catch(
            world, tables, table, accused_seat, choose, night, round_, counts, flows, scratch.net
        )
    elif has_won:
        accuser_seat = find_accuser(
            world, tables, table, accused_seat, choose.accuses, night, round_, scratch
        )
        if accuser_seat != NO_SEAT:
            after = try_accused(
                world,
                tables,
                table,
                accused_seat,
                accuser_seat,
                choose,
                night,
                round_,
                counts,
                flows,
                scratch.net,
            )
    if is_too_lucky and tables.seats[table, accused_seat] != NOBODY:
        row, tavern, key = (
            tables.seats[table, accused_seat],
            tables.tavern[table],
            tables.key[table],
        )
        counts[tavern, N_TOO_LUCKY] += 1
        nights = beat(world, row, tavern, key, slot(round_, accused_seat), night)
        world.people[row].streak = 0
        tables.seats[table, accused_seat] = NOBODY
        return Aftermath(
            after.penalty, after.accuser, after.verdict, after.n_judges,
            after.n_guilty, after.repaid, after.brawl, nights,
        )  # fmt: skip
    return after


@rule
def note_beliefs(cell: Any, world: World) -> None:
    """Write down what each seat believes about the accused, once the accuser has spoken."""
    accused = cell["rows"][cell["hand"]]
    for seat in range(len(cell["rows"])):
        if cell["seated"] >> seat & 1 == 0 or seat == cell["hand"]:
            continue
        memory = memory_of(world.beliefs, cell["rows"][seat])
        k = find(memory, accused)
        if k != NOBODY:
            b = logistic(log_odds_now(memory, k, cell["night"], world.ways))
            cell["beliefs"][seat] = math.floor(CERTAIN * b + 0.5)


@rule
def note_aftermath(cell: Any, after: Aftermath, world: World) -> None:
    """Write down what became of a round; place and outcome stand in the cell already."""
    penalty = after.penalty
    cell["accuser"] = after.accuser
    cell["verdict"] = after.verdict
    cell["n_judges"] = after.n_judges
    cell["n_guilty"] = after.n_guilty
    cell["sentence"] = penalty.sentence
    cell["nights"] = penalty.nights
    cell["repaid"] = after.repaid
    cell["estate"] = penalty.estate
    cell["ran"] = penalty.ran
    cell["pursuer"] = penalty.pursuer
    cell["bribe"] = penalty.bribe
    cell["brawl"] = after.brawl
    cell["lucky_nights"] = after.lucky_nights
    if penalty.bribe > 0:
        cell["notable"] = cell["notable"] | BRIBED_OFF
    if cell["notable"] & (ACCUSED | CAUGHT):
        note_beliefs(cell, world)
