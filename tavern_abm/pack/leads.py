"""What a rumour could lead to, and what its teller says when he is pressed: from data.

``data/cards/leads.toml`` has the words, and on top of it what may stand in them.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..data_tables import DataError
from ..rumor_words import in_coins, in_passing, spelled
from ..shipped import shipped
from .colors import Colors, fitted
from .evening import Evening, Person
from .identity import luck_of
from .tags import KINDS, TEMPER

if TYPE_CHECKING:
    from .matter import Tale, Utterance

FILE = ("cards", "leads.toml")
TRUTH_TAGS = {"true": "true", "partly true": "partly", "false": "false"}
WHERE_TAGS = ("here", "out", "home", "dead", "gone", "teller")
STATE_TAGS = ("hiding", "bruised", "broke", "owes", "banned")
LEAD_TAGS = frozenset(
    (
        *(*TRUTH_TAGS.values(), "made up", "mixed up", "by", "kin out", "first out"),
        *(f"{who} {where}" for who in ("who", "by") for where in WHERE_TAGS),
        *(f"who {state}" for state in STATE_TAGS),
        *("thing", "pledge"),
    )
)
PRESSED_TAGS = frozenset(
    ("src dead", "src gone", "src here", "src out", "src home", "kin", "lie", *TEMPER)
)
ANSWERS = {"did it": "lived it", "lived it": "lived it"}
"""How tellers answer who have it from nobody; who made it up says that he saw it."""
PEOPLE = ("who", "by", "kin", "first", "teller", "src")
_SLOT = re.compile(r"\{([^{}]*)\}")
_HE = {"male": ("he", "him", "his"), "female": ("she", "her", "her")}


class Line(BaseModel):
    """An entry of the file.

    Attributes
    ----------
    if_ : str
        Conditions, joined by commas.
    t : str
        The words, with slots.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    if_: str = Field("", alias="if")
    t: str = Field(min_length=1)

    @functools.cached_property
    def conditions(self) -> tuple[tuple[str, bool], ...]:
        """Tags, and whether each must hold or must not."""
        parts = [" ".join(part.split()) for part in self.if_.split(",") if part.strip()]
        return tuple((part.removeprefix("not "), not part.startswith("not ")) for part in parts)

    @functools.cached_property
    def people(self) -> frozenset[str]:
        """Whom the words name, by slot."""
        parts = {slot.partition(".")[0] for slot in _SLOT.findall(self.t)}
        return frozenset(parts & {*PEOPLE})

    def holds(self, tags: Collection[str]) -> bool:
        """Whether its conditions hold where these tags do, and no others."""
        return all((tag in tags) is wanted for tag, wanted in self.conditions)


class LeadLine(Line):
    """What rumours of some kinds could lead to."""

    kinds: str = ""
    strength: int = Field(1, ge=1, le=3)

    @functools.cached_property
    def of(self) -> frozenset[str]:
        """The kinds; none for all."""
        return frozenset(part.strip() for part in self.kinds.split(",") if part.strip())


class PressedLine(Line):
    """What a teller says who is asked where he has it."""

    how: Literal["saw it", "lived it", "was told"]


class Lines(NamedTuple):
    """The whole file."""

    leads: tuple[LeadLine, ...]
    pressed: tuple[PressedLine, ...]


class Lead(NamedTuple):
    """What a rumour could lead to."""

    text: str
    strength: int


@functools.cache
def load_lines() -> Lines:
    """Read the shipped leads.

    Raises
    ------
    DataError
        If the file is damaged or names what there is not.

    Examples
    --------
    >>> lines = load_lines()
    >>> {kind for line in lines.leads for kind in line.of} == set(KINDS)
    True
    """
    path = shipped("data").joinpath(*FILE)
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8"))
        leads = tuple(LeadLine.model_validate(row) for row in rows["lead"])
        pressed = tuple(PressedLine.model_validate(row) for row in rows["pressed"])
    except (OSError, ValueError, KeyError, ValidationError) as error:
        raise DataError(path, f"damaged: {str(error).partition(chr(10))[0]}") from error
    lines = Lines(leads, pressed)
    for problem in _problems(lines):
        raise DataError(path, problem)
    return lines


def _problems(lines: Lines) -> Iterator[str]:
    for line in (*lines.leads, *lines.pressed):
        known = LEAD_TAGS if isinstance(line, LeadLine) else PRESSED_TAGS
        strange = [tag for tag, _ in line.conditions if tag not in known]
        strange += sorted(line.of - set(KINDS)) if isinstance(line, LeadLine) else []
        if strange:
            yield f"unknown {strange[0]!r} with {line.t[:40]!r}"


# ------------------------------------------------------------- where people are


def where_is(person: Person, houses: Mapping[int, str]) -> str:
    """Where somebody is tonight, as the game master reads it.

    It stands after "is": "at the Eel Pot (the settle by the fire)", "at home".
    """
    if person.tavern:
        seat = f" ({person.seat})" if person.seat else ""
        return f"at {in_passing(houses[person.tavern])}{seat}"
    for state, words in _AWAY.items():
        if state in person.state:
            return words
    return "at home"


