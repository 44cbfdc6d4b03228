"""Several intervals or tests at once: what each needs so that all hold together."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .estimates import Floats, verify_confidence


def bonferroni(confidence: float, n_intervals: int) -> float:
    """The confidence each of `n_intervals` needs so that all hold together with `confidence`.

    Examples
    --------
    >>> round(bonferroni(0.95, 10), 4)
    0.995
    """
    verify_confidence(confidence)
    return 1 - (1 - confidence) / max(1, n_intervals)


def holm(p_values: ArrayLike) -> Floats:
    """P-values of several tests, adjusted by Holm (1979); NaN counts as no test.

    To reject those below 0.05 leaves a chance of at most 0.05 that any of them was true.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    found = np.array(p_values, dtype=float)
    tested = np.flatnonzero(~np.isnan(found))
    order = tested[np.argsort(found[tested], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    found[order] = np.minimum(1.0, np.maximum.accumulate(found[order] * factors))
    return found
