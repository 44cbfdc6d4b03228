"""A situation found in the record, before it is put into words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ..evening import Person


class Watch(NamedTuple):
    """What may come of a situation: events of these kinds that befall one of its people.

    Attributes
    ----------
    role : str
        Of whom, as the situation casts him; "house": of its tavern.
    kinds : tuple of str
        Kinds of event, those first that answer the question best.
    other : str
        The role of the other one, where only an event between the two counts.
    house : bool
        Whether only an event in the situation's own tavern counts.
    """

    role: str
    kinds: tuple[str, ...]
    other: str = ""
    house: bool = False


@dataclass(frozen=True)
class Situation:
    """People in a bind tonight, and where.

    Attributes
    ----------
    motif, scene : str
        Which words it takes: of a motif there may be several scenes.
    tavern : int
        tavern_id of where the players walk into it.
    cast : mapping of str to Person
        Its people by role, the one it turns on first.
    values : mapping of str to str
        What else its words name: sums, nights, things.
    events : tuple of int
        event_ids it was found in.
    score : float
        How much of a situation it is; 1 is middling.
    watches : tuple of Watch
        What to look for when the run is played on.
    until : int
        The night on which its clock runs out, if that is later than tonight.
    story : tuple of (int, int)
        Of a situation that is about a story: its story_id and of whom it is told.
    tonight : mapping of str to str
        What its people have been through this evening already: `key`, what its words are
        called in ``[tonight]``, `who` and `other`, the roles of the two, and `n`, how often;
        empty if that is nothing, or what it is about anyway.
    """

    motif: str
    scene: str
    tavern: int
    cast: Mapping[str, Person]
    values: Mapping[str, str] = field(default_factory=dict)
    events: tuple[int, ...] = ()
    score: float = 1.0
    watches: tuple[Watch, ...] = ()
    until: int = 0
    story: tuple[int, int] = (0, 0)
    tonight: Mapping[str, str] = field(default_factory=dict)

    @property
    def people(self) -> tuple[int, ...]:
        """patron_ids of its cast."""
        return tuple(person.patron_id for person in self.cast.values())
