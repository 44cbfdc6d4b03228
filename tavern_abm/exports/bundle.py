"""All formats in two zip archives: one for the game master, one for the players.

Archives of the same pack are the same bytes: entries are sorted and bear one fixed time.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from ..pack.documents import Pack, PlayersPage, players_page
from . import markdown, obsidian, printable
from .formats import FORMATS, Files

GAME_MASTER = "game-master.zip"
PLAYERS = "for-players.zip"
TIME = (1980, 1, 1, 0, 0, 0)
"""Of every entry: the first that the format knows."""


def files(pack: Pack, salt: str, core: int = 13) -> Files:
    """Both archives by name.

    Parameters
    ----------
    pack : Pack
        The game master's.
    salt : str
        The run's, for the ids of Foundry.
    core : {13, 12}
        Foundry's version.
    """
    return {
        GAME_MASTER: zipped(_everything(pack, salt, core)),
        PLAYERS: zipped(_for_players(players_page(pack))),
    }


def _everything(pack: Pack, salt: str, core: int) -> Files:
    """Each format in a folder of its own."""
    return {
        f"{name}/{path}": content
        for name, made in FORMATS.items()
        for path, content in made(pack, salt, core).items()
    }


def _for_players(page: PlayersPage) -> Files:
    """What the players may have, made of nothing but their own page."""
    return {
        **printable.player_files(page),
        **markdown.player_files(page),
        **obsidian.player_files(page),
    }


def zipped(content: Mapping[str, bytes]) -> bytes:
    """Files by path as an archive.

    Examples
    --------
    >>> zipped({"b": b"2", "a": b"1"}) == zipped({"a": b"1", "b": b"2"})
    True
    """
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(content):
            file.writestr(_entry(path), content[path])
    return archive.getvalue()


def _entry(path: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(path, TIME)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3  # whatever system it is made on
    entry.external_attr = 0o644 << 16
    return entry
