"""A table plays Rotting Toes: asks decisions, throws, applies the rules, settles, notices.

One round, in this order:

1. The Hand stakes; the others bet in turn from his left, each seeing the bets before his.
2. He throws, if anybody bet *rot* perhaps with dice of his own, which the others
   may notice as they fall; after each throw without doubles he may cheat, too.
3. Stakes change hands, the house takes its rake.
4. Those who followed the round weigh what they saw.
5. Caught at his second failed check, he is sentenced. Otherwise one who lost
   to him may accuse, and the rest of the table judges.
6. Where the custom holds, too long a streak brings a beating.
7. Where people learn, the Hand takes in what his turn has brought him.
8. Empty purses leave their seats; the Hand passes on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .. import chance
from ..chance import roll, slot, throw, unit
from ..checks import passes
from ..coins import clockwise, rake
from ..compiled import kernel, rule
from ..games import game_number
from ..games import rotting_toes as rt
from ..patrons.columns import NOBODY, Floats, Ints, Row
from ..patrons.decisions import shipped_decisions
from ..patrons.decisions.general import logistic
from ..patrons.decisions.learning import cost_of, learn
from ..patrons.decisions.rotting_toes import hand_wins_prob, mood_of, pressure, swayed
from ..society.judgement import BANNED, BEATEN, OUT
from ..society.suspicion import Ways, find, log_odds_now, memory_of, place, recall, settle, witness
from .justice import Aftermath, is_cheat, judge, note_aftermath
from .record import (
    ACCUSED,
    BIG_WIN,
    BROKE,
    CAUGHT,
    N_CHEATS_HANDS,
    N_CHEATS_NET,
    N_CHEATS_STAKED,
    N_DICE_NOTICED,
    N_HONEST_HANDS,
    N_HONEST_NET,
    N_HONEST_STAKED,
    N_LUCKY_CHANCES,
    N_NOTICED,
    N_ROUNDS,
    N_TRICKED_HANDS,
    N_TRIED,
    NO_SEAT,
    ODD,
    TOO_LUCKY,
    TRICK,
    WEIGHTED,
    Notes,
    n_bits,
    next_cell,
)
from .rotting_toes_events import KINDS, NOTICED_NATURAL, tell_round
from .rotting_toes_told import PLAY as PLAY
from .seating import fill_rooms
from .seats import (
    Tables,
    World,
    attention_of,
    clear_seats,
    has_big_win,
    largest_win,
    next_seat,
    note_outcome,
    note_place,
    sit_down,
    taken,
    whose_turn,
)
from .settling import book, book_house
from .sittings import Task

__all__ = ["KINDS", "make_play_sitting", "tell_round"]

GAME = game_number("rotting-toes")


class Choices(NamedTuple):
    """The decisions this table asks of people, as the kernel is handed them."""

    bets: Callable[..., int]
    tries_to_cheat: Callable[..., bool]
    throws_own_dice: Callable[..., bool]
    chooses_to_cheat: Callable[..., bool]
    accuses: Callable[..., bool]
    offers_bribe: Callable[..., bool]
    flees: Callable[..., bool]
    table_stake: Callable[..., int]


class Own(NamedTuple):
    """Where people may throw dice of their own, and how those fall."""

    own_dice: Ints  # (n_taverns,): 1 where they may
    bias: float  # chance that a weighted die shows a 6


def make_own(found: Sequence[Mapping[str, Any]], scenario: Any) -> Own:
    """The houses' rules on dice, from the scenario."""
    own_dice = np.array([tavern.own_dice for tavern in scenario.taverns], np.int64)
    return Own(own_dice, scenario.dice.bias)


class Scratch(NamedTuple):
    """Room for one table's reckoning, so that rules allocate nothing."""

    dice: Ints  # (4,)
    bets: Ints  # (n_seats,), as are the rest
    stakes: Ints
    net: Ints
    purses: Ints
    places: Ints  # of the belief about the Hand in each seat's memory
    attention: Floats  # chance that a seat follows a round
    win_prob: Floats  # what each seat reckons the Hand's chances are
    mood: Floats  # what having a bet is worth to each seat, in stakes
    sway: Floats  # log-odds by which each win in a row of a Hand sways each seat
    sways: Ints  # (1,): 1 where any seat is swayed at all


