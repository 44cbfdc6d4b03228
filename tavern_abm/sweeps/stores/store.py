"""The folder of a sweep: its design, what has been played of it, and its tables."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from ... import folders
from ...versions import versions
from ..errors import SweepError
from ..measuring.own_outputs import OWN, own_sources
from . import locking
from .again import options_for, settings_in
from .differing import differences
from .manifest import (
    FILE,
    Manifest,
    SweepStatus,
    new_manifest,
    plain,
    read_manifest,
    replications_of,
    source_digest,
)
from .parts import FOLDER, close_parts
from .records import Index, read_index

if TYPE_CHECKING:
    from ..design import Design, Points

DESIGN = "design.json"
WRITTEN = "design.toml"
RUN_COLUMNS = (
    *("run_id", "scenario_id", "replication_id", "seed"),
    *("status", "nights", "digest", "error"),
)
"""Columns that every table of runs begins with."""
KEYS = ("run_id", "scenario_id", "replication_id", "time")
"""Columns that an outcome or a series cannot be called like."""
MOST_TOLD = 3


class StoreTally(NamedTuple):
    """How many runs of a store have ended, and how.

    Attributes
    ----------
    done, failed : int
        Runs.
    planned : int or None
        Runs that shall be there in the end; None where nobody knows yet.
    """

    done: int
    failed: int
    planned: int | None

    @property
    def missing(self) -> int | None:
        """Runs that are still to be played."""
        return None if self.planned is None else max(0, self.planned - self.done - self.failed)

    def __str__(self) -> str:
        """What is there, in a few words.

        Examples
        --------
        >>> str(StoreTally(done=212, failed=1, planned=240))
        '213 of 240 runs (1 failed); 27 are missing'
        >>> str(StoreTally(done=1, failed=0, planned=2)), str(StoreTally(1, 0, None))
        ('1 of 2 runs; 1 is missing', '1 run')
        """
        n = self.done + self.failed
        of = "" if self.planned is None else f" of {max(n, self.planned):,}"
        failed = f" ({self.failed:,} failed)" if self.failed else ""
        are = "is" if self.missing == 1 else "are"
        rest = f"; {self.missing:,} {are} missing" if self.missing else ""
        runs = "run" if max(n, self.planned or 0) == 1 else "runs"
        return f"{n:,}{of} {runs}{failed}{rest}"


class Store:
    """A folder in which a sweep is kept.

    Attributes
    ----------
    path : Path
        The folder.
    manifest : Manifest
        What it says of itself.
    """

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.path, self.manifest = path, manifest

    @classmethod
    def create(
        cls,
        path: str | Path,
        design: Design,
        *,
        shard: tuple[int, int] | None = None,
        source: Path | None = None,
        settings: Sequence[str] = (),
    ) -> Self:
        """Make the folder of a sweep. It appears whole or not at all.

        Parameters
        ----------
        path : str or Path
            Where nothing is yet.
        design : Design
            What is played.
        shard : (int, int), optional
            Which part of its runs is played here: number, from 1, and of how many.
        source : Path, optional
            The file in which the design was written; it is copied.
        settings : sequence of str
            What was set besides what the file says, such as ``"patrons=40"``; it is noted.

        Raises
        ------
        SweepError
            If something is there already, or columns would have the same name.
        OSError
            If it cannot be written.
        """
        place = Path(path)
        _verify_names(design)
        _verify_free(place)
        document = plain(design.document())
        manifest = new_manifest(design, None if shard is None else (shard[0], shard[1]))
        files = _files(design, document, source)
        try:
            with folders.filled_aside(place, force=False) as aside:
                (aside / FOLDER).mkdir()
                for name, content in files:
                    (aside / name).parent.mkdir(parents=True, exist_ok=True)
                    folders.write_file(aside / name, content)
                options = options_for(aside / WRITTEN, design, settings)
                manifest.with_(options=options).write(aside)
        except folders.OccupiedError as error:
            _verify_free(place)  # says better what it is
            raise SweepError(f"{error.problem}; name another --out") from None
        return cls.open(place)

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Open the folder of a sweep.

        Raises
        ------
        SweepError
            If there is no such folder, it is no sweep, one of a later format, or damaged.
        """
        place = Path(path)
        manifest = read_manifest(place)
        for name, is_there in ((DESIGN, Path.is_file), (FOLDER, Path.is_dir)):
            if not is_there(place / name):
                is_other = (place / name).exists()
                told = f"its {name} is something else" if is_other else f"it lacks {name}"
                raise SweepError(f"damaged: {told}", place)
        return cls(place, manifest)

    @property
    def parts(self) -> Path:
        """The folder of what workers write."""
        return self.path / FOLDER

    @cached_property
    def document(self) -> dict[str, Any]:
        """The design as plain data."""
        file = self.path / DESIGN
        try:
            document = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise SweepError(f"damaged: {error}", file) from error
        if not isinstance(document, dict):
            raise SweepError("damaged: not a JSON object", file)
        return document

    @cached_property
    def design(self) -> Design:
        """The design that is played."""
        from ..design import Design
        from ..measuring.own_tables import placed

        configuration = placed(self.document["configuration"], self.path.resolve())
        return Design.from_document({**self.document, "configuration": configuration})

    @cached_property
    def points(self) -> Points:
        """The points of the design: to be had without what plays them, as on another machine."""
        from ..design import Factor
        from ..designs.points import points_from

        try:
            factors = tuple(map(Factor.from_document, self.document["factors"]))
            return points_from(self.document["points"], factors)
        except (LookupError, TypeError, ValueError) as error:
            raise SweepError(f"damaged: {error}", self.path / DESIGN) from error

    def verify_same(self, design: Design) -> None:
        """See that what was begun here goes on with a design and this version of the program.

        Replications may be added, and its name, words and labels may change.

        Raises
        ------
        SweepError
            With what differs, and what to do.
        """
        self.verify_program()
        from ..design import unlabelled

        here = unlabelled(plain(design.document()))
        found = list(differences(unlabelled(self.document), here))
        if found:
            more = len(found) - MOST_TOLD
            told = "; ".join(found[:MOST_TOLD]) + (f"; and {more} more" if more > 0 else "")
            text = f"a sweep of another design is in it ({told}); name another --out"
            raise SweepError(text, self.path)

    def verify_program(self) -> None:
        """See that this is the program by which the runs here were played.

        Raises
        ------
        SweepError
            If it is another version, or has been changed since.
        """
        if source_digest() == self.manifest.source:
            return
        its, mine = self.manifest.versions.get("tavern_abm"), versions()["tavern_abm"]
        if its != mine:
            text = f"it was begun with tavern-abm {its}, and this is {mine}"
            cure = f"install {its} to go on"
        else:
            text = f"the program has been changed since (version {mine} both times)"
            cure = "undo that to go on"
        text = f"{text}: results would mix; {cure}, or begin anew with another --out"
        raise SweepError(text, self.path)

    def adopt(self, design: Design) -> None:
        """Go on with a design of more replications, or of another rule for how many.

        Call it while the store is `locked`. With fewer than before nothing changes.
        """
        self._forget()  # another sweep may have gone on with it since it was opened
        self.manifest = read_manifest(self.path)
        n, before = replications_of(design), self.manifest.replications
        if n is not None and before is not None and n < before:
            return
        document, its = plain(design.document()), self.manifest.name
        if (document, n, design.name) == (self.document, before, its):
            return
        if document != self.document:
            folders.put_file(self.path / DESIGN, _json(document))
            self._forget()
        # Whoever was killed just now has written the design, and not yet this.
        settings = settings_in(self.manifest.options)
        options = options_for(self.path / WRITTEN, design, settings)
        self._rewrite(name=design.name, replications=n, options=options)

    def _forget(self) -> None:
        for name in ("document", "design", "points"):
            self.__dict__.pop(name, None)

    def mark(self, status: SweepStatus) -> None:
        """Say how the sweep stands: "playing", "stopped" or "finished"."""
        self._rewrite(status=status)

    def _rewrite(self, **changes: Any) -> None:
        changed = self.manifest.with_(**changes)
        if changed != self.manifest:
            changed.write(self.path)
            self.manifest = changed

    @contextlib.contextmanager
    def locked(self, tell: locking.Tell | None = None) -> Iterator[Self]:
        """Be the only sweep in this folder; see `locking.sweeping`.

        At the end, what this process has open in the store is closed.

        Raises
        ------
        SweepError
            If another sweep is in it, or workers of one that was killed do not end.
        """
        with locking.sweeping(self.path, tell):
            try:
                yield self
            finally:
                close_parts(self.path)

    def index(self) -> Index:
        """Find the record of every run."""
        return read_index([self.parts], self.manifest.design, self.manifest.source)

    def finished(self) -> dict[int, str]:
        """How every run with a record ended, "done" or "failed", by its number."""
        index = self.index()
        words = ("failed", "done")
        pairs = zip(index.run_ids.tolist(), index.is_done.tolist(), strict=True)
        return {run_id: words[is_done] for run_id, is_done in pairs}

    def tally(self) -> StoreTally:
        """Count them."""
        return tally_of(self.index(), self.manifest.planned)


