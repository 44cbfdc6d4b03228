"""A sweep made up without a model: for tests of whatever summarizes or shows one.

The laws behind the outcomes are known, so that tests can ask for them:

- ``cheating_rate = 0.02 + 0.4 share of cheats`` (times 0.6 under the custom ``orc``) + luck
- ``unjust_beatings``: counts, Poisson with mean ``2 + 20 share of cheats``, times 3 under ``orc``
- ``gini = 0.35 + 0.0002 rake_bp`` + luck
- ``conviction_ppv`` is not defined (NaN) in every seventh replication

The luck of a replication is shared by all points, the rest of it is a run's own.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tavern_abm.sweeps.design import Design, Factor
from tavern_abm.sweeps.designs.points import Grid, Listed
from tavern_abm.sweeps.measuring.configuration import RunConfiguration
from tavern_abm.sweeps.outputs import Output
from tavern_abm.sweeps.runs import run_id_of
from tavern_abm.sweeps.stores import merging
from tavern_abm.sweeps.stores.frames import Frames
from tavern_abm.sweeps.stores.parts import part_of
from tavern_abm.sweeps.stores.store import Store

CUSTOM, CHEATS, RAKE = "taverns.0.custom", "population.share_of_cheats", "taverns.0.rake_bp"
OUTPUTS = ("cheating_rate", "unjust_beatings", "gini", "conviction_ppv")
LEVELS: dict[str, tuple[Any, ...]] = {
    CUSTOM: ("lax", "decent", "guild", "orc"),
    CHEATS: (0.05, 0.1, 0.2, 0.3),
    RAKE: (0, 200, 500, 1000),
}
BOUNDS = {CHEATS: (0.05, 0.3), RAKE: (0.0, 1000.0), "minds.tau": (0.1, 0.5)}
SHARED_SD, OWN_SD = 0.01, 0.005
"""Of the luck in `cheating_rate`: what the points of a replication share, and what not."""


def fake_design(kind: str = "grid", n_points: int = 200, **changes: Any) -> Design:
    """A design of a kind.

    ``grid`` (4 x 4 x 4), ``pair`` (4 x 4), ``one`` (a factor of 4 levels), ``alone`` (a point
    that sets nothing), ``latin-hypercube`` (`n_points` of three factors), ``saltelli`` (a base
    of 64 of them), ``morris`` (20 trajectories).
    """
    made = {
        "grid": lambda: _grid(CUSTOM, CHEATS, RAKE),
        "pair": lambda: _grid(CUSTOM, CHEATS),
        "one": lambda: _grid(CHEATS),
        "alone": lambda: {"points": Grid(()), "method": "points"},
        "latin-hypercube": lambda: _sampled(n_points),
        "saltelli": lambda: _by_salib("saltelli"),
        "morris": lambda: _by_salib("morris"),
    }[kind]()
    about = "Does a custom that beats cheats make people honest, and at whose cost?"
    given: dict[str, Any] = {
        "name": f"fake-{kind}",
        "about": about,
        "configuration": RunConfiguration(
            "rusty-flagon", until=30, warm_up=5, outputs=OUTPUTS, series=("staked_cp",)
        ),
        "replications": 20,
    }
    return Design(**(given | made | changes))


def _grid(*paths: str) -> dict[str, Any]:
    factors = tuple(Factor((p,), p, levels=tuple((v,) for v in LEVELS[p])) for p in paths)
    return {"points": Grid(factors), "factors": factors, "method": "grid"}


def _sampled(n_points: int) -> dict[str, Any]:
    rng = np.random.default_rng(7)
    unit = np.column_stack([rng.permutation(n_points) + rng.random(n_points) for _ in BOUNDS])
    return _of_samples(_stretched(unit / n_points)) | {"method": "latin-hypercube"}


def _by_salib(kind: str) -> dict[str, Any]:
    """A sample of SALib's: a test that wants one skips where the library is missing."""
    problem: dict[str, Any] = {"num_vars": 3, "names": list(BOUNDS), "bounds": [*BOUNDS.values()]}
    if kind == "saltelli":
        from SALib.sample import sobol

        samples = sobol.sample(problem, 64, calc_second_order=True, seed=1)
        more: dict[str, Any] = {"calc_second_order": True}
    else:
        from SALib.sample import morris

        samples = morris.sample(problem, 20, num_levels=4, seed=1)
        more = {"num_levels": 4}
    return _of_samples(samples) | {"method": kind, "problem": problem | more}


def _stretched(unit: Any) -> Any:
    low, high = np.array([*BOUNDS.values()]).T
    return low + unit * (high - low)


