"""LevelDB folders, in which Foundry keeps compendium packs, by way of plyvel."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

_DIARIES = frozenset({"LOCK", "LOG"})
"""What LevelDB keeps for itself: it makes them anew, and the log holds the hour."""
_ROOM = 1 << 28
"""Bytes before LevelDB sorts what was written into another file, in its own good time."""


def is_available() -> bool:
    """Whether LevelDB folders can be written here: with the extra ``foundry``, if it loads."""
    try:
        import_module("plyvel")
    except ImportError:
        return False
    return True


def packed(entries: Mapping[str, bytes]) -> dict[str, bytes]:
    """A LevelDB folder that holds some entries.

    Parameters
    ----------
    entries : mapping of str to bytes
        Any order: the same entries make the same bytes.

    Returns
    -------
    dict of str to bytes
        Content by file name, without the files that LevelDB makes for itself.

    Raises
    ------
    ImportError
        If plyvel is not installed, or does not load.
    """
    plyvel = import_module("plyvel")
    with tempfile.TemporaryDirectory() as above:
        folder = Path(above, "pack")
        database = plyvel.DB(str(folder), create_if_missing=True, write_buffer_size=_ROOM)
        with database.write_batch() as batch:
            for key in sorted(entries):
                batch.put(key.encode(), entries[key])
        database.close()
        written = (path for path in sorted(folder.iterdir()) if path.name not in _DIARIES)
        return {path.name: path.read_bytes() for path in written}
