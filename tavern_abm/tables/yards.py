"""The yard: contests held in front of everybody, as events of an evening."""

from __future__ import annotations

from typing import NamedTuple

from .. import chance
from ..chance import hash63, subkey
from ..compiled import rule
from ..patrons.columns import Ints, People
from .seating import Crowd, Sitting


class Yards(NamedTuple):
    """The events of one game: arrays of shape (n_events,), unless said otherwise."""

    tavern: Ints  # index
    number: Ints  # as a table of the tavern
    entrants: Ints  # at the most
    stake: Ints  # cp; 0: agreed on by those who enter
    options: Ints  # (n_events, N_OPTIONS): of the game
    held: Ints  # how often tonight
    able: Ints  # the most who would and could have entered tonight


@rule
def event_key(yards: Yards, event: int, when: Sitting) -> int:
    """The key of an event's draws tonight; events of several rounds draw by round."""
    kind_key = hash63(subkey(when.night_key, chance.TAVERN, yards.tavern[event] + 1), chance.TABLE)
    return hash63(kind_key, yards.number[event])


@rule
def gather(crowd: Crowd, people: People, tavern: int) -> int:
    """Put the rows of those who are in a tavern now into `crowd.order`; how many they are."""
    n = 0
    for i in range(crowd.starts[tavern], crowd.starts[tavern + 1]):
        row = crowd.rows[i]
        if people[row].tavern == tavern:
            crowd.order[n] = row
            n += 1
    return n
