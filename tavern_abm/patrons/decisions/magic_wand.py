"""What a patron decides at Magic Wand: fold, call or raise, how high, and whether to cheat.

He reckons his chance of the pot from his own dice, of which the others see all
but the last, and from the others' open dice, as if everybody stayed in and were
honest. Each hand is taken for what it is *worth*: its sum, or what its spell
makes of it. So the chance is counted out exactly, die by die, for plain sums
and for the spells that work on their caster alone; for a Teleport and a
Disintegration, whose worth lies in the others' dice, a rule of thumb stands that
is within a point of what they are worth among two to six hands. Shields, gifts
of a Teleport and whose turn comes first are left out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compiled import rule
from ...games.betting import (
    CALL,
    FOLD,
    FOLDED,
    RAISE,
    Betting,
    Chips,
    Limits,
    can_raise,
    min_raise_to,
    n_live,
    to_call,
)
from ...games.magic_wand import (
    BULLS_STRENGTH,
    CONTINGENCY,
    DISINTEGRATION,
    DIVINE_INTERVENTION,
    FACES,
    INITIAL_SCORE,
    MIRROR_IMAGE,
    N_DICE,
    REDUCE_PERSON,
    TELEPORT,
    combination,
)
from ..columns import Floats, People, Row, Sheet, SheetRow
from .general import Minds
from .rotting_toes import is_tempted, mood_of

BOLDNESS = 0.0
"""Utility of a raise to one who is neither bold nor shy, in stakes."""
BLUFF_PROB = 0.05
"""Chance that one who may raise does so whatever he holds."""
DOUBT = 3.0
"""What a bet takes off the log-odds that one wins, times its part of the pot."""
BOLDER_A_MUG = 0.1
BOLDER_BY_EXTRAVERSION = 0.2
BLUFFS_LESS_BY_HONESTY = 0.5
MOST_BLUFF_PROB = 0.25
WHIM = 0.5
"""How much of a raise's height is chance."""

# ---------------------------------------------------------------- what hands are worth

N_HANDS = 192
WORTHS = 2 * (INITIAL_SCORE + sum(FACES)) + 1
"""Worths run from 0 to this less one: twice a score, and one more where it wins ties."""
TELEPORTS_TO = 8
"""What a Teleport is taken to bring home for the d8, and it wins ties by what the other loses."""
TAKEN_AWAY = 2
"""What a Disintegration is taken to be worth beyond its 9, by the 3s that others lose."""
_EVERY_HAND = list(product(*(range(1, faces + 1) for faces in FACES)))


@rule
def hand_key(d4: int, d6: int, d8: int) -> int:
    """The number of a hand; 0 stands for a die not thrown yet, or not seen.

    Examples
    --------
    >>> hand_key(0, 0, 0), hand_key(4, 6, 8)
    (0, 314)
    """
    return (d4 * 7 + d6) * 9 + d8


@rule
def with_die(key: int, die: int, face: int) -> int:
    """The hand with a face added whose die (0: d4, 1: d6, 2: d8) it does not show yet.

    Examples
    --------
    >>> with_die(hand_key(3, 0, 0), 1, 5) == hand_key(3, 5, 0)
    True
    """
    if die == 0:
        return key + 63 * face
    return key + 9 * face if die == 1 else key + face


