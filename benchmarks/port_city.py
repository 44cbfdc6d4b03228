"""What a city costs: seconds, memory and the size of its run folder.

    python benchmarks/port_city.py [SCENARIO] [--nights 30] [--threads auto]

`tavern run` in a process of its own, once to compile what has to be, for a night,
and once more to be measured. Exits with 1 if it takes more than 90 s, 1.5 GB or, of
its run folder, 100 MB.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

SECONDS, GIGABYTES, FOLDER_MEGABYTES = 90.0, 1.5, 100.0
TAVERN = "from tavern_abm.cli import main; main()"


class Cost(NamedTuple):
    """What one run took."""

    seconds: float
    processor_seconds: float
    peak_gigabytes: float
    folder_megabytes: float

    @property
    def is_within_limits(self) -> bool:
        """Whether it is fast, small and short enough."""
        return (
            self.seconds <= SECONDS
            and self.peak_gigabytes <= GIGABYTES
            and self.folder_megabytes <= FOLDER_MEGABYTES
        )


def cost_of(scenario: str, nights: int, folder: Path, threads: str = "auto") -> Cost:
    """Play and write a run by the command, in a process of its own; what it took."""
    given = ["run", scenario, "--nights", str(nights), "--out", str(folder), "--threads", threads]
    begun = time.perf_counter()
    command = [sys.executable, "-c", TAVERN, *given, "--force", "--quiet"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"`tavern run` failed ({process.returncode})")
    return Cost(
        time.perf_counter() - begun,
        used.ru_utime + used.ru_stime,
        used.ru_maxrss * 1024 / 1e9,
        sum(file.stat().st_size for file in folder.iterdir()) / 1e6,
    )


def main() -> None:
    """Measure, print, and judge."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("scenario", nargs="?", default="port-city")
    parser.add_argument("--nights", type=int, default=30)
    parser.add_argument("--threads", default="auto")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "run")
        cost_of(args.scenario, 1, folder, args.threads)  # compiles
        cost = cost_of(args.scenario, args.nights, folder, args.threads)
        patrons = json.loads((folder / "run.json").read_text(encoding="utf-8"))["patrons"]
    print(
        f"{patrons:,} patrons, {args.nights} nights: {cost.seconds:.1f} s "
        f"({cost.processor_seconds:.1f} s of processors), {cost.peak_gigabytes:.2f} GB at most, "
        f"run folder {cost.folder_megabytes:.0f} MB"
    )
    sys.exit(0 if cost.is_within_limits else 1)


if __name__ == "__main__":
    main()
