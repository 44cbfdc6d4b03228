"""One sweep in a folder at a time, and nobody of a former one that still plays."""

import errno
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.stores import locking
from tavern_abm.sweeps.stores.locking import PLAYING, SWEEPING, merging, playing, sweeping
from tavern_abm.sweeps.stores.merging import merge
from tests.sweeps.quick_sweep import played

ROOT = Path(__file__).parents[2]
HOLDS = """
import sys, time
from pathlib import Path
from tavern_abm.sweeps.stores.locking import merging, playing, sweeping
with {how}(Path(sys.argv[1])):
    print("in", flush=True)
    sys.stdin.read()
"""
LEAVES_A_CHILD = """
import os, subprocess, sys
from pathlib import Path
from tavern_abm.sweeps.stores import locking
with locking.sweeping(Path(sys.argv[1])):
    handles = tuple(locking._open)
    child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"],
                             stdin=sys.stdin, stdout=subprocess.DEVNULL, pass_fds=handles)
    print("in", flush=True)
    os.kill(os.getpid(), 9)
"""
FORKS = """
import os, sys
from pathlib import Path
from tavern_abm.sweeps.stores import locking
with locking.sweeping(Path(sys.argv[1])):
    if not os.fork():
        print("in", flush=True)
        sys.stdin.read()
        os._exit(0)
    import time
    time.sleep(60)
"""


@contextmanager
def process(code: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that does something with the locks of a folder until its stdin is closed."""
    running = subprocess.Popen(
        [sys.executable, "-c", code, str(folder)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert running.stdin is not None
    assert running.stdout is not None
    try:
        assert running.stdout.readline() == "in\n"
        yield running
    finally:
        running.stdin.close()
        running.stdout.close()
        running.kill()
        running.wait()


def test_a_second_sweep_is_told_who_the_first_one_is(tmp_path: Path) -> None:
    with process(HOLDS.format(how="sweeping"), tmp_path) as other:
        with pytest.raises(SweepError) as told, sweeping(tmp_path):
            pass
        text = f"{tmp_path}: another sweep is playing in this folder (process {other.pid} on "
        assert str(told.value).startswith(f"{text}{socket.gethostname()}, since 20")
        assert str(told.value).endswith("); wait for it, or name another --out")


def test_a_second_sweep_in_the_same_process(tmp_path: Path) -> None:
    with (
        sweeping(tmp_path),
        pytest.raises(SweepError, match=f"process {os.getpid()} "),
        sweeping(tmp_path),
    ):
        pass
    with sweeping(tmp_path):
        pass


def test_a_lock_is_gone_with_the_process_that_was_killed(tmp_path: Path) -> None:
    with process(HOLDS.format(how="sweeping"), tmp_path) as other:
        other.kill()
        other.wait()
        with sweeping(tmp_path, tell=pytest.fail):
            assert json.loads((tmp_path / SWEEPING).read_text())["pid"] == os.getpid()


def test_workers_of_a_killed_sweep_are_waited_for(tmp_path: Path) -> None:
    told: list[str] = []
    with process(HOLDS.format(how="playing"), tmp_path) as worker:

        def tell(text: str) -> None:
            told.append(text)
            assert worker.stdin is not None
            worker.stdin.close()

        began = time.monotonic()
        with sweeping(tmp_path, tell=tell):
            assert worker.wait(timeout=5) == 0
        assert time.monotonic() - began >= 0.2
    text = "waiting up to 60 s for workers of a sweep that was killed ..."
    assert told == [f"{tmp_path}: {text}"]


def test_workers_that_do_not_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with process(HOLDS.format(how="playing"), tmp_path):
        text = "workers of a sweep that was killed still play in it; end them"
        with pytest.raises(SweepError, match=text), sweeping(tmp_path, patience=0.3):
            pass
    assert "waiting up to 0 s" in capsys.readouterr().err
    with sweeping(tmp_path):
        pass


def test_a_child_that_was_left_with_the_lock_is_no_other_sweep(tmp_path: Path) -> None:
    """Its parent, who signed, was killed: so it is a worker that still plays."""
    with process(LEAVES_A_CHILD, tmp_path) as other:
        other.wait()
        text = "workers of a sweep that was killed still play in it"
        with pytest.raises(SweepError, match=text), sweeping(tmp_path, lambda _: None, 0.3):
            pass


def test_a_forked_child_does_not_keep_the_lock(tmp_path: Path) -> None:
    with process(FORKS, tmp_path) as other:
        other.kill()
        other.wait()
        with sweeping(tmp_path, tell=pytest.fail, patience=0.3):
            pass


def test_many_play_at_once_and_merge_one_after_the_other(tmp_path: Path) -> None:
    with playing(tmp_path), playing(tmp_path), sweeping_is_refused(tmp_path):
        pass
    with merging(tmp_path) as is_sure:
        assert is_sure


@contextmanager
def sweeping_is_refused(folder: Path) -> Iterator[None]:
    with pytest.raises(SweepError), sweeping(folder, lambda _: None, 0.1):
        pass
    yield


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS])
def test_where_files_cannot_be_locked_everybody_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def flock(_: int, how: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(locking.fcntl, "flock", flock)
    told: list[str] = []
    with sweeping(tmp_path, told.append), playing(tmp_path), merging(tmp_path) as is_sure:
        assert not is_sure
        assert len(told) == 1
        with sweeping(tmp_path, told.append):
            assert len(told) == 2
    assert "this disk knows no locks: see to it that no other sweep plays in this folder" in told[0]


def test_what_another_merges_is_left_alone_where_files_cannot_be_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(_: int, how: int) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    store = played(tmp_path / "s")
    others, left = store.path / ".merging-other", store.path / ".merging-left"
    left.mkdir()
    merge([store.path])
    assert not left.exists(), "nobody else can be at it"
    others.mkdir()
    monkeypatch.setattr(locking.fcntl, "flock", flock)
    merge([store.path])
    assert others.exists()


def test_nothing_stays_open(tmp_path: Path) -> None:
    before = set(locking._open)
    with sweeping(tmp_path):
        assert len(set(locking._open) - before) == 1
    assert set(locking._open) == before
    assert (tmp_path / PLAYING).exists()
