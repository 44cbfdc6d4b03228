"""Folders that appear whole or not at all: whatever writes many files writes here.

A folder is filled aside, beside its place, and moved there once all is in it.
So what was killed, or ran into a full disk, never looks finished, and what
stood there before is lost only when the new one is whole.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Callable, Collection, Iterator
from pathlib import Path


class OccupiedError(FileExistsError):
    """A place that must not be written over."""

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(errno.EEXIST, problem, str(path))
        self.path = path
        self.problem = problem


def write_file(path: Path, content: bytes) -> None:
    """Write one file to the disk itself: a full one is noticed here and not later."""
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):  # a pipe or device has no disk
            os.fsync(file.fileno())


def put_file(path: Path, content: bytes) -> None:
    """Write one file aside and move it into place: what stood there stays if this fails.

    A link is followed. What is no file, such as a pipe or a device, is written to as it is.
    """
    place = path.resolve()
    if place.exists() and not place.is_file():
        write_file(place, content)
        return
    aside = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        write_file(aside, content)
        aside.replace(place)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        aside.unlink(missing_ok=True)


def verify_room(file: Path, more: int) -> None:
    """See, before a file is put, that it can be: that there is room for it and `more` bytes.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    place = file.resolve()
    size = place.stat().st_size if place.exists() else 0
    aside = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        write_file(aside, bytes(size + more))
    finally:
        aside.unlink(missing_ok=True)


def verify_writable(folder: Path) -> None:
    """See, before a long run, that a folder can be put where it shall be.

    Raises
    ------
    OccupiedError
        If a file stands there, or a folder that cannot be moved away.
    OSError
        If nothing can be written there.
    """
    place = folder.resolve()
    if place.exists():
        _verify_movable(place, folder)
    above = place.parent
    while not above.exists():
        above = above.parent
    if not above.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(above))
    if not os.access(above, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(above))
    _try_out(above, place.relative_to(above))


def _try_out(above: Path, inner: Path) -> None:
    """Make a folder as it will be made, beside its place, and remove it again."""
    made = Path(tempfile.mkdtemp(prefix=".", suffix=".unfinished", dir=above))
    try:
        (made / inner).mkdir(parents=True)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _verify_movable(place: Path, folder: Path) -> None:
    if not place.is_dir():
        raise OccupiedError(folder, f"'{folder}' is a file")
    if place.is_mount() or Path.cwd().is_relative_to(place):
        raise OccupiedError(
            folder, f"'{folder}' cannot be replaced as a whole; name a folder inside it"
        )


def verify_free(folder: Path, *, force: bool = False) -> None:
    """The same, and that nothing is there yet unless it is to be replaced (`force`)."""
    verify_writable(folder)
    if not force and not is_empty(folder):
        raise OccupiedError(folder, f"'{folder}' is not empty; --force replaces what is in it")


def is_empty(folder: Path) -> bool:
    """Whether there is no such folder, or nothing in it."""
    return not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))


@contextlib.contextmanager
def filled_aside(
    folder: Path,
    owned: Collection[str] = (),
    *,
    force: bool = True,
    elsewhere: Callable[[], Path] | None = None,
) -> Iterator[Path]:
    """Fill a folder aside and move it into place at the end.

    Parameters
    ----------
    folder : pathlib.Path
        Where it shall stand. What stands there is replaced; files in it that
        are not `owned` are kept.
    owned : collection of str
        Names that such a folder may hold.
    force : bool, default True
        Replace what stands there at the end, even if it came there meanwhile.
    elsewhere : callable, optional
        Without `force`, gives another place beside it if something came there meanwhile.

    Yields
    ------
    pathlib.Path
        The folder to write into. If anything is raised it is removed, and the
        place left as it was.

    Raises
    ------
    OccupiedError
        Without `force` and `elsewhere`, if something stands there at the end.
    """
    verify_writable(folder)
    place = folder.resolve()
    place.parent.mkdir(parents=True, exist_ok=True)
    aside = place.with_name(f".{place.name[:80]}.{os.getpid()}.unfinished")
    shutil.rmtree(aside, ignore_errors=True)  # of a process long dead that had our number
    _remove_leftovers(place)
    try:
        aside.mkdir()
        yield aside
        if force:
            _move_into_place(aside, place, owned)
        else:
            _move_if_free(aside, place, folder, elsewhere)
    except OccupiedError:
        raise
    except OSError as error:
        if error.filename is None or Path(os.fsdecode(error.filename)).is_relative_to(aside):
            error.filename = str(folder)  # that is the one the user knows of
        raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _remove_leftovers(place: Path) -> None:
    """Remove what was being filled for this place as its process was killed."""
    name = re.compile(rf"\.{re.escape(place.name[:80])}\.(\d{{1,9}})\.unfinished")
    for each in place.parent.iterdir():
        found = name.fullmatch(each.name)
        if found and not is_running(int(found[1])):
            shutil.rmtree(each, ignore_errors=True)


def is_running(process: int) -> bool:
    """Whether a process of this machine is there still; True where that cannot be asked."""
    if os.name != "posix":  # elsewhere one cannot ask after a process without touching it
        return True
    try:
        os.kill(process, 0)  # asks only
    except ProcessLookupError:
        return False
    except OSError:  # another user's
        return True
    return True


def _move_if_free(
    aside: Path, place: Path, folder: Path, elsewhere: Callable[[], Path] | None
) -> None:
    try:
        aside.rename(place)  # which no folder with anything in it gives way to
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
            raise
        if elsewhere is None:
            raise OccupiedError(folder, f"'{folder}' was filled by another run meanwhile") from None
        aside.rename(elsewhere().resolve())


def free_beside(folder: Path) -> Path:
    """The first of ``folder-2``, ``folder-3``, ... where nothing stands."""
    names = (f"{folder.name}-{number}" for number in itertools.count(2))
    return next(place for name in names if not (place := folder.with_name(name)).exists())


def _move_into_place(aside: Path, place: Path, owned: Collection[str]) -> None:
    if is_empty(place):
        aside.rename(place)
        return
    former = place.with_name(f".{place.name[:80]}.{os.getpid()}.former")
    place.rename(former)
    try:
        aside.rename(place)
    except BaseException:
        former.rename(place)
        raise
    for entry in former.iterdir():
        if entry.name not in owned and not (place / entry.name).exists():
            entry.rename(place / entry.name)
    shutil.rmtree(former, ignore_errors=True)
