"""What a file of rumours told remembers, and which files are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tavern_abm.pack.memory import (
    Memory,
    NoMemoryError,
    Told,
    read_memory,
    session_of,
    write_memory,
)

ASKED = {"count": "d6", "mix": [60, 25, 15], "tavern": None}
ONE = session_of("run1", 14, ASKED, [Told(wording="won-1", head="heads-1", story=3, event=7)])
TWO = session_of(
    "run2",
    9,
    ASKED | {"count": 3},
    [
        Told(wording="owes-2", head="heads-1", tail="tails-4", story=5, event=0),
        Told(wording="owes-3", story=6, event=7),
    ],
)


def test_it_remembers_what_was_written(tmp_path: Path) -> None:
    file = tmp_path / "told.json"
    assert read_memory(file) == Memory()
    memory = Memory().and_then(ONE).and_then(TWO)
    write_memory(file, memory)
    assert read_memory(file) == memory
    assert [each.name for each in tmp_path.iterdir()] == ["told.json"]


def test_wordings_are_of_all_runs_and_events_of_one() -> None:
    memory = Memory((ONE, TWO))
    assert memory.wordings == {"won-1", "owes-2", "owes-3"}
    assert memory.lines == {"heads-1": 2, "tails-4": 1}
    assert memory.sources("run1") == {7: 1}
    assert memory.sources("run2") == {-5: 1, 7: 1}
    assert memory.sources("run3") == {}


def test_the_last_set_is_taken_back_only_for_the_same_run_and_options() -> None:
    memory = Memory((ONE, TWO))
    assert memory.before_last("run2", ASKED | {"count": 3}) == Memory((ONE,))
    assert memory.before_last("run2", ASKED) is None
    assert memory.before_last("run1", ASKED | {"count": 3}) is None
    assert Memory().before_last("run1", ASKED) is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b'{"kind": "rumours told", "format": 2, "sessions": []}',
        b'{"kind": "rumours told", "format": 1, "sessions": [{"run": 3}]}',
        b'{"kind": "rumours told", "format": 1, "sessions": [], "more": 1}',
        b"[" * 100_000,
        b'{"format": 5, "status": "finished", "scenario": "river-town"}',
    ],
)
def test_what_remembers_nothing_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "told.json"
    file.write_bytes(content)
    with pytest.raises(NoMemoryError) as found:
        read_memory(file)
    assert str(file) in str(found.value)
    assert "name another file" in str(found.value)
    assert "\n" not in str(found.value)
    assert file.read_bytes() == content


def test_a_folder_is_no_memory(tmp_path: Path) -> None:
    with pytest.raises(NoMemoryError, match="cannot be read"):
        read_memory(tmp_path)
