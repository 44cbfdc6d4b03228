"""Tables of a sweep: the same bytes however its runs were played, and no run left out unseen."""

import hashlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from tavern_abm.sweeps.design import Design
from tavern_abm.sweeps.designs.points import Listed
from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.runs import parts_of
from tavern_abm.sweeps.stores import merging, store_tables, table_files
from tavern_abm.sweeps.stores.manifest import FILE
from tavern_abm.sweeps.stores.merging import is_current, merge, merged_of
from tavern_abm.sweeps.stores.parts import part_of
from tavern_abm.sweeps.stores.shards import Shard
from tavern_abm.sweeps.stores.store import Store
from tavern_abm.sweeps.stores.store_tables import TABLES
from tests.sweeps.quick_sweep import (
    FAILS,
    NIGHTS,
    POINTS,
    Quick,
    content,
    play,
    played,
    played_in_pieces,
    quick_design,
    record_files,
    resume,
    runs_of,
)

ROOT = Path(__file__).parents[2]


def table(folder: Path, name: str) -> pd.DataFrame:
    return pd.read_parquet(folder / f"{name}.parquet")


def shards(folder: Path, design: Design, count: int, *, fails: int | None = None) -> list[Path]:
    """The shards of a design, each in a store of its own."""
    paths = []
    for number in range(1, count + 1):
        path = folder / f"quick-shard-{number}-of-{count}"
        store = Store.create(path, design, shard=(number, count))
        has = Shard(number, count).has
        n = len(design.points)
        mine = [run for run in runs_of(design) if has(run.scenario_id, run.replication_id, n)]
        play(store, design, mine, fails=fails)
        paths.append(path)
    return paths


def rewritten(store: Store, **changes: Any) -> None:
    """A store whose first record was changed, with the same rows."""
    (file,) = record_files(store)
    lines = file.read_bytes().splitlines(keepends=True)
    record = json.loads(lines[1]) | changes
    lines[1] = json.dumps(record).encode() + b"\n"
    file.write_bytes(b"".join(lines))


# ------------------------------------------------------------------- what the tables say


def test_runs(tmp_path: Path) -> None:
    store = played(tmp_path / "s", fails=FAILS)
    assert merge([store.path]) == store.path
    runs = table(store.path, "runs")
    design = quick_design()
    assert runs["run_id"].tolist() == sorted(run.run_id for run in runs_of(design))
    for row in runs.to_dict("records"):
        run = design.run(*parts_of(row["run_id"]))
        assert (row["scenario_id"], row["replication_id"]) == parts_of(row["run_id"])
        assert row["seed"] == run.seed
        assert {path: row[path] for path in POINTS} == run.settings
        assert row["nights"] == NIGHTS
        if row["run_id"] == FAILS:
            assert (row["status"], row["error"]) == ("failed", "ValueError: no")
            assert pd.isna(row["digest"])
        else:
            assert (row["status"], row["digest"]) == ("done", design.configuration(run).digest)
            assert pd.isna(row["error"])


def test_outcomes_and_series_are_those_of_runs_that_are_done(tmp_path: Path) -> None:
    store = played(tmp_path / "s", fails=FAILS)
    merge([store.path])
    design = quick_design()
    outcomes, series = table(store.path, "outcomes"), table(store.path, "series")
    assert len(outcomes) == 11
    assert len(series) == 11 * NIGHTS
    for row in outcomes.to_dict("records"):
        output = design.configuration(design.run(row["scenario_id"], row["replication_id"]))
        expected = {name: output.outcomes[name] for name in ("a", "b")}
        assert np.array_equal([row["a"], row["b"]], [*expected.values()], equal_nan=True)
        mine = series[series["run_id"] == row["run_id"]]
        assert mine["s"].tolist() == output.series["s"].tolist()
        assert mine["time"].tolist() == [1, 2, 3, 4]


