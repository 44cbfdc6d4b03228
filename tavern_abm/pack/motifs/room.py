"""Who is in the room tonight, what its custom threatens, and nights in words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...data_tables import Custom
from ...rumor_words import in_passing, spelled
from ..evening import Evening, Person

HARSH = {
    "killed": "death",
    "beaten": "a beating",
    "banned": "a ban of {nights}",
    "out": "the door",
    "warned": "a warning",
}
"""What the custom of a house threatens, the worst first."""
LIKELY = 0.3
"""A sentence this likely is what people there reckon with."""
KEEPERS = ("innkeeper", "bartender", "barmaid")
"""Trades of those who keep a house; others come to drink."""
AWAY = frozenset(("dead", "gone"))


def present(evening: Evening, patron_id: int, tavern: int = 0) -> Person | None:
    """Somebody if he still sits in a tavern, or in this one; players' characters never do."""
    person = living(evening, patron_id)
    is_out = person is not None and person.tavern and tavern in (0, person.tavern)
    return person if is_out else None


def anybody(evening: Evening, patron_id: int) -> Person | None:
    """Somebody, dead or alive, unless he is a player's."""
    person = evening.people.get(patron_id)
    return None if person is None or person.is_player else person


def living(evening: Evening, patron_id: int) -> Person | None:
    """Somebody if he lives in the town, wherever he is tonight."""
    person = anybody(evening, patron_id)
    return None if person is None or person.state & AWAY else person


def all_present(evening: Evening, ids: Iterable[int], tavern: int = 0) -> list[Person]:
    """Those of some people who still sit in a tavern, or in this one, in the order given."""
    found = (present(evening, each, tavern) for each in ids)
    return [person for person in found if person is not None]


def at_table(evening: Evening, person: Person) -> list[Person]:
    """Who else sat last at somebody's table tonight and is still in the house."""
    if not person.table_id:
        return []
    ids = (each.patron_id for each in evening.guests(person.tavern))
    return [
        each
        for each in all_present(evening, ids)
        if each.table_id == person.table_id and each is not person
    ]


def kin_of(evening: Evening, person: Person) -> list[Person]:
    """Who is of somebody's household, by patron_id."""
    kin = evening.household(person.household)
    return [each for each in kin if each is not person and not each.is_player]


def keeper_of(evening: Evening, tavern: int) -> Person | None:
    """Who keeps a house tonight: of the trade and at home there; None if nobody shows."""
    ids = (each.patron_id for each in evening.guests(tavern))
    keepers = [each for each in all_present(evening, ids) if each.trade in KEEPERS]
    own = [each for each in keepers if each.home_tavern == tavern]
    ranked = sorted(own or keepers, key=lambda each: (KEEPERS.index(each.trade), each.patron_id))
    return ranked[0] if ranked else None


def threat_of(custom: Custom) -> str:
    """What a house does to who is found guilty, in words: the worst that is likely.

    Examples
    --------
    >>> from tavern_abm.data_tables import load_tables
    >>> known = load_tables().customs
    >>> threat_of(known["orc"]), threat_of(known["guild"]), threat_of(known["lax"])
    ('death', 'a ban of 30 nights', 'a warning')
    """
    for name, words in HARSH.items():
        if getattr(custom, name) >= LIKELY:
            return words.format(nights=nights_of(custom.ban_nights))
    return HARSH["warned"]


def harshness_of(custom: Custom) -> float:
    """How harsh a house is, from 0 for a warning to 2 for the rope.

    Examples
    --------
    >>> from tavern_abm.data_tables import load_tables
    >>> known = load_tables().customs
    >>> harshness_of(known["gallows"]), harshness_of(known["lax"])
    (2.0, 0.0)
    """
    return 2 * custom.killed + custom.beaten + 0.6 * custom.banned + 0.4 * custom.out


def whereabouts(evening: Evening, person: Person, here: int) -> str:
    """Where somebody is tonight, as seen from a tavern."""
    if present(evening, person.patron_id, here):
        return f"is here, {person.seat}" if person.seat else "is here"
    if present(evening, person.patron_id):
        return f"is at {in_passing(evening.houses[person.tavern])}"
    return "has gone home" if person.tavern else "is at home"


def nights_of(n: int) -> str:
    """So many nights.

    Examples
    --------
    >>> nights_of(1), nights_of(4), nights_of(30)
    ('one night', 'four nights', '30 nights')
    """
    return "one night" if n == 1 else f"{spelled(n)} nights"


def ago(night: int, tonight: int) -> str:
    """When something happened, counted from tonight.

    Examples
    --------
    >>> ago(14, 14), ago(13, 14), ago(9, 14)
    ('tonight', 'last night', 'five nights back')
    """
    before = tonight - night
    return ("tonight", "last night")[before] if before < 2 else f"{nights_of(before)} back"


def due(night: int, tonight: int) -> str:
    """The morning of a night to come, counted from tonight.

    Examples
    --------
    >>> due(15, 14), due(17, 14)
    ('tomorrow morning', 'the morning of night 17, three nights off')
    """
    ahead = night - tonight
    if ahead <= 1:
        return "tomorrow morning"
    return f"the morning of night {night}, {nights_of(ahead)} off"


def through(night: int, tonight: int) -> str:
    """The last night of something, counted from tonight.

    Examples
    --------
    >>> through(14, 14), through(15, 14), through(17, 14)
    ('tonight', 'tomorrow night', 'night 17, three nights off')
    """
    ahead = night - tonight
    if ahead <= 1:
        return ("tonight", "tomorrow night")[max(0, ahead)]
    return f"night {night}, {nights_of(ahead)} off"


def often(n: int) -> str:
    """So many times.

    Examples
    --------
    >>> often(1), often(2), often(5)
    ('once', 'twice', 'five times')
    """
    return ("once", "twice")[n - 1] if n in (1, 2) else f"{spelled(n)} times"


def number_in(text: str, pattern: str, otherwise: int = 0) -> int:
    r"""A number that a sentence of the record names.

    Examples
    --------
    >>> number_in("Ann lent Bo 4 sp, to be paid back by night 21.", r"night (\d+)")
    21
    """
    found = re.search(pattern, text)
    return int(found[1]) if found else otherwise
