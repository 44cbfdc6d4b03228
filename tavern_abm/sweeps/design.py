"""A design: which points are played, how often, with what luck, and what is wanted of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self

from .outputs import Configuration
from .runs import Luck, Run, seed_of

if TYPE_CHECKING:
    import pandas as pd

    from ..scenario import Scenario

FORMAT = 1
"""Of a design's document."""

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
    is_log : bool
        Samples of it are spread evenly on a logarithmic scale.
    """

    paths: tuple[str, ...]
    label: str
    levels: tuple[tuple[Any, ...], ...] | None = None
    low: float | None = None
    high: float | None = None
    is_whole: bool = False
    is_log: bool = False

    def document(self) -> dict[str, Any]:
        """It as plain data for JSON."""
        levels = None if self.levels is None else [list(level) for level in self.levels]
        return asdict(self) | {"paths": list(self.paths), "levels": levels}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The factor that a document tells of."""
        levels = document["levels"]
        found = None if levels is None else tuple(tuple(level) for level in levels)
        return cls(**{**document, "paths": tuple(document["paths"]), "levels": found})


@dataclass(frozen=True)
class Auto:
    """Replications until an interval is as narrow as asked.

    It counts as narrow only with at least `at_least` values that are not all equal: runs that
    failed, or in which the output is undefined, give none.

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
    at_least : int
        Values of the output that a point must have, and replications of its first look.
    at_most : int
        Replications of each point, however wide the interval is by then.
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

    def document(self) -> dict[str, Any]:
        """All that the factors do not say of them, as plain data for JSON."""
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

    def document(self) -> dict[str, Any]:
        """All of the design as plain data for JSON: enough to play it again without its file.

        Examples
        --------
        >>> design = Design.from_dataframe({"patrons": [40, 80]}, nights=7)
        >>> document = json.loads(json.dumps(design.document()))
        >>> Design.from_document(document).points[1]
        {'patrons': 80}
        """
        asked = self.replications
        return {
            "format": FORMAT,
            "name": self.name,
            "about": self.about,
            "replications": asdict(asked) if isinstance(asked, Auto) else asked,
            **self._played,
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The design that a document tells of.

        Raises
        ------
        SweepError
            If it is of a later format, or what it is played with cannot be had any more.
        """
        from .designs.points import points_from
        from .errors import SweepError
        from .measuring.configuration import configuration_from

        if document.get("format") != FORMAT:
            text = f"is of format {document.get('format')}, and this version reads {FORMAT}"
            raise SweepError(f"this design {text}; take the version that wrote it")
        factors = tuple(map(Factor.from_document, document["factors"]))
        asked = document["replications"]
        return cls(
            name=document["name"],
            about=document["about"],
            configuration=configuration_from(document["configuration"]),
            points=points_from(document["points"], factors),
            factors=factors,
            method=document["method"],
            problem=document["problem"],
            replications=Auto(**asked) if isinstance(asked, Mapping) else asked,
            seed=document["seed"],
            luck=document["luck"],
        )

    def digest(self) -> str:
        """SHA-256 of what settles each run: all but name, words, labels, and replications.

        A sweep may be given more replications and stays the same sweep, and so it does if a
        factor is called otherwise.
        """
        return self._digest

    @cached_property
    def _digest(self) -> str:
        text = json.dumps(unlabelled(self._played), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def _played(self) -> dict[str, Any]:
        return {
            "configuration": self.configuration.document(),
            "factors": [factor.document() for factor in self.factors],
            "method": self.method,
            "points": self.points.document(),
            "problem": None if self.problem is None else dict(self.problem),
            "seed": self.seed,
            "luck": self.luck,
        }

    @classmethod
    def from_dataframe(
        cls,
        samples: pd.DataFrame | Mapping[str, Sequence[Any]],
        *,
        scenario: Scenario | str | Path = "rusty-flagon",
        nights: int = 30,
        replications: int | Auto = 10,
        rng: int = 42,
        outputs: Sequence[str] = (),
        settings: Mapping[str, Any] | None = None,
        **words: Any,
    ) -> Design:
        """A design whose points are the rows of a table, as Mesa 4's scenarios have it.

        Parameters
        ----------
        samples : DataFrame, or mapping of lists
            A column a dotted path, a row a point.
        scenario : Scenario, str or Path
            What is played; the points change it.
        nights : int
            Of each run.
        replications : int or Auto
            Runs of each point.
        rng : int
            The master seed.
        outputs : sequence of str, optional
            Outcomes wanted; a few common ones, if none is named.
        settings : mapping, optional
            Fields that are the same in all points, by dotted path.
        **words
            Further keys of a design file: ``name``, ``about``, ``series``, ``warm_up``,
            ``luck``, ``digest``.

        Raises
        ------
        SweepError
            If a row or column cannot be used.

        Examples
        --------
        >>> design = Design.from_dataframe({"population.share_of_cheats": [0.05, 0.2]})
        >>> len(design.points), design.replications, design.method
        (2, 10, 'table')
        """
        from .designs.making import design_of

        return design_of(
            table=samples,
            scenario=scenario,
            nights=nights,
            replications=replications,
            rng=rng,
            outputs=list(outputs),
            fixed=settings,
            **words,
        )


def unlabelled(document: Mapping[str, Any]) -> dict[str, Any]:
    """A design's document without what its factors are called: no run hangs on that.

    Examples
    --------
    >>> document = Design.from_dataframe({"patrons": [40, 80]}, nights=7).document()
    >>> "label" in document["factors"][0], "label" in unlabelled(document)["factors"][0]
    (True, False)
    """
    factors = [_without(each, "label") for each in document.get("factors", ())]
    problem = document.get("problem")
    asked = None if problem is None else _without(problem, "names")
    return {**document, "factors": factors, "problem": asked}


def _without(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key != name}
