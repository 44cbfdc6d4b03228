"""Whether better houses in richer districts take more, and where the coins of a town end up.

    python studies/town_takings.py --jobs 2

plays river-town for 30 nights with each of 20 seeds, and prints the rank correlation of
what a house takes with its quality and with the purses of the people of its district. A
second arm founds the town itself anew for each seed, so that it is not one map that
speaks.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import plotly.graph_objects as go
import replicates as rep
from scipy.stats import spearmanr

from tavern_abm import Scenario, TavernModel
from tavern_abm.economies import books_of
from tavern_abm.run_folder import read_run
from tavern_abm.writing import write_run

NIGHTS = 30
POPULATION = 5_000
ARMS = {"river-town": "one town", "founded anew": "another town for each seed"}
OUTCOMES = {
    "quality": "rank correlation of takings with a house's quality",
    "district": "rank correlation of takings with the median purse in its district",
    "guests_quality": "rank correlation of guests with a house's quality",
    "closed": "houses that closed",
    "gini": "Gini of purses at the end",
    "broke": "share who cannot pay their way into their own house",
}


@cache
def river_town() -> Scenario:
    """The built-in town, read once in each process."""
    return Scenario.load("river-town")


def scenario_of(point: rep.Point, replicate: int) -> Scenario:
    """The town of an arm."""
    if point["arm"] == "river-town":
        return river_town()
    town = {"population": POPULATION, "seed": replicate + 1}
    return Scenario().with_settings({"town": town})


def play(point: rep.Point, replicate: int) -> dict[str, float]:
    """One run, and what `tavern economy` makes of it."""
    model = TavernModel(scenario_of(point, replicate), rng=replicate + 1)
    model.run_for(NIGHTS)
    with TemporaryDirectory() as folder:
        books = books_of(read_run(write_run(model, Path(folder, "run"), report=False)))
    guests = spearmanr(books.houses["guests"], books.houses["quality"]).statistic
    last = model.nights.iloc[-1]
    return {
        "quality": float(books.facts["quality_takings"]),
        "district": float(books.facts["district_takings"]),
        "guests_quality": float(guests),
        "closed": float((model.houses.is_open == 0).sum()),
        "gini": float(model.gini),
        "broke": float(last["broke"] / last["living"]),
    }


def estimates(runs: pd.DataFrame) -> pd.DataFrame:
    """Mean and interval of each outcome, an arm a row."""
    rows = []
    for arm in ARMS:
        some = rep.of(runs, arm=arm)
        rows.append(rep.row({"arm": arm}, {name: rep.mean_t(some[name]) for name in OUTCOMES}))
    return pd.DataFrame(rows)


def plot(runs: pd.DataFrame) -> go.Figure:
    """Every run's two correlations, arm by arm."""
    figure = go.Figure()
    for name in ("quality", "district"):
        figure.add_box(x=runs["arm"], y=runs[name], name=name, boxpoints="all", jitter=0.4)
    figure.add_hline(y=0, line_dash="dot")
    figure.update_layout(
        title="What a house takes goes with its quality and its district",
        yaxis_title="rank correlation with takings (Spearman)",
        boxmode="group",
    )
    return figure


def main(values: list[str] | None = None) -> None:
    """Play, estimate, print and write."""
    given = rep.arguments(str(__doc__).partition("\n")[0], 20, "runs/town-takings", values)
    points = [{"arm": arm} for arm in ARMS]
    runs = rep.play_all(play, points, given.replicates, given.jobs)
    table = estimates(runs)
    for arm in ARMS:
        some = rep.of(runs, arm=arm)
        print(f"\n{arm} ({ARMS[arm]}), {len(some)} seeds, {NIGHTS} nights")
        for name, meaning in OUTCOMES.items():
            print(f"  {rep.mean_t(some[name]):.3f}  {meaning}; least {some[name].min():.3f}")
    rep.write(given.out, runs, table, plot(runs))


if __name__ == "__main__":
    main()