def blank_scratch(n_seats: int) -> Scratch:
    """Scratch for tables of `n_seats` seats."""
    bets, stakes, net, purses, places = np.zeros((5, n_seats), np.int64)
    attention, win_prob, mood, sway = np.zeros((4, n_seats))
    dice = np.zeros(rt.MAX_DICE, np.int64)
    sways = np.zeros(1, np.int64)
    return Scratch(dice, bets, stakes, net, purses, places, attention, win_prob, mood, sway, sways)


class Turn(NamedTuple):
    """A Hand's throws, as they are recorded; bits count throws from 0."""

    toes: rt.Toes
    dice: int  # faces in base 7
    plain: int
    tried: int
    failed: int
    odd: int
    naturals: int  # d20s in base 32
    weighted: int  # 1: thrown with weighted dice of his own
    noticed_by: int  # the seat that noticed them, NO_SEAT
    noticed: int  # the d20 it did so with


@rule
def open_table(
    world: World, tables: Tables, table: int, choose: Choices, counts: Any, scratch: Scratch
) -> None:
    """Agree on the stake, send away who cannot cover it, see what mood each is in."""
    people, seats = world.people, tables.seats[table]
    sit_down(world, tables, table, rt.MIN_SEATS, choose.table_stake, counts, scratch.purses)
    scratch.sways[0] = 0
    for seat in range(len(seats)):
        scratch.stakes[seat] = tables.stake[table]
        if seats[seat] != NOBODY:
            scratch.places[seat] = recall(memory_of(world.beliefs, seats[seat]))
            scratch.attention[seat] = attention_of(people[seats[seat]], world.ways)
            scratch.mood[seat] = mood_of(people[seats[seat]])
            sway = people[seats[seat]].superstition
            scratch.sway[seat] = sway
            if sway != 0.0:
                scratch.sways[0] = 1


@rule
def size_up(
    world: World, tables: Tables, table: int, hand_seat: int, night: int, scratch: Scratch
) -> None:
    """What each seat reckons the Hand's chances are, and where it keeps its belief about him.

    One who is superstitious is swayed by the Hand's wins in a row. One who holds a
    belief about him reckons with an assumed cheat's chances as far as he believes it.
    """
    seats = tables.seats[table]
    hand = seats[hand_seat]
    streak = world.people[hand].streak if scratch.sways[0] == 1 else 0
    for seat in range(len(seats)):
        row = seats[seat]
        scratch.places[seat] = NOBODY
        if row == NOBODY or seat == hand_seat:
            continue
        patron = world.people[row]
        win_prob = hand_wins_prob(patron.seen_wins, patron.seen_rounds)
        if streak > 0:
            win_prob = swayed(win_prob, scratch.sway[seat], streak)
        memory = memory_of(world.beliefs, row)
        k = find(memory, hand)
        if k != NOBODY and world.minds.ride_the_cheat == 1:
            b = logistic(log_odds_now(memory, k, night, world.ways))
            win_prob = (1.0 - b) * win_prob + b * world.ways.assumed_win
        scratch.places[seat] = k
        scratch.win_prob[seat] = win_prob


@rule
def place_bets(
    world: World,
    tables: Tables,
    table: int,
    hand_seat: int,
    choose: Choices,
    round_: int,
    scratch: Scratch,
) -> tuple[int, int]:
    """Bets in turn from the Hand's left; how many bet rot, and how many not."""
    seats = tables.seats[table]
    n_rot = 0
    n_not = 0
    for seat in range(len(seats)):
        scratch.bets[seat] = rt.OUT
    scratch.bets[hand_seat] = rt.NOT
    for step in range(1, len(seats)):
        seat = clockwise(hand_seat, step, len(seats))
        row = seats[seat]
        if row == NOBODY:
            continue
        patron = world.people[row]
        u = unit(patron.luck, chance.BET, slot(round_, 0))
        win_prob, mood = scratch.win_prob[seat], scratch.mood[seat]
        bet = choose.bets(patron, win_prob, n_rot, n_not, mood, world.minds, u)
        is_rot = 1 if bet == rt.ROT else 0
        is_not = 1 if bet == rt.NOT else 0
        n_rot += is_rot
        n_not += is_not
        # Whatever else a user's function says is out.
        scratch.bets[seat] = rt.ROT * is_rot + rt.NOT * is_not
    return n_rot, n_not


