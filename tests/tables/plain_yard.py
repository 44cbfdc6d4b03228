"""Events in a yard, looked at one by one, so that each can be told once more in plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tavern_abm import TavernModel
from tavern_abm.tables.record import COUNTS


@dataclass
class Held:
    """An event as it was held, with how everybody stood before and after it."""

    before: Any
    after: Any
    counts: dict[str, int]
    cell: Any
    args: tuple[Any, ...]
    n: int


def watched(model: TavernModel, game: str) -> Iterator[Held]:
    """Play a night and look at every event of a game before and after it."""
    hold = model.playing._holds[game]
    seen: list[Held] = []

    def look(*args: Any) -> int:
        event, _, yards, _, world, _, notes, counts, _, _ = args
        before, counted = world.people.copy(), counts[yards.tavern[event]].copy()
        first = notes.n[0]
        n = hold(*args)
        cell = notes.cells[first].copy() if notes.n[0] > first else None
        made = dict(zip(COUNTS, (counts[yards.tavern[event]] - counted).tolist(), strict=True))
        made["able"] = int(yards.able[event])
        seen.append(Held(before, world.people.copy(), made, cell, args, n))
        return n

    model.playing._holds[game] = look
    model.run_for(1)
    model.playing._holds[game] = hold
    yield from seen
