"""Simulated rounds of every game against the exact values: one table.

    python benchmarks/oracles.py

It ends with status 1 if an estimate is more than 4 standard errors off. The
loops run the rules and the keyed dice of the evenings; the exact values come
from enumeration or a solved Markov chain, which share only the rules.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator
from typing import Any

from bare_games import GAMES, Bare

MOST_Z = 4.0


def hold(bare: Bare, n_rounds: int, seed: int) -> Iterator[dict[str, Any]]:
    """A row for each quantity of a bare game."""
    counts = bare.play(n_rounds, seed)
    for quantity in bare.quantities:
        estimate, error = quantity.estimate(counts, n_rounds)
        exact = float(quantity.exact)
        off = estimate - exact
        z = off / error if error else (0.0 if off == 0 else math.copysign(math.inf, off))
        yield {
            "game": bare.game,
            "what": bare.what,
            "quantity": quantity.name,
            "exact": exact,
            "estimate": estimate,
            "standard_error": error,
            "z": z,
            "agrees": abs(z) <= MOST_Z,
        }


def show(rows: list[dict[str, Any]], n_rounds: int, seed: int) -> None:
    print(f"{n_rounds:,} rounds of each, seed {seed}; z is how many standard errors it is off.\n")
    print(
        f"{'game':<15} {'what':<28} {'quantity':<16} {'exact':>10} {'estimate':>10}"
        f" {'std error':>10} {'z':>6}"
    )
    for row in rows:
        print(
            f"{row['game']:<15} {row['what']:<28} {row['quantity']:<16} {row['exact']:>10.6f}"
            f" {row['estimate']:>10.6f} {row['standard_error']:>10.6f} {row['z']:>+6.2f}"
            f"  {'agrees' if row['agrees'] else 'IS OFF'}"
        )
    n_off = sum(not row["agrees"] for row in rows)
    verdict = "all agree" if n_off == 0 else f"{n_off} are off"
    print(f"\n{len(rows)} values, {verdict}; the largest z is {max(abs(r['z']) for r in rows):.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1_000_000, help="of each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    rows = [
        row
        for bares in GAMES.values()
        for bare in bares
        for row in hold(bare, options.rounds, options.seed)
    ]
    if options.json:
        print(json.dumps({"rounds": options.rounds, "values": rows}, indent=2))
    else:
        show(rows, options.rounds, options.seed)
    sys.exit(0 if all(row["agrees"] for row in rows) else 1)


if __name__ == "__main__":
    main()
