"""Poker's betting rounds and pots, once for every game that bets like poker.

Seats     two or more; a seat is LIVE, FOLDED (an empty one counts as folded)
          or ALL_IN
Stakes    table stakes: nobody puts in more than lies before him, nobody owes
Order     from the button clockwise; if it has folded, the next live seat opens;
          a round ends when all live seats have acted and matched the highest bet
Limits    fixed: bets and raises of one bet, at most 1 bet and 3 raises a round
          pot: a raise by at most the pot as it is once the raiser has called
          none: a raise by all he has
All-in    one who cannot match calls with all he has; one who cannot raise in
          full may raise with all he has; that is not counted among the raises,
          and who has acted already may raise again only if he faces a full
          raise (several short ones may add up to it)
Payout    a seat wins from each other at most what it put in itself, so each
          amount at which somebody is all-in makes a pot of its own; each pot is
          split evenly among its best scores, odd coins clockwise from the seat
          left of the button; a bet nobody called goes back
Rake      of each pot's coins that change hands, rounded down

A game at the table or in a kernel runs like this::

    post_antes(chips, ante)
    betting = open_round(limits, chips, button)  # one round ...
    while betting.turn != NO_SEAT:
        move, raise_to = ...  # FOLD, CALL or RAISE
        betting = act(limits, betting, chips, move, raise_to)
    ...  # ... or several
    pool, taken = pay_out(scores, chips, button, net, rake_bp)

Everything but `lay_out` is a rule: it draws nothing and allocates nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..coins import clockwise, rake, share
from ..compiled import rule

FIXED, POT, NO_LIMIT = 0, 1, 2
"""How much may be bet at once."""
LIVE, FOLDED, ALL_IN = 0, 1, 2
"""Where a seat stands. An empty seat is FOLDED and has put in nothing."""
FOLD, CALL, RAISE = 0, 1, 2
"""What a seat does. CALL with nothing to call is a check; RAISE opens, too."""
NO_SEAT = -1
MAX_BETS = 4
"""Bets and raises of a round under a fixed limit: 1 bet and 3 raises."""


class Limits(NamedTuple):
    """How a table bets."""

    kind: int  # FIXED, POT or NO_LIMIT
    bet: int  # cp, from 1: a fixed bet, or the least a bet or raise may be
    max_bets: int  # full bets and raises a round; 0: as many as the coins allow


class Betting(NamedTuple):
    """Where a betting round stands."""

    high: int  # cp that a seat must have put in this round to stay
    raise_by: int  # cp, the least by which a full raise goes above `high`
    n_bets: int  # full bets and raises made so far
    turn: int  # seat to act; NO_SEAT when the round is over


class Chips(NamedTuple):
    """The coins of each seat: five arrays (or lists) of int, shape (n_seats,), in place."""

    stack: Any  # cp left before it
    put_in: Any  # cp put in during this betting round
    total: Any  # cp put in during the game, antes included
    status: Any  # LIVE, FOLDED or ALL_IN
    acted: Any  # 1 once it has acted in this betting round


def lay_out(stacks: Sequence[int]) -> Chips:
    """Fresh chips for plain Python; a seat with nothing is left out as FOLDED.

    Examples
    --------
    >>> lay_out([20, 0]).status
    [0, 1]
    """
    n = len(stacks)
    status = [LIVE if stack > 0 else FOLDED for stack in stacks]
    return Chips(list(stacks), [0] * n, [0] * n, status, [0] * n)


def table_limits(kind: int, bet: int) -> Limits:
    """The limits of a table as it usually plays: four bets a round if they are fixed."""
    return Limits(kind, bet, MAX_BETS if kind == FIXED else 0)


# ---------------------------------------------------------------- a round


@rule
def post_antes(chips: Chips, ante: int) -> None:
    """Everybody who is not FOLDED puts in the ante, or all he has if that is less."""
    for seat in range(len(chips.stack)):
        if chips.status[seat] == LIVE:
            _put_in(chips, seat, min(ante, chips.stack[seat]))
            chips.put_in[seat] = 0


@rule
def open_round(limits: Limits, chips: Chips, button: int) -> Betting:
    """Begin a betting round; the first live seat from the button on opens it.

    It is over at once (``turn`` is NO_SEAT) where fewer than two can bet.
    """
    n_seats = len(chips.stack)
    for seat in range(n_seats):
        chips.put_in[seat] = 0
        chips.acted[seat] = 0
    fresh = Betting(0, max(1, limits.bet), 0, NO_SEAT)
    last = clockwise(button, n_seats - 1, n_seats)
    return Betting(0, fresh.raise_by, 0, _next_turn(fresh, chips, last))


@rule
def act(limits: Limits, betting: Betting, chips: Chips, move: int, raise_to: int) -> Betting:
    """The round after the seat whose turn it is has folded, called or raised.

    Trusts nobody: a RAISE that is not allowed is a CALL, a sum that is not
    allowed becomes the nearest that is, and any other move is a FOLD.

    Parameters
    ----------
    move : int
        FOLD, CALL or RAISE.
    raise_to : int
        What the seat will have put in this round, in cp; read for a RAISE.

    Examples
    --------
    Three seats, bets of 10. Seat 1 has 15 and raises with all of it: no full
    raise, so seat 0 may only call the 5 or fold.

    >>> limits, chips = table_limits(FIXED, 10), lay_out([50, 15, 50])
    >>> betting = act(limits, open_round(limits, chips, 0), chips, RAISE, 10)
    >>> betting = act(limits, betting, chips, RAISE, 15)
    >>> betting = act(limits, betting, chips, CALL, 0)
    >>> betting, to_call(betting, chips, 0), can_raise(limits, betting, chips, 0)
    (Betting(high=15, raise_by=10, n_bets=1, turn=0), 5, False)
    """
    seat = betting.turn
    high, raise_by, n_bets = betting.high, betting.raise_by, betting.n_bets
    if move == RAISE and can_raise(limits, betting, chips, seat):
        to = max(raise_to, min_raise_to(limits, betting, chips, seat))
        to = min(to, max_raise_to(limits, betting, chips, seat))
        if to >= full_raise_to(limits, betting):
            n_bets += 1
            if limits.kind != FIXED:
                raise_by = max(raise_by, to - high)
        _put_in(chips, seat, to - chips.put_in[seat])
        high = to
    elif move in (CALL, RAISE):
        _put_in(chips, seat, to_call(betting, chips, seat))
    else:
        chips.status[seat] = FOLDED
    chips.acted[seat] = 1
    moved = Betting(high, raise_by, n_bets, NO_SEAT)
    return Betting(high, raise_by, n_bets, _next_turn(moved, chips, seat))


@rule
def is_round_over(betting: Betting) -> bool:
    """Say whether nobody is left to act in this round."""
    return betting.turn == NO_SEAT


@rule
def _put_in(chips: Chips, seat: int, amount: int) -> None:
    chips.stack[seat] -= amount
    chips.put_in[seat] += amount
    chips.total[seat] += amount
    if chips.stack[seat] == 0:
        chips.status[seat] = ALL_IN


@rule
def _next_turn(betting: Betting, chips: Chips, seat: int) -> int:
    """The first seat clockwise after `seat` that has to act; NO_SEAT if none has."""
    n_seats = len(chips.stack)
    if n_in(chips) < 2:
        return NO_SEAT
    for step in range(1, n_seats + 1):
        at = clockwise(seat, step, n_seats)
        if chips.status[at] != LIVE:
            continue
        is_behind = chips.put_in[at] < betting.high
        if is_behind or (chips.acted[at] == 0 and n_live(chips) > 1):
            return at
    return NO_SEAT


# ---------------------------------------------------------------- what a seat may do


@rule
def to_call(betting: Betting, chips: Chips, seat: int) -> int:
    """Coins that a call costs the seat, in cp: 0 is a check, all it has an all-in."""
    return int(min(betting.high - chips.put_in[seat], chips.stack[seat]))


@rule
def can_raise(limits: Limits, betting: Betting, chips: Chips, seat: int) -> bool:
    """Say whether the seat may bet or raise, if only by going all-in.

    Not once the round has had its `max_bets`; not if it has acted and faces no
    full raise since; not without coins beyond the call; and not if nobody else
    is LIVE, who could answer it.
    """
    facing = betting.high - chips.put_in[seat]
    if chips.status[seat] != LIVE or chips.stack[seat] <= facing:
        return False
    if limits.max_bets > 0 and betting.n_bets >= limits.max_bets:
        return False
    if chips.acted[seat] == 1 and facing < betting.raise_by:
        return False
    return n_live(chips) > 1


@rule
def full_raise_to(limits: Limits, betting: Betting) -> int:
    """What a full bet or raise brings the highest bet to, in cp, at the least.

    Under a fixed limit it completes a short all-in to the next whole bet.
    """
    if limits.kind == FIXED:
        return (betting.n_bets + 1) * betting.raise_by
    return betting.high + betting.raise_by


@rule
def all_in_to(chips: Chips, seat: int) -> int:
    """What the seat will have put in this round if it puts in all it has, in cp."""
    return int(chips.put_in[seat] + chips.stack[seat])


@rule
def min_raise_to(limits: Limits, betting: Betting, chips: Chips, seat: int) -> int:
    """The least the seat may raise to, in cp; below a full raise only if it is all it has."""
    return min(full_raise_to(limits, betting), all_in_to(chips, seat))


@rule
def max_raise_to(limits: Limits, betting: Betting, chips: Chips, seat: int) -> int:
    """The most the seat may raise to, in cp.

    Examples
    --------
    Pot limit: 30 in the pot and 10 bet. After the call the pot would be 50, so
    the raise is by 50 at most.

    >>> chips = Chips([80, 90], [0, 10], [10, 30], [LIVE, LIVE], [0, 1])
    >>> max_raise_to(table_limits(POT, 10), Betting(10, 10, 1, 0), chips, 0)
    60
    """
    all_in = all_in_to(chips, seat)
    if limits.kind == NO_LIMIT:
        return all_in
    least = full_raise_to(limits, betting)
    if limits.kind == FIXED:
        return min(least, all_in)
    pot_once_called = pot(chips) + int(betting.high - chips.put_in[seat])
    return min(max(least, betting.high + pot_once_called), all_in)


@rule
def legal(
    limits: Limits, betting: Betting, chips: Chips, seat: int, move: int, raise_to: int
) -> bool:
    """Say whether the seat may do just that; `act` brings anything else into line."""
    if seat != betting.turn:
        return False
    if move != RAISE:
        return move in (FOLD, CALL)
    if not can_raise(limits, betting, chips, seat):
        return False
    least = min_raise_to(limits, betting, chips, seat)
    return least <= raise_to <= max_raise_to(limits, betting, chips, seat)


@rule
def n_in(chips: Chips) -> int:
    """Seats that have not folded."""
    n = 0
    for seat in range(len(chips.status)):
        n += 1 if chips.status[seat] != FOLDED else 0
    return n


@rule
def n_live(chips: Chips) -> int:
    """Seats that can still put coins in."""
    n = 0
    for seat in range(len(chips.status)):
        n += 1 if chips.status[seat] == LIVE else 0
    return n


@rule
def pot(chips: Chips) -> int:
    """All that has been put in during the game, in cp."""
    coins = 0
    for seat in range(len(chips.total)):
        coins += chips.total[seat]
    return coins


# ---------------------------------------------------------------- the pots


@rule
def next_level(chips: Chips, level: int) -> int:
    """The next amount put in, above `level`, that caps a pot; `level` itself after the last.

    Examples
    --------
    Seat 0 is all-in with 5, seat 2 with 20, seat 1 has folded after 8; seat 3
    has put in 30, of which 10 were not called. Main pot, side pot, the rest:

    >>> chips = Chips([0, 9, 0, 70], [0] * 4, [5, 8, 20, 30], [ALL_IN, FOLDED, ALL_IN, LIVE], [])
    >>> next_level(chips, 0), next_level(chips, 5), next_level(chips, 20), next_level(chips, 30)
    (5, 20, 30, 30)
    """
    found = level
    for seat in range(len(chips.total)):
        total = chips.total[seat]
        if chips.status[seat] != FOLDED and total > level and (found == level or total < found):
            found = total
    return found


@rule
def pot_between(chips: Chips, low: int, high: int) -> int:
    """Coins in the pot between two levels: what each seat put in above `low`, up to `high`.

    Examples
    --------
    >>> chips = Chips([], [], [5, 8, 20, 30], [ALL_IN, FOLDED, ALL_IN, LIVE], [])
    >>> pot_between(chips, 0, 5), pot_between(chips, 5, 20), pot_between(chips, 20, 30)
    (20, 33, 10)
    """
    coins = 0
    for seat in range(len(chips.total)):
        coins += _part(chips.total[seat], low, high)
    return coins


@rule
def is_in_pot(chips: Chips, seat: int, high: int) -> bool:
    """Say whether the seat can win the pot that ends at level `high`."""
    return bool(chips.status[seat] != FOLDED and chips.total[seat] >= high)


@rule
def pay_pot(
    scores: Any, chips: Chips, button: int, low: int, high: int, net: Any, rake_bp: int = 0
) -> tuple[int, int]:
    """Add to `net` what one pot brings each seat; see `pay_out`.

    Only coins put in by others than its winners change hands. So the part of a
    bet that nobody called is a pot of its owner's alone, and goes back.

    Returns
    -------
    tuple of int
        The coins of this pot that changed hands, and the rake of them, in cp.
    """
    n_seats = len(chips.total)
    best = NO_SEAT
    for seat in range(n_seats):
        if is_in_pot(chips, seat, high) and (best == NO_SEAT or scores[seat] > scores[best]):
            best = seat
    n_winners = 0
    pool = 0
    for seat in range(n_seats):
        if is_in_pot(chips, seat, high) and scores[seat] == scores[best]:
            n_winners += 1
        else:
            part = _part(chips.total[seat], low, high)
            pool += part
            net[seat] -= part
    taken = rake(pool, rake_bp)
    place = 0
    for step in range(1, n_seats + 1):
        seat = clockwise(button, step, n_seats)
        if is_in_pot(chips, seat, high) and scores[seat] == scores[best]:
            net[seat] += share(pool - taken, n_winners, place)
            place += 1
    return pool, taken


@rule
def pay_out(scores: Any, chips: Chips, button: int, net: Any, rake_bp: int = 0) -> tuple[int, int]:
    """Fill `net` pot by pot; with the house's rake it sums to 0.

    Parameters
    ----------
    scores : array of int, shape (n_seats,)
        The higher the better; equal ones tie. Not read where a seat has
        FOLDED, and of no matter where only one has not.
    chips : Chips
        Reads `total` and `status`. Coins of a folded seat beyond the largest
        total of those still in were never called, and go back to it.
    button : int
        The seat that holds the button, 0 to n_seats - 1.
    net : array of int, shape (n_seats,)
        Filled: coins won less coins put in, in cp. A seat that began with
        `stack + total` goes home with ``stack + total + net``.
    rake_bp : int, default 0
        The house's share of the coins that change hands, in basis points.

    Returns
    -------
    tuple of int
        The pool that changed hands, and the rake, in cp: ``sum(net)`` is minus
        the rake.

    Examples
    --------
    The best hand, seat 0, is all-in with 5 and wins 15 of the others; the side
    pot of 33 goes to seat 2, who put in 15 of it; 10 go back to seat 3.

    >>> chips = Chips([], [], [5, 8, 20, 30], [ALL_IN, FOLDED, ALL_IN, LIVE], [])
    >>> net = [0] * 4
    >>> pay_out([18, 0, 12, 9], chips, 0, net), net
    ((33, 0), [15, -8, 13, -20])
    """
    for seat in range(len(net)):
        net[seat] = 0
    pool = 0
    taken = 0
    low = 0
    high = next_level(chips, low)
    while high > low:
        changed, raked = pay_pot(scores, chips, button, low, high, net, rake_bp)
        pool += changed
        taken += raked
        low = high
        high = next_level(chips, low)
    return pool, taken


@rule
def _part(total: int, low: int, high: int) -> int:
    """How much of what a seat put in lies between two levels."""
    return max(0, min(total, high) - low)