def test_what_is_not_defined_is_null(tmp_path: Path) -> None:
    """Every reader takes it for that; NaN would spoil the means of some."""
    store = played(tmp_path / "s")
    merge([store.path])
    column = pq.read_table(store.path / "outcomes.parquet")["b"]
    assert column.null_count == 6
    assert not any(value != value for value in column.drop_null().to_pylist())


def test_failures_say_how_to_play_them_again(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    merge([played(Path("my sweep"), fails=FAILS).path])
    (row,) = table(Path("my sweep"), "failures").to_dict("records")
    assert row["run_id"] == FAILS
    assert row["error"] == "ValueError: no\nsuch coin"
    assert row["traceback"] == "Traceback ...\nValueError: no"
    assert row["command"] == f"tavern rerun 'my sweep' --run {FAILS}"
    assert row["seed"] == quick_design().run(*parts_of(FAILS)).seed


def test_timings(tmp_path: Path) -> None:
    store = played(tmp_path / "s")
    merge([store.path])
    timings = table(store.path, "timings")
    assert timings["seconds"].tolist() == [0.01] * 12
    assert timings["pid"].unique().tolist() == [os.getpid()]
    assert (pd.Timestamp.now("UTC") - timings["started"]).max() < pd.Timedelta(minutes=5)


def test_types_of_what_is_varied(tmp_path: Path) -> None:
    columns = {
        "whole": [1, 2],
        "number": [1, 2.5],
        "yes": [True, False],
        "text": ["a", "b"],
        "mixed": ["auto", 3],
        "nested": [[1], {"a": 2}],
        "partly": [None, 4],
        "nothing": [None, None],
    }
    design = quick_design(points=Listed(columns), replications=1)
    merge([played(tmp_path / "s", design).path])
    schema = pq.read_schema(tmp_path / "s" / "runs.parquet")
    types = [str(schema.field(name).type) for name in columns]
    numbers = ["int64", "double", "bool"]
    assert types == [*numbers, "string", "string", "string", "double", "string"]
    found = table(tmp_path / "s", "runs")
    assert found["mixed"].tolist() == ['"auto"', "3"]
    assert found["nested"].tolist() == ["[1]", '{"a": 2}']


def test_a_point_that_sets_nothing(tmp_path: Path) -> None:
    design = quick_design(points=Listed({}, n=1))
    merge([played(tmp_path / "s", design).path])
    assert table(tmp_path / "s", "runs").columns.tolist()[-1] == "error"
    assert len(table(tmp_path / "s", "runs")) == 4


def test_a_sweep_without_series(tmp_path: Path) -> None:
    design = quick_design(configuration=Quick(series=()))
    merge([played(tmp_path / "s", design).path])
    assert table(tmp_path / "s", "series").columns.tolist()[-1] == "time"
    assert len(table(tmp_path / "s", "series")) == 0


def test_addresses_are_left_out_of_the_table_of_runs(tmp_path: Path) -> None:
    """They differ from process to process, and the table must not."""
    design = quick_design(replications=1)
    for name, address in (("one", "0x7f3a52"), ("two", "0x55aa00c0")):
        store = Store.create(tmp_path / name, design)
        with store.locked():
            for run in runs_of(design):
                text = f"TypeError: <object at {address}> is no coin"
                part_of(store.path, Quick()).failed(run, text, f"at {address}", 0.0)
        merge([store.path])
    assert content(tmp_path / "one") == content(tmp_path / "two")
    assert "0x55aa00c0" in table(tmp_path / "two", "failures")["error"][0]


# ------------------------------------------------------------------- the same bytes


@pytest.mark.parametrize("seed", range(4))
def test_any_order_and_any_number_of_workers(tmp_path: Path, seed: int) -> None:
    merge([played(tmp_path / "one", fails=FAILS).path])
    pieces = played_in_pieces(tmp_path / "many", seed=seed, n=2 + seed, fails=FAILS)
    assert len(record_files(pieces)) == 2 + seed
    merge([pieces.path])
    assert content(tmp_path / "one") == content(tmp_path / "many")


@pytest.mark.parametrize("count", [1, 2, 5])
def test_shards(tmp_path: Path, count: int) -> None:
    design = quick_design()
    paths = shards(tmp_path, design, count, fails=FAILS)
    random.Random(count).shuffle(paths)
    place = merge(paths, tmp_path / "all")
    merge([played(tmp_path / "one", fails=FAILS).path])
    assert content(place) == content(tmp_path / "one")
    assert Store.open(place).tally() == (11, 1, 12)
    assert Store.open(place).manifest.status == "finished"


def test_what_was_merged_goes_on(tmp_path: Path) -> None:
    """It is a store like any other: it can be resumed, merged again, and given more runs."""
    design = quick_design()
    paths = shards(tmp_path, design, 3)
    place = merge(paths[:2], tmp_path / "all")
    store = Store.open(place)
    assert (store.tally(), store.manifest.status) == ((8, 0, 12), "stopped")
    assert store.manifest.merged_from == tuple(path.name for path in paths[:2])
    assert is_current(store)
    assert len(resume(store, design)) == 4
    assert not is_current(store)
    merge([place])
    merge([played(tmp_path / "one").path])
    assert content(place) == content(tmp_path / "one")
    assert content(merge([place, paths[0]], tmp_path / "twice")) == content(place)


def test_merging_again_changes_nothing(tmp_path: Path) -> None:
    store = played_in_pieces(tmp_path / "s", seed=1, fails=FAILS)
    merge([store.path])
    before = content(store.path, *TABLES)
    merge([store.path, store.path])
    assert content(store.path, *TABLES) == before


def test_long_series_are_cut_at_the_same_rows(tmp_path: Path) -> None:
    """Whatever comes at a time: a run of 70,000 nights is more than a group."""
    design = quick_design(configuration=Quick(until=70_000), replications=1)
    merge([played(tmp_path / "s", design).path])
    metadata = pq.read_metadata(tmp_path / "s" / "series.parquet")
    sizes = [metadata.row_group(k).num_rows for k in range(metadata.num_row_groups)]
    n = table_files.ROWS_OF_A_GROUP
    assert sizes == [n, n, n, 210_000 - 3 * n]


def test_of_runs_that_gave_much_fewer_are_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tavern_abm.sweeps.stores import rows

    store = played(tmp_path / "s")
    (first, *_) = rows.handfuls(store.index(), store.manifest)
    assert len(first.records) == 12
    monkeypatch.setattr(rows, "HANDFUL_BYTES", 1)
    found = [len(each.records) for each in rows.handfuls(store.index(), store.manifest)]
    assert found == 12 * [1]


def test_groups_of_rows_are_cut_at_the_same_rows_however_many_come_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tavern_abm.sweeps.stores import rows

    monkeypatch.setattr(table_files, "ROWS_OF_A_GROUP", 100)
    monkeypatch.setattr(rows, "HANDFUL", 16)
    design = quick_design(replications=60)
    merge([played(tmp_path / "one", design).path])
    monkeypatch.setattr(rows, "HANDFUL_BYTES", 9000)
    merge([played_in_pieces(tmp_path / "many", design, seed=7, n=4).path])
    assert content(tmp_path / "one") == content(tmp_path / "many")
    metadata = pq.read_metadata(tmp_path / "one" / "series.parquet")
    assert metadata.num_rows == 180 * NIGHTS
    sizes = [metadata.row_group(k).num_rows for k in range(metadata.num_row_groups)]
    assert sizes == [*7 * [100], 20]
    assert table(tmp_path / "one", "series")["run_id"].is_monotonic_increasing


MERGES = """
import sys
from pathlib import Path
from tavern_abm.sweeps.stores.merging import merge
from tests.sweeps.quick_sweep import played
merge([played(Path(sys.argv[1]), fails=2_000_001).path])
"""


def test_any_hash_seed(tmp_path: Path) -> None:
    for seed in ("1", "2"):
        subprocess.run(
            [sys.executable, "-c", MERGES, str(tmp_path / seed)],
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed},
            check=True,
        )
    assert content(tmp_path / "1") == content(tmp_path / "2")


