"""Which factor moves an outcome: indices of a sweep, each with its interval.

What can be asked depends on how the points were made:

========================  =============================================================
design                    indices
========================  =============================================================
``saltelli``              Sobol's S1, ST, S2 by SALib
``morris``                Morris's mu_star, mu and sigma by SALib
a full grid               S1, ST, S2 of its levels (`shares`)
anything else             src and prcc of factors that are numbers, eta2 of the others
========================  =============================================================

All take the mean over replications as the outcome of a point. How much of the variance
between points is left-over luck stands beside them as ``noise``,
and ``luck_p`` says whether luck alone may have made all of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..design import Design
from ..errors import SweepError
from ..estimating.cells import Cells, cells_of
from ..estimating.varied import Varied, varied_of
from .regression import bootstrapped, eta_squared, prcc, r_squared, ranked, src
from .shares import is_full_grid, jackknifed, shares

if TYPE_CHECKING:
    from ..stores.frames import Frames

COLUMNS = ("output", "method", "kind", "factor", "other", "value", "low", "high")
MEANINGS = {
    "S1": "share of the variance between points that the factor explains by itself",
    "ST": "the same with all that it does together with others",
    "S2": "share that two factors explain only together",
    "mu_star": "mean size of what moving the factor does, for its whole range",
    "mu": "the same with its sign: what goes up and down cancels",
    "sigma": "how much that depends on where one stands: bends and interactions",
    "src": "standard deviations of the outcome for one of the factor, the others held",
    "prcc": "partial rank correlation: whether it rises or falls with the factor at all",
    "eta2": "share of the variance between points that lies between the levels",
    "r2": "share of the variance between points that straight lines explain",
    "noise": "share of the variance between points that is luck: play more replications",
    "luck_p": "how often luck alone would make the points differ so much (F test)",
}
"""What each kind of index says, in a line."""
RESAMPLES = 500
MOST_RESAMPLED = 4096
"""Base samples from which on fewer resamples do, and spare memory."""


class Index(NamedTuple):
    """An index before it has a row."""

    kind: str
    factor: str
    other: str
    value: float
    low: float = float("nan")
    high: float = float("nan")


def method_of(design: Design, factors: Sequence[Varied] | None = None) -> str:
    """How the sensitivity of a design is reckoned: "sobol", "morris", "shares", "regression"."""
    factors = varied_of(design) if factors is None else factors
    if design.method in ("saltelli", "morris") and design.problem is not None:
        return "sobol" if design.method == "saltelli" else "morris"
    return "shares" if is_full_grid(factors) else "regression"


def indices(
    design: Design,
    frames: Frames,
    outputs: Sequence[str] | None = None,
    confidence: float = 0.95,
    seed: int = 1,
) -> pd.DataFrame:
    """Sensitivity of outcomes to the factors of a design.

    Parameters
    ----------
    design : Design
        What was played.
    frames : Frames
        Its tables.
    outputs : sequence of str, optional
        Outcomes; all of the design if not said.
    confidence : float, default 0.95
        Of the intervals.
    seed : int, default 1
        Of the resampling behind them, at least 1.

    Returns
    -------
    DataFrame
        Tidy, a row an index: ``output``, ``method`` ("sobol", "morris", "shares",
        "regression"), ``kind`` (see `MEANINGS`), ``factor`` ("" for what is of all),
        ``other`` (the second factor of S2, else ""), ``value``, ``low``, ``high`` (NaN where
        there is no interval).

    Raises
    ------
    SweepError
        If a Sobol or Morris sample lacks points, or SALib is not installed.
    """
    factors = varied_of(design)
    rows = []
    for output in design.configuration.outputs if outputs is None else outputs:
        cells = cells_of(frames.outcomes, output, len(design.points), design.luck)
        method = method_of(design, factors)
        found = _found(method, design, factors, cells, output, confidence, seed)
        method = "regression" if any(each.kind == "r2" for each in found) else method
        rows += [(output, method, *index) for index in found]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(
        {"value": float, "low": float, "high": float}
    )


def _found(
    method: str,
    design: Design,
    factors: Sequence[Varied],
    cells: Cells,
    output: str,
    confidence: float,
    seed: int,
) -> list[Index]:
    """The indices of one outcome."""
    if method in ("sobol", "morris"):
        _verify_complete(cells, output, method)
    if np.isfinite(cells.means).sum() < 2 or not factors:
        return []
    if np.ptp(cells.means[np.isfinite(cells.means)]) == 0:
        return []
    luck = [Index("noise", "", "", _noise(cells)), Index("luck_p", "", "", cells.luck_p())]
    if method == "sobol":
        return [*_sobol(design, cells.means, confidence, seed), *luck]
    if method == "morris":
        return [*_morris(design, cells.means, confidence, seed), *luck]
    if method == "shares" and (cells.n > 0).all():
        return [*_shares(factors, cells, confidence), *luck]
    return [*_regression(factors, cells.means, confidence, seed), *luck]


def _verify_complete(cells: Cells, output: str, method: str) -> None:
    lacking = np.flatnonzero(cells.n == 0)
    if not len(lacking):
        return
    some = ", ".join(map(str, lacking[:5])) + (" ..." if len(lacking) > 5 else "")
    what = "Sobol indices" if method == "sobol" else "Morris's effects"
    raise SweepError(
        f"{what} of {output} need every point of the sample, and {len(lacking):,} of "
        f"{len(cells.n):,} have no value (scenario_id {some}): finish them with --resume, "
        "those that failed with --retry-failed"
    )


def _noise(cells: Cells) -> float:
    """Share of the variance between the means that is luck."""
    means = cells.means[np.isfinite(cells.means)]
    return float(np.minimum(1.0, cells.luck_variance() / means.var(ddof=1)))


# ---------------------------------------------------------------- samples of SALib's


def _salib(name: str) -> Any:
    try:
        from importlib import import_module

        return import_module(f"SALib.analyze.{name}")
    except ImportError as missing:
        raise SweepError(
            "sensitivity of this sample needs SALib: pip install 'tavern-abm[sensitivity]'"
        ) from missing


def _problem(design: Design) -> dict[str, Any]:
    """What SALib is told of the sample, its factors by our labels."""
    problem = dict(design.problem or {})
    names = [each.label for each in design.factors] or list(problem["names"])
    return problem | {"names": names, "num_vars": len(names)}


def _sobol(
    design: Design, means: NDArray[np.float64], confidence: float, seed: int
) -> Iterator[Index]:
    problem = _problem(design)
    k = problem["num_vars"]
    second = bool(problem.get("second_order", problem.get("calc_second_order", True)))
    n_base = len(means) // (2 * k + 2 if second else k + 2)
    found = _salib("sobol").analyze(
        problem,
        means,
        calc_second_order=second,
        num_resamples=RESAMPLES if n_base < MOST_RESAMPLED else RESAMPLES // 5,
        conf_level=confidence,
        seed=seed,
    )
    names = problem["names"]
    for kind in ("S1", "ST"):
        for name, value, half in zip(names, found[kind], found[f"{kind}_conf"], strict=True):
            yield _around(kind, name, "", value, half)
    if second:
        for j, k in zip(*np.triu_indices(len(names), 1), strict=True):
            yield _around("S2", names[j], names[k], found["S2"][j, k], found["S2_conf"][j, k])


def _morris(
    design: Design, means: NDArray[np.float64], confidence: float, seed: int
) -> Iterator[Index]:
    problem = _problem(design)
    found = _salib("morris").analyze(
        problem,
        _numbers_of(design),
        means,
        num_levels=int(problem.get("num_levels", 4)),
        num_resamples=RESAMPLES,
        conf_level=confidence,
        seed=seed,
    )
    names = problem["names"]
    for name, value, half in zip(names, found["mu_star"], found["mu_star_conf"], strict=True):
        yield _around("mu_star", name, "", value, half)
    for kind in ("mu", "sigma"):
        for name, value in zip(names, found[kind], strict=True):
            yield Index(kind, name, "", float(value))


def _numbers_of(design: Design) -> NDArray[np.float64]:
    """The points as numbers, shape (points, factors); levels that are words by their places."""
    factors = varied_of(design, with_constant=True)
    return np.column_stack([each.numbers for each in factors])


def _around(kind: str, factor: str, other: str, value: float, half: float) -> Index:
    return Index(
        kind, factor, other, float(value), float(value) - float(half), float(value) + float(half)
    )


# ---------------------------------------------------------------- other designs


def _shares(factors: Sequence[Varied], cells: Cells, confidence: float) -> Iterator[Index]:
    """Of a grid; nothing where luck alone may have made its points differ: no share of that."""
    if cells.luck_p() > 1 - confidence:
        return
    halves = jackknifed(factors, cells, confidence)
    for (kind, places), value in shares(factors, cells).items():
        first, other = (*(factors[place].label for place in places), "")[:2]
        yield _around(kind, first, other, value, halves[kind, places])


def _regression(
    factors: Sequence[Varied], means: NDArray[np.float64], confidence: float, seed: int
) -> Iterator[Index]:
    """Straight lines and ranks for numbers, one group against another for words."""
    is_there = np.isfinite(means)
    y = means[is_there]
    lines = [each for each in factors if each.is_number]
    if lines and len(y) > len(lines) + 2:
        yield from _lines(lines, is_there, y, confidence, seed)
    for each in factors:
        if not each.is_number:
            yield Index("eta2", each.label, "", eta_squared(each.codes[is_there], y))


def _lines(
    lines: Sequence[Varied],
    is_there: NDArray[np.bool_],
    y: NDArray[np.float64],
    confidence: float,
    seed: int,
) -> Iterator[Index]:
    x = np.column_stack([each.numbers for each in lines])[is_there]
    tried: Mapping[str, Any] = {"src": (src, x, y), "prcc": (prcc, ranked(x), ranked(y))}
    for kind, (of, columns, column) in tried.items():
        found = bootstrapped(of, columns, column, confidence, np.random.default_rng(seed))
        for each, *numbers in zip(lines, *found, strict=True):
            yield Index(kind, each.label, "", *map(float, numbers))
    yield Index("r2", "", "", r_squared(x, y))
