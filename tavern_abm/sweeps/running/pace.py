"""How many runs make a chunk, by how long the last ones took."""

from __future__ import annotations

from collections import deque

LARGEST_CHUNK = 1000
RECENT = 64
"""Runs by which the time of the next ones is judged."""


class Pace:
    """Sizes of chunks.

    Parameters
    ----------
    aim_seconds : float
        How long a chunk should take.

    Examples
    --------
    >>> pace = Pace(1.0)
    >>> pace.size(1000, workers=2)
    1
    >>> pace.note(0.05)
    >>> pace.size(1000, workers=2), pace.size(1000, workers=2), pace.size(12, workers=2)
    (2, 4, 3)
    """

    def __init__(self, aim_seconds: float) -> None:
        self.aim_seconds = aim_seconds
        self._recent: deque[float] = deque(maxlen=RECENT)
        self._largest = 1

    @property
    def is_known(self) -> bool:
        """Whether a run has ended."""
        return bool(self._recent)

    def note(self, seconds: float) -> None:
        """A run took so long."""
        self._recent.append(seconds)

    def size(self, waiting: int, workers: int) -> int:
        """Runs of the next chunk: growing slowly, and fair to all workers at the end."""
        if not self._recent:
            return 1
        mean = sum(self._recent) / len(self._recent)
        by_time = min(LARGEST_CHUNK, int(self.aim_seconds / max(mean, 1e-9)))
        fair = -(-waiting // (2 * workers))
        self._largest = max(1, min(2 * self._largest, by_time))
        return max(1, min(self._largest, fair))
