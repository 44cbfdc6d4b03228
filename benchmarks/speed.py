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

import numpy as np
from plain_mesa import PlainTavern

from tavern_abm import Scenario, TavernModel, chance
from tavern_abm.chance import slot, throw
from tavern_abm.compiled import kernel
from tavern_abm.games import rotting_toes as rt

# Patrons: how much faster we want to be; nights in a batch of the plain model and of ours; batches.
SIZES = {100: (15, 20, 200, 9), 1_000: (40, 4, 60, 9), 10_000: (50, 1, 12, 5)}
WARM_UP_NIGHTS = 6  # memories fill up within a few nights, and cost time from then on
KERNEL_ROUNDS = 2_000_000
STARTS = 9
HELP_GOAL_MS = 150


@kernel
def play_rounds(
    key: int, n_rounds: int, dice: Any, bets: Any, stakes: Any, net: Any, purses: Any
) -> int:
    """Play rounds of Rotting Toes and nothing else; how many the Hand won."""
    n_won = 0
    for round_ in range(n_rounds):
        hand = round_ % len(bets)
        for seat in range(len(bets)):
            bets[seat] = rt.ROT if (seat + round_) % 3 else rt.NOT
        bets[hand] = rt.NOT
        toes = rt.deal(0)
        while rt.n_dice(toes) > 0:
            thrown = dice[: rt.n_dice(toes)]
            throw(key, chance.THROW, slot(round_, rt.MAX_DICE * toes.throws), 6, thrown)
            toes = rt.after_throw(toes, thrown)
        ended = rt.result(toes)
        rt.payout(ended, hand, bets, stakes, net)
        for seat in range(len(net)):
            purses[seat] += net[seat]
        n_won += ended == rt.WIN
    return n_won


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
    ours = TavernModel(Scenario(patrons=patrons), rng=1)
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


def rounds_per_second() -> dict[str, float]:
    """How fast the bare game is, and how often its Hand won (exactly: 397/972)."""
    seats = 6

    def play(n_rounds: int) -> int:
        per_seat = [np.zeros(seats, np.int64) for _ in range(3)]
        stakes = np.full(seats, 10, np.int64)
        bets, net, purses = per_seat
        dice = np.zeros(rt.MAX_DICE, np.int64)
        return play_rounds(chance.run_key(1), n_rounds, dice, bets, stakes, net, purses)

    play(1)
    times = [seconds(lambda: play(KERNEL_ROUNDS), time.process_time) for _ in range(5)]
    return {
        "rounds_per_second": KERNEL_ROUNDS / median(times),
        "hand_wins": play(KERNEL_ROUNDS) / KERNEL_ROUNDS,
    }


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


def show_rest(game: dict[str, float], start: dict[str, float]) -> None:
    print(
        f"\nbare game kernel   {game['rounds_per_second'] / 1e6:.1f} million rounds a second"
        f" (the Hand won {game['hand_wins']:.4f}; exactly {397 / 972:.4f})"
    )
    print(
        f"tavern --help      {start['tavern_help_ms']:.0f} ms (goal: under {HELP_GOAL_MS}),"
        f" of which a bare Python is {start['bare_python_ms']:.0f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    as_json = parser.parse_args().json
    sizes = [compare(patrons) for patrons in SIZES]
    game, start = rounds_per_second(), start_up()
    if as_json:
        print(json.dumps({"nights": sizes, "game": game, "start_up": start}, indent=2))
    else:
        show_sizes(sizes)
        show_rest(game, start)


if __name__ == "__main__":
    main()