def worths(d4: int, d6: int, d8: int) -> Counter[int]:
    """What a whole hand is worth, as chances in 192.

    Twice its score; 1 2 3 halves every 13 to a 6 and wins the tie, and so is
    worth 13 and a half. (Half a point beats what ties with the whole.)

    Examples
    --------
    >>> worths(4, 6, 8), worths(1, 2, 3), worths(2, 2, 2)
    (Counter({36: 192}), Counter({27: 192}), Counter({24: 160, 36: 32}))
    """
    spell, total = combination(d4, d6, d8), d4 + d6 + d8
    if spell == REDUCE_PERSON:
        return Counter({4 * total + 3: N_HANDS})
    if spell == MIRROR_IMAGE:
        return Counter({4 * total: N_HANDS * 5 // 6, 6 * total: N_HANDS // 6})
    if spell in (BULLS_STRENGTH, CONTINGENCY):
        return Counter({2 * (total + face): N_HANDS // 4 for face in range(1, 5)})
    if spell == DIVINE_INTERVENTION:
        return Counter(2 * (INITIAL_SCORE + sum(dice)) for dice in _EVERY_HAND)
    if spell == TELEPORT:
        return Counter({2 * (total + TELEPORTS_TO - d8) + 1: N_HANDS})
    if spell == DISINTEGRATION:
        return Counter({2 * (total + TAKEN_AWAY): N_HANDS})
    return Counter({2 * total: N_HANDS})


def _count_worths() -> NDArray[np.int64]:
    """By the number of a hand: how many of its throws are worth less than 0, 1, 2, ..."""
    d4, d6, d8 = FACES
    counts = np.zeros((d4 + 1, d6 + 1, d8 + 1, WORTHS), np.int64)
    for hand in _EVERY_HAND:
        for worth, chances in worths(*hand).items():
            counts[(*hand, worth)] = chances
    for die in range(N_DICE):  # not seen, a die may be any of its faces
        np.moveaxis(counts, die, 0)[0] = counts.sum(axis=die)
    below = np.zeros((hand_key(*FACES) + 1, WORTHS + 1), np.int64)
    below[:, 1:] = counts.reshape(-1, WORTHS).cumsum(axis=1)
    return below


BELOW = _count_worths()
"""``BELOW[key, worth]``: throws of a hand, seen as far as `key`, that are worth less.

Shape (315, WORTHS + 1); the last column counts all of them.
"""
_nodes, _weights = np.polynomial.legendre.leggauss(6)
# Exact for polynomials up to degree 11: as many opponents as twelve seats have.
NODES = tuple(float(x) for x in (_nodes + 1) / 2)
WEIGHTS = tuple(float(w) for w in _weights / 2)


@rule
def win_prob(seat: int, own: int, open_: Any, status: Any) -> float:
    r"""A seat's expected share of the pot, should everybody left stay to the end.

    The sum over what its hand may be worth, each with its chance, of

    .. math:: \int_0^1 \prod_i (b_i + t e_i)\,dt

    where opponent i's hand is worth less with chance b_i and as much with
    chance e_i: the product's power of t counts the ties, and its integral
    splits the pot among them. Six Gauss points give the integral to rounding.

    Parameters
    ----------
    seat : int
    own : int
        The seat's own dice so far, all of them (`hand_key`).
    open_ : array of int, shape (n_seats,)
        Everybody's open dice (`hand_key`); the seat's own are not read.
    status : array of int, shape (n_seats,)
        Who has FOLDED is left out.

    Examples
    --------
    The last betting round: 12 against an open 7 and a hidden d8. Four of its
    throws make less, one as much.

    >>> win_prob(0, hand_key(1, 5, 6), [0, hand_key(1, 6, 0)], [0, 0])
    0.5625
    """
    n_seats = len(status)
    all_mine = BELOW[own, WORTHS]
    expected = 0.0
    for worth in range(WORTHS):
        mine = BELOW[own, worth + 1] - BELOW[own, worth]
        if mine == 0:
            continue
        share = 0.0
        for i in range(len(NODES)):
            ahead = WEIGHTS[i]
            for other in range(n_seats):
                if other == seat or status[other] == FOLDED:
                    continue
                key = open_[other]
                less = BELOW[key, worth]
                alike = BELOW[key, worth + 1] - less
                ahead *= (less + NODES[i] * alike) / BELOW[key, WORTHS]
            share += ahead
        expected += share * mine / all_mine
    return float(expected)


# ---------------------------------------------------------------- betting


class Spot(NamedTuple):
    """What a seat faces when it is its turn to bet."""

    pot: int  # cp it would win if it calls and wins, its own earlier coins among them
    to_call: int  # cp
    raise_by: int  # cp beyond the call that the least raise takes; 0 where it may not raise
    n_others: int  # others who could answer a raise
    stake: int  # cp, the unit of its gains: one bet


@rule
def winnable(chips: Chips, seat: int, call: int) -> int:
    """What lies in the pots that a seat can win if it calls: from each no more than it put in."""
    mine = chips.total[seat] + call
    coins = chips.total[seat]
    for other in range(len(chips.total)):
        if other != seat:
            coins += min(chips.total[other], mine)
    return coins


@rule
def spot_of(limits: Limits, betting: Betting, chips: Chips, seat: int) -> Spot:
    """What the seat faces as the betting stands."""
    call = to_call(betting, chips, seat)
    raise_by = 0
    if can_raise(limits, betting, chips, seat):
        raise_by = min_raise_to(limits, betting, chips, seat) - betting.high
    others = n_live(chips) - 1
    return Spot(winnable(chips, seat, call), call, raise_by, others, max(1, limits.bet))


@rule
def doubted(chance: float, weight: float) -> float:
    """A chance of winning, less sure by a bet that weighs so much in the pot, 0 to 1.

    Its log-odds fall by three times the weight: by 1.5 at a bet as high as the
    pot was.

    Examples
    --------
    >>> doubted(0.5, 0.0), round(doubted(0.5, 0.5), 4), doubted(1.0, 1.0)
    (0.5, 0.1824, 1.0)
    """
    return chance / (chance + (1.0 - chance) * math.exp(DOUBT * min(1.0, weight)))


@rule
def choose_bet(
    chance: float,
    spot: Spot,
    boldness: float,
    thrill: float,
    rationality: float,
    bluff_prob: float,
    u: float,
) -> int:
    """FOLD, CALL or RAISE: a bluff, or else a logit choice by expected gain in stakes.

    Whoever bets is likely to hold something, the more so the more he bets. So he
    doubts his chance by what he faces: with pot P, call c and raise r,

        w   = doubted(chance, c / P)
        w_r = doubted(chance, (c + r) / (P + c + r))

        EV_fold  = 0
        EV_call  = (w P - (1 - w) c) / stake + thrill
        EV_raise = EV_call + (2 w_r - 1) r / stake + boldness    (one other pays it)

    and each is chosen with a chance in proportion to ``exp(rationality EV)``.
    Nobody folds where a check is free. Before that, one who may raise does so
    with chance `bluff_prob` whatever he holds.

    Parameters
    ----------
    chance : float
        His own estimate of his share of the pot, 0 to 1 (`win_prob`).
    spot : Spot
        What he faces.
    boldness, thrill : float
        Utility of raising, and of staying in at all, in stakes.
    rationality : float
        Precision of the choice, per stake; at 0 all are alike.
    bluff_prob : float
        0 to 1.
    u : float
        A uniform number in [0, 1). The better his chances, the higher he goes
        at the same `u`; the higher `u`, the lower.
    """
    can = spot.raise_by > 0
    if can:
        if u < bluff_prob:
            return RAISE
        u = (u - bluff_prob) / (1.0 - bluff_prob)
    pot, to_call, raise_by = spot.pot, spot.to_call, spot.raise_by
    w = doubted(chance, to_call / max(1, pot))
    call = (w * pot - (1.0 - w) * to_call) / spot.stake + thrill
    w = doubted(chance, (to_call + raise_by) / max(1, pot + to_call + raise_by))
    rise = (2.0 * w - 1.0) * raise_by / spot.stake + boldness
    best = max(0.0, call, call + rise)
    weight_raise = math.exp(rationality * (call + rise - best)) if can else 0.0
    weight_call = math.exp(rationality * (call - best))
    weight_fold = math.exp(rationality * (0.0 - best)) if to_call > 0 else 0.0
    at = u * (weight_raise + weight_call + weight_fold)
    if at < weight_raise:
        return RAISE
    return CALL if at < weight_raise + weight_call or to_call == 0 else FOLD


@rule
def choose_raise_to(chance: float, spot: Spot, least: int, most: int, u: float) -> int:
    """How high to raise: from the least allowed to a pot more than that.

    Half of the way goes by his edge ``((k + 1) w - 1) / k`` over an even share
    against k others, half by whim, so that the sum gives little away.
    """
    others = max(1, spot.n_others)
    edge = max(0.0, ((others + 1.0) * chance - 1.0) / others)
    room = min(most - least, spot.pot)
    return least + int(room * ((1.0 - WHIM) * edge + WHIM * u))


@rule
def boldness_of(sheet: SheetRow) -> float:
    """How bold somebody is by nature: 0.2 stakes for each sd of extraversion."""
    return BOLDNESS + BOLDER_BY_EXTRAVERSION * float(sheet.extraversion)


@rule
def bluff_prob_of(sheet: SheetRow) -> float:
    """How often somebody bluffs: 0.05, less by exp(-0.5) for each sd of honesty, 0.25 at most."""
    bluff_prob = BLUFF_PROB * math.exp(-BLUFFS_LESS_BY_HONESTY * float(sheet.honesty))
    return min(MOST_BLUFF_PROB, bluff_prob)


@rule
def wand_bet(
    patron: Row,
    chance: float,
    spot: Spot,
    boldness: float,
    bluff_prob: float,
    minds: Minds,
    u: float,
) -> int:
    """A patron's move: `choose_bet` with his own rationality and in his own mood.

    He is bolder by 0.1 a mug above two, and by what is in the gambler that he is.
    """
    bold = boldness + patron.boldness + BOLDER_A_MUG * max(0, patron.drinks - 2)
    return choose_bet(chance, spot, bold, mood_of(patron), patron.rationality, bluff_prob, u)


@rule
def wand_raise_to(patron: Row, chance: float, spot: Spot, least: int, most: int, u: float) -> int:
    """What a patron raises to, in cp, where the limit leaves him a choice: `choose_raise_to`."""
    return choose_raise_to(chance, spot, least, most, u)


# ---------------------------------------------------------------- the trick


@rule
def best_face(seat: int, own: int, die: int, open_: Any, status: Any) -> int:
    """The face a seat would like its die to show best: what makes its chance largest.

    Parameters
    ----------
    own : int
        Its hand without that die (`hand_key`).
    die : int
        0 for the d4, 1 for the d6, 2 for the d8.
    open_, status : array of int, shape (n_seats,)
        As for `win_prob`. Of faces that are as good the highest is taken.

    Examples
    --------
    After 2 and 3 a 4, which makes Teleport, is better than an 8.

    >>> best_face(0, hand_key(2, 3, 0), 2, [0, hand_key(4, 6, 0)], [0, 0])
    4
    """
    best = 1
    most = -1.0
    for face in range(1, 2 * die + 5):
        chance = win_prob(seat, with_die(own, die, face), open_, status)
        if chance >= most:
            most = chance
            best = face
    return best


@rule
def wand_cheat(
    patron: Row, stake: int, restraint: float, night: int, minds: Minds, u: float
) -> bool:
    """Try to set the die just thrown, or leave it, where no referee watches.

    As with the toes (`is_tempted`): an honest man never does; a cheat does with
    chance ``expit(logit(tau) + pressure)``, or with his own where that is pinned.
    Where the die shows the face he likes best already, he leaves it all the same.
    """
    return is_tempted(patron, patron.failed, stake, restraint, night, minds, u)


def talent(people: People, sheet: Sheet) -> Floats:
    """How good people are at it, about standardised: guile and wits.

    Returns
    -------
    ndarray of float, shape (n,)
        Mean about 0, standard deviation about 1.
    """
    guile = (sheet.bluff + sheet.insight - 3.0) / 2.7
    wits = (sheet.intelligence - 12.0) / 3.0
    return np.asarray((guile + wits) / math.sqrt(2.0), np.float64)


DECISIONS: dict[str, Callable[..., Any]] = {
    "wand_bet": wand_bet,
    "wand_raise_to": wand_raise_to,
    "wand_cheat": wand_cheat,
}