def _of_samples(samples: Any) -> dict[str, Any]:
    factors = tuple(Factor((p,), p, low=low, high=high) for p, (low, high) in BOUNDS.items())
    columns = dict(zip(BOUNDS, np.asarray(samples).T, strict=True))
    return {"points": Listed(columns), "factors": factors}


def fake_frames(
    design: Design, replications: int | None = None, failed: Sequence[int] = ()
) -> Frames:
    """The tables that the design would give; every run of the points `failed` has failed."""
    n = replications or int(design.replications)  # type: ignore[arg-type]
    runs = _runs(design, n)
    is_failed = runs["scenario_id"].isin(failed)
    runs["status"] = np.where(is_failed, "failed", "done")
    runs["nights"] = np.where(is_failed, 0, 30)
    runs["error"] = np.where(is_failed, "ZeroDivisionError: float division by zero", None)
    runs.loc[is_failed, "digest"] = None
    keys = runs[["run_id", "scenario_id", "replication_id"]]
    done = ~is_failed
    outcomes = _outcomes(runs, n)[list(design.configuration.outputs)]
    outcomes = pd.concat([keys, outcomes], axis=1)[done].reset_index(drop=True)
    failures = runs.loc[is_failed, [*keys.columns, "seed", "error"]].reset_index(drop=True)
    failures["traceback"] = "Traceback (most recent call last): ..."
    failures["command"] = [f"tavern rerun STORE --run {each}" for each in failures["run_id"]]
    return Frames(runs, outcomes, _series(keys[done]), failures)


def _runs(design: Design, n: int) -> pd.DataFrame:
    points = design.points.frame()
    runs = points.loc[points.index.repeat(n)].reset_index(drop=True)
    runs.insert(1, "replication_id", np.tile(np.arange(n), len(points)))
    ids = [run_id_of(*map(int, row)) for row in runs.iloc[:, :2].to_numpy()]
    runs.insert(0, "run_id", ids)
    runs.insert(
        3, "seed", [design.run(*map(int, row)).seed for row in runs.iloc[:, 1:3].to_numpy()]
    )
    for place, name in enumerate(("status", "nights", "digest", "error"), start=4):
        runs.insert(place, name, [f"{each:064x}" for each in ids])
    return runs


def _outcomes(runs: pd.DataFrame, n: int) -> pd.DataFrame:
    rng = np.random.default_rng(11)
    shared = rng.normal(size=n)[runs["replication_id"]]
    own = rng.normal(size=len(runs))
    cheats, rake = _column(runs, CHEATS, 0.1), _column(runs, RAKE, 0)
    is_orc = runs[CUSTOM] == "orc" if CUSTOM in runs else pd.Series(data=False, index=runs.index)
    luck = SHARED_SD * shared + OWN_SD * own
    return pd.DataFrame(
        {
            "cheating_rate": (0.02 + 0.4 * cheats) * np.where(is_orc, 0.6, 1) + luck,
            "unjust_beatings": rng.poisson((2 + 20 * cheats) * np.where(is_orc, 3, 1)).astype(
                float
            ),
            "gini": 0.35 + 0.0002 * rake + luck,
            "conviction_ppv": np.where(runs["replication_id"] % 7 == 6, np.nan, 0.5 + 0.1 * own),
        }
    )


def _column(runs: Mapping[str, Any], path: str, default: float) -> Any:
    return runs[path].to_numpy(float) if path in runs else default


def _series(keys: pd.DataFrame) -> pd.DataFrame:
    """Ten nights of each run, which settle down after the first few."""
    nights = np.arange(1, 11)
    rows = keys.loc[keys.index.repeat(len(nights))].reset_index(drop=True)
    rows["time"] = np.tile(nights, len(keys))
    rows["staked_cp"] = 1000 * (1 - np.exp(-rows["time"].to_numpy() / 3))
    return rows


def write_fake_store(folder: Path, design: Design, frames: Frames) -> Path:
    """A store in which the frames were played and merged."""
    store = Store.create(folder, design)
    rows = {row["run_id"]: row for row in frames.outcomes.to_dict("records")}
    nights = dict(iter(frames.series.groupby("run_id"))) if len(frames.series) else {}
    with store.locked():
        part = part_of(store.path, design.configuration)
        for row in frames.runs.to_dict("records"):
            run = design.run(row["scenario_id"], row["replication_id"])
            if row["status"] == "failed":
                part.failed(run, row["error"], "Traceback (most recent call last): ...", 0.07)
                continue
            outcomes = {name: rows[run.run_id][name] for name in design.configuration.outputs}
            table = nights[run.run_id]
            series = {name: table[name].to_numpy() for name in design.configuration.series}
            part.done(run, Output(outcomes, series, table["time"].to_numpy(), row["digest"]), 0.07)
        store.mark("finished")
    merging.merge([store.path])
    return store.path
