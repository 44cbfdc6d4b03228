"""One evening of a run: who is where, in what state, who is kin and who knows whom."""

from __future__ import annotations

from dataclasses import dataclass, field


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
        return [person for person in self.people.values() if person.tavern == tavern]

    def are_kin(self, one: int, other: int) -> bool:
        """Whether two are of one household."""
        return one != other and self.people[one].household == self.people[other].household

    def knows(self, one: int, other: int) -> bool:
        """Whether one knows the other, kin included."""
        return self.are_kin(one, other) or other in self.ties.get(one, frozenset())
