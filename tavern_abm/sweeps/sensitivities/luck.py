"""Intervals over luck: some replications left out at a time, and what points add to that.

Where points share their luck, all of them were played in the same few towns. However many
points there are, another draw of towns would have moved them together; so an interval over
points alone leaves that out, and it is added here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..estimating.cells import Cells
from ..estimating.estimates import t_quantile

MOST_LEFT_OUT = 40
LUCK_P = 0.05
"""Above it luck alone may have made the points differ, whatever the intervals' confidence."""
type Floats = NDArray[np.float64]


def jackknife(of: Callable[[Cells], Floats], cells: Cells, confidence: float) -> Floats:
    """Half widths of intervals over replications, of whatever is reckoned from an outcome.

    Replications are left out one after the other; of more than `MOST_LEFT_OUT` a like share
    each time.

    Parameters
    ----------
    of : callable
        Numbers, shape (k,), of an outcome.
    cells : Cells
        The outcome, of at least two replications.
    confidence : float
        Such as 0.95.

    Returns
    -------
    array of float, shape (k,)
        Student's t with a degree of freedom less than there are groups.

    Examples
    --------
    Of a mean they are the usual ones:

    >>> cells = Cells(np.array([[1.0, 2.0, 6.0]]))
    >>> jackknife(lambda some: some.means, cells, 0.95).round(6) == cells.half_widths(0.95).round(6)
    array([ True])
    """
    n = cells.values.shape[1]
    groups = np.array_split(np.arange(n), min(n, MOST_LEFT_OUT))
    left = np.array([of(cells.without(each)) for each in groups])
    part = (len(groups) - 1) / len(groups)
    spread = np.sqrt(part * ((left - left.mean(axis=0)) ** 2).sum(axis=0))
    return np.asarray(t_quantile(confidence, len(groups) - 1) * spread)


def of_shared(of: Callable[[Floats], Floats], cells: Cells, confidence: float) -> Any:
    """Half widths over the luck that points share.

    Parameters
    ----------
    of : callable
        Numbers, shape (k,), of the means of all points.

    Returns
    -------
    array of float, shape (k,), or 0.0
        0.0 with luck of each run's own, which the points' scatter holds already, and with one
        replication, of which nothing is known (`is_unknown`).
    """
    if cells.luck == "own" or cells.values.shape[1] < 2:
        return 0.0
    whole = cells.means

    def of_some(some: Cells) -> Floats:
        return of(np.where(some.n > 0, some.means, whole))

    return jackknife(of_some, cells, confidence)


def is_luck_alone(p: Any) -> Any:
    """Whether luck may have made all the difference between points; not where it is not known.

    Parameters
    ----------
    p : float, or array of them
        Of `Cells.luck_p`.

    Examples
    --------
    >>> [is_luck_alone(p) for p in (0.05, 0.051, float("nan"))]
    [False, True, False]
    """
    return p > LUCK_P


def is_unknown(cells: Cells) -> bool:
    """Whether the points share luck of which a single replication tells nothing."""
    return cells.luck == "shared" and cells.values.shape[1] < 2


def widened(value: Any, low: Any, high: Any, more: Any) -> tuple[Any, Any]:
    """An interval over points with that over luck added, as the sides of a right angle.

    Examples
    --------
    >>> low, high = widened(10.0, 7.0, 14.0, 3.0)
    >>> round(float(low), 3), float(high)
    (5.757, 15.0)
    """
    below, above = np.maximum(value - low, 0), np.maximum(high - value, 0)
    return value - np.hypot(below, more), value + np.hypot(above, more)
