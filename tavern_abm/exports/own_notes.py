"""Notes that know whether somebody has changed them, so that a new export loses nobody's words."""

from __future__ import annotations

import hashlib
import itertools
import re
import shutil
from pathlib import Path

_OPENING = "---\n"
_MARK = re.compile(r'---\nmade: "([0-9a-f]{16})"\n')


def marked(note: str) -> str:
    """A note with a property that its other words can be held against.

    Parameters
    ----------
    note : str
        Begins with its properties.
    """
    return f'{_OPENING}made: "{_digest(note)}"\n{note.removeprefix(_OPENING)}'


def is_as_made(note: str) -> bool:
    r"""Whether a note is one of ours in which nobody has changed anything.

    Examples
    --------
    >>> note = marked("---\ntags: []\n---\n\nTam Harl owes her nine gold.\n")
    >>> is_as_made(note), is_as_made(note + "He paid!\n"), is_as_made("# Mine\n")
    (True, False, False)
    """
    found = _MARK.match(note)
    return found is not None and found[1] == _digest(_OPENING + note[found.end() :])


def keep_own_files(former: Path, new: Path) -> None:
    """Take over from a former export what is not ours, or not only ours.

    Files of the user's own are copied, such as the settings of a vault and notes that he
    wrote. A note of ours that he has written into is kept as well; where the new export has
    it too, it stands beside that one with a number after its name.
    """
    for file in sorted(former.rglob("*")):
        place = new / file.relative_to(former)
        if file.is_file() and (free := _place_for(file, place)):
            free.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, free)


def _place_for(file: Path, place: Path) -> Path | None:
    """Where a file of the former export goes; None if it is to go."""
    note = file.read_text(encoding="utf-8", errors="replace") if file.suffix == ".md" else ""
    if is_as_made(note):
        return None
    if not place.exists():
        return place
    return _free_beside(place) if _MARK.match(note) else None


def _free_beside(place: Path) -> Path:
    names = (f"{place.stem} {number}{place.suffix}" for number in itertools.count(2))
    return next(free for name in names if not (free := place.with_name(name)).exists())


def _digest(note: str) -> str:
    return hashlib.sha256(note.encode()).hexdigest()[:16]
