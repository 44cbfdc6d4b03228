"""What the play of a Hand proves: exact likelihoods of what a table sees of a round.

An observer sees how a round ended (x) and how many of its throws looked odd
(o). Every failed check makes its throw look odd, any other throw does so with
a small chance, whoever threw it. He compares a cheat of an assumed Thievery,
who tries with chance tau at each throw without doubles, with an honest Hand.
Nothing is estimated: the likelihoods come from the rules of the game, run over
every possible throw.

What counts against a Hand beside this is the number f of his failed checks
tonight, which nobody can count for sure; so the likelihoods of a cheat come
for each f before the round and each f' after it.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ..checks import HARD_DC
from ..games.rotting_toes import (
    LOSE,
    MAX_FAILED,
    MAX_THROWS,
    VOID,
    WIN,
    Signal,
    exact_signals,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WON, LOST = 0, 1
"""The results x in the arrays. A void round is no matter of likelihoods: it settles."""
_ROWS = {WIN: WON, LOSE: LOST}
N_ODD = MAX_THROWS + 1


class Likelihood(NamedTuple):
    """How likely a table's view of a round is under either account of the Hand."""

    cheat: Fraction
    honest: Fraction

    @property
    def llr(self) -> float:
        """ln(cheat / honest); infinite where only one of the two can show this."""
        if self.honest == 0:
            return math.inf
        return math.log(self.cheat / self.honest) if self.cheat else -math.inf


class Evidence(NamedTuple):
    """The likelihoods as arrays for kernels; read only."""

    cheat: NDArray[np.float64]  # A[f, x, o, f'], shape (2, 2, 4, 2)
    honest: NDArray[np.float64]  # H[x, o], shape (2, 4)


def exactly(number: Fraction | float | str) -> Fraction:
    """The number as it is written: 0.01 is 1/100, not its nearest binary fraction.

    Examples
    --------
    >>> exactly(0.01), exactly("1/4")
    (Fraction(1, 100), Fraction(1, 4))
    """
    return number if isinstance(number, Fraction) else Fraction(str(number))


def exact_llr(
    *,
    tau: Fraction | float | str,
    thievery: int,
    dc: int = HARD_DC,
    false_alarm: Fraction | float | str,
    failed: int = 0,
) -> dict[tuple[int, int], Likelihood]:
    """Likelihood of every view of a round, cheat against honest.

    Parameters
    ----------
    tau : Fraction, float or str
        Chance, 0 to 1, that the assumed cheat tries at a throw without doubles.
    thievery, dc : int
        His modifier and the house's DC.
    false_alarm : Fraction, float or str
        Chance, 0 to 1, that an innocent throw looks odd.
    failed : int, default 0
        His failed checks tonight before this round, 0 or 1.

    Returns
    -------
    dict
        By (ended, odd throws), wins first; what neither can show is left out.

    Examples
    --------
    >>> table = exact_llr(tau="1/4", thievery=6, false_alarm=0.01)
    >>> round(table[WIN, 0].llr, 4), round(table[LOSE, 0].llr, 4)
    (0.1597, -0.5329)
    """
    alarm = exactly(false_alarm)
    cheat = _views(exact_signals(exactly(tau), thievery, dc, alarm, failed))
    honest = _views(exact_signals(Fraction(0), thievery, dc, alarm, failed))
    none = Fraction(0)
    return {
        view: Likelihood(cheat.get(view, none), honest.get(view, none))
        for view in sorted(cheat.keys() | honest.keys())
    }


def honest_expectation(table: dict[tuple[int, int], Likelihood]) -> Fraction:
    """What an honest Hand's likelihood ratio is on average; his rounds are never void.

    It falls short of 1 by the chance of a view that only a cheat can give; with
    false alarms between 0 and 1 that is just a void round.

    Examples
    --------
    >>> honest_expectation(exact_llr(tau="1/4", thievery=6, false_alarm=0.01))
    Fraction(81607, 82944)
    """
    return sum((each.cheat for each in table.values() if each.honest), start=Fraction(0))


def evidence_arrays(
    *,
    tau: Fraction | float | str,
    thievery: int,
    dc: int = HARD_DC,
    false_alarm: Fraction | float | str,
) -> Evidence:
    """The likelihoods as arrays, by failed checks before and after the round.

    Parameters
    ----------
    tau, thievery, dc, false_alarm
        As in `exact_llr`.

    Returns
    -------
    Evidence
        ``cheat[f, x, o, f']`` = P(x, o, f' after | a cheat, f before) and
        ``honest[x, o]`` = P(x, o | honest), with x 0 for a Hand who won and 1
        for one who lost, o from 0 to 3, f and f' 0 or 1. Void rounds are left
        out, so ``cheat[f].sum()`` falls short of 1 by their probability.
        Cached: the same parameters give the same arrays, which are read only.
    """
    return _arrays(exactly(tau), thievery, dc, exactly(false_alarm))


@cache
def _arrays(tau: Fraction, thievery: int, dc: int, false_alarm: Fraction) -> Evidence:
    import numpy as np

    cheat = np.zeros((MAX_FAILED, len(_ROWS), N_ODD, MAX_FAILED))
    honest = np.zeros((len(_ROWS), N_ODD))
    for failed in range(MAX_FAILED):
        for seen, prob in exact_signals(tau, thievery, dc, false_alarm, failed).items():
            if seen.ended != VOID:
                cheat[failed, _ROWS[seen.ended], seen.n_odd, seen.failed] = float(prob)
    for seen, prob in exact_signals(Fraction(0), thievery, dc, false_alarm, 0).items():
        honest[_ROWS[seen.ended], seen.n_odd] = float(prob)
    for array in (cheat, honest):
        array.setflags(write=False)
    return Evidence(cheat, honest)


def _views(signals: dict[Signal, Fraction]) -> dict[tuple[int, int], Fraction]:
    views: dict[tuple[int, int], Fraction] = {}
    for seen, prob in signals.items():
        view = (seen.ended, seen.n_odd)
        views[view] = views.get(view, Fraction(0)) + prob
    return views
