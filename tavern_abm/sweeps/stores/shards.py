"""Which runs of a design a shard plays: a part of an array job, on a machine of its own."""

from __future__ import annotations

import re
from typing import NamedTuple, Self

from ..errors import SweepError


class Shard(NamedTuple):
    """One of several parts of a sweep.

    Attributes
    ----------
    number, of : int
        ``Shard(3, 8)`` is the third of eight.
    """

    number: int
    of: int

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read a shard as it is written on a command line.

        Raises
        ------
        SweepError
            If it is none.

        Examples
        --------
        >>> Shard.from_text("3/8")
        Shard(number=3, of=8)
        """
        found = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text.strip())
        if not found:
            raise SweepError(f"a shard is written like 3/8, the third of eight (got {text!r})")
        number, of = map(int, found.groups())
        if not 1 <= number <= of:
            raise SweepError(f"shards of {of} are 1/{of} to {of}/{of} (got {text!r})")
        return cls(number, of)

    def __str__(self) -> str:
        """Such as ``3/8``."""
        return f"{self.number}/{self.of}"

    def has(self, scenario_id: int, replication_id: int) -> bool:
        """Whether a run is its own: every shard has runs of every point.

        Examples
        --------
        >>> one, other = Shard(1, 2), Shard(2, 2)
        >>> [(one.has(0, r), other.has(0, r)) for r in range(2)]
        [(True, False), (False, True)]
        """
        return (scenario_id + replication_id) % self.of == self.number - 1

    def count_of(self, points: int, replications: int) -> int:
        """How many runs of a design are its own.

        Examples
        --------
        >>> [Shard(number, 3).count_of(5, 2) for number in (1, 2, 3)]
        [3, 4, 3]
        """
        firsts = [(self.number - 1 - each) % self.of for each in range(self.of)]
        of_each = [len(range(first, points, self.of)) for first in firsts]
        whole, rest = divmod(replications, self.of)
        return whole * sum(of_each) + sum(of_each[:rest])

    def has_point(self, scenario_id: int) -> bool:
        """Whether a point is its own, where a point's runs must stay together."""
        return scenario_id % self.of == self.number - 1
