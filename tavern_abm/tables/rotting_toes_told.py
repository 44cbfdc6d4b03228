"""A game of Rotting Toes at the table, throw by throw, as a game master tells it.

The rules are those of `games.rotting_toes`, the very functions that the
evenings of the simulation run; only this driver asks for dice and bets and
writes down what happens. Nobody has a purse here, so nobody runs out of coins.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from ..chance import BET, CHOICE, ODD_THROW, PLAY, THIEVERY, THROW, roll, run_key, subkey, unit
from ..checks import HARD_DC, passes
from ..coins import CP_PER_GP
from ..games import rotting_toes as rt
from ..patrons.decisions.rotting_toes import choose_side
from .rotting_toes_records import (
    Beating,
    Bet,
    Check,
    Closing,
    Notice,
    Opening,
    Payout,
    Penalty,
    QuickPayout,
    Record,
    Result,
    Throw,
    Toe,
    Told,
    sentence,
)

P_WIN = 397 / 972
RATIONALITY = 4.0
THRILL = 0.25
BETS = {"rot": rt.ROT, "not": rt.NOT, "out": rt.OUT}
_BET_NAMES = {bet: name for name, bet in BETS.items()}
_ENDS = {rt.WIN: "win", rt.LOSE: "lose", rt.VOID: "void"}
PENALTIES = {"tavern": "ejected", "orc": "killed"}
"""Customs of a house by name, and what each does to a caught Hand."""
LUCKY_WINS = 4
NOTICE_DC = 10
PERCEPTION = 0
BESIDE_A_THROW = (Check, Notice, Toe)
_FACES = 6
_FAVOURED = 6


@dataclass(frozen=True)
class Game:
    """Who plays, and how.

    Parameters
    ----------
    players : sequence of str
        Seats clockwise, at least 2 distinct names; the first is the Hand in
        round 1, and the Hand passes clockwise each round.
    seed : int
        The same seed gives the same game.
    rounds : int
        How many; fewer are played if fewer than two players are left.
    stake_cp : int
        What the Hand and each bettor stakes.
    bets : mapping of name to {"rot", "not", "out"}
        Bets that are fixed; the others are chosen (`choose_side`) by people who know the
        honest odds.
    cheat, weighted : str, optional
        Who tries a trick whenever his throw shows no doubles; whose dice show a
        6 with chance 1/3.
    thievery : int
        Thievery modifier of those two.
    dc : int
        The house's DC for tricks, before any rise.
    custom : {"tavern", "orc"}
        What becomes of a caught Hand.
    lucky : bool
        Whether the fourth win in a row as the Hand brings a beating.
    quick : bool
        Pay 2d4 gp for each gp of bet instead of sharing the losers' stakes.
    """

    players: Sequence[str]
    seed: int = 1
    rounds: int = 1
    stake_cp: int = CP_PER_GP
    bets: Mapping[str, str] = field(default_factory=dict)
    cheat: str | None = None
    weighted: str | None = None
    thievery: int = 6
    dc: int = HARD_DC
    custom: str = "tavern"
    lucky: bool = False
    quick: bool = False


@dataclass
class _Night:
    """What carries over from round to round."""

    present: list[str]
    failed: dict[str, int]
    streak: dict[str, int]
    net_cp: dict[str, int]


def tell(game: Game) -> Iterator[Told]:
    """Play the game and tell it, record by record.

    Examples
    --------
    >>> game = Game(["North", "East"], seed=3, bets={"East": "rot"})
    >>> for line in lines(tell(game)):
    ...     print(line)
    Round 1. North is the Hand and stakes 1 gp.
    "Rot!" says East, and lays down 1 gp.
    Throw 1: 1 1 1 1, doubles. One of the 1s rots off. One more pair wins.
    Throw 2: 4 1 1, doubles.
    Doubles twice: North wins.
    North wins 1 gp.
    """
    run = run_key(game.seed)
    for number, record in enumerate(play(game)):
        yield Told(record, sentence(record, partial(_choose, run, number)))


def lines(telling: Iterable[Told]) -> Iterator[str]:
    """The sentences in lines: what follows from a throw stands beside it."""
    line = ""
    for told in telling:
        if line and not isinstance(told.record, BESIDE_A_THROW):
            yield line
            line = ""
        line = f"{line} {told.text}".lstrip()
    yield line


def play(game: Game) -> Iterator[Record]:
    """Play the game: its records in order."""
    zero = dict.fromkeys(game.players, 0)
    night = _Night(list(game.players), dict(zero), dict(zero), dict(zero))
    place = played = 0
    while played < game.rounds and len(night.present) >= rt.MIN_SEATS:
        played += 1
        hand = night.present[place]
        yield from _round(game, night, played, hand)
        # Who sat left of a Hand that is gone has moved up into his place.
        place = (place + (hand in night.present)) % len(night.present)
    if game.rounds > 1:
        yield Closing(played, played < game.rounds, dict(night.net_cp))


def throw_dice(key: int, number: int, n_dice: int, is_weighted: bool) -> list[int]:
    """The dice of throw `number` of a round; weighted ones show a 6 with chance 1/3."""
    first = number * rt.MAX_DICE
    if not is_weighted:
        return [roll(key, THROW, first + i, _FACES) for i in range(n_dice)]
    # 15 equal cases: 5 for the favoured face, 2 for each of the others.
    cases = [_FAVOURED] * 5 + [face for face in range(1, _FACES) for _ in range(2)]
    return [cases[roll(key, THROW, first + i, len(cases)) - 1] for i in range(n_dice)]


def turn_a_die(dice: Sequence[int]) -> tuple[int, list[int]]:
    """Which die a trick turns, and the dice afterwards: the lowest is made like the highest.

    Examples
    --------
    >>> turn_a_die([4, 1, 6])
    (1, [4, 6, 6])
    """
    turned = dice.index(min(dice))
    return turned, [max(dice) if i == turned else face for i, face in enumerate(dice)]


def _round(game: Game, night: _Night, number: int, hand: str) -> Iterator[Record]:
    key = subkey(run_key(game.seed), PLAY, number)
    seats = night.present
    hand_seat = seats.index(hand)
    yield Opening(number, hand, game.stake_cp)
    bets = _draw_bets(game, seats, hand_seat, key)
    for seat in _clockwise(len(seats), hand_seat)[1:]:
        staked = game.stake_cp if bets[seat] != rt.OUT else 0
        yield Bet(seats[seat], _BET_NAMES[bets[seat]], staked)
    if bets.count(rt.OUT) == len(seats) - 1 and not game.quick:
        yield Result(hand, "passed", 0, 0)
        return
    toes = yield from _throws(game, night, key, hand_seat)
    ended = rt.result(toes)
    yield Result(hand, _ENDS[ended], toes.doubles, toes.throws)
    paid: Payout | QuickPayout
    if game.quick:
        paid = _pay_quickly(game, seats, hand_seat, bets, ended, key)
    else:
        paid = _pay(game, seats, hand_seat, bets, ended)
    for name, net in paid.net_cp.items():
        night.net_cp[name] += net
    yield paid
    night.failed[hand] = toes.failed
    night.streak[hand] = rt.next_streak(night.streak[hand], ended)
    yield from _customs(game, night, hand, ended)


def _draw_bets(game: Game, seats: Sequence[str], hand_seat: int, key: int) -> list[int]:
    bets = [rt.OUT] * len(seats)
    for seat in _clockwise(len(seats), hand_seat)[1:]:
        fixed = game.bets.get(seats[seat])
        before = bets.count(rt.ROT), bets.count(rt.NOT)
        chosen = choose_side(RATIONALITY, THRILL, P_WIN, *before, unit(key, BET, seat))
        bets[seat] = BETS[fixed] if fixed else chosen
    bets[hand_seat] = rt.NOT
    return bets


def _throws(
    game: Game, night: _Night, key: int, hand_seat: int
) -> Generator[Record, None, rt.Toes]:
    """Throw until the round is over.

    Returns
    -------
    Toes
        How it stands then.
    """
    hand = night.present[hand_seat]
    toes = rt.deal(night.failed[hand])
    while rt.n_dice(toes):
        dice = throw_dice(key, toes.throws, rt.n_dice(toes), hand == game.weighted)
        toes = rt.after_throw(toes, dice)
        yield Throw(toes.throws, tuple(dice), toes.plain == 0)
        if hand == game.weighted and toes.throws == 1:
            noticed = _notice(game, night.present, hand_seat, toes.failed, key)
            if noticed:
                toes = rt.after_notice(toes)
                yield noticed
        if hand == game.cheat and rt.can_cheat(toes):
            natural = roll(key, THIEVERY, toes.throws, 20)
            before, toes = toes, rt.after_check(toes, natural, game.thievery, game.dc)
            check = _check(game, hand, before, toes, natural, dice)
            dice = list(check.dice)
            yield check
        if rt.n_dice(toes):
            lowest = min(dice)
            yield Toe(lowest, dice.count(lowest), rt.n_dice(toes), toes.doubles)
    return toes


def _notice(
    game: Game, seats: Sequence[str], hand_seat: int, failed: int, key: int
) -> Notice | None:
    """The first seat clockwise that notices the weighted dice this round, if any."""
    dc = NOTICE_DC + game.thievery
    for seat in _clockwise(len(seats), hand_seat)[1:]:
        natural = roll(key, ODD_THROW, seat, 20)
        if passes(natural, PERCEPTION, dc):
            return Notice(seats[seat], seats[hand_seat], natural, PERCEPTION, dc, failed + 1)
    return None


def _check(
    game: Game, hand: str, before: rt.Toes, after: rt.Toes, natural: int, dice: Sequence[int]
) -> Check:
    checked = (hand, natural, game.thievery, rt.cheat_dc(before, game.dc))
    if after.doubles == before.doubles:
        return Check(*checked, False, 0, 0, tuple(dice), after.failed)
    turned, now = turn_a_die(dice)
    return Check(*checked, True, dice[turned], now[turned], tuple(now), after.failed)


def _pay(
    game: Game, seats: Sequence[str], hand_seat: int, bets: Sequence[int], ended: int
) -> Payout:
    net = [0] * len(seats)
    rt.payout(ended, hand_seat, bets, [game.stake_cp] * len(seats), net)
    pool = -sum(each for each in net if each < 0)
    winners = [seat for seat in _clockwise(len(seats), hand_seat) if net[seat] > 0]
    odd = [seats[seat] for seat in winners if net[seat] > pool // len(winners)]
    in_order = {seats[seat]: net[seat] for seat in _clockwise(len(seats), hand_seat)}
    return Payout(_ENDS[ended], pool, in_order, tuple(odd))


def _pay_quickly(
    game: Game, seats: Sequence[str], hand_seat: int, bets: Sequence[int], ended: int, key: int
) -> QuickPayout:
    dice = (roll(key, PLAY, 0, 4), roll(key, PLAY, 1, 4))
    winning = rt.NOT if ended == rt.WIN else rt.ROT
    net = {}
    for seat in _clockwise(len(seats), hand_seat):
        gain = sum(dice) * game.stake_cp if bets[seat] == winning else -game.stake_cp
        net[seats[seat]] = 0 if ended == rt.VOID or bets[seat] == rt.OUT else gain
    return QuickPayout(_ENDS[ended], dice, net)


def _customs(game: Game, night: _Night, hand: str, ended: int) -> Iterator[Record]:
    if ended == rt.VOID:
        night.present.remove(hand)
        yield Penalty(hand, PENALTIES[game.custom])
    elif rt.is_too_lucky(night.streak[hand], LUCKY_WINS if game.lucky else 0):
        night.present.remove(hand)
        yield Beating(hand, night.streak[hand])


def _choose(run: int, number: int, texts: Sequence[str]) -> str:
    return texts[roll(run, CHOICE, number, len(texts)) - 1]


def _clockwise(n_seats: int, first: int) -> list[int]:
    return [(first + step) % n_seats for step in range(n_seats)]
