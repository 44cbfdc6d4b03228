"""Accusations, verdicts and sentences by custom, against the rates the model was planned with.

    python benchmarks/customs.py [--seeds 20] [--nights 60] [--json]

Each custom is run in the default inn of 120 patrons over the same seeds. All
figures are means a night, with their standard errors over the seeds.
"""

from __future__ import annotations

import argparse
import json
import statistics
from typing import Any

from tavern_abm import TavernModel

# Accusations a night, just and unjust, and killings, of a first simulation of the same
# model (20 seeds, two digits): within a factor 1.5 of these is right.
PLANNED = {
    "lax": {"accused just": 1.6, "accused unjust": 0.3},
    "decent": {"accused just": 1.0, "accused unjust": 0.3},
    "guild": {"accused just": 0.4, "accused unjust": 0.3},
    "dockside": {"accused just": 0.55, "accused unjust": 0.3},
    "orc": {"accused just": 0.15, "accused unjust": 0.35, "killed": 0.2},
}
FACTOR = 1.5
QUANTITIES = {
    "accused just": ("accusations_just",),
    "accused unjust": ("accusations_unjust",),
    "convicted just": ("convictions_just",),
    "convicted unjust": ("convictions_unjust",),
    "cleared": ("cleared",),
    "caught": ("tricks_convicted",),
    "warned": ("warned",),
    "thrown out": ("thrown_out",),
    "banned": ("banned",),
    "beaten": ("beaten_just", "beaten_unjust"),
    "beaten for luck": ("too_lucky",),
    "killed": ("killed_just", "killed_unjust"),
    "brawls": ("brawls",),
}


def rates(custom: str, seed: int, nights: int) -> dict[str, float]:
    """What one run gives, a night."""
    model = TavernModel("plain-dice", rng=seed, **{"taverns.0.custom": custom})
    model.run_for(nights)
    table = model.nights
    return {
        name: float(table[list(columns)].sum().sum()) / nights
        for name, columns in QUANTITIES.items()
    }


def summary(custom: str, seeds: int, nights: int) -> dict[str, dict[str, Any]]:
    """Mean and standard error of every quantity, and how it compares with the plan."""
    runs = [rates(custom, seed, nights) for seed in range(1, seeds + 1)]
    out = {}
    for name in QUANTITIES:
        values = [run[name] for run in runs]
        mean, sd = statistics.fmean(values), statistics.stdev(values)
        planned = PLANNED[custom].get(name)
        ratio = mean / planned if planned else None
        is_near = None if ratio is None else 1 / FACTOR <= ratio <= FACTOR
        out[name] = {
            "mean": mean,
            "se": sd / seeds**0.5,
            "planned": planned,
            "ratio": ratio,
            "within": is_near,
        }
    return out


def show(custom: str, table: dict[str, dict[str, Any]]) -> str:
    """The table of a custom, for people."""
    lines = [f"{custom:<18} {'a night':>9} {'se':>7} {'planned':>8} {'ratio':>6}"]
    for name, row in table.items():
        plan = f"{row['planned']:8.2f} {row['ratio']:6.2f}" if row["planned"] else ""
        verdict = {None: "", True: "  within", False: "  OUTSIDE"}[row["within"]]
        lines.append(f"  {name:<16} {row['mean']:9.3f} {row['se']:7.3f} {plan}{verdict}")
    return "\n".join(lines)


def main() -> None:
    """Run every custom and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--nights", type=int, default=60)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    tables = {custom: summary(custom, options.seeds, options.nights) for custom in PLANNED}
    if options.json:
        print(json.dumps(tables, indent=1))
        return
    for custom, table in tables.items():
        print(show(custom, table), end="\n\n")


if __name__ == "__main__":
    main()
