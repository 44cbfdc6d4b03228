"""The games. A new one is a file here and a line in `GAMES`."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

GAMES = {
    "rotting-toes": "rotting_toes",
}
"""Every game by the name users know it by, and the module that holds its rules."""


def load_game(name: str, room: str = "games") -> ModuleType:
    """The module of a game in one of the rooms that deal with games.

    Parameters
    ----------
    name : str
        As in `GAMES`.
    room : {"games", "tables", "patrons.decisions"}
        Its rules, its tables or its decisions.

    Raises
    ------
    ValueError
        If there is no such game.
    """
    if name not in GAMES:
        raise ValueError(f"no such game: {name!r}; there are {', '.join(GAMES)}")
    package = __name__.rpartition(".")[0]
    return import_module(f"{package}.{room}.{GAMES[name]}")
