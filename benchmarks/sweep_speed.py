"""How much faster two processes are than one at a sweep of short runs, in one measurement.

The same design is played in this process and in processes of its own, in turn, each time
into a new store and with everything that a user waits for: the start of the processes, the
records, the tables. Imports of this process and compiled kernels are there before.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from statistics import median

from tavern_abm.sweeps.design import Design
from tavern_abm.sweeps.designs.making import design_of
from tavern_abm.sweeps.running.sessions import play_session, store_for

GOAL = 1.8
RUNS = 800
NIGHTS = 30
ROUNDS = 3


def design(runs: int) -> Design:
    """Runs of 30 nights at the Rusty Flagon; about 60 ms each on an idle machine."""
    return design_of(
        scenario="rusty-flagon",
        nights=NIGHTS,
        factors={"taverns.0.rake_bp": [0, 200, 500, 1000]},
        replications=runs // 4,
        name="speed",
    )


def seconds(made: Design, jobs: int) -> float:
    """How long a sweep takes."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        store = store_for(Path(folder, "store"), made)
        tally = play_session(made, store, jobs=jobs)
        taken = time.perf_counter() - began
    assert tally.done == len(made.points) * int(made.replications)  # type: ignore[arg-type]
    return taken


def main() -> None:
    """Measure, and print one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--runs", type=int, default=RUNS, help="runs of the sweep")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="times it is measured")
    given = parser.parse_args()
    made = design(given.runs)
    seconds(design(4), 1)  # kernels are loaded, or compiled
    pairs = [(seconds(made, 1), seconds(made, given.jobs)) for _ in range(given.rounds)]
    one, other = (median(column) for column in zip(*pairs, strict=True))
    ratio = median(a / b for a, b in pairs)
    print(
        f"{given.runs} runs: {one:.1f} s in one process ({1000 * one / given.runs:.0f} ms a run), "
        f"{other:.1f} s in {given.jobs}: {ratio:.2f} times faster "
        f"({', '.join(f'{a / b:.2f}' for a, b in pairs)}; goal with 2: {GOAL})"
    )


if __name__ == "__main__":
    main()
