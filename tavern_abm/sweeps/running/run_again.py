"""One run of a sweep, played once more and held against its record."""

from __future__ import annotations

import math
import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from ...versions import versions
from ..errors import SweepError
from ..outputs import Output
from ..runs import REPLICATIONS, Run, parts_of
from ..stores.manifest import source_digest
from ..stores.records import Record
from ..stores.rows import Reader
from ..stores.shards import Shard
from ..stores.store import Store
from ..stores.streams import schema_of
from .working import first_line

if TYPE_CHECKING:
    from ...model import TavernModel
    from ..design import Design


class Kept(NamedTuple):
    """What a store has of a run.

    Attributes
    ----------
    record : Record
        How it ended.
    outcomes : dict of str to float
        What it gave, if it is done.
    """

    record: Record
    outcomes: Mapping[str, float]


class PlayedAgain(NamedTuple):
    """What came of playing a run of a sweep again.

    Attributes
    ----------
    run : Run
        Which.
    kept : Kept or None
        What the store has of it; None if it was not played.
    output : Output or None
        What it gives now; None if it failed.
    error : BaseException or None
        What went wrong.
    model : TavernModel or None
        As it stands after its last night, if a scenario was played.
    """

    run: Run
    kept: Kept | None
    output: Output | None
    error: BaseException | None = None
    model: TavernModel | None = None

    @property
    def differing(self) -> tuple[str, ...]:
        """Outcomes that are others than the store has, and "digest" if that is another."""
        if self.output is None or self.kept is None or self.kept.record.status != "done":
            return ()
        then, now = self.kept.outcomes, self.output.outcomes
        names = [name for name in then if not _is_same(then[name], now.get(name, math.nan))]
        return (*names, *(["digest"] if self.kept.record.digest != self.output.digest else []))

    @property
    def is_same(self) -> bool:
        """Whether it was played, and came to the same; a failure never does."""
        is_done = self.kept is not None and self.kept.record.status == "done"
        return is_done and self.output is not None and not self.differing


def play_again(store: Store, run_id: int) -> PlayedAgain:
    """Play one run of a sweep again.

    What the run itself raises is in the answer.

    Raises
    ------
    SweepError
        If the sweep has no such run, or its design cannot be played here.
    """
    design = store.design
    run = _run_of(store, design, run_id)
    kept = kept_of(store, run_id)
    output, model = None, None
    try:
        output, model = _play(design, run)
    except (Exception, SystemExit) as error:
        return PlayedAgain(run, kept, None, error)
    return PlayedAgain(run, kept, output, None, model)


def kept_of(store: Store, run_id: int) -> Kept | None:
    """What a store has of a run; None if nothing."""
    index = store.index()
    at = int(np.searchsorted(index.run_ids, run_id))
    if at == len(index) or index.run_ids[at] != run_id:
        return None
    with Reader(index) as reader:
        number = int(index.file[at])
        record = reader.record(number, int(index.start[at]), int(index.size[at]))
        content = reader.content(index.files[number], "outcomes", record)
    if content is None:
        return Kept(record, {})
    row = _row(content, store.manifest.outputs)
    return Kept(record, {name: _number(row[name]) for name in store.manifest.outputs})


def other_programs(store: Store) -> str:
    """In what the program here is not the one that played a sweep; empty if it is the same."""
    if source_digest() == store.manifest.source:
        return ""
    then, now = store.manifest.versions.get("tavern_abm"), versions()["tavern_abm"]
    if then != now:
        return f"played by tavern-abm {then}, and this is {now}: it may come to something else"
    return f"tavern-abm {now} has been changed since it was played: it may come to something else"


def told(found: PlayedAgain) -> Iterator[str]:
    """What came of it, in lines."""
    run, kept = found.run, found.kept
    yield f"run {run.run_id}: point {run.scenario_id}, replication {run.replication_id}"
    yield f"seed {run.seed}"
    yield from (f"{path} = {value}" for path, value in run.settings.items())
    if found.output is not None:
        yield ""
        yield from _outcomes(found)
        yield ""
    yield _verdict(found, kept)


