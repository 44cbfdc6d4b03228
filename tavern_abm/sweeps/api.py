"""`sweep`: an experiment from Python, and its tables as DataFrames."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .design import Design
from .errors import SweepError
from .running.executors import reached
from .running.progress import Progress, Silent, progress_for
from .running.runner import Tally
from .running.sessions import play_session, store_for
from .stores.frames import Frames, read
from .stores.shards import Shard

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class SweepResult:
    """What a sweep gave.

    Attributes
    ----------
    design : Design
        What was played.
    frames : Frames
        The tables.
    tally : Tally
        What this session played, and what it found already played.
    store : Path or None
        The folder it is kept in; None if it was kept in memory only.
    """

    design: Design
    frames: Frames
    tally: Tally
    store: Path | None = None

    @property
    def runs(self) -> pd.DataFrame:
        """A row a run: keys, seed, status, digest, and what the point sets."""
        return self.frames.runs

    @property
    def outcomes(self) -> pd.DataFrame:
        """A row a run that is done, a column an output."""
        return self.frames.outcomes

    @property
    def series(self) -> pd.DataFrame:
        """A row a run and night, a column a series."""
        return self.frames.series

    @property
    def failures(self) -> pd.DataFrame:
        """A row a run that failed, with its traceback."""
        return self.frames.failures

    def joined(self) -> pd.DataFrame:
        """Runs with their outcomes beside them."""
        return self.frames.joined()

    def to_batch_frame(self, *, nightly: bool = False) -> pd.DataFrame:
        """The runs with the names of the columns that Mesa's ``batch_run`` gave."""
        return self.frames.to_batch_frame(nightly=nightly)

    def summary(self, **how: Any) -> pd.DataFrame:
        """Estimates with intervals: see `summaries.summarize` for what can be asked."""
        from .estimating.summaries import summarize

        return summarize(self.frames, **how)

    def differences(self, against: int | Mapping[str, Any], **how: Any) -> pd.DataFrame:
        """What points have more than another: see `pairs.differences` for what can be asked."""
        from .estimating.pairs import differences

        return differences(self.frames, against, **how)

    def sensitivity(self, **how: Any) -> pd.DataFrame:
        """Which factor moves which output: see `sensitivity.indices` for what can be asked."""
        from .sensitivities.sensitivity import indices

        return indices(self.design, self.frames, **how)


def sweep(
    design: Design | str | Path | Mapping[str, Any],
    *,
    executor: Any = None,
    store: str | Path | None = None,
    jobs: int = 1,
    resume: bool = False,
    retry_failed: bool = False,
    shard: str | tuple[int, int] | None = None,
    progress: bool | Progress = True,
) -> SweepResult:
    """Play a design.

    Parameters
    ----------
    design : Design, str, Path or mapping
        A design, a design file, the name of a ready design, or what a design file would say.
    executor : Executor, distributed.Client or cluster of Dask, optional
        Who plays: any executor of `concurrent.futures`, a Dask client, a cluster
        (``dask_jobqueue.SLURMCluster()`` ...), or the address of a scheduler. It is not shut
        down.
    store : str or Path, optional
        The folder to keep it in. Without one the tables are kept in memory, and nothing is
        left of an interrupted sweep.
    jobs : int, default 1
        Processes, where no executor is given. In a script, call it then under
        ``if __name__ == "__main__":``.
    resume : bool, default False
        Go on with the store that is there. If none is, one is begun.
    retry_failed : bool, default False
        Play runs again that failed in an earlier session.
    shard : str or (int, int), optional
        Only a part of the runs: ``"3/8"``.
    progress : bool or Progress, default True
        A bar on stderr where that is a terminal.

    Returns
    -------
    SweepResult
        With `runs`, `outcomes`, `series`, `failures` and `summary`. Runs that failed are rows.

    Raises
    ------
    SweepError
        If the design cannot be used, the store is another's, or nobody can play.
    KeyboardInterrupt
        If it is interrupted; what was played is in the store.

    Examples
    --------
    >>> design = {
    ...     "scenario": "plain-dice",
    ...     "nights": 2,
    ...     "replicates": 3,
    ...     "set": {"patrons": 20},
    ...     "factors": [{"path": "taverns.0.rake_bp", "values": [0, 500]}],
    ...     "outputs": ["rounds", "gini"],
    ... }
    >>> result = sweep(design, progress=False)
    >>> result.runs["status"].tolist()
    ['done', 'done', 'done', 'done', 'done', 'done']
    >>> result.outcomes.columns.tolist()
    ['run_id', 'scenario_id', 'replication_id', 'rounds', 'gini']
    """
    made = _made(design)
    part = _shard(shard)
    how = {
        "executor": executor,
        "jobs": _verified_jobs(jobs),
        "retry_failed": retry_failed,
        "progress": _progress(progress),
    }
    if store is not None:
        source = _file_of(design)
        return _play(made, Path(store), resume, part, source, how)
    if resume:
        raise SweepError("there is nothing to resume without a store")
    with tempfile.TemporaryDirectory(prefix="sweep-") as folder:
        found = _play(made, Path(folder, "sweep"), False, part, None, how)
    return SweepResult(found.design, found.frames, found.tally)


def _play(
    design: Design,
    folder: Path,
    resume: bool,
    shard: Shard | None,
    source: Path | None,
    how: dict[str, Any],
) -> SweepResult:
    with reached(how["executor"]) as workers:
        store = store_for(folder, design, resume=resume, shard=shard, source=source)
        tally = play_session(design, store, **{**how, "executor": workers})
    if tally.is_interrupted:
        raise KeyboardInterrupt
    return SweepResult(design, read(folder), tally, folder)


def _made(design: Design | str | Path | Mapping[str, Any]) -> Design:
    if isinstance(design, Design):
        return design
    if isinstance(design, Mapping):
        from .designs.making import design_from

        return design_from(design)
    from .designs.reading import load_design

    return load_design(design)


def _file_of(design: Any) -> Path | None:
    """The file that a design was read from."""
    if not isinstance(design, str | Path):
        return None
    from .designs.reading import find_design

    return find_design(design)


def _shard(shard: str | tuple[int, int] | None) -> Shard | None:
    if shard is None:
        return None
    return Shard.from_text(shard if isinstance(shard, str) else "{}/{}".format(*shard))


def _verified_jobs(jobs: int) -> int:
    if jobs < 1:
        raise SweepError(f"jobs must be at least 1 (got {jobs})")
    return jobs


def _progress(progress: bool | Progress) -> Progress:
    if isinstance(progress, bool):
        return progress_for() if progress else Silent()
    return progress
