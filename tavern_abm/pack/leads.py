"""What a rumour could lead to, and what its teller says when he is pressed: from data.

``data/cards/leads.toml`` has the words, and on top of it what may stand in them.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..data_tables import DataError
from ..rumor_words import in_coins, in_passing, spelled
from ..shipped import shipped
from .colors import Colors, fitted
from .evening import Evening, Person
from .facts import Facts
from .identity import luck_of
from .lead_cases import CASE_TAGS, LOST, NAMED, Case, Cases, where_is, where_tags
from .tags import KINDS, TEMPER

if TYPE_CHECKING:
    from .matter import Hop, Tale, Utterance

FILE = ("cards", "leads.toml")
COLOR_TAGS = ("thing", "pledge")
LEAD_TAGS = CASE_TAGS | {*COLOR_TAGS}
PRESSED_TAGS = frozenset(
    (
        *("src dead", "src gone", "src here", "src out", "src home", "kin", "in tavern", "lie"),
        *TEMPER,
    )
)
ANSWERS = {"did it": "lived it", "lived it": "lived it"}
"""How tellers answer who have it from nobody; who made it up says that he saw it."""
PEOPLE = (*NAMED, "kin", "first", "teller", "src")
DEBTS = ("owes", "lent")
"""Kinds of which the other one is the creditor."""
ASKED, FAR = 0.15, 0.1
"""What each condition of a lead, and its strength, weigh against luck, which is below 1."""
ENDED = {"killed": "dead", "left": "gone"}
"""Kinds in which the subject is past finding, and in what way."""
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

    @functools.cached_property
    def wanted(self) -> frozenset[str]:
        """The tags that must hold."""
        return frozenset(tag for tag, is_wanted in self.conditions if is_wanted)

    @functools.cached_property
    def unwanted(self) -> frozenset[str]:
        """The tags that must not."""
        return frozenset(tag for tag, is_wanted in self.conditions if not is_wanted)

    def holds(self, tags: Collection[str]) -> bool:
        """Whether its conditions hold where these tags do, and no others."""
        return self.wanted.issubset(tags) and self.unwanted.isdisjoint(tags)


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

    how: Literal["saw it", "lived it", "is owed", "was told"]


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
    facts : Facts
        What happened by then.
    visits : mapping of (int, int) to int
        The last night by then on which each was in each house, by patron_id and tavern_id.
    """

    evening: Evening
    colors: Colors
    facts: Facts
    visits: Mapping[tuple[int, int], int] = field(default_factory=dict)
    cases: Cases = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cases", Cases(self.evening, self.facts, self.visits))

    def strength(self, tale: Tale, words: Utterance, truth: str) -> int:
        """How far a rumour could lead at most, 1 to 3."""
        case = self.case_of(tale, words, truth)
        return max(line.strength for line in _fitting(case, tale.claim.kind))

    def lead(
        self,
        tale: Tale,
        words: Utterance,
        truth: str,
        used: Collection[str] = (),
        *,
        least: int = 1,
    ) -> tuple[Lead, str]:
        """What a rumour could lead to, and the line it was made of.

        Parameters
        ----------
        tale, words : Tale and Utterance
            The rumour.
        truth : str
            One of `balance.TRUTHS`.
        used : collection of str
            Lines that others of the set were made of: taken again only if nothing else fits.
        least : int, default 1
            Strength that it must have, if any has.
        """
        case = self.case_of(tale, words, truth)
        fitting = _fitting(case, tale.claim.kind)
        strong = [line for line in fitting if line.strength >= least] or fitting
        key = (tale.story_id, tale.event_id, tale.teller)
        line = min(strong, key=lambda line: (line.t in used, not line.of, *_preference(line, key)))
        return Lead(self._filled(line.t, tale, case), line.strength), line.t

    def case_of(self, tale: Tale, words: Utterance, truth: str) -> Case:
        """What is so of a rumour, and whom a lead may name."""
        tags, cast = self.cases.of(tale, words, truth)
        said = words.text.lower()
        tags |= {slot for slot in COLOR_TAGS if self._color(slot, tale).lower() in said}
        return Case(tags, cast)

    def _color(self, slot: str, tale: Tale) -> str:
        value = self.colors.of_event(slot, tale.event_id, tale.story_id)
        return fitted(value, self.evening.people[tale.claim.subject].sex)

    def _filled(self, text: str, tale: Tale, case: Case) -> str:
        slots = dict(self._of_people(case.cast))
        slots |= {slot: self._color(slot, tale) for slot in COLOR_TAGS}
        slots["at"] = self._where_it_was(tale)
        slots["tell"] = self.evening.people[tale.claim.subject].tell
        slots["sum"] = in_coins(tale.claim.amount_cp)
        return sentence(_SLOT.sub(lambda slot: slots[slot[1]], text))

    def _where_it_was(self, tale: Tale) -> str:
        fact = self.facts.by_id.get(tale.event_id)
        house = self.evening.houses.get(fact.tavern if fact else tale.claim.tavern, "")
        return f"at {in_passing(house)}" if house else "there"

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
        how = "was told" if source is not None else _knows_from(tale, last)
        src = self.evening.people.get(source.patron_id) if source is not None else None
        tags = self._pressed_tags(teller, src, last)
        fitting = [line for line in load_lines().pressed if line.how == how and line.holds(tags)]
        line = min(
            fitting,
            key=lambda line: (
                line.t in used,
                -len(line.wanted),
                luck_of("pressed", tale.teller, tale.story_id, tale.event_id, line.t),
            ),
        )
        slots = {"when": _when(self.evening.night - last.night), "at": self._at(last.tavern)}
        if src is not None:
            slots |= {"src": src.name, "src.at": self._at(src.tavern), **dict(pronouns("src", src))}
        return sentence(_SLOT.sub(lambda slot: slots[slot[1]], line.t)), line.t

    def _pressed_tags(self, teller: Person, src: Person | None, last: Hop) -> set[str]:
        tags = {teller.temper}
        if last.how == "made it up":
            tags.add("lie")
        if last.tavern:
            tags.add("in tavern")
        if src is not None:
            tags |= {f"src {tag}" for tag in where_tags(src, teller)}
            tags |= {"kin"} if self.evening.are_kin(teller.patron_id, src.patron_id) else set()
        return tags

    def _at(self, tavern: int) -> str:
        house = self.evening.houses.get(tavern, "")
        return f"at {in_passing(house)}" if house else "in the street"


