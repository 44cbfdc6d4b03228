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

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..design import Design
from ..errors import SweepError
from ..estimating.cells import Cells, cells_of
from ..estimating.varied import Varied, varied_of
from .idle import idle, lacking
from .luck import Floats, is_luck_alone, is_unknown, of_shared, widened
from .regression import bootstrapped, dummies, eta_squared, prcc, r_squared, ranked, src
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
    "r2": "share of the variance between points that straight lines, and words, explain",
    "idle": "1: it does nothing, every run is the same at all its levels",
    "noise": "share of the variance between points that is luck: play more replications",
    "luck_p": "how often luck alone would make the points differ so much (F test)",
    "over_points": "intervals leave out the luck of the one replication that all points share",
    "not_played": "points that no run of has been played: --resume plays them",
    "failed": "points whose runs failed: --resume --retry-failed tries them again",
    "undefined": "points where the outcome is not defined in any run",
}
"""What each kind of index says, in a line."""
COUNTS = ("over_points", "not_played", "failed", "undefined")
"""Kinds that are numbers of points."""
RESAMPLES, FEWEST = 500, 2
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
        there is no interval). Where points share their luck, intervals are over points and
        over that luck; with a single replication ``over_points`` says that they are not.

    Raises
    ------
    SweepError
        If SALib is not installed and the sample needs it.

    Notes
    -----
    A Sobol or Morris sample needs a value at every point. An output that lacks some has no
    indices, only rows that say at how many points and why: ``not_played``, ``failed``,
    ``undefined``.
    """
    factors = varied_of(design)
    rows = []
    for output in design.configuration.outputs if outputs is None else outputs:
        cells = cells_of(frames.outcomes, output, len(design.points), design.luck)
        method = method_of(design, factors)
        found = _found(method, design, factors, cells, confidence, seed)
        found += [Index(name, "", "", n) for name, n in lacking(cells, frames.runs).items()]
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
    confidence: float,
    seed: int,
) -> list[Index]:
    """The indices of one outcome."""
    if np.isfinite(cells.means).sum() < 2 or not factors:
        return []
    nothing = [Index("idle", each.label, "", 1.0) for each in idle(factors, cells)]
    if np.ptp(cells.means[np.isfinite(cells.means)]) == 0:
        return nothing
    luck = [Index("noise", "", "", _noise(cells)), Index("luck_p", "", "", cells.luck_p())]
    if is_unknown(cells) and method != "shares":
        luck.append(Index("over_points", "", "", int((cells.n > 0).sum())))
    is_whole = bool((cells.n > 0).all())
    if method == "sobol":
        made = _sobol(design, cells, confidence, seed) if is_whole else iter(())
    elif method == "morris":
        made = _morris(design, cells, confidence, seed) if is_whole else iter(())
    elif method == "shares" and is_whole:
        made = _shares(factors, cells, confidence)
    else:
        made = _regression(factors, cells, confidence, seed)
    return [*made, *nothing, *luck]


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


def _sobol(design: Design, cells: Cells, confidence: float, seed: int) -> Iterator[Index]:
    problem = _problem(design)
    k = problem["num_vars"]
    second = bool(problem.get("second_order", problem.get("calc_second_order", True)))
    n_base = len(cells.means) // (2 * k + 2 if second else k + 2)
    analyze, pairs = _salib("sobol").analyze, np.triu_indices(k, 1)
    kinds = ("S1", "ST", "S2")[: 2 + second]

    def found(means: Floats, resamples: int) -> tuple[Floats, Floats]:
        """The indices of all kinds in a row, and half widths over points."""
        got = analyze(
            problem, means, calc_second_order=second, num_resamples=resamples,
            conf_level=confidence, seed=seed,
        )  # fmt: skip
        flat = {name: got[name][pairs] if name.startswith("S2") else got[name] for name in got}
        values, halves = ([flat[kind + end] for kind in kinds] for end in ("", "_conf"))
        return np.concatenate(values), np.concatenate(halves)

    values, halves = found(cells.means, RESAMPLES if n_base < MOST_RESAMPLED else RESAMPLES // 5)
    more = of_shared(lambda means: found(means, FEWEST)[0], cells, confidence)
    names = problem["names"]
    keys = [(kind, name, "") for kind in kinds[:2] for name in names]
    if second:
        keys += [("S2", names[i], names[j]) for i, j in zip(*pairs, strict=True)]
    for key, value, half in zip(keys, values, np.hypot(halves, more), strict=True):
        yield Index(*key, float(value), float(value - half), float(value + half))


def _morris(design: Design, cells: Cells, confidence: float, seed: int) -> Iterator[Index]:
    problem, numbers = _problem(design), _numbers_of(design)
    analyze = _salib("morris").analyze

    def found(means: Floats, resamples: int) -> Any:
        return analyze(
            problem, numbers, means, num_levels=int(problem.get("num_levels", 4)),
            num_resamples=resamples, conf_level=confidence, seed=seed,
        )  # fmt: skip

    def stars(means: Floats) -> Floats:
        return np.asarray(found(means, FEWEST)["mu_star"], dtype=np.float64)

    every = found(cells.means, RESAMPLES)
    halves = np.hypot(every["mu_star_conf"], of_shared(stars, cells, confidence))
    names = problem["names"]
    for name, value, half in zip(names, map(float, every["mu_star"]), halves, strict=True):
        yield Index("mu_star", name, "", value, max(0.0, float(value - half)), float(value + half))
    for kind in ("mu", "sigma"):
        for name, value in zip(names, every[kind], strict=True):
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
    if is_luck_alone(cells.luck_p()):
        return
    halves = jackknifed(factors, cells, confidence)
    for (kind, places), value in shares(factors, cells).items():
        first, other = (*(factors[place].label for place in places), "")[:2]
        yield _around(kind, first, other, value, halves[kind, places])


def _regression(
    factors: Sequence[Varied], cells: Cells, confidence: float, seed: int
) -> Iterator[Index]:
    """Straight lines and ranks for numbers, one group against another for words."""
    is_there = np.isfinite(cells.means)
    if any(each.is_number for each in factors):
        yield from _lines(factors, cells, confidence, seed)
    for each in factors:
        if not each.is_number:
            share = eta_squared(each.codes[is_there], cells.means[is_there])
            yield Index("eta2", each.label, "", share)


def _lines(
    factors: Sequence[Varied], cells: Cells, confidence: float, seed: int
) -> Iterator[Index]:
    """Of the numbers, what they share with the words held fixed, too."""
    is_there = np.isfinite(cells.means)
    lines = [each for each in factors if each.is_number]
    words = [dummies(each.codes[is_there]) for each in factors if not each.is_number]
    x = np.column_stack([*(each.scaled[is_there] for each in lines), *words])
    if len(x) <= x.shape[1] + 2:
        return
    for kind, of, scale in (("src", src, _as_it_is), ("prcc", prcc, ranked)):
        low, value, high = _over_all(of, scale, x, len(lines), cells, confidence, seed)
        for each, *numbers in zip(lines, value, low, high, strict=True):
            yield Index(kind, each.label, "", *map(float, numbers))
    yield Index("r2", "", "", r_squared(x, cells.means[is_there]))


def _over_all(
    of: Callable[[Floats, Floats], Floats],
    scale: Callable[[Floats], Floats],
    x: Floats,
    n: int,
    cells: Cells,
    confidence: float,
    seed: int,
) -> tuple[Floats, Floats, Floats]:
    """The first `n` coefficients, between their bounds over points and shared luck."""
    is_there = np.isfinite(cells.means)
    columns = scale(x)

    def first(x: Floats, y: Floats) -> Floats:
        return of(x, y)[..., :n]

    rng = np.random.default_rng(seed)
    found = bootstrapped(first, columns, scale(cells.means[is_there]), confidence, rng)
    more = of_shared(lambda means: first(columns, scale(means[is_there])), cells, confidence)
    low, high = widened(found.value, found.low, found.high, more)
    if of is prcc:
        low, high = np.maximum(low, -1), np.minimum(high, 1)
    return low, found.value, high


def _as_it_is(values: Floats) -> Floats:
    return values
