"""One evening of a run: who is where, in what state, who is kin and who knows whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..data_tables import DataError
from ..run_folder import RunFolder, RunFolderError, reading
from ..trade_words import trade_of, trades_played
from .colors import Colors
from .seats import deal_seats
from .states import State, states_on

HIDDEN = frozenset({"bruised", "hiding", "dead", "gone"})
"""Whoever is one of these as the night closes sits in no tavern, wherever he began it."""


class NoSuchNightError(LookupError):
    """A night that was not played."""


@dataclass(frozen=True)
class Person:
    """Somebody as he is tonight.

    Attributes
    ----------
    name, given : str
        In full, and the first of it.
    what : str
        Ancestry and trade as people say it of a man or a woman: "half-orc carter".
    state : frozenset of str
        Of "bruised", "owes", "broke", "hiding", "dead", "banned" and "gone".
    tavern : int
        tavern_id of where he is tonight; 0 at home or nowhere.
    seat : str
        Where he sits: "the settle by the fire"; empty if he is in no tavern.
    """

    patron_id: int
    name: str
    given: str
    ancestry: str
    sex: str  # "female" or "male"
    trade: str  # as in data/trades
    trade_word: str  # as people say it of a man or a woman
    what: str
    rank: str
    temper: str
    household: int
    home_tavern: int
    is_player: bool
    state: frozenset[str]
    tavern: int
    seat: str
    drinks: int
    table_id: int
    stayed: bool
    tell: str  # a habit of his that one could take for a cheat's: "a wet cuff"


@dataclass(frozen=True)
class Evening:
    """An evening of a run, late: what a game master's pack is made for.

    Attributes
    ----------
    night : int
        Counted from 1.
    nights : int
        Of the run in all.
    houses : dict of int to str
        Signs of the taverns by tavern_id.
    people : dict of int to Person
        Everybody who has come by tonight, the dead and those who left included.
    ties : dict of int to frozenset of int
        Whom each knows, besides his kin.
    """

    night: int
    nights: int
    houses: dict[int, str]
    people: dict[int, Person]
    ties: dict[int, frozenset[int]] = field(default_factory=dict)

    def guests(self, tavern: int) -> list[Person]:
        """Who sits in a tavern tonight, by patron_id."""
        return list(self._by_house.get(tavern, ()))

    def household(self, number: int) -> list[Person]:
        """Who is of a household, by patron_id."""
        return list(self._by_household.get(number, ()))

    @cached_property
    def _by_house(self) -> dict[int, list[Person]]:
        return _grouped(self.people.values(), lambda person: person.tavern)

    @cached_property
    def _by_household(self) -> dict[int, list[Person]]:
        return _grouped(self.people.values(), lambda person: person.household)

    def are_kin(self, one: int, other: int) -> bool:
        """Whether two are of one household."""
        return one != other and self.people[one].household == self.people[other].household

    def knows(self, one: int, other: int) -> bool:
        """Whether one knows the other, kin included."""
        return self.are_kin(one, other) or other in self.ties.get(one, frozenset())


def _grouped(people: Iterable[Person], key: Callable[[Person], int]) -> dict[int, list[Person]]:
    found: defaultdict[int, list[Person]] = defaultdict(list)
    for person in people:
        found[key(person)].append(person)
    return dict(found)


def evening_of(run: RunFolder, night: int | None = None) -> Evening:
    """Who is where on a night of a run as it closes, and in what state.

    Parameters
    ----------
    run : RunFolder
        The run.
    night : int, optional
        From 1; left out: the last.

    Returns
    -------
    Evening
        Whoever has come to town by then. Those who were put out, went home hurt or
        ran that night are in no tavern any more.

    Raises
    ------
    NoSuchNightError
        If that night was not played.
    RunFolderError
        If the run lacks a table that is needed, or they do not fit together.
    """
    night = night_of(run, night)
    with reading(run, DataError):
        return _evening(run, night)


def _evening(run: RunFolder, night: int) -> Evening:
    scenario = run.scenario()
    houses = _signs(run, scenario)
    rows = _rows_of(run, night)
    out = _out_on(run, night)
    states = states_on(run, night, rows, scenario)
    where = {each: _place(out.get(each), states[each]) for each in rows}
    seats = deal_seats(run, night, scenario, where)
    make = _Maker(run, scenario, houses)
    people = {
        each: make.person(row, states[each], out.get(each), where[each], seats.get(each, ""))
        for each, row in rows.items()
    }
    return Evening(night, int(run.info["nights"]), houses, people, _ties_on(run, night))


def night_of(run: RunFolder, night: int | None) -> int:
    """A night of a run: the one asked for, or the last.

    Raises
    ------
    NoSuchNightError
        If that night was not played.
    """
    nights = int(run.info["nights"])
    if nights < 1:
        raise NoSuchNightError("no night of this run was played; play one with --nights 1 or more")
    if night is not None and not 1 <= night <= nights:
        played = "only night 1 was" if nights == 1 else f"nights 1 to {nights} were"
        raise NoSuchNightError(f"no night {night}: {played} played")
    return nights if night is None else night


def _signs(run: RunFolder, scenario: Mapping[str, Any]) -> dict[int, str]:
    try:
        signs = [str(tavern["name"]) for tavern in scenario["taverns"]]
    except (KeyError, TypeError) as error:
        problem = "damaged: it does not name the taverns of this run"
        raise RunFolderError(run.path / "scenario.toml", problem) from error
    return dict(enumerate(signs, start=1))


_PERSON = (
    *("patron_id", "name", "ancestry", "sex", "household_id", "temper", "trade", "rank"),
    *("home_tavern", "is_player", "arrived_night", "gone_night", "whereabouts"),
    *("banned_tavern_id", "owes_cp"),
)
_EVENING = ("patron_id", "tavern_id", "table_id", "drinks", "stayed", "condition")


def _rows_of(run: RunFolder, night: int) -> dict[int, dict[str, Any]]:
    """Rows of those who have come to town by a night, by patron_id and in its order."""
    table = run.table("patrons", _PERSON, [("arrived_night", "<=", night)])
    rows = table.sort_values("patron_id").to_dict("records")
    return {int(row["patron_id"]): {str(key): row[key] for key in row} for row in rows}


def _out_on(run: RunFolder, night: int) -> dict[int, dict[str, Any]]:
    """Where everybody was that night, by patron_id."""
    table = run.table("evenings", ("night", *_EVENING), [("night", "==", night)])
    rows = table.to_dict("records")
    return {int(row["patron_id"]): {str(key): row[key] for key in row} for row in rows}


def _place(out: Mapping[str, Any] | None, state: State) -> tuple[int, int]:
    """The tavern he is still in as the night closes, and the table he last sat at there."""
    if out is None or not out["stayed"] or state & HIDDEN:
        return 0, 0
    return int(out["tavern_id"]), int(out["table_id"])


def _ties_on(run: RunFolder, night: int) -> dict[int, frozenset[int]]:
    columns = ["patron_id", "other_id", "since_night"]
    table = run.table("acquaintances", columns, [("since_night", "<=", night)])
    ties: defaultdict[int, set[int]] = defaultdict(set)
    for one, other in zip(table["patron_id"].tolist(), table["other_id"].tolist(), strict=True):
        ties[one].add(other)
        ties[other].add(one)
    return {each: frozenset(known) for each, known in sorted(ties.items())}


def given_of(name: str) -> str:
    """What somebody is called for short: the first word, if that can be a name.

    Examples
    --------
    >>> given_of("Tam Harl"), given_of("[[/r 1d20]] Ann")
    ('Tam', '[[/r 1d20]] Ann')
    """
    first = name.split()[0]
    can_be = first[0].isalpha() and sum(map(str.isalpha, first)) > 1
    return first if can_be else name


class _Maker:
    """Makes people of rows: what it looks up is the same for all."""

    def __init__(
        self, run: RunFolder, scenario: Mapping[str, Any], houses: Mapping[int, str]
    ) -> None:
        self.trades = trades_played(scenario)
        self.colors = Colors.of(run)
        self.homes = {sign: number for number, sign in houses.items()}

    def person(
        self,
        row: Mapping[str, Any],
        state: State,
        out: Mapping[str, Any] | None,
        where: tuple[int, int],
        seat: str,
    ) -> Person:
        """Somebody as he is tonight."""
        name, sex = str(row["name"]), str(row["sex"])
        word = trade_of(str(row["trade"]), sex, self.trades)
        tavern, table = where
        return Person(
            patron_id=int(row["patron_id"]),
            name=name,
            given=given_of(name),
            ancestry=str(row["ancestry"]),
            sex=sex,
            trade=str(row["trade"]),
            trade_word=word,
            what=f"{row['ancestry']} {word}",
            rank=str(row["rank"]),
            temper=str(row["temper"]),
            household=int(row["household_id"]),
            home_tavern=self.homes.get(str(row["home_tavern"]), 0),
            is_player=bool(row["is_player"]),
            state=state,
            tavern=tavern,
            seat=seat,
            drinks=0 if out is None else int(out["drinks"]),
            table_id=table,
            stayed=tavern > 0,
            tell=self.colors.tell_of(int(row["patron_id"]), sex),
        )