# ------------------------------------------------------------------- what is missing


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "s", quick_design())
    play(store, quick_design(), runs_of(quick_design())[:7])
    told: list[str] = []
    merge([store.path], tell=told.append)
    text = "7 of 12 runs; 5 are missing; tavern sweep --resume plays them"
    assert told == [f"{store.path}: {text}"]
    assert len(table(store.path, "runs")) == 7


def test_nothing_was_played_yet(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "s", quick_design())
    merge([store.path])
    assert [len(table(store.path, name)) for name in TABLES] == [0] * 5
    assert table(store.path, "outcomes").columns.tolist()[-2:] == ["a", "b"]


def test_a_torn_record_is_said(tmp_path: Path) -> None:
    store = played(tmp_path / "s")
    (file,) = record_files(store)
    file.write_bytes(file.read_bytes()[:-5] + b"\n")
    told: list[str] = []
    merge([store.path], tell=told.append)
    assert "1 record is torn, as a process that is killed leaves them" in told[1]
    assert len(table(store.path, "runs")) == 11


def test_shards_that_are_missing_are_said(tmp_path: Path) -> None:
    paths = shards(tmp_path, quick_design(), 5)
    told: list[str] = []
    merge([paths[0], paths[3]], tmp_path / "all", tell=told.append)
    assert told[0] == f"{tmp_path / 'all'}: not among the stores: shard 2, 3, 5"


