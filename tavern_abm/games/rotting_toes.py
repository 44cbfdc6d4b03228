"""Rotting Toes.

Players   one Hand (the thrower), one or more others; the Hand passes clockwise
Stakes    the Hand stakes; each other seat bets *rot* (he loses), *not* (he wins)
          or sits out
Order     4d6, drop the lowest; 3d6; doubles in both: he wins; in neither: he
          loses; in one of them: drop the lowest, 2d6: doubles win
Payout    the losers' stakes are split evenly among the winning side, odd coins
          clockwise from the Hand; nobody on the winning side: stakes go back
Cheating  after a throw without doubles: Thievery against the house's DC, +2
          for each failed check tonight; a success turns one die and so makes
          doubles; the second failed check makes the round void
Too lucky where the custom holds, more than three wins in a row as the Hand
          (his own turns) bring a beating
Source    Erik Nowak, "Rotting Toes";
          our rulings stand in docs/games/rotting-toes.md

Everything here is a rule: state in, thrown dice in, state out. It draws nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from ..asking import Option
from ..checks import HARD_DC, passes
from ..coins import clockwise, rake, share
from ..compiled import rule
from . import odds

ABOUT = "One throws dice, the others bet on his toes: will they rot or not?"
PLACE = "table"
PLAYING, WIN, LOSE, VOID = 0, 1, 2, 3
"""Where a round stands. VOID: the Hand's second failed check."""
OUT, ROT, NOT = 0, 1, 2
"""What a seat bets. The Hand counts as NOT: he wins if his toes do not rot."""
MAX_THROWS = 3
MAX_DICE = 4
MAX_FAILED = 2
DC_RISE = 2
NOTICE_DC = 10
"""DC of noticing weighted dice, to which the thrower's Thievery is added."""
MIN_SEATS, MAX_SEATS = 2, 12
OPTIONS: tuple[Option, ...] = ()
"""What a table may play otherwise: nothing. DC, custom and rake are the whole tavern's."""


class Toes(NamedTuple):
    """Where a Hand's round stands."""

    throws: int  # made so far, 0 to 3
    doubles: int  # how many of them count as doubles
    plain: int  # 1 while the last throw shows no doubles and may still be changed
    failed: int  # failed checks tonight in this tavern


@rule
def deal(failed: int) -> Toes:
    """A new round for a Hand with `failed` failed checks tonight (0 or 1)."""
    return Toes(0, 0, 0, failed)


@rule
def result(toes: Toes) -> int:
    """PLAYING, or how the round ended: WIN, LOSE or VOID.

    Ask after the Hand's chance to cheat on the last throw, not before: a die
    turned in time can still save a round that looks lost.
    """
    if toes.failed >= MAX_FAILED:
        return VOID
    if toes.doubles == 2:
        return WIN
    if toes.throws == MAX_THROWS or (toes.throws == 2 and toes.doubles == 0):
        return LOSE
    return PLAYING


@rule
def n_dice(toes: Toes) -> int:
    """Dice in the next throw: 4, 3, 2; 0 when the round is over."""
    return MAX_DICE - toes.throws if result(toes) == PLAYING else 0


@rule
def has_doubles(dice: Any) -> bool:
    """Say whether any two dice are equal.

    Examples
    --------
    >>> has_doubles([1, 4, 6, 4]), has_doubles([1, 2, 3])
    (True, False)
    """
    for i in range(len(dice)):
        for j in range(i):
            if dice[i] == dice[j]:
                return True
    return False


@rule
def after_throw(toes: Toes, dice: Any) -> Toes:
    """The round after `dice` have fallen (as many as `n_dice` asked for)."""
    if has_doubles(dice):
        return Toes(toes.throws + 1, toes.doubles + 1, 0, toes.failed)
    return Toes(toes.throws + 1, toes.doubles, 1, toes.failed)


@rule
def can_cheat(toes: Toes) -> bool:
    """Say whether the Hand may try to turn a die of the throw just made."""
    return toes.plain == 1 and toes.failed < MAX_FAILED


@rule
def cheat_dc(toes: Toes, dc: int) -> int:
    """The DC he faces now: the house's, +2 for each failed check tonight."""
    return dc + DC_RISE * toes.failed


@rule
def after_check(toes: Toes, natural: int, thievery: int, dc: int) -> Toes:
    """The round after a Thievery check: doubles made, or one more failed check.

    Parameters
    ----------
    natural : int
        The d20 as it fell, 1 to 20.
    thievery : int
        The Hand's Thievery modifier.
    dc : int
        The house's DC before any rise.
    """
    if passes(natural, thievery, cheat_dc(toes, dc)):
        return Toes(toes.throws, toes.doubles + 1, 0, toes.failed)
    return Toes(toes.throws, toes.doubles, 0, toes.failed + 1)


