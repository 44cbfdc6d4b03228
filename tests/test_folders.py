"""Folders appear whole or not at all, and nothing of anybody else's is lost."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tavern_abm.folders import (
    OccupiedError,
    filled_aside,
    free_beside,
    put_file,
    verify_free,
    write_file,
)


@pytest.fixture
def town(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def fill(folder: Path, text: str = "new", owned: tuple[str, ...] = ("a", "b")) -> None:
    with filled_aside(folder, owned) as aside:
        write_file(aside / "a", text.encode())


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_new_folder_and_those_above_it(town: Path) -> None:
    fill(Path("x/y/z"))
    assert (town / "x/y/z/a").read_text() == "new"
    assert names(town / "x/y") == ["z"]


def test_it_is_not_there_before_it_is_whole(town: Path) -> None:
    with filled_aside(Path("x")) as aside:
        write_file(aside / "a", b"")
        assert not Path("x").exists()
    assert names(town) == ["x"]


@pytest.mark.skipif(os.name != "posix", reason="only there a process can be asked after")
def test_what_was_killed_leaves_nothing_for_good(town: Path) -> None:
    """The next to fill the same place clears up, and leaves alone what others are filling."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    kept = [f".x.{os.getppid()}.unfinished", f".y.{gone.pid}.unfinished", f".x.{gone.pid}.former"]
    for name in (f".x.{gone.pid}.unfinished", *kept):
        Path(name).mkdir()
        Path(name, "a").touch()
    fill(Path("x"))
    assert names(town) == sorted([*kept, "x"])


def test_permissions_follow_the_umask(town: Path) -> None:
    fill(Path("x"))
    Path("y").mkdir()
    assert Path("x").stat().st_mode == Path("y").stat().st_mode


def test_an_empty_folder_is_filled(town: Path) -> None:
    Path("x").mkdir()
    fill(Path("x"))
    assert names(Path("x")) == ["a"]


def test_what_is_replaced_goes_and_what_is_not_ours_stays(town: Path) -> None:
    Path("x/inner").mkdir(parents=True)
    for name in ("a", "b", "notes", "inner/deep"):
        Path("x", name).write_text("old")
    fill(Path("x"))
    assert names(Path("x")) == ["a", "inner", "notes"]
    assert Path("x/a").read_text() == "new"
    assert Path("x/inner/deep").read_text() == "old"
    assert names(town) == ["x"]


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt(), ValueError()]
)
@pytest.mark.parametrize("is_there", [False, True])
def test_after_a_failure_all_is_as_before(town: Path, error: BaseException, is_there: bool) -> None:
    def fail() -> None:
        with filled_aside(Path("x"), ("a",)) as aside:
            write_file(aside / "a", b"new")
            raise error

    if is_there:
        fill(Path("x"), "old")
    with pytest.raises(type(error)):
        fail()
    assert names(town) == (["x"] if is_there else [])
    if is_there:
        assert Path("x/a").read_text() == "old"
    if isinstance(error, OSError):
        assert error.filename == "x"


def test_a_failed_move_puts_the_old_one_back(town: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(Path("x"), "old")
    rename = Path.rename

    def stubborn(self: Path, target: Path) -> Path:
        if self.name.endswith(".unfinished"):
            raise OSError(errno.EIO, "no")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", stubborn)
    with pytest.raises(OSError, match="no"):
        fill(Path("x"))
    assert names(town) == ["x"]
    assert Path("x/a").read_text() == "old"


def test_what_is_not_free(town: Path) -> None:
    Path("file").write_text("")
    Path("full/inner").mkdir(parents=True)
    with pytest.raises(OccupiedError, match="'full' is not empty; --force"):
        verify_free(Path("full"))
    verify_free(Path("full"), force=True)
    for force in (False, True):
        with pytest.raises(OccupiedError, match="'file' is a file"):
            verify_free(Path("file"), force=force)
        with pytest.raises(OccupiedError, match=r"'\.' cannot be replaced as a whole"):
            verify_free(Path(), force=force)
        with pytest.raises(OccupiedError, match="cannot be replaced as a whole"):
            verify_free(town.parent, force=True)


def test_places_where_nothing_can_be_written(town: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("file").write_text("")
    with pytest.raises(NotADirectoryError):
        verify_free(Path("file/x/y"))
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(PermissionError):
        verify_free(Path("x"))


def test_a_link_to_a_folder_is_followed(town: Path) -> None:
    Path("real").mkdir()
    Path("link").symlink_to("real")
    fill(Path("link"))
    assert names(Path("real")) == ["a"]
    assert Path("link").is_symlink()


def fill_while_another_does(place: Path) -> None:
    with filled_aside(place, ("a",), force=False) as aside:
        (aside / "a").write_text("mine")
        place.mkdir()
        (place / "a").write_text("theirs")


def test_what_came_there_meanwhile_is_not_replaced_without_force(tmp_path: Path) -> None:
    with pytest.raises(OccupiedError, match="filled by another run meanwhile"):
        fill_while_another_does(tmp_path / "run")
    assert (tmp_path / "run" / "a").read_text() == "theirs"
    assert [entry.name for entry in tmp_path.iterdir()] == ["run"]


def test_it_may_go_elsewhere_then(tmp_path: Path) -> None:
    place, other = tmp_path / "run", tmp_path / "run-2"
    other.mkdir()
    asked = []

    def elsewhere() -> Path:
        asked.append(free_beside(place))
        return asked[0]

    with filled_aside(place, ("a",), force=False, elsewhere=elsewhere) as aside:
        (aside / "a").write_text("mine")
        place.mkdir()
        (place / "a").write_text("theirs")
    assert asked == [tmp_path / "run-3"]
    assert (place / "a").read_text() == "theirs"
    assert (asked[0] / "a").read_text() == "mine"
    assert len([*tmp_path.iterdir()]) == 3


def test_a_file_appears_whole_or_the_old_one_stays(
    town: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_file(Path("x"), b"old")
    put_file(Path("x"), b"new")
    assert (town / "x").read_bytes() == b"new"

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        put_file(Path("x"), b"half")
    assert (town / "x").read_bytes() == b"new"
    assert names(town) == ["x"]


def test_a_file_behind_a_link_is_replaced_and_the_link_stays(town: Path) -> None:
    Path("x").write_bytes(b"old")
    Path("link").symlink_to("x")
    put_file(Path("link"), b"new")
    assert Path("link").is_symlink()
    assert Path("x").read_bytes() == b"new"


def test_a_device_is_written_to_and_not_replaced() -> None:
    put_file(Path("/dev/null"), b"new")
    assert Path("/dev/null").is_char_device()
