"""Records of runs: a line is whole or it is none, whatever happened to the file."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavern_abm.sweeps.designs.points import Listed
from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.stores import records
from tavern_abm.sweeps.stores.parts import part_of
from tavern_abm.sweeps.stores.records import (
    Header,
    Record,
    Span,
    header_of,
    line_of,
    read_index,
    record_of,
)
from tavern_abm.sweeps.stores.store import Store
from tests.sweeps.quick_sweep import keep, play, played, quick_design, record_files, runs_of

RECORD = Record(
    *(3_000_017, 2**63 - 1, "failed", None, 0.07, "2026-01-01T00:00:00.000Z", "inn", 9),
    error="ValueError: 'ä\n'",
    traceback=Span(5, 70, 2**32 - 1),
)
TWO_RUNS = quick_design(replications=1, points=Listed({"patrons": [40, 80]}))
HEADER = Header("d", "s", "0.1", "inn", 9)


def test_a_record_comes_back_from_its_line() -> None:
    line = line_of(RECORD)
    assert record_of(line) == RECORD
    assert line.count(b"\n") == 1
    assert header_of(line_of(HEADER)) == HEADER


def test_neither_is_taken_for_the_other() -> None:
    assert record_of(line_of(HEADER)) is None
    assert header_of(line_of(RECORD)) is None


def test_no_beginning_of_a_line_is_a_record() -> None:
    line = line_of(RECORD)
    assert [k for k in range(len(line)) if record_of(line[:k]) is not None] == []


@pytest.mark.parametrize(
    "change",
    [
        {"run_id": "3"},
        {"run_id": -1},
        {"run_id": True},
        {"seed": 2**63},
        {"status": "odd"},
        {"seconds": "1"},
        {"started": None},
        {"pid": 1.5},
        {"outcomes": [1, 2]},
        {"outcomes": ["a", 2, 3]},
        {"more": 1},
    ],
    ids=str,
)
def test_what_is_not_as_we_write_it_is_none(change: dict[str, object]) -> None:
    fields = json.loads(line_of(RECORD)) | change
    assert record_of(json.dumps(fields).encode() + b"\n") is None


def test_records_that_are_torn_at_any_byte(tmp_path: Path) -> None:
    """Of a file that was cut off, the whole lines count; the rest was in flight."""
    store = played(tmp_path / "s", TWO_RUNS)
    (file,) = record_files(store)
    whole = file.read_bytes()
    ends = [at + 1 for at, byte in enumerate(whole) if byte == ord("\n")]
    for size in range(len(whole) + 1):
        file.write_bytes(whole[:size])
        index = store.index()
        n_lines = sum(end <= size for end in ends)
        assert len(index) == max(0, n_lines - 1)
        assert index.n_damaged == 0


def test_a_line_that_is_damaged_is_noticed(tmp_path: Path) -> None:
    store = played(tmp_path / "s", TWO_RUNS)
    (file,) = record_files(store)
    head, first, second = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(head + first[:-9] + b"\n" + second)
    index = store.index()
    assert (len(index), index.n_damaged) == (1, 1)


def test_a_run_that_ends_while_the_records_are_read_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How large the other files are is seen before its line is."""
    store, design = Store.create(tmp_path / "s", quick_design()), quick_design()
    first, second, *_ = runs_of(design)
    with store.locked():
        part = part_of(store.path, design.configuration)
        keep(part, first, design)
        sizes = records._sizes

        def slow(file: Path) -> dict[str, int]:
            found = sizes(file)
            monkeypatch.setattr(records, "_sizes", sizes)
            keep(part, second, design)
            return found

        monkeypatch.setattr(records, "_sizes", slow)
        index = store.index()
    assert (index.run_ids.tolist(), index.n_damaged) == ([first.run_id, second.run_id], 0)


@pytest.mark.parametrize("ending", [".outcomes.arrows", ".series.arrows"])
def test_rows_that_are_torn_at_any_byte(tmp_path: Path, ending: str) -> None:
    """A run whose rows are not all there is not done: it is played again."""
    store = played(tmp_path / "s", TWO_RUNS)
    (file,) = store.parts.glob(f"*{ending}")
    lines = record_files(store)[0].read_bytes().splitlines(keepends=True)
    found = [record for record in map(record_of, lines) if record is not None]
    spans = [record.outcomes if "outcomes" in ending else record.series for record in found]
    whole = file.read_bytes()
    for size in range(len(whole) + 1):
        file.write_bytes(whole[:size])
        expected = sum(span is not None and span.start + span.size <= size for span in spans)
        index = store.index()
        assert (len(index), index.n_damaged) == (expected, len(spans) - expected)


def test_no_damage_brings_a_store_down(tmp_path: Path) -> None:
    """Any bytes anywhere: what can be read is, and a header of another sweep is refused."""
    store = played(tmp_path / "s", quick_design(replications=1))
    (file,) = record_files(store)
    whole = file.read_bytes()

    @settings(max_examples=300)
    @given(st.integers(0, len(whole)), st.integers(0, 9), st.binary(max_size=9))
    def check(at: int, n: int, some: bytes) -> None:
        file.write_bytes(whole[:at] + some + whole[at + n :])
        try:
            assert len(store.finished()) <= 3
        except SweepError as error:
            assert "this part" in str(error)  # noqa: PT017

    check()


def test_done_outranks_failed_and_the_last_failure_counts(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "s", quick_design())
    runs = runs_of(quick_design())
    play(store, quick_design(), [runs[0]])
    for run in runs[:2]:
        for error in ("first", "second"):
            with store.locked():
                part_of(store.path, quick_design().configuration).failed(run, error, "", 0.0)
    assert store.finished() == {runs[0].run_id: "done", runs[1].run_id: "failed"}
    index = store.index()
    at = index.run_ids.tolist().index(runs[1].run_id)
    with index.files[index.file[at]].open("rb") as file:
        file.seek(index.start[at])
        record = record_of(file.read(index.size[at]))
    assert record is not None
    assert record.error == "second"


@pytest.mark.parametrize("key", ["design", "source"])
def test_a_part_of_another_sweep_is_refused(tmp_path: Path, key: str) -> None:
    store = played(tmp_path / "s")
    (file,) = record_files(store)
    head, _, rest = file.read_bytes().partition(b"\n")
    header = json.loads(head) | {key: "other"}
    file.write_bytes(json.dumps(header).encode() + b"\n" + rest)
    with pytest.raises(SweepError, match=rf"{file.name}: this part .* another"):
        store.finished()


def test_an_empty_folder_of_parts(tmp_path: Path) -> None:
    index = read_index([tmp_path], "d", "s")
    assert (len(index), index.n_done, index.doubles) == (0, 0, {})
