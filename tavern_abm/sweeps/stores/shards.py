"""Which runs of a design a shard plays: a part of an array job, on a machine of its own."""

from __future__ import annotations

import math
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

    def has(self, scenario_id: int, replication_id: int, points: int) -> bool:
        """Whether a run of a design of so many points is its own.

        Runs are dealt out in turn, replication by replication. Where the points come round to
        the same shards again, the next round begins with another shard: so each has as many
        runs as any other, or one less, and with enough replications some of every point.

        Examples
        --------
        >>> one, other = Shard(1, 2), Shard(2, 2)
        >>> [(one.has(0, r, 4), other.has(0, r, 4)) for r in range(2)]
        [(True, False), (False, True)]
        """
        place = replication_id * points + scenario_id
        return (place + place // math.lcm(points, self.of)) % self.of == self.number - 1

    def count_of(self, points: int, replications: int) -> int:
        """How many runs of a design are its own.

        Examples
        --------
        >>> [Shard(number, 3).count_of(5, 2) for number in (1, 2, 3)]
        [4, 3, 3]
        """
        if not points:
            return 0
        turns, rest = divmod(points * replications, self.of)
        rounds = points * replications // math.lcm(points, self.of)
        return turns + ((self.number - 1 - rounds) % self.of < rest)

    def has_point(self, scenario_id: int) -> bool:
        """Whether a point is its own, where a point's runs must stay together."""
        return scenario_id % self.of == self.number - 1

    def n_points(self, points: int) -> int:
        """How many points of a design are its own, where a point's runs must stay together.

        Examples
        --------
        >>> [Shard(number, 3).n_points(5) for number in (1, 2, 3)]
        [2, 2, 1]
        """
        return len(range(self.number - 1, points, self.of))
