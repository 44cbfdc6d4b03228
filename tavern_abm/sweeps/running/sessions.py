"""A session of a sweep from its folder to its tables, for the command line and for Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ..design import Design
from ..errors import SweepError
from ..stores.manifest import FILE
from ..stores.shards import Shard
from ..stores.store import Store
from .executors import reached
from .progress import Progress, Silent
from .runner import Tally, play


def default_folder(name: str, shard: Shard | None = None) -> Path:
    """Where a sweep is kept if nothing is said.

    Examples
    --------
    >>> default_folder("tax", Shard(3, 8)).as_posix()
    'sweeps/tax-shard-3-of-8'
    """
    part = "" if shard is None else f"-shard-{shard.number}-of-{shard.of}"
    return Path("sweeps", f"{name}{part}")


def is_sweep(folder: Path) -> bool:
    """Whether a folder holds a sweep."""
    return (folder / FILE).is_file()


def store_for(
    folder: Path,
    design: Design,
    *,
    resume: bool = False,
    shard: Shard | None = None,
    source: Path | None = None,
    settings: Sequence[str] = (),
) -> Store:
    """The store of a sweep: a new one, or with `resume` the one that is there.

    Parameters
    ----------
    folder : Path
        Where it is or shall be.
    design : Design
        What is played.
    resume : bool
        Go on with a store that is there; if none is, begin one.
    shard : Shard, optional
        Which part of the runs is played here.
    source : Path, optional
        The file of the design, which is copied.
    settings : sequence of str
        What was set besides what the file says, such as ``"patrons=40"``.

    Raises
    ------
    SweepError
        If a store is there and is not to be gone on with, or is of another design, shard or
        version.
    """
    if not (resume and is_sweep(folder)):
        return Store.create(folder, design, shard=shard, source=source, settings=settings)
    store = Store.open(folder)
    store.verify_same(design)
    _verify_shard(store, shard)
    return store


def _verify_shard(store: Store, shard: Shard | None) -> None:
    there = shard_of(store)
    if there != shard:
        words = [f"shard {each}" if each else "the whole sweep" for each in (there, shard)]
        text = f"{words[0]} is played in it, and {words[1]} is asked for; name another --out"
        raise SweepError(text, store.path)


def shard_of(store: Store) -> Shard | None:
    """Which part of a design a store is for."""
    return None if store.manifest.shard is None else Shard(*store.manifest.shard)


def play_session(
    design: Design,
    store: Store,
    *,
    executor: Any = None,
    jobs: int = 1,
    retry_failed: bool = False,
    progress: Progress | None = None,
    merge: bool = True,
) -> Tally:
    """Play what is left of a sweep, and make its tables.

    Parameters
    ----------
    design : Design
        What is played; it may have more replications than when the store was made.
    store : Store
        Of this design: see `store_for`.
    executor, jobs, retry_failed, progress
        As for `runner.play`.
    merge : bool, default True
        Make the tables at the end, unless it is interrupted.

    Returns
    -------
    Tally
        What was played.

    Raises
    ------
    SweepError
        If another sweep is in the folder, or nobody can play.
    OSError
        If something cannot be written.
    """
    told = progress or Silent()
    with reached(executor) as workers, store.locked(tell=told.say):
        store.adopt(design)
        with _marked(store):
            tally = play(
                design,
                store,
                executor=workers,
                jobs=jobs,
                shard=shard_of(store),
                retry_failed=retry_failed,
                progress=told,
            )
            # With fewer replications asked for than the store is for, some may be missing yet.
            if not tally.left and not store.tally().missing:
                store.mark("finished")
        if merge and not tally.is_interrupted:
            make_tables(store)
    return tally


def make_tables(store: Store) -> None:
    """Make the tables of a store, and the list of what is in it for whoever finds it."""
    from ..stores.crate import write_crate
    from ..stores.merging import merge

    merge([store.path])
    write_crate(store.path)


@contextmanager
def _marked(store: Store) -> Iterator[None]:
    """While it is played, a store says so; if that ends early, that too."""
    store.mark("playing")
    try:
        yield
    finally:
        if store.manifest.status == "playing":
            with suppress(OSError):  # a full disk, a folder that is gone: that is told, not this
                store.mark("stopped")