@rule
def throw_weighted(key: int, index: int, bias: float, dice: Any) -> None:
    """Throw weighted dice: each falls by the luck by which a fair one would have."""
    for i in range(len(dice)):
        dice[i] = rt.weighted_face(unit(key, chance.THROW, index + i), bias)


@rule
def notice_dice(
    people: Any, seats: Ints, hand_seat: int, thievery: int, round_: int
) -> tuple[int, int]:
    """The first seat clockwise that sees that the Hand's dice are weighted, and its d20."""
    for step in range(1, len(seats)):
        seat = clockwise(hand_seat, step, len(seats))
        if seats[seat] != NOBODY:
            patron = people[seats[seat]]
            natural = roll(patron.luck, chance.NOTICE, slot(round_, 1), 20)
            if passes(natural, patron.perception, rt.notice_dc(thievery)):
                return seat, natural
    return NO_SEAT, 0


@rule
def brings_own_dice(
    world: World,
    own: Own,
    tavern: int,
    hand: Row,
    stake: int,
    choose: Choices,
    night: int,
    round_: int,
) -> int:
    """1 where the Hand throws weighted dice of his own in this turn."""
    if own.own_dice[tavern] == 0 or hand.weighted == 0:
        return 0
    restraint = world.houses.restraint[tavern]
    u = unit(hand.luck, chance.NOTICE, slot(round_, 0))
    throws = choose.throws_own_dice(hand, hand.failed, stake, restraint, night, world.minds, u)
    return 1 if throws else 0


@rule
def take_turn(
    world: World,
    own: Own,
    tables: Tables,
    table: int,
    hand_seat: int,
    is_worth_it: bool,
    choose: Choices,
    night: int,
    round_: int,
    scratch: Scratch,
) -> Turn:
    """The Hand's throws, with his tricks where there is something to gain.

    Weighted dice are looked at as they fall for the first time, and who notices
    says so: a failed check.
    """
    houses, key = world.houses, tables.key[table]
    tavern, seats = tables.tavern[table], tables.seats[table]
    hand = world.people[seats[hand_seat]]
    toes = rt.deal(hand.failed)
    dice = plain = tried = failed = odd = naturals = weighted = noticed = 0
    noticed_by = NO_SEAT
    if is_worth_it:
        stake = tables.stake[table]
        weighted = brings_own_dice(world, own, tavern, hand, stake, choose, night, round_)
    while rt.n_dice(toes) > 0:
        at = toes.throws
        thrown = scratch.dice[: rt.n_dice(toes)]
        throw(key, chance.THROW, slot(round_, rt.MAX_DICE * at), 6, thrown)
        if weighted == 1:
            throw_weighted(key, slot(round_, rt.MAX_DICE * at), own.bias, thrown)
        for i in range(len(thrown)):
            dice = dice * 7 + thrown[i]
        toes = rt.after_throw(toes, thrown)
        looks_odd = unit(key, chance.ODD_THROW, slot(round_, at)) < world.ways.false_alarm
        if weighted == 1 and at == 0:
            noticed_by, noticed = notice_dice(world.people, seats, hand_seat, hand.thievery, round_)
            if noticed_by != NO_SEAT:
                toes = rt.after_notice(toes)
                looks_odd = True
        if is_worth_it and rt.can_cheat(toes):
            plain |= 1 << at
            u = unit(hand.luck, chance.CHEAT, slot(round_, at))
            if choose.tries_to_cheat(
                hand,
                toes,
                tables.stake[table],
                houses.restraint[tavern],
                night,
                world.minds,
                u,
            ):
                tried |= 1 << at
                natural = roll(key, chance.THIEVERY, slot(round_, at), 20)
                naturals = naturals * 32 + natural
                before = toes.failed
                toes = rt.after_check(toes, natural, hand.thievery, houses.dc[tavern])
                if toes.failed > before:
                    failed |= 1 << at
                    looks_odd = True
        if looks_odd:
            odd |= 1 << at
    return Turn(toes, dice, plain, tried, failed, odd, naturals, weighted, noticed_by, noticed)