def tally_of(index: Index, planned: int | None) -> StoreTally:
    """Count the runs of an index."""
    return StoreTally(index.n_done, len(index) - index.n_done, planned)


def _files(
    design: Design, document: dict[str, Any], source: Path | None
) -> Iterator[tuple[str, bytes]]:
    """What the folder of a sweep begins with, but for what it says of itself."""
    from ..measuring.own_tables import own_tables

    yield DESIGN, _json(document)
    if source is not None:
        yield WRITTEN, Path(source).read_bytes()
    for name, text in own_sources(design.configuration).items():
        yield f"{OWN}/{name}", text.encode()
    yield from own_tables(design.configuration)


def _json(document: dict[str, Any]) -> bytes:
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def _verify_free(place: Path) -> None:
    if (place / FILE).is_file():
        text = "a sweep is in it already; go on with it by --resume, or name another --out"
        raise SweepError(text, place)
    if place.exists() and not place.is_dir():
        raise SweepError("a file of that name is there; name another --out", place)
    if not folders.is_empty(place):
        raise SweepError("the folder is not empty; name another --out", place)


def _verify_names(design: Design) -> None:
    """See that no two columns of a table would have the same name."""
    configuration = design.configuration
    _verify_apart(design.points.paths, RUN_COLUMNS, "factor")
    _verify_apart(configuration.outputs, KEYS, "output")
    _verify_apart(configuration.series, KEYS, "series")


def _verify_apart(names: tuple[str, ...], taken: tuple[str, ...], what: str) -> None:
    for place, name in enumerate(names):
        if name in taken:
            text = f"{what} {name!r} has the name of a column of ours; call it otherwise"
            raise SweepError(text)
        if name in names[:place]:
            raise SweepError(f"{what} {name!r} is there twice")
