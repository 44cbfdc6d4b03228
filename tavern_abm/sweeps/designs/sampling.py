"""Samples of a space of factors: Latin hypercube, Sobol, random; Saltelli and Morris by SALib.

Every method gives numbers of the unit cube, a row a point and a column a factor, which are
then spread over bounds or levels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..design import Factor
from ..errors import SweepError

type Unit = NDArray[np.float64]

OWN = ("latin-hypercube", "sobol", "random")
OF_SALIB = ("saltelli", "morris")
METHODS = (*OWN, *OF_SALIB)
POWERS = ("sobol", "saltelli")
"""Methods whose balance needs a power of two."""


def n_points(method: str, n: int, n_factors: int, *, second_order: bool = True) -> int:
    """How many points a sample has, counted before it is made.

    Parameters
    ----------
    method : str
        One of `METHODS`.
    n : int
        Points; base samples of Saltelli; trajectories of Morris.

    Examples
    --------
    >>> n_points("sobol", 64, 3), n_points("saltelli", 64, 3), n_points("morris", 10, 3)
    (64, 512, 40)
    """
    if method == "saltelli":
        return n * (2 * n_factors + 2 if second_order else n_factors + 2)
    return n * (n_factors + 1) if method == "morris" else n


def near_powers(n: int) -> tuple[int, int]:
    """The powers of two below and above a number that is none.

    Examples
    --------
    >>> near_powers(100)
    (64, 128)
    """
    above = 1 << n.bit_length()
    return above // 2, above


def is_power(n: int) -> bool:
    """Whether a number is a power of two."""
    return n > 0 and n & (n - 1) == 0


class Drawing(NamedTuple):
    """How a sample is drawn.

    Attributes
    ----------
    scramble : bool
        Of a Latin hypercube: whether points lie anywhere in their cells, or in the middle
        of them. Of Sobol and Saltelli: whether the sequence is scrambled (Owen).
    second_order : bool
        Of Saltelli: whether pairs of factors can be told.
    n_levels : int
        Of Morris: levels of the grid on which trajectories go, an even number.
    """

    scramble: bool = True
    second_order: bool = True
    n_levels: int = 4


PLAIN = Drawing()


def unit_sample(method: str, n: int, n_factors: int, seed: int, drawing: Drawing = PLAIN) -> Unit:
    """Points of the unit cube.

    Parameters
    ----------
    method : str
        One of `METHODS`.
    n : int
        As for `n_points`; a power of two for Sobol and Saltelli.
    seed : int
        The same seed gives the same points.

    Returns
    -------
    ndarray of float, shape (`n_points`, n_factors)
        Each from 0 to 1; only Morris gives 1 itself.

    Raises
    ------
    SweepError
        If SALib is wanted and not there.

    Examples
    --------
    A Latin hypercube has one point in each quarter of each factor:

    >>> unit = unit_sample("latin-hypercube", 4, 2, seed=1)
    >>> np.sort((unit * 4).astype(int), axis=0).T.tolist()
    [[0, 1, 2, 3], [0, 1, 2, 3]]
    """
    if method in OF_SALIB:
        return _by_salib(method, n, n_factors, seed, drawing)
    rng = np.random.default_rng(seed)
    if method == "random":
        return rng.random((n, n_factors))
    from scipy.stats import qmc

    if method == "sobol":
        engine = qmc.Sobol(n_factors, scramble=drawing.scramble, rng=rng)
        return np.asarray(engine.random_base2(n.bit_length() - 1), np.float64)
    cube = qmc.LatinHypercube(n_factors, scramble=drawing.scramble, rng=rng)
    return np.asarray(cube.random(n), np.float64)


def _by_salib(method: str, n: int, n_factors: int, seed: int, drawing: Drawing) -> Unit:
    sample = salib("sample", "sobol" if method == "saltelli" else "morris").sample
    problem = {
        "num_vars": n_factors,
        "names": [f"x{number}" for number in range(n_factors)],
        "bounds": [[0.0, 1.0]] * n_factors,
    }
    rng = np.random.default_rng(seed)
    if method == "morris":
        return np.asarray(sample(problem, n, num_levels=drawing.n_levels, seed=rng), np.float64)
    options = {"calc_second_order": drawing.second_order, "scramble": drawing.scramble}
    return np.asarray(sample(problem, n, seed=rng, **options), np.float64)


def salib(part: str, method: str) -> Any:
    """A module of SALib: ``salib("sample", "morris")``.

    Raises
    ------
    SweepError
        If it is not installed; the text says how to.
    """
    from importlib import import_module

    try:
        return import_module(f"SALib.{part}.{method}")
    except ModuleNotFoundError:
        text = f"{method} needs SALib: pip install 'tavern-abm[sensitivity]'"
        raise SweepError(text) from None


def spread(factor: Factor, unit: Unit, method: str = "random") -> list[NDArray[Any] | list[Any]]:
    """Numbers of 0 to 1 spread over a factor: a column for each of its paths.

    Levels, and the whole numbers between two bounds, have equal shares of the unit. On the
    grid of Morris both ends stand for themselves: whole numbers are the nearest there.

    Examples
    --------
    >>> coin = Factor(("a",), "a", (("heads",), ("tails",)))
    >>> spread(coin, np.array([0.1, 0.5, 0.99]))
    [['heads', 'tails', 'tails']]
    >>> [
    ...     column.tolist()
    ...     for column in spread(Factor(("b",), "b", None, 1, 6, True), np.array([0.99]))
    ... ]
    [[6]]
    """
    if factor.levels is not None:
        numbers = np.minimum((unit * len(factor.levels)).astype(np.int64), len(factor.levels) - 1)
        picked = [factor.levels[number] for number in numbers]
        return [[level[place] for level in picked] for place in range(len(factor.paths))]
    assert factor.low is not None
    assert factor.high is not None
    width = factor.high - factor.low
    if factor.is_log:
        column: NDArray[Any] = factor.low * (factor.high / factor.low) ** unit
    elif not factor.is_whole:
        column = factor.low + unit * width
    elif method == "morris":
        column = np.floor(factor.low + unit * width + 0.5).astype(np.int64)
    else:
        steps = np.minimum(np.floor(unit * (width + 1)), width)
        column = (factor.low + steps).astype(np.int64)
    return [column for _ in factor.paths]


def problem_of(factors: Sequence[Factor], method: str, drawing: Drawing) -> dict[str, Any] | None:
    """What SALib has to know of a sample to work out indices from it; None for other methods.

    Keys are ``num_vars``, ``names`` (labels), ``bounds``, and of Saltelli
    ``calc_second_order``, of Morris ``num_levels``.
    """
    if method not in OF_SALIB:
        return None
    asked = (
        {"calc_second_order": drawing.second_order}
        if method == "saltelli"
        else {"num_levels": drawing.n_levels}
    )
    return {
        "num_vars": len(factors),
        "names": [factor.label for factor in factors],
        "bounds": [_bounds(factor) for factor in factors],
    } | asked


def _bounds(factor: Factor) -> list[float]:
    if factor.levels is not None:
        return [0.0, float(len(factor.levels))]
    return [float(factor.low or 0), float(factor.high or 0)]
