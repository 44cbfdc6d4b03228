"""The money of contests: what contestants put up, and the book of the onlookers.

Stakes    every contestant puts up as much; the winner takes all, tied winners
          share evenly, odd coins to the lowest seats; no winner: stakes go back
Book      onlookers back whom they like, pari-mutuel: the losing bets, less the
          house's rake, go to those who backed the winner in proportion to their
          bets; coins that do not divide stay with the house
Ties      each tied winner whom anybody backed brings his backers an equal part
Returned  nobody backed a winner, or there is none: all bets go back, unraked

Everything here is a rule: it fills `net` in place, in whole copper pieces, and
draws nothing. Compiled, sums must stay below 2**63: for the book the product of
the losing bets and any one bet, so bets up to some ten million gp are safe.
"""

from __future__ import annotations

from typing import Any

from ..coins import rake, share
from ..compiled import rule

NO_BET = -1
"""Whom an onlooker backs who backs nobody."""


@rule
def settle_stakes(winners: Any, stakes: Any, net: Any, rake_bp: int = 0) -> int:
    """Fill `net` with what each contestant wins or loses: the winners take all.

    Winners keep their own stakes and share the losers' evenly; odd coins go one
    each to the lowest seats among them. Nobody has won, or nobody has lost: all
    stakes go back.

    Parameters
    ----------
    winners : array of int, shape (n_contestants,)
        1 for a winner, 0 for a loser.
    stakes : array of int, shape (n_contestants,)
        What each put up, in cp; by the rules as much as everybody else.
    net : array of int, shape (n_contestants,)
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
    Two of four tie and share 21 cp; the odd coin goes to the lower seat.

    >>> net = [0] * 4
    >>> settle_stakes([0, 1, 0, 1], [10, 10, 11, 10], net), net
    (21, [-10, 11, -11, 10])
    """
    n_winners = 0
    pool = 0
    for i in range(len(winners)):
        net[i] = 0
        if winners[i] == 1:
            n_winners += 1
        else:
            pool += stakes[i]
    if n_winners == 0:
        return 0
    prize = pool - rake(pool, rake_bp)
    place = 0
    for i in range(len(winners)):
        if winners[i] == 1:
            net[i] = share(prize, n_winners, place)
            place += 1
        else:
            net[i] = -stakes[i]
    return pool


@rule
def backing(backed: Any, bets: Any, contestant: int) -> int:
    """Sum of the bets on a contestant, in cp."""
    total = 0
    for i in range(len(backed)):
        if backed[i] == contestant:
            total += bets[i]
    return total


@rule
def settle_book(backed: Any, bets: Any, winners: Any, net: Any, rake_bp: int = 0) -> int:
    """Fill `net` with what each onlooker wins or loses; with the house it sums to 0.

    Who backed a winner keeps his bet and has a part of the losing bets in
    proportion to it, so he never loses; see the top of this file for ties and
    for bets that go back.

    Parameters
    ----------
    backed : array of int, shape (n_bettors,)
        Index of the contestant each backs, or NO_BET.
    bets : array of int, shape (n_bettors,)
        What each has laid on him, in cp; not read for NO_BET.
    winners : array of int, shape (n_contestants,)
        1 for a winner, 0 for a loser.
    net : array of int, shape (n_bettors,)
        Filled: coins won less coins lost, in cp.
    rake_bp : int, default 0
        The house's share of the losing bets, in basis points.

    Returns
    -------
    int
        What the house has of it, in cp: its rake and the coins that do not divide.

    Examples
    --------
    40 cp lost on contestant 1 go to 10 and 20 cp on contestant 0, as 1 to 2;
    a rake of 5 % is 2 cp, and 38 cp leave 1 cp over.

    >>> net = [0] * 4
    >>> settle_book([0, 1, 0, NO_BET], [10, 40, 20, 0], [1, 0], net, 500), net
    (3, [12, -40, 25, 0])
    """
    n_backed = 0
    pool = 0
    for contestant in range(len(winners)):
        total = backing(backed, bets, contestant)
        if winners[contestant] == 0:
            pool += total
        elif total > 0:
            n_backed += 1
    for i in range(len(backed)):
        net[i] = 0
    if n_backed == 0:
        return 0
    part = (pool - rake(pool, rake_bp)) // n_backed
    house = pool
    for contestant in range(len(winners)):
        total = backing(backed, bets, contestant)
        for i in range(len(backed)):
            if backed[i] != contestant:
                continue
            if winners[contestant] == 0:
                net[i] = -bets[i]
            elif total > 0:
                net[i] = part * bets[i] // total
                house -= net[i]
    return house
