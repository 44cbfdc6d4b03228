"""Notable events: a row each, with a sentence for people and columns for machines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .games import GAMES, load_game
from .tables.happenings import KINDS as AT_ANY_TABLE
from .tables.happenings import Event, Person, Round, Teller, plain_event
from .town.fortunes import KINDS as OF_HOUSES
from .town.loans import KINDS as OF_DEBTS

__all__ = ["Event", "Person", "Round", "event_kinds", "events_of_round", "plain_event", "title_of"]

OF_THE_DAY = {
    "not_opened": "a table or an event that found too few people all night; text says why",
    "arrived": "a newcomer",
    "left": "left town for good with amount_cp",
    "unpaid": "a house could not pay amount_cp of its bills",
}
"""Kinds of event that happen at no table."""
FROM_OUTSIDE = {
    "died": "died at nobody's hand (put in from outside); amount_cp is the purse he leaves. Who "
    "was killed so is `killed` in round 0: other_id did it, 0 strangers",
    "given": "had amount_cp from other_id, 0 from outside the town (put in)",
    "taken": "lost amount_cp to somebody from outside the town (put in)",
    "denounced": "called other_id a cheat before the people of his house (put in)",
    "planted": "took to telling a rumour about other_id that was put into his mouth",
}
"""Kinds of event that are put in from outside; so may `killed` and `left` be, in round 0."""


def event_kinds() -> dict[str, str]:
    """Every kind of event and what it means, those of each game first."""
    kinds: dict[str, str] = {}
    for game in GAMES:
        kinds |= getattr(load_game(game, "tables"), "KINDS", {})
    return kinds | AT_ANY_TABLE | OF_DEBTS | OF_HOUSES | OF_THE_DAY | FROM_OUTSIDE


def title_of(game: str, options: Mapping[str, Any], data: str | None) -> str:
    """What is played, to begin a sentence with: the game's own title, or its name."""
    own = getattr(load_game(game, "tables"), "title_of", None)
    title = own(options, data) if own else game.replace("-", " ")
    return f"{title[0].upper()}{title[1:]}"


def events_of_round(
    played: Round,
    who: Callable[[int], Person],
    house: str,
    dc: int,
    options: Mapping[str, Any] | None = None,
) -> Iterator[Event]:
    """The events of one round, as its game tells them, in the order they happened.

    Parameters
    ----------
    who : callable
        The person in a row.
    house : str
        Name of the tavern.
    dc : int
        The house's DC of a Thievery check.
    options : mapping, optional
        The options of the table by name.
    """
    game = list(GAMES)[played.cell["game"]]
    teller = Teller(played, who, house, dc, options or {})
    yield from load_game(game, "tables").tell_round(teller)
