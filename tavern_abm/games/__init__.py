"""The games. A new one is a file here and a line in `GAMES`."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

GAMES = {
    "rotting-toes": "rotting_toes",
    "magic-wand": "magic_wand",
    "arm-wrestling": "arm_wrestling",
    "long-throw": "long_throw",
    "race": "race",
    "chase": "chase",
    "heads-or-tails": "heads_or_tails",
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


def game_number(name: str) -> int:
    """A game's place in `GAMES`, from 0: how records name it."""
    return list(GAMES).index(name)


def about(name: str) -> str:
    """What a game is, in one line."""
    return str(load_game(name).ABOUT)