def _knows_from(tale: Tale, last: Hop) -> str:
    """How somebody answers who has it from nobody: it may be his own money, or his own story."""
    claim = tale.claim
    if claim.kind in DEBTS and claim.other == tale.teller:
        return "is owed"
    if tale.teller in (claim.subject, claim.other):
        return "lived it"
    return ANSWERS.get(last.how, "saw it")


@functools.cache
def _leads_of(kind: str) -> tuple[LeadLine, ...]:
    """The lines that are for a kind or for all."""
    return tuple(line for line in load_lines().leads if not line.of or kind in line.of)


def _fitting(case: Case, kind: str) -> list[LeadLine]:
    """The lines for a kind whose conditions hold, and who name nobody that there is not."""
    lost = _past_finding(case, kind)
    return [
        line
        for line in _leads_of(kind)
        if line.holds(case.tags)
        and line.people <= case.cast.keys()
        and all(slot not in line.people or tag in line.wanted for slot, tag in lost)
    ]


def _past_finding(case: Case, kind: str) -> list[tuple[str, str]]:
    """Who is dead or gone, by slot, and the tag that a line which names him must ask for."""
    lost = [(slot, f"{slot} {state}") for slot in NAMED for state in LOST]
    ended = f"who {ENDED.get(kind, '')}"
    return [(slot, tag) for slot, tag in lost if tag in case.tags and tag != ended]


def _preference(line: LeadLine, key: Sequence[object]) -> tuple[float, str]:
    """By luck, but sooner what asks for more and leads further: the least comes first."""
    luck: float = luck_of("lead", *key, line.t) / 2**63
    return luck - ASKED * len(line.wanted) - FAR * line.strength, line.t


def pronouns(slot: str, person: Person) -> Iterator[tuple[str, str]]:
    """Pronouns of somebody as slots: ``who.he``, ``who.He``, ``who.him``, ``who.his`` ..."""
    for name, word in zip(("he", "him", "his"), _HE.get(person.sex, _HE["male"]), strict=True):
        yield f"{slot}.{name}", word
        yield f"{slot}.{name.capitalize()}", word.capitalize()


def sentence(text: str) -> str:
    """A text with a capital after each stop.

    Examples
    --------
    >>> sentence("the boot is his. who asks? she does")
    'The boot is his. Who asks? She does'
    """
    return re.sub(r"(^|[.?!]\s+)(\w)", lambda found: found[1] + found[2].upper(), text)


DOZEN, FORTNIGHT = 12, 17
"""Nights up to which people count, and up to which it is a fortnight to them."""


def _when(nights_ago: int) -> str:
    if nights_ago <= 0:
        return "tonight"
    if nights_ago > DOZEN:
        return "a fortnight or so back" if nights_ago <= FORTNIGHT else "some weeks back"
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


_PARTS = ("", ".where", ".he", ".He", ".him", ".his", ".His")
