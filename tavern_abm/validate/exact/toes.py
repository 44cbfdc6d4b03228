"""Rotting Toes by enumeration: how a turn ends, and what a table sees of it.

The round is followed throw by throw. All that matters of dice is whether they
show doubles, and all that matters of a check is whether it succeeds.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

WON, LOST, VOID = "won", "lost", "void"
DICE_OF_THROW = (4, 3, 2)
DC_RISE = 2
FACES = 6
FAIR = Fraction(1, FACES)
FAILURES_TO_BE_CAUGHT = 2

type View = tuple[str, int]
"""How a round ended, and how many of its throws looked odd."""


class Cheat(NamedTuple):
    """Who throws: an honest Hand has ``tau`` 0."""

    tau: Fraction = Fraction(0)  # chance of a try at a throw without doubles
    thievery: int = 0
    dc: int = 19
    failed: int = 0  # failed checks tonight before this round
    favoured: Fraction = FAIR  # chance that each of his dice shows one face, the others alike


class End(NamedTuple):
    """How a turn ended."""

    how: str  # WON, LOST or VOID
    n_throws: int
    n_odd: int
    failed: int  # failed checks tonight after it


@cache
def doubles_prob(n_dice: int, favoured: Fraction = FAIR) -> Fraction:
    """Chance that any two of `n_dice` dice are equal, added up over every throw.

    Examples
    --------
    >>> [str(doubles_prob(n)) for n in (4, 3, 2)]
    ['13/18', '4/9', '1/6']
    """
    other = (1 - favoured) / (FACES - 1)
    total = Fraction(0)
    for dice in product(range(FACES), repeat=n_dice):
        if len(set(dice)) < n_dice:
            total += favoured ** dice.count(0) * other ** (n_dice - dice.count(0))
    return total


def check_prob(modifier: int, dc: int) -> Fraction:
    """Chance that d20 + modifier is `dc` or more.

    Examples
    --------
    >>> str(check_prob(6, 19)), str(check_prob(0, 25))
    ('2/5', '0')
    """
    return Fraction(min(20, max(0, 21 + modifier - dc)), 20)


@cache
def turn_ends(who: Cheat, false_alarm: Fraction = Fraction(0)) -> dict[End, Fraction]:
    """Chance of every way in which a turn can end.

    Parameters
    ----------
    who : Cheat
    false_alarm : Fraction
        Chance that a throw without a failed check looks odd.

    Examples
    --------
    >>> ends = turn_ends(Cheat())
    >>> str(sum(p for end, p in ends.items() if end.how == WON))
    '397/972'
    """
    ends: defaultdict[End, Fraction] = defaultdict(Fraction)
    # (throws made, of them doubles, odd ones, failed checks tonight) -> chance
    on: dict[tuple[int, int, int, int], Fraction] = {(0, 0, 0, who.failed): Fraction(1)}
    while on:
        after: defaultdict[tuple[int, int, int, int], Fraction] = defaultdict(Fraction)
        for (throws, doubles, odd, failed), chance in on.items():
            for (shown, fails, looks_odd), p in _one_throw(throws, failed, who, false_alarm):
                state = (throws + 1, doubles + shown, odd + looks_odd, failed + fails)
                how = _ended(state)
                if how is None:
                    after[state] += chance * p
                else:
                    ends[End(how, state[0], state[2], state[3])] += chance * p
        on = dict(after)
    return dict(ends)


def _one_throw(
    throws: int, failed: int, who: Cheat, false_alarm: Fraction
) -> list[tuple[tuple[int, int, int], Fraction]]:
    """Chances of (doubles in the end, a failed check, looks odd) of one throw."""
    luck = doubles_prob(DICE_OF_THROW[throws], who.favoured)
    skill = check_prob(who.thievery, who.dc + DC_RISE * failed)
    tried = (1 - luck) * who.tau
    plain = {1: luck + tried * skill, 0: (1 - luck) * (1 - who.tau)}
    found = [((0, 1, 1), tried * (1 - skill))]
    for shown, p in plain.items():
        found += [((shown, 0, 1), p * false_alarm), ((shown, 0, 0), p * (1 - false_alarm))]
    return [(what, p) for what, p in found if p]


def _ended(state: tuple[int, int, int, int]) -> str | None:
    throws, doubles, _, failed = state
    if failed >= FAILURES_TO_BE_CAUGHT:
        return VOID
    if doubles == 2:
        return WON
    if throws == len(DICE_OF_THROW) or (throws == 2 and doubles == 0):
        return LOST
    return None


def chance_of(who: Cheat, how: str) -> Fraction:
    """Chance that a turn ends in this way.

    Examples
    --------
    >>> str(chance_of(Cheat(tau=Fraction(1), thievery=6), WON))
    '925/1296'
    >>> str(chance_of(Cheat(favoured=Fraction(1, 3)), WON))
    '205747/421875'
    """
    return sum((p for end, p in turn_ends(who).items() if end.how == how), Fraction(0))


def third_throw_prob(who: Cheat = Cheat()) -> Fraction:  # noqa: B008 - it is immutable
    """Chance that a turn needs all three throws."""
    longest = len(DICE_OF_THROW)
    return sum((p for end, p in turn_ends(who).items() if end.n_throws == longest), Fraction(0))


def odd_throws(false_alarm: Fraction) -> Fraction:
    """Throws of an honest turn that look odd, on average."""
    ends = turn_ends(Cheat(), false_alarm)
    return sum((end.n_odd * p for end, p in ends.items()), Fraction(0))


def views(who: Cheat, false_alarm: Fraction) -> dict[tuple[str, int, int], Fraction]:
    """Chance of each view and the failed checks after it: by (end, odd throws, failed)."""
    found: defaultdict[tuple[str, int, int], Fraction] = defaultdict(Fraction)
    for end, p in turn_ends(who, false_alarm).items():
        found[end.how, end.n_odd, end.failed] += p
    return dict(found)


def likelihood_ratio(
    view: View, reckoned: Fraction, cheat: Cheat, false_alarm: Fraction
) -> tuple[Fraction, Fraction]:
    """How much likelier a view is from a cheat than from an honest Hand, and what is then reckoned.

    Parameters
    ----------
    view : (end, odd throws)
    reckoned : Fraction
        The table's chance that he has one failed check tonight, were he a cheat.
    cheat : Cheat
        Whom people assume; his `failed` is not read.
    false_alarm : Fraction

    Returns
    -------
    ratio, reckoned : Fraction
    """
    honest = sum(
        (p for (how, odd, _), p in views(Cheat(), false_alarm).items() if (how, odd) == view),
        Fraction(0),
    )
    after = {0: Fraction(0), 1: Fraction(0)}
    for failed, weight in ((0, 1 - reckoned), (1, reckoned)):
        for (how, odd, then), p in views(cheat._replace(failed=failed), false_alarm).items():
            if (how, odd) == view and then in after:
                after[then] += weight * p
    total = after[0] + after[1]
    return total / honest, after[1] / total
