"""The tables of a sweep as DataFrames, up to date whenever they are read."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tavern_abm.sweeps.designs.points import Listed
from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.stores import locking, merging
from tavern_abm.sweeps.stores.frames import read
from tavern_abm.sweeps.stores.merging import merge
from tests.sweeps.quick_sweep import (
    FAILS,
    NIGHTS,
    POINTS,
    Quick,
    play,
    played,
    quick_design,
    runs_of,
)


def test_tables_are_made_if_they_are_not_there(tmp_path: Path) -> None:
    frames = read(played(tmp_path / "s", fails=FAILS).path)
    assert (len(frames.runs), len(frames.outcomes), len(frames.failures)) == (12, 11, 1)
    assert len(frames.series) == 11 * NIGHTS
    assert frames.paths == list(POINTS)
    assert frames.outputs == ["a", "b"]
    assert (tmp_path / "s" / "runs.parquet").is_file()


def test_tables_that_are_current_are_not_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = played(tmp_path / "s")
    merge([store.path])
    monkeypatch.setattr(merging, "merge", pytest.fail)
    assert len(read(store.path).runs) == 12


def test_what_came_in_since_is_there(tmp_path: Path) -> None:
    store = played(tmp_path / "s", quick_design(replications=2))
    assert len(read(store.path).runs) == 6
    more = quick_design(replications=3)
    play(store, more, runs_of(more)[6:])
    assert len(read(store.path).runs) == 9


def test_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = played(tmp_path / "s", fails=FAILS)

    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(locking, "merging", refused)
    frames = read(store.path)
    assert (len(frames.runs), len(frames.outcomes)) == (12, 11)
    assert not (store.path / "runs.parquet").exists()


def test_tables_whose_parts_are_gone_are_read_as_they_are(tmp_path: Path) -> None:
    store = played(tmp_path / "s", fails=FAILS)
    assert read(store.path).remark == ""
    for file in store.parts.iterdir():
        file.unlink()
    for _ in range(2):
        frames = read(store.path)
        assert (len(frames.runs), len(frames.outcomes)) == (12, 11)
        assert "its parts have lost 12 runs" in frames.remark


def test_series_may_be_left_out(tmp_path: Path) -> None:
    assert len(read(played(tmp_path / "s").path, series=False).series) == 0


def test_joined(tmp_path: Path) -> None:
    joined = read(played(tmp_path / "s", fails=FAILS).path).joined()
    assert len(joined) == 12
    failed = joined[joined["run_id"] == FAILS].iloc[0]
    assert failed["status"] == "failed"
    assert np.isnan(failed["a"])
    assert joined["a"].notna().sum() == 11
    assert joined.columns.tolist()[-4:] == [*POINTS, "a", "b"]


def test_an_outcome_with_the_name_of_a_factor(tmp_path: Path) -> None:
    design = quick_design(configuration=Quick(outputs=("patrons", "nights")))
    joined = read(played(tmp_path / "s", design).path).joined()
    assert joined["patrons"].tolist()[::4] == POINTS["patrons"]
    assert joined["nights"].tolist() == [NIGHTS] * 12
    assert {"patrons_outcome", "nights_outcome"} < set(joined.columns)


def test_names_of_mesa(tmp_path: Path) -> None:
    frames = read(played(tmp_path / "s", fails=FAILS).path)
    batch = frames.to_batch_frame()
    assert batch.columns.tolist() == ["RunId", "iteration", "Step", *POINTS, "a", "b"]
    assert len(batch) == 11
    assert batch["iteration"].tolist()[:4] == [0, 1, 2, 3]
    assert set(batch["Step"]) == {NIGHTS}
    nightly = frames.to_batch_frame(nightly=True)
    assert nightly.columns.tolist() == ["RunId", "iteration", "Step", *POINTS, "s"]
    assert nightly["Step"].tolist()[:5] == [1, 2, 3, 4, 1]
    pd.testing.assert_series_equal(nightly["s"], frames.series["s"])


def test_names_of_mesa_as_mesa_gives_them(tmp_path: Path) -> None:
    """Whoever used ``batch_run`` finds its columns, in its order."""
    from mesa import DataCollector, Model, batch_run

    class Toy(Model):  # type: ignore[misc]
        def __init__(self, patrons: int = 1, rng: int | None = None) -> None:
            super().__init__(rng=rng)
            self.datacollector = DataCollector({"a": lambda model: patrons})

        def step(self) -> None:
            self.datacollector.collect(self)

    rows = batch_run(Toy, {"patrons": [1]}, rng=[1], max_steps=2, display_progress=False)
    ours = quick_design(points=Listed({"patrons": [1]}), configuration=Quick(outputs=("a",)))
    frame = read(played(tmp_path / "s", ours).path).to_batch_frame()
    theirs = [name for name in rows[0] if name != "rng"]
    assert frame.columns.tolist() == theirs


@pytest.mark.parametrize("content", [b"", b"PAR1", b"no table"])
def test_a_damaged_table(tmp_path: Path, content: bytes) -> None:
    store = played(tmp_path / "s")
    merge([store.path])
    (store.path / "outcomes.parquet").write_bytes(content)
    with pytest.raises(SweepError, match=r"outcomes\.parquet: damaged or not a table"):
        read(store.path)


def test_what_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(SweepError, match="not a sweep"):
        read(tmp_path)
