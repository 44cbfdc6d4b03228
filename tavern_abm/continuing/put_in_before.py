"""Whether the file of what was put into a run is the one that its record tells of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..events import FROM_OUTSIDE
from ..run_folder import RunFolder, RunFolderError
from .interventions import OUTSIDE, Died, Entry, Left, Paid

if TYPE_CHECKING:
    from ..model import TavernModel

KIND_OF = {"accused": "denounced", "rumor": "planted"}
"""The kind of event that an intervention makes, where it hangs on nothing else."""


def verify_done(run: RunFolder, model: TavernModel, entries: Iterable[Entry]) -> None:
    """See that a run's interventions are those that its events tell of.

    Parameters
    ----------
    run : RunFolder
        The run.
    model : TavernModel
        With its people.
    entries : iterable of Entry
        What its ``interventions.toml`` holds.

    Raises
    ------
    RunFolderError
        Naming the first that no event tells of, or what was put in and is not in the file.
    """
    file = run.path / "interventions.toml"
    ids = {model.name_of(row).casefold(): row + 1 for row in range(model.n_rows)}
    told = _told(run)
    for entry in entries:
        what, kind = entry.what, _kind(entry)
        key = (what.night, kind, ids.get(_whom(entry).casefold(), 0))
        if not told[key]:
            text = f"damaged: {entry.kind} {entry.number} was never put into this run"
            raise RunFolderError(file, text)
        told[key] -= 1
    lacking = sorted((n, kind) for (n, kind, _), more in told.items() if more and kind != "left")
    if lacking:
        night, kind = lacking[0]
        text = f"damaged: it lacks what was put in on night {night} (the event {kind!r})"
        raise RunFolderError(file, text)


def _told(run: RunFolder) -> Counter[tuple[int, str, int]]:
    """What the record has that may have been put in: night, kind and patron_id of each."""
    filters = [("round", "==", 0), ("kind", "in", [*FROM_OUTSIDE, "killed", "left"])]
    table = run.table("events", ["night", "kind", "patron_id"], filters)
    return Counter(table.itertuples(index=False, name=None))


def _kind(entry: Entry) -> str:
    """The kind of event that tells of an intervention."""
    what = entry.what
    if isinstance(what, Died):
        return "died" if what.by is None else "killed"
    if isinstance(what, Paid):
        return "taken" if what.who.casefold() == OUTSIDE else "given"
    return KIND_OF.get(entry.kind, entry.kind)


def _whom(entry: Entry) -> str:
    """The name of whom that event is about."""
    what = entry.what
    if isinstance(what, Died | Left):
        return str(what.who)
    if isinstance(what, Paid):
        return str(what.from_ if _kind(entry) == "taken" else what.who)
    return str(what.by)
