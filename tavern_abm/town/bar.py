"""The bar: the fee at the door, and a drink at each sitting."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

from .. import chance
from ..chance import unit
from ..compiled import kernel, rule
from ..patrons.columns import NOBODY, People, Row
from ..tables.accounts import DRINK, FEE
from ..tables.houses import Houses
from ..tables.record import N_DRINKS_CP, N_GUESTS, N_MUGS
from ..tables.seating import Crowd, Sitting

MAX_MUGS = 60


@rule
def poisson(u: float, mean: float, none: float) -> int:
    """A Poisson number by inversion of one uniform number; `none` is ``exp(-mean)``.

    Examples
    --------
    >>> import math
    >>> [poisson(u, 2.5, math.exp(-2.5)) for u in (0.05, 0.5, 0.99)]
    [0, 2, 7]
    """
    n = 0
    term = none
    total = none
    while u >= total and n < MAX_MUGS:
        n += 1
        term *= mean / n
        total += term
    return n


@rule
def mugs_afforded(gold: int, mug: int, drunk: int) -> int:
    """How many more mugs keep the evening's drinking within a tenth of the purse.

    The purse counted is the one before tonight's drinks, as far as one can
    tell by now: what is left and what was drunk.

    Examples
    --------
    >>> mugs_afforded(100, 4, 0), mugs_afforded(92, 4, 2), mugs_afforded(3, 4, 0)
    (2, 0, 0)
    """
    if mug == 0:
        return MAX_MUGS
    return max(0, min((gold + drunk * mug) // 10 - drunk * mug, gold) // mug)


@rule
def pay_at_door(patron: Row, houses: Houses, counts: Any, flows: Any) -> None:
    """Take a guest's fee."""
    tavern = patron.visited = patron.tavern
    fee = houses.fee[tavern]
    patron.gold -= fee
    flows[1 + tavern, FEE, patron.trade] += fee
    counts[tavern, N_GUESTS] += 1


@rule
def serve(
    crowd: Crowd, when: Sitting, people: People, houses: Houses, counts: Any, flows: Any
) -> None:
    """Serve each guest who is still there what he wants of this sitting's drink and can afford."""
    for i in range(len(crowd.rows)):
        patron = people[crowd.rows[i]]
        tavern = patron.tavern
        if tavern == NOBODY:
            continue
        u = unit(patron.luck, chance.MUGS, when.sitting)
        mean, none = houses.mugs_mean[tavern], houses.no_mug_prob[tavern]
        if patron.thirst != 1.0:
            mean = patron.thirst * mean
            none = math.exp(-mean)
        wanted = poisson(u, mean, none)
        mug = houses.mug[tavern]
        mugs = min(wanted, mugs_afforded(patron.gold, mug, patron.drinks))
        patron.drinks += mugs
        patron.drinks_cp += mugs * mug
        patron.gold -= mugs * mug
        flows[1 + tavern, DRINK, patron.trade] += mugs * mug
        counts[tavern, N_MUGS] += mugs
        counts[tavern, N_DRINKS_CP] += mugs * mug


@cache
def make_serve() -> Callable[..., None]:
    """The kernel that only serves: for a town without a table."""

    @kernel
    def serve_alone(
        crowd: Crowd, when: Sitting, people: People, houses: Houses, counts: Any, flows: Any
    ) -> None:
        serve(crowd, when, people, houses, counts, flows)

    return serve_alone
