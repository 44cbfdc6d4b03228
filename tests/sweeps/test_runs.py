"""Ids and seeds of runs: what is published of a sweep names them, so they may never move."""

import pytest

from tavern_abm.sweeps.designs.making import design_of
from tavern_abm.sweeps.runs import parts_of, run_id_of, seed_of

WORD = 2**64 - 1
SEEDS = {(7, 0): 4314095813074209008, (7, 1): 2877561223428284342, (1, 0): 6015764424251453678}
"""By master seed and replication, as sweeps that were played have recorded them."""


def number(start: int, label: int) -> int:
    """The `label`-th number of splitmix64, written down a second time, less its lowest bit."""
    z = (start + (label + 1) * 0x9E3779B97F4A7C15) & WORD
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
    return (z ^ (z >> 31)) >> 1


@pytest.mark.parametrize(("asked", "seed"), SEEDS.items())
def test_seeds_are_those_of_ever(asked: tuple[int, int], seed: int) -> None:
    master, replication = asked
    assert seed_of(master, replication) == seed == number(number(master, 0), replication)


def test_luck_of_its_own_goes_by_what_a_point_sets() -> None:
    design = design_of(max, factors={"x": [1, 2]}, outputs=["y"], rng=7, luck="own")
    for point in (0, 1):
        hashed = design.points.hash_of(point)
        assert design.run(point, 1).seed == number(SEEDS[7, 1], hashed)


@pytest.mark.parametrize("parts", [(0, 0), (3, 17), (999_999, 999_999)])
def test_a_number_and_its_parts(parts: tuple[int, int]) -> None:
    assert parts_of(run_id_of(*parts)) == parts
