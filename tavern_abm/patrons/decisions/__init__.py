"""Decisions: what people choose, one file a game, and some for life around the tables.

Every decision is a plain function listed in its file's `DECISIONS`. A `Policy`
is the set of them a model runs with; a user may put his own in place of any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import Any

type Decision = Callable[..., Any]

AROUND_THE_TABLES = ("general", "justice", "lending", "talk")
"""Files of decisions that belong to no game."""


@cache
def shipped_decisions() -> dict[str, Decision]:
    """Every decision by its name, as the package ships it."""
    from ...games import GAMES, load_game

    found: dict[str, Decision] = {}
    for name in AROUND_THE_TABLES:
        found.update(import_module(f".{name}", __name__).DECISIONS)
    for game in GAMES:
        found.update(load_game(game, "patrons.decisions").DECISIONS)
    return found


class Policy:
    """How people decide, with a user's own functions in place of some of ours.

    A function of one's own takes the arguments of the one it replaces and
    returns the same kind of value. It is compiled into the kernels; one that
    cannot be compiled is asked in plain Python.

    Parameters
    ----------
    **own : callable
        By the name of the decision: see `shipped_decisions`.

    Raises
    ------
    TypeError
        If there is no such decision, or what is given is no function.

    Examples
    --------
    >>> never = lambda patron, toes, stake, restraint, night, minds, u: False
    >>> policy = Policy(tries_to_cheat=never)
    >>> policy["tries_to_cheat"] is never
    True
    """

    def __init__(self, **own: Decision) -> None:
        known = shipped_decisions()
        for name in own:
            if name not in known:
                near = get_close_matches(name, known, n=1)
                hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
                raise TypeError(f"no such decision: {name!r} ({hint})")
            if not callable(own[name]):
                raise TypeError(f"{name} must be a function (got {own[name]!r})")
        self._own = dict(own)

    def __getitem__(self, name: str) -> Decision:
        """The function that decides `name`."""
        return self._own.get(name) or shipped_decisions()[name]

    def __iter__(self) -> Iterator[str]:
        """Names of all decisions."""
        return iter(shipped_decisions())

    def __repr__(self) -> str:
        """As it was made."""
        own = ", ".join(f"{name}={each!r}" for name, each in self._own.items())
        return f"Policy({own})"

    def choices(self, kind: Any) -> Any:
        """The decisions that a table asks for, as the NamedTuple it names them in."""
        return kind._make(self[name] for name in kind._fields)