def test_progress_is_told(tmp_path: Path) -> None:
    seen: list[int] = []
    merge([played(tmp_path / "s").path], progress=seen.append)
    assert sum(seen) == 12


def test_shards_that_have_no_runs_are_not_missing(tmp_path: Path) -> None:
    paths = [path for path in shards(tmp_path, quick_design(), 40) if Store.open(path).finished()]
    assert len(paths) < 40
    merged = merged_of(paths, tmp_path / "all")
    assert (merged.absent, merged.is_complete) == ((), True)


# ------------------------------------------------------------------- the digest of the results


def test_one_digest_stands_for_all_results(tmp_path: Path) -> None:
    design = quick_design()
    one = merged_of([played(tmp_path / "one", fails=FAILS).path])
    digests = [(run.run_id, design.configuration(run).digest) for run in runs_of(design)]
    lines = [f"{run_id} {digest}\n" for run_id, digest in sorted(digests) if run_id != FAILS]
    assert one.results == hashlib.sha256("".join(lines).encode()).hexdigest()
    assert merging.results_of(one.place) == one.results
    many = merged_of(shards(tmp_path, design, 3, fails=FAILS), tmp_path / "many")
    assert many.results == one.results
    assert merging.results_of(many.place) == one.results
    assert merged_of([played(tmp_path / "whole").path]).results != one.results


# ------------------------------------------------------------------- what is refused


@pytest.mark.parametrize("ending", [".records.jsonl", ".outcomes.arrows"])
def test_tables_are_not_replaced_by_ones_with_fewer_runs(tmp_path: Path, ending: str) -> None:
    store = played(tmp_path / "s", fails=FAILS)
    merge([store.path])
    before = content(store.path, *TABLES)
    (file,) = store.parts.glob(f"*{ending}")
    file.rename(tmp_path / file.name)
    n = 12 if ending == ".records.jsonl" else 11
    with pytest.raises(merging.LostError, match=rf"s: its parts have lost {n} runs that its tab"):
        merge([store.path])
    assert content(store.path, *TABLES) == before
    (tmp_path / file.name).rename(file)
    merge([store.path])
    file.unlink()
    assert len(resume(store, quick_design())) == n
    merge([store.path])
    assert Store.open(store.path).tally().missing == 0


def test_a_run_that_was_done_is_not_replaced_by_one_that_failed(tmp_path: Path) -> None:
    store = played(tmp_path / "s")
    merge([store.path])
    for file in store.parts.iterdir():
        file.unlink()
    play(store, quick_design(), fails=FAILS)
    with pytest.raises(merging.LostError, match="lost 1 run that"):
        merge([store.path])


