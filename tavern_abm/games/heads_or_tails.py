"""Heads or tails.

Players   one tosses a coin, the others call it; the coin passes clockwise
Stakes    everybody stakes as much, the tosser too
Order     in turn from the tosser's left each calls heads or tails; the tosser takes
          the face that fewer have called, tails if it is as many; then he tosses
Payout    the stakes of those who were wrong are split evenly among those who were
          right, odd coins clockwise from the tosser
Source    as old as coins; our rulings stand in docs/games/heads-or-tails.md

Everything here is a rule: state in, thrown coin in, state out. It draws nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ..asking import Answer, Option, Question, RefusedError, Sum, Whole, chance_lines
from ..coins import clockwise, rake, share
from ..compiled import rule

ABOUT = "One tosses a coin, the others call it."
PLACE = "table"
MIN_SEATS, MAX_SEATS = 2, 12
OPTIONS: tuple[Option, ...] = ()
OUT, HEADS, TAILS = 0, 1, 2
"""What a seat has called; OUT for an empty one."""
FACES = 2


@rule
def tosser_side(n_heads: int, n_tails: int) -> int:
    """The face the tosser takes: what fewer have called, tails if it is as many.

    Examples
    --------
    >>> tosser_side(1, 2) == HEADS, tosser_side(1, 1) == TAILS
    (True, True)
    """
    return HEADS if n_heads < n_tails else TAILS


@rule
def payout(coin: int, tosser: int, calls: Any, stake: int, net: Any, rake_bp: int = 0) -> int:
    """Fill `net` with what each seat wins or loses; with the house's rake it sums to 0.

    Parameters
    ----------
    coin : int
        HEADS or TAILS.
    tosser : int
        His seat; odd coins go clockwise from him.
    calls : array of int, shape (n_seats,)
        OUT, HEADS or TAILS, the tosser's side among them.
    stake : int
        What each has staked, in cp.
    net : array of int, shape (n_seats,)
        Filled: coins won less coins lost, in cp.
    rake_bp : int, default 0
        The house's share of the coins that change hands, in basis points.

    Returns
    -------
    int
        The pool that changed hands: the stakes of those who were wrong, 0 if nobody was
        right. The house has ``rake(pool, rake_bp)`` of it.

    Examples
    --------
    >>> net = [0] * 4
    >>> payout(HEADS, 1, [HEADS, TAILS, HEADS, TAILS], 5, net), net
    (10, [5, -5, 5, -5])
    """
    n_seats = len(calls)
    n_right = n_wrong = 0
    for seat in range(n_seats):
        net[seat] = 0
        n_right += 1 if calls[seat] == coin else 0
        n_wrong += 1 if calls[seat] not in (OUT, coin) else 0
    if n_right == 0:
        return 0
    pool = n_wrong * stake
    prize = pool - rake(pool, rake_bp)
    place = 0
    for step in range(n_seats):
        seat = clockwise(tosser, step, n_seats)
        if calls[seat] == coin:
            net[seat] = share(prize, n_right, place)
            place += 1
        elif calls[seat] != OUT:
            net[seat] = -stake
    return pool


def expected_gains(n_heads: int, n_tails: int, stake: int) -> dict[str, Fraction]:
    """What each side gains on average, in cp: the tosser's is among them.

    Parameters
    ----------
    n_heads, n_tails : int
        Calls beside the tosser's side, at least one in all.

    Examples
    --------
    >>> expected_gains(2, 1, 100)
    {'heads': Fraction(0, 1), 'tails': Fraction(0, 1), 'tosser': Fraction(0, 1)}
    """
    tosser = tosser_side(n_heads, n_tails)
    heads, tails = n_heads + (tosser == HEADS), n_tails + (tosser == TAILS)
    gains = {
        "heads": Fraction(stake * (tails - heads), 2 * heads),
        "tails": Fraction(stake * (heads - tails), 2 * tails),
    }
    return gains | {"tosser": gains["heads" if tosser == HEADS else "tails"]}


def _sum(gain: Fraction) -> str:
    """A gain as it is printed: ``50 cp``, or ``-33.33 cp (-100/3)``."""
    return f"{gain} cp" if gain.denominator == 1 else f"{float(gain):.2f} cp ({gain})"


def _answer(asked: Mapping[str, Any]) -> Answer:
    n_heads, n_tails, stake = asked["heads"], asked["tails"], asked["stake"]
    if not 1 <= n_heads + n_tails < MAX_SEATS:
        raise RefusedError(
            f"1 to {MAX_SEATS - 1} call the coin (got {n_heads + n_tails}) (heads-or-tails)"
        )
    gains = expected_gains(n_heads, n_tails, stake)
    side = "heads" if tosser_side(n_heads, n_tails) == HEADS else "tails"
    lines = [f"{n_heads} call heads, {n_tails} call tails; the tosser takes {side}."]
    lines += chance_lines([("heads", Fraction(1, 2)), ("tails", Fraction(1, 2))])
    lines += ["Gain on average:", *(f"  {who:<6}   {_sum(gain)}" for who, gain in gains.items())]
    chances = {"heads": Fraction(1, 2), "tails": Fraction(1, 2)}
    return Answer(chances | {"tosser_side": side, "gain_cp": gains}, lines)


ODDS = Question(
    options=(
        Option("heads", Whole(0, MAX_SEATS - 1), 1, "How many call heads."),
        Option("tails", Whole(0, MAX_SEATS - 1), 1, "How many call tails."),
        Option("stake", Sum(), 100, "What each has staked."),
    ),
    answer=_answer,
    help="""Give the odds of heads or tails, exactly.

    \b
      tavern odds heads-or-tails --heads 3 --tails 1
    """,
)
