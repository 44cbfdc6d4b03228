"""d20 conventions: a check is d20 + modifier against a DC; the DC or more succeeds.

No natural roll succeeds or fails by itself on a check.
"""

from __future__ import annotations

from .compiled import rule

HARD_DC = 19
"""The Hard DC of a level-1 check in the 4th edition: a house's DC against cheats."""


@rule
def ability_modifier(score: int) -> int:
    """Modifier of an ability score: half of what it is above 10, rounded down.

    Examples
    --------
    >>> [ability_modifier(score) for score in (3, 9, 10, 11, 18)]
    [-4, -1, 0, 0, 4]
    """
    return (score - 10) // 2


@rule
def passes(natural: int, modifier: int, dc: int) -> bool:
    """Say whether a check succeeds: `natural` is the d20 as it fell, 1 to 20.

    Examples
    --------
    >>> passes(13, 6, 19), passes(12, 6, 19)
    (True, False)
    """
    return natural + modifier >= dc


@rule
def opposed(natural_a: int, modifier_a: int, natural_b: int, modifier_b: int) -> int:
    """Difference of two opposed checks: positive if a is ahead, 0 for a tie.

    Examples
    --------
    >>> opposed(10, 3, 12, 0)
    1
    """
    return (natural_a + modifier_a) - (natural_b + modifier_b)


@rule
def degree(natural: int, modifier: int, dc: int) -> int:
    """By how much a check beats its DC; negative if it fails."""
    return natural + modifier - dc
