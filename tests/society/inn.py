"""An inn full of people who talk, and nothing else: no games, no money."""

from __future__ import annotations

from typing import Any

import numpy as np

from tavern_abm import Scenario, chance
from tavern_abm.data_tables import load_tables
from tavern_abm.patrons.columns import HERE, NOBODY
from tavern_abm.patrons.traits import generate
from tavern_abm.society.acquaintance import make_acquaintances
from tavern_abm.society.company import make_talk
from tavern_abm.society.grapevine import Grapevine
from tavern_abm.society.suspicion import blank_beliefs, memory_of, place, witness
from tavern_abm.society.talk import Choices
from tavern_abm.town.setup import make_ways


class Inn:
    """So many people in so many houses, and what they know and believe.

    Settings are those of the scenario; ``talk__contacts=0`` is ``talk.contacts``.
    """

    def __init__(self, n: int = 40, n_taverns: int = 1, seed: int = 1, **settings: Any) -> None:
        changes = {name.replace("__", "."): value for name, value in settings.items()}
        changes |= {"patrons": n}
        for i in range(1, n_taverns):
            changes[f"taverns.{i}"] = {"name": f"House {i}"}
        self.scenario = Scenario().with_settings(changes)
        talk = self.scenario.talk
        self.n, self.key = n, chance.run_key(seed)
        ids = np.arange(1, n + 1)
        data = load_tables(None)
        self.people: Any
        self.people, self.sheet = generate(
            ids, self.key, self.scenario, data, [float(n)] * n_taverns
        )
        self.people.whereabouts[:] = HERE
        around = (talk.acquaintances, talk.rewiring)
        self.acquaintances = make_acquaintances(self.people, self.sheet, self.key, *around)
        self.beliefs = blank_beliefs(n, self.scenario.suspicion.memory)
        self.ways = make_ways(self.scenario)
        self.vine = Grapevine(make_talk(self.scenario), talk.rumor_memory, n_taverns)
        self.vine.grow(n)

    def open_doors(self, night: int, go_out: float = 1.0) -> None:
        """Everybody goes out with this chance, to his own house."""
        night_key = chance.subkey(self.key, chance.NIGHT, night)
        ids = range(1, self.n + 1)
        luck = [chance.subkey(night_key, chance.PATRON, patron_id) for patron_id in ids]
        self.people.luck[:] = luck
        goes = [chance.unit(each, chance.GO_OUT, 0) < go_out for each in luck]
        is_here = self.people.whereabouts == HERE
        self.people.tavern[:] = np.where(is_here & goes, self.people.home, NOBODY)

    def talk(self, night: int, choices: Choices | None = None) -> list[list[int]]:
        """Let them talk; what was counted, by tavern."""
        tally = self.vine.gossip(
            night,
            self.n,
            self.people,
            self.sheet,
            self.acquaintances,
            self.beliefs,
            self.ways,
            choices or Choices(),
        )
        return tally.tolist()  # type: ignore[no-any-return]

    def evening(self, night: int, go_out: float = 1.0) -> list[list[int]]:
        """A night: they go out and talk."""
        self.open_doors(night, go_out)
        return self.talk(night)

    def believe(self, who: int, about: int, shift: float, night: int = 1) -> None:
        """Let somebody see for himself what moves his belief by so much."""
        memory = memory_of(self.beliefs, who)
        witness(memory, place(memory, about, night, self.ways), shift, night, self.ways)

    def knows(self, who: int) -> list[int]:
        """The stories somebody knows."""
        return sorted(set(self.vine.store.story[who].tolist()) - {NOBODY})
