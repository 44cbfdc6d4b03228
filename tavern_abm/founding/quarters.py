"""The districts of a town: which it has, who lives there, and how close they lie."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .. import chance
from ..scenario.schema import District

if TYPE_CHECKING:
    from ..patrons.columns import Floats
    from .tables import DistrictKind, Founding

SHARE_SPREAD = 0.15
"""How far the share of a district is from that of another of its kind (log scale)."""
_ROUNDS_OF_FITTING = 200
_DECIMALS = 2  # of a weight out of a hundred, as somebody would write it


class Quarter(NamedTuple):
    """A district that is to be, and what kind it is of."""

    name: str
    kind: DistrictKind
    number: int  # among those of its kind, from 0
    share: float


def plan_quarters(population: int, water: str, seed: int, founding: Founding) -> list[Quarter]:
    """Districts of a town of so many inhabitants.

    Those of one kind share the people of the kind, evenly but for luck that
    depends on `seed`.

    Examples
    --------
    >>> from tavern_abm.founding.tables import load_founding
    >>> [each.name for each in plan_quarters(1_000, "river", 1, load_founding())]
    ['market', "craftsmen's quarter", 'gate', 'river']
    """
    key = chance.run_key(seed)
    plan = []
    for place, kind in enumerate(founding.kinds.values()):
        n = kind.number(population, water)
        for number, name in enumerate(kind.names[:n]):
            luck = chance.unit(chance.subkey(key, chance.NAME, place), chance.CHOICE, number)
            share = kind.share / n * math.exp(SHARE_SPREAD * (2 * luck - 1))
            plan.append(Quarter(name, kind, number, share))
    return plan


def districts_from(plan: Sequence[Quarter], trades: Mapping[str, float]) -> list[District]:
    """The districts of a plan as a scenario has them.

    Parameters
    ----------
    plan : sequence of Quarter
        At least one.
    trades : mapping of str to float
        The town's weights by trade.

    Returns
    -------
    list of District
        Shares add up to 100. The trades of each are so weighted that the town
        as a whole has those of `trades`; of a single district they are left to
        the population.
    """
    shares = np.array([each.share for each in plan])
    shares = shares / shares.sum()
    names = [name for name, weight in trades.items() if weight > 0]
    odds = np.array([[each.kind.trades.get(name, 1.0) for name in names] for each in plan])
    weights = fitted(odds, shares, np.array([trades[name] for name in names]))
    return [
        District(
            name=each.name,
            share=_rounded(100 * share),
            near=_near(each, plan),
            trades={} if len(plan) == 1 else _weights(names, row),
        )
        for each, share, row in zip(plan, shares.tolist(), weights, strict=True)
    ]


def fitted(odds: Floats, shares: Floats, weights: Floats) -> Floats:
    """Trades of each district, fitted so that all together have those of the town.

    Rows and columns of the table are scaled in turn until both have their sums
    (iterative proportional fitting), which changes none of the odds ratios.

    Parameters
    ----------
    odds : ndarray, shape (n_districts, n_trades)
        How much likelier a trade is in a district than in the town.
    shares : ndarray, shape (n_districts,)
        Of the town's people, adding up to 1.
    weights : ndarray, shape (n_trades,)
        Of the town's trades.

    Returns
    -------
    ndarray, shape (n_districts, n_trades)
        Shares of the trades in each district; each row adds up to 1.

    References
    ----------
    .. [1] W. E. Deming and F. F. Stephan (1940), On a least squares adjustment of a
       sampled frequency table when the expected marginal totals are known.

    Examples
    --------
    Half of the town are sailors; in the first of two districts of one size they are
    nine times as likely.

    >>> fitted(np.array([[9.0, 1.0], [1.0, 1.0]]), np.array([0.5, 0.5]), np.ones(2)).round(3)
    array([[0.75, 0.25],
           [0.25, 0.75]])
    """
    town = weights / weights.sum()
    table = np.maximum(odds, 1e-6) * shares[:, None] * town
    for _ in range(_ROUNDS_OF_FITTING):
        table *= (town / table.sum(axis=0))[None, :]
        table *= (shares / table.sum(axis=1))[:, None]
        if np.abs(table.sum(axis=0) - town).max() < 1e-12:
            break
    return np.asarray(table / table.sum(axis=1)[:, None])


def _near(one: Quarter, plan: Sequence[Quarter]) -> list[str]:
    """Districts close to one: of the near kinds, those of the same part of town."""
    return [other.name for other in plan if other is not one and _is_near(one, other, plan)]


def _is_near(one: Quarter, other: Quarter, plan: Sequence[Quarter]) -> bool:
    """Say whether two districts lie close.

    Kinds name each other, and the first of a kind lies by the first of the other,
    the second by the second; of the kind of which there are fewer, each by several.
    """
    if other.kind.name not in one.kind.near and one.kind.name not in other.kind.near:
        return False
    numbers = [sum(each.kind is kind for each in plan) for kind in (one.kind, other.kind)]
    fewer = min(numbers)
    return one.number % fewer == other.number % fewer


def _weights(names: Sequence[str], shares: Floats) -> dict[str, float]:
    """Weights out of a hundred, the heaviest first; those of next to nobody are left out."""
    written = {
        name: _rounded(100 * each) for name, each in zip(names, shares.tolist(), strict=True)
    }
    heaviest = sorted(written, key=lambda name: -written[name])
    return {name: written[name] for name in heaviest if written[name] > 0}


def _rounded(number: float) -> float:
    return round(number, _DECIMALS)
