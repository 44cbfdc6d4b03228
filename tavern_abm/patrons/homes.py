"""Where people live and which house is theirs: by lot, each name drawing for itself.

Every district and every house draws a lot for somebody, of a length that its
weight shortens, and the shortest wins: so each wins with a chance in proportion
to its weight. A lot depends on the head of his household and on the *name*
alone. A house that is added takes people from the others and moves nobody
else; one that closes sends home to where they would have been without it.

References
----------
.. [1] D. G. Thaler and C. V. Ravishankar, Using name-based mappings to increase
   hit rates, IEEE/ACM Transactions on Networking 6 (1998), 1-14 (rendezvous hashing).
.. [2] C. Schindelhauer and G. Schomaker, Weighted distributed hash tables, SPAA 2005
   (the logarithmic method, of which this is an instance).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .. import chance
from ..chance import hash63
from ..compiled import kernel, rule
from ..data_tables import RANKS
from .columns import NOBODY, Floats, Ints

if TYPE_CHECKING:
    from ..scenario.schema import Scenario

FITTING = dict(zip(RANKS, (1.5, 2.5, 4.0, 5.0), strict=True))
"""Quality of the house that fits a rank best: the poor drink between poor and plain."""
FAR_AWAY = 3.0
"""What makes a far house less likely to be thought of, as log-odds in units of `minds.distance`."""
# Indices of the draws of purpose HOME.
OF_HOUSES, OF_DISTRICTS = range(2)


def districts_of(scenario: Scenario) -> list[str]:
    """Names of the districts: those of the scenario, then those where only taverns stand."""
    named = [district.name for district in scenario.districts]
    return list(dict.fromkeys([*named, *(tavern.district for tavern in scenario.taverns)]))


def quarters_of_houses(scenario: Scenario) -> Ints:
    """The district in which each house stands, an index into `districts_of`."""
    index = {name: i for i, name in enumerate(districts_of(scenario))}
    return np.array([index[tavern.district] for tavern in scenario.taverns], np.int64)


def far_apart(scenario: Scenario) -> NDArray[np.bool_]:
    """Whether each house is far for those of each district, shape (n_districts, n_taverns).

    Houses of one's own district are not, nor those of a district that names one's
    own as ``near``.

    Examples
    --------
    >>> from tavern_abm import Scenario
    >>> districts = [{"name": "hill"}, {"name": "quay", "near": ["hill"]}]
    >>> houses = [
    ...     {"name": "The Crown", "district": "hill"},
    ...     {"name": "The Eel", "district": "quay"},
    ... ]
    >>> far_apart(Scenario().with_settings({"districts": districts, "taverns": houses})).tolist()
    [[False, False], [True, False]]
    """
    names = districts_of(scenario)
    index = {name: i for i, name in enumerate(names)}
    is_far = ~np.eye(len(names), dtype=bool)
    for at, district in enumerate(scenario.districts):
        for near in district.near:
            if near in index:
                is_far[index[near], at] = False
    # As a kernel is handed it: row by row, which picking columns alone does not make it.
    return np.ascontiguousarray(is_far[:, quarters_of_houses(scenario)])


def nearness(scenario: Scenario) -> Floats:
    """How readily those of each district think of each house, shape (n_districts, n_taverns).

    1 for those that are not far, ``exp(-3 minds.distance)`` for the others.
    """
    return np.exp(-FAR_AWAY * scenario.minds.distance * far_apart(scenario))


# ---------------------------------------------------------------- lots


def label_of(name: str) -> int:
    """A name as a whole number of 63 bits, the same wherever it is worked out."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest()) >> 1


def labels_of(names: Iterable[str]) -> Ints:
    """`label_of` of each name."""
    return np.array([label_of(name) for name in names], np.int64)


@rule
def winner(key: int, labels: Ints, weights: Floats) -> int:
    """Who draws the shortest lot: each with a chance in proportion to its weight.

    A lot is ``-ln(u) / weight``; NOBODY if no weight is above 0.
    """
    shortest = math.inf
    at = NOBODY
    for j in range(len(labels)):
        weight = weights[j]
        if weight > 0.0:
            u = (hash63(key, labels[j]) >> 10) * 2.0**-53 + 2.0**-54
            # -ln(u) is never below 1 - u: next to no lot needs its logarithm taken.
            if 1.0 - u < shortest * weight:
                lot = -math.log(u) / weight
                if lot < shortest:
                    shortest = lot
                    at = j
    return at


@cache
def make_draw_lots() -> Callable[..., None]:
    """The kernel that fills `won` with the `winner` for each key, by the weights of its kind."""

    @kernel
    def draw_lots(keys: Ints, kinds: Ints, labels: Ints, weights: Floats, won: Ints) -> None:
        for i in range(len(keys)):
            won[i] = winner(keys[i], labels, weights[kinds[i]])

    return draw_lots


