"""How far one rumour gets in an inn: the share of its regulars who know it, night by night.

    python benchmarks/rumor_reach.py [--houses 200] [--patrons 120]

Everybody goes out with the scenario's chance; a story that a table of five saw
on the first night is told by the rules of talk with their defaults. No other
story is about, and nobody holds a belief about anybody.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from tavern_abm import Scenario, chance
from tavern_abm.data_tables import load_tables
from tavern_abm.patrons.columns import HERE, NOBODY
from tavern_abm.patrons.traits import generate
from tavern_abm.society.acquaintance import make_acquaintances
from tavern_abm.society.company import make_talk
from tavern_abm.society.grapevine import Grapevine
from tavern_abm.society.suspicion import blank_beliefs
from tavern_abm.society.talk import Choices
from tavern_abm.town.setup import make_ways

NIGHTS = (1, 2, 3, 5, 7, 10, 14)
TABLE = 5
STORY = "too_lucky"
"""Of average interest: its `INTEREST` is 1."""


def knowers(scenario: Scenario, seed: int, nights: int, go_out: float) -> list[float]:
    """The share of a house that knows the story after each night."""
    key, data = chance.run_key(seed), load_tables(scenario.data)
    ids = np.arange(1, scenario.patrons + 1)
    people, sheet = generate(ids, key, scenario, data, [float(scenario.patrons)])
    people.whereabouts[:] = HERE
    talk = scenario.talk
    circles = make_acquaintances(people, sheet, key, talk.acquaintances, talk.rewiring)
    beliefs, ways = blank_beliefs(len(ids), scenario.suspicion.memory), make_ways(scenario)
    vine = Grapevine(make_talk(scenario), talk.rumor_memory, 1)
    vine.grow(len(ids))
    shares = []
    for night in range(1, nights + 1):
        _go_out(people, chance.subkey(key, chance.NIGHT, night), ids, go_out)
        if night == 1:
            table = np.flatnonzero(people.tavern == 0)[:TABLE].tolist()
            vine.spring_plain(STORY, 1, table[0], witnesses=table, tavern=0)
        vine.gossip(night, len(ids), people, sheet, circles, beliefs, ways, Choices())
        shares.append(float((vine.store.story == 0).any(axis=1).mean()))
    return shares


def _go_out(people: Any, night_key: int, ids: Any, go_out: float) -> None:
    people.luck[:] = chance.hash63_wrapping(np.full(1, night_key), ids)
    goes = (chance.draws(people.luck, chance.GO_OUT, 0) >> 10) * 2.0**-53 < go_out
    people.tavern[:] = np.where(goes, 0, NOBODY)


def main() -> None:
    """Print the reach by night, with its standard error over the houses."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--houses", type=int, default=200)
    parser.add_argument("--patrons", type=int, default=120)
    args = parser.parse_args()
    scenario = Scenario(patrons=args.patrons)
    go_out = scenario.minds.go_out_prob
    shares = np.array([knowers(scenario, seed, max(NIGHTS), go_out) for seed in range(args.houses)])
    mean, error = shares.mean(axis=0), shares.std(axis=0, ddof=1) / args.houses**0.5
    print("night  know of it")
    for night in NIGHTS:
        print(f"{night:>5}  {100 * mean[night - 1]:5.1f} % +- {100 * error[night - 1]:.1f}")


if __name__ == "__main__":
    main()