def _verdict(found: PlayedAgain, kept: Kept | None) -> str:
    if found.output is None:
        line = first_line(found.error) if found.error else ""
        if kept is None or kept.record.status == "done":
            was = "it was not played in the sweep" if kept is None else "it was done in the sweep"
            return f"it fails ({line}); {was}"
        same = kept.record.error == line
        return "it fails again" + ("" if same else f", in another way: {line}")
    digest = found.output.digest
    if kept is None:
        return f"the sweep has not played it yet: {digest}"
    if kept.record.status == "failed":
        return f"it failed in the sweep ({kept.record.error}) and is done now: {digest}"
    if found.is_same:
        return f"the same: {digest}"
    return f"not the same: {kept.record.digest} in the sweep, {digest} now"


def _outcomes(found: PlayedAgain) -> Iterator[str]:
    """A line an outcome, with what the sweep has beside it."""
    assert found.output is not None
    then = {} if found.kept is None else found.kept.outcomes
    width = max(map(len, found.output.outcomes), default=0)
    for name, value in found.output.outcomes.items():
        beside = "" if name not in then else f"  {_beside(then[name], value)}"
        yield f"{name:<{width}}  {value:>16.10g}{beside}"


def _beside(then: float, now: float) -> str:
    return "as in the sweep" if _is_same(then, now) else f"{then!r} in the sweep"


def _is_same(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))


def _row(content: bytes, outputs: Sequence[str]) -> dict[str, Any]:
    batch = pa.ipc.read_record_batch(pa.py_buffer(content), schema_of("outcomes", outputs))
    row: dict[str, Any] = batch.to_pylist()[0]
    return row


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _run_of(store: Store, design: Design, run_id: int) -> Run:
    """The run of a number, made sure to be one of the sweep."""
    scenario_id, replication_id = parts_of(run_id)
    n_points = len(design.points)
    most = _replications(design)
    if run_id < 0 or scenario_id >= n_points or replication_id >= most:
        first, last = "0", f"{(n_points - 1) * REPLICATIONS + most - 1}"
        text = (
            f"there is no run {run_id}: a run's number is its point (0 to {n_points - 1}) times "
            f"{REPLICATIONS:,} and its replication (0 to {most - 1}), from {first} to {last}"
        )
        raise SweepError(text, store.path)
    _verify_shard(store, design, run_id)
    return design.run(scenario_id, replication_id)


def _verify_shard(store: Store, design: Design, run_id: int) -> None:
    """See that a run is one of those that are played in this folder."""
    if store.manifest.shard is None:
        return
    shard, (scenario_id, replication_id) = Shard(*store.manifest.shard), parts_of(run_id)
    if isinstance(design.replications, int):
        is_here = shard.has(scenario_id, replication_id, len(design.points))
    else:
        is_here = shard.has_point(scenario_id)
    if not is_here:
        text = f"run {run_id} is of another shard than {shard}, which is here; name that one's"
        raise SweepError(f"{text} folder, or the one that `tavern merge` made", store.path)


def _replications(design: Design) -> int:
    n = design.replications
    return n if isinstance(n, int) else n.at_most


def _play(design: Design, run: Run) -> tuple[Output, TavernModel | None]:
    """What a run gives, and its model where there is one."""
    from ..measuring.configuration import RunConfiguration

    configuration = design.configuration
    if not isinstance(configuration, RunConfiguration):
        return configuration(run), None
    if type(configuration).__call__ is not RunConfiguration.__call__:  # a class of one's own
        return configuration(run), None
    return configuration.play(run)


def traceback_of(error: BaseException) -> str:
    """Where a run failed, without the frames of what played it."""
    trace, here = error.__traceback__, Path(__file__).name
    while trace is not None and Path(trace.tb_frame.f_code.co_filename).name == here:
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace or error.__traceback__))
