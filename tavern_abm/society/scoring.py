"""Scores at closing: what people believe of each other, held against the truth.

The model knows who has cheated; nobody in it does. A night is scored by
pairs: an observer who lives here, and somebody who lives here of whom he
remembers anything. What he remembers of those who are dead or gone is not
scored, and of whom he remembers nothing he has no opinion.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compiled import kernel, rule
from ..patrons.columns import NOBODY, Ints, People, Row
from ..patrons.decisions.general import logistic
from ..tables.record import N_MISSED, N_SUSPECTED_RIGHT, N_SUSPECTED_WRONG, N_UNSUSPECTED
from .suspicion import Beliefs, Ways, log_odds_now, memory_of

GONE, HONEST, CHEAT = range(3)
"""What there is to know about the subject of a belief. GONE: nobody to be scored."""
REACH = 16.0
STEPS = 64
CURVE = np.array([logistic(i / STEPS - REACH) for i in range(int(2 * REACH * STEPS) + 2)])
"""`logistic` at every 1/64 from -16 on."""


class Score(NamedTuple):
    """How far a night's beliefs were from the truth, over all pairs of the town."""

    squares: float  # sum of (belief - truth)^2
    pairs: int

    @property
    def brier(self) -> float:
        """The mean of the squares: 0 all-knowing, 0.25 if everybody shrugs; nan for no pairs."""
        return self.squares / self.pairs if self.pairs else float("nan")


@rule
def in_truth(patron: Row) -> int:
    """CHEAT if he is of the cheating kind and has tried, HONEST otherwise.

    One of the kind who has never tried has done nothing that could be known.
    """
    return CHEAT if patron.is_cheat == 1 and patron.tries > 0 else HONEST


@rule
def chance_of(log_odds: float) -> float:
    """`logistic`, read off a table between two of its points: within 3e-6, at a third of the cost.

    A town of 10,000 has 320,000 beliefs to score a night, and an exponential
    for each would take as long as all the rest of it.

    Examples
    --------
    >>> round(chance_of(0.0), 6), round(chance_of(2.2), 6), round(logistic(2.2), 6)
    (0.5, 0.900248, 0.90025)
    """
    x = (min(max(log_odds, -REACH), REACH) + REACH) * STEPS
    at = int(x)
    return float(CURVE[at] + (x - at) * (CURVE[at + 1] - CURVE[at]))


@cache
def make_score() -> Callable[..., tuple[float, int]]:
    """The kernel that scores a night's beliefs; sum of squares and number of pairs.

    It adds to the four counts of pairs (suspected or not, rightly or not) by
    home tavern of the observer, and notes for each cheat the first night on
    which anybody suspected him.
    """

    @kernel
    def score(
        living: Ints,
        night: int,
        people: People,
        beliefs: Beliefs,
        ways: Ways,
        standing: NDArray[np.int8],
        counts: Any,
    ) -> tuple[float, int]:
        for row in living:
            standing[row] = in_truth(people[row])
        squares = 0.0
        pairs = 0
        for row in living:
            memory = memory_of(beliefs, row)
            tally = counts[people[row].home]
            for k in range(len(memory.subject)):
                subject = memory.subject[k]
                if subject == NOBODY:
                    break
                if standing[subject] == GONE:
                    continue
                log_odds = log_odds_now(memory, k, night, ways)
                belief = chance_of(log_odds)
                pairs += 1
                if standing[subject] == CHEAT:
                    squares += (1.0 - belief) * (1.0 - belief)
                    if log_odds > 0.0:
                        tally[N_SUSPECTED_RIGHT] += 1
                        if people[subject].suspected == 0:
                            people[subject].suspected = night
                    else:
                        tally[N_MISSED] += 1
                else:
                    squares += belief * belief
                    if log_odds > 0.0:
                        tally[N_SUSPECTED_WRONG] += 1
                    else:
                        tally[N_UNSUSPECTED] += 1
        return squares, pairs

    return score


def score_night(
    living: Ints, night: int, people: People, beliefs: Beliefs, ways: Ways, counts: Any
) -> Score:
    """Score tonight's beliefs.

    Parameters
    ----------
    living : ndarray of int64, shape (n,)
        Rows of those who live here, in order.
    night : int
        Tonight, from 1; beliefs are faded to it.
    people, beliefs, ways
        As the tables are handed them. ``people.suspected`` is written: the
        night, for cheats who had tried and whom nobody suspected before.
    counts : ndarray of int64, shape (n_taverns, len(COUNTS))
        Tonight's counts, added to: ``suspected_right``, ``suspected_wrong``,
        ``missed`` and ``unsuspected``, by the observer's home tavern. They add
        up to the number of pairs.

    Returns
    -------
    Score
        The Brier score of the night and what it is the mean of.

    Notes
    -----
    A belief counts as a suspicion above 1/2, that is at log-odds above 0. It
    draws nothing and changes nothing else, so a night that is not scored has
    the same dice.
    """
    standing = np.zeros(len(beliefs.subject), np.int8)
    squares, pairs = make_score()(living, night, people, beliefs, ways, standing, counts)
    return Score(float(squares), int(pairs))
