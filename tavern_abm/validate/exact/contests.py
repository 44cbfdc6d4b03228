"""Contests of checks: arms, chases, races, throws and wands."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product
from typing import NamedTuple

D20 = range(1, 21)
# Upper bounds in lb of a light and a medium load by Strength: the d20 SRD's table.
LOADS = {12: (43, 86), 13: (50, 100), 14: (58, 116), 15: (66, 133), 16: (76, 153)} | {
    17: (86, 173),
    18: (100, 200),
}


class Duel(NamedTuple):
    """How a contest of two ends."""

    first: Fraction | float
    second: Fraction | float
    neither: Fraction | float
    mean_length: float = 0.0


def modifier(score: int) -> int:
    """The modifier of an ability score."""
    return (score - 10) // 2


def opposed(edge: int) -> tuple[Fraction, Fraction]:
    """Chances that d20 + `edge` beats a d20, and that they are level; `edge` 0 to 20.

    The second is ahead or level by d or more on (20 - d)(21 - d)/2 of 400 throws.

    Examples
    --------
    >>> [tuple(map(float, opposed(edge))) for edge in (0, 2, 5)]
    [(0.475, 0.05), (0.5725, 0.045), (0.7, 0.0375)]
    """
    behind = Fraction((20 - edge) * (21 - edge), 800)
    return 1 - behind, Fraction(20 - edge, 400)


def arm_wrestling(
    edge: int, constitutions: tuple[int, int] = (10, 10), target: int = 20, first_dc: int = 10
) -> Duel:
    """The stronger by `edge`, the weaker, a draw; and the mean rounds of Strength.

    Both pull for as many rounds as their Constitution score; after that each round
    begins with a check against a DC that starts at `first_dc` and rises by 1. Who
    fails it loses; if both do, the one in the lead has won.

    Examples
    --------
    >>> duel = arm_wrestling(0)
    >>> round(duel.first, 6), round(duel.neither, 6), round(duel.mean_length, 3)
    (0.498564, 0.002872, 6.826)
    """
    moves = Counter(a + edge - b for a, b in product(D20, D20))
    ends = {"first": 0.0, "second": 0.0, "neither": 0.0}
    leads, rounds, mean = {0: 1.0}, 0, 0.0
    while leads:
        fails = [_fails_wind(rounds, score, first_dc) for score in constitutions]
        on: defaultdict[int, float] = defaultdict(float)
        for lead, chance in leads.items():
            ends["first"] += chance * (1 - fails[0]) * fails[1]
            ends["second"] += chance * fails[0] * (1 - fails[1])
            ends[_ahead(lead)] += chance * fails[0] * fails[1]
            on[lead] += chance * (1 - fails[0]) * (1 - fails[1])
        mean += sum(on.values())
        rounds += 1
        leads = {}
        for lead, chance in on.items():
            for move, ways in moves.items():
                now, p = lead + move, chance * ways / 400
                if abs(now) >= target:
                    ends[_ahead(now)] += p
                elif p > 1e-18:
                    leads[now] = leads.get(now, 0.0) + p
    return Duel(ends["first"], ends["second"], ends["neither"], mean)


def _fails_wind(rounds: int, score: int, first_dc: int) -> float:
    if rounds < score:
        return 0.0
    need = first_dc + rounds - score - modifier(score)
    return min(20, max(0, need - 1)) / 20


def _ahead(lead: int) -> str:
    return "first" if lead > 0 else "second" if lead < 0 else "neither"


def chase(lead: int, edge: int, away: int = 30, most: int = 100) -> Duel:
    """Caught, away, called off; and the mean increments.

    Each increment the lead moves by d20 + `edge` less d20; caught at 0 or less.

    Examples
    --------
    >>> [round(chase(lead, edge).first, 6) for lead, edge in ((5, 0), (10, 0), (10, 2))]
    [0.753297, 0.632595, 0.372504]
    """
    moves = Counter(a + edge - b for a, b in product(D20, D20))
    on, caught, escaped, mean = {lead: 1.0}, 0.0, 0.0, 0.0
    for _ in range(most):
        mean += sum(on.values())
        after: defaultdict[int, float] = defaultdict(float)
        for at, chance in on.items():
            for move, ways in moves.items():
                after[at + move] += chance * ways / 400
        caught += sum(p for at, p in after.items() if at <= 0)
        escaped += sum(p for at, p in after.items() if at >= away)
        on = {at: float(p) for at, p in after.items() if 0 < at < away}
    return Duel(caught, escaped, sum(on.values()), mean)


def race(n_increments: int, edge: int) -> Duel:
    """Two runners, one faster by `edge` on each check: the sum of all checks decides.

    Examples
    --------
    >>> duel = race(10, 1)
    >>> round(float(duel.first), 6), round(float(duel.neither), 6)
    (0.642725, 0.014272)
    """
    gaps = {0: 1}
    moves = Counter(a + edge - b for a, b in product(D20, D20))
    for _ in range(n_increments):
        after: defaultdict[int, int] = defaultdict(int)
        for gap, ways in gaps.items():
            for move, more in moves.items():
                after[gap + move] += ways * more
        gaps = dict(after)
    return _compared(gaps)


def _compared(gaps: dict[int, int]) -> Duel:
    total = sum(gaps.values())
    ahead = sum(ways for gap, ways in gaps.items() if gap > 0)
    level = gaps.get(0, 0)
    return Duel(
        Fraction(ahead, total), Fraction(total - ahead - level, total), Fraction(level, total)
    )


def long_throw(strength_a: int, strength_b: int, weight: int) -> Duel:
    """Two throw a weight that both can lift, with Strength of 12 to 18: the better check wins.

    Examples
    --------
    >>> duel = long_throw(12, 12, 14)
    >>> float(duel.first), float(duel.neither)
    (0.475, 0.05)
    """
    bonus = [modifier(score) - _load_penalty(score, weight) for score in (strength_a, strength_b)]
    return _compared(dict(Counter(a + bonus[0] - b - bonus[1] for a, b in product(D20, D20))))


def _load_penalty(strength: int, weight: int) -> int:
    light, medium = LOADS[strength]
    return 0 if weight <= light else 3 if weight <= medium else 6


# ---------------------------------------------------------------- magic wand

SPELLS = ((1, 2, 3), (2, 3, 4), (3, 4, 5), (4, 5, 6), (1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4))
HANDS = list(product(range(1, 5), range(1, 7), range(1, 9)))


def casts(n_hands: int = 1) -> Fraction:
    """Chance that at least one of so many hands of d4, d6 and d8 shows a spell.

    Examples
    --------
    >>> str(casts()), round(float(casts(4)), 6)
    ('11/96', 0.385403)
    """
    idle = sum(tuple(sorted(hand)) not in SPELLS for hand in HANDS)
    return 1 - Fraction(idle, len(HANDS)) ** n_hands


def mean_hand() -> Fraction:
    """The mean sum of a d4, a d6 and a d8."""
    return Fraction(sum(map(sum, HANDS)), len(HANDS))
