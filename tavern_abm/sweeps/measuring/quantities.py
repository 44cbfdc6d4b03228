"""What a run can be asked for: every outcome and series by name, with its unit and meaning.

A quantity is of one of three kinds:

- *nightly*: a number a night, of the whole town. Its outcome sums the nights up in its
  natural way (counts and coins add up, of what stands at closing time the last night
  counts), or in the way that is asked for: ``gini:mean``, ``rounds:max``. It can be a series;
- a *ratio* of two sums over nights, such as the share of convictions that are right: of all
  the run's convictions, not the mean of nightly shares. As a series, it is that of each night;
- *final*: a number of the run as it ends, which has no nights.

``NAME@HOUSE`` is a nightly quantity of one tavern, by its sign: ``rake_cp@The Rusty Flagon``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import SweepError

if TYPE_CHECKING:
    from .collecting import Collected

type Floats = NDArray[np.float64]
type Kind = Literal["nightly", "ratio", "final"]

HOWS: Mapping[str, Callable[[Floats], float]] = {
    "sum": lambda values: float(np.sum(values)),
    "mean": lambda values: _of_known(np.mean, values),
    "last": lambda values: float(values[-1]) if len(values) else float("nan"),
    "max": lambda values: _of_known(np.max, values),
    "min": lambda values: _of_known(np.min, values),
    "sd": lambda values: _of_known(_sd, values, least=2),
}
"""Ways to make one number of those of the nights; nights without one are left out."""
DEFAULT_OUTPUTS = (
    "gini",
    "gini_change",
    "median_cp",
    "broke_share",
    "rounds",
    "staked_cp",
    "house_profit_cp",
    "cheating_rate",
    "convictions",
    "conviction_ppv",
    "unjust_beatings",
    "tpr",
    "fpr",
    "ppv",
    "tellings",
)
"""What is taken of a run if nothing else is said."""


class Quantity(NamedTuple):
    """Something that a run can be asked for.

    Attributes
    ----------
    name, title : str
        How it is asked for, and what figures call it.
    unit : str
        Such as ``"cp"``.
    meaning : str
        In half a sentence.
    kind : "nightly", "ratio" or "final"
        See the head of the module.
    how : str
        The natural way to sum up nights, one of `HOWS`; "ratio" of a ratio, "" of a final one.
    group : str
        Under which heading it is listed.
    of_nights : callable, optional
        Of what is collected: a value a night and house, shape (n_nights, n_taverns), or a
        night, shape (n_nights,).
    by_house : "sum", "mean" or ""
        What a town's value is of those of its houses; "" where it is of the town alone.
    parts : pair of tuples of str, optional
        Of a ratio: names of nightly quantities, those above and those below.
    times : float
        What a ratio is multiplied with.
    of_run : callable, optional
        Of what is collected: the number of a final quantity.
    of_purses : callable, optional
        Of the sorted purses of a night, where that is all it takes.
    """

    name: str
    title: str
    unit: str
    meaning: str
    kind: Kind
    how: str
    group: str
    of_nights: Callable[[Collected], Floats] | None = None
    by_house: str = ""
    parts: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    times: float = 1.0
    of_run: Callable[[Collected], float] | None = None
    of_purses: Callable[[NDArray[np.int64]], float] | None = None

    @property
    def is_series(self) -> bool:
        """Whether it has a value a night."""
        return self.kind != "final"


class Wanted(NamedTuple):
    """An outcome as it is asked for: ``rake_cp:mean@The Rusty Flagon``, say."""

    quantity: Quantity
    how: str
    house: str | None


def quantities() -> Mapping[str, Quantity]:
    """Every quantity by name, in the order of the reference page."""
    from .quantities_known import KNOWN

    return KNOWN


def quantity_of(name: str) -> Quantity:
    """The quantity that an outcome or series is of.

    Examples
    --------
    >>> quantity_of("gini:mean").title
    'Gini of purses'
    """
    return wanted(name).quantity


@cache
def wanted(name: str) -> Wanted:
    """What a name asks for.

    Raises
    ------
    SweepError
        If there is nothing of that name, or not in that way; the nearest one is offered.

    Examples
    --------
    >>> asked = wanted("rake_cp:mean@The Rusty Flagon")
    >>> asked.quantity.name, asked.how, asked.house
    ('rake_cp', 'mean', 'The Rusty Flagon')
    >>> wanted("gin")
    Traceback (most recent call last):
    tavern_abm.sweeps.errors.SweepError: unknown output 'gin'; did you mean 'gini'?
    """
    text, _, house = name.partition("@")
    plain, _, how = text.partition(":")
    known = quantities()
    if plain not in known:
        raise SweepError(_unknown(name, plain, known))
    quantity = known[plain]
    if ":" in text:
        _verify_how(name, quantity, how)
    if "@" in name and not (quantity.by_house and house):
        with_houses = "only what happens in a house can be asked for by its sign"
        raise SweepError(f"output {name!r}: {quantity.name} is of the whole town; {with_houses}")
    return Wanted(quantity, how or quantity.how, house or None)


def verify_outputs(names: Iterable[str], own: Collection[str] = ()) -> None:
    """See that outcomes can be asked for.

    Parameters
    ----------
    names : iterable of str
        As in a design.
    own : collection of str
        Names of the user's own outputs.

    Raises
    ------
    SweepError
        If one is unknown (the nearest is offered), or there twice.
    """
    names = tuple(names)
    verify_names(names)
    for name in own:
        if name in quantities():
            raise SweepError(f"own output {name!r} is called as one of ours; rename the function")
    for name in names:
        if name not in own:
            wanted(name)


def verify_series(names: Iterable[str]) -> None:
    """See that nightly columns can be asked for.

    Raises
    ------
    SweepError
        If one is unknown, has no nights, is there twice, or says how nights are summed up.
    """
    names = tuple(names)
    verify_names(names, "series")
    for name in names:
        asked = wanted(name)
        if not asked.quantity.is_series:
            raise SweepError(f"series {name!r}: it is of the run as it ends and has no nights")
        if ":" in name.partition("@")[0]:
            raise SweepError(
                f"series {name!r}: a series is not summed up; leave ':{asked.how}' out"
            )


def houses_in(names: Iterable[str]) -> list[str]:
    """Signs of the houses that outcomes and series are asked of, each once.

    Examples
    --------
    >>> houses_in(["gini", "rake_cp@The Eel Pot", "mugs:max@The Eel Pot"])
    ['The Eel Pot']
    """
    signs = [name.partition("@")[2] for name in names if "@" in name]
    return list(dict.fromkeys(signs))


def verify_house(sign: str, signs: Sequence[str]) -> None:
    """See that there is a house of a sign.

    Raises
    ------
    SweepError
        If there is none; the nearest one is offered.
    """
    from ...scenario.problems import nearest

    if sign not in signs:
        guess, some = nearest(sign, signs), ", ".join(map(repr, signs[:5]))
        more = " ..." if len(signs) > 5 else ""
        hint = f"did you mean {guess!r}?" if guess else f"there are {some}{more}"
        raise SweepError(f"no house is called {sign!r}; {hint}")


def verify_names(names: Iterable[str], what: str = "output") -> None:
    """See that names can be those of columns, each once.

    Raises
    ------
    SweepError
        If one is there twice, or is a column of every sweep already.
    """
    seen: set[str] = set()
    for name in names:
        if not isinstance(name, str) or not name:
            raise SweepError(f"{what}: a name must be text (got {name!r})")
        if name in _TAKEN:
            raise SweepError(f"{what} {name!r}: every sweep has a column of that name already")
        if name in seen:
            raise SweepError(f"{what} {name!r} is there twice")
        seen.add(name)


_TAKEN = ("run_id", "scenario_id", "replication_id", "time")
"""Columns that the tables of outcomes and series begin with."""


def _unknown(name: str, plain: str, known: Mapping[str, Quantity]) -> str:
    from ...scenario.problems import nearest

    guess = nearest(plain, known)
    hint = f"did you mean {guess!r}?" if guess else "tavern schema --outputs lists them"
    return f"unknown output {name!r}; {hint}"


def _verify_how(name: str, quantity: Quantity, how: str) -> None:
    if quantity.kind == "final":
        raise SweepError(
            f"output {name!r}: {quantity.name} is of the run as it ends; leave ':' out"
        )
    ways = [way for way in HOWS if quantity.kind != "ratio" or way != "sum"]
    if how not in ways:
        raise SweepError(f"output {name!r}: nights are summed up by {', '.join(ways)}")


def _of_known(of: Callable[[Floats], float], values: Floats, least: int = 1) -> float:
    known = values[~np.isnan(values)]
    return float(of(known)) if len(known) >= least else float("nan")


def _sd(values: Floats) -> float:
    return float(np.std(values, ddof=1))
