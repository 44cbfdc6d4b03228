"""A sweep whose runs take no time: for tests of what keeps them."""

import hashlib
import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tavern_abm.sweeps.design import Design
from tavern_abm.sweeps.designs.points import Listed
from tavern_abm.sweeps.outputs import Output
from tavern_abm.sweeps.runs import Run
from tavern_abm.sweeps.stores.parts import Part, part_of
from tavern_abm.sweeps.stores.records import RECORDS, record_of
from tavern_abm.sweeps.stores.store import Store
from tavern_abm.sweeps.stores.store_tables import SAME_BYTES

POINTS = {"patrons": [40, 40, 80], "taverns.0.custom": ["orc", "lax", "orc"]}
NIGHTS = 4
FAILS = 2_000_001
"""The run that fails in `play`, where that is asked for."""


@dataclass(frozen=True)
class Quick:
    """A configuration that makes its numbers of the run alone; ``b`` is not always defined."""

    outputs: tuple[str, ...] = ("a", "b")
    series: tuple[str, ...] = ("s",)
    until: int = NIGHTS

    def __call__(self, run: Run) -> Output:
        rng = np.random.default_rng([run.seed, run.scenario_id])
        values = {name: float(rng.random()) for name in self.outputs}
        if "b" in values and run.replication_id % 2:
            values["b"] = float("nan")
        nights = np.arange(1, self.until + 1)
        series = {name: rng.random(self.until) for name in self.series}
        return Output(values, series, nights, digest_of(run))

    def document(self) -> dict[str, Any]:
        return {
            "kind": "quick",
            "nights": self.until,
            "outputs": list(self.outputs),
            "series": list(self.series),
        }


def digest_of(run: Run) -> str:
    return hashlib.sha256(f"{run.seed} {sorted(run.settings.items())}".encode()).hexdigest()


def quick_design(**changes: Any) -> Design:
    """Three points, played four times each."""
    given = {
        "name": "quick",
        "about": "",
        "configuration": Quick(),
        "points": Listed(POINTS),
        "replications": 4,
        "method": "points",
    }
    return Design(**(given | changes))


def runs_of(design: Design) -> list[Run]:
    assert isinstance(design.replications, int)
    return list(design.runs(design.replications))


def keep(part: Part, run: Run, design: Design, *, fails: int | None = None) -> None:
    """Play a run and keep it."""
    if run.run_id == fails:
        part.failed(run, "ValueError: no\nsuch coin", "Traceback ...\nValueError: no", 0.01)
    else:
        part.done(run, design.configuration(run), 0.01)


def play(
    store: Store, design: Design, runs: Iterable[Run] | None = None, *, fails: int | None = None
) -> Store:
    """Play runs into a store, all of the design if none are named."""
    with store.locked():
        part = part_of(store.path, design.configuration)
        for run in runs_of(design) if runs is None else runs:
            keep(part, run, design, fails=fails)
    return store


def played(path: Path, design: Design | None = None, *, fails: int | None = None) -> Store:
    """A store in which a design was played in one go."""
    design = design or quick_design()
    return play(Store.create(path, design), design, fails=fails)


def played_in_pieces(
    path: Path, design: Design | None = None, *, seed: int, n: int = 3, fails: int | None = None
) -> Store:
    """The same, in another order and by several workers one after the other."""
    design = design or quick_design()
    store, runs = Store.create(path, design), runs_of(design)
    random.Random(seed).shuffle(runs)
    for first in range(n):
        play(store, design, runs[first::n], fails=fails)
    return store


def resume(store: Store, design: Design) -> list[int]:
    """Play what is missing; which runs that was."""
    with store.locked():
        finished = store.finished()
        missing = [run for run in runs_of(design) if run.run_id not in finished]
        part = part_of(store.path, design.configuration)
        for run in missing:
            keep(part, run, design)
    return [run.run_id for run in missing]


def content(folder: Path, *names: str) -> dict[str, bytes]:
    """Bytes of tables; without names of those that must be the same for any way of playing."""
    return {name: (folder / f"{name}.parquet").read_bytes() for name in names or SAME_BYTES}


def n_records(store: Store | Path) -> int:
    """Records of runs in all: more than there are runs, if one was played twice."""
    folder = store.path if isinstance(store, Store) else store
    files = folder.rglob(f"*{RECORDS}")
    return sum(b'"run_id"' in line for file in files for line in file.read_bytes().splitlines())


def record_files(store: Store) -> list[Path]:
    return sorted(store.parts.glob(f"*{RECORDS}"))


def played_counts(store: Store) -> dict[int, int]:
    """How often each run has a whole record."""
    counts: dict[int, int] = {}
    for file in record_files(store):
        for line in file.read_bytes().splitlines(keepends=True):
            record = record_of(line)
            if record is not None:
                counts[record.run_id] = counts.get(record.run_id, 0) + 1
    return counts