@rule
def weigh(hand: Row, ways: Ways, tavern: int, ended: int, n_odd: int) -> float:
    """The log likelihood ratio, cheat against honest, of what a round showed.

    Moves the table's reckoning of the Hand's failed checks (`filter`) along.
    """
    x = 0 if ended == rt.WIN else 1
    one = hand.filter
    clean = 0.0
    marked = 0.0
    for f in range(rt.MAX_FAILED):
        weight = one if f == 1 else 1.0 - one
        clean += weight * ways.cheat_evidence[tavern, f, x, n_odd, 0]
        marked += weight * ways.cheat_evidence[tavern, f, x, n_odd, 1]
    likelihood = clean + marked
    hand.filter = marked / likelihood
    return math.log(likelihood / ways.honest_evidence[x, n_odd])


@rule
def notice(
    world: World,
    tables: Tables,
    table: int,
    hand_seat: int,
    turn: Turn,
    is_evidence: bool,
    night: int,
    round_: int,
    scratch: Scratch,
) -> int:
    """Who follows the round weighs it; a bit for each seat that did.

    A trick confirmed in public is noticed by all. A round in which nobody bet
    rot proves nothing, since even a cheat plays it honestly.
    """
    people, beliefs, ways = world.people, world.beliefs, world.ways
    seats = tables.seats[table]
    hand = seats[hand_seat]
    ended = rt.result(turn.toes)
    shift = 0.0
    if ended != rt.VOID and is_evidence:
        shift = weigh(people[hand], ways, tables.tavern[table], ended, n_bits(turn.odd))
    followed = 0
    for seat in range(len(seats)):
        row = seats[seat]
        if row == NOBODY or seat == hand_seat:
            continue
        patron = people[row]
        u = unit(patron.luck, chance.FOLLOW, slot(round_, 0))
        if ended != rt.VOID and u >= scratch.attention[seat]:
            continue
        followed |= 1 << seat
        memory = memory_of(beliefs, row)
        k = scratch.places[seat]
        if k == NOBODY:
            k = place(memory, hand, night, ways)
            scratch.places[seat] = k
        felt = shift
        if shift > 0.0 and scratch.net[seat] < 0:
            felt = shift * (1.0 + ways.sore_loser * patron.soreness)
        witness(memory, k, felt, night, ways)
        if ended == rt.VOID:
            settle(memory, k, night, ways)
        else:
            patron.seen_rounds += 1
            if ended == rt.WIN:
                patron.seen_wins += 1
    return followed


@rule
def settle_stakes(
    world: World,
    tables: Tables,
    table: int,
    hand_seat: int,
    ended: int,
    counts: Any,
    flows: Any,
    scratch: Scratch,
) -> int:
    """Pay the round out and book it; the pool that changed hands."""
    seats, tavern, net = tables.seats[table], tables.tavern[table], scratch.net
    rake_bp = world.houses.rake_bp[tavern]
    pool = rt.payout(ended, hand_seat, scratch.bets, scratch.stakes, net, rake_bp)
    for seat in range(len(seats)):
        if scratch.bets[seat] != rt.OUT:
            book(world, tavern, seats[seat], scratch.stakes[seat], net[seat], counts, flows)
    book_house(tavern, pool, rake(pool, rake_bp), counts, flows)
    return pool


@rule
def keep_record(hand: Row, turn: Turn, failed_before: int, n_tried: int, night: int) -> None:
    """Write the round into the Hand's own columns."""
    ended = rt.result(turn.toes)
    hand.failed = turn.toes.failed
    hand.tries += n_tried
    if n_tried > 0 and hand.first_try == 0:
        hand.first_try = night
    hand.failed_ever += turn.toes.failed - failed_before
    hand.hands += 1
    if ended == rt.WIN:
        hand.hand_wins += 1
    hand.streak = rt.next_streak(hand.streak, ended)


@rule
def count_turn(tavern: int, turn: Turn, failed_before: int, n_tried: int, counts: Any) -> None:
    """Count the round and its tricks."""
    counts[tavern, N_ROUNDS] += 1
    counts[tavern, N_TRIED] += n_tried
    counts[tavern, N_NOTICED] += turn.toes.failed - failed_before
    if turn.noticed_by != NO_SEAT:
        counts[tavern, N_DICE_NOTICED] += 1


