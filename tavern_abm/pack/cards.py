"""People worth meeting tonight, on half-cards of seven lines, every one out of the record."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..rumor_words import in_passing, spelled
from ..run_folder import RunFolder
from .card_beliefs import belief_of
from .card_secrets import secret_of, worst_of
from .card_words import Line, Situation, Words, is_keeper, n_words
from .documents import Card, Rumor
from .dossiers import Dossier, Records
from .ear import is_apart
from .evening import Evening, Person
from .identity import id_of, luck_of, salt_of
from .referring import kin_word
from .situations import kin_of, situations_of
from .statblocks import numbers_of, sheet_of

Says = Callable[[int], str]
"""A line of somebody's own by his patron_id, or nothing."""

MOST_WORDS = 75
"""In the six lines of words of a half-card; the seventh is numbers."""
MOST_HISTORY = 12
MANY_MUGS = 4
INTERESTING = 2 / 3
"""Share of the people on cards who are chosen for what is known of them; the rest are plain."""
IN_A_RUMOR, TELLS_ONE, IN_A_FIX, KEEPS_THE_HOUSE, CHANCE = 20, 3, 2, 2, 4
"""What makes somebody worth meeting, beside the weight of his secret (0 to 9), and luck."""
OF_A_SORT = 3
"""What each with a secret of one sort takes from the next who has one."""
PLAIN = 6
"""Somebody is plain who is less worth meeting than that."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z“])")


class NoCardError(LookupError):
    """Nobody there, or nobody who could be met."""


class _Draft(NamedTuple):
    """A card before it is cut to size, and its lines that no two cards of a page may share."""

    card: Card
    own_lines: frozenset[str]


def cards_of(
    run: RunFolder,
    evening: Evening,
    *,
    tavern: int | None = None,
    who: str | int | Sequence[str | int] | None = None,
    count: int = 6,
    rumors: Sequence[Rumor] = (),
    says: Says | None = None,
    first: Sequence[int] = (),
) -> list[Card]:
    """Half-cards of people who are out tonight, or of those who are asked for.

    Two thirds are chosen for what is known of them: they are in the rumours or tell
    one, have a secret, or are in a fix; the others are plain. No two have names that
    the ear confuses, or a line in common as long as there are others. Players'
    characters, the dead and those who left are never among them.

    Parameters
    ----------
    run : RunFolder
        The run.
    evening : Evening
        Tonight.
    tavern : int, optional
        tavern_id; by default people of all taverns.
    who : str, int or several, optional
        Names, parts of names or ids: cards of these people, in this order, wherever
        they are tonight.
    count : int, default 6
        How many, if there are so many; without `who`.
    rumors : sequence of Rumor, optional
        Of the same evening: whoever is in them or tells them is likelier to have a card.
    says : callable, optional
        A line of somebody's own; where it gives none, or one too long, he says
        something that suits his temper.
    first : sequence of int, optional
        patron_ids of people who go before all others, at home as well if no tavern is asked
        for, as long as they can be met and the ear tells them apart; without `who`.

    Raises
    ------
    NoCardError
        If there is nobody to meet, or not somebody who was asked for.
    """
    maker = _Maker(run, evening, rumors, says)
    if who is not None:
        wanted = [who] if isinstance(who, (str, int)) else list(who)
        return [maker.card(_asked_for(run, evening, each)) for each in wanted]
    guests = [each for each in evening.people.values() if each.tavern and not each.is_player]
    if tavern is not None:
        guests = [each for each in guests if each.tavern == tavern]
    if not guests:
        where = f"in {in_passing(evening.houses[tavern])}" if tavern else "in any tavern"
        raise NoCardError(f"nobody is {where} on night {evening.night}; ask for another night")
    before = [evening.people[each] for each in first if each in evening.people]
    before = [each for each in before if _can_be_met(each) and tavern in (None, each.tavern)]
    return maker.page(guests, count, before)


def _can_be_met(person: Person) -> bool:
    return not person.is_player and not person.state & {"dead", "gone"}


def _asked_for(run: RunFolder, evening: Evening, wanted: str | int) -> Person:
    """Whoever is called so, if he can be met."""
    from ..diaries.people import NobodyError, find_patron

    try:
        person = evening.people[find_patron(run, str(wanted))]
    except NobodyError as error:
        raise NoCardError(str(error)) from None
    except KeyError:
        raise NoCardError(f"'{wanted}' has not come to town by night {evening.night}") from None
    if person.is_player:
        raise NoCardError(f"{person.name} is a player's character: no card of the game master's")
    for state, what in (("dead", "is dead"), ("gone", "has left town for good")):
        if state in person.state:
            raise NoCardError(f"{person.name} {what} by night {evening.night}: nobody to meet")
    return person


class _Maker:
    """Makes cards of one evening."""

    def __init__(
        self, run: RunFolder, evening: Evening, rumors: Sequence[Rumor], says: Says | None
    ) -> None:
        seed, replicate = int(run.info["seed"]), int(run.info.get("replicate", 0))
        self.evening, self.records, self._says = evening, Records(run, evening), says
        self._run, self._salt = (seed, replicate), salt_of(run)
        self._words = Words(seed, replicate, evening.night)
        self._about, self._told = _numbers(rumors)

    def card(self, person: Person) -> Card:
        """The card of one person."""
        own = _quoted(self._says(person.patron_id)) if self._says else ""
        return self._draft(person, own).card

    def page(
        self, guests: Sequence[Person], count: int, first: Sequence[Person] = ()
    ) -> list[Card]:
        """Cards of some of the guests: told apart by ear, and if need be by ear alone."""
        order = [*first, *self._ordered(guests, count)]
        sure = {each.patron_id for each in first} | self._about.keys()
        drafts: dict[int, _Draft] = {}
        for is_strict in (True, False):
            for person in order:
                if len(drafts) == count:
                    break
                names = [each.card.name for each in drafts.values()]
                if person.patron_id in drafts or not is_apart(person.name, names):
                    continue
                draft = self._draft(person)
                used = {line for each in drafts.values() for line in each.own_lines}
                is_wanted = person.patron_id in sure or not is_strict
                if is_wanted or not used & draft.own_lines:
                    drafts[person.patron_id] = draft
        return [self.card(self.evening.people[each]) for each in drafts]

    def _ordered(self, guests: Sequence[Person], count: int) -> list[Person]:
        """Guests in the order in which they are taken: two who are worth it, then a plain one."""
        worth = {each.patron_id: self._worth(each) for each in guests}
        rated = _by_worth(worth)
        plain = [each for each in guests if worth[each.patron_id][0] < PLAIN]
        plain.sort(key=lambda each: self._luck(each, "plain"))
        people = [self.evening.people[each] for each in rated]
        return list(dict.fromkeys(_spread(people, plain, count)))

    def _worth(self, person: Person) -> tuple[float, str]:
        """How much somebody is worth meeting, and of what sort his secret is."""
        weight, sort = worst_of(self.records.dossier(person.patron_id), self.records)
        score = float(weight)
        score += IN_A_RUMOR * (person.patron_id in self._about)
        score += TELLS_ONE * (person.patron_id in self._told)
        score += IN_A_FIX * bool(person.state) + KEEPS_THE_HOUSE * is_keeper(person)
        return score + CHANCE * self._luck(person, "worth"), sort

    def _luck(self, person: Person, what: str) -> float:
        return luck_of("card", *self._run, self.evening.night, person.patron_id, what) / 2**63

    def _draft(self, person: Person, own: str = "") -> _Draft:
        dossier = self.records.dossier(person.patron_id)
        situations = situations_of(person, dossier, self.records)
        sheet = sheet_of(dossier.row, dossier.purse_cp)
        lines, made_of = self._lines(person, dossier, situations, own)
        card = Card(
            id=id_of(self._salt, "card", person.patron_id),
            patron_id=person.patron_id,
            name=person.name,
            what=person.what,
            sex=person.sex,
            tavern=self.evening.houses.get(person.tavern, ""),
            tavern_id=person.tavern,
            tonight=lines.tonight,
            looks=lines.looks,
            says=lines.says,
            wants=lines.wants,
            belief=lines.belief,
            secret=lines.secret,
            numbers=numbers_of(sheet),
            fight=self._words.fights(person, sheet.block),
            rumors=tuple(
                sorted(
                    {*self._about.get(person.patron_id, ()), *self._told.get(person.patron_id, ())}
                )
            ),
            history=tuple(_history(dossier, self.evening)),
            sheet=sheet,
            kin=tuple(_kin(person, self.evening)),
        )
        return _Draft(card, frozenset(made_of))

    def _lines(
        self, person: Person, dossier: Dossier, situations: Sequence[Situation], own: str
    ) -> tuple[_Lines, tuple[str, ...]]:
        """The six lines, the first of these ways that is short enough, and what they are of."""
        short = self._words.says(person, situations)
        long = Line(own, ()) if own else short
        wants, tonight = self._words.wants(person, situations), tonight_of(person, self.evening)
        looks, least = self._words.looks(person), self._words.says_least(person)
        ways = ((long, False), (long, True), (short, False), (short, True), (least, True))
        for line, is_brief in ways:
            belief = belief_of(dossier, self.records, is_brief=is_brief)
            secret = secret_of(dossier, self.records, is_brief=is_brief)
            lines = _Lines(tonight, looks.text, line.text, wants.text, belief, secret)
            if n_words(*lines) <= MOST_WORDS:
                break
        return lines, (*looks.made_of, *line.made_of, *wants.made_of)


class _Lines(NamedTuple):
    """The six lines of words of a half-card."""

    tonight: str
    looks: str
    says: str
    wants: str
    belief: str
    secret: str


def _numbers(rumors: Sequence[Rumor]) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """Numbers of the rumours by whom they are about, and by who tells them."""
    about: dict[int, list[int]] = defaultdict(list)
    told: dict[int, list[int]] = defaultdict(list)
    for each in rumors:
        told[each.teller_id].append(each.number)
        for patron_id in each.about:
            about[patron_id].append(each.number)
    return dict(about), dict(told)


def _by_worth(worth: Mapping[int, tuple[float, str]]) -> Iterator[int]:
    """Ids by worth; each taken makes the next who has a secret of its sort worth less."""
    queues: dict[str, list[int]] = defaultdict(list)
    for each in sorted(worth, key=lambda one: (-worth[one][0], one)):
        queues[worth[each][1]].append(each)
    taken = dict.fromkeys(queues, 0)
    while any(queues.values()):
        left = [sort for sort in queues if queues[sort]]
        best = max(left, key=lambda sort: worth[queues[sort][0]][0] - OF_A_SORT * taken[sort])
        taken[best] += 1
        yield queues[best].pop(0)


def _spread(rated: Sequence[Person], plain: Sequence[Person], count: int) -> Iterator[Person]:
    """A plain person after every second of the others, as long as there are any."""
    quiet, n_quiet = iter(plain), count - round(count * INTERESTING)
    for place, person in enumerate(rated, start=1):
        yield person
        if place % 2 == 0 and place // 2 <= n_quiet:
            yield from itertools.islice(quiet, 1)


def tonight_of(person: Person, evening: Evening) -> str:
    """Where somebody is, as the line tonight of his card."""
    house = in_passing(evening.houses.get(person.tavern, ""))
    if not house:
        return _at_home(person)
    words = f"{person.seat}, {house}" if person.seat else house
    if person.drinks >= MANY_MUGS:
        words += f"; {spelled(person.drinks)} mugs in"
    return words if person.stayed else f"{words}; leaves before closing"


def _at_home(person: Person) -> str:
    if "bruised" in person.state:
        return "home in bed, bandaged"
    if "hiding" in person.state:
        return "nowhere to be seen"
    return "at home, without the coin for an evening" if "broke" in person.state else "at home"


def _history(dossier: Dossier, evening: Evening) -> Iterator[str]:
    """What the record says of him, a line an event, newest first."""
    for each in dossier.events[:MOST_HISTORY]:
        house = in_passing(evening.houses.get(each["tavern_id"], ""))
        where = f"night {each['night']}, {house}" if house else f"night {each['night']}"
        yield f"{where}: {first_sentence(str(each['text']))}"
    if dossier.row["arrived_night"] and len(dossier.events) > MOST_HISTORY:
        yield f"night {dossier.row['arrived_night']}: came to town."


def first_sentence(text: str) -> str:
    """The first sentence of what an event says: a chase has forty.

    Examples
    --------
    >>> first_sentence("Ned Flint ran (2 + 9 against 12). Bo went after him.")
    'Ned Flint ran (2 + 9 against 12).'
    """
    return _SENTENCE_END.split(text.strip(), maxsplit=1)[0]


def _kin(person: Person, evening: Evening) -> Iterator[str]:
    for other in kin_of(evening, person.patron_id):
        each = evening.people[other]
        where = tonight_of(each, evening)
        if "dead" in each.state:
            where = "dead"
        elif "gone" in each.state:
            where = "left town"
        kin = kin_word(evening, person.patron_id, other)
        yield f"{kin} {each.name}, {each.trade_word}: {where}"


def _quoted(line: str) -> str:
    """Speech in quotes; an overheard exchange has its own."""
    return line if not line or line.startswith("“") else f"“{line}”"
