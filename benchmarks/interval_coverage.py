"""How often intervals hold what they are for: coverage, from experiments whose mean is known.

    python benchmarks/interval_coverage.py [--experiments 1000] [--seed 1]

Every line is so many experiments of n replications each, drawn from a law whose mean is
known, and the share of them whose 95 % interval holds it. Of 1,000 experiments that share
has a standard error of 0.7 points where it is 95 %. It takes about a minute.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tavern_abm.sweeps.design import Auto
from tavern_abm.sweeps.estimating.estimates import mean_t, moments, paired, t_bounds, welch
from tavern_abm.sweeps.estimating.groups import means_by_replication
from tavern_abm.sweeps.estimating.ratios import ratio
from tavern_abm.sweeps.estimating.resampling import BOOTSTRAP_FROM, bootstrap_bounds

type Floats = NDArray[np.float64]
type Draw = Callable[[np.random.Generator, tuple[int, ...]], Floats]


class Law(NamedTuple):
    """A quantity: how it is drawn, its mean, and how far it leans (its third moment)."""

    name: str
    draw: Draw
    mean: float
    skewness: float


LAWS = (
    Law("normal (a Gini)", lambda rng, size: rng.normal(0.4, 0.03, size), 0.4, 0.0),
    Law("Poisson, mean 10", lambda rng, size: rng.poisson(10, size) + 0.0, 10.0, 0.32),
    Law("Poisson, mean 1 (beatings)", lambda rng, size: rng.poisson(1, size) + 0.0, 1.0, 1.0),
    Law("exponential (a delay)", lambda rng, size: rng.exponential(3, size), 3.0, 2.0),
    Law("yes or no, 1 in 10", lambda rng, size: (rng.random(size) < 0.1) + 0.0, 0.1, 2.67),
    Law("lognormal (a fortune)", lambda rng, size: rng.lognormal(0, 1, size), np.exp(0.5), 6.18),
)
SIZES = (5, 10, 20, 50, 100, 200)


def covered(low: Floats, high: Floats, mean: float) -> float:
    """Share of the intervals that hold the mean."""
    return float(((low <= mean) & (mean <= high)).mean())


def t_coverage(law: Law, n: int, experiments: int, seed: int) -> float:
    """Of Student's intervals."""
    rows = law.draw(np.random.default_rng([seed, n, 1]), (experiments, n))
    return covered(*t_bounds(*moments(rows), n), law.mean)


def bootstrap_coverage(law: Law, n: int, experiments: int, seed: int) -> float:
    """Of bootstrap intervals, of the same experiments."""
    rows = law.draw(np.random.default_rng([seed, n, 1]), (experiments, n))
    return covered(*bootstrap_bounds(rows), law.mean)


def paired_coverage(n: int, experiments: int, seed: int) -> tuple[float, float]:
    """Of a difference on shared luck: paired as it should be, and as if it were not."""
    rng = np.random.default_rng([seed, n, 2])
    hits = np.zeros(2)
    for _ in range(experiments):
        luck = rng.normal(0, 3, n)
        one, other = 12 + luck + rng.normal(0, 1, n), 10 + luck + rng.normal(0, 1, n)
        for place, way in enumerate((paired, welch)):
            change = way(one, other).change
            hits[place] += change.low <= 2 <= change.high
    paired_share, welch_share = (hits / experiments).tolist()
    return paired_share, welch_share


def ratio_coverage(n: int, experiments: int, seed: int) -> float:
    """Of a ratio of sums: 30 % of so many cases a run as come."""
    rng = np.random.default_rng([seed, n, 3])
    hits = 0
    for _ in range(experiments):
        cases = rng.poisson(8, n) + 1
        found = ratio(rng.binomial(cases, 0.3), cases)
        hits += found.low <= 0.3 <= found.high
    return hits / experiments


def group_coverage(n: int, experiments: int, seed: int) -> tuple[float, float]:
    """Of 12 points taken together that share their luck: by replications, and by runs."""
    rng = np.random.default_rng([seed, n, 4])
    at = np.linspace(5, 15, 12)[:, np.newaxis]
    hits = np.zeros(2)
    for _ in range(experiments):
        runs = at + rng.normal(0, 2, n) + rng.normal(0, 1, (12, n))
        runs[rng.random(runs.shape) < 0.05] = np.nan  # some are not defined
        for place, values in enumerate((means_by_replication(runs), runs)):
            found = mean_t(values)
            hits[place] += found.low <= 10 <= found.high
    by_replication, by_run = (hits / experiments).tolist()
    return by_replication, by_run


def auto_coverage(law: Law, auto: Auto, experiments: int, seed: int) -> tuple[float, float]:
    """Of intervals that were stopped at as soon as they were narrow, and how soon that was."""
    rng = np.random.default_rng([seed, auto.at_least, 5])
    hits, played = 0, 0
    for _ in range(experiments):
        values = law.draw(rng, (auto.at_most,))
        n = stopped_at(values, auto)
        found = mean_t(values[:n])
        hits += found.low <= law.mean <= found.high
        played += n
    return hits / experiments, played / experiments


def stopped_at(values: Floats, auto: Auto) -> int:
    """Replications after which the interval is as narrow as asked; of equal values none is."""
    for n in range(auto.at_least, auto.at_most, auto.step):
        found = mean_t(values[:n])
        if found.sd > 0 and found.half <= (auto.half_width or 0.0):
            return n
    return auto.at_most


def lines(experiments: int, seed: int) -> Iterator[str]:
    """The table, line by line."""
    yield f"coverage of 95 % intervals, {experiments:,} experiments each, seed {seed}"
    yield f"\n{'the mean':<38}{'skew':>6}" + "".join(f"{f'n = {n}':>9}" for n in SIZES)
    for law in LAWS:
        cells = [f"{t_coverage(law, n, experiments, seed):9.1%}" for n in SIZES]
        yield f"t, {law.name:<35}{law.skewness:6.2f}{''.join(cells)}"
    for law in LAWS:
        cells = [
            f"{bootstrap_coverage(law, n, experiments, seed):9.1%}" if n >= BOOTSTRAP_FROM else "-"
            for n in SIZES
        ]
        row = "".join(f"{cell:>9}" for cell in cells)
        yield f"bootstrap, {law.name:<27}{law.skewness:6.2f}{row}"
    yield "\nof several runs"
    for n in (10, 20, 50):
        good, bad = paired_coverage(n, experiments, seed)
        said = f"(not paired {bad:.1%}: too wide)"
        yield f"{f'difference on shared luck, n = {n}':<44}{good:9.1%}   {said}"
    for n in (10, 20, 50):
        yield f"{f'ratio of sums, n = {n}':<44}{ratio_coverage(n, experiments, seed):9.1%}"
    for n in (10, 20, 50):
        good, bad = group_coverage(n, experiments, seed)
        yield f"{f'12 points together, n = {n}':<44}{good:9.1%}   (by single runs {bad:.1%})"
    yield '\nstopped when narrow (replicates = "auto", step 10, at most 200)'
    for law, half in ((LAWS[0], 0.01), (LAWS[3], 0.8), (LAWS[4], 0.1)):
        for least in (10, 20, 30):
            auto = Auto("x", half_width=half, at_least=least)
            share, n = auto_coverage(law, auto, experiments, seed)
            said = f"{law.name}, +-{half}, at least {least}"
            yield f"{said:<44}{share:9.1%}   (after {n:.0f} on average)"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--experiments", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for line in lines(given.experiments, given.seed):
        print(line, flush=True)


if __name__ == "__main__":
    main()