@rule
def tally_hand(
    tavern: int, hand: Row, is_tricked: bool, stake: int, gain: int, counts: Any
) -> None:
    """What the Hand staked and gained, apart for those of the cheating kind and others.

    By kind and not by trick: tricks are tried where the first throw was bad, so that
    turns with one are not like the others.
    """
    if is_tricked:
        counts[tavern, N_TRICKED_HANDS] += 1
    if hand.is_cheat == 1:
        counts[tavern, N_CHEATS_HANDS] += 1
        counts[tavern, N_CHEATS_STAKED] += stake
        counts[tavern, N_CHEATS_NET] += gain
    else:
        counts[tavern, N_HONEST_HANDS] += 1
        counts[tavern, N_HONEST_STAKED] += stake
        counts[tavern, N_HONEST_NET] += gain


@rule
def brought(after: Aftermath, gain: int, stake: int) -> float:
    """What a turn has brought the Hand, in stakes, less what a sentence cost him.

    Who ran is out of the house, and that is all he knows of it yet.
    """
    penalty = after.penalty
    is_out = penalty.sentence == OUT or penalty.ran == 1
    stands = penalty.ran == 0
    nights_banned = penalty.nights if penalty.sentence == BANNED and stands else 0
    is_beaten = (penalty.sentence == BEATEN and stands) or after.lucky_nights > 0
    return (gain - penalty.bribe) / stake - cost_of(is_out, nights_banned, is_beaten)


@rule
def note_turn(
    cell: Any, turn: Turn, failed_before: int, modifier: float, moves: int, cheated: int
) -> None:
    """Write down the Hand's throws and tries."""
    cell["ended"] = rt.result(turn.toes)
    cell["dice"] = turn.dice
    cell["plain"] = turn.plain
    cell["tried"] = turn.tried
    cell["failed"] = turn.failed
    cell["odd"] = turn.odd
    cell["naturals"] = turn.naturals
    cell["weighted"] = turn.weighted
    cell["noticed_by"] = turn.noticed_by
    cell["facts"][NOTICED_NATURAL] = turn.noticed
    cell["failed_before"] = failed_before
    cell["modifier"] = modifier
    cell["moves"] = moves
    cell["is_cheat"] = cheated


@rule
def what_is_notable(
    turn: Turn, after: Aftermath, is_watched: bool, broke: int, is_big: bool
) -> int:
    """Bits that say what makes a round worth telling; 0 where nothing does."""
    notable = 0
    ended = rt.result(turn.toes)
    seen = turn.failed
    if turn.tried > 0:
        notable |= TRICK
    if turn.weighted == 1:
        notable |= WEIGHTED
        seen |= 1 if turn.noticed_by != NO_SEAT else 0
    if turn.odd & ~seen and is_watched and ended != rt.VOID:
        notable |= ODD
    if ended == rt.VOID:
        notable |= CAUGHT
    if after.accuser != NO_SEAT:
        notable |= ACCUSED
    if after.lucky_nights > 0:
        notable |= TOO_LUCKY
    if broke > 0:
        notable |= BROKE
    if is_big:
        notable |= BIG_WIN
    return notable


