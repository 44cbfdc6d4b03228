"""How fast an evening is, beside a plain Mesa model of the same, on one thread.

Both models play the same evening with the same people, in one process, batch by
batch in turn, and their processor time is taken, so that whatever else the
machine does hits both or neither. Compilation is not timed. Medians are shown;
for start-up it is the best of some wall times.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from bare_games import GAMES, Bare
from plain_mesa import PlainTavern

from tavern_abm import Scenario, TavernModel

# Patrons: how much faster we want to be; nights in a batch of the plain model and of ours; batches.
SIZES = {100: (15, 20, 200, 9), 1_000: (40, 4, 60, 9), 10_000: (50, 1, 12, 5)}
WARM_UP_NIGHTS = 6  # memories fill up within a few nights, and cost time from then on
SOCIETY_PATRONS, SOCIETY_NIGHTS, SOCIETY_BATCHES = 10_000, 6, 7
SOCIETY_GOAL = 2.0  # a night with everything on costs less than so many nights without
EVERYTHING = {
    "minds.learning": "reinforcement",
    "population.gamblers": dict.fromkeys(
        ("plain", "careful", "bold", "loss-chaser", "streak-superstitious", "sharper", "drunk"), 1.0
    ),
    "taverns.0.own_dice": True,
}
"""What the default scenario leaves off of the society around the tables."""
BATCH_SECONDS = 0.3
KERNEL_BATCHES = 5
STARTS = 9
HELP_GOAL_MS = 150


def seconds(function: Callable[[], object], clock: Callable[[], float]) -> float:
    """How long a call takes by a clock."""
    start = clock()
    function()
    return clock() - start


def ms_per_night(model: Any, nights: int) -> float:
    """How long a night takes, over a batch of them."""
    return 1000 * seconds(lambda: model.run_for(nights), time.process_time) / nights


def compare(patrons: int) -> dict[str, Any]:
    """Time both models with this many patrons, in turn."""
    goal, plain_nights, our_nights, batches = SIZES[patrons]
    plain = PlainTavern(patrons, rng=1)
    ours = TavernModel("plain-dice", rng=1, patrons=patrons)
    plain.run_for(WARM_UP_NIGHTS)
    ours.run_for(WARM_UP_NIGHTS)
    times = [
        (ms_per_night(plain, plain_nights), ms_per_night(ours, our_nights)) for _ in range(batches)
    ]
    plain_ms, our_ms = (median(column) for column in zip(*times, strict=True))
    return {
        "patrons": patrons,
        "plain_ms": plain_ms,
        "ours_ms": our_ms,
        "ratio": median(a / b for a, b in times),
        "goal": goal,
        "ours_ms_per_1000": 1000 * our_ms / patrons,
        "plain_rounds": sum(night["rounds"] for night in plain.nights) / len(plain.nights),
        "ours_rounds": float(ours.nights["rounds"].mean()),
    }


def cost_of_society() -> dict[str, Any]:
    """What a night with talk, loans, flight and all costs, beside one of dice and suspicion."""
    alone = TavernModel("plain-dice", rng=1, patrons=SOCIETY_PATRONS)
    whole = TavernModel(Scenario(patrons=SOCIETY_PATRONS), rng=1, **EVERYTHING)
    for model in (alone, whole):
        model.run_for(2 * WARM_UP_NIGHTS)
    times = [
        (ms_per_night(alone, SOCIETY_NIGHTS), ms_per_night(whole, SOCIETY_NIGHTS))
        for _ in range(SOCIETY_BATCHES)
    ]
    alone_ms, whole_ms = (median(column) for column in zip(*times, strict=True))
    return {
        "patrons": SOCIETY_PATRONS,
        "suspicion_alone_ms": alone_ms,
        "everything_ms": whole_ms,
        "ratio": median(b / a for a, b in times),
        "goal": SOCIETY_GOAL,
        "bytes_per_patron": whole.bytes_per_patron(),
    }


def rounds_per_second() -> dict[str, dict[str, Any]]:
    """How fast the bare rules of each game are, on one thread."""
    found = {}
    for game, (bare, *_) in GAMES.items():
        bare.play(1)
        n = n_rounds_for(bare)
        times = [seconds(partial(bare.play, n), time.process_time) for _ in range(KERNEL_BATCHES)]
        found[game] = {"what": bare.what, "rounds_per_second": n / median(times)}
    return found


def n_rounds_for(bare: Bare) -> int:
    """So many rounds that a batch takes about `BATCH_SECONDS`."""
    n = 10_000
    while (spent := seconds(partial(bare.play, n), time.process_time)) < BATCH_SECONDS / 10:
        n *= 4
    return max(1, round(n * BATCH_SECONDS / spent))


def start_up() -> dict[str, float]:
    """Wall time of ``tavern --help`` and of a Python that does nothing, in ms."""
    script = Path(sys.executable).with_name("tavern")
    module = [sys.executable, "-c", "from tavern_abm.cli import main; main()"]
    tavern = [str(script)] if script.exists() else module
    commands = {
        "tavern_help_ms": [*tavern, "--help"],
        "bare_python_ms": [sys.executable, "-c", "pass"],
    }
    best = dict.fromkeys(commands, float("inf"))
    for _ in range(STARTS):
        for name, command in commands.items():
            run = partial(subprocess.run, command, check=True, stdout=subprocess.DEVNULL)
            best[name] = min(best[name], 1000 * seconds(run, time.perf_counter))
    return best


def show_sizes(sizes: list[dict[str, Any]]) -> None:
    print("A night of 24 rounds on one thread: processor time, medians of alternating batches.\n")
    print(
        f"{'patrons':>8} {'plain Mesa':>12} {'tavern_abm':>12} {'faster':>8} {'goal':>6}"
        f" {'ms per 1,000':>13} {'table rounds a night':>22}"
    )
    for row in sizes:
        rounds = f"{row['plain_rounds']:,.0f} / {row['ours_rounds']:,.0f}"
        print(
            f"{row['patrons']:>8,} {row['plain_ms']:>9,.2f} ms {row['ours_ms']:>9,.3f} ms"
            f" {row['ratio']:>7.1f}x {row['goal']:>5}x {row['ours_ms_per_1000']:>10.2f} ms"
            f" {rounds:>22}"
        )


def show_society(row: dict[str, Any]) -> None:
    print(
        f"\nA night of {row['patrons']:,} patrons: {row['suspicion_alone_ms']:.1f} ms of dice and"
        f" suspicion alone, {row['everything_ms']:.1f} ms with everything on:"
        f" {row['ratio']:.2f} times (goal: below {row['goal']:g})."
    )
    for name, n_bytes in row["bytes_per_patron"].items():
        print(f"{name:<16} {n_bytes:>8,.0f} bytes a patron")


def show_games(games: dict[str, dict[str, Any]]) -> None:
    print("\nThe bare rules of each game, compiled, on one thread:\n")
    for game, row in games.items():
        per_second = row["rounds_per_second"]
        print(f"{game:<16} {per_second / 1e6:>7.2f} million a second   {row['what']}")


def show_start(start: dict[str, float]) -> None:
    print(
        f"\ntavern --help      {start['tavern_help_ms']:.0f} ms (goal: under {HELP_GOAL_MS}),"
        f" of which a bare Python is {start['bare_python_ms']:.0f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    as_json = parser.parse_args().json
    sizes = [compare(patrons) for patrons in SIZES]
    society, games, start = cost_of_society(), rounds_per_second(), start_up()
    if as_json:
        print(
            json.dumps(
                {"nights": sizes, "society": society, "games": games, "start_up": start}, indent=2
            )
        )
    else:
        show_sizes(sizes)
        show_society(society)
        show_games(games)
        show_start(start)


if __name__ == "__main__":
    main()
