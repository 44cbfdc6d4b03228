"""What the page of a sweep is made from: its tables by outcome and by factor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..plots.by_outcome import Outcome
from ..sweeps.design import Design
from ..sweeps.errors import SweepError
from ..sweeps.estimating.cells import Cells, cells_of
from ..sweeps.estimating.estimates import CONFIDENCE, Estimate, mean_t
from ..sweeps.estimating.groups import outputs_of
from ..sweeps.estimating.summaries import whole_rows
from ..sweeps.estimating.varied import Varied, titles_of, varied_of
from ..sweeps.sensitivities.effects import by_level, by_point, filled, swings
from ..sweeps.sensitivities.idle import idle
from ..sweeps.sensitivities.luck import is_luck_alone
from ..sweeps.sensitivities.sensitivity import indices, method_of
from ..sweeps.sensitivities.shares import is_full_grid
from ..sweeps.stores.frames import Frames
from ..sweeps.stores.manifest import Manifest
from .nightly import batches, nightly_means

MOST_OUTCOMES = 20
"""Outcomes that the page shows: of more, the first ones."""
MOST_FACTORS = 9
"""Factors that have a panel: of more, those that move the outcomes most."""
SPREAD = (0.05, 0.95)
"""Between these quantiles lie nine runs in ten."""
MOST_MAPS = 4
"""Pairs of factors that have a map."""
POSSIBLE = {"0 to 1": (0.0, 1.0), "count": (0.0, np.inf), "per 100": (0.0, np.inf)}
"""What an outcome can be, by its unit."""


@dataclass(frozen=True, eq=False)
class SweepData:
    """A sweep to be shown.

    Attributes
    ----------
    design : Design
        What was to be played.
    frames : Frames
        What was played.
    manifest : Manifest or None
        What its folder says of itself; None where it has none.
    nights : DataFrame or None
        As of `nightly_means`; None where the nightly columns are among the frames.
    seconds : float or None
        Computing time of all its runs together.
    place : str
        Where it lies, for the commands on the page.
    confidence : float
        Of all intervals.
    chosen : tuple of str or None
        The outcomes that are to be shown; None for all.
    """

    design: Design
    frames: Frames
    manifest: Manifest | None = None
    nights: pd.DataFrame | None = None
    seconds: float | None = None
    place: str = "STORE"
    confidence: float = CONFIDENCE
    chosen: tuple[str, ...] | None = None

    # ---------------------------------------------------------------- what was played

    @property
    def n_points(self) -> int:
        """Design points."""
        return len(self.design.points)

    @cached_property
    def n_done(self) -> int:
        """Runs that were finished."""
        return int((self.frames.runs["status"] == "done").sum())

    @cached_property
    def n_failed(self) -> int:
        """Runs that failed."""
        return len(self.frames.runs) - self.n_done

    @property
    def missing(self) -> int:
        """Runs that have not been played yet."""
        planned = None if self.manifest is None else self.manifest.planned
        return 0 if planned is None else max(0, planned - len(self.frames.runs))

    @cached_property
    def replications(self) -> tuple[int, int]:
        """Runs of a point that were done: of the one with the fewest, and of that with most."""
        counts = np.zeros(self.n_points, dtype=np.int64)
        done = self.frames.runs.loc[self.frames.runs["status"] == "done", "scenario_id"]
        np.add.at(counts, done.to_numpy(np.int64), 1)
        return (int(counts.min()), int(counts.max())) if len(counts) else (0, 0)

    @cached_property
    def scenario(self) -> str | None:
        """Name of the scenario that was played; None if it was a function."""
        scenario = getattr(self.design.configuration, "scenario", None)
        return None if scenario is None else str(scenario.name)

    # ---------------------------------------------------------------- outcomes

    @property
    def wanted(self) -> tuple[str, ...]:
        """Names of the outcomes that are to be shown."""
        return tuple(self.design.configuration.outputs) if self.chosen is None else self.chosen

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """Names of the outcomes that are shown: those that any run has a value of."""
        known = self.frames.outcomes
        there = [
            name
            for name in self.wanted
            if name in known and np.isfinite(known[name].to_numpy(np.float64)).any()
        ]
        return tuple(there[:MOST_OUTCOMES])

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """The same for people."""
        return [outcome_of(name, self.design) for name in self.outputs]

    @cached_property
    def _cells(self) -> dict[str, tuple[Cells, int]]:
        made = {}
        for name in self.outputs:
            cells = cells_of(self.frames.outcomes, name, self.n_points, self.design.luck)
            made[name] = (cells, *filled(self.factors, cells))
        return {name: (whole, n) for name, (_, whole, n) in made.items()}

    @cached_property
    def _idle(self) -> dict[str, list[str]]:
        made = {}
        for name in self.outputs:
            cells = cells_of(self.frames.outcomes, name, self.n_points, self.design.luck)
            if np.ptp(cells.values[np.isfinite(cells.values)]) > 0:
                made[name] = [self.titles[each.label] for each in idle(self.factors, cells)]
        return made

    def idle(self, output: str) -> list[str]:
        """Titles of the factors at all of whose levels every run gave the same outcome."""
        return self._idle.get(output, [])

    @property
    def idle_at_all(self) -> list[str]:
        """Titles of the factors that do nothing to any outcome."""
        of_all = [set(each) for each in self._idle.values()]
        return [each for each in self.titles.values() if of_all and all(each in s for s in of_all)]

    def cells(self, output: str) -> Cells:
        """Points by replications; a few points of a grid that lack are filled in."""
        return self._cells[output][0]

    @property
    def n_filled(self) -> int:
        """Points of the grid that were filled in, at most, of an outcome."""
        return max((n for _, n in self._cells.values()), default=0)

    # ---------------------------------------------------------------- factors

    @cached_property
    def factors(self) -> list[Varied]:
        """What varies."""
        return varied_of(self.design)

    @cached_property
    def is_grid(self) -> bool:
        """Whether every level meets every level of the others."""
        return is_full_grid(self.factors)

    @cached_property
    def titles(self) -> dict[str, str]:
        """Short names of the factors, by label."""
        labels = [each.label for each in self.factors]
        return dict(zip(labels, titles_of(self.factors), strict=True))

    @cached_property
    def shown(self) -> list[Varied]:
        """The factors that have a panel, in the order of the design."""
        if len(self.factors) <= MOST_FACTORS:
            return self.factors
        size = self.importance.max(axis=0)
        first = set(np.argsort(-np.nan_to_num(size), kind="stable")[:MOST_FACTORS].tolist())
        return [each for number, each in enumerate(self.factors) if number in first]

    def effect(self, factor: Varied, output: str) -> pd.DataFrame:
        """Means of an outcome along a factor."""
        of = by_level if self.is_grid else by_point
        return self._possible(of(factor, self.cells(output), self.confidence), output)

    def _possible(self, table: pd.DataFrame, output: str) -> pd.DataFrame:
        """The same with intervals cut off at what the outcome can be."""
        least, most = POSSIBLE.get(told_of(output, self.design)[1], (-np.inf, np.inf))
        if np.nanmin(self.cells(output).values) < least:
            return table
        return table.assign(low=table["low"].clip(lower=least), high=table["high"].clip(upper=most))

    @cached_property
    def _swings(self) -> dict[str, pd.DataFrame]:
        found = {}
        for name in self.outputs:
            table = swings(self.factors, self.cells(name), self.confidence)
            rises = [
                row["way"] == "line" and float(row["low_level"]) < float(row["high_level"])
                for row in table.to_dict("records")
            ]
            found[name] = table.assign(title=table["factor"].map(self.titles), rises=rises)
        return found

    def swings(self, output: str) -> pd.DataFrame:
        """How far each factor moves an outcome, the most first."""
        return self._swings[output]

    # ---------------------------------------------------------------- sensitivity

    @property
    def method(self) -> str:
        """How sensitivity is reckoned."""
        return method_of(self.design, self.factors)

    @cached_property
    def _indices(self) -> tuple[pd.DataFrame, str]:
        frames = Frames(self.frames.runs, self._filled_outcomes)
        try:
            return indices(self.design, frames, self.outputs, self.confidence), ""
        except SweepError as error:
            return indices(self.design, frames, (), self.confidence), error.problem

    @property
    def _filled_outcomes(self) -> pd.DataFrame:
        """Outcomes with what was filled in, as rows."""
        if not self.n_filled:
            return self.frames.outcomes
        columns = {name: self.cells(name).values for name in self.outputs}
        shape = next(iter(columns.values())).shape
        ids = np.indices(shape).reshape(2, -1)
        keys = {"scenario_id": ids[0], "replication_id": ids[1]}
        return pd.DataFrame(keys | {name: each.ravel() for name, each in columns.items()})

    @property
    def indices(self) -> pd.DataFrame:
        """Indices of sensitivity, with ``title`` (the factor for people)."""
        table = self._indices[0]
        return table.assign(title=table["factor"].map(self.titles).fillna(""))

    def leading(self, output: str) -> dict[Any, Any] | None:
        """The index of the factor that moves an outcome most, of a sample for Sobol or Morris.

        None of other designs, and of an outcome that has no indices.
        """
        kind = {"sobol": "ST", "morris": "mu_star"}.get(self.method)
        table = self.indices
        mine = table[(table["output"] == output) & (table["kind"] == kind)]
        return None if mine.empty else mine.iloc[int(mine["value"].argmax())].to_dict()

    @property
    def trouble(self) -> str:
        """Why there are none, if so."""
        return self._indices[1]

    @cached_property
    def importance(self) -> Any:
        """How much each factor matters for each outcome, 0 to 1, shape (outcomes, factors).

        Total shares of the variance where there are any; of a Morris sample the mean effects
        beside the greatest; else squares of regression coefficients, or shares between levels.
        """
        table = self._indices[0]
        found = np.full((len(self.outputs), len(self.factors)), np.nan)
        place = {each.label: number for number, each in enumerate(self.factors)}
        row_of = {name: number for number, name in enumerate(self.outputs)}
        kinds = {"ST": 1, "mu_star": 1, "src": 2, "eta2": 1}
        p = table["value"]
        is_luck = is_luck_alone(p) | (p.isna() & (self.replications[1] > 1))
        lucky = set(table.loc[is_luck & (table["kind"] == "luck_p"), "output"])
        for row in table[table["kind"].isin(kinds)].to_dict("records"):
            if row["factor"] in place and row["output"] not in lucky:
                size = abs(row["value"]) ** kinds[row["kind"]]
                found[row_of[row["output"]], place[row["factor"]]] = size
        if self.method == "morris" and np.isfinite(found).any():
            most = np.nanmax(found, axis=1, keepdims=True, initial=0)
            found = found / np.where(most > 0, most, 1)
        return found

    @cached_property
    def pairs(self) -> list[tuple[Varied, Varied]]:
        """Pairs of factors that have a map: of those that matter most."""
        weights = np.nan_to_num(self.importance).clip(0).sum(axis=0)
        order = np.argsort(-weights, kind="stable").tolist()
        first = sorted(order[:3]) if len(order) > 2 else sorted(order)
        found = [(self.factors[j], self.factors[i])
                 for i, j in ((i, j) for i in first for j in first if i < j)]  # fmt: skip
        return found[:MOST_MAPS]

    @property
    def strongest(self) -> Varied | None:
        """The factor that matters most for all outcomes together; None without any."""
        if not self.factors:
            return None
        weights = np.nan_to_num(self.importance).clip(0).sum(axis=0)
        return self.factors[int(np.argmax(weights))]

    # ---------------------------------------------------------------- nights

    @property
    def series(self) -> tuple[str, ...]:
        """Names of the nightly columns that are shown."""
        return tuple(self.design.configuration.series[:MOST_OUTCOMES])

    @cached_property
    def by_night(self) -> pd.DataFrame:
        """Means of the nightly columns of each point."""
        if self.nights is not None:
            return self.nights
        known = self.frames.series
        return nightly_means([known] if len(known) else [], self.series)

    # ---------------------------------------------------------------- points

    @cached_property
    def _point_texts(self) -> list[str]:
        parts = [
            [f"{self.titles[each.label]} {each.name_of(value)}" for value in each.values]
            for each in self.factors
        ]
        return [", ".join(row) for row in zip(*parts, strict=True)] or ["the scenario as it is"]

    def point_text(self, scenario_id: int) -> str:
        """What a point sets, in words."""
        return self._point_texts[scenario_id] if self.factors else "the scenario as it is"

    def points(self, output: str) -> pd.DataFrame:
        """A row a point that has a value: ``mean``, ``low``, ``high``, quantiles, ``about``."""
        if output not in self._points:
            self._points[output] = self._made_points(output)
        return self._points[output]

    @cached_property
    def _points(self) -> dict[str, pd.DataFrame]:
        return {}

    def _made_points(self, output: str) -> pd.DataFrame:
        cells = cells_of(self.frames.outcomes, output, self.n_points, self.design.luck)
        half = cells.half_widths(self.confidence)
        spread = np.full((2, self.n_points), np.nan)
        for at, rows in whole_rows(cells.values):
            spread[:, at] = np.quantile(rows, SPREAD, axis=1)
        ids = np.flatnonzero(cells.n)
        table = pd.DataFrame(
            {
                "scenario_id": ids,
                "mean": cells.means[ids],
                "low": (cells.means - half)[ids],
                "high": (cells.means + half)[ids],
                "p05": spread[0, ids],
                "p95": spread[1, ids],
                "n": cells.n[ids],
                "about": [self.point_text(each) for each in ids.tolist()],
            }
        )
        return self._possible(table, output)

    def estimate(self, output: str, scenario_id: int) -> Estimate:
        """The mean of one point."""
        return mean_t(self.values(output, scenario_id), self.confidence)

    def values(self, output: str, scenario_id: int) -> Any:
        """What the runs of a point gave, in order of replications."""
        outcomes = self.frames.outcomes
        chosen = outcomes[outcomes["scenario_id"] == scenario_id]
        return chosen.sort_values("replication_id")[output].to_numpy(np.float64)


@cache
def _known(name: str) -> tuple[str, str, str]:
    """Title, unit and meaning of an outcome of ours; its name and nothing else of another."""
    from ..sweeps.measuring.quantities import wanted

    try:
        asked = wanted(name)
    except SweepError:
        return (name.replace("_", " "), "", "")
    way = f", {asked.how}" if ":" in name.partition("@")[0] else ""
    house = f" at {asked.house}" if asked.house else ""
    quantity = asked.quantity
    return (f"{quantity.title}{way}{house}", quantity.unit, quantity.meaning)


def outcome_of(name: str, design: Design) -> Outcome:
    """An outcome for people."""
    title, unit, _ = told_of(name, design)
    return Outcome(title, unit)


def told_of(name: str, design: Design) -> tuple[str, str, str]:
    """Title, unit and meaning of an outcome of a design."""
    is_ours = hasattr(design.configuration, "until")
    title, unit, meaning = _known(name) if is_ours else (name, "", "")
    return title, unit, meaning.replace("`", "")


def sweep_data(
    store: str | Path, confidence: float = CONFIDENCE, outputs: Sequence[str] = ()
) -> SweepData:
    """Read a store for its page: of these outputs, or of all.

    Raises
    ------
    SweepError
        If it is no sweep, or damaged, or has no such output.
    """
    from ..sweeps.stores import frames
    from ..sweeps.stores.store import Store

    found = Store.open(store)
    tables = frames.read(found.path, series=False)
    names = found.manifest.series
    nights = nightly_means(batches(found.path / "series.parquet"), names) if names else None
    return SweepData(
        found.design,
        tables,
        found.manifest,
        nights,
        _seconds(found.path),
        str(store),
        confidence,
        tuple(outputs_of(tables, outputs)) if outputs else None,
    )


def _seconds(folder: Path) -> float | None:
    from ..sweeps.stores.frames import table

    try:
        return float(table(folder, "timings", ["seconds"])["seconds"].sum())
    except SweepError:
        return None
