"""What a run gives: numbers of the whole run, columns of its nights, a digest."""

from __future__ import annotations

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
    """

    outcomes: Mapping[str, float]
    series: Mapping[str, NDArray[np.float64]]
    times: NDArray[np.int64]
    digest: str


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
