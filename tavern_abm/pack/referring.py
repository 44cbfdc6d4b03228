"""Whom an utterance is about, in words: names by what the teller knows, and pronouns that are safe.

His kin he calls his kin, whom he knows he names, and of a stranger he says what a stranger
would: the byname and the trade, whose brother it is, or in a pinch what he looks like and
where he drinks. In whatever words, a listener can go and find everybody who is spoken of.

A pronoun is said only where it can mean but one: otherwise the name stands in its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..rumor_words import in_passing
from .evening import Evening, Person, given_of
from .identity import luck_of
from .speech import pick

TITLES = frozenset(("Lady", "Lord", "Sir", "Dame", "Mother", "Father", "Old", "Master"))
"""What may stand before a given name and goes with it."""
SECRET_TRADES = frozenset(("thief",))
"""What nobody is called by those who do not know."""
UNCALLED = SECRET_TRADES | {"noble"}
"""What nobody has behind his byname."""
PRONOUNS = {
    "male": {"he": "he", "him": "him", "his": "his", "himself": "himself"},
    "female": {"he": "she", "him": "her", "his": "her", "himself": "herself"},
}
_COUSINS = 3
"""Of so many households one is of cousins."""


class UnfitError(Exception):
    """Somebody cannot be spoken of in these words."""


class Reference(NamedTuple):
    """How somebody is spoken of: the first time, and after that."""

    first: str
    again: str
    through: int = 0  # patron_id of another whom the words name; 0 for nobody


def kin_word(evening: Evening, teller: int, who: int) -> str:
    """What somebody is to his kin: one household is of siblings, another of cousins.

    Nobody's age is known, so nobody is anybody's child. Kin of another byname or of
    another people are cousins.

    Returns
    -------
    str
        "brother", "sister" or "cousin".
    """
    one, other = evening.people[teller], evening.people[who]
    is_close = one.ancestry == other.ancestry and byname_of(one) == byname_of(other)
    if not is_close or luck_of("kin", one.household) % _COUSINS == 0:
        return "cousin"
    return "sister" if other.sex == "female" else "brother"


def short_name(person: Person) -> str:
    """What somebody is called who was named before: the given name, with a title if he has one.

    Examples
    --------
    >>> from tavern_abm.pack.samples import somebody
    >>> short_name(somebody("Lady Ysolde Vane")), short_name(somebody("Tam Harl"))
    ('Lady Ysolde', 'Tam')
    >>> short_name(somebody("[[/r 1d20]] Ann"))
    '[[/r 1d20]] Ann'
    """
    first, *rest = person.name.split() or [person.name]
    return f"{first} {rest[0]}" if first in TITLES and len(rest) > 1 else given_of(person.name)


def byname_of(person: Person) -> str:
    """What stands behind the given name: a byname, and an epithet if there is one.

    Examples
    --------
    >>> from tavern_abm.pack.samples import somebody
    >>> byname_of(somebody("Tam Harl")), byname_of(somebody("Otto Quickley the Younger"))
    ('Harl', 'Quickley the Younger')
    """
    return person.name.removeprefix(short_name(person)).strip()


class Names:
    """Names and pronouns of one utterance, in the order in which they are asked for.

    Parameters
    ----------
    evening : Evening
        Who is who.
    teller : int
        patron_id of who speaks.
    cast : sequence of int
        Everybody whom the utterance may name.

    Attributes
    ----------
    is_quoted : bool
        Whether somebody else speaks just now: then nobody is "my brother".
    """

    def __init__(self, evening: Evening, teller: int, cast: Sequence[int]) -> None:
        self.evening, self.teller, self.is_quoted = evening, teller, False
        self.cast = tuple(one for one in dict.fromkeys(cast) if one in evening.people)
        self.named: dict[int, Reference] = {}
        self.through: set[int] = set()
        self._last = 0
        self._awaited = 0  # of whom a pronoun was said before his name
        self._is_described = False

    def name(self, who: int) -> str:
        """The name of somebody, at length the first time.

        Raises
        ------
        UnfitError
            If it is the teller, who says I, or nobody.
        """
        if who == self.teller or who not in self.evening.people or self._is_taken_for(who):
            raise UnfitError
        self._last, self._awaited = who, 0
        if who in self.named:
            return self.named[who].again
        self.named[who] = said = self._reference(who)
        if said.through:
            self.through.add(said.through)
        return said.first

    def pronoun(self, who: int, form: str) -> str:
        """He, him, his or himself for somebody, or his name where that could mean another.

        Parameters
        ----------
        who : int
            patron_id.
        form : {"he", "him", "his", "himself"}
            As it is for a man.

        Raises
        ------
        UnfitError
            If it is the teller, or no name can stand in its place.
        """
        if who == self.teller or who not in self.evening.people:
            raise UnfitError
        if self._is_clear(who):
            self._awaited = 0 if who in self.named else who
            self._last = who if who in self.named else self._last
            return PRONOUNS[self.evening.people[who].sex][form]
        if form == "himself":
            raise UnfitError
        name = self.name(who)
        return f"{name}'s" if form == "his" else name

    def _is_taken_for(self, who: int) -> bool:
        """Whether a pronoun was said of another that would now seem to be his."""
        people = self.evening.people
        waits = self._awaited not in (0, who)
        return waits and people[self._awaited].sex == people[who].sex

    def _is_clear(self, who: int) -> bool:
        """Whether a pronoun means him and nobody else who was named."""
        if self._last in (0, who):
            return True
        sexes = {self.evening.people[one].sex for one in (*self.named, *self.through) if one != who}
        return self.evening.people[who].sex not in sexes

    # ------------------------------------------------------------- references

    def _reference(self, who: int) -> Reference:
        """How the teller speaks of somebody."""
        person = self.evening.people[who]
        again = self._again(who)
        if self.is_quoted:
            return Reference(person.name, again)
        if self.evening.are_kin(self.teller, who):
            kin = kin_word(self.evening, self.teller, who)
            return Reference(f"my {kin} {self._in_the_family(person)}", again)
        if self.evening.knows(self.teller, who):
            return Reference(person.name, again)
        return self._of_stranger(person, again)

    def _in_the_family(self, person: Person) -> str:
        """What his kin call somebody: his given name, if no other of them has it."""
        short = short_name(person)
        shared = any(short_name(each) == short for each in _household(self.evening, person))
        return person.name if shared else short

    def _again(self, who: int) -> str:
        """The short name, or all of it where another of the cast is called the same."""
        person = self.evening.people[who]
        others = (self.evening.people[one] for one in (*self.cast, self.teller) if one != who)
        short = short_name(person)
        return person.name if any(short_name(each) == short for each in others) else short

    def _of_stranger(self, person: Person, again: str) -> Reference:
        """Somebody the teller knows by sight or by name only."""
        plain = [Reference(person.name, again), *self._by_trade(person)]
        others = [] if self._is_described else self._described(person)
        chosen = pick([*plain, *others], "name", self.teller, person.patron_id)
        self._is_described |= chosen in others
        return chosen

    def _by_trade(self, person: Person) -> list[Reference]:
        """By his byname and what he does, where there is only one: "Harl the carter"."""
        byname, trade = byname_of(person), person.trade_word
        is_plain = byname and " " not in byname and trade.casefold() != byname.casefold()
        has_title = short_name(person).partition(" ")[2]
        if not is_plain or has_title or person.trade in UNCALLED:
            return []
        in_full = Reference(f"{person.name} the {trade}", self._again(person.patron_id))
        is_shared = any(
            byname_of(self.evening.people[one]) == byname
            for one in self.cast
            if one != person.patron_id
        )
        if is_shared or len(_index(self.evening).callings[byname, trade]) > 1:
            return [in_full]
        return [Reference(f"{byname} the {trade}", byname), in_full]

    def _described(self, person: Person) -> list[Reference]:
        """By what he looks like and where he drinks, if that is but one; or by whose kin he is."""
        return [*self._by_kin(person), *self._by_looks(person)]

    def _by_kin(self, person: Person) -> list[Reference]:
        """By kin whom the teller knows, who has but one such: "Maud Tench's brother"."""
        people = self.evening.people
        kin = [one for one in _household(self.evening, person) if one.patron_id in people]
        known = [
            one
            for one in kin
            if self.evening.knows(self.teller, one.patron_id) and one.patron_id not in self.cast
        ]
        is_one_of_many = any(one.sex == person.sex for one in kin)
        if not known or is_one_of_many or "dead" in known[0].state:
            return []
        through = known[0]
        kind = kin_word(self.evening, through.patron_id, person.patron_id)
        if kind == "cousin" or through.sex == person.sex:
            return []
        first = f"{through.name}'s {kind}"
        again = f"{self._again(through.patron_id)}'s {kind}"
        return [Reference(first, again, through.patron_id)]

    def _by_looks(self, person: Person) -> list[Reference]:
        """By people, trade and tavern, where there is only one: "that half-orc carter from ..."."""
        if person.ancestry == "human" or person.trade in SECRET_TRADES:
            return []
        sign = self.evening.houses.get(person.home_tavern, "")
        others = (self.evening.people[one] for one in self.cast if one != person.patron_id)
        if any(each.trade_word == person.trade_word for each in others):
            return []
        if not sign or len(_lookalikes(self.evening, person)) != 1:
            return []
        return [
            Reference(f"that {person.what} from {in_passing(sign)}", f"the {person.trade_word}")
        ]


def _household(evening: Evening, person: Person) -> list[Person]:
    """His kin, by patron_id."""
    found = _index(evening).households.get(person.household, [])
    return [one for one in found if one.patron_id != person.patron_id]


def _lookalikes(evening: Evening, person: Person) -> list[Person]:
    """All of his people, trade and house, himself among them."""
    return _index(evening).looks.get((person.what, person.home_tavern), [])


class _Index(NamedTuple):
    """People of an evening by household, by looks and house, and by byname and trade."""

    evening: Evening
    households: dict[int, list[Person]]
    looks: dict[tuple[str, int], list[Person]]
    callings: dict[tuple[str, str], list[Person]]


def _index(evening: Evening) -> _Index:
    """The index of an evening, made once; that of the evening before is forgotten."""
    # An evening cannot be hashed; it is kept here, so that its id stays its own.
    if not _INDEXED or _INDEXED[-1].evening is not evening:
        found = _Index(evening, {}, {}, {})
        for one in evening.people.values():
            found.households.setdefault(one.household, []).append(one)
            found.looks.setdefault((one.what, one.home_tavern), []).append(one)
            found.callings.setdefault((byname_of(one), one.trade_word), []).append(one)
        _INDEXED[:] = [found]
    return _INDEXED[-1]


_INDEXED: list[_Index] = []