@rule
def after_letting_be(toes: Toes) -> Toes:
    """The round of a Hand who could have turned a die unseen and let it be."""
    return Toes(toes.throws, toes.doubles, 0, toes.failed)


@rule
def weighted_face(u: float, bias: float) -> int:
    """How a weighted die falls: a 6 with chance `bias`, the other faces alike.

    Parameters
    ----------
    u : float
        A uniform number in [0, 1).
    bias : float
        0 to 1; at 1/6 the die is fair.

    Examples
    --------
    >>> [weighted_face(u, 1 / 3) for u in (0.0, 0.33, 0.34, 0.99)]
    [6, 6, 1, 5]
    """
    if u < bias:
        return 6
    return 1 + min(4, int(5.0 * (u - bias) / (1.0 - bias)))


@rule
def notice_dc(thievery: int) -> int:
    """The DC against which a seat's Perception notices weighted dice: 10 + his Thievery."""
    return NOTICE_DC + thievery


@rule
def after_notice(toes: Toes) -> Toes:
    """The round after somebody noticed weighted dice: it counts as a failed check."""
    return Toes(toes.throws, toes.doubles, toes.plain, toes.failed + 1)


@rule
def payout(ended: int, hand_seat: int, bets: Any, stakes: Any, net: Any, rake_bp: int = 0) -> int:
    """Fill `net` with what each seat wins or loses; with the house's rake it sums to 0.

    The losers' stakes are shared evenly, not in proportion; odd coins go one
    each clockwise from the Hand. A void round, or nobody on the winning side:
    all stakes go back.

    Parameters
    ----------
    ended : int
        WIN, LOSE or VOID.
    hand_seat : int
        The Hand's seat, 0 to n_seats - 1.
    bets : array of int, shape (n_seats,)
        OUT, ROT or NOT; NOT for the Hand; OUT for an empty seat.
    stakes : array of int, shape (n_seats,)
        What each seat staked, in cp; not read where the bet is OUT.
    net : array of int, shape (n_seats,)
        Filled: coins won less coins lost, in cp.
    rake_bp : int, default 0
        The house's share of the coins that change hands, in basis points.

    Returns
    -------
    int
        The pool that changed hands, in cp: the losers' stakes. The house has
        ``rake(pool, rake_bp)`` of it, and ``sum(net)`` is minus that.

    Examples
    --------
    Seat 0 is the Hand and wins; 21 cp of *rot* go to him and one *not*.

    >>> net = [0] * 4
    >>> payout(WIN, 0, [NOT, ROT, NOT, ROT], [10, 10, 10, 11], net), net
    (21, [11, -10, 10, -11])
    """
    n_seats = len(bets)
    winning = NOT if ended == WIN else ROT
    n_winners = 0
    pool = 0
    for seat in range(n_seats):
        net[seat] = 0
        if bets[seat] == winning:
            n_winners += 1
        elif bets[seat] != OUT:
            pool += stakes[seat]
    if ended == VOID or n_winners == 0:
        return 0
    prize = pool - rake(pool, rake_bp)
    place = 0
    for step in range(n_seats):
        seat = clockwise(hand_seat, step, n_seats)
        if bets[seat] == winning:
            net[seat] = share(prize, n_winners, place)
            place += 1
        elif bets[seat] != OUT:
            net[seat] = -stakes[seat]
    return pool


@rule
def next_streak(streak: int, ended: int) -> int:
    """His wins in a row as the Hand after this turn; a void round leaves them."""
    if ended == WIN:
        return streak + 1
    return 0 if ended == LOSE else streak


@rule
def is_too_lucky(streak: int, lucky_wins: int) -> bool:
    """Say whether a streak brings the beating; `lucky_wins` 0 means no such custom."""
    return lucky_wins > 0 and streak >= lucky_wins


# ---------------------------------------------------------------- exact odds

Never: Callable[[Toes], bool] = lambda toes: False  # noqa: E731
Always: Callable[[Toes], bool] = lambda toes: True  # noqa: E731
FAIR_D6 = odds.fair_die(6)
D20 = odds.fair_die(20)