def test_a_folder_in_the_place_of_a_table(tmp_path: Path) -> None:
    store = played(tmp_path / "s")
    (store.path / "series.parquet").mkdir()
    with pytest.raises(SweepError, match=r"s/series\.parquet: a folder stands where this table"):
        merge([store.path])
    assert not (store.path / "runs.parquet").exists()


def test_halves_of_characters_in_a_failure_are_written_out(tmp_path: Path) -> None:
    """A program may say anything; no table can hold such a text."""
    design = quick_design(replications=1)
    store = Store.create(tmp_path / "s", design)
    with store.locked():
        for run in runs_of(design):
            part_of(store.path, Quick()).failed(run, "no \ud800", "at \udcff", 0.0)
    rewritten(store, error="no \ud801")
    merge([store.path])
    failures = table(store.path, "failures")
    assert failures["error"].tolist() == ["no \\ud801", "no \\ud800", "no \\ud800"]
    assert failures["traceback"].tolist() == ["at \\udcff"] * 3
    assert table(store.path, "runs")["error"].tolist() == failures["error"].tolist()


def test_a_run_played_twice_counts_once(tmp_path: Path) -> None:
    store = played(tmp_path / "s")
    play(store, quick_design(), runs_of(quick_design())[:5])
    merge([store.path])
    merge([played(tmp_path / "one").path])
    assert content(store.path) == content(tmp_path / "one")


def test_a_run_that_gave_two_digests_is_not_reproducible(tmp_path: Path) -> None:
    store = played(tmp_path / "s", quick_design(replications=1))
    rewritten(store, digest="0" * 64)
    play(store, quick_design(replications=1))
    with pytest.raises(SweepError, match=r"run 0 is not reproducible.* digests \(0{12} and "):
        merge([store.path])
    assert not (store.path / "runs.parquet").exists()


def test_a_run_that_gave_two_numbers_is_not_reproducible(tmp_path: Path) -> None:
    """As an output of one's own that draws from a clock: the digest knows nothing of it."""
    design = quick_design(replications=1)
    store = played(tmp_path / "s", design)
    run = runs_of(design)[1]
    output = design.configuration(run)
    with store.locked():
        part_of(store.path, Quick()).done(run, output._replace(outcomes={"a": 0, "b": 0}), 0.0)
    with pytest.raises(
        SweepError, match=r"run 1000000 is not reproducible.* two different outcomes"
    ):
        merge([store.path])


@pytest.mark.parametrize("ending", [".outcomes.arrows", ".series.arrows", ".tracebacks"])
def test_rows_that_were_changed_are_noticed(tmp_path: Path, ending: str) -> None:
    store = played(tmp_path / "s", fails=FAILS)
    (file,) = store.parts.glob(f"*{ending}")
    whole = bytearray(file.read_bytes())
    whole[-9] ^= 1
    file.write_bytes(whole)
    with pytest.raises(SweepError, match=rf"{file.name}: damaged: what run \d+ gave"):
        merge([store.path])


def test_a_record_of_a_point_that_there_is_not(tmp_path: Path) -> None:
    store = played(tmp_path / "s")
    rewritten(store, run_id=9_000_000)
    (part,) = record_files(store)
    text = rf"^{part}: damaged: it tells of run 9000000, and the design has no point 9; move the"
    for out in (None, tmp_path / "copy"):
        with pytest.raises(SweepError, match=text):
            merge([store.path], out)


def test_stores_of_two_designs(tmp_path: Path) -> None:
    one = played(tmp_path / "one").path
    other = played(tmp_path / "two", quick_design(seed=2)).path
    with pytest.raises(
        SweepError, match=rf"two: .*another design than {one} \(seed: 1 in {one}, 2"
    ):
        merge([one, other], tmp_path / "all")
    assert not (tmp_path / "all").exists()


def test_stores_of_two_versions(tmp_path: Path) -> None:
    one, other = played(tmp_path / "one").path, played(tmp_path / "two").path
    text = (other / FILE).read_text()
    source = json.loads(text)["source"]
    (other / FILE).write_text(text.replace(source, "f" * 64))
    with pytest.raises(SweepError, match=r"another tavern-abm than .*ffffffffffff.* would mix"):
        merge([one, other], tmp_path / "all")