_AWAY = {
    "dead": "dead",
    "gone": "gone from town",
    "hiding": "in hiding",
    "bruised": "at home, bruised",
}
LOST = ("dead", "gone")


def where_tags(person: Person, teller: Person) -> Iterator[str]:
    """Where somebody is, as conditions say it."""
    if person.patron_id == teller.patron_id:
        yield "teller"
    if person.tavern:
        yield "out"
        if person.tavern == teller.tavern:
            yield "here"
        return
    lost = [state for state in LOST if state in person.state]
    yield from lost or ("home",)


# ------------------------------------------------------------- leads


@dataclass(frozen=True)
class Guide:
    """Knows, of one evening, what each rumour could lead to.

    Attributes
    ----------
    evening : Evening
        Who is where.
    colors : Colors
        Of the run.
    """

    evening: Evening
    colors: Colors
    out: dict[int, list[Person]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        for person in self.evening.people.values():
            if person.tavern and not person.is_player:
                self.out[person.household].append(person)

    def strength(self, tale: Tale, words: Utterance, truth: str) -> int:
        """How far what a rumour could lead to would lead, 1 to 3."""
        return self._lines(tale, words, truth)[0].strength

    def lead(
        self, tale: Tale, words: Utterance, truth: str, used: Collection[str] = ()
    ) -> tuple[Lead, str]:
        """What a rumour could lead to, and the line it was made of.

        Parameters
        ----------
        tale, words : Tale and Utterance
            The rumour.
        truth : str
            One of `balance.TRUTHS`.
        used : collection of str
            Lines that others of the set were made of: another one that leads as far is
            taken if it fits.
        """
        best, *others = self._lines(tale, words, truth)
        alike = (line for line in others if (line.strength, line.of) == (best.strength, best.of))
        line = next((each for each in (best, *alike) if each.t not in used), best)
        return Lead(self._filled(line.t, tale), line.strength), line.t

    def _lines(self, tale: Tale, words: Utterance, truth: str) -> list[LeadLine]:
        """The lines that fit, the most specific first."""
        tags, cast = self._tags(tale, words, truth), self._cast(tale)
        fitting = [
            line
            for line in _leads_of(tale.claim.kind)
            if line.holds(tags) and _can_say(line, tags, cast)
        ]
        key = (tale.story_id, tale.event_id, tale.teller)
        fitting.sort(
            key=lambda line: (
                not line.of,
                -len(line.conditions),
                luck_of("lead", *key, line.t),
            )
        )
        return fitting

    def _tags(self, tale: Tale, words: Utterance, truth: str) -> set[str]:
        teller = self.evening.people[tale.teller]
        tags = {TRUTH_TAGS[truth]}
        if truth == "false":
            tags.add("mixed up" if tale.event_id else "made up")
        cast = self._cast(tale)
        who, by = cast["who"], cast.get("by")
        tags |= {f"who {tag}" for tag in where_tags(who, teller)}
        tags |= {f"who {state}" for state in STATE_TAGS if state in who.state}
        if by is not None:
            tags |= {"by", *(f"by {tag}" for tag in where_tags(by, teller))}
        tags |= {f"{part} out" for part in ("kin", "first") if part in cast}
        said = words.text.lower()
        return tags | {slot for slot in _COLORS if self._color(slot, tale).lower() in said}

    def _cast(self, tale: Tale) -> dict[str, Person]:
        """Whom words may name, by slot."""
        people, claim = self.evening.people, tale.claim
        cast = {"who": people[claim.subject], "teller": people[tale.teller]}
        if claim.other in people:
            cast["by"] = people[claim.other]
        known = {claim.subject, claim.other, tale.teller}
        kin = [each for each in self.out[cast["who"].household] if each.patron_id not in known]
        if kin:
            cast["kin"] = kin[0]
        first = people.get(tale.chain[0].patron_id) if tale.chain else None
        if first is not None and first.tavern and first.patron_id not in known:
            cast["first"] = first
        return cast

    def _color(self, slot: str, tale: Tale) -> str:
        value = self.colors.of_event(slot, tale.event_id, tale.story_id)
        return fitted(value, self.evening.people[tale.claim.subject].sex)

    def _filled(self, text: str, tale: Tale) -> str:
        slots = dict(self._of_people(self._cast(tale)))
        slots |= {slot: self._color(slot, tale) for slot in _COLORS}
        house = self.evening.houses.get(tale.chain[0].tavern if tale.chain else 0, "")
        slots["at"] = f"at {in_passing(house)}" if house else "there"
        slots["tell"] = self.evening.people[tale.claim.subject].tell
        slots["sum"] = in_coins(tale.claim.amount_cp)
        return sentence(_SLOT.sub(lambda slot: slots[slot[1]], text))

    def _of_people(self, cast: Mapping[str, Person]) -> Iterator[tuple[str, str]]:
        for slot, person in cast.items():
            yield slot, person.name
            yield f"{slot}.where", where_is(person, self.evening.houses)
            yield from pronouns(slot, person)

    # --------------------------------------------------------- if pressed

    def pressed(self, tale: Tale, used: Collection[str] = ()) -> tuple[str, str]:
        """What a teller answers when asked where he has it, and the line it was made of.

        Parameters
        ----------
        tale : Tale
            What he tells.
        used : collection of str
            Lines that others have answered with: taken again only if nothing else fits.
        """
        last, teller = tale.chain[-1], self.evening.people[tale.teller]
        source = tale.chain[-2] if len(tale.chain) > 1 else None
        how = "was told" if source is not None else ANSWERS.get(last.how, "saw it")
        src = self.evening.people.get(source.patron_id) if source is not None else None
        tags = self._pressed_tags(teller, src, last.how)
        fitting = [line for line in load_lines().pressed if line.how == how and line.holds(tags)]
        line = min(
            fitting,
            key=lambda line: (
                line.t in used,
                -len(line.conditions),
                luck_of("pressed", tale.teller, tale.story_id, tale.event_id, line.t),
            ),
        )
        slots = {"when": _when(self.evening.night - last.night), "at": self._at(last.tavern)}
        if src is not None:
            slots |= {"src": src.name, "src.at": self._at(src.tavern), **dict(pronouns("src", src))}
        return sentence(_SLOT.sub(lambda slot: slots[slot[1]], line.t)), line.t

    def _pressed_tags(self, teller: Person, src: Person | None, how: str) -> set[str]:
        tags = {teller.temper}
        if how == "made it up":
            tags.add("lie")
        if src is not None:
            tags |= {f"src {tag}" for tag in where_tags(src, teller)}
            tags |= {"kin"} if self.evening.are_kin(teller.patron_id, src.patron_id) else set()
        return tags

    def _at(self, tavern: int) -> str:
        house = self.evening.houses.get(tavern, "")
        return f"at {in_passing(house)}" if house else "in the street"


_COLORS = ("thing", "pledge")


@functools.cache
def _leads_of(kind: str) -> tuple[LeadLine, ...]:
    """The lines that are for a kind or for all."""
    return tuple(line for line in load_lines().leads if not line.of or kind in line.of)


def _can_say(line: Line, tags: Collection[str], cast: Collection[str]) -> bool:
    """Whether all that a line names is there, and nobody is looked for who is past finding."""
    if not line.people <= set(cast):
        return False
    lost = {tag for tag in ("who dead", "who gone") if tag in tags}
    return not lost or "{who.where}" not in line.t or (lost <= dict(line.conditions).keys())


def pronouns(slot: str, person: Person) -> Iterator[tuple[str, str]]:
    """Pronouns of somebody as slots: ``who.he``, ``who.He``, ``who.him``, ``who.his``."""
    for name, word in zip(("he", "him", "his"), _HE.get(person.sex, _HE["male"]), strict=True):
        yield f"{slot}.{name}", word
    yield f"{slot}.He", _HE.get(person.sex, _HE["male"])[0].capitalize()


def sentence(text: str) -> str:
    """A text with a capital after each stop.

    Examples
    --------
    >>> sentence("the boot is his. who asks? she does")
    'The boot is his. Who asks? She does'
    """
    return re.sub(r"(^|[.?!]\s+)(\w)", lambda found: found[1] + found[2].upper(), text)


DOZEN = 12
"""Nights up to which people count."""


def _when(nights_ago: int) -> str:
    if nights_ago <= 0:
        return "tonight"
    if nights_ago > DOZEN:
        return "some weeks back"
    return "last night" if nights_ago == 1 else f"{spelled(nights_ago)} nights back"


def dc_of(heard: int, guests: int) -> int:
    """The DC to pick a rumour up, by how much of the house has heard it.

    Over 30 in a hundred 10, over 10 in a hundred 12, over 3 in a hundred 15, else 20.

    Examples
    --------
    >>> [dc_of(heard, 100) for heard in (31, 30, 11, 4, 3, 1)]
    [10, 12, 12, 15, 20, 20]
    """
    share = heard / max(1, guests)
    bounds: Sequence[tuple[float, int]] = ((0.30, 10), (0.10, 12), (0.03, 15))
    return next((dc for bound, dc in bounds if share > bound), 20)


def verify_slots(lines: Lines) -> list[str]:
    """Slots that nothing fills, for tests: a slot needs its person's condition."""
    fine = {"at", "sum", "thing", "pledge", "tell", "when", "src.at"}
    fine |= {f"{who}{part}" for who in PEOPLE for part in _PARTS}
    texts: list[Any] = [*lines.leads, *lines.pressed]
    return [slot for line in texts for slot in _SLOT.findall(line.t) if slot not in fine]


_PARTS = ("", ".where", ".he", ".He", ".him", ".his")
