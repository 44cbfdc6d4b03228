"""What the studies share: many runs side by side, and estimates from them.

Every design point is played with the same seed and the same replicates, so that
replicate 7 of one point and replicate 7 of another begin with the same people
and the same dice. Differences are taken within replicates.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from tqdm import tqdm

from tavern_abm.sweeps.estimating.estimates import Estimate, mean_t
from tavern_abm.sweeps.estimating.ratios import ratio, ratio_difference

__all__ = ["Estimate", "mean_t", "ratio", "ratio_difference"]  # the studies find them here

SEED = 1
type Point = dict[str, Any]
type Play = Callable[[Point, int], dict[str, float]]


def about(value: float, half: float) -> Estimate:
    """An estimate as a table has it: its value, and half the width of its interval."""
    return Estimate(value, value - half, value + half, n=2, sd=float("nan"))


def play_all(play: Play, points: Sequence[Point], replicates: int, jobs: int) -> pd.DataFrame:
    """Play every point with every replicate.

    Parameters
    ----------
    play : callable
        Of a point and a replicate: plays one run and gives its outcomes. A function
        of a module, so that other processes find it.
    points : sequence of dict
        The design.
    replicates : int
        Runs of each point.
    jobs : int
        Processes.

    Returns
    -------
    DataFrame
        A row a run: what the point sets, ``replicate``, and the outcomes.
    """
    runs = [(point, replicate) for replicate in range(replicates) for point in points]
    bar = partial(tqdm, total=len(runs), unit="run", file=sys.stderr, disable=None)
    if jobs <= 1:
        found = [play(*run) for run in bar(runs)]
    else:
        with ProcessPoolExecutor(jobs) as pool:
            found = list(bar(pool.map(play, *zip(*runs, strict=True), chunksize=8)))
    rows = [
        point | {"replicate": replicate} | outcome
        for (point, replicate), outcome in zip(runs, found, strict=True)
    ]
    return pd.DataFrame(rows)


def of(runs: pd.DataFrame, **point: Any) -> pd.DataFrame:
    """The runs of a point, in order of their replicates."""
    chosen = np.ones(len(runs), bool)
    for name, value in point.items():
        chosen &= (runs[name] == value).to_numpy()
    return runs[chosen].sort_values("replicate")


def at_least_one(text: str) -> int:
    """A whole number of 1 or more, from the command line."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of at least 1")
    return int(text)


def arguments(about: str, replicates: int, out: str, values: Sequence[str] | None = None) -> Any:
    """What every study can be asked for on the command line."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--jobs", type=at_least_one, default=os.cpu_count() or 1, help="processes")
    parser.add_argument(
        "--replicates", type=at_least_one, default=replicates, help="runs of each point"
    )
    parser.add_argument("--out", type=Path, default=Path(out), help="folder of the results")
    return parser.parse_args(values)


def write(folder: Path, runs: pd.DataFrame, table: pd.DataFrame, figure: go.Figure) -> None:
    """Write the runs, the estimates and the figure (a page that opens anywhere)."""
    folder.mkdir(parents=True, exist_ok=True)
    runs.to_csv(folder / "runs.csv", index=False)
    table.to_csv(folder / "estimates.csv", index=False)
    figure.write_html(folder / "figure.html", include_plotlyjs=True)
    print(f"\n{folder}/runs.csv, estimates.csv, figure.html")


def row(point: Mapping[str, Any], estimates: Mapping[str, Estimate]) -> dict[str, Any]:
    """A row of the table of estimates: each with its value and its half width."""
    cells: dict[str, Any] = dict(point)
    for name, estimate in estimates.items():
        cells |= {name: estimate.value, f"{name}_half": estimate.half}
    return cells