@rule
def play_round(
    world: World,
    own: Own,
    tables: Tables,
    table: int,
    choose: Choices,
    night: int,
    round_: int,
    notes: Notes,
    counts: Any,
    flows: Any,
    scratch: Scratch,
) -> None:
    """Play one round at one table and write it down."""
    people, houses = world.people, world.houses
    seats, tavern, stake = tables.seats[table], tables.tavern[table], tables.stake[table]
    seated = taken(seats)
    if n_bits(seated) < rt.MIN_SEATS:
        return
    hand_seat = whose_turn(tables, table)
    hand = people[seats[hand_seat]]
    failed_before = hand.failed
    if rt.is_too_lucky(hand.streak + 1, houses.lucky_wins[tavern]):
        counts[tavern, N_LUCKY_CHANCES] += 1
    modifier = 0.0
    minds = world.minds
    moves = 1 if minds.tau_moves == 1 and minds.learning == 0 and hand.propensity < 0.0 else 0
    if moves == 1 and hand.is_cheat == 1:
        modifier = pressure(hand, 0, stake, houses.restraint[tavern], night)

    size_up(world, tables, table, hand_seat, night, scratch)
    n_rot, n_not = place_bets(world, tables, table, hand_seat, choose, round_, scratch)
    learns = minds.learning == 1 and n_rot > 0
    if minds.learning == 1:
        u = unit(hand.luck, chance.LEARN, slot(round_, 0))
        cheats = learns and choose.chooses_to_cheat(hand, minds, u)
        hand.is_tricking = 1 if cheats else 0
    turn = take_turn(
        world, own, tables, table, hand_seat, n_rot > 0, choose, night, round_, scratch
    )
    ended = rt.result(turn.toes)
    pool = settle_stakes(world, tables, table, hand_seat, ended, counts, flows, scratch)
    winner, winner_net = largest_win(scratch.net)
    is_big = has_big_win(people, seats, winner, winner_net, stake)
    n_tried = n_bits(turn.tried) + turn.weighted
    keep_record(hand, turn, failed_before, n_tried, night)
    count_turn(tavern, turn, failed_before, n_tried, counts)
    followed = notice(world, tables, table, hand_seat, turn, n_rot > 0, night, round_, scratch)
    cheated = is_cheat(hand)
    after = judge(
        world,
        tables,
        table,
        hand_seat,
        ended == rt.VOID,
        ended == rt.WIN,
        rt.is_too_lucky(hand.streak, houses.lucky_wins[tavern]),
        choose,
        night,
        round_,
        counts,
        flows,
        scratch,
    )
    gain = scratch.net[hand_seat] - after.repaid
    tally_hand(tavern, hand, n_tried > 0, stake, gain, counts)
    if learns:
        learn(hand, brought(after, gain, stake))
    broke = clear_seats(people, seats, stake)
    tables.turn[table] = next_seat(seats, hand_seat)

    notable = what_is_notable(turn, after, followed > 0 and n_rot > 0, broke, is_big)
    if notable == 0 and notes.keep_all == 0:
        return
    cell = next_cell(notes)
    note_place(cell, GAME, tables, table, hand_seat, seated, night, round_)
    note_outcome(cell, pool, winner, winner_net, broke, notable)
    note_turn(cell, turn, failed_before, modifier, moves, cheated)
    note_aftermath(cell, after, world)
    cell["n_rot"] = n_rot
    cell["n_not"] = n_not
    cell["followed"] = followed


@cache
def make_play_sitting(choices: Choices, serve: Callable[..., None]) -> Callable[..., int]:
    """The kernel that plays a sitting at the tables of this game, with these decisions.

    It does what `sittings.play_tables` does for the other games; called from
    there, an evening of this game measured 1 to 4 % slower.
    """
    bets, tries_to_cheat, throws_own_dice, chooses_to_cheat = choices[:4]
    accuses, offers_bribe, flees, table_stake = choices[4:]

    @kernel(defaults=shipped_decisions())
    def play_sitting(
        task: Task,
        world: World,
        own: Own,
        tables: Tables,
        notes: Notes,
        counts: Any,
        flows: Any,
        scratch: Scratch,
    ) -> int:
        choose = Choices(
            bets,
            tries_to_cheat,
            throws_own_dice,
            chooses_to_cheat,
            accuses,
            offers_bribe,
            flees,
            table_stake,
        )
        when = task.when
        n_tables = 0
        last = task.last
        if task.begins == 1:
            if task.serves == 1:
                serve(task.crowd, when, world.people, world.houses, counts, flows)
            n_tables = fill_rooms(task.rooms, task.crowd, when, world.people, tables)
        if last < 0:
            last = n_tables
        for table in range(task.first, last):
            open_table(world, tables, table, choose, counts, scratch)
            for at in range(tables.skips[table], when.n_rounds):
                play_round(
                    world,
                    own,
                    tables,
                    table,
                    choose,
                    when.night,
                    when.first_round + at,
                    notes,
                    counts,
                    flows,
                    scratch,
                )
        return n_tables

    return play_sitting