def by_lot(
    heads: Ints, key: int, index: int, names: Iterable[str], weights: Floats, kinds: Ints
) -> Ints:
    """The winner among some names for each household, given by the id of its head.

    Parameters
    ----------
    heads : ndarray of int, shape (n,)
        Ids; those with the same head get the same.
    key : int
        The key of the run.
    index : int
        OF_HOUSES or OF_DISTRICTS.
    names : iterable of str
        Who draws.
    weights : ndarray of float, shape (n_kinds, n_names)
        One of each kind's above 0.
    kinds : ndarray of int, shape (n,)
        Of what kind each household is.
    """
    once, first, back = np.unique(heads, return_index=True, return_inverse=True)
    keys = chance.draws(chance.subkeys(key, chance.PERSON, once), chance.HOME, index)
    won = np.empty(len(once), np.int64)
    weights = np.ascontiguousarray(weights, np.float64)
    make_draw_lots()(keys, np.ascontiguousarray(kinds[first]), labels_of(names), weights, won)
    return won[back]


# ---------------------------------------------------------------- districts and houses


def quarters_of(heads: Ints, run_key: int, scenario: Scenario) -> Ints:
    """The district in which each household lives, by the id of its head.

    With a chance in proportion to its share, or where the head's home tavern
    stands if he is pinned to one. 0 for all where the scenario has no districts.
    """
    if not scenario.districts:
        return np.zeros(len(heads), np.int64)
    shares = np.array([district.share for district in scenario.districts])
    names = [district.name for district in scenario.districts]
    kinds = np.zeros(len(heads), np.int64)
    quarters = by_lot(heads, run_key, OF_DISTRICTS, names, shares[None], kinds)
    return pinned_quarters(heads, quarters, scenario)


def pinned_quarters(ids: Ints, quarters: Ints, scenario: Scenario) -> Ints:
    """The same, but that people pinned to a home tavern live where it stands."""
    quarters = quarters.copy()
    if scenario.districts and scenario.people:
        names = [tavern.name for tavern in scenario.taverns]
        where = dict(zip(names, quarters_of_houses(scenario).tolist(), strict=True))
        for number, home in pinned_homes(scenario).items():
            quarters[ids == number] = where[home]
    return quarters


def pinned_homes(scenario: Scenario) -> dict[int, str]:
    """Ids of people with a pinned home, their own or that of their head, and which."""
    of_heads: dict[str, str | None] = {}
    found: dict[int, str] = {}
    for number, person in enumerate(scenario.people, start=1):
        home = person.home
        if person.household is not None:
            home = home or of_heads.get(person.household)
            of_heads.setdefault(person.household, person.home)
        if home is not None:
            found[number] = home
    return found


def homes_by_lot(
    heads: Ints,
    run_key: int,
    scenario: Scenario,
    places: Sequence[float] | Floats,
    quarters: Ints,
    ranks: Ints,
) -> Ints:
    """The home tavern of each household, by where its head lives and what rank he is of.

    With a chance in proportion to

        places * nearness * exp(-minds.home_fit * |quality - that which fits the rank|)

    Parameters
    ----------
    heads : ndarray of int, shape (n,)
        Ids of their heads.
    places : sequence of float, shape (n_taverns,)
        Room in each house; 0: nobody's home.
    quarters, ranks : ndarray of int, shape (n,)
        Of the heads. Where the scenario has no districts, people live where their
        home tavern stands, and `quarters` is not looked at.
    """
    weights = home_weights(scenario, places)
    if weights.shape[-1] == 1:
        return np.zeros(len(heads), np.int64)
    kinds = ranks + len(RANKS) * quarters if scenario.districts else ranks
    names = [tavern.name for tavern in scenario.taverns]
    weights = weights.reshape(-1, len(names))
    return by_lot(heads, run_key, OF_HOUSES, names, weights, kinds)


def home_weights(scenario: Scenario, places: Sequence[float] | Floats) -> Floats:
    """Weights of the houses as homes, shape (n_districts, n_ranks, n_taverns).

    Without districts there is one row for all.
    """
    quality = np.array([tavern.quality for tavern in scenario.taverns], np.float64)
    gap = np.abs(quality - np.array(list(FITTING.values()))[:, None])
    fit = np.exp(-scenario.minds.home_fit * gap)
    near = nearness(scenario) if scenario.districts else np.ones((1, len(quality)))
    return near[:, None] * fit[None] * _some(places)


def _some(weights: Sequence[float] | Floats) -> Floats:
    """Weights of which one at least is above 0: where none is, all are alike."""
    weights = np.asarray(weights, np.float64)
    return weights if weights.any() else np.ones_like(weights)
