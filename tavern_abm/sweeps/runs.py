"""One run of a sweep: which design point, which replication, with what luck.

Names are those of Mesa 4: a *scenario* is a design point, a *replication* one run of it.
Both count from 0. Ids and seeds are settled before anything is played, so they do not
depend on the order of running, on workers or on shards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from ..chance import hash63, run_key

REPLICATIONS = 1_000_000
"""More than anybody plays of one point: run ids leave room for so many."""

type Luck = Literal["shared", "own"]


class Run(NamedTuple):
    """One run.

    Attributes
    ----------
    scenario_id : int
        Number of the design point, from 0.
    replication_id : int
        Number of the replication, from 0.
    seed : int
        What the model is made with as ``rng``, 0 to 2**63 - 1.
    settings : mapping of str to object
        What the point sets in the scenario, by dotted path.
    """

    scenario_id: int
    replication_id: int
    seed: int
    settings: Mapping[str, Any]

    @property
    def run_id(self) -> int:
        """The number of the run in its sweep."""
        return run_id_of(self.scenario_id, self.replication_id)


def run_id_of(scenario_id: int, replication_id: int) -> int:
    """The number of a run: it stays the same when replications are added.

    Examples
    --------
    >>> run_id_of(3, 17)
    3000017
    """
    return scenario_id * REPLICATIONS + replication_id


def parts_of(run_id: int) -> tuple[int, int]:
    """Scenario and replication of a run's number.

    Examples
    --------
    >>> parts_of(3000017)
    (3, 17)
    """
    return divmod(run_id, REPLICATIONS)


def seed_of(master: int, replication_id: int, point: int | None = None) -> int:
    """The seed of a run.

    Parameters
    ----------
    master : int
        Of the design, 0 to 2**63 - 1.
    replication_id : int
        All points share the luck of a replication.
    point : int, optional
        A hash of what the point sets (63 bits), where each shall have luck of its own.

    Examples
    --------
    >>> seed_of(1, 0) == seed_of(1, 0), seed_of(1, 0) == seed_of(1, 1)
    (True, False)
    >>> seed_of(1, 0, point=5) == seed_of(1, 0)
    False
    """
    key = run_key(master, replication_id)
    return key if point is None else hash63(key, point)
