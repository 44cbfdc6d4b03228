"""A design: which points are played, how often, with what luck, and what is wanted of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from .outputs import Configuration
from .runs import Luck, Run, seed_of

if TYPE_CHECKING:
    import pandas as pd

type Method = Literal[
    "grid", "points", "latin-hypercube", "sobol", "random", "saltelli", "morris", "table"
]


@dataclass(frozen=True)
class Factor:
    """What varies: one scenario field, or several that vary together.

    Attributes
    ----------
    paths : tuple of str
        Dotted paths of scenario fields.
    label : str
        What tables and figures call it; the first path, unless the design says otherwise.
    levels : tuple of tuples, or None
        For each level a value a path. None where it is sampled between bounds.
    low, high : float, optional
        Bounds of a sampled factor.
    is_whole : bool
        Samples of it are whole numbers.
    """

    paths: tuple[str, ...]
    label: str
    levels: tuple[tuple[Any, ...], ...] | None = None
    low: float | None = None
    high: float | None = None
    is_whole: bool = False


@dataclass(frozen=True)
class Auto:
    """Replications until an interval is as narrow as asked.

    Attributes
    ----------
    output : str
        Whose mean is watched.
    half_width : float, optional
        Half of the interval that is narrow enough, in units of the output.
    relative : float, optional
        The same as a share of the absolute mean. One of the two is given, or both: then
        the wider one is enough.
    confidence : float
        Such as 0.95.
    at_least, at_most : int
        Replications of each point.
    step : int
        So many are added to a point at a time.
    """

    output: str
    half_width: float | None = None
    relative: float | None = None
    confidence: float = 0.95
    at_least: int = 10
    at_most: int = 200
    step: int = 10


class Points(Protocol):
    """The design points in order; a point is what it sets, by dotted path."""

    @property
    def paths(self) -> tuple[str, ...]:
        """Every path that a point sets, in the order of the tables' columns."""
        ...

    def __len__(self) -> int:
        """How many there are."""
        ...

    def __getitem__(self, scenario_id: int) -> dict[str, Any]:
        """What a point sets: plain Python values."""
        ...

    def hash_of(self, scenario_id: int) -> int:
        """63 bits of what the point sets, whatever its place among the others."""
        ...

    def frame(self) -> pd.DataFrame:
        """A row a point: ``scenario_id`` and a column a path."""
        ...


@dataclass(frozen=True)
class Design:
    """An experiment, checked and complete.

    Attributes
    ----------
    name, about : str
        What it is called, and what it asks (a line or two).
    configuration : Configuration
        How one run is played.
    points : Points
        What is varied.
    factors : tuple of Factor
        What spans the points; may be empty where they come as a table.
    method : str
        How the points were made.
    problem : mapping or None
        What SALib needs to know of a Saltelli or Morris sample (``names``, ``bounds``,
        ``num_levels`` ...).
    replications : int or Auto
        Runs of each point.
    seed : int
        The master seed.
    luck : "shared" or "own"
        Whether all points share the luck of a replication.
    """

    name: str
    about: str
    configuration: Configuration
    points: Points
    factors: tuple[Factor, ...] = ()
    method: Method = "grid"
    problem: Mapping[str, Any] | None = None
    replications: int | Auto = 1
    seed: int = 1
    luck: Luck = "shared"

    def run(self, scenario_id: int, replication_id: int) -> Run:
        """One run of the design."""
        point = self.points.hash_of(scenario_id) if self.luck == "own" else None
        seed = seed_of(self.seed, replication_id, point)
        return Run(scenario_id, replication_id, seed, self.points[scenario_id])

    def runs(self, replications: int, first: int = 0) -> Iterator[Run]:
        """The runs of all points, replication by replication: what is stopped is balanced."""
        for replication_id in range(first, replications):
            for scenario_id in range(len(self.points)):
                yield self.run(scenario_id, replication_id)
