"""The model against what is known: `tavern validate`.

One file a field. Each has its `CHECKS`: some quantities, what they are known to
be, and a function that estimates them through the package's own rules, kernels
and evenings. What is exact is worked out anew in `exact`, which imports nothing
of the package, for whatever parameters are given; nothing is typed in that can
be calculated.
"""

from __future__ import annotations

from collections.abc import Iterator

from . import (
    calibration,
    dice,
    games,
    hearsay,
    luck,
    money,
    people,
    published,
    scores,
    suspicion,
    talk,
    wealth,
)
from .check import AGREES, COMPARED, IS_OFF, MOST_Z, Check, Finding, Line, Trial

__all__ = [
    "AGREES",
    "CHECKS",
    "COMPARED",
    "IS_OFF",
    "MOST_Z",
    "Check",
    "Finding",
    "Line",
    "Trial",
    "about",
    "validate",
]

CHECKS: tuple[Check, ...] = (
    *dice.CHECKS,
    *luck.CHECKS,
    *suspicion.CHECKS,
    *calibration.CHECKS,
    *hearsay.CHECKS,
    *talk.CHECKS,
    *scores.CHECKS,
    *people.CHECKS,
    *money.CHECKS,
    *wealth.CHECKS,
    *games.CHECKS,
    *published.CHECKS,
)
"""Every check, in the order of the table."""


def about(word: str = "") -> list[Check]:
    """The checks in whose section, source or lines a word occurs.

    Examples
    --------
    >>> [check.section for check in about("gambler's ruin")]
    ['Money']
    """
    return [check for check in CHECKS if check.is_about(word)]


def validate(word: str = "", *, seed: int = 1, effort: float = 1.0) -> Iterator[Line]:
    """Hold the checks about a word, one after the other; a line for each quantity.

    Parameters
    ----------
    word : str, default ""
        Any part of a section, a source or a line; nothing stands for all.
    seed : int, default 1
        Of everything that is drawn.
    effort : float, default 1
        Share of each sample that is drawn. Errors grow as it shrinks, so that the
        verdicts stay right; ranges that hold for large samples may not.
    """
    for check in about(word):
        yield from check.hold(seed, effort)
