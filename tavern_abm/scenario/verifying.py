"""Names in a scenario that must be known elsewhere: in data tables, games or itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..asking import RefusedError, read_options
from ..data_tables import DataError
from ..games import GAMES, load_game
from .messages import Place, dotted
from .positions import Path
from .problems import Problem, ScenarioError, unknown_name
from .schema import Scenario, TableOfGames, Tavern, YardEvent

if TYPE_CHECKING:
    from ..data_tables import DataTables

Finding = tuple[Path, str]
"""Where in the scenario, and what is wrong there."""


def verify_scenario(
    scenario: Scenario, data: DataTables, locate: Callable[[Path], Place] | None = None
) -> None:
    """Make sure that every name in a scenario means something.

    Parameters
    ----------
    scenario : Scenario
        Already of the right shape.
    data : DataTables
        The tables with the trades, ancestries and customs that it may name.
    locate : callable, optional
        Gives file and line of a path, for the messages.

    Raises
    ------
    ScenarioError
        With all unknown and all doubled names.
    """
    findings = [*_findings(scenario, data)]
    if findings:
        where = locate or (lambda path: (scenario.name, None))
        raise ScenarioError(*(Problem(*where(path), dotted(path), text) for path, text in findings))


def naming_problems(scenario: Scenario, locate: Callable[[Path], Place]) -> list[Problem]:
    """What `verify_scenario` finds with the data tables that the scenario asks for."""
    from ..data_tables import load_tables
    from ..tables.chase_ways import ways_by_house

    try:
        verify_scenario(scenario, load_tables(scenario.data), locate)
        ways_by_house(scenario.data, [tavern.district for tavern in scenario.taverns])
    except ScenarioError as error:
        return list(error.problems)
    except DataError as error:
        return [Problem(error.path, error.line, error.entry, error.problem)]
    return []


def _findings(scenario: Scenario, data: DataTables) -> Iterator[Finding]:
    population, houses = scenario.population, [tavern.name for tavern in scenario.taverns]
    at = ("population", "ancestries")
    yield from _unknown_keys(at, population.ancestries, "ancestry", data.ancestries)
    yield from _unknown_keys(("population", "trades"), population.trades, "trade", data.trades)
    at = ("population", "gamblers")
    yield from _unknown_keys(at, population.gamblers, "preset of gamblers", data.gamblers)
    yield from _unknown_keys(
        ("economy", "wages_cp"), scenario.economy.wages_cp, "trade", data.trades
    )
    yield from _sounding_alike("taverns", houses)
    yield from _in_districts(scenario, data)
    yield from _in_taverns(scenario, data)
    yield from _doubled("people", [person.name for person in scenario.people])
    whole = _filled(scenario, data)
    yield from _where_houses_stand(scenario, whole)
    yield from _in_people(whole, data)


def _filled(scenario: Scenario, data: DataTables) -> Scenario:
    """The scenario with the patrons and the houses of its town, where people may be at home."""
    if scenario.town is None:
        return scenario
    from ..founding.towns import filled

    return filled(scenario, data)


def _where_houses_stand(scenario: Scenario, whole: Scenario) -> Iterator[Finding]:
    """Houses of a town that is founded, in districts that it has not.

    Where no town is, a house may stand in a district of its own.
    """
    if scenario.town is None or "taverns" not in scenario.model_fields_set:
        return
    unsaid = Tavern.model_fields["district"].default
    names = [district.name for district in whole.districts]
    for number, tavern in enumerate(scenario.taverns):
        if tavern.district != unsaid:
            yield from _unknown(("taverns", number, "district"), tavern.district, "district", names)


def _in_districts(scenario: Scenario, data: DataTables) -> Iterator[Finding]:
    names = [district.name for district in scenario.districts]
    yield from _doubled("districts", names)
    for number, district in enumerate(scenario.districts):
        at = ("districts", number)
        for place, near in enumerate(district.near):
            yield from _unknown((*at, "near", place), near, "district", names)
        yield from _unknown_keys(
            (*at, "ancestries"), district.ancestries, "ancestry", data.ancestries
        )
        yield from _unknown_keys((*at, "trades"), district.trades, "trade", data.trades)
    if names and not any(district.share for district in scenario.districts):
        yield ("districts",), "needs one with a share above 0"


def _in_taverns(scenario: Scenario, data: DataTables) -> Iterator[Finding]:
    for number, tavern in enumerate(scenario.taverns):
        at = ("taverns", number)
        yield from _unknown((*at, "custom"), tavern.custom, "custom", data.customs)
        if tavern.own_dice and tavern.custom == "orc":
            yield (*at, "own_dice"), "orcs let nobody throw dice of his own (got true)"
        for place, table in enumerate(tavern.tables):
            yield from _in_table((*at, "tables", place), table, scenario)
        for place, event in enumerate(tavern.yard):
            yield from _in_event((*at, "yard", place), event, scenario)
        yield from _at_once(at, tavern.yard)


def _in_table(at: Path, table: TableOfGames, scenario: Scenario) -> Iterator[Finding]:
    misplaced = _misplaced(table.game, "table")
    if misplaced:
        yield (*at, "game"), misplaced
        return
    game = load_game(table.game)
    if not game.MIN_SEATS <= table.seats <= game.MAX_SEATS:
        allowed = f"{table.game} has {game.MIN_SEATS} to {game.MAX_SEATS} seats"
        yield (*at, "seats"), f"{allowed} (got {table.seats})"
    yield from _in_options(at, table.game, table.options, scenario)


def _in_event(at: Path, event: YardEvent, scenario: Scenario) -> Iterator[Finding]:
    misplaced = _misplaced(event.game, "yard")
    if misplaced:
        yield (*at, "game"), misplaced
        return
    per_sitting = scenario.rounds_per_sitting
    starts = range(1, scenario.rounds_per_night + 1, per_sitting)
    for place, round_ in enumerate(event.rounds):
        if round_ not in starts:
            some = ", ".join(map(str, starts[:6])) + (" ..." if len(starts) > 6 else "")
            text = f"an event is held as a sitting begins: {some or 'never'} (got {round_})"
            yield (*at, "rounds", place), text
    yield from _in_options(at, event.game, event.options, scenario)


_ELSEWHERE = {
    "table": "is not held in a yard; give it [[taverns.tables]]",
    "yard": "is not played at a table; give it [[taverns.yard]]",
    "street": "is played with `tavern play {game}` alone, not in an evening",
}
"""What to do with a game that a scenario has elsewhere, by where it belongs."""


def _misplaced(game: str, place: str) -> str | None:
    """Say that a game is unknown, or not one for a ``table`` or ``yard``; None if it is."""
    if game not in GAMES:
        fitting = [name for name in GAMES if place == load_game(name).PLACE]
        return unknown_name("game", game, fitting)
    belongs = load_game(game).PLACE
    return None if belongs == place else f"{game} {_ELSEWHERE[belongs].format(game=game)}"


def _at_once(at: Path, yard: Sequence[YardEvent]) -> Iterator[Finding]:
    """Rounds in which a house would hold two events: nobody can be in both."""
    taken: dict[int, int] = {}
    for number, event in enumerate(yard):
        for place, round_ in enumerate(event.rounds):
            first = taken.setdefault(round_, number)
            path = (*at, "yard", number, "rounds", place)
            if first != number:
                name = dotted((*at, "yard", first))
                text = f"{name} is held in this round, and nobody can be in both (got {round_})"
                yield path, text
            elif round_ in event.rounds[:place]:
                yield path, f"must not be named twice (got {round_})"


def _in_options(
    at: Path, game: str, given: Mapping[str, Any], scenario: Scenario
) -> Iterator[Finding]:
    try:
        values = read_options(load_game(game).OPTIONS, given, f"option of {game}")
        tables = load_game(game, "tables")
        if hasattr(tables, "verify_options"):
            tables.verify_options(values, scenario.data)
    except RefusedError as error:
        yield (*at, "options", *([error.option] if error.option else [])), str(error)
    except DataError as error:
        yield (*at, "options"), str(error)


def _in_people(scenario: Scenario, data: DataTables) -> Iterator[Finding]:
    houses = [tavern.name for tavern in scenario.taverns]
    for number, person in enumerate(scenario.people):
        at = ("people", number)
        yield from _unknown((*at, "ancestry"), person.ancestry, "ancestry", data.ancestries)
        yield from _unknown((*at, "trade"), person.trade, "trade", data.trades)
        yield from _unknown((*at, "home"), person.home, "tavern", houses)
        yield from _unknown((*at, "gambler"), person.gambler, "preset of gamblers", data.gamblers)
    pinned = len(scenario.people)
    if pinned > scenario.patrons:
        text = f"{pinned} people are pinned by name, so patrons must be at least {pinned}"
        yield ("people",), f"{text} (got {scenario.patrons})"


def _unknown(at: Path, given: str | None, kind: str, known: Iterable[str]) -> Iterator[Finding]:
    if given is not None and given not in known:
        yield at, unknown_name(kind, given, known)


def _unknown_keys(
    at: Path, given: Mapping[str, Any], kind: str, known: Iterable[str]
) -> Iterator[Finding]:
    for name in given:
        yield from _unknown((*at, name), name, kind, known)


def _doubled(kind: str, names: list[str]) -> Iterator[Finding]:
    for number, name in enumerate(names):
        if name in names[:number]:
            first = f"{kind}.{names.index(name)}"
            yield (kind, number, "name"), f"must differ from that of {first} (got {name!r})"


def _sounding_alike(kind: str, names: list[str]) -> Iterator[Finding]:
    """Names that are the same, or differ in nothing but capitals and blanks."""
    spoken = [" ".join(name.split()).casefold() for name in names]
    for number, name in enumerate(names):
        same = name in names[:number]
        first = names.index(name) if same else spoken.index(spoken[number])
        if first < number:
            written = "" if same else f", {names[first]!r}, by more than capitals and blanks"
            text = f"must differ from that of {kind}.{first}{written} (got {name!r})"
            yield (kind, number, "name"), text
