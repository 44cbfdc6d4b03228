"""The whole pack of an evening: rumours, the people in them, and situations to walk into."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from .balance import MIX
from .documents import Card, Pack, Rumor, SessionHook
from .evening import NoSuchNightError
from .memory import Memory
from .own_words import says_of
from .pages import title_of
from .rumors import (
    Evenings,
    NothingToTellError,
    TooFewError,
    of_run,
    rumors_of,
    wanted_of,
)

if TYPE_CHECKING:
    from ..run_folder import RunFolder
    from .ahead import Ahead

PEOPLE, SITUATIONS = 12, 5
"""Cards and hooks of a pack, unless more or fewer are asked for."""


class NoSuchTavernError(LookupError):
    """No house of that name."""


PACK_ERRORS = (NoSuchNightError, NoSuchTavernError, NothingToTellError, TooFewError)
"""What `make_pack` raises where something was asked for that there is not: one line each."""


def make_pack(
    run: RunFolder,
    *,
    night: int | None = None,
    tavern: int | str | None = None,
    count: int | str | None = None,
    mix: Sequence[float] = MIX,
    kinds: Iterable[str] | None = None,
    strength: int | None = None,
    seen: Memory | None = None,
    draw: int = 0,
    people: int = PEOPLE,
    situations: int = SITUATIONS,
    ahead: Ahead | int | None = None,
    progress: Callable[[], object] | None = None,
) -> Pack:
    """A game master's pack of one evening.

    Parameters
    ----------
    run : RunFolder
        The run.
    night : int, optional
        Of the run; the last if left out.
    tavern : int or str, optional
        The house by its number or sign; all of them if left out.
    count, mix, kinds, strength, seen, draw
        Of the rumours, as `rumors.make_rumors` has them.
    people, situations : int
        How many cards and hooks, if there are so many. Cards are of the people of the hooks
        first, then of those in the rumours.
    ahead : Ahead or int, optional
        How things went on, as `hooks.hooks_of` takes it; or for how many nights to look
        ahead. Left out, no situation says what comes of it if nobody acts.
    progress : callable, optional
        Called after each night that the run is played on for that.

    Raises
    ------
    NoSuchNightError, NoSuchTavernError, NothingToTellError, TooFewError
        If something was asked for that there is not; together they are `PACK_ERRORS`.
    """
    house = tavern_of(run, tavern) if isinstance(tavern, str) else tavern
    wanted = wanted_of(
        night=night,
        tavern=house,
        count=count,
        mix=mix,
        kinds=kinds,
        strength=strength,
        draw=draw,
    )
    of = of_run(run, night, house)
    made = rumors_of(of, wanted, seen or Memory())
    hooks = _hooks(run, of, house, situations, _ahead(run, of, ahead, progress))
    return Pack(
        title=title_of(run, of.evening.night, house),
        run=_about(run.info),
        night=of.evening.night,
        taverns=dict(of.evening.houses),
        rumors=tuple(made.rumors),
        notes=made.notes,
        cards=_cards(run, of, house, people, made.rumors, first_of(hooks)),
        hooks=hooks,
    )


def tavern_of(run: RunFolder, name: str) -> int:
    """The number of a house by its sign or a part of it, whatever the capitals, or its number.

    Raises
    ------
    NoSuchTavernError
        If there is none; the message names the nearest.
    """
    signs = [str(tavern["name"]) for tavern in run.scenario()["taverns"]]
    spoken = [_spoken(sign) for sign in signs]
    if _spoken(name) in spoken:
        return spoken.index(_spoken(name)) + 1
    if name.isdecimal() and 1 <= int(name) <= len(signs):
        return int(name)
    parts = [
        at
        for at, sign in enumerate(spoken, start=1)
        if _spoken(name) in sign or name.casefold() in signs[at - 1].casefold()
    ]
    if len(parts) == 1 and name.strip():
        return parts[0]
    if len(parts) > 1 and name.strip():
        fitting = _all([signs[part - 1] for part in parts], "")
        raise NoSuchTavernError(f"several houses fit {name!r}: {fitting}")
    close = get_close_matches(_spoken(name), spoken, n=1, cutoff=0.5)
    hint = f"did you mean {signs[spoken.index(close[0])]!r}?" if close else _all(signs)
    raise NoSuchTavernError(f"no house is called {name!r}; {hint}")


def _spoken(sign: str) -> str:
    """A sign as it is said: without capitals, article and apostrophes."""
    words = "".join(sign.casefold().replace("’", "'").split("'")).split()
    return " ".join(words[1:] if words[:1] == ["the"] and len(words) > 1 else words)


def _all(signs: Sequence[str], lead: str = "this run has ") -> str:
    most = 12
    more = ", ..." if len(signs) > most else ""
    return f"{lead}{', '.join(signs[:most])}{more}"


def _about(info: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "scenario": info["scenario"],
        "seed": info["seed"],
        "replicate": info.get("replicate", 0),
        "version": info.get("versions", {}).get("tavern_abm", ""),
        "nights": info["nights"],
    }


def _cards(
    run: RunFolder,
    of: Evenings,
    house: int | None,
    n: int,
    rumors: Sequence[Rumor],
    first: Sequence[int],
) -> tuple[Card, ...]:
    """Cards of some people, each with a line that none of the rumours has."""
    from .cards import NoCardError, cards_of

    if n < 1:
        return ()
    says = says_of(of, unless={rumor.wording for rumor in rumors})
    try:
        made = cards_of(
            run, of.evening, tavern=house, count=n, rumors=rumors, says=says, first=first
        )
        return tuple(made)
    except NoCardError:
        return ()


def first_of(hooks: Sequence[SessionHook]) -> list[int]:
    """The two people whom each situation turns on: all the first ones, then all the second."""
    return [hook.people[at] for at in range(2) for hook in hooks if len(hook.people) > at]


def _hooks(
    run: RunFolder, of: Evenings, house: int | None, n: int, ahead: Ahead | None
) -> tuple[SessionHook, ...]:
    from .hooks import hooks_of

    return tuple(hooks_of(run, of.evening, tavern=house, count=n, ahead=ahead)) if n > 0 else ()


def _ahead(
    run: RunFolder,
    of: Evenings,
    ahead: Ahead | int | None,
    progress: Callable[[], object] | None,
) -> Ahead | None:
    """How things went on, looked up or played if need be."""
    if not isinstance(ahead, int):
        return ahead
    from .ahead import ahead_of

    return ahead_of(run, of.evening.night, ahead, progress)
