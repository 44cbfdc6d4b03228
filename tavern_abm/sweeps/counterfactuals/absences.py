"""Who or what is left out of a town while nobody else's dice, ids or tables move.

A person leaves for good on the first morning. A house stays shut from the first evening. A
game is played at no table. What follows from that (a place that falls vacant, guests who go
elsewhere, seats that others take) is what one wants to see; all other draws stay as they are,
since places in lists, ids and the numbers of tables do.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ...scenario.problems import nearest
from ..errors import SweepError

if TYPE_CHECKING:
    from ...model import TavernModel
    from ...scenario import Scenario

__all__ = ["Absence", "absences_in", "leave_out", "told", "verify_left"]

UNPAYABLE = 10**15
"""A stake, in cp, that nobody holds: whoever looks for a game looks elsewhere."""
MOST_LISTED = 12


class Absence(NamedTuple):
    """Somebody or something that is not there.

    Attributes
    ----------
    kind : "person", "house" or "game"
        Of what kind.
    name : str
        As the town spells it.
    """

    kind: Literal["person", "house", "game"]
    name: str


def absences_in(model: TavernModel, names: Iterable[str]) -> tuple[Absence, ...]:
    """Who and what of a town is meant by some names.

    Parameters
    ----------
    model : TavernModel
        The town before its first night.
    names : iterable of str
        Of people, houses or games; capitals do not matter, nor a "The" before a house.

    Raises
    ------
    SweepError
        If nobody and nothing in town is called so, or one is named twice.

    Examples
    --------
    >>> from tavern_abm import TavernModel
    >>> absences_in(TavernModel("rusty-flagon", rng=1), ["odo atwater", "magic-wand"])
    (Absence(kind='person', name='Odo Atwater'), Absence(kind='game', name='magic-wand'))
    """
    found = tuple(_absence(model, " ".join(name.split())) for name in names)
    for each in found:
        if found.count(each) > 1:
            raise SweepError(f"--without {each.name!r} is given twice")
    return found


def _absence(model: TavernModel, name: str) -> Absence:
    people = [model.name_of(row) for row in range(model.n_rows)]
    known = {
        **{_folded(game): Absence("game", game) for game in model.playing.games},
        **{tavern.name.casefold(): Absence("house", tavern.name) for tavern in _houses(model)},
        **{each.casefold(): Absence("person", each) for each in people},
    }
    wanted = name.casefold()
    for each in (wanted, _folded(name), f"the {wanted}"):
        if each in known:
            return known[each]
    raise SweepError(
        f"nobody, no house and no game in town is called {name!r} {_hint(model, name)}"
    )


def _hint(model: TavernModel, name: str) -> str:
    houses, games = [tavern.name for tavern in _houses(model)], model.playing.games
    people = [model.name_of(row) for row in range(model.n_rows)]
    meant = nearest(name, [*people, *houses, *games])
    listed = f"houses: {_listed(houses)}; games: {_listed(games)}"
    guess = f"did you mean {meant!r}? " if meant else ""
    return f"({guess}{listed}; for people see patrons in a run of seed {model.seed})"


def _listed(names: list[str]) -> str:
    more = len(names) - MOST_LISTED
    return ", ".join(names[:MOST_LISTED]) + (f" and {more:,} more" if more > 0 else "")


def _folded(game: str) -> str:
    return game.casefold().replace(" ", "-")


def _houses(model: TavernModel) -> Any:
    return model.scenario.taverns


def is_pinned(absence: Absence, scenario: Scenario) -> bool:
    """Whether it is there whatever the seed: a house, a game, or a person whom the file names."""
    return absence.kind != "person" or absence.name in {person.name for person in scenario.people}


def verify_left(model: TavernModel, absences: Iterable[Absence]) -> None:
    """See that a town is left to play in without them.

    Raises
    ------
    SweepError
        If they are all of its houses.
    """
    shut = {each.name for each in absences if each.kind == "house"}
    if shut and shut >= {tavern.name for tavern in _houses(model)}:
        listed = " and ".join(f"{name!r}" for name in sorted(shut))
        raise SweepError(f"without {listed} the town has no house left to go to; leave one open")


def leave_out(model: TavernModel, absences: Iterable[Absence]) -> None:
    """Take them out of a model before its first night.

    Parameters
    ----------
    model : TavernModel
        New: its people are there, and no night has been played.
    """
    ways = {"person": _send_away, "house": _shut, "game": _put_away}
    for each in absences:
        ways[each.kind](model, each.name)


def _send_away(model: TavernModel, name: str) -> None:
    from ...continuing import put_in
    from ...continuing.interventions import Entry, Left

    put_in(model, [Entry(Left(who=name, night=1), "left", 1, "--without", None)])


def _shut(model: TavernModel, name: str) -> None:
    """Its till stays in it, untouched; those whose home it was have another, by the same lots."""
    from ...town.districts import rehome

    at = [tavern.name for tavern in _houses(model)].index(name)
    model.houses.is_open[at] = 0
    rehome(model.people, model.sheet, model.run_key, model.scenario, model.houses)


def _put_away(model: TavernModel, game: str) -> None:
    """No room for it has a table, and no yard an event; all others keep their numbers."""
    playing, menu = model.playing, model.playing.menu
    gone = {place.number for place in playing.room_plan if place.game == game}
    for kind, rooms in playing.rooms.items():
        if kind[0] == game:
            rooms.n_tables[:] = rooms.is_open[:] = 0
    for at, room in enumerate(menu.room.tolist()):
        if room in gone:
            menu.stake[at] = UNPAYABLE
    playing.room_plan = [_without_tables(place, game) for place in playing.room_plan]
    playing.event_plan = [place for place in playing.event_plan if place.game != game]
    _let_last_rooms_take_all(model, gone)


def _without_tables(place: Any, game: str) -> Any:
    if place.game != game:
        return place
    return place._replace(what=place.what.model_copy(update={"count": 0}))


def _let_last_rooms_take_all(model: TavernModel, gone: set[int]) -> None:
    """Where the room is gone that took in everybody, the last one left does, as if planned so."""
    plan = [place for place in model.playing.room_plan if place.number not in gone]
    of_taverns = {
        place.tavern: [each for each in plan if each.tavern == place.tavern] for place in plan
    }
    for places in of_taverns.values():
        if places[-1].what.count == "auto" or len(places) == 1:
            for rooms in model.playing.rooms.values():
                rooms.is_open[rooms.number == places[-1].number] = 1


def told(absence: Absence) -> str:
    """In a sentence, what is done to leave it out.

    Examples
    --------
    >>> told(Absence("game", "magic-wand"))
    'Magic wand is played at no table and in no yard.'
    """
    name = absence.name
    if absence.kind == "person":
        return f"{name} leaves town for good on the morning of night 1, with the purse."
    if absence.kind == "house":
        return f"{name} stays shut from night 1; those whose house it was have another."
    return f"{name.replace('-', ' ').capitalize()} is played at no table and in no yard."
