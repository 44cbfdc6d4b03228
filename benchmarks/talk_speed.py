"""What an evening's talk costs: milliseconds a night, spent in the thread itself.

    python benchmarks/talk_speed.py [--patrons 10000] [--nights 40]

One house, everything else as by default. The fastest of the last half of the
nights counts, since other programs only make one slower.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from tavern_abm import Scenario, TavernModel


def main() -> None:
    """Print the cost of talk beside that of the whole night, and what was said."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--patrons", type=int, default=10_000)
    parser.add_argument("--nights", type=int, default=40)
    args = parser.parse_args()
    model = TavernModel(Scenario(patrons=args.patrons), rng=1)
    talk, spent = model.company.talk, []

    def timed(*given: Any) -> None:
        start = time.process_time()
        talk(*given)
        spent.append(1000 * (time.process_time() - start))

    model.company.talk = timed  # type: ignore[method-assign]
    nights = []
    for _ in range(args.nights):
        start = time.process_time()
        model.run_for(1)
        nights.append(1000 * (time.process_time() - start))
    late = len(spent) // 2
    said = model.nights.iloc[-1]
    print(f"talk {min(spent[late:]):.1f} ms of a night of {min(nights[late:]):.1f} ms")
    print(f"{said.guests} guests, {said.hearsay} beliefs and {said.tellings} rumours told")


if __name__ == "__main__":
    main()
