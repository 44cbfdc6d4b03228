"""What a run gives: numbers of the whole run, columns of its nights, a digest."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from .runs import Run


class Output(NamedTuple):
    """What one run gave.

    Attributes
    ----------
    outcomes : mapping of str to float
        A number for each output wanted, NaN where it is not defined (a share of nothing).
    series : mapping of str to array
        A column for each series wanted, a value a night after the warm-up; empty if none is.
    times : array of int
        The nights of the series.
    digest : str
        SHA-256 in hexadecimal; runs of the same point, seed and version have the same.
    nights : int, optional
        How many were played, where a run has nights.
    """

    outcomes: Mapping[str, float]
    series: Mapping[str, NDArray[np.float64]]
    times: NDArray[np.int64]
    digest: str
    nights: int | None = None


def verify_finite(outcomes: Mapping[str, float]) -> None:
    """See that no outcome is infinite: no mean and no interval could be made of it.

    Raises
    ------
    ValueError
        If one is; it names it.

    Examples
    --------
    >>> verify_finite({"gini": 0.4, "delay": float("nan")})
    >>> verify_finite({"gini": 0.4, "delay": float("inf")})
    Traceback (most recent call last):
    ValueError: outcome 'delay' must be finite, or nan where it is not defined (got inf)
    """
    for name, value in outcomes.items():
        if isinstance(value, int | float | np.number) and math.isinf(value):
            text = f"outcome {name!r} must be finite, or nan where it is not defined"
            raise ValueError(f"{text} (got {float(value)})")


class Configuration(Protocol):
    """How a run is played: anything that can be pickled and called.

    Attributes
    ----------
    outputs, series : tuple of str
        Names of the outcomes and of the nightly columns, in the order of the tables.
    """

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the outcomes."""
        ...

    @property
    def series(self) -> tuple[str, ...]:
        """Names of the nightly columns."""
        ...

    def __call__(self, run: Run) -> Output:
        """Play one run."""
        ...

    def document(self) -> dict[str, Any]:
        """What tells this configuration from others, as plain data for JSON."""
        ...
