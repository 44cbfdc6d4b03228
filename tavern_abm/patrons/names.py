"""Names of patrons: by their number and their kin, never the same name twice."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..chance import hash63_wrapping, subkey
from ..data_tables import Names

# What a key of this module is the key of.
_GIVEN, _BYNAME, _EPITHET = range(1, 4)

_ORDINALS = (
    "Second",
    "Third",
    "Fourth",
    "Fifth",
    "Sixth",
    "Seventh",
    "Eighth",
    "Ninth",
    "Tenth",
    "Eleventh",
    "Twelfth",
)


@dataclass(frozen=True, eq=False)
class _Pool:
    """Given names that go with bynames.

    Attributes
    ----------
    given : tuple of str
        Names of one sex.
    bynames : tuple of str
        Of the same people, or of the other parent's.
    first : int
        How far along the bynames the first given name begins: behind those of the
        other sex, so that women and men of nearby numbers do not share a byname.
    """

    given: tuple[str, ...]
    bynames: tuple[str, ...]
    first: int


@dataclass(slots=True)
class _Family:
    """Those of one list and one byname.

    Attributes
    ----------
    lap : int
        How many epithets all given names bear already.
    borne : int
        A bit for each given name that somebody bears with the epithet of this lap.
    """

    lap: int = 0
    borne: int = 0


def name_of(
    patron_id: int,
    ancestry: str,
    sex: str,
    names: Names,
    luck: int,
) -> str:
    """Name a patron: a given name, a byname and, when all pairs are used up, an epithet.

    People of different numbers have different names, whatever their ancestry and
    sex. Numbers are dealt out in blocks: within a block every given name of the
    list comes once, in an order shuffled by `luck`, and from block to block each
    given name moves on by one byname. So people of one list with neighbouring
    numbers share neither.

    Parameters
    ----------
    patron_id : int
        From 1 up.
    ancestry : str
        A people of `names`.
    sex : {"female", "male"}
        Whose given names.
    names : Names
        The lists; no name stands twice in them.
    luck : int
        A key of 63 bits that serves nothing but names.

    Raises
    ------
    ValueError
        If `patron_id` is less than 1, or there are no such lists.

    Notes
    -----
    Why it never repeats: no name stands in two lists, so a given name tells people
    and sex, or, for people of two peoples, which parent it is of (their bynames
    are the other parent's, which nobody of one people has with it). Within a
    list (given name, byname) differs for the first G x B numbers, and the epithet
    for each further G x B.

    Examples
    --------
    >>> from tavern_abm.data_tables import load_tables
    >>> names = load_tables().names
    >>> [name_of(number, "human", "female", names, luck=7) for number in (1, 2)]
    ['Loveday Bowyer', 'Ursula Strangeways']
    """
    if patron_id < 1:
        raise ValueError(f"patron_id must be at least 1 (got {patron_id})")
    pools = _pools(names, ancestry, sex)
    pool = pools[patron_id % len(pools)]
    given, byname, lap = _dealt(patron_id, pool, luck)
    return _spelt(pool, given, byname, lap, names, luck)


class NameBook:
    """The names of a town, entered in the order of ids.

    Everybody has the given name and byname of his number (see `name_of`), but kin
    bear the byname of the head of their household. Whose name is taken goes by the
    next given name of his list that is free with it; where none is, by an epithet.

    Parameters
    ----------
    names : Names
        The lists.
    luck : int
        A key of 63 bits that serves nothing but names.
    pinned : sequence of str
        Names of those pinned by name: the first ids are theirs.

    Examples
    --------
    The second is of the household of the first; rows count from 0.

    >>> from tavern_abm.data_tables import load_tables
    >>> book = NameBook(load_tables().names, luck=7)
    >>> book.enter("human", "female", head=0), book.enter("human", "male", head=0)
    ('Loveday Bowyer', 'Warin Bowyer')
    """

    def __init__(self, names: Names, luck: int, pinned: Sequence[str] = ()) -> None:
        self._lists, self._luck = names, luck
        self._names = list(pinned)
        self._bynames = [-1] * len(pinned)
        self._pinned = frozenset(pinned)
        self._families: dict[tuple[str, str], _Family] = {}

    def __len__(self) -> int:
        """How many people have been entered."""
        return len(self._names)

    def __getitem__(self, row: int) -> str:
        """The name of whoever stands in a row."""
        return self._names[row]

    def enter(self, ancestry: str, sex: str, head: int) -> str:
        """Name the next person.

        Parameters
        ----------
        ancestry, sex : str
            Whose lists.
        head : int
            Row of the head of his household: his own, or that of somebody entered
            before who is of the same ancestry and not pinned by name.
        """
        row = len(self._names)
        pools = _pools(self._lists, ancestry, sex)
        pool = pools[(head + 1) % len(pools)]
        given, byname, _ = _dealt(row + 1, pool, self._luck)
        if head != row:
            byname = self._bynames[head]
        name = self._free(pool, given, byname)
        self._names.append(name)
        self._bynames.append(byname)
        return name

    def _free(self, pool: _Pool, given: int, byname: int) -> str:
        """The first name nobody has: given names in turn, then with the next epithet."""
        of_these = (pool.given[0], pool.bynames[byname])
        family = self._families.setdefault(of_these, _Family())
        while True:
            at = _next_free(family.borne, given, len(pool.given))
            if at < 0:
                family.lap, family.borne = family.lap + 1, 0
                continue
            family.borne |= 1 << at
            name = _spelt(pool, at, byname, family.lap, self._lists, self._luck)
            if name not in self._pinned:
                return name


def _next_free(borne: int, start: int, n: int) -> int:
    """The first of `n` given names, in turn from `start`, whose bit is not set; -1 if all are.

    Examples
    --------
    >>> _next_free(0b0110, 1, 4), _next_free(0b1110, 1, 4), _next_free(0b1111, 1, 4)
    (3, 0, -1)
    """
    free = ~borne & ((1 << n) - 1)
    from_here = free >> start << start
    lowest = from_here or free
    return (lowest & -lowest).bit_length() - 1


def _dealt(number: int, pool: _Pool, luck: int) -> tuple[int, int, int]:
    """What a number is dealt: its given name and byname, and the lap they come round in."""
    n_given, n_bynames = len(pool.given), len(pool.bynames)
    block, seat = divmod(number - 1, n_given)
    lap, turn = divmod(block, n_bynames)
    given = _block(n_given, n_bynames, luck, block)[seat]
    bynames = _order_of_bynames(n_bynames, luck)
    return given, bynames[(turn + pool.first + given) % n_bynames], lap


def _spelt(pool: _Pool, given: int, byname: int, lap: int, names: Names, luck: int) -> str:
    """A full name, with an epithet from the second lap on."""
    name = f"{pool.given[given]} {pool.bynames[byname]}"
    if lap:
        start = subkey(luck, _EPITHET, given * len(pool.bynames) + byname)
        name = f"{name} {_epithet(names.epithets, start, lap - 1)}"
    return name


@functools.lru_cache(maxsize=256)
def _pools(names: Names, ancestry: str, sex: str) -> tuple[_Pool, ...]:
    """Lists that somebody is named from: one, or two for people of two peoples."""
    if ancestry not in names.people:
        raise ValueError(f"no names for ancestry {ancestry!r}; there are {', '.join(names.people)}")
    if sex not in ("female", "male"):
        raise ValueError(f"sex must be 'female' or 'male' (got {sex!r})")
    people = names.people[ancestry]
    one, other = people.parents or (ancestry, ancestry)
    mixes = [(one, other), (other, one)] if people.parents else [(one, one)]
    return tuple(_pool(names, of_given, of_byname, sex) for of_given, of_byname in mixes)


def _pool(names: Names, of_given: str, of_byname: str, sex: str) -> _Pool:
    people = names.people[of_given]
    given, first = (people.female, 0) if sex == "female" else (people.male, len(people.female))
    return _Pool(given, names.people[of_byname].bynames, first)


@functools.lru_cache(maxsize=1024)
def _block(n_given: int, n_bynames: int, luck: int, block: int) -> tuple[int, ...]:
    """Order of the given names in a block; it begins with no name or byname just used."""
    order = list(_shuffled(n_given, subkey(luck, _GIVEN, block)))
    if block and n_given > 3:
        last = _shuffled(n_given, subkey(luck, _GIVEN, block - 1))[-1]
        # Every given name has moved on by one, so the one before `last` now has his byname.
        clash = (last - 1) % n_bynames
        fits = (i for i in range(3) if order[i] != last and order[i] % n_bynames != clash)
        i = next(fits, 0)
        order[0], order[i] = order[i], order[0]
    return tuple(order)


@functools.lru_cache(maxsize=64)
def _order_of_bynames(n: int, luck: int) -> tuple[int, ...]:
    return _shuffled(n, subkey(luck, _BYNAME, 0))


@functools.lru_cache(maxsize=1024)
def _shuffled(n: int, key: int) -> tuple[int, ...]:
    """The numbers 0 to n - 1 in an order drawn from `key`."""
    luck = hash63_wrapping(np.full(n, key, np.int64), np.arange(n))
    return tuple(np.argsort(luck, kind="stable").tolist())


def _epithet(epithets: tuple[str, ...], start: int, lap: int) -> str:
    """The epithet of the `lap`-th namesake; numbered when all have been used."""
    number, i = divmod(lap, len(epithets))
    epithet = epithets[(start + i) % len(epithets)]
    return f"{epithet}, the {_ordinal(number)}" if number else epithet


def _ordinal(number: int) -> str:
    """Second for 1, Third for 2, and so on; figures from the thirteenth on.

    Examples
    --------
    >>> [_ordinal(number) for number in (1, 11, 12, 20, 110)]
    ['Second', 'Twelfth', '13th', '21st', '111th']
    """
    if number <= len(_ORDINALS):
        return _ORDINALS[number - 1]
    rank = number + 1
    is_teen = rank % 100 in (11, 12, 13)
    return f"{rank}{'th' if is_teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(rank % 10, 'th')}"


def confusable(a: str, b: str) -> bool:
    """Say whether two names are easily mixed up by ear.

    They are if they begin with the same two letters, or if two changes of a letter
    (put in, left out, another one) make one of the other. Pass what people call
    each other, so given names rather than full ones; capitals do not matter.

    Examples
    --------
    >>> confusable("Hob", "Hedda"), confusable("Joan", "Josce"), confusable("Maud", "Fulk")
    (False, True, False)
    """
    a, b = a.casefold(), b.casefold()
    return a[:2] == b[:2] or edit_distance(a, b) <= 2


def edit_distance(a: str, b: str) -> int:
    """Fewest letters to put in, leave out or change to make `a` of `b` (Levenshtein 1966).

    Examples
    --------
    >>> edit_distance("Wymar", "Wigmar")
    2
    """
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, start=1):
        above, row = row, [i]
        for j, other in enumerate(b, start=1):
            change = above[j - 1] + (letter != other)
            row.append(min(change, above[j] + 1, row[-1] + 1))
    return row[-1]
