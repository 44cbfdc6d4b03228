"""The words of half-cards that come from tables: what is seen, said, wanted, and how one fights.

The tables are ``data/cards/{looks,says,wants,fights}.toml``; each opens with how its lines
stand and which slots they have. What a line is drawn by is the person (and the night, for
what changes with it), so another person on the page never changes it.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..data_tables import DataError
from ..shipped import shipped
from .evening import Person
from .identity import luck_of

TABLES = ("looks", "says", "wants", "fights")
KEEPERS = ("innkeeper", "bartender")
"""Trades that keep a house, in their own."""
MOST_SEEN = 19
"""Words of the line see/hear with a habit in it."""
PLAIN_SAYING = 3
"""One in so many says what his temper makes of him, whatever has befallen him."""
PRONOUNS = {
    "female": {"he": "she", "him": "her", "his": "her", "himself": "herself"},
    "male": {"he": "he", "him": "him", "his": "his", "himself": "himself"},
}

Lines = dict[str, list[str]]


class Line(NamedTuple):
    """A line of words, and what of the tables it was made of: no two cards of a page share that."""

    text: str
    made_of: tuple[str, ...]


class Situation(NamedTuple):
    """What the record says somebody is in, such as debt: a key of ``wants.toml``, and its slots."""

    name: str
    slots: dict[str, str]


@functools.cache
def table_of(name: str) -> dict[str, dict[str, Any]]:
    """One of the tables of words, by section.

    Raises
    ------
    DataError
        If it cannot be read.

    Examples
    --------
    >>> table_of("fights")["weapons"]["fisher"]
    'an eel spear'
    """
    path = shipped("data") / "cards" / f"{name}.toml"
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(path, f"cannot be read: {error}") from error


class Words:
    """Draws the words of a run's people.

    Parameters
    ----------
    seed, replicate : int
        Of the run.
    night : int
        Tonight.
    """

    def __init__(self, seed: int, replicate: int, night: int) -> None:
        self._run, self._night = (seed, replicate), night

    def looks(self, person: Person) -> Line:
        """What is seen and heard: the same for a person every night, but for his wounds.

        Players may see it, so nothing else on the card has a say in how long it is.
        """
        looks = table_of("looks")
        sign = next((state for state in looks["signs"] if state in person.state), None)
        seen = looks["signs"][sign] if sign else _of(looks["see"], person.trade)
        see = self._drawn(person, "see", seen)
        hear = self._drawn(person, "hear", _of(looks["hear"], person.temper))
        habit = [_filled(person.tell, person)] if person.tell else []
        if n_words(see.text, *habit, hear.text) > MOST_SEEN:
            habit = []
        made_of = (*see.made_of, *habit, *hear.made_of)
        return Line("; ".join([see.text, *habit, hear.text]), made_of)

    def wants(self, person: Person, situations: Sequence[Situation]) -> Line:
        """What he wants tonight: by the first situation, or by his trade."""
        wants = table_of("wants")
        for each in situations:
            lines = wants["states"].get(each.name)
            if lines:
                return self._drawn(person, f"wants {self._night}", lines, each.slots)
        own = wants["trades"].get(person.trade, [])
        lines = [*own, *self._drawn(person, "wants", wants["trades"]["any"]).made_of]
        return self._drawn(person, f"wants {self._night}", lines)

    def says(self, person: Person, situations: Sequence[Situation]) -> Line:
        """Something he says where he has no tale of his own, in quotes."""
        says = table_of("says")
        lines, slots = _of(says["tempers"], person.temper), {}
        is_plain = self._luck(person, f"plain {self._night}") % PLAIN_SAYING == 0
        fitting = [each for each in situations if each.name in says["states"]]
        if fitting and not is_plain:
            lines, slots = says["states"][fitting[0].name], fitting[0].slots
        line = self._drawn(person, f"says {self._night}", lines, slots)
        return line._replace(text=f"“{line.text}”")

    def says_least(self, person: Person) -> Line:
        """The shortest thing that somebody of his temper says."""
        least = min(_of(table_of("says")["tempers"], person.temper), key=n_words)
        return Line(f"“{least}”", (least,))

    def fights(self, person: Person, block: str) -> str:
        """How he fights: by a block of the free rules, with what, and in which manner."""
        fights = table_of("fights")
        weapon = _of(fights["weapons"], person.trade)
        manner = self._drawn(person, "fights", _of(fights["manners"], person.temper)).text
        return f"Fights like a {block}, with {weapon}; {manner}."

    def _drawn(
        self,
        person: Person,
        what: str,
        lines: Sequence[str],
        slots: Mapping[str, str] | None = None,
    ) -> Line:
        line = lines[self._luck(person, what) % len(lines)]
        return Line(_filled(line, person, slots or {}), (line,))

    def _luck(self, person: Person, what: str) -> int:
        return luck_of("card", *self._run, person.patron_id, what)


def _of(lists: Mapping[str, Any], name: str) -> Any:
    """The entry of a trade or temper; of one that is not there, that for any, or the first."""
    return lists.get(name) or lists.get("any") or next(iter(lists.values()))


def _filled(line: str, person: Person, slots: Mapping[str, str] | None = None) -> str:
    return line.format(**PRONOUNS.get(person.sex, PRONOUNS["male"]), **(slots or {}))


def is_keeper(person: Person) -> bool:
    """Whether he is behind the bar of his own house tonight."""
    return person.trade in KEEPERS and person.tavern == person.home_tavern != 0


def n_words(*lines: str) -> int:
    """Words in some lines together.

    Examples
    --------
    >>> n_words("good gloves, kept on; lets silences run", "none")
    8
    """
    return sum(len(line.split()) for line in lines)
