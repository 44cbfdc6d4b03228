"""A chase as it goes on: who runs, how it stands, and what people bring to it.

The checks are those of a race (`games.race_sheet`); there is no pace and nobody tires.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..chance import CHOICE, PLAY, roll, run_key, subkey
from ..games import chase as rules
from ..games import race_sheet
from ..patrons.competitor import Competitor
from ..patrons.decisions.chase import DECISIONS
from . import chase_words as words
from .chase_ways import Way, is_mounted
from .telling import AtTable, Told

OPENING = ("start", "offer", "hide", "hazard")
RUNNING = ("ride", "pace", "obstacle", "stopped", "hurt", "forfeit")
"""Kinds of record that open a line, and those of which the first does."""


class Tactic(NamedTuple):
    """What the escapee does beside running."""

    name: str  # run, hide or hazard
    penalty: int = 0  # that of a hazard
    check: str = ""  # what gets the chaser past it; empty: what the table says
    thing: str = ""  # what it is; empty: whatever stands there


@dataclass
class Chase:
    """One chase as it goes on."""

    table: AtTable
    number: int
    ways: Sequence[Way]
    escapee: Competitor
    chaser: Competitor
    state: rules.Chase
    how: str = ""  # it ended: "hidden", "forfeit" or nothing
    n_told: int = 0
    last_kind: str = ""
    plan: list[Tactic] = field(default_factory=list)
    offers: list[list[Way]] = field(default_factory=list)
    taken: list[Way] = field(default_factory=list)
    last: dict[Any, Any] = field(default_factory=dict)  # picked of each wordings
    decide: Mapping[str, Any] = field(default_factory=lambda: DECISIONS)

    def say(self, kind: str, text: str, **facts: Any) -> Told:
        """A record of this chase; on a line of its own if it opens a part of the increment."""
        joins = kind not in OPENING
        if kind in RUNNING and self.last_kind not in RUNNING:
            joins = False
        self.last_kind = kind
        at = {"increment": self.state.increments + 1}
        lifts = {"escapee": self.escapee.name, "chaser": self.chaser.name}
        return Told(kind, words.spoken(text), at | facts, self.number, joins, lifts)

    def pick[T](self, things: Sequence[T]) -> T:
        """One of several things, mostly wordings, by the seed, and not the one before."""
        self.n_told += 1
        of = tuple(things)
        fresh = [each for each in of if each != self.last.get(of)] or of
        found = self.last[of] = fresh[roll(self.key, CHOICE, self.n_told, len(fresh)) - 1]
        return found

    @property
    def key(self) -> int:
        """The key of what neither dice nor people decide."""
        return subkey(subkey(run_key(self.table.seed), PLAY, 2), PLAY, self.number)

    def d20(self, who: Competitor, what: str) -> int:
        """A d20 thrown by somebody."""
        return self.table.dice.roll(who.name, 20, what)

    def other(self, who: Competitor) -> Competitor:
        """The one who is not `who`."""
        return self.chaser if who is self.escapee else self.escapee


def pace_modifier(who: Competitor, kind: str) -> int:
    """What somebody adds to the check that an increment is run with, a Ride check apart."""
    number = race_sheet.KINDS.index(kind)
    return race_sheet.check_modifier(race_sheet.entrant(who), number, race_sheet.skill_of(number))


def check_modifier(who: Competitor, kind: str, check: str) -> int:
    """What somebody, or his mount, adds to another check on a way of some kind."""
    number, skill = race_sheet.KINDS.index(kind), race_sheet.SKILLS.index(check)
    return race_sheet.check_modifier(race_sheet.entrant(who), number, skill)


def mean_pace(who: Competitor, kind: str) -> float:
    """What an increment without anything in the way brings beside the d20, on average."""
    alone = float(pace_modifier(who, kind))
    if not is_mounted(kind):
        return alone
    ride = who.skill("ride")
    return alone + sum(race_sheet.ride_bonus(face + ride) for face in range(1, 21)) / 20
