"""A sitting at the tables of a game, whatever they play: the loop of most games' kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..compiled import rule
from .record import Notes
from .seating import Crowd, Rooms, Sitting, fill_rooms
from .seats import Tables, World


class Task(NamedTuple):
    """What a kernel has to do of a sitting.

    If `begins` is 1, everybody is brought his drink (if `serves` is 1), and the
    tables are filled. Then tables `first` to `last` are played, to the end where
    `last` is negative. Tables share nothing but the counts and flows, so slices
    of them may be played at once, each with counts and flows of its own.
    """

    begins: int
    serves: int
    first: int
    last: int
    when: Sitting
    rooms: Rooms
    crowd: Crowd


@rule
def play_tables(
    task: Task,
    world: World,
    own: Any,
    tables: Tables,
    notes: Notes,
    counts: Any,
    flows: Any,
    scratch: Any,
    choose: Any,
    serve: Callable[..., None],
    open_table: Callable[..., None],
    play_round: Callable[..., None],
) -> int:
    """Do what the task says, with a game's own rules; how many tables were filled.

    `own` and `scratch` are the game's arrays, `choose` the decisions it asks.
    """
    when = task.when
    n_tables = 0
    last = task.last
    if task.begins == 1:
        if task.serves == 1:
            serve(task.crowd, when, world.people, world.houses, counts, flows)
        n_tables = fill_rooms(task.rooms, task.crowd, when, world.people, tables)
    if last < 0:
        last = n_tables
    for table in range(task.first, last):
        open_table(world, tables, table, choose, counts, scratch)
        for at in range(tables.skips[table], when.n_rounds):
            play_round(
                world,
                own,
                tables,
                table,
                choose,
                when.night,
                when.first_round + at,
                notes,
                counts,
                flows,
                scratch,
            )
    return n_tables