def test_a_place_that_is_taken(tmp_path: Path) -> None:
    one, other = played(tmp_path / "one").path, played(tmp_path / "two").path
    with pytest.raises(SweepError, match="two: something is there already; name another --out"):
        merge([one, other], other)
    assert not (other / "runs.parquet").exists()


def test_there_must_be_something_to_merge() -> None:
    with pytest.raises(SweepError, match="name a store"):
        merge([])


def test_several_stores_go_by_default_under_their_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert merge(shards(tmp_path, quick_design(), 2)) == Path("sweeps", "quick")


def test_one_store_may_be_merged_elsewhere(tmp_path: Path) -> None:
    store = played(tmp_path / "s")
    place = merge([store.path], tmp_path / "copy")
    assert not (store.path / "runs.parquet").exists()
    merge([store.path])
    assert content(place) == content(store.path)


@pytest.mark.parametrize("is_shards", [False, True])
def test_if_it_fails_what_was_there_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_shards: bool
) -> None:
    store = played(tmp_path / "s")
    merge([store.path])
    before = content(store.path, *TABLES)
    names = sorted(path.name for path in tmp_path.rglob("*"))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store_tables.TableFile, "add", full)
    with pytest.raises(OSError, match="No space"):
        merge([store.path], tmp_path / "out" if is_shards else None)
    assert content(store.path, *TABLES) == before
    assert sorted(path.name for path in tmp_path.rglob("*")) == names


def test_what_a_merge_that_was_killed_left_is_cleared_away(tmp_path: Path) -> None:
    store = played(tmp_path / "s")
    (store.path / ".merging-killed").mkdir()
    (store.path / ".merging-killed" / "runs.parquet").touch()
    merge([store.path])
    assert not list(store.path.glob(".merging-*"))


def test_tables_killed_between_two_moves_are_not_taken_for_current(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = played(tmp_path / "s", quick_design(replications=2))
    merge([store.path])
    play(store, quick_design(replications=3), runs_of(quick_design(replications=3))[-3:])
    monkeypatch.setattr(merging, "_write_mark", _killed)
    with pytest.raises(KeyboardInterrupt):
        merge([store.path])
    assert not is_current(store)


def _killed(*_: object) -> None:
    raise KeyboardInterrupt


# ------------------------------------------------------------------- memory, and other readers


MEASURES = """
import resource, sys
from pathlib import Path
import pandas
from tavern_abm.sweeps.stores.merging import merge
merge([Path(sys.argv[1])])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted in other units elsewhere")
def test_memory_does_not_grow_with_the_runs(tmp_path: Path) -> None:
    peaks = []
    for n in (1000, 7000):
        design = quick_design(replications=n, configuration=Quick(series=tuple("stuvw"), until=30))
        store = played(tmp_path / str(n), design)
        measured = subprocess.run(
            [sys.executable, "-c", MEASURES, str(store.path)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
        peaks.append(int(measured.stdout))
    assert peaks[1] - peaks[0] < 25  # MB; the rows of the longer one are 35 MB


def test_duckdb_reads_it(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    store = played(tmp_path / "s")
    merge([store.path])
    query = f"""
        select "taverns.0.custom" as custom, avg(a), count(b)
        from '{store.path}/runs.parquet' join '{store.path}/outcomes.parquet' using (run_id)
        group by custom order by custom
    """
    runs, outcomes = table(store.path, "runs"), table(store.path, "outcomes")
    expected = outcomes.groupby(runs["taverns.0.custom"]).agg({"a": "mean", "b": "count"})
    rows = duckdb.sql(query).fetchall()
    assert [row[0] for row in rows] == expected.index.tolist()
    assert [row[1] for row in rows] == pytest.approx(expected["a"].tolist(), rel=1e-12)
    assert [row[2] for row in rows] == expected["b"].tolist()
