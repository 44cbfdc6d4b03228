"""How many nights to leave out at the beginning: MSER-5 of White (1997).

A town starts with purses, beliefs and tills that nobody has played for yet; means over all
nights are drawn to that start. MSER cuts off so many nights that the mean of the rest has the
least squared error, as far as the rest itself tells.

References
----------
.. [1] K. P. White (1997), An effective truncation heuristic for bias reduction in simulation
       output, Simulation 69 (6), 323-334.
.. [2] K. P. White, M. J. Cobb, S. C. Spratt (2000), A comparison of five steady-state truncation
       heuristics for simulation, Winter Simulation Conference, 755-760.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    import pandas as pd

BATCH = 5
"""Nights to a batch: their means are less alike from one to the next than nights are."""
AT_LEAST = 5
"""Batches that must be left: of fewer, the variance is anybody's guess."""
KEYS = ("run_id", "scenario_id", "replication_id", "time")
"""Columns of a table of series that are no series."""


class WarmUp(NamedTuple):
    """What MSER-5 says of a series.

    Attributes
    ----------
    nights : int
        To leave out, from the first on.
    is_settled : bool
        Whether the error is least before half of the run is cut off. If not, the series does
        not come to rest in time: the run is too short to tell.
    """

    nights: int
    is_settled: bool


def mser_curve(values: ArrayLike, batch: int = BATCH) -> NDArray[np.float64]:
    """The squared error of the mean for each number of batches that is cut off.

    Parameters
    ----------
    values : array_like of float, shape (n,)
        A number a night, without nan.
    batch : int, default 5
        Nights to a batch; nights at the end that fill none are left out.

    Returns
    -------
    ndarray of float, shape (max(0, n // batch - 4),)
        For 0, 1, 2 ... batches cut off: the sum of squared deviations of the others from
        their mean, divided by the square of their number. At least five are left.

    Examples
    --------
    A fall and then rest: the error is least without the first batch.

    >>> mser_curve([9, 9, 9, 9, 9] + [1, 2, 1, 2, 1] * 6).round(3).tolist()
    [1.01, 0.0, 0.0]
    """
    series = np.asarray(values, dtype=np.float64)
    if series.ndim != 1 or np.isnan(series).any():
        raise ValueError("give a series of numbers, one a night, without nan")
    n = len(series) // batch
    means = series[: n * batch].reshape(n, batch).mean(axis=1)
    curve = [float(np.var(means[cut:])) / (n - cut) for cut in range(n - AT_LEAST + 1)]
    return np.array(curve, dtype=np.float64)


def warm_up_of(values: ArrayLike, batch: int = BATCH) -> WarmUp:
    """The nights to leave out of a series, and whether it comes to rest at all.

    Raises
    ------
    ValueError
        If there are fewer than ten batches (50 nights), or nan among the values.

    Examples
    --------
    >>> rising = np.minimum(np.arange(100), 30)
    >>> warm_up_of(rising)
    WarmUp(nights=30, is_settled=True)
    >>> warm_up_of(np.arange(100.0)).is_settled
    False
    """
    n_nights = len(np.asarray(values))
    n = n_nights // batch
    if n < 2 * AT_LEAST:
        text = f"{n_nights} nights are too few to tell; play {2 * AT_LEAST * batch} or more"
        raise ValueError(text)
    half = n // 2
    curve = mser_curve(values, batch)[: half + 1]
    slack = 1e-12 * float(np.mean(np.square(np.asarray(values, np.float64))))
    best = int(np.flatnonzero(curve <= curve.min() + slack)[0])  # rounding makes no minimum
    return WarmUp(best * batch, best < half)


def mser5(values: ArrayLike) -> int:
    """The nights to leave out of a series by MSER-5: a multiple of five, at most half of them.

    Examples
    --------
    >>> mser5([9, 9, 9, 9, 9] + [1, 2, 1, 2, 1] * 12)
    5
    """
    return warm_up_of(values).nights


def suggest_warm_up(series: pd.DataFrame) -> pd.DataFrame:
    """The warm-up of every series of a sweep, point by point.

    The nights of a point's replications are averaged first: one run alone is so uneven that
    MSER takes chance for a start.

    Parameters
    ----------
    series : DataFrame
        As a sweep without a warm-up keeps it: ``run_id``, ``scenario_id``, ``replication_id``,
        ``time`` and a column for each series.

    Returns
    -------
    DataFrame
        A row a point and series: ``scenario_id``, ``series``, ``warm_up`` (nights to leave out,
        counted from the first of the run), ``is_settled``, ``nights`` and ``n`` (replications).
        ``warm_up`` is null where nights have no number.

    Raises
    ------
    ValueError
        If the runs are shorter than 50 nights.

    Examples
    --------
    >>> import pandas as pd
    >>> falling = np.maximum(40 - 2 * np.arange(60), 0)
    >>> runs = [
    ...     pd.DataFrame(
    ...         {"run_id": run, "scenario_id": 0, "replication_id": run, "time": np.arange(1, 61)}
    ...     ).assign(guests=falling + run)
    ...     for run in range(3)
    ... ]
    >>> suggest_warm_up(pd.concat(runs))[["series", "warm_up", "is_settled", "n"]].values.tolist()
    [['guests', 20, True, 3]]
    """
    import pandas as pd

    names = [name for name in series.columns if name not in KEYS]
    rows = []
    for scenario_id, point in series.groupby("scenario_id"):
        means = point.groupby("time")[names].mean()
        before = int(means.index.min()) - 1
        about = {"nights": len(means), "n": point["run_id"].nunique()}
        for name in names:
            has_gaps = means[name].isna().any()
            found = None if has_gaps else warm_up_of(means[name].to_numpy())
            rows.append(
                {
                    "scenario_id": scenario_id,
                    "series": name,
                    "warm_up": pd.NA if found is None else before + found.nights,
                    "is_settled": found is not None and found.is_settled,
                }
                | about
            )
    columns = ["scenario_id", "series", "warm_up", "is_settled", "nights", "n"]
    return pd.DataFrame(rows, columns=columns).astype({"warm_up": "Int64"})


def main(arguments: list[str] | None = None) -> None:
    """Print the warm-up of every series of the sweep in a folder."""
    import argparse

    from ..errors import SweepError
    from ..stores.frames import read

    parser = argparse.ArgumentParser(description="MSER-5 for the series of a sweep")
    parser.add_argument("store", help="folder of a sweep that was played without a warm-up")
    store = parser.parse_args(arguments).store
    try:
        series = read(store).series
        if set(series.columns) <= set(KEYS):
            raise SweepError(f"{store}: it keeps no series; name some in the design")
        table = suggest_warm_up(series)
    except ValueError as error:
        parser.exit(3, f"{error}\n")
    print(table.to_string(index=False))


if __name__ == "__main__":
    main()