def exact_odds(
    *,
    cheats: Callable[[Toes], bool] = Never,
    thievery: int = 0,
    dc: int = HARD_DC,
    failed: int = 0,
    die: odds.Die = FAIR_D6,
) -> odds.Distribution[int]:
    """Probability of each end of a round, {WIN: ..., LOSE: ..., VOID: ...}.

    Parameters
    ----------
    cheats : callable, default never
        Says at each throw without doubles whether the Hand tries.
    thievery, dc : int
        His modifier and the house's DC.
    failed : int, default 0
        His failed checks tonight before this round, 0 or 1.
    die : mapping of face to probability, default a fair d6
        All his dice are of this kind.

    Examples
    --------
    >>> exact_odds()[WIN], exact_odds(cheats=Always, thievery=6)[VOID]
    (Fraction(397, 972), Fraction(371, 1296))
    """
    ends = odds.solve(
        _Turn(deal(failed), False, 0),
        lambda turn: _branches(turn, lambda toes: Fraction(cheats(toes)), thievery, dc, 0, die),
        lambda turn: result(turn.toes),
    )
    return {end: ends.get(end, Fraction(0)) for end in (WIN, LOSE, VOID)}


class Signal(NamedTuple):
    """What a table sees of a round, and what it does not: `failed`."""

    ended: int  # WIN, LOSE or VOID
    n_odd: int  # how many of its throws looked odd
    failed: int  # the Hand's failed checks tonight after it


@cache
def exact_signals(
    tau: Fraction, thievery: int, dc: int, false_alarm: Fraction, failed: int
) -> odds.Distribution[Signal]:
    """Joint probability of a round's end, its odd throws and the failed checks after it.

    Every failed check makes its throw look odd; any other throw looks odd with
    chance `false_alarm`, whoever threw it.

    Parameters
    ----------
    tau : Fraction
        Chance that the Hand tries at a throw without doubles; 0 is an honest man.
    thievery, dc : int
        His modifier and the house's DC.
    false_alarm : Fraction
        Chance that an innocent throw looks odd.
    failed : int
        His failed checks tonight before this round, 0 or 1.
    """
    return odds.solve(
        _Turn(deal(failed), False, 0),
        lambda turn: _branches(turn, lambda toes: tau, thievery, dc, false_alarm, FAIR_D6),
        lambda turn: Signal(result(turn.toes), turn.n_odd, turn.toes.failed),
    )


def expected_gains(
    ends: odds.Distribution[int], n_rot: int, n_not: int, stake: int
) -> dict[str, Fraction]:
    """Expected gain of each role in cp, before odd coins are handed out.

    Parameters
    ----------
    ends : mapping
        As `exact_odds` gives it.
    n_rot, n_not : int
        Bettors of each kind beside the Hand, each staking `stake` cp.

    Returns
    -------
    dict
        ``hand``, and ``not`` and ``rot`` where anybody bets so.
    """
    win, lose = ends[WIN], ends[LOSE]
    backers = Fraction(n_rot * stake, 1 + n_not) * win - (stake * lose if n_rot else 0)
    gains = {"hand": backers}
    if n_not:
        gains["not"] = backers
    if n_rot:
        gains["rot"] = Fraction((1 + n_not) * stake, n_rot) * lose - stake * win
    return gains


class _Turn(NamedTuple):
    """A round as the solver follows it: `seen` once the last throw has been dealt with."""

    toes: Toes
    thrown: bool  # a throw is on the table and the Hand may still cheat
    n_odd: int


def _branches(
    turn: _Turn,
    try_prob: Callable[[Toes], Fraction],
    thievery: int,
    dc: int,
    false_alarm: Fraction | int,
    die: odds.Die,
) -> odds.Branches[_Turn] | None:
    toes, thrown, n_odd = turn
    if not thrown:
        if not n_dice(toes):
            return None
        falls = odds.gather((after_throw(toes, dice), p) for dice, p in _throws(n_dice(toes), die))
        return [(_Turn(after, True, n_odd), p) for after, p in falls.items()]
    tries = try_prob(toes) if can_cheat(toes) else Fraction(0)
    checks = odds.gather(
        (after_check(toes, natural, thievery, dc), p) for natural, p in D20.items()
    )
    dealt_with = [(toes, 1 - tries), *((after, tries * p) for after, p in checks.items())]
    branches = []
    for after, chance in dealt_with:
        odd = Fraction(1) if after.failed > toes.failed else Fraction(false_alarm)
        branches.append((_Turn(after, False, n_odd + 1), chance * odd))
        branches.append((_Turn(after, False, n_odd), chance * (1 - odd)))
    return branches


@cache
def _fair_throws(n: int) -> list[tuple[tuple[int, ...], Fraction]]:
    return list(odds.throws(n, FAIR_D6))


def _throws(n: int, die: odds.Die) -> list[tuple[tuple[int, ...], Fraction]]:
    return _fair_throws(n) if die is FAIR_D6 else list(odds.throws(n, die))


from .rotting_toes_odds import ODDS as ODDS  # noqa: E402 - it asks the rules above
